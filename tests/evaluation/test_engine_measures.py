"""The engine of the measures: pairs of labels, bad matrices, the picture."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from supervised.evaluation.engine.measures import _count_pairs
from tests import examples
from tests.evaluation.test_measures import draw


@examples(60)
@given(st.data())
def test_pairs_are_counted(data):
    ours, plain, _ = draw(data)
    counts, classes = _count_pairs(*ours, None, None)
    pairs = Counter(zip(plain[0].tolist(), plain[1].tolist(), strict=True))
    assert counts.tolist() == [[pairs[i, j] for j in classes] for i in classes]
