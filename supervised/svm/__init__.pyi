# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import margin as margin
from . import duality as duality
from . import kernels as kernels
from . import multiclass as multiclass
from . import engine_kernels as engine_kernels
from . import engine_smo as engine_smo
from . import engine_machines as engine_machines
from . import engine_multiclass as engine_multiclass
from . import engine_kernel_methods as engine_kernel_methods

__all__ = [
    "margin",
    "duality",
    "kernels",
    "multiclass",
    "engine_kernels",
    "engine_smo",
    "engine_machines",
    "engine_multiclass",
    "engine_kernel_methods",
]
