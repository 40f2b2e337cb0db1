"""What `make lab` does before it starts JupyterLab."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import lab


def test_lab_signs_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JupyterLab shows figures of a signed page, and a changed page is signed no more."""
    import nbformat
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(lab, "pages", lambda root: ["index.ipynb", "404.qmd"])
    (tmp_path / "nbs").mkdir()
    page = tmp_path / "nbs/index.ipynb"
    cell = nbformat.v4.new_code_cell("1 + 1", outputs=[nbformat.v4.new_output(
        "display_data", {"image/svg+xml": "<svg/>"})])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    lab.trust(tmp_path)
    stored = nbformat.read(page, as_version=4)
    assert NotebookNotary().check_signature(stored)
    stored.cells[0].source = "2 + 2"
    assert not NotebookNotary().check_signature(stored)
