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
from matplotlib.colors import to_hex, to_rgb
from nbdev.process import NBProcessor
from nbformat.v4 import new_code_cell, new_notebook, new_output, new_raw_cell
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
from tests.basics.test_figures import contrast
from tests.site import NEEDS_PLAYWRIGHT
from tests.site.test_theme import colors
from tools import site_test
from tools.book import ROOT, notebooks
from tools.figures import Figures, placed
from tools.site import PlainHtml

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


SCRIPT = (ROOT / "nbs/figures.html").read_text(encoding="utf-8")
THEME = colors("dark")


def dark(color: str) -> str:
    """The color of a figure on the dark page, by the site's filter."""
    values = re.search(r'feColorMatrix values="(.*?)"', SCRIPT, flags=re.S)[1]
    change = np.array(values.split(), float).reshape(4, 5)
    return to_hex(np.clip(change[:3, :3] @ to_rgb(color) + change[:3, 4], 0, 1))


# Colors in the dark


def test_paper_and_ink_become_those_of_the_dark_page():
    assert dark(PAPER) == THEME["body-bg"]
    assert dark(INK) == THEME["body-color"]


@pytest.mark.parametrize("color", COLORS)
def test_colors_can_be_told_from_the_dark_page(color):
    page, tint = THEME["body-bg"], dark(mix(color, PAPER, TINT))
    assert contrast(dark(color), page) >= 3
    assert contrast(dark(mix(color, INK, 0.7)), page) >= 4.5  # names of curves
    assert contrast(THEME["body-color"], tint) >= 4.5  # borders and text on a region
    assert contrast(dark(color), tint) >= 3  # points on their region
    red, green, blue = to_rgb(color)
    order = np.argsort([red, green, blue])
    assert np.all(np.diff(np.array(to_rgb(dark(color)))[order]) >= -0.05)  # the hue stays


# A drawing in the page


def test_a_drawing_has_names_of_its_own_and_says_what_it_shows():
    piece = placed(DRAWING, "fig-a-1", 'A "dot" & more')
    assert '<g id="fig-a-1-art" font-family="Fine"' in piece
    assert piece.count('role="img" aria-label="A &quot;dot&quot; &amp; more"') == 2
    assert 'clip-path="url(#fig-a-1-p1)"' in piece and 'id="fig-a-1-p1"' in piece


def processed(folder: Path, *cells: Any) -> list[Any]:
    """Cells as they go to Quarto."""
    path = folder / "p.ipynb"
    nbformat.write(new_notebook(cells=list(cells)), path)
    return NBProcessor(path, procs=[PlainHtml, Figures], process=True).nb.cells


def figure_cell(data: dict[str, Any], **notes: Any) -> Any:
    """A cell that shows something."""
    source = '#| label: fig-a\n#| fig-cap: "C"\n#| fig-alt: "A dot."\nplot()'
    return new_code_cell(source, outputs=[new_output("display_data", data, metadata=notes)])


def test_a_page_gets_its_drawings(tmp_path):
    title = new_raw_cell("---\ntitle: T\n---")
    svg = figure_cell({"image/svg+xml": DRAWING, "text/plain": "<Figure>"})
    png = figure_cell(
        {"image/png": "QUJD"},
        **{"image/png": {"width": 2, "height": 1, "panels": "0 0 1 1 0"}},
    )
    _, one, two = processed(tmp_path, title, svg, png)
    texts = ["".join(x.outputs[0]["data"]["text/markdown"]) for x in (one, two)]
    assert all(x.startswith('```{=html}\n<div class="drawing">') for x in texts)
    assert 'id="fig-a-1-art"' in texts[0] and 'id="fig-a-2-art"' in texts[1]
    assert all('aria-label="A dot."' in x for x in texts)
    assert set(one.outputs[0]["data"]) == {"text/markdown"}


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
        return []
    if kinds != {"image/png"}:
        return [f"stored as {sorted(kinds)}"]
    told = notes.get("image/png", {})
    if "panels" not in told:
        return ["pixels that set_style did not store: run the notebook again"]
    width, _ = Image.open(io.BytesIO(base64.b64decode("".join(data["image/png"])))).size
    return [] if abs(width - 2 * told["width"]) <= 1 else ["pixels for a plain screen only"]


def test_stored_figures_are_drawings():
    found = {place: faults(data, notes) for place, data, notes in shown()}
    assert len(found) >= 9
    assert {place: said for place, said in found.items() if said} == {}


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
    piece = placed(drawing, "fig-two-1", ALT)
    style = (ROOT / "nbs/figures.scss").read_text(encoding="utf-8")
    style = re.sub(r"/\*.*?\*/|//[^\n]*", "", style).replace("$body-bg", "Canvas")
    theme_of = f"body {{margin: 16px; background: {PAPER}; --band: #eee; --rule: #ccc}}"
    night = f"body.quarto-dark {{background: {THEME['body-bg']}}}"
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{theme_of}{night}{style}"
        f"</style><body><main>{piece}{frames}</main>"
        f"{SCRIPT}</body></html>",
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
@NEEDS_PLAYWRIGHT
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
@NEEDS_PLAYWRIGHT
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
@NEEDS_PLAYWRIGHT
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
@NEEDS_PLAYWRIGHT
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
