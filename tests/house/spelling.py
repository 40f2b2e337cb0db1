"""One spelling for each technical term, in all prose of the book. `words.csv` says which.

`write` is the right form, `not` a regular expression for wrong ones (whole words, upper and
lower case alike unless it says `(?-i:…)`), `but` what excuses a find, `example` a phrase
that must be found.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.house.house_rules import (
    at,
    blank,
    docstrings,
    markup,
    without_code,
    without_math,
)
from tools.book import Notebook

WORDS = Path(__file__).with_name("words.csv")


class Word(NamedTuple):
    """One line of words.csv."""

    write: str
    wrong: re.Pattern[str]
    but: re.Pattern[str] | None
    example: str


def whole_words(pattern: str) -> re.Pattern[str]:
    """The pattern where it begins and ends with a word,
    outside names, paths and addresses."""
    return re.compile(rf"\b(?<![/.@-])(?:{pattern})(?![\w/]|[.-]\w)", re.IGNORECASE)


@cache
def words() -> list[Word]:
    """The word list."""
    with WORDS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Word(r["write"], whole_words(r["not"]),
                 re.compile(r["but"]) if r["but"] else None, r["example"]) for r in rows]


@cache
def any_wrong() -> re.Pattern[str]:
    """All wrong forms at once: most texts have none, and are read but once."""
    return whole_words("|".join(f"(?:{w.wrong.pattern})" for w in words()))


def prose(text: str) -> str:
    """Markdown without code, formulas, links,
    citations, quotations and HTML; the lines stay."""
    text = without_math(without_code(text))
    text = re.sub(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^)]*\)", blank, text)
    text = re.sub(r"https?://\S+|<[^>]*>|\{[^{}]*\}", blank, text)
    return re.sub(r"[\"“][^\"”\n]{1,200}[\"”]", blank, text)


def passages(book: list[Notebook], root: Path) -> Iterator[tuple[str, str]]:
    """All prose: cells, captions, alt texts and docstrings,
    and the Markdown files beside the book."""
    for nb in book:
        if nb.chapter == "api":
            continue  # made from the docstrings, which are read where they stand
        for cell in nb.cells:
            if cell.kind == "markdown":
                yield at(nb, cell), cell.source
            for key in ("fig-cap", "fig-alt", "tbl-cap"):
                if cell.kind == "code" and key in cell.directives:
                    yield f"{at(nb, cell)}, {key}", cell.directives[key]
            for alt in {a for o in cell.outputs
                        for a in re.findall(r'\balt="([^"]*)"', markup(o, "text/html"))}:
                yield f"{at(nb, cell)}, alt text", alt
        for cell, name, doc in docstrings(nb):
            yield f"{at(nb, cell)}, docstring of {name}", doc
    for path in sorted(root.glob("*.md")):
        if path.name != "README.md":  # made from the front page
            yield path.name, path.read_text(encoding="utf-8")


def misspelled(text: str) -> Iterator[tuple[str, str]]:
    """What a text should not say, and what it should say instead."""
    clean = prose(text)
    for word in words() if any_wrong().search(clean) else []:
        for found in word.wrong.finditer(clean):
            around = clean[max(0, found.start() - 60):found.end() + 60]
            if not (word.but and word.but.search(around)):
                yield found[0], word.write


def spelling(book: list[Notebook], root: Path) -> list[str]:
    """Each term is spelled in one way."""
    return [f"{where}: {wrong!r}: this book writes {right!r}"
            for where, text in passages(book, root) for wrong, right in misspelled(text)]
