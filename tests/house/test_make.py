"""The Makefile: what it offers, what it says without Quarto, and folders with a space."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from pathlib import Path

import pytest

from tools import lab
from tools.book import ROOT

MAKE = shutil.which("gmake") or shutil.which("make")
pytestmark = pytest.mark.skipif(
    MAKE is None or os.name != "posix",
    reason="needs make, and programs that are scripts of a POSIX shell"
)


def make(
    folder: Path, *arguments: str, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run make in a folder, not knowing of the make that may run this test."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("MAKE", "MFLAGS", "GNUMAKE"))}
    env |= {"PATH": path if path is not None else env["PATH"], "LC_ALL": "C"}
    assert MAKE
    return subprocess.run(
        [MAKE, *arguments], cwd=folder, env=env,
        capture_output=True, text=True, timeout=3600
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clone, in a folder whose name has a space, whose environment is ready."""
    clone = tmp_path / "my books" / "supervised clone"
    clone.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "settings.ini",
                 "_quarto.yml"):
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "tools", clone / "tools",
                    ignore=shutil.ignore_patterns("__pycache__"))
    (clone / "nbs").mkdir()
    (clone / "tests").mkdir()
    shutil.copy(ROOT / "tests/package-lock.json", clone / "tests")
    (clone / ".venv").mkdir()
    (clone / ".venv" / "ready").touch()
    return clone


def files(folder: Path) -> dict[str, int]:
    """Every file with the time of its last change."""
    return {p.relative_to(folder).as_posix(): p.lstat().st_mtime_ns
            for p in folder.rglob("*")}


def without_quarto() -> str:
    """The search path without the folders that hold Quarto."""
    return os.pathsep.join(
        p for p in os.environ["PATH"].split(os.pathsep)
        if not shutil.which("quarto", path=p)
    )


def test_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = " ".join(re.findall(r"^\.PHONY:(.*)$", text, flags=re.M)).split()
    targets = re.findall(r"^([a-z][\w-]*):(?!=)", text, flags=re.M)
    assert {"lab", "test", "docs", "site-test", "bench", "dist", "export", "clean",
            "help"} <= set(targets)
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
        x for x in (done.stdout + done.stderr).splitlines()
        if not re.match(r"g?make(\[\d+\])?:", x)
    ]
    assert len(said) == 1, said
    assert "Quarto" in said[0] and "https://quarto.org/docs/get-started/" in said[0]
    assert files(folder) == before


def program(path: Path, *command: str) -> None:
    """A program of the environment that calls ours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in command) + ' "$@"\n',
        encoding="utf-8")
    path.chmod(0o755)


TARGETS = ["test", "test-all", "lab", "export", "run", "docs", "site-env", "site-test",
           "bench", "dist", "clean"]


def test_without_npm_the_tests_run(folder: Path, tmp_path: Path) -> None:
    """What is skipped for want of npm is said, and nothing else is lost."""
    program(folder / ".venv/bin/python", str(shutil.which("echo")), "ran")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "touch"):
        (tools / name).symlink_to(str(shutil.which(name)))
    done = make(folder, "test", path=str(tools))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "npm is missing: formulas and workflows will not be checked." in done.stdout
    assert "ran -m pytest" in done.stdout


def test_lab_opens_the_front_page(folder: Path) -> None:
    program(folder / ".venv/bin/python", str(shutil.which("echo")), "ran")
    done = make(folder, "lab")
    assert (done.returncode == 0 and "ran -m tools.lab" in done.stdout), (
        done.stdout + done.stderr)


@pytest.mark.parametrize(("account", "screen", "found"), [
    (0, {}, ["--allow-root", "--no-browser"]),
    (0, {"DISPLAY": ":0"}, ["--allow-root"]),
    (1000, {}, ["--no-browser"]),
    (1000, {"WAYLAND_DISPLAY": "wayland-0"}, []),
])
def test_lab_for_root_and_without_a_browser(
    account: int, screen: dict[str, str], found: list[str],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Root is allowed only where the user is root;
    the address is told where none can open."""
    started: list[str] = []
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", started.extend)
    monkeypatch.setattr(lab, "trust", lambda: None)
    monkeypatch.setattr("os.geteuid", lambda: account)
    monkeypatch.setattr("webbrowser.get", lambda: None)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in screen.items():
        monkeypatch.setenv(name, value)
    lab.main(["--port=8889"])
    assert started == [*lab.BOOK, *found, *lab.STYLE, "--port=8889"]
    assert lab.BOOK[0] == "nbs" and "--LabApp.default_url=/lab/tree/index.ipynb" in lab.BOOK
    assert (("No browser can open here" in capsys.readouterr().out)
            == ("--no-browser" in found))


def test_lab_says_where_it_may_not_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> None:
        raise PermissionError(13, "Permission denied", "/home/nobody")

    monkeypatch.setattr(lab, "trust", refused)
    with pytest.raises(SystemExit, match="/home/nobody can't be written: HOME="):
        lab.main([])


def test_lab_signs_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JupyterLab shows figures of a signed page, and a changed page is signed no more."""
    import nbformat
    from nbformat.sign import NotebookNotary

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(lab, "pages", lambda root: ["index.ipynb", "404.qmd", "gone.ipynb"])
    (tmp_path / "nbs").mkdir()
    page = tmp_path / "nbs/index.ipynb"
    cell = nbformat.v4.new_code_cell("1 + 1", outputs=[nbformat.v4.new_output(
        "display_data", {"image/svg+xml": "<svg/>"})])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    lab.trust(tmp_path)
    stored = nbformat.read(page, as_version=4)
    assert NotebookNotary().check_signature(stored)
    stored.cells[0].source = "2 + 2"
    assert not NotebookNotary().check_signature(stored)


def test_a_screen_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr("webbrowser.get", lambda: None)
    assert lab.can_open({"DISPLAY": ":0"}, "linux") and lab.can_open({}, "darwin")
    assert not lab.can_open({"TERM": "xterm"}, "linux")
    monkeypatch.setattr("webbrowser.get", none)
    assert not lab.can_open({"DISPLAY": ":0"}, "linux") and not lab.can_open({}, "win32")


@pytest.mark.deep
def test_lab_starts_and_tells_its_address(folder: Path, tmp_path: Path) -> None:
    """The real JupyterLab, in a folder with a space,
    whoever runs the test, without a screen."""
    program(folder / ".venv/bin/python", sys.executable)
    shutil.copy(ROOT / "nbs/index.ipynb", folder / "nbs")
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    env = {k: v for k, v in os.environ.items() if k not in screens}
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    env |= {"PYTHONPATH": str(ROOT), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
            "JUPYTER_PORT": str(port)}
    log = tmp_path / "log"
    assert MAKE
    with log.open("wb") as file:
        server = subprocess.Popen([MAKE, "lab"], cwd=folder, env=env, stdout=file,
                                  stderr=subprocess.STDOUT, start_new_session=True)
    try:
        address = None
        while server.poll() is None and not address:
            time.sleep(0.2)
            said = log.read_text(encoding="utf-8", errors="replace")
            address = re.search(r"http://localhost:\d+/lab/tree/index\.ipynb\?token=\w+",
                                said)
        assert address and "No browser can open here" in said, said
        with (urllib.request.build_opener(urllib.request.ProxyHandler({}))
              .open(address[0]) as page):
            assert page.status == 200 and b"jupyter-config-data" in page.read()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(600)


@pytest.mark.parametrize("target", TARGETS)
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
    assert (done.returncode == 2
            and "Python 3.11 or newer is needed" in done.stdout + done.stderr)
    assert not (folder / ".venv" / "ready").exists()


def test_a_failed_setup_says_what_may_help(folder: Path, tmp_path: Path) -> None:
    """As for a Python that a library doesn't know yet."""
    (folder / ".venv" / "ready").unlink()
    newest = tmp_path / "python9"
    program(folder / ".venv/bin/python", str(shutil.which("false")))
    newest.write_text("#!/bin/sh\nexit 0\n")  # new enough, and venv says nothing
    newest.chmod(0o755)
    done = make(folder, "env", f"PYTHON={newest}")
    assert done.returncode == 2 and "tested with Python 3.11 to 3.13" in done.stdout
    assert not (folder / ".venv" / "ready").exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    (folder / ".venv" / "ready").unlink()
    folder.chmod(0o555)
    try:
        done = make(folder, "env")
    finally:
        folder.chmod(0o755)
    assert done.returncode == 2 and "copy the book to one of your own" in done.stdout
    assert "Errno" not in done.stdout + done.stderr
