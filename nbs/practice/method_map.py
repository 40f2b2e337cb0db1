"""Every classifier of the book on every real table: what the page "Which method for which
table?" reads.

`python nbs/practice/method_map.py` computes it anew (some minutes), and with `--check`
a sample of it, and says where the stored numbers differ.
"""

from __future__ import annotations

import json
import platform
import sys
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler

from supervised import associations, bayes, ensembles, linear, neighbors, neural, rules, svm
from supervised import trees as tree_chapter
from supervised.basics import (
    IndicatorEncoder,
    MajorityClassifier,
    MissingValueImputer,
    RoteClassifier,
    Standardizer,
    datasets,
)
from supervised.evaluation import CrossValidation

STORED = Path(__file__).with_suffix(".json")
N_FOLDS = 10
LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn", "numba")


def prepared(model: Any) -> Any:
    """A model of columns of numbers, with what it needs before it: gaps filled, names as
    indicators, all columns on one scale."""
    return make_pipeline(MissingValueImputer(), IndicatorEncoder(), Standardizer(), model)


def first_column(X: pd.DataFrame) -> list[str]:
    """The texts of a frame with one column."""
    return X.iloc[:, 0].tolist()


def words(model: Any, scaled: bool = False) -> Any:
    """A model of counted words."""
    steps = [FunctionTransformer(first_column), CountVectorizer(min_df=3)]
    return make_pipeline(*steps, *([MaxAbsScaler()] if scaled else []), model)


def _members() -> list[tuple[str, Any]]:
    return [("tree", tree_chapter.C45Classifier()), ("Bayes", bayes.NaiveBayesClassifier()),
            ("neighbors", neighbors.KNNClassifier()),
            ("line", prepared(linear.LogisticClassifier()))]


def columns_methods() -> dict[str, tuple[str, str, Any]]:
    """Name, chapter, what one can read of it, and the classifier, as it comes."""
    rows: list[tuple[str, str, str, Any]] = [
        ("majority", "basics", "a class", MajorityClassifier()),
        ("rote", "basics", "rows", RoteClassifier()),
        ("stump", "ensembles", "a tree", ensembles.StumpClassifier()),
        ("C4.5", "trees", "a tree", tree_chapter.C45Classifier()),
        ("CART", "trees", "a tree", tree_chapter.CARTClassifier()),
        ("CHAID", "trees", "a tree", tree_chapter.CHAIDClassifier()),
        ("ID3", "trees", "a tree", tree_chapter.ID3Classifier()),
        ("oblique tree", "trees", "a tree of sums",
         prepared(tree_chapter.ObliqueTreeClassifier())),
        ("naive Bayes", "bayes", "weights", bayes.NaiveBayesClassifier()),
        ("TAN", "bayes", "weights", bayes.TANClassifier()),
        ("kNN", "neighbors", "rows", neighbors.KNNClassifier()),
        ("AQ", "rules", "rules", rules.AQClassifier()),
        ("CN2", "rules", "rules", rules.CN2Classifier()),
        ("C4.5 rules", "rules", "rules", rules.C45RulesClassifier()),
        ("FOIL", "rules", "rules", rules.FOILClassifier()),
        ("REP", "rules", "rules", rules.REPClassifier()),
        ("IREP", "rules", "rules", rules.IREPClassifier()),
        ("RIPPER", "rules", "rules", rules.RIPPERClassifier()),
        ("PART", "rules", "rules", rules.PARTClassifier()),
        ("strongest rule", "associations", "many rules",
         associations.StrongestRuleClassifier()),
        ("CBA", "associations", "rules", associations.CBAClassifier()),
        ("CMAR", "associations", "many rules", associations.CMARClassifier()),
        ("CPAR", "associations", "many rules", associations.CPARClassifier()),
        ("maximal patterns", "associations", "many rules",
         associations.MaximalPatternClassifier()),
        ("least squares", "linear", "weights", prepared(linear.LeastSquaresClassifier())),
        ("logistic", "linear", "weights", prepared(linear.LogisticClassifier())),
        ("perceptron", "linear", "weights", prepared(linear.PerceptronClassifier())),
        ("linear SVM", "svm", "weights", prepared(svm.LinearSVMClassifier())),
        ("Gaussian SVM", "svm", "nothing", prepared(svm.SVMClassifier())),
        ("kernel perceptron", "svm", "nothing", prepared(svm.KernelPerceptron())),
        ("kernel logistic", "svm", "nothing", prepared(svm.KernelLogisticClassifier())),
        ("kernel Fisher", "svm", "nothing", prepared(svm.KernelFisherClassifier())),
        ("network", "neural", "nothing", prepared(neural.NeuralNetworkClassifier(
            random_state=0))),
        ("bagged C4.5", "ensembles", "nothing",
         ensembles.BaggingClassifier(random_state=0)),
        ("boosted stumps", "ensembles", "weights", ensembles.AdaBoostClassifier()),
        ("gradient boosting", "ensembles", "nothing",
         ensembles.GradientBoostingClassifier()),
        ("forest", "ensembles", "nothing",
         ensembles.RandomForestClassifier(random_state=0)),
        ("vote of four", "ensembles", "nothing", ensembles.VotingClassifier(_members())),
        ("stack of four", "ensembles", "nothing",
         ensembles.StackingClassifier(_members())),
    ]
    return {name: (chapter, reading, model) for name, chapter, reading, model in rows}


def word_methods() -> dict[str, tuple[str, str, Any]]:
    """The same for texts."""
    return {
        "majority": ("basics", "a class", MajorityClassifier()),
        "Bernoulli text": ("bayes", "weights", words(bayes.BernoulliTextClassifier())),
        "multinomial text": ("bayes", "weights", words(bayes.MultinomialTextClassifier())),
        "logistic": ("linear", "weights", words(linear.LogisticClassifier(), scaled=True)),
        "linear SVM": ("svm", "weights", words(svm.LinearSVMClassifier(), scaled=True))}


def tree_methods() -> dict[str, tuple[str, str, Any]]:
    """The same for rows that are trees."""
    return {
        "majority": ("basics", "a class", MajorityClassifier()),
        "XRules": ("associations", "many rules",
                   associations.XRulesClassifier(min_support=0.1, max_size=3)),
    }


TABLES: dict[str, tuple[Callable[[], tuple[Any, Any]], Callable[[], dict]]] = {
    "iris": (datasets.load_iris, columns_methods),
    "heart": (datasets.load_heart_disease, columns_methods),
    "wine": (datasets.load_wine, columns_methods),
    "zoo": (datasets.load_zoo, columns_methods),
    "votes": (datasets.load_votes, columns_methods),
    "soybean": (datasets.load_soybean, columns_methods),
    "tumors": (datasets.load_breast_cancer, columns_methods),
    "credit": (datasets.load_credit, columns_methods),
    "titanic": (datasets.load_titanic, columns_methods),
    "digits": (datasets.load_digits, columns_methods),
    "docstrings": (datasets.load_docstrings, word_methods),
    "functions": (datasets.load_function_trees, tree_methods)}


def ranked(model: Any, X: Any) -> np.ndarray | None:
    """A column of scores for each class; None if the classifier only names classes."""
    for way in ("predict_proba", "decision_function"):
        if hasattr(model, way):
            scores = np.asarray(getattr(model, way)(X))
            return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
    return None


def area(scores: np.ndarray, y: np.ndarray, classes: np.ndarray) -> float:
    """Each class against the rest, weighted by its share of the rows."""
    shares = [(y == c).mean() for c in classes]
    return float(sum(w * roc_auc_score(y == c, scores[:, i])
                     for i, (c, w) in enumerate(zip(classes, shares, strict=True))))


def measured(model: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """Ten folds, the area under the curve over all of them, time, and the model's size."""
    classes, counts = np.unique(y, return_counts=True)
    folds = CrossValidation(N_FOLDS, stratified=bool(counts.min() >= N_FOLDS),
                            random_state=0)
    right, scores = [], np.zeros((len(y), len(classes)))
    for train, test in folds.split(X, y):
        fitted = clone(model).fit(X.iloc[train], y[train])
        rows = X.iloc[test]
        right.append(float((fitted.predict(rows) == y[test]).mean()))
        found = ranked(fitted, rows)
        if scores is not None and found is not None:
            scores[np.ix_(test, np.searchsorted(classes, fitted.classes_))] = found
        else:
            scores = None
    start = time.process_time()
    whole = clone(model).fit(X, y)
    seconds = time.process_time() - start
    last = whole[-1] if hasattr(whole, "steps") else whole
    lines = len(last.to_text().splitlines()) if hasattr(last, "to_text") else None
    return {"accuracy": [round(a, 6) for a in right],
            "auc": None if scores is None else round(area(scores, y, classes), 6),
            "seconds": float(f"{seconds:.2g}"), "lines": lines,
            "kilobytes": _kilobytes(last)}


def _kilobytes(model: Any) -> float | None:
    try:
        return float(f"{len(model.to_json()) / 1000:.3g}")
    except (AttributeError, TypeError, ValueError):  # a member of another library, say
        return None


def described(X: pd.DataFrame, y: np.ndarray) -> dict[str, Any]:
    """What a table is like."""
    names = X.select_dtypes(exclude="number").shape[1]
    largest = pd.Series(y).value_counts(normalize=True).max()
    return {"rows": len(X), "names": names, "numbers": X.shape[1] - names,
            "classes": len(np.unique(y)),
            "gaps": round(float(X.isna().to_numpy().mean()), 4),
            "largest class": round(float(largest), 4)}


def computed(only: str, say: Callable[[str], None]) -> dict[str, Any]:
    """The whole map, or the part with a word in the table's name."""
    found: dict[str, Any] = {
        "versions": {name: metadata.version(name) for name in LIBRARIES}
        | {"python": platform.python_version()},
        "folds": N_FOLDS, "tables": {}, "methods": {}, "cells": []}
    for table, (load, methods) in TABLES.items():
        if only not in table:
            continue
        X, y = load()
        y = np.asarray(y)
        found["tables"][table] = described(X, y)
        for name, (chapter, reading, model) in methods().items():
            found["methods"][name] = {"chapter": chapter, "one reads": reading}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                cell = {"table": table, "method": name, **measured(model, X, y)}
            found["cells"].append(cell)
            say(f"{table:12s} {name:18s} {np.mean(cell['accuracy']):.3f} "
                f"{cell['seconds']} s")
    return found


def write(found: dict[str, Any], path: Path = STORED) -> None:
    """One line for each cell, so that a change can be read."""
    head = {key: value for key, value in found.items() if key != "cells"}
    text = json.dumps(head, indent=1)[:-2]
    lines = ",\n".join("  " + json.dumps(cell) for cell in found["cells"])
    path.write_text(f'{text},\n "cells": [\n{lines}\n ]\n}}\n', encoding="utf-8")


def differing(say: Callable[[str], None],
              tables: tuple[str, ...] = ("iris", "wine", "heart")) -> list[str]:
    """Compute some tables again; the cells whose accuracy is not what is stored.

    Sums of floats may differ from machine to machine, so two rows of a table may change
    sides.
    """
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    known = {(c["table"], c["method"]): c["accuracy"] for c in stored["cells"]}
    wrong = []
    for table in tables:
        again = computed(table, say)
        for cell in again["cells"]:
            was = known.get((table, cell["method"]))
            room = 2 / again["tables"][table]["rows"]
            if was is None or abs(np.mean(was) - np.mean(cell["accuracy"])) > room:
                wrong.append(f"{table}, {cell['method']}: {np.mean(cell['accuracy']):.4f}, "
                             f"stored {np.mean(was) if was else None}")
    return wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        raise SystemExit("\n".join(differing(print)) or None)
    write(computed("", print))
