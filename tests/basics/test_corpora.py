"""Corpora: what they promise, and life without a network."""

import socket

import pytest

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
        "tests", "testing", "conftest"}
    assert {"numpy.cumsum", "pandas.DataFrame.merge"} <= set(X.index)


def test_corpus_does_not_leak(corpus):
    X, _ = corpus
    leaks = r"numpy|scipy|pandas|sklearn|scikit|matplotlib|pyplot|\b(?:np|pd|plt)\b|\bmpl"
    assert not X["text"].str.contains(leaks, case=False).any()
    raw, _ = corpora.load_docstrings(remove_names=False)
    assert raw["text"].str.contains("numpy").any()


# ---------------------------------------------------------------- online

FETCHERS = [
    (corpora.fetch_20newsgroups, {}, "load_docstrings"),
    (corpora.fetch_openml, {"name": "mushroom"}, "load_votes")]


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
