"""Missing values, from table to answer: by definition,
by hand, by the page's plain versions; odd tables."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import Attribute, learn_table, load_loan, load_weather
from supervised.basics.datasets import load_heart_disease, load_soybean, load_votes
from supervised.basics.tables import apply_attributes, table_of
from supervised.features.engine.impurity import _ERROR, GINI
from supervised.trees.classifiers import C45Classifier
from supervised.trees.engine.builder import Settings, grow_tree
from supervised.trees.engine.splitter import MERGED, ONE_VALUE, SUBSETS
from supervised.trees.engine.tree import _branch_shares, apply, class_shares, row_parts
from tests import examples
from tests.pages import plain_versions
from tests.trees import grown

quick = examples(30)
C45 = Settings(by_ratio=True, mdl_correction=True, large_sides=True, min_samples_leaf=2.0)


# ------------------------------------------------------------------ random tables


@st.composite
def tables(draw, least=2, most=12, holes=True):
    """A small table, its labels and class names."""
    n, columns = draw(st.integers(least, most)), []
    for a in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            k = draw(st.integers(1, 4))
            attribute = Attribute(f"n{a}", "nominal", tuple(range(k)),
                                  ordered=draw(st.booleans()))
            value = st.integers(-1 if holes else 0, k - 1)
        else:
            attribute, value = Attribute(f"x{a}"), st.sampled_from(
                [*[np.nan] * holes, 0.0, 0.5, 1.0, 2.0, 7.0])
        columns.append((attribute, np.array(draw(st.lists(value, min_size=n, max_size=n)))))
    labels = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    return table_of(columns, n), labels, np.array(["a", "b", "c"])


def weights_of(draw_from, n):
    return st.lists(st.sampled_from(draw_from), min_size=n,
                    max_size=n).map(lambda w: np.array(w, dtype=float))


growth = [Settings(), Settings(kind=GINI), Settings(kind=_ERROR),
          Settings(min_samples_leaf=2.0)]
ways = [*growth, C45, Settings(kind=GINI, grouping=SUBSETS), Settings(grouping=ONE_VALUE),
        Settings(grouping=MERGED, by_p_value=True, log_alpha=-0.1)]


@pytest.mark.parametrize("how", ways)
@quick
@given(st.data())
def test_parts_add_up(how, data):
    table, labels, classes = data.draw(tables())
    weights = data.draw(weights_of([1, 3, 0.5], len(table)))
    tree = grow_tree(table, labels, weights, classes, how)
    leaves, parts = tree.is_leaf, row_parts(tree, table)
    assert parts.min() >= 0 and (parts[:, 0] == 1).all()
    assert np.allclose(parts[:, leaves].sum(axis=1), 1, atol=1e-9)
    assert np.allclose((parts.T * weights) @ np.eye(3)[labels], tree.counts, atol=1e-9)
    votes = class_shares(tree, table)
    assert np.allclose(parts[:, leaves] @ tree.distributions[leaves], votes, atol=1e-9)
    assert np.allclose(votes.sum(axis=1), 1, atol=1e-9)
    for node in np.flatnonzero(~leaves):
        children = slice(tree.first[node], tree.first[node] + tree.n_branches[node])
        assert _branch_shares(tree)[children].sum() == pytest.approx(1)
        assert (tree.counts[children]
                .sum(axis=0) == pytest.approx(tree.counts[node], abs=1e-9))


@quick
@given(tables(holes=False), st.sampled_from(ways))
def test_without_missing_values_a_row_follows_one_path(made, how):
    table, labels, classes = made
    tree = grow_tree(table, labels, np.ones(len(table)), classes, how)
    known = tree.is_leaf[apply(tree, table)]
    assert known.all()
    assert (class_shares(tree, table) == tree.distributions[apply(tree, table)]).all()
    assert set(np.unique(row_parts(tree, table))) <= {0.0, 1.0}


def nothing_known(table, n=1):
    columns = [(a, np.full(n, -1 if a.is_nominal else np.nan)) for a in table.attributes]
    return table_of(columns, n)


@quick
@given(tables(), st.sampled_from(ways), st.data())
def test_a_row_of_which_nothing_is_known_gets_the_class_shares_of_the_training_set(
    made, how, data):
    table, labels, classes = made
    weights = data.draw(weights_of([1, 2, 0.25], len(table)))
    tree = grow_tree(table, labels, weights, classes, how)
    wanted = np.bincount(labels, weights, 3) / weights.sum()
    assert class_shares(tree, nothing_known(table))[0] == pytest.approx(wanted, abs=1e-9)


# ------------------------------------------------------------------ by hand


@pytest.fixture(scope="module")
def quinlan():
    weather, play = load_weather(numeric=True)
    weather.loc[11, "outlook"] = None
    return grown(weather, play, how=Settings(min_samples_leaf=2))


def asked(tree, **values):
    frame = pd.DataFrame({a.name: pd.Series([values.get(a.name)], dtype=object)
                          for a in tree.attributes})
    return apply_attributes(frame, tree.attributes)


def test_quinlans_example(quinlan):
    counts = {tuple(c) for c in (13 * quinlan.counts).round(6).tolist()}
    assert counts == {(65, 117), (39, 31), (0, 42), (26, 44), (0, 39), (26, 5),
                      (0, 26), (39, 5)}
    no, yes = class_shares(quinlan,
                           asked(quinlan, outlook="sunny", temperature=70, windy=False))[0]
    assert (round(no, 2), round(yes, 2)) == (0.56, 0.44)
    assert yes == pytest.approx(31 / 70)


@pytest.mark.parametrize("settings_", [Settings(min_samples_leaf=2), C45])
def test_quinlans_tree_by_gain_and_by_ratio(quinlan, settings_):
    weather, play = load_weather(numeric=True)
    weather.loc[11, "outlook"] = None
    assert np.allclose(grown(weather, play, how=settings_).counts, quinlan.counts)


@pytest.mark.parametrize(
    "values, no",
    [
        ({"outlook": "sunny", "humidity": 90}, 39 / 44),
        ({"humidity": 90, "windy": True}, 5 / 13 * 39 / 44 + 5 / 13 * 26 / 31),
        ({"windy": True}, 5 / 13 * 39 / 70 + 5 / 13 * 26 / 31),
        ({"humidity": 70, "windy": False}, 0), ({}, 5 / 14)],
)
def test_an_afternoon_loses_its_values(quinlan, values, no):
    assert class_shares(quinlan, asked(quinlan, **values))[0, 0] == pytest.approx(no)


def test_shares_are_those_of_the_node_not_of_the_table_or_the_class():
    weather, play = load_weather(numeric=True)
    weather = weather.astype({"windy": object})
    weather.loc[11, ["outlook", "windy"]] = None  # they played
    tree = grown(weather, play, how=Settings(min_samples_leaf=2))
    rainy = tree.first[0] + 2
    assert tree.attributes[tree.attribute[rainy]].name == "windy"
    calm, wind = tree.first[rainy], tree.first[rainy] + 1
    assert np.allclose(tree.counts[[calm, wind]], [[0, 3 + 3 / 13], [2, 2 / 13]])
    assert np.allclose(_branch_shares(tree)[[calm, wind]], [3 / 5, 2 / 5])


# ------------------------------------------------------------------ unusual tables


def test_an_attribute_without_any_value_is_never_tested():
    X, y = load_heart_disease()
    with_empty = X.assign(nothing=np.nan,
                          nobody=pd.Series(pd.Categorical([None] * len(X), ["a", "b"])))
    for how in ways:
        one, two = grown(X, y, how=how), grown(with_empty, y, how=how)
        assert two.attribute.max() < X.shape[1]
        if not how.by_ratio:  # the average gain counts them
            assert (np.array_equal(one.attribute, two.attribute)
                    and np.allclose(one.counts, two.counts))


def test_unseen_values_are_lost_ones():
    X, y = load_soybean()
    tree = grown(X, y, C45)
    strange = X.astype(object).mask(np.random.default_rng(0).random(X.shape) < 0.3,
                                    "never seen")
    lost = strange.mask(strange == "never seen")
    a, b = (class_shares(tree, apply_attributes(rows, tree.attributes))
            for rows in (strange, lost))
    assert (a == b).all() and not np.allclose(a, class_shares(tree, learn_table(X)))


def test_a_ghost_leaf_answers_like_its_parent_and_gets_no_part():
    X, y = load_loan()
    X = X.astype(object)
    X["Credit_rating"] = pd.Categorical(X["Credit_rating"],
                                        ["none", *sorted(X["Credit_rating"].unique())])
    tree = grown(X[["Credit_rating"]], y, how=Settings())
    ghost = tree.first[0] + tree.routes[tree.route[0]]
    assert tree.counts[ghost].sum() == 0 and _branch_shares(tree)[ghost] == 0
    none = apply_attributes(pd.DataFrame({"Credit_rating": ["none", None]}),
                            tree.attributes)
    parts = row_parts(tree, none)
    assert parts[0, ghost] == 1 and parts[1, ghost] == 0
    assert np.allclose(class_shares(tree, none), [[6 / 15, 9 / 15]] * 2)


def test_a_deep_tree_and_a_lost_row():
    x = np.arange(400.0)
    tree = grown(pd.DataFrame({"x": x, "z": x[::-1]}), np.arange(400) % 2, how=Settings())
    assert np.allclose(
        class_shares(tree, nothing_known(learn_table(np.column_stack([x, x])))), [0.5, 0.5])


# ---------------------------------------------------------------- the page's plain versions


@pytest.fixture(scope="module")
def page():
    return plain_versions("trees/missing")


@examples(40)
@given(st.data())
def test_the_plain_tree_of_the_page_is_the_packaged_one(page, data):
    n, k = data.draw(st.integers(6, 16)), data.draw(st.integers(1, 3))
    values = st.lists(st.sampled_from(["p", "q", "r", None]), min_size=n, max_size=n)
    X = pd.DataFrame({f"a{j}": pd.Categorical(data.draw(values), list("pqr"))
                      for j in range(k)})
    y = pd.Series(pd.Categorical(
        data.draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n)), list("ab")))
    rows = pd.DataFrame({a: pd.Categorical(data.draw(values), list("pqr")) for a in X})
    model = C45Classifier(criterion="gain", pruning=None, collapse=False).fit(X, y)
    plain = page["divided_tree"](X.astype(object), y, pd.Series(1.0, index=X.index))
    for i, row in rows.astype(object).iterrows():
        shares = (page["answer"](plain, row) if isinstance(plain, dict)
                  else plain / plain.sum())
        expected = shares[list(model.classes_)].to_numpy()
        assert model.predict_proba(rows[i : i + 1])[0] == pytest.approx(expected, abs=1e-7)


def test_the_numbers_of_the_page_by_hand(page):
    weather, play = load_weather()
    days, one = weather.astype(object), pd.Series(1.0, index=weather.index)
    days.loc[11, "outlook"] = None
    before, after = (log2(13) - (5 * log2(5) + 8 * 3) / 13,
                     10 / 13 * (log2(5) - (2 + 3 * log2(3)) / 5))
    assert (page["gain"](days["outlook"], play, one)
            == pytest.approx(13 / 14 * (before - after)))
    tree = page["divided_tree"](days, play, one)
    weights = {key: leaf.to_dict()
               for sky, below in tree["outlook"].items() if isinstance(below, dict)
               for key, leaf in (((sky, v), leaf)
                                 for v, leaf in next(iter(below.values())).items())}
    assert (tree["outlook"]["overcast"]
            .to_dict() == pytest.approx({"yes": 3 + 3 / 13, "no": 0}))
    assert weights["sunny", "high"] == pytest.approx({"yes": 5 / 13, "no": 3})
    assert weights["rainy", True] == pytest.approx({"yes": 5 / 13, "no": 2})
    assert page["class_weights"](tree).to_dict() == pytest.approx({"yes": 9, "no": 5})
    nothing = dict.fromkeys(days)
    assert (page["answer"](tree, nothing)
            .to_dict() == pytest.approx({"yes": 9 / 14, "no": 5 / 14}))
    # known, and no branch
    assert (page["answer"](tree, nothing | {"outlook": "fog"})["yes"]
            == pytest.approx(9 / 14))
    assert load_votes()[0].isna().sum().sum() == 392
