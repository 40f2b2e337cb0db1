"""The search for a split: plain definitions and searches,
SciPy and scikit-learn, ties, odd tables."""

from itertools import combinations, product
from math import comb, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import stirling2
from sklearn.tree import DecisionTreeClassifier

from supervised.basics.datasets import load_breast_cancer, load_wine
from supervised.features.engine.impurity import _ERROR, ENTROPY, GINI, _log_table
from supervised.features.impurity import gain, split_impurity
from supervised.trees.engine.merging import (
    _log_chi_square_tail,
    _log_n_groupings,
    _values_to_branches,
    merge_values,
)
from supervised.trees.engine.splitter import (
    _MULTIWAY,
    MERGED,
    ONE_VALUE,
    SUBSETS,
    _best_numeric_split,
    _SplitRules,
)
from supervised.trees.engine.tree import _TOLERANCE
from tests import examples

quick = examples(60)
NO_LOGS = np.empty(0)
KINDS = [(ENTROPY, "entropy"), (GINI, "gini"), (_ERROR, "error")]


def cut(values, labels, weights, kind=ENTROPY, least=0.0, same=0.0, slack=1e-9,
        logs=NO_LOGS, rows=None):
    """best_cut on plain arrays; the rows are sorted here."""
    values, weights = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    rows = np.arange(len(values)) if rows is None else rows
    rows = rows[np.argsort(values[rows], kind="stable")]
    right = np.bincount(labels[rows], weights[rows], labels.max() + 1)
    rules = _SplitRules(kind, least, same, slack)
    return rows, _best_numeric_split(values[rows], labels[rows], weights[rows], right,
                                     rules, logs)[:3]


def sides(values, labels, weights, threshold, k):
    below = np.asarray(values) <= threshold
    return np.array([np.bincount(labels[part], weights[part], k)
                     for part in (below, ~below)])


# ------------------------------------------------------------------ cuts


columns = st.integers(2, 25).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 9), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.7]), min_size=n, max_size=n))
)


@quick
@given(columns, st.sampled_from(KINDS), st.sampled_from([0.0, 1.9]))
def test_best_cut_by_trying_every_threshold(column, kind, least):
    values, labels, weights = (np.array(c) for c in column)
    k, total = labels.max() + 1, weights.sum()
    tables = [sides(values, labels, weights, a, k) for a in sorted(set(column[0]))[:-1]]
    allowed = [t for t in tables if t.sum(axis=1).min() > least]
    rows, (place, saved, n_cuts) = cut(values, labels, weights, kind[0], least)
    assert n_cuts == len(allowed)
    if not allowed:
        assert (place, saved) == (-1, 0)
        return
    gains = [total * gain(t, kind[1]) for t in allowed]
    assert saved == pytest.approx(max(gains), abs=1e-9)
    found = sides(values, labels, weights, values[rows[place]], k)
    assert total * gain(found, kind[1]) == pytest.approx(saved, abs=1e-9)
    assert values[rows[place]] < values[rows[place + 1]]
    first = next(t for t, g in zip(allowed, gains, strict=True) if g > max(gains) - 1e-9)
    assert np.allclose(found, first)  # of several best, the lowest


@quick
@given(columns, st.sampled_from([0.0, 2.5]))
def test_whole_weights_carry_their_sums_along(column, least):
    values, labels, weights = (np.array(c) for c in column)
    weights, values = np.ceil(weights), values.astype(float)
    rows = np.argsort(values, kind="stable")
    right = np.bincount(labels, weights, labels.max() + 1)
    for kind in (ENTROPY, GINI):
        rules = _SplitRules(kind, least, 0.0, 1e-9)
        known = values[rows], labels[rows], weights[rows]
        a = _best_numeric_split(*known, right.copy(), rules, NO_LOGS)
        b = _best_numeric_split(*known, right.copy(), rules, _log_table(200))
        assert a[::2] == b[::2] and a[1] == pytest.approx(b[1], abs=1e-9)
        assert b[3] == weights[rows[: b[0] + 1]].sum()
    assert a == b  # of the Gini index to the last bit


@pytest.mark.parametrize("kind, name", KINDS[:2])
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_agreement_with_scikit_learn(load, kind, name):
    X, y = load()
    labels = y.astype("category").cat.codes.to_numpy().astype(int)
    for column in X.columns[:12]:
        values = X[column].to_numpy(float)
        rows, (place, saved, _) = cut(values, labels, np.ones(len(y)), kind)
        stump = DecisionTreeClassifier(max_depth=1,
                                       criterion=name).fit(X[[column]].to_numpy(), labels)
        tree = stump.tree_
        after = (tree.weighted_n_node_samples[1:] * tree.impurity[1:]).sum()
        assert saved == pytest.approx(len(y) * tree.impurity[0] - after)


def test_nothing_to_cut():
    for values, labels in (([3.0], [0]), ([3.0, 3.0, 3.0], [0, 1, 0])):
        assert cut(values, np.array(labels), np.ones(len(values)))[1] == (-1, 0.0, 0)
    pure = cut([1, 2, 3], np.array([1, 1, 1]), np.ones(3))[1]
    assert pure == (0, 0.0, 2)  # cuts there are, but none gains
    values, labels, right = np.array([3.0]), np.array([0]), np.array([1.0])
    for kind in (ENTROPY, GINI):
        assert _best_numeric_split(values, labels, np.ones(1), right.copy(),
                                  _SplitRules(kind, 0.0, 0.0, 0.0),
                                  _log_table(1)) == (-1, 0.0, 0, 0.0)


def test_a_side_that_is_just_heavy_enough():
    # 0.1 ten times is 0.9999999999999999
    labels, weights = np.array([0] * 10 + [1] * 10), np.full(20, 0.1)
    assert cut(range(20), labels, weights, least=1.0 - _TOLERANCE)[1][0] == 9
    assert cut(range(20), labels, weights, least=1.0 + _TOLERANCE)[1][0] == -1


def test_values_that_are_the_same():
    values, labels = [0.0, 1e-6, 1.0, 1.0 + 2e-6], np.array([0, 1, 1, 0])
    assert [cut(values, labels, np.ones(4), same=same)[1][2]
            for same in (0.0, 1.5e-6, 1e-5, 2.0)] == [3, 2, 1, 0]


# ------------------------------------------------------------------ groups of values


def left_totals(counts):
    bits = np.arange(1, 2 ** (len(counts) - 1))[:, None] >> np.arange(len(counts)) & 1
    return bits @ counts


def goes_left_of(counts, kind, grouping=SUBSETS):
    """Which values the best division sends left."""
    return _values_to_branches(counts, grouping, False, kind, 0.0) == 0


def after(counts, goes_left, name):
    parts = np.array([counts[goes_left].sum(axis=0), counts[~goes_left].sum(axis=0)])
    return split_impurity(parts, name)


@pytest.mark.parametrize("kind, name", KINDS)
@pytest.mark.parametrize("n_classes, most", [(1, 6), (2, 10), (3, 8), (5, 6)])
def test_best_subset_by_trying_every_subset(kind, name, n_classes, most):
    rng = np.random.default_rng(n_classes)
    for n in range(2, most + 1):
        for scale in (0, 1):
            counts = rng.integers(0, 9, (n, n_classes)) + scale * rng.random((n, n_classes))
            counts[counts.sum(axis=1) == 0] = 1
            left = left_totals(counts)
            least = split_impurity(np.stack([left, counts.sum(axis=0) - left], axis=1),
                                   name).min()
            goes_left = goes_left_of(counts, kind)
            assert (0 < goes_left.sum() < n
                    and after(counts, goes_left, name) == pytest.approx(least, abs=1e-12))


def test_equal_shares_are_never_parted():
    counts = np.array([[2, 1], [1, 3], [4, 2], [2, 6], [6, 3]], dtype=float)
    assert (goes_left_of(counts, ENTROPY)
            .tolist() == [True, False, True, False, True])
    left_over = after(counts, goes_left_of(counts, GINI), "gini") * counts.sum()
    assert left_over == pytest.approx(12 * 2 * 3 / 16 + 18 * 2 * 2 / 9)


def test_three_classes_where_no_order_has_the_best_division():
    counts = np.array([[7, 0, 0], [0, 7, 0], [1, 0, 2], [0, 1, 2], [3, 2, 0], [2, 3, 0]],
                      dtype=float)
    assert goes_left_of(counts, GINI).tolist() == [True, False] * 3
    halves = np.repeat(counts, 2, axis=0) / 2  # twelve values, the most that are searched
    assert goes_left_of(halves, GINI).tolist() == [True, True, False, False] * 3


@pytest.mark.parametrize("n_classes", [2, 3])
def test_of_equals_the_first(n_classes):
    alike = np.tile(np.arange(1.0, n_classes + 1), (5, 1))
    for kind, _ in KINDS:
        assert goes_left_of(alike, kind).tolist() == [True] + [False] * 4
        assert goes_left_of(alike, kind, ONE_VALUE).tolist() == [True] + [False] * 4


@pytest.mark.parametrize("kind, name", KINDS)
def test_best_value_by_trying_every_value(kind, name):
    rng = np.random.default_rng(2)
    for _ in range(40):
        counts = rng.random((rng.integers(2, 12), rng.integers(1, 5)))
        scores = [after(counts, np.arange(len(counts)) == v, name)
                  for v in range(len(counts))]
        goes_left = goes_left_of(counts, kind, ONE_VALUE)
        assert goes_left.sum() == 1
        assert scores[goes_left.argmax()] == pytest.approx(min(scores), abs=1e-12)


# ------------------------------------------------------------------ chi-square


def test_tail_against_scipy():
    for df in (1, 2, 3, 4, 7, 10, 31, 100, 1000, 9999):
        x = df * np.geomspace(1e-6, 20, 60)
        expected = stats.chi2.logsf(x, df)
        got = np.array([_log_chi_square_tail(v, df) for v in x])
        sure = expected > -600  # beyond that SciPy returns -inf or rounds
        assert (np.allclose(got[sure], expected[sure], rtol=1e-9, atol=1e-14)
                and (np.diff(got) <= 0).all())
    assert _log_chi_square_tail(0.0, 3) == _log_chi_square_tail(-1.0, 3) == 0


# ------------------------------------------------------------------ CHAID


def p_of(rows):
    """SciPy's p of a table."""
    used = rows[:, rows.sum(axis=0) > 0]
    return (stats.chi2_contingency(used, correction=False).pvalue if min(used.shape) > 1
            else 1.0)


class PlainCHAID:
    """Kass (1980) word for word: every pair tested
    before each merger, every division of a group tried."""

    def __init__(self, counts, ordered, alpha, floating=-1, resplit=True):
        self.counts, self.alpha, self.known = counts, alpha, {}
        self.line = [v for v in range(len(counts)) if v != floating] if ordered else None
        self.groups, self.n_splits = [[v] for v in range(len(counts))], 0
        self.merge()
        # it may go in circles
        while resplit and self.n_splits < len(counts) and self.split():
            self.n_splits += 1
            self.merge()

    def allowed(self, group):
        """Whether the values, apart from a floating one, are neighbors."""
        at = [self.line.index(v) for v in group if v in self.line] if self.line else []
        return len(at) == 0 or max(at) - min(at) + 1 == len(at)

    def p(self, one, other):
        key = frozenset([frozenset(one), frozenset(other)])
        if key not in self.known:
            self.known[key] = p_of(np.array([self.counts[one].sum(axis=0),
                                             self.counts[other].sum(axis=0)]))
        return self.known[key]

    def merge(self):
        while len(self.groups) > 1:
            pairs = [(g, h) for g, h in combinations(self.groups, 2) if self.allowed(g + h)]
            g, h = max(pairs, key=lambda pair: self.p(*pair))
            if self.p(g, h) <= self.alpha:
                return
            self.groups = [x for x in self.groups if x not in (g, h)] + [g + h]

    def divisions(self, group):
        """Every way to divide a group in two."""
        if self.line is None:
            return [([v for v in group if v not in part], list(part))
                    for size in range(1, len(group))
                    for part in combinations(group[1:], size)]
        line, floating = ([v for v in self.line if v in group],
                          [v for v in group if v not in self.line])
        cuts = [(line[:i], line[i:]) for i in range(1, len(line))]
        either_side = ([(a + floating, b) for a, b in cuts]
                       + [(a, b + floating) for a, b in cuts])
        return either_side + [(line, floating)] * len(floating)

    def split(self):
        """Divide the first group of three or more whose best division is significant."""
        def first(group):
            return min(v for v in group if self.line is None or v in self.line
                       or len(group) == 1)

        for group in sorted((sorted(g) for g in self.groups), key=first):
            if len(group) > 2:
                best = min(self.divisions(group), key=lambda halves: self.p(*halves))
                if self.p(*best) <= self.alpha:
                    self.groups = ([g for g in self.groups if sorted(g) != group]
                                   + list(best))
                    return True
        return False


def plain_merging(counts, ordered, alpha, floating=-1):
    return sorted(map(sorted, PlainCHAID(counts, ordered, alpha, floating).groups))


def groups_of(numbers):
    return sorted([int(v) for v in np.flatnonzero(numbers == g)]
                  for g in set(numbers.tolist()))


@pytest.mark.parametrize("ordered, floats", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_merging_word_for_word(ordered, floats, n_classes):
    rng = np.random.default_rng(n_classes)
    for n in (2, 3, 4, 7):
        for size in (1, 5, 30):
            for _ in range(2):
                # no two shares are equal, so there are no ties
                counts = size * rng.random((n, n_classes))
                floating = int(rng.integers(n)) if floats else -1
                for alpha in (0.5, 0.05, 1e-4):
                    numbers = merge_values(counts, ordered, log(alpha), floating)
                    assert groups_of(numbers) == plain_merging(counts, ordered, alpha,
                                                               floating)


@pytest.mark.parametrize("floating", [-1, 0, 7])
def test_many_ordered_values_some_of_which_are_split_again(floating):
    rng = np.random.default_rng(9)
    n_changed, trend = 0, np.linspace(0.3, 0.7, 15)  # neighbors are close, the ends are not
    for _ in range(60):
        counts = (rng.gamma(2, 10, (15, 1)) * np.stack([trend, 1 - trend], axis=1)
                  * rng.gamma(9, 1 / 9, (15, 2)))
        merged = sorted(map(sorted,
                            PlainCHAID(counts, True, 0.05, floating, resplit=False).groups))
        groups = groups_of(merge_values(counts, True, log(0.05), floating))
        if groups != merged:
            n_changed += 1
            assert groups == plain_merging(counts, True, 0.05, floating)
    assert n_changed > 0


@pytest.mark.parametrize("ordered", [False, True])
def test_merging_where_classes_are_lacking(ordered):
    rng = np.random.default_rng(4)
    for _ in range(20):
        counts = (rng.random((7, 4)) * (rng.random((7, 4)) < 0.5)
                  + np.eye(4)[rng.integers(0, 4, 7)] * rng.random((7, 1)))
        assert (groups_of(merge_values(counts, ordered, log(0.2)))
                == plain_merging(counts, ordered, 0.2))


def test_a_floating_value_joins_any_group_or_none():
    ordered = np.array([[90, 10], [80, 20], [50, 50], [10, 90]], dtype=float)
    for row, expected in (([9, 1], 0), ([5, 5], 2), ([1, 9], 3)):
        for place in range(5):
            counts = np.insert(ordered, place, row, axis=0)
            groups = merge_values(counts, True, log(0.01), place)
            others = np.delete(groups, place)
            assert groups[place] == others[expected]
            # the order of the others is kept
            assert len(set(others.tolist())) == 3 and others[0] == others[1]
    alone = merge_values(np.vstack([ordered, [1000, 2000]]), True, log(0.05), 4)
    assert (alone[:4] != alone[4]).all()
    names = np.vstack([ordered, [500, 500]])
    assert (merge_values(names, False, log(0.05), 4)
            .tolist() == merge_values(names, False, log(0.05)).tolist())


def test_levels_at_the_ends():
    counts = np.array([[3, 1], [6, 2], [100, 0], [0, 100]], dtype=float)
    for ordered in (False, True):
        assert merge_values(counts, ordered, -inf).tolist() == [0] * 4  # all merge
        assert merge_values(counts, ordered, 0.0).tolist() == [0, 1, 2, 3]  # none does
    # equal shares: p = 1
    assert merge_values(counts, False, -1e-9).tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("ordered", [False, True])
def test_number_of_groupings(ordered):
    for n in (1, 2, 5, 12, 60):
        for g in range(1, n + 1):
            exact = comb(n - 1, g - 1) if ordered else stirling2(n, g, exact=True)
            assert _log_n_groupings(n, g, ordered) == pytest.approx(log(exact), rel=1e-11,
                                                                   abs=1e-11)
    if not ordered:
        # 2^2999 - 1
        assert _log_n_groupings(3000, 2, False) == pytest.approx(2999 * log(2))


def test_number_of_groupings_with_a_floating_value_by_counting_them():
    # all ways to group n values, numbered in the order of their first values
    def labelings(n):
        return {tuple(dict.fromkeys(g).keys()
                      and [list(dict.fromkeys(g)).index(x) for x in g])
                for g in product(range(n), repeat=n)}

    for n in (1, 2, 3, 4, 5, 6):
        # the last one floats
        ways = [g for g in labelings(n) if list(g[:-1]) == sorted(g[:-1])]
        for r in range(1, n + 1):
            counted = sum(len(set(g)) == r for g in ways)
            assert round(np.exp(_log_n_groupings(n, r, True, True))) == counted
            assert _log_n_groupings(n, r, False, True) == _log_n_groupings(n, r, False)
    for n, r in ((8, 3), (12, 5)):  # Kass's formula
        formula = comb(n - 2, r - 2) + r * comb(n - 2, r - 1)
        assert _log_n_groupings(n, r, True, True) == pytest.approx(log(formula))


# ------------------------------------------------------------------ all kinds


table = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(st.sampled_from([0, 0, 1, 2, 5.5]), min_size=k, max_size=k),
                       min_size=1, max_size=9)
)


@quick
@given(table, st.sampled_from([_MULTIWAY, ONE_VALUE, SUBSETS, MERGED]), st.booleans())
def test_branches_of_values(rows, grouping, ordered):
    counts = np.array(rows, dtype=float)
    present = counts.sum(axis=1) > 0
    routes = _values_to_branches(counts, grouping, ordered, ENTROPY, log(0.05))
    floating = len(counts) - 1
    with_floating = _values_to_branches(counts, grouping, ordered, ENTROPY, log(0.05),
                                       floating)
    if not present[-1] or grouping != MERGED or not ordered:
        # a floating value that does not occur is none
        assert np.array_equal(with_floating, routes)
    if grouping == _MULTIWAY:
        assert routes.tolist() == list(range(len(counts)))
    else:
        assert np.array_equal(routes >= 0, present)
        used = sorted(set(routes[present].tolist()))
        assert used == list(range(len(used)))
        alone = _values_to_branches(counts[present], grouping, ordered, ENTROPY,
                                   log(0.05))
        assert np.array_equal(alone, routes[present])  # absent values change nothing
    if grouping in (ONE_VALUE, SUBSETS):
        assert len(used) == min(2, present.sum())
    if grouping == ONE_VALUE and present.sum() > 1:
        assert (routes == 0).sum() == 1
