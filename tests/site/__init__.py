"""The site and what the browser shows: formulas, players, theme, API reference."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tools import site_test

CHROMEDRIVER = shutil.which("chromedriver")
NEEDS_CHROMIUM = pytest.mark.skipif(
    not (site_test.chromium() and CHROMEDRIVER) or os.name != "posix", reason="needs "
    "Chromium and chromedriver (on Debian: apt-get install chromium chromium-driver)")
NEEDS_PLAYWRIGHT = pytest.mark.skipif(
    bool(site_test.lacks()), reason=f"no browser to look with: {site_test.lacks()}")
FLAGS = ("no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-quic",
         "no-first-run", "disable-background-networking", "disable-component-update",
         "disable-sync")


@contextmanager
def chromium(profile: Path, window: str = "1280,1000") -> Iterator[Any]:
    """A headless Chromium that knows nothing and keeps what it must in a folder."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(site_test.chromium())
    for flag in ("headless=new", f"window-size={window}", *FLAGS,
                 f"user-data-dir={profile / 'data'}"):
        options.add_argument(f"--{flag}")
    env = os.environ | {"XDG_CONFIG_HOME": str(profile / "config"),
                        "XDG_CACHE_HOME": str(profile / "cache")}
    service = webdriver.ChromeService(executable_path=CHROMEDRIVER, env=env)
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def errors(driver: Any) -> list[Any]:
    """What the browser found wrong."""
    return [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
