# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.network import NeuralNetworkClassifier as NeuralNetworkClassifier
from .backpropagation import Value as Value
from . import backpropagation as backpropagation
from . import networks as networks
from . import engine as engine

__all__ = [
    "NeuralNetworkClassifier",
    "Value",
    "backpropagation",
    "networks",
    "engine",
]
