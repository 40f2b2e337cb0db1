"""Learned metrics: the formulas as they stand, invariances,
scikit-learn's covariance, and what hostile users pass."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.covariance import empirical_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import learn_table, load_loan
from supervised.basics.datasets import load_breast_cancer, load_iris, load_wine, load_xor
from supervised.neighbors.engine.knn import KNNClassifier
from supervised.neighbors.engine.metrics import DiscriminantMetric, MahalanobisMetric
from tests import examples

quick = examples(25)
LEARNERS = [MahalanobisMetric(), MahalanobisMetric(0.4),
            DiscriminantMetric(), DiscriminantMetric(0.4),
            DiscriminantMetric(regularization=1.0), DiscriminantMetric(0.4, 0.5)]


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


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


def test_rank_is_one_below_the_number_of_classes():
    for load, k in [(load_iris, 3), (load_wine, 3), (load_breast_cancer, 2)]:
        X, y = load()
        A = in_deviations(DiscriminantMetric().fit(X, y).matrix_, X.to_numpy())
        assert np.linalg.matrix_rank(A, tol=1e-9 * np.linalg.norm(A)) == k - 1
        soft = in_deviations(DiscriminantMetric(regularization=1).fit(X, y).matrix_,
                             X.to_numpy())
        assert np.linalg.eigvalsh(soft).min() > 0


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


def test_two_classes_have_fishers_neighbors():
    X, y = load_breast_cancer()
    line = LinearDiscriminantAnalysis(solver="lsqr").fit(X[::2], y[::2]).coef_[0]
    places = (X.to_numpy() @ line)[:, None]
    expected = KNeighborsClassifier(7).fit(places[::2], y[::2]).predict(places[1::2])
    ours = KNNClassifier(7, metric=DiscriminantMetric()).fit(X[::2], y[::2])
    assert (ours.predict(X[1::2]) == expected).all()


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
@given(st.integers(0, 10**6), st.sampled_from([MahalanobisMetric(), DiscriminantMetric(),
                                               DiscriminantMetric(0, 1.0)]))
def test_mixtures_of_columns_do_not_matter_without_shrinkage(seed, learner):
    X, y = random_data(seed)
    X = X / X.std(axis=0)
    d = X.shape[1]
    mixed = X @ (np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
                 * np.linspace(1, 3, d))
    plain, again = (cdist(*[clone(learner).fit(Z, y).transform(Z)] * 2) for Z in (X, mixed))
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


def test_mahalanobis_does_not_look_at_the_classes():
    X, y = load_iris()
    plain = MahalanobisMetric().fit(X).matrix_
    for labels in (y, y[::-1], ["one"] * 150, None):
        np.testing.assert_array_equal(MahalanobisMetric().fit(X, labels).matrix_, plain)


def test_renamed_and_reordered_classes():
    X, y = load_wine()
    plain = DiscriminantMetric().fit(X, y).matrix_
    names = y.map({c: f"z{i}" for i, c in enumerate(reversed(np.unique(y)))})
    np.testing.assert_allclose(DiscriminantMetric().fit(X[::-1], names[::-1]).matrix_,
                               plain, rtol=1e-8, atol=1e-12)


def test_much_regularization_is_the_scatter_within():
    X, y = load_wine()
    X = X.to_numpy()
    soft = in_deviations(DiscriminantMetric(regularization=1e9).fit(X, y).matrix_, X) / 1e9
    inverse = np.linalg.inv(by_definition(X, y.to_numpy())[0])
    np.testing.assert_allclose(soft, in_deviations(inverse, X), rtol=1e-5, atol=1e-6)


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


def test_a_class_that_never_varies():
    """The perfect column rules; the other still
    decides among rows that it can't tell apart."""
    X, y = (np.array([[1.0, 5], [1, 6], [1, 7], [3, 5], [3, 7], [3, 6]]),
            ["a"] * 3 + ["b"] * 3)
    metric = DiscriminantMetric(regularization=1.0).fit(X, y)
    assert metric.ratios_[0] == pytest.approx(1e6)
    distances = cdist(*[metric.transform(X)] * 2)
    assert distances[:3, 3:].min() > 100 * distances[:3, :3].max() > 0


@pytest.mark.parametrize("learner", LEARNERS)
def test_fewer_rows_than_columns(learner):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.repeat(["a", "b", "c"], 4)
    metric = clone(learner).fit(X, y)
    assert (np.isfinite(metric.matrix_).all()
            and np.isfinite(metric.transform(rng.normal(size=(5, 40)))).all())
    assert cdist(*[metric.transform(X)] * 2)[:4, 4:].min() > 0
    assert KNNClassifier(1, metric=clone(learner)).fit(X, y).score(X, y) == 1


def test_shrunk_to_the_end_mahalanobis_standardizes():
    X, _ = load_wine()
    Z = MahalanobisMetric(1.0).fit(X).transform(X)
    np.testing.assert_allclose(Z - Z.mean(), (X - X.mean()) / X.std(ddof=0), atol=1e-9)


def test_nothing_to_measure_by():
    X = np.full((5, 2), 0.1)
    for learner in LEARNERS:
        with pytest.raises(ValueError, match="no column of X varies"):
            clone(learner).fit(X, list("abbba"))
    with pytest.raises(ValueError, match="no column of X varies.*one sample"):
        MahalanobisMetric().fit([[1.0, 2.0]])


def test_equal_means():
    X, y = load_xor()
    with pytest.raises(ValueError, match="class means coincide.*regularization above 0"):
        DiscriminantMetric().fit(X, y)
    soft = DiscriminantMetric(regularization=1.0).fit(X, y)
    np.testing.assert_allclose(soft.matrix_, MahalanobisMetric(1.0).fit(X).matrix_)
    assert (DiscriminantMetric().fit(X, y, sample_weight=[1, 1, 1, 2]).ratios_ > 0).all()


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


def test_parameters_can_be_searched():
    X, y = load_iris()
    grid = GridSearchCV(KNNClassifier(metric=DiscriminantMetric()),
                        {"metric__regularization": [0.0, 1.0]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.9


# ------------------------------------ the protocol, and hostile input


@pytest.mark.deep
@pytest.mark.parametrize("estimator", LEARNERS)
def test_protocol(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_skip=None)
    assert not [r["check_name"] for r in results if r["status"] == "failed"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_forms_of_input(learner):
    X, y = load_iris()
    metric = clone(learner).fit(X, y)
    frame = metric.transform(X)
    array = clone(learner).fit(X.to_numpy(), y.to_numpy()).transform(X.to_numpy())
    table = clone(learner).fit(learn_table(X), y).transform(learn_table(X))
    assert list(frame.columns) == list(X.columns) == list(metric.get_feature_names_out())
    assert frame.index.equals(X.index)
    np.testing.assert_allclose(frame, array)
    np.testing.assert_allclose(np.asarray(table), array)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(metric)).matrix_,
                                  metric.matrix_)
    integers = (10 * X).astype(int)
    assert (clone(learner).fit(integers, y).transform(integers).dtypes == np.float64).all()
    assert not hasattr(clone(learner), "matrix_")


@pytest.mark.parametrize("learner", LEARNERS)
def test_bad_tables(learner):
    X, y = load_iris()
    metric = clone(learner)
    with pytest.raises(ValueError, match="'Age'.*nominal"):
        metric.fit(*load_loan())
    holes = X.copy()
    holes.iloc[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"missing values.*'sepal width \(cm\)'"):
        metric.fit(holes, y)
    metric.fit(X, y)
    with pytest.raises(ValueError, match=r"missing values.*'sepal width \(cm\)'"):
        metric.transform(holes)
    with pytest.raises(ValueError, match="infinity"):
        metric.fit(X.assign(endless=np.inf), y)
    with pytest.raises(ValueError, match="'huge' has values too large"):
        metric.fit(X.assign(huge=np.linspace(-1e200, 1e200, 150)), y)
    with pytest.raises(ValueError, match="weights"):
        metric.fit(X, y, sample_weight=-np.ones(150))
    with pytest.raises(ValueError, match="all sample weights are zero"):
        metric.fit(X, y, sample_weight=np.zeros(150))
    with pytest.raises(ValueError, match="sample_weight"):
        metric.fit(X, y, sample_weight=np.ones(149))


def test_bad_classes():
    X, y = load_iris()
    with pytest.raises(ValueError, match="one class, 'flower'"):
        DiscriminantMetric().fit(X, pd.Series(["flower"] * 150, dtype=object))
    # the only rows of the others weigh nothing
    with pytest.raises(ValueError, match="one class"):
        DiscriminantMetric().fit(X, y, sample_weight=(y == y[0]).astype(float))
    with pytest.raises(ValueError, match="y"):
        DiscriminantMetric().fit(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DiscriminantMetric().fit(X, y[:-1])


def test_bad_parameters():
    X, y = load_iris()
    for wrong in (-0.1, 1.1, "auto", None, np.nan, True):
        for learner in (MahalanobisMetric(wrong), DiscriminantMetric(wrong)):
            with pytest.raises(ValueError, match="shrinkage is"):
                learner.fit(X, y)
    for wrong in (-1, np.nan, np.inf, "1", None, True):
        with pytest.raises(ValueError, match="regularization is"):
            DiscriminantMetric(regularization=wrong).fit(X, y)
