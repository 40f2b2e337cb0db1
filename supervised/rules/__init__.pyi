# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .measures import laplace as laplace
from .measures import m_estimate as m_estimate
from .measures import foil_gain as foil_gain
from .measures import likelihood_ratio as likelihood_ratio
from . import from_trees as from_trees
from . import measures as measures
from . import engine as engine
from . import engine_boxes as engine_boxes
from . import engine_c45rules as engine_c45rules
from . import engine_ripper as engine_ripper

__all__ = [
    "laplace",
    "m_estimate",
    "foil_gain",
    "likelihood_ratio",
    "from_trees",
    "measures",
    "engine",
    "engine_boxes",
    "engine_c45rules",
    "engine_ripper",
]
