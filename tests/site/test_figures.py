"""Figures on their way from the notebook to the page: colors, parts, names, a browser."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from nbdev.process import NBProcessor
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
    new_raw_cell,
)
from PIL import Image

from supervised.basics.figures import (
    COLORS,
    INK,
    PAPER,
    SVG_BYTES,
    TINT,
    mix,
    player,
    set_style,
    to_svg,
)
from tools import site_test
from tools.book import ROOT, notebooks
from tools.figures import (
    LEAST,
    MOST,
    Figures,
    borrowed,
    dark,
    darkening,
    option,
    palette,
    placed,
    theme,
    wrapped,
)
from tools.site import PlainHtml

# Pages that were run since figures are drawings. When all of them were: set this to None.
RUN_SINCE: tuple[str, ...] | None = None
LACKS = (
    site_test.uninstalled()
    if site_test.chromium()
    else "it needs Chromium (on Debian: apt-get install chromium)"
)
NEEDED = pytest.mark.skipif(LACKS is not None, reason=f"no browser to look with: {LACKS}")

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="460" height="230"
 viewBox="0 0 288.0 144.0" stroke-linejoin="round" font-family="Fine"
 data-panels="2 3 180 140 10;190 3 90 30 8">
<path fill="#fbfaf6" d="M0 0l288 0 0 144-288 0z" />
<g clip-path="url(#p1)">
<circle cx="50" cy="60" r="20" fill="#1650b8" stroke="#22262e" /></g>
<text x="20" y="130" font-size="10">word</text>
<text x="200" y="20" font-size="8">name</text>
<defs><clipPath id="p1"><rect x="2" y="3" width="180" height="120" /></clipPath></defs>
</svg>"""


def luminance(color: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    part = np.array(to_rgb(color))
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(light @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """The ratio of two luminances."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


# Colors in the dark


def test_paper_and_ink_become_those_of_the_dark_page():
    assert dark(PAPER) == theme()["body-bg"]
    assert dark(INK) == theme()["body-color"]


@pytest.mark.parametrize("color", COLORS)
def test_colors_can_be_told_from_the_dark_page(color):
    page, tint = theme()["body-bg"], dark(mix(color, PAPER, TINT))
    assert contrast(dark(color), page) >= 3
    assert contrast(dark(mix(color, INK, 0.7)), page) >= 4.5  # names of curves
    assert contrast(theme()["body-color"], tint) >= 4.5  # borders and text on a region
    assert contrast(dark(color), tint) >= 3  # points on their region
    red, green, blue = to_rgb(color)
    order = np.argsort([red, green, blue])
    assert np.all(np.diff(np.array(to_rgb(dark(color)))[order]) >= -0.05)  # the hue stays


def test_pixels_change_as_colors_do():
    found = re.search(r'feColorMatrix values="([^"]*)"', palette({PAPER}))
    matrix = np.array(found[1].split(), float).reshape(4, 5)
    for color in [*COLORS, PAPER, INK, "#ffffff", "#000000"]:
        seen = np.clip(matrix @ [*to_rgb(color), 1, 1], 0, 1)
        assert np.abs(255 * (seen[:3] - to_rgb(dark(color)))).max() <= 0.6 and seen[3] == 1
    assert np.array_equal(matrix[:3, [0, 1, 2, 4]], darkening().round(4))


def test_a_palette_has_both_colors():
    text = palette({"#1650b8", "#000000"})
    assert "body {--000000:#000000;--1650b8:#1650b8;}" in text
    assert f"--1650b8:{dark('#1650b8')};--darken:url(#darken)}}" in text


# A drawing in the page


def test_a_drawing_takes_its_colors_from_the_page():
    piece, colors = placed(DRAWING, "fig-a-1", 'A "dot" & more')
    assert colors == {"#fbfaf6", "#1650b8", "#22262e", "#000000"}
    assert not re.search(r'="#[0-9a-f]{6}"', piece)
    assert 'fill="var(--1650b8)" stroke="var(--22262e)"' in piece
    assert '<g id="fig-a-1-art" fill="var(--000000)" font-family="Fine"' in piece
    assert piece.count('role="img" aria-label="A &quot;dot&quot; &amp; more"') == 2
    assert 'clip-path="url(#fig-a-1-p1)"' in piece and 'id="fig-a-1-p1"' in piece


def test_names_do_not_meet_on_a_page():
    pieces = "".join(placed(DRAWING, name, "x")[0] for name in ("a-1", "a-2", "b-3"))
    names = re.findall(r'\bid="([^"]*)"', pieces)
    assert len(names) == len(set(names)) == 6
    assert set(re.findall(r'(?:url\(|href=")#([\w-]+)', pieces)) == set(names)


def test_parts_are_windows_on_the_drawing_with_letters_to_read():
    piece, _ = placed(DRAWING, "n", "x")
    parts = re.findall(
        r'<svg viewBox="([^"]*)" style="max-width:(\d+)px;min-width:(\d+)px">'
        r'<use href="#n-art"/></svg>',
        piece,
    )
    # 180 points with letters of 10: eleven pixels for ten points are 198 for 180
    assert parts == [("2 3 180 140", "252", "198"), ("190 3 90 30", "144", "124")]
    assert (LEAST, MOST) == (11, 14)


def shared_axis(**looks: Any) -> str:
    """A row of two panels; by default with one upright axis, labeled at the left."""
    with mpl.rc_context():
        set_style()
        fig, axes = plt.subplots(1, 2, figsize=(6, 3), **{"sharey": True} | looks)
        for ax in axes:
            ax.plot([0, 1], [0, 1])
        axes[0].set_yticks([0, 0.5, 1], ["no", "perhaps", "yes"])
        drawing = to_svg(fig)
        plt.close(fig)
    return drawing


def test_a_part_borrows_the_labels_of_the_axis_it_shares():
    drawing = shared_axis()
    told = re.search(r'data-panels="([^"]*)"', drawing)[1].split(";")
    boxes = [[float(x) for x in text.split()] for text in told]
    none, (left, width, low) = borrowed(drawing, boxes)
    assert none == (0, 0, 0) and left == boxes[0][0]
    # the longest of the labels stands between both edges, and the ticks do not
    word = re.search(r'<text x="([.\d]+)" [^>]*textLength="([.\d]+)"[^>]*>perhaps', drawing)
    right, long = float(word[1]), float(word[2])
    assert left <= right - long < right <= left + width < right + 3.5
    assert boxes[0][1] < low < boxes[0][1] + boxes[0][3]
    piece, _ = placed(drawing, "n", "x")
    first, second = re.findall(r'<div class="drawing-part"><svg viewBox="([^"]*)"', piece)
    assert piece.count('<use href="#n-art"/>') == 3
    assert first == " ".join(told[0].split()[:4])
    assert float(second.split()[2]) == pytest.approx(boxes[1][2] + width, abs=1e-3)


def test_a_part_with_labels_of_its_own_borrows_none():
    piece, _ = placed(shared_axis(sharey=False), "n", "x")
    assert piece.count('<use href="#n-art"/>') == 2


def test_what_is_no_drawing_is_refused():
    with pytest.raises(ValueError, match="fig-a-1: no SVG: 'text'"):
        placed("text", "fig-a-1", "x")


def test_pixels_become_a_drawing_of_one_picture():
    notes = {"width": 230, "height": 115, "panels": "0 0 144 72 10"}
    piece, colors = placed(wrapped("QUJD\n", notes), "n", "x")
    assert 'viewBox="0 0 144.0 72.0"' in piece and colors == {"#000000"}
    assert (
        '<image style="filter:var(--darken)" width="144.0" height="72.0" '
        'href="data:image/png;base64,QUJD"/>'
    ) in piece


@pytest.mark.parametrize(
    "line, text",
    [
        ('#| fig-alt: "A line."', "A line."),
        ("#| fig-alt: A line.", "A line."),
        (r'#| fig-alt: "A \"line\"."', 'A "line".'),
        ("#| fig-cap: A line.", ""),
        ("fig-alt: x", ""),
    ],
)
def test_what_a_cell_says_of_its_figure(line, text):
    assert option(f"#| label: fig-a\n{line}\nplot()", "fig-alt") == text


def processed(folder: Path, *cells: Any) -> list[Any]:
    """Cells as they go to Quarto."""
    path = folder / "p.ipynb"
    nbformat.write(new_notebook(cells=list(cells)), path)
    return NBProcessor(path, procs=[PlainHtml, Figures], process=True).nb.cells


def figure_cell(data: dict[str, Any], **notes: Any) -> Any:
    """A cell that shows something."""
    source = '#| label: fig-a\n#| fig-cap: "C"\n#| fig-alt: "A dot."\nplot()'
    return new_code_cell(source, outputs=[new_output("display_data", data, metadata=notes)])


def test_a_page_gets_its_drawings_and_their_colors(tmp_path):
    title = new_raw_cell("---\ntitle: T\n---")
    svg = figure_cell({"image/svg+xml": DRAWING, "text/plain": "<Figure>"})
    png = figure_cell(
        {"image/png": "QUJD"},
        **{"image/png": {"width": 2, "height": 1, "panels": "0 0 1 1 0"}},
    )
    head, colors, one, two = processed(tmp_path, title, svg, png)
    assert head.cell_type == "raw" and "--1650b8:" in colors.source
    texts = ["".join(x.outputs[0]["data"]["text/markdown"]) for x in (one, two)]
    assert all(x.startswith('```{=html}\n<div class="drawing">') for x in texts)
    assert 'id="fig-a-1-art"' in texts[0] and 'id="fig-a-2-art"' in texts[1]
    assert all('aria-label="A dot."' in x for x in texts)
    needed = {
        color for text in texts for color in re.findall(r"var\(--([0-9a-f]{6})\)", text)
    }
    assert needed <= set(re.findall(r"--([0-9a-f]{6}):", colors.source))
    assert set(one.outputs[0]["data"]) == {"text/markdown"}


def test_other_pages_stay_as_they_are(tmp_path):
    cells = [
        new_markdown_cell("# T"),
        figure_cell({"image/png": "QUJD"}),
        figure_cell({"text/html": "<table></table>"}),
    ]
    found = processed(tmp_path, *cells)
    assert len(found) == 3 and found[1].outputs[0]["data"] == {"image/png": "QUJD"}


def test_a_player_gets_the_filter(tmp_path):
    colors, _ = processed(
        tmp_path, figure_cell({"text/html": '<div class="player"></div>'})
    )
    assert '<filter id="darken"' in colors.source


# What the book stores


def shown() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every figure that a notebook stores, by page and cell, but not the players."""
    for nb in notebooks():
        for cell in nb.cells:
            for out in cell.outputs:
                data = out.get("data", {})
                if "text/html" not in data and any(k.startswith("image/") for k in data):
                    yield f"{nb.name}, cell {cell.number}", data, out.get("metadata", {})


def faults(data: dict[str, Any], notes: dict[str, Any]) -> list[str]:
    """What is wrong with a stored figure."""
    kinds = {kind for kind in data if kind.startswith("image/")}
    if kinds == {"image/svg+xml"}:
        text = "".join(data["image/svg+xml"])
        if len(text) > SVG_BYTES:
            return [f"{len(text):,} bytes of SVG; {SVG_BYTES:,} are the most"]
        foreign = re.search(r"<use|<style|\sstyle=|<metadata", text)
        if 'data-panels="' not in text or foreign:
            return ["an SVG that to_svg did not make"]
        piece, _ = placed(text, "x", "x")
        return (
            ["a color that the page can't change"]
            if re.search(r'="#\w+"|="rgb', piece)
            else []
        )
    if kinds != {"image/png"}:
        return [f"stored as {sorted(kinds)}"]
    told = notes.get("image/png", {})
    if "panels" not in told:
        return ["pixels that set_style did not store: run the notebook again"]
    width, _ = Image.open(io.BytesIO(base64.b64decode("".join(data["image/png"])))).size
    return [] if abs(width - 2 * told["width"]) <= 1 else ["pixels for a plain screen only"]


def test_stored_figures_are_drawings():
    found = {
        place: faults(data, notes)
        for place, data, notes in shown()
        if RUN_SINCE is None or place.split(",")[0] in RUN_SINCE
    }
    assert len(found) >= 9
    assert {place: said for place, said in found.items() if said} == {}


def test_other_stored_figures_are_found():
    def png(width: int) -> str:
        file = io.BytesIO()
        Image.new("RGB", (width, 4)).save(file, format="png")
        return base64.b64encode(file.getvalue()).decode()

    notes = {"image/png": {"width": 10, "height": 2, "panels": "0 0 1 1 0"}}
    assert faults({"image/png": png(20)}, notes) == []
    assert faults({"image/png": png(10)}, notes) == ["pixels for a plain screen only"]
    assert "run the notebook again" in faults({"image/png": png(20)}, {})[0]
    assert faults({"image/svg+xml": DRAWING}, {}) == []
    assert faults({"image/svg+xml": DRAWING + " " * SVG_BYTES}, {})[0].endswith(
        "are the most"
    )
    assert "did not make" in faults({"image/svg+xml": "<svg/>"}, {})[0]
    assert (
        "can't change"
        in faults({"image/svg+xml": DRAWING.replace("#1650b8", "#11f")}, {})[0]
    )
    assert faults({"image/svg+xml": DRAWING, "image/png": ""}, {}) == [
        "stored as ['image/png', 'image/svg+xml']"
    ]


# In a browser

ALT = "Two panels of dots."


def two_panels() -> str:
    """A drawing with two panels beside one another, and a legend."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.5))
    for ax, color in ((left, COLORS[0]), (right, COLORS[1])):
        ax.scatter([0.2, 0.5, 0.8], [0.3, 0.8, 0.4], s=900, color=color, label="dots")
        ax.set(xlim=(0, 1), ylim=(0, 1))
    right.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, markerscale=0.2)
    drawing = to_svg(fig)
    plt.close(fig)
    return drawing


def moving() -> str:
    """A player with two panels."""

    def draw(k: int) -> Any:
        fig, axes = plt.subplots(1, 2, figsize=(6, 3))
        axes[0].plot([0, k])
        axes[1].plot([k, 0])
        return fig

    return player(draw, [1, 2, 3], label="k", alt="Lines").to_html()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with a drawing and a player, the style and the script of the site."""
    with mpl.rc_context():
        set_style()
        drawing, frames = two_panels(), moving()
    piece, colors = placed(drawing, "fig-two-1", ALT)
    style = (ROOT / "nbs/figures.scss").read_text(encoding="utf-8")
    style = re.sub(r"/\*.*?\*/|//[^\n]*", "", style).replace("$body-bg", "Canvas")
    theme_of = f"body {{margin: 16px; background: {PAPER}; --band: #eee; --rule: #ccc}}"
    night = f"body.quarto-dark {{background: {theme()['body-bg']}}}"
    script = (ROOT / "nbs/figures.html").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{theme_of}{night}{style}"
        f"</style><body>{palette(colors)}<main>{piece}{frames}</main>"
        f"{script}</body></html>",
        encoding="utf-8",
    )
    return path.as_uri()


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with site_test.browser() as opened:
        yield opened


@pytest.fixture
def opened(chrome: Any, page: str) -> Iterator[Any]:
    """Opens the page at a width."""
    contexts, said = [], []

    def go(width: int) -> Any:
        contexts.append(chrome.new_context(viewport={"width": width, "height": 900}))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.goto(page)
        return tab

    yield go
    for context in contexts:
        context.close()
    assert said == []


def wait_for(locator: Any, state: str) -> None:
    """Until it is visible, hidden, attached or detached; the browser takes its time."""
    locator.wait_for(state=state, timeout=300_000)


def color_of(locator: Any, color: str) -> float:
    """The share of a picture of the screen that has a color."""
    pixels = np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("RGB"), int)
    near = np.abs(pixels - np.round(255 * np.array(to_rgb(color)))).max(axis=-1) <= 3
    return float(near.mean())


@pytest.mark.deep
@NEEDED
def test_on_a_wide_screen_the_whole_is_shown(opened):
    tab = opened(1400)
    assert tab.locator(".drawing-whole").is_visible()
    assert not tab.locator(".drawing-part").first.is_visible()
    assert tab.locator(".player img").is_visible()
    for color in COLORS[:2]:
        assert color_of(tab.locator(".drawing-whole"), color) > 0.005
    tab.evaluate("document.body.className = 'quarto-dark'")
    for color in (*COLORS[:2], PAPER):
        assert color_of(tab.locator(".drawing-whole"), dark(color)) > 0.005
    assert color_of(tab.locator(".player img"), dark(PAPER)) > 0.5


@pytest.mark.deep
@NEEDED
def test_on_a_phone_the_parts_are_below_one_another_and_can_be_read(opened):
    tab = opened(390)
    assert not tab.locator(".drawing-whole").is_visible()
    wide, room = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room == 390
    parts = tab.locator(".drawing:not(.player) .drawing-part svg")
    assert parts.count() == 3
    boxes = [part.bounding_box() for part in parts.all()]
    assert all(
        a["y"] + a["height"] <= b["y"] for a, b in zip(boxes, boxes[1:], strict=False)
    )
    letters = [10.5, 10.5, 8]  # of the style; of the legend
    for part, box, size in zip(parts.all(), boxes, letters, strict=True):
        width = float(part.get_attribute("viewBox").split()[2])
        assert size * box["width"] / width >= 10.99
    # what is clipped to its axes is seen through the windows too, in light and dark
    for i, color in enumerate(COLORS[:2]):
        assert color_of(parts.nth(i), color) > 0.01
    tab.evaluate("document.body.className = 'quarto-dark'")
    for i, color in enumerate(COLORS[:2]):
        assert color_of(parts.nth(i), dark(color)) > 0.01


@pytest.mark.deep
@NEEDED
def test_on_a_phone_the_panels_of_a_player_follow_its_slider(opened):
    tab = opened(390)
    assert not tab.locator(".player > img").is_visible()
    parts = tab.locator(".player .drawing-parts")
    panels = parts.locator("svg")
    assert panels.count() == 2 and parts.get_attribute("aria-label") == "Lines (k = 1)"
    first = panels.first.screenshot()
    tab.locator(".player input").press("ArrowRight")
    tab.wait_for_function(
        "document.querySelector('.player .drawing-parts')"
        ".getAttribute('aria-label') === 'Lines (k = 2)'",
        timeout=300_000,
    )
    assert panels.first.screenshot() != first
    for panel in panels.all():
        box, view = panel.bounding_box(), panel.get_attribute("viewBox").split()
        assert 10.5 * box["width"] / float(view[2]) >= 10.99  # the letters of the style
    tab.evaluate("document.body.className = 'quarto-dark'")
    assert color_of(panels.first, dark(PAPER)) > 0.5


@pytest.mark.deep
@NEEDED
@pytest.mark.parametrize("width", [1400, 390])
def test_a_figure_is_enlarged_by_mouse_and_keyboard(opened, width):
    tab = opened(width)
    dialog = tab.locator("dialog")
    for place, words in ((".drawing:not(.player)", ALT), (".player", "Lines (k = 1)")):
        button = tab.locator(f"{place} > .drawing-enlarge")
        assert button.get_attribute("aria-label") == "Enlarge the figure"
        button.focus()
        tab.keyboard.press("Enter")
        wait_for(dialog, "visible")
        assert dialog.get_attribute("aria-label") == words
        large = dialog.locator("svg, img")
        box = large.bounding_box()
        assert box["width"] > 1.2 * min(width - 32, 690 if "player" in place else 920)
        if width > 1000:
            assert box["width"] <= width and box["height"] <= 900
        tab.keyboard.press("Escape")
        wait_for(dialog, "hidden")
        tab.wait_for_function(
            "document.activeElement.className === 'drawing-enlarge'", timeout=300_000
        )
        wait_for(large, "detached")
    if width > 1000:
        tab.locator(".drawing-whole").click()
        wait_for(dialog, "visible")
        assert color_of(dialog.locator("svg"), COLORS[0]) > 0.005
        dialog.locator(".drawing-close").click()
        wait_for(dialog, "hidden")
        wait_for(large, "detached")
