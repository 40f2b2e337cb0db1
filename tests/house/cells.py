"""Cells and pages of notebooks that tests write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def md(source: str) -> dict[str, Any]:
    """A Markdown cell."""
    return {"cell_type": "markdown", "metadata": {},
            "source": source.splitlines(keepends=True)}


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A code cell with its outputs."""
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": list(outputs),
        "source": source.splitlines(keepends=True),
    }


def result(text: str) -> dict[str, Any]:
    """What an expression shows."""
    return {
        "output_type": "execute_result",
        "data": {"text/plain": text},
        "execution_count": None,
        "metadata": {},
    }


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    """What is printed."""
    return {"output_type": "stream", "name": name, "text": text}


def write_page(root: Path, name: str, cells: list[dict[str, Any]]) -> None:
    """Write a notebook below nbs."""
    path = root / "nbs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    kernel = {"kernelspec": {"display_name": "python3", "language": "python",
                             "name": "python3"}}
    for i, cell in enumerate(cells):
        cell["id"] = f"cell{i}"
    raw = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(raw), encoding="utf-8")
