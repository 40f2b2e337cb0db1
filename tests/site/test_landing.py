"""Every chapter has a landing page of the same shape,
which leads to all its sections and estimators.

The front page has a card for each of them, buttons on the site,
and a README without dead links.
"""

from __future__ import annotations

import re

import pytest

from tests.house.test_estimators import estimators
from tools.book import (
    ROOT,
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
from tools.export import landing_figure, readme

SHAPE = ["Sections", "What to import", "How it hangs together", "In a few lines"]
WITH_ENGINE = ["Sections", "Under the hood", *SHAPE[1:]]
PAGES = {chapter: read_notebook(ROOT / "nbs" / chapter / "index.ipynb")
         for chapter in chapters() if any(m.startswith(f"{chapter}.") for m in modules())}


def below_chapter(nb: Notebook) -> str:
    """The name of a page in its chapter: `choice`, `engine/tree`."""
    return nb.name.partition("/")[2].removesuffix(".ipynb")


READ = {c: [read_notebook(ROOT / "nbs" / p)
            for p in pages() if chapter_of(p) == c] for c in PAGES}
SECTIONS = {c: {below_chapter(nb): nb.title for nb in READ[c] if nb.is_idea} for c in PAGES}
ENGINES = {c: {below_chapter(nb): nb.title for nb in READ[c] if nb.is_engine}
           for c in PAGES}
LEARNERS = {c: [type(e).__name__ for e in estimators()
                if type(e).__module__.split(".")[1] == c] for c in PAGES}


def problems(nb: Notebook, sections: dict[str, str], learners: list[str],
             engines: dict[str, str]) -> list[str]:
    """What a landing page lacks."""
    texts = [cell.source for cell in nb.cells if cell.kind == "markdown"]
    found = []
    shape = WITH_ENGINE if engines else SHAPE
    if re.findall(r"^## (.*)$", "\n".join(texts), flags=re.M) != shape:
        found.append(f"its headings are not {shape}")
    for heading, wanted in (("Sections", sections), ("Under the hood", engines)):
        rows = re.findall(
            r"^\| \[(.+?)\]\(((?:engine/)?\w+)\.ipynb\) \| \S",
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
    assert problems(PAGES[chapter], SECTIONS[chapter], LEARNERS[chapter],
                    ENGINES[chapter]) == []


FRONT = read_notebook(ROOT / "nbs" / "index.ipynb")
NAMELESS = "owner".upper()  # as settings.ini has it until somebody is named
NOBODY = settings() | {"user": NAMELESS, "doc_host": f"https://{NAMELESS}.github.io"}
JANE = settings() | {"user": "jane", "doc_host": "https://jane.github.io",
                     "git_url": "https://github.com/jane/supervised"}


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
    drawing = landing_figure(chapter)
    path = ROOT / "nbs" / "images" / f"chapter-{chapter}.svg"
    assert drawing and path.read_text(encoding="utf-8") == drawing, "make export draws it"
    assert path.stat().st_size < 150_000
