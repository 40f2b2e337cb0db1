"""What the page on the five lines claims, on other draws than its own."""

import numpy as np
from sklearn.metrics import log_loss

from supervised.basics.datasets import load_breast_cancer, make_gaussian_mixture
from supervised.basics.tables import Standardizer
from supervised.bayes import NaiveBayesClassifier
from supervised.linear.engine.least_squares import LeastSquaresClassifier
from supervised.linear.engine.logistic import LogisticClassifier
from supervised.linear.engine.perceptron import PerceptronClassifier


def clouds(n, seed, share=0.5):
    X, y = make_gaussian_mixture(n, [[-2, 0], [2, 0]], weights=[1 - share, share],
                                 random_state=seed)
    return X.to_numpy(), (y == "c2").to_numpy().astype(int)


def test_rows_far_out_move_least_squares_and_not_logistic_regression():
    new, truth = clouds(5000, 1000)
    for seed in range(100, 105):
        X, y = clouds(60, seed)
        more = np.vstack([X, np.tile([16.0, 8.0], (5, 1))]), np.append(y, np.ones(5, int))
        error = {}
        for line in (LeastSquaresClassifier(), LogisticClassifier(C=100)):
            error[type(line).__name__] = [(line.fit(*data).predict(new) != truth).mean()
                                          for data in ((X, y), more)]
        before, after = error["LeastSquaresClassifier"]
        assert after > 2 * before
        before, after = error["LogisticClassifier"]
        assert after < before + 0.02


def test_fisher_coding_goes_through_the_mean():
    X, y = clouds(400, 7, share=0.1)
    line = LeastSquaresClassifier(coding="fisher").fit(X, y)
    assert abs(line.decision_function(X.mean(axis=0, keepdims=True))[0]) < 1e-9


def test_probabilities_of_logistic_regression_are_the_better_ones():
    X, y = load_breast_cancer()
    X, y = Standardizer().fit_transform(X).to_numpy(), np.asarray(y == "malignant")
    for n in (20, 80, 280):
        rows = np.random.default_rng(n).permutation(len(y))
        train, test = rows[:n], rows[n:]
        models = (NaiveBayesClassifier(), LogisticClassifier())
        said = [log_loss(y[test], m.fit(X[train], y[train]).predict_proba(X[test])[:, 1])
                for m in models]
        assert said[1] < said[0] / 2


def test_a_column_told_five_times():
    X, y = clouds(4000, 11)
    X = X / 2
    five = np.column_stack([X[:, [0] * 5], X[:, 1]])
    loss = {}
    for name, columns in (("once", X), ("five", five)):
        for model in (NaiveBayesClassifier(), LogisticClassifier()):
            p = model.fit(columns[:2000], y[:2000]).predict_proba(columns[2000:])[:, 1]
            loss[name, type(model).__name__] = log_loss(y[2000:], p)
    bayes, logistic = "NaiveBayesClassifier", "LogisticClassifier"
    assert loss["five", bayes] > 1.5 * loss["once", bayes]
    assert abs(loss["five", logistic] - loss["once", logistic]) < 0.01


def test_perceptron_finds_the_clouds():
    new, truth = clouds(5000, 1001)
    wrong = [(PerceptronClassifier().fit(*clouds(300, s)).predict(new) != truth).mean()
             for s in range(5)]
    assert np.mean(wrong) < 0.03  # the best line errs on 0.023
