"""Models that were stored before the names of modules changed open, and answer as then."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from supervised.basics import from_json
from supervised.basics.datasets import load_iris, load_titanic

# Written by the development version of 24 November 2026 (commit 9100c63): each classifier
# as it comes, fitted to iris or to every seventh passenger of the titanic, with the answers
# that it gave for these rows, as places among the classes in alphabetical order.
STORED = json.loads(
    (Path(__file__).parent / "stored_models.json").read_text(encoding="utf-8")
)


def table(name: str) -> Any:
    """The rows that the stored models were fitted to."""
    return load_iris()[0] if name == "iris" else load_titanic()[0].iloc[::7]


@pytest.mark.parametrize("name", STORED)
def test_a_model_of_an_older_version_answers_as_it_did(name: str) -> None:
    found = STORED[name]
    model = from_json(json.dumps(found["model"]))
    assert type(model).__name__ == name
    then = [found["classes"][int(place)] for place in found["answers"]]
    assert [str(answer) for answer in model.predict(table(found["table"]))] == then


def test_some_of_them_name_a_module_that_has_moved() -> None:
    """Otherwise the test above would not test what it is meant to."""

    def gone(path: str) -> bool:
        module, _, name = path.rpartition(".")
        try:
            return getattr(import_module(module), name).__module__ != module
        except (ImportError, AttributeError):
            return True

    text = json.dumps(STORED)
    named = {part.split('"')[0] for part in text.split('"supervised.')[1:]}
    assert any(gone("supervised." + path) for path in named if "." in path)
