"""The ground that everything stands on: what learning is, what a table is, and what all classifiers share."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import learning as learning, tables as tables, classifiers as classifiers, explanations as explanations, datasets as datasets, figures as figures, kernels as kernels
    from .classifiers import MajorityClassifier as MajorityClassifier
    from .classifiers import RoteClassifier as RoteClassifier
    from .classifiers import BaseClassifier as BaseClassifier
    from .classifiers import from_json as from_json
    from .learning import accuracy as accuracy
    from .tables import Table as Table
    from .tables import Attribute as Attribute
    from .tables import learn_table as learn_table
    from .tables import describe_table as describe_table
    from .tables import TableEncoder as TableEncoder
    from .tables import IndicatorEncoder as IndicatorEncoder
    from .tables import MissingValueImputer as MissingValueImputer
    from .tables import EqualWidthDiscretizer as EqualWidthDiscretizer
    from .tables import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
    from .tables import Standardizer as Standardizer
    from .tables import UnitLengthScaler as UnitLengthScaler
    from .datasets import load_loan as load_loan
    from .datasets import load_weather as load_weather
    from .datasets import load_titanic as load_titanic
    from .datasets import make_gaussian_mixture as make_gaussian_mixture
    from .figures import set_style as set_style
    from .figures import plot_classes as plot_classes
    from .figures import plot_regions as plot_regions
    from .figures import player as player

__all__ = [
    "MajorityClassifier",
    "RoteClassifier",
    "BaseClassifier",
    "from_json",
    "accuracy",
    "Table",
    "Attribute",
    "learn_table",
    "describe_table",
    "TableEncoder",
    "IndicatorEncoder",
    "MissingValueImputer",
    "EqualWidthDiscretizer",
    "EqualFrequencyDiscretizer",
    "Standardizer",
    "UnitLengthScaler",
    "load_loan",
    "load_weather",
    "load_titanic",
    "make_gaussian_mixture",
    "set_style",
    "plot_classes",
    "plot_regions",
    "player",
    "learning",
    "tables",
    "classifiers",
    "explanations",
    "datasets",
    "figures",
    "kernels",
]

__getattr__, __dir__ = _attach(__name__, {
    "MajorityClassifier": "classifiers",
    "RoteClassifier": "classifiers",
    "BaseClassifier": "classifiers",
    "from_json": "classifiers",
    "accuracy": "learning",
    "Table": "tables",
    "Attribute": "tables",
    "learn_table": "tables",
    "describe_table": "tables",
    "TableEncoder": "tables",
    "IndicatorEncoder": "tables",
    "MissingValueImputer": "tables",
    "EqualWidthDiscretizer": "tables",
    "EqualFrequencyDiscretizer": "tables",
    "Standardizer": "tables",
    "UnitLengthScaler": "tables",
    "load_loan": "datasets",
    "load_weather": "datasets",
    "load_titanic": "datasets",
    "make_gaussian_mixture": "datasets",
    "set_style": "figures",
    "plot_classes": "figures",
    "plot_regions": "figures",
    "player": "figures",
    "learning": "learning",
    "tables": "tables",
    "classifiers": "classifiers",
    "explanations": "explanations",
    "datasets": "datasets",
    "figures": "figures",
    "kernels": "kernels",
})
