# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_logistic import LogisticClassifier as LogisticClassifier
from .logistic import odds_ratios as odds_ratios
from .engine_logistic import l1_path as l1_path
from .engine_least_squares import LeastSquaresClassifier as LeastSquaresClassifier
from .engine_perceptron import PerceptronClassifier as PerceptronClassifier
from .engine_separability import separating_plane as separating_plane
from .engine import LinearClassifier as LinearClassifier
from . import logistic as logistic
from . import engine as engine
from . import engine_least_squares as engine_least_squares
from . import engine_logistic as engine_logistic
from . import engine_perceptron as engine_perceptron
from . import engine_separability as engine_separability

__all__ = [
    "LogisticClassifier",
    "odds_ratios",
    "l1_path",
    "LeastSquaresClassifier",
    "PerceptronClassifier",
    "separating_plane",
    "LinearClassifier",
    "logistic",
    "engine",
    "engine_least_squares",
    "engine_logistic",
    "engine_perceptron",
    "engine_separability",
]
