"""The engine: its trees beside one that tries every split and beside scikit-learn's, any
number of threads, monotone constraints, and what happens when something goes wrong."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier

from supervised.basics.tables import learn_table
from supervised.ensembles.engine import gradient
from supervised.ensembles.engine.binning import _bin_column, _bin_thresholds
from supervised.ensembles.engine.gradient import GradientBoostingClassifier
from supervised.ensembles.engine.predictor import _attribute_parts
from tests import examples, interrupting
from tests.ensembles import tied


def task(seed, n=300, k=2, names=True):
    """A mixed table, and classes that depend on it."""
    rng = np.random.default_rng(seed)
    X = tied(rng, n, names)
    score = X["b"].fillna(0.5) + X["a"].fillna(3) / 2 + rng.normal(size=n) * 0.5
    if names:
        score += 1.0 * (X["c"] == "x") - (X["d"] == "p")
    return X, np.searchsorted(np.quantile(score, np.arange(1, k) / k), score)


SMALL = {"max_leaf_nodes": 8, "min_samples_leaf": 5, "l2_regularization": 1.0}


# ----------------------------------------------------------------------- binning


@examples(200)
@given(st.integers(0, 10**6))
def test_a_bin_is_the_number_of_thresholds_below(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=int(rng.integers(1, 400))).round(int(rng.integers(0, 6)))
    thresholds, bins = np.full(256, np.inf), np.empty(len(values), dtype=np.uint8)
    found = _bin_thresholds(values, max_bins=int(rng.integers(2, 256)))
    thresholds[: len(found)] = found
    _bin_column(values, thresholds, 255, bins)
    assert (bins == (found[None, :] < values[:, None]).sum(axis=1)).all()
    weights = rng.integers(1, 4, len(values))
    np.testing.assert_array_equal(_bin_thresholds(values, weights.astype(float), 5),
                                  _bin_thresholds(np.repeat(values, weights), None, 5))


def test_thresholds_part_equal_weights():
    rng = np.random.default_rng(0)
    values, weights = rng.normal(size=5000), rng.exponential(size=5000)
    thresholds = _bin_thresholds(values, weights, 10)
    sums = np.bincount(np.searchsorted(thresholds, values), weights)
    assert len(sums) == 10 and np.abs(sums / weights.sum() - 0.1).max() < 0.005
    assert _bin_thresholds(np.array([1.0, 2, 2, 4])).tolist() == [1.5, 3]
    tight = np.array([1.0, np.nextafter(1.0, 2)])
    assert _bin_thresholds(tight).tolist() == [1.0]  # nothing lies between



# ----------------------------------------------------------------------- trees


def divisions(attribute, column):
    """Every way to send some of the rows to the right."""
    if attribute.is_nominal:
        values = np.unique(column)
        for size in range(1, len(values)):
            for some in combinations(values[1:], size):
                yield np.isin(column, some)
        return
    missing = np.isnan(column)
    yield missing
    for cut in np.unique(column[~missing])[:-1]:
        yield column > cut
        yield (column > cut) | missing


def best_gain(table, rows, g, h, w, l2, min_samples_leaf):
    """The most that a split of these rows can gain."""
    found, whole = 0.0, g[rows].sum() ** 2 / (h[rows].sum() + l2)
    for attribute, column in table.columns():
        for right in divisions(attribute, column[rows]):
            sides = rows[right], rows[~right]
            if all(w[s].sum() >= min_samples_leaf and h[s].sum() >= 1e-3 for s in sides):
                worth = sum(g[s].sum() ** 2 / (h[s].sum() + l2) for s in sides)
                found = max(found, worth - whole)
    return found


def goes_right(trees, node, table):
    """Which rows of a table a split sends to the right."""
    attribute, column = list(table.columns())[trees.column[node]]
    if trees.subset[node] >= 0:
        subset = trees.subsets[trees.subset[node] :][: len(attribute.domain)]
        return np.where(column < 0, trees.missing_right[node], subset[column])
    return np.where(np.isnan(column), trees.missing_right[node],
                    column > trees.threshold[node])


@examples(80)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([2, 4, 9]),
       st.sampled_from([None, 2]), st.sampled_from([1, 5]))
def test_the_best_split_of_the_best_leaf(seed, names, max_leaf_nodes, max_depth,
                                         min_samples_leaf):
    """The order of values is best without an L2 penalty and where no split is forbidden:
    with names there is none here, and a leaf may be small."""
    rng = np.random.default_rng(seed)
    n, l2 = int(rng.integers(5, 40)), 0.0 if names else 1.0
    min_samples_leaf = 1 if names else min_samples_leaf
    X, y, w = tied(rng, n, names), rng.integers(0, 2, n), rng.integers(1, 4, n) * 1.0
    y[:2] = 0, 1
    model = GradientBoostingClassifier(2, 0.3, max_leaf_nodes, max_depth,
                                       min_samples_leaf, l2)
    model.fit(X, y, w)
    table, trees = learn_table(X), model.trees_
    stages = [np.full(n, w[y == 1].sum() / w.sum()),
              *(p[:, 1] for p in model.staged_predict_proba(X))]
    for root, p in zip(trees.roots.tolist(), stages, strict=False):
        g, h = w * (p - y), w * p * (1 - p)
        end = next((r for r in trees.roots.tolist() if r > root), len(trees.column))
        leaves, order = {root: (np.arange(n), 0)}, np.arange(root, end)
        order = sorted(order[trees.column[order] >= 0], key=lambda i: trees.left[i])

        def gain_of(leaf, g=g, h=h, leaves=leaves):
            rows, depth = leaves[leaf]
            return (0.0 if depth == max_depth
                    else best_gain(table, rows, g, h, w, l2, min_samples_leaf))

        gains = {root: gain_of(root)}
        for node in order:  # as they were split
            assert trees.gain[node] == pytest.approx(gains.pop(node), abs=1e-7)
            assert trees.gain[node] > max(gains.values(), default=0) - 1e-7
            rows, depth = leaves.pop(node)
            right = goes_right(trees, node, table)[rows]
            for child, part in ((0, ~right), (1, right)):
                leaves[trees.left[node] + child] = rows[part], depth + 1
                gains[trees.left[node] + child] = gain_of(trees.left[node] + child)
        assert len(leaves) == max_leaf_nodes or max(gains.values()) < 1e-7
        for leaf, (rows, _) in leaves.items():
            assert trees.weight[leaf] == pytest.approx(w[rows].sum())
            step = -0.3 * g[rows].sum() / (h[rows].sum() + l2)
            assert trees.value[leaf] == pytest.approx(step, abs=1e-7)


@pytest.mark.parametrize("k", [2, 3])
def test_stages_end_at_the_answer(k):
    X, y = task(1, k=k)
    model = GradientBoostingClassifier(12, **SMALL).fit(X, y)
    shares, answers = list(model.staged_predict_proba(X)), list(model.staged_predict(X))
    assert len(shares) == len(answers) == model.n_estimators_ == 12
    assert (shares[-1] == model.predict_proba(X)).all()
    assert (answers[-1] == model.predict(X)).all()
    # the stages are the shorter models, and the curve is their loss
    short = GradientBoostingClassifier(5, **SMALL).fit(X, y)
    assert (shares[4] == short.predict_proba(X)).all()
    losses = [-np.log(p[np.arange(len(y)), y]).mean() for p in shares]
    assert model.loss_curve_ == pytest.approx(losses, abs=1e-9)
    assert model.feature_importances_.sum() == pytest.approx(1)
    told = model.explain(X.iloc[:1])
    score = model.decision_function(X.iloc[:1])
    parts = _attribute_parts(model.trees_, model._read_table(X.iloc[:1]))
    assert parts.sum(axis=0) == pytest.approx(score.ravel())
    assert told.prediction == model.predict(X.iloc[:1])[0]


# ----------------------------------------------------------------------- threads


def test_many_rows_and_threads():
    """Enough rows for the threads as they are."""
    X, y = make_classification(30_000, 8, random_state=0)
    one, two = (GradientBoostingClassifier(5, n_jobs=n, early_stopping=False).fit(X, y)
                for n in (1, 2))
    assert one.to_text(5) == two.to_text(5)
    assert (one.predict_proba(X) == two.predict_proba(X)).all()
    assert (one.loss_curve_ == two.loss_curve_).all()


# ----------------------------------------------------------------------- rows and weights


@pytest.mark.parametrize("k", [2, 3])
def test_weights_are_copies(k):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, k, 150)
    w = rng.integers(0, 4, 150)
    make = lambda: GradientBoostingClassifier(8, **SMALL)  # noqa: E731
    weighted = make().fit(X, y, w)
    copied = make().fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert weighted.predict_proba(X) == pytest.approx(copied.predict_proba(X), abs=1e-8)
    assert weighted.loss_curve_ == pytest.approx(copied.loss_curve_, abs=1e-8)
    without = make().fit(X[w > 0], y[w > 0], w[w > 0])
    assert (weighted.predict_proba(X) == without.predict_proba(X)).all()


@pytest.mark.parametrize("unit", [1e-3, 0.3])
def test_a_light_row_is_the_unit_of_the_smallest_leaf(unit):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    w = rng.integers(1, 4, 200) * unit
    w *= len(w) / w.sum() if unit == 0.3 else 1  # of a mean of 1 as they are
    for least in (7, 20):
        model = GradientBoostingClassifier(5, min_samples_leaf=least).fit(X, y, w)
        trees = model.trees_
        leaves = trees.weight[trees.column < 0]
        assert leaves.min() >= least - 1e-6
        whole = trees.weight[trees.roots]  # in units of the lightest row
        assert whole == pytest.approx(w.sum() / w.min())


def test_a_tree_sees_its_share_of_the_rows():
    X, y = task(0, 200)
    for share, n in ((1.0, 200), (0.3, 60)):
        trees = GradientBoostingClassifier(3, subsample=share).fit(X, y).trees_
        assert trees.weight[trees.roots].tolist() == [n] * 3


@pytest.mark.parametrize("how", [{}, {"subsample": 0.5}, {"early_stopping": True}])
def test_order_of_rows_does_not_matter(how):
    """But for rounding: sums are made in the order of the rows."""
    X, y = task(3)
    turned = np.random.default_rng(0).permutation(len(y))
    a = GradientBoostingClassifier(8, random_state=0, **SMALL, **how).fit(X, y)
    b = GradientBoostingClassifier(8, random_state=0, **SMALL, **how).fit(
        X.iloc[turned], y[turned])
    assert a.predict_proba(X) == pytest.approx(b.predict_proba(X), abs=1e-9)
    assert a.to_text(8) == b.to_text(8)


# ----------------------------------------------------------------------- when to stop


def test_early_stopping_keeps_the_best():
    X, y = task(7, 250)
    y = np.where(np.random.default_rng(0).random(250) < 0.3, 1 - y, y)
    how = {"learning_rate": 0.5, "early_stopping": True, "random_state": 2, **SMALL}
    model = GradientBoostingClassifier(300, n_iter_no_change=5, **how).fit(X, y)
    curve = model.held_out_curve_
    assert model.n_estimators_ == curve.argmin() + 1 == len(curve) - 5 < 295
    assert len(model.loss_curve_) == len(curve)
    best = GradientBoostingClassifier(model.n_estimators_, n_iter_no_change=5,
                                      **how).fit(X, y)
    assert (best.predict_proba(X) == model.predict_proba(X)).all()
    assert (best.held_out_curve_ == curve[: model.n_estimators_]).all()


def test_nothing_more_to_learn_ends_the_rounds():
    X = np.zeros((30, 2))
    model = GradientBoostingClassifier().fit(X, np.arange(30) % 3 == 0)
    assert model.n_estimators_ == 0 and (model.feature_importances_ == 0).all()
    assert model.predict_proba(X)[0] == pytest.approx([2 / 3, 1 / 3])
    assert list(model.staged_predict(X)) == [] and "0 rounds" in model.to_text()


def test_of_one_class_the_probability_is_one():
    model = GradientBoostingClassifier(3).fit(np.arange(6.0)[:, None], ["a"] * 6)
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]


@pytest.mark.parametrize("k, inside", [(2, False), (3, True)])
def test_an_interrupt_keeps_the_rounds_that_are_finished(k, inside, monkeypatch):
    X, y = task(8, k=k)
    short = GradientBoostingClassifier(3).fit(X, y)
    interrupting.stop_at(monkeypatch, gradient._Booster, "round", 3, inside)
    with pytest.warns(UserWarning, match="interrupted after 3 rounds: 3 are kept") as told:
        model = GradientBoostingClassifier(50).fit(X, y)
    assert (model.predict_proba(X) == short.predict_proba(X)).all()
    assert len(model.loss_curve_) == 3 and len(told) == 1
    interrupting.stop_at(monkeypatch, gradient._Booster, "round", 0, inside)
    with pytest.raises(KeyboardInterrupt):
        GradientBoostingClassifier(50).fit(X, y)



# ----------------------------------------------------------------------- constraints


def rising(seed, n=400):
    """Classes more frequent with the first column, less with the second, and noise."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"up": rng.normal(size=n).round(2),
                      "down": rng.normal(size=n).round(2), "free": rng.normal(size=n),
                      "kind": rng.choice(list("abc"), n)})
    X["up"] = X["up"].mask(rng.random(n) < 0.1)
    score = X["up"].fillna(0) - X["down"] + np.sin(3 * X["free"]) + (X["kind"] == "b")
    return X, (score + 2 * rng.normal(size=n) > 0).to_numpy()


def steps_along(model, X, name):
    """How the scores of 40 rows change along a column."""
    grid = np.linspace(-4, 4, 60)
    scores = np.array([model.decision_function(X.iloc[:40].assign(**{name: value}))
                       for value in grid])
    return np.diff(scores, axis=0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("how", [{}, {"subsample": 0.5}, {"max_depth": 3, "max_bins": 10},
                                 {"l2_regularization": 3.0, "max_leaf_nodes": None}])
def test_predictions_are_monotone(seed, how):
    X, y = rising(seed)
    cst = {"up": 1, "down": -1}
    how = {"min_samples_leaf": 2, "n_estimators": 40, "random_state": 0, **how}
    model = GradientBoostingClassifier(monotonic_cst=cst, **how).fit(X, y)
    assert (steps_along(model, X, "up") >= 0).all()
    assert (steps_along(model, X, "down") <= 0).all()
    assert (steps_along(model, X, "up") > 0).any()
    free = GradientBoostingClassifier(**how).fit(X, y)
    assert (steps_along(free, X, "up") < 0).any()  # the constraint is at work
    assert (free.feature_importances_ > 0).all() and model.score(X, y) > 0.7
    same = GradientBoostingClassifier(monotonic_cst=[1, -1, 0, 0], **how).fit(X, y)
    assert (same.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize("seed", range(5))
def test_constraints_as_scikit_learns(seed):
    """One rising column that the classes follow with noise: the same steps."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 30, (500, 1)) * 1.0
    y = rng.random(500) < 0.2 + 0.6 * (X[:, 0] > 12)
    how = {"max_leaf_nodes": 4, "min_samples_leaf": 20, "monotonic_cst": [1]}
    ours = GradientBoostingClassifier(1, **how).fit(X, y)
    theirs = HistGradientBoostingClassifier(max_iter=1, early_stopping=False, **how)
    grid = np.arange(30.0)[:, None]
    assert ours.decision_function(grid) == pytest.approx(
        theirs.fit(X, y).decision_function(grid), abs=1e-6)
    how["max_leaf_nodes"] = 31
    ours = GradientBoostingClassifier(50, **how).fit(X, y).predict_proba(grid)[:, 1]
    theirs = HistGradientBoostingClassifier(max_iter=50, early_stopping=False, **how).fit(
        X, y).predict_proba(grid)[:, 1]
    assert (np.diff(ours) >= 0).all() and np.abs(ours - theirs).max() < 0.05


def test_constraints_that_are_refused():
    X, y = rising(0)
    for cst, said in (({"upp": 1}, "'upp'"), ({"up": 2}, "'up'"), ([1, 0], "4 columns"),
                      ({"kind": 1}, "'kind'"), (1, "is 1"), ({"up": "yes"}, "'up'")):
        with pytest.raises(ValueError, match=f"monotonic_cst.*{said}"):
            GradientBoostingClassifier(monotonic_cst=cst).fit(X, y)
    with pytest.raises(ValueError, match="monotonic_cst needs two classes"):
        GradientBoostingClassifier(monotonic_cst={"up": 1}).fit(X, np.arange(len(y)) % 3)
    ordered = X.assign(kind=pd.Categorical(X["kind"], list("bac"), ordered=True))
    model = GradientBoostingClassifier(20, monotonic_cst={"kind": -1}).fit(ordered, y)
    p = [model.predict_proba(ordered.assign(kind=pd.Categorical(
        [v] * len(X), list("bac"), ordered=True)))[:, 1] for v in "bac"]
    assert all((b <= a).all() for a, b in pairwise(p))


# ----------------------------------------------------------------------- scikit-learn's


def splits_of(model):
    """Column, threshold and value of each node of scikit-learn's first tree, by depth
    first."""
    nodes, found = model._predictors[0][0].nodes, []

    def visit(i):
        node = nodes[i]
        if node["is_leaf"]:
            found.append(("leaf", node["value"], node["count"]))
            return
        found.append((node["feature_idx"], node["num_threshold"], node["count"]))
        visit(node["left"])
        visit(node["right"])

    visit(0)
    return found


def own_splits(model):
    """The same of ours."""
    trees, found = model.trees_, []

    def visit(i):
        if trees.column[i] < 0:
            found.append(("leaf", trees.value[i], trees.weight[i]))
            return
        found.append((trees.column[i], trees.threshold[i], trees.weight[i]))
        visit(trees.left[i])
        visit(trees.left[i] + 1)

    visit(trees.roots[0])
    return found


@pytest.mark.parametrize("seed", range(12))
def test_splits_and_leaf_values_of_scikit_learn(seed):
    """On a table of few distinct values, where both programs have the same bins."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 4)).round(1 + seed % 2)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=400) > 0).astype(int)
    if seed % 3 == 0:
        X[rng.random(X.shape) < 0.1] = np.nan
    how = {"max_leaf_nodes": 5 + seed, "min_samples_leaf": 3 + seed,
           "l2_regularization": float(seed % 4)}
    ours = GradientBoostingClassifier(10, **how).fit(X, y)
    theirs = HistGradientBoostingClassifier(
        max_iter=10, early_stopping=False, **how).fit(X, y)
    mine, other = own_splits(ours), splits_of(theirs)
    assert len(mine) == len(other)
    for a, b in zip(mine, other, strict=True):
        assert a[0] == b[0] and a[2] == b[2]
        if a[0] == "leaf" or seed % 3:  # cuts between bins without a row are ties, and
            assert a[1] == pytest.approx(b[1], abs=1e-6)  # theirs come from the right
    # later trees too, up to ties that float32 decides otherwise
    far = np.abs(ours.decision_function(X) - theirs.decision_function(X))
    assert np.median(far) < 1e-5


@pytest.mark.parametrize("how", [
    {"learning_rate": 0.3}, {"max_leaf_nodes": 4}, {"max_leaf_nodes": None, "max_depth": 3},
    {"min_samples_leaf": 60}, {"l2_regularization": 5.0}, {"max_bins": 16}])
def test_arguments_mean_what_they_mean_to_scikit_learn(how):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 40, (800, 3)) / 4
    y = X[:, 0] + X[:, 1] + 2 * rng.normal(size=800) > 10
    if "max_bins" in how:
        X = X[:, :1] % 4  # sixteen values: bins of more are cut otherwise
    ours = GradientBoostingClassifier(10, **how).fit(X, y)
    theirs = HistGradientBoostingClassifier(
        max_iter=10, early_stopping=False, **how).fit(X, y)
    # their gradients are numbers of 32 bits
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=1e-4)


def test_defaults_are_scikit_learns():
    ours, theirs = (m().get_params() for m in (GradientBoostingClassifier,
                                               HistGradientBoostingClassifier))
    assert ours["n_estimators"] == theirs["max_iter"]
    shared = ("learning_rate", "max_leaf_nodes", "max_depth", "min_samples_leaf",
              "max_bins", "l2_regularization", "early_stopping", "n_iter_no_change",
              "monotonic_cst")
    assert {name: ours[name] for name in shared} == {name: theirs[name] for name in shared}
