# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_machines import SVMClassifier as SVMClassifier
from .engine_linear import LinearSVMClassifier as LinearSVMClassifier
from .engine_machines import optimality_report as optimality_report
from .engine_multiclass import OneAgainstRest as OneAgainstRest
from .engine_multiclass import OneAgainstOne as OneAgainstOne
from .engine_multiclass import ErrorCorrectingCodes as ErrorCorrectingCodes
from .engine_multiclass import fit_sigmoid as fit_sigmoid
from .engine_multiclass import coupled as coupled
from .kernels import subsequence_kernel as subsequence_kernel
from .kernels import subtree_kernel as subtree_kernel
from .engine_kernel_methods import KernelLogisticClassifier as KernelLogisticClassifier
from .engine_kernel_methods import KernelFisherClassifier as KernelFisherClassifier
from .engine_kernel_methods import KernelPerceptron as KernelPerceptron
from .engine_kernel_methods import KernelPCA as KernelPCA
from .engine_kernel_methods import KernelKMeans as KernelKMeans
from . import margin as margin
from . import duality as duality
from . import kernels as kernels
from . import multiclass as multiclass
from . import engine_kernels as engine_kernels
from . import engine_smo as engine_smo
from . import engine_machines as engine_machines
from . import engine_linear as engine_linear
from . import engine_multiclass as engine_multiclass
from . import engine_kernel_methods as engine_kernel_methods

__all__ = [
    "SVMClassifier",
    "LinearSVMClassifier",
    "optimality_report",
    "OneAgainstRest",
    "OneAgainstOne",
    "ErrorCorrectingCodes",
    "fit_sigmoid",
    "coupled",
    "subsequence_kernel",
    "subtree_kernel",
    "KernelLogisticClassifier",
    "KernelFisherClassifier",
    "KernelPerceptron",
    "KernelPCA",
    "KernelKMeans",
    "margin",
    "duality",
    "kernels",
    "multiclass",
    "engine_kernels",
    "engine_smo",
    "engine_machines",
    "engine_linear",
    "engine_multiclass",
    "engine_kernel_methods",
]
