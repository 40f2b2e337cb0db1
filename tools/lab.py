"""Open the book in JupyterLab: `python -m tools.lab`, or `make lab`.

Five places where JupyterLab needs to be told something: an account that is root, as in a
container, for which it refuses to start; a machine without a browser, or without a screen
for one, where it prints the address to open elsewhere; pages that come from elsewhere, of
which it shows no figure and no player until they are signed or run; figures that are
wider than the notebook, whose right end it cuts off (`tools/jupyterlab/custom.css`); and
pages that are saved, which are to differ only in what the reader has changed
(`tools/contents.py`).
"""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from tools.book import ROOT, pages

# JupyterLab looks here for a custom.css
STYLE = ["--custom-css",
         f"--ServerApp.static_custom_path={Path(__file__).with_name('jupyterlab')}"]
# The folder and the page are told explicitly: the reader's own settings may name others.
BOOK = ["nbs", "--LabApp.default_url=/lab/tree/index.ipynb",
        "--ServerApp.contents_manager_class=tools.contents.Pages",
        "--Pages.root_dir=nbs", "--Pages.preferred_dir="]


def can_open(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether a browser can open here. One that runs
    in the terminal is none for JupyterLab."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if (system not in ("darwin", "win32", "cygwin")
        and not any(map(environment.get, screens))):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def options(is_root: bool, browser: bool) -> list[str]:
    """The options for this account and this machine."""
    return ["--allow-root"] * is_root + ["--no-browser"] * (not browser)


def trust(root: Path = ROOT) -> None:
    """Sign the book's pages as they are stored, with the reader's own key,
    which also signs what the reader runs."""
    from nbformat.reader import reads
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary()
    for page in pages(root):
        if page.endswith(".ipynb") and (file := root / "nbs" / page).exists():
            notary.sign(reads(file.read_text(encoding="utf-8")))


def main(arguments: list[str]) -> None:
    """Start JupyterLab on the front page; further arguments are passed on."""
    from jupyter_server.serverapp import ServerApp
    from jupyterlab.labapp import LabApp

    ServerApp.static_custom_path.tag(config=True)  # it is an option, but for this mark
    is_root = getattr(os, "geteuid", lambda: 1)() == 0  # Windows has no such account
    try:
        trust()
    except PermissionError as error:
        sys.exit(f"JupyterLab keeps its settings in the home folder, and {error.filename} "
                 "can't be written: HOME=/a/folder/of/yours make lab")
    browser = can_open(os.environ)
    if not browser:
        print("No browser can open here: open the address that ends the next lines.",
              flush=True)
    LabApp.launch_instance([*BOOK, *options(is_root, browser), *STYLE, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
