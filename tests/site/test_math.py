"""MathJax parses every formula; and the house rule
for formulas notices what is none for pandoc or JupyterLab.

That the book keeps the rule is tested in `tests/house/test_house_rules.py`.
"""

from __future__ import annotations

import json

import pytest

from tests.house.house_rules import quarto_pages
from tests.site.formulas import (
    HERE,
    all_formulas,
    faults,
    lacking,
)
from tools.book import notebooks

needs_mathjax = pytest.mark.skipif(lacking() is not None, reason=lacking() or "")


@needs_mathjax
def test_mathjax_parses_every_formula() -> None:
    found = all_formulas([*notebooks(), *quarto_pages()])
    assert len(found) > 1000
    if problems := faults(found):
        pytest.fail("\n".join(["formulas that MathJax can't show:", *problems]),
                    pytrace=False)


def test_mathjax_is_pinned_and_names_no_registry() -> None:
    wanted = json.loads((HERE / "package.json")
                        .read_text(encoding="utf-8"))["devDependencies"]
    text = (HERE / "package-lock.json").read_text(encoding="utf-8")
    locked = json.loads(text)["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in part for name, part in locked.items() if name)
    assert "://" not in text
