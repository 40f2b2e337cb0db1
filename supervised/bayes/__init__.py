"""Count, multiply, compare: the classifier that turns Bayes' theorem around, for nominal and numeric attributes, missing values, and text; when its assumption does harm, and what to do then."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
