# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import summaries as summaries
from . import out_of_core as out_of_core
from . import hoeffding as hoeffding
from . import counterfactuals as counterfactuals

__all__ = [
    "summaries",
    "out_of_core",
    "hoeffding",
    "counterfactuals",
]
