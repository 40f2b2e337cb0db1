"""`help()` stands on its own: every public docstring
explains each of its parameters itself."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tools.book import modules
from tools.reference import items_of, package, sections_of

MODULES = modules()
POINTS = re.compile(
    r"(?:[Aa]s (?:for|in)|(?:(?:\w+ ){0,3}\w+, )?[Ss]ee|Of an?) `[\w.]+`\.?"
)


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public classes and functions that a module defines."""
    for name in module.__all__:
        value = getattr(module, name)
        value = getattr(value, "py_func", value)  # what Numba has compiled
        if inspect.isclass(value) or inspect.isfunction(value):
            yield name, value


def explained(doc: str) -> dict[str, str]:
    """What a docstring says about each parameter, beside its type."""
    found = {}
    for title, body in sections_of(doc)[1]:
        if title in ("Parameters", "Attributes"):
            for head, below in items_of(body):
                for name in head.partition(" : ")[0].split(","):
                    found[name.strip(" *")] = below
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_parameter_is_explained_where_help_is_asked(name: str) -> None:
    problems = []
    for what, value in public(importlib.import_module(f"supervised.{name}")):
        told = explained(value.__doc__)
        for parameter in inspect.signature(value).parameters.values():
            if parameter.name in ("args", "kwargs") and inspect.isclass(value):
                continue  # a class without a constructor of its own
            words = told.get(parameter.name, "")
            if not words:
                problems.append(f"{what}: {parameter.name} has no explanation")
            elif POINTS.fullmatch(words.strip()):
                problems.append(f"{what}: {parameter.name} only points elsewhere: {words}")
    assert not problems, "\n".join(problems)


# what a subclass of a public base writes itself
HOOKS = {"_parameter_constraints", "_learn", "_probabilities", "_explained",
         "_takes_missing", "_takes_nominal", "_counts", "_changed", "_cut", "_solve",
         "_shares", "_rules", "_ordered"}


def test_help_names_nothing_that_a_reader_cannot_look_up() -> None:
    problems = [f"{module.name}.{one.name}: {name}"
                for module in package().modules for entry in module.entries
                for one in [entry, *entry.methods]
                for name in re.findall(r"`(_\w+)", one.doc) if name not in HOOKS]
    assert not problems, "\n".join(problems)
