"""MathJax parses every formula; and the house rule
for formulas notices what is none for pandoc or JupyterLab.

That the book keeps the rule is tested in `tests/house/test_house_rules.py`.
"""

from __future__ import annotations

import pytest

from tests.house.house_rules import quarto_pages
from tests.site.formulas import (
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
