# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import posteriors as posteriors
from . import tables as tables
from . import text as text
from . import generating as generating
from . import weakening as weakening
from . import drawing as drawing

__all__ = [
    "posteriors",
    "tables",
    "text",
    "generating",
    "weakening",
    "drawing",
]
