"""The naive Bayes classifier: scikit-learn, SciPy, WEKA, plain definitions, chunks,
weights, and hostile input."""

import json
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

from supervised.basics import from_json, load_weather
from supervised.basics.datasets import (
    load_heart_disease,
    load_soybean,
    load_tax_evasion,
    load_votes,
    load_zoo,
)
from supervised.bayes.engine.tables import (
    NaiveBayesClassifier,
)
from supervised.features import MDLDiscretizer
from tests import examples

quick = examples(25)
KINDS = ("gaussian", "kernel", "laplace", "discretized")


pytestmark = pytest.mark.filterwarnings("error")


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
