"""Ask the question that separates the classes best, then ask again in every branch: how a decision tree is grown, read, pruned and used, from Quinlan's C4.5 to splits that are no longer parallel to an axis."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
