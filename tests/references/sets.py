"""MAPIE's prediction sets, which `tests/evaluation/test_sets.py` compares with ours.

    python -m tests.references.sets

writes sets.json; it needs MAPIE 1.x, the tests don't. Every third row of a table trains a
Gaussian naive Bayes, every third calibrates, and the others are predicted. By class: MAPIE
calibrated by the rows of one class, and of its sets the column of that class. A set is a
text of class numbers.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB

REFERENCE = Path(__file__).with_suffix(".json")
ALPHAS = (0.08, 0.15, 0.3)  # MAPIE refuses smaller ones for the classes of the irises
TABLES = {"iris": (load_iris, slice(0, 2)), "wine": (load_wine, slice(0, 3)),
          "breast cancer": (load_breast_cancer, slice(0, 4))}  # few columns: wider sets


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """A table of scikit-learn, a few of its columns."""
    load, columns = TABLES[name]
    X, y = load(return_X_y=True)
    return X[:, columns], y


def parts(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows that train, that calibrate, and that are predicted."""
    return np.arange(0, n, 3), np.arange(1, n, 3), np.arange(2, n, 3)


def as_text(sets: np.ndarray) -> list[str]:
    """For each row the numbers of its classes."""
    return ["".join(map(str, np.flatnonzero(row))) for row in sets]


def of_mapie(name: str, alpha: float, by_class: bool) -> list[str]:
    """MAPIE's sets for the rows that are predicted."""
    from mapie.classification import SplitConformalClassifier

    X, y = table(name)
    train, held_out, new = parts(len(y))
    model = GaussianNB().fit(X[train], y[train])

    def sets(rows: np.ndarray) -> np.ndarray:
        conformal = SplitConformalClassifier(model, 1 - alpha, "lac", prefit=True)
        conformal.conformalize(X[rows], y[rows])
        return conformal.predict_set(X[new])[1][:, :, 0]

    if not by_class:
        return as_text(sets(held_out))
    return as_text(np.column_stack([sets(held_out[y[held_out] == c])[:, c]
                                    for c in np.unique(y)]))


def main() -> None:
    """Write the reference."""
    found = {name: {f"{alpha:g} {'by class' if by_class else 'together'}": of_mapie(
        name, alpha, by_class) for alpha in ALPHAS for by_class in (False, True)}
        for name in TABLES}
    REFERENCE.write_text(json.dumps({"MAPIE": metadata.version("mapie"), "sets": found},
                                    indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
