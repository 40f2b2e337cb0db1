"""Players: pictures, labels, words, and a browser."""

from __future__ import annotations

import base64
import io
import re
import shutil
import warnings
from html.parser import HTMLParser

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from PIL import Image
from sklearn.neighbors import KNeighborsClassifier

from supervised.basics.figures import (
    Player,
    player,
    plot_regions,
    set_style,
)

RNG = np.random.default_rng(0)
FOUR = pd.DataFrame(
    RNG.normal(0, 1, (80, 2)) + np.repeat([[0, 0], [4, 0], [0, 400], [4, 400]], 20, axis=0),
    columns=["length", "weight"],
)
NAMES = np.repeat(["birch", "oak", "ash", "elm"], 20)


@pytest.fixture(autouse=True)
def house_style():
    with mpl.rc_context():
        set_style()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    plt.close("all")


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


def test_players_have_names_of_their_own():
    ids = [
        Page(p.to_html()).all("div")[0]["id"]
        for p in (
            three(),
            three("Knob"),
            three(labels=["a", "b", "c"]),
            Player(frames(), title="Dial", alt="Line"),
        )
    ]
    assert len(set(ids)) == 4


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


def test_players_of_different_width_keep_their_own():
    wide = Player(frames(2, (4, 1)), title="Wide", alt="A line")
    styles = [Page(p.to_html()).all("div")[0]["style"] for p in (three(), wide)]
    assert styles == ["max-width: 230px", "max-width: 460px"]


def test_words_cannot_break_out_of_the_page():
    evil = '</script><script>alert("1")</script> & "quoted" @ID@ <b>'
    page = Page(Player(frames(), [evil] * 3, title=evil, alt=evil).to_html())
    assert len(page.all("script")) == 1 and not page.all("b")
    assert page.all("input")[0]["aria-valuetext"] == evil
    assert page.all("img")[0]["alt"] == f"{evil} ({evil})"


@pytest.mark.deep
def test_twelve_frames_stay_small():
    X, y = FOUR, NAMES
    made = player(
        lambda k: plot_regions(KNeighborsClassifier(k).fit(X, y), X, y, resolution=60),
        range(1, 13),
        label="k",
        alt="Regions",
    )
    assert len(made.to_html()) < 600_000
    assert (made.labels[0] == "k = 1" and made.alts[-1] == "Regions (k = 12)"
            and made.title == "k")


def test_no_figure_is_left_open_and_none_is_lost():
    mine = plt.figure().number
    closed = list(frames())
    for figure in closed:
        plt.close(figure)
    assert len(Player(closed, title="Closed", alt="Lines").pictures) == 3
    Player(frames(), title="Open", alt="Lines")
    player(lambda i: plt.subplots()[1], [1, 2], label="i", alt="Empty axes")
    assert plt.get_fignums() == [mine]


def test_a_draw_that_fails_leaves_nothing_open():
    def draw(value):
        plt.figure()
        return 1 / value

    with pytest.raises(ZeroDivisionError):
        player(draw, [0], label="v", alt="Nothing")
    with pytest.raises(TypeError,
                       match=r"frames\[0\] must be a matplotlib Figure or Axes, not float"):
        player(draw, [1], label="v", alt="A number")
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        (dict(frames=[]), ValueError, "frames is empty"),
        (dict(frames=["picture.png"]), TypeError, r"frames\[0\] must be.*not str"),
        (
            dict(labels=["a", "b"]),
            ValueError,
            r"labels must have one text for each frame \(3\), not 2",
        ),
        (
            dict(alt=["a", "b"]),
            ValueError,
            r"alt must be one text, or one for each frame \(3\), not 2",
        ),
        (dict(alt=" "), ValueError, "alt must describe"),
        (dict(alt=["a", "", "c"]), ValueError, "alt must describe"),
        (dict(title=""), ValueError, "title must say"),
        (dict(title=None), ValueError, "title must say"),
        (dict(start=3), ValueError, "start must be a frame from 0 to 2, not 3"),
        (dict(start=-1), ValueError, "start must be a frame from 0 to 2, not -1"),
        (dict(start=1.0), ValueError, "start must be a frame from 0 to 2, not 1.0"),
    ],
)
def test_players_that_cannot_be_made(arguments, error, words):
    with pytest.raises(error, match=words):
        Player(**({"frames": frames(), "title": "Dial", "alt": "A line"} | arguments))


def test_frames_of_different_size():
    with pytest.raises(
            ValueError,
            match=r"frames\[0\] has \(345, 172\) pixels, frames\[3\] has \(517, 172\)"):
        Player([*frames(), *frames(1, (3, 1))], title="Dial", alt="A line")


def test_no_values():
    with pytest.raises(ValueError, match="frames is empty"):
        player(lambda k: plt.figure(), [], label="k", alt="Nothing")


@pytest.mark.deep
def test_a_player_in_a_browser(tmp_path):
    chrome = next(filter(None, map(shutil.which, ["chromium", "chromium-browser",
                                                  "google-chrome"])), None)
    driver_path = shutil.which("chromedriver")
    if not chrome or not driver_path:
        pytest.skip("Chromium and its driver are not installed: the player was not tried "
                    "in a browser")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.common.keys import Keys

    players = [
        three(labels=["a", "b", "c"]),
        three("Knob"),
        three("Knob"),
    ]  # the last two share their id
    assert players[1].to_html() == players[2].to_html()
    body = "".join(p.to_html() for p in players)
    (tmp_path / "page.html").write_text(
        f"<!doctype html><meta charset='utf-8'><body>{body}", encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = chrome
    for flag in [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]:
        options.add_argument(flag)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        browser = webdriver.Chrome(options=options,
                                   service=webdriver.ChromeService(driver_path))
    try:
        browser.get((tmp_path / "page.html").as_uri())
        images, sliders, spoken = (browser.find_elements("css selector", x)
                                   for x in ("img", "input", "output"))
        controls = browser.find_elements("css selector", ".player-controls")
        assert len(images) == 3 and all(c.is_displayed() for c in controls)
        # else JupyterLab takes the arrow keys for itself
        for control in browser.find_elements("css selector", "input, button"):
            assert control.get_attribute("data-lm-suppress-shortcuts") == "true"

        def state(i):
            shown = images[i].get_attribute("src").split(",")[1]
            place = [base64.b64encode(p).decode() for p in players[i].pictures].index(shown)
            assert images[i].get_attribute("alt") == players[i].alts[place]
            assert (sliders[i].get_attribute("aria-valuetext") == spoken[i].text
                    == players[i].labels[place])
            assert sliders[i].get_attribute("value") == str(place)
            return place

        def press(i, name):
            controls[i].find_element("css selector", f".player-{name}").click()

        assert [state(i) for i in range(3)] == [0, 0, 0]
        # the first thing to reach is the first slider
        browser.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.switch_to.active_element == sliders[0]
        sliders[0].send_keys(Keys.ARROW_RIGHT)
        assert [state(i) for i in range(3)] == [1, 0, 0]
        sliders[0].send_keys(Keys.END)
        sliders[2].send_keys(Keys.ARROW_RIGHT)
        assert [state(i) for i in range(3)] == [2, 0, 1]
        press(0, "next")
        press(1, "previous")
        assert [state(i) for i in range(3)] == [0, 2, 1]
        press(2, "play")
        assert controls[2].find_element("css selector", ".player-play").text == "Pause"
        press(2, "next")  # whoever steps by hand stops the show
        assert (controls[2].find_element("css selector", ".player-play").text == "Play"
                and state(2) == 2)
        assert [entry for entry in browser.get_log("browser")
                if entry["level"] == "SEVERE"] == []
    finally:
        browser.quit()
