"""Remember the rows, ask the nearest ones: what near means, how to find them fast, how many to ask, and a distance that is learned."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import distances as distances, kdtree as kdtree, knn as knn, metrics as metrics
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

__getattr__, __dir__ = _attach(__name__, {
    "KNNClassifier": "knn",
    "leave_one_out_errors": "knn",
    "KDTree": "kdtree",
    "brute_neighbors": "kdtree",
    "brute_mixed": "kdtree",
    "distance_matrix": "distances",
    "euclidean": "distances",
    "manhattan": "distances",
    "minkowski": "distances",
    "cosine": "distances",
    "overlap": "distances",
    "MahalanobisMetric": "metrics",
    "DiscriminantMetric": "metrics",
    "distances": "distances",
    "kdtree": "kdtree",
    "knn": "knn",
    "metrics": "metrics",
})
