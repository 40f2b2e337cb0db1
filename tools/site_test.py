"""Look at the built site: `make site-test`, or `python -m tools.site_test FOLDER`.

lychee follows the links between the pages. Playwright opens each page in the Chromium of
this machine, wide and as on a phone, and axe-core judges its accessibility. The folder is
served below the site's base path, as it will be: a link from the root breaks here too.
"""

from __future__ import annotations

import functools
import http.server
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.book import ROOT, settings

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
            "chrome", "msedge")


def chromium() -> str | None:
    """The Chromium of this machine, or a relative of it."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def lacks() -> str:
    """What these checks need and this machine lacks, in words."""
    if not chromium():
        return "it needs Chromium (on Debian: apt-get install chromium)"
    lost = [name for name in ("playwright", "axe_playwright_python")
            if not importlib.util.find_spec(name)]
    return f"it needs {' and '.join(lost)}: make site-env" * bool(lost)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def serve(folder: Path, base: str = "site") -> Iterator[str]:
    """Serve a folder below a base path while the block runs; its address."""
    with tempfile.TemporaryDirectory() as root:
        Path(root, base.strip("/")).symlink_to(folder.resolve())
        handler = functools.partial(Quiet, directory=root)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/{base.strip('/')}/"
            finally:
                server.shutdown()


@contextmanager
def browser() -> Iterator[Any]:
    """A headless Chromium that knows nothing and keeps nothing."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium(),
                                      args=["--no-sandbox", "--disable-dev-shm-usage"])
        try:
            yield opened
        finally:
            opened.close()


def dead_links(folder: Path) -> list[str]:
    """What lychee says of the links between the pages, anchors included."""
    here = Path(sys.executable).parent / "lychee"
    lychee = str(here) if here.exists() else shutil.which("lychee")
    if not lychee:
        return ["lychee is missing, which follows the links: make site-env"]
    done = subprocess.run([lychee, "--offline", "--include-fragments", "--no-progress",
                           "--exclude-path", "site_libs", "--exclude-path", "lite",
                           "--root-dir", str(folder.resolve()), str(folder)],
                          capture_output=True, text=True)
    return (done.stdout or done.stderr).splitlines() if done.returncode else []


BROKEN = """() => [...document.querySelectorAll('main span.math')]
  .filter(x => !x.querySelector('mjx-container') || x.querySelector('mjx-merror'))
  .map(x => `the formula ${x.textContent.slice(0, 60)} is not set`)"""
UNFOLD = """() => {
  document.querySelectorAll('main details').forEach(x => { x.open = true; });
  document.querySelectorAll('main [data-bs-toggle=collapse][aria-expanded=false]')
    .forEach(x => x.click()); }"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"


def wrong_with(page: Any, name: str, site: str) -> list[str]:
    """Open a page with all that is folded, and say what is wrong with it."""
    from axe_playwright_python.sync_playwright import Axe

    say: list[str] = []
    page.on("console", lambda m: say.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: say.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith(("data:", "blob:", site))
            else say.append(f"asks another host for {r.url}"))
    page.goto(site + name, wait_until="networkidle")
    page.evaluate(UNFOLD)
    page.wait_for_timeout(500)
    say += page.evaluate(BROKEN)[:5]
    found = Axe().run(page, options={"resultTypes": ["violations"], "iframes": False})
    say += [f"axe: {fault['id']}: {fault['help']}: {node['target']}"
            for fault in found.response["violations"]
            if fault["impact"] in ("serious", "critical") for node in fault["nodes"][:5]]
    page.set_viewport_size(NARROW)
    page.wait_for_timeout(100)
    return say + ["scrolls to the side on a phone"] * page.evaluate(TOO_WIDE)


def main(arguments: list[str]) -> int:
    """Look at the site in a folder, or say why that can't be."""
    folder = Path(arguments[0]) if arguments else ROOT / settings()["doc_path"]
    there = (folder / "index.html").exists()
    if why := lacks() if there else f"run make docs first: no {folder.name}":
        print(f"The site was not tested: {why}")
        return 1
    problems = dead_links(folder)
    with serve(folder, settings()["doc_baseurl"]) as site, browser() as chrome:
        for path in sorted(folder.rglob("*.html")):
            name = path.relative_to(folder).as_posix()
            if name.startswith(("site_libs/", "lite/")):
                continue
            page = chrome.new_page(viewport=WIDE)
            found = wrong_with(page, name, site)
            page.close()
            print(f"{'FAILED' if found else 'ok    '} {name}", flush=True)
            problems += [f"{name}: {problem}" for problem in found]
    print("\n".join(problems) or "The site is sound.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
