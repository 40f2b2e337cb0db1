"""Which attributes are worth keeping: scored one by one, cut into intervals, projected, searched for in sets, or read off a model."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import impurity as impurity, filters as filters, discretization as discretization, discriminant as discriminant, wrappers as wrappers, embedded as embedded
    from .impurity import IMPURITIES as IMPURITIES
    from .impurity import ENTROPY as ENTROPY
    from .impurity import GINI as GINI
    from .impurity import ERROR as ERROR
    from .impurity import entropy as entropy
    from .impurity import gini as gini
    from .impurity import error_impurity as error_impurity
    from .impurity import split_impurity as split_impurity
    from .impurity import gain as gain
    from .impurity import split_info as split_info
    from .impurity import gain_ratio as gain_ratio
    from .impurity import log_table as log_table
    from .impurity import n_log_n as n_log_n
    from .impurity import collect as collect
    from .impurity import total_from as total_from
    from .impurity import total_impurity as total_impurity
    from .impurity import split_scores as split_scores
    from .impurity import threshold_scores as threshold_scores
    from .impurity import best_threshold as best_threshold
    from .impurity import midpoint as midpoint
    from .impurity import attribute_scores as attribute_scores
    from .filters import SCORES as SCORES
    from .filters import class_moments as class_moments
    from .filters import fisher_score as fisher_score
    from .filters import chi_square_test as chi_square_test
    from .filters import chi_square as chi_square
    from .filters import gain_score as gain_score
    from .filters import gini_score as gini_score
    from .filters import gain_ratio_score as gain_ratio_score
    from .filters import rank_attributes as rank_attributes
    from .filters import SelectBest as SelectBest
    from .discretization import class_blocks as class_blocks
    from .discretization import best_border as best_border
    from .discretization import two_way_cut as two_way_cut
    from .discretization import mdl_price as mdl_price
    from .discretization import mdl_borders as mdl_borders
    from .discretization import mdl_cuts as mdl_cuts
    from .discretization import tree_borders as tree_borders
    from .discretization import tree_cuts as tree_cuts
    from .discretization import SupervisedDiscretizer as SupervisedDiscretizer
    from .discretization import MDLDiscretizer as MDLDiscretizer
    from .discretization import TwoWayDiscretizer as TwoWayDiscretizer
    from .discretization import TreeDiscretizer as TreeDiscretizer
    from .discriminant import ScatterMatrices as ScatterMatrices
    from .discriminant import scatter_matrices as scatter_matrices
    from .discriminant import fisher_ratio as fisher_ratio
    from .discriminant import fisher_direction as fisher_direction
    from .discriminant import FisherTransformer as FisherTransformer
    from .discriminant import FisherClassifier as FisherClassifier
    from .wrappers import columns_of as columns_of
    from .wrappers import subset_scores as subset_scores
    from .wrappers import AttributeSelector as AttributeSelector
    from .wrappers import WrapperSelector as WrapperSelector
    from .embedded import attribute_weights as attribute_weights
    from .embedded import DropSmallWeights as DropSmallWeights
    from .embedded import eliminate as eliminate
    from .embedded import RecursiveElimination as RecursiveElimination

__all__ = [
    "IMPURITIES",
    "ENTROPY",
    "GINI",
    "ERROR",
    "entropy",
    "gini",
    "error_impurity",
    "split_impurity",
    "gain",
    "split_info",
    "gain_ratio",
    "log_table",
    "n_log_n",
    "collect",
    "total_from",
    "total_impurity",
    "split_scores",
    "threshold_scores",
    "best_threshold",
    "midpoint",
    "attribute_scores",
    "SCORES",
    "class_moments",
    "fisher_score",
    "chi_square_test",
    "chi_square",
    "gain_score",
    "gini_score",
    "gain_ratio_score",
    "rank_attributes",
    "SelectBest",
    "class_blocks",
    "best_border",
    "two_way_cut",
    "mdl_price",
    "mdl_borders",
    "mdl_cuts",
    "tree_borders",
    "tree_cuts",
    "SupervisedDiscretizer",
    "MDLDiscretizer",
    "TwoWayDiscretizer",
    "TreeDiscretizer",
    "ScatterMatrices",
    "scatter_matrices",
    "fisher_ratio",
    "fisher_direction",
    "FisherTransformer",
    "FisherClassifier",
    "columns_of",
    "subset_scores",
    "AttributeSelector",
    "WrapperSelector",
    "attribute_weights",
    "DropSmallWeights",
    "eliminate",
    "RecursiveElimination",
    "impurity",
    "filters",
    "discretization",
    "discriminant",
    "wrappers",
    "embedded",
]

__getattr__, __dir__ = _attach(__name__, {
    "IMPURITIES": "impurity",
    "ENTROPY": "impurity",
    "GINI": "impurity",
    "ERROR": "impurity",
    "entropy": "impurity",
    "gini": "impurity",
    "error_impurity": "impurity",
    "split_impurity": "impurity",
    "gain": "impurity",
    "split_info": "impurity",
    "gain_ratio": "impurity",
    "log_table": "impurity",
    "n_log_n": "impurity",
    "collect": "impurity",
    "total_from": "impurity",
    "total_impurity": "impurity",
    "split_scores": "impurity",
    "threshold_scores": "impurity",
    "best_threshold": "impurity",
    "midpoint": "impurity",
    "attribute_scores": "impurity",
    "SCORES": "filters",
    "class_moments": "filters",
    "fisher_score": "filters",
    "chi_square_test": "filters",
    "chi_square": "filters",
    "gain_score": "filters",
    "gini_score": "filters",
    "gain_ratio_score": "filters",
    "rank_attributes": "filters",
    "SelectBest": "filters",
    "class_blocks": "discretization",
    "best_border": "discretization",
    "two_way_cut": "discretization",
    "mdl_price": "discretization",
    "mdl_borders": "discretization",
    "mdl_cuts": "discretization",
    "tree_borders": "discretization",
    "tree_cuts": "discretization",
    "SupervisedDiscretizer": "discretization",
    "MDLDiscretizer": "discretization",
    "TwoWayDiscretizer": "discretization",
    "TreeDiscretizer": "discretization",
    "ScatterMatrices": "discriminant",
    "scatter_matrices": "discriminant",
    "fisher_ratio": "discriminant",
    "fisher_direction": "discriminant",
    "FisherTransformer": "discriminant",
    "FisherClassifier": "discriminant",
    "columns_of": "wrappers",
    "subset_scores": "wrappers",
    "AttributeSelector": "wrappers",
    "WrapperSelector": "wrappers",
    "attribute_weights": "embedded",
    "DropSmallWeights": "embedded",
    "eliminate": "embedded",
    "RecursiveElimination": "embedded",
    "impurity": "impurity",
    "filters": "filters",
    "discretization": "discretization",
    "discriminant": "discriminant",
    "wrappers": "wrappers",
    "embedded": "embedded",
})
