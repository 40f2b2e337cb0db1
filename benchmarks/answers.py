"""What every estimator answers, before and after a change that should change no answer.

    python -m benchmarks.answers record before.npz
    ... change the code, in the same checkout or another ...
    python -m benchmarks.answers compare before.npz

Every public estimator learns from six tables (nominal, numeric and mixed, two classes and
more, with missing values and with weights), with its defaults and with some other settings,
and answers new rows. What is compared is probabilities, decisions, labels or the
transformed table, bit by bit; what differs is listed with its largest difference. A setting
whose parameter has been renamed stands under both names.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from supervised.basics.datasets import (
    load_credit,
    load_heart_disease,
    load_iris,
    load_titanic,
    load_votes,
    load_wine,
)
from tests.house.test_estimators import estimators

# the limits that keep the slow ones short, by any of their names
SHORT = {"n_estimators": 5, "epochs": 20, "max_epochs": 20, "max_iter": 200}
# for these max_iter is a number of epochs, which it was called before
BY_EPOCHS = {"NeuralNetworkClassifier", "PerceptronClassifier", "KernelPerceptron"}
OTHERWISE: list[dict[str, Any]] = [
    {"min_leaf": 5, "min_rows": 5, "min_samples_leaf": 5, "min_num_obj": 5},
    {"pruning": None, "criterion": "gini"},
    {"rate": 0.05, "learning_rate": 0.05, "max_leaves": 4, "max_leaf_nodes": 4,
     "l2": 1.0, "l2_regularization": 1.0},
    {"hidden": (4, 3), "hidden_layer_sizes": (4, 3), "decay": 0.01, "weight_decay": 0.01},
    {"C": 0.3, "kernel": "linear"},
    {"k": 3, "n_neighbors": 3},
    {"beam": 3, "beam_width": 3, "star": 2, "max_star_size": 2},
    {"smoothing": 0.5, "alpha": 0.5},
]


def tables() -> dict[str, tuple[pd.DataFrame, Any]]:
    """The tables by name, each at most 400 rows, in a fixed random order."""
    found = {"titanic": load_titanic(), "iris": load_iris(), "credit": load_credit(),
             "heart": load_heart_disease(), "votes": load_votes(), "wine": load_wine()}
    out = {}
    for name, (X, y) in found.items():
        rows = np.random.default_rng(1).permutation(len(X))[:400]
        out[name] = (X.iloc[rows].reset_index(drop=True),
                     y.iloc[rows].reset_index(drop=True))
    return out


def settings(estimator: Any) -> Iterator[tuple[str, Any]]:
    """The estimator with its defaults, then with each other setting that it knows."""
    known = estimator.get_params(deep=False)
    base = {k: v for k, v in SHORT.items() if k in known}
    if type(estimator).__name__ in BY_EPOCHS:
        base |= {"max_iter": 20} if "max_iter" in known else {}
    base |= {"random_state": 0} if "random_state" in known else {}
    yield "defaults", clone(estimator).set_params(**base)
    for number, other in enumerate(OTHERWISE):
        mine = {k: v for k, v in other.items() if k in known}
        if mine:
            yield f"setting {number}", clone(estimator).set_params(**{**base, **mine})


def answer(model: Any, X: pd.DataFrame, y: pd.Series, weighted: bool) -> np.ndarray:
    """What the model says of the last quarter, once it has learned; or its error."""
    old, new = X.iloc[: 3 * len(X) // 4], X.iloc[3 * len(X) // 4:]
    weights = {"sample_weight": np.arange(len(old)) % 3 / 2} if weighted else {}
    try:
        model = model.fit(old, y.iloc[: len(old)], **weights)
        said = (model.predict_proba(new) if hasattr(model, "predict_proba")
                else model.decision_function(new) if hasattr(model, "decision_function")
                else model.predict(new) if hasattr(model, "predict")
                else model.transform(new))
    except Exception as error:
        said = np.array([type(error).__name__])
    said = np.asarray(said)
    return said.astype(str) if said.dtype == object else said


def answers() -> dict[str, np.ndarray]:
    """All answers, by estimator, table and setting."""
    found = {}
    for estimator in estimators():
        name = type(estimator).__name__
        takes = has_fit_parameter(estimator, "sample_weight") and is_classifier(estimator)
        for table, (X, y) in tables().items():
            for setting, model in settings(estimator):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found[f"{name} / {table} / {setting}"] = answer(model, X, y, False)
                    if takes and setting == "defaults":
                        found[f"{name} / {table} / weights"] = answer(model, X, y, True)
        print(name, flush=True)
    return found


def difference(a: np.ndarray, b: np.ndarray) -> str:
    """How two answers differ, or nothing."""
    if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
        return f"{a.dtype}{a.shape} against {b.dtype}{b.shape}"
    if np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
        return ""
    return (f"up to {np.nanmax(np.abs(a - b)):.2g}" if a.dtype.kind == "f"
            else f"{(a != b).sum()} of {a.size}")


def main(what: str, file: str) -> int:
    """Record the answers, or compare them; 1 if any differs."""
    now = answers()
    if what == "record":
        np.savez_compressed(file, **now)
        return 0
    with np.load(Path(file)) as before:
        said = [
            f"{k}: {d}" for k in before if k in now and (d := difference(before[k], now[k]))
        ]
        said += [f"{k}: only before" for k in before if k not in now]
        said += [f"{k}: only now" for k in now if k not in before]
        print("\n".join(said) or f"{len(now)} answers, all the same")
    return bool(said)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
