"""Short names of the five texts in the prose of a page:
links to what they stand for (`procs` in settings.ini).

`L 3.2.4` means section 3.2.4 of the text that the bibliography lists under L. Who meets the
letter in the midst of the book sees by a tooltip which text that is, and comes to its
entry by a click. In the notebook itself the first letter of a page is a link already,
`[L 3.2.4](../appendix/bibliography.ipynb)`; on the site it becomes one like the others.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from fastcore.basics import AttrDict
from nbdev.process import Processor

from tools.book import ROOT, read_notebook
from tools.site import MENTIONS, page_of

BIBLIOGRAPHY = "appendix/bibliography.ipynb"

# A letter with a place, a possessive, or alone.
# A alone is an article, unless it ends an item of a list in brackets.
LETTERS = re.compile(
    r"(?<![\w.$'’&-])(?:(?P<place>[LHTAS](?: \(\d[\d.]*\)| \d(?:[\d.]*\d)?(?![\w%])))"
    r"|(?P<owner>[LHTAS])(?=['’]s\b)"
    r"|(?P<alone>[LHTS])(?=[,;:)]| (?:[a-z(]|Fig|Eq|Ex|Tab))"
    r"|(?P<listed>(?<=[(;] )A|(?<=\()A)(?=[;,)]))")

# A letter that the page itself links.
WRITTEN = re.compile(rf"\[(?P<text>(?P<letter>[LHTAS])\b[^\[\]]*)\]"
                     rf"\([^()\s]*{re.escape(Path(BIBLIOGRAPHY).name)}\)")


def letters_of(text: str) -> list[str]:
    """The short names in Markdown that are no links yet,
    those in formulas, code and headings left out."""
    return [found[0] for found in LETTERS.finditer(MENTIONS.sub(" | ", text))]


@lru_cache(1)
def texts(root: Path) -> dict[str, str]:
    """What each letter stands for, from the first table
    of the bibliography, without its marks."""
    path = root / "nbs" / BIBLIOGRAPHY
    words = ("\n".join(cell.source for cell in read_notebook(path, root).cells)
             if path.exists() else "")
    rows = re.findall(r'^\| <a id="source-(\w)"></a>\1 \| (.*?) \|', words, flags=re.M)
    return {letter: re.sub(r' ?\[@\w+\]|[*"“”]', "", text) for letter, text in rows}


def with_sources(text: str, page: str, known: dict[str, str]) -> str:
    """Markdown in which the letters are links to the bibliography;
    formulas, code, links and headings stay."""
    target = os.path.relpath(BIBLIOGRAPHY, Path(page).parent).replace(os.sep, "/")

    def link(text: str, letter: str) -> str:
        return f'[{text}]({target}#source-{letter} "{known[letter]}"){{.of-text}}'

    def one(found: re.Match[str]) -> str:
        letter = found[0][0]
        before = found.string[max(0, found.start() - 2): found.start()]
        if (found.lastgroup == "alone" and page.startswith("api/") and before[-1:] != "("
            and before != "; "):
            return found[0]  # docstrings have matrices that are called L
        if letter not in known:
            return found[0]
        return link(found[0], letter)

    done, last = [], 0
    for piece in MENTIONS.finditer(text):
        written = WRITTEN.fullmatch(piece[0])
        done += [LETTERS.sub(one, text[last: piece.start()]),
                 link(written["text"], written["letter"])
                 if written and written["letter"] in known else piece[0]]
        last = piece.end()
    return "".join(done) + LETTERS.sub(one, text[last:])


class SourceLetters(Processor):
    """Link the short names of the texts in the prose
    of a page to their entries in the bibliography."""

    def cell(self, cell: AttrDict) -> None:
        page = page_of(self.nb)
        if cell.cell_type == "markdown" and page != BIBLIOGRAPHY:
            cell.source = with_sources(cell.source, page, texts(ROOT))
