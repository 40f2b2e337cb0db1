"""Open the book in JupyterLab: `python -m tools.lab`, or `make lab`.

Two places where JupyterLab needs to be told something: an account that is root, as in a
container, for which it refuses to start; and a machine without a browser, or without a
screen for one, where it prints the address to open elsewhere.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping


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
    # it is printed
    address = ["--no-browser", "--LabApp.default_url=/lab/tree/index.ipynb"]
    return ["--allow-root"] * is_root + ([] if browser else address)


def main(arguments: list[str]) -> None:
    """Start JupyterLab on the front page; further arguments are passed on."""
    from jupyterlab.labapp import LabApp

    is_root = getattr(os, "geteuid", lambda: 1)() == 0  # Windows has no such account
    browser = can_open(os.environ)
    if not browser:
        print("No browser can open here: open the address that ends the next lines.",
              flush=True)
    LabApp.launch_instance(["nbs/index.ipynb", *options(is_root, browser), *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
