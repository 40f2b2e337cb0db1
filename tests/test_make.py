"""The Makefile: what it offers, what it says without Quarto, and folders with a space."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.book import ROOT

MAKE = shutil.which("gmake") or shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")


def make(
    folder: Path, *arguments: str, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run make in a folder, not knowing of the make that may run this test."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "GNUMAKE"))}
    env |= {"PATH": path if path is not None else env["PATH"], "LC_ALL": "C"}
    assert MAKE
    return subprocess.run(
        [MAKE, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone, in a folder whose name has a space, whose environment is ready."""
    clone = tmp_path / "my books" / "supervised clone"
    clone.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "settings.ini", "_quarto.yml"):
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "tools", clone / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (clone / "nbs").mkdir()
    (clone / ".venv").mkdir()
    (clone / ".venv" / "ready").touch()
    return clone


def files(folder: Path) -> dict[str, int]:
    """Every file with the time of its last change."""
    return {p.relative_to(folder).as_posix(): p.lstat().st_mtime_ns for p in folder.rglob("*")}


def without_quarto() -> str:
    """The search path without the folders that hold Quarto."""
    return os.pathsep.join(
        p for p in os.environ["PATH"].split(os.pathsep) if not shutil.which("quarto", path=p)
    )


def test_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = " ".join(re.findall(r"^\.PHONY:(.*)$", text, flags=re.M)).split()
    targets = re.findall(r"^([a-z][\w-]*):(?!=)", text, flags=re.M)
    assert {"lab", "test", "docs", "bench", "export", "clean", "help"} <= set(targets)
    assert sorted(phony) == sorted(targets)
    for arguments in (["help"], []):  # help is also what `make` alone does
        done = make(ROOT, *arguments)
        assert done.returncode == 0, done.stderr
        listed = dict(re.findall(r"^([a-z][\w-]*)\s+(\S.*)$", done.stdout, flags=re.M))
        assert sorted(listed) == sorted(targets)


def test_docs_without_quarto(folder: Path) -> None:
    before = files(folder)
    done = make(folder, "docs", path=without_quarto())
    assert done.returncode == 2  # make's own status for a recipe that failed;
    assert re.search(r"\[.*\bdocs\b.*\] Error 1$", done.stderr, flags=re.M), (
        done.stderr
    )  # the recipe's is 1
    said = [
        x for x in (done.stdout + done.stderr).splitlines() if not re.match(r"g?make(\[\d+\])?:", x)
    ]
    assert len(said) == 1, said
    assert "Quarto" in said[0] and "https://quarto.org/docs/get-started/" in said[0]
    assert files(folder) == before


def test_docs_with_quarto_goes_on(folder: Path, tmp_path: Path) -> None:
    """The check is for Quarto, and not a line that always fails."""
    quarto = tmp_path / "bin" / "quarto"
    quarto.parent.mkdir()
    quarto.write_text("#!/bin/sh\n")
    quarto.chmod(0o755)
    done = make(folder, "docs", path=f"{quarto.parent}{os.pathsep}{without_quarto()}")
    assert "get-started" not in done.stdout + done.stderr
    assert "tools.export" in done.stdout


@pytest.mark.parametrize("target", ["test", "lab", "export", "run", "docs", "bench", "clean"])
def test_a_folder_with_a_space(folder: Path, target: str) -> None:
    done = make(folder, "-n", target)
    assert done.returncode == 0, done.stderr
    assert str(folder) not in done.stdout  # only relative paths: nothing to quote


def test_clean_in_a_folder_with_a_space(folder: Path) -> None:
    cache = folder / "tools" / "__pycache__"
    cache.mkdir()
    done = make(folder, "clean")
    assert done.returncode == 0, done.stderr
    assert not cache.exists() and not (folder / ".venv").exists()
    assert (folder / "Makefile").exists() and (folder / "nbs").exists()
    assert folder.parent.exists()


def test_an_old_python_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / ".venv" / "ready").unlink()
    old = tmp_path / "python3.10"
    old.write_text(
        "#!/bin/sh\nexit 1\n"
    )  # it fails the question for its version, as an old Python does
    old.chmod(0o755)
    done = make(folder, "env", f"PYTHON={old}")
    assert done.returncode == 2 and "Python 3.11 or newer is needed" in done.stdout + done.stderr
    assert not (folder / ".venv" / "ready").exists()
