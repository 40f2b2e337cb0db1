"""Times one cell (workload, contender, threads) in a fresh process, and runs many."""

from __future__ import annotations

import gc
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from .data import NotAvailable
from .jobs import Job
from .table import WORKLOADS, Contender, entrants

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
MARK = "\nRESULT "
COLD = 20.0  # a warm-up of more seconds than this is the only measurement
SLOW = 5.0  # a cell whose warm-up took longer runs in the first round only
TICK = 0.02  # a repeat shorter than this is a mean over several calls
WAITING = 0.1  # the share of its time for which a repeat may wait for a processor
LIBRARIES = (
    "numpy", "scipy", "pandas", "scikit-learn", "numba", "orange3", "python-weka-wrapper3",
    "mlxtend", "pyfim", "wittgenstein", "imodels", "pyarc", "libsvm-official",
    "liblinear-official", "lightgbm", "xgboost")
THREAD_LIMITS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS")

# ------------------------------------------------------------------------------ one cell


def processor_seconds() -> float:
    """What this process and the finished ones that it started have computed so far."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def timed(call: Callable[[], Any]) -> tuple[Any, list[float], float]:
    """Result, seconds of each repeat, and seconds of the warm-up.

    A repeat that had to wait for a processor, because somebody else was using it, is done
    again; but there are at most twice as many repeats as are wanted.
    """
    start = time.perf_counter()
    result = call()
    warm = time.perf_counter() - start
    if warm > COLD:
        return result, [], warm
    wanted = spare = 5 if warm < 0.5 else 3
    number = 1
    runs: list[float] = []
    while len(runs) < wanted:
        result = None  # freed outside the timed span
        gc.collect()
        computed, start = processor_seconds(), time.perf_counter()
        for _ in range(number):
            result = call()
        elapsed = time.perf_counter() - start
        waited = elapsed - (processor_seconds() - computed)
        if not runs and number == 1 and elapsed < TICK:
            number = min(200, max(2, round(TICK / max(elapsed, 1e-7))))
        elif waited > WAITING * elapsed and spare:
            spare -= 1
        else:
            runs.append(elapsed / number)
    return result, runs, warm


def resident(key: str) -> int | None:
    """Bytes of VmRSS (now) or VmHWM (the most since the last reset); Linux only."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(rf"{key}:\s+(\d+)", status)
    return int(found[1]) * 1024 if found else None


def memory_of(call: Callable[[], Any],
              nbytes: Callable[[Any], int]) -> dict[str, float | None]:
    """Peak memory of a call as a multiple of its result's size, in two untimed passes.

    `traced` counts what Python and NumPy allocate; `resident` is what the operating system
    saw, which includes compiled code's own allocations and rounds to pages.
    """
    gc.collect()
    tracemalloc.start()
    result = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = nbytes(result)
    result = None
    gc.collect()
    grown = None
    try:
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        before = resident("VmRSS") or 0
        result = call()
        grown = round(((resident("VmHWM") or 0) - before) / size, 2)
    except (OSError, AttributeError, TypeError):
        pass  # no such counters here
    return {"result_mb": round(size / 1e6, 2), "traced": round(peak / size, 2),
            "resident": grown}


def memory(job: Job, model: Any) -> dict[str, Any]:
    """The memory passes of a job that promises something about memory."""
    if job.nbytes is None:
        return {}
    found = {"fit": memory_of(job.fit, job.nbytes)}
    if job.predict is not None:
        predict = job.predict
        found["predict"] = memory_of(lambda: predict(model), job.nbytes)
    return {"memory": found}


def quality(job: Job, data: Any, model: Any, prediction: Any) -> dict[str, Any]:
    """Accuracy and model size, where the job gives them."""
    found: dict[str, Any] = {}
    if job.labels is not None:
        right = np.asarray(job.labels(prediction)) == data.y[data.test]
        found["accuracy"] = round(float(np.mean(right)), 4)
    if job.accuracy is not None:
        found["accuracy"] = round(float(job.accuracy(model)), 4)
    if job.size is not None:
        found["model"] = job.size(model)
    return found


def significant(seconds: float) -> float:
    """Four digits are more than the clock is good for."""
    return float(f"{seconds:.4g}")


def spans(what: str, runs: list[float], warm: float) -> dict[str, Any]:
    """The fields of one timed action."""
    median = statistics.median(runs) if runs else warm
    return {f"{what}_s": significant(median),
            f"{what}_runs": [significant(r) for r in runs],
            f"{what}_first_s": significant(warm)}


def measure(entrant: Contender, data: Any, threads: int) -> dict[str, Any]:
    """Time one contender on data that are already built."""
    entrant.require()
    start = time.perf_counter()
    job = entrant.prepare(data, threads)
    cell: dict[str, Any] = {"prepare_s": significant(time.perf_counter() - start)}
    model, runs, warm = timed(job.fit)
    cell |= spans("fit", runs, warm)
    prediction = None
    if job.predict is not None:
        predict = job.predict
        prediction, runs, warm = timed(lambda: predict(model))
        cell |= spans("predict", runs, warm)
    cell["peak_mb"] = round((resident("VmHWM") or 0) / 2**20)
    return cell | quality(job, data, model, prediction) | memory(job, model)


def one(workload: str, name: str, threads: int, quick: bool = False) -> dict[str, Any]:
    """One cell, measured in this process."""
    entrant = next(c for c in entrants(workload) if c.name == name)
    try:
        entrant.require()
        data = WORKLOADS[workload].make(quick)
        if hasattr(data, "name"):
            data.name = workload  # for the files that some contenders read
        return {"status": "ok", "data": data.describe(), **measure(entrant, data, threads)}
    except NotAvailable as reason:
        return {"status": "not available", "reason": str(reason)}
    except ImportError as error:
        if entrant.ours:
            raise
        return {"status": "not available", "reason": tidy(f"does not import: {error}")}


def leave() -> None:
    """Exit without waiting for a JVM, but not before
    joblib's workers have let go of stdout."""
    if "joblib" in sys.modules:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True, kill_workers=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


# ------------------------------------------------------------------------------ many cells


def tidy(text: str) -> str:
    """The last line of an error, without anything that belongs to this machine."""
    lines = [x.strip() for x in text.strip().splitlines() if x.strip()]
    return re.sub(r"(?:[A-Za-z]:)?[/\\][\w.@+~-]+(?:[/\\][\w.@+~-]+)+", "…",
                  lines[-1] if lines else "no message")[:160]


def in_fresh_process(workload: str, entrant: Contender, threads: int, quick: bool,
                     timeout: float) -> dict[str, Any]:
    """Run `python -m benchmarks one …` with its threads limited, and read what it found."""
    command = [sys.executable, "-m", "benchmarks", "one", workload, entrant.name,
               str(threads)]
    limits = dict.fromkeys(THREAD_LIMITS, str(threads))
    process = subprocess.Popen(
        command + ["--quick"] * quick, cwd=ROOT, text=True, encoding="utf-8",
        env=os.environ | limits | {"PYTHONWARNINGS": "ignore", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=os.name == "posix")
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)  # the cell and the workers it started
        process.kill()
        process.communicate()
        return {"status": "timeout", "reason": f"more than {timeout:g} s in all"}
    found = out.rpartition(MARK)[2] if MARK in out else ""
    if found:
        return json.loads(found.splitlines()[0])
    return {"status": "error", "reason": tidy(err or out)}


def pooled(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Two rounds of one cell as one: the repeats of both, the smaller cold time."""
    merged = dict(first)
    for what in ("fit", "predict"):
        if f"{what}_runs" in first and second.get("status") == "ok":
            runs = first[f"{what}_runs"] + second[f"{what}_runs"]
            cold = min(first[f"{what}_first_s"], second[f"{what}_first_s"])
            merged |= spans(what, runs, cold)
    return merged


def measure_workload(name: str, rounds: int = 2, quick: bool = False, timeout: float = 150,
                     report: Callable[[str], None] = print) -> dict[str, Any]:
    """All cells of a workload, one after the other, forth and back.

    A machine that gets slower or faster while it runs favors nobody: each contender meets
    the early and the late minutes. Cells that take long are measured in the first
    round only.
    """
    cells = [(c, t) for c in entrants(name) for t in c.threads]
    found: dict[int, dict[str, Any]] = {}
    for turn in range(rounds):
        order = range(len(cells)) if turn % 2 == 0 else reversed(range(len(cells)))
        for i in order:
            entrant, threads = cells[i]
            before = found.get(i)
            if before and (before["status"] != "ok" or before["fit_first_s"] > SLOW):
                continue
            cell = in_fresh_process(name, entrant, threads, quick, timeout)
            found[i] = pooled(before, cell) if before else cell
            report(f"{name:22s} {entrant.name:42s} t{threads} {line(cell)}")
    return assembled(WORKLOADS[name].family, cells, found)


def line(cell: dict[str, Any]) -> str:
    """A cell for the terminal."""
    if cell["status"] != "ok":
        return f"{cell['status']}: {cell['reason']}"
    parts = [f"{what} {cell[f'{what}_s'] * 1000:.3f} ms" for what in ("fit", "predict")
             if f"{what}_s" in cell]
    parts += [f"{key} {cell[key]}" for key in ("accuracy", "memory") if key in cell]
    return ", ".join(parts)


def assembled(family: str, cells: list[tuple[Contender, int]],
              found: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """What results.json holds about a workload."""
    facts: dict[str, Any] = next((c["data"] for c in found.values() if "data" in c), {})
    listed = []
    for i, (entrant, threads) in enumerate(cells):
        about = {"contender": entrant.name, "ours": entrant.ours, "threads": threads}
        if entrant.ours:
            about["against"] = entrant.against
        listed.append(about | {k: v for k, v in found[i].items() if k != "data"})
    return {"family": family, "data": facts, "machine": machine(), "cells": listed}


def machine() -> dict[str, Any]:
    """What a reader needs to know to compare: versions and cores, no names."""
    versions = {}
    for library in LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue
    return {"python": platform.python_version(), "system": platform.system(),
            "cores": os.cpu_count(), "libraries": versions}


def chosen(only: str = "") -> list[str]:
    """Workloads whose name contains `only`."""
    return [name for name in WORKLOADS if only in name]


def load(path: Path = RESULTS) -> dict[str, Any]:
    """The stored results by workload."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def store(results: dict[str, Any], path: Path = RESULTS) -> None:
    """Write results in the order of the workloads, one cell a line."""
    ordered = {name: results[name] for name in WORKLOADS if name in results}
    lines = []
    for name, result in ordered.items():
        rest = {k: v for k, v in result.items() if k != "cells"}
        cells = ",\n".join("   " + json.dumps(c, ensure_ascii=False)
                           for c in result["cells"])
        head = json.dumps(rest, ensure_ascii=False)[:-1]
        lines.append(f' {json.dumps(name)}: {head}, "cells": [\n{cells}]}}')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def run(only: str = "", quick: bool = False, rounds: int = 2, timeout: float = 150,
        path: Path | None = RESULTS,
        report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure what `chosen` names, and merge it into the stored results after each."""
    results = load(path) if path else {}
    for name in chosen(only):
        results[name] = measure_workload(name, rounds, quick, timeout, report)
        if path:
            store(results, path)
    return results
