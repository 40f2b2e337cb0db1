"""Refresh constraints.txt: install the newest versions
that settings.ini admits, and list them.

`make constraints` uses an environment of its own, so that the present one stays as it was.
pip chooses versions for the Python that it runs under. The book promises an older one, down
to the first release of `min_python`, so versions that need more are left out by name, and
pip chooses again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def too_new(least: str, path: list[str] | None = None) -> list[str]:
    """What is installed and needs a newer Python than that, as constraints: `name<2.1`."""
    from packaging.specifiers import SpecifierSet

    found = distributions(path=path) if path else distributions()
    return sorted(f"{d.name}<{d.version}" for d in found
                  if least not in SpecifierSet(d.metadata.get("Requires-Python") or ""))


def newest() -> str:
    """Exact versions of everything that the package and its extras need."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
                     / "python")
        refused = Path(folder) / "refused.txt"
        refused.touch()

        def said(*arguments: str) -> str:
            return subprocess.run([python, "-m", *arguments], check=True, cwd=ROOT,
                                  stdout=subprocess.PIPE, text=True).stdout

        more = None
        while more != "":
            said("pip", "install", "--quiet", "-c", str(refused), "-e",
                 f"{ROOT}[dev,bench,site]")
            more = said("tools.constraints", "--too-new")
            with refused.open("a", encoding="utf-8") as file:
                file.write(more)
        return said("pip", "freeze", "--exclude-editable")


if __name__ == "__main__":
    if sys.argv[1:] == ["--too-new"]:  # asked in the environment that was made
        from tools.book import settings

        print("".join(f"{x}\n" for x in too_new(settings()["min_python"])), end="")
    else:
        head = ("# The exact versions that the book was tested with. Refreshed by `make "
                "constraints`.\n")
        (ROOT / "constraints.txt").write_text(head + newest(), encoding="utf-8")
