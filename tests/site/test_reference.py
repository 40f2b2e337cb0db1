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

from tools.book import Notebook, chapters, definition_anchor, notebooks
from tools.book import modules as book_modules
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


# ------------------------------------ complete


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


def as_written(value: Any) -> Any:
    """A method as it was written, also where scikit-learn offers it to some only."""
    some = type(value).__name__.startswith("_Available")
    return value.fn if some else value


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


def parameters(signature: str) -> list[str]:
    """Names of the parameters with `=` where there is a default, read off an entry."""
    tree = ast.parse(
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
            if entry.kind != "attribute":
                plain = entry.kind == "class" and "(" not in entry.signature
                assert (plain and asked_for(value) in ([], ["args", "kwargs"]) or not plain
                        and parameters(entry.signature) == asked_for(value)), entry.name
                seen += 1
            for method in entry.methods:
                if method.kind == "function":
                    of = inspect.getattr_static(value, method.name.split(".")[1])
                    skip = 0 if isinstance(of, staticmethod) else 1
                    assert parameters(method.signature) == asked_for(
                        as_written(getattr(of, "__func__", of)))[skip:], method.name
    assert seen > 200


# ------------------------------------ anchors and links


@pytest.mark.parametrize("page", sorted(pages()))
def test_links_of_the_reference_lead_to_entries(page: str) -> None:
    entries = {e.link for named in package().named.values() for e in named}
    entries |= {f"api/{name}.ipynb" for name in (*book_modules(), *chapters())}
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
