"""The Hoeffding tree: the bound by hand, the batch tree's first question, portions of any
size, gaps and new values, stored models that go on learning."""

import numpy as np
import pandas as pd
import pytest

from supervised.basics.generators import make_rule_table
from supervised.bayes import NaiveBayesClassifier
from supervised.practice import HoeffdingTreeClassifier
from supervised.practice.streams import hoeffding_bound
from supervised.trees import C45Classifier, ID3Classifier


def stream(n=4000, **options):
    return make_rule_table(n, noise=0.1, random_state=1, **options)


def in_portions(model, X, y, size):
    for i in range(0, len(X), size):
        model.partial_fit(X[i:i + size], y[i:i + size], classes=["c1", "c2"])
    return model


def test_bound_by_hand():
    assert hoeffding_bound(50, np.exp(-4)) == pytest.approx(0.2)  # sqrt(4 / 100)
    assert hoeffding_bound(50, np.exp(-4), 3) == pytest.approx(0.6)
    for bad in ((0, 0.1), (5, 1.0), (5, 0.0), (5, 0.1, -1)):
        with pytest.raises(ValueError, match="n|delta|width"):
            hoeffding_bound(*bad)


@pytest.mark.parametrize("seed", range(4))
def test_first_question_is_that_of_the_batch_tree(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(3, size=(20_000, 4)), columns=list("abcd")).astype(str)
    strong, weak = rng.permutation(list("abcd"))[:2]
    p = 0.3 + 0.4 * (X[strong] == "1") + 0.2 * (X[weak] == "2")
    y = (rng.random(20_000) < p).astype(int)
    ours = HoeffdingTreeClassifier(tie_threshold=0).fit(X, y).tree_
    for batch in (ID3Classifier(max_depth=1), C45Classifier(max_depth=1)):
        assert ours.attribute[0] == batch.fit(X, y).tree_.attribute[0]
    assert ours.attributes[ours.attribute[0]].name == strong


def test_a_cut_between_two_normal_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=4000)
    X = pd.DataFrame({"noise": rng.normal(size=4000), "x": rng.normal(size=4000) + 4 * y})
    tree = HoeffdingTreeClassifier().fit(X, y).tree_
    assert tree.attribute[0] == 1
    assert tree.threshold[0] == pytest.approx(2, abs=0.3)  # where the densities are equal


@pytest.mark.parametrize("leaves", ["majority", "naive_bayes"])
def test_portions_do_not_matter(leaves):
    X, y = stream(missing=0.1)
    models = [in_portions(HoeffdingTreeClassifier(delta=0.05, leaf_prediction=leaves),
                          X, y, size) for size in (4000, 700, 33)]
    assert models[0].n_leaves_ > 5
    for model in models[1:]:
        assert model.to_text() == models[0].to_text()
        np.testing.assert_allclose(model.predict_proba(X), models[0].predict_proba(X),
                                   atol=1e-9)
    names = X.drop(columns=[c for c in X if c.startswith("x")])
    one, two = (in_portions(HoeffdingTreeClassifier(delta=0.05), names, y, size)
                for size in (4000, 33))
    assert one.to_json() == two.to_json()  # of counts alone: to the last bit


def test_weights_are_repetitions():
    X, y = stream(1500)
    twice = np.repeat(np.arange(1500), 2)
    one = HoeffdingTreeClassifier(100, 0.2).partial_fit(X, y, sample_weight=[2] * 1500)
    two = HoeffdingTreeClassifier(100, 0.2).partial_fit(X.iloc[twice], y[twice])
    assert one.n_leaves_ > 1
    assert one.to_text() == two.to_text()


def test_a_single_leaf_is_naive_bayes():
    X, y = stream(150)
    np.testing.assert_allclose(HoeffdingTreeClassifier().fit(X, y).predict_proba(X),
                               NaiveBayesClassifier().fit(X, y).predict_proba(X))


def test_noise_is_not_asked_about():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(20_000, 3)), rng.integers(2, size=20_000)
    assert HoeffdingTreeClassifier().fit(X, y).n_leaves_ == 1


def test_new_values_and_gaps_take_the_heaviest_branch():
    X = pd.DataFrame({"a": ["p"] * 300 + ["q"] * 100, "b": ["u", "v"] * 200})
    y = np.where(X["a"] == "p", 0, 1)
    mixed = np.random.default_rng(0).permutation(400)
    model = HoeffdingTreeClassifier(100, 0.01).partial_fit(X.iloc[mixed], y[mixed])
    assert model.n_leaves_ == 2
    before = model.tree_.counts.copy()
    late = pd.DataFrame({"a": ["o"] * 10 + [None] * 5, "b": ["w"] * 15})
    model.partial_fit(late, [0] * 15)
    assert model.attributes_[0].domain == ("o", "p", "q")
    assert (model.tree_.counts - before).sum(axis=1).tolist() == [15, 15, 0]
    assert model.predict(late).tolist() == [0] * 15
    again = HoeffdingTreeClassifier.from_json(model.to_json())
    assert again.partial_fit(X, y).to_json() == model.partial_fit(X, y).to_json()


@pytest.mark.parametrize("leaves", ["majority", "naive_bayes"])
def test_explanations_say_what_is_predicted(leaves):
    X, y = stream(3000, missing=0.1)
    model = HoeffdingTreeClassifier(delta=0.1, leaf_prediction=leaves).fit(X, y)
    for i in range(40):
        told = model.explain(X.iloc[i])
        assert told.prediction == model.predict(X[i:i + 1])[0]
        assert told.probability == pytest.approx(model.predict_proba(X[i:i + 1]).max())


def test_what_does_not_fit_is_refused_and_changes_nothing():
    X, y = stream(500)
    model = HoeffdingTreeClassifier().partial_fit(X, y)
    before = model.to_json()
    with pytest.raises(ValueError, match="not among the classes"):
        model.partial_fit(X[:1], ["c9"])
    with pytest.raises(ValueError, match="classes are"):
        model.partial_fit(X, y, classes=["c1", "c3"])
    with pytest.raises(ValueError, match="x1"):
        model.partial_fit(X.drop(columns="x1"), y)
    with pytest.raises(ValueError, match="too large to square"):
        model.partial_fit(X.assign(x1=np.linspace(-1e300, 1e300, 500)), y)
    assert model.to_json() == before
    with pytest.raises(ValueError, match="grace_period"):
        HoeffdingTreeClassifier(grace_period=0).fit(X, y)
    with pytest.raises(ValueError, match="Shapley"):
        model._games(None)


def test_damaged_leaves_are_named():
    X, y = stream(800)
    text = HoeffdingTreeClassifier(100, 0.3).fit(X, y).to_json()
    with pytest.raises(ValueError, match=r"defaults_\[0\]"):
        HoeffdingTreeClassifier.from_json(
            text.replace('"defaults_": [', '"defaults_": [9', 1))
