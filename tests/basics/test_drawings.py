"""Drawings: small, the same on every run, true to the figure."""

from __future__ import annotations

import base64
import io
import re
import warnings
from xml.etree import ElementTree

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from PIL import Image
from sklearn.naive_bayes import GaussianNB

from supervised.basics import drawings
from supervised.basics.figures import (
    COLORS,
    PAPER,
    TINT,
    mix,
    plot_classes,
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
        short = drawings._short_path("".join(pieces), (7, -3))
        assert np.abs(places(short) - expected).max() <= 0.0501
        assert re.search(r"\.\d\d|-0(?!\.)", short) is None


def test_a_long_curve_is_simplified_and_stays_where_it_is():
    x = np.linspace(0, 400, 4001)
    y = 100 * np.sin(x / 40)
    path = "M" + "\nL".join(f" {a:f} {b:f} " for a, b in zip(x, y, strict=True))
    seen = places(drawings._short_path(path))
    assert len(seen) < 800 and tuple(seen[0]) == (0, 0)
    assert np.abs(seen[-1] - [x[-1], y[-1]]).max() < 0.1
    # up and down, on slopes of 2.5: less than a fifth of a point across
    assert np.abs(np.interp(x, seen[:, 0], seen[:, 1]) - y).max() < 0.5


@pytest.mark.parametrize("path", ["", "M 1 2", "M 1 2 \nL 1.01 2.01 \n"])
def test_a_path_without_length_is_none(path):
    assert drawings._short_path(path) == ""


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
    light, notes = drawings._stored(plot_classes(FOUR, NAMES).figure)
    assert set(light) == {"image/svg+xml"} and notes == {}
    cloud = np.random.default_rng(0).normal(size=(9000, 2))
    heavy, notes = drawings._stored(plot_classes(cloud, np.arange(9000) % 8).figure)
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


def test_a_formula_on_an_axis_is_drawn():
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.set(xscale="log", xlim=(1, 1000), title="$x_1^2$")
    drawing = to_svg(fig)
    plt.close(fig)
    # 10 and its power at four places, and a style nowhere
    assert drawing.count("<tspan") >= 12 and " style=" not in drawing
