"""The picture that a link to the site shows elsewhere."""

import yaml
from PIL import Image

from tools.book import ROOT


def test_the_site_shows_a_card_of_the_size_that_is_asked_for():
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text(encoding="utf-8"))["website"]
    for key in ("open-graph", "twitter-card"):
        name = site[key]["image"]
        assert name.startswith("/")  # or each page would look for it beside itself
        assert Image.open(ROOT / "nbs" / name[1:]).size == (1200, 630)
