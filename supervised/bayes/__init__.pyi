# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.tables import NaiveBayesClassifier as NaiveBayesClassifier
from .engine.weakening import TANClassifier as TANClassifier
from .engine.text import MultinomialTextClassifier as MultinomialTextClassifier
from .engine.text import BernoulliTextClassifier as BernoulliTextClassifier
from .documents import telling_words as telling_words
from .engine.drawing import plot_nomogram as plot_nomogram
from .theorem import bayes_rule as bayes_rule
from .categorical import prior_probabilities as prior_probabilities
from .categorical import smoothed_probabilities as smoothed_probabilities
from .theorem import count_cells as count_cells
from .theorem import conditional_information as conditional_information
from .generative import generate_rows as generate_rows
from .generative import generate_documents as generate_documents
from .calibration import reliability_table as reliability_table
from .engine.drawing import plot_reliability as plot_reliability
from . import theorem as theorem
from . import categorical as categorical
from . import numeric as numeric
from . import densities as densities
from . import text as text
from . import documents as documents
from . import generative as generative
from . import calibration as calibration
from . import weakening as weakening
from . import engine as engine

__all__ = [
    "NaiveBayesClassifier",
    "TANClassifier",
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
    "densities",
    "text",
    "documents",
    "generative",
    "calibration",
    "weakening",
    "engine",
]
