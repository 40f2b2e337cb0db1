"""Classical supervised learning as a book that runs: the notebooks are the library."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

__version__ = "1.0.0"


# What these functions import stays inside them: completion shows the names of this file.
def _attach(package: str, file: str) -> tuple:
    """What makes a package import its names on first use (SPEC 1); the stub beside its file lists them.

    A name that it does not offer is an error that says where the name is.
    """
    import sys

    import lazy_loader

    get, listed, names = lazy_loader.attach_stub(package, file)

    def __getattr__(name: str) -> object:
        if name in names:
            return get(name)
        asked = sys._getframe(1).f_code.co_name == "_handle_fromlist"  # by `from package import name`
        said = f"module {package!r} has no attribute {name!r}"
        found = _imports_of(name)
        if found:
            said += f": {' or '.join(found)}"
        raise (ImportError if asked and found else AttributeError)(said)

    return __getattr__, listed, names


def _imports_of(name: str) -> list[str]:
    """How a name is imported: from its chapter where that offers it, from its module otherwise."""
    from importlib import import_module

    if name.startswith("_"):
        return []
    symbols = import_module("supervised._modidx").d["syms"]
    modules = [module for module, names in symbols.items() if f"{module}.{name}" in names]
    chapters = [import_module(".".join(module.split(".")[:2])) for module in modules]
    homes = [c.__name__ if name in c.__all__ else m for m, c in zip(modules, chapters, strict=True)]
    return [f"from {home} import {name}" for home in homes]


__getattr__, __dir__, __all__ = _attach(__name__, __file__)
