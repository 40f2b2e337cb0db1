"""Wrappers: a plain search as reference, scikit-learn,
and what every direction has in common."""


import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from supervised.basics.datasets import load_iris, load_wine
from supervised.evaluation.engine.resampling import CrossValidation, evaluate
from supervised.features.engine.wrappers import _DIRECTIONS
from supervised.features.impurity import attribute_scores
from supervised.features.wrappers import WrapperSelector


class NearestMean(ClassifierMixin, BaseEstimator):
    """Answers with the class whose mean is nearest; fast."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


def data(n=60, n_attributes=5, n_classes=3, seed=0, strength=1.0):
    """Points of which the first two attributes tell the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, n_attributes))
    X[:, :2] += strength * y[:, None]
    return X, y


def folds_of(X, y, n=4):
    return list(CrossValidation(n, random_state=0).split(X, y))


# ------------------------------------ the searches


def greedy(classifier, X, y, cv, forward):
    """The whole path of a greedy search, written down plainly."""
    n = X.shape[1]
    current, path = [] if forward else list(range(n)), []
    while (len(current) < n) if forward else (len(current) > 1):
        options = [sorted({*current, j}) if forward else sorted({*current} - {j})
                   for j in range(n) if (j in current) != forward]
        means = [round(cross_val_score(classifier, X[:, o], y, cv=cv).mean(), 12)
                 for o in options]
        current = options[int(np.argmax(means))]
        path.append((tuple(current), max(means)))
    return path


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("seed", [0, 1])
def test_greedy_path_by_a_plain_search(direction, seed):
    X, y = data(48, 5, seed=seed)
    cv = folds_of(X, y)
    path = greedy(GaussianNB(), X, y, cv, direction == "forward")
    history = WrapperSelector(GaussianNB(), direction, cv=cv, n_iter_no_change
                              =9).fit(X, y).history_
    if direction == "backward":
        full, history = history.iloc[0], history.iloc[1:]
        assert full["n_attributes"] == 5 and full["added"] == full["removed"] == ""
        assert full["estimate"] == pytest.approx(
            cross_val_score(GaussianNB(), X, y, cv=cv).mean())
    assert history["estimate"].to_numpy() == pytest.approx([e for _, e in path])
    assert history["n_attributes"].tolist() == [len(s) for s, _ in path]
    moved = history["added" if direction == "forward" else "removed"]
    walked = set() if direction == "forward" else set(range(5))
    for name, (subset, _) in zip(moved, path, strict=True):
        walked ^= {int(name[1:])}
        assert walked == set(subset)


@pytest.mark.parametrize("load, classifier, sizes", [
    (load_iris, GaussianNB(), (1, 2, 3)), *(
        pytest.param(load_wine, classifier, sizes, marks=pytest.mark.deep)
        for classifier, sizes in ((GaussianNB(), (2, 5)), (KNeighborsClassifier(3), (4,)),
                                  (DecisionTreeClassifier(random_state=0), (3,))))
])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_agreement_with_scikit_learn(load, classifier, sizes, direction):
    X, y = load()
    if direction == "backward":
        X = X.iloc[:, :7]
    cv = folds_of(X, y, 3)
    history = WrapperSelector(classifier, direction, cv=cv, n_iter_no_change
                              =99).fit(X, y).history_
    for size in sizes:
        peer = SequentialFeatureSelector(classifier, n_features_to_select=size,
                                         direction=direction, cv=cv).fit(X, y)
        if direction == "forward":
            ours = set(history.loc[history["n_attributes"] <= size, "added"])
        else:
            ours = set(X) - set(history.loc[history["n_attributes"] >= size, "removed"])
        assert ours == set(peer.get_feature_names_out())


def test_floating_leaves_the_scout_behind():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200))
    X = np.column_stack([a, b, a + b + rng.normal(size=200), rng.normal(size=200)])
    y = np.where(a + b > 0, "yes", "no")
    cv = folds_of(X, y, 5)
    found = {d: WrapperSelector(GaussianNB(), d, cv=cv).fit(X, y)
             for d in ("forward", "backward", "floating")}
    assert "x2" in found["forward"].selected_
    assert found["backward"].selected_ == found["floating"].selected_ == ["x0", "x1"]
    assert "x2" in found["floating"].history_["removed"].tolist()


def test_filter_order_is_that_of_the_gain():
    X, y = load_iris()
    history = (WrapperSelector(GaussianNB(), "filter_order", cv=folds_of(X, y),
                               n_iter_no_change=9)
               .fit(X, y).history_)
    assert history["added"].tolist() == attribute_scores(X, y).index.tolist()
    with_refusals = history["accepted"].cumsum() + (~history["accepted"])
    # a refused attribute is not kept
    assert history["n_attributes"].tolist() == with_refusals.tolist()


def test_tolerance_and_limit():
    X, y = data(120, 6)
    cv = folds_of(X, y)
    sizes = [len(WrapperSelector(GaussianNB(), d, cv=cv, tol=t).fit(X, y).selected_)
             for d in ("forward", "backward") for t in (0.0, 1.0)]
    assert sizes[1] == sizes[3] == 1  # nothing is worth that much
    for direction in _DIRECTIONS:
        limited = WrapperSelector(GaussianNB(), direction, cv=cv, max_attributes=1,
                                  random_state=0).fit(X, y)
        assert len(limited.selected_) == 1


def test_selection_outside_flatters():
    rng = np.random.default_rng(0)
    claims, honest = [], []
    for seed in range(6):
        noise, coin = rng.normal(size=(40, 15)), np.arange(40) % 2
        selector = WrapperSelector(NearestMean(), cv=4, random_state=seed)
        claims.append(selector.fit(noise, coin).history_["estimate"].max())
        pipe = make_pipeline(selector, NearestMean())
        honest.append(evaluate(pipe, noise, coin, 5, random_state=seed)["mean"].item())
    assert np.mean(claims) > 0.64 and abs(np.mean(honest) - 0.5) < 0.12
