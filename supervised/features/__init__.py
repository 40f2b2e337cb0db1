"""Which attributes are worth keeping: scored one by one or in pairs, cut into intervals, projected, searched for in sets, or read off a model."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
