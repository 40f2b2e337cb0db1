"""The checks of the rendered site, on a small site made by hand:
sound as it is, then broken in each way.

The small site has Quarto's markup where the checks look at it, and the book's own player.
Quarto itself is not needed; `make site-test` looks at what it makes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

from supervised.basics.figures import player
from tools import site_test
from tools.book import ROOT
from tools.site_test import serve, visit

LACKS = (site_test.uninstalled() if site_test.chromium()
         else "it needs Chromium (on Debian: apt-get install chromium)")
NEEDED = pytest.mark.skipif(LACKS is not None, reason=f"no browser to look with: {LACKS}")

STYLE = """body {margin: 0; font: 16px/1.5 sans-serif; background: #fff; color: #222}
body.quarto-dark {background: #111; color: #eee} body.quarto-dark a, body.quarto-dark .search-result-link {color: #9cf}
a {color: #03c} main {padding: 1rem} img, svg {max-width: 100%}
.kw {color: #070} body.quarto-dark .kw {color: #7f7}
#quarto-sidebar {padding: 1rem} .collapse:not(.show) {display: none} .table {overflow-x: auto}
code.sourceCode > span {display: inline-block; white-space: pre-wrap; line-height: 1.5; max-width: 1200px}
body.no-code .cell .cell-code {display: none} mjx-container {display: inline-block; width: 20px; height: 9px}"""  # noqa: E501

SCRIPT = """const dark = () => localStorage.getItem('quarto-color-scheme') === 'alternate';
const paint = () => { document.body.classList.toggle('quarto-dark', dark());
                      document.body.classList.toggle('quarto-light', !dark()); };
window.quartoToggleColorScheme = () => {
  localStorage.setItem('quarto-color-scheme', dark() ? 'default' : 'alternate'); paint(); };
paint();
document.querySelector('.aa-Input').addEventListener('input', async event => {
  const base = document.querySelector('meta[name="quarto:offset"]').content;
  const index = await (await fetch(base + 'search.json')).json();
  const links = index.filter(x => x.text.toLowerCase().includes(event.target.value)).map(x => {
    const link = document.createElement('a');
    const href = base + x.href.replace('#', '?q=' + event.target.value + '#');
    Object.assign(link, {href, className: 'search-result-link',
                         textContent: x.title});
    return link; });
  document.getElementById('quarto-search-results').replaceChildren(...links); });"""  # noqa: E501

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><meta name="quarto:offset" content="{base}">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="{base}favicon.svg">
<link rel="stylesheet" href="{base}site_libs/style.css"></head>
<body class="quarto-light"><div id="quarto-search-results"></div>
<nav id="quarto-sidebar" class="sidebar" aria-label="Pages"><div id="quarto-search" title="Search">
<form class="aa-Form"><input class="aa-Input" type="search" aria-label="Search"></form></div>
<a href="" class="quarto-color-scheme-toggle" onclick="window.quartoToggleColorScheme(); return false;"
 title="Toggle dark mode">Light or dark</a>
<ul><li><a href="{base}index.html" class="sidebar-item-text sidebar-link">Front</a></li>
<li><button type="button" class="sidebar-link">Basics</button><ul class="collapse sidebar-section">
<li><a href="{base}basics/tables.html" class="sidebar-item-text sidebar-link">Tables</a></li></ul></li></ul></nav>
<main class="content" id="quarto-document-content"><h1 class="title">{title}</h1>
<section id="one" class="level2"><h2>One</h2><p>{words}</p>{body}</section></main>
<script src="{base}site_libs/site.js"></script>{theme}</body></html>
"""  # noqa: E501
THEME = (ROOT / "nbs" / "theme.html").read_text(encoding="utf-8")  # the book's own script
FOLD = """<div class="callout-header" data-bs-toggle="collapse" aria-expanded="false" onclick="
 document.getElementById('fold').classList.add('show'); this.setAttribute('aria-expanded', 'true')">Solution</div>
<div id="fold" class="callout-collapse collapse">{}</div>"""  # noqa: E501
CODE = """<a id="quarto-hide-all-code" href="#one">Hide</a> <a id="quarto-show-all-code" href="#one">Show</a>
<div class="cell"><div class="cell-code"><pre tabindex="0"><code class="sourceCode"><span>{}</span></code></pre></div>
</div>""".format("x " * 45 + "xx")  # noqa: E501
FORMULA = '<span class="math inline"><mjx-container>x</mjx-container></span>'
# no compression makes it small


WORDS = {"index.html": "A front page with pleasantries.",
         "basics/tables.html": "The rows of spreadsheets."}


def picture(folder: Path, transparent: bool = False) -> None:
    """A figure with black ink, on white or on nothing."""
    figure, ax = plt.subplots(figsize=(3, 2), dpi=100)
    ax.plot([0, 1], [0, 1], "k", linewidth=3)
    figure.savefig(folder / "basics" / "figure.png", transparent=transparent)
    plt.close(figure)


def moving_player() -> str:
    """The book's own player, with three frames."""
    def draw(k: int) -> Any:
        figure, ax = plt.subplots(figsize=(3, 2), dpi=100)
        ax.plot([0, k])
        return figure

    return player(draw, [1, 2, 3], label="k", alt="A line").to_html()


def write_page(folder: Path, name: str, body: str) -> None:
    """A page of the small site."""
    base = "../" * name.count("/") or "./"
    title = "Front" if name == "index.html" else "Tables"
    text = PAGE.format(title=title, base=base, words=WORDS[name], body=body, theme=THEME)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small site as it should be."""
    folder = tmp_path_factory.mktemp("site") / "_docs"
    (folder / "basics").mkdir(parents=True)
    (folder / "site_libs").mkdir()
    (folder / "site_libs/style.css").write_text(STYLE, encoding="utf-8")
    (folder / "site_libs/site.js").write_text(SCRIPT, encoding="utf-8")
    (folder / "favicon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>',
                                        encoding="utf-8")
    picture(folder)
    write_page(folder, "index.html", FOLD.format(moving_player() + FORMULA))
    table = "<table><tr><th>" + "</th><th>".join(["wide"] * 40) + "</th></tr></table>"
    code = (CODE + "<pre><code>x = 1</code></pre>"
            + '<pre><code><span class="kw">def</span> f</code></pre>' * 3)
    write_page(folder, "basics/tables.html", '<img src="figure.png" alt="A line">'
               f'<div class="table" tabindex="0">{table}</div>{code}')
    index = [{"href": f"{n}#one", "title": n, "section": "One", "text": w}
             for n, w in WORDS.items()]
    (folder / "search.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with site_test.browser() as opened:
        yield opened


@pytest.fixture
def look(chrome: Any, monkeypatch: pytest.MonkeyPatch,
         capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """What `make site-test` does to a folder: its status, and what it says."""
    monkeypatch.setattr(site_test, "browser", lambda: nullcontext(chrome))
    monkeypatch.setattr(site_test, "expected_pages", lambda: list(WORDS))

    def run(folder: Path, *options: str) -> tuple[int, list[str]]:
        status = site_test.main([str(folder), "--strict", *options])
        return status, capsys.readouterr().out.splitlines()

    return run


@pytest.mark.deep
@NEEDED
def test_a_sound_site_passes(sound: Path, look: Callable[..., Any]) -> None:
    assert look(sound) == (0, ["ok     basics/tables.html", "ok     index.html",
                               "The site is sound."])


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Put something else into a file of the site."""
    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


FUSE = """<script>window.Fuse = class { constructor() { this._docs = [
  {href: 'trees/index.html', title: 'Trees', section: '', text: 'A tree grows, and the prune follows later.'},
  {href: 'trees/pruning.html#in-short', title: 'Pruning a tree', section: 'In short', text: 'Cut it back.'},
  {href: 'rules/ripper.html', title: 'Grow and prune', section: '', text: 'Prune by counts.'},
  {href: 'api/x.html', title: 'x', section: 'Smoothing', text: 'None or "laplace".'},
  {href: 'trees/engine/pruning.html', title: 'The engine that prunes', section: '', text: 'Fast.'},
  {href: 'trees/pruning.html', title: 'Pruning a tree', section: '', text: 'When a tree has learned too much.'},
  {href: 'bayes/x.html', title: 'Counts', section: 'Smoothing',
   text: 'x '.repeat(200) + 'Laplace adds one to each count.'}]; }
  search(query) { return [{item: {title: 'like ' + query}}]; } };</script>"""  # noqa: E501


@pytest.mark.deep
@NEEDED
def test_search_is_by_words_in_any_form(sound: Path, chrome: Any, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(sound, tmp_path / "_docs"))
    edit("index.html", "<main", FUSE + "<main")(folder)
    with serve(folder) as site, visit(site, chrome, "index.html") as seen:
        def found(query: str, limit: int = 9) -> Any:
            return seen.page.evaluate("([q, limit]) => new window.Fuse([], "
                                      "{}).search(q, {limit}).map(x => x.item)",
                                      [query, limit])

        assert [(x["title"], x["section"]) for x in found("prune")] == [
            ("Pruning a tree", ""), ("Grow and prune", ""), ("Pruning a tree", "In short"),
            ("The engine that prunes", ""), ("Trees", "")]
        assert len(found("prune", 1)) == 1
        # one word in the text, the other in the heading; the reference comes later
        both, _ = found("laplace smoothing")
        assert (both["title"] == "Counts" and both["text"].startswith("… x ")
                and len(both["text"]) < 300)
        assert "<mark>Laplace</mark> adds one" in both["text"]
        # on no page together: by likeness
        assert found("grows much")[0]["title"] == "like grows much"


@pytest.mark.deep
@NEEDED
def test_long_lines_hang_by_their_own_indentation(sound: Path, chrome: Any,
                                                  tmp_path: Path) -> None:
    folder = Path(shutil.copytree(sound, tmp_path / "_docs"))
    edit("basics/tables.html", "<span>x x", "<span>    x x")(folder)
    with serve(folder) as site, visit(site, chrome, "basics/tables.html") as seen:
        style = ("document.querySelector('code.sourceCode > "
                 "span').style.getPropertyValue('--hang')")
        assert seen.page.evaluate(style) == "8ch"


# ------------------------------------ what needs no browser


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(site_test, "INSTALLED", ())
    for strict, status in (([], 0), (["--strict"], 1)):
        assert site_test.main([str(tmp_path / "_docs"), *strict]) == status
        said = capsys.readouterr().out
        assert "no site in _docs" in said and "https://quarto.org/docs/get-started/" in said
    assert site_test.main([str(tmp_path / "_docs"), "--ready"]) == 3
    (tmp_path / "_docs").mkdir()
    (tmp_path / "_docs/index.html").touch()
    capsys.readouterr()
    assert site_test.main([str(tmp_path / "_docs")]) == 0
    assert capsys.readouterr().out.startswith("Skipped: it needs Chromium")
