"""Orange's learners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..contenders import Job, Prepare, peer
from ..data import Rows

NEEDS = {"needs": ("Orange",)}


def tables(table: Rows) -> tuple[Any, Any]:
    """Training and hold-out rows as Orange tables."""
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

    numbers = [ContinuousVariable(f"n{j}") for j in range(table.numeric.shape[1])]
    values = [DiscreteVariable(f"c{j}", tuple(f"v{v}" for v in range(n)))
              for j, n in enumerate(table.levels)]
    target = DiscreteVariable("class", tuple(f"k{v}" for v in range(table.n_classes)))
    domain = Domain(numbers + values, target)
    codes = table.nominal.astype(float)
    codes[codes < 0] = np.nan
    X, y = np.hstack([table.numeric, codes]), table.y.astype(float)
    return tuple(Table.from_numpy(domain, X[part], y[part])
                 for part in (table.train, table.test))


def learner(name: str, size: Callable[[Any], dict] | None = None,
            **parameters: Any) -> Prepare:
    """A learner of `Orange.classification`."""

    def prepare(table: Rows, threads: int) -> Job:
        import Orange.classification

        train, test = tables(table)
        make = getattr(Orange.classification, name)
        return Job(
            fit=lambda: make(**parameters)(train),
            predict=lambda model: model(test),
            labels=lambda prediction: np.asarray(prediction).astype(int),
            probabilities=lambda model: model(test, model.Probs),
            size=size)

    return prepare


def mdl_cuts(table: Rows, threads: int) -> Job:
    """Fayyad and Irani's cut points."""
    from Orange.preprocess import Discretize, EntropyMDL

    train, _ = tables(table)
    cutter = Discretize(method=EntropyMDL(), remove_const=False)
    return Job(
        fit=lambda: cutter(train),
        size=lambda cut: {"cuts": sum(len(v.compute_value.points)
                                      for v in cut.domain.attributes)})


def tree_size(model: Any) -> dict[str, int]:
    return {"leaves": int(model.leaf_count()), "nodes": int(model.node_count())}


def rules(model: Any) -> dict[str, int]:
    return {"rules": len(model.rule_list)}


peer("tree-num tree-cat", "Orange tree",
     learner("TreeLearner", tree_size, min_samples_leaf=2, min_samples_split=2), **NEEDS)
peer("rules", "Orange CN2", learner("CN2Learner", rules), only="vote|creditg|5k", **NEEDS)
peer("rules", "Orange CN2 unordered", learner("CN2UnorderedLearner", rules),
     only="vote|creditg|5k", **NEEDS)
peer("cba", "Orange CN2", learner("CN2Learner", rules), only="iris|vote", **NEEDS)
peer("nb", "Orange naive Bayes", learner("NaiveBayesLearner"), only="cat", **NEEDS)
peer("ensemble", "Orange random forest 100",
     learner("RandomForestLearner", n_estimators=100, random_state=0), **NEEDS)
peer("mdl", "Orange EntropyMDL", mdl_cuts, **NEEDS)
