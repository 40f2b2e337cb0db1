"""Layers of units between the table and the answer: how their weights are found by running the chain rule backward, and what it takes to train a network in earnest."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
