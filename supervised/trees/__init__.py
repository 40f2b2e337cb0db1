"""Ask the question that separates the classes best, then ask again in every branch: how a decision tree is grown, read, pruned and used, from Quinlan's C4.5 to splits that are no longer parallel to an axis."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import splits as splits, classifiers as classifiers, multivariate as multivariate, skew as skew, engine as engine, engine_splits as engine_splits, engine_growing as engine_growing, engine_pruning as engine_pruning, engine_drawing as engine_drawing, engine_classifiers as engine_classifiers, engine_oblique as engine_oblique
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

__getattr__, __dir__ = _attach(__name__, {
    "C45Classifier": "classifiers",
    "CARTClassifier": "classifiers",
    "ID3Classifier": "classifiers",
    "CHAIDClassifier": "classifiers",
    "ObliqueTreeClassifier": "multivariate",
    "draw_tree": "engine_drawing",
    "plot_partition": "engine_drawing",
    "tree_to_text": "engine_drawing",
    "tree_to_html": "engine_drawing",
    "tree_from_tests": "engine_drawing",
    "grow_tree": "engine_growing",
    "growth_trace": "engine_growing",
    "Settings": "engine_growing",
    "Tree": "engine",
    "prune_pessimistic": "engine_pruning",
    "prune_reduced_error": "engine_pruning",
    "prune_cost_complexity": "engine_pruning",
    "prune_mdl": "engine_pruning",
    "class_shares": "engine",
    "row_parts": "engine",
    "smoothed": "skew",
    "oversample": "skew",
    "splits": "splits",
    "classifiers": "classifiers",
    "multivariate": "multivariate",
    "skew": "skew",
    "engine": "engine",
    "engine_splits": "engine_splits",
    "engine_growing": "engine_growing",
    "engine_pruning": "engine_pruning",
    "engine_drawing": "engine_drawing",
    "engine_classifiers": "engine_classifiers",
    "engine_oblique": "engine_oblique",
})
