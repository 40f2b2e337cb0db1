"""Look at the rendered site in a browser: `make site-test`, or
`python -m tools.site_test FOLDER`.

Each check takes what is open in Chromium and returns what is wrong with it, one line a
problem. Playwright drives the Chromium that the machine has, and axe-core judges the
accessibility. The folder is served below the site's base path, as it will be: a link from
the root breaks here too.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import importlib.util
import io
import json
import os
import re
import shutil
import sys
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from tools.book import ROOT, pages, settings

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# As they travel: text is compressed. The frame is what pages share and a browser keeps:
# Quarto's style sheets, scripts and icons (440 kB), the typefaces (212), MathJax with its
# letters (about 220).
MOST_BYTES_OF_THE_FRAME, MOST_BYTES_OF_A_PAGE, MOST_BYTES_OF_A_PLAYER = (
    950_000, 900_000, 600_000)
LETTERS = 92  # of a line of code, which has room for them in the wide page
# to the page that comes first
MOST_PAGES = 10  # that may share a word which is to lead to each of them
QUERIES = {"laplace smoothing": "bayes/", "prune": "trees/pruning.html"}
# for one thing to happen: only what hangs takes longer, however busy the machine
SECONDS = 600
SECONDS_OF_A_CLICK = 60.0  # for a link to open
SECONDS_OF_A_SEARCH = 60.0
LINKS = "#quarto-sidebar a.sidebar-link[href]"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
            "chrome", "msedge")
INSTALLED = (  # where browsers are that are on no search path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)


def chromium() -> str | None:
    """The Chromium of this machine, or a relative of it."""
    found = (shutil.which(name) for name in BROWSERS)
    return next(filter(None, found), next(filter(os.path.exists, INSTALLED), None))


def uninstalled() -> str | None:
    """Which of the Python packages that only these checks need are not there."""
    lost = [name for name in ("playwright", "axe_playwright_python")
            if not importlib.util.find_spec(name)]
    return (f"it needs {' and '.join(lost)}: make site-env installs what is needed" if lost
            else None)


def missing(folder: Path) -> str | None:
    """What stands in the way of looking at the site, in words, or None."""
    if not (folder / "index.html").exists():
        if shutil.which("quarto"):
            return f"there is no site in {folder.name}: run make docs first"
        return (
            f"there is no site in {folder.name}, and Quarto, which makes it, is not here: "
            "https://quarto.org/docs/get-started/")
    if not chromium():
        return "it needs Chromium or Chrome (on Debian: apt-get install chromium)"
    return uninstalled()


# ------------------------------------ the site, served


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder below a base path;
    what is not there is answered with the site's own page for that."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: Any, base: str, **options: Any) -> None:
        self.base = base
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        """Outside the base path there is nothing."""
        return super().translate_path(path[len(self.base):] if path.startswith(self.base)
                                      else "/../nothing here")

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


@dataclass
class Site:
    """A rendered site: its folder, and the address at which it is served."""

    folder: Path
    address: str

    def name(self, url: str) -> str:
        """The file of an address, as a path in the site; empty for an address elsewhere."""
        url = unquote(urldefrag(url)[0]).split("?")[0]
        if not url.startswith(self.address):
            return ""
        name = url[len(self.address):]
        return name + "index.html" if name == "" or name.endswith("/") else name

    def pages(self) -> list[str]:
        """Every page of the folder."""
        found = (p.relative_to(self.folder).as_posix() for p in self.folder.rglob("*.html"))
        return sorted(name for name in found
                      if not name.startswith(("site_libs/", "lite/")))


@contextmanager
def serve(folder: Path, base: str = "/") -> Iterator[Site]:
    """Serve a folder on this machine while the block runs."""
    base = "/" + base.strip("/") + "/" if base.strip("/") else "/"
    handler = functools.partial(Handler, directory=str(folder), base=base)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield Site(folder, f"http://127.0.0.1:{server.server_port}{base}")
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


@dataclass
class Visit:
    """A page that is open, and what was heard since it was opened."""

    site: Site
    page: Any
    name: str
    said: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    loaded: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)
    under_way: int = 0

    def listen(self) -> None:
        """Keep the console's errors, and what fails to come from this site."""
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", self._request)
        self.page.on("requestfinished", lambda _: self._count(-1))
        self.page.on("requestfailed", self._fail)
        self.page.on("response", self._response)

    def _console(self, message: Any) -> None:
        # the request tells
        if (message.type == "error"
            and not message.text.startswith("Failed to load resource")):
            self.said.append(message.text)

    def _request(self, request: Any) -> None:
        self._count(1)
        if not request.url.startswith((self._origin(), "data:", "blob:")):
            self.foreign.add(request.url)

    def _count(self, change: int) -> None:
        self.under_way += change

    def _fail(self, request: Any) -> None:
        self._count(-1)
        if request.url.startswith(self._origin()):
            self.failed.append(f"{request.url}: {request.failure or 'failed'}")

    def _response(self, response: Any) -> None:
        if response.url.startswith(self._origin()):
            self.loaded.add(self.site.name(response.url))
            if response.status >= 400:
                self.failed.append(f"{response.url}: status {response.status}")

    def settle(self) -> None:
        """Wait until nothing is being loaded, but no longer than a minute:
        a script from elsewhere may hang."""
        quiet = 0
        for _ in range(1200):
            self.page.wait_for_timeout(50)
            quiet = 0 if self.under_way else quiet + 1
            if quiet == 3:
                break

    def unfold(self) -> None:
        """Open what is folded: solutions, imports, docstrings."""
        self.page.evaluate("""() => {
          document.querySelectorAll('main details').forEach(x => { x.open = true; });
          document.querySelectorAll('main [data-bs-toggle=collapse][aria-expanded=false]').forEach(x => x.click());
        }""")  # noqa: E501
        self.page.wait_for_function("!document.querySelector('main .collapsing')")
        self.settle()

    def _origin(self) -> str:
        parts = urlsplit(self.site.address)
        return f"{parts.scheme}://{parts.netloc}/"


@contextmanager
def visit(site: Site, chrome: Any, name: str) -> Iterator[Visit]:
    """Open a page in a browser without memory."""
    context = chrome.new_context(viewport=WIDE)
    context.set_default_timeout(1000 * SECONDS)
    try:
        page = context.new_page()
        context.new_cdp_session(page).send("Network.setCacheDisabled",
                                           {"cacheDisabled": True})
        found = Visit(site, page, name)
        found.listen()
        page.goto(site.address + name, wait_until="load")
        found.settle()
        found.unfold()
        yield found
    finally:
        context.close()


# ------------------------------------ checks of a page


def no_errors(seen: Visit) -> list[str]:
    """No error in the console, and nothing of this site that can't be had."""
    return ([f"{seen.name}: the console says {text!r}" for text in seen.said]
            + [f"{seen.name}: can't load {text}" for text in seen.failed])


def at_home(seen: Visit) -> list[str]:
    """Nothing is asked of another host: the book can
    be read without one, and no one else hears of it."""
    return [f"{seen.name}: asks another host for {url}" for url in sorted(seen.foreign)]


WRITTEN_PLAYERS = """async () => {
  const text = await (await fetch(location.href)).text();  // as it is before any script
  const found = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.player');
  return [...found].map(x => [x.outerHTML, !!x.querySelector('img[src][alt]:not([alt=""]), svg')]);
}"""  # noqa: E501


TEXT = {".html", ".css", ".js", ".json", ".svg"}  # what servers compress, GitHub Pages too


def weight(path: Path) -> int:
    """Bytes of a file as they travel."""
    data = path.read_bytes()
    return len(gzip.compress(data, 6)) if path.suffix in TEXT else len(data)


def light_enough(seen: Visit) -> list[str]:
    """The frame, the page with all else that it loads
    from this site but its players, and each player."""
    players = [len(gzip.compress(html.encode(), 6))
               for html, _ in seen.page.evaluate(WRITTEN_PLAYERS)]
    pictures = seen.page.eval_on_selector_all("img",
                                              "all => all.map(x => x.currentSrc || x.src)")
    files = {name for name in seen.loaded | {seen.site.name(x) for x in pictures} if name}
    sizes = {f: weight(seen.site.folder / f)
             for f in files if (seen.site.folder / f).is_file()}
    frame = sum(size for f, size in sizes.items() if f.startswith("site_libs/"))
    own = sum(sizes.values()) - frame - sum(players)
    parts = [("the frame", frame, MOST_BYTES_OF_THE_FRAME),
             ("the page without its players", own, MOST_BYTES_OF_A_PAGE)]
    parts += [(f"player {i}", size, MOST_BYTES_OF_A_PLAYER)
              for i, size in enumerate(players, 1)]
    return [f"{seen.name}: {what} has {has / 1e3:.0f} kB, more than {most / 1e3:.0f}"
            for what, has, most in parts if has > most]


REPEATED = """() => { const known = new Set();  // code in which no kind of token is new on this page
  for (const code of document.querySelectorAll('pre code, .highlight pre')) {
    const kinds = [...new Set([...code.querySelectorAll('*')].map(x => x.className))].filter(x => !known.has(x));
    if (known.size && !kinds.length) code.dataset.repeated = 'yes';
    ['', ...kinds].forEach(x => known.add(x)); } }"""  # noqa: E501


def accessible(seen: Visit, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe-core calls serious or critical:
    all of its rules, or those that are named."""
    from axe_playwright_python.sync_playwright import Axe

    seen.page.evaluate(REPEATED)  # thousands of tokens in a few colors: each is judged once
    options: dict[str, Any] = {"resultTypes": ["violations"], "iframes": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    context = {"include": ["html"], "exclude": ["[data-repeated]"]}
    found = Axe().run(seen.page, context=context, options=options).response["violations"]
    return [f"{seen.name}: axe: {fault['id']} ({fault['impact']}): "
            f"{fault['help']}: {node['target']}"
            for fault in found if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"][:5]]


def luminance(rgb: Any) -> Any:
    """Relative luminance of colors from 0 to 255, as WCAG 2 defines it."""
    import numpy as np

    part = np.asarray(rgb, dtype=float) / 255
    return (np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
            @ [0.2126, 0.7152, 0.0722])


def contrast(one: Any, other: Any) -> Any:
    """Contrast ratio of two luminances, from 1 to 21."""
    import numpy as np

    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


def paper(picture: Any) -> float:
    """Luminance of the color that most of a picture has."""
    colors = Counter(map(tuple, picture.reshape(-1, 3)[::7].tolist()))
    return float(luminance(colors.most_common(1)[0][0]))


def lost_ink(light: Any, dark: Any) -> float:
    """Of what stands out in the light picture, the share
    that can't be told from its ground in the dark one."""
    ink = contrast(luminance(light), paper(light)) >= 4.5
    if not ink.any() or light.shape != dark.shape:
        return float(light.shape != dark.shape)
    return float((contrast(luminance(dark), paper(dark))[ink] < 3).mean())


def figures(page: Any) -> list[Any]:
    """The pictures of a page that are large enough to be figures."""
    found = page.locator("main img:visible, main svg:visible").all()
    boxes = [x.bounding_box() for x in found]
    return [x for x, box in zip(found, boxes, strict=True)
            if box and min(box["width"], box["height"]) > 60]


def look(figure: Any) -> Any:
    """What the eye gets of a figure, with what lies behind it."""
    import numpy as np
    from PIL import Image

    figure.evaluate("x => x.decode ? x.decode().catch(() => 0) : 0")
    shot = figure.screenshot(animations="disabled")
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))


def ground(page: Any) -> float:
    """Luminance of the page's background."""
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return float(luminance([float(x) for x in re.findall(r"[\d.]+", color)[:3]]))


def dark_mode(seen: Visit) -> list[str]:
    """The switch makes the page dark and light again;
    text and figures can be read in the dark."""
    page, toggle = seen.page, seen.page.locator(".quarto-color-scheme-toggle:visible").first
    if not toggle.count():
        return [f"{seen.name}: there is no switch to dark mode"]
    shown = figures(page)
    light, before = [look(x) for x in shown], ground(page)
    toggle.click()
    page.mouse.move(0, 0)
    seen.settle()
    if not ground(page) < 0.2 < before or not page.locator("body.quarto-dark").count():
        return [f"{seen.name}: the switch does not make the page dark"]
    faults = accessible(seen, ("color-contrast", "link-in-text-block"))
    problems = [text.replace("axe:", "axe in the dark:") for text in faults]
    for i, (figure, picture) in enumerate(zip(shown, light, strict=True), 1):
        lost = lost_ink(picture, look(figure))
        if lost > 0.2:
            problems.append(
                f"{seen.name}: figure {i}: {lost:.0%} of its ink can't be seen in the dark")
    toggle.click()
    seen.settle()
    if abs(ground(page) - before) > 0.01:
        problems.append(f"{seen.name}: the switch does not bring the light back")
    return problems


SHOWN = """root => JSON.stringify([...root.querySelectorAll('img, svg, canvas, output')]
  .filter(x => x.getClientRects().length)
  .map(x => x.currentSrc || x.value || (x.toDataURL ? x.toDataURL() : x.outerHTML)))"""


def players_move(seen: Visit) -> list[str]:
    """Each player has a still picture, and follows
    the arrow keys, its buttons and the clock."""
    problems = [f"{seen.name}: player {i} has no still picture with a text"
                for i, (_, still) in enumerate(seen.page.evaluate(WRITTEN_PLAYERS), 1)
                if not still]
    seen.page.clock.install(time=0)
    seen.page.clock.pause_at(1000)  # from here on the clock is turned by hand
    for i, player in enumerate(seen.page.locator(".player").all(), 1):
        where = f"{seen.name}: player {i}"
        slider = player.locator("input[type=range]")
        if not slider.count() or not slider.is_visible():
            problems.append(f"{where} has no slider")
            continue
        player.scroll_into_view_if_needed()
        last = slider.input_value() == slider.get_attribute("max")  # one may start there
        arrow = "ArrowLeft" if last else "ArrowRight"
        steps = {"the arrow key": functools.partial(slider.press, arrow),
                 "Next": player.locator("button.player-next").click,
                 "Previous": player.locator("button.player-previous").click}
        for what, do in steps.items():
            before = player.evaluate(SHOWN)
            do()
            if player.evaluate(SHOWN) == before:
                problems.append(f"{where} does not follow {what}")
        slider.press("Home")
        for what, moves in (("play", True), ("pause", False)):
            player.locator("button.player-play").click()
            before = player.evaluate(SHOWN)
            seen.page.clock.run_for(900)
            if ((player.evaluate(SHOWN) != before) != moves
                and (moves or int(slider.get_attribute("max") or 0) > 1)):
                problems.append(f"{where} does not {what}")
    return problems


def fits_a_phone(seen: Visit) -> list[str]:
    """No scroll to the side at 390 pixels."""
    seen.page.set_viewport_size(NARROW)
    seen.page.wait_for_timeout(100)
    wide, culprits = seen.page.evaluate("""() => {
      const width = document.documentElement.clientWidth;
      const wide = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
      const inside = x => { for (x = x.parentElement; x && x !== document.body; x = x.parentElement)
        if (getComputedStyle(x).overflowX !== 'visible') return true; return false; };
      const over = [...document.querySelectorAll('main *')]
        .filter(x => x.getBoundingClientRect().right > width + 1 && !inside(x));
      return [wide > width + 1 ? wide : 0, over.slice(0, 3).map(x => x.outerHTML.slice(0, 80))];
    }""")  # noqa: E501
    seen.page.set_viewport_size(WIDE)
    return ([f"{seen.name}: {wide} pixels wide on a phone of {NARROW['width']}: {culprits}"]
            if wide else [])


BROKEN_WORDS = r"""() => {
  const found = [];
  for (const cell of document.querySelectorAll('main :is(td, th, h1, h2, h3, h4), .page-navigation a')) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange();
    const lines = () => new Set([...range.getClientRects()].map(x => Math.round(x.bottom / 4))).size;
    for (let node; (node = walk.nextNode());) {
      if (node.parentElement.closest('mjx-container, svg, script, style, .player')) continue;
      range.selectNodeContents(node);
      if (lines() < 2) continue;
      for (const word of node.data.matchAll(/[\p{L}\p{N}_]{2,}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (lines() > 1) found.push(word[0]);
      }
    }
  }
  return found;
}"""  # noqa: E501


def whole_words(seen: Visit) -> list[str]:
    """No word of a table, a heading or the page navigation
    is broken, on the wide page or on a phone."""
    problems = []
    for size in (WIDE, NARROW):
        seen.page.set_viewport_size(size)
        seen.page.wait_for_timeout(100)
        if broken := seen.page.evaluate(BROKEN_WORDS):
            shown = ", ".join(dict.fromkeys(broken[:5]))
            problems.append(f"{seen.name}: {len(broken)} broken words at {size['width']} "
                            f"pixels: {shown}")
    seen.page.set_viewport_size(WIDE)
    return problems


WRAPPED = """most => [...document.querySelectorAll('main pre > code.sourceCode > span')]
  .filter(x => x.getClientRects().length && x.textContent.trimEnd().length <= most
               && x.clientHeight > 1.5 * parseFloat(getComputedStyle(x).lineHeight))
  .map(x => x.textContent)"""


def lines_fit(seen: Visit) -> list[str]:
    """A line of code that is as long as the house allows has room on the wide page."""
    found = seen.page.evaluate(WRAPPED, LETTERS)
    return [f"{seen.name}: a line of {len(line)} letters is wrapped: {line.strip()!r}"
            for line in found[:3]]


FORMULAS = """() => [...document.querySelectorAll('main span.math')].map(x => {
  const set = x.querySelector('mjx-container'), box = set?.getBoundingClientRect();
  const wrong = !set ? 'is not set' : set.querySelector('mjx-merror') ? 'is an error'
    : x.getClientRects().length && !(box.width && box.height) ? 'has no size' : '';
  return wrong && `the formula ${x.textContent.slice(0, 60)} ${wrong}`;
}).filter(x => x)"""


def formulas_are_set(seen: Visit) -> list[str]:
    """MathJax has set every formula, in folded solutions too."""
    return [f"{seen.name}: {text}" for text in seen.page.evaluate(FORMULAS)[:5]]


OPEN_CODE = """() => [...document.querySelectorAll('main .cell .cell-code')]
  .filter(x => x.getClientRects().length).length"""


def code_hides(seen: Visit) -> list[str]:
    """Where a page has a menu for its code, its entries hide all code and bring it back."""
    page, before = seen.page, seen.page.evaluate(OPEN_CODE)
    if not before or not page.locator("#quarto-hide-all-code").count():
        return []  # a page without the menu, as the front page is
    problems = []
    for what, wanted in (("hide", 0), ("show", before)):
        page.locator(f"#quarto-{what}-all-code").evaluate("x => x.click()")
        seen.unfold()
        left = page.evaluate(OPEN_CODE)
        if left != wanted:
            problems.append(
                f"{seen.name}: after {what} all code {left} of {before} cells are open")
    return problems


PAGE_CHECKS: tuple[Callable[[Visit], list[str]], ...] = (
    accessible, dark_mode, fits_a_phone, whole_words,
    lines_fit, formulas_are_set, code_hides, light_enough,
    players_move,  # stops the clock of the page
    no_errors, at_home,  # hear what the others cause
)


# ------------------------------------ checks of the site


def sidebar_targets(seen: Visit) -> list[str]:
    """The pages to which the sidebar leads, in its order."""
    found = seen.page.eval_on_selector_all(LINKS, "all => all.map(x => x.href)")
    return list(dict.fromkeys(name for x in found if (name := seen.site.name(x))))


def sidebar_opens(site: Site, chrome: Any, expected: list[str]) -> list[str]:
    """The sidebar leads to every page of the book,
    and each of its links opens by a click."""
    from playwright.sync_api import TimeoutError as Late

    problems = []
    with visit(site, chrome, "index.html") as front:
        targets = sidebar_targets(front)
        problems += [f"sidebar: no link to {name}"
                     for name in expected if name not in targets]
        for name in targets:
            links = front.page.locator(LINKS)
            at = next(
                (i for i, x in enumerate(links.evaluate_all("all => all.map(x => x.href)"))
                 if site.name(x) == name), None)
            if at is None:
                problems.append(f"sidebar: {front.name} has no link to {name}")
                continue
            front.failed.clear()
            try:  # a section may be folded: click as the keyboard would
                with front.page.expect_navigation(wait_until="load",
                                                  timeout=1000 * SECONDS_OF_A_CLICK):
                    links.nth(at).evaluate("x => x.click()")
                arrived = site.name(front.page.url) == name and not front.failed
                arrived = arrived and front.page.locator("main").count() == 1
            except Late:
                arrived = False
            if not arrived:
                problems.append(f"sidebar: the link to {name} does not open it")
                front.page.goto(site.address + "index.html")
    return problems


WORDS = """() => [...document.querySelectorAll('main section.level2 p, main > p')]
  .filter(x => x.getClientRects().length && !x.closest('.callout, .cell-output'))
  .map(x => { const copy = x.cloneNode(true);
              copy.querySelectorAll('.math, mjx-container, code, script').forEach(y => y.remove());
              return copy.textContent; }).join(' ')"""  # noqa: E501


def telling_words(texts: dict[str, str],
                  index: dict[str, str] | None = None) -> dict[str, str]:
    """For each page a word that few other pages have, in none of its forms,
    as the search sees it; the longest of those."""
    found = {name: set(re.findall(r"\b[a-z]{5,20}\b", text.lower()))
             for name, text in texts.items()}
    where: dict[str, set[str]] = {}
    for name, text in (texts if index is None else index).items():
        for word in set(re.findall(r"[^\W_]+", text.lower())):
            where.setdefault(word, set()).add(name)
    known = sorted(where)

    def count(word: str) -> int:
        stem = re.sub("(?:ing|ed|es|e|s)$", "", word)  # as theme.html has it
        forms = known[bisect_left(known, stem):bisect_left(known, stem + "\uffff")]
        return len(set().union(*(where[form] for form in forms)))

    counts = {word: count(word) for word in set().union(*found.values())}
    few = {name: [w for w in words if counts[w] <= MOST_PAGES]
           for name, words in found.items()}
    return {name: min(words, key=lambda w: (counts[w], -len(w), w))
            for name, words in few.items() if words}


def search_index(site: Site) -> dict[str, str] | None:
    """What the search reads of each page: titles, headings, text and code."""
    path = site.folder / "search.json"
    if not path.exists():
        return None
    texts: dict[str, list[str]] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        texts.setdefault(entry["href"].split("#")[0], []).extend(
            entry.get(part) or "" for part in ("title", "section", "text"))
    return {name: " ".join(parts) for name, parts in texts.items()}


ANSWERS = """(all, query) => all.map(x => new URL(x.href))
  .filter(x => x.searchParams.get('q') === query).map(x => x.href)"""  # not those to the query before  # noqa: E501


def lists(name: str, found: list[str]) -> bool:
    """Whether a page is among those found."""
    return name in found


def begins(name: str, found: list[str]) -> bool:
    """Whether the first of the pages found is one of a name, or of a folder."""
    return found[0].startswith(name)


def search_shows(seen: Visit, box: Any, query: str,
                 right: Callable[[list[str]], bool]) -> bool:
    """Whether the pages that the search box lists for a query are soon the right ones."""
    box.fill(query)
    for _ in range(int(20 * SECONDS_OF_A_SEARCH)):
        links = seen.page.eval_on_selector_all("a.search-result-link", ANSWERS, query)
        if links and right([seen.site.name(x) for x in links]):
            return True
        seen.page.wait_for_timeout(50)
    return False


def search_finds(site: Site, chrome: Any, names: list[str]) -> list[str]:
    """The search box leads to each page by a word of it."""
    texts = {}
    with visit(site, chrome, "index.html") as seen:
        for name in names:
            if (site.folder / name).exists():
                seen.page.goto(site.address + name)
                texts[name] = seen.page.evaluate(WORDS)
    problems = []
    with visit(site, chrome, "index.html") as seen:
        page = seen.page
        button = page.locator("#quarto-search button.aa-DetachedSearchButton:visible")
        if button.count():
            button.first.click()
        box = page.locator("input.aa-Input, #quarto-search input").first
        if not box.count():
            return ["search: there is no search box"]
        for name, word in telling_words(texts, search_index(site)).items():
            if not search_shows(seen, box, word, functools.partial(lists, name)):
                problems.append(f"search: {word!r} does not lead to {name}")
        for query, name in QUERIES.items():
            if not any(x.startswith(name) for x in names):
                continue
            if not search_shows(seen, box, query, functools.partial(begins, name)):
                problems.append(f"search: {query!r} does not lead to {name} first")
            if "\\(" in " ".join(page.locator("a.search-result-link").all_inner_texts()):
                problems.append(f"search: {query!r} shows a formula as it was typed")
        problems += [x.replace("index.html", "search", 1) for x in no_errors(seen)]
    return problems


def expected_pages(root: Path = ROOT) -> list[str]:
    """The pages that the sidebar of `_quarto.yml` lists, as the site calls them."""
    return [re.sub(r"\.(ipynb|qmd|md)$", ".html", name) for name in pages(root)]


def check(folder: Path, base: str, expected: list[str], only: str = "") -> list[str]:
    """Every check on every page, and on the site as a whole; says how far it is."""
    problems = []
    with serve(folder, base) as site, browser() as chrome:
        for name in site.pages():
            if not re.search(only, name):
                continue
            with visit(site, chrome, name) as seen:
                found = [problem for look_at in PAGE_CHECKS for problem in look_at(seen)]
            print(f"{'FAILED' if found else 'ok    '} {name}", flush=True)
            problems += found
        if not only:
            problems += (sidebar_opens(site, chrome, expected)
                         + search_finds(site, chrome, expected))
    return problems


def main(arguments: list[str] | None = None) -> int:
    """Look at the site, or say why that can't be;
    with --ready, 3 means that something is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path,
                        default=ROOT / settings()["doc_path"])
    parser.add_argument("--only", default="",
                        help="only pages whose name has this (a regular expression)")
    parser.add_argument("--strict", action="store_true",
                        help="fail, instead of skipping, where something is missing")
    parser.add_argument("--ready", action="store_true",
                        help="only say whether there is a site and a browser")
    options = parser.parse_args(arguments)
    lacks = missing(options.folder)
    if options.ready and lacks and "Playwright" in lacks:
        lacks = None  # make site-test goes on to install these
    if lacks:
        print(f"{'The site was not tested' if options.strict else 'Skipped'}: {lacks}")
        return 1 if options.strict else 3 if options.ready else 0
    if options.ready:
        return 0
    problems = check(options.folder, settings()["doc_baseurl"], expected_pages(),
                     options.only)
    print("\n".join(problems) or "The site is sound.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
