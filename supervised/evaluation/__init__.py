"""How to tell how good a classifier is: which rows may test it, which number to report, how to read a ranking, and when a difference is more than chance."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
