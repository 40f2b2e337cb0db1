"""What `nbs/reference.html` does to a page:
docstrings fold, tables are sorted, by mouse and keyboard."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import pytest

from tests.site import NEEDS_CHROMIUM, chromium
from tools.book import ROOT

pytestmark = [pytest.mark.deep, NEEDS_CHROMIUM]

CODE = '''def gain(counts):
    """How much a split tells,
    in bits.

    Parameters
    ----------
    counts : list
    """
    return 0


def short():
    """One line."""
    text = """not a
    docstring

    at all"""


class Tree:
    r"""A tree.

    $\\alpha$ prunes."""
    depth = 1'''

ROWS = [("b", "2.5"), ("a", ""), ("c", "10"), ("d", "-1")]


def page() -> str:
    """A page as Quarto makes it: a span for each line
    of code, a table, and the scripts at the end."""
    lines = []
    for i, line in enumerate(CODE.split("\n"), 1):
        words = html.escape(line)
        said = (f'<span class="co">{words}</span>'
                if "= " not in line and "def " not in line else words)
        lines.append(f'<span id="cb1-{i}"><a href="#cb1-{i}"></a>{said}</span>')
    code = "\n".join(lines)
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in ROWS)
    script = (ROOT / "nbs" / "reference.html").read_text(encoding="utf-8")
    return (
        f'<!doctype html><style>[hidden] {{display: none !important}}</style><main><pre>'
        f'<code class="sourceCode python">{code}</code></pre><table '
        'class="sortable"><thead><tr><th>name'
        f'</th><th>value</th></tr></thead><tbody>{rows}</tbody></table></main>{script}')


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page in a headless Chromium."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(page(), encoding="utf-8")
    with chromium(folder) as driver:
        driver.get((folder / "page.html").as_uri())
        yield driver


def shown(driver: Any) -> list[str]:
    """The lines of code that are to be seen."""
    text = driver.execute_script("return document.querySelector('code').innerText")
    return [line.rstrip() for line in text.split("\n")]


def test_a_docstring_folds_behind_its_summary_and_opens_by_the_keyboard(
    driver: Any
) -> None:
    from selenium.webdriver.common.keys import Keys

    whole = CODE.split("\n")
    buttons = driver.find_elements("css selector", "button.docstring-more")
    # a line alone does not fold, nor does a text that is no docstring
    assert len(buttons) == 2
    assert shown(driver) == [*whole[:3], *whole[8:21], *whole[23:]]
    assert [b.get_attribute("aria-expanded") for b in buttons] == ["false", "false"]
    for button in buttons:
        assert button.get_attribute("aria-label") == "Show the rest of the docstring"
        button.send_keys(Keys.ENTER)
    assert shown(driver) == whole
    assert [b.get_attribute("aria-expanded") for b in buttons] == ["true", "true"]
    buttons[0].send_keys(Keys.SPACE)
    assert shown(driver) == [*whole[:3], *whole[8:]]


def test_what_is_folded_is_copied_all_the_same(driver: Any) -> None:
    copied = (
        "return "
        "document.querySelector('pre').cloneNode(true).querySelector('code').innerText")
    assert driver.execute_script(copied) == CODE


def test_a_link_to_a_line_opens_its_docstring(driver: Any) -> None:
    driver.execute_script("location.hash = '#cb1-7'")
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 60).until(lambda d: "    counts : list" in shown(d))


def test_a_click_on_a_heading_sorts_and_says_so(driver: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    heads = driver.find_elements("css selector", "table.sortable thead th")
    first, second = (h.find_element("tag name", "button") for h in heads)

    def names() -> str:
        cells = driver.find_elements("css selector", "table.sortable tbody th")
        return "".join(cell.text for cell in cells)

    second.click()
    # numbers as numbers
    assert names() == "dbca" and heads[1].get_attribute("aria-sort") == "ascending"
    second.send_keys(Keys.ENTER)
    # empty below
    assert names() == "cbda" and heads[1].get_attribute("aria-sort") == "descending"
    first.click()
    assert names() == "abcd" and heads[0].get_attribute("aria-sort") == "ascending"
    assert heads[1].get_attribute("aria-sort") is None
