# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import impurity as impurity
from . import filters as filters
from . import discretization as discretization
from . import discriminant as discriminant
from . import wrappers as wrappers
from . import embedded as embedded

__all__ = [
    "impurity",
    "filters",
    "discretization",
    "discriminant",
    "wrappers",
    "embedded",
]
