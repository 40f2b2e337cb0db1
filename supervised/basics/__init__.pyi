# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .classifiers import MajorityClassifier as MajorityClassifier
from .classifiers import RoteClassifier as RoteClassifier
from .engine.classifiers import BaseClassifier as BaseClassifier
from .engine.serialization import from_json as from_json
from .learning import accuracy as accuracy
from .engine.tables import Table as Table
from .engine.tables import Attribute as Attribute
from .engine.reading import learn_table as learn_table
from .engine.reading import describe_table as describe_table
from .engine.reading import TableEncoder as TableEncoder
from .tables import IndicatorEncoder as IndicatorEncoder
from .engine.transformers import MissingValueImputer as MissingValueImputer
from .tables import EqualWidthDiscretizer as EqualWidthDiscretizer
from .tables import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
from .engine.transformers import Standardizer as Standardizer
from .engine.transformers import UnitLengthScaler as UnitLengthScaler
from .datasets import load_loan as load_loan
from .datasets import load_weather as load_weather
from .datasets import load_titanic as load_titanic
from .generators import make_gaussian_mixture as make_gaussian_mixture
from .figures import set_style as set_style
from .figures import plot_classes as plot_classes
from .figures import plot_regions as plot_regions
from .players import player as player
from . import learning as learning
from . import tables as tables
from . import classifiers as classifiers
from . import explanations as explanations
from . import datasets as datasets
from . import generators as generators
from . import corpora as corpora
from . import arff as arff
from . import figures as figures
from . import drawings as drawings
from . import players as players
from . import kernels as kernels
from . import engine as engine

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
    "generators",
    "corpora",
    "arff",
    "figures",
    "drawings",
    "players",
    "kernels",
    "engine",
]
