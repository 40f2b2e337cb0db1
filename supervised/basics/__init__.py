"""The ground that everything stands on: what learning is, what a table is, and what all classifiers share."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import learning as learning, tables as tables, classifiers as classifiers, datasets as datasets, figures as figures, kernels as kernels
    from .learning import accuracy as accuracy
    from .learning import error_rate as error_rate
    from .tables import Attribute as Attribute
    from .tables import Table as Table
    from .tables import table_of as table_of
    from .tables import column_content as column_content
    from .tables import as_frame as as_frame
    from .tables import learn_table as learn_table
    from .tables import apply_attributes as apply_attributes
    from .tables import TableEstimator as TableEstimator
    from .tables import TableEncoder as TableEncoder
    from .tables import require_numeric as require_numeric
    from .tables import require_complete as require_complete
    from .tables import is_missing as is_missing
    from .tables import to_frame as to_frame
    from .tables import to_matrix as to_matrix
    from .tables import describe_table as describe_table
    from .tables import TableTransformer as TableTransformer
    from .tables import MissingValueImputer as MissingValueImputer
    from .tables import check_choice as check_choice
    from .tables import IndicatorEncoder as IndicatorEncoder
    from .tables import equal_width_cuts as equal_width_cuts
    from .tables import equal_frequency_cuts as equal_frequency_cuts
    from .tables import Discretizer as Discretizer
    from .tables import interval_labels as interval_labels
    from .tables import EqualWidthDiscretizer as EqualWidthDiscretizer
    from .tables import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
    from .tables import check_count as check_count
    from .tables import random_generator as random_generator
    from .tables import Standardizer as Standardizer
    from .tables import UnitLengthScaler as UnitLengthScaler
    from .classifiers import encode_classes as encode_classes
    from .classifiers import check_weights as check_weights
    from .classifiers import BaseClassifier as BaseClassifier
    from .classifiers import training_rows as training_rows
    from .classifiers import MajorityClassifier as MajorityClassifier
    from .classifiers import row_keys as row_keys
    from .classifiers import RoteClassifier as RoteClassifier
    from .classifiers import pack as pack
    from .classifiers import unpack as unpack
    from .classifiers import from_json as from_json
    from .datasets import LIBRARIES as LIBRARIES
    from .datasets import load_loan as load_loan
    from .datasets import load_abc as load_abc
    from .datasets import load_tax_evasion as load_tax_evasion
    from .datasets import load_donors as load_donors
    from .datasets import load_ranked_documents as load_ranked_documents
    from .datasets import load_rankings as load_rankings
    from .datasets import load_weather as load_weather
    from .datasets import load_contact_lenses as load_contact_lenses
    from .datasets import load_xor as load_xor
    from .datasets import load_classification_task as load_classification_task
    from .datasets import load_iris as load_iris
    from .datasets import load_wine as load_wine
    from .datasets import load_breast_cancer as load_breast_cancer
    from .datasets import load_digits as load_digits
    from .datasets import load_votes as load_votes
    from .datasets import load_titanic as load_titanic
    from .datasets import load_zoo as load_zoo
    from .datasets import load_credit as load_credit
    from .datasets import load_heart_disease as load_heart_disease
    from .datasets import load_soybean as load_soybean
    from .datasets import make_gaussian_mixture as make_gaussian_mixture
    from .datasets import PlantedAssociation as PlantedAssociation
    from .datasets import baskets_with as baskets_with
    from .datasets import make_market_baskets as make_market_baskets
    from .datasets import PlantedRule as PlantedRule
    from .datasets import first_rule as first_rule
    from .datasets import make_rule_table as make_rule_table
    from .datasets import load_docstrings as load_docstrings
    from .datasets import fetch_20newsgroups as fetch_20newsgroups
    from .datasets import fetch_openml as fetch_openml
    from .figures import PAPER as PAPER
    from .figures import INK as INK
    from .figures import COLORS as COLORS
    from .figures import MARKERS as MARKERS
    from .figures import TINT as TINT
    from .figures import STYLE as STYLE
    from .figures import mix as mix
    from .figures import set_style as set_style
    from .figures import plot_classes as plot_classes
    from .figures import plot_regions as plot_regions
    from .figures import plot_densities as plot_densities
    from .figures import plot_flow as plot_flow
    from .figures import to_png as to_png
    from .figures import Player as Player
    from .figures import player as player
    from .kernels import F as F
    from .kernels import compiled as compiled
    from .kernels import class_counts as class_counts

__all__ = [
    "accuracy",
    "error_rate",
    "Attribute",
    "Table",
    "table_of",
    "column_content",
    "as_frame",
    "learn_table",
    "apply_attributes",
    "TableEstimator",
    "TableEncoder",
    "require_numeric",
    "require_complete",
    "is_missing",
    "to_frame",
    "to_matrix",
    "describe_table",
    "TableTransformer",
    "MissingValueImputer",
    "check_choice",
    "IndicatorEncoder",
    "equal_width_cuts",
    "equal_frequency_cuts",
    "Discretizer",
    "interval_labels",
    "EqualWidthDiscretizer",
    "EqualFrequencyDiscretizer",
    "check_count",
    "random_generator",
    "Standardizer",
    "UnitLengthScaler",
    "encode_classes",
    "check_weights",
    "BaseClassifier",
    "training_rows",
    "MajorityClassifier",
    "row_keys",
    "RoteClassifier",
    "pack",
    "unpack",
    "from_json",
    "LIBRARIES",
    "load_loan",
    "load_abc",
    "load_tax_evasion",
    "load_donors",
    "load_ranked_documents",
    "load_rankings",
    "load_weather",
    "load_contact_lenses",
    "load_xor",
    "load_classification_task",
    "load_iris",
    "load_wine",
    "load_breast_cancer",
    "load_digits",
    "load_votes",
    "load_titanic",
    "load_zoo",
    "load_credit",
    "load_heart_disease",
    "load_soybean",
    "make_gaussian_mixture",
    "PlantedAssociation",
    "baskets_with",
    "make_market_baskets",
    "PlantedRule",
    "first_rule",
    "make_rule_table",
    "load_docstrings",
    "fetch_20newsgroups",
    "fetch_openml",
    "PAPER",
    "INK",
    "COLORS",
    "MARKERS",
    "TINT",
    "STYLE",
    "mix",
    "set_style",
    "plot_classes",
    "plot_regions",
    "plot_densities",
    "plot_flow",
    "to_png",
    "Player",
    "player",
    "F",
    "compiled",
    "class_counts",
    "learning",
    "tables",
    "classifiers",
    "datasets",
    "figures",
    "kernels",
]

__getattr__, __dir__ = _attach(__name__, {
    "accuracy": "learning",
    "error_rate": "learning",
    "Attribute": "tables",
    "Table": "tables",
    "table_of": "tables",
    "column_content": "tables",
    "as_frame": "tables",
    "learn_table": "tables",
    "apply_attributes": "tables",
    "TableEstimator": "tables",
    "TableEncoder": "tables",
    "require_numeric": "tables",
    "require_complete": "tables",
    "is_missing": "tables",
    "to_frame": "tables",
    "to_matrix": "tables",
    "describe_table": "tables",
    "TableTransformer": "tables",
    "MissingValueImputer": "tables",
    "check_choice": "tables",
    "IndicatorEncoder": "tables",
    "equal_width_cuts": "tables",
    "equal_frequency_cuts": "tables",
    "Discretizer": "tables",
    "interval_labels": "tables",
    "EqualWidthDiscretizer": "tables",
    "EqualFrequencyDiscretizer": "tables",
    "check_count": "tables",
    "random_generator": "tables",
    "Standardizer": "tables",
    "UnitLengthScaler": "tables",
    "encode_classes": "classifiers",
    "check_weights": "classifiers",
    "BaseClassifier": "classifiers",
    "training_rows": "classifiers",
    "MajorityClassifier": "classifiers",
    "row_keys": "classifiers",
    "RoteClassifier": "classifiers",
    "pack": "classifiers",
    "unpack": "classifiers",
    "from_json": "classifiers",
    "LIBRARIES": "datasets",
    "load_loan": "datasets",
    "load_abc": "datasets",
    "load_tax_evasion": "datasets",
    "load_donors": "datasets",
    "load_ranked_documents": "datasets",
    "load_rankings": "datasets",
    "load_weather": "datasets",
    "load_contact_lenses": "datasets",
    "load_xor": "datasets",
    "load_classification_task": "datasets",
    "load_iris": "datasets",
    "load_wine": "datasets",
    "load_breast_cancer": "datasets",
    "load_digits": "datasets",
    "load_votes": "datasets",
    "load_titanic": "datasets",
    "load_zoo": "datasets",
    "load_credit": "datasets",
    "load_heart_disease": "datasets",
    "load_soybean": "datasets",
    "make_gaussian_mixture": "datasets",
    "PlantedAssociation": "datasets",
    "baskets_with": "datasets",
    "make_market_baskets": "datasets",
    "PlantedRule": "datasets",
    "first_rule": "datasets",
    "make_rule_table": "datasets",
    "load_docstrings": "datasets",
    "fetch_20newsgroups": "datasets",
    "fetch_openml": "datasets",
    "PAPER": "figures",
    "INK": "figures",
    "COLORS": "figures",
    "MARKERS": "figures",
    "TINT": "figures",
    "STYLE": "figures",
    "mix": "figures",
    "set_style": "figures",
    "plot_classes": "figures",
    "plot_regions": "figures",
    "plot_densities": "figures",
    "plot_flow": "figures",
    "to_png": "figures",
    "Player": "figures",
    "player": "figures",
    "F": "kernels",
    "compiled": "kernels",
    "class_counts": "kernels",
    "learning": "learning",
    "tables": "tables",
    "classifiers": "classifiers",
    "datasets": "datasets",
    "figures": "figures",
    "kernels": "kernels",
})
