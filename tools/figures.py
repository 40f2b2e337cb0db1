"""Figures of the site: drawings in the colors of the page, for wide screens and for phones.

A notebook stores a figure as SVG, or as pixels where that would be too large. Both tell
their parts (`data-panels`, see `to_svg` in basics.drawings). Here each becomes a piece of
the page: the whole, the parts that stand below one another on a phone, and a name in words.
What follows from a click is in nbs/figures.html, how it looks in nbs/figures.scss.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

import numpy as np
from fastcore.basics import AttrDict
from matplotlib.colors import to_hex, to_rgb
from nbdev.process import Processor

from supervised.basics.figures import INK, PAPER, PIXELS
from tools.book import ROOT
from tools.site import markdown

LEAST = 11  # pixels of a page for the smallest letters
MOST = 14  # where there is room: the letters of a legend are no title's
LIGHT = np.array([0.2126, 0.7152, 0.0722])  # shares of red, green and blue in a light
COLOR = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')
TICK = re.compile(r'\bd="M([\d.]+) ([\d.]+)l-3\.5 0"')  # of an upright axis, to its left
ROOM = 10  # points at the left of an axis that has labels, at least


@lru_cache(1)
def theme() -> dict[str, str]:
    """The colors that the dark theme sets."""
    text = (ROOT / "nbs" / "theme-dark.scss").read_text(encoding="utf-8")
    return dict(re.findall(r"^\$([\w-]+): *(#[0-9a-f]{6});", text, flags=re.M))


@lru_cache(1)
def darkening() -> np.ndarray:
    """How a color changes in the dark: a matrix for red, green and blue, and what is added.

    Light and dark change places and hues stay: a color moves along the gray axis by an
    amount that depends on its light alone, and paper and ink become those of the dark page.
    """
    paper, ink = np.array(to_rgb(PAPER)), np.array(to_rgb(INK))
    to_paper, to_ink = (np.array(to_rgb(theme()[f"body-{x}"])) for x in ("bg", "color"))
    slope = ((to_paper - paper) - (to_ink - ink)) / (LIGHT @ (paper - ink))
    added = to_ink - ink - slope * (LIGHT @ ink)
    return np.column_stack([np.eye(3) + np.outer(slope, LIGHT), added])


def dark(color: str) -> str:
    """The color of a figure on the dark page."""
    change = darkening()
    return to_hex(np.clip(change[:, :3] @ to_rgb(color) + change[:, 3], 0, 1))


def palette(colors: set[str]) -> str:
    """What a page needs once: its figures' colors, and the filter that darkens pixels."""
    rows = [f"{a:.4f} {b:.4f} {c:.4f} 0 {d:.4f}" for a, b, c, d in darkening()]
    light, in_the_dark = (
        "".join(f"--{x[1:]}:{to(x)};" for x in sorted(colors)) for to in (str, dark)
    )
    return (
        f"<style>\nbody {{{light}}}\n"
        f"body.quarto-dark {{{in_the_dark}--darken:url(#darken)}}\n</style>\n"
        '<svg width="0" height="0" style="position: absolute" aria-hidden="true">'
        '<filter id="darken" color-interpolation-filters="sRGB">'
        f'<feColorMatrix values="{" ".join(rows)} 0 0 0 1 0"/></filter></svg>'
    )


def wrapped(pixels: str, notes: dict[str, str]) -> str:
    """Pixels with what the notebook notes about them, as a drawing of one picture."""
    width, height = (float(notes[key]) / PIXELS * 72 for key in ("width", "height"))
    return (
        f'<svg width="{notes["width"]}" height="{notes["height"]}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" data-panels="{notes["panels"]}">'
        f'<image width="{width:.1f}" height="{height:.1f}" '
        f'href="data:image/png;base64,{"".join(pixels.split())}"/></svg>'
    )


def borrowed(inside: str, parts: list[list[float]]) -> list[tuple[float, float, float]]:
    """Where the labels stand that a part takes from another:
    their left edge, their width, their lower edge.

    Panels in a row often share an upright axis, and only the first has its labels. Below
    one another, on a phone, each needs them. An axis is told by its ticks; a part that has
    labels of its own, or no such axis, borrows a width of 0.
    """
    axes: list[tuple[float, list[float]]] = []
    for left, top, width, height, _ in parts:
        ticks = [
            (x, y)
            for x, y in (map(float, found) for found in TICK.findall(inside))
            if left <= x <= left + width and top <= y <= top + height
        ]
        at = min((x for x, _ in ticks), default=left)
        axes.append((at, sorted(y for x, y in ticks if x == at)))
    found = []
    for i, (at, ticks_at) in enumerate(axes):
        lenders = [
            k
            for k in range(i)
            if axes[k][1] == ticks_at and axes[k][0] - parts[k][0] > ROOM
        ]
        if ticks_at and lenders and at - parts[i][0] < ROOM:
            left = parts[lenders[-1]][0]
            found.append((left, axes[lenders[-1]][0] - 4 - left, ticks_at[-1] + 7))
        else:
            found.append((0.0, 0.0, 0.0))
    return found


def placed(drawing: str, name: str, alt: str) -> tuple[str, set[str]]:
    """A drawing as a piece of the page, and the colors that it takes from there.

    The parts are windows on the drawing, which is in the page once.
    """
    found = re.fullmatch(r"\s*<svg\b([^>]*)>(.*)</svg>\s*", drawing, flags=re.S)
    if not found:
        raise ValueError(f"{name}: no SVG: {drawing[:60]!r}")
    looks, inside = dict(re.findall(r'([\w:-]+)="([^"]*)"', found[1])), found[2]
    inside = re.sub(r'\bid="([\w-]+)"', rf'id="{name}-\1"', inside)
    inside = inside.replace("url(#", f"url(#{name}-").replace("xlink:href=", "href=")
    inside = inside.replace("<image ", '<image style="filter:var(--darken)" ')
    colors = {"#000000", *(color for _, color in COLOR.findall(inside))}  # black is unsaid
    inside = COLOR.sub(lambda found: f'{found[1]}="var(--{found[2][1:]})"', inside)
    shared = "".join(
        f' {key}="{looks[key]}"'
        for key in ("font-family", "stroke-linejoin")
        if key in looks
    )
    words = html.escape(alt)
    boxes = [[float(x) for x in text.split()] for text in looks["data-panels"].split(";")]
    art, parts = f'<use href="#{name}-art"/>', []
    for (x, y, width, height, letters), (left, more, low) in zip(
        boxes, borrowed(inside, boxes), strict=True
    ):
        scale = min(PIXELS / 72, MOST / letters) if letters else PIXELS / 72
        least = (width + more) * LEAST / letters if letters else 0
        most = max(least, (width + more) * scale)
        view, shown = f"{x:g} {y:g} {width:g} {height:g}", art
        if more:
            shown = (
                f'<svg width="{more:g}" height="{low - y:g}" '
                f'viewBox="{left:g} {y:g} {more:g} {low - y:g}">{art}</svg>'
                f'<svg x="{more:g}" width="{width:g}" height="{height:g}" '
                f'viewBox="{view}">{art}</svg>'
            )
            view = f"0 0 {width + more:g} {height:g}"
        parts.append(
            f'<div class="drawing-part"><svg viewBox="{view}" '
            f'style="max-width:{most:.0f}px;min-width:{least:.0f}px">{shown}</svg></div>'
        )
    size = " ".join(f'{key}="{looks[key]}"' for key in ("viewBox", "width", "height"))
    return (
        f'<div class="drawing">\n'
        f'<svg class="drawing-whole" role="img" aria-label="{words}" {size}>'
        f'<g id="{name}-art" fill="var(--000000)"{shared}>{inside}</g></svg>\n'
        f'<div class="drawing-parts" role="img" aria-label="{words}">\n'
        + "\n".join(parts)
        + "\n</div>\n</div>"
    ), colors


def option(source: str, name: str) -> str:
    """What a cell says in a line `#| name: text`."""
    found = re.search(rf'^#\| *{name}: *"?(.*?)"? *$', source, flags=re.M)
    return found[1].replace('\\"', '"') if found else ""


class Figures(Processor):
    """Put the drawings into the page, and the colors that they need before them."""

    def begin(self) -> None:
        self.colors: set[str] = set()
        self.shown = 0

    def cell(self, cell: AttrDict) -> None:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            notes = output.get("metadata", {}).get("image/png", {})
            if 'class="player"' in "".join(data.get("text/markdown", "")):  # from PlainHtml
                self.colors.add(PAPER)
            elif "image/svg+xml" in data or "image/png" in data and "panels" in notes:
                drawing = "".join(data.get("image/svg+xml", ""))
                drawing = drawing or wrapped("".join(data["image/png"]), notes)
                self.shown += 1
                name = option(cell.source, "label") or "drawing"
                alt = option(cell.source, "fig-alt")
                piece, colors = placed(drawing, f"{name}-{self.shown}", alt)
                self.colors |= colors
                text = "```{=html}\n" + piece + "\n```\n"
                output["data"] = {"text/markdown": text.splitlines(keepends=True)}

    def end(self) -> None:
        if self.colors:
            kinds = [cell.cell_type for cell in self.nb.cells]
            place = kinds.index("raw") + 1 if "raw" in kinds else 0
            head = markdown("```{=html}\n" + palette(self.colors) + "\n```")
            self.nb.cells.insert(place, head)
