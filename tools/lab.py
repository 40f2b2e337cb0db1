"""Open the book in JupyterLab: `python -m tools.lab`, or `make lab`.

JupyterLab refuses to start for root, as in a container; shows no figure of a page that is
neither signed nor run; cuts off the right end of wide figures (`jupyterlab/custom.css`);
and writes into a notebook which Python ran it and when, a change in git for each reader. So
the book's pages are saved as `python -m tools.run` stores them, and read with the language
that JupyterLab would add.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from ipykernel.ipkernel import IPythonKernel
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyterlab.labapp import LabApp
from nbformat.sign import NotebookNotary

from tools.book import ROOT, pages
from tools.run import clean

# JupyterLab looks here for a custom.css
STYLE = ["--custom-css",
         f"--ServerApp.static_custom_path={Path(__file__).with_name('jupyterlab')}"]
# The folder and the page are told explicitly: the reader's own settings may name others.
BOOK = ["nbs", "--LabApp.default_url=/lab/tree/index.ipynb",
        "--ServerApp.contents_manager_class=tools.lab.Pages",
        "--Pages.root_dir=nbs", "--Pages.preferred_dir="]


def clean_page(model: dict[str, Any], path: str, **_: Any) -> None:
    """Clean a page of the book before it is saved; a notebook of the reader's own stays."""
    if model["type"] != "notebook" or path.strip("/") not in pages():
        return
    notebook = nbformat.from_dict(model["content"])
    trusted = {cell["id"] for cell in notebook.cells if cell.metadata.get("trusted")}
    clean(notebook)
    for cell in notebook.cells:
        if cell.source.startswith("#### Solution"):  # whether it was looked at or not
            cell.metadata["jp-MarkdownHeadingCollapsed"] = True
        if cell["id"] in trusted:  # the server signs what is trusted, and drops the mark
            cell.metadata["trusted"] = True
    model["content"] = notebook


class Pages(AsyncLargeFileManager):
    """Files on disk, of which the book's pages are cleaned."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.register_pre_save_hook(clean_page)

    async def get(self, path: str, content: bool = True, *args: Any, **kwargs: Any) -> Any:
        model = await super().get(path, content, *args, **kwargs)
        if content and model["type"] == "notebook" and path.strip("/") in pages():
            known = model["content"]["metadata"]
            known.setdefault("language_info", IPythonKernel.language_info)
        return model


def trust(root: Path = ROOT) -> None:
    """Sign the book's pages as they are stored, with the reader's own key."""
    notary = NotebookNotary()
    for page in pages(root):
        if page.endswith(".ipynb"):
            notary.sign(nbformat.read(root / "nbs" / page, nbformat.NO_CONVERT))


def main(arguments: list[str]) -> None:
    """Start JupyterLab on the front page; further arguments are passed on."""
    ServerApp.static_custom_path.tag(config=True)  # it is an option, but for this mark
    is_root = getattr(os, "geteuid", lambda: 1)() == 0  # Windows has no such account
    try:
        trust()
    except PermissionError as error:
        sys.exit(f"JupyterLab keeps its settings in the home folder, and {error.filename} "
                 "can't be written: HOME=/a/folder/of/yours make lab")
    LabApp.launch_instance([*BOOK, *["--allow-root"] * is_root, *STYLE, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
