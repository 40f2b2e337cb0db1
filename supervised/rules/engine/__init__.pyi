# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import rule_list as rule_list
from . import boxes as boxes
from . import c45rules as c45rules
from . import measures as measures
from . import covering as covering
from . import foil as foil
from . import ripper as ripper
from . import part as part
from . import optimal as optimal
from . import programs as programs

__all__ = [
    "rule_list",
    "boxes",
    "c45rules",
    "measures",
    "covering",
    "foil",
    "ripper",
    "part",
    "optimal",
    "programs",
]
