"""Classical supervised learning as a book that runs: the notebooks are the library."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import basics as basics, evaluation as evaluation, features as features, trees as trees, rules as rules, bayes as bayes, neighbors as neighbors

__version__ = "0.1.0"
__all__ = [
    "basics",
    "evaluation",
    "features",
    "trees",
    "rules",
    "bayes",
    "neighbors",
]


def _attach(package: str, home: dict[str, str]) -> tuple[Callable, Callable]:
    """`__getattr__` and `__dir__` of a package whose names are imported on first use (SPEC 1).

    `home` names the module of each public name; a name that is its own home is a module.
    """

    def __getattr__(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{home[name]}")
        value = module if name == home[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)  # found once: no detour the next time
        return value

    def __dir__() -> list[str]:
        return sorted([*home, *(x for x in vars(sys.modules[package]) if x.startswith("__"))])

    return __getattr__, __dir__


__getattr__, __dir__ = _attach(__name__, {name: name for name in __all__})
