"""Learned metrics: the formulas as they stand, invariances,
scikit-learn's covariance, and what hostile users pass."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.covariance import empirical_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline

from supervised.basics.datasets import load_breast_cancer, load_iris, load_wine
from supervised.neighbors.engine.knn import KNNClassifier
from supervised.neighbors.engine.metrics import DiscriminantMetric, MahalanobisMetric
from tests import examples

quick = examples(25)
LEARNERS = [MahalanobisMetric(), MahalanobisMetric(0.4),
            DiscriminantMetric(), DiscriminantMetric(0.4),
            DiscriminantMetric(regularization=1.0), DiscriminantMetric(0.4, 0.5)]


pytestmark = pytest.mark.filterwarnings("error")


def random_data(seed, k=None):
    """Correlated columns of moderate units around class means,
    with labels that are text."""
    rng = np.random.default_rng(seed)
    k, d = k or int(rng.integers(2, 5)), int(rng.integers(1, 6))
    labels = np.append(np.arange(k).repeat(8), rng.integers(0, k, 60))
    X = ((rng.normal(size=(len(labels), d)) + rng.normal(size=(k, d))[labels])
         * rng.uniform(0.5, 2, d))
    X = X @ np.linalg.qr(rng.normal(size=(d, d)))[0] * 10.0 ** rng.integers(-2, 3, d)
    return X, np.array([f"c{i}" for i in range(k)])[labels]


def in_deviations(matrix, X):
    """A metric's matrix for columns in standard deviations: entries can be compared."""
    return matrix * np.outer(X.std(axis=0), X.std(axis=0))


def by_definition(X, y):
    """Eq. 10.73 and 10.74, class by class."""
    parts = [X[y == c] for c in np.unique(y)]
    shares = [len(part) / len(X) for part in parts]
    gaps = [part.mean(axis=0) - X.mean(axis=0) for part in parts]
    within = sum(p * empirical_covariance(part)
                 for p, part in zip(shares, parts, strict=True))
    return within, sum(p * np.outer(gap, gap) for p, gap in zip(shares, gaps, strict=True))


# ------------------------------------ the formulas


@quick
@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 5))
def test_matrices_from_definitions(seed, shrinkage, regularization):
    X, y = random_data(seed)
    Z = X / X.std(axis=0)  # inverses of plain NumPy lose digits where units differ
    within, between = by_definition(Z, y)
    covariance = empirical_covariance(Z)
    weak, small = ((1 - shrinkage) * m + shrinkage * np.diag(np.diag(m))
                   for m in (covariance, within))
    near = dict(rtol=1e-6, atol=1e-7)
    found = in_deviations(MahalanobisMetric(shrinkage).fit(X).matrix_, X)
    np.testing.assert_allclose(found, np.linalg.inv(weak), **near)
    inverse = np.linalg.inv(small)
    metric = DiscriminantMetric(shrinkage, regularization).fit(X, y)
    expected = inverse @ between @ inverse + regularization * inverse
    found = in_deviations(metric.matrix_, X)
    np.testing.assert_allclose(found, expected, rtol=1e-6,
                               atol=1e-7 * np.abs(expected).max())
    count = min(len(np.unique(y)) - 1, X.shape[1])
    np.testing.assert_allclose(metric.ratios_[:count],
                               eigh(between, small)[0][::-1][:count], rtol=1e-6, atol=1e-8)


@quick
@given(st.integers(0, 10**6), st.sampled_from(LEARNERS))
def test_matrix_factor_and_transform_agree(seed, learner):
    X, y = random_data(seed)
    metric = clone(learner).fit(X, y)
    np.testing.assert_array_equal(metric.matrix_, metric.matrix_.T)
    Z, A = X / X.std(axis=0), in_deviations(metric.matrix_, X)
    assert np.linalg.eigvalsh(A).min() > -1e-9 * np.abs(A).max()
    gaps = Z[:6, None] - Z[None, :6]
    squares = np.einsum("ijk,kl,ijl->ij", gaps, A, gaps)
    distances = cdist(*[metric.transform(X[:6])] * 2)
    np.testing.assert_allclose(distances**2, squares, rtol=1e-6, atol=1e-6 * squares.max())


def test_scikit_learns_discriminants_weighted_by_the_root_of_their_ratios():
    X, y = load_wine()
    X = X.to_numpy()
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    within, between = by_definition(X, y.to_numpy())
    ratios = eigh(between, within)[0][::-1][:2]
    theirs = X @ peer.scalings_[:, :2]
    theirs /= np.sqrt(np.diag(by_definition(theirs, y.to_numpy())[0]))
    np.testing.assert_allclose(cdist(*[DiscriminantMetric().fit(X, y).transform(X)] * 2),
                               cdist(*[theirs * np.sqrt(ratios)] * 2), rtol=1e-6, atol=1e-6)


# ------------------------------------ invariances


@quick
@given(st.integers(0, 10**6), st.sampled_from(LEARNERS))
def test_units_and_origins_do_not_matter(seed, learner):
    X, y = random_data(seed)
    rng = np.random.default_rng(seed)
    other = X * 10.0 ** rng.integers(-4, 5, X.shape[1]) * rng.choice([-1, 1], X.shape[1])
    moved = other + 100 * other.std(axis=0)
    plain = cdist(*[clone(learner).fit(X, y).transform(X)] * 2)
    for changed in (other, moved):
        again = cdist(*[clone(learner).fit(changed, y).transform(changed)] * 2)
        np.testing.assert_allclose(again, plain, rtol=1e-6, atol=1e-6 * plain.max())


@quick
@given(st.integers(0, 10**6), st.sampled_from(LEARNERS))
def test_weights_are_repetitions(seed, learner):
    X, y = random_data(seed)
    w = np.random.default_rng(seed).integers(0, 4, len(y))
    w[[np.flatnonzero(y == c)[0] for c in np.unique(y)]] = 2
    again = np.repeat(np.arange(len(y)), w)
    weighted = in_deviations(clone(learner).fit(X, y, sample_weight=w).matrix_, X)
    repeated = in_deviations(clone(learner).fit(X[again], y[again]).matrix_, X)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-6,
                               atol=1e-7 * np.abs(repeated).max())
    thrice = in_deviations(clone(learner).fit(X, y, sample_weight=3.5 * w).matrix_, X)
    np.testing.assert_allclose(thrice, repeated, rtol=1e-6,
                               atol=1e-7 * np.abs(repeated).max())


# ------------------------------------ singular matrices


@pytest.mark.parametrize("learner", [MahalanobisMetric(), DiscriminantMetric(),
                                     DiscriminantMetric(0, 1.0)])
def test_constant_and_dependent_columns_change_no_distance(learner):
    X, y = load_iris()
    plain = cdist(*[clone(learner).fit(X, y).transform(X)] * 2)
    more = X.assign(one=1, tenth=0.1, inches=X["sepal length (cm)"] / 2.54,
                    total=X.sum(axis=1))
    metric = clone(learner).fit(more, y)
    np.testing.assert_allclose(cdist(*[metric.transform(more)] * 2), plain, rtol=1e-5,
                               atol=1e-6 * plain.max())
    assert (metric.matrix_[4:6] == 0).all() and (metric.matrix_[:, 4:6] == 0).all()


@pytest.mark.parametrize("learner", LEARNERS)
def test_fewer_rows_than_columns(learner):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.repeat(["a", "b", "c"], 4)
    metric = clone(learner).fit(X, y)
    assert (np.isfinite(metric.matrix_).all()
            and np.isfinite(metric.transform(rng.normal(size=(5, 40)))).all())
    assert cdist(*[metric.transform(X)] * 2)[:4, 4:].min() > 0
    assert KNNClassifier(1, metric=clone(learner)).fit(X, y).score(X, y) == 1


# ------------------------------------ in the classifier


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_the_classifier_learns_the_metric_from_its_training_rows(load, learner):
    X, y = load()
    learner = clone(learner)
    inside = KNNClassifier(5, metric=learner).fit(X[::2], y[::2])
    before = make_pipeline(clone(learner),
                           KNNClassifier(5, metric="euclidean")).fit(X[::2], y[::2])
    assert not hasattr(learner, "factor_")  # it is cloned
    assert (inside.predict(X[1::2]) == before.predict(X[1::2])).mean() > 0.99
    assert (inside.predict(X[1::2])
            == KNNClassifier(5, metric=clone(learner).fit(X[::2], y[::2]).matrix_)
            .fit(X[::2], y[::2]).predict(X[1::2])).all()
