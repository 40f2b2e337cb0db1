# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_forests import RandomForestClassifier as RandomForestClassifier
from .engine_gradient import GradientBoostingClassifier as GradientBoostingClassifier
from .bagging import BaggingClassifier as BaggingClassifier
from .engine_boosting import AdaBoostClassifier as AdaBoostClassifier
from .engine_boosting import StumpClassifier as StumpClassifier
from .engine_voting import VotingClassifier as VotingClassifier
from .engine_voting import StackingClassifier as StackingClassifier
from .voting import majority_right as majority_right
from .voting import vote_weights as vote_weights
from .boosting import training_error_bound as training_error_bound
from .boosting import vote_margins as vote_margins
from . import bagging as bagging
from . import boosting as boosting
from . import voting as voting
from . import engine as engine
from . import engine_forests as engine_forests
from . import engine_boosting as engine_boosting
from . import engine_gradient as engine_gradient
from . import engine_voting as engine_voting

__all__ = [
    "RandomForestClassifier",
    "GradientBoostingClassifier",
    "BaggingClassifier",
    "AdaBoostClassifier",
    "StumpClassifier",
    "VotingClassifier",
    "StackingClassifier",
    "majority_right",
    "vote_weights",
    "training_error_bound",
    "vote_margins",
    "bagging",
    "boosting",
    "voting",
    "engine",
    "engine_forests",
    "engine_boosting",
    "engine_gradient",
    "engine_voting",
]
