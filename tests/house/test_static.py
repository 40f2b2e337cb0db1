"""What can be told of the code without running it: types and style."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.book import ROOT


def passes(*arguments: str) -> None:
    """Run a checker as a module; fail with what it says."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        pytest.fail(f"python -m {' '.join(arguments)}\n{done.stdout}{done.stderr}",
                    pytrace=False)


@pytest.mark.deep
def test_types() -> None:
    passes("mypy")


def test_style() -> None:
    passes("ruff", "check", ".")


def test_style_of_the_notebooks() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    notebooks = {
        p.name for p in (ROOT / "nbs").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in p.parts
    }
    assert notebooks <= {line.replace("\\", "/").rsplit("/")[-1] for line in listed}, (
        "ruff skips notebooks"
    )


@pytest.mark.parametrize(
    "code, checker, message",
    [
        (
            "def f(x: int) -> str:\n    return x\n",
            ["mypy", "--config-file", ""],
            "Incompatible return value",
        ),
        ("import os\n", ["ruff", "check", "--isolated"], "F401"),
    ],
)
def test_the_checkers_notice(code: str, checker: list[str], message: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "bad.py"
    path.write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", *checker, str(path)],
        cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and message in done.stdout
