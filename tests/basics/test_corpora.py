"""Corpora: what they promise, and life without a network."""

import os
import socket
import subprocess
import sys
import types
from pathlib import Path
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from sklearn import datasets as sklearn_datasets
from sklearn.utils import Bunch

from supervised.basics import corpora


@pytest.fixture(scope="module")
def corpus():
    return corpora.load_docstrings()


def test_corpus_size_and_order(corpus):
    X, y = corpus
    assert len(X) >= 2000 and y.value_counts().min() >= 150 and X.index.equals(y.index)
    assert list(y.cat.categories) == ["numpy", "scipy", "pandas", "scikit-learn",
                                      "matplotlib"]
    assert X.index.is_unique and X.index.is_monotonic_increasing and X["text"].is_unique
    assert X["text"].str.len().min() >= 200
    parts = {part for name in X.index for part in name.split(".")}
    assert not any(p.startswith("_") for p in parts) and not parts & {
        "tests",
        "testing",
        "conftest",
    }
    assert {"numpy.cumsum", "pandas.DataFrame.merge"} <= set(X.index)


def test_corpus_does_not_leak(corpus):
    X, _ = corpus
    leaks = r"numpy|scipy|pandas|sklearn|scikit|matplotlib|pyplot|\b(?:np|pd|plt)\b|\bmpl"
    assert not X["text"].str.contains(leaks, case=False).any()
    raw, _ = corpora.load_docstrings(remove_names=False)
    assert raw["text"].str.contains("numpy").any()


@pytest.mark.deep  # the notebooks that store what they learn from it would notice
def test_corpus_is_the_same_again(corpus):
    again = corpora.load_docstrings()
    assert_frame_equal(again[0], corpus[0])
    assert_series_equal(again[1], corpus[1])
    long = corpora.load_docstrings(min_length=2000)[0]
    assert 0 < len(long) < len(corpus[0]) and long["text"].str.len().min() >= 2000


def test_what_was_imported_before_adds_nothing(corpus):
    """Some modules of scikit-learn show more once others have been imported."""
    import sklearn.impute
    from sklearn.experimental import (  # noqa: F401
        enable_halving_search_cv,
        enable_iterative_imputer,
    )

    assert sklearn.impute.IterativeImputer
    assert_frame_equal(corpora.load_docstrings()[0], corpus[0])


@pytest.mark.deep
def test_corpus_is_quiet_in_a_fresh_process(tmp_path):
    code = (
        "from supervised.basics.datasets import "
        "load_docstrings; print(len(load_docstrings()[0]))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(root)},
        timeout=3600,
    )
    mine = [line for line in done.stderr.splitlines() if "font cache" not in line]
    assert done.returncode == 0 and int(done.stdout) >= 2000 and mine == []


def test_members_of_a_hostile_module():
    class Trap:
        def __getattribute__(self, name):
            raise RuntimeError("touched")

    class Thing:
        """A thing."""

        @property
        def bad(self):
            raise RuntimeError("called")

        def fine(self):
            """Does something."""

        @classmethod
        def made(cls):
            """Makes one."""

        def _private(self):
            """Not shown."""

    def imported():
        """From elsewhere."""

    module = types.ModuleType("fake.part")
    Thing.__module__, imported.__module__ = "fake.part", "other"
    vars(module).update(Thing=Thing, trap=Trap(), imported=imported, _hidden=imported,
                        number=3)
    found = dict(corpora._documented_members(module))
    assert found == {
        "fake.part.Thing": "A thing.",
        "fake.part.Thing.fine": "Does something.",
        "fake.part.Thing.made": "Makes one.",
    }


def test_modules_that_cannot_be_imported_are_left_out():
    assert list(corpora._public_modules("no_such_package")) == []


@pytest.mark.parametrize("value", [0, -1, 2.5, "3", None, np.nan, True])
def test_corpus_minimum_length(value):
    with pytest.raises(ValueError, match="min_length must be"):
        corpora.load_docstrings(min_length=value)


# ---------------------------------------------------------------- online

FETCHERS = [
    (corpora.fetch_20newsgroups, {}, "load_docstrings"),
    (corpora.fetch_openml, {"name": "mushroom"}, "load_votes"),
]


@pytest.mark.parametrize(("fetch", "options", "instead"), FETCHERS,
                         ids=["20newsgroups", "openml"])
def test_offline(fetch, options, instead, monkeypatch, tmp_path, recwarn):
    """scikit-learn's own code, on a machine that knows no address."""

    def nowhere(*args, **kwargs):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    before = socket.getdefaulttimeout()
    with pytest.raises(ConnectionError, match=f"needs the network.*{instead}"):
        fetch(**options, data_home=str(tmp_path))
    assert socket.getdefaulttimeout() == before
    assert [w for w in recwarn if "Retry" in str(w.message)
            or "network" in str(w.message)] == []


def test_a_server_that_does_not_answer(tmp_path, monkeypatch):
    """A socket that accepts and stays silent: the time limit ends it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        original = socket.create_connection
        monkeypatch.setattr(
            socket, "create_connection", lambda _, *a, **k: original(address, *a, **k)
        )
        with pytest.raises(ConnectionError, match="timed out"):
            corpora.fetch_openml("mushroom", data_home=str(tmp_path), timeout=0.2)


@pytest.mark.parametrize(
    "error",
    [
        URLError("no route"),
        TimeoutError("late"),
        ConnectionResetError("reset"),
        HTTPError("http://x", 503, "busy", None, None),
    ],
    ids=lambda e: type(e).__name__,
)
def test_every_failure_of_the_network_reads_the_same(error, monkeypatch):
    def fail(**kwargs):
        raise error

    monkeypatch.setattr(sklearn_datasets, "fetch_20newsgroups", fail)
    with pytest.raises(
        ConnectionError, match="20 newsgroups corpus needs the network.*Offline, use"
    ) as caught:
        corpora.fetch_20newsgroups()
    assert caught.value.__cause__ is error


def test_other_errors_pass():
    with pytest.raises(ValueError, match="subset"):
        corpora.fetch_20newsgroups("trian")


def test_fetch_20newsgroups(monkeypatch):
    asked = {}

    def fetch(**kwargs):
        asked.update(kwargs)
        return Bunch(
            data=["a b", "c", "d"],
            target=np.array([1, 0, 1]),
            target_names=["alt.atheism", "sci.space"],
        )

    monkeypatch.setattr(sklearn_datasets, "fetch_20newsgroups", fetch)
    X, y = corpora.fetch_20newsgroups("test", categories=["sci.space"], remove=["headers"])
    assert X["text"].tolist() == ["a b", "c", "d"] and y.tolist() == [
        "sci.space",
        "alt.atheism",
        "sci.space",
    ]
    assert (y.name == "newsgroup" and asked["subset"] == "test"
            and asked["remove"] == ("headers",))
    assert asked["categories"] == ["sci.space"] and asked["n_retries"] == 1


def test_fetch_openml(monkeypatch):
    target = pd.Series([1, 0], name="edible")
    bunch = Bunch(data=pd.DataFrame({"odor": pd.Categorical(["n", "f"])}), target=target)
    monkeypatch.setattr(sklearn_datasets, "fetch_openml", lambda **kwargs: bunch)
    X, y = corpora.fetch_openml(data_id=24)
    assert list(X) == ["odor"] and y.name == "edible" and list(y.cat.categories) == [0, 1]
    bunch.target = None
    with pytest.raises(ValueError,
                       match="OpenML table 24 has not exactly one class attribute"):
        corpora.fetch_openml(data_id=24)


@pytest.mark.deep
def test_the_corpus_is_the_same_in_every_process():
    # SciPy draws numbers for its examples when it is imported, and prints a set of names
    code = ("import hashlib; from supervised.basics.corpora import load_docstrings; "
            "t = load_docstrings()[0]['text']; "
            "print(hashlib.sha256('|'.join(t).encode()).hexdigest())")
    said = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           env=os.environ | {"PYTHONHASHSEED": seed}).stdout
            for seed in ("1", "2")}
    assert len(said) == 1 and said != {""}
