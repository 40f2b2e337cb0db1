"""If this and that, then such a class: lists and sets of rules, taken from trees or learned one by one, from AQ and CN2 to C4.5rules, RIPPER and PART."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import from_trees as from_trees, engine as engine, engine_boxes as engine_boxes, engine_c45rules as engine_c45rules

__all__ = [
    "from_trees",
    "engine",
    "engine_boxes",
    "engine_c45rules",
]

__getattr__, __dir__ = _attach(__name__, {
    "from_trees": "from_trees",
    "engine": "engine",
    "engine_boxes": "engine_boxes",
    "engine_c45rules": "engine_c45rules",
})
