"""The two themes of the site: readable colors, the paper
of the figures, and a script for the keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from supervised.basics.figures import INK, PAPER
from tests.basics.test_figures import contrast
from tests.site import NEEDS_CHROMIUM, chromium, errors
from tools.book import ROOT

NBS = ROOT / "nbs"
FONTS = sorted((NBS / "fonts").glob("*.woff2"))
FORMAT = yaml.safe_load((ROOT / "_quarto.yml")
                        .read_text(encoding="utf-8"))["format"]["html"]

# What is written on what: text needs a contrast
# of 4.5 to 1 (WCAG 2.2, success criterion 1.4.3).
PAIRS = [("body-color", "body-bg"), ("link-color", "body-bg"),
         ("link-color", "code-bg"), ("link-color", "light"),
         ("text-muted", "body-bg"), ("text-muted", "code-block-bg"),
         ("code-color", "code-bg"), ("pre-color", "code-block-bg"),
         ("sidebar-fg", "sidebar-bg"), ("toc-color", "sidebar-bg"),
         ("text-muted", "sidebar-bg"), ("secondary", "body-bg"),
         ("body-color", "popover-bg"), ("link-color", "popover-bg")]


def colors(theme: str) -> dict[str, str]:
    """The colors that a theme sets, by the names of the variables."""
    text = (NBS / f"theme-{theme}.scss").read_text(encoding="utf-8")
    return dict(re.findall(r"^\$([\w-]+): *(#[0-9a-f]{6});", text, flags=re.M))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS, ids="-".join)
def test_text_can_be_read(theme, text, ground):
    found = colors(theme)
    assert contrast(found[text], found[ground]) >= 4.5, f"${text} on ${ground}"


def test_figures_lie_in_the_light_page_without_a_seam():
    assert (colors("light")["body-bg"], colors("light")["body-color"]) == (PAPER, INK)


def test_both_themes_set_the_same_and_share_one_file():
    assert set(colors("light")) <= set(colors("dark"))
    rest = ["theme.scss", "figures.scss", "reference.scss", "front.scss"]
    assert FORMAT["theme"] == {mode: [f"theme-{mode}.scss", *rest]
                               for mode in ("light", "dark")}
    light, dark, shared = ((NBS / f"theme{x}.scss").read_text(encoding="utf-8")
                           for x in ("-light", "-dark", ""))
    set_light, set_dark = (set(re.findall(r"^ *(--[\w-]+):", text, flags=re.M))
                           for text in (light, dark))
    assert set(re.findall(r"var\((--[\w-]+)\)", shared)) == set_light == set_dark


def test_nothing_is_fetched_from_elsewhere():
    for path in [*NBS.glob("*.scss"), *(NBS / x for x in FORMAT["include-after-body"])]:
        # a drawing names its kind by an address that nobody asks
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"@import|https?:|\bsrc=", text), path.name
        assert set(re.findall(r"url\(([^#].*?)\)", text)) == (
            {f'"fonts/{x.name}"' for x in FONTS}
            if path.name == "theme.scss" else set()), path.name
    assert FORMAT["html-math-method"]["url"].startswith("/") and FORMAT["mathjax"] is False


def test_typefaces_are_light_and_may_be_given_away():
    assert len(FONTS) == 6 and sum(x.stat().st_size for x in FONTS) < 250_000
    assert all(x.read_bytes()[:4] == b"wOF2" for x in FONTS)
    text = (NBS / "fonts" / "LICENSE.md").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in text and "Reserved Font Name" in text
    names = set(re.findall(r'font-family: "(.*?)"',
                           (NBS / "theme.scss").read_text(encoding="utf-8")))
    # "Source" is reserved for the whole
    assert names == {"Supervised Text", "Supervised Sans", "Supervised Code"}


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
<nav id="quarto-sidebar"><div><a><span class="menu-text">Trees</span></a><a class="sidebar-item-toggle"
 role="navigation" data-bs-toggle="collapse" aria-expanded="false" onclick="document.title += '!'"></a></div></nav>
<main><div class="callout-header" data-bs-toggle="collapse" aria-expanded="false">Solution</div>
<pre style="width: 100px; overflow-x: auto">a line that is much longer than the place it has</pre><pre>short</pre>
<p style="width: 60px"><mjx-container style="display: inline-block; width: 300px">formula</mjx-container></p></main>"""  # noqa: E501


@pytest.mark.deep
@NEEDS_CHROMIUM
def test_the_script_gives_the_keyboard_what_the_mouse_has(tmp_path: Path):
    from selenium.webdriver.common.keys import Keys

    (tmp_path / "page.html").write_text(PAGE + (NBS / "theme.html")
                                        .read_text(encoding="utf-8"))
    with chromium(tmp_path) as browser:
        browser.get((tmp_path / "page.html").as_uri())
        toggle, header = browser.find_elements("css selector", "[data-bs-toggle]")
        assert [x.get_attribute("role") for x in (toggle, header)] == ["button", "button"]
        assert toggle.get_attribute("aria-label") == "Pages of Trees"
        browser.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.switch_to.active_element == toggle
        toggle.send_keys(Keys.ENTER)
        toggle.send_keys(Keys.SPACE)
        assert browser.title == "Page!!"
        assert [x.get_attribute("tabindex")
                for x in browser.find_elements("css selector", "pre")] == ["0", None]
        assert "wide" in browser.find_element("css selector",
                                              "mjx-container").get_attribute("class")
        assert errors(browser) == []
