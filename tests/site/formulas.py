"""The formulas of the book: where they stand, and whether the pages can show them.

Pandoc (the site) and JupyterLab must agree on what is a formula; then the MathJax that both
load must be able to parse it. KaTeX would be smaller, but it is another language: it knows
`\\argmax` and `\\R`, which MathJax shows in red.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.house.house_rules import at, docstrings, without_code
from tools.book import Notebook

HERE = Path(__file__).resolve().parents[1]  # where npm puts MathJax
CAPTIONS = ("fig-cap", "tbl-cap", "lst-cap")


class Formula(NamedTuple):
    """One formula: where it stands, its TeX, and whether it has a line of its own."""

    where: str
    tex: str
    display: bool


def closing(text: str, start: int, mark: str) -> int:
    """Where the formula that begins at `start` ends,
    or -1. Pandoc's rules for `$…$` and `$$…$$`."""
    i = start
    while i < len(text):
        if text[i] == "\\":
            i += 2
            continue
        if text.startswith(mark, i) and i > start:
            if mark == "$$" or not (text[i - 1].isspace() or text[i + 1:i + 2].isdigit()):
                return i
        i += 1
    return -1


def formulas(text: str) -> tuple[list[tuple[str, bool]], str]:
    """Every formula of a piece of Markdown without
    code (TeX, display), and the text without them."""
    found, rest, i = [], [], 0
    while i < len(text):
        mark = "$$" if text.startswith("$$", i) else "$"
        start = i + len(mark)
        if text[i] == "\\":
            rest.append(text[i:i + 2])
            i += 2
        elif text[i] == "$" and (mark == "$$" or not text[start:start + 1].isspace()) \
                and (end := closing(text, start, mark)) > 0:
            found.append((text[start:end], mark == "$$"))
            i = end + len(mark)
        else:
            rest.append(text[i])
            i += 1
    return found, "".join(rest)


def texts(nb: Notebook) -> Iterator[tuple[str, str]]:
    """Everything of a page that is read as Markdown: where it stands, and the text."""
    for cell in nb.cells:
        if cell.kind == "markdown":
            yield at(nb, cell), cell.source
        for key in CAPTIONS:
            if cell.kind == "code" and key in cell.directives:
                yield f"{at(nb, cell)}, {key}", cell.directives[key]
        for output in cell.outputs:
            for kind in ("text/markdown", "text/latex"):
                if kind in output.get("data", {}):
                    yield f"{at(nb, cell)}, output", "".join(output["data"][kind])
    for cell, name, doc in docstrings(nb):
        yield f"{at(nb, cell)}, docstring of {name}", doc


def all_formulas(book: list[Notebook]) -> list[Formula]:
    """Every formula of the book."""
    return [Formula(where, tex, display) for nb in book for where, text in texts(nb)
            for tex, display in formulas(without_code(text))[0]]


def formula_problems(book: list[Notebook]) -> list[str]:
    """What pandoc and JupyterLab take for different things,
    or can't show, whatever the formula says."""
    problems = []
    for nb in book:
        for where, text in texts(nb):
            found, rest = formulas(without_code(text))
            lone = re.search(r"(?<!\\)\$.{0,20}", rest.replace("\\\\", ""))
            if lone:
                problems.append(
                    f"{where}: {lone[0]!r} begins no formula; a dollar is written \\$")
            if wild := re.search(r"\\[(\[]|\\(?:begin|tag)\{", rest):
                problems.append(
                    f"{where}: {wild[0]!r} outside a formula; write $…$ or $$…$$")
            for tex, display in found:
                shown = f"{where}: {tex.strip()[:40]!r}"
                if re.search(r"\n[ \t]*\n", tex):
                    problems.append(
                        f"{shown} has an empty line, where pandoc ends the formula")
                if not display and re.search(r"\\tag\b", tex):
                    problems.append(f"{shown} is numbered inside a line; write $$…$$")
                if macro := re.search(r"\\(?:(?:re)?newcommand|def|let|require)\b", tex):
                    problems.append(
                        f"{shown} has {macro[0]}, which would hold for other formulas too")
        if "$" in nb.cells[0].source:
            problems.append(f"{at(nb, 0)}: a formula in title or summary, which the "
                            "browser shows as text")
        for cell in nb.cells:
            if formulas(cell.directives.get("fig-alt", ""))[0] and cell.kind == "code":
                problems.append(
                    f"{at(nb, cell)}: a formula in fig-alt, which is read out as it stands")
    return problems


def lacking() -> str | None:
    """What the parser of formulas lacks on this machine, or None."""
    if not shutil.which("node"):
        return ("Node.js is not installed: the formulas are not parsed. Install it and run "
                "`make test` again.")
    if not (HERE / "node_modules" / "mathjax").exists():
        return ("MathJax is not there: the formulas are not parsed. `npm ci --prefix "
                "tests` brings it.")
    return None


def faults(found: list[Formula]) -> list[str]:
    """What MathJax can't parse. One process for all, and equal formulas once."""
    different = list(dict.fromkeys((f.tex, f.display) for f in found))
    done = subprocess.run(["node", str(HERE / "formulas.cjs")], input=json.dumps(different),
                          capture_output=True, text=True, encoding="utf-8", timeout=3600)
    if done.returncode:
        raise RuntimeError(f"MathJax did not run:\n{done.stderr[-2000:]}")
    said = dict(zip(different, json.loads(done.stdout), strict=True))
    return [f"{f.where}: {f.tex.strip()[:60]!r}: {said[f.tex, f.display]}"
            for f in found if said[f.tex, f.display]]
