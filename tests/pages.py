"""The plain versions that a page defines, without running the page."""

from __future__ import annotations

import ast
from typing import Any

from tools.book import ROOT, read_notebook

DEFINED = (ast.Import, ast.ImportFrom, ast.FunctionDef)


def plain_versions(page: str, *assigned: str) -> dict[str, Any]:
    """What a page ("trees/pruning") imports and defines, of two functions of one name the
    second, and what it assigns to some names."""
    found: dict[str, Any] = {}
    for cell in read_notebook(ROOT / "nbs" / f"{page}.ipynb").cells:
        for part in ast.parse(cell.code).body if cell.kind == "code" else []:
            targets = part.targets if isinstance(part, ast.Assign) else []
            names = {name.id for t in targets for name in ast.walk(t)
                     if isinstance(name, ast.Name)}
            if isinstance(part, DEFINED) or names & set(assigned):
                exec(compile(ast.Module([part], []), page, "exec"), found)
    return found
