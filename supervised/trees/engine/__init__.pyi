# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import tree as tree
from . import splitter as splitter
from . import merging as merging
from . import builder as builder
from . import pruning as pruning
from . import drawing as drawing
from . import classifiers as classifiers
from . import oblique as oblique
from . import shapley as shapley

__all__ = [
    "tree",
    "splitter",
    "merging",
    "builder",
    "pruning",
    "drawing",
    "classifiers",
    "oblique",
    "shapley",
]
