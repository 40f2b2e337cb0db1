"""What the page on figures does not say: hostile input, determinism, a browser."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex, to_rgb
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from supervised.basics.figures import (
    COLORS,
    INK,
    PAPER,
    TINT,
    mix,
    plot_classes,
    plot_regions,
)
from tests.basics.figures import FOUR, NAMES, house_style  # noqa: F401

# Style


def luminance(color):
    """WCAG 2.2, relative luminance, written channel by channel."""
    total = 0.0
    for value, weight in zip(to_rgb(color), (0.2126, 0.7152, 0.0722), strict=True):
        total += weight * (value / 12.92 if value <= 0.04045
                           else ((value + 0.055) / 1.055) ** 2.4)
    return total


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", COLORS)
def test_color_stands_out_from_paper(color):
    assert contrast(color, PAPER) >= 3
    assert contrast(mix(color, INK, 0.7), PAPER) >= 4.5  # names of curves
    assert contrast(INK, mix(color, PAPER, TINT)) >= 4.5  # borders and text on a region


def test_all_text_of_the_style_is_readable():
    for key in ("text.color", "axes.labelcolor", "xtick.color", "ytick.color"):
        assert contrast(mpl.rcParams[key], mpl.rcParams["figure.facecolor"]) >= 4.5
    assert contrast(mpl.rcParams["axes.edgecolor"], PAPER) >= 3


# Scatter


def drawn(ax):
    return {c.get_label(): np.asarray(c.get_offsets())
            for c in ax.collections if c.get_label()[0] != "_"}


def color_of(ax):
    return {c.get_label(): to_hex(c.get_facecolor()[0])
            for c in ax.collections if c.get_label()[0] != "_"}


@pytest.mark.parametrize(
    "y",
    [
        NAMES, list(NAMES), pd.Series(NAMES, index=range(100, 180)), pd.Categorical(NAMES),
        pd.Series(NAMES, dtype="string"), np.repeat([3, 1, 2, 0], 20),
        np.repeat([True, False], 40), np.repeat([0.5, -0.5], 40),
        pd.Series([("a", 1)] * 40 + [("b", 2)] * 40),
        np.array([1, "one"] * 40, dtype=object)],
)
def test_classes_of_any_kind(y):
    ax = plot_classes(FOUR, y)
    labels = [str(v) for v in y]
    assert set(drawn(ax)) == set(labels)
    for label, points in drawn(ax).items():
        expected = FOUR.to_numpy()[[i for i, v in enumerate(labels) if v == label]]
        assert np.array_equal(points, expected)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "weight")


def test_classes_keep_their_colors_in_a_subset():
    whole = color_of(plot_classes(FOUR, NAMES))
    part = plot_classes(FOUR[20:60], NAMES[20:60], classes=sorted(set(NAMES)))
    assert {k: v for k, v in color_of(part).items() if k in ("oak", "ash")} == {
        k: whole[k] for k in ("oak", "ash")}
    assert ([t.get_text() for t in part.get_legend().get_texts()]
            == ["ash", "birch", "elm", "oak"])


# Regions


def regions(ax, n):
    """The class code of each cell that is drawn: the tint that is nearest to its color."""
    tints = np.array([to_rgb(mix(COLORS[i % len(COLORS)], PAPER, TINT)) for i in range(n)])
    pixels = np.asarray(ax.images[0].get_array())[..., None, :] / 255
    return np.abs(pixels - tints).sum(axis=-1).argmin(axis=-1)


def predicted(classifier, ax, resolution):
    """The same, by asking the classifier point by point."""
    left, right, bottom, top = ax.images[0].get_extent()
    x, y = np.linspace(left, right, resolution), np.linspace(bottom, top, resolution)
    grid = pd.DataFrame([(a, b) for b in y for a in x], columns=FOUR.columns)
    answers = classifier.predict(grid if hasattr(classifier, "feature_names_in_")
                                 else grid.to_numpy())
    return np.searchsorted(classifier.classes_, answers).reshape(resolution, resolution)


@pytest.mark.parametrize("rows", [slice(0, 40), slice(0, 60), slice(0, 80)],
                         ids=["2", "3", "4"])
@pytest.mark.parametrize("frame", [True, False], ids=["frame", "array"])
def test_regions_show_what_is_predicted(rows, frame):
    X, y = FOUR[rows] if frame else FOUR[rows].to_numpy(), NAMES[rows]
    classifier = make_pipeline(StandardScaler(), KNeighborsClassifier(3)).fit(X, y)
    ax = plot_regions(classifier, X, y, resolution=25)
    codes = regions(ax, len(set(y)))
    assert (np.array_equal(codes, predicted(classifier, ax, 25))
            and len(np.unique(codes)) == len(set(y)))
    assert sum(len(p) for p in drawn(ax).values()) == len(y)
    assert color_of(ax) == dict(zip(sorted(set(y)), COLORS, strict=False))


def test_lines_run_between_the_classes():
    classifier = KNeighborsClassifier(1).fit(FOUR[:60].to_numpy(), NAMES[:60])
    ax = plot_regions(classifier, FOUR[:60].to_numpy(), resolution=100)
    lines = [path.vertices for c in ax.collections
             for path in c.get_paths() if len(path.vertices)]
    left, right, bottom, top = ax.images[0].get_extent()
    cell = np.array([(right - left) / 99, (top - bottom) / 99])
    around = np.array([(a, b) for a in (-1.5, 0, 1.5) for b in (-1.5, 0, 1.5)]) * cell
    points = np.concatenate(lines)
    nearby = (classifier.predict((points[:, None] + around).reshape(-1, 2))
              .reshape(len(points), 9))
    assert len(points) > 100 and all(len(set(classes)) > 1 for classes in nearby)


def test_shading_follows_probability():
    classifier = GaussianNB().fit(FOUR[:40], NAMES[:40])
    ax = plot_regions(classifier, FOUR[:40], shade=True, resolution=20)
    left, right, bottom, top = ax.images[0].get_extent()
    x, y = np.linspace(left, right, 20), np.linspace(bottom, top, 20)
    p = classifier.predict_proba(pd.DataFrame([(a, b) for b in y for a in x],
                                              columns=FOUR.columns))[:, 1]
    pixels = np.asarray(ax.images[0].get_array()).reshape(-1, 3) / 255
    strength = np.abs(pixels - to_rgb(PAPER)).sum(axis=1)
    # certainty 2|p − 1/2| in steps of 0.1, times the full tint of the predicted class
    tints = np.array([to_rgb(mix(c, PAPER, TINT)) for c in COLORS[:2]])
    full = np.abs(tints - to_rgb(PAPER)).sum(axis=1)[(p > 0.5).astype(int)]
    assert np.allclose(strength / full, 2 * np.abs(p - 0.5), atol=0.06)


def test_regions_need_only_predict():
    ax = plot_regions(LinearSVC().fit(FOUR[:40], NAMES[:40]), FOUR[:40], resolution=20)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["birch", "oak"]
    with pytest.raises(AttributeError, match="predict_proba"):
        plot_regions(LinearSVC().fit(FOUR[:40], NAMES[:40]), FOUR[:40], shade=True)


# Densities
