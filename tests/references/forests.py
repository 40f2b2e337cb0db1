"""Our random forests beside WEKA's on ten tables: how many rows of each fold are wrong.

    python -m tests.references.forests             grow both, print the errors
    python -m tests.references.forests record      write WEKA's to forests.json

Both need Java and python-weka-wrapper3; `tests/ensembles/test_forests.py` needs neither.
The tables are those of the page on forests, with soybean in place of the moons. Each forest
has 100 trees that try the square root of the number of attributes at each node, and learns
from four fifths of the rows.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from supervised.basics import datasets
from supervised.ensembles import RandomForestClassifier
from supervised.ensembles.engine.forests import _n_drawn
from supervised.evaluation.engine.resampling import CrossValidation

REFERENCE = Path(__file__).with_suffix(".json")
TABLES = ("credit", "heart_disease", "breast_cancer", "iris", "wine", "votes", "zoo",
          "titanic", "soybean", "digits")
N_TREES, SEEDS = 100, (1, 2, 3)


def table(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """The rows and their classes; of the digits every second one."""
    X, y = getattr(datasets, f"load_{name}")()
    step = 2 if name == "digits" else 1
    return X[::step].reset_index(drop=True), y[::step].reset_index(drop=True).astype(str)


def folds(X: pd.DataFrame, y: pd.Series) -> list[tuple[np.ndarray, np.ndarray]]:
    """Five folds, stratified unless some class has fewer than five rows."""
    stratified = bool(y.value_counts().min() >= 5)
    return list(CrossValidation(5, stratified=stratified, random_state=0).split(X, y))


def ours(name: str, seed: int, **options: Any) -> list[int]:
    """How many rows of each fold our forest gets wrong."""
    X, y = table(name)
    model = RandomForestClassifier(N_TREES, random_state=seed, **options)
    return [int((model.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
                 != y.iloc[test]).sum()) for train, test in folds(X, y)]


def wekas(name: str) -> Iterator[list[int]]:
    """The same for WEKA's forest, with one seed after the other."""
    from benchmarks.jobs import java, new_classifier

    from .j48 import Sample, to_arff

    X, y = table(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.arff"
        path.write_text(to_arff(Sample(X, y)), encoding="utf-8")
        data = java("weka.core.converters.ConverterUtils$DataSource").read(str(path))
    data.setClassIndex(data.numAttributes() - 1)
    tried = _n_drawn("sqrt", X.shape[1])
    for seed in SEEDS:
        wrong = []
        for train, test in folds(X, y):
            known = java("weka.core.Instances")(data, 0)
            for i in np.sort(train).tolist():
                known.add(data.instance(i))
            model = new_classifier("trees.RandomForest",
                                   f"-I {N_TREES} -K {tried} -S {seed}")
            model.buildClassifier(known)
            asked = [data.instance(i) for i in test.tolist()]
            wrong.append(sum(model.classifyInstance(row) != row.classValue()
                             for row in asked))
        yield wrong


def main(arguments: list[str]) -> None:
    """Record or compare."""
    found = {name: list(wekas(name)) for name in TABLES}
    if arguments == ["record"]:
        about = ("WEKA 3.9.7, weka.classifiers.trees.RandomForest -I 100, -K the root of "
                 "the number of attributes, -S 1 to 3: rows of each fold that are wrong")
        REFERENCE.write_text(json.dumps({"about": about, "wrong": found}) + "\n")
        return
    for name, theirs in found.items():
        n, mine = len(table(name)[1]), [ours(name, seed) for seed in SEEDS]
        errors = [np.sum(of) / len(SEEDS) / n for of in (mine, theirs)]
        print(f"{name:14s} ours {errors[0]:.3f}  WEKA {errors[1]:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
