# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .classifiers import C45Classifier as C45Classifier
from .classifiers import CARTClassifier as CARTClassifier
from .classifiers import ID3Classifier as ID3Classifier
from .classifiers import CHAIDClassifier as CHAIDClassifier
from .multivariate import ObliqueTreeClassifier as ObliqueTreeClassifier
from .engine_drawing import draw_tree as draw_tree
from .engine_drawing import plot_partition as plot_partition
from .engine_drawing import tree_to_text as tree_to_text
from .engine_drawing import tree_to_html as tree_to_html
from .engine_drawing import tree_from_tests as tree_from_tests
from .engine_growing import grow_tree as grow_tree
from .engine_growing import growth_trace as growth_trace
from .engine_growing import Settings as Settings
from .engine import Tree as Tree
from .engine_pruning import prune_pessimistic as prune_pessimistic
from .engine_pruning import prune_reduced_error as prune_reduced_error
from .engine_pruning import prune_cost_complexity as prune_cost_complexity
from .engine_pruning import prune_mdl as prune_mdl
from .engine import class_shares as class_shares
from .engine import row_parts as row_parts
from .skew import smoothed as smoothed
from .skew import oversample as oversample
from . import splits as splits
from . import classifiers as classifiers
from . import multivariate as multivariate
from . import skew as skew
from . import engine as engine
from . import engine_splits as engine_splits
from . import engine_growing as engine_growing
from . import engine_pruning as engine_pruning
from . import engine_drawing as engine_drawing
from . import engine_classifiers as engine_classifiers
from . import engine_oblique as engine_oblique

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
    "splits",
    "classifiers",
    "multivariate",
    "skew",
    "engine",
    "engine_splits",
    "engine_growing",
    "engine_pruning",
    "engine_drawing",
    "engine_classifiers",
    "engine_oblique",
]
