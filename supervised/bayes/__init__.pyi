# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_tables import NaiveBayesClassifier as NaiveBayesClassifier
from .engine_weakening import TANClassifier as TANClassifier
from .engine_text import MultinomialTextClassifier as MultinomialTextClassifier
from .engine_text import BernoulliTextClassifier as BernoulliTextClassifier
from .documents import telling_words as telling_words
from .engine_drawing import plot_nomogram as plot_nomogram
from .theorem import bayes_rule as bayes_rule
from .categorical import prior_probabilities as prior_probabilities
from .categorical import smoothed_probabilities as smoothed_probabilities
from .theorem import count_cells as count_cells
from .theorem import conditional_information as conditional_information
from .generative import generate_rows as generate_rows
from .generative import generate_documents as generate_documents
from .calibration import reliability_table as reliability_table
from .engine_drawing import plot_reliability as plot_reliability
from . import theorem as theorem
from . import categorical as categorical
from . import numeric as numeric
from . import text as text
from . import documents as documents
from . import generative as generative
from . import calibration as calibration
from . import weakening as weakening
from . import engine as engine
from . import engine_tables as engine_tables
from . import engine_text as engine_text
from . import engine_generating as engine_generating
from . import engine_weakening as engine_weakening
from . import engine_drawing as engine_drawing

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
    "text",
    "documents",
    "generative",
    "calibration",
    "weakening",
    "engine",
    "engine_tables",
    "engine_text",
    "engine_generating",
    "engine_weakening",
    "engine_drawing",
]
