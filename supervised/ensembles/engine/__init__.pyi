# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import base as base
from . import forests as forests
from . import boosting as boosting
from . import binning as binning
from . import histogram as histogram
from . import splitter as splitter
from . import grower as grower
from . import predictor as predictor
from . import gradient as gradient
from . import voting as voting
from . import rulefit as rulefit

__all__ = [
    "base",
    "forests",
    "boosting",
    "binning",
    "histogram",
    "splitter",
    "grower",
    "predictor",
    "gradient",
    "voting",
    "rulefit",
]
