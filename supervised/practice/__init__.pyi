# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.summaries import fit_distributed as fit_distributed
from .engine.out_of_core import grow_from_chunks as grow_from_chunks
from .engine.hoeffding import HoeffdingTreeClassifier as HoeffdingTreeClassifier
from .engine.counterfactuals import counterfactual as counterfactual
from .engine.counterfactuals import explain_with_counterfactual as explain_with_counterfactual
from . import streams as streams
from . import engine as engine

__all__ = [
    "fit_distributed",
    "grow_from_chunks",
    "HoeffdingTreeClassifier",
    "counterfactual",
    "explain_with_counterfactual",
    "streams",
    "engine",
]
