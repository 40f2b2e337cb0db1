"""Players: pictures, labels, words, and a browser."""

from __future__ import annotations

import base64
import io
import re
from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from supervised.basics.figures import Player, player
from tests.basics.figures import house_style  # noqa: F401
from tests.site import NEEDS_CHROMIUM, chromium, errors


def frames(n=3, size=(2, 1)):
    for i in range(n):
        fig, ax = plt.subplots(figsize=size)
        ax.plot([0, 1] * (i + 1))
        ax.set_axis_off()
        yield fig


def three(title="Dial", **kwargs):
    return Player(frames(), title=title, alt="A line", **kwargs)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def without_pictures(text):
    """As the comparison of stored outputs sees it (tests/sanitize.cfg)."""
    text = re.sub(r"data:image/(png|webp);base64,[A-Za-z0-9+/=\\n]+", "PIXELS", text)
    return re.sub(r'data-panels="[-0-9. e;]*"', "PANELS", text)


def pixels(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), int)


def test_a_player_is_the_same_on_every_run():
    one, two = three(), three()
    assert one.to_html() == two.to_html() and one.pictures == two.pictures
    other_pixels = Player(list(frames(4))[1:], title="Dial", alt="A line")
    assert other_pixels.pictures != one.pictures
    assert without_pictures(other_pixels.to_html()) == without_pictures(one.to_html())


def test_every_bundle_has_a_still_picture_and_alt_texts():
    bundle = three()._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    still = base64.b64decode(bundle["image/png"])
    # 2 × 1 inches of 1.5 · 115 dots
    assert Image.open(io.BytesIO(still)).size == (345, 172)
    assert bundle["text/plain"] == "<Player: Dial, 3 frames>"
    page = Page(bundle["text/html"])
    assert [image["alt"] for image in page.all("img")] == ["A line (1 of 3)"]
    shown = page.all("img")[0]["src"].removeprefix("data:image/webp;base64,")
    assert np.array_equal(pixels(base64.b64decode(shown)), pixels(still))
    (slider,) = page.all("input")
    assert (slider["aria-label"] == "Dial" and slider["type"] == "range"
            and slider["max"] == "2")
    # without a script there must be no dead controls
    (controls,) = (tag for tag in page.all("div") if tag["class"] == "player-controls")
    assert controls["style"] == "display: none"
    assert (page.all("noscript") and not page.all("link")
            and all("src" not in s for s in page.all("script")))
    assert ("prefers-reduced-motion" in bundle["text/html"]
            and ":focus-visible" in bundle["text/html"])


def test_a_player_may_start_with_any_frame():
    late = player(lambda i: list(frames(i))[-1], [1, 2, 3], label="i",
                  alt="A line", start=2)
    page, bundle = Page(late.to_html()), late._repr_mimebundle_()
    assert np.array_equal(pixels(base64.b64decode(bundle["image/png"])),
                          pixels(late.pictures[2]))
    (image,), (slider,) = page.all("img"), page.all("input")
    assert image["src"].endswith(base64.b64encode(late.pictures[2]).decode())
    assert image["alt"] == "A line (i = 3)"
    assert (slider["value"], slider["aria-valuetext"]) == ("2", "i = 3")


def test_no_picture_is_stored_twice():
    page = three().to_html()
    assert ([page.count(base64.b64encode(png).decode()) for png in three().pictures]
            == [1, 1, 1])


def test_words_cannot_break_out_of_the_page():
    evil = '</script><script>alert("1")</script> & "quoted" @ID@ <b>'
    page = Page(Player(frames(), [evil] * 3, title=evil, alt=evil).to_html())
    assert len(page.all("script")) == 1 and not page.all("b")
    assert page.all("input")[0]["aria-valuetext"] == evil
    assert page.all("img")[0]["alt"] == f"{evil} ({evil})"


def test_no_figure_is_left_open_and_none_is_lost():
    mine = plt.figure().number
    closed = list(frames())
    for figure in closed:
        plt.close(figure)
    assert len(Player(closed, title="Closed", alt="Lines").pictures) == 3
    Player(frames(), title="Open", alt="Lines")
    player(lambda i: plt.subplots()[1], [1, 2], label="i", alt="Empty axes")
    assert plt.get_fignums() == [mine]


@pytest.mark.deep
@NEEDS_CHROMIUM
def test_the_buttons_of_players_on_one_page(tmp_path):
    """Arrow keys, and what a screen reader is told: tests/site/test_players.py."""
    players = [three(labels=["a", "b", "c"]), three("Knob"), three("Knob")]
    assert players[1].to_html() == players[2].to_html()  # they share their id
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><meta charset='utf-8'><body>"
                    + "".join(p.to_html() for p in players), encoding="utf-8")
    with chromium(tmp_path) as browser:
        browser.get(page.as_uri())
        images, controls = (browser.find_elements("css selector", x)
                            for x in ("img", ".player-controls"))
        # else JupyterLab takes the arrow keys for itself
        for control in browser.find_elements("css selector", "input, button"):
            assert control.get_attribute("data-lm-suppress-shortcuts") == "true"

        def state(i):
            shown = images[i].get_attribute("src").split(",")[1]
            return [base64.b64encode(p).decode() for p in players[i].pictures].index(shown)

        def press(i, name):
            button = controls[i].find_element("css selector", f".player-{name}")
            button.click()
            return button

        press(0, "next")
        press(1, "previous")
        assert [state(i) for i in range(3)] == [1, 2, 0]
        play = press(2, "play")
        assert play.text == "Pause"
        press(2, "next")  # whoever steps by hand stops the show
        assert play.text == "Play" and [state(i) for i in range(3)] == [1, 2, 1]
        assert errors(browser) == []
