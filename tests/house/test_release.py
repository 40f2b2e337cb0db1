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
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
import yaml

from tools import smoke
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


@BUILD
def test_an_editable_install_is_a_path_that_type_checkers_follow(tmp_path: Path) -> None:
    """mypy reads the .pth files of an environment, and runs no import hook."""
    source, to = tmp_path / "source", tmp_path / "wheel"
    shutil.copytree(ROOT / "supervised", source / "supervised",
                    ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, source)
    to.mkdir()
    with zipfile.ZipFile(build("editable", source, to)) as wheel:
        paths = [n for n in wheel.namelist() if n.endswith(".pth")]
        said = [wheel.read(n).decode().strip() for n in paths]
    assert [Path(line).resolve() for line in said] == [source.resolve()], said
    assert (source / "supervised" / "py.typed").exists()


BLOCK = """import sys
for name in {blocked!r}: sys.modules[name] = None
sys.path[:0] = [{wheel!r}, {tools!r}]
sys.meta_path[:] = [x for x in sys.meta_path if "editable" not in repr(x)]
import supervised, smoke
assert supervised.__file__.startswith({wheel!r}), supervised.__file__
print(len(smoke.import_all()))
smoke.open_data()
"""


@pytest.mark.deep
@BUILD
def test_the_wheel_works_without_the_developers_packages(built: tuple[Path, Path],
                                                         tmp_path: Path) -> None:
    """Every module imports and the data can be read
    from the unpacked wheel; `make dist` tries more."""
    with zipfile.ZipFile(built[0]) as archive:
        archive.extractall(tmp_path / "wheel")
    script = BLOCK.format(blocked=smoke.DEVELOPMENT, wheel=str(tmp_path / "wheel"),
                          tools=str(ROOT / "tools"))
    env = ({k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
           | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")})
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    modules = [p for p in (ROOT / "supervised").rglob("*.py") if p.name != "_modidx.py"]
    assert int(done.stdout.splitlines()[0]) == len(modules)


# ------------------------------------ citation and changelog


def test_citation_and_changelog_are_in_step() -> None:
    """Version and date stand in three files."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.*)$", changes, flags=re.M)
    date = cited.get("date-released", "unreleased")
    assert heads[0] == f"[{cited['version']}] - {date}"
    assert cited["version"] == settings()["version"]
    assert cited["abstract"] == settings()["description"]
    dates = [head.partition(" - ")[2] for head in heads[1:]]
    assert dates == sorted(dates, reverse=True) and "unreleased" not in dates
