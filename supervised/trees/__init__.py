"""Ask the question that sorts the classes best, then ask again in every branch: how a decision tree is grown, read, pruned and used, from Quinlan's C4.5 to splits that are no longer parallel to an axis."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import splits as splits, induction as induction, drawing as drawing, missing as missing, pruning as pruning, classifiers as classifiers, multivariate as multivariate, skew as skew
    from .classifiers import C45Classifier as C45Classifier
    from .classifiers import CARTClassifier as CARTClassifier
    from .classifiers import ID3Classifier as ID3Classifier
    from .classifiers import CHAIDClassifier as CHAIDClassifier
    from .multivariate import ObliqueTreeClassifier as ObliqueTreeClassifier
    from .drawing import draw_tree as draw_tree
    from .drawing import plot_partition as plot_partition
    from .drawing import tree_to_text as tree_to_text
    from .drawing import tree_to_html as tree_to_html
    from .drawing import tree_from_tests as tree_from_tests
    from .induction import grow_tree as grow_tree
    from .induction import growth_trace as growth_trace
    from .pruning import prune_pessimistic as prune_pessimistic
    from .pruning import prune_reduced_error as prune_reduced_error
    from .pruning import prune_cost_complexity as prune_cost_complexity
    from .pruning import prune_mdl as prune_mdl
    from .missing import class_shares as class_shares
    from .missing import row_parts as row_parts
    from .skew import smoothed_probabilities as smoothed_probabilities
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
    "prune_pessimistic",
    "prune_reduced_error",
    "prune_cost_complexity",
    "prune_mdl",
    "class_shares",
    "row_parts",
    "smoothed_probabilities",
    "oversample",
    "splits",
    "induction",
    "drawing",
    "missing",
    "pruning",
    "classifiers",
    "multivariate",
    "skew",
]

__getattr__, __dir__ = _attach(__name__, {
    "C45Classifier": "classifiers",
    "CARTClassifier": "classifiers",
    "ID3Classifier": "classifiers",
    "CHAIDClassifier": "classifiers",
    "ObliqueTreeClassifier": "multivariate",
    "draw_tree": "drawing",
    "plot_partition": "drawing",
    "tree_to_text": "drawing",
    "tree_to_html": "drawing",
    "tree_from_tests": "drawing",
    "grow_tree": "induction",
    "growth_trace": "induction",
    "prune_pessimistic": "pruning",
    "prune_reduced_error": "pruning",
    "prune_cost_complexity": "pruning",
    "prune_mdl": "pruning",
    "class_shares": "missing",
    "row_parts": "missing",
    "smoothed_probabilities": "skew",
    "oversample": "skew",
    "splits": "splits",
    "induction": "induction",
    "drawing": "drawing",
    "missing": "missing",
    "pruning": "pruning",
    "classifiers": "classifiers",
    "multivariate": "multivariate",
    "skew": "skew",
})
