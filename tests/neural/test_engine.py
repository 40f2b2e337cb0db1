"""The network of the networks: gradients, steps, epochs, stopping, what a model keeps."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_moons
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier

from supervised.basics import Standardizer
from supervised.basics.datasets import load_breast_cancer, load_credit, load_iris
from supervised.evaluation import Holdout
from supervised.linear import LogisticClassifier
from supervised.neural.engine import network
from supervised.neural.engine.network import (
    _ACTIVATIONS,
    NeuralNetworkClassifier,
    _Examples,
    _initial_parameters,
    _input_gradients,
    _integrated_gradients,
    _layers_of,
    _learning_rate_at,
    _Network,
    _network_scores,
    _new_optimizer,
    _train_epoch,
    _TrainingSettings,
)
from tests import examples, interrupting

TUMORS, DIAGNOSIS = load_breast_cancer()
FLOWERS, SPECIES = load_iris()


def quick(*args, **how):
    """A small network with a seed."""
    return NeuralNetworkClassifier(*args, **{"random_state": 0, "max_iter": 20} | how)


def same_weights(one, other, **how):
    parts = zip(one.weights_ + one.biases_, other.weights_ + other.biases_, strict=True)
    return all(np.allclose(a, b, **({"rtol": 0, "atol": 0} | how)) for a, b in parts)


def plain_rows(X, labels, weights=None):
    """Rows that are standardized already."""
    d = X.shape[1]
    weights = np.ones(len(X)) if weights is None else weights
    return _Examples(X, labels, weights, np.zeros(d), np.ones(d))


# ------------------------------------ gradients


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("activation", _ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(), (4,), (5, 3)])
@examples(20)
@given(seed=st.integers(0, 10_000), dropout=st.sampled_from([0.0, 0.4]))
def test_gradients_are_differences(hidden, activation, outputs, seed, dropout):
    rng = np.random.default_rng(seed)
    sizes = (3, *hidden, outputs)
    X, weights = rng.normal(size=(6, 3)), rng.uniform(0.2, 3, 6)
    labels = rng.integers(0, max(outputs, 2), 6)
    net = _Network(sizes, activation, _initial_parameters(sizes, rng), 6, dropout)
    net.theta[net.n_weights:] = rng.normal(size=len(net.theta) - net.n_weights)

    def loss():  # the same masks at each call
        masks = np.random.default_rng(seed + 1) if dropout else None
        return net.learn(X, labels, weights, masks)

    loss()
    found = net.gradient.copy()
    for i in range(len(net.theta)):
        net.theta[i] += 1e-6
        above = loss()
        net.theta[i] -= 2e-6
        below = loss()
        net.theta[i] += 1e-6
        assert found[i] == pytest.approx((above - below) / 2e-6, abs=1e-6)


# ------------------------------------ steps


def plain_steps(theta, gradients, n_weights, solver, learning_rate, decay, beta_1):
    """Algorithms 1 and 2 of Loshchilov and Hutter (2019), without a schedule."""
    m, v, shrunk = np.zeros_like(theta), np.zeros_like(theta), np.arange(len(theta))
    shrunk = np.where(shrunk < n_weights, decay, 0.0)
    for t, gradient in enumerate(gradients, start=1):
        g = gradient + (0 if solver == "adamw" else shrunk * theta)
        if solver == "sgd":
            m = beta_1 * m + learning_rate * g
            theta = theta - m
            continue
        m, v = beta_1 * m + (1 - beta_1) * g, 0.999 * v + 0.001 * g**2
        step = m / (1 - beta_1**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        theta = theta - learning_rate * step - (
            learning_rate * shrunk * theta if solver == "adamw" else 0)
    return theta


@pytest.mark.parametrize("solver", ["adam", "adamw", "sgd"])
def test_optimizers_beside_the_papers(solver):
    rng = np.random.default_rng(0)
    theta, gradients = rng.normal(size=23), rng.normal(size=(30, 23))
    net, optimizer = _Network((4, 3, 2), "relu", theta.copy(), 1), _new_optimizer(
        solver, 0.9, 23)
    for gradient in gradients:
        net.gradient[:] = gradient
        optimizer.step(net, 0.01, 0.1)
    assert optimizer.state.steps == 30 and net.n_weights == 18
    truth = plain_steps(theta, gradients, 18, solver, 0.01, 0.1, 0.9)
    assert np.allclose(net.theta, truth, rtol=0, atol=1e-7)


# ------------------------------------ epochs


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("activation", _ACTIVATIONS)
@pytest.mark.parametrize("solver", ["adam", "sgd"])
def test_losses_are_those_of_scikit_learn(solver, activation, k):
    X = Standardizer().fit_transform(FLOWERS).to_numpy()[50 * (3 - k):]
    codes = pd.factorize(SPECIES)[0][50 * (3 - k):] - (3 - k)
    peer = MLPClassifier((8, 5), activation=activation, solver=solver, alpha=0.25,
                         batch_size=25, learning_rate_init=0.01, shuffle=False,
                         nesterovs_momentum=False, random_state=0)
    peer.partial_fit(X, codes, classes=np.unique(codes))
    start = np.concatenate([p.ravel() for p in peer.coefs_ + peer.intercepts_])
    peer.set_params(warm_start=True, max_iter=15, n_iter_no_change=15)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer.fit(X, codes).loss_curve_[-15:]
    net = _Network((4, 8, 5, 1 if k == 2 else 3), activation, start.copy(), 25)
    optimizer = _new_optimizer(solver, 0.9, len(start))
    ours = [_train_epoch(net, optimizer, plain_rows(X, codes), None, 0.01, 0.01,
                       np.random.default_rng(0)) for _ in range(15)]
    assert ours == pytest.approx(theirs, rel=1e-11)
    coefs = np.concatenate([p.ravel() for p in peer.coefs_ + peer.intercepts_])
    assert np.allclose(net.theta, coefs, atol=1e-10)
    model = NeuralNetworkClassifier()
    ours = _network_scores(X, net.weights, net.biases, activation)
    model.classes_ = np.arange(k)
    assert np.allclose(model._shares(ours), peer.predict_proba(X))


def test_schedules_by_hand():
    settings = _TrainingSettings("sgd", 0.8, "constant", 4, 0.0, None, 0.0, 0)
    assert [_learning_rate_at(settings, e) for e in range(4)] == [0.8] * 4
    inverse = settings._replace(schedule="inverse")
    assert [_learning_rate_at(inverse, e) for e in range(4)] == pytest.approx(
        [0.8, 0.4, 0.8 / 3, 0.2])
    cosine = settings._replace(schedule="cosine")
    half = 0.4 * np.sqrt(0.5)
    assert [_learning_rate_at(cosine, e, 7) for e in range(7, 11)] == pytest.approx(
        [0.8, 0.4 + half, 0.4, 0.4 - half])


def test_dropout_keeps_the_mean():
    rng = np.random.default_rng(0)
    net = _Network((2, 500, 1), "relu", _initial_parameters((2, 500, 1), rng), 200, 0.3)
    X = rng.normal(size=(200, 2))
    whole = net.forward(X).copy()
    masked = np.mean([net.forward(X, rng).copy() for _ in range(200)], axis=0)
    assert (net.masks[0] == 0).mean() == pytest.approx(0.3, abs=0.01)
    error = np.abs(masked - whole).mean()
    once = np.abs(net.forward(X, rng) - whole).mean()
    assert error < 2 * once / np.sqrt(200)


# ------------------------------------ the class: what it learns


@pytest.mark.parametrize("table", [(TUMORS, DIAGNOSIS), (FLOWERS, SPECIES)])
def test_no_hidden_layer_is_logistic_regression(table):
    X, y = table
    exact = LogisticClassifier(C=1 / (0.01 * len(X))).fit(
        Standardizer().fit_transform(X), y)
    model = quick((), learning_rate=0.05, learning_rate_schedule="cosine",
                  batch_size=len(X), max_iter=4000, n_iter_no_change=None,
                  weight_decay=0.01).fit(X, y)
    W, b = model.weights_[0].T, model.biases_[0]
    if len(model.classes_) > 2:
        W, b = W - W.mean(axis=0), b - b.mean()
    assert np.abs(W - exact.coef_).max() < 1e-4
    assert np.abs(b - exact.intercept_).max() < 1e-4


def test_units_and_shifts_of_columns_do_not_matter():
    X = FLOWERS.to_numpy(float)
    other = X * [1e-6, 1, 1e9, 8] + [5, 0, -1e9, 3]
    one, two = quick().fit(X, SPECIES), quick().fit(other, SPECIES)
    assert same_weights(one, two, atol=1e-6)
    assert np.allclose(one.predict_proba(X), two.predict_proba(other), atol=1e-6)


def test_constant_columns_say_nothing():
    X = FLOWERS.to_numpy(float)
    wide = np.column_stack([X, np.full(150, 0.1), np.full(150, 1e12), np.zeros(150)])
    model = quick().fit(wide, SPECIES)
    assert (model.scale_[4:] == 0).all()
    other = wide.copy()
    other[:, 4:] = 99
    assert np.array_equal(model.predict_proba(wide), model.predict_proba(other))


def test_weights_are_copies():
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 3, 150)
    X = FLOWERS.to_numpy(float)
    one = quick(batch_size=500).fit(X, SPECIES, weights)
    copies = np.repeat(np.arange(150), weights)
    other = quick(batch_size=500).fit(X[copies], SPECIES[copies])
    assert np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-8)
    more = quick(batch_size=500).fit(X, SPECIES, weights * 7.0)
    assert same_weights(one, more, atol=1e-9)


# ------------------------------------ the class: when it stops, and goes on


@pytest.mark.parametrize("how", [{}, {"solver": "sgd"}, {"solver": "adamw"},
                                 {"dropout": 0.3}, {"learning_rate_schedule": "inverse"}])
def test_two_halves_are_one_whole(how):
    how = {"hidden_layer_sizes": (9,), "batch_size": 32, "n_iter_no_change": None} | how
    whole = quick(max_iter=6, **how).fit(TUMORS, DIAGNOSIS)
    halves = quick(max_iter=3, warm_start=True, **how).fit(TUMORS, DIAGNOSIS)
    halves.fit(TUMORS, DIAGNOSIS)
    assert same_weights(whole, halves)
    assert np.array_equal(whole.loss_curve_, halves.loss_curve_)
    parts = quick(**how)
    for _ in range(6):
        parts.partial_fit(TUMORS, DIAGNOSIS)
    assert same_weights(whole, parts)
    again = NeuralNetworkClassifier.from_json(halves.to_json())
    assert same_weights(again.fit(TUMORS, DIAGNOSIS), halves.fit(TUMORS, DIAGNOSIS))


def test_partial_fit_knows_its_classes():
    model = quick((5,), learning_rate=0.02).partial_fit(FLOWERS[:60], SPECIES[:60],
                                               classes=np.unique(SPECIES))
    assert model.classes_.tolist() == np.unique(SPECIES).tolist()
    for _ in range(200):
        model.partial_fit(FLOWERS, SPECIES)
    assert model.score(FLOWERS, SPECIES) > 0.9
    with pytest.raises(ValueError, match="label 'tulip'.*none of the classes"):
        model.partial_fit(FLOWERS, ["tulip"] * 150)
    with pytest.raises(ValueError, match="none of the classes"):
        model.partial_fit(FLOWERS, SPECIES, classes=["a", "b"])
    with pytest.raises(ValueError, match="none of the classes"):
        quick().partial_fit(FLOWERS, SPECIES, classes=["setosa", "virginica"])
    with pytest.raises(ValueError, match="other layers"):
        model.set_params(hidden_layer_sizes=(6,), warm_start=True).fit(FLOWERS, SPECIES)


def test_early_stopping_keeps_the_best():
    X, y = make_moons(300, noise=0.35, random_state=0)
    how = {"hidden_layer_sizes": (50, 50), "learning_rate": 0.01, "early_stopping": True,
           "batch_size": 30}
    model = quick(max_iter=60, n_iter_no_change=None, **how).fit(X, y)
    best = int(model.held_out_curve_.argmin()) + 1
    assert best < 60 and len(model.loss_curve_) == 60
    assert same_weights(model, quick(max_iter=best, n_iter_no_change=None, **how).fit(X, y))
    early = quick(max_iter=60, n_iter_no_change=3, tol=0.0, **how).fit(X, y)
    assert len(early.loss_curve_) < 60
    curve = model.held_out_curve_
    stop = next(e for e in range(3, 60) if min(curve[:e - 2]) <= min(curve[e - 2:e + 1]))
    assert len(early.loss_curve_) == stop + 1


def test_the_curve_is_the_loss_of_a_tenth_of_the_rows():
    model = quick((8,), early_stopping=True, n_iter_no_change=None).fit(FLOWERS, SPECIES)
    codes = np.unique(SPECIES, return_inverse=True)[1]
    scheme = Holdout(0.1, stratify=True,
                     random_state=int(np.random.default_rng(0).integers(2**32)))
    _, out = next(iter(scheme.split(FLOWERS, codes)))
    left = log_loss(codes[out], model.predict_proba(FLOWERS.iloc[out]))
    assert len(out) == 15 and left == pytest.approx(model.held_out_curve_.min())


def test_of_epochs_that_are_equally_good_the_first_is_kept():
    """Steps so small that only the decay moves the weights, of a constant column."""
    X, y = np.ones((100, 1)), np.arange(100) % 2
    how = {"solver": "sgd", "momentum": 0.0, "learning_rate": 1e-20, "weight_decay": 1e19,
           "early_stopping": True, "n_iter_no_change": None}
    one, many = (quick((), max_iter=n, **how).fit(X, y) for n in (1, 9))
    assert len(set(many.held_out_curve_.tolist())) == 1
    assert same_weights(one, many)


@pytest.mark.parametrize("inside", [False, True])
def test_an_interruption_keeps_the_best(inside, monkeypatch):
    how = {"hidden_layer_sizes": (7,), "batch_size": 20, "learning_rate": 0.03}
    whole, given = network._train_epoch, [0.9, 0.5, 0.7, 0.6]

    def interrupted(*args):
        whole(*args)
        if not given:
            raise interrupting.told(inside)
        return given.pop(0)

    best = quick(max_iter=2, **how).fit(FLOWERS, SPECIES)
    monkeypatch.setattr(network, "_train_epoch", interrupted)
    with pytest.warns(UserWarning, match="interrupted after 4 epochs.* epoch 2"):
        model = quick(max_iter=50, **how).fit(FLOWERS, SPECIES)
    assert same_weights(model, best)
    with pytest.raises(KeyboardInterrupt):  # nothing to keep yet
        quick(max_iter=50, **how).fit(FLOWERS, SPECIES)


@pytest.mark.parametrize("how",
                         [{"solver": "sgd", "learning_rate": 1e4}, {"learning_rate": 1e200},
                          {"solver": "sgd", "learning_rate": 50.0, "activation": "tanh"}])
def test_divergence_names_the_rate(how):
    with pytest.raises(ValueError, match=r"diverges.*\d+ at learning rate .*smaller l"):
        quick(**how).fit(TUMORS, DIAGNOSIS)


# ------------------------------------ the class: what it answers


@pytest.mark.parametrize("activation", _ACTIVATIONS)
def test_input_slopes_are_differences(activation):
    rng = np.random.default_rng(0)
    sizes = (3, 5, 4, 2)
    W, b = _layers_of(_initial_parameters(sizes, rng), sizes)
    x, h = rng.normal(size=3), 1e-6
    moved = [(_network_scores((x + h * e)[None], W, b, activation)
              - _network_scores((x - h * e)[None], W, b, activation))[0] / 2 / h
             for e in np.eye(3)]
    assert np.allclose(_input_gradients(x[None], W, b, activation), moved, atol=1e-7)
    parts = _integrated_gradients(x, W, b, activation)
    assert np.allclose(parts.sum(axis=0), _network_scores(x[None], W, b, activation)[0])
    # the walk begins at the average row, and misses next to nothing
    average = _network_scores(0 * x[None], W, b, activation)[0]
    assert np.allclose(parts[0], average, atol=0.01)


def test_explanations_sum_to_the_score():
    credit, risk = load_credit()
    model = quick((20,)).fit(credit, risk)
    for i in range(5):
        told = model.explain(credit.iloc[i])
        assert told.prediction == model.predict(credit[i:i + 1])[0]
        assert told.probability == pytest.approx(model.predict_proba(credit[i:i + 1]).max())
        total = told.to_frame()["contribution"].sum()
        assert total == pytest.approx(abs(model.decision_function(credit[i:i + 1])[0]))
        assert told.to_frame().index[1:].tolist() == list(credit.columns)


# ------------------------------------ bad input
