# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import itemsets as itemsets
from . import class_rules as class_rules
from . import cba as cba
from . import combining as combining
from . import recommendation as recommendation
from . import structures as structures

__all__ = [
    "itemsets",
    "class_rules",
    "cba",
    "combining",
    "recommendation",
    "structures",
]
