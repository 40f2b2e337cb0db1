"""Trees from chunks beside trees from the whole table: the same, whatever the chunks."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_credit, load_iris, load_votes
from supervised.practice import grow_from_chunks
from supervised.practice.engine.out_of_core import _AVCSet
from supervised.trees import C45Classifier, CARTClassifier, ID3Classifier
from tests import examples

PARTS = ("attribute", "threshold", "first", "n_branches", "parent", "route", "counts",
         "routes")
LEARNERS = (
    ID3Classifier(), ID3Classifier("gain_ratio", min_num_obj=3), ID3Classifier("gini"),
    C45Classifier(pruning=None), C45Classifier(pruning=None, min_num_obj=1, cut="midpoint"),
    C45Classifier(pruning="mdl"), CARTClassifier(), CARTClassifier("entropy", max_depth=3),
    CARTClassifier(pruning="cost_complexity", ccp_alpha=0.02))


def table(seed, n, gaps=0.0, n_classes=2):
    """Names and numbers, of few and of many values, that say something of the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    frame = pd.DataFrame({
        "few": rng.integers(4, size=n) + y, "many": rng.normal(size=n) + y,
        "name": np.array(list("abcde"))[(rng.integers(4, size=n) + y) % 5],
        "yes": rng.random(n) < 0.3 + 0.3 * (y == 0), "constant": 1.5,
        "kind": pd.Categorical(np.array(["low", "mid", "high"])[rng.integers(3, size=n)],
                               ["low", "mid", "high"], ordered=True)})
    frame["few"] = frame["few"].astype(float)
    for name in ("few", "many", "name") if gaps else ():
        frame[name] = frame[name].where(rng.random(n) >= gaps)
    return frame, np.array(["no", "yes", "perhaps"])[y]


def in_chunks(X, y, size):
    """The table in chunks, an empty one among them."""
    whole = X.assign(answer=y)
    return [whole.iloc[:0], *(whole.iloc[i:i + size] for i in range(0, len(X), size))]


def differences(a, b):
    """The parts of two trees that are not the same."""
    return [part for part in PARTS
            if not np.array_equal(getattr(a, part), getattr(b, part),
                                  equal_nan=part == "threshold")]


@examples(80)
@given(st.integers(0, 10**6), st.integers(2, 150), st.integers(1, 60), st.integers(2, 3),
       st.sampled_from(LEARNERS), st.sampled_from([1, 300, 2**26]))
def test_the_same_tree_without_gaps(seed, n, size, n_classes, learner, most_cells):
    X, y = table(seed, n, n_classes=n_classes)
    whole = type(learner)(**learner.get_params()).fit(X, y)
    parts = type(learner)(**learner.get_params())
    assert grow_from_chunks(parts, in_chunks(X, y, size), "answer", most_cells) is parts
    assert differences(whole.tree_, parts.tree_) == []
    assert (parts.predict(X) == whole.predict(X)).all()
    assert (whole.n_leaves_, whole.n_nodes_, whole.depth_) == (
        parts.n_leaves_, parts.n_nodes_, parts.depth_)


@examples(60)
@given(st.integers(0, 10**6), st.integers(2, 120), st.integers(1, 60),
       st.sampled_from(LEARNERS), st.floats(0.01, 0.6))
def test_with_gaps_up_to_rounding(seed, n, size, learner, gaps):
    X, y = table(seed, n, gaps)
    whole = type(learner)(**learner.get_params()).fit(X, y).tree_
    parts = grow_from_chunks(type(learner)(**learner.get_params()), in_chunks(X, y, size),
                             "answer").tree_
    assert differences(whole, parts) in ([], ["counts"])
    np.testing.assert_allclose(parts.counts, whole.counts, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("load", [load_credit, load_iris, load_votes])
@pytest.mark.parametrize("learner", [C45Classifier(pruning=None), CARTClassifier()])
def test_real_tables(load, learner):
    X, y = load()
    whole = type(learner)(**learner.get_params()).fit(X, y).tree_
    parts = grow_from_chunks(learner, in_chunks(X, y, 100), "answer").tree_
    assert set(differences(whole, parts)) <= ({"counts"} if X.isna().any(axis=None)
                                              else set())


def test_the_chunks_are_read_once_for_a_level_and_twice_before():
    X, y = load_iris()
    reads = []

    def chunks():
        reads.append(0)
        yield from in_chunks(X, y, 40)

    model = grow_from_chunks(CARTClassifier(), chunks, "answer")
    inner = model.tree_.depths[~model.tree_.is_leaf].max() + 1
    mixed = (model.tree_.counts.sum(axis=1) > model.tree_.counts.max(axis=1)) & (
        model.tree_.is_leaf)
    assert not mixed.any()  # so no level was tried in vain
    assert len(reads) == inner + 2
    reads.clear()
    grow_from_chunks(CARTClassifier(), chunks, "answer", most_cells=1)
    assert len(reads) == 4 * inner + 2  # four attributes, one at a time


def test_neighbors_in_floating_point_are_parted():
    X = pd.DataFrame({"x": [1.0, np.nextafter(1.0, 2.0)] * 6})
    y = np.array(["no", "yes"] * 6)
    model = grow_from_chunks(CARTClassifier(), in_chunks(X, y, 5), "answer")
    assert (model.predict(X) == y).all()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 1)),
                min_size=1, max_size=60), st.integers(1, 10), st.booleans())
def test_an_avc_set_counts(rows, size, dense):
    counted = _AVCSet(3, 4, 2)
    if not dense:
        counted.dense, counted.keys, counted.sums = False, np.arange(0), np.zeros(0)
    rows = np.array(rows)
    for i in range(0, len(rows), size):
        counted.add(*rows[i:i + size].T, np.full(len(rows[i:i + size]), 0.5))
    found = list(zip(*(part.tolist() for part in counted.entries()), strict=True))
    expected = {}
    for row in map(tuple, rows.tolist()):
        expected[row] = expected.get(row, 0) + 1
    assert found == [(*row, 0.5 * n) for row, n in sorted(expected.items())]


# ------------------------------------ what hostile users pass


def grown(chunks, model=None):
    return grow_from_chunks(model or CARTClassifier(), chunks, "answer")


def test_a_generator_can_be_read_once():
    X, y = load_iris()
    with pytest.raises(TypeError, match="only once.*pass a function"):
        grown(chunk for chunk in in_chunks(X, y, 50))
    with pytest.raises(TypeError, match="a DataFrame, but must be a list"):
        grown(X.assign(answer=y))
    with pytest.raises(TypeError, match="chunk 1 is a ndarray"):
        grown([X.to_numpy()])


def test_chunks_that_do_not_fit():
    X, y = load_iris()
    first, second = in_chunks(X, y, 75)[1:]
    with pytest.raises(ValueError, match="chunk 2 has no column 'answer': its columns are"):
        grown([first, second.drop(columns="answer")])
    with pytest.raises(ValueError, match=r"part 2 has other columns than part 1: \['odd"):
        grown([first, second.assign(odd=1)])
    with pytest.raises(ValueError, match="part 2 has other columns"):
        grown([first, second.drop(columns=second.columns[0])])
    with pytest.raises(ValueError, match="chunk 2 has 3 missing labels in the column"):
        grown([first, second.assign(answer=[None] * 3 + y[:72].tolist())])
    with pytest.raises(TypeError, match="mix"):
        grown([first, second.assign(**{second.columns[0]: "text"})])
    with pytest.raises(ValueError, match="infinit"):
        grown([first, second.assign(**{second.columns[1]: np.inf})])
    with pytest.raises(ValueError, match="no row"):
        grown([])
    with pytest.raises(ValueError, match="no row"):
        grown([first.iloc[:0]])


def test_categories_and_types_that_differ_between_chunks():
    X, y = table(3, 90)
    parts = []
    for chunk in in_chunks(X, y, 30):
        kinds = sorted(set(chunk["kind"]))
        parts.append(chunk.assign(kind=pd.Categorical(chunk["kind"].astype(object), kinds)))
    parts[2] = parts[2].assign(few=parts[2]["few"].astype(int))
    whole = pd.concat(parts)
    expected = CARTClassifier().fit(whole.drop(columns="answer"), whole["answer"])
    assert differences(grown(parts).tree_, expected.tree_) == []


@pytest.mark.parametrize("model, message", [
    (C45Classifier(), "pruning='pessimistic' looks at the rows again"),
    (CARTClassifier(pruning="cost_complexity"), "with alpha"),
    (CARTClassifier(class_weight={"a": 2}), "class_weight"),
    (CARTClassifier(min_samples_leaf=-1), "min_samples_leaf")])
def test_parameters_that_need_rows(model, message):
    X, y = load_iris()
    with pytest.raises(ValueError, match=message):
        grown(in_chunks(X, y, 50), model)
