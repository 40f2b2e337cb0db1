"""Compile what the tests share, once, before parallel workers start:
`python -m tools.warm`.

Each learner that a chapter offers fits a small table and predicts it, and every kernel is
compiled when it is first called; the code lies on disk, where every worker and every page
finds it. What this leaves out is compiled where it is needed.
"""

import contextlib
import importlib
import os
import warnings
from concurrent.futures import ProcessPoolExecutor

import supervised


def fit_all(chapter: str) -> None:
    """Fit the learners of a chapter, and predict."""
    from supervised.basics.datasets import load_credit, load_heart_disease

    warnings.simplefilter("ignore")
    module = importlib.import_module(f"supervised.{chapter}")
    for kind in [getattr(module, name) for name in module.__all__]:
        for X, y in (load_credit(), load_heart_disease()) if hasattr(kind, "fit") else ():
            with contextlib.suppress(Exception):  # one that is made around another, say
                model = kind().fit(X[::3], y[::3])
                (model.predict if hasattr(model, "predict") else model.transform)(X[::3])


if __name__ == "__main__":
    os.environ |= {"SUPERVISED_PATIENCE": "0", "SUPERVISED_QUIET": "1"}
    print("Fitting each learner once, so that its kernels are compiled for this machine: "
          "some minutes the first time", flush=True)
    with ProcessPoolExecutor() as pool:
        list(pool.map(fit_all, supervised.__all__))
