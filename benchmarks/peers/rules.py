"""Rule learners outside the large libraries: wittgenstein and chefboost."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..contenders import Job, Prepare, peer
from ..data import Rows
from .weka import CACHE


def wittgenstein(name: str) -> Prepare:
    """RIPPER or IREP for class 1."""

    def prepare(table: Rows, threads: int) -> Job:
        import wittgenstein as library

        train, test = (table.frame(part, "missing") for part in (table.train, table.test))
        y = table.y[table.train]

        def fit() -> Any:
            model = getattr(library, name)(random_state=1)
            model.fit(train, y, pos_class=1)
            return model

        return Job(
            fit=fit, predict=lambda model: model.predict(test),
            labels=lambda prediction: np.asarray(prediction).astype(int),
            probabilities=lambda model: model.predict_proba(test), size=lambda model: {
                "rules": len(model.ruleset_.rules),
                "conditions": sum(len(r.conds) for r in model.ruleset_.rules)})

    return prepare


def silent(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call without what it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call(*args, **kwargs)


def chefboost(algorithm: str) -> Prepare:
    """A tree of chefboost, which writes its rules to a file and imports them from there."""

    def prepare(table: Rows, threads: int) -> Job:
        from chefboost import Chefboost

        folder = CACHE / "chefboost"
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        sys.path.insert(0, ".")
        train, test = (table.frame(part, "missing") for part in (table.train, table.test))
        train["Decision"] = np.char.add("k", table.y[table.train].astype(str))
        instances = test.values.tolist()
        config = {"algorithm": algorithm, "enableParallelism": False}

        def predict(model: Any) -> list[Any]:
            return [Chefboost.predict(model, x) for x in instances]

        return Job(
            fit=lambda: silent(Chefboost.fit, train.copy(), config=config, silent=True),
            predict=lambda model: silent(predict, model), labels=lambda found: np.array(
                [-1 if p is None else int(str(p)[1:]) for p in found]))

    return prepare


for algorithm in ("RIPPER", "IREP"):
    peer("rules", f"wittgenstein {algorithm}", wittgenstein(algorithm),
         needs=("wittgenstein",))
peer("tree-num tree-cat", "chefboost C4.5", chefboost("C4.5"), needs=("chefboost",),
     only="cancer|vote|tree_cat_5k|creditg")
peer("tree-cat", "chefboost CART", chefboost("CART"), needs=("chefboost",),
     only="vote|creditg")
