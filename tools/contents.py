"""Notebooks between JupyterLab and git: a page when it is read, and when it is saved.

JupyterLab writes into a notebook which Python ran it, and counts the cells that were run.
Each reader who only looks at a page would have a change in git, and a conflict at the next
`git pull`. So the book's own pages are saved as `python -m tools.run` stores them: outputs
stay, all else that changes from run to run goes. And they are read with the language that
JupyterLab would add, so that opening a page is no change.
"""

from __future__ import annotations

from typing import Any

import nbformat
from ipykernel.ipkernel import IPythonKernel
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from tools.book import pages
from tools.run import clean


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
