"""Filters: plain definitions, SciPy and scikit-learn,
weights as copies, and what hostile users pass."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import (
    IndicatorEncoder,
    MissingValueImputer,
    learn_table,
    load_loan,
)
from supervised.basics.datasets import (
    load_breast_cancer,
    load_credit,
    load_heart_disease,
    load_iris,
    load_soybean,
    load_votes,
    load_wine,
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


def test_fisher_of_two_classes_is_the_square_of_t():
    X, y = load_breast_cancer()
    a, b = (X[y == c] for c in y.unique())
    t = stats.ttest_ind(a, b).statistic
    assert np.allclose(fisher_score(X, y) * (len(y) - 2), t**2, rtol=1e-10)


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


def test_p_values_of_noise_are_honest():
    rng = np.random.default_rng(1)
    _, p_values = chi_square(rng.normal(size=(600, 1500)), rng.integers(0, 3, 600))
    assert stats.kstest(p_values, "uniform").statistic < 0.05


# ------------------------------------------------------------------ gain, gain ratio, Gini


def test_gain_is_mutual_information():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({v: rng.integers(0, v, 300).astype(str) for v in (1, 2, 5, 40)})
    y = rng.integers(0, 10, 300)
    assert np.allclose(gain_score(X, y),
                       [mutual_info_score(X[c], y) / np.log(2) for c in X], atol=1e-12)


@pytest.mark.parametrize("name, criterion", [("gain", "entropy"), ("gini", "gini")])
def test_gain_of_numbers_is_that_of_a_stump(name, criterion):
    X, y = load_wine()
    for column, got in zip(X, score(name, X, y), strict=True):
        tree = (DecisionTreeClassifier(max_depth=1, criterion=criterion)
                .fit(X[[column]], y).tree_)
        n = tree.weighted_n_node_samples
        assert np.isclose(got, tree.impurity[0] - (n[1:] * tree.impurity[1:]).sum() / n[0],
                          rtol=1e-12)


def test_scores_agree_with_impurity():
    X, y = load_credit()
    for name, function in (("gain", gain_score), ("gain_ratio", gain_ratio_score)):
        assert np.allclose(function(X, y), attribute_scores(X, y, name)[name][X.columns],
                           atol=1e-15)
    left = attribute_scores(X, y, "gini")["gini"][X.columns]
    assert np.allclose(gini_score(X, y), gini(y.value_counts()) - left, atol=1e-14)


@quick
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_relatives(values, seed):
    """With two classes chi-square, the decrease of Gini and,
    for two values, Fisher are one score."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, values, 40).astype(str),
                      "b": rng.random(40) < 0.4})
    y = np.r_[0, 1, rng.integers(0, 2, 38)]
    chi, _ = chi_square(X, y)
    assert np.allclose(chi / 40, gini_score(X, y) / gini(np.bincount(y)), atol=1e-12)
    assert np.isclose(fisher_score(X, y)[1], chi[1] / (40 - chi[1]), atol=1e-12)


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


def test_rank_attributes_takes_names_of_any_kind():
    X = pd.DataFrame({("a", 1): [1.0, 2, 3, 4], 7: ["u", "v", "u", "v"],
                      "z": [4.0, 3, 2, 1]})
    ranking = rank_attributes(X, [0, 0, 1, 1], "fisher")
    assert (list(ranking.index) == [("a", 1), "z", 7]
            and list(ranking["fisher_rank"]) == [1, 1, 3])
    assert list(ranking.columns) == ["kind", "fisher", "fisher_rank", "mean_rank"]
    assert rank_attributes(X.to_numpy(dtype=object)[:, [0, 2]],
                           [0, 0, 1, 1]).index.tolist() == ["x0", "x1"]


@pytest.mark.parametrize("scores, message", [
    ("lift", "scores is 'lift'"), (["gain", "x"], "scores is 'x'"), ([], "empty")])
def test_rank_attributes_refuses(scores, message):
    with pytest.raises(ValueError, match=message):
        rank_attributes([[1.0], [2.0]], [0, 1], scores)


# ------------------------------------------------------------------ the transformer


@pytest.mark.deep
@pytest.mark.parametrize("by", SCORES)
def test_protocol(by):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks warn of what they skip
        check_estimator(SelectBest(2, by))


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


def test_tags():
    assert get_tags(SelectBest()).target_tags.required


def test_forms(mixed):
    X, y = mixed
    select = SelectBest(3).fit(X, y)
    shuffled = X[X.columns[::-1]]
    # by name
    pd.testing.assert_frame_equal(select.transform(shuffled), select.transform(X))
    table = select.transform(learn_table(X))
    assert [a.name for a in table.attributes] == select.selected_
    with pytest.raises(ValueError, match="missing.*'thal'"):
        select.transform(X.drop(columns="thal"))
    flowers, species = load_iris()
    array = SelectBest(2, "fisher").fit_transform(flowers.to_numpy(), species)
    assert (array == flowers.to_numpy()[:, 2:]).all()
    again = pickle.loads(pickle.dumps(select))
    assert again.selected_ == clone(select).fit(X, y).selected_ == select.selected_
    framed = (SelectBest(2, "fisher").set_output(transform="pandas")
              .fit_transform(flowers.to_numpy(), species))
    assert list(framed.columns) == ["x2", "x3"]


def test_in_pipelines(mixed):
    X, y = mixed
    steps = make_pipeline(SelectBest(4), IndicatorEncoder(), KNeighborsClassifier(15))
    assert cross_val_score(steps, X, y).mean() > 0.7
    search = GridSearchCV(steps, {"selectbest__k": [1, 5],
                                  "selectbest__criterion": ["gain", "fisher"]}).fit(X, y)
    assert search.best_params_["selectbest__k"] in (1, 5)


@pytest.mark.parametrize("name", SCORES)
def test_as_score_function_of_select_k_best(name):
    X, y = load_wine()
    peer = SelectKBest(SCORES[name], k=5).fit(X, y)
    assert (peer.get_support() == SelectBest(5, name).fit(X, y).get_support()).all()
    if name == "fisher":
        assert (peer.get_support() == SelectKBest(f_classif, k=5).fit(X, y)
                .get_support()).all()
    if name == "chi2":
        assert (peer.pvalues_ == chi_square(X, y)[1]).all()


@pytest.mark.parametrize("parameters, message", [
    ({"k": 0}, "k is 0"), ({"k": -1}, "k is -1"),
    ({"k": 1.5}, "k is 1.5"), ({"k": "all"}, "k is 'all'"),
    ({"k": True}, "k is True"), ({"criterion": "lift"}, "criterion is 'lift'"),
    ({"criterion": 3}, "criterion is 3")])
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        SelectBest(**parameters).fit([[1.0], [2.0]], [0, 1])


def test_select_best_refuses_bad_rows(mixed):
    X, y = mixed
    with pytest.raises(ValueError, match="requires y"):
        SelectBest().fit(X)
    with pytest.raises(ValueError, match="303 rows and y 302"):
        SelectBest().fit(X, y[1:])
    with pytest.raises(ValueError, match="row 0"):
        SelectBest().fit(X, y, -np.ones(len(X)))


def test_no_warning_anywhere():
    """Also where SciPy and scikit-learn warn:
    constant columns, single classes, infinite scores."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X = pd.DataFrame({"constant": 1.0, "perfect": [0.0, 0, 1, 1],
                          "holes": [np.nan, 1, np.nan, 2]})
        ranking = rank_attributes(X, list("aabb"))
    assert ranking.index[0] == "perfect" and np.isinf(ranking.loc["perfect", "fisher"])


def test_attributes_are_chosen_by_a_function():
    X, y = load_heart_disease()

    def by_gain(table, y, weights):
        return gain_score(table, y, weights)

    own, named = SelectBest(4, by_gain).fit(X, y), SelectBest(4, "gain").fit(X, y)
    assert own.selected_ == named.selected_ and np.array_equal(own.scores_, named.scores_)
    assert clone(own).criterion is by_gain
    last = SelectBest(2,
                      lambda table, y, weights: np.arange(len(table.attributes))).fit(X, y)
    assert last.selected_ == list(X)[-2:]
    with pytest.raises(ValueError, match="criterion=<lambda> returned .* a number for each "
                       "of the 13 attributes"):
        SelectBest(2, lambda table, y, weights: [1.0]).fit(X, y)
    with pytest.raises(TypeError) as caught:
        SelectBest(2, lambda table: [1.0]).fit(X, y)
    assert "with a Table, the classes and the weights" in " ".join(caught.value.__notes__)
    with pytest.raises(ValueError, match="criterion is 'best'"):
        SelectBest(2, "best").fit(X, y)
