"""Which attributes are worth keeping: scored one by one, cut into intervals, projected, searched for in sets, or read off a model."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import impurity as impurity, filters as filters, discretization as discretization, discriminant as discriminant, wrappers as wrappers, embedded as embedded
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
]

__getattr__, __dir__ = _attach(__name__, {
    "entropy": "impurity",
    "gini": "impurity",
    "gain": "impurity",
    "gain_ratio": "impurity",
    "attribute_scores": "impurity",
    "rank_attributes": "filters",
    "SelectBest": "filters",
    "chi_square": "filters",
    "fisher_score": "filters",
    "MDLDiscretizer": "discretization",
    "TreeDiscretizer": "discretization",
    "TwoWayDiscretizer": "discretization",
    "FisherClassifier": "discriminant",
    "FisherTransformer": "discriminant",
    "WrapperSelector": "wrappers",
    "DropSmallWeights": "embedded",
    "RecursiveElimination": "embedded",
    "impurity": "impurity",
    "filters": "filters",
    "discretization": "discretization",
    "discriminant": "discriminant",
    "wrappers": "wrappers",
    "embedded": "embedded",
})
