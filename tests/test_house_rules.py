"""The house rules hold in the book, and each of them notices when it is broken."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import house_rules as rules
from tests.small_book import code, md, pages, printed, result, shown, write_page, write_small_book
from tools.book import ROOT, Notebook, notebooks, read_notebook

Change = Callable[[dict[str, list[dict[str, Any]]], Path], None]


def each(rule: Callable[[Notebook], list[str]]) -> Callable[[list[Notebook], Path], list[str]]:
    """A rule for one notebook, applied to all."""
    return lambda book, root: [p for nb in book for p in rule(nb)]


RULES: dict[str, Callable[[list[Notebook], Path], list[str]]] = {
    "title_cell": each(rules.title_cell),
    "outputs": each(rules.outputs),
    "cells": each(rules.cells),
    "figures": each(rules.figures),
    "structure": each(rules.structure),
    "import_order": rules.import_order,
    "exports": lambda book, root: rules.exports(book),
    "links": rules.broken_links,
    "references": rules.references,
    "equations": lambda book, root: rules.equations(book),
    "coverage": rules.coverage,
    "sidebar": rules.sidebar_problems,
    "owner": lambda book, root: rules.repeated_owner(root),
    "changelog": lambda book, root: rules.stale_changelog(root),
}


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
    none_of(RULES[name](book, ROOT))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_book(tmp_path_factory.mktemp("small") / "book")


@pytest.mark.parametrize("name", RULES)
def test_a_small_good_book_keeps_the_rule(name: str, small: Path) -> None:
    none_of(RULES[name](notebooks(small), small))


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
    """Change the text of a file of the small book."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        if file.endswith(".ipynb"):
            for cell in book[file]:
                cell["source"] = "".join(cell["source"]).replace(old, new).splitlines(keepends=True)
        else:
            text = (root / file).read_text(encoding="utf-8")
            assert old in text
            (root / file).write_text(text.replace(old, new), encoding="utf-8")

    return change


def meta(page: str, number: int, **values: Any) -> Change:
    """Change the fields of a cell."""

    def change(book: dict[str, list[dict[str, Any]]], root: Path) -> None:
        book[page][number].update(values)

    return change


LEARNING, TABLES, SPLITS = (
    "basics/learning.ipynb",
    "basics/tables.ipynb",
    "trees/splits.ipynb",
)
COVERAGE = "nbs/appendix/coverage.csv"
BAD: list[tuple[str, Change, str]] = [
    (
        "title_cell",
        replace(LEARNING, 0, md("# Learning\n\n> A sentence.\n\nMore text.")),
        "vanishes",
    ),
    ("title_cell", replace(LEARNING, 0, md("# Learning")), "> summary"),
    ("title_cell", replace(LEARNING, 0, md("# Learning\n\n> No full stop")), "full stop"),
    ("title_cell", replace(LEARNING, 0, md("# Learning\n\n> In two\n> lines.")), "one line"),
    (
        "title_cell",
        replace(LEARNING, 0, md("## Learning\n\n> A sentence.")),
        "begin with `# Title`",
    ),
    ("title_cell", replace(LEARNING, 0, code("1")), "must be Markdown"),
    ("outputs", replace(LEARNING, 4, code("accuracy")), "no output of 'accuracy'"),
    ("outputs", append(LEARNING, code("a = [1]\na[0] == 1")), "no output of 'a[0] == 1'"),
    ("outputs", append(LEARNING, code("f'{1}'")), "no output"),
    ("outputs", append(LEARNING, code("print(1)\nx = 2")), "no output of 'print(...)'"),
    ("outputs", append(LEARNING, code("plt.plot()\nplt.show()")), "no output of 'plt.show(...)'"),
    ("outputs", append(LEARNING, code("#| eval: false\nx", result("1"))), "not evaluated"),
    ("outputs", append(LEARNING, code("", result("1"))), "stale"),
    (
        "outputs",
        append(
            LEARNING,
            code(
                "x", {"output_type": "error", "ename": "NameError", "evalue": "x", "traceback": []}
            ),
        ),
        "ends in NameError",
    ),
    (
        "outputs",
        append(LEARNING, code("f()", printed("Warning: old\n", "stderr"))),
        "stderr (Warning: old)",
    ),
    ("cells", append(LEARNING, code("plt.plot([1]);", shown(image_png="A"))), "ends with `;`"),
    ("cells", append(LEARNING, code("x = 1;  # quiet")), "ends with `;`"),
    ("cells", append(LEARNING, code("\n".join("x = 1" for _ in range(41)))), "41 lines"),
    ("cells", meta(LEARNING, 4, metadata={"scrolled": True}), "'scrolled'"),
    ("cells", meta(LEARNING, 4, execution_count=3), "execution count"),
    (
        "cells",
        append(LEARNING, code("x", {**result("1"), "execution_count": 3})),
        "execution count",
    ),
    ("cells", append(LEARNING, code("path", result("'/home/me/x.csv'"))), "path of this machine"),
    ("cells", append(LEARNING, md("Look into `C:\\Users\\me`.")), "path of this machine"),
    ("cells", append(LEARNING, code("%time f()", printed("1 s"))), "timings"),
    ("cells", append(LEARNING, code("%%timeit\nf()", printed("1 s"))), "timings"),
    ("cells", replace(SPLITS, 4, code("#| export\nx = 1")), "last cell is exported"),
    ("figures", append(LEARNING, code("plt.show()", shown(image_png="A"))), "`#| fig-alt:`"),
    (
        "figures",
        append(LEARNING, code('#| fig-alt: "A line"\nplt.show()', shown(image_png="A"))),
        "`#| fig-cap:`",
    ),
    (
        "figures",
        append(LEARNING, code('#| fig-cap: "A"\n#| fig-alt: ""\nplt.show()', shown(image_png="A"))),
        "fig-alt",
    ),
    (
        "figures",
        append(
            LEARNING,
            code(
                "f()",
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/html": "<img src='data:x'>"},
                },
            ),
        ),
        "without alt",
    ),
    (
        "figures",
        append(
            LEARNING,
            code(
                "f()",
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/html": "<img alt='' src='data:x'>"},
                },
            ),
        ),
        "without alt",
    ),
    ("figures", append(LEARNING, md("![](map.png)")), "without alt"),
    (
        "figures",
        append(
            LEARNING,
            code(
                '#| fig-cap: "A"\n#| fig-alt: "A"\nf()',
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"image/svg+xml": "<svg/>"},
                },
            ),
        ),
        "SVG",
    ),
    ("structure", append(LEARNING, md("#### Too deep")), "jumps from level 2 to 4"),
    ("structure", append(LEARNING, md("# Again")), "a second title"),
    ("structure", append(LEARNING, md("Text\n## Heading")), "empty line before"),
    ("structure", append(LEARNING, md("##Heading")), "space after the #"),
    ("structure", append(LEARNING, md("::: {.callout-tip}\nHello")), "never closed"),
    ("structure", append(LEARNING, md(":::")), "closes nothing"),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "from small.basics.tables import Table\n\n\ndef accuracy"),
        "imports basics.tables.Table, which comes later",
    ),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "from .tables import Table\n\n\ndef accuracy"),
        "comes later",
    ),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "from small.basics import Table\n\n\ndef accuracy"),
        "comes later",
    ),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "import small.trees.splits\n\n\ndef accuracy"),
        "comes later",
    ),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "from ..trees import splits\n\n\ndef accuracy"),
        "comes later",
    ),
    (
        "import_order",
        edit(LEARNING, "def accuracy", "from small import trees\n\n\ndef accuracy"),
        "not an earlier",
    ),
    (
        "import_order",
        edit(LEARNING, "    return", "    from small.trees import gain\n    return"),
        "comes later",
    ),
    (
        "import_order",
        edit(SPLITS, "basics.tables", "basics.rows"),
        "no notebook exports basics.rows",
    ),
    ("import_order", edit(SPLITS, "small.basics.tables", "small.forest"), "no chapter"),
    (
        "exports",
        edit(LEARNING, "default_exp basics.learning", "default_exp basics.learn"),
        "`#| default_exp basics.learning`",
    ),
    ("exports", edit(LEARNING, "#| default_exp basics.learning", "x = 1"), "no `#| default_exp`"),
    ("exports", append(LEARNING, code("#| export\ndef f() -> None:\n    pass")), "f: no docstring"),
    ("exports", edit(LEARNING, "right: int", "right"), "no type hint for right"),
    ("exports", edit(LEARNING, " -> float", ""), "no type hint for what it returns"),
    ("exports", edit(LEARNING, "Returns\n    -------", "Gives\n    -----"), "no section Returns"),
    (
        "exports",
        edit(LEARNING, "Parameters\n    ----------", "Takes\n    -----"),
        "no section Parameters",
    ),
    ("exports", edit(LEARNING, "right, total : int", "right : int"), "lack total"),
    (
        "exports",
        edit(TABLES, "rows : list", "lines : list"),
        "Table: the docstring's Parameters lack rows",
    ),
    ("exports", edit(TABLES, "score(self) -> float", "score(self)"), "score: no type hint"),
    ("exports", edit(TABLES, '        """Accuracy of nothing."""\n', ""), "score: no docstring"),
    ("exports", edit(TABLES, "class Table", "class accuracy"), "the name accuracy is taken"),
    ("exports", edit(TABLES, "class Table", "class tables"), "the name tables is taken"),
    ("cells", append(LEARNING, code("#| eval: false\nx = 1")), "JupyterLab runs it"),
    ("links", append(LEARNING, md("[x](nowhere.ipynb)")), "no such page"),
    ("links", append(LEARNING, md("[x](tables.ipynb#columns)")), "no heading or label 'columns'"),
    ("links", append(LEARNING, md("[x](tables.html)")), "link to the notebook"),
    ("links", append(LEARNING, md("[x](#learning)")), "'learning' on this page"),
    ("links", append(LEARNING, md("[x][y]\n\n[y]: ../none.csv")), "no such file"),
    ("links", append(LEARNING, md("<a href='#none'>x</a>")), "'none' on this page"),
    ("links", append(LEARNING, md("![x](none.png)")), "no such file"),
    ("links", append(LEARNING, md("[![x](none.png)](https://example.org)")), "no such file"),
    ("links", append(LEARNING, md("![x](attachment:a.png)")), "store the picture"),
    (
        "links",
        append(LEARNING, md("[x](https://SOMEBODY.github.io/small/basics/none.html)")),
        "no such page",
    ),
    (
        "links",
        append(
            LEARNING,
            code(
                "f()",
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/markdown": "[x](none.ipynb)"},
                },
            ),
        ),
        "no such page",
    ),
    ("links", edit("CHANGELOG.md", "(nbs)", "(notebooks)"), "CHANGELOG.md: link to notebooks"),
    ("links", edit("CHANGELOG.md", "(nbs)", "(#none)"), "no heading 'none'"),
    ("references", append(LEARNING, md("See @fig-none.")), "@fig-none: no such label"),
    (
        "references",
        append(LEARNING, md("As said [@quinlan1993].")),
        "@quinlan1993: not in the bibliography",
    ),
    (
        "equations",
        append(TABLES, md("$$b = c \\tag{3.1}$$")),
        "stands already in nbs/basics/learning.ipynb, cell 2",
    ),
    ("equations", append(TABLES, md("$$b = c \\tag{3.99}$$")), "end with 87"),
    ("equations", edit(LEARNING, "Eq. (3.1)", "Eqs. (3.1) and (3.2)"), "accuracy names Eq. (3.2)"),
    ("equations", edit(TABLES, "Accuracy of nothing.", "Eq. 10.7."), "score names Eq. (10.7)"),
    (
        "equations",
        edit(SPLITS, "Nothing gained.", "Gain, Eq. (3.1)."),
        "it stands in nbs/basics/learning.ipynb",
    ),
    ("coverage", edit(COVERAGE, "I002,L,something,basics,\n", ""), "I002 is missing"),
    ("coverage", edit(COVERAGE, "I002", "I003"), "I003 stands 2 times"),
    ("coverage", edit(COVERAGE, "E60,", "E99,"), "E99 is no entry"),
    (
        "coverage",
        edit(COVERAGE, "E60,L,something,basics", "E60,L,something,woods"),
        "'woods' is no chapter",
    ),
    (
        "coverage",
        edit(COVERAGE, "#the-idea", "#an-idea"),
        "I001: basics/learning.ipynb#an-idea: no heading",
    ),
    ("coverage", edit(COVERAGE, "basics/learning.ipynb", "basics/teaching.ipynb"), "no such page"),
    ("coverage", edit(COVERAGE, "entry,source", "entry,text"), "columns"),
    (
        "sidebar",
        edit("_quarto.yml", "          - basics/tables.ipynb\n", ""),
        "lacks basics/tables.ipynb",
    ),
    (
        "sidebar",
        edit("_quarto.yml", "href: trees/index.ipynb", "href: trees/trees.ipynb"),
        "does not exist",
    ),
    (
        "sidebar",
        edit(
            "_quarto.yml",
            "- trees/splits.ipynb",
            "- trees/splits.ipynb\n          - trees/splits.ipynb",
        ),
        "twice",
    ),
    (
        "owner",
        edit("CHANGELOG.md", "- [All]", "- SOMEBODY did [all]"),
        "CHANGELOG.md: repeats the owner",
    ),
    ("owner", append(LEARNING, md("Ask SOMEBODY.")), "learning.ipynb: repeats the owner"),
    (
        "changelog",
        edit("CHANGELOG.md", "0.2.0", "0.1.0"),
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
    problems = RULES[name](notebooks(root), root)
    assert any(message in p for p in problems), problems
    assert all(".ipynb" in p or ".md" in p or ".yml" in p or ".csv" in p for p in problems)


def test_every_rule_has_a_bad_example() -> None:
    assert {name for name, _, _ in BAD} == set(RULES)


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
        ],
    )
    nb = read_notebook(tmp_path / "nbs/a.ipynb", tmp_path)
    assert rules.anchors(nb) == {"idea", "own", "idea-1", "fig-x", "thing", "thing-1"}


def test_links_outside_code_and_math_only() -> None:
    text = (
        "[a](a.md) `[b](b.md)` $f[c](c)$ [d $x$](d_(e).md) costs $5 and $6 [f](f.md 'title')\n\n"
        "```\n[g](g.md)\n```\n$$[h](h)$$\n<!-- [i](i.md) -->\n\n[j]: j.md\n![k](k.png){width=50%}"
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
    """The book exported and processed for the site in a copy of the repository."""
    copy = rules.export_anew(ROOT, tmp_path_factory.mktemp("anew") / "a copy")
    rules.site_sources(copy)
    return copy


def test_export_leaves_no_diff(anew: Path) -> None:
    none_of([p for p in rules.export_differences(ROOT, anew) if not p.startswith("README.md")])


def test_readme_is_the_front_page(anew: Path) -> None:
    none_of([p for p in rules.export_differences(ROOT, anew) if p.startswith("README.md")])


def test_every_notebook_is_processed_for_the_site(anew: Path) -> None:
    none_of(rules.site_problems(anew))


@pytest.fixture(scope="module")
def small_anew(small: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The small book, made, and then made again after it went out of step."""
    root = Path(shutil.copytree(small, tmp_path_factory.mktemp("made") / "book", symlinks=True))
    shutil.copytree(ROOT / "tools", root / "tools", ignore=rules.NOT_THE_BOOK)
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


def test_export_notices_what_is_out_of_step(small_anew: tuple[Path, Path]) -> None:
    assert [p.split(";")[0] for p in rules.export_differences(*small_anew)] == [
        "small/basics/old.py: no notebook exports it",
        "small/trees/splits.py: missing",
        "README.md: not in step (line 1)",
        "small/basics/tables.py: not in step (line 1)",
    ]


def test_site_notices_raw_directives(small_anew: tuple[Path, Path]) -> None:
    problems = rules.site_problems(small_anew[1])
    assert len(problems) == 1 and "splits.ipynb: '#| export' is shown" in problems[0]


def test_site_notices_a_page_that_is_lost(small_anew: tuple[Path, Path]) -> None:
    copy = small_anew[1]
    page = copy / "_proc/basics/learning.ipynb"
    text = page.read_bytes()
    page.unlink()
    try:
        assert "nbs/basics/learning.ipynb: does not reach the site" in rules.site_problems(copy)
    finally:
        page.write_bytes(text)


def test_site_notices_a_lost_configuration(small_anew: tuple[Path, Path], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(small_anew[1], tmp_path / "copy", symlinks=True))
    (copy / "nbs/_quarto.yml").unlink()
    (copy / "nbs/_quarto.yml").write_text("project:\n  type: website\n", encoding="utf-8")
    assert any("nbs/_quarto.yml: nbdev overwrites it" in p for p in rules.site_problems(copy))
