"""The players that the pages hold: small, readable by a machine,
and alive in a browser without a server."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site import NEEDS_CHROMIUM, chromium, errors
from tools.book import notebooks

MOST_BYTES = 600_000


def stored_players() -> dict[str, str]:
    """The HTML of every player that a notebook stores, by page and cell."""
    found = {}
    for nb in notebooks():
        for cell in nb.cells:
            for out in cell.outputs:
                text = "".join(out.get("data", {}).get("text/html", ""))
                if '<div class="player"' in text:
                    found[f"{nb.name}, cell {cell.number}"] = text
    return found


PLAYERS = stored_players()


def faults(text: str) -> list[str]:
    """What is wrong with a stored player."""
    image = re.search(r'<img src="data:image/(?:png|webp);base64,[^"]{100,}" alt="([^"]*)"',
                      text)
    slider = re.search(
        r'<input type="range" min="0" max="(\d+)" value="(\d+)"[^>]* aria-label="([^"]+)"'
        r'\s+aria-valuetext="([^"]*)"', text)
    script = re.search(r"const frames = (\[.*?\n\]);\n", text, flags=re.S)
    if not (image and slider and script):
        return ["no still picture, slider or frames: run the notebook again"]
    frames, start = json.loads(script[1]), int(slider[2])
    problems = ([f"{len(text):,} bytes; {MOST_BYTES:,} are the most"]
                if len(text) > MOST_BYTES else [])
    problems += ([] if len(frames) == int(slider[1]) + 1 > 1
                 else ["the slider has other places than there are frames"])
    lost = [i for i, (picture, _, alt) in enumerate(frames)
            if not alt or bool(picture) == (i == start)]
    problems += [f"frame {i} without its picture or its words" for i in lost]
    shown = [html.unescape(image[1]), html.unescape(slider[4])]
    problems += ([] if shown == frames[start][:0:-1]
                 else ["the still picture is not the frame that the slider names"])
    return problems + (["loads something from elsewhere"]
                       if re.search(r"(src|href)=\"(?!data:)|url\(", text) else [])


@pytest.mark.parametrize("place", PLAYERS)
def test_a_player_is_small_and_whole(place):
    assert faults(PLAYERS[place]) == []


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium"), "500,1000") as driver:
        yield driver


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with all players below one another."""
    page: Path = tmp_path_factory.mktemp("players") / "all.html"
    head = ('<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
            'content="width=device-width">')
    page.write_text(head + "<title>Players</title><body>" + "\n".join(PLAYERS.values()),
                    encoding="utf-8")
    return page.as_uri()


@pytest.mark.deep
@NEEDS_CHROMIUM
def test_every_player_moves_by_the_keyboard_and_says_so(browser, address):
    from selenium.webdriver.common.keys import Keys

    browser.get(address)
    players = browser.find_elements("css selector", ".player")
    assert len(players) == len(PLAYERS)
    for place, player in zip(PLAYERS, players, strict=True):
        image, slider, spoken = (player.find_element("css selector", x)
                                 for x in ("img", "input", "output"))

        def state() -> tuple[str, ...]:
            return (image.get_attribute("src"), image.get_attribute("alt"),  # noqa: B023
                    slider.get_attribute("aria-valuetext"), spoken.text)  # noqa: B023

        slider.send_keys(Keys.HOME)
        first = state()
        assert browser.switch_to.active_element == slider, place
        assert slider.value_of_css_property("outline-style") == "solid", (
            f"{place}: no focus ring")
        assert slider.value_of_css_property("outline-width") == "3px", (
            f"{place}: no focus ring")
        slider.send_keys(Keys.ARROW_RIGHT)
        second = state()
        assert (first[0] != second[0] and first[1] != second[1]
                and second[2] == second[3] != first[2]), place
        player.find_element("css selector", ".player-next").send_keys(Keys.ENTER)
        assert (spoken.get_attribute("aria-live") == "polite"
                and state()[1] != second[1]), place
        slider.send_keys(Keys.HOME)
        assert state() == first, place
    wide, page = browser.execute_script(
        "return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= page
    assert errors(browser) == []


@pytest.mark.deep
@NEEDS_CHROMIUM
def test_without_scripts_the_still_picture_stands_and_nothing_dead(browser, address):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(address)
        for player in browser.find_elements("css selector", ".player"):
            image = player.find_element("css selector", "img")
            assert image.size["width"] > 100 and image.size["height"] > 50
            assert (player.find_element("css selector", ".player-controls")
                    .value_of_css_property("display") == "none")
            assert player.get_attribute("data-ready") is None  # no script has run
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
