"""Drawings: small, the same on every run, true to the figure."""

from __future__ import annotations

import base64
import io
import re
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from supervised.basics import drawings
from supervised.basics.figures import plot_classes, to_png, to_svg
from tests.basics.figures import FOUR, NAMES, house_style  # noqa: F401


def parsed(figure):
    return ElementTree.fromstring(to_svg(figure))


def elements(root, tag):
    return root.findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def panels(root):
    return [[float(x) for x in part.split()] for part in root.get("data-panels").split(";")]


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
