"""Curves and tuned thresholds beside scikit-learn's, by exhaustive search, and with
tables and parameters that are hostile."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection as peer
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from supervised.basics.classifiers import from_json
from supervised.basics.datasets import load_heart_disease
from supervised.bayes import NaiveBayesClassifier
from supervised.evaluation import CalibratedClassifier, CrossValidation
from supervised.evaluation.engine.choosing import (
    ThresholdClassifier,
    _candidates,
    _objective,
    learning_curve,
    plot_curve,
    validation_curve,
)
from tests import examples

X, y = load_wine(return_X_y=True)
TWO = X[y < 2, :3], np.array(["no", "yes"])[y[y < 2]]


# ---------------------------------------------------------------------------- the curves

@pytest.mark.parametrize("measure", ["accuracy", "f1_macro"])
def test_learning_curve_is_scikit_learns(measure):
    ours = learning_curve(GaussianNB(), X, y, [0.3, 60, 1.0], cv=4, measure=measure,
                          random_state=5)
    rng = np.random.default_rng(5)
    pairs = [(rng.permutation(train), test) for train, test in
             list(CrossValidation(4, random_state=rng).split(X, y))]
    smallest = min(len(train) for train, _ in pairs)
    assert ours.index.tolist() == [int(0.3 * smallest + 0.5), 60, smallest]
    _, training, validation = peer.learning_curve(
        GaussianNB(), X, y, train_sizes=ours.index.to_numpy(), cv=pairs, scoring=measure)
    assert np.allclose(ours.attrs["training"], training)
    assert np.allclose(ours.attrs["validation"], validation)
    assert np.allclose(ours["validation"], validation.mean(axis=1))
    assert np.allclose(ours["validation_error"], validation.std(axis=1, ddof=1) / 2)


def test_validation_curve_is_scikit_learns():
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    name, values = "kneighborsclassifier__n_neighbors", [1, 5, 40]
    cv = CrossValidation(4, random_state=0)
    ours = validation_curve(model, X, y, name, values, cv=cv)
    training, validation = peer.validation_curve(model, X, y, param_name=name,
                                                 param_range=values, cv=cv)
    assert np.allclose(ours.attrs["training"], training)
    assert np.allclose(ours.attrs["validation"], validation)
    assert ours.index.name == name and ours.index.tolist() == values
    assert model.get_params()[name] == 5  # it is a copy that gets the values


def test_curves_keep_groups_together_by_the_pairs_of_a_splitter():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 4)
    rows, labels = rng.normal(size=(30, 2))[groups], rng.integers(0, 2, 30)[groups]
    nearest = KNeighborsClassifier(1)
    pairs = list(CrossValidation(5, random_state=0).split(rows, labels, groups))
    apart = learning_curve(nearest, rows, labels, [1.0], cv=pairs, random_state=0)
    mixed = learning_curve(nearest, rows, labels, [1.0], cv=5, random_state=0)
    assert mixed["validation"].item() == 1 and apart["validation"].item() < 0.8


@pytest.mark.parametrize("sizes, message", [
    ([], r"sizes is \[\]"), ([0], "sizes has 0"), ([1.5], "sizes has 1.5"),
    ([True], "sizes has True"), (["10"], "sizes has '10'"), (3, "sizes is 3"),
    ([200], "numbers of rows from 1 to"), ([float("nan")], "sizes has nan")])
def test_sizes_that_are_none(sizes, message):
    with pytest.raises(ValueError, match=message):
        learning_curve(GaussianNB(), X, y, sizes, cv=3)


def test_bad_arguments_of_curves():
    with pytest.raises(ValueError, match="param_name is 'k', but KNeighborsClassifier has"):
        validation_curve(KNeighborsClassifier(), X, y, "k", [1])
    for values in ([], "123", 5):
        with pytest.raises(ValueError, match="param_range is"):
            validation_curve(KNeighborsClassifier(), X, y, "n_neighbors", values)
    with pytest.raises(ValueError, match="n_neighbors"):
        validation_curve(KNeighborsClassifier(), X, y, "n_neighbors", [0], cv=3)
    with pytest.raises(ValueError, match="equally many"):
        learning_curve(GaussianNB(), X, y[1:])
    with pytest.raises(ValueError, match="curve has no column"):
        plot_curve(pd.DataFrame({"training": [1]}))
    with pytest.raises(ValueError) as caught:  # one class in the first rows
        learning_curve(LogisticRegression(), X, y, [1], cv=3, random_state=0)
    assert "round 1, with 1 training row" in caught.value.__notes__[0]


def test_the_plot_shows_the_table():
    curve = validation_curve(KNeighborsClassifier(), X, y, "weights",
                             ["uniform", "distance"], cv=3, random_state=0)
    ax = plot_curve(curve)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["uniform", "distance"]
    assert np.allclose(ax.lines[0].get_ydata(), curve["training"])
    assert np.allclose(ax.lines[1].get_ydata(), curve["validation"])
    one = learning_curve(GaussianNB(), X, y, cv=[(np.arange(0, 178, 2),
                                                  np.arange(1, 178, 2))])
    assert one["validation_error"].isna().all() and plot_curve(one).lines


# ------------------------------------------------------------------------- the threshold

ROWS = st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(1, 3)), min_size=2,
                max_size=25)
OBJECTIVES = {
    "accuracy": lambda t, p, w: np.average(t == p, weights=w),
    "balanced_accuracy": lambda t, p, w: balanced_accuracy_score(t, p, sample_weight=w),
    "f1": lambda t, p, w: f1_score(t, p, pos_label="b", sample_weight=w, zero_division=0),
    "costs": lambda t, p, w: -np.average((t != p) * np.where(t == "b", 5, 2), weights=w)}


@examples(60)
@given(ROWS, st.sampled_from(sorted(OBJECTIVES)))
def test_every_threshold_is_measured(rows, name):
    level, positive, weights = map(np.array, zip(*rows, strict=True))
    if positive.all() or not positive.any():
        return
    p, labels = level / 8, np.array(["a", "b"])
    tried = _candidates(p)
    scoring = {"a": 2, "b": 5} if name == "costs" else name
    found = _objective(scoring, tried, p, positive, weights.astype(float), labels)
    true, slow = labels[positive.astype(int)], OBJECTIVES[name]
    assert np.allclose(found, [slow(true, labels[(p >= t).astype(int)], weights)
                               for t in tried])
    finest = [slow(true, labels[(p >= t).astype(int)], weights)
              for t in np.linspace(0, 1.01, 203)]
    assert np.isclose(found.max(), max(finest))  # no threshold was left out


def test_probabilities_that_are_neighbors_are_told_apart():
    a = 0.3
    b = np.nextafter(a, 1)
    assert ((np.array([a, b]) >= _candidates(np.array([a, b]))[1]) == [False, True]).all()


@pytest.mark.parametrize("scoring", ["balanced_accuracy", "accuracy", "f1",
                                     {"no": 1, "yes": 5}])
@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_it_is_scikit_learns(scoring, pos_label):
    rows, labels = TWO[0][:120], TWO[1][:120]  # five folds of equal size
    pairs = list(peer.StratifiedKFold(5, shuffle=True, random_state=0).split(rows, labels))
    ours = ThresholdClassifier(GaussianNB(), scoring, pos_label, cv=pairs)
    ours.fit(rows, labels)

    def measured(true, said):
        return -np.mean(np.where(true == "yes", 5, 1) * (true != said))
    if isinstance(scoring, dict):
        scorer = make_scorer(measured)
    elif scoring == "accuracy":
        scorer = scoring
    else:
        return  # means over folds of these are others than those of all rows
    theirs = peer.TunedThresholdClassifierCV(
        GaussianNB(), scoring=scorer, cv=pairs, thresholds=ours.thresholds_[1:-1],
        store_cv_results=True).fit(rows, labels)
    found = theirs.cv_results_["scores"]
    if pos_label == "no":  # theirs, of a scorer without a label, is the second class
        return
    assert np.allclose(found, ours.scores_[1:-1])
    fixed = peer.FixedThresholdClassifier(GaussianNB(), threshold=ours.threshold_,
                                          response_method="predict_proba")
    assert (fixed.fit(rows, labels).predict(rows) == ours.predict(rows)).all()


def test_the_other_class_as_positive_is_the_same_rule():
    """Where nothing is tied, it is p(no) below t instead of p(yes) above 1 - t."""
    one = ThresholdClassifier(GaussianNB(), "accuracy", "no").fit(*TWO)
    other = ThresholdClassifier(GaussianNB(), "accuracy", "yes").fit(*TWO)
    assert one.best_score_ == pytest.approx(other.best_score_)
    assert np.allclose(one.scores_, other.scores_[::-1])


def test_a_function_is_called_for_each_threshold():
    named = ThresholdClassifier(GaussianNB(), "balanced_accuracy").fit(*TWO)
    called = ThresholdClassifier(GaussianNB(), balanced_accuracy_score).fit(*TWO)
    assert np.allclose(named.scores_, called.scores_)
    assert (named.predict(TWO[0]) == called.predict(TWO[0])).all()
    with pytest.raises(TypeError, match="can't be written"):
        ThresholdClassifier(NaiveBayesClassifier(), f1_score).fit(
            TWO[0], TWO[1] == "yes").to_json()
    with pytest.raises(ValueError, match="scoring gives nan"):
        ThresholdClassifier(GaussianNB(), lambda t, p: np.nan).fit(*TWO)


def test_probabilities_are_those_of_the_estimator():
    model = ThresholdClassifier(GaussianNB(), {"no": 1, "yes": 30}).fit(*TWO)
    plain = GaussianNB().fit(*TWO)
    assert np.array_equal(model.predict_proba(TWO[0]), plain.predict_proba(TWO[0]))
    assert (model.predict(TWO[0]) == "yes").sum() > (plain.predict(TWO[0]) == "yes").sum()
    said = model.explain(TWO[0][0])
    assert said.prediction == model.predict(TWO[0][:1])[0]
    assert said.probability == pytest.approx(
        model.predict_proba(TWO[0][:1])[0, model.classes_.tolist().index(said.prediction)])
    assert "tuned threshold" in str(said) and "from a probability of" in model.to_text()


def test_rows_of_weight_zero_rare_classes_and_a_stored_model():
    X, y = load_heart_disease()
    made = ThresholdClassifier(NaiveBayesClassifier())
    zero = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    left = ThresholdClassifier(NaiveBayesClassifier()).fit(X[zero > 0], y[zero > 0])
    assert made.fit(X, y, zero).threshold_ == left.threshold_
    assert np.array_equal(from_json(made.to_json()).thresholds_, made.thresholds_)
    given = list(CrossValidation(3, random_state=0).split(X, y))
    kept = ThresholdClassifier(NaiveBayesClassifier(), cv=given).fit(X, y, zero)
    assert len(kept.thresholds_) <= (zero > 0).sum() + 1
    assert (made.fit(X, ["a"] * len(X)).predict(X) == "a").all()
    assert from_json(made.to_json()).threshold_ == 0.5
    rare = np.where(np.arange(len(y)) == 7, "rare", "common")  # in one fold alone
    assert set(made.fit(X, rare).predict(X)) <= {"rare", "common"}


def test_large_costs_on_one_side_predict_always_or_never():
    always = ThresholdClassifier(GaussianNB(), {"no": 0, "yes": 1}).fit(*TWO)
    assert (always.predict(TWO[0]) == "yes").all() or always.best_score_ == 0
    noise = np.random.default_rng(0).normal(size=(60, 1))
    labels = np.repeat(["no", "yes"], 30)
    never = ThresholdClassifier(GaussianNB(), {"no": 1e6, "yes": 1}).fit(noise, labels)
    assert never.threshold_ == np.inf and (never.predict(noise) == "no").all()


@pytest.mark.parametrize("changed, message", [
    ({"scoring": "f2"}, "scoring is 'f2'"), ({"scoring": {"no": "1", "yes": 5}}, "costs"),
    ({"scoring": {"no": -1, "yes": 5}}, "costs"),
    ({"scoring": {"no": 0, "yes": 0}}, "costs"),
    ({"scoring": {}}, "costs"), ({"scoring": {"no": 1}}, "no cost for class 'yes'"),
    ({"scoring": {"no": float("nan"), "yes": 1}}, "costs"),
    ({"pos_label": "maybe"}, "pos_label is 'maybe'"), ({"cv": 1}, "cv is 1"),
    ({"cv": "five"}, "cv is 'five'")])
def test_bad_parameters(changed, message):
    with pytest.raises(ValueError, match=message):
        ThresholdClassifier(**{"estimator": GaussianNB()} | changed).fit(*TWO)


def test_classifiers_that_do_not_fit():
    with pytest.raises(TypeError, match="no predict_proba"):
        ThresholdClassifier(LinearSVC()).fit(*TWO)
    around = ThresholdClassifier(CalibratedClassifier(LinearSVC(random_state=0)))
    assert around.fit(*TWO).score(*TWO) > 0.8
    with pytest.raises(TypeError, match="make an instance"):
        ThresholdClassifier(GaussianNB).fit(*TWO)
    with pytest.raises(ValueError, match="takes no weights"):
        ThresholdClassifier(KNeighborsClassifier()).fit(*TWO, np.arange(len(TWO[1])))
    with pytest.raises(ValueError, match="two classes, and y has 3"):
        ThresholdClassifier(GaussianNB()).fit(X, y)


def test_folds_without_one_class():
    rows, labels = TWO[0][:40], np.repeat(["no", "yes"], 20)
    pairs = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]
    model = ThresholdClassifier(GaussianNB(), cv=pairs).fit(rows, labels)
    assert set(model.predict(rows)) <= {"no", "yes"}


def test_the_middle_of_equally_good_thresholds_and_from_it_on():
    X, y = np.arange(12.0)[:, None], np.array(["no", "yes"] * 6)
    model = ThresholdClassifier(GaussianNB(), lambda true, predicted: 0.0).fit(X, y)
    assert len(model.thresholds_) > 3
    assert model.threshold_ == model.thresholds_[len(model.thresholds_) // 2]
    model.threshold_ = model.predict_proba(X)[5, 1]
    assert model.predict(X)[5] == "yes"
    model.threshold_ = np.nextafter(model.threshold_, 1)
    assert model.predict(X)[5] == "no"
