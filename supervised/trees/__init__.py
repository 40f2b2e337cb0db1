"""Ask the question that sorts the classes best, then ask again in every branch: how a decision tree is grown, read, pruned and used, from Quinlan's C4.5 to splits that are no longer parallel to an axis."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import splits as splits, classifiers as classifiers, multivariate as multivariate, skew as skew, engine as engine, engine_splits as engine_splits, engine_growing as engine_growing, engine_pruning as engine_pruning, engine_drawing as engine_drawing, engine_classifiers as engine_classifiers, engine_oblique as engine_oblique
    from .splits import at_candidates as at_candidates
    from .classifiers import ID3Classifier as ID3Classifier
    from .classifiers import C45Classifier as C45Classifier
    from .classifiers import CARTClassifier as CARTClassifier
    from .classifiers import CHAIDClassifier as CHAIDClassifier
    from .multivariate import ObliqueTreeClassifier as ObliqueTreeClassifier
    from .skew import smoothed as smoothed
    from .skew import smoothed_probabilities as smoothed_probabilities
    from .skew import oversample as oversample
    from .engine import ROUNDING as ROUNDING
    from .engine import TreeArrays as TreeArrays
    from .engine import first_largest as first_largest
    from .engine import Tree as Tree
    from .engine import last_nodes as last_nodes
    from .engine import stops_of as stops_of
    from .engine import branch_shares as branch_shares
    from .engine import branch_of as branch_of
    from .engine import row_parts as row_parts
    from .engine import class_shares as class_shares
    from .engine import cut_back as cut_back
    from .engine import compacted as compacted
    from .engine import summed_up as summed_up
    from .engine import check_rows as check_rows
    from .engine import node_counts as node_counts
    from .engine_splits import MULTIWAY as MULTIWAY
    from .engine_splits import ONE_VALUE as ONE_VALUE
    from .engine_splits import SUBSETS as SUBSETS
    from .engine_splits import MERGED as MERGED
    from .engine_splits import best_cut as best_cut
    from .engine_splits import best_whole_cut as best_whole_cut
    from .engine_splits import best_value as best_value
    from .engine_splits import best_prefix as best_prefix
    from .engine_splits import best_subset as best_subset
    from .engine_splits import log_chi_square_tail as log_chi_square_tail
    from .engine_splits import log_p_value as log_p_value
    from .engine_splits import log_n_groupings as log_n_groupings
    from .engine_splits import merge_values as merge_values
    from .engine_splits import group_values as group_values
    from .engine_splits import grouped as grouped
    from .engine_growing import NEAR as NEAR
    from .engine_growing import sorted_rows as sorted_rows
    from .engine_growing import Data as Data
    from .engine_growing import Settings as Settings
    from .engine_growing import score_tests as score_tests
    from .engine_growing import choose_test as choose_test
    from .engine_growing import Nodes as Nodes
    from .engine_growing import grow_tree as grow_tree
    from .engine_growing import growth_trace as growth_trace
    from .engine_pruning import leaf_errors as leaf_errors
    from .engine_pruning import prune_reduced_error as prune_reduced_error
    from .engine_pruning import description_lengths as description_lengths
    from .engine_pruning import prune_mdl as prune_mdl
    from .engine_pruning import pessimistic_errors as pessimistic_errors
    from .engine_pruning import collapse as collapse
    from .engine_pruning import prune_pessimistic as prune_pessimistic
    from .engine_pruning import weakest_links as weakest_links
    from .engine_pruning import prune_cost_complexity as prune_cost_complexity
    from .engine_pruning import choose_alpha as choose_alpha
    from .engine_drawing import number_texts as number_texts
    from .engine_drawing import branch_texts as branch_texts
    from .engine_drawing import branch_text as branch_text
    from .engine_drawing import answer_texts as answer_texts
    from .engine_drawing import preorder as preorder
    from .engine_drawing import tree_to_text as tree_to_text
    from .engine_drawing import tree_from_tests as tree_from_tests
    from .engine_drawing import tree_layout as tree_layout
    from .engine_drawing import leaf_numbers as leaf_numbers
    from .engine_drawing import draw_tree as draw_tree
    from .engine_drawing import row_path as row_path
    from .engine_drawing import path_text as path_text
    from .engine_drawing import node_boxes as node_boxes
    from .engine_drawing import plot_partition as plot_partition
    from .engine_drawing import HtmlTree as HtmlTree
    from .engine_drawing import tree_to_html as tree_to_html
    from .engine_drawing import tree_to_json as tree_to_json
    from .engine_drawing import tree_from_json as tree_from_json
    from .engine_classifiers import CRITERIA as CRITERIA
    from .engine_classifiers import PRUNINGS as PRUNINGS
    from .engine_classifiers import MOST_VALUES as MOST_VALUES
    from .engine_classifiers import attribute_importances as attribute_importances
    from .engine_classifiers import TreeModel as TreeModel
    from .engine_classifiers import check_number as check_number
    from .engine_classifiers import check_parameters as check_parameters
    from .engine_classifiers import priced_weights as priced_weights
    from .engine_classifiers import held_out_fold as held_out_fold
    from .engine_classifiers import TreeClassifier as TreeClassifier
    from .engine_classifiers import at_occurring_values as at_occurring_values
    from .engine_classifiers import equal_weight_cuts as equal_weight_cuts
    from .engine_classifiers import Categories as Categories
    from .engine_oblique import superclasses as superclasses
    from .engine_oblique import project_rows as project_rows
    from .engine_oblique import soft_margin_cost as soft_margin_cost
    from .engine_oblique import soft_margin_plane as soft_margin_plane
    from .engine_oblique import ObliqueSettings as ObliqueSettings
    from .engine_oblique import ObliqueTree as ObliqueTree
    from .engine_oblique import grow_oblique_tree as grow_oblique_tree
    from .engine_oblique import oblique_leaves as oblique_leaves
    from .engine_oblique import checked_settings as checked_settings

__all__ = [
    "at_candidates",
    "ID3Classifier",
    "C45Classifier",
    "CARTClassifier",
    "CHAIDClassifier",
    "ObliqueTreeClassifier",
    "smoothed",
    "smoothed_probabilities",
    "oversample",
    "ROUNDING",
    "TreeArrays",
    "first_largest",
    "Tree",
    "last_nodes",
    "stops_of",
    "branch_shares",
    "branch_of",
    "row_parts",
    "class_shares",
    "cut_back",
    "compacted",
    "summed_up",
    "check_rows",
    "node_counts",
    "MULTIWAY",
    "ONE_VALUE",
    "SUBSETS",
    "MERGED",
    "best_cut",
    "best_whole_cut",
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
    "sorted_rows",
    "Data",
    "Settings",
    "score_tests",
    "choose_test",
    "Nodes",
    "grow_tree",
    "growth_trace",
    "leaf_errors",
    "prune_reduced_error",
    "description_lengths",
    "prune_mdl",
    "pessimistic_errors",
    "collapse",
    "prune_pessimistic",
    "weakest_links",
    "prune_cost_complexity",
    "choose_alpha",
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
    "CRITERIA",
    "PRUNINGS",
    "MOST_VALUES",
    "attribute_importances",
    "TreeModel",
    "check_number",
    "check_parameters",
    "priced_weights",
    "held_out_fold",
    "TreeClassifier",
    "at_occurring_values",
    "equal_weight_cuts",
    "Categories",
    "superclasses",
    "project_rows",
    "soft_margin_cost",
    "soft_margin_plane",
    "ObliqueSettings",
    "ObliqueTree",
    "grow_oblique_tree",
    "oblique_leaves",
    "checked_settings",
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
    "at_candidates": "splits",
    "ID3Classifier": "classifiers",
    "C45Classifier": "classifiers",
    "CARTClassifier": "classifiers",
    "CHAIDClassifier": "classifiers",
    "ObliqueTreeClassifier": "multivariate",
    "smoothed": "skew",
    "smoothed_probabilities": "skew",
    "oversample": "skew",
    "ROUNDING": "engine",
    "TreeArrays": "engine",
    "first_largest": "engine",
    "Tree": "engine",
    "last_nodes": "engine",
    "stops_of": "engine",
    "branch_shares": "engine",
    "branch_of": "engine",
    "row_parts": "engine",
    "class_shares": "engine",
    "cut_back": "engine",
    "compacted": "engine",
    "summed_up": "engine",
    "check_rows": "engine",
    "node_counts": "engine",
    "MULTIWAY": "engine_splits",
    "ONE_VALUE": "engine_splits",
    "SUBSETS": "engine_splits",
    "MERGED": "engine_splits",
    "best_cut": "engine_splits",
    "best_whole_cut": "engine_splits",
    "best_value": "engine_splits",
    "best_prefix": "engine_splits",
    "best_subset": "engine_splits",
    "log_chi_square_tail": "engine_splits",
    "log_p_value": "engine_splits",
    "log_n_groupings": "engine_splits",
    "merge_values": "engine_splits",
    "group_values": "engine_splits",
    "grouped": "engine_splits",
    "NEAR": "engine_growing",
    "sorted_rows": "engine_growing",
    "Data": "engine_growing",
    "Settings": "engine_growing",
    "score_tests": "engine_growing",
    "choose_test": "engine_growing",
    "Nodes": "engine_growing",
    "grow_tree": "engine_growing",
    "growth_trace": "engine_growing",
    "leaf_errors": "engine_pruning",
    "prune_reduced_error": "engine_pruning",
    "description_lengths": "engine_pruning",
    "prune_mdl": "engine_pruning",
    "pessimistic_errors": "engine_pruning",
    "collapse": "engine_pruning",
    "prune_pessimistic": "engine_pruning",
    "weakest_links": "engine_pruning",
    "prune_cost_complexity": "engine_pruning",
    "choose_alpha": "engine_pruning",
    "number_texts": "engine_drawing",
    "branch_texts": "engine_drawing",
    "branch_text": "engine_drawing",
    "answer_texts": "engine_drawing",
    "preorder": "engine_drawing",
    "tree_to_text": "engine_drawing",
    "tree_from_tests": "engine_drawing",
    "tree_layout": "engine_drawing",
    "leaf_numbers": "engine_drawing",
    "draw_tree": "engine_drawing",
    "row_path": "engine_drawing",
    "path_text": "engine_drawing",
    "node_boxes": "engine_drawing",
    "plot_partition": "engine_drawing",
    "HtmlTree": "engine_drawing",
    "tree_to_html": "engine_drawing",
    "tree_to_json": "engine_drawing",
    "tree_from_json": "engine_drawing",
    "CRITERIA": "engine_classifiers",
    "PRUNINGS": "engine_classifiers",
    "MOST_VALUES": "engine_classifiers",
    "attribute_importances": "engine_classifiers",
    "TreeModel": "engine_classifiers",
    "check_number": "engine_classifiers",
    "check_parameters": "engine_classifiers",
    "priced_weights": "engine_classifiers",
    "held_out_fold": "engine_classifiers",
    "TreeClassifier": "engine_classifiers",
    "at_occurring_values": "engine_classifiers",
    "equal_weight_cuts": "engine_classifiers",
    "Categories": "engine_classifiers",
    "superclasses": "engine_oblique",
    "project_rows": "engine_oblique",
    "soft_margin_cost": "engine_oblique",
    "soft_margin_plane": "engine_oblique",
    "ObliqueSettings": "engine_oblique",
    "ObliqueTree": "engine_oblique",
    "grow_oblique_tree": "engine_oblique",
    "oblique_leaves": "engine_oblique",
    "checked_settings": "engine_oblique",
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
