"""Everything that claims scikit-learn's protocol passes
scikit-learn's own checks, with no failure expected."""

import importlib
import inspect
import re
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from supervised.associations import CBAClassifier
from supervised.basics.datasets import load_credit
from supervised.bayes import (
    BernoulliTextClassifier,
    MultinomialTextClassifier,
    NaiveBayesClassifier,
)
from supervised.ensembles import (
    GradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from supervised.ensembles.engine.boosting import StumpClassifier, _stump_text
from supervised.ensembles.engine.gradient import _tree_lines
from supervised.features import (
    FisherClassifier,
    FisherTransformer,
    SelectBest,
    WrapperSelector,
)
from supervised.features.filters import SCORES
from supervised.linear import (
    LeastSquaresClassifier,
    LogisticClassifier,
    PerceptronClassifier,
)
from supervised.neighbors import KNNClassifier
from supervised.neighbors.engine.metrics import DiscriminantMetric, MahalanobisMetric
from supervised.neural import NeuralNetworkClassifier
from supervised.rules import (
    AQClassifier,
    C45RulesClassifier,
    CN2Classifier,
    FOILClassifier,
    PARTClassifier,
    RIPPERClassifier,
)
from supervised.svm import KernelFisherClassifier
from supervised.trees import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
    ObliqueTreeClassifier,
)
from tools.book import modules

# around another one, without a default
GIVEN = {"CalibratedClassifier": {"estimator": NaiveBayesClassifier(), "cv": 3},
         "ConformalClassifier": {"estimator": NaiveBayesClassifier()},
         "ThresholdClassifier": {"estimator": NaiveBayesClassifier(), "cv": 3}}


@cache
def estimators():
    """One instance of every public estimator that can
    be built without arguments, or is given some; bases are left out."""
    kinds = []
    for name in modules():
        module = importlib.import_module(f"supervised.{name}")
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if inspect.isclass(kind) and issubclass(kind, BaseEstimator):
                kinds.append(kind)
    return [kind(**GIVEN.get(kind.__name__, {})) for kind in dict.fromkeys(kinds)
            if not is_base(kind)]


def is_base(kind):
    """A base class can't learn from a table: it leaves a method or a parameter to its
    subclasses, or only reads tables for them."""
    if not hasattr(kind, "fit"):
        return True
    X, y = np.array([[0, 1], [1, 0], [2, 1], [3, 2]]), np.array([0, 0, 1, 1])
    try:
        fitted = kind().fit(X, y)
        (fitted.predict if hasattr(fitted, "predict") else fitted.transform)(X)
    except NotImplementedError:
        return True
    except AttributeError:
        return bool(kind.__subclasses__())
    except (TypeError, ValueError):  # it learns, but not from this table
        return False
    return False


def test_all_are_found():
    names = {type(e).__name__ for e in estimators()}
    assert {"MajorityClassifier", "RoteClassifier", "TableEncoder", "MissingValueImputer",
            "IndicatorEncoder", "EqualWidthDiscretizer", "EqualFrequencyDiscretizer",
            "Standardizer", "UnitLengthScaler", "PARTClassifier", "LogisticClassifier",
            "LinearSVMClassifier", "SVMClassifier", "NeuralNetworkClassifier",
            "GradientBoostingClassifier"} <= names


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@parametrize_with_checks(estimators())
def test_protocol(estimator, check):
    check(estimator)


OTHERWISE = [  # settings that are not the defaults, and what they change
    *(RandomForestClassifier(5, kind) for kind in ("geurts", "ho", "fan", "handout")),
    RandomForestClassifier(5, criterion="entropy", max_features=None),
    RandomForestClassifier(5, oob_score=True, max_samples=0.5),
    VotingClassifier(voting="soft", weights="log_odds"),
    StackingClassifier(passthrough=True, voting="hard"),
    StackingClassifier([("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
                        ("bayes", GaussianNB())], LogisticRegression()),
    MultinomialTextClassifier(0, "uniform"), BernoulliTextClassifier(0, threshold=1),
    *(NaiveBayesClassifier(kind) for kind in ("kernel", "laplace", "discretized")),
    FisherClassifier("gaussian", 0.2), WrapperSelector(direction="random"),
    # without shrinkage, of several perfect directions (n < d) none is the first: rounding
    # decides
    FisherTransformer(method="orthogonal", shrinkage=0.2),
    *(SelectBest(2, by) for by in SCORES),
    LogisticClassifier("l1"), LogisticClassifier(solver="ascent"),
    LeastSquaresClassifier(1.0), LeastSquaresClassifier(coding="fisher"),
    PerceptronClassifier("pocket"), PerceptronClassifier("plain"),
    KNNClassifier(weights="distance"), KNNClassifier(metric="vdm"), MahalanobisMetric(0.4),
    DiscriminantMetric(0.4), DiscriminantMetric(regularization=1.0),
    DiscriminantMetric(0.4, 0.5),
    NeuralNetworkClassifier((), learning_rate=0.05),
    NeuralNetworkClassifier((10,), solver="adamw", learning_rate=0.01, weight_decay=0.01),
    NeuralNetworkClassifier((20,), "tanh", "sgd", early_stopping=True, dropout=0.1),
    ObliqueTreeClassifier("margin", max_depth=3)]


def drawn_otherwise_for_copies(estimator):
    """Masks and rows held out are."""
    checks = [f"check_sample_weight_equivalence_on_{kind}_data"
              for kind in ("dense", "sparse")]
    return dict.fromkeys(checks * bool(getattr(estimator, "dropout", 0)), "drawn otherwise")


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(OTHERWISE, expected_failed_checks=drawn_otherwise_for_copies)
def test_protocol_of_other_settings(estimator, check):
    check(estimator)


# ------------------------------------------------------------------------------- weights

def classifiers():
    """Those that learn from a table and take weights."""
    return [e for e in estimators() if is_classifier(e)
            and has_fit_parameter(e, "sample_weight")
            and type(e).__name__ != "XRulesClassifier"]  # learns from trees


def answers(estimator, X, y, weights=None):
    """What it says of the training rows once it is fitted."""
    seed = {k: 0 for k in estimator.get_params() if k == "random_state"}
    model = clone(estimator).set_params(**seed).fit(X, y, sample_weight=weights)
    return (model.predict_proba(X) if hasattr(model, "predict_proba")
            else np.asarray(model.decision_function(X)))


def small_table():
    """Forty rows with one number that parts them in four, and one that says little."""
    rng = np.random.default_rng(7)
    X = np.column_stack([np.arange(40), rng.integers(0, 9, 40)]).astype(float)
    return X, (np.arange(40) // 10) % 2, rng


by_name = pytest.mark.parametrize("estimator", classifiers(),
                                  ids=lambda e: type(e).__name__)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@by_name
def test_equal_light_weights_are_no_weights(estimator):
    X, y, _ = small_table()
    wanted = answers(estimator, X, y)
    for weight in (1 / 40, 1e-9, 0.3):
        np.testing.assert_array_equal(answers(estimator, X, y, np.full(40, weight)), wanted)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@by_name
def test_light_weights_are_shares(estimator):
    X, y, rng = small_table()
    weights = 2.0 ** -rng.integers(0, 3, 40)  # dividing by powers of 2 rounds nothing
    np.testing.assert_array_equal(answers(estimator, X, y, weights),
                                  answers(estimator, X, y, weights / 1024))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@by_name
@pytest.mark.parametrize("factor", [20, 1000])
def test_a_factor_on_weights_changes_nothing_or_is_warned_of(estimator, factor):
    X, y, rng = small_table()
    weights = rng.integers(1, 4, 40)
    wanted = answers(estimator, X, y, weights)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = answers(estimator, X, y, factor * weights)
    warned = any("all sample weights are above 1" in str(w.message) for w in caught)
    if not warned:
        np.testing.assert_allclose(found, wanted, atol=1e-6)
    # no row is lighter than the others there, whatever the factor
    assert warned == getattr(estimator, "_counts", True)


@pytest.mark.parametrize("estimator", [KernelFisherClassifier(regularization=0.1),
                                       FisherClassifier(shrinkage=0.3),
                                       NeuralNetworkClassifier((4,), weight_decay=0.5,
                                                               max_iter=9)],
                         ids=lambda e: type(e).__name__)
def test_a_penalty_goes_with_the_mean_where_only_ratios_matter(estimator):
    X, y, rng = small_table()
    weights = rng.integers(1, 4, 40)
    assert not estimator._counts
    np.testing.assert_allclose(answers(estimator, X, y, 50 * weights),
                               answers(estimator, X, y, weights), atol=1e-6)


@pytest.mark.filterwarnings("ignore:all sample weights are above 1")
@pytest.mark.parametrize("estimator", [C45Classifier(), C45RulesClassifier(),
                                       PARTClassifier(), CHAIDClassifier()],
                         ids=lambda e: type(e).__name__)
def test_heavy_rows_are_as_good_as_many(estimator):
    """Weights of 20 were 0.5 right of this, twenty times the rows all."""
    X = np.arange(40.0)[:, None]
    y = (np.arange(40) // 10) % 2
    weighted = clone(estimator).fit(X, y, sample_weight=np.full(40, 20.0))
    repeated = clone(estimator).fit(np.repeat(X, 20, axis=0), np.repeat(y, 20))
    assert weighted.score(X, y) == repeated.score(X, y)
    assert type(estimator) is CHAIDClassifier or weighted.score(X, y) == 1


@pytest.mark.filterwarnings("ignore:all sample weights are above 1")
def test_stacking_does_not_turn_over_where_weights_are_large():
    rng = np.random.default_rng(33)
    X = rng.normal(size=(60, 2))
    y = (X.sum(axis=1) > 0).astype(int)
    weights = 1000.0 * rng.integers(1, 4, 60)
    assert StackingClassifier().fit(X, y, sample_weight=weights).score(X, y) > 0.8


# ---------------------------------------------------------------------------- thresholds

@pytest.mark.parametrize("values", [(5247891.21, 5247891.23, 5247891.27, 5247891.29),
                                    (1e15 + 1, 1e15 + 2, 1e15 + 4, 1e15 + 5)],
                         ids=["nine digits", "sixteen digits"])
@pytest.mark.parametrize("estimator", [C45Classifier(), CARTClassifier(), ID3Classifier(),
                                       C45RulesClassifier(), PARTClassifier(),
                                       RIPPERClassifier(), CN2Classifier(), AQClassifier(),
                                       FOILClassifier(), CBAClassifier(),
                                       StumpClassifier(), GradientBoostingClassifier()],
                         ids=lambda e: type(e).__name__)
def test_printed_thresholds_divide_the_rows_as_the_model_does(estimator, values):
    """`north <= 5247891.2` and `north <= 5.24789e+06` are met by no row."""
    north, y = np.repeat(values, 10), np.repeat([0, 0, 1, 1], 10)
    X = pd.DataFrame({"north": north})
    model = clone(estimator).fit(X, y)
    assert (model.predict(X) == y).all()
    text = (_stump_text(model.stump_, model.attributes_, model.classes_)
            if isinstance(model, StumpClassifier)
            else "\n".join(_tree_lines(model.trees_, 0))
            if isinstance(model, GradientBoostingClassifier) else model.to_text())
    for relation, number in re.findall(r"(<=|>=|<|>) ([-+.e\d]+\d)", text):
        below = (north < float(number) if relation in ("<", ">=")
                 else north <= float(number))
        assert below.sum() == 20, text
    assert "<" in text or ">" in text


def renamed(X):
    """The same table, under labels whose alphabetical order reverses their places."""
    return X.assign(**{
        name: X[name].cat.rename_categories([f"value {90 - place}" for place in
                                             range(len(X[name].cat.categories))])
        for name in X.select_dtypes("category")})


def as_codes(answer):
    """What a learner says, as numbers: nominal columns by their places."""
    if isinstance(answer, pd.DataFrame):
        columns = [answer.iloc[:, j] for j in range(answer.shape[1])]
        return np.column_stack([c.cat.codes if isinstance(c.dtype, pd.CategoricalDtype)
                                else c for c in columns])
    return np.asarray(answer)


def told(estimator, X, y):
    """All that an estimator says of the rows it has learned; one that reads no names is
    skipped."""
    learner = clone(estimator)
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)
    try:
        learner.fit(X, y)
    except (TypeError, ValueError) as error:
        pytest.skip(str(error))
    methods = ("predict", "predict_proba", "decision_function", "transform")
    return [as_codes(getattr(learner, m)(X)) for m in methods if hasattr(learner, m)]


@pytest.mark.filterwarnings("ignore:there are more than max_rules")
@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_labels_do_not_matter(estimator):
    """A learner sees the place of a value in its domain and never its label: a wrong
    codebook, such as that of the credits until 2019, leaves each model as it is."""
    X, y = load_credit()
    X, y = X[:200], y[:200]
    before, after = told(estimator, X, y), told(estimator, renamed(X), y)
    assert before and len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


WITH_A_BAR = [  # learners that may take a minute, each by rows, rules, rounds or steps
    "CN2Classifier", "AQClassifier", "FOILClassifier", "FOCLClassifier", "PARTClassifier",
    "IREPClassifier", "REPClassifier", "RIPPERClassifier", "CBAClassifier",
    "CMARClassifier", "CPARClassifier", "MaximalPatternClassifier",
    "StrongestRuleClassifier", "ObliqueTreeClassifier", "KernelPerceptron", "KernelKMeans",
    "LinearSVMClassifier", "SVMClassifier", "NeuralNetworkClassifier", "BaggingClassifier",
    "RandomForestClassifier", "AdaBoostClassifier", "GradientBoostingClassifier"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", WITH_A_BAR)
def test_progress_on_request(name, capsys):
    (model,) = [e for e in estimators() if type(e).__name__ == name]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X.sum(axis=1) + rng.normal(size=60) / 2 > 0).astype(int)
    if "random_state" in model.get_params():
        model = clone(model).set_params(random_state=0)
    plain = clone(model).fit(X, y).predict(X)
    assert "it/s" not in capsys.readouterr().err
    watched = clone(model).set_params(verbose=1).fit(X, y)
    assert "it/s" in capsys.readouterr().err
    assert (watched.predict(X) == plain).all()


@pytest.mark.parametrize("name, parameter, value", [
    ("KNNClassifier", "n_neighbors", 3), ("NeuralNetworkClassifier", "learning_rate", 0.1),
    ("CARTClassifier", "class_weight", "balanced"), ("CARTClassifier", "ccp_alpha", 0.1),
    ("RandomForestClassifier", "class_weight", "balanced"),
    ("LogisticClassifier", "C", 1.0), ("NaiveBayesClassifier", "alpha", 1.0)])
def test_names_that_users_know_are_taken_or_answered_with_ours(name, parameter, value):
    (kind,) = [type(e) for e in estimators() if type(e).__name__ == name]
    try:
        kind(**{parameter: value})
    except TypeError as error:
        assert "unexpected keyword" not in str(error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_masked_arrays_and_matrices(estimator):
    """What a mask hides is missing, and a matrix of NumPy is an array."""
    X, y, _ = small_table()

    def said(table):
        seed = {k: 0 for k in estimator.get_params() if k == "random_state"}
        try:
            model = clone(estimator).set_params(**seed).fit(table, y)
        except (TypeError, ValueError) as error:
            return str(error)
        answer = getattr(model, "predict", None) or model.transform
        return np.asarray(answer(X), dtype=float).tolist()
    with_gap, hidden = X.copy(), np.ma.masked_array(X.copy(), np.zeros(X.shape, bool))
    with_gap[5, 1], hidden.data[5, 1], hidden.mask[5, 1] = np.nan, 999, True
    assert said(hidden) == said(with_gap)
    if "TextClassifier" not in type(estimator).__name__:  # refused, by name
        assert said(np.asmatrix(X)) == said(X)
