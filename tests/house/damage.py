"""Stored models, damaged in one place each: what `test_damaged_models` reads and asks.

    python -m tests.house.damage KNNClassifier

damages the model of one learner everywhere, in a process with a limit on its memory."""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from supervised.basics.classifiers import from_json, to_json
from tests.house.test_estimators import estimators

N = 30  # rows that a model learns from
SMALL = {"n_estimators": 3, "n_init": 2, "random_state": 0, "n_clusters": 3}
NOT_STORED = {"RuleRecommender"}  # holds sets of items, and has never been stored

# --------------------------------------------------------------------- models and questions


def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Names and numbers, three classes."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({
        "color": pd.Categorical(rng.choice(["red", "green", "blue"], N)),
        "size": rng.integers(0, 9, N).astype(float), "weight": rng.normal(size=N)})
    late = X["size"].to_numpy() > 4
    y = np.where(late ^ (X["color"] == "red").to_numpy(), "yes", "no").astype(object)
    y[X["weight"].to_numpy() > 1.0] = "maybe"
    return X, y.astype(str)


def questions() -> dict[str, Any]:
    """Tables that models are fitted to, the first that they take, and asked about."""
    X, _ = table()
    rng = np.random.default_rng(1)
    return {"mixed": X, "numbers": X[["size", "weight"]],
            "names": X[["color"]].assign(kind=rng.choice(["a", "b"], N)),
            "counts": rng.integers(0, 4, (N, 3)),
            "trees": (["a(b c)", "a(b)", "c(d)", "c(d a)"] * 8)[:N]}


@cache
def learners() -> dict[str, Any]:
    """Every learner that can be stored, by name."""
    return {type(e).__name__: e for e in estimators() if type(e).__name__ not in NOT_STORED}


@cache
def fitted(name: str) -> tuple[Any, str]:
    """A model of the first table that a learner takes, and which table it was."""
    learner, (_, y) = learners()[name], table()
    small = {k: v for k, v in SMALL.items() if k in learner.get_params()}
    if name == "ThresholdClassifier":  # it is for two classes
        y = np.where(y == "maybe", "no", y)
    if name == "NeuralNetworkClassifier":
        small |= {"hidden_layer_sizes": (3,), "max_iter": 5}
    if name == "GradientBoostingClassifier":
        small |= {"min_samples_leaf": 2}
    for kind, X in questions().items():
        if (name == "XRulesClassifier") == (kind == "trees"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    return clone(learner).set_params(**small).fit(X, y), kind
                except (TypeError, ValueError):
                    pass  # not from this table
    raise AssertionError(f"{name} learns from none of the tables")


# ------------------------------------------------------------------------------- the damage


def places(document: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path to each value of a document."""
    if path:
        yield path
    inner = (document.items() if isinstance(document, dict)
             else enumerate(document) if isinstance(document, list) else ())
    for key, value in inner:
        yield from places(value, (*path, key))


class Raw(str):
    """Text that goes into the file as it stands."""


def damages(value: Any) -> list[Any]:
    """What a value is replaced by."""
    found: list[Any] = [None, -1, 10**6, 10**9, Raw("NaN"), Raw("Infinity"), 1e308, True,
                        "text", [], {}, Raw("[" * 100_000 + "]" * 100_000)]
    if isinstance(value, list):
        found += [value[:-1], value + value, value[1:] + value[:1]]
    if isinstance(value, dict) and len(value) > 1:
        names, values = list(value), list(value.values())
        found += [dict(zip(names, values[1:] + values[:1], strict=True)),
                  dict(zip(names, [*values[1::-1], *values[2:]], strict=True)),
                  Raw("{" + ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in
                                      [*value.items(), (names[0], values[0])]) + "}"),
                  {k: v for k, v in value.items() if k != names[-1]}]
    if isinstance(value, bool):
        found.append(not value)
    elif isinstance(value, (int, float)):
        found += [value + 1, 0, -value, Raw("1e999"), 10**30, 1e-308]
    return [f for f in found if f != value or type(f) is not type(value)]


def written(document: Any, path: tuple, damage: Any) -> str:
    """The document as text, with one value replaced."""
    mark = "\x00damaged\x00"
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = mark
    new = str(damage) if isinstance(damage, Raw) else json.dumps(damage)
    return json.dumps(copy).replace(json.dumps(mark), new, 1)


# -------------------------------------------------------------------------------- the judge


def judged(text: str, X: Any) -> str:
    """"" if a text is refused by a ValueError, or is a model that can be used; else what
    went wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return asked(from_json(text), X)
    except ValueError:
        return ""
    except Exception as error:  # what must not happen
        return f"{type(error).__name__}: {str(error)[:200]}"


def asked(model: Any, X: Any) -> str:
    """"" if the answers of a model to some rows are finite."""
    with np.errstate(all="ignore"):
        if hasattr(model, "predict_proba"):
            p = np.asarray(model.predict_proba(X[:5]))
            if not np.isfinite(p).all():
                return f"probabilities {p.tolist()}"
        if hasattr(model, "predict"):
            model.predict(X[:5])
        elif hasattr(model, "transform"):
            model.transform(X[:5])
    return ""


def cases(name: str, n: int | None = None, seed: int = 0) -> list[tuple[tuple, Any]]:
    """Places of a learner's model and what is put there: all, or a sample of n."""
    document = json.loads(to_json(fitted(name)[0]))
    found = [(path, damage) for path in places(document)
             for damage in damages(at(document, path))]
    return found if n is None else random.Random(f"{seed} {name}").sample(
        found, min(n, len(found)))


def at(document: Any, path: tuple) -> Any:
    """The value at the end of a path."""
    for key in path:
        document = document[key]
    return document


def complaints(name: str, n: int | None = None, seed: int = 0) -> Iterator[str]:
    """What goes wrong with damaged models of one learner."""
    model, kind = fitted(name)
    text, X = to_json(model), questions()[kind]
    assert not judged(text, X), f"{name} as it is: {judged(text, X)}"
    document = json.loads(text)
    for path, damage in cases(name, n, seed):
        started = time.perf_counter()
        wrong = judged(written(document, path, damage), X)
        if time.perf_counter() - started > 120:  # it has hung
            wrong = wrong or f"took {time.perf_counter() - started:.0f} s"
        if wrong:
            yield f"{name} {'.'.join(map(str, path))} = {json.dumps(damage)[:40]}: {wrong}"


def main() -> int:
    """Damage the model of one learner everywhere, or in so many places; 1 if anything went
    wrong."""
    import resource  # not on every system

    judged(to_json(fitted(sys.argv[1])[0]), questions()[fitted(sys.argv[1])[1]])
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**29, used + 2**29))
    n = int(sys.argv[2]) if len(sys.argv) > 2 else None
    found = list(complaints(sys.argv[1], n, 1))
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
