# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import distances as distances
from . import search as search
from . import knn as knn
from . import metrics as metrics

__all__ = [
    "distances",
    "search",
    "knn",
    "metrics",
]
