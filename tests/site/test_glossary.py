"""The glossary: one sentence for each term, which stands where the book introduces it.

Its table is `nbs/appendix/glossary.csv`, its page is made from that.
"""

from __future__ import annotations

import csv
import importlib
import inspect
import re
from collections import Counter
from functools import cache
from typing import Any

from sklearn.experimental import enable_halving_search_cv  # noqa: F401  or it is hidden

from tests.house.house_rules import anchors, headings, identifier, markup, unique
from tests.house.spelling import misspelled
from tools.book import ROOT, Notebook, chapters, read_notebook

COLUMNS = ["term", "sentence", "synonyms", "home", "anchor", "sklearn", "owed"]

Row = dict[str, str]


@cache
def table() -> list[Row]:
    """The rows of the glossary."""
    path = ROOT / "nbs" / "appendix" / "glossary.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def page(name: str) -> Notebook:
    """A page of the book, read once."""
    return read_notebook(ROOT / "nbs" / name)


def synonyms(row: Row) -> list[str]:
    """The other names of a term."""
    return [name for name in row["synonyms"].split("; ") if name]


def names(row: Row) -> list[str]:
    """The term and its other names."""
    return [row["term"], *synonyms(row)]


def forms(name: str) -> set[str]:
    """A name in small letters, in the singular and in the plural."""
    low = name.lower()
    plurals = {low + "s", low + "es"}
    for end, plural in (("y", "ies"), ("leaf", "leaves"), ("matrix", "matrices"),
                        ("sis", "ses"), ("analysis", "analyses")):
        if low.endswith(end):
            plurals.add(low.removesuffix(end) + plural)
    return {low, *plurals}


def says(text: str, name: str) -> bool:
    """Whether a text has a name, as whole words, in either number."""
    return any(re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text.lower())
               for form in forms(name))


def section(nb: Notebook, anchor: str) -> str:
    """The text of a page from a heading, or from its opening, to the next heading."""
    taken: set[str] = set()
    lines, inside = [], not anchor
    for cell in nb.cells[1:]:
        if cell.kind != "markdown":
            continue
        for before, line in zip(["", *cell.source.splitlines()],
                                cell.source.splitlines(), strict=False):
            found = [] if before.strip() else headings(line)
            for level, words, name in found:
                if not (level == 4 and words.startswith("Solution")):
                    inside = (name or unique(identifier(words), taken)) == anchor
            lines += [line] * inside
        lines.append("")
    return "\n".join(lines)


def introduced(row: Row, text: str) -> bool:
    """Whether a text has the term, or another name of it, in bold."""
    bold = {found.lower().strip().rstrip(".:,;?")
            for found in re.findall(r"\*\*(.+?)\*\*", text)}
    return any(bold & forms(name) for name in names(row))


def exists(dotted: str) -> bool:
    """Whether a module, class, function, method, parameter or fitted attribute exists."""
    parts = dotted.split(".")
    thing: Any = None
    for length in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        break
    for i, part in enumerate(parts[length:], length + 1):
        if hasattr(thing, part):
            thing = getattr(thing, part)
        elif callable(thing) and i == len(parts):
            return (part in inspect.signature(thing).parameters
                    or bool(re.search(rf"^ +{part} : ", thing.__doc__ or "", flags=re.M)))
        else:
            return False
    return thing is not None


def problems(row: Row) -> list[str]:
    """What is wrong with a row by itself."""
    found = []
    sentence = row["sentence"]
    if not re.fullmatch(r"[A-Z0-9].*[^.]\.", sentence) or re.search(r"[.?!] ", sentence):
        found.append("not one sentence")
    found += [f"the sentence uses {name!r}" for name in names(row) if says(sentence, name)]
    found += [f"{wrong!r}: this book writes {right!r}"
              for wrong, right in misspelled(f"{row['term']}: {sentence}")]
    if row["owed"]:
        if row["owed"] not in chapters():
            found.append(f"{row['owed']} is no chapter")
        if row["home"] or row["anchor"]:
            found.append("has a home and is owed")
    elif not (ROOT / "nbs" / row["home"]).is_file():
        found.append(f"there is no page {row['home']}")
    elif row["anchor"] and row["anchor"] not in anchors(page(row["home"])):
        found.append(f"no heading {row['anchor']} on {row['home']}")
    if row["sklearn"] and not exists(row["sklearn"]):
        found.append(f"scikit-learn has no {row['sklearn']}")
    return found


def test_rows() -> None:
    assert all(list(row) == COLUMNS for row in table())
    assert [f"{row['term']}: {x}" for row in table() for x in problems(row)] == []


def test_a_name_belongs_to_one_term() -> None:
    owners = Counter(name.lower() for row in table() for name in names(row))
    assert [name for name, count in owners.items() if count > 1] == []


def test_terms_stand_in_bold_where_they_are_introduced() -> None:
    missing = [row for row in table() if not row["owed"]
               and not introduced(row, section(page(row["home"]), row["anchor"]))]
    wrong = [f"{row['term']}: not in bold at {row['home']}#{row['anchor']}"
             for row in missing]
    assert wrong == []


def test_the_page_has_every_term_and_synonym_once_under_its_letter() -> None:
    nb = page("appendix/glossary.ipynb")
    shown = [row for row in table() if not row["owed"]]
    letter, entries = "", []
    for cell in nb.cells:
        found = re.match(r"## ([A-Z])$", cell.source)
        letter = found[1] if found else letter
        for output in cell.outputs if letter else []:
            entries += [(letter, text)
                        for text in markup(output, "text/markdown").split("\n\n")]
    texts = [text for _, text in entries]
    for row in shown:
        start = f"**{row['term']}**"
        mine = [text for text in texts if start in text]
        assert len(mine) == 1 and row["sentence"] in mine[0], row["term"]
        assert f"](../{row['home']}{'#' * bool(row['anchor'])}{row['anchor']})" in mine[0]
        assert all(synonym in mine[0] for synonym in synonyms(row))
    seen = [(synonym, row["term"]) for row in shown for synonym in synonyms(row)
            if not synonym.lower().startswith(row["term"].lower() + " ")]
    for synonym, term in seen:
        assert [t for t in texts if t.startswith(f"*{synonym}*: see [{term}](")], synonym
    assert len(entries) == len(shown) + len(seen)
    ids = re.findall(r'<span id="([^"]+)"', "\n".join(texts))
    assert len(set(ids)) == len(shown) and "term-learning-rate" in ids
    for letter, text in entries:
        first = re.search(r"\*+[^a-z]*([a-z])", text.lower())
        assert first and first[1].upper() == letter, text
