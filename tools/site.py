"""What the site needs beyond nbdev: `procs` in settings.ini names the processors.

nbdev's own signature boxes are switched off (`skip_procs`): they need every import of a
page to run, put a heading in the midst of the prose, and repeat what stands in the source
below. In their place a definition gets an anchor and a link to its entry in the API
reference, which is made from the same docstrings.

    python -m tools.site

finishes the rendered pages: it puts the notebooks as they are beside them, for readers to
download, and MathJax, which npm has brought.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from fastcore.basics import AttrDict
from nbdev.process import Processor

from tools import book, lite
from tools.book import ROOT
from tools.reference import Links, assigned, imports, mentioned, package, peer_page

DOWNLOADS = "notebooks"  # the folder of the site that has them
NPM = ROOT / "tests" / "node_modules"
# What theme.html loads of MathJax: not a bundle, which is twice as heavy.
MATHJAX = {
    "mathjax": ("LICENSE", "startup.js", "core.js", "input/tex.js", "input/tex/extensions",
                "output/chtml.js", "a11y/assistive-mml.js"),
    "@mathjax/mathjax-stix2-font": ("chtml.js", "chtml"),
}


def markdown(source: str) -> AttrDict:
    """A Markdown cell."""
    return AttrDict(cell_type="markdown", metadata={}, source=source, directives_={})


def page_of(nb: AttrDict) -> str:
    """The page below nbs that a notebook is processed for, or its file name."""
    path, nbs = Path(nb.path_).resolve(), ROOT.resolve() / "nbs"
    return path.relative_to(nbs).as_posix() if path.is_relative_to(nbs) else path.name


def links_of(page: str) -> Links:
    """Links as seen from a page, whose module or chapter is meant first."""
    module = page.removesuffix(".ipynb").replace("/", ".").removesuffix(".index")
    return Links(package(), page, module)


class Definitions(Processor):
    """Mark where a public name is defined: an anchor, and a link to its entry."""

    def end(self) -> None:
        cells, links = [], links_of(page_of(self.nb))
        for cell in self.nb.cells:
            marks = set(getattr(cell, "directives_", {}) or {})
            if {"export", "exports"} & marks and "hide" not in marks:
                body = book.parsed(cell.source).body
                names = [n for node in body for n in assigned(node)]
                entries = [e for n in names if (e := package().find(n, links.module))
                           and e.module == links.module]
                spans = ", ".join(
                    f"[[`{e.name}`]({links.to(e.link)})]{{#{book.definition_anchor(e.name)}}}"
                    for e in entries)
                if spans:
                    cells.append(markdown("::: {.definition}\n" + spans + "\n:::"))
            cells.append(cell)
        self.nb.cells = cells


class FoldSolutions(Processor):
    """Turn `#### Solution` headings and `## Beside the texts`, which JupyterLab folds, into
    callouts, which the site folds, up to the next heading of this level or above."""

    def end(self) -> None:
        cells, is_open = [], False
        for cell in self.nb.cells:
            text = cell.source or "" if cell.cell_type == "markdown" else ""
            heading = re.match(r"#{1,4} +(.*)", text)
            if heading and is_open:
                cells.append(markdown(":::"))
                is_open = False
            if heading and heading[1].startswith(("Solution", "Beside the texts")):
                name = "" if heading[1][0] == "S" else "#beside-the-texts "
                cells.append(markdown(f'::: {{{name}.callout-tip collapse="true" '
                                      f'title="{heading[1].strip()}"}}'))
                cell.source, is_open = text[heading.end():].strip(), True
            if cell.source or not heading:
                cells.append(cell)
        self.nb.cells = [*cells, markdown(":::")] if is_open else cells


BIBLIOGRAPHY = "appendix/bibliography.ipynb"

# What may hold code that is no mention of a name comes first: fenced blocks, comments,
# formulas, headings, the marks of a block, links (one level of brackets inside), tags. What
# is left are the names in prose, and places in the five texts: `L 3.2.4`, `L's`.
MENTIONS = re.compile(
    r"^(?P<fence>[ ]{0,3}(?:`{3,}|~{3,}))[^\n]*\n.*?^(?P=fence)[`~]*[ ]*$|<!--.*?-->|\$\$.*?\$\$"  # noqa: E501
    r"|(?<![\\$\w])\$(?=[^\s$])[^$\n]*?(?<=[^\s\\])\$(?!\d)"
    r"|^[ ]{0,3}\#{1,6}[ ][^\n]*$|^:{3,}[^\n]*$"
    r"|!?\[(?:[^\[\]`]|`[^`\n]*`|\[(?:[^\[\]`]|`[^`\n]*`)*\])*\](?:\([^)\n]*\)|\[[^\]\n]*\]|\{[^}\n]*\})"  # noqa: E501
    r"|</?[A-Za-z][^>]*>|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?<![\w.$'’&-])(?P<text>[LHTAS])(?: \(\d[\d.]*\)| \d(?:[\d.]*\d)?(?![\w%])"
    r"|(?=['’]s\b| (?:Fig|Eq|Ex|Tab)[\w.]* \(?\d))",
    flags=re.M | re.S,
)


def with_mentions(text: str, link: Callable[[str], str | None],
                  bibliography: str = BIBLIOGRAPHY) -> str:
    """Markdown whose names that `link` finds, and places in the texts, are links."""

    def one(found: re.Match[str]) -> str:
        if found["text"]:
            return f"[{found[0]}]({bibliography}#source-{found['text']}){{.of-text}}"
        target = link(found["code"]) if found["ticks"] == "`" else None
        return f"[{found[0]}]({target})" if target else found[0]

    return MENTIONS.sub(one, text)


class LinkNames(Processor):
    """Link each name in the prose to its entry in the reference, or to the page of the
    library it is imported from, and each place in a text to the bibliography.

    A name that the page itself gives another meaning is none of ours.
    """

    def begin(self) -> None:
        self.links = links_of(page_of(self.nb))
        self.known: dict[str, str] = {}
        own: set[str] = set()
        for cell in self.nb.cells:
            if cell.cell_type == "code":
                tree = book.parsed(cell.source)
                self.known |= imports(tree)
                if (not {"export", "exports", "exporti"}
                    & set(getattr(cell, "directives_", {}) or {})):
                    own |= {n for node in tree.body for n in assigned(node)}
        ours = {n for n, origin in self.known.items()
                if origin.startswith((".", package().name))}
        self.other = (own | set(self.known)) - ours

    def link(self, code: str) -> str | None:
        if self.links.page.startswith("api/"):
            return None  # they are links already, and in JupyterLab too
        name = mentioned(code)
        head, _, rest = name.partition(".")
        if head in self.other:
            whole = self.known.get(head)
            return peer_page(f"{whole}.{rest}".strip(".")) if whole else None
        target = package().target(name, self.links.module, self.known)
        return self.links.to(target) if target else None

    def cell(self, cell: AttrDict) -> None:
        bibliography = self.links.to(BIBLIOGRAPHY)
        if cell.cell_type == "markdown" and self.links.page != BIBLIOGRAPHY:
            cell.source = with_mentions(cell.source, self.link, bibliography)
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown")
            if text:
                words = with_mentions("".join(text), self.link, bibliography)
                output["data"]["text/markdown"] = words.splitlines(keepends=True)


class Entries(Processor):
    """Give the entries of the reference the anchors
    that JupyterLab gives them.

    The pages are made, so Quarto is told not to offer them for editing.
    """

    def cell(self, cell: AttrDict) -> None:
        if page_of(self.nb).startswith("api/"):
            cell.source = re.sub(r"\A(#{2,4} `([\w.]+)`)", r"\1 {#\2}", cell.source)
            if cell.cell_type == "raw":
                cell.source = cell.source.replace("---\n", "---\nrepo-actions: false\n", 1)


class PlainHtml(Processor):
    """Hand HTML outputs to Quarto as raw HTML in Markdown.

    For an output of the type text/html Quarto loads require.js and jQuery.
    """

    def cell(self, cell: AttrDict) -> None:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                text = "".join(data.pop("text/html")).strip("\n")
                ticks = "`" * max(3, 1 + max(map(len, re.findall("`*", text))))
                data["text/markdown"] = f"{ticks}{{=html}}\n{text}\n{ticks}\n".splitlines(
                    keepends=True)


class NotebookLinks(Processor):
    """Under the title: the notebook to download, to run
    in the browser, and in a JupyterLab elsewhere.

    `data-noresolveinput` tells Quarto that the link means the notebook, not the page made
    from it. Phones don't show the link into the browser: the download is large.
    """

    def end(self) -> None:
        page, config = page_of(self.nb), book.settings(ROOT)
        if page.startswith("api/") or "/" not in page:
            return
        to = links_of(page).to
        text = (f'[Download notebook]({to(f"{DOWNLOADS}/{page}")})'
                f'{{download="{Path(page).name}" data-noresolveinput="true"}}\n')
        if lite.runs_here(page):
            text += (f'[[Run in the browser]({to(lite.address(page))})'
                     '{data-noresolveinput="true"} (fetches about 60 MB once; long loops '
                     "are slow there)]{.in-browser}\n")
        text += ("[Open in JupyterLab](https://mybinder.org/v2/gh/{user}/{repo}/{branch}"
                 "?urlpath=lab/tree/nbs/{page})").format(page=page, **config)
        place = [c.cell_type for c in self.nb.cells].index("raw") + 1
        self.nb.cells.insert(place, markdown("::: {.notebook-links}\n" + text + "\n:::"))


class FrontPage(Processor):
    """On the front page: buttons below the title, and the whole width for the figure."""

    def end(self) -> None:
        if page_of(self.nb) != "index.ipynb":
            return
        page = book.first_page()
        text = (f"::: {{.front-buttons}}\n[Read]({page}){{.btn .front-read}}\n"
                f"[Run in the browser]({lite.address(page)}){{.btn .front-run "
                'data-noresolveinput="true"}\n'
                "[Install](#install){.btn .front-install}\n:::")
        place = [c.cell_type for c in self.nb.cells].index("raw")
        head, wide = self.nb.cells[place], "---\npage-layout: full\ntoc: false\n"
        head.source = head.source.replace("---\n", wide, 1)
        self.nb.cells.insert(place + 1, markdown(text))


IMPORTS = "#| code-fold: true\n#| code-summary: Imports\n"


class FoldImports(Processor):
    """Fold the cells that only import, or set the style of the figures: a page begins with
    its question. A cell that says itself how it is to be shown stays as it is."""

    def cell(self, cell: AttrDict) -> None:
        body = book.parsed(cell.source).body if cell.cell_type == "code" else []
        only = all(isinstance(x, ast.Import | ast.ImportFrom)
                   or ast.unparse(x) == "set_style()" for x in body)
        if body and only and not cell.source.lstrip().startswith("#|"):
            cell.source = IMPORTS + cell.source.strip()


def publish(site: Path) -> None:
    """Copy the notebooks, as they are, to where the pages' links expect them."""
    for path in book.notebook_paths():
        target = site / DOWNLOADS / path.relative_to(ROOT / "nbs")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def add_mathjax(site: Path) -> None:
    """Copy the parts of MathJax that the pages load, and its letters, from npm's folder."""
    for library, parts in MATHJAX.items():
        home = site / "site_libs" / "mathjax" / ("" if library == "mathjax" else "stix2")
        for part in parts:
            source, target = NPM / library / part, home / part
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    shutil.copyfile(ROOT / "nbs/fonts/LICENSE.md",
                    site / "site_libs/bootstrap/fonts/LICENSE.md")


def defer_mathjax(site: Path) -> None:
    """Let MathJax begin when the page has said what it loads; Pandoc does from 3.9 on."""
    for path in site.rglob("*.html"):
        book.write(path, re.sub(r'<script(?= src="[^"]*/mathjax/startup\.js")',
                           "<script defer", path.read_text(encoding="utf-8")))


def finish(site: Path) -> None:
    """All that a rendered site lacks."""
    if not (NPM / "mathjax").is_dir():
        sys.exit("MathJax is missing, which the pages load: npm ci --prefix tests")
    publish(site)
    add_mathjax(site)
    defer_mathjax(site)


if __name__ == "__main__":
    finish(Path(sys.argv[1]) if sys.argv[1:] else ROOT / book.settings()["doc_path"])
