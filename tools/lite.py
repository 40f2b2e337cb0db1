"""The book in the browser: JupyterLite beside the rendered pages, with Pyodide for Python.

    python -m tools.lite

builds `lite` in the site's folder: every notebook, and a cell that installs the package,
whose wheel lies there too. No server runs anything. Python and its libraries come from
Pyodide's own address; PyPI is asked for nothing.
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


def only_checks(source: str) -> bool:
    """Whether a cell is nothing but assertions."""
    body = ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)).body
    return bool(body) and all(isinstance(node, ast.Assert) for node in body)


def left_out(cells: list[dict[str, Any]]) -> dict[str, str]:
    """Ids of the cells that the browser does not run, and why not."""
    found, differ = {}, False
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            differ |= takes_fewer(source)
            if "not-in-browser" in cell["metadata"].get("tags", []):
                found[cell["id"]] = NOT_HERE
            elif differ and only_checks(source):
                found[cell["id"]] = NOT_CHECKED
    return found


def markdown(source: str, number: int) -> dict[str, Any]:
    """A Markdown cell of the copy."""
    return {"cell_type": "markdown", "id": f"lite-{number}", "metadata": {},
            "source": source}


def prepared(notebook: dict[str, Any], package: str) -> dict[str, Any]:
    """A notebook as the browser gets it: kernel, the cell that installs, what differs."""
    cells: list[dict[str, Any]] = []
    shown = left_out(notebook["cells"])
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and cell["id"] in shown:
            cell = markdown(f"```python\n{source}\n```\n\n{shown[cell['id']]}", number)
        cells.append(cell)
        if cell["cell_type"] == "code" and takes_fewer(source):
            cells.append(markdown(FEWER, number))
    install = {"cell_type": "code", "id": "lite-install", "metadata": {}, "outputs": [],
               "execution_count": None, "source": INSTALL.format(package=package)}
    cells[1:1] = [markdown(NOTE, 0), install]
    return notebook | {"cells": cells, "metadata": {"kernelspec": KERNELSPEC}}


def write_contents(target: Path, root: Path) -> list[str]:
    """Write the notebooks, and return their pages."""
    made = []
    for path in notebook_paths(root):
        page = path.relative_to(root / "nbs").as_posix()
        if runs_here(page):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            text = json.dumps(prepared(notebook, settings(root)["lib_name"]))
            (target / page).parent.mkdir(parents=True, exist_ok=True)
            (target / page).write_text(text, encoding="utf-8")
            made.append(page)
            for data in path.parent.glob("*.json"):  # what the page reads
                shutil.copy(data, (target / page).parent)
    return made


def run(*command: str, cwd: Path) -> None:
    """Run a module of Python's."""
    subprocess.run([sys.executable, "-m", *command], cwd=cwd, check=True)


def write_wheels(target: Path, root: Path) -> None:
    """The package's wheel, made from a copy: nothing is left behind in the project."""
    with tempfile.TemporaryDirectory() as name:
        copy, library = Path(name), settings(root)["lib_path"]
        for part in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
            shutil.copy(root / part, copy)
        shutil.copytree(root / library, copy / library,
                        ignore=shutil.ignore_patterns("__pycache__"))
        hosted = [f"{name}=={importlib.metadata.version(name)}" for name in HOSTED]
        run("pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--no-build-isolation", "--wheel-dir", str(target), ".", *hosted, cwd=copy)


def build(site: Path, root: Path = ROOT, pyodide: str = PYODIDE_URL) -> Path:
    """Build the notebooks' own site into `site / "lite"`, with Pyodide from an address."""
    output = site / FOLDER
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pages = write_contents(work / "files", root)
        print(f"{len(pages)} notebooks for the browser", flush=True)
        write_wheels(work / "pypi", root)
        plugins = {KERNEL: {"pyodideUrl": pyodide, "disablePyPIFallback": True}}
        config = {"appName": settings(root)["lib_name"], "exposeAppInBrowser": True,
                  "litePluginSettings": plugins}
        (work / "jupyter-lite.json").write_text(json.dumps(
            {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}))
        run("jupyter", "lite", "build", "--lite-dir", str(work), "--contents",
            str(work / "files"), "--output-dir", str(output), "--apps", APP,
            "--no-sourcemaps", "--no-unused-shared-packages", cwd=work)
    return output


if __name__ == "__main__":
    build(ROOT / settings()["doc_path"])
