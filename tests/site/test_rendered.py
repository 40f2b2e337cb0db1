"""What the theme's script does to a page: search by words, long lines of code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site import NEEDS_PLAYWRIGHT
from tools import site_test
from tools.book import ROOT
from tools.site_test import serve

pytestmark = [pytest.mark.deep, NEEDS_PLAYWRIGHT]

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head>
<body class="quarto-light"><main class="content">{}
<pre><code class="sourceCode"><span>    {}</span></code></pre></main>{}</body></html>"""  # noqa: E501
THEME = (ROOT / "nbs" / "theme.html").read_text(encoding="utf-8")
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


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(PAGE.format(FUSE, "x " * 45, THEME),
                                       encoding="utf-8")
    with serve(folder) as site, site_test.browser() as chrome:
        opened = chrome.new_page()
        opened.goto(site + "index.html", wait_until="networkidle")
        yield opened


def test_search_is_by_words_in_any_form(page: Any) -> None:
    def found(query: str, limit: int = 9) -> Any:
        return page.evaluate("([q, limit]) => new window.Fuse([], "
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


def test_long_lines_hang_by_their_own_indentation(page: Any) -> None:
    style = ("document.querySelector('code.sourceCode > "
             "span').style.getPropertyValue('--hang')")
    assert page.evaluate(style) == "8ch"
