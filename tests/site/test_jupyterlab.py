"""A reader's first minute, in a real JupyterLab:
the front page opens, a notebook runs to its end.

The server runs on a copy of the notebooks with settings of its own; a headless Chromium
looks at what `make lab` would open. SUPERVISED_SCREENSHOTS=folder keeps pictures of what
it saw.
"""

from __future__ import annotations

import html
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site import NEEDS_CHROMIUM, chromium
from tools.book import ROOT, read_notebook

# seconds, for one thing to happen on the busiest machine: only what hangs takes longer
PATIENCE = 3600

pytestmark = [pytest.mark.deep, NEEDS_CHROMIUM]

# JupyterLab's own application object does what a reader does with the mouse.
OPEN = "window.jupyterapp.commands.execute('docmanager:open', {path: arguments[0]});"

# Looked at from outside and anew each time: a window without the focus has no current
# widget, and what a page is asked to wait for while it still loads may never be told.
PANEL = """
const panel_of = path => window.jupyterapp && [...window.jupyterapp.shell.widgets('main')]
  .find(found => found.isVisible && found.context && found.context.isReady
                 && (!path || found.context.path === path));
"""

READY = PANEL + """
const panel = panel_of(arguments[0]);
const kernel = panel && panel.sessionContext.isReady && panel.sessionContext.session
  && panel.sessionContext.session.kernel;
const title = kernel && panel.content.widgets.length
  && panel.content.widgets[0].node.querySelector('h1');
return title ? {path: panel.context.path, kernel: kernel.name,
                title: title.textContent} : null;
"""

ASK_KERNEL = PANEL + """
const done = arguments[arguments.length - 1], code = arguments[0];
(async () => {
  const kernel = panel_of().sessionContext.session.kernel;
  let text = '';
  const future = kernel.requestExecute({code, store_history: false});
  future.onIOPub = message => { text += message.content.text || message.content.evalue || ''; };
  await future.done;
  return text;
})().then(done, error => done('error: ' + error));
"""  # noqa: E501

# Whether the page counts as changed; asked when its kernel has said what it is.
IS_CHANGED = PANEL + """
const done = arguments[arguments.length - 1], panel = panel_of(arguments[0]);
panel.sessionContext.session.kernel.info
  .then(() => new Promise(resolve => setTimeout(resolve, 1000)))
  .then(() => done(panel.context.model.dirty), error => done('error: ' + error));
"""

SAVE = PANEL + """
const done = arguments[arguments.length - 1], context = panel_of(arguments[0]).context;
context.save().then(() => done(context.model.dirty), error => done('error: ' + error));
"""

EDIT = PANEL + """
panel_of(arguments[0]).content.model.cells.get(arguments[1])
  .sharedModel.setSource(arguments[2]);
"""

# How wide each figure is, and the room that it has.
WIDTHS = PANEL + """
return [...panel_of().content.node.querySelectorAll('.jp-RenderedSVG > img')]
  .map(img => [img.clientWidth, img.parentElement.clientWidth]);
"""

RUN_ALL = PANEL + """
const done = arguments[arguments.length - 1];
(async () => {
  const app = window.jupyterapp, panel = panel_of();
  await app.commands.execute('notebook:run-all-cells');
  const kernel = panel.sessionContext.session.kernel;
  while (kernel.status !== 'idle') await new Promise(resolve => setTimeout(resolve, 100));
  return Array.from(panel.content.model.cells).map(cell => cell.toJSON());
})().then(done, error => done({error: String(error)}));
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stop(process: subprocess.Popen[bytes]) -> None:
    """Let the server shut its kernels down; if it doesn't, end its whole group."""
    for how, seconds in ((signal.SIGTERM, 20), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, how)
            process.wait(seconds)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait(10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the notebooks, and settings of a reader who works elsewhere."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(
        ROOT / "nbs", folder / "nbs", ignore=shutil.ignore_patterns("_quarto.yml", ".*")
    )
    own = folder / "jupyter_config_dir" / "jupyter_server_config.py"
    own.parent.mkdir()
    (folder / "elsewhere").mkdir()
    own.write_text(f"c.ServerApp.root_dir = {str(folder / 'elsewhere')!r}\n"
                   f"c.ServerApp.preferred_dir = {str(folder / 'elsewhere')!r}\n"
                   f"c.FileContentsManager.root_dir = {str(folder / 'elsewhere')!r}\n"
                   "c.LabApp.default_url = '/tree'\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address that `make lab` opens in the browser;
    the server runs while the tests do."""
    homes = {name: str(folder / name.lower()) for name in (
        "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
        "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR")}
    env = os.environ | homes | {"JUPYTER_PREFER_ENV_PATH": "1",
                                "JUPYTER_PLATFORM_DIRS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tools.lab", "--no-browser",
               "--expose-app-in-browser", "--ServerApp.ip=127.0.0.1",
               f"--ServerApp.port={free_port()}",
               f"--IdentityProvider.token={secrets.token_hex(16)}",
               "--LabApp.news_url=None", "--LabApp.check_for_updates_class="
               "jupyterlab.handlers.announcements.NeverCheckForUpdate"]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=env, stdout=log,
                                  stderr=subprocess.STDOUT, start_new_session=True)
    try:
        until = time.monotonic() + PATIENCE
        while not (pages := list(Path(homes["JUPYTER_RUNTIME_DIR"])
                                 .glob("*-open.html"))):
            if server.poll() is not None or time.monotonic() > until:
                pytest.fail(
                    "JupyterLab does not start:\n" + (folder / "server.log").read_text(),
                    pytrace=False,
                )
            time.sleep(0.1)
        found = None
        while not found:  # the file may be there before its text is
            found = re.search(r'href="(http[^"]+)"', pages[0].read_text(encoding="utf-8"))
        yield html.unescape(found[1])
    finally:
        stop(server)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as driver:
        driver.set_script_timeout(PATIENCE)
        driver.set_page_load_timeout(PATIENCE)
        yield driver


def picture(browser: Any, name: str) -> None:
    """Keep what the browser shows, where that is wanted."""
    folder = os.environ.get("SUPERVISED_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        time.sleep(1)  # pictures and formulas are still being drawn
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))


def opened(browser: Any, path: str | None) -> dict[str, str]:
    """The notebook that JupyterLab shows, once its title and its kernel are there."""
    until = time.monotonic() + PATIENCE
    while not (shown := browser.execute_script(READY, path)):
        assert time.monotonic() < until, "JupyterLab opens no notebook"
        time.sleep(0.1)
    return shown


@pytest.fixture(scope="module")
def front_page(browser: Any, address: str) -> dict[str, str]:
    browser.get(address)
    shown = opened(browser, None)
    picture(browser, "front-page")
    return shown


def test_the_front_page_is_shown(front_page: dict[str, str]) -> None:
    assert (
        front_page["path"] == "index.ipynb"
    )  # JupyterLab takes the folder of the notebooks for its root
    assert read_notebook(ROOT / "nbs/index.ipynb").title in front_page["title"]


def test_its_kernel_is_this_environment(front_page: dict[str, str], browser: Any) -> None:
    assert front_page["kernel"] == "python3"
    said = browser.execute_async_script(
        ASK_KERNEL,
        "import sys, supervised; print(sys.prefix, supervised.__file__, sep=chr(10))"
    )
    assert said.splitlines() == [sys.prefix, str(ROOT / "supervised" / "__init__.py")]


def test_a_notebook_runs_to_its_end(front_page: dict[str, str], browser: Any) -> None:
    name = "basics/learning.ipynb"
    notebook = read_notebook(ROOT / "nbs" / name)
    browser.execute_script(OPEN, name)
    shown = opened(browser, name)
    assert shown["path"] == name, shown
    assert notebook.title in shown["title"]
    cells = browser.execute_async_script(RUN_ALL)
    picture(browser, "learning")
    assert isinstance(cells, list), cells
    code = [c for c in cells if c["cell_type"] == "code"]
    for cell in code:
        assert not [o for o in cell["outputs"] if o["output_type"] == "error"], cell
    assert len(code) == sum(c.kind == "code" for c in notebook.cells)
    assert all(c["execution_count"] for c in code if "".join(c["source"]).strip())


def test_what_is_only_read_is_not_changed(
    front_page: dict[str, str], browser: Any, folder: Path
) -> None:
    name = "basics/tables.ipynb"
    browser.execute_script(OPEN, name)
    opened(browser, name)
    assert browser.execute_async_script(IS_CHANGED, name) is False
    assert browser.execute_async_script(SAVE, name) is False
    stored = (folder / "nbs" / name).read_bytes()
    assert stored == (ROOT / "nbs" / name).read_bytes()


def test_only_what_a_reader_changes_is_stored(
    front_page: dict[str, str], browser: Any, folder: Path
) -> None:
    """Run and saved, a page is as it was, but for the cell that was edited."""
    name = "basics/classifiers.ipynb"
    browser.execute_script(OPEN, name)
    opened(browser, name)
    before = (ROOT / "nbs" / name).read_text(encoding="utf-8")
    notebook = read_notebook(ROOT / "nbs" / name)
    last = max(c.number for c in notebook.cells if c.kind == "code")
    browser.execute_script(EDIT, name, last, "print('mine')")
    browser.execute_async_script(RUN_ALL)
    assert browser.execute_async_script(SAVE, name) is False
    now = read_notebook(folder / "nbs" / name)
    assert now.metadata == notebook.metadata
    mine = now.cells.pop(last)
    assert mine.source == "print('mine')" and mine.count is None
    assert mine.outputs == [
        {"name": "stdout", "output_type": "stream", "text": ["mine\n"]}]
    assert mine.metadata == notebook.cells.pop(last).metadata
    assert now.cells == notebook.cells
    copy = folder / "nbs" / "mine.ipynb"  # a notebook of the reader's own stays as it is
    copy.write_text(before.replace('"execution_count": null', '"execution_count": 7'),
                    encoding="utf-8")
    browser.execute_script(OPEN, copy.name)
    opened(browser, copy.name)
    browser.execute_async_script(SAVE, copy.name)
    assert {c.count for c in read_notebook(copy).cells if c.kind == "code"} == {7}


def test_figures_are_shown_whole(front_page: dict[str, str], browser: Any) -> None:
    """As they are stored, before the reader runs anything;
    three panels side by side are the widest."""
    name = "rules/covering.ipynb"
    browser.execute_script(OPEN, name)
    opened(browser, name)
    until, widths = time.monotonic() + PATIENCE, []
    while not any(drawn for drawn, _ in widths):
        assert time.monotonic() < until, "no figure is shown"
        time.sleep(0.1)
        widths = browser.execute_script(WIDTHS)
    assert all(drawn <= room for drawn, room in widths), widths
    assert not all(drawn < room for drawn, room in widths), "no figure is wide enough"
