"""What the pages of the chapter trees should not say."""

import numpy as np

from supervised.basics.classifiers import encode_classes
from supervised.basics.tables import learn_table
from supervised.trees import CARTClassifier, ObliqueTreeClassifier
from supervised.trees.engine.builder import Settings, grow_tree


def read(X, y, weights=None):
    """What a tree grows from: table, labels, weights and classes."""
    classes, labels = encode_classes(y)
    weights = np.ones(len(labels)) if weights is None else np.asarray(weights, dtype=float)
    return learn_table(X), labels, weights, classes


def grown(X, y, how=None, weights=None, rows=None):
    """The engine's tree of a table."""
    return grow_tree(*read(X, y, weights), how or Settings(), rows)


def least_weight(kind, weight):
    """The parameter that bounds branches or leaves from below, as the class calls it."""
    name = ("min_samples_leaf" if kind in (CARTClassifier, ObliqueTreeClassifier)
            else "min_num_obj")
    return {name: weight}
