# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import network as network

__all__ = [
    "network",
]
