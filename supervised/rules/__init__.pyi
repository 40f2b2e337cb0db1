# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import from_trees as from_trees
from . import measures as measures
from . import engine as engine
from . import engine_boxes as engine_boxes
from . import engine_c45rules as engine_c45rules

__all__ = [
    "from_trees",
    "measures",
    "engine",
    "engine_boxes",
    "engine_c45rules",
]
