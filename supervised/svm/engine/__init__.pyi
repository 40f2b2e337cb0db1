# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import kernels as kernels
from . import smo as smo
from . import machines as machines
from . import linear as linear
from . import multiclass as multiclass
from . import kernel_methods as kernel_methods

__all__ = [
    "kernels",
    "smo",
    "machines",
    "linear",
    "multiclass",
    "kernel_methods",
]
