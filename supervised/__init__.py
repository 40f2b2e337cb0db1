"""Classical supervised learning as a book that runs: the notebooks are the library."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import basics as basics, evaluation as evaluation, features as features, trees as trees, bayes as bayes, neighbors as neighbors

__version__ = "0.1.0"
__all__ = [
    "basics",
    "evaluation",
    "features",
    "trees",
    "bayes",
    "neighbors",
]


def _attach(package: str, home: dict[str, str]) -> tuple[Callable, Callable]:
    """`__getattr__` and `__dir__` of a package whose names are imported on first use (SPEC 1).

    `home` names the module of each public name; a name that is its own home is a module.
    """

    def __getattr__(name: str) -> object:
        if name not in home:
            if package == __name__ and not name.startswith("_"):
                _say_where(name)
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{home[name]}")
        value = module if name == home[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)  # found once: no detour the next time
        return value

    def __dir__() -> list[str]:
        return sorted([*home, *(x for x in vars(sys.modules[package]) if x.startswith("__"))])

    return __getattr__, __dir__


def _say_where(name: str) -> None:
    """ImportError that says which module a name of the package is imported from, if there is one.

    It is no AttributeError, since `from ... import` would replace that by a sentence of its own.
    """
    from ._modidx import d

    for module, names in d["syms"].items():
        if f"{module}.{name}" in names:
            chapter = importlib.import_module(module.rpartition(".")[0])
            home = chapter.__name__ if name in chapter.__all__ else module
            raise ImportError(f"{name} is not imported from {__name__} itself: from {home} import {name}")


__getattr__, __dir__ = _attach(__name__, {name: name for name in __all__})
