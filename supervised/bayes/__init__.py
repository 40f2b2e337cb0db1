"""Count, multiply, compare: the classifier that turns Bayes' theorem around, for tables with names, numbers and gaps, and for text."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import theorem as theorem, categorical as categorical, numeric as numeric, text as text, generative as generative
    from .theorem import bayes_rule as bayes_rule
    from .theorem import CellCounts as CellCounts
    from .theorem import count_cells as count_cells
    from .theorem import conditional_information as conditional_information
    from .categorical import prior_probabilities as prior_probabilities
    from .categorical import smoothed_probabilities as smoothed_probabilities
    from .categorical import check_amount as check_amount
    from .categorical import log_likelihoods as log_likelihoods
    from .categorical import add_nominal_terms as add_nominal_terms
    from .categorical import posterior_from_scores as posterior_from_scores
    from .categorical import plot_nomogram as plot_nomogram
    from .numeric import normal_density as normal_density
    from .numeric import merge_moments as merge_moments
    from .numeric import normal_parameters as normal_parameters
    from .numeric import add_normal_terms as add_normal_terms
    from .numeric import add_kernel_terms as add_kernel_terms
    from .numeric import laplace_parameters as laplace_parameters
    from .numeric import add_laplace_terms as add_laplace_terms
    from .numeric import distinct_values as distinct_values
    from .numeric import NaiveBayesClassifier as NaiveBayesClassifier
    from .text import word_probabilities as word_probabilities
    from .text import MultinomialTextClassifier as MultinomialTextClassifier
    from .text import presence_probabilities as presence_probabilities
    from .text import BernoulliTextClassifier as BernoulliTextClassifier
    from .text import telling_words as telling_words
    from .generative import generate_rows as generate_rows
    from .generative import generate_documents as generate_documents
    from .generative import normalized_scores as normalized_scores
    from .generative import log_joint as log_joint
    from .generative import reliability_table as reliability_table
    from .generative import calibration_error as calibration_error
    from .generative import plot_reliability as plot_reliability

__all__ = [
    "bayes_rule",
    "CellCounts",
    "count_cells",
    "conditional_information",
    "prior_probabilities",
    "smoothed_probabilities",
    "check_amount",
    "log_likelihoods",
    "add_nominal_terms",
    "posterior_from_scores",
    "plot_nomogram",
    "normal_density",
    "merge_moments",
    "normal_parameters",
    "add_normal_terms",
    "add_kernel_terms",
    "laplace_parameters",
    "add_laplace_terms",
    "distinct_values",
    "NaiveBayesClassifier",
    "word_probabilities",
    "MultinomialTextClassifier",
    "presence_probabilities",
    "BernoulliTextClassifier",
    "telling_words",
    "generate_rows",
    "generate_documents",
    "normalized_scores",
    "log_joint",
    "reliability_table",
    "calibration_error",
    "plot_reliability",
    "theorem",
    "categorical",
    "numeric",
    "text",
    "generative",
]

__getattr__, __dir__ = _attach(__name__, {
    "bayes_rule": "theorem",
    "CellCounts": "theorem",
    "count_cells": "theorem",
    "conditional_information": "theorem",
    "prior_probabilities": "categorical",
    "smoothed_probabilities": "categorical",
    "check_amount": "categorical",
    "log_likelihoods": "categorical",
    "add_nominal_terms": "categorical",
    "posterior_from_scores": "categorical",
    "plot_nomogram": "categorical",
    "normal_density": "numeric",
    "merge_moments": "numeric",
    "normal_parameters": "numeric",
    "add_normal_terms": "numeric",
    "add_kernel_terms": "numeric",
    "laplace_parameters": "numeric",
    "add_laplace_terms": "numeric",
    "distinct_values": "numeric",
    "NaiveBayesClassifier": "numeric",
    "word_probabilities": "text",
    "MultinomialTextClassifier": "text",
    "presence_probabilities": "text",
    "BernoulliTextClassifier": "text",
    "telling_words": "text",
    "generate_rows": "generative",
    "generate_documents": "generative",
    "normalized_scores": "generative",
    "log_joint": "generative",
    "reliability_table": "generative",
    "calibration_error": "generative",
    "plot_reliability": "generative",
    "theorem": "theorem",
    "categorical": "categorical",
    "numeric": "numeric",
    "text": "text",
    "generative": "generative",
})
