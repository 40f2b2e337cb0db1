"""Compile what the tests share, once, before parallel workers start:
`python -m tools.warm`.

Numba compiles a kernel for each combination of types it is called with, a second or so
each, and keeps the code on disk, where every worker and every page finds it.
`tools/signatures.json` lists the combinations that the pages and the tests call for;
`python -m tools.warm --record`, after a whole `make test`, adds those it finds on disk.
Nothing depends on the list: what it lacks is compiled where it is needed, and what is in it
for nothing costs its second.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from tools.book import ROOT

LIST = Path(__file__).with_name("signatures.json")


def spelled(kind: Any) -> str:
    """A type of Numba as an expression that `parsed` reads."""
    types: Any = importlib.import_module("numba").types

    if isinstance(kind, types.Literal):
        return f"literal({kind.literal_value!r})"
    if isinstance(kind, types.Omitted):
        return f"Omitted({kind.value!r})"
    if isinstance(kind, types.BaseTuple):
        home = getattr(kind, "instance_class", tuple)
        inside = "".join(f"{spelled(t)}," for t in kind.types)
        return f"made('{home.__module__}.{home.__qualname__}', ({inside}))"
    if isinstance(kind, types.Array) and kind.mutable and kind.aligned:
        along = [":"] * kind.ndim
        if kind.layout in "CF":
            along[-1 if kind.layout == "C" else 0] = "::1"
        return f"{spelled(kind.dtype)}[{','.join(along)}]"
    return repr(kind)


def parsed(text: str) -> Any:
    """The type, or the tuple of types, that an expression stands for."""
    from numba import types

    def made(home: str, kinds: tuple) -> Any:
        module, _, name = home.rpartition(".")
        kind = getattr(importlib.import_module(module), name)
        return types.BaseTuple.from_types(kinds, kind)

    return eval(text, {**vars(types), "made": made})


def on_disk(module: str) -> Iterator[tuple[str, str]]:
    """Names of kernels of a module, and the types for which code of the module as it is now
    lies on disk."""
    source = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    stamp = hashlib.sha256(source.read_bytes()).digest()
    for index in sorted(source.parent.glob(f"__pycache__/{source.stem}.*.nbi")):
        with index.open("rb") as file:
            pickle.load(file)  # the version of Numba
            written, overloads = pickle.loads(file.read())
        if written == stamp:
            name = index.name.removeprefix(f"{source.stem}.").rpartition("-")[0]
            yield from ((name, "".join(f"{spelled(t)}," for t in key[0]))
                        for key in overloads)


def kernels_of(module: str) -> dict[str, Any]:
    """The compiled functions of a module, by name."""
    return {name: it for name, it in vars(importlib.import_module(module)).items()
            if hasattr(it, "py_func") and it.__module__ == module}


def modules() -> list[str]:
    """The modules of the package that have kernels."""
    paths = sorted((ROOT / "supervised").rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths
            if "@compiled" in path.read_text(encoding="utf-8")]


def listed() -> dict[str, dict[str, list[str]]]:
    """For each module and each kernel in it, the types it is compiled for."""
    return json.loads(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}


def record() -> None:
    """Add what is on disk to the list, and strike out kernels that are gone."""
    known, new = listed(), {}
    for module in modules():
        kernels = kernels_of(module)
        found = {name: set(known.get(module, {}).get(name, ())) for name in kernels}
        for name, types in on_disk(module):
            if name in found and "__main__" not in types:
                found[name].add(types)
        new[module] = {name: sorted(types) for name, types in found.items() if types}
    LIST.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8",
                    newline="\n")
    print(f"Listed: {sum(len(types) for m in new.values() for types in m.values())}")


def compile_one(module: str, name: str, types: str) -> bool:
    """Compile a kernel for some types. What can't be compiled fails where it is tested."""
    try:
        kernels_of(module)[name].compile(parsed(f"({types})"))
    except Exception:
        return False
    return True


def compile_all(jobs: list[tuple[str, str, str]]) -> int:
    """How many of some kernels could be compiled."""
    return sum(compile_one(*job) for job in jobs)


def main() -> None:
    """Compile what is listed, on all cores, and say how much that was."""
    from tqdm import tqdm

    os.environ["SUPERVISED_QUIET"] = "1"  # here it is no surprise that something compiles
    began = time.perf_counter()
    # One list after the other as in the files: kernels that call each other are compiled
    # together, by one process.
    jobs = [(module, name, types) for module, kernels in listed().items()
            for name, its in kernels.items() for types in its]
    print(f"Compiling {len(jobs)} kernels for this machine, where that is not done yet: "
          "some minutes the first time", flush=True)
    # Ctrl-C reaches the workers too, and ends them as they are, with nothing to say.
    with ProcessPoolExecutor(os.cpu_count(), initializer=signal.signal,
                             initargs=(signal.SIGINT, signal.SIG_DFL)) as pool:
        parts = [pool.submit(compile_all, jobs[i : i + 8]) for i in range(0, len(jobs), 8)]
        try:
            done = [part.result()
                    for part in tqdm(parts, "Compiling", leave=False, disable=None)]
        except (KeyboardInterrupt, BrokenProcessPool):
            for worker in multiprocessing.active_children():
                worker.kill()
            raise SystemExit("Stopped: what has been compiled so far is kept.") from None
    print(f"Compiled: {sum(done)} of {len(jobs)} kernels, in "
          f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--record", action="store_true",
                         help="add what is found on disk to the list")
    if options.parse_args().record:
        record()
    else:
        main()
