"""Is the repository ready to be released?

What `make dist` does in full is done here in small: the wheel is built without an
environment of its own, and the package is imported from it where no development package can
be.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
import yaml

from tools.book import ROOT, settings


def setuptools() -> int:
    """The major version of setuptools here; 0 for none."""
    try:
        return int(version("setuptools").split(".")[0])
    except PackageNotFoundError:
        return 0


LACKS = ("needs setuptools 77 or newer, which the extra dev installs" if setuptools() < 77
         else "needs git and a clone" if not shutil.which("git")
         or not (ROOT / ".git").exists() else "")
BUILD = pytest.mark.skipif(bool(LACKS), reason=LACKS)

# ------------------------------------ wheel and sdist


def files() -> set[str]:
    """The files that git knows or would take up."""
    said = subprocess.run(["git", "-c", "core.quotepath=off", "ls-files", "--cached",
                           "--others", "--exclude-standard"], cwd=ROOT, check=True,
                          capture_output=True, text=True, encoding="utf-8").stdout
    return {name for name in said.splitlines() if os.path.lexists(ROOT / name)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist of what git knows or would take up,
    and the wheel of what the sdist holds."""
    folder = tmp_path_factory.mktemp("release")
    for name in files():
        target = folder / "copy" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target, follow_symlinks=False)
    sdist = build("sdist", folder / "copy", folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return build("wheel", next((folder / "unpacked").iterdir()), folder), sdist


def build(what: str, source: Path, to: Path) -> Path:
    """A wheel or an sdist, made by the setuptools that is here."""
    script = ("import sys; from setuptools import build_meta; "
              f"print(build_meta.build_{what}(sys.argv[1]))")
    done = subprocess.run([sys.executable, "-c", script, str(to)], cwd=source,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return to / done.stdout.split()[-1]


@pytest.mark.deep
@BUILD
def test_the_wheel_is_the_package(built: tuple[Path, Path]) -> None:
    """And nothing else but what pip wants to know."""
    with zipfile.ZipFile(built[0]) as archive:
        inside = {n for n in archive.namelist()
                  if ".dist-info/" not in n and not n.endswith("/")}
    assert inside == {n for n in files() if n.startswith("supervised/")}


@pytest.mark.deep
@BUILD
def test_the_sdist_is_the_book(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as archive:
        inside = {m.name.partition("/")[2] for m in archive.getmembers() if not m.isdir()}
    made = {n for n in inside if n in ("PKG-INFO", "setup.cfg") or ".egg-info/" in n}
    assert inside - made == {n for n in files() if not n.startswith(".github/")}
    assert built[1].stat().st_size < 60_000_000


# ------------------------------------ citation and changelog


def test_citation_and_changelog_are_in_step() -> None:
    """Version and date stand in three files, the address in two."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    assert project["description"] == settings()["description"]
    assert project["urls"] == {"Home": settings()["doc_host"] + settings()["doc_baseurl"],
                               "Source": settings()["git_url"]}
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.*)$", changes, flags=re.M)
    date = cited.get("date-released", "unreleased")
    assert heads[0] == f"[{cited['version']}] - {date}"
    assert cited["version"] == settings()["version"]
    assert cited["abstract"] == settings()["description"]
    dates = [head.partition(" - ")[2] for head in heads[1:]]
    assert dates == sorted(dates, reverse=True) and "unreleased" not in dates
