"""The package from the outside: what `import supervised` costs, shows and promises."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import supervised
from tools.book import ROOT, chapters, notebooks, settings

HEAVY = ("numpy", "pandas", "scipy", "sklearn", "numba", "matplotlib", "joblib", "tqdm", "IPython")
CHAPTERS = [c for c in chapters() if any(nb.module and nb.chapter == c for nb in notebooks())]


def fresh(script: str) -> str:
    """What a script prints in a new interpreter."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names(package: str) -> list[str]:
    return importlib.import_module(package).__all__


def test_the_package_under_test_is_this_one() -> None:
    assert Path(supervised.__file__).parent == ROOT / "supervised"


def test_import_is_light() -> None:
    chapter_imports = "".join(
        f"import supervised.{c}, supervised\ndir(supervised.{c})\n" for c in CHAPTERS
    )
    loaded = json.loads(
        fresh(
            f"import supervised\ndir(supervised)\n{chapter_imports}"
            "import sys, json\nprint(json.dumps(sorted(sys.modules)))"
        )
    )
    assert "supervised" in loaded
    assert [m for m in HEAVY if m in loaded] == []
    sections = [m for m in loaded if m.count(".") >= 2 and m.startswith("supervised.")]
    assert sections == []


def test_a_chapter_is_imported_when_it_is_asked_for() -> None:
    for chapter in CHAPTERS:
        assert (
            fresh(f"import supervised; print(supervised.{chapter}.__name__)").strip()
            == f"supervised.{chapter}"
        )


def test_the_chapters_are_the_public_names() -> None:
    assert names("supervised") == CHAPTERS


@pytest.mark.parametrize("package", ["supervised", *(f"supervised.{c}" for c in CHAPTERS)])
def test_dir_shows_what_is_public(package: str) -> None:
    module = importlib.import_module(package)
    shown = [n for n in dir(module) if not n.startswith("__")]
    assert shown == sorted(module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)
    assert "__version__" in dir(module) or package != "supervised"
    assert module.__doc__ and module.__doc__.strip().endswith(".")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_public_name_resolves(chapter: str) -> None:
    package = importlib.import_module(f"supervised.{chapter}")
    for name in package.__all__:
        assert getattr(package, name) is not None
    for nb in notebooks():
        if nb.module and nb.chapter == chapter:
            module = importlib.import_module(f"supervised.{nb.module}")
            assert getattr(package, nb.module.split(".")[1]) is module
            for name in module.__all__:
                assert getattr(package, name) is getattr(module, name)
                assert name in package.__all__


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_star_import(chapter: str) -> None:
    space: dict[str, object] = {}
    exec(f"from supervised.{chapter} import *", space)
    assert sorted(set(space) - {"__builtins__"}) == sorted(names(f"supervised.{chapter}"))


@pytest.mark.parametrize("package", ["supervised", *(f"supervised.{c}" for c in CHAPTERS)])
def test_an_unknown_name_is_an_error_that_says_where(package: str) -> None:
    module = importlib.import_module(package)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'no_such_name'"):
        module.no_such_name  # noqa: B018
    with pytest.raises(ImportError, match="no_such_name"):
        exec(f"from {package} import no_such_name")


@pytest.mark.parametrize("package", ["supervised", *(f"supervised.{c}" for c in CHAPTERS)])
def test_editors_complete_the_public_names(package: str) -> None:
    """Jedi reads the files; it is what JupyterLab and IPython ask."""
    for script in (f"from {package} import ", f"import {package}\n{package}."):
        offered = {c.name for c in jedi.Script(script, project=jedi.Project(ROOT)).complete()}
        assert set(names(package)) <= offered, sorted(set(names(package)) - offered)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_editors_show_the_docstring(chapter: str) -> None:
    """Completion leads to the definition, not to a name that nothing is known about."""
    package = importlib.import_module(f"supervised.{chapter}")
    name = next(n for n in package.__all__ if isinstance(getattr(package, n), type))
    script = f"from supervised.{chapter} import {name}\n{name}"
    (found,) = jedi.Script(script, project=jedi.Project(ROOT)).infer(2, 1)
    assert found.type == "class" and found.docstring()


def test_typed_and_versioned() -> None:
    assert (ROOT / "supervised" / "py.typed").exists()
    assert supervised.__version__ == settings()["version"]
    assert (
        fresh("import supervised; print(supervised.__version__)").strip() == settings()["version"]
    )
