"""The engine: its trees beside one that tries every division, sums in any order and by any
number of threads, and what happens when something goes wrong."""

import threading
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from joblib import parallel_config
from threadpoolctl import threadpool_limits

from supervised.basics.tables import learn_table
from supervised.ensembles import engine_gradient
from supervised.ensembles.engine_gradient import (
    MOST_STEP,
    GradientBoostingClassifier,
    Plan,
    Team,
    add_up,
    bin_cuts,
    boost,
    coded,
    dealt,
    encode,
    grow,
    room_for,
    shared_by,
    slopes_of_rows,
    take_steps,
    threads_for,
    units_of,
    worth,
)
from tests import examples


def mixed(rng, n, names=True):
    """Numbers with ties, names, truth values, and gaps in all."""
    frame = pd.DataFrame({"a": rng.integers(0, 9, n) / 2, "b": rng.normal(size=n).round(1)})
    if names:
        frame = frame.assign(c=rng.choice(list("wxyz"), n), d=rng.choice(["p", None], n),
                             e=(rng.integers(0, 2, n) == 1).astype(object))
    return frame.mask(rng.random(frame.shape) < 0.15)


def task(seed, n=300, k=2, names=True):
    """A mixed table, and classes that depend on it."""
    rng = np.random.default_rng(seed)
    X = mixed(rng, n, names)
    score = X["b"].fillna(0.5) + X["a"].fillna(3) / 2 + rng.normal(size=n) * 0.5
    if names:
        score += 1.0 * (X["c"] == "x") - (X["d"] == "p")
    return X, np.searchsorted(np.quantile(score, np.arange(1, k) / k), score)


# ----------------------------------------------------------------------- threads


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 20])
def test_a_team_does_all_there_is_in_its_order(size, n):
    with Team(size) as team:
        assert team.map(lambda x: x * x, range(n)) == [i * i for i in range(n)]


@pytest.mark.parametrize("slow", [0, 1])
def test_a_team_takes_what_is_left_while_one_works(slow):
    """One of two works at a piece until all others are done, by whichever thread."""
    left, done = threading.Event(), []

    def work(i):
        if i == slow:
            assert left.wait(600)  # only what hangs takes longer
        else:
            done.append(i)
            if len(done) == 7:
                left.set()

    with Team(2) as team:
        team.map(work, range(8))
    assert sorted([slow, *done]) == list(range(8))


@pytest.mark.parametrize("wrong", [0, 1, 5])
def test_a_team_tells_of_an_error(wrong):
    def work(i):
        if i == wrong:
            raise ValueError("this one")

    with Team(2) as team, pytest.raises(ValueError, match="this one"):
        team.map(work, range(6))


# ----------------------------------------------------------------------- bytes and sums


@examples(200)
@given(st.integers(0, 10**6))
def test_a_code_is_the_number_of_cuts_below(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=int(rng.integers(1, 400))).round(int(rng.integers(0, 6)))
    cuts, words = np.full(256, np.inf), np.zeros(len(values), dtype=np.uint64)
    found = bin_cuts(values, most=int(rng.integers(2, 256)))
    cuts[: len(found)] = found
    encode(values, cuts, 255, 16, words)
    assert (words >> np.uint64(16) == (found[None, :] < values[:, None]).sum(axis=1)).all()
    weights = rng.integers(1, 4, len(values))
    np.testing.assert_array_equal(bin_cuts(values, weights.astype(float), 5),
                                  bin_cuts(np.repeat(values, weights), None, 5))


def test_cuts_part_equal_weights():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=5000), rng.exponential(size=5000)
    sums = np.bincount(np.searchsorted(bin_cuts(values, weights, 10), values), weights)
    assert len(sums) == 10 and np.abs(sums / weights.sum() - 0.1).max() < 0.005
    assert bin_cuts(np.array([1.0, 2, 2, 4])).tolist() == [1.5, 3]
    tight = np.array([1.0, np.nextafter(1.0, 2)])
    assert bin_cuts(tight).tolist() == [1.0]  # nothing lies between


def bench(seed, n, max_leaves=4):
    """What a kernel needs: a table as bytes, whole slopes, their units, a plan and room."""
    rng = np.random.default_rng(seed)
    table, labels = learn_table(mixed(rng, n)), rng.integers(0, 2, n)
    weights = rng.exponential(size=n) + 0.1
    data, units = coded(table, weights), units_of(weights)
    slopes, odds = np.empty((n, 2), dtype=np.int64), rng.exponential(size=n)
    slopes_of_rows(odds, labels, weights, 1, True, units, np.arange(n, dtype=np.int32),
                   slopes, slopes.copy())
    plan = Plan(1 / units.slope, 1 / units.curvature, units.low, 1, 1.0, max_leaves, 99)
    p = odds / (1 + odds)
    exact = np.array([weights * (p - labels), weights * p * (1 - p), weights])
    return rng, data, slopes, exact, units, plan, room_for(n, max_leaves)


def counted(data, rows, slopes):
    cells = np.zeros((int(data.first[-1]), 2), dtype=np.int64)
    add_up(data.words, data.first, rows.astype(np.int32), slopes[rows], cells)
    return cells


@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 300))
def test_sums_are_the_same_in_any_order(seed, n):
    rng, data, slopes, exact, units, _, _ = bench(seed, n)
    cells = counted(data, np.arange(n), slopes)
    assert (counted(data, rng.permutation(n), slopes) == cells).all()
    cut = int(rng.integers(0, n + 1))
    halves = [counted(data, rows, slopes) for rows in np.split(rng.permutation(n), [cut])]
    assert (halves[0] + halves[1] == cells).all()
    for j in range(data.n_columns):
        part = cells[int(data.first[j]) : int(data.first[j + 1])].sum(axis=0)
        sums = [part[0] / units.slope, (part[1] >> units.low) / units.curvature,
                (part[1] & ((1 << units.low) - 1)) / units.weight]
        np.testing.assert_allclose(sums, exact.sum(axis=1), rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("weights", [np.ones(10**6), np.full(1000, 1e9), np.full(7, 1e-9),
                                     np.array([1e-6, 1e6]), np.array([2.0**31])])
def test_no_sum_overflows(weights):
    n, units = len(weights), units_of(weights)
    slopes, labels = np.empty((n, 2), dtype=np.int64), np.zeros(n, dtype=np.int64)
    for odds in (1.0, 1e300):  # the largest curvature, the largest slope
        slopes_of_rows(np.full(n, odds), labels, weights, 1, True, units,
                       np.arange(n, dtype=np.int32), slopes, slopes.copy())
        total, h = weights.sum(), 0.25 if odds == 1 else 0.0
        assert sum(map(abs, slopes[:, 0].tolist())) < 2**63
        assert 0 < sum(slopes[:, 1].tolist()) < 2**63
        rest = int(slopes[:, 1].sum())
        assert (rest >> units.low) / units.curvature == pytest.approx(total * h, rel=1e-3)
        weight = (rest & ((1 << units.low) - 1)) / units.weight
        assert weight == pytest.approx(total, rel=1e-3)


@examples(60)
@given(st.integers(0, 10**6), st.integers(20, 200))
def test_what_is_subtracted_is_what_is_counted(seed, n):
    _, data, slopes, _, _, plan, room = bench(seed, n, 3)
    shared = shared_by(1, data, 3)
    room.rows[:], room.near[:] = np.arange(n), slopes
    assert grow(0, n, data[:3], slopes, room, shared, plan)
    assume(room.counts.tolist() == [5, 3])  # a table that pays for two divisions
    sizes = room.ends[1:3] - room.begins[1:3]
    assert sizes.min() > 0 and sizes.sum() == n and sorted(room.slots[1:3]) == [0, 1]
    for node in range(5):
        rows = room.rows[room.begins[node] : room.ends[node]]
        assert (room.sums[node] == slopes[rows].sum(axis=0)).all()
        if room.below[node] < 0:
            assert (np.diff(rows) > 0).all()  # their old order
        if node in (1, 2):
            assert (shared.cells[room.slots[node]] == counted(data, rows, slopes)).all()


# ----------------------------------------------------------------------- trees


def plain(kernel):
    """A kernel as Python."""
    return getattr(kernel, "py_func", kernel)


@pytest.mark.parametrize("seed", range(20))
def test_divisions_at_once_are_worth_what_each_is_worth(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n, low = int(rng.integers(1, 256)), 12
    plan = Plan(2.0**-20, 2.0**-18, low, int(rng.integers(1, 40)), float(seed % 3), 8, 9)
    cells = np.array([rng.integers(-(10**6), 10**6, 256),
                      (rng.integers(0, 10**5, 256) << low) + rng.integers(0, 9, 256)])
    sums = np.cumsum(cells, axis=1)
    gap, gap_rest = (0, 0) if seed % 2 else (12345, (678 << low) + 9)
    whole, whole_rest = int(sums[0, n - 1] + gap), int(sums[1, n - 1] + gap_rest)
    each, at_once = np.empty(256), np.empty(256)
    worth(sums, n, gap, gap_rest, whole, whole_rest, plan, each)
    monkeypatch.setattr(engine_gradient, "IN_BROWSER", True)
    plain(worth)(sums, n, gap, gap_rest, whole, whole_rest, plan, at_once)
    assert (each[:n] == at_once[:n]).all()


def test_odds_end_at_a_bound_without_a_warning():
    room = SimpleNamespace(counts=[1], sums=np.array([[-1000, 0]]), steps=np.zeros(1),
                           below=[-1], begins=[0], ends=[1], rows=[0])
    shares = np.array([1e299, 1e299])  # the second row is none of the tree's
    with np.errstate(all="raise"):
        plain(take_steps)(room, Plan(1.0, 1.0, 1, 1, 0.0, 2, 2), 1.0, np.zeros((1, 2)),
                          np.array([1]), shares)
    assert room.steps[0] == MOST_STEP and shares.tolist() == [1e300, 1e300]


def divisions(attribute, column):
    """Every way to send some of the rows to the right."""
    if attribute.is_nominal:
        values = np.unique(column)
        for size in range(1, len(values)):
            for some in combinations(values[1:], size):
                yield np.isin(column, some)
        return
    gap = np.isnan(column)
    yield gap
    for cut in np.unique(column[~gap])[:-1]:
        yield column > cut
        yield (column > cut) | gap


def best_gain(table, rows, g, h, w, l2, min_leaf):
    """The most that a division of these rows can gain."""
    found, whole = 0.0, g[rows].sum() ** 2 / (h[rows].sum() + l2)
    for attribute, column in table.columns():
        for right in divisions(attribute, column[rows]):
            sides = rows[right], rows[~right]
            if all(w[s].sum() >= min_leaf and h[s].sum() >= 1e-3 for s in sides):
                worth = sum(g[s].sum() ** 2 / (h[s].sum() + l2) for s in sides)
                found = max(found, worth - whole)
    return found


def goes_right(trees, node, table):
    """Which rows of a table a test sends to the right."""
    attribute, column = list(table.columns())[trees.column[node]]
    if trees.route[node] >= 0:
        routes = trees.routes[trees.route[node] :][: len(attribute.domain)]
        return np.where(column < 0, trees.gap_right[node], routes[column])
    return np.where(np.isnan(column), trees.gap_right[node], column > trees.threshold[node])


@examples(80)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([2, 4, 9]),
       st.sampled_from([None, 2]), st.sampled_from([1, 5]))
def test_the_best_division_of_the_best_leaf(seed, names, max_leaves, max_depth, min_leaf):
    """The order of values is best for a price of 0 and where no division is forbidden: with
    names there is no price here, and a leaf may be small."""
    rng = np.random.default_rng(seed)
    n, l2 = int(rng.integers(5, 40)), 0.0 if names else 1.0
    min_leaf = 1 if names else min_leaf
    X, y, w = mixed(rng, n, names), rng.integers(0, 2, n), rng.integers(1, 4, n) * 1.0
    y[:2] = 0, 1
    model = GradientBoostingClassifier(2, 0.3, max_leaves, max_depth, min_leaf, l2)
    model.fit(X, y, w)
    table, trees = learn_table(X), model.trees_
    stages = [np.full(n, w[y == 1].sum() / w.sum()),
              *(p[:, 1] for p in model.staged_predict_proba(X))]
    for root, p in zip(trees.roots.tolist(), stages, strict=False):
        g, h = w * (p - y), w * p * (1 - p)
        end = next((r for r in trees.roots.tolist() if r > root), len(trees.column))
        leaves, order = {root: (np.arange(n), 0)}, np.arange(root, end)
        order = sorted(order[trees.column[order] >= 0], key=lambda i: trees.below[i])

        def gain_of(leaf, g=g, h=h, leaves=leaves):
            rows, depth = leaves[leaf]
            return (0.0 if depth == max_depth
                    else best_gain(table, rows, g, h, w, l2, min_leaf))

        gains = {root: gain_of(root)}
        for node in order:  # as they were divided
            assert trees.gains[node] == pytest.approx(gains.pop(node), abs=1e-7)
            assert trees.gains[node] > max(gains.values(), default=0) - 1e-7
            rows, depth = leaves.pop(node)
            right = goes_right(trees, node, table)[rows]
            for child, part in ((0, ~right), (1, right)):
                leaves[trees.below[node] + child] = rows[part], depth + 1
                gains[trees.below[node] + child] = gain_of(trees.below[node] + child)
        assert len(leaves) == max_leaves or max(gains.values()) < 1e-7
        for leaf, (rows, _) in leaves.items():
            assert trees.weights[leaf] == pytest.approx(w[rows].sum())
            step = -0.3 * g[rows].sum() / (h[rows].sum() + l2)
            assert trees.steps[leaf] == pytest.approx(step, abs=1e-7)


@pytest.mark.parametrize("k", [2, 3])
def test_stages_end_at_the_answer(k):
    X, y = task(1, k=k)
    model = GradientBoostingClassifier(12).fit(X, y)
    shares, answers = list(model.staged_predict_proba(X)), list(model.staged_predict(X))
    assert len(shares) == len(answers) == model.n_estimators_ == 12
    assert (shares[-1] == model.predict_proba(X)).all()
    assert (answers[-1] == model.predict(X)).all()
    # the stages are the shorter models, and the curve is their loss
    short = GradientBoostingClassifier(5).fit(X, y)
    assert (shares[4] == short.predict_proba(X)).all()
    losses = [-np.log(p[np.arange(len(y)), y]).mean() for p in shares]
    assert model.loss_curve_ == pytest.approx(losses, abs=1e-9)
    assert model.feature_importances_.sum() == pytest.approx(1)
    told = model.explain(X.iloc[:1])
    score = model.decision_function(X.iloc[:1])
    parts = engine_gradient.attribute_parts(model.trees_, model._read_table(X.iloc[:1]))
    assert parts.sum(axis=0) == pytest.approx(score.ravel())
    assert told.answer == model.predict(X.iloc[:1])[0]


# ----------------------------------------------------------------------- threads


@pytest.mark.parametrize("k, how", [(2, {}), (3, {}), (2, {"subsample": 0.6}),
                                    (2, {"early_stopping": True})])
def test_any_number_of_threads(k, how, monkeypatch):
    monkeypatch.setattr(engine_gradient, "ROWS_FOR_A_THREAD", 20)
    monkeypatch.setattr(engine_gradient, "ROWS_FOR_A_SCORER", 20)
    before = threading.active_count()
    for seed in range(8):
        X, y = task(seed, 200, k)
        one, two, three = (GradientBoostingClassifier(
            6, max_leaves=3 + 2 * seed, min_leaf=2, n_jobs=n, random_state=seed,
            **how).fit(X, y) for n in (1, 2, 3))
        assert one.to_text(6) == two.to_text(6) == three.to_text(6)
        for other in (two, three):
            assert (other.predict_proba(X) == one.predict_proba(X)).all()
            assert (other.trees_.gains == one.trees_.gains).all()
    assert threading.active_count() <= before


def test_an_error_in_one_thread_does_not_leave_the_others_waiting(monkeypatch):
    monkeypatch.setattr(engine_gradient, "ROWS_FOR_A_THREAD", 20)
    X, y = task(0, 200)
    calls = []

    def broken(*given):
        calls.append(given)
        if len(calls) == 3:
            raise MemoryError("no room")
        return boost(*given)

    broken.py_func = boost
    monkeypatch.setattr(engine_gradient, "boost", broken)
    with pytest.raises(MemoryError, match="no room"):
        GradientBoostingClassifier(n_jobs=3).fit(X, y)


def test_an_interrupt_between_two_threads(monkeypatch):
    """The second thread waits already when the first is told to stop."""
    monkeypatch.setattr(engine_gradient, "ROWS_FOR_A_THREAD", 20)
    X, y = task(0, 200)

    def impatient(me, *given):
        if me == 0:
            raise KeyboardInterrupt
        return boost(me, *given)

    impatient.py_func = boost
    monkeypatch.setattr(engine_gradient, "boost", impatient)
    with pytest.raises(KeyboardInterrupt):
        GradientBoostingClassifier(n_jobs=2).fit(X, y)


def test_rows_in_order_and_threads_that_have_none(monkeypatch):
    """A sorted table; and parts in which some threads have no row of a node, or none."""
    monkeypatch.setattr(engine_gradient, "ROWS_FOR_A_THREAD", 20)
    rng = np.random.default_rng(0)
    X = np.sort(rng.normal(size=(400, 2)), axis=0)
    y = (X[:, 0] + rng.normal(size=400) / 3 > 0).astype(int)
    models = []
    for n_jobs, block in ((1, 256), (2, 256), (2, 7), (2, 1000), (5, 100)):
        monkeypatch.setattr(engine_gradient, "DEALT", block)
        models.append(GradientBoostingClassifier(5, n_jobs=n_jobs).fit(X, y))
    for model in models:
        assert model.to_text(5) == models[0].to_text(5)
        assert (model.predict_proba(X) == models[0].predict_proba(X)).all()
        assert (model.loss_curve_ == models[0].loss_curve_).all()


def test_rows_are_dealt():
    rows = np.flatnonzero(np.random.default_rng(0).random(5000) < 0.7)
    hands = dealt(rows, 3)
    assert (np.sort(np.concatenate(hands)) == rows).all()
    assert all((np.diff(hand) > 0).all() for hand in hands)
    assert max(map(len, hands)) < 1.2 * min(map(len, hands))


def test_threads_unless_told_otherwise():
    assert threads_for(1) == 1 and threads_for(2) == 2
    with threadpool_limits(1):
        assert threads_for(None) == 1
    with threadpool_limits(2):
        assert threads_for(None) in (1, 2)  # 1 where NumPy knows no threads
    with parallel_config(n_jobs=3), threadpool_limits(1):
        assert threads_for(None) == 3


# ----------------------------------------------------------------------- rows and weights


@pytest.mark.parametrize("k", [2, 3])
def test_weights_are_copies(k):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, k, 150)
    w = rng.integers(0, 4, 150)
    weighted = GradientBoostingClassifier(8).fit(X, y, w)
    copied = GradientBoostingClassifier(8).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert weighted.predict_proba(X) == pytest.approx(copied.predict_proba(X), abs=1e-8)
    assert weighted.loss_curve_ == pytest.approx(copied.loss_curve_, abs=1e-8)
    without = GradientBoostingClassifier(8).fit(X[w > 0], y[w > 0], w[w > 0])
    assert (weighted.predict_proba(X) == without.predict_proba(X)).all()


@pytest.mark.parametrize("how", [{}, {"subsample": 0.5}, {"early_stopping": True}])
def test_order_of_rows_does_not_matter(how):
    X, y = task(3)
    turned = np.random.default_rng(0).permutation(len(y))
    a = GradientBoostingClassifier(8, random_state=0, **how).fit(X, y)
    b = GradientBoostingClassifier(8, random_state=0, **how).fit(X.iloc[turned], y[turned])
    assert (a.predict_proba(X) == b.predict_proba(X)).all()


@pytest.mark.parametrize("k", [40, 1000])
def test_many_classes(k):
    X = np.repeat(np.arange(40), k // 4)[:, None] * 1.0
    y = np.arange(len(X)) % k if k == 1000 else np.repeat(np.arange(40), 10)
    model = GradientBoostingClassifier(2 if k == 1000 else 30, min_leaf=1, l2=0).fit(X, y)
    p = model.predict_proba(X)
    assert p.shape == (len(X), k) and p.sum(axis=1) == pytest.approx(1)
    assert (p >= 0).all() and (k == 1000 or model.score(X, y) > 0.95)


@pytest.mark.parametrize("k", [2, 3])
def test_json(k):
    X, y = task(5, k=k)
    model = GradientBoostingClassifier(4).fit(X, np.array(list("pqr"))[y])
    again = GradientBoostingClassifier.from_json(model.to_json())
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert again.to_text(4) == model.to_text(4) and again.get_params() == model.get_params()
    assert (again.loss_curve_ == model.loss_curve_).all()


# ----------------------------------------------------------------------- when to stop


def test_early_stopping_keeps_the_best():
    X, y = task(7, 250)
    y = np.where(np.random.default_rng(0).random(250) < 0.3, 1 - y, y)
    how = {"rate": 0.5, "early_stopping": True, "random_state": 2}
    model = GradientBoostingClassifier(300, patience=5, **how).fit(X, y)
    curve = model.held_out_curve_
    assert model.n_estimators_ == curve.argmin() + 1 == len(curve) - 5 < 295
    assert len(model.loss_curve_) == len(curve)
    best = GradientBoostingClassifier(model.n_estimators_, patience=5, **how).fit(X, y)
    assert (best.predict_proba(X) == model.predict_proba(X)).all()
    assert (best.held_out_curve_ == curve[: model.n_estimators_]).all()


def test_nothing_more_to_learn_ends_the_rounds():
    X = np.zeros((30, 2))
    model = GradientBoostingClassifier().fit(X, np.arange(30) % 3 == 0)
    assert model.n_estimators_ == 0 and (model.feature_importances_ == 0).all()
    assert model.predict_proba(X)[0] == pytest.approx([2 / 3, 1 / 3])
    assert list(model.staged_predict(X)) == [] and "0 rounds" in model.to_text()


def stops(monkeypatch, at):
    """Let the user lose patience in a round."""
    whole, calls = engine_gradient.Course.round, []

    def impatient(course, chosen):
        calls.append(chosen)
        if len(calls) == at:
            raise KeyboardInterrupt
        return whole(course, chosen)

    monkeypatch.setattr(engine_gradient.Course, "round", impatient)


@pytest.mark.parametrize("k", [2, 3])
def test_an_interrupt_keeps_the_rounds_that_are_finished(k, monkeypatch):
    X, y = task(8, k=k)
    short = GradientBoostingClassifier(3).fit(X, y)
    stops(monkeypatch, 4)
    with pytest.warns(UserWarning, match="interrupted after 3 rounds: 3 are kept") as told:
        model = GradientBoostingClassifier(50).fit(X, y)
    assert (model.predict_proba(X) == short.predict_proba(X)).all()
    assert len(model.loss_curve_) == 3 and len(told) == 1
    stops(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt):
        GradientBoostingClassifier(50).fit(X, y)


def test_progress(capsys):
    X, y = task(9, 60)
    GradientBoostingClassifier(3, verbose=1).fit(X, y)
    assert "3/3" in capsys.readouterr().err
    GradientBoostingClassifier(3).fit(X, y)
    assert capsys.readouterr().err == ""


# ----------------------------------------------------------------------- hostile input


def test_small_tables():
    one = GradientBoostingClassifier().fit([[1.0]], ["a"])
    assert one.predict([[5.0], [np.nan]]).tolist() == ["a", "a"]
    assert one.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert one.explain([5.0]).probability == 1 and list(one.staged_predict([[1.0]])) == []
    two = GradientBoostingClassifier(min_leaf=1).fit([[1.0], [2.0]], ["a", "b"])
    assert two.predict([[1.0], [2.0]]).tolist() == ["a", "b"]
    gaps = pd.DataFrame({"gone": [np.nan] * 20, "x": [*range(10), *[np.nan] * 10]})
    model = GradientBoostingClassifier(5).fit(gaps, np.arange(20) >= 10)
    assert model.score(gaps, np.arange(20) >= 10) == 1


def test_what_can_not_be_learned_from_is_refused():
    X, y = np.arange(20.0)[:, None], np.arange(20) >= 10
    model = GradientBoostingClassifier(2)
    for rows, labels, weights in (
            (X[:0], y[:0], None), (X, y[:5], None), (X, None, None), (X, y, np.zeros(20)),
            (X, np.where(y, np.nan, 1.0), None), (X, y, -np.ones(20))):
        with pytest.raises(ValueError):
            model.fit(rows, labels, weights)
    for name, value in (("n_estimators", 0), ("rate", 0), ("rate", np.nan), ("l2", -1),
                        ("max_leaves", 1), ("max_depth", 0), ("min_leaf", "5"),
                        ("subsample", 1.5), ("max_bins", 256), ("max_bins", 1),
                        ("patience", 0), ("early_stopping", "yes")):
        with pytest.raises((TypeError, ValueError), match=name):
            GradientBoostingClassifier(**{name: value}).fit(X, y)
    model.fit(X, y)
    with pytest.raises(ValueError):
        model.predict([["tall"]])
    with pytest.raises(ValueError):
        model.predict([[1.0, 2.0]])
    assert GradientBoostingClassifier(2, max_leaves=10**9).fit(X, y).score(X, y) == 1


def test_columns_by_name_and_values_never_seen():
    X, y = task(11)
    model = GradientBoostingClassifier(6).fit(X, y)
    p = model.predict_proba(X)
    assert (model.predict_proba(X[list("edcba")]) == p).all()
    new = X.iloc[:5].assign(c="never seen")
    gap = X.iloc[:5].assign(c=None)
    assert (model.predict_proba(new) == model.predict_proba(gap)).all()


def test_light_and_heavy_weights():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    for w in (np.geomspace(1e-12, 1e12, 200), np.full(200, 1e-100), np.full(200, 1e50)):
        p = GradientBoostingClassifier(5).fit(X, y, w).predict_proba(X)
        assert np.isfinite(p).all()
