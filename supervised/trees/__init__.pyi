# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .classifiers import C45Classifier as C45Classifier
from .classifiers import CARTClassifier as CARTClassifier
from .classifiers import ID3Classifier as ID3Classifier
from .classifiers import CHAIDClassifier as CHAIDClassifier
from .multivariate import ObliqueTreeClassifier as ObliqueTreeClassifier
from .engine.drawing import draw_tree as draw_tree
from .engine.drawing import plot_partition as plot_partition
from .engine.drawing import tree_to_text as tree_to_text
from .engine.drawing import tree_to_html as tree_to_html
from .engine.drawing import tree_from_tests as tree_from_tests
from .engine.shapley import shapley_values as shapley_values
from .engine.builder import grow_tree as grow_tree
from .engine.builder import growth_trace as growth_trace
from .engine.builder import Settings as Settings
from .engine.tree import Tree as Tree
from .engine.pruning import prune_pessimistic as prune_pessimistic
from .engine.pruning import prune_reduced_error as prune_reduced_error
from .engine.pruning import prune_cost_complexity as prune_cost_complexity
from .engine.pruning import prune_mdl as prune_mdl
from .engine.tree import class_shares as class_shares
from .engine.tree import row_parts as row_parts
from .skew import smoothed as smoothed
from .skew import oversample as oversample
from .skew import SMOTE as SMOTE
from . import splits as splits
from . import classifiers as classifiers
from . import multivariate as multivariate
from . import skew as skew
from . import engine as engine

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "ID3Classifier",
    "CHAIDClassifier",
    "ObliqueTreeClassifier",
    "draw_tree",
    "plot_partition",
    "tree_to_text",
    "tree_to_html",
    "tree_from_tests",
    "shapley_values",
    "grow_tree",
    "growth_trace",
    "Settings",
    "Tree",
    "prune_pessimistic",
    "prune_reduced_error",
    "prune_cost_complexity",
    "prune_mdl",
    "class_shares",
    "row_parts",
    "smoothed",
    "oversample",
    "SMOTE",
    "splits",
    "classifiers",
    "multivariate",
    "skew",
    "engine",
]
