"""Bitsets: words, and tidsets by class."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.engine.bitsets import (
    _WORD_BITS,
    _bitset,
    _class_weights,
    _lowest_bit,
    _n_words,
    _popcount,
    _rows_by_class,
    _write_tidsets,
)


@given(st.integers(0, 2**63 - 1))
def test_a_word_beside_pythons_own_numbers(word):
    assert _popcount(np.int64(word)) == word.bit_count()
    if word:
        assert _lowest_bit(np.int64(word)) == (word & -word).bit_length() - 1


@given(st.sets(st.integers(0, 300), min_size=1))
def test_a_set_comes_back(numbers):
    bits = _bitset(np.array(sorted(numbers)), _n_words(max(numbers) + 1))
    assert {w * _WORD_BITS + p for w, word in enumerate(bits.tolist())
            for p in range(_WORD_BITS) if word >> p & 1} == numbers
    assert (bits >= 0).all() and len(bits) == max(numbers) // _WORD_BITS + 1


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=8))
def test_weights_of_bits(words):
    line, counts = np.array(words), np.zeros(1)
    begins = np.array([0, len(words)])
    _class_weights(line, line, begins, np.zeros(0), counts)
    assert counts[0] == sum(w.bit_count() for w in words)
    by_bit = np.arange(63.0 * len(words))
    _class_weights(line, line, begins, by_bit, counts)
    assert counts[0] == sum(63 * i + b for i, w in enumerate(words)
                            for b in range(63) if w >> b & 1)


@given(st.integers(0, 2**32 - 1))
def test_tidsets_beside_masks(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 150, rng.integers(1, 4))
    n = int(sizes.sum())
    labels = np.repeat(np.arange(len(sizes)), sizes)
    codes = rng.integers(-1, 4, (n, 2))
    number = np.array([0, 1, -1, 2, -1])  # codes 2 and -1 have no set
    places, begins = _rows_by_class(sizes)
    assert begins.tolist() == np.append(0, np.cumsum(-(-sizes // 63))).tolist()
    bits = np.zeros((3, begins[-1]), dtype=np.int64)
    _write_tidsets(codes, np.arange(n), number, places, bits)
    mine, counts = rng.random(n), np.zeros(len(sizes))
    weights = np.zeros(_WORD_BITS * begins[-1])
    weights[places] = mine
    held = [(codes == code).any(axis=1) for code in (0, 1, 3)]
    for i, j in ((0, 0), (0, 1), (2, 1)):
        both = held[i] & held[j]
        _class_weights(bits[i], bits[j], begins, np.zeros(0), counts)
        assert counts.tolist() == np.bincount(labels[both], minlength=len(sizes)).tolist()
        _class_weights(bits[i], bits[j], begins, weights, counts)
        assert np.allclose(counts, np.bincount(labels[both], mine[both], len(sizes)))
