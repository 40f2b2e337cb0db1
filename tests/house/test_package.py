"""The package from the outside: what `import supervised` costs, shows and promises."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys

import jedi
import pytest

import supervised
from tests.house.house_rules import imported, parsed, public
from tools.book import ROOT, chapters, modules, notebooks, offered, read_notebook, settings
from tools.reference import package as as_read

HEAVY = ("numpy", "pandas", "scipy", "sklearn", "numba", "matplotlib", "joblib", "tqdm",
         "IPython")
MOST = 24  # names that a chapter offers, beside its modules
ELSEWHERE = {"data"}  # a folder of tables
CHAPTERS = [c for c in chapters() if any(m.startswith(f"{c}.") for m in modules())]


def fresh(script: str) -> str:
    """What a script prints in a new interpreter."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names(package: str) -> list[str]:
    return importlib.import_module(package).__all__


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


def test_the_chapters_are_the_public_names() -> None:
    assert names("supervised") == sorted(CHAPTERS)


@pytest.mark.parametrize("package", ["supervised", *(f"supervised.{c}" for c in CHAPTERS)])
def test_dir_shows_what_is_public(package: str) -> None:
    module = importlib.import_module(package)
    shown = [n for n in dir(module) if not n.startswith("__")]
    assert shown == sorted(module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)
    assert module.__doc__ and module.__doc__.strip().endswith(".")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_offers_its_modules_and_what_its_landing_page_lists(chapter: str) -> None:
    package = importlib.import_module(f"supervised.{chapter}")
    its = {m.split(".")[1] for m in modules() if m.startswith(f"{chapter}.")}
    listed = offered(read_notebook(ROOT / "nbs" / chapter / "index.ipynb"))
    assert 1 <= len(listed) <= MOST
    assert sorted(package.__all__) == sorted([*listed, *its])
    for name in its:
        assert getattr(package, name) is importlib.import_module(
            f"supervised.{chapter}.{name}")
    for name in listed:
        (home,) = [m for m in modules() if m.startswith(f"{chapter}.")
                   and name in names(f"supervised.{m}")]
        assert getattr(package, name) is getattr(
            importlib.import_module(f"supervised.{home}"), name)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_import_lines_of_the_reference_hold(chapter: str) -> None:
    made = sorted((ROOT / "nbs" / "api").glob(f"{chapter}.*.ipynb"))
    package = importlib.import_module(f"supervised.{chapter}")
    names = []
    for cell in [cell for path in made for cell in read_notebook(path).cells]:
        if heading := re.match(r"## `(\w+)`$", cell.source.splitlines()[0]):
            (line, home, name) = re.search(r"`(from ([\w.]+) import (\w+))`",
                                           cell.source).groups()  # type: ignore[union-attr]
            assert name == heading[1]
            assert (home == package.__name__) == (name in package.__all__), line
            exec(line, {})
            names.append(name)
    assert set(package.__all__) & set(names) == set(offered(
        read_notebook(ROOT / "nbs" / chapter / "index.ipynb")))


@pytest.mark.parametrize("package, name, homes", [
    ("supervised", "C45Classifier", ["trees"]),
    ("supervised", "smoothed_probabilities", ["bayes"]),
    ("supervised.trees", "merge_values", ["trees.engine.merging"]),
    ("supervised.bayes", "KNNClassifier", ["neighbors"]),
])
def test_a_name_from_elsewhere_is_an_error_that_says_where_it_is(
    package: str, name: str, homes: list[str]
) -> None:
    said = " or ".join(f"from supervised.{home} import {name}" for home in homes)
    with pytest.raises(ImportError, match=rf"has no attribute '{name}': {said}$"):
        exec(f"from {package} import {name}")
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}': {said}$"):
        getattr(importlib.import_module(package), name)
    assert not hasattr(importlib.import_module(package), name)
    exec(said.partition(" or ")[0])


@pytest.mark.parametrize("package", ["supervised", *(f"supervised.{c}" for c in CHAPTERS)])
def test_editors_complete_the_public_names(package: str) -> None:
    """Jedi reads the files; it is what JupyterLab and IPython ask."""
    for script in (f"from {package} import ", f"import {package}\n{package}."):
        shown = {c.name for c in jedi.Script(script, project=jedi.Project(ROOT)).complete()}
        public = {name for name in shown if not name.startswith("_")}
        assert public - ELSEWHERE == set(names(package)), public ^ set(names(package))


def test_typed_and_versioned() -> None:
    assert (ROOT / "supervised" / "py.typed").exists()
    assert supervised.__version__ == settings()["version"]
    assert (
        fresh("import supervised; print(supervised.__version__)")
        .strip() == settings()["version"]
    )


def met_by_readers() -> set[tuple[str, str]]:
    """Names that pages outside `engine/` import for their reader, or hand on, by module."""
    found = set()
    for nb in notebooks():
        for cell in nb.cells if nb.path.parent.name != "engine" else []:
            tree = parsed(nb, cell) if cell.kind == "code" else None
            if tree and (not cell.is_exported or "handed on" in cell.source):
                found |= {(base, name) for _, base, name in imported(tree, "supervised", "")
                          if name}
    return found


def given_and_taken() -> set[str]:
    """Names in the annotations of public functions and methods."""
    return {name for module in as_read().modules for entry in module.entries
            for one in [entry, *entry.methods]
            for name in re.findall(r"\w+", one.signature.replace(entry.name, "", 1))}


def test_what_no_reader_meets_has_an_underscore() -> None:
    met, results = met_by_readers(), given_and_taken()
    problems = []
    for nb in notebooks():
        if nb.module and nb.path.parent.name == "engine":
            listed = offered(read_notebook(ROOT / "nbs" / nb.chapter / "index.ipynb"))
            problems += [f"{nb.name}: {name}" for name in public(nb)
                         if name not in listed and (nb.module, name) not in met
                         and name not in results]
    assert not problems, "give them an underscore, or list them on the landing page"
