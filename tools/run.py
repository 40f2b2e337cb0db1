"""Run notebooks, store their outputs and clean them: `python -m tools.run [NOTEBOOK ...]`.

Without arguments it runs the whole book.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbdev.clean import clean_nb
from nbformat import NotebookNode

from tools.book import ROOT, notebook_paths

os.environ["SUPERVISED_QUIET"] = "1"  # what is compiled on the way is no output of the book
HIDDEN = ("#| include: false", "#| echo: false")


def clean(notebook: NotebookNode) -> None:
    """Drop what changes from run to run: counts, timings, the kernel's version."""
    clean_nb(notebook, allowed_cell_metadata_keys=["tags", "jp-MarkdownHeadingCollapsed"])
    for cell in notebook.cells:  # what the site does not show, JupyterLab folds
        if cell.cell_type == "code" and cell.source.startswith(HIDDEN):
            cell.metadata["jupyter"] = {"source_hidden": True}
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"display_name": "Python 3 (ipykernel)",
                        "language": "python", "name": "python3"}}
    )


def run(path: Path) -> str | None:
    """Run one notebook in place; the message of the first error, if there was one."""
    notebook = nbformat.read(path, as_version=4)
    problem = None
    try:
        NotebookClient(notebook, timeout=3600, kernel_name="python3", coalesce_streams=True,
                       force_raise_errors=True,
                       resources={"metadata": {"path": str(path.parent)}}).execute()
    except CellExecutionError as error:
        problem = str(error)
    clean(notebook)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        nbformat.write(notebook, file)
    return problem


def main(arguments: list[str]) -> int:
    paths = [Path(a).resolve() for a in arguments] or notebook_paths()
    failed = 0
    for path in paths:
        problem = run(path)
        print("FAILED" if problem else "ran   ", path.relative_to(ROOT).as_posix(),
              problem or "", flush=True)
        failed += problem is not None
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
