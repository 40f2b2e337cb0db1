"""The book as data: its chapters, notebooks and cells. What walks the book starts here."""

from __future__ import annotations

import configparser
import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


def settings(root: Path = ROOT) -> dict[str, str]:
    """The values of settings.ini."""
    parser = configparser.ConfigParser()
    parser.read(root / "settings.ini", encoding="utf-8")
    return dict(parser["DEFAULT"])


def sidebar(root: Path = ROOT) -> list[dict[str, Any]]:
    """The entries of the site's sidebar, as `_quarto.yml` has them."""
    text = (root / "_quarto.yml").read_text(encoding="utf-8")
    config = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return config["website"]["sidebar"]["contents"]


def pages(root: Path = ROOT) -> list[str]:
    """Every page that the sidebar lists, in its order: `basics/tables.ipynb`."""

    def below(entries: list[Any]) -> list[str]:
        found = []
        for entry in entries:
            entry = {"href": entry} if isinstance(entry, str) else entry
            found += [entry["href"]] if "href" in entry else []
            found += below(entry.get("contents") or [])
        return found

    return [p for p in below(sidebar(root)) if not re.match(r"https?:", p)]


HOOD = "Under the hood"


def under_the_hood(root: Path = ROOT) -> frozenset[str]:
    """The pages that the sidebar lists in the sections "Under the hood"."""
    file = root / "_quarto.yml"
    return _hood(root, file.stat().st_mtime_ns) if file.exists() else frozenset()


@lru_cache(maxsize=8)
def _hood(root: Path, changed: int) -> frozenset[str]:
    """The same, read once for each state of the file."""

    def within(entries: list[Any]) -> list[str]:
        sections = [e for e in entries if isinstance(e, dict) and "contents" in e]
        return [page for e in sections
                for page in (e["contents"] if e.get("section") == HOOD
                             else within(e["contents"]))]

    return frozenset(p for p in within(sidebar(root)) if isinstance(p, str))


def chapter_of(page: str) -> str:
    """The chapter of a page: its first folder, `trees` of `trees/engine/tree.ipynb`."""
    return page.split("/")[0] if "/" in page else "."


def chapters(root: Path = ROOT) -> list[str]:
    """Folders of the chapters, in the order of the sidebar;
    pages without code are not chapters."""
    folders = dict.fromkeys(chapter_of(p) for p in pages(root))
    return [f for f in folders if f not in (".", "appendix", "api")]


def below(nb: Notebook, heading: str) -> str:
    """The text of a page below a heading of the second level."""
    text = "\n\n".join(cell.source for cell in nb.cells if cell.kind == "markdown")
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
    return found[1] if found else ""


def offered(landing: Notebook) -> list[str]:
    """The names that a chapter's subpackage offers:
    those that its landing page lists under "What to import"."""
    rows = "\n".join(re.findall(r"^\| *(\[`.*?) \| ", below(landing, "What to import"),
                                flags=re.M))
    names = re.findall(rf"\[`(\w+)`\]\(\.\./api/{landing.chapter}\.ipynb#\1\)", rows)
    return list(dict.fromkeys(names))


def definition_anchor(name: str) -> str:
    """The anchor that the site gives the place where a section defines a public name."""
    return f"definition-{name}"


def not_evaluated(source: str) -> bool:
    """Whether the cell carries `#| eval: false`."""
    lines = [x for x in source.splitlines() if x.startswith("#|")]
    return any(x.replace(" ", "").lower() == "#|eval:false" for x in lines)


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
        found = {}
        for line in self.source.splitlines():
            match = re.match(r"#\|\s*([\w-]+)\s*:?\s*(.*)$", line)
            if match:
                found[match.group(1)] = match.group(2).strip().strip("\"'")
        return found

    @property
    def code(self) -> str:
        """The source without its directives."""
        return "\n".join(x for x in self.source.splitlines() if not x.startswith("#|"))

    @property
    def is_exported(self) -> bool:
        return (self.kind == "code"
                and bool({"export", "exports", "exporti"} & set(self.directives)))


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
        """Dotted name below the package, `trees.splits`,
        or None where nothing is exported."""
        for cell in self.cells:
            if cell.kind == "code" and "default_exp" in cell.directives:
                return cell.directives["default_exp"]
        return None

    @property
    def is_engine(self) -> bool:
        """Whether the page stands under the hood: by its folder, `trees/engine/`,
        or by its place in the sidebar, as `basics/figures.ipynb`."""
        return (self.path.parent.name == "engine"
                or self.name in under_the_hood(self.root))

    @property
    def is_idea(self) -> bool:
        """Whether the page teaches a method:
        no landing page, no engine page, nothing outside the chapters."""
        return (self.chapter not in (".", "appendix", "api") and self.path.stem != "index"
                and not self.is_engine)

    @property
    def title(self) -> str:
        return self.cells[0].source.splitlines()[0].lstrip("# ").strip()

    @property
    def summary(self) -> str:
        lines = [x[1:].strip() for x in self.cells[0].source.splitlines()
                 if x.startswith(">")]
        return " ".join(lines)


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
