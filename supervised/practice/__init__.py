"""From a question to a decision: real tables with a twist that punishes haste, all methods of the book on all its tables, the same work in other libraries, and tables that outgrow a machine."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
