"""Refresh constraints.txt: install the newest versions
that settings.ini admits, and list them.

`make constraints` uses an environment of its own, so that the present one stays as it was.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def newest() -> str:
    """Exact versions of everything that the package and its extras need."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
                     / "python")
        install = [python, "-m", "pip", "install", "--quiet", "-e",
                   f"{ROOT}[dev,bench,site]"]
        subprocess.run(install, check=True)
        freeze = [python, "-m", "pip", "freeze", "--exclude-editable"]
        return subprocess.run(freeze, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    head = ("# The exact versions that the book was tested with. Refreshed by `make "
            "constraints`.\n")
    (ROOT / "constraints.txt").write_text(head + newest(), encoding="utf-8")
