# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_summaries import fit_distributed as fit_distributed
from .engine_chunks import grow_from_chunks as grow_from_chunks
from . import engine_summaries as engine_summaries
from . import engine_chunks as engine_chunks

__all__ = [
    "fit_distributed",
    "grow_from_chunks",
    "engine_summaries",
    "engine_chunks",
]
