"""Other people's environments: the oldest Python, fewer libraries, JupyterLab and git."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tools import lab
from tools.book import ROOT, Cell, notebooks, requirements

# What comes with these and needs no mention: Jupyter's kernel, and the libraries that
# Matplotlib is made of.
BROUGHT = {"IPython": "ipykernel", "matplotlib_inline": "ipykernel",
           "PIL": "matplotlib", "cycler": "matplotlib"}
IMPORT_NAMES = {"scikit-learn": "sklearn"}
OPTIONAL = "raises-exception"  # tag of a cell after whose error Jupyter goes on


def imports(source: str) -> Iterator[str]:
    """The libraries that a cell imports without a fallback."""
    tree = ast.parse(re.sub(r"^[%!].*", "", source, flags=re.M))
    guarded = [node for block in ast.walk(tree) if isinstance(block, ast.Try)
               and any(h.type and "ImportError" in ast.unparse(h.type)
                       for h in block.handlers)
               for statement in block.body for node in ast.walk(statement)]
    for node in ast.walk(tree):
        if node in guarded:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_pages_import_what_the_package_requires() -> None:
    """Or Jupyter goes on where it is missing, and the page says what is."""
    required = {re.split(r"[<>=;\[]", x)[0] for x in requirements()}
    known = {IMPORT_NAMES.get(name, name) for name in required} | set(BROUGHT)
    known |= {"supervised", *sys.stdlib_module_names}
    found = {(nb.name, name) for nb in notebooks() for cell in nb.cells
             if cell.kind == "code" and OPTIONAL not in cell.metadata.get("tags", [])
             for name in imports(cell.source) if name not in known}
    assert found == set()


def says_so(text: str) -> bool:
    return bool(re.search(r"[Ww]here \w+ is missing", text))


def test_pages_say_what_else_they_need() -> None:
    for nb in notebooks():
        optional = [c.number for c in nb.cells if OPTIONAL in c.metadata.get("tags", [])]
        if optional:
            before: list[Cell] = nb.cells[: optional[0]]
            assert before[-1].kind == "markdown" and says_so(before[-1].source), nb.name


MISSING = ("yaml", "polars", "pyarrow", "dask", "distributed", "ipywidgets")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["index", "basics/index", "basics/engine/frames",
                                  "practice/scaling_out", "practice/engine/summaries",
                                  "features/engine/wrappers"])
def test_pages_run_with_the_package_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To their end, as in Jupyter, and with no warning."""
    for library in MISSING:
        (tmp_path / f"{library}.py").write_text(
            f"raise ModuleNotFoundError(\"No module named '{library}'\", name='{library}')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    path = ROOT / "nbs" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=3600, kernel_name="python3",
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        for out in cell.get("outputs", []):
            assert out.output_type != "error" or OPTIONAL in cell.metadata.tags
            assert out.get("name") != "stderr", out.text


def page_in_jupyterlab(path: Path) -> dict[str, Any]:
    """What JupyterLab sends when a page has been run."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.13.9"}
    notebook.metadata["widgets"] = {}
    for count, cell in enumerate(notebook.cells):
        cell.metadata["scrolled"] = True
        if cell.cell_type == "code":
            cell.metadata["trusted"] = True
            cell.execution_count = count
            cell.metadata["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
        elif cell.source.startswith("#### Solution"):
            cell.metadata.pop("jp-MarkdownHeadingCollapsed")
    return {"type": "notebook", "format": "json", "content": notebook}


@pytest.mark.parametrize("name", ["basics/tables.ipynb", "index.ipynb"])
def test_a_saved_page_is_as_git_has_it(name: str, tmp_path: Path) -> None:
    stored = (ROOT / "nbs" / name).read_bytes()
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(stored)
    pages = lab.Pages(root_dir=str(tmp_path))
    pages.notary.db_file = ":memory:"
    asyncio.run(pages.save(page_in_jupyterlab(place), name))
    assert place.read_bytes() == stored
    assert pages.notary.check_signature(nbformat.read(place, as_version=4))
    shown = asyncio.run(pages.get(name))["content"]["metadata"]["language_info"]
    assert shown["version"] == ".".join(map(str, sys.version_info[:3]))
