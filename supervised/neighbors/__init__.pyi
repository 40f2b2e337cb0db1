# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .knn import KNNClassifier as KNNClassifier
from .knn import leave_one_out_errors as leave_one_out_errors
from .kdtree import KDTree as KDTree
from .kdtree import brute_neighbors as brute_neighbors
from .kdtree import brute_mixed as brute_mixed
from .distances import distance_matrix as distance_matrix
from .distances import euclidean as euclidean
from .distances import manhattan as manhattan
from .distances import minkowski as minkowski
from .distances import cosine as cosine
from .distances import overlap as overlap
from .metrics import MahalanobisMetric as MahalanobisMetric
from .metrics import DiscriminantMetric as DiscriminantMetric
from . import distances as distances
from . import kdtree as kdtree
from . import knn as knn
from . import metrics as metrics

__all__ = [
    "KNNClassifier",
    "leave_one_out_errors",
    "KDTree",
    "brute_neighbors",
    "brute_mixed",
    "distance_matrix",
    "euclidean",
    "manhattan",
    "minkowski",
    "cosine",
    "overlap",
    "MahalanobisMetric",
    "DiscriminantMetric",
    "distances",
    "kdtree",
    "knn",
    "metrics",
]
