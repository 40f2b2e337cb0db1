"""What the site needs beyond nbdev: `procs`
in settings.ini names the processors, in their order.

nbdev's own signature boxes are switched off (`skip_procs`): they need every import of a
page to run, put a heading in the midst of the prose, and repeat what stands in the source
below. In their place a definition gets an anchor and a link to its entry in the API
reference, which is made from the same docstrings.

    python -m tools.site

finishes the rendered pages: it puts the notebooks as they are beside them, for readers to
download, and MathJax, which npm has brought, and makes the formulas in the search
index readable.
"""

from __future__ import annotations

import ast
import html
import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

from fastcore.basics import AttrDict
from nbdev.process import Processor

from tools import lite
from tools.book import ROOT, definition_anchor, notebook_paths, settings
from tools.reference import (
    Links,
    assigned,
    imports,
    mentioned,
    package,
    peer_page,
    prose,
    with_definitions,
)

DOWNLOADS = "notebooks"  # the folder of the site that has them
NPM = ROOT / "tools" / "node_modules"
# What theme.html loads of MathJax: its parts, not a bundle
# with menus and speech, which is twice as heavy.
MATHJAX = {
    "mathjax": ("LICENSE", "startup.js", "core.js", "input/tex.js", "input/tex/extensions",
                "output/chtml.js", "a11y/assistive-mml.js"),
    "@mathjax/mathjax-stix2-font": ("chtml.js", "chtml"),
}


def markdown(source: str) -> AttrDict:
    """A Markdown cell."""
    return AttrDict(cell_type="markdown", metadata={}, source=source, directives_={})


def page_of(nb: AttrDict) -> str:
    """The page below nbs that a notebook is processed for;
    its file name where it is none of the book's."""
    path, nbs = Path(nb.path_).resolve(), ROOT.resolve() / "nbs"
    return path.relative_to(nbs).as_posix() if path.is_relative_to(nbs) else path.name


def module_of(page: str) -> str:
    """The module that a page defines, or its chapter."""
    return page.removesuffix(".ipynb").replace("/", ".").removesuffix(".index")


def parsed(cell: AttrDict) -> ast.Module:
    """A code cell as a syntax tree; an empty one where it is no plain Python."""
    try:
        return ast.parse(cell.source or "")
    except SyntaxError:
        return ast.parse("")


class Definitions(Processor):
    """Mark where a section defines a public name:
    an anchor, and a link to the entry in the reference.

    Of code that is not shown (`#| export`) the summary is told.
    """

    def end(self) -> None:
        cells, page = [], page_of(self.nb)
        links = Links(package(), page, module_of(page))
        for cell in self.nb.cells:
            marks = getattr(cell, "directives_", {}) or {}
            if (cell.cell_type == "code" and {"export", "exports"} & set(marks)
                and "hide" not in marks):
                names = [n for node in parsed(cell).body for n in assigned(node)]
                entries = [e for n in names if (e := package().find(n, links.module))
                           and e.module == links.module]
                spans = [
                    f"[[`{e.name}`]({links.to(e.link)})]{{#{definition_anchor(e.name)}}}"
                    for e in entries]
                if entries and "exports" in marks:
                    cells.append(
                        markdown("::: {.definition}\n" + ", ".join(spans) + "\n:::"))
                elif entries:
                    told = [f"- {s}: {prose(e.summary)}"
                            for s, e in zip(spans, entries, strict=True)]
                    cells.append(
                        markdown("::: {.definition}\n" + "\n".join(told) + "\n:::"))
            cells.append(cell)
        self.nb.cells = cells


class FoldSolutions(Processor):
    """Turn `#### Solution` headings, which JupyterLab folds,
    into callouts, which the site folds.

    A solution ends at the next heading of its level or above, or with the notebook.
    """

    def end(self) -> None:
        cells, is_open = [], False
        for cell in self.nb.cells:
            text = cell.source or "" if cell.cell_type == "markdown" else ""
            heading = re.match(r"#{1,4} +(.*)", text)
            if heading and is_open:
                cells.append(markdown(":::"))
                is_open = False
            if heading and heading[1].startswith("Solution"):
                cells.append(markdown(
                    f'::: {{.callout-tip collapse="true" title="{heading[1].strip()}"}}'))
                cell.source, is_open = text[heading.end():].strip(), True
            if cell.source or not heading:
                cells.append(cell)
        self.nb.cells = [*cells, markdown(":::")] if is_open else cells


# What may hold code that is no mention of a name comes first: fenced blocks, comments,
# formulas, headings, the marks of a block, links (one level of brackets inside), tags. What
# is left are the names in prose.
MENTIONS = re.compile(
    r"^(?P<fence>[ ]{0,3}(?:`{3,}|~{3,}))[^\n]*\n.*?^(?P=fence)[`~]*[ ]*$|<!--.*?-->|\$\$.*?\$\$"  # noqa: E501
    r"|(?<![\\$\w])\$(?=[^\s$])[^$\n]*?(?<=[^\s\\])\$(?!\d)"
    r"|^[ ]{0,3}\#{1,6}[ ][^\n]*$|^:{3,}[^\n]*$"
    r"|!?\[(?:[^\[\]`]|`[^`\n]*`|\[(?:[^\[\]`]|`[^`\n]*`)*\])*\](?:\([^)\n]*\)|\[[^\]\n]*\]|\{[^}\n]*\})"  # noqa: E501
    r"|</?[A-Za-z][^>]*>|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)",
    flags=re.M | re.S,
)


def with_mentions(text: str, link: Callable[[str], str | None]) -> str:
    """Markdown in which the code that `link` finds a target for is a link."""

    def one(found: re.Match[str]) -> str:
        target = link(found["code"]) if found["ticks"] == "`" else None
        return f"[{found[0]}]({target})" if target else found[0]

    return MENTIONS.sub(one, text)


class LinkNames(Processor):
    """Link each name in the prose to its entry in the reference,
    or to the page of the library it is from.

    A name that the page itself gives another meaning (its own function, another library's)
    is none of ours. Nothing is looked up beyond this machine: where a library describes a
    name follows from its import.
    """

    def begin(self) -> None:
        page = page_of(self.nb)
        self.links = Links(package(), page, module_of(page))
        self.known: dict[str, str] = {}
        own: set[str] = set()
        for cell in self.nb.cells:
            if cell.cell_type == "code":
                tree = parsed(cell)
                self.known |= imports(tree)
                if (not {"export", "exports", "exporti"}
                    & set(getattr(cell, "directives_", {}) or {})):
                    own |= {n for node in tree.body for n in assigned(node)}
        ours = {n for n, origin in self.known.items()
                if origin.startswith((".", package().name))}
        self.other = (own | set(self.known)) - ours

    def link(self, code: str) -> str | None:
        name = mentioned(code)
        head, _, rest = name.partition(".")
        if head in self.other:
            whole = self.known.get(head)
            return peer_page(f"{whole}.{rest}".strip(".")) if whole else None
        target = package().target(name, self.links.module, self.known)
        return self.links.to(target) if target else None

    def cell(self, cell: AttrDict) -> None:
        if self.links.page.startswith("api/"):
            return  # links already, and in JupyterLab too
        if cell.cell_type == "markdown":
            cell.source = with_mentions(cell.source, self.link)
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/markdown")
            if text:
                output["data"]["text/markdown"] = (with_mentions("".join(text), self.link)
                                                   .splitlines(keepends=True))


class Entries(Processor):
    """Give the entries of the reference the anchors
    that JupyterLab gives them, and a link to their source.

    Their lists become definition lists. The pages are made,
    so Quarto is told not to offer them for editing.
    """

    def cell(self, cell: AttrDict) -> None:
        page = page_of(self.nb)
        if not page.startswith("api/"):
            return
        if cell.cell_type == "raw":
            cell.source = cell.source.replace("---\n", "---\nrepo-actions: false\n", 1)
        heading = (re.match(r"(#{2,4}) `([\w.]+)`", cell.source)
                   if cell.cell_type == "markdown" else None)
        if not heading:
            return
        name = heading[2]
        entry = package().find(name, page.removesuffix(".ipynb").removeprefix("api/"))
        cell.source = with_definitions(
            f"{heading[0]} {{#{name}}}{cell.source[heading.end():]}")
        if entry and entry.page == page:
            file = package().path(entry.file or entry.module)
            cell.source += (
                f"\n\n[Source]({package().source}/{file}#L{entry.line}){{.source-link}}")


class ReferenceLinks(Processor):
    """Lead a link to a name on a chapter's page
    of the reference (`api/trees.ipynb#gain`) to its entry."""

    def cell(self, cell: AttrDict) -> None:
        if cell.cell_type != "markdown":
            return
        links = Links(package(), page_of(self.nb), "")

        def one(found: re.Match[str]) -> str:
            entry = package().find(found[2], found[1])
            return (f"]({links.to(entry.link)})" if entry and entry.chapter == found[1]
                    else found[0])

        cell.source = re.sub(r"\]\((?:\.\./)*api/(\w+)\.ipynb#([\w.]+)\)", one, cell.source)


class PlainHtml(Processor):
    """Hand HTML outputs to Quarto as raw HTML in Markdown.

    For an output of the type text/html Quarto loads require.js and jQuery, in case it is a
    widget that wants them. Tables and players don't.
    """

    def cell(self, cell: AttrDict) -> None:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                text = "".join(data.pop("text/html")).strip("\n")
                ticks = "`" * max(3,
                                  *(len(run) + 1 for run in ["", *re.findall("`+", text)]))
                data["text/markdown"] = f"{ticks}{{=html}}\n{text}\n{ticks}\n".splitlines(
                    keepends=True)


IN_BROWSER = "(fetches about 60 MB once; long loops are slow there)"


class FewerInBrowser(Processor):
    """Below a cell that takes fewer folds or rows in the browser: a line that says so."""

    def end(self) -> None:
        cells = []
        for cell in self.nb.cells:
            cells.append(cell)
            if cell.cell_type == "code" and lite.takes_fewer(cell.source or ""):
                cells.append(markdown("::: {.in-browser}\n" + lite.FEWER + "\n:::"))
        self.nb.cells = cells


class NotebookLinks(Processor):
    """Under the title: the notebook to download, to run
    in the browser, and in a JupyterLab elsewhere.

    `data-noresolveinput` tells Quarto that the link means the notebook, not the page made
    from it. Phones don't show the link into the browser: the download is large, and the
    screen small.
    """

    def end(self) -> None:
        page, config = page_of(self.nb), settings(ROOT)
        if page.startswith("api/") or "/" not in page and page != "index.ipynb":
            return
        local = os.path.relpath(f"{DOWNLOADS}/{page}",
                                Path(page).parent).replace(os.sep, "/")
        lab = (
            f"https://mybinder.org/v2/gh/{config['user']}/{config['repo']}/{config['branch']}"  # noqa: E501
            f"?urlpath=lab/tree/nbs/{page}")
        text = (f'[Download notebook]({local}){{download="{Path(page).name}" '
                f'data-noresolveinput="true"}}\n')
        if lite.runs_here(page):
            here = os.path.relpath(lite.address(page),
                                   Path(page).parent).replace(os.sep, "/")
            text += (f'[[Run in the browser]({here}){{data-noresolveinput="true"}} '
                     f'{IN_BROWSER}]{{.in-browser}}\n')
        text += f"[Open in JupyterLab]({lab})"
        place = (
            next((i for i, c in enumerate(self.nb.cells) if c.cell_type == "raw"), -1) + 1)
        self.nb.cells.insert(place, markdown("::: {.notebook-links}\n" + text + "\n:::"))


IMPORTS = "#| code-fold: true\n#| code-summary: Imports\n"


def is_preparation(source: str) -> bool:
    """Whether code only imports, or sets the style of the figures: nothing to read."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic, a shell command
        return False
    quiet = [isinstance(x, ast.Import | ast.ImportFrom) or ast.unparse(x) == "set_style()"
             for x in body]
    return bool(quiet) and all(quiet) and not source.lstrip().startswith("#|")


class FoldImports(Processor):
    """Put cells that only import, as far as they follow one
    another, into one fold: a page begins with its question.

    A cell that says itself how it is to be shown (`#| code-fold: false`) stays as it is.
    """

    def end(self) -> None:
        cells: list[AttrDict] = []
        for cell in self.nb.cells:
            if (cell.cell_type == "code" and not cell.get("outputs")
                and is_preparation(cell.source or "")):
                if cells and (cells[-1].source or "").startswith(IMPORTS):
                    cells[-1].source += "\n\n" + cell.source.strip()
                    continue
                cell.source = IMPORTS + cell.source.strip()
            cells.append(cell)
        self.nb.cells = cells


def publish(site: Path, root: Path = ROOT) -> list[Path]:
    """Copy the notebooks, as they are, to where the links
    of the rendered pages expect them."""
    made = []
    for path in notebook_paths(root):
        target = site / DOWNLOADS / path.relative_to(root / "nbs")
        target.parent.mkdir(parents=True, exist_ok=True)
        made.append(Path(shutil.copyfile(path, target)))
    return made


def add_mathjax(site: Path) -> None:
    """Copy the parts of MathJax that the pages load,
    and its letters, from where npm has put them."""
    for library, parts in MATHJAX.items():
        home = site / "site_libs" / "mathjax" / ("" if library == "mathjax" else "stix2")
        for part in parts:
            source, target = NPM / library / part, home / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, target)
    if (ROOT / "nbs/fonts/LICENSE.md").exists():  # a book may have no typefaces
        shutil.copyfile(ROOT / "nbs/fonts/LICENSE.md",
                        site / "site_libs/bootstrap/fonts/LICENSE.md")


GREEK = ("alpha beta gamma delta epsilon zeta eta theta "
         "iota kappa lambda mu nu xi omicron pi rho "
         "sigma tau upsilon phi chi psi omega")
SIGNS = {"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
         "ne": "≠", "neq": "≠", "times": "×", "cdot": "·",
         "pm": "±", "infty": "∞", "to": "→", "in": "∈",
         "approx": "≈", "sum": "∑", "prod": "∏", "sqrt": "√",
         "dots": "…", "ldots": "…", "cdots": "…", "mid": "|", "top": "T",
         "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖", "quad": " ", "qquad": " ",
         "varepsilon": "ε", "varphi": "φ", "\\": "; ",
         ",": " ", ";": " ", ":": " ", "!": "", " ": " ",
         "{": "", "}": "", "|": "‖", "%": "%", "$": "$", "_": "_", "#": "#"}
SIGNS |= {name: unicodedata.lookup(
    f"GREEK SMALL LETTER {name.replace('lambda', 'lamda').upper()}")
          for name in GREEK.split()}
SIGNS |= {name.title(): SIGNS[name].upper() for name in GREEK.split()}
SHAPES = ("mathrm mathbf mathit mathcal mathbb text textit textbf operatorname boldsymbol "
          "left right big Big bigl bigr Bigl Bigr displaystyle textstyle limits nolimits "
          "hat bar tilde vec").split()
ARGUMENT = r"\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\w))"


def in_words(tex: str) -> str:
    """A formula as one would type it: `\frac{a}{b}` is a/b,
    `\alpha` is α, braces and spacing are gone."""
    tex = html.unescape(tex)
    tex = re.sub(
        r"\\(?:begin|end)\{\w+\*?\}(?:\{[lcr|]*\})?|\\tag\*?\{[^{}]*\}|\\label\{[^{}]*\}",
        " ", tex)
    for _ in range(3):  # fractions in fractions
        tex = re.sub(rf"\\[dt]?frac{ARGUMENT}{ARGUMENT}",
                     lambda m: f"{bracketed(m[1] or m[2])}/{bracketed(m[3] or m[4])}", tex)
    tex = tex.replace("&", " ")
    tex = re.sub(r"\\([A-Za-z]+|.)\*?",
                 lambda m: "" if m[1] in SHAPES else SIGNS.get(m[1], f"{m[1]} "), tex,
                 flags=re.S)
    return html.escape(re.sub(r"\s+", " ", re.sub(r"[{}]", "", tex)).strip(), quote=False)


def bracketed(part: str) -> str:
    """A part of a fraction, in brackets if it has an operator."""
    part = part.strip()
    return f"({part})" if re.search(r"[-+ ]", part) else part


def readable(text: str) -> str:
    r"""Text of the search index with its formulas, `\(…\)` and `\[…\]`, in words."""
    return re.sub(r"\\\((.*?)\\\)|\\\[\n(.*?)\n?\\\]",
                  lambda m: in_words(m[1] if m[2] is None else m[2]), text, flags=re.S)


def tidy_search(site: Path) -> None:
    """Make the formulas in the search index readable, and drop its empty lines."""
    path = site / "search.json"
    if not path.exists():  # a site without a search box
        return
    entries = json.loads(path.read_text(encoding="utf-8"))
    for entry in entries:
        for part in ("title", "section", "text"):
            entry[part] = re.sub(r"\n{2,}", "\n", readable(entry.get(part) or ""))
    path.write_text(json.dumps(entries, ensure_ascii=False, indent=1), encoding="utf-8")


def defer_mathjax(site: Path) -> None:
    """Let MathJax begin when the page has said what it loads:
    Pandoc before 3.9 begins at once, and no formula would be set."""
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        later = re.sub(r'<script(?= src="[^"]*/mathjax/startup\.js")',
                       "<script defer", text)
        if later != text:
            path.write_text(later, encoding="utf-8", newline="\n")


def finish(site: Path) -> str | None:
    """All that a rendered site lacks; what stands in the way, in words."""
    if not site.is_dir():
        return f"{site.name} is missing: make docs builds the site first"
    if not (NPM / "mathjax").is_dir():
        return ("MathJax is missing, which the pages load: npm ci --prefix tools "
                "--omit=dev --ignore-scripts")
    publish(site)
    add_mathjax(site)
    defer_mathjax(site)
    tidy_search(site)
    return None


if __name__ == "__main__":
    sys.exit(finish(Path(sys.argv[1]) if sys.argv[1:] else ROOT / settings()["doc_path"]))
