"""The network of the networks: gradients, steps, epochs, stopping, what a model keeps."""

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_info, threadpool_limits

from supervised.basics import Standardizer
from supervised.basics.datasets import (
    load_breast_cancer,
    load_credit,
    load_digits,
    load_heart_disease,
    load_iris,
    load_titanic,
    load_xor,
)
from supervised.evaluation import evaluate
from supervised.linear import LogisticClassifier
from supervised.linear.engine.base import _EarlyStopping
from supervised.neural.engine import network
from supervised.neural.engine.network import (
    _ACTIVATIONS,
    NeuralNetworkClassifier,
    _activate,
    _activation_derivative,
    _BestParameters,
    _Examples,
    _held_out_loss,
    _initial_parameters,
    _input_gradients,
    _integrated_gradients,
    _layers_of,
    _learning_rate_at,
    _loss_and_errors,
    _mean_and_scale,
    _Network,
    _network_scores,
    _new_optimizer,
    _standardize_rows,
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


@pytest.mark.parametrize("k", [2, 4])
def test_loss_is_that_of_scikit_learn(k):
    rng = np.random.default_rng(k)
    S = rng.normal(0, 3, (20, 1 if k == 2 else k))
    labels, weights = rng.permutation(np.arange(20) % k), rng.uniform(0, 2, 20)
    p = (np.column_stack([expit(-S[:, 0]), expit(S[:, 0])]) if k == 2
         else softmax(S, axis=1))
    theirs = log_loss(labels, p, sample_weight=weights) * weights.sum() / 20
    assert _loss_and_errors(S.copy(), labels, weights) == pytest.approx(theirs)


def test_losses_of_huge_scores_are_finite():
    for scores in (np.array([[1e4], [-1e4]]), np.array([[1e4, -1e4, 0], [0, 1e4, -1e4]])):
        loss = _loss_and_errors(scores, np.array([0, 1]), np.ones(2))
        assert np.isfinite(loss) and np.isfinite(scores).all()
    assert _loss_and_errors(np.array([[1e4]]), np.array([0]), np.ones(1)) == 1e4


def test_activations_by_hand():
    sums = np.array([-1.0, 0.0, np.log(3)])
    truth = {"relu": ([0, 0, np.log(3)], [0, 0, 1]),
             "tanh": ([np.tanh(-1), 0, 0.8], [1 - np.tanh(1) ** 2, 1, 0.36]),
             "logistic": ([1 / (1 + np.e), 0.5, 0.75],
                          [np.e / (1 + np.e) ** 2, 0.25, 0.1875])}
    for name, (outputs, slopes) in truth.items():
        found = sums.copy()
        _activate(name, found)
        assert found == pytest.approx(outputs)
        _activation_derivative(name, found)
        assert found == pytest.approx(slopes)


def test_layers_share_the_memory():
    theta = np.arange(4 * 3 + 3 * 2 + 3 + 2.0)
    weights, biases = _layers_of(theta, (4, 3, 2))
    assert [w.shape for w in weights + biases] == [(4, 3), (3, 2), (3,), (2,)]
    assert np.array_equal(np.concatenate([p.ravel() for p in weights + biases]), theta)
    weights[1][0, 0] = -1
    assert theta[12] == -1


def test_first_weights_keep_the_scale():
    theta = _initial_parameters((400, 300, 200), np.random.default_rng(0))
    weights, biases = _layers_of(theta, (400, 300, 200))
    for W, b in zip(weights, biases, strict=True):
        bound = np.sqrt(6 / sum(W.shape))  # uniform: a variance of bound ** 2 / 3
        assert W.var() == pytest.approx(2 / sum(W.shape), rel=0.02)
        for found in (W, b):
            assert 0.97 * bound < np.abs(found).max() <= bound
            assert abs(found.mean()) < 0.1 * bound


# ------------------------------------ steps


def test_steps_by_hand():
    for solver, places in (("adam", (-1, -2)), ("adamw", (-1, -2)), ("sgd", (-4, -10))):
        net, optimizer = _Network((1, 1), "relu", np.zeros(2), 1), _new_optimizer(
            solver, 0.5, 2)
        for place in places:
            net.gradient[0] = 4.0
            optimizer.step(net, 1.0, 0.0)
            assert net.theta[0] == pytest.approx(place, abs=1e-6)
    # decay 0.5: the gradient of a weight of 2 is 1 more, that of a bias is not; decoupled,
    # the weight loses 5%
    for solver, weight in (("sgd", 1.9), ("adam", 1.9), ("adamw", 1.9)):
        net = _Network((1, 1), "relu", np.array([2.0, 2.0]), 1)
        _new_optimizer(solver, 0.0, 2).step(net, 0.1, 0.5)
        assert net.theta == pytest.approx([weight, 2.0])


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


def test_decoupled_decay_is_no_part_of_the_loss():
    """With a huge decay AdamW's weights vanish, and its loss is the plain one."""
    X, y = load_iris()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = NeuralNetworkClassifier((5,), solver="adamw", weight_decay=90.0,
                                        learning_rate=0.01, max_iter=300,
                                        n_iter_no_change=None, random_state=0).fit(X, y)
        usual = NeuralNetworkClassifier((20,), solver="adamw", weight_decay=0.01,
                                        max_iter=200, learning_rate=0.01,
                                        random_state=0).fit(X, y)
    assert np.abs(model.weights_[0]).max() < 0.02
    assert model.loss_curve_[-1] == pytest.approx(np.log(3), abs=0.05)
    p = usual.predict_proba(X)
    assert usual.loss_curve_[-1] == pytest.approx(log_loss(y, p), abs=0.02)
    assert usual.score(X, y) > 0.95


def test_rows_are_standardized_in_a_buffer():
    rng = np.random.default_rng(0)
    X, mean, scale = rng.normal(size=(9, 4)), rng.normal(size=4), rng.uniform(size=4)
    chosen, out = np.array([3, 3, 8, 0]), np.empty((4, 4))
    assert _standardize_rows(X, chosen, mean, scale, out) is out
    assert np.allclose(out, (X[chosen] - mean) * scale)


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


def test_a_shuffled_epoch_shows_each_row_once():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(10, 2)), rng.integers(0, 2, 10)
    net = _Network((2, 1), "relu", np.zeros(3), 4)  # batches of 4, 4 and 2
    optimizer = _new_optimizer("sgd", 0.0, 3)
    rows, order = plain_rows(X, labels), rng.permutation(10)
    # at a learning rate of 0 the loss is that of all rows, whatever the batches
    loss = _train_epoch(net, optimizer, rows, order, 0.0, 0.0, rng)
    assert loss == pytest.approx(np.log(2))
    assert optimizer.state.steps == 3
    # without momentum the steps are those of three gradients, one after the other
    theta = np.zeros(3)
    for part in (order[:4], order[4:8], order[8:]):
        error = (expit(X[part] @ theta[:2] + theta[2]) - labels[part]) / len(part)
        theta = theta - 0.5 * np.append(error @ X[part], error.sum())
    _train_epoch(net, optimizer, rows, order, 0.5, 0.0, rng)
    assert net.theta == pytest.approx(theta)


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


def test_the_best_parameters_and_the_end_by_hand():
    stopping, best, over = _EarlyStopping(2, 0.1), _BestParameters(np.zeros(1)), []
    for epoch, loss in enumerate([5.0, 4.0, 3.95, 3.85, 3.84, 3.8], start=1):
        best.offer(np.full(1, float(epoch)), loss, epoch)
        stopping.update(loss)
        over.append(stopping.stops)
    # 3.95 is no progress, 3.85 is 0.15 below 4.0 and is; after it come two without
    assert over == [False, False, False, False, False, True]
    assert (best.epoch, best.theta[0], best.loss) == (6, 6.0, 3.8)


def test_held_out_loss_is_the_loss_of_the_rows():
    rng = np.random.default_rng(1)
    X, labels = rng.normal(size=(11, 3)), rng.integers(0, 2, 11)
    weights = rng.uniform(size=11)
    net = _Network((3, 4, 1), "tanh", _initial_parameters((3, 4, 1), rng), 4)
    p = expit(_network_scores(X, net.weights, net.biases, "tanh")[:, 0])
    truth = log_loss(labels, p, sample_weight=weights)
    assert _held_out_loss(net, plain_rows(X, labels, weights)) == pytest.approx(truth)


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


def test_names_become_indicators_as_for_lines():
    people, survived = load_titanic()
    exact = LogisticClassifier(C=1 / (0.001 * len(people))).fit(people, survived)
    model = quick((), learning_rate=0.05, learning_rate_schedule="cosine",
                  batch_size=len(people), max_iter=1000, n_iter_no_change=None,
                  weight_decay=0.001).fit(people, survived)
    assert model.columns_ == exact.columns_
    assert np.abs(model.weights_[0].T - exact.coef_).max() < 1e-4
    assert np.allclose(model.predict_proba(people), exact.predict_proba(people), atol=1e-4)


def test_it_solves_what_no_line_can():
    X, y = load_xor()
    assert quick((8,), learning_rate=0.05, max_iter=300).fit(X, y).score(X, y) == 1
    moons, side = make_moons(300, noise=0.1, random_state=0)
    for how in ({}, {"activation": "tanh"},
                {"activation": "logistic", "learning_rate": 0.05},
                {"solver": "sgd", "learning_rate": 0.1}, {"dropout": 0.2},
                {"hidden_layer_sizes": (10, 10)}):
        model = quick(**{"hidden_layer_sizes": (20,), "learning_rate": 0.02,
                         "max_iter": 150} | how)
        assert model.fit(moons, side).score(moons, side) > 0.97, how


def test_flowers_by_cross_validation():
    report = evaluate(quick(max_iter=100, learning_rate=0.01), FLOWERS, SPECIES, cv=5,
                      random_state=0)
    assert report.loc["accuracy", "mean"] > 0.93


@pytest.mark.deep
def test_digits_no_worse_than_scikit_learn():
    digits, digit = load_digits()
    X, y = digits.to_numpy(float), digit.to_numpy()
    ours, theirs = [], []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:1257], order[1257:]
        Z = Standardizer().fit(X[train])
        ours.append(NeuralNetworkClassifier(random_state=seed).fit(X[train], y[train])
                    .score(X[test], y[test]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = MLPClassifier(random_state=seed).fit(Z.transform(X[train]), y[train])
        theirs.append(peer.score(Z.transform(X[test]), y[test]))
    assert np.mean(ours) > np.mean(theirs) - 0.005


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


def test_weighted_means():
    X, w = np.array([[1.0, 5], [3, 5], [7, 5]]), np.array([1.0, 2, 1])
    mean, scale = _mean_and_scale(X, w, np.array([False, False]))
    assert mean == pytest.approx([3.5, 5])
    # (6.25 + 2 * 0.25 + 12.25) / 4 = 4.75
    assert scale == pytest.approx([1 / np.sqrt(4.75), 0])
    assert _mean_and_scale(X, w, np.array([True, False]))[1] == pytest.approx([1, 0])


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


@pytest.mark.parametrize("solver", ["adam", "sgd"])
def test_same_seed_same_model_for_any_number_of_threads(solver):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 784)), rng.integers(0, 10, 1000)
    models = []
    for threads in (1, 2, 4):
        with threadpool_limits(threads, user_api="blas"):
            models.append(quick((100,), max_iter=2, solver=solver).fit(X, y))
    assert same_weights(models[0], models[1]) and same_weights(models[0], models[2])
    assert not same_weights(models[0], quick((100,), max_iter=2, solver=solver,
                                             random_state=1).fit(X, y))


def test_products_are_made_in_one_thread(monkeypatch):
    whole, seen = network._train_epoch, set()

    def looking(*args):
        seen.update(lib["num_threads"] for lib in threadpool_info()
                    if lib["user_api"] == "blas")
        return whole(*args)

    monkeypatch.setattr(network, "_train_epoch", looking)
    with threadpool_limits(2, user_api="blas"):
        quick(max_iter=2).fit(FLOWERS, SPECIES)
        after = {lib["num_threads"] for lib in threadpool_info()
                 if lib["user_api"] == "blas"}
    assert seen == {1} and after == {2}


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


def test_patience_ends_training():
    model = quick(max_iter=500, tol=0.01, n_iter_no_change=4).fit(FLOWERS, SPECIES)
    assert 4 < len(model.loss_curve_) < 500
    gains = -np.diff(model.loss_curve_[-5:])
    assert (gains < 0.01).all()
    assert len(quick(max_iter=50, n_iter_no_change=None, tol=10).fit(FLOWERS, SPECIES)
               .loss_curve_) == 50


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


def test_progress_is_shown_on_demand(capsys):
    quick(max_iter=3).fit(FLOWERS, SPECIES)
    assert capsys.readouterr().err == ""
    quick(max_iter=3, verbose=1).fit(FLOWERS, SPECIES)
    assert "epochs" in capsys.readouterr().err


# ------------------------------------ the class: what it answers


def test_scores_in_parts_are_scores():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3))
    W, b = [rng.normal(size=s) for s in ((3, 4), (4, 2))], [rng.normal(size=4), np.ones(2)]
    truth = np.maximum(X @ W[0] + b[0], 0) @ W[1] + b[1]
    assert np.allclose(_network_scores(X, W, b, "relu"), truth)
    moved = X / 4 + 7
    mean, scale = np.full(3, 7.0), np.full(3, 4.0)
    assert np.allclose(_network_scores(moved, W, b, "relu", mean, scale), truth)


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


def test_parts_of_a_line_are_weight_times_value():
    model = quick(()).fit(TUMORS, DIAGNOSIS)
    row = TUMORS.iloc[7]
    terms = model.weights_[0][:, 0] * (row.to_numpy() - model.mean_) * model.scale_
    parts = model.explain(row).to_frame()["contribution"]
    sign = 1 if model.predict(TUMORS[7:8])[0] == model.classes_[1] else -1
    assert parts.to_numpy()[1:] == pytest.approx(sign * terms)
    assert parts.iloc[0] == pytest.approx(sign * model.biases_[0][0])


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


def test_a_model_can_be_stored_and_read():
    credit, risk = load_credit()
    for model in (quick((6, 4)).fit(credit, risk),
                  quick((), early_stopping=True).fit(FLOWERS, SPECIES),
                  quick().partial_fit(FLOWERS, SPECIES)):
        X = credit if len(model.attributes_) == 20 else FLOWERS
        for other in (NeuralNetworkClassifier.from_json(model.to_json()),
                      pickle.loads(pickle.dumps(model))):
            assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
            assert other.to_text() == model.to_text()
    assert quick((6, 4)).fit(credit, risk).to_text().startswith(
        "50 inputs -> 6 relu -> 4 relu -> 1 logistic; 339 weights and biases, loss ")


def test_labels_come_back_as_they_went_in():
    for labels in ([True, False], [3, -1], ["b", "a"], [(1, 2), (0, 1)]):
        y = np.empty(150, dtype=object)
        y[:] = [labels[i % 2] for i in range(150)]
        found = quick(max_iter=2).fit(FLOWERS, y).predict(FLOWERS)
        assert set(found) <= set(labels)


# ------------------------------------ bad input


@pytest.mark.parametrize(("how", "said"), [
    ({"hidden_layer_sizes": (5, 0)}, r"hidden_layer_sizes is \(5, 0\)"),
    ({"hidden_layer_sizes": 2.5}, "hidden_layer_sizes is 2.5"),
    ({"activation": "step"}, "activation is 'step'"), ({"solver": "lbfgs"}, "solver"),
    ({"learning_rate": 0}, "learning_rate is 0"),
    ({"learning_rate": "fast"}, "learning_rate is 'fast'"),
    ({"learning_rate_schedule": "linear"}, "rate_schedule is"),
    ({"learning_rate_schedule": "invscaling"}, "called 'inverse'"),
    ({"momentum": 1}, "momentum is 1"),
    ({"momentum": -0.1}, "momentum is -0.1"), ({"batch_size": 0}, "batch_size is 0"),
    ({"max_iter": 0}, "max_iter is 0"), ({"weight_decay": -1}, "weight_decay is -1"),
    ({"dropout": 1.0}, "dropout is 1"), ({"n_iter_no_change": 0}, "n_iter_no_change is 0"),
    ({"tol": np.nan}, "tol is nan"), ({"random_state": "x"}, "random_state")])
def test_parameters_are_checked(how, said):
    with pytest.raises(ValueError, match=said):
        NeuralNetworkClassifier(**how).fit(FLOWERS, SPECIES)


def test_bad_tables_are_refused():
    gaps = TUMORS.copy()
    gaps.iloc[3, 1] = np.nan
    for X, y, said in ((gaps, DIAGNOSIS, "mean texture.*MissingValueImputer"),
                       (TUMORS * 1e200, DIAGNOSIS, "too large to square"),
                       (TUMORS, ["x"] * 569, "one class, 'x'"),
                       (TUMORS[:0], DIAGNOSIS[:0], "row|sample"),
                       (TUMORS[:1], DIAGNOSIS[:1], "one class"),
                       (TUMORS, [None] + ["a", "b"] * 284, "missing"),
                       (TUMORS, DIAGNOSIS[:-1], "inconsistent")):
        with pytest.raises(ValueError, match=said):
            quick().fit(X, y)
    with pytest.raises(ValueError, match="weights are zero"):
        quick().fit(TUMORS, DIAGNOSIS, np.zeros(569))
    with pytest.raises(TypeError):
        quick().fit(sparse.csr_array(TUMORS.to_numpy()), DIAGNOSIS)


def test_new_rows_are_matched_by_name():
    credit, risk = load_credit()
    model = quick((5,), max_iter=3).fit(credit, risk)
    p = model.predict_proba(credit)
    assert np.array_equal(model.predict_proba(credit[credit.columns[::-1]]), p)
    with pytest.raises(ValueError, match="duration"):
        model.predict(credit.drop(columns="duration"))
    strange = credit.astype({"purpose": object}).assign(purpose="moon rocket")
    first = next(a for a in model.attributes_ if a.name == "purpose").domain[0]
    found = model.predict_proba(strange)
    assert np.allclose(found, model.predict_proba(credit.assign(purpose=pd.Categorical(
        [first] * len(credit), credit["purpose"].cat.categories))))
    hearts, disease = load_heart_disease()
    with pytest.raises(ValueError, match="MissingValueImputer"):
        quick().fit(hearts, disease)


def test_a_second_fit_forgets_the_first():
    model = quick(early_stopping=True).fit(FLOWERS, SPECIES)
    model.set_params(early_stopping=False).fit(TUMORS.to_numpy(), DIAGNOSIS)
    fresh = clone(model).fit(TUMORS.to_numpy(), DIAGNOSIS)
    assert same_weights(model, fresh) and len(model.held_out_curve_) == 0
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.deep
@pytest.mark.parametrize("model", [
    NeuralNetworkClassifier((), learning_rate=0.05),
    NeuralNetworkClassifier((10,), solver="adamw", learning_rate=0.01, weight_decay=0.01),
    NeuralNetworkClassifier((20,), "tanh", "sgd", early_stopping=True, dropout=0.1)])
def test_protocol_of_variants(model):
    for result in check_estimator(model, on_fail=None, on_skip=None):
        if model.dropout and "sample_weight_equivalence" in result["check_name"]:
            continue  # masks and rows held out are drawn otherwise for copies
        assert result["status"] != "failed", result


@pytest.mark.deep
def test_without_numba_the_same_network():
    code = ("from supervised.neural.engine.network import NeuralNetworkClassifier as N\n"
            "from supervised.basics.datasets import load_iris\n"
            "X, y = load_iris()\n"
            "m = N((9,), batch_size=20, max_iter=5, dropout=.2, random_state=0).fit(X, y)\n"
            "print(m.loss_curve_.round(10).tolist())")
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True, env={**os.environ, "NUMBA_DISABLE_JIT": off}).stdout
            for off in ("0", "1")]
    assert said[0] == said[1]


def test_epochs_that_end_too_soon_are_warned_of():
    X, y = load_iris()
    with pytest.warns(ConvergenceWarning, match="still falls after 3 epochs"):
        NeuralNetworkClassifier((5,), max_iter=3, random_state=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for way in ({"max_iter": 3, "n_iter_no_change": None},
                    {"max_iter": 3, "learning_rate_schedule": "cosine"},
                    {"max_iter": 5000, "learning_rate": 0.1, "tol": 1e-2}):
            NeuralNetworkClassifier((5,), random_state=0, **way).fit(X, y)
        NeuralNetworkClassifier((5,), random_state=0).partial_fit(X, y)
