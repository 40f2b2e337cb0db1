# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import base as base
from . import least_squares as least_squares
from . import logistic as logistic
from . import perceptron as perceptron
from . import separability as separability

__all__ = [
    "base",
    "least_squares",
    "logistic",
    "perceptron",
    "separability",
]
