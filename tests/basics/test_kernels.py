"""Kernels: plain definitions, and the same results with and without Numba."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import kernels as module
from supervised.basics.kernels import class_counts, compiled, fewer
from tests import examples

rows = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 2), st.floats(0, 10)), max_size=40)


@examples(60)
@given(rows, st.sampled_from([np.int16, np.int32]))
def test_class_counts_by_definition(rows, kind):
    codes, labels, weights = (np.array(part) for part in zip(*rows, strict=True)) if rows else (np.empty(0),) * 3
    counts = class_counts(codes.astype(kind), labels.astype(np.int64), weights.astype(float), 5, 3)
    expected = [[sum(w for a, c, w in rows if a == value and c == label) for label in range(3)]
                for value in (0, 1, 2, 3, 4, -1)]
    assert np.allclose(counts, expected, rtol=1e-12)


def test_compiled_keeps_name_and_results(monkeypatch):
    def total(values):
        """Sum."""
        result = 0.0
        for i in range(len(values)):
            result += values[i]
        return result

    fast = compiled(total)
    assert fast.__name__ == "total" and fast.__doc__ == "Sum."
    assert fast(np.array([1.0, 2.5])) == 3.5
    monkeypatch.setattr(module, "njit", None)
    assert compiled(total) is total


def test_compiled_without_a_folder_to_keep_code_in(monkeypatch):
    calls = []

    def no_cache(**options):
        calls.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function")
        return lambda function: function

    monkeypatch.setattr(module, "njit", no_cache)
    assert compiled(len) is len and calls == [{"cache": True, "nogil": True}, {"nogil": True}]


@pytest.mark.parametrize("n_values, n_classes", [(0, 1), (3, 2)])
def test_no_rows(n_values, n_classes):
    none = np.empty(0, dtype=np.int16)
    counts = class_counts(none, none.astype(np.int64), np.empty(0), n_values, n_classes)
    assert counts.shape == (n_values + 1, n_classes) and not counts.any()


def test_fewer_only_in_a_browser(monkeypatch):
    assert fewer(10, in_browser=3) == 10
    monkeypatch.setattr(module, "IN_BROWSER", True)
    assert fewer(10, in_browser=3) == 3
