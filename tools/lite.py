"""The book in the browser: JupyterLite beside the rendered pages, with Pyodide for Python.

    python -m tools.lite

builds `lite` in the site's folder: every notebook with a cell before the others that
installs the package, whose wheel lies there too. No server runs anything. Python and its
libraries come from Pyodide's own address, in the version that `tests/site/test_lite.py`
runs; PyPI is asked for nothing.
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.book import ROOT, notebook_paths, settings

FOLDER = "lite"
APP = "notebooks"
PYODIDE = "314.0.3"
PYODIDE_URL = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/pyodide.mjs"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# What the kernel needs and Pyodide lacks; it comes from this environment.
HOSTED = ("comm",)
# "python3" is not among the kernels there, and a notebook that asks for it waits forever.
KERNELSPEC = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
NOTE = """*This notebook runs in your browser; no server sees it. The next cell fetches
Python's libraries: about 60 MB the first time, then from the browser's cache. Loops
that are compiled elsewhere are plain Python here: what takes a blink there may take a minute. What
you change stays in this browser.*"""  # noqa: E501
INSTALL = """%pip install -q {package}
import warnings
warnings.filterwarnings("ignore", module="threadpoolctl")  # its way to ask is outdated"""
FEWER = "*Run in the browser, this cell takes less: its numbers differ from the book's.*"
NOT_HERE = "*A browser can't run this cell: see its result in the book.*"
NOT_CHECKED = "*This is a check of the book's numbers. Those of the browser differ.*"


def address(page: str) -> str:
    """Where a page such as `basics/tables.ipynb` runs, from the root of the site."""
    return f"{FOLDER}/{APP}/index.html?path={page}"


def runs_here(page: str) -> bool:
    """Whether a page is one to run in the browser: any of a chapter, and the front page."""
    return page.rpartition("/")[0] not in ("api", "appendix")


def takes_fewer(source: str) -> bool:
    """Whether a cell asks for fewer folds or rows where Python runs in a browser."""
    return bool(re.search(r"(?<!def )\bfewer\(", source))


def shown_only(cell: dict[str, Any]) -> bool:
    """Whether a cell can't run in a browser: it starts a process, or asks another site."""
    return "not-in-browser" in cell["metadata"].get("tags", [])


def parsed(source: str) -> ast.Module:
    """The Python of a cell."""
    return ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M))


def names(source: str) -> tuple[set[str], set[str]]:
    """Names that a cell reads, and names that it binds or changes."""
    nodes = list(ast.walk(parsed(source)))
    plain = [n for n in nodes if isinstance(n, ast.Name)]
    used = {n.id for n in plain if isinstance(n.ctx, ast.Load)}
    used |= {
        n.target.id for n in nodes if isinstance(n, ast.AugAssign) and n.target in plain
    }
    bound = {n.id for n in plain if not isinstance(n.ctx, ast.Load)}
    bound |= {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    for node in nodes:  # `table["x"] = ...`, `ax.y = ...`
        place = isinstance(node, ast.Subscript | ast.Attribute)
        if place and not isinstance(node.ctx, ast.Load):
            while isinstance(node, ast.Subscript | ast.Attribute):
                node = node.value
            bound |= {node.id} if isinstance(node, ast.Name) else set()
    return used, bound


def others(cells: list[dict[str, Any]]) -> set[str]:
    """Ids of the cells that take fewer folds or rows, or use what such a cell made."""
    touched: set[str] = set()
    found = set()
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            used, bound = names(source)
            if takes_fewer(source) or used & touched:
                found.add(cell["id"])
                touched |= bound
            else:
                touched -= bound
    return found


def left_out(cells: list[dict[str, Any]]) -> set[str]:
    """Ids of the cells that the browser does not run: it can't,
    or they only check numbers that differ there."""
    differ, found = others(cells), set()
    for cell in cells:
        if cell["cell_type"] == "code":
            body = parsed("".join(cell["source"])).body
            checks = body and all(isinstance(n, ast.Assert) for n in body)
            if shown_only(cell) or (checks and cell["id"] in differ):
                found.add(cell["id"])
    return found


def markdown(source: str, number: int) -> dict[str, Any]:
    """A Markdown cell of the copy."""
    return {
        "cell_type": "markdown",
        "id": f"lite-{number}",
        "metadata": {},
        "source": source,
    }


def prepared(notebook: dict[str, Any], package: str) -> dict[str, Any]:
    """A notebook as the browser gets it: kernel, the cell that installs, what differs."""
    cells: list[dict[str, Any]] = []
    shown = left_out(notebook["cells"])
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and cell["id"] in shown:
            why = NOT_HERE if shown_only(cell) else NOT_CHECKED
            cells.append(markdown(f"```python\n{source}\n```\n\n{why}", number))
            continue
        cells.append(cell)
        if cell["cell_type"] == "code" and takes_fewer(source):
            cells.append(markdown(FEWER, number))
    install: dict[str, Any] = {
        "cell_type": "code",
        "id": "lite-install",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": INSTALL.format(package=package),
    }
    cells[1:1] = [markdown(NOTE, 0), install]
    return notebook | {"cells": cells, "metadata": {"kernelspec": KERNELSPEC}}


def write_contents(target: Path, root: Path) -> list[str]:
    """Write the notebooks, and return their pages."""
    made = []
    for path in notebook_paths(root):
        page = path.relative_to(root / "nbs").as_posix()
        if runs_here(page):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            (target / page).parent.mkdir(parents=True, exist_ok=True)
            (target / page).write_text(
                json.dumps(prepared(notebook, settings(root)["lib_name"])), encoding="utf-8"
            )
            made.append(page)
            for data in path.parent.glob("*.json"):  # what the page reads
                shutil.copy(data, (target / page).parent)
    return made


def run(*command: str, cwd: Path) -> None:
    """Run a command, and show what it said where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command[:3])} failed:\n{done.stdout}{done.stderr}")


def write_wheels(target: Path, root: Path) -> None:
    """The package's wheel, made from a copy: nothing is left behind in the project."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for part in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
            if (root / part).exists():
                shutil.copy(root / part, copy)
        library = settings(root)["lib_path"]
        shutil.copytree(
            root / library, copy / library, ignore=shutil.ignore_patterns("__pycache__")
        )
        hosted = [f"{name}=={importlib.metadata.version(name)}" for name in HOSTED]
        run(
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            str(target),
            ".",
            *hosted,
            cwd=copy,
        )


def build(site: Path, root: Path = ROOT, pyodide: str = PYODIDE_URL) -> Path:
    """Build the notebooks' own site into `site / "lite"`.

    Parameters
    ----------
    site : Path
        The folder of the rendered pages.
    root : Path
        The book.
    pyodide : str
        The address of Pyodide's `pyodide.mjs`.

    Returns
    -------
    Path
        The folder.
    """
    output = site / FOLDER
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pages = write_contents(work / "files", root)
        print(f"{len(pages)} notebooks for the browser", flush=True)
        wheels = work / "pypi"
        write_wheels(wheels, root)
        config = {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {
                "appName": settings(root)["lib_name"],
                "exposeAppInBrowser": True,
                "litePluginSettings": {
                    KERNEL: {"pyodideUrl": pyodide, "disablePyPIFallback": True}
                },
            },
        }
        (work / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
        run(
            "jupyter",
            "lite",
            "build",
            "--lite-dir",
            str(work),
            "--contents",
            str(work / "files"),
            "--output-dir",
            str(output),
            "--apps",
            APP,
            "--no-sourcemaps",
            "--no-unused-shared-packages",
            cwd=work,
        )
    return output


if __name__ == "__main__":
    folder = ROOT / settings()["doc_path"]
    if not folder.is_dir():
        sys.exit(f"{folder.name} is missing: make docs builds the site first")
    build(folder)
