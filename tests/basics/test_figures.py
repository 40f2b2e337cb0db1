"""What the page on figures does not say: hostile input, determinism, a browser."""

from __future__ import annotations

import base64
import importlib.util
import io
import re
import shutil
import warnings
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex, to_rgb
from PIL import Image
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
    Player,
    mix,
    player,
    plot_classes,
    plot_densities,
    plot_flow,
    plot_regions,
    set_style,
    to_png,
    to_svg,
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
                       r"y must have one label for each of the 80 rows.*\(79,\)"),
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


# Drawings


def parsed(figure):
    return ElementTree.fromstring(to_svg(figure))


def elements(root, tag):
    return root.findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def panels(root):
    return [[float(x) for x in part.split()] for part in root.get("data-panels").split(";")]


def places(path):
    """The places that a path visits, step by step, handles of bends included."""
    found, at, start = [], np.zeros(2), np.zeros(2)
    for command, text in re.findall(r"([Mlqcz])([^Mlqcz]*)", path):
        points = np.array(re.findall(r"-?[\d.]+", text), float).reshape(-1, 2)
        size = {"M": 1, "l": 1, "q": 2, "c": 3, "z": 1}[command]
        for i, point in enumerate(points):
            found.append(point if command == "M" else at + point)
            if (i + 1) % size == 0:
                at = found[-1]
        if command == "M":
            start = at
        elif command == "z":
            at = start
    return np.array(found)


def test_a_path_keeps_its_places():
    rng = np.random.default_rng(1)
    for _ in range(50):
        pieces, expected = [], []
        for _ in range(rng.integers(1, 4)):
            for command, n in [("M", 1),
                               *zip(rng.choice(list("LQC"), 6), [0] * 6, strict=True)]:
                points = rng.uniform(-300, 300, (n or {"L": 1, "Q": 2, "C": 3}[command], 2))
                pieces.append(f"{command} "
                              + " ".join(f"{x:f}" for x in points.ravel()) + " \n")
                expected += list(points + [7, -3])
            pieces.append("z\n")
        short = figures._short_path("".join(pieces), (7, -3))
        assert np.abs(places(short) - expected).max() <= 0.0501
        assert re.search(r"\.\d\d|-0(?!\.)", short) is None


def test_a_long_curve_is_simplified_and_stays_where_it_is():
    x = np.linspace(0, 400, 4001)
    y = 100 * np.sin(x / 40)
    path = "M" + "\nL".join(f" {a:f} {b:f} " for a, b in zip(x, y, strict=True))
    seen = places(figures._short_path(path))
    assert len(seen) < 800 and tuple(seen[0]) == (0, 0)
    assert np.abs(seen[-1] - [x[-1], y[-1]]).max() < 0.1
    # up and down, on slopes of 2.5: less than a fifth of a point across
    assert np.abs(np.interp(x, seen[:, 0], seen[:, 1]) - y).max() < 0.5


@pytest.mark.parametrize("path", ["", "M 1 2", "M 1 2 \nL 1.01 2.01 \n"])
def test_a_path_without_length_is_none(path):
    assert figures._short_path(path) == ""


def test_a_drawing_is_the_same_on_every_run_and_free_of_metadata():
    one, two = (to_svg(plot_classes(FOUR, NAMES).figure) for _ in range(2))
    assert one == two
    for word in ("metadata", "date", "Matplotlib", "style", "<use", "<!--", "DOCTYPE"):
        assert word not in one, word
    names = re.findall(r'\bid="([^"]*)"', one)
    assert names and set(names) == set(re.findall(r"url\(#([^)]*)\)", one))
    assert not re.search(r"\d\.\d\d", re.sub(r'data-\w+="[^"]*"|"[\d.]*"', "", one))


def test_marks_are_where_the_points_are():
    ax = plot_classes(FOUR, NAMES)
    root = parsed(ax.figure)
    seen = [[float(x.get("cx")), float(x.get("cy"))] for x in elements(root, "circle")]
    pixels_of = ax.transData.transform(FOUR.to_numpy()[NAMES == "ash"])
    expected = pixels_of / ax.figure.dpi * 72 * [1, -1] + [0, 72 * 3.8]
    # the last one is the legend's
    assert np.abs(np.array(seen[:-1]) - expected).max() < 0.11
    assert {x.get("r") for x in elements(root, "circle")} == {"3.2"}  # sqrt(40) / 2 = 3.16


def test_text_stays_text_and_keeps_its_length():
    fig, ax = plt.subplots()
    ax.set(xlabel="a < b", ylabel="upwards")
    ax.text(0.5, 0.5, "two\nlines")
    root = parsed(fig)
    texts = {x.text: x for x in elements(root, "text")}
    assert {"a < b", "upwards", "two", "lines"} <= set(texts)
    assert all({"x", "y"} <= set(x.keys()) for x in texts.values())
    assert texts["upwards"].get("transform").startswith("rotate(-90 ")
    # DejaVu Sans draws "two" 0.392 + 0.818 + 0.612 em wide
    assert float(texts["two"].get("textLength")) == pytest.approx(10.5 * 1.822, abs=0.06)
    assert float(texts["lines"].get("y")) > float(texts["two"].get("y"))
    assert float(texts["two"].get("x")) == pytest.approx(
        float(texts["lines"].get("x")), abs=0.1)


def test_neighbors_write_their_looks_once():
    root = parsed(plot_classes(FOUR, NAMES).figure)
    (group,) = [g for g in elements(root, "g") if len(g.findall("{*}circle")) == 20]
    assert group.get("fill") == COLORS[0]
    assert all(set(x.keys()) == {"cx", "cy", "r"} for x in group)


def test_groups_do_not_share_what_shines_through():
    fig, ax = plt.subplots()
    ax.scatter([1, 2, 3], [1, 2, 3], alpha=0.5)
    root = parsed(fig)
    marks = elements(root, "circle")
    below = [x for g in elements(root, "g") for x in g]
    shares = [x.get("opacity") or x.get("fill-opacity")
              for x in [*marks, *elements(root, "g")]]
    assert "0.5" in shares and not any("opacity" in g.keys() for g in elements(root, "g"))
    assert len(marks) == 3 and len(below) > 3


def test_panels_and_a_legend_beside_them_stand_alone():
    fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    plot_classes(FOUR, NAMES, left, legend=False)
    plot_classes(FOUR, NAMES, right)
    right.set_title("small", fontsize=7)
    fig.suptitle("both")
    root = parsed(fig)
    title, one, two, legend = panels(root)
    assert title[1] < one[1] and one[0] + one[2] < two[0] + two[2] / 20
    assert two[0] + two[2] <= legend[0] + 5 and legend[2] < 100
    assert (one[4], two[4], legend[4]) == (10.5, 7, 10.5)
    sheet = np.array([0, 0, 8 * 72, 3 * 72])
    for x, y, width, height, _ in panels(root):
        assert sheet[0] <= x < x + width <= sheet[2] + 0.1
        assert sheet[1] <= y < y + height <= sheet[3] + 0.1
    # all that is written is in a part
    for text in elements(root, "text"):
        x, y = float(text.get("x")), float(text.get("y"))
        assert any(a <= x <= a + w and b <= y <= b + h
                   for a, b, w, h, _ in panels(root)), text.text


def test_what_overlaps_and_what_explains_is_one_part():
    fig, (a, b) = plt.subplots(1, 2)
    fig.colorbar(a.imshow(np.eye(3)), ax=a)
    a.inset_axes([0.5, 0.5, 0.4, 0.4])
    b.legend(b.plot([1, 2], label="inside"), ["inside"], loc="upper left")
    assert len(panels(parsed(fig))) == 2
    a.remove()


def test_hidden_axes_are_no_part_and_tiny_letters_no_letters():
    fig, (a, b) = plt.subplots(1, 2)
    a.set_visible(False)
    b.axis("off")
    b.text(0.5, 0.5, "dust", fontsize=3)
    b.text(0.2, 0.5, "word", fontsize=9)
    assert [part[4] for part in panels(parsed(fig))] == [9]


@pytest.mark.deep
def test_a_heavy_figure_is_stored_as_pixels():
    light, notes = figures._stored(plot_classes(FOUR, NAMES).figure)
    assert set(light) == {"image/svg+xml"} and notes == {}
    cloud = np.random.default_rng(0).normal(size=(9000, 2))
    heavy, notes = figures._stored(plot_classes(cloud, np.arange(9000) % 8).figure)
    assert set(heavy) == {"image/png"}
    width, height = Image.open(io.BytesIO(base64.b64decode(heavy["image/png"]))).size
    assert (width, height) == (2 * 6.4 * 115, 2 * 3.8 * 115)
    shown = notes["image/png"]
    assert (shown["width"], shown["height"]) == (width / 2, height / 2)
    assert len(shown["panels"].split(";")) == 2  # the points and their legend


def test_a_picture_in_a_drawing_is_small_and_true():
    ax = plot_regions(GaussianNB().fit(FOUR, NAMES), FOUR)
    (image,) = elements(parsed(ax.figure), "image")
    address = image.get("{http://www.w3.org/1999/xlink}href")
    picture = Image.open(io.BytesIO(base64.b64decode(address.split(",")[1])))
    assert picture.mode == "P" and len(address) < 20_000
    tints = {tuple(int(255 * x + 0.5) for x in to_rgb(mix(c, PAPER, TINT)))
             for c in COLORS[:4]}
    shown = {color for n, color in picture.convert("RGB").getcolors() if n > 1000}
    assert all(min(np.abs(np.subtract(a, b)).max() for b in shown) <= 3 for a in tints)


# Player


def frames(n=3, size=(2, 1)):
    for i in range(n):
        fig, ax = plt.subplots(figsize=size)
        ax.plot([0, 1] * (i + 1))
        ax.set_axis_off()
        yield fig


def three(title="Dial", **kwargs):
    return Player(frames(), title=title, alt="A line", **kwargs)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def without_pictures(text):
    """As the comparison of stored outputs sees it (tests/sanitize.cfg)."""
    text = re.sub(r"data:image/(png|webp);base64,[A-Za-z0-9+/=\\n]+", "PIXELS", text)
    return re.sub(r'data-panels="[-0-9. e;]*"', "PANELS", text)


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), int)


def test_a_player_is_the_same_on_every_run():
    one, two = three(), three()
    assert one.to_html() == two.to_html() and one.pictures == two.pictures
    other_pixels = Player(list(frames(4))[1:], title="Dial", alt="A line")
    assert other_pixels.pictures != one.pictures
    assert without_pictures(other_pixels.to_html()) == without_pictures(one.to_html())


def test_players_have_names_of_their_own():
    ids = [
        Page(p.to_html()).all("div")[0]["id"]
        for p in (
            three(),
            three("Knob"),
            three(labels=["a", "b", "c"]),
            Player(frames(), title="Dial", alt="Line"),
        )
    ]
    assert len(set(ids)) == 4


def test_every_bundle_has_a_still_picture_and_alt_texts():
    bundle = three()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    still = base64.b64decode(bundle["image/png"])
    # 2 × 1 inches of 1.5 · 115 dots
    assert Image.open(io.BytesIO(still)).size == (345, 172)
    assert bundle["text/plain"] == "<Player: Dial, 3 frames>"
    page = Page(bundle["text/html"])
    assert [image["alt"] for image in page.all("img")] == ["A line (1 of 3)"]
    shown = page.all("img")[0]["src"].removeprefix("data:image/webp;base64,")
    assert np.array_equal(pixels(base64.b64decode(shown)), pixels(still))
    (slider,) = page.all("input")
    assert (slider["aria-label"] == "Dial" and slider["type"] == "range"
            and slider["max"] == "2")
    # without a script there must be no dead controls
    (controls,) = (tag for tag in page.all("div") if tag["class"] == "player-controls")
    assert controls["style"] == "display: none"
    assert (page.all("noscript") and not page.all("link")
            and all("src" not in s for s in page.all("script")))
    assert ("prefers-reduced-motion" in bundle["text/html"]
            and ":focus-visible" in bundle["text/html"])


def test_a_player_may_start_with_any_frame():
    late = player(lambda i: list(frames(i))[-1], [1, 2, 3], label="i",
                  alt="A line", start=2)
    page, bundle = Page(late.to_html()), late._repr_mimebundle_()
    assert np.array_equal(pixels(base64.b64decode(bundle["image/png"])),
                          pixels(late.pictures[2]))
    (image,), (slider,) = page.all("img"), page.all("input")
    assert image["src"].endswith(base64.b64encode(late.pictures[2]).decode())
    assert image["alt"] == "A line (i = 3)"
    assert (slider["value"], slider["aria-valuetext"]) == ("2", "i = 3")


def test_no_picture_is_stored_twice():
    page = three().to_html()
    assert ([page.count(base64.b64encode(png).decode()) for png in three().pictures]
            == [1, 1, 1])


def test_players_of_different_width_keep_their_own():
    wide = Player(frames(2, (4, 1)), title="Wide", alt="A line")
    styles = [Page(p.to_html()).all("div")[0]["style"] for p in (three(), wide)]
    assert styles == ["max-width: 230px", "max-width: 460px"]


def test_words_cannot_break_out_of_the_page():
    evil = '</script><script>alert("1")</script> & "quoted" @ID@ <b>'
    page = Page(Player(frames(), [evil] * 3, title=evil, alt=evil).to_html())
    assert len(page.all("script")) == 1 and not page.all("b")
    assert page.all("input")[0]["aria-valuetext"] == evil
    assert page.all("img")[0]["alt"] == f"{evil} ({evil})"


@pytest.mark.deep
def test_twelve_frames_stay_small():
    X, y = FOUR, NAMES
    made = player(
        lambda k: plot_regions(KNeighborsClassifier(k).fit(X, y), X, y, resolution=60),
        range(1, 13),
        label="k",
        alt="Regions",
    )
    assert len(made.to_html()) < 600_000
    assert (made.labels[0] == "k = 1" and made.alts[-1] == "Regions (k = 12)"
            and made.title == "k")


def test_no_figure_is_left_open_and_none_is_lost():
    mine = plt.figure().number
    closed = list(frames())
    for figure in closed:
        plt.close(figure)
    assert len(Player(closed, title="Closed", alt="Lines").pictures) == 3
    Player(frames(), title="Open", alt="Lines")
    player(lambda i: plt.subplots()[1], [1, 2], label="i", alt="Empty axes")
    assert plt.get_fignums() == [mine]


def test_a_draw_that_fails_leaves_nothing_open():
    def draw(value):
        plt.figure()
        return 1 / value

    with pytest.raises(ZeroDivisionError):
        player(draw, [0], label="v", alt="Nothing")
    with pytest.raises(TypeError,
                       match=r"frames\[0\] must be a matplotlib Figure or Axes, not float"):
        player(draw, [1], label="v", alt="A number")
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        (dict(frames=[]), ValueError, "frames is empty"),
        (dict(frames=["picture.png"]), TypeError, r"frames\[0\] must be.*not str"),
        (
            dict(labels=["a", "b"]),
            ValueError,
            "labels must have one text for each of the 3 frames, not 2",
        ),
        (
            dict(alt=["a", "b"]),
            ValueError,
            "alt must be one text, or one for each of the 3 frames, not 2",
        ),
        (dict(alt=" "), ValueError, "alt must describe"),
        (dict(alt=["a", "", "c"]), ValueError, "alt must describe"),
        (dict(title=""), ValueError, "title must say"),
        (dict(title=None), ValueError, "title must say"),
        (dict(start=3), ValueError, "start must be a frame from 0 to 2, not 3"),
        (dict(start=-1), ValueError, "start must be a frame from 0 to 2, not -1"),
        (dict(start=1.0), ValueError, "start must be a frame from 0 to 2, not 1.0"),
    ],
)
def test_players_that_cannot_be_made(arguments, error, words):
    with pytest.raises(error, match=words):
        Player(**({"frames": frames(), "title": "Dial", "alt": "A line"} | arguments))


def test_frames_of_different_size():
    with pytest.raises(
            ValueError,
            match=r"frames\[0\] has \(345, 172\) pixels, frames\[3\] has \(517, 172\)"):
        Player([*frames(), *frames(1, (3, 1))], title="Dial", alt="A line")


def test_no_values():
    with pytest.raises(ValueError, match="frames is empty"):
        player(lambda k: plt.figure(), [], label="k", alt="Nothing")


def test_png_is_small_true_and_free_of_metadata():
    figure = plot_classes(FOUR, NAMES).figure
    for _ in range(2):  # after which the layout has settled
        figure.canvas.draw()
    picture = Image.open(io.BytesIO(to_png(figure)))
    assert picture.info == {} and picture.mode == "P"
    exact = io.BytesIO()
    figure.savefig(exact)
    difference = np.abs(np.asarray(picture.convert("RGB"), int)
                        - np.asarray(Image.open(exact).convert("RGB"), int))
    assert difference.max() <= 16 and difference.mean() < 1
    assert len(to_png(figure)) < len(exact.getvalue())


@pytest.mark.deep
def test_a_player_in_a_browser(tmp_path):
    chrome = next(filter(None, map(shutil.which, ["chromium", "chromium-browser",
                                                  "google-chrome"])), None)
    driver_path = shutil.which("chromedriver")
    if not chrome or not driver_path:
        pytest.skip("Chromium and its driver are not installed: the player was not tried "
                    "in a browser")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.common.keys import Keys

    players = [
        three(labels=["a", "b", "c"]),
        three("Knob"),
        three("Knob"),
    ]  # the last two share their id
    assert players[1].to_html() == players[2].to_html()
    body = "".join(p.to_html() for p in players)
    (tmp_path / "page.html").write_text(
        f"<!doctype html><meta charset='utf-8'><body>{body}", encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = chrome
    for flag in [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]:
        options.add_argument(flag)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        browser = webdriver.Chrome(options=options,
                                   service=webdriver.ChromeService(driver_path))
    try:
        browser.get((tmp_path / "page.html").as_uri())
        images, sliders, spoken = (browser.find_elements("css selector", x)
                                   for x in ("img", "input", "output"))
        controls = browser.find_elements("css selector", ".player-controls")
        assert len(images) == 3 and all(c.is_displayed() for c in controls)
        # else JupyterLab takes the arrow keys for itself
        for control in browser.find_elements("css selector", "input, button"):
            assert control.get_attribute("data-lm-suppress-shortcuts") == "true"

        def state(i):
            shown = images[i].get_attribute("src").split(",")[1]
            place = [base64.b64encode(p).decode() for p in players[i].pictures].index(shown)
            assert images[i].get_attribute("alt") == players[i].alts[place]
            assert (sliders[i].get_attribute("aria-valuetext") == spoken[i].text
                    == players[i].labels[place])
            assert sliders[i].get_attribute("value") == str(place)
            return place

        def press(i, name):
            controls[i].find_element("css selector", f".player-{name}").click()

        assert [state(i) for i in range(3)] == [0, 0, 0]
        # the first thing to reach is the first slider
        browser.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.switch_to.active_element == sliders[0]
        sliders[0].send_keys(Keys.ARROW_RIGHT)
        assert [state(i) for i in range(3)] == [1, 0, 0]
        sliders[0].send_keys(Keys.END)
        sliders[2].send_keys(Keys.ARROW_RIGHT)
        assert [state(i) for i in range(3)] == [2, 0, 1]
        press(0, "next")
        press(1, "previous")
        assert [state(i) for i in range(3)] == [0, 2, 1]
        press(2, "play")
        assert controls[2].find_element("css selector", ".player-play").text == "Pause"
        press(2, "next")  # whoever steps by hand stops the show
        assert (controls[2].find_element("css selector", ".player-play").text == "Play"
                and state(2) == 2)
        assert [entry for entry in browser.get_log("browser")
                if entry["level"] == "SEVERE"] == []
    finally:
        browser.quit()


def test_a_formula_on_an_axis_is_drawn():
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.set(xscale="log", xlim=(1, 1000), title="$x_1^2$")
    drawing = to_svg(fig)
    plt.close(fig)
    # 10 and its power at four places, and a style nowhere
    assert drawing.count("<tspan") >= 12 and " style=" not in drawing
