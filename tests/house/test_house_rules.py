"""The house rules hold in the book, and each of them notices when it is broken."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.house import house_rules as rules
from tests.house import idea_rules as ideas
from tests.house.small_book import (
    code,
    md,
    pages,
    printed,
    result,
    shown,
    write_page,
    write_small_book,
)
from tests.house.spelling import misspelled, spelling, words
from tests.site import site_rules
from tests.site.formulas import formula_problems
from tools.book import ROOT, Notebook, chapters, notebooks, read_notebook

Change = Callable[[dict[str, list[dict[str, Any]]], Path], None]


def each(rule: Callable[[Notebook], list[str]]) -> Callable[[list[Notebook], Path],
                                                            list[str]]:
    """A rule for one notebook, applied to all."""
    return lambda book, root: [p for nb in book for p in rule(nb)]


def on_idea_pages(rule: Callable[[Notebook],
                                 list[str]]) -> Callable[[list[Notebook], Path], list[str]]:
    """A rule for one idea page, applied to those of the chapters where it is in force."""
    return lambda book, root: [p for nb in ideas.in_force(book) for p in rule(nb)]


RULES: dict[str, Callable[[list[Notebook], Path], list[str]]] = {
    "title_cell": each(rules.title_cell),
    "outputs": each(rules.outputs),
    "cells": each(rules.cells),
    "figures": each(rules.figures),
    "structure": each(rules.structure),
    "weight": each(rules.heavy),
    "import_order": rules.import_order,
    "import_circles": rules.import_circles,
    "machinery": on_idea_pages(ideas.machinery),
    "numbers": lambda book, root: ideas.numbers(book),
    "letters": lambda book, root: ideas.unexplained(book),
    "players": on_idea_pages(ideas.players),
    "solutions": on_idea_pages(ideas.solutions),
    "exports": lambda book, root: rules.exports(book),
    "links": rules.broken_links,
    "references": rules.references,
    "equations": lambda book, root: rules.equations(book),
    "formulas": lambda book, root: formula_problems(book),
    "names": rules.stale_names,
    "spelling": spelling,
    "coverage": rules.coverage,
    "sidebar": rules.sidebar_problems,
    "owner": lambda book, root: rules.repeated_owner(root),
    "changelog": lambda book, root: rules.stale_changelog(root),
}


# Rules that hold of pages which are no notebooks, too.
ALL_PAGES = ("figures", "structure", "links", "references", "formulas", "names", "spelling")


def apply(name: str, root: Path) -> list[str]:
    """What breaks a rule in a book."""
    return RULES[name](
        [*notebooks(root), *(rules.quarto_pages(root) if name in ALL_PAGES else [])], root)


def none_of(problems: list[str]) -> None:
    """Fail with the list of problems, one on a line."""
    if problems:
        pytest.fail("\n".join(["the house rules are broken:", *problems]), pytrace=False)


@pytest.fixture(scope="module")
def book() -> list[Notebook]:
    return notebooks()


@pytest.mark.parametrize("name", RULES)
def test_the_book_keeps_the_rule(name: str, book: list[Notebook]) -> None:
    assert book, "there are no notebooks"
    none_of(RULES[name]([*book, *(rules.quarto_pages() if name in ALL_PAGES else [])],
                        ROOT))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_book(tmp_path_factory.mktemp("small") / "book")


@pytest.mark.parametrize("name", RULES)
def test_a_small_good_book_keeps_the_rule(name: str, small: Path) -> None:
    none_of(apply(name, small))


def append(page: str, *cells: dict[str, Any]) -> Change:
    """Put cells before the last one of a page."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        book[page][-1:-1] = cells

    return change


def replace(page: str, number: int, cell: dict[str, Any]) -> Change:
    """Put another cell in the place of one."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        book[page][number] = cell

    return change


def edit(file: str, old: str, new: str) -> Change:
    """Change the text of a file of the small book;
    where nothing is replaced, write the file."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        if file.endswith(".ipynb"):
            for cell in book[file]:
                cell["source"] = ("".join(cell["source"]).replace(old, new)
                                  .splitlines(keepends=True))
        else:
            text = (root / file).read_text(encoding="utf-8") if old else ""
            assert old in text
            (root / file).write_text(text.replace(old, new) if old else new,
                                     encoding="utf-8")

    return change


def meta(page: str, number: int, **values: Any) -> Change:
    """Change the fields of a cell."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        book[page][number].update(values)

    return change


def beside(page: str, entry: str, before: str = "      - section: Appendix\n") -> Change:
    """Add a page to the book, and an entry to the sidebar."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        book[page] = [md("# The engine\n\n> How it runs."), md("Nothing.")]
        edit("_quarto.yml", before, entry + before)(book, root)

    return change


HOOD = "          - section: Under the hood\n            contents:\n"
LEARNING, TABLES, SPLITS = (
    "basics/learning.ipynb",
    "basics/tables.ipynb",
    "trees/splits.ipynb",
)
COVERAGE = "nbs/appendix/coverage.csv"
LONG = "def long():\n" + "    x = 1\n" * 21 + "    return x"
BAD: list[tuple[str, Change, str]] = [
    (
        "title_cell",
        replace(LEARNING, 0, md("# Learning\n\n> A sentence.\n\nMore text.")), "vanishes",
    ),
    ("title_cell", replace(LEARNING, 0, md("# Learning")), "> summary"),
    ("title_cell", replace(LEARNING, 0, md("# Learning\n\n> No full stop")), "full stop"),
    ("title_cell", replace(LEARNING, 0, md("# Learning\n\n> In two\n> lines.")),
     "one line"), (
         "title_cell", replace(LEARNING, 0, md("## Learning\n\n> A sentence.")),
         "begin with `# Title`",
     ),
    ("title_cell", replace(LEARNING, 0, code("1")), "must be Markdown"),
    ("outputs", replace(LEARNING, 4, code("accuracy")), "no output of 'accuracy'"),
    ("outputs", append(LEARNING, code("a = [1]\na[0] == 1")), "no output of 'a[0] == 1'"),
    ("outputs", append(LEARNING, code("f'{1}'")), "no output"),
    ("outputs", append(LEARNING, code("print(1)\nx = 2")), "no output of 'print(...)'"),
    ("outputs", append(LEARNING, code("plt.plot()\nplt.show()")),
     "no output of 'plt.show(...)'"),
    ("outputs", append(LEARNING, code("#| eval: false\nx", result("1"))), "not evaluated"),
    ("outputs", append(LEARNING, code("", result("1"))), "stale"), (
        "outputs", append(
            LEARNING, code(
                "x", {"output_type": "error", "ename": "NameError",
                      "evalue": "x", "traceback": []}
            ),
        ),
        "ends in NameError",
    ),
    (
        "outputs", append(LEARNING, code("f()", printed("Warning: old\n", "stderr"))),
        "stderr (Warning: old)",
    ),
    ("cells", append(LEARNING, code("plt.plot([1]);", shown(image_png="A"))),
     "ends with `;`"),
    ("cells", append(LEARNING, code("x = 1;  # quiet")), "ends with `;`"),
    ("cells", append(LEARNING, code("\n".join("x = 1" for _ in range(53)))), "53 lines"),
    ("cells", meta(LEARNING, 4, metadata={"scrolled": True}), "'scrolled'"),
    ("cells", meta(LEARNING, 4, metadata={"jupyter": {"source_hidden": True}}),
     "folded in JupyterLab"),
    ("cells", meta(LEARNING, 4, source=["#| echo: false\n", "1"]), "folded in JupyterLab"),
    ("cells", meta(LEARNING, 4, execution_count=3), "execution count"), (
        "cells", append(LEARNING, code("x", {**result("1"), "execution_count": 3})),
        "execution count",
    ),
    ("cells", append(LEARNING, code("path", result("'/home/me/x.csv'"))),
     "path of this machine"),
    ("cells", append(LEARNING, md("Look into `C:\\Users\\me`.")), "path of this machine"),
    ("cells", append(LEARNING, code("%time f()", printed("1 s"))), "timings"),
    ("cells", append(LEARNING, code("%%timeit\nf()", printed("1 s"))), "timings"),
    ("cells", replace(SPLITS, 4, code("#| export\nx = 1")), "last cell is exported"),
    ("figures", append(LEARNING, code("plt.show()", shown(image_png="A"))),
     "`#| fig-alt:`"), (
         "figures",
         append(LEARNING, code('#| fig-alt: "A line"\nplt.show()', shown(image_png="A"))),
         "`#| fig-cap:`",
     ), (
         "figures", append(LEARNING, code('#| fig-cap: "A"\n#| fig-alt: ""\nplt.show()',
                                          shown(image_png="A"))),
         "fig-alt",
     ), (
         "figures", append(
             LEARNING, code(
                 "f()", {
                     "output_type": "display_data", "metadata": {},
                     "data": {"text/html": "<img src='data:x'>"},
                 },
             ),
         ),
         "without alt",
     ), (
         "figures", append(
             LEARNING, code(
                 "f()", {
                     "output_type": "display_data", "metadata": {},
                     "data": {"text/html": "<img alt='' src='data:x'>"},
                 },
             ),
         ),
         "without alt",
     ),
    ("figures", append(LEARNING, md("![](map.png)")), "without alt"), (
        "figures", append(
            LEARNING, code(
                '#| fig-cap: "A"\n#| fig-alt: "A"\nf()', {
                    "output_type": "display_data", "metadata": {},
                    "data": {"image/svg+xml": "<svg/>"},
                },
            ),
        ),
        "SVG",
    ),
    ("figures", append(LEARNING, md('<svg width="9"><path/></svg>')), "<svg"),
    ("figures", append(LEARNING, md("<iframe src='map.html'></iframe>")), "<iframe"),
    ("figures", append(LEARNING, code(
        "f()", shown(text_html='<input type="range"><script>x</script>'))), "<input"),
    ("figures", append(LEARNING, code("f()", shown(text_html="<button><b> </b></button>"))),
     "<button>… without"),
    ("figures", append(LEARNING, code("f()", shown(text_html='<div role="group">'))),
     '<div role="group">'),
    ("figures", edit("nbs/404.qmd", "", "![](basics/map.png)"), "nbs/404.qmd, cell 1"),
    ("structure", append(LEARNING, md("#### Too deep")), "jumps from level 2 to 4"),
    ("structure", append(LEARNING, md("# Again")), "a second title"),
    ("structure", append(LEARNING, md("Text\n## Heading")), "empty line before"),
    ("structure", append(LEARNING, md("##Heading")), "space after the #"),
    ("structure", append(LEARNING, md("::: {.callout-tip}\nHello")), "never closed"),
    ("structure", append(LEARNING, md(":::")), "closes nothing"),
    ("structure", append(LEARNING, md("Text\n::: {.callout-tip}\nHello\n:::")),
     "to be a block"),
    ("structure", append(LEARNING, md("::: callout-tip and more\n\n:::")),
     "opens no block"),
    ("structure", append(LEARNING, md("Text :::")), "a ::: in the text"),
    ("structure", append(LEARNING, md("### Exercise 1"), md("#### Solution 2")),
     "below `### Exercise n`"),
    ("structure", append(LEARNING, md("### Exercise 1"), md("### Solution 1")),
     "`#### Solution n`"),
    ("structure", append(LEARNING, md("### More"), md("#### Solution 1")),
     "below `### Exercise n`"),
    ("structure", edit("nbs/404.qmd", "", "---\ntitle: Lost\n---\n\n### Too deep\n"),
     "jumps from level 1 to 3"),
    ("weight", append(LEARNING, code("f()", shown(image_png="A" * 1_400_000))),
     "1.05 MB without players"),
    ("weight", append(LEARNING, code("f()", shown(text_html="<script>" + "A" * 600_000))),
     "a player of 600 kB"),
    ("formulas", append(LEARNING, md("It costs $5.")), "begins no formula"),
    ("formulas", edit("nbs/404.qmd", "", "It costs $5."), "nbs/404.qmd, cell 1: '$5.'"),
    ("names", append(LEARNING, md("See `error_rate`.")), "nothing is called error_rate"),
    ("names", append(LEARNING, md("See `error_rate()`.")), "`error_rate()`"),
    ("names", append(LEARNING, md("Call `accuracy(wrong=1)`.")), "nothing is called wrong"),
    ("names", append(LEARNING, md("With `depth=3`.")), "nothing is called depth"),
    ("names", append(LEARNING, md("See `Table.columns`.")), "nothing is called columns"),
    ("names", edit(TABLES, "Accuracy of nothing.", "As `error_rate`."),
     "docstring of score: `error_rate`"),
    ("spelling", append(LEARNING, md("Two tradeoffs.")),
     "'tradeoffs': this book writes 'trade-off'"),
    ("spelling", append(LEARNING, md("## Two tradeoffs")), "'tradeoffs'"),
    ("spelling", append(LEARNING, code('#| fig-cap: "Two tradeoffs"\nf()')),
     "fig-cap: 'tradeoffs'"), ("spelling", append(LEARNING, code(
         "f()", shown(text_html="<img alt='a' src='b'><img alt=\"Two tradeoffs\">"))),
                              "alt text: 'tradeoffs'"),
    ("spelling", edit(TABLES, "Accuracy of nothing.", "Two tradeoffs."),
     "docstring of score: 'tradeoffs'"),
    ("spelling", edit("nbs/404.qmd", "", "Two tradeoffs."), "nbs/404.qmd"),
    ("spelling", edit("CHANGELOG.md", "- [All]", "- Two tradeoffs, [all]"),
     "CHANGELOG.md: 'tradeoffs'"), *(
         ("import_order",
          edit(LEARNING, "def accuracy", f"{line}\n\n\ndef accuracy"), message)
         for line, message in [
             ("from small.trees.splits import gain",
              "imports trees.splits.gain, which is of a later chapter"),
             ("from ..trees.splits import gain", "of a later chapter"),
             ("from small.trees import gain", "of a later chapter"),
             ("import small.trees.splits", "of a later chapter"),
             ("from ..trees import splits", "of a later chapter"),
             ("from small import trees", "of a later chapter"),
             ("from small.basics.learning import accuracy", "which is itself"),
             ("from small import basics", "its own chapter; name a module"),
             ("from small.basics import nothing", "its own chapter; name a module"),
         ]
     ), (
         "import_order",
         edit(LEARNING, "    return", "    from small.trees import gain\n    return"),
         "of a later chapter",
     ),
    (
        "import_order", edit(SPLITS, "basics.tables", "basics.rows"),
        "no notebook exports basics.rows",
    ),
    ("import_order", edit(SPLITS, "small.basics.tables", "small.forest"), "no chapter"), *(
        ("import_circles", edit(LEARNING, "def accuracy", f"{line}\n\n\ndef accuracy"),
         "learning.ipynb: a circle of imports: "
         "basics.learning → basics.tables → basics.learning")
        for line in ("from small.basics.tables import Table",
                     "from .tables import Table", "from . import tables",
                     "from small.basics import Table", "import small.basics.tables")
    ),
    ("import_circles",
     edit(LEARNING, "    return", "    from .tables import Table\n    return"), "a circle"),
    ("machinery", append(SPLITS, code(LONG), md("Few words."), code("y = 1\n" * 7)),
     "cell 3: 32 lines of code"), ("machinery", append(SPLITS, code("x = 1\n" * 30)),
                                   "words of prose for a line of code; 7 are the least"),
    ("machinery", append(SPLITS, code("#| export\ndef _helper():\n    x = 1\n    return x"),
                         code(f"#| export\n{LONG}")),
     "11% of the exported lines are underscored"),
    ("machinery", append(SPLITS, *(code("1", result("1")) for _ in range(45))),
     "48 code cells; 45 are the most"), *(
         ("numbers", append(SPLITS, *cells), f"{number} stands in no output")
         for number, cells in [
             ("0.157", [md("It is 0.157.")]),
             ("0.157", [md("It is 0.157."), code("f()", result("[0.1576, 0.1564]"))]),
             ("0.16", [md("It is 0.16."), code("f()", result("0.157"))]),
             (".632", [md("It is .632 of them.")]),
             ("12.5 %", [md("It is 12.5 %."), code("f()", result("1.25"))]),
             ("12.5", [md("It is 12.5."), code("f()", result("0.125"))]),
             ("1234.5", [md("It costs 1,234.5 of them."), code("f()", result("1235.5"))]),
             ("fig-cap: 0.75", [code('#| fig-cap: "It rises to 0.75"\nf()')]),
             ("fig-alt: 0.75", [code('#| fig-alt: "It rises to 0.75"\nf()')]),
             ("alt: 0.75",
              [code('player(f, [1], label="k",\n       alt="It rises to 0.75", start=0)')]),
             ("0.75", [md("It is 0.75."), code('f()  # 0.75')]),
             ("0.75", [md("It is 0.75."), md("And `0.75` again.")]),
             ("0.75", [md("It is 0.75."), code(
                 "f()", shown(text_html='<img alt="It rises to 0.75" src="a">'))]),
             ("0.75", [md("It is 0.75. See [learning](../basics/learning.ipynb).")]),
             ("0.25", [md("As [learning](../basics/learning.ipynb) says, it is 0.25.")]),
             ("0.5", [md("By Eq. 3.5, 0.5 of them.")]),
         ]
     ),
    ("letters", append(SPLITS, md("So L's Fig. 3.4 (A 10.3) has it.")),
     "'L' is the first mention of a text; write [L](../appendix/bibliography.ipynb)"),
    ("players", append(SPLITS, code("player(f, [1, 2], label='k', alt='A line')")),
     "a player without `start=`"),
    ("players",
     append(SPLITS, code("p = figures.Player(f(), ['1'], title='k', alt='A line')")),
     "`start=`"),
    ("solutions", append(SPLITS, md("### Exercise 1"), md("#### Solution 1"),
                         code("assert gain(x) == 0")), "the solution shows no result"),
    ("solutions", append(SPLITS, md("### Exercise 1"), md("#### Solution 1"),
                         code("1", result("1")), code("assert f()")),
     "cell 7: the solution ends without a shown result"),
    ("solutions", append(SPLITS, md("### Exercise 1"), md("#### Solution 1"), md("So:"),
                         code("x = 1"), md("## More"), code("1", result("1"))),
     "the solution shows no result"), (
         "exports",
         edit(LEARNING, "default_exp basics.learning", "default_exp basics.learn"),
         "`#| default_exp basics.learning`",
     ),
    ("exports", edit(LEARNING, "#| default_exp basics.learning", "x = 1"),
     "no `#| default_exp`"),
    ("exports", append(LEARNING, code("#| export\ndef f() -> None:\n    pass")),
     "f: no docstring"),
    ("exports", edit(LEARNING, "right: int", "right"), "no type hint for right"),
    ("exports", edit(LEARNING, " -> float", ""), "no type hint for what it returns"),
    ("exports", edit(LEARNING, "Returns\n    -------", "Gives\n    -----"),
     "no section Returns"), (
         "exports", edit(LEARNING, "Parameters\n    ----------", "Takes\n    -----"),
         "no section Parameters",
     ),
    ("exports", edit(LEARNING, "right, total : int", "right : int"), "lack total"), (
        "exports", edit(TABLES, "rows : list", "lines : list"),
        "Table: the docstring's Parameters lack rows",
    ),
    ("exports", edit(TABLES, "score(self) -> float", "score(self)"), "score: no type hint"),
    ("exports", edit(TABLES, '        """Accuracy of nothing."""\n', ""),
     "score: no docstring"),
    ("cells", append(LEARNING, code("#| eval: false\nx = 1")), "JupyterLab runs it"),
    ("links", append(LEARNING, md("[x](nowhere.ipynb)")), "no such page"),
    ("links", append(LEARNING, md("[x](tables.ipynb#columns)")),
     "no heading or label 'columns'"),
    ("links", append(LEARNING, md("[x](tables.html)")), "link to the notebook"),
    ("links", append(LEARNING, md("[x](#learning)")), "'learning' on this page"),
    ("links", append(LEARNING, md("[x][y]\n\n[y]: ../none.csv")), "no such file"),
    ("links", append(LEARNING, md("<a href='#none'>x</a>")), "'none' on this page"),
    ("links", append(LEARNING, md("![x](none.png)")), "no such file"),
    ("links", append(LEARNING, md("[![x](none.png)](https://example.org)")),
     "no such file"),
    ("links", append(LEARNING, md("![x](attachment:a.png)")), "store the picture"), (
        "links",
        append(LEARNING, md("[x](https://SOMEBODY.github.io/small/basics/none.html)")),
        "no such page",
    ), (
        "links", append(
            LEARNING, code(
                "f()", {
                    "output_type": "display_data", "metadata": {},
                    "data": {"text/markdown": "[x](none.ipynb)"},
                },
            ),
        ),
        "no such page",
    ), ("links", append(LEARNING, md("### Exercise 1"), md("#### Solution 1"),
                        md("[x](#solution-1)")), "'solution-1'"),
    ("links", append(LEARNING, md("[x](tables.ipynb#table)")),
     "no heading or label 'table'"),
    ("links", append(LEARNING, code('#| fig-cap: "See [x](none.ipynb)"\nf()')),
     "no such page"),
    ("links", edit(TABLES, "Accuracy of nothing.", "See [x](learning.ipynb)."),
     "docstring of score: link to learning"), (
         "links", edit(TABLES, "Accuracy of nothing.",
                       "See [x](https://SOMEBODY.github.io/small/none.html)."),
         "no such page",
     ),
    ("links", edit("nbs/404.qmd", "", "[x](none.ipynb)"),
     "nbs/404.qmd, cell 1: link to none.ipynb"),
    ("references", edit("nbs/404.qmd", "", "See @fig-none."), "nbs/404.qmd"),
    ("links", edit("CHANGELOG.md", "(nbs)", "(notebooks)"),
     "CHANGELOG.md: link to notebooks"),
    ("links", edit("CHANGELOG.md", "(nbs)", "(#none)"), "no heading 'none'"),
    ("references", append(LEARNING, md("See @fig-none.")), "@fig-none: no such label"), (
        "references", append(LEARNING, md("As said [@quinlan1993].")),
        "@quinlan1993: not in the bibliography",
    ), (
        "references", append(LEARNING, md("As said ([@quinlan1993]).")),
        "([@quinlan1993]): [@key] brings its own",
    ), (
        "equations", append(TABLES, md("$$b = c \\tag{3.1}$$")),
        "stands already in nbs/basics/learning.ipynb, cell 2",
    ),
    ("equations", append(TABLES, md("$$b = c \\tag{3.99}$$")), "end with 87"),
    ("equations", edit(LEARNING, "Eq. (3.1)", "Eqs. (3.1) and (3.2)"),
     "accuracy names Eq. (3.2)"),
    ("equations", edit(TABLES, "Accuracy of nothing.", "Eq. 10.7."),
     "score names Eq. (10.7)"), (
         "equations", edit(SPLITS, "Nothing gained.", "Gain, Eq. (3.1)."),
         "it stands in nbs/basics/learning.ipynb",
     ),
    ("coverage", edit(COVERAGE, "I002,L,something,basics,\n", ""), "I002 is missing"),
    ("coverage", edit(COVERAGE, "I002", "I003"), "I003 stands 2 times"),
    ("coverage", edit(COVERAGE, "E60,", "E99,"), "E99 is no entry"), (
        "coverage", edit(COVERAGE, "E60,L,something,basics", "E60,L,something,woods"),
        "'woods' is no chapter",
    ),
    (
        "coverage", edit(COVERAGE, "#the-idea", "#an-idea"),
        "I001: basics/learning.ipynb#an-idea: no heading",
    ),
    ("coverage", edit(COVERAGE, "basics/learning.ipynb", "basics/teaching.ipynb"),
     "no such page"),
    ("coverage", edit(COVERAGE, "entry,source", "entry,text"), "columns"), (
        "sidebar", edit("_quarto.yml", "          - basics/tables.ipynb\n", ""),
        "lacks basics/tables.ipynb",
    ),
    (
        "sidebar",
        edit("_quarto.yml", "href: trees/index.ipynb", "href: trees/trees.ipynb"),
        "does not exist",
    ), (
        "sidebar", edit(
            "_quarto.yml", "- trees/splits.ipynb",
            "- trees/splits.ipynb\n          - trees/splits.ipynb",
        ),
        "twice",
    ), (
        "sidebar", edit("_quarto.yml", "      - index.ipynb\n",
                        "      - index.ipynb\n      - https://example.org\n"),
        "leads away, to https://example.org",
    ),
    ("sidebar", edit("_quarto.yml", "website:\n", "website:\n  favicon: star.svg\n"),
     "star.svg: there is no such"),
    ("sidebar", beside("trees/engine/tree.ipynb", "          - trees/engine/tree.ipynb\n"),
     "belongs in the section 'Under"),
    ("sidebar", beside("trees/engine/tree.ipynb", HOOD.replace("the hood", "way")
                       + "              - trees/engine/tree.ipynb\n"),
     "Trees: the one section within it is 'Under the hood'"),
    ("sidebar", beside("basics/motor.ipynb", HOOD + "              - basics/motor.ipynb\n"),
     "motor.ipynb is no page of Trees"),
    ("sidebar", beside("trees/engine/tree.ipynb",
                       HOOD + "              - trees/engine/tree.ipynb\n",
                       "          - trees/splits.ipynb\n"),
     "Trees: the one section within it is 'Under the hood', at its end"),
    ("sidebar", edit("nbs/basics/more.qmd", "", "Text"), "lacks basics/more.qmd"), (
        "owner", edit("CHANGELOG.md", "- [All]", "- SOMEBODY did [all]"),
        "CHANGELOG.md: repeats the owner",
    ),
    ("owner", append(LEARNING, md("Ask SOMEBODY.")), "learning.ipynb: repeats the owner"), (
        "changelog", edit("CHANGELOG.md", "0.2.0", "0.1.0"),
        "begins with 0.1.0, settings.ini says 0.2.0",
    ),
    ("changelog", edit("CHANGELOG.md", "## 0.2.0", "0.2.0"), "has no line"),
]


@pytest.mark.parametrize(
    "name, change, message", BAD, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(BAD)]
)
def test_the_rule_notices(
    name: str, change: Change, message: str, small: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(small, tmp_path / "book", symlinks=True))
    book = pages()
    change(book, root)
    for page, cells in book.items():
        write_page(root, page, cells)
    problems = apply(name, root)
    assert any(message in p for p in problems), problems
    assert all(re.search(r"\.(ipynb|qmd|md|yml|csv)\b", p) for p in problems)


def test_every_rule_has_a_bad_example() -> None:
    assert {name for name, _, _ in BAD} == set(RULES)


def test_engine_pages_stand_at_the_end_of_their_chapter(tmp_path: Path) -> None:
    root = write_small_book(tmp_path)
    book = pages()
    beside("trees/engine/growth.ipynb",
           HOOD + "              - trees/engine/growth.ipynb\n")(book, root)
    write_page(root, "trees/engine/growth.ipynb", book["trees/engine/growth.ipynb"])
    assert apply("sidebar", root) == []
    assert ([nb.name for nb in notebooks(root) if nb.is_engine]
            == ["trees/engine/growth.ipynb"])
    assert [nb.name for nb in notebooks(root)].index("trees/engine/growth.ipynb") == 6
    assert [nb.name for nb in notebooks(root) if nb.is_idea] == [LEARNING, TABLES, SPLITS]
    assert [nb.name for nb in ideas.in_force(notebooks(root))] == [
        LEARNING, TABLES, SPLITS]


def test_the_chapters_to_remake_become_fewer() -> None:
    """The list of DESIGN's first day; a chapter may leave it, none may join."""
    assert set(ideas.TO_REMAKE) <= {"basics", "evaluation", "features", "bayes",
                                    "neighbors"}
    assert set(ideas.TO_REMAKE) <= set(chapters())


@pytest.mark.parametrize("cells", [
    [md("It is 0.157."), code("f()", result("0.1568"))],
    [md("It is 0.50."), code("f()", printed("0.5"))],
    [md("It is 98.9 %, or 98.9 percent."), code("f()", result("0.989"))],
    [md("It is 12.5 %."), code("f()", result("12.5"))],
    [md("It costs 1,234.5."), code("f()", result("1234.5"))],
    [md("It is .632."), md("$1 - 1/e = 0.632$")],
    [md("It is 0.25."), md("| a | b |\n|---|---|\n| 0.25 | 1 |")],
    [md("It is 0.25."), code("x = 0.25")],
    [md("It falls by 0.25."), code("f()", result("-0.25"))],
    [code('#| fig-cap: "It is 0.25"\nf(0.25)')],
    [code("player(f, [0.25], label='k',\n       alt='At 0.25', start=0)")],
    [md("See L 3.2.4, A 10.3.2 and A's (10.12); Fig. 3.6, Figs. 3.6 and 3.7, "
        "Eq. (3.5), Eqs. 3.5 to 3.9, Example 10.5.1, Table 3.1, exercises 4 and "
        "5 of 10.12, section 10.3, C4.5, version 1.5, Python 3.11, 3.6.14")],
    [md("It is `0.157`, and $0.157$.")],
    [md("As [learning](../basics/learning.ipynb#the-idea) says, it is 0.5.")],
])
def test_numbers_with_a_witness(cells: list[dict[str, Any]], tmp_path: Path) -> None:
    book = pages()
    append(SPLITS, *cells)(book, tmp_path)
    assert ideas.numbers(notebooks(write_small_book(tmp_path, book))) == []


def test_what_counts_as_prose_and_as_code() -> None:
    source = ('#| export\ndef f(x):\n    """Half.\n\n    Of x.\n    """\n    # why\n\n    '
              'return x / 2')
    assert ideas.lines_of(source) == ["def f(x):", "    return x / 2"]
    assert ideas.words_in("The gain $a + b$ of Fisher's well-kept tree, 12 of 15.") == 8
    assert ideas.only_imports("from a import (\n    b,\n    c,\n)\nimport d")
    assert not ideas.only_imports("import d\nf(d)")


@pytest.mark.parametrize("word", words(), ids=lambda w: w.write)
def test_every_word_of_the_list_is_noticed_and_none_forbids_another(word) -> None:  # type: ignore[no-untyped-def]
    assert {right for _, right in misspelled(word.example)} == {word.write}
    assert not any(other.wrong.search(word.write) for other in words())


def test_spelling_is_that_of_prose_alone() -> None:
    text = ("`tradeoffs` $tradeoffs$ [tradeoffs](tradeoffs.ipynb) "
            "![tradeoffs](a.png) @tradeoffs2020 \"a game of tradeoffs\" "
            "https://tradeoffs.org {.tradeoffs}\n\n```\ntradeoffs\n```\n<!-- tradeoffs -->")
    assert list(misspelled(text)) == []
    assert list(misspelled(text + "\n\n**tradeoffs**")) == [("tradeoffs", "trade-off")]


def test_what_excuses_a_word_does_so_where_it_stands() -> None:
    excused = "*einsum for numpy*"
    assert list(misspelled(excused)) == []
    assert (list(misspelled(f"{excused} {'and ' * 20} a table of numpy"))
            == [("numpy", "NumPy")])


def test_names_that_are_known(tmp_path: Path) -> None:
    book = pages()
    text = ("`accuracy`, `accuracy(right=1)`, `small.basics.tables`, `Table.score()`, "
            "`rows=None`, `len`, `None`, `__init__`, `plt.plot`, `CHANGELOG.md`, "
            "`check_estimator`, `a + b`, `#| export`")
    book["basics/learning.ipynb"][-1]["source"].append(text)
    write_small_book(tmp_path, book)
    assert rules.stale_names(notebooks(tmp_path), tmp_path) == []


@pytest.mark.parametrize(
    "source, quiet",
    [
        ("set_style()", True),
        ("ax.plot([1])", True),
        ("x = 1", True),
        ("None", True),
        ("...", True),
        ("for i in x:\n    print(i)", True),
        ("assert x", True),
        ("def f():\n    print(1)", True),
        ("x", False),
        ("x.y", False),
        ("x[0]", False),
        ("x, y", False),
        ("-x", False),
        ("display(x)", False),
    ],
)
def test_what_must_show_an_output(source: str, quiet: bool) -> None:
    assert (rules.must_show(ast.parse(source)) is None) == quiet


@pytest.mark.parametrize(
    "heading, name",
    [  # the examples of pandoc's manual, then our own
        ("Heading identifiers in HTML", "heading-identifiers-in-html"),
        ("Maître d'hôtel", "maître-dhôtel"),
        ("*Dogs*?--in *my* house?", "dogsin-my-house"),
        ("[HTML], [S5], or [RTF]?", "html-s5-or-rtf"),
        ("3. Applications", "applications"),
        ("33", "section"),
        ("Dogs -- in a house", "dogs-in-a-house"),
        ("The `load_loan` table", "the-load_loan-table"),
        ("An _important_ [link](x.ipynb)", "an-important-link"),
        ("The $k$ nearest: a first look[^1]", "the-k-nearest-a-first-look"),
        ("C4.5 and well-kept trees", "c4.5-and-well-kept-trees"),
    ],
)
def test_pandoc_identifiers(heading: str, name: str) -> None:
    assert rules.identifier(heading) == name


def test_anchors_of_a_page(tmp_path: Path) -> None:
    write_page(
        tmp_path,
        "a.ipynb",
        [
            md("# Title\n\n> Sum."),
            md("## Idea\n\n```\n## no heading\n```\n\n### Idea {#own}\n\n## Idea"),
            code('#| label: fig-x\n#| fig-cap: "x"\nf()'),
            code("#| export\ndef Thing(): ..."),
            md("## Thing"),
            code("#| exporti\nHIDDEN = 0"),
            code("#| export\nONE, TWO = 1, 2"),
            code("f()", shown(text_markdown='<span id="term"></span>**term**')),
        ],
    )
    nb = read_notebook(tmp_path / "nbs/a.ipynb", tmp_path)
    assert rules.anchors(nb) == {"idea", "own", "idea-1", "fig-x", "definition-Thing",
                                 "thing", "definition-ONE", "definition-TWO", "term"}
    nb.path = tmp_path / "nbs/api/a.ipynb"
    nb.cells[4].source = "## `Thing`\n\n### `Thing.part`"
    assert {"Thing", "Thing.part"} <= rules.anchors(nb)


def test_links_outside_code_and_math_only() -> None:
    text = (
        "[a](a.md) `[b](b.md)` $f[c](c)$ [d $x$](d_(e).md) "
        "costs $5 and $6 [f](f.md 'title')\n\n"
        "```\n[g](g.md)\n```\n$$[h](h)$$\n<!-- [i](i.md) "
        "-->\n\n[j]: j.md\n![k](k.png){width=50%}"
    )
    assert sorted(x.target for x in rules.links(text)) == [
        "a.md",
        "d_(e).md",
        "f.md",
        "j.md",
        "k.png",
    ]


def test_claims_of_docstrings() -> None:
    assert rules.claimed(
        "Eq. (3.5) of L; Eqs. 10.1, 10.2 and (10.3); version 1.5. Equation 3.7a."
    ) == ["3.5", "10.1", "10.2", "10.3", "3.7a"]


# ------------------------------------ what is made follows from its source


@pytest.fixture(scope="module")
def anew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book exported in a copy of the repository."""
    return rules.export_anew(ROOT, tmp_path_factory.mktemp("anew") / "a copy")


@pytest.fixture(scope="module")
def site_made(anew: Path) -> Path:
    """The same, and processed for the site."""
    rules.site_sources(anew)
    return anew


def test_export_leaves_no_diff(anew: Path) -> None:
    none_of([p for p in rules.export_differences(ROOT, anew)
             if not p.startswith("README.md")])


def test_readme_is_the_front_page(anew: Path) -> None:
    none_of([p for p in rules.export_differences(ROOT, anew) if p.startswith("README.md")])


@pytest.mark.deep
def test_every_notebook_is_processed_for_the_site(site_made: Path) -> None:
    none_of(rules.site_problems(site_made))


@pytest.mark.deep
def test_the_pages_of_the_site(site_made: Path) -> None:
    none_of(site_rules.page_problems(site_made))


REFERENCE = """      - section: Reference
        href: api/index.ipynb
        contents:
          # from the package, by `make export`:
          # end of what the package decides
"""


@pytest.fixture(scope="module")
def small_anew(small: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The small book, made, and then made again after it went out of step."""
    root = Path(shutil.copytree(small, tmp_path_factory.mktemp("made") / "book",
                                symlinks=True))
    shutil.copytree(ROOT / "tools", root / "tools", ignore=rules.NOT_THE_BOOK)
    with (root / "_quarto.yml").open("a", encoding="utf-8") as file:
        file.write(REFERENCE)
    write_page(
        root,
        "trees/splits.ipynb",
        [*pages()["trees/splits.ipynb"], code("x = 1\n#| export\ny = 2"), md("The end.")],
    )
    (root / "small").mkdir()
    copy = rules.export_anew(root, root.parent / "first")
    for name in rules.made_files(copy):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(copy / name, root / name)
    assert rules.export_differences(root, copy) == []
    rules.site_sources(copy)
    (root / "small/basics/tables.py").write_text("# edited by hand\n", encoding="utf-8")
    (root / "small/basics/old.py").write_text("", encoding="utf-8")
    (root / "small/trees/splits.py").unlink()
    (root / "README.md").write_text("# Another\n", encoding="utf-8")
    return root, copy


@pytest.mark.deep
def test_export_notices_what_is_out_of_step(small_anew: tuple[Path, Path]) -> None:
    assert [p.split(";")[0] for p in rules.export_differences(*small_anew)] == [
        "small/basics/old.py: no notebook exports it",
        "small/trees/splits.py: missing",
        "README.md: not in step (line 1)",
        "small/basics/tables.py: not in step (line 1)",
    ]


@pytest.mark.deep
def test_site_notices_raw_directives(small_anew: tuple[Path, Path]) -> None:
    problems = rules.site_problems(small_anew[1])
    assert len(problems) == 1 and "splits.ipynb: '#| export' is shown" in problems[0]


@pytest.mark.deep
def test_site_notices_a_page_that_is_lost(small_anew: tuple[Path, Path]) -> None:
    copy = small_anew[1]
    page = copy / "_proc/basics/learning.ipynb"
    text = page.read_bytes()
    page.unlink()
    try:
        assert ("nbs/basics/learning.ipynb: does not reach the site"
                in rules.site_problems(copy))
    finally:
        page.write_bytes(text)


@pytest.mark.deep
def test_site_notices_a_page_that_is_no_notebook_and_is_lost(small_anew: tuple[Path, Path],
                                                             tmp_path: Path) -> None:
    copy = Path(shutil.copytree(small_anew[1], tmp_path / "copy", symlinks=True))
    (copy / "nbs/404.qmd").write_text("Text", encoding="utf-8")
    assert "nbs/404.qmd: does not reach the site" in rules.site_problems(copy)


@pytest.mark.deep
def test_site_notices_a_lost_configuration(small_anew: tuple[Path, Path],
                                           tmp_path: Path) -> None:
    copy = Path(shutil.copytree(small_anew[1], tmp_path / "copy", symlinks=True))
    (copy / "nbs/_quarto.yml").unlink()
    (copy / "nbs/_quarto.yml").write_text("project:\n  type: website\n", encoding="utf-8")
    assert any("nbs/_quarto.yml: nbdev overwrites it" in p
               for p in rules.site_problems(copy))


@pytest.mark.deep
def test_site_notices_what_the_processing_lost(small_anew: tuple[Path, Path],
                                               tmp_path: Path) -> None:
    copy = Path(shutil.copytree(small_anew[1], tmp_path / "copy", symlinks=True))
    assert site_rules.page_problems(copy) == []
    gain = "[`gain`](../api/trees.splits.ipynb#gain)"
    for name, old, new, message in [
        ("trees/splits.ipynb", "{#definition-gain}", "",
         "splits.ipynb: the anchor 'definition-gain' is lost"),
        ("basics/learning.ipynb", "## The idea",
         "#### The idea", "jumps from level 1 to 4"),
        ("basics/learning.ipynb", "See @fig-line", "{{x}} @fig-line",
         "cell 2: '{{x}} @fig-line and [tables](tab"),
        ("basics/learning.ipynb", "See @fig-line",
         "{{< nothing x >}} @fig-line", "cell 2: '{{< nothing"),
        ("basics/learning.ipynb", "See @fig-line", "::: {.x}", "never closed"),
        ("trees/splits.ipynb", gain, "[`gain`](../api/trees.splits.ipynb#gains)",
         "no heading or label 'gains'"),
        ("trees/splits.ipynb", gain,
         "[`gain`](../api/woods.ipynb#gain)", "there is no such page"),
        ("trees/splits.ipynb", gain, "[`gain`](../api/basics.tables.ipynb#Table)",
         "cell 3: `gain` leads to"),
        ("trees/splits.ipynb", gain,
         "[`gain`](../api/basics.ipynb#accuracy)", "another name"),
        ("trees/splits.ipynb", gain, "`gain`", "cell 3: `gain` is no link"),
    ]:
        page = copy / "_proc" / name
        text = page.read_text(encoding="utf-8")
        assert old in text, (name, old)
        page.write_text(text.replace(old, new), encoding="utf-8")
        problems = site_rules.page_problems(copy)
        assert any(message in p for p in problems), (message, problems)
        page.write_text(text, encoding="utf-8")


def test_a_name_that_the_page_gives_another_meaning_is_no_link(tmp_path: Path) -> None:
    write_small_book(tmp_path)
    cells = [*pages()[LEARNING][:-1], md("`gain` and `Table()` of"),
             code("from elsewhere import gain"), md("The end.")]
    write_page(tmp_path, LEARNING, cells)
    book = [nb for nb in notebooks(tmp_path) if nb.name == LEARNING]
    said = ("nbs/basics/learning.ipynb, cell 7: `Table` is no link to its entry in the "
            "reference")
    assert site_rules.unlinked_names(book, tmp_path) == [said]


def test_a_name_of_two_chapters_leads_to_its_own(tmp_path: Path) -> None:
    write_small_book(tmp_path)
    twin = code('#| export\ndef gain() -> float:\n    """Another gain."""\n    return 0.0')
    write_page(tmp_path, TABLES, [*pages()[TABLES][:-1], twin, md("The end.")])
    here = tmp_path / "nbs" / TABLES

    def problems(target: str) -> list[str]:
        page = Notebook(here, read_notebook(here, tmp_path).cells[:1], tmp_path)
        page.cells[0].source = f"As [`gain()`]({target})."
        return site_rules.wrong_homes([page], tmp_path)

    assert problems("../api/basics.ipynb#gain") == []
    assert "its chapter is basics or trees" in problems("../api/trees.ipynb#gain")[0]
    assert "another name" in problems("../api/basics.ipynb#loss")[0]
