"""The API reference: every public name has one entry
that says what the program says, and links that lead there."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import Counter
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import griffe
import pytest
import yaml
from nbdev.process import NBProcessor

from tests.house import small_book
from tools import reference, site
from tools.book import ROOT, Notebook, chapters, definition_anchor, notebooks, read_notebook
from tools.book import modules as book_modules
from tools.book import pages as book_pages
from tools.reference import Links, package, prose, rendered, with_definitions


@cache
def modules() -> dict[str, ModuleType]:
    """The modules of the package, imported: the other witness of what it holds."""
    return {module: importlib.import_module(f"supervised.{module}")
            for module in book_modules()}


@cache
def pages() -> dict[str, Notebook]:
    return {nb.name: nb for nb in notebooks() if nb.chapter == "api"}


def headings(page: Notebook, level: int) -> list[str]:
    """The names that a page has headings for, in their order."""
    found = (re.match(rf"#{{{level}}} `(.+)`$", c.source.splitlines()[0])
             for c in page.cells)
    return [m[1] for m in found if m]


def public(module: ModuleType) -> list[str]:
    return list(module.__all__)


def classes() -> dict[str, type]:
    return {f"{m}.{n}": value for m, module in modules().items() for n in public(module)
            if inspect.isclass(value := getattr(module, n))}


# ------------------------------------ complete and in step


def test_the_pages_are_in_step_with_the_package() -> None:
    made = reference.pages_of(package())
    assert {f"api/{p.name}" for p in (ROOT / "nbs" / "api").glob("*.ipynb")} == set(made), (
        "run `make export`")
    for page, text in made.items():
        assert (ROOT / "nbs" / page).read_text(encoding="utf-8") == text, (
            f"{page}: run `make export`")


def test_the_sidebar_lists_the_pages() -> None:
    text = (ROOT / "_quarto.yml").read_text(encoding="utf-8")
    assert reference.START in text and reference.END in text
    made = reference.with_pages(text, list(reference.pages_of(package())), package().titles)
    assert made == text, "run `make export`"
    assert ([p for p in book_pages() if p.startswith("api/")]
            == list(reference.pages_of(package())))


@pytest.mark.parametrize("name", sorted(modules()))
def test_every_public_name_has_one_entry_in_the_order_of_definition(name: str) -> None:
    wanted = public(modules()[name])
    if not wanted:
        assert f"api/{name}.ipynb" not in pages()
        return
    there = headings(pages()[f"api/{name}.ipynb"], 2)
    assert Counter(there) == Counter(wanted)
    tree = ast.parse(inspect.getsource(modules()[name]))
    defined = [node.name for node in tree.body
               if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    assert [n for n in there if n in defined] == [n for n in defined if n in there]


@pytest.mark.parametrize("chapter", [c for c in chapters()
                                     if any(m.chapter == c for m in package().modules)])
def test_a_chapters_page_lists_its_names_module_after_module(chapter: str) -> None:
    page = pages()[f"api/{chapter}.ipynb"]
    own = [m.name for m in package().modules if m.chapter == chapter and m.entries]
    assert headings(page, 2) == own
    cells = {name: cell.source for name in own
             for cell in page.cells if cell.source.startswith(f"## `{name}`\n")}
    for name, text in cells.items():
        rows = re.findall(rf'^\| <a id="(\w+)"></a>\[`\1`\]\({name}\.ipynb#\1\) \|', text,
                          flags=re.M)
        assert Counter(rows) == Counter(public(modules()[name]))


def as_written(value: Any) -> Any:
    """A method as it was written, also where scikit-learn offers it to some only."""
    some = type(value).__name__.startswith("_Available")
    return value.fn if some else value


def owner(cls: type, method: str) -> str:
    """The public class that a method comes from; a private one speaks for it."""
    home = next(base for base in cls.__mro__ if method in vars(base))
    return [base.__name__ for base in cls.__mro__
            if base.__name__[0] != "_" and issubclass(base, home)][-1]


def test_every_public_method_has_one_entry() -> None:
    there = Counter(n for page in pages().values() for n in headings(page, 3))
    wanted = []
    for name, cls in classes().items():
        private = [b for b in cls.__mro__[1:] if b.__name__[0] == "_"
                   and b.__module__.startswith("supervised.") and not any(
                       issubclass(p, b) for p in cls.__mro__[1:] if p.__name__[0] != "_")]
        own = {n for b in [cls, *private] for n, value in vars(b).items() if n[0] != "_"
               and isinstance(value, (property, cached_property, classmethod, staticmethod))
               or n[0] != "_"
               and inspect.isfunction(as_written(value))
               and as_written(value).__module__ == b.__module__}
        wanted += [f"{name.split('.')[-1]}.{n}" for n in own]
    assert there == Counter(wanted)


def test_an_entry_says_what_a_class_takes_over_and_from_whom() -> None:
    for name, cls in classes().items():
        entry = package().find(cls.__name__, name.rpartition(".")[0])
        assert entry
        told = {m.name.split(".")[1]: base.name
                for base, methods in package().inherited(entry) for m in methods}
        own = {m.name.split(".")[1] for m in entry.methods}
        for base in cls.__mro__[1:]:
            if base.__module__.startswith("supervised.") and base.__name__[0] != "_":
                for method, value in vars(base).items():
                    if (method[0] != "_"
                        and (inspect.isfunction(value)
                             and value.__module__ == base.__module__
                             or isinstance(value, (property, classmethod, staticmethod)))):
                        assert (method in own
                                or told.get(method) == owner(cls, method)), (name, method)
        others = {b for b in entry.bases if b.startswith("sklearn.")}
        real = {b.__name__ for b in cls.__mro__ if b.__module__.startswith("sklearn.base")}
        assert {b.split(".")[-1] for b in others} <= real
        assert (not {"BaseEstimator", "ClassifierMixin", "TransformerMixin"}
                & real - {b.split(".")[-1] for b in others})


def parameters(signature: str) -> list[str]:
    """Names of the parameters with `=` where there is a default, read off an entry."""
    tree = reference.ast.parse(
        f"def f({signature.partition('(')[2].rpartition(')')[0]}): ...").body[0].args  # type: ignore[attr-defined]
    spec = [*tree.posonlyargs, *tree.args]
    have = [""] * (len(spec) - len(tree.defaults)) + ["="] * len(tree.defaults)
    found = [a.arg + d for a, d in zip(spec, have, strict=True)]
    found += [tree.vararg.arg] if tree.vararg else []
    found += [a.arg + "=" * (d is not None)
              for a, d in zip(tree.kwonlyargs, tree.kw_defaults, strict=True)]
    return found + ([tree.kwarg.arg] if tree.kwarg else [])


def asked_for(value: object) -> list[str]:
    """The same from the program."""
    value = getattr(value, "py_func", value)  # what Numba has compiled
    return [p.name + "=" * (p.default is not p.empty)
            for p in inspect.signature(value).parameters.values()]  # type: ignore[arg-type]


def test_signatures_are_those_of_the_program() -> None:
    seen = 0
    for name, module in modules().items():
        for entry in [e for m in package().modules if m.name == name for e in m.entries]:
            value = getattr(module, entry.name)
            if entry.kind == "function" or entry.kind == "class":
                plain = entry.kind == "class" and "(" not in entry.signature
                assert (plain and asked_for(value) in ([], ["args", "kwargs"]) or not plain
                        and parameters(entry.signature) == asked_for(value)), entry.name
                seen += 1
            for method in entry.methods:
                if method.kind == "method":
                    of = inspect.getattr_static(value, method.name.split(".")[1])
                    skip = 0 if isinstance(of, staticmethod) else 1
                    assert parameters(method.signature) == asked_for(
                        as_written(getattr(of, "__func__", of)))[skip:], method.name
    assert seen > 200


def test_docstrings_are_told_in_full() -> None:
    words = {nb.name: "".join(c.source for c in nb.cells) for nb in pages().values()}
    for name, module in modules().items():
        for entry in [e for m in package().modules if m.name == name for e in m.entries]:
            if entry.kind != "constant":
                assert inspect.cleandoc(getattr(module, entry.name).__doc__) == entry.doc
                for title, _ in reference.sections_of(entry.doc)[1]:
                    assert f"**{title}**" in words[entry.page]
    assert not any(re.search(r"^-{4,}$", text, flags=re.M)
                   for text in words.values()), "a section is not understood"


def test_what_a_docstring_lists_are_parameters_or_fields() -> None:
    for one in (e for named in package().entries.values()
                for e in named if "(" in e.signature):
        for title, body in reference.sections_of(one.doc)[1]:
            if title == "Parameters":
                heads = [head for head, _ in reference.items_of(
                    reference.list_and_rest(title, body)[0])]
                listed = {n.strip(" *") for head in heads
                          for n in head.partition(" : ")[0].split(",")}
                assert listed <= {p.rstrip("=")
                                  for p in parameters(one.signature)}, (one.name, listed)


@pytest.mark.parametrize("page", sorted(pages()))
def test_code_in_the_pages_is_closed_where_it_should_be(page: str) -> None:
    for cell in pages()[page].cells:
        for paragraph in re.sub(r"^```.*?^```$", "", cell.source,
                                flags=re.S | re.M).split("\n\n"):
            assert paragraph.count("`") % 2 == 0 and "``" not in paragraph, paragraph
            for code in re.findall(r"`([^`]*)`", paragraph):
                assert code == code.strip(), paragraph


# ------------------------------------ anchors and links


@pytest.mark.parametrize("page", [m.page for m in package().modules])
def test_the_section_marks_where_it_defines_each_name(page: str) -> None:
    cells = NBProcessor(ROOT / "nbs" / page, procs=site.Definitions, process=True).nb.cells
    there = [a for c in cells if c.cell_type == "markdown"
             for a in re.findall(r"\{#(definition-\w+)\}", c.source)]
    assert there == [definition_anchor(e.name) for m in package().modules if m.page == page
                     for e in m.entries]


@pytest.mark.parametrize("page", sorted(pages()))
def test_links_of_the_reference_lead_to_entries(page: str) -> None:
    entries = {e.link for named in package().entries.values() for e in named}
    entries |= {f"api/{name}.ipynb" for m in package().modules
                for name in (m.name, m.chapter)}
    definitions = {f"{m.page}#{definition_anchor(e.name)}" for m in package().modules
                   for e in m.entries}
    sections = ({m.page for m in package().modules}
                | {f"{c}/index.ipynb" for c in chapters()})
    text = "\n".join(re.sub(r"```.*?```", "", c.source, flags=re.S)
                     for c in pages()[page].cells)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) >= 3
    for target in targets:
        if not target.startswith("https:"):
            place = (page + target if target[0] == "#"
                     else str(Path("nbs/api", target).as_posix()))
            place = place.removeprefix("nbs/api/../").replace("nbs/api/", "api/")
            assert place in entries | definitions | sections, target


def test_an_entry_has_the_anchor_that_jupyterlab_gives_its_heading() -> None:
    path = ROOT / "nbs" / "api" / "trees.classifiers.ipynb"
    cells = NBProcessor(path, procs=site.Entries, process=True).nb.cells
    found = [re.match(r"#+ `([\w.]+)` \{#([\w.]+)\}$", c.source.splitlines()[0])
             for c in cells if re.match("#+ `", c.source)]
    assert [m and m[1] == m[2] for m in found] == [True] * len(found) and len(found) >= 4
    (cell,) = [c for c in cells if c.source.startswith("## `C45Classifier`")]
    file, line = re.search(r"\[Source\]\(\S+/blob/\w+/(\S+)#L(\d+)\)", cell.source).groups()  # type: ignore[union-attr]
    assert ((ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
            .startswith("class C45Classifier("))


@pytest.mark.parametrize("name, near, target", [
    ("C45Classifier", "basics", "api/trees.classifiers.ipynb#C45Classifier"),
    ("Table.column", "", "api/basics.engine.tables.ipynb#Table.column"),
    # taken over
    ("C45Classifier.fit", "", "api/basics.engine.classifiers.ipynb#BaseClassifier.fit"),
    ("trees.splits", "", "api/trees.splits.ipynb"),
    ("supervised.trees.splits", "", "api/trees.splits.ipynb"),
    ("supervised.trees", "", "api/trees.ipynb"), ("supervised", "", "api/index.ipynb"),
    ("trees.engine.splitter.merge_values", "",
     "api/trees.engine.splitter.ipynb#merge_values"),
    ("supervised.trees.C45Classifier", "", "api/trees.classifiers.ipynb#C45Classifier"),
    ("trees.splits.C45Classifier", "", None),  # it is in another module
    ("trees", "", None), ("splits", "", None),
    ("fit", "", None), ("C45Classifier.no_such", "", None),
    ("precision", "evaluation", "api/evaluation.measures.ipynb#precision"),
    ("precision", "rules", "api/rules.engine.ripper.ipynb#precision"),
    ("precision", "basics", None),  # one of two, nobody knows which
])
def test_where_a_name_leads(name: str, near: str, target: str | None) -> None:
    assert package().target(name, near) == target


def test_of_two_the_imported_one_is_meant() -> None:
    known = {"precision": "supervised.evaluation.precision"}
    assert (package().target("precision", "rules", known)
            == "api/evaluation.measures.ipynb#precision")


# ------------------------------------ docstrings as Markdown

DOCSTRING = '''Entropy of a distribution, Eq. (3.2), by `gain`.

    $$H(p) = -\\sum_i p_i \\log_2 p_i * 1$$

    Where $p_i|c$ is 0, so is its term; a*b*c <details> stays as it is.

    Parameters
    ----------
    p, q : ndarray of float, shape (n, k); rows add up to 1
        Distributions, see `Table`.
    base : {"2", "e"}, optional
    table : Table or None
    **rest
        Anything `x | y`.

        And a paragraph.

    Attributes `gains_`, a list,
    and those of `Table`.

    Returns
    -------
    ndarray of float, shape (n,)
        At least 0,
        at most log2(k).

    Raises
    ------
    ValueError
        If a row is negative.

    Notes
    -----
    Read `basics.tables` first.

    Examples
    --------
    >>> entropy([1, 0])
    0.0
    '''

MARKDOWN = (
    r'''Entropy of a distribution, Eq. (3.2), by [`gain`](features.impurity.ipynb#gain).

$$H(p) = -\sum_i p_i \log_2 p_i * 1$$

Where $p_i|c$ is 0, so is its term; a\*b\*c &lt;details> stays as it is.

**Parameters**

- `p`, `q` : ndarray of float, shape (n, k); rows add up to 1\
  Distributions, see [`Table`](#Table).
- `base` : `{"2", "e"}`, optional
- `table` : [`Table`](#Table) or None
- `**rest`\
  Anything `x | y`.

  And a paragraph.

Attributes `gains_`, a list,
and those of [`Table`](#Table).

**Returns**

- ndarray of float, shape (n,)\
  At least 0,
  at most log2(k).

**Raises**

- `ValueError`\
  If a row is negative.

**Notes**

Read [`basics.tables`](basics.tables.ipynb) first.

**Examples**

```python
>>> entropy([1, 0])
0.0
```''')


def test_a_docstring_becomes_markdown() -> None:
    links = Links(package(), "api/basics.engine.tables.ipynb", "basics.engine.tables")
    assert rendered(inspect.cleandoc(DOCSTRING), links) == MARKDOWN


def test_the_signature_tells_what_the_docstring_leaves_out() -> None:
    doc = '''Do.

    Parameters
    ----------
    a : int, optional
        The first.
    b, c : float
        Two of one default.
    d, e
        Two of different ones.
    f : str, by default "x"
    g
        Nothing given.
    '''
    signature = "def do(a=1, b=0.5, c=0.5, d: str = 'x', e: str = 'y', f='x', *, g): ..."
    (do,) = griffe.visit("m", filepath=Path("m.py"), code=signature).functions.values()
    links = Links(package(), "api/basics.tables.ipynb", "basics.tables")
    assert (re.findall("^- (.*?)\\\\?$",
                       rendered(inspect.cleandoc(doc), links, do.parameters), flags=re.M)
            == ["`a` : int, default `1`", "`b`, `c` : float, default `0.5`",
                "`d`, `e` : `str`", '`f` : str, by default `"x"`', "`g`"])


def test_lists_become_definition_lists_on_the_site() -> None:
    text = ("Before.\n\n**Parameters**\n\n" + "\n".join([
        "- `p` : float, default `1`\\", "  Two", "  lines.", "", "  And a paragraph.",
        "- `q`", "- `r` : int"]) + ("\n\n**Raises**\n\n- `ValueError`\\\n  Always.\n\n"
                                    "**Inherited**\n\n- from `B`\n"))
    assert with_definitions(text).split("\n") == [
        "Before.", "", "**Parameters**", "", "`p` [float, default `1`]{.of-type}",
        ":   Two", "    lines.", "", "    And a paragraph.", "", "`q`", ":   <!-- -->",
        "", "`r` [int]{.of-type}", ":   <!-- -->", "", "**Raises**", "", "`ValueError`",
        ":   Always.", "", "**Inherited**", "", "- from `B`", ""]


def test_every_list_of_the_reference_becomes_a_definition_list() -> None:
    for page in pages().values():
        for cell in page.cells:
            made = with_definitions(cell.source)
            assert not re.search(rf"^\*\*({'|'.join(reference.LISTS)})\*\*\n\n- ", made,
                                 flags=re.M), page.name
            items = re.findall(r"^- `",
                               re.sub(r"\*\*Inherited\*\*.*", "", cell.source, flags=re.S),
                               flags=re.M)
            assert made.count("\n:   ") >= len(items)
            assert Counter(re.findall(r"\w+", cell.source)) == Counter(
                re.findall(r"\w+", made.replace("{.of-type}", ""))), cell.source


@pytest.mark.parametrize("text, expected", [
    ("2 < 3 and a|b", r"2 < 3 and a\|b"),
    ("no <b>tag</b>", "no &lt;b>tag&lt;/b>"),
    ("costs $5, or $x*y$", r"costs $5, or $x*y$"),
    ("`a*b` and a*b", r"`a*b` and a\*b"),
])
def test_words_that_are_no_markup_stay_words(text: str, expected: str) -> None:
    assert prose(text) == expected


# ------------------------------------ a small package

MODULE = '''from __future__ import annotations
from dataclasses import dataclass, field
from typing import NamedTuple
from sklearn.base import BaseEstimator

__all__ = ['LIMIT', 'A', 'B', 'Rows', 'Pair', 'Wide', 'both', 'Model']

LIMIT = 0.5  # above it, yes
A, B = 0, 1

@dataclass
class Rows:
    """Rows, `n` of them."""

    n: int
    names: list[str] = field(default_factory=list)
    kept: int = field(default=0, init=False)

class Pair(NamedTuple):
    """Two."""

    left: float
    right: float = 0.0

@dataclass
class Wide(Rows):
    """More."""

    wide: bool = True

class _Base(BaseEstimator):
    def __init__(self, depth: int = 3):
        self.depth = depth

    def fit(self, X: object, /, y: object, *, twice: bool = False) -> _Base:
        """Learn."""
        return self

    @property
    def size(self) -> int:
        """How large."""
        return 1

def both(*rows: Rows, **options: object) -> None:
    """Nothing.

    Parameters
    ----------
    rows, options
    """

def _hidden() -> None: ...

class Model(_Base):
    """A model."""

    @staticmethod
    def read(text: str) -> Model:
        """Read one."""
        return Model()
'''

RULES = '''from ..basics import Model

__all__ = ['RuleModel']

class RuleModel(Model):
    """Rules."""

    def fit(self, X: object, y: object) -> RuleModel:
        """Learn rules."""
        return self
'''


@pytest.fixture()
def small(tmp_path: Path) -> Path:
    """The small book, with a package in its place
    and a sidebar that has room for a reference."""
    root = small_book.write_small_book(tmp_path / "book")
    for name, text in (("basics/learning", '__all__ = []\n'), ("basics/tables", MODULE),
                       ("trees/splits", RULES)):
        path = root / "small" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "small" / "__init__.py").write_text("")
    (root / "small" / "basics" / "__init__.py").write_text("from .tables import Model\n")
    (root / "small" / "trees" / "__init__.py").write_text("")
    block = ("      - section: API\n        href: api/index.ipynb\n"
             f"        contents:\n          {reference.START}\n"
             f"          {reference.END}\n")
    (root / "_quarto.yml").write_text((root / "_quarto.yml").read_text() + block)
    return root


def cells(root: Path, page: str) -> dict[str, str]:
    nb = read_notebook(root / "nbs" / "api" / page, root)
    return {c.source.splitlines()[0].strip("# `"): c.source for c in nb.cells}


def test_a_package_is_read_without_running_it(small: Path) -> None:
    reference.write_reference(small)
    there = cells(small, "basics.tables.ipynb")
    assert [n for n in there if n.split(".")[0]
            in ("LIMIT", "A", "B", "Rows", "Pair", "Wide", "both", "Model")] == [
                "LIMIT", "A", "B", "Rows", "Pair", "Wide", "both", "Model", "Model.read",
                "Model.fit", "Model.size"]
    code = {n: re.search(r"```python\n(.*?)\n```", text, flags=re.S)[1]
            for n, text in there.items() if "```" in text}  # type: ignore[index]
    assert code == {
        "LIMIT": "LIMIT = 0.5",
        "A": "A, B = 0, 1",
        "B": "A, B = 0, 1",
        "Rows": "class Rows(n: int, names: list[str] = list())",
        "Pair": "class Pair(left: float, right: float = 0.0)",
        "Wide": "class Wide(n: int, names: list[str] = list(), wide: bool = True)",
        "both": "both(*rows: Rows, **options: object) -> None",
        "Model": "class Model(depth: int = 3)",
        "Model.read": "Model.read(text: str) -> Model",
        "Model.fit": "Model.fit(X: object, /, y: object, *, twice: bool = False) -> Model",
        "Model.size": "Model.size: int",
    }
    assert "Above it, yes." in there["LIMIT"] and "_hidden" not in "".join(there.values())
    assert "[`sklearn.base.BaseEstimator`](https://scikit-learn.org/" in there["Model"]
    rules = cells(small, "trees.splits.ipynb")
    takes = ("[`read`](basics.tables.ipynb#Model.read), "
             "[`size`](basics.tables.ipynb#Model.size)")
    assert f"- from [`Model`](basics.tables.ipynb#Model): {takes}\n" in rules["RuleModel"]


def test_a_new_chapter_and_a_chapter_that_is_gone(small: Path) -> None:
    reference.write_reference(small)
    listed = yaml.safe_load((small / "_quarto.yml")
                            .read_text())["website"]["sidebar"]["contents"][-1]["contents"]
    assert listed == [
        {"section": "Basics", "href": "api/basics.ipynb",
         "contents": [{"text": "tables", "href": "api/basics.tables.ipynb"}]},
        {"section": "Trees", "href": "api/trees.ipynb",
         "contents": [{"text": "splits", "href": "api/trees.splits.ipynb"}]}]
    before = (small / "_quarto.yml").read_text()
    reference.write_reference(small)
    assert (small / "_quarto.yml").read_text() == before
    (small / "small" / "trees" / "splits.py").write_text("__all__ = []\n")
    reference.write_reference(small)
    assert sorted(p.name for p in (small / "nbs" / "api").iterdir()) == [
        "basics.ipynb", "basics.tables.ipynb", "index.ipynb"]
    assert "api/trees.ipynb" not in (small / "_quarto.yml").read_text()


def test_no_place_in_the_sidebar_no_reference(small: Path) -> None:
    path = small / "_quarto.yml"
    path.write_text(path.read_text().replace(reference.START, ""))
    reference.write_reference(small)
    assert not (small / "nbs" / "api").exists()
