"""Count, multiply, compare: the classifier that turns Bayes' theorem around, for tables with names, numbers and gaps, and for text."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import theorem as theorem, categorical as categorical, numeric as numeric, text as text, generative as generative
    from .numeric import NaiveBayesClassifier as NaiveBayesClassifier
    from .text import MultinomialTextClassifier as MultinomialTextClassifier
    from .text import BernoulliTextClassifier as BernoulliTextClassifier
    from .text import telling_words as telling_words
    from .categorical import plot_nomogram as plot_nomogram
    from .theorem import bayes_rule as bayes_rule
    from .categorical import prior_probabilities as prior_probabilities
    from .categorical import smoothed_probabilities as smoothed_probabilities
    from .theorem import count_cells as count_cells
    from .theorem import conditional_information as conditional_information
    from .generative import generate_rows as generate_rows
    from .generative import generate_documents as generate_documents
    from .generative import reliability_table as reliability_table
    from .generative import plot_reliability as plot_reliability

__all__ = [
    "NaiveBayesClassifier",
    "MultinomialTextClassifier",
    "BernoulliTextClassifier",
    "telling_words",
    "plot_nomogram",
    "bayes_rule",
    "prior_probabilities",
    "smoothed_probabilities",
    "count_cells",
    "conditional_information",
    "generate_rows",
    "generate_documents",
    "reliability_table",
    "plot_reliability",
    "theorem",
    "categorical",
    "numeric",
    "text",
    "generative",
]

__getattr__, __dir__ = _attach(__name__, {
    "NaiveBayesClassifier": "numeric",
    "MultinomialTextClassifier": "text",
    "BernoulliTextClassifier": "text",
    "telling_words": "text",
    "plot_nomogram": "categorical",
    "bayes_rule": "theorem",
    "prior_probabilities": "categorical",
    "smoothed_probabilities": "categorical",
    "count_cells": "theorem",
    "conditional_information": "theorem",
    "generate_rows": "generative",
    "generate_documents": "generative",
    "reliability_table": "generative",
    "plot_reliability": "generative",
    "theorem": "theorem",
    "categorical": "categorical",
    "numeric": "numeric",
    "text": "text",
    "generative": "generative",
})
