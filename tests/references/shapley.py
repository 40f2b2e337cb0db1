"""Shapley values by SHAP, a library, which `tests/trees/test_shap.py` compares with ours.

    python -m tests.references.shapley

writes shapley.json; it needs shap 0.51, the tests don't. Explained are scikit-learn's
models, path-dependent: a tree with three classes, a forest of four on the tumors, whose
trees are stored with their values, and gradient boosting on a table of few distinct values,
some of them missing, where ours splits alike.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

REFERENCE = Path(__file__).with_suffix(".json")
BOOSTING = {"learning_rate": 0.3, "max_leaf_nodes": 8, "min_samples_leaf": 20}


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows that train; sixty-fourths are the same numbers in 32 bits."""
    if name == "tree":
        rng = np.random.default_rng(1)
        X = rng.integers(-128, 128, (300, 4)) / 64
        score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.5, 300)
        return X, np.digitize(score, [-0.5, 0.7])
    if name == "forest":
        X, y = load_breast_cancer(return_X_y=True)
        return X.astype(np.float32).astype(float), y
    rng = np.random.default_rng(3)
    X = rng.integers(0, 12, (800, 5)).astype(float)
    y = X[:, 0] + X[:, 1] * (X[:, 2] > 6) + rng.normal(0, 4, 800) > 9
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y.astype(int)


def rows(name: str) -> slice:
    """Those that are explained."""
    return slice(None, None, {"tree": 20, "forest": 40, "boosting": 25}[name])


def stored_tree(tree: Any) -> dict[str, list]:
    """The arrays of a tree of scikit-learn's."""
    inner = tree.children_left >= 0
    return {"left": tree.children_left.tolist(), "right": tree.children_right.tolist(),
            "column": np.where(inner, tree.feature, -1).tolist(),
            "threshold": np.where(inner, tree.threshold, 0.0).tolist(),
            "counts": (tree.value[:, 0] * tree.weighted_n_node_samples[:, None]).tolist()}


def main() -> None:
    """Write the reference."""
    import shap

    found: dict[str, Any] = {}
    models = {"tree": DecisionTreeClassifier(max_depth=3, random_state=0),
              "forest": RandomForestClassifier(4, max_depth=6, random_state=0),
              "boosting": HistGradientBoostingClassifier(
                  max_iter=8, early_stopping=False, **BOOSTING)}
    for name, model in models.items():
        X, y = table(name)
        model.fit(X, y)
        told = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")(
            X[rows(name)])
        trees = {"tree": [model], "forest": getattr(model, "estimators_", [])}.get(name, [])
        found[name] = {"values": told.values.round(9).tolist(),
                       "base_values": np.atleast_1d(told.base_values[0]).round(9).tolist(),
                       "trees": [stored_tree(t.tree_) for t in trees]}
    REFERENCE.write_text(json.dumps({"shap": metadata.version("shap"),
                                     "scikit-learn": metadata.version("scikit-learn"),
                                     "found": found}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
