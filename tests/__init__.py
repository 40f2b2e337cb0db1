"""What a notebook should not say: the house rules, the package, the tools around them."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

DEEP = "SUPERVISED_DEEP" in os.environ  # `make test-all` sets it
FRESH = "SUPERVISED_FRESH" in os.environ  # the weekly run sets it

# No test depends on the clock: an example may take as long as it takes.
# A change is judged by the same ones each time; new ones are looked for once a week.
settings.register_profile("book", deadline=None,
                          suppress_health_check=[HealthCheck.too_slow],
                          derandomize=not FRESH)
settings.load_profile("book")


def examples(number: int) -> settings:
    """How many examples a property is tried on:
    so many by `make test-all`, a quarter of them by `make test`."""
    return settings(max_examples=number if DEEP else max(number // 4, min(number, 10)))
