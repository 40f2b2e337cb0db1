"""If this and that, then such a class: lists and sets of rules, taken from trees or learned one by one, from AQ and CN2 to C4.5rules, RIPPER and PART."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
