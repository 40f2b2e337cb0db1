"""What an installed package must be able to do: `python smoke.py`, in an environment that
has nothing else. `python smoke.py dist` makes one, and installs the wheel of that folder.

Every public name is there, every estimator fits a small table, models come back from JSON,
and the data files are inside. It imports nothing of this repository but the package.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pickle
import pkgutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

DEVELOPMENT = ("nbdev", "fastcore", "execnb", "IPython", "jupyterlab", "pytest",
               "hypothesis", "ruff", "mypy", "yaml")


def import_all() -> list[str]:
    """Import every module, and ask for every name that one lists as public."""
    import supervised

    names = ["supervised",
             *(m.name for m in pkgutil.walk_packages(supervised.__path__, "supervised."))]
    names.remove("supervised._modidx")  # nbdev's own index of the notebooks
    for name in names:
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", ()):
            assert getattr(module, public) is not None, f"{name}.{public}"
    return names


def estimators() -> list[type]:
    """Every public class with `fit` that can be made without arguments, bases left out."""
    found: dict[type, None] = {}
    for module in map(importlib.import_module, import_all()):
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if inspect.isclass(kind) and hasattr(kind, "fit") and not abstract(kind):
                found[kind] = None
    return list(found)


def abstract(kind: type) -> bool:
    """Whether a class leaves a method of its own to its subclasses."""
    return (kind.__name__ in ("BaseClassifier", "TableEstimator") or any(
        "raise NotImplementedError" in inspect.getsource(method)
        for _, method in inspect.getmembers(kind, inspect.isfunction)
        if method.__module__.startswith("supervised")))


def fit_all() -> int:
    """Fit each estimator on a small table;
    what is written to JSON or a pickle comes back the same."""
    import numpy as np
    import pandas as pd

    from supervised.basics import from_json

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, (60, 3)), columns=["a", "b", "c"]).astype(float)
    y = np.where(X["a"] + X["b"] > 3, "yes", "no")
    others = {"RuleRecommender", "XRulesClassifier"}  # they learn from no such table
    kinds = [kind for kind in estimators() if kind.__name__ not in others]
    for kind in kinds:
        model = kind().fit(X, y)
        answer = "predict" if hasattr(model, "predict") else "transform"
        expected = np.asarray(getattr(model, answer)(X))
        assert len(expected) == len(X), kind
        copies = [pickle.loads(pickle.dumps(model))]
        copies += [from_json(model.to_json())] if hasattr(model, "to_json") else []
        for copy in copies:
            assert np.array_equal(np.asarray(getattr(copy, answer)(X)), expected), kind
    return len(kinds)


def open_data() -> None:
    """The tables that come with the package can be read."""
    from supervised.basics import corpora, datasets

    loaders = [getattr(module, n) for module in (datasets, corpora) for n in module.__all__
               if n.startswith("load_")]
    loaders = [load for load in loaders if not any(
        p.default is p.empty for p in inspect.signature(load).parameters.values())]
    assert loaders
    for load in loaders:
        assert len(load()), load.__name__


def main() -> None:
    """All of it; a failure ends in a traceback."""
    import supervised

    lost = [name for name in DEVELOPMENT if importlib.util.find_spec(name)]
    assert not lost, f"this environment is not empty: {lost}"
    modules = import_all()
    pulled = [name for name in DEVELOPMENT if name in sys.modules]
    assert not pulled, f"the package imports what only its developers have: {pulled}"
    assert (Path(supervised.__file__).parent / "py.typed").exists()
    open_data()
    print(f"supervised {supervised.__version__}: {len(modules)} modules import, "
          f"{fit_all()} estimators fit")


def try_wheel(folder: str, *pins: str) -> None:
    """Install the wheel of a folder into an empty environment, and run this file there."""
    (wheel,) = Path(folder).glob("*.whl")
    with tempfile.TemporaryDirectory() as empty:
        venv.create(empty, with_pip=True)
        python = Path(empty) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        install = [python, "-m", "pip", "install", "--quiet", *pins, wheel]
        subprocess.run(install, check=True)
        subprocess.run([python, "-I", Path(__file__).resolve()], check=True, cwd=empty)


if __name__ == "__main__":
    if sys.argv[1:]:
        try_wheel(*sys.argv[1:])
    else:
        main()
