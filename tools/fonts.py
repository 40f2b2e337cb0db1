"""The typefaces of the site, cut to the letters
that the book can need: `python -m tools.fonts`.

The site has its letters with it, so that the book looks the same everywhere and asks no
other host for anything. They are Adobe's Source Serif (text), Source Sans (what stands
around the text) and Source Code Pro, from the npm packages that `tools/package.json` pins.
Their license lets a subset be made and keeps the name "Source" for the whole: so the
subsets have names of their own.

The result is committed; this is run again only
where a letter is missing or a version is raised:

    npm ci --prefix tools --ignore-scripts
    pip install "fonttools[woff]"
    python -m tools.fonts
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tools.book import ROOT

PACKAGES = ROOT / "tools" / "node_modules"
FONTS = ROOT / "nbs" / "fonts"

# Latin with the accents of European names, Greek,
# the marks of typography, arrows, mathematics, boxes.
LETTERS = (
    "U+0020-007E,U+00A0-017F,U+0218-021B,U+0300-0304,U+0306-0308,U+0391-03A9,U+03B1-03C9,U+2002-200A,"  # noqa: E501
    "U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032,U+2033,U+2039,U+203A,U+2044,"  # noqa: E501
    "U+2070-208E,U+20AC,U+2113,U+2122,U+2190-2195,U+21D0-21D4,U+2200-2209,U+220F-2212,U+2215,"  # noqa: E501
    "U+2217-221A,U+221E,U+2227-222B,U+2248,U+2260-2265,U+2282-2287,U+2295,U+2297,U+22C5")
BOXES = ",U+2500-257F,U+2580-2593,U+25A0,U+25A1,U+25B2,U+25B6,U+25BC,U+25C0,U+25CB,U+25CF,U+2713,U+2717"  # noqa: E501

# file of the subset: file of the package, its name here,
# style, weights (of a variable font: all from-to)
FACES: dict[str, tuple[str, str, tuple[int, int] | None]] = {
    "text": ("source-serif/TTF/SourceSerif4-Regular.ttf", "Supervised Text", None),
    "text-italic": ("source-serif/TTF/SourceSerif4-It.ttf", "Supervised Text", None),
    "text-bold": ("source-serif/TTF/SourceSerif4-Semibold.ttf", "Supervised Text", None),
    "sans": ("source-sans/VF/SourceSans3VF-Upright.ttf", "Supervised Sans", (400, 700)),
    "code": ("source-code-pro/VF/SourceCodeVF-Upright.ttf", "Supervised Code", (400, 700)),
    "code-italic": ("source-code-pro/TTF/SourceCodePro-It.ttf", "Supervised Code", None),
}
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "lnum", "tnum", "pnum", "onum",
            "sups", "subs", "frac"]


def subset(source: Path, target: Path, name: str, weights: tuple[int, int] | None,
           letters: str) -> None:
    """Cut a font to some letters, and to a range
    of weights if it is variable; give it another name."""
    from fontTools import subset as cut
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(source)
    options = cut.Options(layout_features=FEATURES, flavor="woff2", hinting=False,
                          name_IDs=["*"], notdef_outline=True)
    cutter = cut.Subsetter(options)
    cutter.populate(unicodes=cut.parse_unicodes(letters))
    cutter.subset(font)
    if weights:
        font = instancer.instantiateVariableFont(font, {"wght": weights})
    for record in list(font["name"].names):
        if record.nameID in (1, 4, 16, 21):
            font["name"].setName(name, record.nameID, record.platformID, record.platEncID,
                                 record.langID)
        elif record.nameID in (3, 6, 25):
            short = name.replace(" ", "")
            font["name"].setName(short, record.nameID, record.platformID, record.platEncID,
                                 record.langID)
        elif record.nameID not in (0, 2, 5, 7, 13, 14, 17, 22):
            # copyright, style, version, trademark, license
            font["name"].removeNames(nameID=record.nameID)
    font.flavor = "woff2"
    font.save(target)


def main() -> int:
    """Make all subsets, and say what each weighs."""
    if not PACKAGES.is_dir():
        print("The typefaces are missing: npm ci --prefix tools --ignore-scripts")
        return 1
    FONTS.mkdir(exist_ok=True)
    for face, (source, name, weights) in FACES.items():
        target = FONTS / f"{face}.woff2"
        subset(PACKAGES / source, target, name, weights,
               LETTERS + (BOXES if face.startswith("code") else ""))
        print(f"{target.stat().st_size / 1e3:6.1f} kB  {target.name}")
    shutil.copyfile(PACKAGES / "source-serif" / "LICENSE.md", FONTS / "LICENSE.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
