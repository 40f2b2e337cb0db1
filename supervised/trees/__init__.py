"""Ask the question that sorts the classes best, then ask again in every branch: how a decision tree is grown, read, pruned and used, from Quinlan's C4.5 to splits that are no longer parallel to an axis."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import splits as splits, induction as induction, drawing as drawing, missing as missing, pruning as pruning, classifiers as classifiers, multivariate as multivariate, skew as skew
    from .splits import ROUNDING as ROUNDING
    from .splits import MULTIWAY as MULTIWAY
    from .splits import ONE_VALUE as ONE_VALUE
    from .splits import SUBSETS as SUBSETS
    from .splits import MERGED as MERGED
    from .splits import best_cut as best_cut
    from .splits import best_whole_cut as best_whole_cut
    from .splits import at_candidates as at_candidates
    from .splits import best_value as best_value
    from .splits import best_prefix as best_prefix
    from .splits import best_subset as best_subset
    from .splits import log_chi_square_tail as log_chi_square_tail
    from .splits import log_p_value as log_p_value
    from .splits import log_n_groupings as log_n_groupings
    from .splits import merge_values as merge_values
    from .splits import group_values as group_values
    from .splits import grouped as grouped
    from .induction import NEAR as NEAR
    from .induction import TreeArrays as TreeArrays
    from .induction import first_largest as first_largest
    from .induction import Tree as Tree
    from .induction import sorted_rows as sorted_rows
    from .induction import Data as Data
    from .induction import Settings as Settings
    from .induction import score_tests as score_tests
    from .induction import choose_test as choose_test
    from .induction import Nodes as Nodes
    from .induction import grow_tree as grow_tree
    from .induction import growth_trace as growth_trace
    from .induction import last_nodes as last_nodes
    from .induction import stops_of as stops_of
    from .drawing import number_texts as number_texts
    from .drawing import branch_texts as branch_texts
    from .drawing import branch_text as branch_text
    from .drawing import answer_texts as answer_texts
    from .drawing import preorder as preorder
    from .drawing import tree_to_text as tree_to_text
    from .drawing import tree_from_tests as tree_from_tests
    from .drawing import tree_layout as tree_layout
    from .drawing import leaf_numbers as leaf_numbers
    from .drawing import draw_tree as draw_tree
    from .drawing import row_path as row_path
    from .drawing import path_text as path_text
    from .drawing import node_boxes as node_boxes
    from .drawing import plot_partition as plot_partition
    from .drawing import HtmlTree as HtmlTree
    from .drawing import tree_to_html as tree_to_html
    from .drawing import tree_to_json as tree_to_json
    from .drawing import tree_from_json as tree_from_json
    from .missing import branch_shares as branch_shares
    from .missing import branch_of as branch_of
    from .missing import row_parts as row_parts
    from .missing import class_shares as class_shares
    from .pruning import cut_back as cut_back
    from .pruning import compacted as compacted
    from .pruning import summed_up as summed_up
    from .pruning import node_counts as node_counts
    from .pruning import leaf_errors as leaf_errors
    from .pruning import prune_reduced_error as prune_reduced_error
    from .pruning import pessimistic_errors as pessimistic_errors
    from .pruning import collapse as collapse
    from .pruning import prune_pessimistic as prune_pessimistic
    from .pruning import weakest_links as weakest_links
    from .pruning import prune_cost_complexity as prune_cost_complexity
    from .pruning import choose_alpha as choose_alpha
    from .pruning import description_lengths as description_lengths
    from .pruning import prune_mdl as prune_mdl
    from .classifiers import CRITERIA as CRITERIA
    from .classifiers import PRUNINGS as PRUNINGS
    from .classifiers import MOST_VALUES as MOST_VALUES
    from .classifiers import attribute_importances as attribute_importances
    from .classifiers import TreeModel as TreeModel
    from .classifiers import priced_weights as priced_weights
    from .classifiers import held_out_fold as held_out_fold
    from .classifiers import TreeClassifier as TreeClassifier
    from .classifiers import ID3Classifier as ID3Classifier
    from .classifiers import at_occurring_values as at_occurring_values
    from .classifiers import C45Classifier as C45Classifier
    from .classifiers import CARTClassifier as CARTClassifier
    from .classifiers import equal_weight_cuts as equal_weight_cuts
    from .classifiers import CHAIDClassifier as CHAIDClassifier
    from .multivariate import superclasses as superclasses
    from .multivariate import project_rows as project_rows
    from .multivariate import soft_margin_cost as soft_margin_cost
    from .multivariate import soft_margin_plane as soft_margin_plane
    from .multivariate import ObliqueSettings as ObliqueSettings
    from .multivariate import ObliqueTree as ObliqueTree
    from .multivariate import grow_oblique_tree as grow_oblique_tree
    from .multivariate import oblique_leaves as oblique_leaves
    from .multivariate import ObliqueTreeClassifier as ObliqueTreeClassifier
    from .skew import smoothed as smoothed
    from .skew import smoothed_probabilities as smoothed_probabilities
    from .skew import oversample as oversample

__all__ = [
    "ROUNDING",
    "MULTIWAY",
    "ONE_VALUE",
    "SUBSETS",
    "MERGED",
    "best_cut",
    "best_whole_cut",
    "at_candidates",
    "best_value",
    "best_prefix",
    "best_subset",
    "log_chi_square_tail",
    "log_p_value",
    "log_n_groupings",
    "merge_values",
    "group_values",
    "grouped",
    "NEAR",
    "TreeArrays",
    "first_largest",
    "Tree",
    "sorted_rows",
    "Data",
    "Settings",
    "score_tests",
    "choose_test",
    "Nodes",
    "grow_tree",
    "growth_trace",
    "last_nodes",
    "stops_of",
    "number_texts",
    "branch_texts",
    "branch_text",
    "answer_texts",
    "preorder",
    "tree_to_text",
    "tree_from_tests",
    "tree_layout",
    "leaf_numbers",
    "draw_tree",
    "row_path",
    "path_text",
    "node_boxes",
    "plot_partition",
    "HtmlTree",
    "tree_to_html",
    "tree_to_json",
    "tree_from_json",
    "branch_shares",
    "branch_of",
    "row_parts",
    "class_shares",
    "cut_back",
    "compacted",
    "summed_up",
    "node_counts",
    "leaf_errors",
    "prune_reduced_error",
    "pessimistic_errors",
    "collapse",
    "prune_pessimistic",
    "weakest_links",
    "prune_cost_complexity",
    "choose_alpha",
    "description_lengths",
    "prune_mdl",
    "CRITERIA",
    "PRUNINGS",
    "MOST_VALUES",
    "attribute_importances",
    "TreeModel",
    "priced_weights",
    "held_out_fold",
    "TreeClassifier",
    "ID3Classifier",
    "at_occurring_values",
    "C45Classifier",
    "CARTClassifier",
    "equal_weight_cuts",
    "CHAIDClassifier",
    "superclasses",
    "project_rows",
    "soft_margin_cost",
    "soft_margin_plane",
    "ObliqueSettings",
    "ObliqueTree",
    "grow_oblique_tree",
    "oblique_leaves",
    "ObliqueTreeClassifier",
    "smoothed",
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
    "ROUNDING": "splits",
    "MULTIWAY": "splits",
    "ONE_VALUE": "splits",
    "SUBSETS": "splits",
    "MERGED": "splits",
    "best_cut": "splits",
    "best_whole_cut": "splits",
    "at_candidates": "splits",
    "best_value": "splits",
    "best_prefix": "splits",
    "best_subset": "splits",
    "log_chi_square_tail": "splits",
    "log_p_value": "splits",
    "log_n_groupings": "splits",
    "merge_values": "splits",
    "group_values": "splits",
    "grouped": "splits",
    "NEAR": "induction",
    "TreeArrays": "induction",
    "first_largest": "induction",
    "Tree": "induction",
    "sorted_rows": "induction",
    "Data": "induction",
    "Settings": "induction",
    "score_tests": "induction",
    "choose_test": "induction",
    "Nodes": "induction",
    "grow_tree": "induction",
    "growth_trace": "induction",
    "last_nodes": "induction",
    "stops_of": "induction",
    "number_texts": "drawing",
    "branch_texts": "drawing",
    "branch_text": "drawing",
    "answer_texts": "drawing",
    "preorder": "drawing",
    "tree_to_text": "drawing",
    "tree_from_tests": "drawing",
    "tree_layout": "drawing",
    "leaf_numbers": "drawing",
    "draw_tree": "drawing",
    "row_path": "drawing",
    "path_text": "drawing",
    "node_boxes": "drawing",
    "plot_partition": "drawing",
    "HtmlTree": "drawing",
    "tree_to_html": "drawing",
    "tree_to_json": "drawing",
    "tree_from_json": "drawing",
    "branch_shares": "missing",
    "branch_of": "missing",
    "row_parts": "missing",
    "class_shares": "missing",
    "cut_back": "pruning",
    "compacted": "pruning",
    "summed_up": "pruning",
    "node_counts": "pruning",
    "leaf_errors": "pruning",
    "prune_reduced_error": "pruning",
    "pessimistic_errors": "pruning",
    "collapse": "pruning",
    "prune_pessimistic": "pruning",
    "weakest_links": "pruning",
    "prune_cost_complexity": "pruning",
    "choose_alpha": "pruning",
    "description_lengths": "pruning",
    "prune_mdl": "pruning",
    "CRITERIA": "classifiers",
    "PRUNINGS": "classifiers",
    "MOST_VALUES": "classifiers",
    "attribute_importances": "classifiers",
    "TreeModel": "classifiers",
    "priced_weights": "classifiers",
    "held_out_fold": "classifiers",
    "TreeClassifier": "classifiers",
    "ID3Classifier": "classifiers",
    "at_occurring_values": "classifiers",
    "C45Classifier": "classifiers",
    "CARTClassifier": "classifiers",
    "equal_weight_cuts": "classifiers",
    "CHAIDClassifier": "classifiers",
    "superclasses": "multivariate",
    "project_rows": "multivariate",
    "soft_margin_cost": "multivariate",
    "soft_margin_plane": "multivariate",
    "ObliqueSettings": "multivariate",
    "ObliqueTree": "multivariate",
    "grow_oblique_tree": "multivariate",
    "oblique_leaves": "multivariate",
    "ObliqueTreeClassifier": "multivariate",
    "smoothed": "skew",
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
