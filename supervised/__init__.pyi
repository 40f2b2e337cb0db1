# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import basics as basics
from . import evaluation as evaluation
from . import features as features
from . import trees as trees
from . import rules as rules
from . import bayes as bayes
from . import neighbors as neighbors

__all__ = [
    "basics",
    "evaluation",
    "features",
    "trees",
    "rules",
    "bayes",
    "neighbors",
]
__version__: str
