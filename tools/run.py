"""Run notebooks, store their outputs and clean them: `python -m tools.run [NOTEBOOK ...]`.

Without arguments it runs the whole book. A cell marked `#| eval: false` is not run.
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

from tools.book import ROOT, not_evaluated, notebook_paths

os.environ["SUPERVISED_QUIET"] = "1"  # what is compiled on the way is no output of the book
HIDDEN = ("#| include: false", "#| echo: false")


class Runner(NotebookClient):
    """Runs what the site would run."""

    async def async_execute_cell(self, cell: NotebookNode, cell_index: int, **kwargs):  # type: ignore[override]
        if cell.cell_type == "code" and not_evaluated(cell.source):
            cell.outputs = []
            return cell
        return await super().async_execute_cell(cell, cell_index, **kwargs)


def join_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Merge the pieces in which a kernel sends what was printed:
    how many there are is chance."""
    joined: list[NotebookNode] = []
    for out in outputs:
        same = joined and out.output_type == "stream" == joined[-1].output_type
        if same and joined[-1].name == out.name:
            joined[-1].text += out.text
        else:
            joined.append(out)
    return joined


def clean(notebook: NotebookNode) -> None:
    """Drop everything that changes from run to run:
    counts, timings, the kernel's version."""
    clean_nb(notebook, allowed_cell_metadata_keys=["tags", "jp-MarkdownHeadingCollapsed"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # what the site does not show, JupyterLab folds
            if cell.source.startswith(HIDDEN):
                cell.metadata["jupyter"] = {"source_hidden": True}
            cell.execution_count = None
            for out in cell.outputs:
                if "execution_count" in out:
                    out.execution_count = None
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"display_name": "Python 3 (ipykernel)",
                        "language": "python", "name": "python3"}}
    )


def run(path: Path) -> str | None:
    """Run one notebook in place; the message of the first error, if there was one."""
    notebook = nbformat.read(path, as_version=4)
    problem = None
    try:
        Runner(notebook, timeout=3600, kernel_name="python3", force_raise_errors=True,
               resources={"metadata": {"path": str(path.parent)}}).execute()
    except CellExecutionError as error:
        problem = str(error)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = join_streams(cell.outputs)
    clean(notebook)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        nbformat.write(notebook, file)
    return problem


def main(arguments: list[str]) -> int:
    paths = [Path(a).resolve() for a in arguments] or notebook_paths()
    failed = 0
    for path in paths:
        problem = run(path)
        verdict = "FAILED" if problem else "ran   "
        print(f"{verdict} {path.relative_to(ROOT).as_posix()}", flush=True)
        if problem:
            print(problem)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
