"""The picture for links to the site: of the size
that is asked for, and drawn by the present package."""

from __future__ import annotations

import io

import numpy as np
import yaml
from PIL import Image

from tools.book import ROOT
from tools.card import CARD, SIZE, write_card


def pixels(path):
    return np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("RGB"), dtype=int)


def changed(one, other):
    """Share of the pixels that a reader would see to be different."""
    return (np.abs(one - other).max(axis=2) > 60).mean()


def test_the_card_has_its_size():
    assert Image.open(CARD).size == SIZE == (1200, 630)
    assert CARD.stat().st_size < 300_000


def test_the_site_shows_the_card():
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf-8"))["website"]
    for key in ("open-graph", "twitter-card"):
        # Quarto reads a path from the root of the project
        # alike on all pages if it begins with a slash.
        assert (ROOT / "nbs" / site[key]["image"].removeprefix("/") == CARD
                and site[key]["image"].startswith("/"))


def test_the_card_is_that_of_the_present_package(tmp_path):
    write_card(tmp_path / "card.png")
    assert changed(pixels(CARD), pixels(tmp_path / "card.png")) < 0.01, (
        "draw it again: python -m tools.card")
