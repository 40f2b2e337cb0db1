"""The border with the widest street on both sides, seen twice: as weights, and as multipliers of a few rows. Then exceptions, kernels, solvers, many classes, and other methods by the same trick."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
