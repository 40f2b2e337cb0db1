# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.knn import KNNClassifier as KNNClassifier
from .engine.knn import leave_one_out_errors as leave_one_out_errors
from .engine.search import KDTree as KDTree
from .engine.search import brute_neighbors as brute_neighbors
from .engine.search import brute_mixed as brute_mixed
from .engine.distances import distance_matrix as distance_matrix
from .distances import euclidean as euclidean
from .distances import manhattan as manhattan
from .distances import minkowski as minkowski
from .distances import cosine as cosine
from .distances import overlap as overlap
from .engine.metrics import MahalanobisMetric as MahalanobisMetric
from .engine.metrics import DiscriminantMetric as DiscriminantMetric
from . import distances as distances
from . import kdtree as kdtree
from . import knn as knn
from . import engine as engine

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
    "engine",
]
