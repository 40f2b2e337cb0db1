"""Filters: plain definitions, SciPy and scikit-learn,
weights as copies, and what hostile users pass."""


import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.feature_selection import f_classif

from supervised.basics import (
    MissingValueImputer,
    learn_table,
    load_loan,
)
from supervised.basics.datasets import (
    load_credit,
    load_heart_disease,
    load_soybean,
    load_votes,
)
from supervised.features.filters import (
    SCORES,
    SelectBest,
    chi_square,
    chi_square_test,
    fisher_score,
    gain_ratio_score,
    gain_score,
    gini_score,
    rank_attributes,
)
from supervised.features.impurity import attribute_scores, gini
from tests import examples

quick = examples(60)
pytestmark = pytest.mark.filterwarnings("error")


def score(name, X, y, weights=None):
    result = SCORES[name](X, y, weights)
    return result[0] if name == "chi2" else result


def plain_fisher(x, y, weights=None):
    """Eq. 10.5, word by word, for one column of numbers without holes."""
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=float)
    mu, between, within = np.average(x, weights=w), 0.0, 0.0
    for c in np.unique(y):
        p, mu_c = w[y == c].sum() / w.sum(), np.average(x[y == c], weights=w[y == c])
        between += p * (mu_c - mu) ** 2
        within += p * np.average((x[y == c] - mu_c) ** 2, weights=w[y == c])
    return between / within


# ------------------------------------------------------------------ Fisher


@pytest.mark.parametrize("k", [2, 3, 10])
def test_fisher_by_definition_and_anova(k):
    rng = np.random.default_rng(k)
    y = np.r_[np.arange(k), np.arange(k), rng.integers(0, k, 200)]
    X = rng.normal(size=(len(y), 6)) + np.outer(y, [0, 0.1, 1, 5, 0, 0])
    X[:, 4] = X[:, 4].round()  # ties
    X[:, 5] = X[:, 5] * 1e-3 + 1e9  # a far zero
    weights = rng.uniform(0.1, 3, len(y))
    got = fisher_score(X, y)
    shifted = X - [0, 0, 0, 0, 0, 1e9]
    assert np.allclose(got, [plain_fisher(x, y) for x in shifted.T], rtol=1e-12, atol=0)
    weighted = [plain_fisher(x, y, weights) for x in shifted.T]
    assert np.allclose(fisher_score(X, y, weights), weighted, rtol=1e-12, atol=0)
    assert np.allclose(f_classif(shifted, y)[0], got * (len(y) - k) / (k - 1),
                       rtol=1e-10, atol=0)


def test_fisher_of_names_is_that_of_their_indicators():
    X, y = load_soybean()
    X = MissingValueImputer("unknown").fit_transform(X)
    for name in X.columns[:12]:
        columns = pd.get_dummies(X[name]).to_numpy(float)
        p = y.value_counts(normalize=True)
        means = np.array([columns[(y == c).to_numpy()].mean(axis=0) for c in p.index])
        within = sum(p[c] * columns[(y == c).to_numpy()].var(axis=0).sum() for c in p.index)
        between = (p.to_numpy()[:, None] * (means - columns.mean(axis=0)) ** 2).sum()
        assert np.isclose(fisher_score(X[[name]], y)[0], between / within, rtol=1e-12)


numbers = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 2), st.integers(1, 3)),
                   min_size=2, max_size=30)


@quick
@given(numbers, st.floats(-1e3, 1e3).filter(lambda a: abs(a) > 1e-3),
       st.integers(-1000, 1000))
def test_fisher_knows_no_units(rows, factor, offset):
    x, y, _ = map(np.array, zip(*rows, strict=True))
    before = fisher_score(x[:, None].astype(float), y)[0]
    after = fisher_score((factor * x + offset)[:, None], y)[0]
    assert (after == pytest.approx(before, rel=1e-6, abs=1e-9)
            or before > 1e12 and after > 1e9)


def test_fisher_at_the_edges():
    y = np.repeat(["a", "b", "c"], 4)
    X = pd.DataFrame(
        {"constant": 0.1, "perfect": np.repeat([0.1, 0.2, 0.3], 4), "empty": np.nan,
         "same names": "v", "own names": y, "no names": pd.Categorical([None] * 12, ["v"]),
         "equal means": np.tile([0.0, 1, 2, 3], 3)})
    expected = [0, np.inf, 0, 0, np.inf, 0, 0]
    assert fisher_score(X, y).tolist() == expected
    assert (fisher_score(X, y, np.random.default_rng(0).uniform(0.1, 1, 12))
            .tolist()[:6] == expected[:6])
    assert (fisher_score(X, ["one"] * 12) == 0).all()
    for k in range(2, 12):  # shares that do not add up to 1
        assert fisher_score(np.tile([0.1, 1.1, 2.1], k)[:, None],
                            np.repeat(np.arange(k), 3))[0] == 0
    for unit in (1e-320, 1e-200, 1e160, 1e307):  # squares would vanish or overflow
        column = np.array([1.0, 3, 5, 7])[:, None] * unit
        assert fisher_score(column, [0, 0, 1, 1])[0] == pytest.approx(
            4, rel=0.01 if unit < 1e-300 else 1e-12)


# ------------------------------------------------------------------ chi-square


@quick
@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 10**6))
def test_chi_square_is_scipys(rows, columns, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (rows, columns)) * rng.choice([1, 0.37])
    full = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    got = chi_square_test(counts)
    if min(full.shape, default=0) < 2:
        assert got == (0.0, 1.0, 0)
        return
    peer = stats.chi2_contingency(full, correction=False)
    assert got == pytest.approx((peer.statistic, peer.pvalue, peer.dof), rel=1e-12,
                                abs=1e-13)
    assert chi_square_test(counts.T) == pytest.approx(got, rel=1e-12, abs=1e-13)


def test_chi_square_of_tables():
    for X, y in (load_votes(), load_soybean(), load_loan()):
        scores, p_values = chi_square(X, y)
        for name, got, p in zip(X, scores, p_values, strict=True):
            # holes left out
            peer = stats.chi2_contingency(pd.crosstab(X[name], y), correction=False)
            assert got == pytest.approx(peer.statistic, rel=1e-12, abs=1e-12)
            assert p == pytest.approx(peer.pvalue, rel=1e-9)


# ------------------------------------------------------------------ gain, gain ratio, Gini


def test_scores_agree_with_impurity():
    X, y = load_credit()
    for name, function in (("gain", gain_score), ("gain_ratio", gain_ratio_score)):
        assert np.allclose(function(X, y), attribute_scores(X, y, name)[name][X.columns],
                           atol=1e-15)
    left = attribute_scores(X, y, "gini")["gini"][X.columns]
    assert np.allclose(gini_score(X, y), gini(y.value_counts()) - left, atol=1e-14)


# -------------------------------------------------------- all scores: weights, holes, edges


@pytest.fixture(scope="module")
def mixed():
    X, y = load_heart_disease()
    return MissingValueImputer().fit_transform(X), y


@pytest.mark.parametrize("name", SCORES)
def test_weights_are_copies(name, mixed):
    X, y = mixed
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    copies = np.repeat(np.arange(len(X)), weights)
    repeated = score(name, X.iloc[copies], y.iloc[copies])
    assert np.allclose(score(name, X, y, weights), repeated, rtol=1e-10, atol=1e-13)
    # weights count as instances; the other scores are averages
    scale = 7 if name == "chi2" else 1
    if name != "gain_ratio":  # the charge for a threshold is spread over the instances
        assert np.allclose(score(name, X, y, 7.0 * weights), scale * repeated, rtol=1e-10,
                           atol=1e-13)


@pytest.mark.parametrize("name", SCORES)
def test_missing_values(name, mixed):
    X, y = mixed
    holes = np.random.default_rng(1).random(len(X)) < 0.3
    X = X[["thal", "cholesterol"]].copy()
    full = score(name, X[~holes], y[~holes])
    X.loc[holes, "thal"], X.loc[holes, "cholesterol"] = None, np.nan
    got = score(name, X, y)
    if name in ("fisher", "chi2"):
        assert np.allclose(got, full, rtol=1e-12)  # left out
    elif name in ("gain", "gini"):
        # scaled by the share that is known
        assert np.allclose(got, full * np.mean(~holes), rtol=1e-12)
    else:
        assert (got < full + 1e-15).all()


@pytest.mark.parametrize("name", SCORES)
def test_nothing_to_tell(name):
    y = ["a", "b"] * 10
    X = pd.DataFrame({"constant": np.full(20, 0.1), "name": "v", "nothing": np.nan,
                      "unused": pd.Categorical(["v"] * 20, ["u", "v", "w"]),
                      "holes": pd.Categorical([None] * 20)})
    assert score(name, X, y).tolist() == [0] * 5
    assert (score(name, X.assign(number=np.arange(20.0), names=y), ["one"] * 20)
            .tolist() == [0] * 7)
    assert score(name, X.iloc[:1], y[:1]).tolist() == [0] * 5
    if name == "chi2":
        assert chi_square(X, y)[1].tolist() == [1] * 5


@pytest.mark.parametrize("name", SCORES)
def test_hostile(name):
    X, y = np.arange(6.0).reshape(3, 2), ["a", "b", "a"]
    function = SCORES[name]
    for bad, message in (
            ((X, y[:2]), "3 rows and y 2"), ((X, None), "y"),
            ((X, ["a", None, "b"]), "y contains NaN"), ((X, [0.1, 0.2, 0.5]), "continuous"),
            ((X, y, [1, -1, 1]), r"sample_weight has -1.0 in row 1"),
            ((X, y, [1, 1]), "sample_weight"), ((X, y, [0, 0, 0]), "weights are zero"),
            ((X, y, [1, np.nan, 1]), "row 1"), ((X[:, 0], y), "Expected 2D"),
            ((X[:0], []), "0 sample"), ((np.where(X == 3, np.inf, X), y), "infinity"),
            ((pd.DataFrame(X, columns=["a", "a"]), y), "twice")):
        with pytest.raises(ValueError, match=message):
            function(*bad)


# ------------------------------------------------------------------ the ranked table


def test_rank_attributes(mixed):
    X, y = mixed
    ranking = rank_attributes(X, y)
    assert (set(ranking.index) == set(X.columns)
            and ranking["mean_rank"].is_monotonic_increasing)
    assert ranking.notna().all(axis=None)
    for name in SCORES:
        values = pd.Series(score(name, X, y), X.columns)[ranking.index]
        assert (ranking[name] == values).all()
        assert (ranking[f"{name}_rank"]
                == stats.rankdata(-values.round(12), method="min")).all()
    assert (ranking["p_value"] == pd.Series(chi_square(X, y)[1],
                                            X.columns)[ranking.index]).all()
    assert ranking["kind"].to_dict() == {a.name: a.kind for a in learn_table(X).attributes}
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    assert (rank_attributes(X, y, "gain", weights)["gain"]
            == pd.Series(gain_score(X, y, weights), X.columns)[
                rank_attributes(X, y, ["gain"], weights).index]).all()


# ------------------------------------------------------------------ the transformer


@pytest.mark.parametrize("by", SCORES)
@pytest.mark.parametrize("k", [1, 4, 13, 99])
def test_selects_the_best(by, k, mixed):
    X, y = mixed
    select = SelectBest(k, by).fit(X, y)
    kept = min(k, 13)
    assert (len(select.selected_) == kept == select.get_support()
            .sum() == len(select.get_feature_names_out()))
    assert list(X.columns[select.get_support()]) == select.selected_
    assert list(X.columns[select.get_support(indices=True)]) == select.selected_
    values = score(by, X, y)
    assert (select.scores_ == values).all()
    assert np.sort(values)[::-1][kept - 1] <= values[select.get_support()].min() + 1e-12
    pd.testing.assert_frame_equal(select.transform(X), X[select.selected_],
                                  check_categorical=False)


def test_ties_keep_the_first():
    X = pd.DataFrame({c: [0.0, 1, 2, 3] for c in "abc"})
    assert SelectBest(2).fit(X, [0, 0, 1, 1]).selected_ == ["a", "b"]
    X["b"] = [9.0, 8, 7, 6]  # as good, reversed
    assert SelectBest(2, "fisher").fit(X, [0, 0, 1, 1]).selected_ == ["a", "b"]
