"""The picture that a link to the site shows elsewhere:
`python -m tools.card` draws nbs/images/card.png.

1200 x 630 pixels is what the readers of Open Graph ask for. Title and line come from
settings.ini, the picture from the package; draw it again when either changes.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from matplotlib.figure import Figure

from supervised.basics import set_style
from supervised.basics.datasets import load_wine
from supervised.basics.figures import INK, PAPER, mix, to_png
from supervised.trees import C45Classifier, draw_tree, plot_partition
from tools.book import ROOT, settings

CARD = ROOT / "nbs" / "images" / "card.png"
SIZE = (1200, 630)


def draw_card(config: dict[str, str]) -> Figure:
    """The name of the book and what it is, beside a tree and the plane as it cuts it."""
    set_style()
    X, y = load_wine()
    X = X[["color_intensity", "flavanoids"]].rename(columns={"color_intensity": "color"})
    y = y.cat.rename_categories({"class_0": "wine A", "class_1": "wine B",
                                 "class_2": "wine C"})
    tree = C45Classifier(pruning=None).fit(X, y).tree_
    figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    figure.set_layout_engine("none")
    figure.text(0.055, 0.79, config["title"], size=58, weight="bold", color=INK)
    words = textwrap.fill(config["description"], 36)
    figure.text(0.057, 0.73, words, size=22, color=mix(INK, PAPER, 0.8), va="top",
                linespacing=1.4)
    branches = figure.add_axes((0.02, 0.03, 0.5, 0.46))
    draw_tree(tree, ax=branches)
    plane = figure.add_axes((0.55, 0, 0.45, 1))
    plot_partition(tree, X, y, ax=plane, legend=False, s=75)
    plane.set(xticks=[], yticks=[], xlabel="", ylabel="")
    plane.spines[:].set_visible(False)
    return figure


def write_card(path: Path = CARD) -> None:
    """Draw the card and store it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(to_png(draw_card(settings())))


if __name__ == "__main__":
    write_card()
    print(CARD.relative_to(ROOT).as_posix())
