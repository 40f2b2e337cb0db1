"""What can be told of the code without running it: types and style."""

from __future__ import annotations

import ast
import re
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


def test_what_is_public_has_a_docstring_and_says_what_it_returns() -> None:
    passes("ruff", "check", "supervised", "--isolated", "--exclude", "_modidx.py",
           "--select", "D101,D102,D103,ANN201")


ANOTHER_WAY = re.compile(r"np\.(exp|log|log2|log10|log1p|expm1|power|sum|mean|dot|prod)\b"
                         r"|\.(sum|mean|dot|prod)\(|@ |\*\* ?2\b")


def test_a_kernel_that_begins_as_python_ends_with_the_same_bits() -> None:
    """What NumPy may compute otherwise than compiled code does, up to the last bit."""
    found = []
    for path in sorted((ROOT / "supervised").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                    "at_once=False" in ast.unparse(d) for d in node.decorator_list):
                code = "\n".join(ast.unparse(line) for line in node.body)
                found += [f"{path.name}: {node.name}: {match[0]}"
                          for match in ANOTHER_WAY.finditer(code)]
    assert not found, "use math, or a loop, or compile it at once"
