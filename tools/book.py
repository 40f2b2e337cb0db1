"""The book as data: its chapters, notebooks and cells. What walks the book starts here."""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


def write(path: Path, text: str) -> None:
    """Write with Unix line ends, and only where something changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")


def settings(root: Path = ROOT) -> dict[str, str]:
    """The values of settings.ini."""
    parser = configparser.ConfigParser()
    parser.read(root / "settings.ini", encoding="utf-8")
    return dict(parser["DEFAULT"])


def requirements(root: Path = ROOT) -> list[str]:
    """What the package itself needs, as pyproject.toml lists it."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]["dependencies"]


def sidebar(root: Path = ROOT) -> list[dict[str, Any]]:
    """The entries of the site's sidebar, as `_quarto.yml` has them."""
    text = (root / "_quarto.yml").read_text(encoding="utf-8")
    config = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return config["website"]["sidebar"]["contents"]


HOOD = "Under the hood"


def listed(entries: list[Any], hood: bool = False) -> Iterator[tuple[str, bool]]:
    """The pages below some entries of the sidebar, and whether they are under the hood."""
    for entry in entries:
        about = {"href": entry} if isinstance(entry, str) else entry
        if not re.match(r"https?:", about.get("href", "https:")):
            yield about["href"], hood
        yield from listed(about.get("contents") or [], about.get("section") == HOOD)


def pages(root: Path = ROOT) -> list[str]:
    """Every page that the sidebar lists, in its order: `basics/tables.ipynb`."""
    return [page for page, _ in listed(sidebar(root))]


def first_page(root: Path = ROOT) -> str:
    """Where reading begins: the first section of the sidebar."""
    return next(p for p in pages(root) if "/" in p and not p.endswith("/index.ipynb"))


@lru_cache(maxsize=8)
def under_the_hood(root: Path = ROOT) -> frozenset[str]:
    """The pages that the sidebar lists in the sections "Under the hood"."""
    return frozenset(page for page, hood in listed(sidebar(root)) if hood)


def chapter_of(page: str) -> str:
    """The chapter of a page: its first folder, `trees` of `trees/engine/tree.ipynb`."""
    return page.split("/")[0] if "/" in page else "."


def chapters(root: Path = ROOT) -> list[str]:
    """Folders of the chapters, in the order of the sidebar; appendix and api are none."""
    folders = dict.fromkeys(chapter_of(p) for p in pages(root))
    return [f for f in folders if f not in (".", "appendix", "api")]


def below(nb: Notebook, heading: str) -> str:
    """The text of a page below a heading of the second level."""
    text = "\n\n".join(cell.source for cell in nb.cells if cell.kind == "markdown")
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
    return found[1] if found else ""


def offered(landing: Notebook) -> list[str]:
    """The names that a chapter offers: its landing page lists them, "What to import"."""
    rows = "\n".join(re.findall(r"^\| *(\[`.*?) \| ", below(landing, "What to import"),
                                flags=re.M))
    names = re.findall(rf"\[`(\w+)`\]\(\.\./api/{landing.chapter}\.ipynb#\1\)", rows)
    return list(dict.fromkeys(names))


def definition_anchor(name: str) -> str:
    """The anchor that the site gives the place where a section defines a public name."""
    return f"definition-{name}"


def parsed(code: str) -> ast.Module:
    """A code cell as a syntax tree; an empty one where it is a command of Jupyter's."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.parse("")


@dataclass
class Cell:
    """One cell: `number` counts from 0 over all cells of the notebook."""

    number: int
    kind: str
    source: str
    outputs: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    count: int | None = None

    @property
    def directives(self) -> dict[str, str]:
        """`#| key: value` lines, and nbdev's `#| key value` ones."""
        found = re.findall(r"^#\| *([\w-]+) *:? *(.*)$", self.source, flags=re.M)
        return {key: value.strip().strip("\"'") for key, value in found}

    @property
    def code(self) -> str:
        """The source without its directives."""
        return "\n".join(x for x in self.source.splitlines() if not x.startswith("#|"))

    @property
    def is_exported(self) -> bool:
        marks = {"export", "exports", "exporti"} & set(self.directives)
        return self.kind == "code" and bool(marks)


@dataclass
class Notebook:
    """One page of the book."""

    path: Path
    cells: list[Cell]
    root: Path = ROOT
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.path.relative_to(self.root / "nbs").as_posix()

    @property
    def chapter(self) -> str:
        return chapter_of(self.name)

    @property
    def module(self) -> str | None:
        """Dotted name below the package, `trees.splits`; None if nothing is exported."""
        return next((c.directives["default_exp"] for c in self.cells
                     if c.kind == "code" and "default_exp" in c.directives), None)

    @property
    def is_engine(self) -> bool:
        """Whether the page is under the hood, by its folder or its place in the sidebar."""
        return (self.path.parent.name == "engine"
                or self.name in under_the_hood(self.root))

    @property
    def is_idea(self) -> bool:
        """Whether the page teaches a method."""
        return (self.chapter not in (".", "appendix", "api") and self.path.stem != "index"
                and not self.is_engine)

    @property
    def title(self) -> str:
        return self.cells[0].source.splitlines()[0].lstrip("# ").strip()

    @property
    def summary(self) -> str:
        return " ".join(re.findall(r"^> *(.*?) *$", self.cells[0].source, flags=re.M))


def read_notebook(path: Path, root: Path = ROOT) -> Notebook:
    """Read a notebook file."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    cells = [
        Cell(i, c["cell_type"], "".join(c["source"]), c.get("outputs", []),
             c.get("metadata", {}), c.get("execution_count"))
        for i, c in enumerate(raw["cells"])
    ]
    return Notebook(path, cells, root, raw.get("metadata", {}))


def notebook_paths(root: Path = ROOT) -> list[Path]:
    """Every notebook of the book in the order of the sidebar, then those that it lacks."""
    place = {page: i for i, page in enumerate(pages(root))}
    found = (root / "nbs").rglob("*.ipynb")
    names = {p.relative_to(root / "nbs").as_posix(): p for p in found
             if not any(x[0] in "._" for x in p.relative_to(root).parts)}
    return [names[n] for n in sorted(names, key=lambda n: (place.get(n, len(place)), n))]


def notebooks(root: Path = ROOT) -> list[Notebook]:
    """Every notebook, read."""
    return [read_notebook(p, root) for p in notebook_paths(root)]


@lru_cache(maxsize=1)
def modules() -> tuple[str, ...]:
    """The modules of the book, `trees.splits`, in the order of its pages; read once."""
    return tuple(nb.module for nb in notebooks() if nb.module)
