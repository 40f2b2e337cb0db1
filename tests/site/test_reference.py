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

import pytest
from nbdev.process import NBProcessor

from tools import reference, site
from tools.book import ROOT, Notebook, chapters, definition_anchor, notebooks, read_notebook
from tools.book import modules as book_modules
from tools.book import pages as book_pages
from tools.reference import package


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


# ------------------------------------ docstrings as Markdown


# ------------------------------------ a small package


def cells(root: Path, page: str) -> dict[str, str]:
    nb = read_notebook(root / "nbs" / "api" / page, root)
    return {c.source.splitlines()[0].strip("# `"): c.source for c in nb.cells}
