"""Fisher's discriminant: plain definitions, scikit-learn,
singular matrices, and what hostile users pass."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh
from sklearn.base import clone
from sklearn.covariance import empirical_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from supervised.basics.datasets import load_breast_cancer, load_donors, load_iris, load_wine
from supervised.features.discriminant import (
    FisherClassifier,
    FisherTransformer,
    fisher_direction,
    fisher_ratio,
    scatter_matrices,
)
from tests import examples

quick = examples(30)


pytestmark = pytest.mark.filterwarnings("error")


def random_data(seed, n=None, d=None, k=None):
    """Correlated columns of different units around class means,
    with labels that are text."""
    rng = np.random.default_rng(seed)
    k, d = k or int(rng.integers(2, 6)), d or int(rng.integers(1, 7))
    n = n or int(rng.integers(8 * k + 4 * d, 200))
    labels = np.append(np.arange(k).repeat(2), rng.integers(0, k, n - 2 * k))
    rotation = np.linalg.qr(rng.normal(size=(d, d)))[0]
    X = ((rng.normal(size=(n, d)) + rng.normal(size=(k, d))[labels])
         * rng.uniform(0.1, 2, d) @ rotation)
    return (X * 10.0 ** rng.integers(-3, 4, d) + rng.normal(0, 5, d),
            np.array([f"c{i}" for i in range(k)])[labels])


def parallel(a, b, atol=1e-8):
    """Whether rows are equal up to length and sign."""
    a, b = (np.atleast_2d(v) / np.linalg.norm(np.atleast_2d(v), axis=1, keepdims=True)
            for v in (a, b))
    return np.allclose(np.abs((a * b).sum(axis=1)), 1, rtol=0, atol=atol)


@quick
@given(st.integers(0, 10**6))
def test_scatter_from_definitions(seed):
    X, y = random_data(seed)
    found = scatter_matrices(X, y)
    np.testing.assert_array_equal(found.classes, np.unique(y))
    parts = [X[y == c] for c in found.classes]
    p = np.array([len(part) for part in parts]) / len(X)
    near = dict(rtol=1e-10, atol=1e-12 * np.abs(X).max() ** 2)
    np.testing.assert_allclose(found.shares, p)
    np.testing.assert_allclose(found.means, [part.mean(axis=0) for part in parts],
                               rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found.mean, X.mean(axis=0), rtol=1e-9,
                               atol=1e-12 * np.abs(X).max())
    within = sum(s * empirical_covariance(part) for s, part in zip(p, parts, strict=True))
    np.testing.assert_allclose(found.within, within, **near)
    apart = [part.mean(axis=0) - X.mean(axis=0) for part in parts]
    np.testing.assert_allclose(found.between, sum(
        s * np.outer(a, a) for s, a in zip(p, apart, strict=True)), **near)
    # exercise 21
    np.testing.assert_allclose(found.within + found.between,
                               empirical_covariance(X), **near)


@quick
@given(st.integers(0, 10**6))
def test_weights_are_repetitions(seed):
    X, y = random_data(seed)
    w = np.random.default_rng(seed).integers(0, 4, len(y))
    w[[np.flatnonzero(y == c)[0] for c in np.unique(y)]] = 2
    again = np.repeat(np.arange(len(y)), w)
    for a, b in zip(scatter_matrices(X, y, w), scatter_matrices(X[again], y[again]),
                    strict=True):
        if a.dtype.kind == "f":
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10 * np.abs(b).max())
        else:
            assert (a == b).all()
    for model in (FisherClassifier(), FisherClassifier("gaussian", 0.3)):
        weighted, repeated = (model.fit(X, y, w).predict_proba(X),
                              clone(model).fit(X[again], y[again]).predict_proba(X))
        np.testing.assert_allclose(weighted, repeated, atol=1e-6)
    ours = FisherTransformer().fit(X, y, sample_weight=w).transform(X)
    np.testing.assert_allclose(
        ours, FisherTransformer().fit(X[again], y[again]).transform(X), atol=1e-6)


@quick
@given(st.integers(0, 10**6))
def test_directions_are_those_of_scikit_learn(seed):
    X, y = random_data(seed)
    m = min(len(np.unique(y)) - 1, X.shape[1])
    ours = FisherTransformer().fit(X, y)
    assert len(ours.directions_) == m and (np.diff(ours.ratios_) <= 1e-12).all()
    eigen = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    units = X.std(axis=0)  # both sides in standard deviations, so that no column drowns
    assert parallel(ours.directions_ * units, eigen.scalings_[:, :m].T * units)
    svd = LinearDiscriminantAnalysis(solver="svd", tol=1e-12).fit(X, y)
    assert parallel(ours.directions_ * units, svd.scalings_[:, :m].T * units)
    known = scatter_matrices(X, y)
    np.testing.assert_allclose(ours.ratios_, eigh(known.between, known.within)[0][::-1][:m],
                               rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.ratios_, fisher_ratio(ours.directions_, X, y),
                               rtol=1e-10)
    after = scatter_matrices(ours.transform(X), y)
    np.testing.assert_allclose(after.within, np.eye(m), atol=1e-6)
    np.testing.assert_allclose(after.mean, 0, atol=1e-6)


@quick
@given(st.integers(0, 10**6))
def test_predictions_are_those_of_scikit_learn(seed):
    X, y = random_data(seed)
    # units do not matter to us; to scikit-learn's rounding they do
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = FisherClassifier("gaussian").fit(X, y)
    for solver in ("lsqr", "eigen"):
        peer = LinearDiscriminantAnalysis(solver=solver).fit(Z, y)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(Z), rtol=0,
                                   atol=1e-8)
        scores, theirs = ours.decision_function(X), peer.decision_function(Z)
        if scores.ndim == 2:  # a term that all classes share may differ
            scores, theirs = (v - v.mean(axis=1, keepdims=True) for v in (scores, theirs))
        np.testing.assert_allclose(scores, theirs, rtol=1e-6, atol=1e-6)
    sure = np.sort(ours.predict_proba(X))[:, -2:] @ [-1, 1] > 1e-6
    assert (ours.predict(X) == peer.predict(Z))[sure].all()


@pytest.mark.parametrize("shrinkage", [0.1, 0.5, 0.9])
def test_shrinkage(shrinkage):
    """With variances of 1 within the classes it is scikit-learn's;
    new units never matter."""
    X, y = load_wine()
    scaled = X / np.sqrt(np.diag(scatter_matrices(X, y).within))
    peer = (LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(scaled, y)
            .predict_proba(scaled))
    ours = FisherClassifier(shrinkage=shrinkage)
    np.testing.assert_allclose(ours.fit(scaled, y).predict_proba(scaled), peer, atol=1e-9)
    np.testing.assert_allclose(ours.fit(X, y).predict_proba(X), peer, atol=1e-9)


@quick
@given(st.integers(0, 10**6))
def test_nothing_beats_fishers_direction(seed):
    X, y = random_data(seed, k=2)
    W = fisher_direction(X, y)
    assert (np.isclose(np.linalg.norm(W), 1)
            and W @ (X[y == "c1"].mean(0) - X[y == "c0"].mean(0)) > 0)
    best = fisher_ratio(W, X, y)
    known = scatter_matrices(X, y)
    units = X.std(axis=0)
    gap, within = ((known.means[1] - known.means[0]) / units,
                   known.within / np.outer(units, units))
    assert parallel(W * units, np.linalg.solve(within, gap))  # Eq. 10.6
    assert np.isclose(best, known.shares.prod() * gap @ np.linalg.solve(within, gap),
                      rtol=1e-6)
    others = np.random.default_rng(seed).normal(size=(50, X.shape[1])) / units
    assert (fisher_ratio(others, X, y) <= best * (1 + 1e-9)).all()


@quick
@given(st.integers(0, 10**6))
def test_ratio_from_the_projected_column(seed):
    X, y = random_data(seed)
    W = np.random.default_rng(seed).normal(size=X.shape[1])
    z = X @ W
    p = np.array([(y == c).mean() for c in np.unique(y)])
    means, spreads = (np.array([f(z[y == c]) for c in np.unique(y)])
                      for f in (np.mean, np.var))
    expected = p @ (means - z.mean()) ** 2 / (p @ spreads)
    assert fisher_ratio(W, X, y) == pytest.approx(expected, rel=1e-8)
    assert fisher_ratio(-3 * W, X, y) == pytest.approx(expected, rel=1e-8)
    assert np.ndim(fisher_ratio(W, X, y)) == 0 and fisher_ratio([W, W], X, y).shape == (2,)


def test_donors():
    """A's Table 10.1, salary in thousands:
    ratio 30/121 of 15.54, and a gap between 33.88 and 37.82."""
    X, y = load_donors()
    X = X.assign(Salary=X["Salary"] / 1000)
    W = fisher_direction(X, y)
    assert parallel(W, [0.28784103, 0.41710112])
    assert fisher_ratio(W, X, y) == pytest.approx(30 / 121 * 15.540347333189128)
    model = FisherClassifier().fit(X, y)
    assert (model.score(X, y) == 1 and -model.intercept_[0]
            == pytest.approx((33.878521 + 37.820333) / 2, abs=1e-5))
    known = scatter_matrices(X, y)  # E44
    gap, covariance = known.means[1] - known.means[0], np.cov(X.T, bias=True)
    assert (np.abs(known.within + known.shares.prod() * np.outer(gap, gap) - covariance)
            .max() < 1e-12)
    assert round(np.abs(known.within + np.outer(gap, gap) - covariance).max()) == 498


# ------------------------------------ successive orthogonal directions


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_orthogonal_directions(load):
    X, y = load()
    X = (X - X.mean()) / X.std()
    model = FisherTransformer(4, method="orthogonal").fit(X, y)
    W = model.directions_
    np.testing.assert_allclose(W @ W.T, np.eye(4), atol=1e-9)
    assert parallel(W[0], FisherTransformer().fit(X, y).directions_[0])
    assert (np.diff(model.ratios_) <= 1e-9).all()
    # A's recipe: the data in the orthogonal subspace, again
    projected = X - (X @ W[:2].T).to_numpy() @ W[:2]
    again = FisherTransformer(1).fit(projected, y).directions_[0]
    assert fisher_ratio(again, projected, y) == pytest.approx(model.ratios_[2], rel=1e-6)


# ------------------------------------ singular matrices


def test_constant_and_dependent_columns():
    X, y = load_iris()
    plain, W = FisherClassifier().fit(X, y), FisherTransformer().fit(X, y)
    more = X.assign(one=1, tenth=0.1, inches=X["sepal length (cm)"] / 2.54,
                    total=X.sum(axis=1))
    wide = FisherTransformer().fit(more, y)
    np.testing.assert_allclose(wide.transform(more), W.transform(X), atol=1e-6)
    np.testing.assert_allclose(wide.ratios_, W.ratios_)
    assert (wide.directions_[:, 4:6] == 0).all()
    model = FisherClassifier().fit(more, y)
    np.testing.assert_allclose(model.predict_proba(more), plain.predict_proba(X), atol=1e-6)
    other = more.assign(one=1e6, tenth=-5)  # weight 0: it does not matter
    np.testing.assert_allclose(model.predict_proba(other), plain.predict_proba(X),
                               atol=1e-6)


def test_fewer_rows_than_columns():
    """Each class becomes a point: the direction is that
    of least squares with the shortest weights."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 50)), np.repeat(["a", "b"], 10)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    W = fisher_direction(X, y)
    assert fisher_ratio(W, X, y) == np.inf
    assert parallel(W, np.linalg.lstsq(X, np.where(y == "b", 1.0, -1.0), rcond=None)[0])
    for shrinkage in (0.0, 0.3):
        model = FisherClassifier("gaussian", shrinkage).fit(X, y)
        assert model.score(X, y) == 1 and np.isfinite(model.predict_proba(X)).all()
    view = FisherTransformer(method="orthogonal").fit(X, y)
    assert view.directions_.shape == (19, 50)
    assert np.isfinite(view.transform(rng.normal(size=(5, 50)))).all()
    three = np.array(["a", "b", "c"])[np.arange(20) % 3]
    many = FisherClassifier().fit(X, three)
    assert (many.score(X, three) == 1
            and np.isfinite(many.predict_proba(rng.normal(size=(9, 50)))).all())


def test_far_from_the_origin():
    """Ten million standard deviations away: dates are like that."""
    X, y = random_data(11, n=300, d=4, k=3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    near, far = FisherTransformer().fit(X, y), FisherTransformer().fit(X + 1e7, y)
    assert parallel(near.directions_, far.directions_)
    np.testing.assert_allclose(FisherClassifier().fit(X + 1e7, y).predict_proba(X + 1e7),
                               FisherClassifier().fit(X, y).predict_proba(X), atol=1e-5)


# ------------------------------------ the threshold


@quick
@given(st.integers(0, 10**6))
def test_accuracy_threshold(seed):
    X, y = random_data(seed, k=2)
    best, normal = FisherClassifier().fit(X, y), FisherClassifier("gaussian").fit(X, y)
    assert (best.score(X, y) >= normal.score(X, y)
            and best.score(X, y) >= max((y == "c0").mean(), (y == "c1").mean()))
    np.testing.assert_array_equal(best.coef_, normal.coef_)
    z = X @ best.coef_[0]
    cuts = np.r_[z.min() - 1, np.sort(z), z.max() + 1]
    assert best.score(X, y) == pytest.approx(max(((z > c) == (y == "c1")).mean()
                                                 for c in cuts))
    p = best.predict_proba(X)
    assert (best.classes_[p.argmax(axis=1)] == best.predict(X)).all()
    np.testing.assert_allclose(np.log(p[:, 1] / p[:, 0]), best.decision_function(X),
                               rtol=1e-5, atol=1e-9)


# ------------------------------------ the protocol, and hostile input


def test_no_row_of_a_long_table_is_left_out():
    X, y = random_data(0, n=9000, d=3, k=3)
    found, parts = scatter_matrices(X, y), [X[y == c] for c in np.unique(y)]
    within = sum(np.cov(part.T, bias=True) * len(part) for part in parts) / len(X)
    np.testing.assert_allclose(found.within, within, rtol=1e-7)
    model = FisherClassifier().fit(X, y)
    assert (model.predict(X)[5000:] == model.predict(X[5000:])).all()
