"""Figures of the site: drawings for wide screens and for phones.

A notebook stores a figure as SVG, or as pixels where that would be too large. Both tell
their parts (`data-panels`, see `to_svg` in basics.drawings). Here each becomes a piece of
the page: the whole, the parts that stand below one another on a phone, and a name in words.
What follows from a click and how the dark page changes colors is in nbs/figures.html, how
it looks in nbs/figures.scss.
"""

from __future__ import annotations

import html
import re

from fastcore.basics import AttrDict
from nbdev.process import Processor

from supervised.basics.figures import PIXELS
from tools.book import Cell

LEAST = 11  # pixels of a page for the smallest letters
MOST = 14  # where there is room: the letters of a legend are no title's


def wrapped(pixels: str, notes: dict[str, str]) -> str:
    """Pixels with what the notebook notes about them, as a drawing of one picture."""
    width, height = (float(notes[key]) / PIXELS * 72 for key in ("width", "height"))
    return (f'<svg width="{notes["width"]}" height="{notes["height"]}" '
            f'viewBox="0 0 {width:.1f} {height:.1f}" data-panels="{notes["panels"]}">'
            f'<image width="{width:.1f}" height="{height:.1f}" '
            f'href="data:image/png;base64,{"".join(pixels.split())}"/></svg>')


def window(box: list[float], name: str) -> str:
    """A part of a drawing, as wide as can be read."""
    x, y, width, height, letters = box
    scale = min(PIXELS / 72, MOST / letters) if letters else PIXELS / 72
    least = width * LEAST / letters if letters else 0
    most = max(least, width * scale)
    return (f'<div class="drawing-part"><svg viewBox="{x:g} {y:g} {width:g} {height:g}" '
            f'style="max-width:{most:.0f}px;min-width:{least:.0f}px">'
            f'<use href="#{name}-art"/></svg></div>')


def placed(drawing: str, name: str, alt: str) -> str:
    """A drawing as a piece of the page. The parts are windows on it: it is there once."""
    found = re.fullmatch(r"\s*<svg\b([^>]*)>(.*)</svg>\s*", drawing, flags=re.S)
    assert found, f"{name}: no SVG: {drawing[:60]!r}"
    looks, inside = dict(re.findall(r'([\w:-]+)="([^"]*)"', found[1])), found[2]
    inside = re.sub(r'\bid="([\w-]+)"', rf'id="{name}-\1"', inside)
    inside = inside.replace("url(#", f"url(#{name}-").replace("xlink:href=", "href=")
    shared, size = ("".join(f' {key}="{looks[key]}"' for key in keys if key in looks)
                    for keys in (("font-family", "stroke-linejoin"),
                                 ("viewBox", "width", "height")))
    words = f'role="img" aria-label="{html.escape(alt)}"'
    parts = [window([float(x) for x in box.split()], name)
             for box in looks["data-panels"].split(";")]
    return (f'<div class="drawing">\n<svg class="drawing-whole" {words}{size}>'
            f'<g id="{name}-art"{shared}>{inside}</g></svg>\n'
            f'<div class="drawing-parts" {words}>\n' + "\n".join(parts)
            + "\n</div>\n</div>")


class Figures(Processor):
    """Put the drawings into the page."""

    def begin(self) -> None:
        self.shown = 0

    def cell(self, cell: AttrDict) -> None:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            notes = output.get("metadata", {}).get("image/png", {})
            if "image/svg+xml" in data or "image/png" in data and "panels" in notes:
                drawing = "".join(data.get("image/svg+xml", ""))
                drawing = drawing or wrapped("".join(data["image/png"]), notes)
                self.shown += 1
                says = Cell(0, "code", cell.source).directives
                name = f"{says.get('label', 'drawing')}-{self.shown}"
                piece = placed(drawing, name, says.get("fig-alt", "").replace('\\"', '"'))
                text = "```{=html}\n" + piece + "\n```\n"
                output["data"] = {"text/markdown": text.splitlines(keepends=True)}
