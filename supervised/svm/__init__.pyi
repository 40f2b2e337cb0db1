# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.machines import SVMClassifier as SVMClassifier
from .engine.linear import LinearSVMClassifier as LinearSVMClassifier
from .engine.machines import optimality_report as optimality_report
from .engine.multiclass import OneVsRest as OneVsRest
from .engine.multiclass import OneVsOne as OneVsOne
from .engine.multiclass import ErrorCorrectingCodes as ErrorCorrectingCodes
from .engine.multiclass import fit_sigmoid as fit_sigmoid
from .engine.multiclass import pairwise_coupling as pairwise_coupling
from .kernels import subsequence_kernel as subsequence_kernel
from .kernels import subtree_kernel as subtree_kernel
from .engine.kernel_methods import KernelLogisticClassifier as KernelLogisticClassifier
from .engine.kernel_methods import KernelFisherClassifier as KernelFisherClassifier
from .engine.kernel_methods import KernelPerceptron as KernelPerceptron
from .engine.kernel_methods import KernelPCA as KernelPCA
from .engine.kernel_methods import KernelKMeans as KernelKMeans
from . import margin as margin
from . import duality as duality
from . import kernels as kernels
from . import multiclass as multiclass
from . import engine as engine

__all__ = [
    "SVMClassifier",
    "LinearSVMClassifier",
    "optimality_report",
    "OneVsRest",
    "OneVsOne",
    "ErrorCorrectingCodes",
    "fit_sigmoid",
    "pairwise_coupling",
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
    "engine",
]
