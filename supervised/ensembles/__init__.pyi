# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.forests import RandomForestClassifier as RandomForestClassifier
from .engine.gradient import GradientBoostingClassifier as GradientBoostingClassifier
from .bagging import BaggingClassifier as BaggingClassifier
from .engine.boosting import AdaBoostClassifier as AdaBoostClassifier
from .engine.boosting import StumpClassifier as StumpClassifier
from .engine.voting import VotingClassifier as VotingClassifier
from .engine.voting import StackingClassifier as StackingClassifier
from .engine.rulefit import RuleFitClassifier as RuleFitClassifier
from .voting import majority_right as majority_right
from .voting import vote_weights as vote_weights
from .boosting import training_error_bound as training_error_bound
from .boosting import vote_margins as vote_margins
from . import bagging as bagging
from . import boosting as boosting
from . import voting as voting
from . import engine as engine

__all__ = [
    "RandomForestClassifier",
    "GradientBoostingClassifier",
    "BaggingClassifier",
    "AdaBoostClassifier",
    "StumpClassifier",
    "VotingClassifier",
    "StackingClassifier",
    "RuleFitClassifier",
    "majority_right",
    "vote_weights",
    "training_error_bound",
    "vote_margins",
    "bagging",
    "boosting",
    "voting",
    "engine",
]
