"""Rules for idea pages, the pages that teach a method:
the idea is not buried, and no number lacks a witness.

An idea page is every page of a chapter but its landing page
and its engine pages, those "Under the hood" in the sidebar.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path

from tests.house.house_rules import (
    at,
    headings,
    links,
    output_text,
    parsed,
    without_code,
    without_fences,
    without_math,
)
from tools.book import Cell, Notebook
from tools.site import BIBLIOGRAPHY, MENTIONS

# lines of code between two paragraphs, and what counts as a paragraph
MOST_LINES, ENOUGH_WORDS = 30, 25
LEAST_WORDS = 7  # of prose for a line of code
# underscored share of the exported lines, where there are more than 20
MOST_PRIVATE, SMALL = 0.1, 20
MOST_CELLS = 45


def in_force(book: list[Notebook]) -> list[Notebook]:
    """The idea pages that must keep these rules."""
    return [nb for nb in book if nb.is_idea]


# ------------------------------------ the idea and the machinery


def lines_of(code: str) -> list[str]:
    """Lines of code without docstrings, comments and empty lines, and without what a class
    declares of its parameters and of its stored fields."""
    code = re.sub(r'"""[\s\S]*?"""', "", code)
    code = re.sub(r"^ {4}_parameter_constraints = .*(\n {5,}.*)*|^storable\(.*(\n +.*)*",
                  "", code, flags=re.M)
    return [line for line in code.splitlines()
            if line.strip() and not line.strip().startswith("#")]


def words_in(text: str) -> int:
    """Words of a paragraph; a formula is one."""
    return len(re.findall(r"[A-Za-z][A-Za-z'-]*", re.sub(r"\$[^$]*\$", "x", text)))


def only_imports(code: str) -> bool:
    """Whether a cell imports and does nothing else;
    one that only names what it shows is as harmless."""
    lines = lines_of(code)
    return ("default_exp" in code or all(re.match(r"\s*(import|from|\)|[\w., ]+,?$)", line)
                                         for line in lines))


@dataclass
class Measures:
    """What a page has of prose, of code, and of helpers."""

    words: int = 0
    lines: int = 0
    longest: int = 0  # lines of code without a paragraph between
    after: int = 0  # the cell where the longest run begins
    private: int = 0
    public: int = 0
    cells: int = 0


def measures(nb: Notebook) -> Measures:
    """Count prose and code of a page."""
    found, run, first = Measures(), 0, 0
    for cell in nb.cells:
        if cell.kind == "markdown":
            words = words_in(cell.source)
            found.words += words
            run = 0 if words >= ENOUGH_WORDS else run
            continue
        found.cells += 1
        if only_imports(cell.source):
            continue
        size = len(lines_of(cell.source))
        first = first if run else cell.number
        run, found.lines = run + size, found.lines + size
        if run > found.longest:
            found.longest, found.after = run, first
        tree = (parsed(nb, cell) if re.search(r"^#\|\s*export", cell.source, flags=re.M)
                else None)
        for node in tree.body if tree else []:
            size = len(lines_of(ast.unparse(node)))
            if getattr(node, "name", "a").startswith("_"):
                found.private += size
            else:
                found.public += size
    return found


def machinery(nb: Notebook) -> list[str]:
    """Prose stands between the lines of code, and helpers elsewhere."""
    m, problems = measures(nb), []
    if m.longest > MOST_LINES:
        problems.append(f"{at(nb, m.after)}: {m.longest} lines of code from here without a "
                        f"paragraph between them; {MOST_LINES} are the most")
    if m.lines and m.words / m.lines < LEAST_WORDS:
        problems.append(
            f"nbs/{nb.name}: {m.words / m.lines:.1f} words of prose for a line of code; "
            f"{LEAST_WORDS} are the least")
    whole = m.private + m.public
    if whole > SMALL and m.private / whole > MOST_PRIVATE:
        problems.append(f"nbs/{nb.name}: {m.private / whole:.0%} of the exported lines are "
                        "underscored; move helpers to an engine page")
    if m.cells > MOST_CELLS:
        problems.append(f"nbs/{nb.name}: {m.cells} code cells; {MOST_CELLS} are the most")
    return problems


# ------------------------------------ no number without a witness

NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|(?<!\d)\.\d+|\d+"
DECIMAL = re.compile(
    r"(?<![\w.,/])((?:\d{1,3}(?:,\d{3})+|\d+)?\.\d+)(?!\.?\w)(\s*(?:\\?%|percent\b))?")
FORMULA = re.compile(r"\$\$.*?\$\$|(?<![\\$])\$(?=[^\s$])[^$]*?(?<=[^\s\\])\$(?!\d)",
                     flags=re.S)
# What is numbered with a point: sections, equations, figures, releases; `L 3.2.4`,
# `Eqs. 3.5 and 3.6`, `A's (10.12)`.
REFERENCE = re.compile(
    r"(?:(?-i:\b[LHTAS](?:['’]s)?)|\b(?:Figs?|Eqs?|Secs?|Chap|Ex|Tab)\.|"
    r"\b(?:figures?|equations?|sections?|chapters?|examples?|tables?|exercises?|algorithms?|definitions?|theorems?|"  # noqa: E501
    r"versions?|releases?|WCAG|Python|NumPy|pandas|SciPy|Numba|scikit-learn|Quarto|WEKA))"
    r"\s*((?:\(?[1-9]\d*(?:\.\d+)*[a-z]?\)?(?:\s*(?:,|;|–|-|to|and|or)\s*)*)+)", flags=re.I)


def without_references(text: str) -> str:
    """Prose without the numbers of sections, equations, figures and releases."""

    def shortened(found: re.Match[str]) -> str:
        numbers = list(re.finditer(r"\d+(?:\.\d+)*", found[1]))
        # a list goes on as long as the first number stays: 3.5 and 3.6, but not 0.5
        for number in numbers:
            if number[0].split(".")[0] != numbers[0][0].split(".")[0]:
                return " " + found[1][number.start():]
        return " "

    text = re.sub(r"\b(?:exercises?|examples?) (?:\d+(?:, | and | to |–)?)+ of \d+\.\d+",
                  " ", text, flags=re.I)
    return REFERENCE.sub(shortened, text)


def decimals(text: str) -> Iterator[tuple[int, str, bool]]:
    """Every decimal of a piece of prose: its place,
    its digits, and whether it is a percentage."""
    for found in DECIMAL.finditer(text):
        yield found.start(), found[1].replace(",", ""), bool(found[2])


@dataclass
class Witnesses:
    """The numbers that a page shows: in outputs, tables, formulas and code."""

    values: set[Decimal] = field(default_factory=set)

    def add(self, text: str) -> None:
        text = text.replace("{,}", ",").replace("\\,", "")
        for digits in re.findall(NUMBER, text):
            self.values.add(Decimal(digits.replace(",", "")).normalize())

    def shows(self, digits: str, percent: bool) -> bool:
        """Whether a number stands there; one of three digits
        or more may be rounded from a longer one."""
        value = Decimal(digits)
        wanted = [value, value / 100] if percent else [value]
        return any(self._has(v) for v in wanted)

    def _has(self, value: Decimal) -> bool:
        if value.normalize() in self.values:
            return True
        step = Decimal(1).scaleb(int(value.as_tuple().exponent))
        return (len(value.as_tuple().digits) > 2
                and any(abs(v - value) * 2 <= step for v in self.values))


def said_aloud(tree: ast.AST) -> Iterator[ast.expr]:
    """What code says in words to be read in place of a picture: the argument `alt`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from (k.value for k in node.keywords if k.arg == "alt")


def code_numbers(cell: Cell, tree: ast.Module | None) -> str:
    """The numbers of a cell's code, those of comments,
    docstrings and alt texts left out."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(cell.code).readline))
    except (tokenize.TokenError, SyntaxError):
        return cell.code
    spans = [(n.lineno, n.end_lineno or n.lineno) for n in said_aloud(tree)] if tree else []
    for node in ast.walk(tree) if tree else []:
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)):
            spans.append((node.lineno, node.end_lineno or node.lineno))
    return " ".join(t.string for t in tokens
                    if t.type == tokenize.NUMBER or t.type != tokenize.COMMENT
                    and not any(a <= t.start[0] <= b for a, b in spans))


def witnesses(nb: Notebook) -> Witnesses:
    """All numbers of a page that are computed, given or derived in view."""
    found = Witnesses()
    for cell in nb.cells:
        if cell.kind == "markdown":
            text = without_fences(cell.source)
            found.add("\n".join(re.findall(r"^\s*\|.*$", text, flags=re.M)))
            found.add(" ".join(FORMULA.findall(text)))
            found.add("\n".join(re.findall(r"^ *```.*?^ *```", cell.source,
                                           flags=re.M | re.S)))
        else:
            found.add(code_numbers(cell, parsed(nb, cell)))
            for output in cell.outputs:
                shown = re.sub(r"""\balt=("[^"]*"|'[^']*')""", "", output_text(output))
                found.add(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", shown,
                                 flags=re.S))
    return found


def sentences(text: str) -> Iterator[str]:
    """The sentences of a piece of Markdown; a row of a table is none."""
    text = re.sub(r"^\s*\|.*$", "", without_math(without_code(text)), flags=re.M)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*>#]|\d+\.)\s)", text):
        yield from re.split(r"(?<=[.?!:])[\"'*_)]*\s+(?=[\"'*_(\[]*[A-Z])", block)


def spoken(nb: Notebook) -> Iterator[tuple[Cell, str, str]]:
    """Everything that a page says in words: cell, kind, text."""
    for cell in nb.cells:
        if cell.kind == "markdown":
            yield cell, "", cell.source
            continue
        for key in ("fig-cap", "fig-alt"):
            if key in cell.directives:
                yield cell, f"{key}: ", cell.directives[key]
        tree = parsed(nb, cell)
        for node in said_aloud(tree) if tree else []:
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield cell, "alt: ", part.value


def pages_linked(nb: Notebook, sentence: str) -> list[str]:
    """The other pages that a sentence links to, below nbs."""
    found = []
    for link in links(sentence):
        target = link.target.partition("#")[0]
        if target.endswith(".ipynb") and not re.match(r"[a-z]+:", target):
            found.append(os.path.normpath(Path(nb.name).parent / target)
                         .replace(os.sep, "/"))
    return found


def numbers(book: list[Notebook]) -> list[str]:
    """Every decimal of prose, caption and alt text stands
    in an output, a table, a formula or code of its page.

    A number of another page does, too, where the same sentence links to that page.
    """
    pages = {nb.name: nb for nb in book}

    @cache
    def known(name: str) -> Witnesses:
        return witnesses(pages[name])

    problems = []
    for nb in in_force(book):
        for cell, kind, text in spoken(nb):
            for sentence in sentences(text):
                plain = re.sub(r"\]\([^)\s]*\)", "] ", without_references(sentence))
                lost = [digits + " %" * percent for _, digits, percent in decimals(plain)
                        if not any(known(p).shows(digits, percent)
                                   for p in [nb.name, *pages_linked(nb, sentence)]
                                   if p in pages)]
                problems += [f"{at(nb, cell)}: {kind}{number} stands in no "
                             "output, table, formula or code of the page; "
                             "print it, or link to the page that computes it"
                             for number in lost]
    return problems


# ------------------------------------ the letters of the texts


def unexplained(book: list[Notebook]) -> list[str]:
    """Where a page first names one of the five texts by its letter,
    it links to the list of them."""
    problems = []
    for nb in book:
        if nb.chapter in ("appendix", "api"):
            continue
        for cell in nb.cells:
            words = cell.source if cell.kind == "markdown" else ""
            if any(link.target.endswith(Path(BIBLIOGRAPHY).name) for link in links(words)):
                break
            if letters := [m[0] for m in MENTIONS.finditer(words) if m["text"]]:
                problems.append(f"{at(nb, cell)}: {letters[0]!r} is the first mention of a "
                                f"text; write [{letters[0]}](../{BIBLIOGRAPHY})")
                break
    return problems


# ------------------------------------ players and solutions


def players(nb: Notebook) -> list[str]:
    """Who plays a figure says with which frame it starts: the one that tells most."""
    problems = []
    for cell in nb.cells:
        tree = parsed(nb, cell) if cell.kind == "code" and not cell.is_exported else None
        for node in ast.walk(tree) if tree else []:
            if (isinstance(node, ast.Call)
                and ast.unparse(node.func).split(".")[-1] in ("player", "Player")):
                if "start" not in [k.arg for k in node.keywords]:
                    problems.append(f"{at(nb, cell)}: a player without `start=`; name the "
                                    "frame that tells most")
    return problems


def computes(nb: Notebook, cell: Cell) -> bool:
    """Whether a cell does more than import."""
    tree = parsed(nb, cell)
    return (any(not isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)
            if tree else True)


def solutions(nb: Notebook) -> list[str]:
    """A solution that computes shows its result."""
    problems = []
    heading: Cell | None = None
    code: list[Cell] = []

    def judge() -> list[str]:
        if heading and code and not any(c.outputs for c in code):
            return [f"{at(nb, heading)}: the solution shows no result; print it, an "
                    "assertion is no answer"]
        if heading and code and not code[-1].outputs:
            return [f"{at(nb, code[-1])}: the solution ends without a shown result; print "
                    "it last"]
        return []

    for cell in nb.cells:
        level, words = (min(((level, words) for level, words, _ in headings(cell.source)),
                            default=(9, ""))
                        if cell.kind == "markdown" else (9, ""))
        if level <= 4:
            problems += judge()
            heading, code = (
                (cell if level == 4 and words.startswith("Solution") else None), [])
        elif cell.kind == "code" and computes(nb, cell):
            code.append(cell)
    return problems + judge()
