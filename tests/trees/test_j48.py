"""C4.5 is J48: as many leaves and nodes, the same tests
and labels, the same training errors.

What WEKA found stands in tests/references/j48.json, which j48.py beside it writes.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.references import j48

RECORDED = j48.load()["samples"]


def case(name: str, *more: str):
    """A table under some setting: the real ones and those
    made by hand are always tried, the random ones are many."""
    marks = [pytest.mark.deep] if name.startswith("random") else []
    return pytest.param(name, *more, marks=marks,
                        id=": ".join([name, *(o or "default" for o in more)]))


TABLES = [case(name) for name in RECORDED]
CASES = [case(name, options) for name in RECORDED for options in RECORDED[name]["results"]]


@cache
def sample(name: str) -> j48.Sample:
    """A table, made once for all settings."""
    return j48.SAMPLES[name]()


@cache
def grown(name: str, options: str) -> j48.Grown:
    """The tree of C45Classifier."""
    return j48.grow_ours(sample(name), options)


# ------------------------------------------------------------------------------ the trees


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_tree_is_that_of_j48(name, options):
    leaves, nodes, errors, shape = RECORDED[name]["results"][options]
    ours = grown(name, options)
    assert (ours.leaves, ours.nodes) == (leaves, nodes)
    # release 3.6 prints four decimals
    assert ours.errors == pytest.approx(errors, abs=1e-4)
    assert ours.shape == shape, "\n".join(ours.outline)


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


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_recorded_one(name):
    found = sample(name)
    assert len(found.y) == RECORDED[name]["rows"]
    assert j48.fingerprint(found) == RECORDED[name]["data"], (
        "run `python -m tests.references.j48 record`")
