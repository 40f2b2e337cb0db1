"""What the page on figures does not say: hostile input, determinism, a browser."""

from __future__ import annotations

import importlib.util
import warnings

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex, to_rgb
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from supervised.basics import figures
from supervised.basics.figures import (
    COLORS,
    INK,
    MARKERS,
    PAPER,
    TINT,
    mix,
    plot_classes,
    plot_densities,
    plot_flow,
    plot_regions,
    set_style,
)

RNG = np.random.default_rng(0)
FOUR = pd.DataFrame(
    RNG.normal(0, 1, (80, 2)) + np.repeat([[0, 0], [4, 0], [0, 400], [4, 400]], 20, axis=0),
    columns=["length", "weight"],
)
NAMES = np.repeat(["birch", "oak", "ash", "elm"], 20)


@pytest.fixture(autouse=True)
def house_style():
    with mpl.rc_context():
        set_style()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    plt.close("all")


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


def test_contrast_is_measured_right():
    # known pairs: on white, black has 21, #777777
    # 4.48 (just too little for text), pure red 4.00
    assert contrast("black", "white") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)
    assert contrast("#ff0000", "white") == pytest.approx(4.00, abs=0.005)


@pytest.mark.parametrize("color", COLORS)
def test_color_stands_out_from_paper(color):
    assert contrast(color, PAPER) >= 3
    assert contrast(mix(color, INK, 0.7), PAPER) >= 4.5  # names of curves
    assert contrast(INK, mix(color, PAPER, TINT)) >= 4.5  # borders and text on a region


def test_all_text_of_the_style_is_readable():
    for key in ("text.color", "axes.labelcolor", "xtick.color", "ytick.color"):
        assert contrast(mpl.rcParams[key], mpl.rcParams["figure.facecolor"]) >= 4.5
    assert contrast(mpl.rcParams["axes.edgecolor"], PAPER) >= 3


def test_importing_changes_no_setting():
    before = dict(mpl.rcParams)
    again = "supervised.basics.figures_again"
    spec = importlib.util.spec_from_file_location(again, figures.__file__)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert dict(mpl.rcParams) == before


def test_style_does_not_depend_on_what_was_set_before():
    first = dict(mpl.rcParams)
    mpl.rcParams.update({"font.size": 30, "axes.grid": True, "savefig.dpi": 20,
                         "lines.linestyle": ":"})
    set_style()
    assert dict(mpl.rcParams) == first


def test_markers_and_colors_do_not_repeat_together():
    assert np.gcd(len(COLORS), len(MARKERS)) == 1
    assert len(set(COLORS)) == len(COLORS) and len(set(MARKERS)) == len(MARKERS)


@pytest.mark.parametrize("share, result",
                         [(1, "#ff0000"), (0, "#0000ff"), (0.2, "#3300cc")])
def test_mix(share, result):
    # 0.2 · 255 = 51 = 0x33, 0.8 · 255 = 204 = 0xcc
    assert mix("red", "blue", share) == result


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
        NAMES,
        list(NAMES),
        pd.Series(NAMES, index=range(100, 180)),
        pd.Categorical(NAMES),
        pd.Series(NAMES, dtype="string"),
        np.repeat([3, 1, 2, 0], 20),
        np.repeat([True, False], 40),
        np.repeat([0.5, -0.5], 40),
        pd.Series([("a", 1)] * 40 + [("b", 2)] * 40),
        np.array([1, "one"] * 40, dtype=object),
    ],
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


def test_a_class_can_have_the_marker_of_its_name():
    shapes = np.repeat(["circle", "square"], 40)
    ax = plot_classes(FOUR, shapes, marker="os")
    corners = {c.get_label(): len(c.get_paths()[0].vertices) for c in ax.collections}
    assert corners["square"] == 5 < corners["circle"]  # four corners, and back to the first


def test_many_classes_are_all_different():
    n = len(COLORS) * len(MARKERS)
    ax = plot_classes(RNG.normal(size=(n, 2)), np.arange(n), legend=False)
    looks = {(to_hex(c.get_facecolor()[0]), c.get_paths()[0].vertices.tobytes())
             for c in ax.collections}
    assert len(looks) == n and ax.get_legend() is None


@pytest.mark.parametrize(
    "X",
    [
        FOUR.to_numpy(),
        FOUR.to_numpy().tolist(),
        FOUR.astype("Float64"),
        FOUR.astype(object),
        FOUR.round().astype(int),
        FOUR > 0,
    ],
    ids=["array", "list", "nullable", "object", "integer", "boolean"],
)
def test_columns_of_any_numeric_kind(X):
    assert sum(len(p) for p in drawn(plot_classes(X, NAMES)).values()) == 80


@pytest.mark.parametrize(
    "X, y, error, words", [
        (FOUR.assign(third=1), NAMES, ValueError, r"X must have two columns.*\(80, 3\)"),
        (FOUR["length"], NAMES, ValueError, r"X must have two columns.*\(80,\)"),
        (3, NAMES, ValueError, "X must have two columns"),
        (np.zeros((2, 2, 2)), NAMES, ValueError, "X must have two columns"),
        (FOUR[:0], [], ValueError, "X has no rows"),
        (FOUR.assign(weight="heavy"), NAMES, TypeError, "'weight'.*not numeric"),
        (FOUR.assign(weight=pd.Categorical(["1"] * 80)),
         NAMES, TypeError, "'weight'.*not numeric"),
        (np.array([["1", "2"]] * 80), NAMES, TypeError, "not numeric"),
        (FOUR.assign(length=pd.Timestamp("2020-01-01")), NAMES, TypeError,
         "'length'.*not numeric"), (FOUR.mask(FOUR["length"] > 5), NAMES,
                                    ValueError, "'length' of X has [0-9]+ missing"),
        (FOUR.assign(weight=np.inf), NAMES, ValueError,
         "'weight' of X has 80 missing or infinite"),
        (FOUR.astype("Float64").assign(weight=pd.NA), NAMES, (TypeError, ValueError),
         "'weight'"), (FOUR, NAMES[:-1], ValueError,
                       r"y must have one label for each row of X \(80\).*\(79,\)"),
        (FOUR, np.c_[NAMES, NAMES], ValueError, r"y must.*\(80, 2\)"),
        (FOUR, "oak", ValueError, "y must"),
        (FOUR, [None, np.nan, *NAMES[2:]], ValueError, "y has 2 missing labels"),
    ],
)
def test_points_that_cannot_be_drawn(X, y, error, words):
    with pytest.raises(error, match=words):
        plot_classes(X, y)
    assert plt.get_fignums() == []


def test_labels_must_be_among_the_classes():
    with pytest.raises(ValueError, match="y has labels that classes lacks: .*'elm'"):
        plot_classes(FOUR, NAMES, classes=["ash", "birch", "oak"])


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: plot_classes(FOUR, NAMES, ax),
        lambda ax: plot_densities({"a": [1, 2]}, ax=ax),
        lambda ax: plot_regions(GaussianNB().fit(FOUR, NAMES), FOUR, ax=ax),
        lambda ax: plot_flow({"a": (0, 0)}, [], ax),
    ],
)
def test_axes_must_be_axes(draw):
    with pytest.raises(TypeError, match="ax must be a matplotlib Axes or None, not Figure"):
        draw(plt.figure())
    ax = plt.figure().subplots()
    assert draw(ax) is ax


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


def test_each_attribute_has_its_own_margin():
    left, right, bottom, top = (plot_regions(GaussianNB().fit(FOUR, NAMES), FOUR).images[0]
                                .get_extent())
    low, high = FOUR.min(), FOUR.max()
    assert ((right - left) / (high - low)["length"]
            == pytest.approx((top - bottom) / (high - low)["weight"]))
    assert left < low["length"] and high["weight"] < top


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


def test_shading_of_four_classes_and_of_equal_doubt():
    class Undecided(GaussianNB):
        def predict_proba(self, X):
            return np.full((len(X), 4), 0.25)

    ax = plot_regions(GaussianNB().fit(FOUR, NAMES), FOUR, NAMES, shade=True, resolution=20)
    assert len(np.unique(np.asarray(ax.images[0].get_array()).reshape(-1, 3), axis=0)) > 4
    blank = plot_regions(Undecided().fit(FOUR, NAMES), FOUR, shade=True, resolution=20)
    assert (np.asarray(blank.images[0].get_array())
            == np.round(255 * np.array(to_rgb(PAPER)))).all()


def test_regions_need_only_predict():
    ax = plot_regions(LinearSVC().fit(FOUR[:40], NAMES[:40]), FOUR[:40], resolution=20)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["birch", "oak"]
    with pytest.raises(AttributeError, match="predict_proba"):
        plot_regions(LinearSVC().fit(FOUR[:40], NAMES[:40]), FOUR[:40], shade=True)


@pytest.mark.parametrize("shade", [False, True])
def test_one_class_owns_the_plane(shade):
    ax = plot_regions(GaussianNB().fit(FOUR, ["all"] * 80), FOUR, resolution=10,
                      shade=shade)
    assert (regions(ax, 1) == 0).all()


def test_a_class_that_was_not_trained_on_comes_last():
    ax = plot_regions(GaussianNB().fit(FOUR[:40], NAMES[:40]), FOUR, NAMES, resolution=10)
    assert list(drawn(ax)) == ["birch", "oak", "ash", "elm"]


def test_more_classes_than_colors():
    y = np.repeat([f"class {i}" for i in range(10)], 8)
    plot_regions(KNeighborsClassifier(1).fit(FOUR, y), FOUR, y, resolution=30)


def test_an_attribute_without_spread():
    flat = FOUR.assign(weight=1.0)
    assert (plot_regions(KNeighborsClassifier().fit(flat, NAMES), flat, resolution=10)
            .get_ylim() == (0, 2))


def test_whole_numbers_and_names_are_passed_on():
    X = FOUR.round().astype(int)
    # no warning about feature names
    plot_regions(KNeighborsClassifier(1).fit(X, NAMES), X, resolution=10)
    plot_regions(KNeighborsClassifier(1).fit(X, NAMES), X.to_numpy(), resolution=10)
    plot_regions(KNeighborsClassifier(1).fit(X.to_numpy(), NAMES), X, resolution=10)


@pytest.mark.parametrize(
    "classifier, X, error, words",
    [
        (GaussianNB(), FOUR, NotFittedError, "not fitted"),
        (
            GaussianNB().fit(FOUR.assign(third=1.0), NAMES),
            FOUR,
            ValueError,
            "fitted on 3 attributes",
        ),
        (
            GaussianNB().fit(FOUR, NAMES),
            FOUR.iloc[:, ::-1],
            ValueError,
            r"fitted on the columns \['length', 'weight'\]",
        ),
        (
            GaussianNB().fit(FOUR, NAMES),
            FOUR.assign(third=1.0),
            ValueError,
            "X must have two columns",
        ),
        (GaussianNB().fit(FOUR, NAMES), FOUR.mask(FOUR > 3), ValueError, "missing"),
    ],
)
def test_regions_that_cannot_be_drawn(classifier, X, error, words):
    with pytest.raises(error, match=words):
        plot_regions(classifier, X)
    assert plt.get_fignums() == []


# Densities


def test_densities_are_drawn_as_given():
    x = np.linspace(-1, 1, 5)
    ax = plot_densities({"up": lambda v: v + 1, "down": lambda v: 1 - v}, x)
    assert np.array_equal([line.get_ydata() for line in ax.lines], [x + 1, 1 - x])
    assert ([t.get_text() for t in ax.texts] == ["up", "down"]
            and [t.xy for t in ax.texts] == [
                (1, 2), (-1, 2),
            ])
    assert ax.get_ylim()[1] > 2


def test_density_of_a_sample_is_a_density():
    sample = pd.Series(RNG.normal(10, 2, 400))
    line = plot_densities({"sample": sample}).lines[0]
    x, height = line.get_data()
    assert np.trapezoid(height, x) == pytest.approx(1, abs=0.005)
    assert np.trapezoid(x * height, x) == pytest.approx(sample.mean(), abs=0.05)


@pytest.mark.parametrize(
    "densities, x, words",
    [
        ({}, None, "densities must be a mapping"),
        ([np.sin], [1, 2], "densities must be a mapping"),
        ({"a": np.sin}, None, "x is needed: 'a'"),
        ({"a": [1, 1, 1]}, None, "'a' must have"),
        ({"a": [1]}, None, "'a' must have"),
        ({"a": [[1, 2], [3, 4]]}, None, "'a' must have"),
        ({"b": [1, 2, np.nan]}, None, "'b' must have"),
    ],
)
def test_densities_that_cannot_be_drawn(densities, x, words):
    with pytest.raises(ValueError, match=words):
        plot_densities(densities, x)
    assert plt.get_fignums() == []


# Boxes and arrows


def test_flow_draws_what_it_is_told():
    ax = plot_flow(
        {"x": (0, 0, "input"), "model": (1, 0), "y": (2, 1)},
        [("x", "model"), ("model", "y", "step 2")],
        colors={"model": COLORS[1]},
    )
    texts = [t for t in ax.texts if t.get_text()]
    assert [t.get_text() for t in texts] == ["input", "model", "y", "step 2"]
    assert to_hex(texts[1].get_bbox_patch().get_edgecolor()) == COLORS[1]
    assert sum(getattr(t, "arrow_patch", None) is not None for t in ax.texts) == 2


def test_arrows_end_at_the_boxes():
    ax = plot_flow({"left": (0, 0), "right": (1, 0)}, [("left", "right")])
    ax.figure.canvas.draw()
    left, right = (t.get_bbox_patch().get_window_extent() for t in ax.texts[:2])
    arrow = ax.texts[2].arrow_patch.get_window_extent()
    assert left.x1 - 1 <= arrow.x0 < arrow.x1 <= right.x0 + 1


@pytest.mark.parametrize(
    "nodes, edges, colors, words",
    [
        ({}, [], None, "nodes is empty"),
        ({"a": (0, 0)}, [("a", "b")], None, "'b' is not one of"),
        ({"a": (0, 0)}, [], {"c": "red"}, "'c' is not one of"),
        ({"a": (0, 0), "b": (1, 0)}, [("a",)], None, "pairs"),
        ({"a": (0, 0)}, [("a", "a")], None, "two different nodes"),
    ],
)
def test_flows_that_cannot_be_drawn(nodes, edges, colors, words):
    with pytest.raises(ValueError, match=words):
        plot_flow(nodes, edges, colors=colors)
    assert plt.get_fignums() == []
