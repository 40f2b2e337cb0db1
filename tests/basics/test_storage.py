"""Stored models: what is in the text, what comes back, and that files of format 1 open.

    python -m tests.basics.test_storage

writes the file of models of format 1 anew: only before the first release."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from supervised.basics import from_json
from supervised.basics.classifiers import to_json
from supervised.basics.tables import Table, to_frame
from supervised.bayes import NaiveBayesClassifier, TANClassifier
from supervised.linear import LogisticClassifier
from supervised.neighbors import KNNClassifier
from supervised.neural import NeuralNetworkClassifier
from supervised.rules import RIPPERClassifier
from supervised.svm import SVMClassifier
from tests.house import damage

FILE = Path(__file__).parent / "models_of_format_1.json"


# ------------------------------------------------------------------------ files of format 1


def table() -> tuple[pd.DataFrame, list[str]]:
    """The rows that the models of the file have learned from."""
    colors = ["red", "green", "blue", "green"] * 5
    X = pd.DataFrame({"color": pd.Categorical(colors),
                      "size": [float(i * 7 % 11) for i in range(20)],
                      "weight": [round((i * i % 13) / 3, 2) for i in range(20)]})
    return X, ["yes" if s > 5 or c == "blue" else "no"
               for s, c in zip(X["size"], colors, strict=True)]


def models() -> list[Any]:
    """What the file holds."""
    return [NaiveBayesClassifier(), NaiveBayesClassifier("kernel"), TANClassifier(),
            LogisticClassifier(), KNNClassifier(3), SVMClassifier(probability=True),
            NeuralNetworkClassifier((4,), random_state=0), RIPPERClassifier(random_state=0)]


@pytest.mark.parametrize("number", range(8))
def test_a_file_of_format_1_opens_and_answers_as_it_did(number: int) -> None:
    stored = json.loads(FILE.read_text(encoding="utf-8"))[number]
    model = from_json(json.dumps(stored["model"]))
    assert type(model) is type(models()[number])
    found = model.predict_proba(table()[0])
    np.testing.assert_allclose(found, stored["probabilities"], rtol=1e-9, atol=1e-12)
    assert clone(model).get_params() == model.get_params()


def write() -> None:
    """Write the file."""
    X, y = table()
    found = []
    for model in models():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        found.append({"model": json.loads(model.to_json()),
                      "probabilities": model.predict_proba(X).tolist()})
    lines = ",\n".join(json.dumps(f, separators=(",", ":")) for f in found)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def test_a_file_of_the_development_is_refused_in_a_sentence() -> None:
    old = {"format": "supervised 1", "model": {"object": "supervised.basics.classifiers."
                                               "MajorityClassifier", "holds": {}}}
    with pytest.raises(ValueError, match="development version .* must be fitted again"):
        from_json(json.dumps(old))


# ------------------------------------------------------------------------- there and back


@pytest.mark.parametrize("name", damage.learners())
@pytest.mark.filterwarnings("ignore")
def test_every_learner_comes_back_to_the_bit(name: str) -> None:
    model, kind = damage.fitted(name)
    again, X = from_json(to_json(model)), damage.questions()[kind]
    for ask in ("predict_proba", "decision_function", "predict", "transform"):
        if hasattr(model, ask):
            found, expected = (getattr(m, ask)(X) for m in (again, model))
            if isinstance(expected, Table):
                found, expected = to_frame(found), to_frame(expected)
            pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(expected))
    assert again.get_params().keys() == model.get_params().keys()


@pytest.mark.parametrize("labels", [
    ["b", "a", "b", "c"], [3, 1, 3, 2], [True, False, True, True],
    [(1, "a"), (2,), (2,), ()],
    ["one", 1, 1, "one"], pd.Categorical(["v", "u", "v", "u"], ["v", "u"]),
    np.array([2, 7, 2, 2], dtype=np.int8), pd.Series([1, 2, 2, 1], dtype="Int64"),
    np.array([0.0, 1.0, 1.0, 0.0], dtype=np.float32)], ids=str)
def test_labels_and_domains_keep_their_types(labels: Any) -> None:
    y = labels
    if isinstance(labels, list) and isinstance(labels[0], tuple):
        y = np.empty(4, dtype=object)
        y[:] = labels
    columns = {"x": [1.0, 2.0, np.nan, 4.0], "flag": [True, False, True, True],
               "maybe": pd.array([True, None, False, True], dtype="boolean"),
               "grade": pd.Categorical([1, 3, 2, 1], [1, 2, 3], ordered=True),
               "text": pd.array(["é", None, "", "<b>"], dtype="string"),
               "small": np.array([1, 2, 3, 4], dtype=np.int8),
               "whole": pd.array([1, None, 3, 4], dtype="Int16")}
    model = KNNClassifier(1).fit(pd.DataFrame(columns), y)
    again = from_json(model.to_json())
    assert again.attributes_ == model.attributes_
    assert [a.dtype for a in again.attributes_] == [a.dtype for a in model.attributes_]
    assert again.classes_.dtype == model.classes_.dtype
    assert [type(c) for c in again.classes_.tolist()] == [
        type(c) for c in model.classes_.tolist()]
    assert again.predict(pd.DataFrame(columns)).tolist() == model.predict(
        pd.DataFrame(columns)).tolist()


def test_a_model_is_read_where_nothing_has_been_imported() -> None:
    """The name of its class begins with the chapter that declares it."""
    X, y = table()
    text = to_json(KNNClassifier(3).fit(X, y))
    program = ("import sys\nfrom supervised.basics import from_json\n"
               "print(type(from_json(sys.stdin.read())).__name__)\n"
               "print('supervised.svm.engine.smo' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", program], input=text, text=True,
                          capture_output=True, check=True)
    assert done.stdout.split() == ["KNNClassifier", "False"]


# ------------------------------------------------------------------------------ the format


def test_a_parameter_may_be_younger_than_the_file() -> None:
    X, y = table()
    document = json.loads(to_json(KNNClassifier(3, "distance").fit(X, y)))
    del document["model"]["fields"]["weights"]
    assert from_json(json.dumps(document)).weights == "uniform"


if __name__ == "__main__":
    write()
