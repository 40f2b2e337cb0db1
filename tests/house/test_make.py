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

from tests.house.small_book import write_small_book
from tools import lab, lite
from tools.book import ROOT, pages

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


def test_contributing_names_the_commands() -> None:
    """The table of commands has every target but those
    that the others call by themselves."""
    table = re.findall(r"^\| `make ([a-z-]+)",
                       (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.M)
    phony = re.search(r"^\.PHONY:(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"),
                      flags=re.M)
    assert (phony and sorted(table)
            == sorted(set(phony[1].split()) - {"help", "env", "site-env"}))


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


@pytest.mark.deep
def test_docs_with_quarto_goes_on(folder: Path, tmp_path: Path) -> None:
    """The check is for Quarto, and not a line that always fails."""
    quarto = tmp_path / "bin" / "quarto"
    quarto.parent.mkdir()
    quarto.write_text("#!/bin/sh\n")
    quarto.chmod(0o755)
    (folder / ".venv" / "site").touch()
    done = make(folder, "docs", path=f"{quarto.parent}{os.pathsep}{without_quarto()}")
    assert "get-started" not in done.stdout + done.stderr
    assert "tools.export" in done.stdout


# What is in the place of Quarto: it notes where
# and how it is called, and makes a page of each notebook.
QUARTO = """import os, sys
from pathlib import Path
here = Path.cwd()
with open({calls!r}, "a", encoding="utf-8") as file:
    print(here.name, *sys.argv[1:], file=file)
assert (here / "_quarto.yml").exists() and "output-dir: _docs" in (here / "nbdev.yml").read_text(encoding="utf-8")
if os.environ.get("QUARTO_FAILS"):
    sys.exit(3)
for page in here.rglob("*.ipynb"):
    target = (here / "_docs" / page.relative_to(here)).with_suffix(".html")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("<h1>A page</h1>", encoding="utf-8")
"""  # noqa: E501


def program(path: Path, *command: str) -> None:
    """A program of the environment that calls ours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in command) + ' "$@"\n',
        encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, str]:
    """A clone of a small book with the Makefile and tools
    of ours, the calls of Quarto, and the path to it."""
    clone = write_small_book(tmp_path / "my books" / "small clone")
    for name in ("Makefile", "constraints.txt"):
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "tools", clone / "tools",
                    ignore=shutil.ignore_patterns("__pycache__"))
    (clone / "small").mkdir()
    program(clone / ".venv/bin/python", sys.executable)
    nbdev = ("import sys; sys.argv = sys.argv[:1]; from nbdev.quarto import nbdev_docs; "
             "nbdev_docs()")
    program(clone / ".venv/bin/nbdev_docs", sys.executable, "-c", nbdev)
    (clone / ".venv/ready").touch()
    (clone / ".venv/site").touch()
    calls, script = tmp_path / "calls", tmp_path / "quarto.py"
    script.write_text(QUARTO.format(calls=str(calls)), encoding="utf-8")
    program(tmp_path / "bin/quarto", sys.executable, str(script))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.delenv("IN_TEST", raising=False)
    return clone, calls, f"{tmp_path / 'bin'}{os.pathsep}{without_quarto()}"


@pytest.mark.deep
def test_docs_up_to_quarto(book: tuple[Path, Path, str]) -> None:
    """Everything but Quarto: what it gets,
    that it is called once, and what becomes of the pages."""
    pytest.importorskip("jupyterlite_pyodide_kernel",
                        reason="make site-env installs what builds the site")
    clone, calls, path = book
    done = make(clone, "export")
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("ready", "site"):  # export wrote pyproject.toml
        (clone / ".venv" / name).touch()
    made = (clone / "README.md").read_text(encoding="utf-8")
    (clone / "_proc/basics").mkdir(parents=True)  # an earlier site had one page more
    shutil.copy(clone / "nbs/basics/tables.ipynb", clone / "_proc/basics/old.ipynb")
    # as after `git clone`, where the order of times is chance
    os.utime(clone / "README.md", (0, 0))
    before = set(files(clone))
    done = make(clone, "docs", path=path)
    assert done.returncode == 0, done.stdout + done.stderr
    # the site, and no README
    assert calls.read_text(encoding="utf-8").splitlines() == ["_proc render --no-cache"]
    expected = {name.replace(".ipynb", ".html") for name in pages(clone)}
    rendered = {p.relative_to(clone / "_docs").as_posix()
                for p in (clone / "_docs").rglob("*.html")}
    assert expected <= rendered and "basics/old.html" not in rendered
    # the notebooks that run in the browser, and the package that they install
    here = clone / "_docs/lite"
    assert {Path(n).name for n in pages(clone) if lite.runs_here(n)} <= {
        p.name for p in here.rglob("*.ipynb")}
    assert [p.name for p in here.glob("pypi/small-*.whl")]
    # for those who download the notebook of a page
    offered = {p.name for p in (clone / "_docs").rglob("*.ipynb")}
    assert {Path(name).name for name in pages(clone)} <= offered
    assert (clone / "README.md").read_text(encoding="utf-8") == made
    new = {x for x in set(files(clone)) - before
           if not re.match(r"_docs|_proc|nbs/nbdev\.yml|tools/node_modules", x)}
    assert {x for x in new if "__pycache__" not in x} == set()


@pytest.mark.deep
def test_docs_fails_where_quarto_does(book: tuple[Path, Path, str],
                                      monkeypatch: pytest.MonkeyPatch) -> None:
    clone, calls, path = book
    monkeypatch.setenv("QUARTO_FAILS", "yes")
    done = make(clone, "docs", path=path)
    assert done.returncode == 2 and re.search(r"\bdocs\b.*\] Error 3$", done.stderr,
                                              flags=re.M), done.stderr
    assert calls.exists() and not (clone / "_docs").exists()


@pytest.mark.parametrize("strict, status", [([], 0), (["STRICT=1"], 2)])
def test_site_test_says_what_is_missing(strict: list[str], status: int,
                                        book: tuple[Path, Path, str]) -> None:
    clone, _, _ = book
    before = (clone / ".venv/site").stat().st_mtime
    done = make(clone, "site-test", *strict, path=without_quarto())
    assert done.returncode == status, done.stdout + done.stderr
    assert ("no site in _docs" in done.stdout
            and "https://quarto.org/docs/get-started/" in done.stdout)
    assert (clone / ".venv/site").stat().st_mtime == before  # nothing is installed in vain


def test_site_test_does_not_take_a_crash_for_a_lack(book: tuple[Path, Path, str]) -> None:
    clone, _, _ = book
    (clone / "tools/site_test.py").write_text("raise RuntimeError('broken')\n",
                                              encoding="utf-8")
    done = make(clone, "site-test", path=without_quarto())
    assert done.returncode == 2 and "broken" in done.stderr


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
def test_lab_starts_and_tells_its_address(book: tuple[Path, Path, str],
                                          tmp_path: Path) -> None:
    """The real JupyterLab, in a folder with a space,
    whoever runs the test, without a screen."""
    clone, _, _ = book
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    env = {k: v for k, v in os.environ.items() if k not in screens}
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    env |= {"PYTHONPATH": str(ROOT), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
            "JUPYTER_PORT": str(port)}
    log = tmp_path / "log"
    assert MAKE
    with log.open("wb") as file:
        server = subprocess.Popen([MAKE, "lab"], cwd=clone, env=env, stdout=file,
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


def test_no_pins(folder: Path) -> None:
    """`make test PINS=` installs the newest versions."""
    (folder / ".venv/ready").unlink()
    for pins, there in (([], True), (["PINS="], False)):
        done = make(folder, "-n", "test", *pins)
        assert ("-c constraints.txt" in done.stdout) == there and ".[dev]" in done.stdout


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


def test_changed_pins_set_the_environment_up_anew(folder: Path) -> None:
    """After a pull: nothing of the old one is left."""
    assert "venv" not in make(folder, "-n", "lab").stdout.replace(".venv", "")
    ready = folder / ".venv" / "ready"
    os.utime(folder / "constraints.txt", (ready.stat().st_mtime + 10,) * 2)
    assert "-m venv --clear .venv" in make(folder, "-n", "lab").stdout
