"""What tests of figures share: four classes in the plane, and the house's style."""

import warnings

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from supervised.basics.figures import set_style

FOUR = pd.DataFrame(
    np.random.default_rng(0).normal(0, 1, (80, 2))
    + np.repeat([[0, 0], [4, 0], [0, 400], [4, 400]], 20, axis=0),
    columns=["length", "weight"])
NAMES = np.repeat(["birch", "oak", "ash", "elm"], 20)


@pytest.fixture(autouse=True)
def house_style():
    with mpl.rc_context():
        set_style()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    plt.close("all")
