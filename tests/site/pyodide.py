"""Pyodide with the book's libraries, put together for the tests, kept in the user's cache.

The core and the lock (which names every library's file and checksum) are npm's package
`pyodide`, whose own checksum stands below. The compiled libraries are in a wheel on PyPI
that carries a copy of them; each must have the checksum that the lock says. What is plain
Python comes from PyPI as it is, in the version of the lock: Pyodide packs those files anew,
so pip vouches for them and the lock gets their checksums.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import platformdirs
from packaging.requirements import Requirement

from tools.book import requirements
from tools.lite import PYODIDE

INTEGRITY = (  # of npm's package, as `npm view pyodide@314.0.3 dist.integrity` says
    "sha512-sK40My6m8tmBUYtYH9au9rXUeh9x0wfahtHdOlGm"
    "JxZDsKBGKtP6KznyFB2+u/klbQTdDionR0uaVd176zVQzQ=="
)
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
BUNDLE, INSIDE = "open-webui==0.12.4", "open_webui/frontend/pyodide/"
KERNEL_NEEDS = ("ipython", "jedi", "micropip")  # beside what the package needs
IN_BROWSER = {"sys_platform": "emscripten", "platform_machine": "wasm32"}


class UnavailableError(Exception):
    """What can't be had here, in words."""


def run(*command: str) -> None:
    """Run a program that fetches something."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise UnavailableError(f"{command[0]} is not here") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise UnavailableError(f"{' '.join(command[:3])} brought nothing: {' '.join(said)}")


def pip(folder: Path, python: str, *specs: str) -> None:
    """Wheels of PyPI into a folder, without what they require."""
    run(
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--retries",
        "1",
        "--timeout",
        "60",
        "--python-version",
        python,
        "--only-binary=:all:",
        "--dest",
        str(folder),
        *specs,
    )


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def needed_in_browser() -> list[str]:
    """The libraries that the package asks for in a browser."""
    wanted = (Requirement(text) for text in requirements())
    return [r.name for r in wanted if r.marker is None or r.marker.evaluate(IN_BROWSER)]


def closure(lock: dict[str, Any], names: list[str]) -> dict[str, dict[str, Any]]:
    """These libraries of the lock and all that they need."""
    found: dict[str, dict[str, Any]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            if name not in lock["packages"]:
                raise LookupError(
                    f"Pyodide {PYODIDE} has no {name}: a browser can't install the package"
                )
            found[name] = lock["packages"][name]
            waiting += found[name]["depends"]
    return found


def core(folder: Path, work: Path) -> dict[str, Any]:
    """Put Pyodide itself into the folder, and return its lock."""
    run(
        "npm",
        "pack",
        "--silent",
        "--fetch-retries=1",
        "--pack-destination",
        str(work),
        f"pyodide@{PYODIDE}",
    )
    archive = work / f"pyodide-{PYODIDE}.tgz"
    digest = (
        "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    )
    assert digest == INTEGRITY, f"{archive.name} has the checksum {digest}"
    with tarfile.open(archive) as tar:
        for name in (*CORE, LOCK):
            member = tar.extractfile(f"package/{name}")
            assert member
            (folder / name).write_bytes(member.read())
    return json.loads((folder / LOCK).read_text(encoding="utf-8"))


def assemble(folder: Path, names: list[str]) -> None:
    """Fetch everything and put it into an empty folder."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        lock = core(folder, work)
        needed = closure(lock, names)
        pip(work, "3.12", BUNDLE)
        with zipfile.ZipFile(next(work.glob("open_webui*.whl"))) as bundle:
            inside = set(bundle.namelist())
            for package in needed.values():
                file = package["file_name"]
                if INSIDE + file in inside:
                    (folder / file).write_bytes(bundle.read(INSIDE + file))
                    assert checksum(folder / file) == package["sha256"], (
                        f"{file} is not the one of the lock"
                    )
        rest = {k: p for k, p in needed.items() if not (folder / p["file_name"]).exists()}
        lost = [
            p["file_name"]
            for p in rest.values()
            if not p["file_name"].endswith("-none-any.whl")
        ]
        if lost:
            raise UnavailableError(f"no registry has {', '.join(lost)}")
        pip(
            folder,
            lock["info"]["python"].rpartition(".")[0],
            *(f"{k}=={p['version']}" for k, p in rest.items()),
        )
        for package in rest.values():
            package["sha256"] = checksum(folder / package["file_name"])
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")


def whole(folder: Path, names: list[str]) -> bool:
    """Whether the folder holds Pyodide and all these libraries, unharmed."""
    if not all((folder / name).exists() for name in (*CORE, LOCK)):
        return False
    needed = closure(json.loads((folder / LOCK).read_text(encoding="utf-8")), names)
    paths = {folder / p["file_name"]: p["sha256"] for p in needed.values()}
    return all(path.exists() and checksum(path) == sha for path, sha in paths.items())


def pyodide(cache: Path | None = None) -> Path:
    """The folder of Pyodide, fetched if missing; UnavailableError says what stops it."""
    parent = cache or platformdirs.user_cache_path("supervised")
    folder, names = parent / f"pyodide-{PYODIDE}", [*KERNEL_NEEDS, *needed_in_browser()]
    if not whole(folder, names):
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=parent) as name:
            fresh = Path(name) / "pyodide"
            fresh.mkdir()
            assemble(fresh, names)
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
    return folder
