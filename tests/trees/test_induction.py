"""The plain programs of "Growing a decision tree": on random tables they agree with the
package and with each other."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from supervised.trees import ID3Classifier
from tests import examples
from tests.pages import plain_versions

page = SimpleNamespace(**plain_versions("trees/induction"))
quick = examples(40)


@st.composite
def tables(draw, numbers=True):
    """A small table with ties and contradictions, and its classes."""
    n, rng = (draw(st.integers(2, 24)),
              np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
    X = pd.DataFrame({"flag": rng.choice(["n", "y"], n),
                      "letter": rng.choice(list("abc"), n)}).astype(str)
    if numbers:
        X["number"] = rng.integers(0, 6, n)
    return X, pd.Series(rng.choice(["no", "perhaps", "yes"][: draw(st.integers(1, 3))],
                                   n)).astype(str)


def mistakes(answers, y):
    return sum(a != b for a, b in zip(answers, y, strict=True))


def unavoidable(X, y):
    """Rows that differ in class from most rows with the same values."""
    return sum(len(group) - group.value_counts().max()
               for _, group in y.groupby([X[a] for a in X]))


@quick
@given(tables())
def test_the_package_grows_the_tree_of_the_handout(problem):
    X, y = problem
    domains = {"flag": ["n", "y"], "letter": ["a", "b", "c"]}
    plain = page.ghost_tree(X, y, domains)
    model = ID3Classifier().fit(
        X.astype({a: pd.CategoricalDtype(v) for a, v in domains.items()}), y)
    anything = pd.DataFrame([(f, v, k) for f in "ny" for v in "abc"
                             for k in np.arange(-1, 7, 0.5)], columns=list(X))
    assert model.n_leaves_ == page.n_leaves(plain)
    assert ([page.classify(plain, row) for row in anything.to_dict("records")]
            == model.predict(anything).tolist())


@quick
@given(tables(numbers=False))
def test_recursion_list_and_dictionaries_grow_one_tree(problem):
    X, y = problem
    tree = page.decision_tree(X, y)
    assert page.tree_from_list(X, y) == tree
    assert mistakes([page.classify(tree, row) for row in X.to_dict("records")],
                    y) == unavoidable(X, y)
    assert page.fewest_leaves(X, y) <= page.n_leaves(tree)


@quick
@given(tables(numbers=False))
def test_a_tree_from_a_file_makes_no_mistake_that_can_be_avoided(tmp_path_factory, problem):
    X, y = problem
    file = tmp_path_factory.mktemp("disk") / "table.csv"
    X.assign(fate=y).to_csv(file, index=False)
    asked, answers = page.tree_from_file(file, "fate")
    found = [answers[page.end_of_path(row, asked)] for row in X.to_dict("records")]
    assert mistakes(found, y) == unavoidable(X, y)


@quick
@given(tables())
def test_a_gain_is_a_mutual_information(problem):
    X, y = problem
    for a in X:
        assert page.gain(X[a], y) == pytest.approx(mutual_info_score(X[a], y) / np.log(2),
                                                   abs=1e-8)
