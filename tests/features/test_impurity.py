"""Impurity: plain definitions, SciPy and scikit-learn,
C4.5's rules, and what hostile users pass."""

from fractions import Fraction
from math import fsum, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table, load_loan, load_weather
from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.features.impurity import (
    IMPURITIES,
    attribute_scores,
    entropy,
    error_impurity,
    gain,
    gain_ratio,
    gini,
    split_impurity,
    split_info,
)
from tests import examples

quick = examples(60)
weight = st.one_of(st.integers(0, 60), st.floats(0, 50))
counts_of = st.lists(weight, min_size=1, max_size=10)


def plain(counts, criterion):
    """The definitions, with exact fractions where that is possible."""
    exact = [Fraction(float(c)) for c in counts]
    total = sum(exact)
    if not total:
        return 0.0
    shares = [c / total for c in exact]
    if criterion == "entropy":
        return fsum(-float(p) * log2(p) for p in shares if float(p) > 0)
    return (float(1 - sum(p * p for p in shares)) if criterion == "gini"
            else float(1 - max(shares)))


def plain_split(table, criterion):
    total = float(np.sum(table))
    return (fsum(float(np.sum(row)) / total * plain(row, criterion) for row in table)
            if total else 0.0)


# ------------------------------------------------------------------ on counts


@quick
@given(counts_of)
def test_impurities_by_definition(counts):
    for function, name in ((entropy, "entropy"), (gini, "gini"), (error_impurity, "error")):
        assert function(counts) == pytest.approx(plain(counts, name),
                                                 abs=2e-15 * len(counts))


def test_agreement_with_scipy_on_stacks():
    counts = np.random.default_rng(0).random((7, 4, 10))
    for axis in (0, 1, 2, -1):
        assert np.allclose(entropy(counts, axis), stats.entropy(counts, axis=axis, base=2),
                           rtol=1e-13)
        assert (gini(counts, axis).shape == error_impurity(counts, axis).shape
                == entropy(counts, axis).shape)
    assert entropy(counts)[3, 2] == entropy(counts[3, 2])


tables = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(weight, min_size=k, max_size=k), min_size=1, max_size=6))


@quick
@given(tables, weight)
def test_splits_by_definition(table, unknown):
    known = float(np.sum(table))
    share = known / (known + unknown) if known else 0.0
    sizes = [*np.sum(table, axis=1), unknown]
    assert split_info(table, unknown) == pytest.approx(plain(sizes, "entropy"), abs=1e-13)
    for name in IMPURITIES:
        expected = share * (plain(np.sum(table, axis=0), name) - plain_split(table, name))
        got = gain(table, name, unknown)
        assert split_impurity(table, name) == pytest.approx(plain_split(table, name),
                                                            abs=1e-13)
        assert got >= 0 and got == pytest.approx(max(expected, 0), abs=1e-12)
    if split_info(table, unknown) > 1e-6:
        ratio = gain(table, unknown=unknown) / split_info(table, unknown)
        assert gain_ratio(table, unknown) == pytest.approx(ratio)


def test_numbers_of_the_texts():
    loan, approved = load_loan()
    found = {name: pd.crosstab(loan[name], approved) for name in loan}
    assert {n: round(float(gain(t)), 3) for n, t in found.items()} == {
        "Age": 0.083, "Has_job": 0.324, "Own_house": 0.420, "Credit_rating": 0.363}
    assert {n: round(float(split_impurity(t)), 3) for n, t in found.items()} == {
        "Age": 0.888, "Has_job": 0.647, "Own_house": 0.551, "Credit_rating": 0.608}
    identity = pd.crosstab(loan.index, approved)
    assert (gain(identity) == pytest.approx(entropy([6, 9]))
            and split_info(identity) == pytest.approx(log2(15)))
    assert gini([6, 5]) == pytest.approx(60 / 121) and gini([5, 1]) == pytest.approx(5 / 18)
    assert entropy([6, 5]) == pytest.approx(0.994030, abs=1e-6)
    assert entropy([5, 1]) == pytest.approx(0.650022, abs=1e-6)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("n_classes", [2, 10])
@pytest.mark.parametrize("levels", [4, 10**6])
def test_agreement_with_scikit_learn(criterion, n_classes, levels):
    rng = np.random.default_rng(levels)
    X = rng.integers(0, levels, (400, 5)).astype(np.float32).astype(float)
    y = (X[:, 0] * n_classes // levels + rng.integers(0, 2, 400)) % n_classes
    for weights in (None, rng.random(400)):
        ours = attribute_scores(X, y, criterion, weights)
        for j in range(5):
            tree = DecisionTreeClassifier(max_depth=1, criterion=criterion)
            tree = tree.fit(X[:, [j]], y, sample_weight=weights).tree_
            left = tree.weighted_n_node_samples[1:] / tree.weighted_n_node_samples[0]
            assert ours.loc[f"x{j}", criterion] == pytest.approx(left @ tree.impurity[1:],
                                                                 abs=1e-12)
            assert ours.loc[f"x{j}", "cut"] == pytest.approx(tree.threshold[0], rel=1e-6)


def test_values_that_differ_in_the_last_bit():
    low = 1.0
    high = np.nextafter(low, 2)
    found = attribute_scores([[low], [low], [high], [high]], list("aabb"))
    assert found["gain"].item() == 1 and low <= found["cut"].item() < high


# ------------------------------------------------------------------- on tables


def mixed_table(seed, n=80):
    """Two nominal and two numeric attributes with holes, three classes, weights."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"color": rng.choice(["red", "green", "blue", None], n),
                      "size": rng.integers(0, 6, n).astype(float),
                      "flag": rng.random(n) < 0.1, "height": rng.normal(size=n)})
    X.loc[rng.random(n) < 0.2, ["size"]] = np.nan
    return X, rng.integers(0, 3, n), rng.random(n) * (rng.random(n) > 0.1)


def plain_scores(X, y, w, name):
    """Gain of each attribute of a frame, from the definitions."""
    found = {}
    for column in X:
        missing = X[column].isna().to_numpy()
        values, labels, weights = X[column][~missing], y[~missing], w[~missing]
        whole = [weights[labels == c].sum() for c in range(3)]

        def after(groups, labels=labels, weights=weights):
            return plain_split([[weights[g & (labels == c)].sum() for c in range(3)]
                                for g in groups], name)

        if X[column].dtype == float:
            splits = [[values <= v, values > v] for v in np.unique(values)]
        else:
            splits = [[values == v for v in values.unique()]]
        best = min(after([np.asarray(g) for g in groups]) for groups in splits)
        found[column] = weights.sum() / w.sum() * (plain(whole, name) - best)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_attribute_scores_by_definition(seed):
    X, y, w = mixed_table(seed)
    for weights in (np.ones(len(X)), w):
        kept = weights > 0
        whole = [weights[y == c].sum() for c in range(3)]
        for name in IMPURITIES:
            expected = plain_scores(X[kept], y[kept], weights[kept], name)
            got = attribute_scores(X, y, name, weights)
            assert (got[name].is_monotonic_increasing
                    and list(got.columns) == ["kind", "cut", name])
            for column, value in expected.items():
                assert got.loc[column, name] == pytest.approx(plain(whole, name) - value,
                                                              abs=1e-12)
            if name == "entropy":
                gains = attribute_scores(X, y, "gain", weights)
                assert (gains["gain"].is_monotonic_decreasing
                        and list(gains.index) == list(got.index))
                assert gains["gain"].to_dict() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", *IMPURITIES])
def test_weights_and_order_of_rows(criterion):
    X, y, _ = mixed_table(5)
    w = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = attribute_scores(X, y, criterion, w)
    again = np.repeat(np.arange(len(X)), w)
    pd.testing.assert_frame_equal(weighted,
                                  attribute_scores(X.iloc[again], y[again], criterion))
    shuffled = np.random.default_rng(1).permutation(len(X))
    moved = attribute_scores(X.iloc[shuffled], y[shuffled], criterion, w[shuffled])
    pd.testing.assert_frame_equal(weighted, moved)
    pd.testing.assert_frame_equal(weighted,
                                  attribute_scores(learn_table(X), y, criterion, w))
    spoiled = X.copy()
    spoiled.loc[w == 0, "height"] = 1e9  # rows of no weight leave no trace
    pd.testing.assert_frame_equal(weighted, attribute_scores(spoiled, y, criterion, w))


def test_columns_without_content():
    X = pd.DataFrame({"constant": 1.0, "one": "a", "empty": np.nan,
                      "nothing": pd.Series([None] * 4, dtype=object),
                      "good": [1, 2, 3, 4], 7: [0, 0, 1, 1]})
    for criterion in ("gain", "gain_ratio", *IMPURITIES):
        found = attribute_scores(X, list("aabb"), criterion)
        # one of three cuts is charged for
        best = [7, "good"] if criterion == "gain_ratio" else ["good", 7]
        # equals: as in X
        assert list(found.index) == [*best, "constant", "one", "empty", "nothing"]
        idle = found.iloc[2:]
        assert idle["cut"].isna().all() and np.isfinite(found[criterion]).all()
        assert (idle[criterion] == (0.5 if criterion in ("gini", "error")
                                    else float(criterion == "entropy"))).all()
    assert not attribute_scores(X, list("aabb"), "gain_ratio").iloc[2:]["eligible"].any()
    for criterion in ("gain", "gain_ratio", *IMPURITIES):
        assert (attribute_scores(X, list("aaaa"), criterion)[criterion] == 0).all()


def release_8(X, y):
    """Gain, split info and choice of C4.5 release 8,
    in the steps of its own listing; no missing class."""
    n, gains, infos, counted = len(X), {}, {}, []
    for column in X:
        missing = X[column].isna()
        values, labels = X[column][~missing], y[~missing]
        base, known = plain(labels.value_counts(), "entropy"), len(values)
        if values.dtype == float:
            sums = pd.crosstab(values, labels).cumsum()
            tried = {v: plain_split([sums.loc[v], sums.iloc[-1] - sums.loc[v]], "entropy")
                     for v in sums.index[:-1]}
            if not tried:
                continue
            cut = min(tried, key=tried.get)
            value = known / n * (base - tried[cut]) - log2(len(tried)) / n
            if value <= 0:
                continue
            branches = [(values <= cut).sum(), (values > cut).sum()]
        else:
            branches = values.value_counts()
            if (branches > 0).sum() < 2:
                continue
            value = known / n * (base - plain_split(pd.crosstab(values, labels).to_numpy(),
                                                    "entropy"))
        gains[column], infos[column] = value, plain([*branches, missing.sum()], "entropy")
        if values.dtype == float or values.nunique() < 0.3 * n:
            counted.append(value)
    average = np.mean(counted or list(gains.values()))
    return (gains, {c: g / infos[c] for c, g in gains.items()},
            {c for c, g in gains.items() if g >= average - 1e-3})


@pytest.mark.parametrize("load", [load_heart_disease, load_votes, load_weather, load_loan])
def test_gain_ratio_of_release_8(load):
    X, y = load()
    X = X.astype({c: float for c in X.select_dtypes("number")})
    found = attribute_scores(X, y, "gain_ratio")
    gains, ratios, eligible = release_8(X, y)
    for column in X:
        assert found.loc[column, "net_gain"] == pytest.approx(gains.get(column, 0),
                                                              abs=1e-12)
        assert found.loc[column, "gain_ratio"] == pytest.approx(ratios.get(column, 0),
                                                                abs=1e-12)
        assert found.loc[column, "eligible"] == (column in eligible)
    assert found.index[0] == max(eligible, key=ratios.get)
    assert found.loc[found["eligible"], "gain_ratio"].is_monotonic_decreasing
    assert found["eligible"].tolist() == sorted(found["eligible"], reverse=True)


def test_many_values_do_not_raise_the_average():
    loan, approved = load_loan()
    trap = loan.assign(file=loan.index.astype(str), flag=loan.index == 6)
    found = attribute_scores(trap, approved, "gain_ratio")
    assert found.query("eligible").index.tolist() == ["Own_house", "Has_job", "file",
                                                      "Credit_rating"]
    # all are of that kind
    assert attribute_scores(trap[["file"]], approved, "gain_ratio")["eligible"].all()


def test_quinlan_with_a_lost_outlook():
    weather, play = load_weather()
    weather.loc[weather.index[11], "outlook"] = None
    row = attribute_scores(weather, play, "gain_ratio").loc["outlook"]
    assert (row["net_gain"] == pytest.approx(0.199, abs=5e-4)
            and row["split_info"] == pytest.approx(1.809, abs=5e-4))
    assert row["gain_ratio"] == pytest.approx(0.110, abs=5e-4)
