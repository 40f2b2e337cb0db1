"""For the tests: a kernel that a page defines just as the package has it is compiled once.

An engine page defines the kernels of its module anew, as `__main__` has them, and Numba
would compile them anew: minutes for the whole book, on every fresh machine. In the kernels
of the tests, which `tools.kernels` forks, such a function runs what was compiled for its
twin in the package. Twins have the same source and defaults, and mean the same things by
the names they use; `tests/house` sees to it that pages and package don't part. `make run`
and JupyterLab know nothing of this: there a page compiles what it defines.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.sigutils import normalize_signature
from numba.core.types import BaseTuple

PAGE = "__main__"


def text(function: types.FunctionType) -> str:
    """The code of a function without its docstring, which `make export` completes."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:]
    return ast.dump(node)


def same(ours: Any, theirs: Any) -> bool:
    """Whether a name means the same thing on the page and in the package."""
    if ours is theirs or class_twin(ours) is theirs:
        return True
    if isinstance(getattr(ours, "_cache", None), Shared):
        return ours._cache.twin is theirs
    if isinstance(ours, (int, float, str, bool, tuple)):
        return type(ours) is type(theirs) and ours == theirs
    if isinstance(ours, np.ndarray):
        return isinstance(theirs, np.ndarray) and np.array_equal(ours, theirs)
    return False


def are_twins(ours: types.FunctionType, theirs: types.FunctionType) -> bool:
    """Whether a function of a page does what one of the package does."""
    mine, its = ours.__globals__, theirs.__globals__
    return (ours.__closure__ is None and ours.__defaults__ == theirs.__defaults__
            and all(same(mine[n], its[n]) for n in ours.__code__.co_names
                    if n in mine and n in its)
            and text(ours) == text(theirs))


def of_the_package() -> list[dict[str, Any]]:
    """The names of each module of the package that has been imported."""
    return [vars(module) for name, module in list(sys.modules.items())
            if name.startswith("supervised.") and module is not None]


def kernel_twin(function: types.FunctionType) -> Any:
    """The compiled twin of a page's function, or None."""
    for names in of_the_package():
        its: Any = names.get(function.__name__)
        if (hasattr(its, "py_func") and its.__module__ == names["__name__"]
            and are_twins(function, its.py_func)):
            return its
    return None


def class_twin(kind: Any) -> Any:
    """For a named tuple of a page the one of the package with the same name and fields;
    anything else is its own twin."""
    if (isinstance(kind, type) and issubclass(kind, tuple) and kind.__module__ == PAGE
        and hasattr(kind, "_fields")):
        for names in of_the_package():
            its = names.get(kind.__name__)
            if (isinstance(its, type) and its.__module__ == names["__name__"]
                and getattr(its, "_fields", None) == kind._fields):
                return its
    return kind


class Shared:
    """In place of a kernel's files on disk: what was compiled for its twin, or is now."""

    def __init__(self, twin: Any) -> None:
        self.twin = twin

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for some types."""
        self.twin.compile(sig)
        code = self.twin.overloads[normalize_signature(sig)[0]]
        if code.metadata:  # how long that took is noted by each who waited, but only once
            code.metadata.pop("timers", None)
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        """The twin keeps it."""


def use() -> None:
    """From now on `compiled` looks for twins of what a page defines."""
    from supervised.basics import kernels

    compiled: Callable = kernels.compiled
    from_types = BaseTuple.from_types

    def shared(function: Any) -> Any:
        kernel = compiled(function)
        twin = kernel_twin(function) if function.__module__ == PAGE else None
        if twin is not None:
            kernel._cache = Shared(twin)
        return kernel

    def of_package(tys: Any, pyclass: Any = None) -> Any:
        return from_types(tys, class_twin(pyclass))

    kernels.compiled = shared
    BaseTuple.from_types = staticmethod(of_package)  # type: ignore[method-assign]
