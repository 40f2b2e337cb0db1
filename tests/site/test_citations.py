"""What the book cites: the short names of the five texts as links, and the bibliography."""

from __future__ import annotations

import re

import pytest

from tools.book import ROOT, Notebook, notebooks, read_notebook
from tools.site import BIBLIOGRAPHY, with_mentions


@pytest.mark.parametrize("text, expected", [
    ("(L 3.2.4, A 10.3.2)", ["L 3.2.4", "A 10.3.2"]),
    ("after S 34. See A (10.5).", ["S 34", "A (10.5)"]),
    ("L's Fig. 3.4 and A’s example (L Fig. 3.4)", ["L", "A", "L"]),
    ("A tree. A, B and C. Class A 1st", []),  # an article, names
    ("$L 3$, `L 3.2`, [L 3.2](x.ipynb)", []),
    ("## L 3.2\n\n```\nL 3.2\n```", []),
    ("AL 3.2, X-L 3, L2 norm, I. L 3", ["L 3"]),
])
def test_a_place_in_a_text_is_a_link(text: str, expected: list[str]) -> None:
    said = with_mentions(text, lambda name: None)
    found = re.findall(rf"\[([^\]]*)\]\({BIBLIOGRAPHY}#source-(\w)\)", said)
    assert [place for place, _ in found] == expected
    assert all(place[0] == letter for place, letter in found)


def test_links_lead_to_the_bibliography_of_the_book() -> None:
    words = "\n".join(c.source for c in bibliography().cells)
    assert re.findall(r'<a id="source-(\w)"></a>\1 \|', words) == ["L", "H", "T", "A", "S"]


def test_most_idea_pages_name_their_source() -> None:
    pages = [nb for nb in notebooks() if nb.is_idea]
    named = [nb for nb in pages if any(f"{BIBLIOGRAPHY})" in c.source for c in nb.cells)]
    assert len(named) > len(pages) * 0.8


def bibliography() -> Notebook:
    return read_notebook(ROOT / "nbs" / "appendix" / "bibliography.ipynb")


def test_every_work_is_cited() -> None:
    works = re.findall(r"^@\w+\{([^,]+),", (ROOT / "nbs" / "references.bib").read_text(
        encoding="utf-8"), flags=re.M)
    cited = {key for nb in notebooks() if nb.chapter != "api" for cell in nb.cells
             if cell.kind == "markdown" for key in re.findall(r"@(\w+)", cell.source)}
    assert works and not [work for work in works if work not in cited]


def shown() -> str:
    """What the bibliography lists."""
    return "".join("".join(o["data"]["text/markdown"]) for c in bibliography().cells
                   for o in c.outputs)


def test_the_bibliography_shows_no_marks_of_bibtex() -> None:
    words = re.sub(r"\]\(<[^>]*>\)", "]", shown())
    assert words.count("\n- ") > 70
    for mark in ("{", "}", "``", "''", "--", "\\"):
        assert mark not in words, mark


def test_each_work_has_the_doi_of_its_entry() -> None:
    file = (ROOT / "nbs" / "references.bib").read_text(encoding="utf-8")
    entries = dict(re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", file, flags=re.M | re.S))
    given = {key: doi[1] for key, entry in entries.items()
             if (doi := re.search(r"doi = \{(.*)\}", entry))}
    assert len(given) >= 50
    for line, key in re.findall(r"^- (.*) `(\w+)`$", shown(), flags=re.M):
        assert key in entries, key
        if key in given:
            assert re.fullmatch(r"10\.\d{4,9}/\S+", given[key]), key
            assert f"[doi:{given[key]}](<https://doi.org/{given[key]}>)" in line, key
