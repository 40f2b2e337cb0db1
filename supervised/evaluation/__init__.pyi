# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.resampling import evaluate as evaluate
from .engine.resampling import Holdout as Holdout
from .engine.resampling import RepeatedHoldout as RepeatedHoldout
from .engine.resampling import CrossValidation as CrossValidation
from .engine.resampling import LeaveOneOut as LeaveOneOut
from .engine.resampling import Bootstrap as Bootstrap
from .engine.resampling import bootstrap_632 as bootstrap_632
from .measures import confusion_matrix as confusion_matrix
from .measures import class_report as class_report
from .measures import precision as precision
from .measures import recall as recall
from .measures import f_score as f_score
from .prices import mean_cost as mean_cost
from .engine.calibration import CalibratedClassifier as CalibratedClassifier
from .engine.choosing import ThresholdClassifier as ThresholdClassifier
from .engine.sets import ConformalClassifier as ConformalClassifier
from .ranking import roc_auc as roc_auc
from .ranking import average_precision as average_precision
from .engine.ranking import RocPlot as RocPlot
from .engine.ranking import PrecisionRecallPlot as PrecisionRecallPlot
from .engine.ranking import LiftPlot as LiftPlot
from .engine.comparison import paired_test as paired_test
from .engine.comparison import mcnemar_test as mcnemar_test
from .engine.comparison import compare_classifiers as compare_classifiers
from . import resampling as resampling
from . import measures as measures
from . import ranking as ranking
from . import prices as prices
from . import calibration as calibration
from . import comparison as comparison
from . import engine as engine

__all__ = [
    "evaluate",
    "Holdout",
    "RepeatedHoldout",
    "CrossValidation",
    "LeaveOneOut",
    "Bootstrap",
    "bootstrap_632",
    "confusion_matrix",
    "class_report",
    "precision",
    "recall",
    "f_score",
    "mean_cost",
    "CalibratedClassifier",
    "ThresholdClassifier",
    "ConformalClassifier",
    "roc_auc",
    "average_precision",
    "RocPlot",
    "PrecisionRecallPlot",
    "LiftPlot",
    "paired_test",
    "mcnemar_test",
    "compare_classifiers",
    "resampling",
    "measures",
    "ranking",
    "prices",
    "calibration",
    "comparison",
    "engine",
]
