# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import basics as basics
from . import evaluation as evaluation
from . import features as features
from . import trees as trees
from . import rules as rules
from . import associations as associations
from . import bayes as bayes
from . import linear as linear
from . import svm as svm
from . import neural as neural
from . import neighbors as neighbors
from . import ensembles as ensembles
from . import practice as practice

__all__ = [
    "basics",
    "evaluation",
    "features",
    "trees",
    "rules",
    "associations",
    "bayes",
    "linear",
    "svm",
    "neural",
    "neighbors",
    "ensembles",
    "practice",
]
__version__: str
