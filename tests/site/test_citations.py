"""What the book cites: the short names of the five texts as links, and the bibliography."""

from __future__ import annotations

import re

import pytest

from tools.book import ROOT, Notebook, notebooks, read_notebook
from tools.citations import texts, with_sources

KNOWN = {"L": "Liu", "H": "Handout", "T": "Slides 10B", "A": "Aggarwal", "S": "Slides"}


def linked(words: str, page: str = "trees/splits.ipynb") -> list[str]:
    """What becomes a link."""
    found = re.findall(r"\[([^\]]*)\]\((\S+)#source-(\w) \"(.*?)\"\)\{\.of-text\}",
                       with_sources(words, page, KNOWN))
    assert all(text[0] == letter and KNOWN[letter] == tip for text, _, letter, tip in found)
    return [text for text, *_ in found]


@pytest.mark.parametrize("text, expected", [
    ("(L 3.2.4, A 10.3.2)", ["L 3.2.4", "A 10.3.2"]),
    ("after S 34. See A (10.5).", ["S 34", "A (10.5)"]),
    ("L's Fig. 3.4 and A’s example", ["L", "A"]),
    ("(L 3.9; H; T; A) and (A; T)", ["L 3.9", "H", "T", "A", "A", "T"]),
    ("L and S define it, T calls it", ["L", "S", "T"]),
    ("(L Fig. 3.4), L, Example 6", ["L", "L"]),
    ("A tree. A, B and C. Class A 1st", []),  # an article, names
    ("Marcello L. Rossi, Robert E. Hart, John S. Smith", []),
    ("$L 3$, `L 3.2`, [L 3.2](x.ipynb)", []),
    ("## L 3.2\n\n```\nL 3.2\n```", []),
    ("AL 3.2, X-L 3, L2 norm, I. L 3", ["L 3"]),
    ("[A](../appendix/bibliography.ipynb)'s Fig. 10.3", ["A"]),
    ("([L 3.2](../appendix/bibliography.ipynb); T)", ["L 3.2", "T"]),
    ("[the texts](../appendix/bibliography.ipynb)", []),
])
def test_the_letter_of_a_text_is_a_link(text: str, expected: list[str]) -> None:
    assert linked(text) == expected


def test_a_matrix_of_a_docstring_is_no_text() -> None:
    said = "the L of A = L L^T (L 3.9; T)"
    assert linked(said, "api/neighbors.metrics.ipynb") == ["L 3.9", "T"]


def test_links_lead_to_the_bibliography_of_the_book() -> None:
    assert list(texts(ROOT)) == ["L", "H", "T", "A", "S"]
    assert texts(ROOT)["A"].startswith(
        "Data Classification, chapter 10 of Aggarwal's Data Mining")
    assert "](../appendix/bibliography.ipynb#source-L " in with_sources(
        "L 3", "trees/a.ipynb", KNOWN)
    assert "](appendix/bibliography.ipynb#source-L " in with_sources(
        "L 3", "index.ipynb", KNOWN)


def test_most_idea_pages_name_their_source() -> None:
    pages = [nb for nb in notebooks() if nb.is_idea]
    named = [nb for nb in pages
             if any("#source-" in with_sources(c.source, nb.name, KNOWN) for c in nb.cells)]
    assert len(named) > len(pages) * 0.8


def bibliography() -> Notebook:
    return read_notebook(ROOT / "nbs" / "appendix" / "bibliography.ipynb")


def test_every_work_is_cited() -> None:
    works = re.findall(r"^@\w+\{([^,]+),", (ROOT / "nbs" / "references.bib").read_text(
        encoding="utf-8"), flags=re.M)
    cited = {key for nb in notebooks() if nb.chapter != "api" for cell in nb.cells
             if cell.kind == "markdown" for key in re.findall(r"@(\w+)", cell.source)}
    assert works and not [work for work in works if work not in cited]


def test_the_bibliography_shows_no_marks_of_bibtex() -> None:
    shown = "".join("".join(o["data"]["text/markdown"]) for c in bibliography().cells
                    for o in c.outputs)
    words = re.sub(r"\]\(<[^>]*>\)", "]", shown)
    assert words.count("\n- ") > 70
    for mark in ("{", "}", "``", "''", "--", "\\"):
        assert mark not in words, mark


def test_each_work_has_the_doi_of_its_entry() -> None:
    file = (ROOT / "nbs" / "references.bib").read_text(encoding="utf-8")
    given = dict(re.findall(r"^@\w+\{(\w+),\n(?:.*\n)*?  doi = \{(.*)\},$", file,
                            flags=re.M))
    shown = "".join("".join(o["data"]["text/markdown"]) for c in bibliography().cells
                    for o in c.outputs)
    entries = {m[2]: m[1] for m in re.finditer(r"^- (.*) `(\w+)`$", shown, flags=re.M)}
    for key, line in entries.items():
        body = re.search(rf"^@\w+\{{{key},\n(.*?)^\}}", file, flags=re.M | re.S)
        assert body, key
        doi = re.search(r"doi = \{(.*)\}", body[1])
        if doi:
            assert re.fullmatch(r"10\.\d{4,9}/\S+", doi[1]), key
            assert f"[doi:{doi[1]}](<https://doi.org/{doi[1]}>)" in line, key
    assert len(given) >= 50
