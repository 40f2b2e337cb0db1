"""The naive Bayes classifier: scikit-learn, SciPy, WEKA, plain definitions, chunks,
weights, and hostile input."""

import json
import pickle
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import from_json, learn_table, load_weather
from supervised.basics.datasets import (
    load_heart_disease,
    load_soybean,
    load_tax_evasion,
    load_votes,
    load_zoo,
)
from supervised.bayes.engine.tables import (
    NaiveBayesClassifier,
    _add_kernel_terms,
    _add_normal_terms,
    _distinct_values,
    _Laplace,
    _Normal,
)
from supervised.bayes.numeric import (
    normal_density,
)
from supervised.features import MDLDiscretizer
from tests import examples

quick = examples(25)
KINDS = ("gaussian", "kernel", "laplace", "discretized")


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def mixed(seed, n=None, gaps=0.15, text=False):
    """Two numbers, one of few values, and two nominal columns
    that depend on one of three classes; with gaps."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(30, 120))
    y = np.append(np.repeat([0, 1, 2], 3), rng.integers(0, 3, n - 9))
    X = pd.DataFrame({"a": rng.normal(y, 1.5), "b": 100 + 5 * rng.exponential(1 + y),
                      "c": rng.integers(0, 4, n) + (y == 1.0),
                      "d": np.array(list("pqrs"))[np.minimum(rng.integers(0, 4, n), 3 - y)],
                      "e": rng.random(n) < 0.2 + 0.3 * y})
    X = X.astype({"c": float, "d": object, "e": object}).mask(rng.random(X.shape) < gaps)
    if not text:
        X["d"] = pd.Categorical(X["d"], list("pqrs"))
    return X.astype({"e": "boolean"}), np.array(["no", "maybe", "yes"])[y]


def same(a, b, X, rtol=1e-9):
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=rtol,
                               atol=1e-12)


# ---------------------------------------------------------------- against others


@quick
@given(st.integers(0, 10**6))
def test_gaussian_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(20, 200), rng.integers(1, 8), rng.integers(2, 6)
    y = np.append(np.arange(k).repeat(2), rng.integers(0, k, n))
    X = ((rng.normal(size=(len(y), d)) + rng.normal(size=(k, d))[y])
         * 10.0 ** rng.integers(-2, 7, d))
    X += rng.normal(0, 9, d)
    w = rng.uniform(0.5, 2, len(y))
    for order in "CF":
        ours = NaiveBayesClassifier(variance="population",
                                    min_variance_share=0).fit(np.asarray(X, order=order), y,
                                                              w)
        theirs = GaussianNB(var_smoothing=0).fit(X, y, w)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0,
                                   atol=1e-10)
    priors = rng.dirichlet(np.ones(k))
    ours = NaiveBayesClassifier(variance="population", min_variance_share=0,
                                priors=priors).fit(X, y)
    theirs = GaussianNB(priors=priors, var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0,
                               atol=1e-10)


@quick
@given(st.integers(0, 10**6), st.sampled_from([1e-3, 0.5, 1.0, 7.0]))
def test_categorical_is_that_of_scikit_learn(seed, smoothing):
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(20, 200), rng.integers(1, 8), rng.integers(2, 6)
    y = np.append(np.arange(k), rng.integers(0, k, n))
    levels = rng.integers(1, 9, d)
    codes = rng.integers(0, levels, (len(y), d))
    X = pd.DataFrame({j: pd.Categorical.from_codes(codes[:, j], range(levels[j]))
                      for j in range(d)})
    w = rng.uniform(0.5, 2, len(y))
    ours = NaiveBayesClassifier(alpha=smoothing).fit(X, y, w)
    theirs = CategoricalNB(alpha=smoothing, min_categories=levels).fit(codes, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(codes), rtol=0,
                               atol=1e-10)
    assert (ours.predict(X) == theirs.predict(codes)).all()


def test_names_and_numbers_add_up():
    """With both kinds, the joint scores of scikit-learn's
    two classifiers, the prior counted once."""
    X, y = mixed(12, gaps=0)
    codes = np.column_stack([X["d"].cat.codes, X["e"].astype(int)])
    numbers = GaussianNB(var_smoothing=0).fit(X[["a", "b", "c"]], y)
    names = CategoricalNB(min_categories=[4, 2]).fit(codes, y)
    scores = (numbers.predict_joint_log_proba(X[["a", "b", "c"]])
              + names.predict_joint_log_proba(codes))
    scores -= np.log(numbers.class_prior_)
    found = NaiveBayesClassifier(variance="population", min_variance_share
                                 =0).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found,
                               np.exp(scores - logsumexp(scores, axis=1, keepdims=True)),
                               rtol=0, atol=1e-10)


def test_many_blocks():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 10_000)
    X = rng.normal(y[:, None], 1 + y[:, None], (10_000, 4)) + 1e6
    ours, theirs = (NaiveBayesClassifier(variance="population", min_variance_share
                                         =0).fit(X, y),
                    GaussianNB(var_smoothing=0).fit(X, y))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0,
                               atol=1e-8)
    means = [ours.conditional_probabilities(f"x{j}").loc["mean"] for j in range(4)]
    np.testing.assert_allclose(means, theirs.theta_.T, rtol=1e-13)


REFERENCE = json.loads((Path(__file__).parent / "nb_weka.json").read_text())["posteriors"]


def grid():
    """Consecutive whole numbers, which WEKA's rounding leaves as they are."""
    x = np.arange(300.0)
    X = pd.DataFrame({"x": x, "s": np.array(["u", "v", "w"])[(x % 3).astype(int)]})
    return X, pd.Series(np.array(["a", "b"])[((x * 7) % 300 < x).astype(int)])


def weka_terms(x, y, classes, asked):
    """Logarithms of WEKA's normal densities,
    from the source of NormalEstimator and NaiveBayes (3.8)."""
    known = x[~np.isnan(x)]
    precision = np.diff(np.unique(known)).mean()

    def rounded(v):
        return np.rint(v / precision) * precision

    terms = np.zeros((len(asked), len(classes)))
    for j, c in enumerate(classes):
        mine = rounded(x[(y == c) & ~np.isnan(x)])
        deviation = mine.std()
        deviation = max(precision / 6, deviation) if deviation > 1e-10 else precision / 6
        low, high = ((rounded(asked) - mine.mean() + half) / deviation
                     for half in (-precision / 2, precision / 2))
        terms[:, j] = np.log(
            np.maximum((stats.norm.cdf(high) - stats.norm.cdf(low)) / precision, 1e-75))
    return np.where(np.isnan(asked)[:, None], 0, terms)


@pytest.mark.parametrize("name, load, kind", [
    ("votes", load_votes, "gaussian"), ("soybean", load_soybean, "gaussian"),
    ("hearts -D", load_heart_disease, "discretized")])
def test_weka_on_names_and_intervals_with_gaps(name, load, kind):
    X, y = load()
    model = NaiveBayesClassifier(kind, priors="laplace").fit(X, y)
    found = model.predict_proba(X.iloc[REFERENCE[name]["rows"]])
    np.testing.assert_allclose(found, REFERENCE[name]["values"], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("name, load", [("hearts", load_heart_disease),
                                        ("weather", lambda: load_weather(numeric=True)),
                                        ("zoo", load_zoo), ("grid", grid)])
def test_weka_on_mixed_tables_with_gaps(name, load):
    """Our terms of names, and WEKA's of numbers computed anew, are WEKA's posteriors."""
    X, y = load()
    model, rows = NaiveBayesClassifier(priors="laplace").fit(X, y), REFERENCE[name]["rows"]
    scores = np.tile(np.log(model.prior_), (len(rows), 1))
    for attribute in model.attributes_:
        column = X[attribute.name]
        if attribute.is_nominal:
            scores += model.log_likelihood(attribute.name, column.iloc[rows].to_numpy())
        else:
            values = column.to_numpy(float)
            scores += weka_terms(values, y.to_numpy(), model.classes_, values[rows])
    found = np.exp(scores - scores.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, REFERENCE[name]["values"], rtol=1e-7, atol=1e-11)


def test_weka_where_its_rounding_is_neutral():
    X, y = grid()
    model = NaiveBayesClassifier(priors="laplace", variance="population").fit(X, y)
    found = model.predict_proba(X.iloc[REFERENCE["grid"]["rows"]])
    np.testing.assert_allclose(found, REFERENCE["grid"]["values"], atol=1e-4)


# ---------------------------------------------------------------- densities


def test_densities_of_scipy():
    x = np.append(np.linspace(-30, 40, 50), np.nan)
    first, second = np.array([3.0, -1.0]), np.array([2.0, 5.0])
    for found, density in ((_Normal(first, second**2), stats.norm),
                           (_Laplace(first, second), stats.laplace)):
        scores = np.ones((2, 51))
        found.add_to(scores, x)
        for j in range(2):
            np.testing.assert_allclose(
                scores[j, :-1], 1 + density(first[j], second[j]).logpdf(x[:-1]), rtol=1e-12)
        assert (scores[:, -1] == 1).all()
    np.testing.assert_allclose(normal_density(x[:-1], 3, 4), stats.norm(3, 2).pdf(x[:-1]),
                               rtol=1e-12)


@quick
@given(st.integers(0, 10**6))
def test_kernel_density_of_scipy(seed):
    rng = np.random.default_rng(seed)
    points = np.unique(rng.normal(0, 3, 25).round(1))
    weights, width = (rng.integers(1, 5, len(points)).astype(float),
                      float(rng.uniform(0.05, 4)))
    x = np.append(rng.uniform(-12, 12, 20), points[:2])
    found = np.zeros(22)
    _add_kernel_terms(found, x, points, weights, width)
    terms = stats.norm(points, width).logpdf(x[:, None]) + np.log(weights / weights.sum())
    np.testing.assert_allclose(found, logsumexp(terms, axis=1), rtol=1e-10, atol=1e-10)


def test_kernels_far_away():
    found = np.zeros(4)
    with np.errstate(over="ignore"):
        _add_kernel_terms(found, np.array([1e6, -1e6, np.nan, 1e200]), np.array([0.0, 1.0]),
                          np.ones(2), 1.0)
    np.testing.assert_allclose(found[0], stats.norm(1, 1).logpdf(1e6) - np.log(2),
                               rtol=1e-12)
    np.testing.assert_allclose(found[1], stats.norm(0, 1).logpdf(-1e6) - np.log(2),
                               rtol=1e-12)
    assert found[2] == 0 and found[3] == -np.inf


def test_distinct_values():
    found = _distinct_values(np.array([2, np.nan, 1, 2]), np.array([0, 1, 1, 1]),
                             np.array([1.0, 2, 3, 4]), 2)
    assert found.tolist() == [[1, 0, 3], [2, 1, 4]]


def test_kernel_and_laplace_in_the_model():
    X, y = mixed(5, 90, gaps=0.1)
    for width in (1.0, 0.3):
        model = NaiveBayesClassifier("kernel", bandwidth_factor=width).fit(X[["b"]], y)
        x = np.linspace(90, 160, 30)
        for j, c in enumerate(model.classes_):
            sample = X["b"][y == c].dropna()
            factor = width * len(sample) ** -0.2
            wanted = stats.gaussian_kde(sample, bw_method=factor).logpdf(x)
            np.testing.assert_allclose(model.log_likelihood("b", x)[:, j], wanted,
                                       rtol=1e-6)
    model = NaiveBayesClassifier("laplace").fit(X[["b"]], y)
    for j, c in enumerate(model.classes_):
        wanted = stats.laplace(*stats.laplace.fit(X["b"][y == c].dropna())).logpdf(x)
        np.testing.assert_allclose(model.log_likelihood("b", x)[:, j], wanted, rtol=1e-10)


def test_intervals_are_those_of_the_discretizer():
    X, y = mixed(11, 150)
    model = NaiveBayesClassifier("discretized").fit(X, y)
    same(model, make_pipeline(MDLDiscretizer(), NaiveBayesClassifier()).fit(X, y), X)
    assert any("a <= " in line for line in model.to_text().splitlines())


def test_a_density_for_each_attribute():
    X, y = mixed(3)
    model = (NaiveBayesClassifier({"a": "kernel", "b": "laplace", "c": "discretized"})
             .fit(X, y))
    for name, kind in {"a": "kernel", "b": "laplace", "c": "discretized"}.items():
        alone = NaiveBayesClassifier(kind).fit(X, y)
        np.testing.assert_array_equal(model.log_likelihood(name, X[name]),
                                      alone.log_likelihood(name, X[name]))
    assert clone(model).get_params()["density"] == {"a": "kernel", "b": "laplace",
                                                    "c": "discretized"}
    same(from_json(model.to_json()), model, X)


# ---------------------------------------------------------------- weights, chunks, gaps


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parameters", [{}, dict(alpha="1/n"),
                                        dict(m_estimate=2.0, variance="population")])
def test_weights_are_repetitions(kind, parameters):
    for seed in range(3):
        X, y = mixed(seed)
        w = np.random.default_rng(seed).integers(0, 4, len(y))
        w[:9] = 2
        again = np.repeat(np.arange(len(y)), w)
        model = NaiveBayesClassifier(kind, **parameters)
        same(clone(model).fit(X, y, sample_weight=w),
             clone(model).fit(X.iloc[again], y[again]), X)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", [False, True])
def test_any_chunking_is_one_fit(kind, text):
    for seed in range(4):
        X, y = mixed(seed, text=text)
        # new names come late
        order = np.argsort(X["d"].astype(object).fillna("z"), kind="stable")[::-1]
        X, y = X.iloc[order].reset_index(drop=True), y[order]
        rng = np.random.default_rng(seed)
        w = rng.uniform(0.2, 3, len(y))
        cuts = [0, *sorted(rng.choice(np.arange(5, len(y)), 4, replace=False)), len(y)]
        whole, parts = NaiveBayesClassifier(kind).fit(X, y, w), NaiveBayesClassifier(kind)
        for a, b in zip(cuts, cuts[1:], strict=False):
            parts.partial_fit(X[a:b], y[a:b], classes=["no", "maybe", "yes"],
                              sample_weight=w[a:b])
        same(parts, whole, X)
        assert parts.attributes_ == whole.attributes_ and parts.to_text() == whole.to_text()


def test_chunks_that_are_tables_or_arrays():
    X, y = mixed(0, 60)
    table = learn_table(X)
    parts = (NaiveBayesClassifier().partial_fit(table[:30], y[:30], classes=np.unique(y))
             .partial_fit(table[30:], y[30:]))
    same(parts, NaiveBayesClassifier().fit(X, y), X)
    numbers = X[["a", "b"]].to_numpy()
    parts = NaiveBayesClassifier().partial_fit(numbers[:30], y[:30], classes=np.unique(y))
    parts.partial_fit(numbers[30:], y[30:])
    same(parts, NaiveBayesClassifier().fit(numbers, y), numbers)
    lists = [["x", 1.0], ["y", 2.0], ["x", None], ["z", 4.0]]
    parts = (NaiveBayesClassifier().partial_fit(lists[:2], [0, 1])
             .partial_fit(lists[2:], [0, 1]))
    same(parts, NaiveBayesClassifier().fit(lists, [0, 1, 0, 1]), lists)


def test_new_names_in_a_later_chunk():
    first, later = (
        pd.DataFrame({"t": ["b", "d"], "k": pd.Categorical(["u", "v"], ["v", "u"])}),
        pd.DataFrame({"t": ["a", "c"], "k": pd.Categorical(["w", "u"], ["u", "w"])}))
    model = NaiveBayesClassifier().partial_fit(first, [0, 1])
    assert model.predict_proba(later[:1]).tolist() == [[0.5, 0.5]]  # unseen is missing
    model.partial_fit(later, [1, 1])
    assert (model.attributes_[0].domain == ("a", "b", "c", "d")
            and model.attributes_[1].domain == ("v", "u", "w"))
    np.testing.assert_allclose(model.conditional_probabilities("t").loc["a"],
                               [1 / 5, 2 / 7])
    np.testing.assert_allclose(model.conditional_probabilities("k").loc["w"],
                               [1 / 4, 2 / 6])


def test_a_class_comes_late_or_vanishes():
    X, y = mixed(2, 60)
    model = NaiveBayesClassifier().partial_fit(X[y == "no"], y[y == "no"],
                                               classes=["yes", "no", "maybe"])
    assert model.classes_.tolist() == ["maybe", "no", "yes"]
    assert np.array_equal(model.predict_proba(X), np.tile([0.0, 1.0, 0.0], (60, 1)))
    for c in ("maybe", "yes"):
        model.partial_fit(X[y == c], y[y == c])
    same(model, NaiveBayesClassifier().fit(X, y), X)


def test_chunks_that_do_not_fit():
    X, y = mixed(2, 60)
    model = NaiveBayesClassifier().partial_fit(X[:40], y[:40])
    before = model.to_json()
    with pytest.raises(ValueError, match="'perhaps'.*not among the classes"):
        model.partial_fit(X[:1], ["perhaps"])
    with pytest.raises(ValueError, match="but were .* in the first call"):
        model.partial_fit(X[:1], y[:1], classes=["no", "yes"])
    with pytest.raises(ValueError, match="missing.*'a'"):
        model.partial_fit(X.drop(columns="a"), y)
    with pytest.raises(ValueError, match="'d' held text.*numbers"):
        model.partial_fit(X.assign(d=1.0), y)
    with pytest.raises(ValueError, match="column 'a'.*too large to square"):
        model.partial_fit(X.assign(a=np.linspace(-1e300, 1e300, 60)), y)
    with pytest.raises(ValueError, match="0 sample"):
        model.partial_fit(X[:0], y[:0])
    assert model.to_json() == before  # none of them left a trace
    same(model.partial_fit(X[40:], y[40:]), NaiveBayesClassifier().fit(X, y), X)
    empty = NaiveBayesClassifier().partial_fit(
        pd.DataFrame({"e": [None, None]}, dtype=object), [0, 1])
    with pytest.raises(ValueError, match="'e' was empty at first"):
        empty.partial_fit(pd.DataFrame({"e": [1.5, 2.5]}), [0, 1])
    assert "p" in empty.partial_fit(pd.DataFrame({"e": ["p", "q"]}),
                                    [0, 1]).attributes_[0].domain


def test_fit_begins_anew():
    X, y = mixed(1)
    model = NaiveBayesClassifier().partial_fit(X[:20], y[:20]).fit(X, y)
    same(model, NaiveBayesClassifier().fit(X, y), X)
    assert model.class_counts_.sum() == len(y)


def blank(column):
    return column.mask(np.ones(len(column), dtype=bool))


@pytest.mark.parametrize("kind", KINDS)
def test_a_gap_is_an_attribute_less(kind):
    X, y = mixed(4)
    model = NaiveBayesClassifier(kind).fit(X, y)
    for name in X:
        without = NaiveBayesClassifier(kind).fit(X.drop(columns=name), y)
        np.testing.assert_allclose(model.predict_proba(X.assign(**{name: blank(X[name])})),
                                   without.predict_proba(X.drop(columns=name)), rtol=1e-9,
                                   atol=1e-12)
    unseen = X.assign(d=pd.Categorical(["t"] * len(X)))
    np.testing.assert_array_equal(model.predict_proba(unseen),
                                  model.predict_proba(X.assign(d=blank(X["d"]))))


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_say_nothing(kind):
    """All missing, of every kind; and constant."""
    X, y = mixed(4)
    wide = X.assign(u=np.nan, v=pd.Series([None] * len(X), dtype=object), x=0.1 + 0.2,
                    z="same", w=pd.Categorical([None] * len(X), ["f", "g"]))
    model = NaiveBayesClassifier(kind).fit(wide, y)
    plain = NaiveBayesClassifier(kind).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), rtol=1e-9)
    other = wide.assign(u=3.0, v="f", w=pd.Categorical(["g"] * len(X), ["f", "g"]), x=1e150)
    np.testing.assert_allclose(model.predict_proba(other), model.predict_proba(wide),
                               rtol=1e-9)
    told = model.explain(wide[:1]).to_frame()["contribution"]
    assert model.to_text() and told[["u", "v", "w", "x"]].abs().max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_without_a_value(kind):
    X, y = mixed(6)
    X.loc[y == "no", ["a", "d"]] = None
    found = NaiveBayesClassifier(kind, alpha=0).fit(X, y).predict_proba(X)
    assert np.isfinite(found).all() and np.allclose(found.sum(axis=1), 1)
    counts = (NaiveBayesClassifier(kind, alpha=0).fit(X, y)
              .conditional_probabilities("d"))
    assert counts["no"].tolist() == [0.25] * 4


# ---------------------------------------------------------------- values at the edges


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("floor", [0, 1e-9])
def test_zero_variance(kind, floor):
    X = np.array([[1.0], [1.0], [1.0], [5.0], [6.0], [9.0]])
    model = NaiveBayesClassifier(kind, min_variance_share=floor).fit(X, [0, 0, 0, 1, 1, 1])
    found = model.predict_proba([[1.0], [5.5], [1e100], [-1e308], [np.nan]])
    assert np.isfinite(found).all() and found[0, 0] > 0.5
    if kind == "gaussian":
        variance = model.conditional_probabilities("x0").loc["variance"]
        assert (np.isclose(variance[0], max(floor * X.var(), np.finfo(float).tiny))
                and np.isclose(variance[1], 13 / 3))
        assert found[1, 1] > 0.999


def test_lambda_0_with_a_zero_count():
    tax, evade = load_tax_evasion()
    names = tax[["Refund", "Marital Status"]]
    model = NaiveBayesClassifier(alpha=0).fit(names, evade)
    married, rare = names[1:2], names[:1]  # no evader is married, or had a refund
    assert (model.predict_proba(married).tolist() == [[1, 0]]
            and model.predict_proba(rare).tolist() == [[1, 0]])
    X, y = pd.DataFrame({"A": list("aab"), "B": list("ccd")}), [0, 0, 1]
    found = NaiveBayesClassifier(alpha=0).fit(X, y)
    odd = pd.DataFrame({"A": ["a"], "B": ["d"]})
    # no class can have it: the prior
    np.testing.assert_allclose(found.predict_proba(odd), [[2 / 3, 1 / 3]])
    assert found.explain(odd).to_frame()["contribution"].tolist()[1:] == [np.inf, -np.inf]
    declared = X.assign(A=pd.Categorical(X["A"], list("abc")))
    np.testing.assert_allclose(
        NaiveBayesClassifier(alpha=0).fit(declared, y).predict_proba(
            # nobody has c
            pd.DataFrame({"A": pd.Categorical(["c"], list("abc")), "B": [None]})),
        [[2 / 3, 1 / 3]])


@pytest.mark.parametrize("scale", [1e-170, 1e-100, 1e100, 1e150])
def test_units(scale):
    X, y = mixed(8, gaps=0)
    numbers = X[["a", "b"]].to_numpy()
    found = NaiveBayesClassifier().fit(numbers * scale, y).predict_proba(numbers * scale)
    assert np.isfinite(found).all()
    if scale > 1e-150:  # smaller ones have no variance that a float can hold
        np.testing.assert_allclose(
            found, NaiveBayesClassifier().fit(numbers, y).predict_proba(numbers), rtol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_values_that_are_not_finite(kind):
    X, y = np.arange(8.0).reshape(4, 2), [0, 0, 1, 1]
    bad = X.copy()
    bad[2, 1] = np.inf
    with pytest.raises(ValueError, match="infinity.*'x1'"):
        NaiveBayesClassifier(kind).fit(bad, y)
    with pytest.raises(ValueError, match="infinity.*'x1'"):
        NaiveBayesClassifier(kind).fit(X, y).predict(bad)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_values_too_large(kind):
    with pytest.raises(ValueError, match="column 'x0' has values too large to square"):
        NaiveBayesClassifier(kind).fit([[1e300], [-1e300], [1e299], [0]], [0, 0, 1, 1])


@pytest.mark.parametrize("parameters, match", [
    (dict(density="normal"), "density is 'normal'"),
    (dict(density={"a": "normal"}), "density is 'normal'"),
    (dict(density={"z": "kernel"}), r"entry for \['z'\]"),
    (dict(density={"d": "kernel"}), r"entry for \['d'\]"),
    (dict(density=None), "density is None"),
    (dict(density="nominal"), "density is 'nominal'"),
    (dict(alpha=-1), "alpha is -1"),
    (dict(m_estimate=np.nan), "m_estimate is nan"),
    (dict(priors=[0.5, 0.5]), "priors must be 3"),
    (dict(variance="n"), "variance is 'n'"),
    (dict(min_variance_share=-1), "min_variance_share is -1"),
    (dict(bandwidth_factor=0), "bandwidth_factor is 0"),
    (dict(bandwidth_factor="wide"), "bandwidth_factor is 'wide'"),
])
def test_hostile_parameters(parameters, match):
    X, y = mixed(0)
    with pytest.raises(ValueError, match=match):
        NaiveBayesClassifier(**parameters).fit(X, y)


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("kind", KINDS)
def test_explanations_add_up(kind):
    X, y = mixed(9)
    model = NaiveBayesClassifier(kind, priors="laplace").fit(X, y)
    for i in range(12):
        told, p = (model.explain(X[i : i + 1]).to_frame(),
                   model.predict_proba(X[i : i + 1])[0])
        assert told.index.tolist() == ["(prior)", *X]
        assert told.columns.tolist() == ["value", "contribution", "text", "maybe",
                                         "no", "yes"]
        second, first = np.sort(p)[-2:]
        np.testing.assert_allclose(told["contribution"].sum(), np.log(first / second),
                                   rtol=1e-8, atol=1e-8)
        score = told[["maybe", "no", "yes"]].sum()
        np.testing.assert_allclose(np.exp(score) / np.exp(score).sum(), p, rtol=1e-8)
        assert (told["contribution"].iloc[1:][X.iloc[i].isna().to_numpy()] == 0).all()
    for name in ("a", "d", "e"):
        logs = model.log_likelihood(name, X[name])
        np.testing.assert_allclose(logs[0], told_row(model, X, 0, name))


def told_row(model, X, i, name):
    return (model.explain(X[i : i + 1]).to_frame().loc[name, list(model.classes_)]
            .to_numpy(float))


def test_what_can_be_read():
    tax, evade = load_tax_evasion()
    model = NaiveBayesClassifier().fit(tax, evade)
    assert model.prior_.tolist() == [0.7, 0.3] and model.class_counts_.tolist() == [7, 3]
    np.testing.assert_allclose(model.conditional_probabilities("Taxable Income"),
                               [[110, 90], [2975, 25]])
    np.testing.assert_allclose(model.conditional_probabilities("Refund").loc["No"],
                               [5 / 9, 4 / 5])
    assert "Refund = No               0.5556    0.8" in model.to_text()
    with pytest.raises(ValueError, match="no attribute 'Income'; there are"):
        model.conditional_probabilities("Income")
    with pytest.raises(ValueError, match="one row, not 2"):
        model.explain(tax[:2])


def test_labels_and_names_of_any_kind():
    X = pd.DataFrame({("a", 1): [1.0, 2, 3, 4], 7: list("xyxy")})
    y = np.empty(4, dtype=object)
    y[:] = [("u", 1), ("v", 2), ("u", 1), ("v", 2)]
    model = NaiveBayesClassifier().fit(X, y)
    assert (model.predict(X)[1] == ("v", 2) and model.to_text()
            and len(model.explain(X[:1]).parts) == 3)
    odd = NaiveBayesClassifier().fit(X[[7]], ["value", "evidence", "value", "evidence"])
    assert odd.explain(X[[7]][:1]).to_frame().shape == (2, 5)
    alone = NaiveBayesClassifier().fit(X, [3, 3, 3, 3])
    assert (alone.predict_proba(X).tolist() == [[1.0]] * 4
            and not alone.explain(X[:1]).to_frame()["contribution"].any())


@pytest.mark.parametrize("kind", KINDS)
def test_storage(kind):
    X, y = mixed(0)
    model = NaiveBayesClassifier(kind).fit(X, y)
    for again in (from_json(model.to_json()), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        same(again.partial_fit(X, y),
             NaiveBayesClassifier(kind).fit(pd.concat([X, X]), np.tile(y, 2)), X)


@pytest.mark.skipif(not hasattr(_add_normal_terms, "py_func"),
                    reason="plain Python takes minutes")
def test_the_data_are_neither_copied_nor_changed():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50_000, 20)), rng.integers(0, 3, 50_000)
    before, model = X.copy(), NaiveBayesClassifier().fit(X[:99], y[:99])
    for work in (lambda: model.fit(X, y), lambda: model.predict(X),
                 lambda: model.partial_fit(X, y)):
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 0.7 * X.nbytes
    np.testing.assert_array_equal(X, before)


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
def test_protocol(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(NaiveBayesClassifier(kind))
