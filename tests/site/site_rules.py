"""Rules for the pages as they reach Quarto:
what nbdev and tools/site.py have made of the notebooks.

`make docs` does the same processing and then renders;
so these rules hold of the site wherever Quarto runs.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import yaml

from tests.house.house_rules import (
    Site,
    anchors,
    at,
    html_links,
    links,
    markup,
    parsed,
    public,
    structure,
    without_code,
    without_fences,
    without_math,
)
from tools.book import Cell, Notebook, notebooks, read_notebook, settings

# Shortcodes of Quarto; others would be shown as a question mark.
SHORTCODES = (
    "brand|contents|embed|env|include|kbd|lipsum|meta|pagebreak|placeholder|var|version|video")  # noqa: E501


def processed(copy: Path) -> list[Notebook]:
    """The pages of the site, with the cell numbers
    of the notebooks that they were made from."""
    book = []
    for source in notebooks(copy):
        path = copy / "_proc" / source.name
        if not path.exists():
            continue  # `site_problems` says so
        raw = json.loads(path.read_text(encoding="utf-8"))["cells"]
        ids = {c["id"]: i for i, c in enumerate(
            json.loads(source.path.read_text(encoding="utf-8"))["cells"])}
        cells: list[Cell] = []
        number = len(ids) - 1
        for c in reversed(read_notebook(path, copy).cells):
            # a cell that was put in counts as the next one
            number = ids.get(raw[c.number].get("id"), number)
            cells.insert(0, Cell(number, c.kind, c.source, c.outputs, c.metadata))
        front = (re.match(r"---\n(.*?)\n---", cells[0].source, flags=re.S)
                 if cells[0].kind == "raw" else None)
        if front:
            about = yaml.safe_load(front[1])
            cells[0] = Cell(0, "markdown", f"# {about.get('title', '')}\n\n> "
                            f"{about.get('description', '')}")
        book.append(Notebook(source.path, cells, copy))
    return book


def written(nb: Notebook) -> list[tuple[Cell, str]]:
    """Everything of a page that Quarto reads as Markdown."""
    return [(c, c.source) for c in nb.cells if c.kind == "markdown"] + [
        (c, text) for c in nb.cells for o in c.outputs
        if (text := markup(o, "text/markdown"))]


def raw_markup(nb: Notebook) -> list[str]:
    """Blocks are opened and closed, headings nest, and no `{{` stands in the text."""
    problems = [f"{p} (after processing)" for p in structure(nb)]
    for cell, text in written(nb):
        text = without_math(without_code(text))
        text = re.sub(rf"\{{\{{< *(?:{SHORTCODES})\b[^{{}}]*>\}}\}}", "", text)
        for found in re.findall(r"\{\{.{0,30}|.{0,30}\}\}", text):
            problems.append(f"{at(nb, cell)}: {found!r} is shown to the reader")
    return problems


def lost_anchors(book: list[Notebook], copy: Path) -> list[str]:
    """What a link may point to in a notebook is still there on the page."""
    pages = {nb.name: anchors(nb) for nb in book}
    return [f"nbs/{nb.name}: the anchor {a!r} is lost on the way to the site"
            for nb in notebooks(copy) if nb.name in pages
            for a in sorted(anchors(nb) - pages[nb.name])]


def dead_links(book: list[Notebook], copy: Path) -> list[str]:
    """Every link of the processed pages leads somewhere, those put in for names too."""
    site = Site(book, copy)
    problems = []
    for nb in book:
        found = [(c, link) for c, text in written(nb) for link in links(text)]
        found += [(c, link) for c in nb.cells for o in c.outputs
                  for link in html_links(markup(o, "text/html"))]
        for cell, link in found:
            if (copy / "nbs" / re.sub(r"^(?:\.\./)*notebooks/", "", link.target)).is_file():
                continue  # the notebook itself, to download: `make docs` puts it there
            wrong = site.problem(link.target, Path(nb.name), site.pages[nb.name])
            if wrong:
                problems.append(f"{at(nb, cell)}: link to {link.target}: {wrong}")
    return list(dict.fromkeys(problems))


def chapters_of_names(copy: Path) -> dict[str, set[str]]:
    """Every public name of the package, with the chapters that define it."""
    homes: dict[str, set[str]] = {}
    for nb in notebooks(copy):
        for name in public(nb) if nb.module else []:
            homes.setdefault(name, set()).add(nb.chapter)
    return homes


def own_names(nb: Notebook, package: str) -> set[str]:
    """Names to which a page itself gives a meaning that is not the package's."""
    found: set[str] = set()
    for cell in nb.cells:
        tree = parsed(nb, cell) if cell.kind == "code" and not cell.is_exported else None
        for node in ast.walk(tree) if tree else []:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                if not (getattr(node, "module", None) or "").startswith(package):
                    found |= {a.asname or a.name for a in node.names}
    return found


def unlinked_names(book: list[Notebook], copy: Path) -> list[str]:
    """A name of the package in the prose is a link to its entry."""
    homes = chapters_of_names(copy)
    sources = {nb.name: own_names(nb, settings(copy)["lib_path"]) for nb in notebooks(copy)}
    problems = []
    for nb in book:
        for cell, text in written(nb) if nb.chapter != "api" else []:
            text = re.sub(r"^#.*$", "", without_fences(text), flags=re.M)
            text = re.sub(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^)]*\)", "", text)
            problems += [
                f"{at(nb, cell)}: `{name}` is no link to its entry in the reference"
                for name in re.findall(r"(?<!`)`([A-Za-z_]\w*)(?:\(\))?`(?!`)", text)
                if name in homes and name not in sources[nb.name]]
    return problems


def wrong_homes(book: list[Notebook], copy: Path) -> list[str]:
    """A linked name of the package leads to an entry
    of that name, in its own chapter where two have it."""
    homes = chapters_of_names(copy)
    problems = []
    for nb in book:
        for cell, text in written(nb):
            for name, target in re.findall(
                    r"\[`([A-Za-z_][\w.]*)(?:\([^`]*\))?`\]\(([^)\s]*)\)", text):
                chapters = homes.get(name.split(".")[0], set())
                page, _, anchor = target.rpartition("#")
                entry = re.search(r"(?:^|/)api/(\w+)(?:\.\w+)?\.(?:ipynb|html)$", page)
                if not entry or not chapters:
                    continue
                say = f"{at(nb, cell)}: `{name}` leads to {target}"
                if anchor.split(".")[-1].lower() != name.split(".")[-1].lower():
                    problems.append(f"{say}, another name")
                elif (entry[1] not in chapters
                      or (nb.chapter in chapters and entry[1] != nb.chapter)):
                    problems.append(
                        f"{say}; its chapter is {' or '.join(sorted(chapters))}")
    return list(dict.fromkeys(problems))


def page_problems(copy: Path) -> list[str]:
    """What breaks a rule of this file."""
    book = processed(copy)
    return [p for nb in book for p in raw_markup(nb)] + [
        p for rule in (lost_anchors, dead_links, wrong_homes, unlinked_names)
        for p in rule(book, copy)]
