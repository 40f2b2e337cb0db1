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
from .engine.preparation import TargetEncoder as TargetEncoder
from .engine.transformers import MissingValueImputer as MissingValueImputer
from .engine.preparation import KNNImputer as KNNImputer
from .tables import EqualWidthDiscretizer as EqualWidthDiscretizer
from .tables import EqualFrequencyDiscretizer as EqualFrequencyDiscretizer
from .engine.transformers import Standardizer as Standardizer
from .engine.preparation import MinMaxScaler as MinMaxScaler
from .engine.transformers import UnitLengthScaler as UnitLengthScaler
from .datasets import load_loan as load_loan
from .datasets import load_weather as load_weather
from .datasets import load_titanic as load_titanic
from .generators import make_gaussian_mixture as make_gaussian_mixture
from .figures import plot_classes as plot_classes
from . import learning as learning
from . import tables as tables
from . import classifiers as classifiers
from . import preparation as preparation
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
    "TargetEncoder",
    "MissingValueImputer",
    "KNNImputer",
    "EqualWidthDiscretizer",
    "EqualFrequencyDiscretizer",
    "Standardizer",
    "MinMaxScaler",
    "UnitLengthScaler",
    "load_loan",
    "load_weather",
    "load_titanic",
    "make_gaussian_mixture",
    "plot_classes",
    "learning",
    "tables",
    "classifiers",
    "preparation",
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
