"""Remember the rows, ask the nearest ones: what near means, how to find them fast, how many to ask, and a distance that is learned."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
