"""What the pages of the chapter on ensembles should not say."""

import numpy as np
import pandas as pd

from supervised.basics.datasets import make_rule_table


def mixed(seed=0, n=60, missing=0.1, **details):
    """Three names and three numbers, with gaps."""
    return make_rule_table(n, 3, 3, noise=0.2, missing=missing, random_state=seed,
                           **details)[:2]


def tied(rng, n, names=True):
    """Numbers with ties, names, truth values, and gaps in all."""
    frame = pd.DataFrame({"a": rng.integers(0, 9, n) / 2, "b": rng.normal(size=n).round(1)})
    if names:
        frame = frame.assign(c=rng.choice(list("wxyz"), n), d=rng.choice(["p", None], n),
                             e=(rng.integers(0, 2, n) == 1).astype(object))
    return frame.mask(rng.random(frame.shape) < 0.15)


def same(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))
