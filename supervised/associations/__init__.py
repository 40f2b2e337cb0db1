"""All rules instead of a few: what is frequent together, mined in full, and made into classifiers, features and recommendations, from Apriori to CMAR, and trees as data."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
