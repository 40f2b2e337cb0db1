"""What the front page has beyond its notebook:
pictures for its cards, and buttons on the site.

`make export` takes the picture of each chapter from its landing page.
The buttons exist on the site alone: in JupyterLab the book is open already, and the README
has plain links, if anybody has named the account that holds the repository (settings.ini).
"""

from __future__ import annotations

import re
from pathlib import Path

from fastcore.basics import AttrDict
from nbdev.process import Processor

from tools.book import ROOT, chapters, pages, read_notebook, settings

LITE = "lite/notebooks/index.html?path="  # a page in the browser, below the site


def has_owner(config: dict[str, str]) -> bool:
    """Whether settings.ini names the account that holds the repository."""
    # the placeholder; written out it would be another
    return config["user"] != "owner".upper()


def picture_of(chapter: str, root: Path = ROOT) -> Path:
    """The file of a chapter's picture."""
    return root / "nbs" / "images" / f"chapter-{chapter}.svg"


def landing_figure(chapter: str, root: Path = ROOT) -> str | None:
    """The drawing of a landing page as it is stored; None where there is none."""
    for cell in read_notebook(root / "nbs" / chapter / "index.ipynb", root).cells:
        for output in cell.outputs:
            if "image/svg+xml" in output.get("data", {}):
                return "".join(output["data"]["image/svg+xml"])
    return None


def write_pictures(root: Path = ROOT) -> None:
    """The pictures of all chapters that stand;
    those of chapters that are gone are removed."""
    drawings = {picture_of(chapter, root): landing_figure(chapter, root)
                for chapter in chapters(root)}
    wanted = {path: text for path, text in drawings.items() if text}
    for path, text in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in set((root / "nbs" / "images").glob("chapter-*")) - set(wanted):
        path.unlink()


def first_page(root: Path = ROOT) -> str:
    """Where reading begins: the first section of the sidebar."""
    return next(p for p in pages(root) if "/" in p and not p.endswith("/index.ipynb"))


def buttons(page: str) -> list[tuple[str, str, str]]:
    """What the front page of the site offers: words, target and a name for the style."""
    return [("Read", page, "read"), ("Run in the browser", LITE + page, "run"),
            ("Install", "#install", "install")]


def links(config: dict[str, str], root: Path = ROOT) -> str:
    """The same for the README: plain links to the site, nothing until it has an address."""
    if not has_owner(config):
        return ""
    site = f"{config['doc_host']}{config['doc_baseurl']}/"
    page = first_page(root)
    targets = {"read": site + page.replace(".ipynb", ".html"), "run": site + LITE + page}
    return " · ".join(f"[{words}]({targets.get(kind, target)})"
                      for words, target, kind in buttons(page))


class FrontPage(Processor):
    """On the site: buttons above the figure, and the whole width for it."""

    def end(self) -> None:
        if Path(self.nb.path_).resolve() != (ROOT / "nbs" / "index.ipynb").resolve():
            return
        raw = next((c for c in self.nb.cells if c.cell_type == "raw"), None)
        if raw:
            raw.source = raw.source.replace("---\n",
                                            "---\npage-layout: full\ntoc: false\n", 1)
        shown = [f'[{words}]({target}){{.btn .front-{kind}'
                 + (' data-noresolveinput="true"' if kind == "run" else "") + "}"
                 for words, target, kind in buttons(first_page())
                 if kind != "install" or any(re.search(r"^#+ +Install\b", c.source or "",
                                                       flags=re.M) for c in self.nb.cells)]
        text = "::: {.front-buttons}\n" + "\n".join(shown) + "\n:::"
        # the notebook of the book's other pages is a link below their titles
        self.nb.cells = [c for c in self.nb.cells
                         if ".notebook-links}" not in (c.source or "")]
        lead = next(i for i, c in enumerate(self.nb.cells) if c.cell_type == "markdown"
                    and c.source.strip() and not c.source.startswith((":::", "#")))
        self.nb.cells.insert(lead + 1,
                             AttrDict(cell_type="markdown", metadata={}, source=text,
                                      directives_={}))


if __name__ == "__main__":
    write_pictures()
    print(links(settings())
          or "The README has no links to a site: settings.ini names no owner.")
