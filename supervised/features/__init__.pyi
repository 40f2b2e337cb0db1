# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .impurity import entropy as entropy
from .impurity import gini as gini
from .impurity import gain as gain
from .impurity import gain_ratio as gain_ratio
from .impurity import attribute_scores as attribute_scores
from .filters import rank_attributes as rank_attributes
from .filters import SelectBest as SelectBest
from .filters import chi_square as chi_square
from .filters import fisher_score as fisher_score
from .discretization import MDLDiscretizer as MDLDiscretizer
from .discretization import TreeDiscretizer as TreeDiscretizer
from .discretization import TwoWayDiscretizer as TwoWayDiscretizer
from .discriminant import FisherClassifier as FisherClassifier
from .discriminant import FisherTransformer as FisherTransformer
from .wrappers import WrapperSelector as WrapperSelector
from .embedded import DropSmallWeights as DropSmallWeights
from .embedded import RecursiveElimination as RecursiveElimination
from . import impurity as impurity
from . import filters as filters
from . import discretization as discretization
from . import discriminant as discriminant
from . import wrappers as wrappers
from . import embedded as embedded
from . import engine as engine

__all__ = [
    "entropy",
    "gini",
    "gain",
    "gain_ratio",
    "attribute_scores",
    "rank_attributes",
    "SelectBest",
    "chi_square",
    "fisher_score",
    "MDLDiscretizer",
    "TreeDiscretizer",
    "TwoWayDiscretizer",
    "FisherClassifier",
    "FisherTransformer",
    "WrapperSelector",
    "DropSmallWeights",
    "RecursiveElimination",
    "impurity",
    "filters",
    "discretization",
    "discriminant",
    "wrappers",
    "embedded",
    "engine",
]
