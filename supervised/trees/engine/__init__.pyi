# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import tree as tree
from . import splitter as splitter
from . import builder as builder
from . import pruning as pruning
from . import drawing as drawing
from . import classifiers as classifiers
from . import oblique as oblique

__all__ = [
    "tree",
    "splitter",
    "builder",
    "pruning",
    "drawing",
    "classifiers",
    "oblique",
]
