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
from sklearn.metrics import mutual_info_score
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


@pytest.mark.parametrize("k", [1, 2, 3, 10, 64])
def test_bounds(k):
    even, pure = np.full(k, 7.5), np.eye(k)[0] * 3
    assert entropy(even) == pytest.approx(log2(k), abs=1e-14)
    assert gini(even) == pytest.approx(1 - 1 / k) == error_impurity(even)
    for function in IMPURITIES.values():
        assert function(pure) == 0 and not np.signbit(function(pure))
        assert function(np.zeros(k)) == 0  # a set of nothing is pure


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


@pytest.mark.parametrize("n_values, n_classes", [(2, 2), (3, 10), (50, 3), (1, 4), (4, 1)])
def test_gain_is_mutual_information(n_values, n_classes):
    rng = np.random.default_rng(1)
    values, labels = rng.integers(0, n_values, 500), rng.integers(0, n_classes, 500)
    table = pd.crosstab(values, labels)
    assert gain(table) == pytest.approx(mutual_info_score(values, labels) / np.log(2),
                                        abs=1e-12)
    assert gain(table) == pytest.approx(gain(table.T), abs=1e-12)


def test_stacks_of_tables():
    stack = np.random.default_rng(2).random((3, 4, 5, 2))
    unknown = np.random.default_rng(3).random((3, 4))
    for function in (split_impurity, gain, split_info, gain_ratio):
        assert (function(stack).shape == (3, 4)
                and function(stack)[1, 2] == pytest.approx(function(stack[1, 2])))
    assert gain(stack, unknown=unknown)[2, 0] == pytest.approx(
        gain(stack[2, 0], unknown=unknown[2, 0]))
    assert gain_ratio(stack, unknown)[2, 0] == pytest.approx(
        gain_ratio(stack[2, 0], unknown[2, 0]))


def test_no_gain_ratio_without_split_info():
    assert gain_ratio([[5, 5], [0, 0]]) == 0 and split_info([[5, 5], [0, 0]]) == 0
    assert gain_ratio(np.zeros((2, 2))) == 0 and gain(np.zeros((2, 2)), unknown=3) == 0


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


# --------------------------------------------------------------- hostile users


@pytest.mark.parametrize("function", [entropy, gini, error_impurity, split_impurity, gain,
                                      split_info, gain_ratio])
@pytest.mark.parametrize("bad, match", [
    ([], "counts must be"), (3, "counts must be"), (np.empty((0, 2)), "counts must be"),
    ([[1, 2], [3, -1]], r"counts has -1\.0 at \(1, 1\)"),
    ([[1, np.nan]], r"counts has nan at \(0, 1\)"),
    ([[np.inf, 1]], r"counts has inf at \(0, 0\)"), ([["a", "b"]], "could not convert"),
])
def test_bad_counts(function, bad, match):
    with pytest.raises(ValueError, match=match):
        function(bad)


@pytest.mark.parametrize("function", [split_impurity, gain, split_info, gain_ratio])
def test_counts_of_one_set_are_no_split(function):
    with pytest.raises(ValueError, match="a row per value and a column per class"):
        function([1, 2])


@pytest.mark.parametrize("function", [gain, split_info, gain_ratio])
@pytest.mark.parametrize("unknown, match", [(-1, "negative"), (np.nan, "missing"),
                                            (np.inf, "infinite"), ([1, 2], "shape")])
def test_bad_unknown(function, unknown, match):
    with pytest.raises(ValueError, match=f"unknown.*{match}"):
        function([[1, 2], [3, 4]], unknown=unknown)


X3 = pd.DataFrame({"a": [1.0, 2, 3], "b": list("xyx")})


@pytest.mark.parametrize("X, y, options, match", [
    (X3, [0, 1, 0], {"criterion": "Gini"}, "criterion is 'Gini', not one of 'gain'"),
    (X3, [0, 1, 0], {"criterion": None}, "criterion is None"),
    (X3, [0, 1], {}, "3 rows and y 2"), (X3, [0, None, 1], {}, "row 1"),
    (X3, None, {}, "y"), (X3, [0, 1, 0], {"sample_weight": [1, 1]}, "sample_weight"),
    (X3, [0, 1, 0], {"sample_weight": [1, -1, 1]}, "sample_weight has -1.0 in row 1"),
    (X3, [0, 1, 0], {"sample_weight": [0, 0, 0]}, "all sample weights are zero"),
    (X3.assign(a=[1, np.inf, 2]), [0, 1, 0], {}, "column 'a'"),
    (X3[[]], [0, 1, 0], {}, "minimum of 1"),
    (X3[:0], [], {}, "minimum of 1"), (np.ones(3), [0, 1, 0], {}, "2D"),
])
def test_bad_tables(X, y, options, match):
    with pytest.raises(ValueError, match=match):
        attribute_scores(X, y, **options)


def test_bad_criterion_of_a_split():
    for function in (gain, split_impurity):
        with pytest.raises(ValueError, match="criterion is 'gain', not one of 'entropy', "
                           "'gini', 'error'"):
            function([[1, 2], [3, 4]], "gain")


def test_nothing_that_is_given_is_changed():
    X, y, w = mixed_table(9)
    before = X.copy(), y.copy(), w.copy()
    attribute_scores(X, y, "gain_ratio", w)
    pd.testing.assert_frame_equal(X, before[0])
    assert (y == before[1]).all() and (w == before[2]).all()
