# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.logistic import LogisticClassifier as LogisticClassifier
from .logistic import odds_ratios as odds_ratios
from .engine.logistic import l1_path as l1_path
from .engine.least_squares import LeastSquaresClassifier as LeastSquaresClassifier
from .engine.perceptron import PerceptronClassifier as PerceptronClassifier
from .engine.separability import separating_hyperplane as separating_hyperplane
from .engine.base import LinearClassifier as LinearClassifier
from . import logistic as logistic
from . import engine as engine

__all__ = [
    "LogisticClassifier",
    "odds_ratios",
    "l1_path",
    "LeastSquaresClassifier",
    "PerceptronClassifier",
    "separating_hyperplane",
    "LinearClassifier",
    "logistic",
    "engine",
]
