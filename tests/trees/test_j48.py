"""C4.5 is J48: as many leaves and nodes, the same tests
and labels, the same training errors.

What WEKA found stands in benchmarks/j48.json; `python -m benchmarks.j48 record` writes it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest

from benchmarks import j48

try:
    from supervised.trees import C45Classifier
except ImportError:
    C45Classifier = None

RECORDED = j48.load()["samples"]


def case(name: str, *more: str):
    """A table under some setting: the real ones and those
    made by hand are always tried, the random ones are many."""
    marks = [pytest.mark.deep] if name.startswith("random") else []
    return pytest.param(name, *more, marks=marks,
                        id=": ".join([name, *(o or "default" for o in more)]))


TABLES = [case(name) for name in RECORDED]
CASES = [case(name, options) for name in RECORDED for options in RECORDED[name]["results"]]
needs_classifier = pytest.mark.skipif(C45Classifier is None,
                                      reason="there is no C45Classifier yet")


@cache
def sample(name: str) -> j48.Sample:
    """A table, made once for all settings."""
    return j48.SAMPLES[name]()


@cache
def grown(name: str, options: str) -> j48.Grown:
    """The tree of C45Classifier."""
    return j48.grow_ours(sample(name), options)


# ------------------------------------------------------------------------------ the trees


@needs_classifier
@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_tree_is_that_of_j48(name, options):
    leaves, nodes, errors, shape = RECORDED[name]["results"][options]
    ours = grown(name, options)
    assert (ours.leaves, ours.nodes) == (leaves, nodes)
    # release 3.6 prints four decimals
    assert ours.errors == pytest.approx(errors, abs=1e-4)
    assert ours.shape == shape, "\n".join(ours.outline)


@needs_classifier
@pytest.mark.parametrize("name",
                         [case(name) for name in RECORDED if "tree" in RECORDED[name]])
def test_the_tree_reads_as_that_of_j48(name):
    ours, theirs = grown(name, "").outline, RECORDED[name]["tree"].splitlines()
    assert [numbers(line)[0] for line in ours] == [numbers(line)[0] for line in theirs]
    for mine, its in zip(ours, theirs, strict=True):
        # printed with two decimals
        assert numbers(mine)[1] == pytest.approx(numbers(its)[1], abs=0.011), (mine, its)


def numbers(line: str) -> tuple[str, list[float]]:
    """A line without the counts of its leaf, and these: the weight and the errors."""
    bare = j48.Grown(0, 0, 0.0, (line,)).bare[0]
    counts = [float(c) for c in line.removeprefix(bare).strip(" ()").split("/") if c]
    return bare, counts + [0.0] * (2 - len(counts))


# ---------------------------------------------------------------------------- the reference


def test_every_sample_is_recorded_under_every_setting():
    assert list(RECORDED) == list(j48.SAMPLES)
    refused = {(name, o) for name in RECORDED for o in j48.settings_for(name)
               if o not in RECORDED[name]["results"]}
    # fewer rows than folds
    assert all(j48.needs_jar(o) and RECORDED[name]["rows"] < 5 for name, o in refused)
    assert all(set(RECORDED[name]["results"]) <= set(j48.settings_for(name))
               for name in RECORDED)


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_recorded_one(name):
    found = sample(name)
    assert len(found.y) == RECORDED[name]["rows"]
    assert j48.fingerprint(found) == RECORDED[name]["data"], (
        "run `python -m benchmarks.j48 record`")


@pytest.mark.parametrize("name", TABLES)
def test_what_is_recorded_hangs_together(name):
    results, n = RECORDED[name]["results"], RECORDED[name]["rows"]
    for leaves, nodes, errors, _ in results.values():
        assert 1 <= leaves <= nodes and (nodes == 1) == (leaves == 1)
        assert 0 <= errors <= (n if sample(name).weights is None
                               else sample(name).weights.sum())
    assert results["-U"][1] <= results["-U -O"][1]  # collapsing only removes
    # so does pruning
    assert results[""][1] <= results["-U"][1] and results["-O"][1] <= results["-U -O"][1]


# ------------------------------------------------------------------------------ ARFF


def test_names_are_quoted():
    assert j48.quoted("it's 50 % \"so\" \\") == r"'it\'s 50 \% \"so\" \\'"


def test_a_table_as_arff():
    X = pd.DataFrame({
        "a": pd.Categorical(["y", None, "x y"], categories=["y", "x y", "never"]),
        "n": [0.1, np.nan, -1e-7],
        "b": [True, False, True]})
    y = pd.Series([10, 9, 10])
    assert j48.to_arff(j48.Sample(X, y, np.array([1.0, 0.5, 2.0]))).splitlines() == [
        "@relation sample",
        "@attribute 'a' {'y','x y','never'}",
        "@attribute 'n' numeric",
        "@attribute 'b' {'False','True'}",
        "@attribute 'class of the row' {'9','10'}",
        "@data",
        "'y',0.1,'True','10',{1.0}",
        "?,?,'False','9',{0.5}",
        "'x y',-1e-07,'True','10',{2.0}"]


@pytest.mark.parametrize(("change", "same"), [
    (lambda X: X, True),
    (lambda X: X.assign(x=X["x"] + 1e-15), False),
    (lambda X: X.assign(a=X["a"].cat.add_categories("new")), False),
    (lambda X: X.assign(a=X["a"].where(X.index > 0)), False),
    (lambda X: X[["x", "a"]], False)])
def test_a_fingerprint_sees_every_change(change, same):
    found = j48.tiny(12)
    assert ((j48.fingerprint(found._replace(X=change(found.X))) == j48.fingerprint(found))
            == same)
    assert j48.fingerprint(j48.repeated(found)) != j48.fingerprint(found)


# -------------------------------------------------------------------------- what J48 prints

PRINTED = """
J48 pruned tree
------------------

x <= -0
|   a = (b): no (3.0/1.0)
|   a = c: (yes) (0.0)
x > -0: no (2.5)

Number of Leaves  : \t3

Size of the tree : \t5
"""


def test_a_printed_tree_is_read():
    outline = j48.outline_of(PRINTED)
    assert outline == ("x <= 0", "|   a = (b): no (3.0/1.0)", "|   a = c: (yes) (0.0)",
                       "x > 0: no (2.5)")
    assert j48.Grown(3, 5, 0.0, outline).bare == ["x <= 0", "|   a = (b): no",
                                                  "|   a = c: (yes)", "x > 0: no"]
    assert numbers(outline[1]) == ("|   a = (b): no", [3.0, 1.0])
    assert numbers(outline[2]) == ("|   a = c: (yes)", [0.0, 0.0])


def test_a_printed_leaf_is_read():
    text = (PRINTED[: PRINTED.index("x <=")]
            + ": yes (14.0/5.0)\n\nNumber of Leaves  : \t1\n")
    assert j48.outline_of(text) == ("yes (14.0/5.0)",)


@pytest.mark.parametrize(("value", "text"), [
    (1.0, "1"), (0.1234565, "0.123457"), (-2.5, "-2.5"), (-1e-9, "0"), (3e-6, "0.000003"),
    (1e12 + 0.5, "1000000000000.5")])
def test_numbers_are_printed_as_by_j48(value, text):
    assert j48.decimal(value, 6) == text


def test_differences_are_named():
    mine, its = (j48.Grown(2, 3, 1.0, ("x <= 1: a (2.0)",)),
                 j48.Grown(2, 3, 1.0, ("x <= 2: a (2.0)",)))
    assert j48.differences(mine, mine._replace(outline=("x <= 1: a (2.01)",))) == []
    assert j48.differences(mine, its) == ["the trees: 'x <= 1: a' and 'x <= 2: a'"]
    assert j48.differences(mine, its._replace(nodes=5)) == ["nodes 3 and 5"]
