"""Every chapter has a landing page of the same shape,
which leads to all its sections and estimators.

The front page has a card for each of them, buttons on the site,
and a README without dead links.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from fastcore.basics import AttrDict

from tests.house.test_estimators import estimators
from tools import front
from tools.book import (
    ROOT,
    Cell,
    Notebook,
    below,
    chapter_of,
    chapters,
    modules,
    offered,
    pages,
    read_notebook,
    settings,
)
from tools.export import readme

SHAPE = ["Sections", "What to import", "How it hangs together", "In a few lines"]
WITH_ENGINE = ["Sections", "Under the hood", *SHAPE[1:]]
MOST = 24  # names that a chapter offers
PAGES = {chapter: read_notebook(ROOT / "nbs" / chapter / "index.ipynb")
         for chapter in chapters() if any(m.startswith(f"{chapter}.") for m in modules())}
READ = {c: [read_notebook(ROOT / "nbs" / p)
            for p in pages() if chapter_of(p) == c] for c in PAGES}
SECTIONS = {c: {nb.path.stem: nb.title for nb in READ[c] if nb.is_idea} for c in PAGES}
ENGINES = {c: {nb.path.stem: nb.title for nb in READ[c] if nb.is_engine} for c in PAGES}
LEARNERS = {c: [type(e).__name__ for e in estimators()
                if type(e).__module__.split(".")[1] == c] for c in PAGES}


def problems(nb: Notebook, sections: dict[str, str], learners: list[str], public: set[str],
             engines: dict[str, str] | None = None) -> list[str]:
    """What a landing page lacks."""
    texts = [cell.source for cell in nb.cells if cell.kind == "markdown"]
    found = []
    shape = WITH_ENGINE if engines else SHAPE
    if re.findall(r"^## (.*)$", "\n".join(texts), flags=re.M) != shape:
        found.append(f"its headings are not {shape}")
    for heading, wanted in (("Sections", sections), ("Under the hood", engines or {})):
        rows = re.findall(
            r"^\| \[(.+?)\]\((?:engine/)?(\w+)\.ipynb\) \| \S",
            below(nb, heading),
            flags=re.M,
        )
        if [page for _, page in rows] != list(wanted):
            found.append(f"below {heading} stand {[page for _, page in rows]}, in the "
                         f"sidebar {list(wanted)}")
        found += [f"{words!r} is the page {wanted[page]!r}: one name for a page"
                  for words, page in rows if page in wanted and words != wanted[page]]
    figures = sum(any(kind.startswith("image/") for kind in out.get("data", {}))
                  for cell in nb.cells for out in cell.outputs)
    if figures != 1:
        found.append(f"{figures} figures instead of one")
    rows = re.findall(r"^\| (\[`.*) \| (\S.*) \|$", below(nb, "What to import"), flags=re.M)
    told = offered(nb)
    if len(told) > MOST:
        found.append(f"{len(told)} names to import; {MOST} are the most")
    found += [f"{name} is no public name of the chapter"
              for name in told if name not in public]
    found += [f"{name} is not told of" for name in learners if name not in told]
    found += [f"{row[1]!r} is not one sentence"
              for row in rows if not re.fullmatch(r"[^.]+(\.\d[^.]*)*\.", row[1])]
    if f"(../api/{nb.chapter}.ipynb)" not in below(nb, "What to import"):
        found.append("no link to the reference of the chapter")
    others = set(re.findall(r"\]\(\.\./(\w+)/index\.ipynb\)",
                            below(nb, "How it hangs together")))
    return found if others else [*found, "no link to another chapter"]


def test_there_is_a_page_for_each_chapter():
    assert {m.partition(".")[0] for m in modules()} == set(PAGES)
    assert all((ROOT / "nbs" / chapter / "index.ipynb").exists() for chapter in chapters())


@pytest.mark.parametrize("chapter", PAGES)
def test_a_landing_page_is_whole(chapter):
    public = set(importlib.import_module(f"supervised.{chapter}").__all__)
    assert problems(PAGES[chapter], SECTIONS[chapter], LEARNERS[chapter], public,
                    ENGINES[chapter]) == []


def changed(old: str, new: str) -> Notebook:
    """The page of the chapter bayes with another text."""
    nb = PAGES["bayes"]
    assert any(old in cell.source for cell in nb.cells), old
    return replace(nb, cells=[replace(cell, source=cell.source.replace(old, new))
                              for cell in nb.cells])


def public_names() -> set[str]:
    return set(importlib.import_module("supervised.bayes").__all__)


@pytest.mark.parametrize(("old", "new", "said"), [
    ("## Sections", "## Contents", "its headings"),
    ("(text.ipynb)", "(test.ipynb)", "in the sidebar"),
    (f"[{SECTIONS['bayes']['text']}](", "[Words](", "one name for a page"),
    ("`NaiveBayesClassifier`", "`Bayes`", "NaiveBayesClassifier is not told of"),
    # left to the check of links
    ("bayes.ipynb#telling_words", "bayes.ipynb#tellingwords", None),
    ("[`telling_words`](../api/bayes.ipynb#telling_words)",
     "[`saw`](../api/bayes.ipynb#saw)", "saw is no public name"),
    ("that tell most for each class.", "that tell most. And more.", "is not one sentence"),
    ("(../api/bayes.ipynb)", "(../api/trees.ipynb)", "no link to the reference"),
    ("| [`telling_words`](", "| " + ", ".join(f"[`n{i}`](../api/bayes.ipynb#n{i})"
                                              for i in range(24)) + ", [`telling_words`](",
     "24 are the most"),
])
def test_a_broken_page_is_found(old, new, said):
    found = problems(changed(old, new), SECTIONS["bayes"], LEARNERS["bayes"],
                     public_names(), ENGINES["bayes"])
    assert any(said in problem for problem in found) if said else found == []


def test_a_page_without_figure_or_neighbors_is_found():
    nb = PAGES["bayes"]
    bare = [Cell(c.number, c.kind, c.source.replace("/index.ipynb)", "/tree.ipynb)"))
            for c in nb.cells]
    found = problems(replace(nb, cells=bare), SECTIONS["bayes"], LEARNERS["bayes"],
                     public_names(), ENGINES["bayes"])
    assert found == ["0 figures instead of one", "no link to another chapter"]


def test_engine_pages_have_a_table_of_their_own():
    rest = SECTIONS["bayes"], LEARNERS["bayes"], public_names()
    nb, engines = PAGES["bayes"], ENGINES["bayes"]
    assert problems(nb, *rest, engines) == []
    assert any("its headings" in p for p in problems(nb, *rest))
    renamed = engines | {"posteriors": "Another"}
    assert any("one name" in p for p in problems(nb, *rest, renamed))
    without = changed("## Under the hood", "### Under the hood")
    assert any("its headings" in p for p in problems(without, *rest, engines))


FRONT = read_notebook(ROOT / "nbs" / "index.ipynb")
NAMELESS = "owner".upper()  # as settings.ini has it until somebody is named
NOBODY = settings() | {"user": NAMELESS, "doc_host": f"https://{NAMELESS}.github.io"}
JANE = settings() | {"user": "jane", "doc_host": "https://jane.github.io",
                     "git_url": "https://github.com/jane/supervised"}
SITE = "https://jane.github.io/supervised/"


def targets(text: str) -> list[str]:
    """Where the links and pictures of Markdown lead; what is shown as code has none."""
    return re.findall(r"\]\(([^)\s]+)\)",
                      re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S))


def test_readme_without_an_owner_stays_in_the_repository() -> None:
    text = readme(FRONT, NOBODY)
    found = targets(text)
    assert len(found) > 40 and "nbs/trees/pruning.ipynb" in found
    assert [t for t in found if ":" in t] == []
    missing = [t for t in found if not (ROOT / t.partition("#")[0]).exists()]
    assert missing == []
    assert not re.search(r"github\.io|github\.com|pypi|lite/", text, flags=re.I)
    assert NAMELESS not in text


def test_readme_with_an_owner_leads_to_the_site() -> None:
    text = readme(FRONT, JANE)
    found = targets(text)
    pictures = [t for t in found if t.startswith("nbs/images/")]
    assert pictures and all((ROOT / t).exists() for t in pictures)
    rest = [t for t in found if t not in pictures]
    assert SITE + "trees/pruning.html" in rest and SITE + "api/index.html" in rest
    assert all(t == "#install" or t.startswith(SITE) for t in rest)
    first = front.first_page()
    assert first in pages() and (f"[Read]({SITE}{first.replace('.ipynb', '.html')}) · "
                                 f"[Run in the browser]({SITE}lite/") in text
    assert "## Install" in text  # where the third of them leads


@pytest.mark.parametrize("config", [NOBODY, JANE], ids=["nobody", "jane"])
def test_readme_has_two_commands_and_no_marks_of_the_site(config: dict[str, str]) -> None:
    text = readme(FRONT, config)
    shell = "\n".join(re.findall(r"```bash\n(.*?)```", text, flags=re.S))
    commands = [line.partition("#")[0].strip() for line in shell.splitlines()]
    by_hand = ["-m venv .venv", '-m pip install -c constraints.txt -e ".[dev]"',
               "-m tools.lab", '-m pytest -n auto -m "not deep"']
    assert commands[:2] == ["make lab", "make test"]
    assert [line.partition(" ")[2] for line in commands[2:] if line] == by_hand
    said = (ROOT / "Makefile").read_text(encoding="utf-8")  # and make does the same
    assert all(part in said for part in ("-m tools.lab", '-e ".[dev]"', "constraints.txt"))
    assert not re.search(r"^:::|\{[.#]|<div|class=|front-", text, flags=re.M)


def test_every_chapter_has_a_card() -> None:
    outputs = [o["data"] for cell in FRONT.cells for o in cell.outputs if "data" in o]
    (cards,) = ["".join(d["text/html"])
                for d in outputs if "cards" in str(d.get("text/html"))]
    found = re.findall(r'<a class="card" href="(\w+)/index\.ipynb"><img src="([^"]+)"',
                       cards)
    assert found == [(c, f"images/chapter-{c}.svg") for c in chapters()]
    for chapter, nb in PAGES.items():
        assert nb.summary in cards.replace("&#x27;", "'"), chapter


@pytest.mark.parametrize("chapter", PAGES)
def test_a_card_shows_the_figure_of_its_chapter(chapter: str) -> None:
    drawing, path = front.landing_figure(chapter), front.picture_of(chapter)
    assert drawing and path.read_text(encoding="utf-8") == drawing, "make export draws it"
    assert path.stat().st_size < 150_000


def processed(path: Path) -> AttrDict:
    """Cells as the processors of the site get them, with a link to the notebook."""
    cells = [("raw", "---\ntitle: T\n---"), ("markdown", "::: {.notebook-links}\nx\n:::"),
             ("code", "1"), ("markdown", "Read it."), ("markdown", "## Install\n\nMore.")]
    made = [AttrDict(cell_type=kind, source=text, metadata={}) for kind, text in cells]
    return AttrDict(cells=made, path_=path)


def test_the_site_has_three_buttons_on_its_front_page_alone() -> None:
    nb = processed(ROOT / "nbs" / "index.ipynb")
    front.FrontPage(nb).end()
    raw, _, lead, box, rest = nb.cells
    assert raw.source == "---\npage-layout: full\ntoc: false\ntitle: T\n---"
    assert (lead.source, rest.source) == ("Read it.", "## Install\n\nMore.")
    found = re.findall(r"\[([^]]+)\]\(([^)]+)\)\{\.btn ", box.source)
    first = front.first_page()
    assert found == [("Read", first), ("Run in the browser", front.LITE + first),
                     ("Install", "#install")]
    assert "## Install" in "\n".join(c.source for c in FRONT.cells)
    other = processed(ROOT / "nbs" / "basics" / "index.ipynb")
    before = [c.source for c in other.cells]
    front.FrontPage(other).end()
    assert [c.source for c in other.cells] == before
