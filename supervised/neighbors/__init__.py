"""Remember the rows, ask the nearest ones: what near means, how to find them fast, how many to ask, and a distance that is learned."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import distances as distances, kdtree as kdtree, knn as knn, metrics as metrics
    from .distances import euclidean as euclidean
    from .distances import manhattan as manhattan
    from .distances import chebyshev as chebyshev
    from .distances import minkowski as minkowski
    from .distances import cosine_similarity as cosine_similarity
    from .distances import cosine as cosine
    from .distances import overlap as overlap
    from .distances import mixed_distance as mixed_distance
    from .distances import Space as Space
    from .distances import learn_space as learn_space
    from .distances import distance_matrix as distance_matrix
    from .kdtree import LEAF_SIZE as LEAF_SIZE
    from .kdtree import BLOCK_BYTES as BLOCK_BYTES
    from .kdtree import tree_depth as tree_depth
    from .kdtree import KDTree as KDTree
    from .kdtree import brute_neighbors as brute_neighbors
    from .kdtree import brute_mixed as brute_mixed
    from .knn import winning_class as winning_class
    from .knn import poll as poll
    from .knn import neighbor_votes as neighbor_votes
    from .knn import choose_index as choose_index
    from .knn import NeighborSearch as NeighborSearch
    from .knn import remember_rows as remember_rows
    from .knn import other_neighbors as other_neighbors
    from .knn import leave_one_out_errors as leave_one_out_errors
    from .knn import KNNClassifier as KNNClassifier
    from .metrics import MahalanobisMetric as MahalanobisMetric
    from .metrics import DiscriminantMetric as DiscriminantMetric

__all__ = [
    "euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "cosine_similarity",
    "cosine",
    "overlap",
    "mixed_distance",
    "Space",
    "learn_space",
    "distance_matrix",
    "LEAF_SIZE",
    "BLOCK_BYTES",
    "tree_depth",
    "KDTree",
    "brute_neighbors",
    "brute_mixed",
    "winning_class",
    "poll",
    "neighbor_votes",
    "choose_index",
    "NeighborSearch",
    "remember_rows",
    "other_neighbors",
    "leave_one_out_errors",
    "KNNClassifier",
    "MahalanobisMetric",
    "DiscriminantMetric",
    "distances",
    "kdtree",
    "knn",
    "metrics",
]

__getattr__, __dir__ = _attach(__name__, {
    "euclidean": "distances",
    "manhattan": "distances",
    "chebyshev": "distances",
    "minkowski": "distances",
    "cosine_similarity": "distances",
    "cosine": "distances",
    "overlap": "distances",
    "mixed_distance": "distances",
    "Space": "distances",
    "learn_space": "distances",
    "distance_matrix": "distances",
    "LEAF_SIZE": "kdtree",
    "BLOCK_BYTES": "kdtree",
    "tree_depth": "kdtree",
    "KDTree": "kdtree",
    "brute_neighbors": "kdtree",
    "brute_mixed": "kdtree",
    "winning_class": "knn",
    "poll": "knn",
    "neighbor_votes": "knn",
    "choose_index": "knn",
    "NeighborSearch": "knn",
    "remember_rows": "knn",
    "other_neighbors": "knn",
    "leave_one_out_errors": "knn",
    "KNNClassifier": "knn",
    "MahalanobisMetric": "metrics",
    "DiscriminantMetric": "metrics",
    "distances": "distances",
    "kdtree": "kdtree",
    "knn": "knn",
    "metrics": "metrics",
})
