# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import resampling as resampling
from . import measures as measures
from . import ranking as ranking
from . import comparison as comparison
from . import experiments as experiments
from . import calibration as calibration
from . import sets as sets
from . import choosing as choosing

__all__ = [
    "resampling",
    "measures",
    "ranking",
    "comparison",
    "experiments",
    "calibration",
    "sets",
    "choosing",
]
