# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import from_trees as from_trees
from . import covering as covering
from . import engine as engine
from . import engine_boxes as engine_boxes
from . import engine_c45rules as engine_c45rules
from . import engine_covering as engine_covering

__all__ = [
    "from_trees",
    "covering",
    "engine",
    "engine_boxes",
    "engine_c45rules",
    "engine_covering",
]
