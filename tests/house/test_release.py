"""Is the repository ready to be released, and are the workflows of its forks sound?

What `make dist` does in full is done here in small: the wheel is built without an
environment of its own, its content is checked, and the package is imported from it where no
development package can be. Each check is then broken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tools import release, smoke
from tools.book import ROOT


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

@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist of what git knows or would take up,
    and the wheel of what the sdist holds."""
    folder = tmp_path_factory.mktemp("release")
    for name in release.tracked() + release.untracked():
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
    assert release.wheel_problems(built[0], release.tracked(), release.untracked()) == []


@pytest.mark.deep
@BUILD
def test_the_sdist_is_the_book(built: tuple[Path, Path]) -> None:
    assert release.sdist_problems(built[1], release.tracked(), release.untracked()) == []


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
    assert release.citation_problems() + release.changelog_problems() == []


# ------------------------------------ the workflows

WORKFLOWS = ROOT / ".github" / "workflows"


@pytest.mark.skipif(shutil.which("actionlint") is None,
                    reason="actionlint is not installed")
def test_actionlint() -> None:
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS.glob("*.yml"))],
                          capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
