"""What grows how, and ten million rows: what the page on scaling out reads.

`python nbs/practice/scaling.py` measures all of it anew (a quarter of an hour,
0.3 GB of disk, which is given back), `--only growth` a part of it. Each measurement has a
process of its own, so that its peak memory is its own too. The times of
the growth are those of the processor, which depend less on what else the machine does.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.runner import resident

ROOT = Path(__file__).resolve().parents[2]
STORED = Path(__file__).with_suffix(".json")
LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "dask", "distributed",
             "pyarrow")
N_ROWS, N_COLUMNS, N_PARTS = 10_000_000, 20, 20
BYTES = 1024 if sys.platform != "darwin" else 1  # the unit of ru_maxrss


# ------------------------------------ tables


def rows(n: int, d: int = N_COLUMNS, k: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Normal columns, of which the first four differ between the classes, and the last two
    by their product."""
    rng = np.random.default_rng([seed, n])
    y = rng.integers(k, size=n)
    X = rng.standard_normal((n, d))
    for j in range(4):
        X[:, j] += 0.4 * ((y * (j + 1)) % k)
    flip = (X[:, -1] * X[:, -2] > 0) != (y % 2 == 1)
    X[flip & (rng.random(n) < 0.6), -1] *= -1
    return X, y


def part(i: int, n: int = N_ROWS // N_PARTS) -> pd.DataFrame:
    """A part of the large table, its numbers rounded as measurements are."""
    X, y = rows(n, seed=1 + i)
    frame = pd.DataFrame(np.round(X, 2), columns=[f"x{j}" for j in range(N_COLUMNS)])
    return frame.assign(answer=np.array(["no", "yes"])[y])


# ------------------------------------ what one process does


def learners() -> dict[str, Callable[[], Any]]:
    """The learners whose growth is measured."""
    from supervised.bayes import NaiveBayesClassifier
    from supervised.ensembles import RandomForestClassifier
    from supervised.linear import LeastSquaresClassifier
    from supervised.neighbors import KNNClassifier
    from supervised.svm import SVMClassifier
    from supervised.trees import CARTClassifier

    return {"naive Bayes": NaiveBayesClassifier, "least squares": LeastSquaresClassifier,
            "tree": CARTClassifier, "forest": lambda: RandomForestClassifier(10),
            "Gaussian SVM": SVMClassifier, "kNN, 1,000 questions": KNNClassifier}


FEWER = {"Gaussian SVM": 2000}  # rows where something else than rows grows


def growth(learner: str, axis: str, sizes: list[int]) -> list[dict]:
    """Processor seconds to fit for each size of an axis; of kNN to answer a thousand
    questions."""
    made = learners()[learner]
    found = []
    small = rows(500)
    made().fit(*small).predict(small[0])  # compiled, or read from the cache
    for size in sizes:
        shape = {"n": FEWER.get(learner, 20_000), "d": N_COLUMNS, "k": 2}
        model = made()
        if axis == "models":
            model.set_params(n_estimators=size)
        else:
            shape[{"rows": "n", "attributes": "d", "classes": "k"}[axis]] = size
        X, y = rows(**shape)
        seconds = []
        for _ in range(3):
            start = time.process_time()
            model.fit(X, y)
            if learner.startswith("kNN"):
                model.predict(X[:1000])
            seconds.append(time.process_time() - start)
        found.append({"learner": learner, "axis": axis, "size": size,
                      "seconds": min(seconds)})
    return found


def memory(learner: str, n: int) -> list[dict]:
    """Bytes that fitting takes beside the table, for each value of the table."""
    made = learners()[learner]
    small = rows(500)
    made().fit(*small)
    X, y = rows(n)
    before = resident("VmRSS")
    made().fit(X, y)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES
    return [{"learner": learner, "rows": n, "bytes": (peak - before) / X.size}]


def threads(rows_of: str) -> list[dict]:
    """Seconds on the clock for a forest of 100 trees with one thread and with two, in turn,
    the median of each."""
    from supervised.basics.datasets import load_breast_cancer
    from supervised.ensembles import RandomForestClassifier

    X, y = load_breast_cancer() if rows_of == "breast cancer" else rows(20_000)
    found: dict[int, list[float]] = {1: [], 2: []}
    for round_ in range(8):
        for n_jobs, seconds in found.items():
            start = time.perf_counter()
            RandomForestClassifier(100, n_jobs=n_jobs).fit(X, y)
            if round_:  # the first compiles, or reads the cache
                seconds.append(time.perf_counter() - start)
    return [{"rows": len(y), "threads": n_jobs, "seconds": float(np.median(seconds))}
            for n_jobs, seconds in found.items()]


def cluster() -> Any:
    """Two processes of one thread, and a client of theirs."""
    from dask.distributed import Client

    return Client(n_workers=2, threads_per_worker=1, dashboard_address=":0")


def write(folder: str) -> dict:
    """Write the large table, a file for each part."""
    for i in range(N_PARTS):
        part(i).to_parquet(Path(folder) / f"part{i:02d}.parquet")
    size = sum(f.stat().st_size for f in Path(folder).glob("*.parquet"))
    return {"gigabytes": size / 1e9}


def chunks(folder: str) -> Any:
    """The parts, one after the other."""
    for path in sorted(Path(folder).glob("*.parquet")):
        yield pd.read_parquet(path)


def read(folder: str) -> dict:
    """Read all parts and do nothing."""
    return {"rows": sum(map(len, chunks(folder)))}


def test_rows() -> tuple[pd.DataFrame, pd.Series]:
    """Rows that nobody learns from."""
    frame = part(N_PARTS, 100_000)
    return frame.drop(columns="answer"), frame["answer"]


def judged(model: Any) -> dict:
    """How many of the test rows a model gets right."""
    X, y = test_rows()
    return {"accuracy": float((model.predict(X) == y.to_numpy()).mean())}


def naive_bayes(folder: str) -> dict:
    """Naive Bayes, part by part."""
    from supervised.bayes import NaiveBayesClassifier

    model = NaiveBayesClassifier()
    for chunk in chunks(folder):
        model.partial_fit(chunk.drop(columns="answer"), chunk["answer"], ["no", "yes"])
    return judged(model)


def on_two_processes(folder: str, kind: str) -> dict:
    """A learner with summaries, fitted on a cluster of two processes."""
    import dask.dataframe as dd

    from supervised.bayes import NaiveBayesClassifier
    from supervised.linear import LeastSquaresClassifier
    from supervised.practice import fit_distributed

    model = {"bayes": NaiveBayesClassifier, "squares": LeastSquaresClassifier}[kind]()
    with cluster():
        fit_distributed(model, dd.read_parquet(folder), "answer")
        return judged(model)


class Votes:
    """Forests that have one vote together: the mean of their probabilities."""

    def __init__(self, forests: list):
        self.forests = forests

    def predict(self, X: Any) -> np.ndarray:
        shares = sum(forest.predict_proba(X) for forest in self.forests)
        return self.forests[0].classes_[shares.argmax(axis=1)]


def grown_on(chunk: pd.DataFrame, seed: int) -> Any:
    """Five trees from a part, each from a sample of a fifth of it."""
    from supervised.ensembles import RandomForestClassifier

    forest = RandomForestClassifier(5, max_samples=0.2, random_state=seed)
    return forest.fit(chunk.drop(columns="answer"), chunk["answer"])


def forest(folder: str) -> dict:
    """A forest of 100 trees, five from each part."""
    model = Votes([grown_on(chunk, i) for i, chunk in enumerate(chunks(folder))])
    trees = [tree for forest in model.forests for tree in forest.estimators_]
    return judged(model) | {"nodes": sum(tree.n_nodes_ for tree in trees)}


def forest_of_one_part(folder: str) -> dict:
    """As many trees, all from the first part."""
    from supervised.ensembles import RandomForestClassifier

    chunk = next(chunks(folder))
    model = RandomForestClassifier(100, max_samples=0.2)
    return judged(model.fit(chunk.drop(columns="answer"), chunk["answer"]))


def tree(folder: str) -> dict:
    """A tree of six levels from all rows, a pass for each level."""
    from supervised.practice import grow_from_chunks
    from supervised.trees import CARTClassifier

    model = CARTClassifier(max_depth=6)
    grow_from_chunks(model, lambda: chunks(folder), "answer")
    return judged(model) | {"nodes": model.n_nodes_}


LARGE = {"write": write, "read": read, "naive Bayes": naive_bayes,
         "naive Bayes, two processes": lambda f: on_two_processes(f, "bayes"),
         "least squares, two processes": lambda f: on_two_processes(f, "squares"),
         "forest": forest, "forest of one part": forest_of_one_part, "tree": tree}


def large(folder: str, what: str) -> list[dict]:
    """Seconds on the clock and peak memory of one thing done with ten million rows."""
    start = time.perf_counter()
    found = LARGE[what](folder)
    seconds = time.perf_counter() - start
    peaks = [resource.getrusage(who).ru_maxrss * BYTES / 1e9
             for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return [{"what": what, "seconds": seconds, "peak": peaks[0],
             "peak of a child": peaks[1], **found}]


# ------------------------------------ all processes


def plan(section: str, folder: str) -> list[tuple]:
    """The measurements of a section: a function of this module and its arguments."""
    if section == "growth":
        fast = ("naive Bayes", "least squares", "tree", "forest")
        to = [10_000 * 2**i for i in range(5)]
        return [*(("growth", name, "rows", to) for name in fast),
                ("growth", "Gaussian SVM", "rows", [500, 1000, 2000, 4000, 8000]),
                ("growth", "kNN, 1,000 questions", "rows", to),
                *(("growth", name, "attributes", [5, 10, 20, 40, 80, 160])
                  for name in learners()),
                *(("growth", name, "classes", [2, 4, 8, 16, 32]) for name in learners()),
                ("growth", "forest", "models", [10, 20, 40, 80])]
    if section == "memory":
        return [("memory", name, n) for name, n in
                [("naive Bayes", 200_000), ("least squares", 200_000), ("tree", 200_000),
                 ("forest", 200_000), ("Gaussian SVM", 8000),
                 ("kNN, 1,000 questions", 200_000)]]
    if section == "threads":
        return [("threads", rows_of) for rows_of in ("breast cancer", "made rows")]
    return [("large", folder, what) for what in LARGE]


def in_a_process(task: tuple) -> list[dict]:
    """Do one measurement in a fresh process."""
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, json.dumps(task)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env)
    if done.returncode:
        raise RuntimeError(f"{task}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


SECTIONS = ("growth", "memory", "threads", "large")


def measure(only: str, say: Callable[[str], None]) -> None:
    """Measure and store all sections, or those whose name contains a text."""
    folder = tempfile.mkdtemp(prefix="scale")
    try:
        for section in SECTIONS:
            if only in section:
                found: list[dict] = []
                for task in plan(section, folder):
                    found += (cells := in_a_process(task))
                    say(json.dumps(cells))
                store({section: found})
    finally:
        shutil.rmtree(folder)


def rounded(value: Any) -> Any:
    """Numbers to four digits, wherever they are."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def store(found: dict[str, Any]) -> None:
    """Put what was found into the file, beside what it has of other sections."""
    kept = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    about = {"rows": N_ROWS, "columns": N_COLUMNS, "parts": N_PARTS,
             "python": platform.python_version(), "cores": os.cpu_count(),
             "versions": {name: metadata.version(name) for name in LIBRARIES}}
    whole = {**kept, **rounded(found), "about": about}
    STORED.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("["):  # one measurement, in this process
        name, *arguments = json.loads(sys.argv[1])
        print(json.dumps(globals()[name](*arguments)), flush=True)
    else:
        measure(sys.argv[2] if sys.argv[1:2] == ["--only"] else "", print)
