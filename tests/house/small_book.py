"""A small book in which every house rule holds, for tests to break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.house.house_rules import entries
from tools.book import settings

SETTINGS = """[DEFAULT]
repo = small
user = SOMEBODY
lib_name = small
lib_path = small
version = 0.2.0
description = A small book
keywords = small
author = The authors
license = apache2
min_python = 3.11
requirements = numpy>=2
dev_requirements = pytest
bench_requirements = pytest
nbs_path = nbs
doc_path = _docs
recursive = True
readme_nb = index.ipynb
title = %(lib_name)s
branch = main
git_url = https://github.com/%(user)s/%(repo)s
doc_host = https://%(user)s.github.io
doc_baseurl = /%(repo)s
custom_sidebar = True
put_version_in_init = False
update_pyproject = False
"""
# The small book reaches its site as the book does.
SETTINGS += "".join(f"{key} = {value}\n" for key, value in settings().items()
                    if key in ("procs", "skip_procs"))

QUARTO = """website:
  sidebar:
    contents:
      - index.ipynb
      - section: Basics
        href: basics/index.ipynb
        contents:
          - basics/learning.ipynb
          - basics/tables.ipynb
      - section: Trees
        href: trees/index.ipynb
        contents:
          - trees/splits.ipynb
      - section: Appendix
        contents:
          - appendix/coverage.ipynb
"""

PYPROJECT = """[project]
# from settings.ini, by `make export`:
# end of what settings.ini decides
"""

LEARNING = '''#| exports
def accuracy(right: int, total: int) -> float:
    """Share of right predictions, Eq. (3.1).

    Parameters
    ----------
    right, total : int
        How many were right, of how many.

    Returns
    -------
    float
    """
    return right / total'''

TABLES = '''#| exports
class Table:
    """Rows.

    Parameters
    ----------
    rows : list
        The rows.
    """

    def __init__(self, rows: list) -> None:
        self.rows = rows

    def score(self) -> float:
        """Accuracy of nothing."""
        return accuracy(0, len(self.rows))'''

SPLITS = '''#| exports
def gain(table: Table) -> float:
    """Nothing gained.

    Parameters
    ----------
    table : Table
        Anything.

    Returns
    -------
    float
    """
    return 0.0'''


def md(source: str) -> dict[str, Any]:
    """A Markdown cell."""
    return {"cell_type": "markdown", "metadata": {},
            "source": source.splitlines(keepends=True)}


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A code cell with its outputs."""
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": list(outputs),
        "source": source.splitlines(keepends=True),
    }


def result(text: str) -> dict[str, Any]:
    """What an expression shows."""
    return {
        "output_type": "execute_result",
        "data": {"text/plain": text},
        "execution_count": None,
        "metadata": {},
    }


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    """What is printed."""
    return {"output_type": "stream", "name": name, "text": text}


def shown(**data: str) -> dict[str, Any]:
    """What is displayed: `shown(image_png=...)`."""
    return {
        "output_type": "display_data",
        "data": {k.replace("_", "/"): v for k, v in data.items()},
        "metadata": {},
    }


def write_page(root: Path, name: str, cells: list[dict[str, Any]]) -> None:
    """Write a notebook below nbs."""
    path = root / "nbs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    kernel = {"kernelspec": {"display_name": "python3", "language": "python",
                             "name": "python3"}}
    for i, cell in enumerate(cells):
        cell["id"] = f"cell{i}"
    raw = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(raw), encoding="utf-8")


# enough words for an idea page with a few lines of code
PROSE = ("A page that teaches says in words what its code does. A row is a case, a column "
         "is what was asked of each case, and the last column is the answer that was "
         "given. Where an answer is missing the cell stays empty, and nobody may guess. "
         "The rows are read in the order in which they were written, the columns by "
         "their names, so that a table whose columns change places is still the same. ")


def pages() -> dict[str, list[dict[str, Any]]]:
    """The notebooks of the small book."""
    figure = (
        '#| label: fig-line\n#| fig-cap: "A line"\n#| fig-alt: "A line that rises"\n'
        "plt.plot([0, 1])\nplt.show()"
    )
    return {
        "index.ipynb": [
            md("# Small\n\n> A small book."),
            md("Read [learning](basics/learning.ipynb#the-idea)."),
            code("1 + 1", result("2")),
        ],
        "basics/index.ipynb": [
            md("# Basics\n\n> The first chapter."), md("See [tables](tables.ipynb)."),
        ], "basics/learning.ipynb": [
            md("# Learning\n\n> How a program learns."),
            code("#| default_exp basics.learning"), md(
                "## The idea\n\n$$a = r / n \\tag{3.1}$$\n\n"
                "See @fig-line and [tables](tables.ipynb#definition-Table)."
            ),
            code(LEARNING), code("accuracy(1, 2)", result("0.5")),
            code("import matplotlib.pyplot as plt"),
            code(figure, shown(image_png="AAAA", text_plain="<Figure>")),
            md("![a map](map.png)\n\n" + PROSE + "\n\nThe end."),
        ], "basics/tables.ipynb": [
            md("# Tables\n\n> Data in rows."), code("#| default_exp basics.tables"),
            code("#| export\nfrom small.basics.learning import accuracy"),
            md("## Rows"), code(TABLES), md("### Deeper\n\n" + PROSE + "\n\nThe end."),
        ],
        "trees/index.ipynb": [md("# Trees\n\n> The second chapter."), md("Nothing.")],
        "trees/splits.ipynb": [
            md("# Splits\n\n> Where to cut."), code("#| default_exp trees.splits"),
            code("#| export\nfrom small.basics.tables import Table"), code(SPLITS),
            md("A cut divides the rows in two, and what it gains is "
               "how much purer the two parts are than the whole. "
               "This one gains nothing, so that its gain is easily checked by hand."),
        ],
        "appendix/coverage.ipynb": [md("# Coverage\n\n> What is where."), md("All of it.")],
    }


def write_small_book(root: Path,
                     book: dict[str, list[dict[str, Any]]] | None = None) -> Path:
    """Write the small book (or another one) into a folder."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "settings.ini").write_text(SETTINGS, encoding="utf-8")
    (root / "_quarto.yml").write_text(QUARTO, encoding="utf-8")
    (root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (root / "CHANGELOG.md").write_text("# Changes\n\n## 0.2.0\n\n- [All](nbs).\n",
                                       encoding="utf-8")
    for name, cells in (book or pages()).items():
        write_page(root, name, cells)
    try:
        (root / "nbs" / "_quarto.yml").symlink_to("../_quarto.yml")
    except OSError:  # Windows, for users without the right to make links
        (root / "nbs" / "_quarto.yml").write_text(QUARTO, encoding="utf-8")
    (root / "nbs" / "basics" / "map.png").write_bytes(b"\x89PNG")
    rows = [f"{e},L,something,basics," for e in entries()]
    rows[0] = ("I001,L,something,basics,basics/learning.ipynb#the-idea "
               "basics/tables.ipynb#definition-Table")
    table = "\n".join(["entry,source,what,chapter,page", *rows, ""])
    (root / "nbs" / "appendix" / "coverage.csv").write_text(table, encoding="utf-8")
    return root
