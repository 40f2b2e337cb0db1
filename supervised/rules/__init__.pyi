# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import from_trees as from_trees
from . import part as part
from . import engine as engine
from . import engine_boxes as engine_boxes
from . import engine_c45rules as engine_c45rules
from . import engine_part as engine_part

__all__ = [
    "from_trees",
    "part",
    "engine",
    "engine_boxes",
    "engine_c45rules",
    "engine_part",
]
