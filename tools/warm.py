"""Compile what the tests share, once and in one process:
`python -m tools.warm`, before parallel workers start.

Each public estimator is fitted to small tables of every kind. Numba keeps what it compiles
on disk, and the workers find it there. Nothing depends on this: whatever fails here is
compiled, or fails, where it is tested.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import pandas as pd

from tools import smoke


def small_tables() -> list[tuple[pd.DataFrame, pd.Series]]:
    """Numeric, nominal and mixed tables, whole
    and with gaps, of two and of three classes."""
    rng = np.random.default_rng(0)
    n = 60
    numeric = pd.DataFrame(rng.normal(size=(n, 3)), columns=["x", "y", "z"]).round(1)
    nominal = (pd.DataFrame(rng.integers(0, 3, (n, 2)), columns=["a", "b"]).astype(str)
               .astype("category"))
    mixed = numeric.join(nominal)
    gaps = mixed.mask(rng.random(mixed.shape) < 0.1)
    two = pd.Series(np.where(numeric["x"] + numeric["y"] > 0, "yes", "no"), name="class")
    three = two.mask(numeric["z"] > 0.5, "perhaps")
    return [(table, y) for table in (numeric, nominal, mixed, gaps) for y in (two, three)]


def small_texts() -> list[tuple[np.ndarray, np.ndarray]]:
    """Counts of words."""
    rng = np.random.default_rng(0)
    return [(rng.integers(0, 4, (60, 8)), rng.integers(0, classes, 60))
            for classes in (2, 3)]


def fit(kind: type, X, y) -> bool:
    """Fit, and ask for whatever a fitted model answers."""
    try:
        model = kind().fit(X, y)
    except Exception:  # a table that is not for this method
        return False
    for answer in ("predict", "predict_proba", "transform", "decision_function"):
        try:
            getattr(model, answer)(X)
        except Exception:
            continue
    return True


def main() -> None:
    """Fit all to all, and say how many fits there were."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = [fit(kind, X, y) for kind in smoke.estimators()
                for X, y in small_tables() + small_texts()]
    print(f"Warmed up: {sum(done)} fits, {time.process_time() - began:.0f} s of "
          "processor time")


if __name__ == "__main__":
    main()
