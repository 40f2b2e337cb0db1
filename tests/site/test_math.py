"""MathJax parses every formula; and the house rule
for formulas notices what is none for pandoc or JupyterLab.

That the book keeps the rule is tested in `tests/house/test_house_rules.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.house.house_rules import quarto_pages
from tests.house.small_book import code, md, pages, shown, write_page, write_small_book
from tests.site.formulas import (
    HERE,
    all_formulas,
    faults,
    formula_problems,
    formulas,
    lacking,
)
from tools.book import Notebook, notebooks

needs_mathjax = pytest.mark.skipif(lacking() is not None, reason=lacking() or "")


@needs_mathjax
def test_mathjax_parses_every_formula() -> None:
    found = all_formulas([*notebooks(), *quarto_pages()])
    assert len(found) > 1000
    if problems := faults(found):
        pytest.fail("\n".join(["formulas that MathJax can't show:", *problems]),
                    pytrace=False)


@pytest.mark.parametrize(
    "text, found",
    [
        ("of $n$ rows, $a_1$", [("n", False), ("a_1", False)]),
        ("$$a = b \\tag{3.1}$$ and $c$", [("a = b \\tag{3.1}", True), ("c", False)]),
        ("$$\na\n$$", [("\na\n", True)]),
        ("costs \\$5 and \\$6", []),
        ("$\\text{\\$ 5}$", [("\\text{\\$ 5}", False)]),
        ("\\\\$a$", [("a", False)]),
        ("$5 and $6", []),
        ("a $ b $ c", []),
        ("$a $ and b$", [("a $ and b", False)]),
    ],
)
def test_what_pandoc_takes_for_a_formula(text: str, found: list[tuple[str, bool]]) -> None:
    assert formulas(text)[0] == found


def small(root: Path, *cells: dict) -> list[Notebook]:
    """A book whose page on learning has these cells, from number 7 on."""
    write_small_book(root)
    write_page(root, "basics/learning.ipynb",
               [*pages()["basics/learning.ipynb"][:-1], *cells, md("The end.")])
    return notebooks(root)


@pytest.mark.parametrize(
    "cell, message", [
        (md("It costs $5."), "begins no formula"),
        (md("It costs $5 and $6."), "begins no formula"),
        (md("$$a"), "begins no formula"), (md("a \\(b\\) c"), "outside a formula"),
        (md("\\begin{align}a\\end{align}"), "outside a formula"),
        (md("$$a\n\nb$$"), "an empty line"),
        (md("of $a \\tag{3.2}$"), "numbered inside a line"),
        (md("$\\newcommand{\\x}{y}$"), "hold for other formulas"),
        (code('#| fig-alt: "The curve $x^2$"\nf()'), "fig-alt"),
        (code('#| fig-cap: "It costs $5"\nf()'), "fig-cap: '$5'"),
        (code("f()", shown(text_markdown="a $ b")), "output: '$ b'"),
        (code('#| export\ndef f() -> None:\n    """It costs $5."""'),
         "docstring of f: '$5.'"),
    ],
)
def test_the_rule_notices(cell: dict, message: str, tmp_path: Path) -> None:
    found = formula_problems(small(tmp_path, cell))
    assert (len(found) == 1 and message in found[0]
            and "nbs/basics/learning.ipynb, cell 7" in found[0])


def test_a_formula_in_a_title(tmp_path: Path) -> None:
    write_small_book(tmp_path,
                     pages() | {"index.ipynb": [md("# The $k$ nearest\n\n> A sentence.")]})
    assert formula_problems(notebooks(tmp_path)) == [
        "nbs/index.ipynb, cell 0: a formula in title or summary, which the browser shows "
        "as text"]


@needs_mathjax
@pytest.mark.parametrize(
    "tex, message",
    [
        ("\\foo", "Undefined control sequence"),
        ("\\argmax_x f", "Undefined control sequence"),  # KaTeX would take it
        ("\\frac{a}{b", "Missing close brace"),
        ("a}", "Extra close brace"),
        ("\\frac{a}", "Missing argument"),
        ("x^a^b", "Double exponent"),
        ("\\left( a", "missing \\right"),
        ("a & b", "Misplaced &"),
        ("\\begin{aligned} a", "Missing \\end{aligned}"),
        ("a \\tag{1} \\tag{2}", "Multiple \\tag"),
    ],
)
def test_mathjax_notices(tex: str, message: str, tmp_path: Path) -> None:
    found = faults(all_formulas(small(tmp_path, md(f"$$a$$\n\n$${tex}$$ and $b$"))))
    assert (len(found) == 1 and message in found[0]
            and found[0].startswith("nbs/basics/learning.ipynb, cell 7: "))


@needs_mathjax
def test_mathjax_takes_what_is_right(tmp_path: Path) -> None:
    good = ("\\operatorname*{arg\\,max}_x f", "\\begin{cases} a & b \\\\ c \\end{cases}",
            "\\lVert x \\rVert \\tag{3}")
    assert faults(all_formulas(small(tmp_path, *[md(f"$${x}$$") for x in good]))) == []


def test_mathjax_is_pinned_and_names_no_registry() -> None:
    wanted = json.loads((HERE / "package.json")
                        .read_text(encoding="utf-8"))["devDependencies"]
    text = (HERE / "package-lock.json").read_text(encoding="utf-8")
    locked = json.loads(text)["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in part for name, part in locked.items() if name)
    assert "://" not in text
