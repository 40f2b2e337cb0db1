"""The book in the browser: what its notebooks say there; one page of each chapter run.

The site is the one that `make docs` builds, but for Pyodide's address: it lies beside the
site (see tests/site/pyodide.py), and nothing is asked of any other machine. Outputs are
compared as nbval compares them. What a page computes from fewer folds or rows in the
browser differs, and is not compared.
"""

from __future__ import annotations

import configparser
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from packaging.requirements import Requirement

from tests.site import FLAGS, NEEDS_PLAYWRIGHT
from tests.site.pyodide import IN_BROWSER, UnavailableError, pyodide
from tools import lite
from tools.book import ROOT, chapters, notebooks, requirements
from tools.site_test import chromium, serve

PAGES = {  # of each chapter an idea page that is quick without compiled loops
    "basics": "basics/tables.ipynb",
    "evaluation": "evaluation/measures.ipynb",
    "features": "features/impurity.ipynb",
    "trees": "trees/induction.ipynb",
    "rules": "rules/rules.ipynb",
    "associations": "associations/class_rules.ipynb",
    "bayes": "bayes/categorical.ipynb",
    "linear": "linear/separability.ipynb",
    "svm": "svm/duality.ipynb",
    "neural": "neural/backpropagation.ipynb",
    "neighbors": "neighbors/distances.ipynb",
    "ensembles": "ensembles/choice.ipynb",
    "practice": "practice/map.ipynb",
}
HANGS = 3600  # seconds, for a page on the busiest machine

KERNEL = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  return panel?.content?.model ? panel.sessionContext?.session?.kernel?.status ?? "" : "";
}"""
START = """() => {
  window.ended = false;
  const all = window.jupyterapp.commands.execute("notebook:run-all-cells");
  all.finally(() => { window.ended = true; });
}"""
CELLS = """() => Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)
  .map(cell => cell.toJSON())"""


# ------------------------------------ what the notebooks say there


def code(source: str, **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": "c",
        "metadata": metadata,
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def prepared(*cells: dict[str, Any]) -> list[dict[str, Any]]:
    title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": ["# Title"]}
    return lite.prepared(
        {"cells": [title, *cells], "metadata": {}, "nbformat": 4}, "small"
    )["cells"]


def test_the_package_is_installed_first():
    title, note, install, last = prepared(code("x = 1"))
    assert (title["source"], last["source"]) == (["# Title"], ["x = 1"])
    assert note["cell_type"] == "markdown" and "60 MB" in note["source"]
    assert install["cell_type"] == "code" and install["source"].startswith(
        "%pip install -q small\n"
    )


def test_what_a_browser_cannot_do_is_shown_only():
    found = prepared(code("import subprocess\nx = 1", tags=["not-in-browser"]))[-1]
    assert found["cell_type"] == "markdown"
    assert found["source"] == f"```python\nimport subprocess\nx = 1\n```\n\n{lite.NOT_HERE}"


def test_checks_after_a_cell_that_takes_fewer_rows_are_shown_only():
    cells = [code(x) for x in ("assert 1 == 1", "x = len(fewer(rows, 10))",
                               "assert x == 40")]
    texts = ["".join(cell["source"]) for cell in prepared(
        *(cell | {"id": f"c{i}"} for i, cell in enumerate(cells)))]
    assert texts[3:6] == ["assert 1 == 1", "x = len(fewer(rows, 10))", lite.FEWER]
    assert texts[6] == f"```python\nassert x == 40\n```\n\n{lite.NOT_CHECKED}"


NOTEBOOKS = [nb for nb in notebooks() if lite.runs_here(nb.name)]


@pytest.mark.parametrize("nb", NOTEBOOKS, ids=lambda nb: nb.name)
def test_every_notebook_stays_valid(nb):
    raw = json.loads(nb.path.read_text(encoding="utf-8"))
    made = lite.prepared(raw, "supervised")
    nbformat.validate(nbformat.from_dict(made))
    assert made["metadata"]["kernelspec"]["name"] == "python"
    left_out = lite.left_out(raw["cells"])
    kept = [c["id"] for c in raw["cells"] if c["id"] not in left_out]
    assert [c["id"] for c in made["cells"] if not c["id"].startswith("lite-")] == kept


def test_the_package_asks_for_nothing_that_is_not_there():
    wanted = [Requirement(r) for r in requirements()]
    there = {r.name for r in wanted if r.marker is None or r.marker.evaluate(IN_BROWSER)}
    assert {r.name for r in wanted} - there == {"numba"}
    assert next(r for r in wanted if r.name == "numba").marker.evaluate()


# ------------------------------------ comparing


def sanitizers() -> list[tuple[str, str]]:
    """What nbval replaces before it compares."""
    rules = configparser.ConfigParser(interpolation=None)
    rules.read(ROOT / "tests/sanitize.cfg", encoding="utf-8")
    return [(rules[name]["regex"], rules[name]["replace"]) for name in rules.sections()]


def seen(outputs: list[dict[str, Any]]) -> dict[str, str]:
    """What nbval compares of a cell's outputs: texts by their kind, and no pictures."""
    texts: dict[str, str] = {}
    for out in outputs:
        if out["output_type"] == "stream":
            parts = {out["name"]: out["text"]}
        elif out["output_type"] == "error":
            parts = {"error": f"{out['ename']}: {out['evalue']}"}
        else:
            parts = {
                k: v for k, v in out["data"].items()
                if not re.match(r"image/(png|jpeg|svg)", k)
            }
        for kind, text in parts.items():
            texts[kind] = texts.get(kind, "") + "".join(text)
    for pattern, replacement in sanitizers():
        texts = {kind: re.sub(pattern, replacement, text) for kind, text in texts.items()}
    return texts


def differences(page: str, cells: list[dict[str, Any]]) -> list[str]:
    """Where a run in the browser went otherwise than the stored one."""
    stored = json.loads((ROOT / "nbs" / page).read_text(encoding="utf-8"))["cells"]
    ran = {c["id"]: c for c in cells if c["cell_type"] == "code"}
    found, differ, left_out = [], False, lite.left_out(stored)
    for cell in stored:
        source = "".join(cell["source"])
        differ |= lite.takes_fewer(source)
        if cell["cell_type"] != "code" or cell["id"] in left_out:
            continue
        here = ran[cell["id"]]
        want, got = seen(cell["outputs"]), seen(here["outputs"])
        if not here["execution_count"] and source.strip():
            found.append(f"{source!r} did not run")
        elif "error" in got or (want != got and not differ):
            found.append(f"{source}\n  stored: {want}\n  here:   {got}")
    return found


# ------------------------------------ in the browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip(
        "jupyterlite_pyodide_kernel", reason="make site-env installs what builds the site"
    )
    try:
        there = pyodide()
    except UnavailableError as reason:
        pytest.skip(f"Pyodide can't be had here: {reason}")
    folder = tmp_path_factory.mktemp("site")
    (folder / "pyodide").symlink_to(there, target_is_directory=True)
    lite.build(folder, pyodide="/site/pyodide/pyodide.mjs")
    with serve(folder) as served:
        yield served


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(
            executable_path=chromium(), args=[f"--{flag}" for flag in FLAGS],
            timeout=1000 * HANGS
        )
        yield opened
        opened.close()


def wait(page: Any, question: str, answer: Any) -> None:
    """Until the page answers so."""
    until = time.monotonic() + HANGS
    while page.evaluate(question) != answer:
        assert time.monotonic() < until, f"{page.url} hangs"
        time.sleep(0.2)


@pytest.mark.deep
def test_every_chapter_has_a_page_here() -> None:
    assert set(PAGES) == set(chapters())
    assert all(page.startswith(f"{chapter}/") for chapter, page in PAGES.items())


@pytest.mark.deep
@NEEDS_PLAYWRIGHT
@pytest.mark.parametrize("name", PAGES.values())
def test_a_page_runs_to_its_end(name: str, site: str, chrome: Any) -> None:
    context = chrome.new_context(viewport={"width": 1280, "height": 1000})
    context.set_default_timeout(1000 * HANGS)  # half a minute is short on a busy machine
    page, strangers = context.new_page(), []
    own = (site.removesuffix("site/"), "data:", "blob:")  # its host
    page.on("request", lambda r: None if r.url.startswith(own) else strangers.append(r.url))
    try:
        page.goto(site + lite.address(name))
        wait(page, KERNEL, "idle")
        page.evaluate(START)
        wait(page, "window.ended", True)
        cells = page.evaluate(CELLS)
        folder = os.environ.get("SUPERVISED_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(Path(folder) / f"lite-{Path(name).stem}.png"))
    finally:
        context.close()
    assert cells[2]["outputs"] == [], cells[2][
        "outputs"
    ]  # the package is installed without a word
    problems = differences(name, cells)
    if problems:
        pytest.fail("\n\n".join(problems)[:20_000], pytrace=False)
    assert strangers == []
