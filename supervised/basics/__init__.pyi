# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .classifiers import MajorityClassifier as MajorityClassifier
from .classifiers import RoteClassifier as RoteClassifier
from .engine_classifiers import BaseClassifier as BaseClassifier
from .engine_storage import from_json as from_json
from .learning import accuracy as accuracy
from .engine_tables import Table as Table
from .engine_tables import Attribute as Attribute
from .engine_reading import learn_table as learn_table
from .engine_reading import describe_table as describe_table
from .engine_reading import TableEncoder as TableEncoder
from .tables import IndicatorEncoder as IndicatorEncoder
from .engine_transformers import MissingValueImputer as MissingValueImputer
from .tables import EqualWidthDiscretizer as EqualWidthDiscretizer
from .tables import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
from .engine_transformers import Standardizer as Standardizer
from .engine_transformers import UnitLengthScaler as UnitLengthScaler
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
from . import engine_tables as engine_tables
from . import engine_frames as engine_frames
from . import engine_reading as engine_reading
from . import engine_transformers as engine_transformers
from . import engine_classifiers as engine_classifiers
from . import engine_storage as engine_storage

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
    "engine_tables",
    "engine_frames",
    "engine_reading",
    "engine_transformers",
    "engine_classifiers",
    "engine_storage",
]
