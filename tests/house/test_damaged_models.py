"""A stored model comes from somebody else: whatever is wrong with it, it is refused by a
ValueError, or is a model that can be used."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from supervised.basics.classifiers import from_json, to_json
from supervised.basics.engine import serialization
from tests.house import damage

ROOT = Path(__file__).parents[2]
by_name = pytest.mark.parametrize("name", list(damage.learners()))


@by_name
@pytest.mark.filterwarnings("ignore")
def test_damage_in_some_places(name):
    assert list(damage.complaints(name, 60)) == []


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc how much memory it has")
@by_name
def test_damage_in_many_places(name):
    """In a process of its own with half a gigabyte: a failure may end it, or hang it.
    Without the number it tries every place: a quarter of an hour for all learners."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "tests.house.damage",
                           name, "2000"], cwd=ROOT, capture_output=True, text=True,
                          timeout=1800)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.parametrize("name", ["RoteClassifier", "KNNClassifier", "SVMClassifier",
                                  "NeuralNetworkClassifier", "WrapperSelector"])
def test_no_damage_takes_memory(name):
    """At most ten times the text; half a megabyte for what is made once."""
    document = json.loads(to_json(damage.fitted(name)[0]))
    numbers = [path for path in damage.places(document)
               if isinstance(damage.at(document, path), (int, dict)) or path[-1] == "shape"]
    numbers = random.Random(name).sample(numbers, min(len(numbers), 40))
    most = 0.0
    for path in numbers:
        for size in (10**9, 10**6, [10**9, 1], [0, 10**9], "<U1000000000"):
            text = damage.written(document, path, size)
            tracemalloc.start()
            try:
                from_json(text)
            except ValueError:
                pass
            most = max(most, tracemalloc.get_traced_memory()[1] - 10 * len(text))
            tracemalloc.stop()
    assert most < 2**19


def test_every_learner_declares_its_fields():
    stored = {serialization._ENTRIES[type(one)].name for one in damage.learners().values()}
    assert stored <= set(serialization._KINDS)


@by_name
def test_a_model_holds_what_is_declared_and_nothing_else(name):
    model, _ = damage.fitted(name)
    again = from_json(to_json(model))
    assert sorted(vars(again)) == sorted(vars(model))
    assert to_json(again) == to_json(model)


def test_what_is_wrong_is_named():
    document = json.loads(to_json(damage.fitted("KNNClassifier")[0]))
    for path, value, said in (
            (("labels_", 3), 10**6, r"model.labels_\[3\] is 1000000, .* from 0 to 2"),
            (("labels_",), [0, 1], r"model.labels_ has length 2, not 30"),
            (("n_neighbors_",), True,
             r"model.n_neighbors_ is true, but must be a whole number from 1"),
            (("search_", "fields", "points", "shape"), [10**9, 3],
             r"model.search_.points.shape is a list of 2, .* the shape of 90 values"),
            (("search_", "fields", "points", "values", 4), None,
             r"model.search_.points\[4\] is null, but must be of type float64"),
            (("attributes_", 1, "fields", "ordered"), 3,
             r"model.attributes_\[1\].ordered is 3, but must be true or false"),
            (("search_", "class"), "svm.Kernel", "must be .* as neighbors.NeighborSearch")):
        text = damage.written(document, ("model", "fields", *path), value)
        with pytest.raises(ValueError, match=said):
            from_json(text)
