"""The four tree learners: peers, transcriptions,
parameters at work, storage, hostile input."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.special import stirling2
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import from_json, load_loan, load_titanic
from supervised.basics.datasets import load_credit, load_iris, load_votes, make_rule_table
from supervised.ensembles import BaggingClassifier
from supervised.practice import grow_from_chunks
from supervised.trees.classifiers import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
)
from tests.trees import least_weight
from tests.trees.test_engine_splits import PlainCHAID, p_of

FOUR = [ID3Classifier, C45Classifier, CARTClassifier, CHAIDClassifier]
THREE = FOUR[:3]  # those with a pruning


def same_tree(a, b, **tolerance):
    """Whether two trees have the same tests, and the same counts."""
    return (a.n_nodes == b.n_nodes and np.array_equal(a.attribute, b.attribute)
            and np.array_equal(a.routes, b.routes)
            and np.allclose(a.threshold, b.threshold, equal_nan=True)
            and np.allclose(a.counts, b.counts, **tolerance))


def mixed(seed=0, n=200, missing=0.1, **details):
    return make_rule_table(n, 3, 3, noise=0.1, missing=missing, random_state=seed,
                           **details)


# ------------------------------------------------------------------------------ peers


def three_classes(rng, X):
    """Classes of rows of four numbers from 0 to 1, with noise."""
    return ((X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=len(X)) > 0.8)
            .astype(int) + (X[:, 3] > 0.8))


def gini_total(labels):
    """n times the Gini index, exactly."""
    counts = np.bincount(labels).tolist()
    return Fraction(len(labels)) - Fraction(sum(c * c for c in counts), max(len(labels), 1))


def saved(X, y, rows, attribute, threshold):
    left = X[rows, attribute].astype(float) <= threshold
    return gini_total(y[rows]) - gini_total(y[rows][left]) - gini_total(y[rows][~left])


@pytest.mark.parametrize("seed", range(8))
def test_cart_is_that_of_scikit_learn_but_for_ties(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((300, 4)).astype(np.float32)
    y = three_classes(rng, X)
    theirs, ours = (DecisionTreeClassifier(random_state=0).fit(X, y).tree_,
                    CARTClassifier().fit(X, y).tree_)
    work, n_equal = [(0, 0, np.arange(300))], 0
    while work:
        a, b, rows = work.pop()
        assert (theirs.children_left[a] < 0) == bool(ours.is_leaf[b])
        if ours.is_leaf[b]:
            continue
        f, g = theirs.feature[a], ours.attribute[b]
        if f == g and abs(theirs.threshold[a] - ours.threshold[b]) < 1e-6:
            left, n_equal = X[rows, f].astype(float) <= theirs.threshold[a], n_equal + 1
            work.append((theirs.children_left[a], ours.first[b], rows[left]))
            work.append((theirs.children_right[a], ours.first[b] + 1, rows[~left]))
        else:
            assert (saved(X, y, rows, f, theirs.threshold[a])
                    == saved(X, y, rows, g, ours.threshold[b]))
    assert n_equal > 20


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("scale", [1, 1e-7, 1e7])
def test_cart_with_weights_is_that_of_scikit_learn(criterion, scale):
    rng = np.random.default_rng(3)
    X, w = rng.random((2000, 4)).astype(np.float32), rng.uniform(0.2, 3, 2000) * scale
    y = three_classes(rng, X)
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=4,
                                    random_state=0).fit(X, y, w)
    ours = CARTClassifier(criterion, max_depth=4).fit(X, y, w)
    new = rng.random((1000, 4)).astype(np.float32)
    assert np.allclose(ours.predict_proba(new), theirs.predict_proba(new))
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.parametrize("max_depth", [3, 5, None])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n", [2, 7, 40])
def test_so_many_leaves_are_those_of_scikit_learn(criterion, n, max_depth):
    rng = np.random.default_rng(n)
    X, w = rng.random((2000, 4)).astype(np.float32), rng.uniform(1, 3, 2000)
    y = three_classes(rng, X)
    theirs = DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=n, random_state=0,
                                    max_depth=max_depth).fit(X, y, w)
    ours = CARTClassifier(criterion, max_leaf_nodes=n, max_depth=max_depth).fit(X, y, w)
    assert ours.n_leaves_ == theirs.get_n_leaves() <= n
    assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert np.array_equal(from_json(ours.to_json()).apply(X), ours.apply(X))


def test_so_many_leaves_in_ensembles_and_from_chunks():
    X, y = load_credit()
    tree = CARTClassifier(max_leaf_nodes=6).fit(X, y)
    assert tree.n_leaves_ == 6
    chunks = [X.assign(answer=y)[at : at + 300] for at in range(0, len(X), 300)]
    parts = grow_from_chunks(CARTClassifier(max_leaf_nodes=6), chunks, "answer")
    assert np.array_equal(parts.predict_proba(X), tree.predict_proba(X))
    members = BaggingClassifier(tree, n_estimators=3).fit(X, y).estimators_
    assert [member.n_leaves_ for member in members] == [6, 6, 6]


def plain_id3(rows, labels, attributes):
    """L's Fig. 3.4 on lists of dictionaries, as a function from a row to a class."""
    names, counts = np.unique(labels, return_counts=True)
    majority = names[counts.argmax()]
    if len(names) == 1 or not attributes:
        return lambda row: majority

    def entropy(part):
        p = np.unique(part, return_counts=True)[1] / len(part)
        return -(p * np.log2(p)).sum()

    def after(a):
        parts = [[c for r, c in zip(rows, labels, strict=True) if r[a] == v]
                 for v in {r[a] for r in rows}]
        return sum(len(p) * entropy(p) for p in parts) if len(parts) > 1 else np.inf

    scores = [after(a) for a in attributes]
    best = attributes[int(np.argmin(np.round(scores, 9)))]
    if not np.isfinite(min(scores)):
        return lambda row: majority
    below = {}
    for v in {r[best] for r in rows}:
        part = [(r, c) for r, c in zip(rows, labels, strict=True) if r[best] == v]
        below[v] = plain_id3([r for r, _ in part], [c for _, c in part],
                             [a for a in attributes if a != best])
    return lambda row: below[row[best]](row) if row[best] in below else majority


@pytest.mark.parametrize("seed", range(5))
def test_id3_is_the_listing(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 4, (120, 4)),
                     columns=list("abcd")).map(lambda v: f"v{v}")
    y = np.where((X["a"] == "v1") ^ (X["b"] > "v1") ^ (rng.random(120) < 0.1), "yes", "no")
    learned = plain_id3(X.to_dict("records"), y.tolist(), list(X))
    new = pd.DataFrame(rng.integers(0, 4, (300, 4)),
                       columns=list("abcd")).map(lambda v: f"v{v}")
    assert (ID3Classifier().fit(X, y).predict(new)
            .tolist() == [learned(row) for row in new.to_dict("records")])


def plain_chaid(table):
    """Kass's groups of the values of one attribute, and the corrected p-value."""
    groups = PlainCHAID(table, False, 0.05).groups
    n, g = len(table), len(groups)
    p = p_of(np.array([table[group].sum(axis=0) for group in groups]))
    return {frozenset(group) for group in groups}, p * stirling2(n, g, exact=True)


@pytest.mark.parametrize("seed", range(12))
def test_chaid_splits_as_by_scipy(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {c: pd.Categorical.from_codes(rng.integers(0, k, 400), [f"v{v}" for v in range(k)])
         for c, k in zip("abc", (3, 5, 7), strict=True)})
    y = rng.integers(0, 3, 400)
    y = np.where((X["b"].cat.codes > 2) & (rng.random(400) < rng.choice([0.0, 0.2, 0.6])),
                 0, y)
    found = {c: plain_chaid(pd.crosstab(X[c], y).to_numpy()) for c in X}
    best = min(found, key=lambda c: found[c][1])
    tree = CHAIDClassifier(max_depth=1, min_num_obj=1).fit(X, y).tree_
    assert (tree.n_nodes == 1) == (found[best][1] > 0.05)
    if tree.n_nodes > 1:
        assert X.columns[tree.attribute[0]] == best
        groups = {frozenset(np.flatnonzero(tree.routes == b).tolist())
                  for b in range(tree.n_branches[0])}
        assert groups == found[best][0]


# ------------------------------------------------------------------------------ answers


def test_a_row_without_a_value_stops_at_the_test():
    X, y = load_loan()
    model = ID3Classifier().fit(X, y)
    gap = X[:1].assign(Own_house=pd.array([None], dtype="boolean"))
    assert model.apply(gap).tolist() == [0]
    # it has no job: nine owned no house, six did
    assert np.allclose(model.predict_proba(gap), [[9 / 15, 6 / 15]])
    assert model.predict(gap).tolist() == ["No"]


@pytest.mark.parametrize("kind", FOUR)
def test_unseen_values_and_unseen_gaps_go_all_ways(kind):
    X, y = load_loan()
    X = X.astype(str)
    model = kind().fit(X, y)
    strange = X[:1].assign(Own_house="rented")
    assert np.allclose(model.predict_proba(strange), [[9 / 15, 6 / 15]])
    assert np.allclose(model.predict_proba(X[:1].assign(Own_house=None)),
                       [[9 / 15, 6 / 15]])


def test_cart_sends_a_value_that_a_node_has_not_seen_all_ways():
    X = pd.DataFrame({"a": list("xxxxyyyyyy"), "b": list("pppqppqrrr")})
    model = CARTClassifier().fit(X, [0, 0, 0, 1, 2, 2, 2, 2, 2, 2])
    assert "a = y: 2 (6/6)" in model.to_text().splitlines() and model.n_leaves_ == 3
    among_x = model.predict_proba(pd.DataFrame({"a": ["x", "x"], "b": ["r", "never seen"]}))
    assert np.allclose(among_x, [[3 / 4, 1 / 4, 0]] * 2)  # r occurs only where a = y


# ------------------------------------------------------------------------------ settings


@pytest.mark.parametrize("kind", FOUR)
@pytest.mark.parametrize("least", [2.5, 10])
def test_two_branches_weigh_min_leaf(kind, least):
    X, y = mixed(4, 400)
    tree = kind(**least_weight(kind, least)).fit(X, y).tree_
    assert tree.n_nodes > 1
    for node in np.flatnonzero(~tree.is_leaf):
        children = np.arange(tree.first[node], tree.first[node] + tree.n_branches[node])
        assert (tree.counts[children].sum(axis=1) >= least - 1e-6).sum() >= 2


def test_threshold_is_the_least_gain():
    X, y = load_loan()
    for kind, root in ((ID3Classifier, 0.4200), (C45Classifier, 0.4200),
                       (CARTClassifier, 12 / 25 - 4 / 15)):
        assert kind(min_gain=root + 1e-3).fit(X, y).n_nodes_ == 1
        assert kind(min_gain=root - 1e-3).fit(X, y).n_nodes_ == 5


def test_cut_at_values_or_midway():
    X, y = pd.DataFrame({"x": [1.0, 2, 3, 4, 8, 9, 10, 11]}), list("aaaabbbb")
    assert C45Classifier().fit(X, y).tree_.threshold[0] == 4
    assert C45Classifier(cut="midpoint").fit(X, y).tree_.threshold[0] == 6
    between = pd.DataFrame({"x": [5.0]})
    assert C45Classifier().fit(X, y).predict(between) == ["b"]
    assert C45Classifier(cut="midpoint").fit(X, y).predict(between) == ["a"]


@pytest.mark.parametrize("kind", THREE)
def test_reduced_error_grows_from_the_other_folds(kind):
    X, y = load_votes()
    model = kind(pruning="reduced_error", n_folds=3, **least_weight(kind, 1)).fit(X, y)
    assert np.isclose(model.tree_.counts[0].sum(), len(y) - len(y) // 3)


@pytest.mark.parametrize("kind", THREE)
def test_alpha_is_given_or_chosen(kind):
    X, y = mixed(11, 300, 0.0)
    chosen = kind(pruning="cost_complexity").fit(X, y)
    given = kind(pruning="cost_complexity", ccp_alpha=chosen.ccp_alpha_).fit(X, y)
    assert (same_tree(chosen.tree_, given.tree_)
            and 1 <= chosen.n_leaves_ < kind(pruning=None).fit(X, y).n_leaves_)
    assert same_tree(chosen.tree_, kind(pruning="cost_complexity").fit(X, y).tree_)
    assert kind(pruning="cost_complexity", ccp_alpha=10).fit(X, y).n_nodes_ == 1
    assert not hasattr(chosen.set_params(pruning=None).fit(X, y), "ccp_alpha_")
    with pytest.raises(ValueError, match="n_folds is 400, but there are only 300 rows"):
        kind(pruning="cost_complexity", n_folds=400).fit(X, y)
    with pytest.raises(ValueError, match="n_folds is 400, but there are only 300 rows"):
        kind(pruning="reduced_error", n_folds=400).fit(X, y)


# ------------------------------------------------------------------------ weights and costs


def repeated(X, y, times):
    rows = np.repeat(np.arange(len(y)), times)
    return X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)


@pytest.mark.parametrize("kind", [ID3Classifier, CARTClassifier, CHAIDClassifier])
@pytest.mark.parametrize("least", [1, 5])
@pytest.mark.parametrize("seed", range(3))
def test_weights_are_repetitions(kind, seed, least):
    X, y = mixed(seed, 150, 0.0)
    times = np.random.default_rng(seed).integers(0, 4, 150)
    weighed, copied = (kind(**least_weight(kind, least)).fit(X, y, times),
                       kind(**least_weight(kind, least)).fit(*repeated(X, y, times)))
    assert same_tree(weighed.tree_, copied.tree_) and weighed.n_leaves_ > 2


def test_weights_are_repetitions_for_c45():
    X, y = load_titanic()
    counts = X.assign(y=y).value_counts().reset_index(name="n")
    short, long = (C45Classifier().fit(counts[list(X)], counts["y"], counts["n"]),
                   C45Classifier().fit(X, y))
    assert short.to_text() == long.to_text()


# --------------------------------------------------------------------- CHAID's significance


def test_chaid_significance():
    X, y = load_titanic()
    sizes = [CHAIDClassifier(significance_level=s).fit(X, y).n_leaves_
             for s in (1e-300, 1e-60, 1e-10, 0.05, 1)]
    assert sizes == sorted(sizes) and sizes[0] == 1 and sizes[1] > 1
    apart = CHAIDClassifier(merge_significance_level=1.0, max_depth=1).fit(X[["status"]], y)
    assert apart.n_leaves_ == 4


# ------------------------------------------------------- what the counts of a tree say


@pytest.mark.parametrize("kind", FOUR)
def test_counts_are_rows_whatever_an_error_costs(kind):
    """30,000 departures, 14 in 100 late: `15801.76 of 30000 are late` were nobody's."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"hour": rng.integers(0, 24, 500).astype(float)})
    late = rng.random(500) < 0.05 + 0.01 * X["hour"]
    y = np.where(late, "late", "on time")
    model = kind(class_weight={"late": 6}, max_depth=2).fit(X, y)
    tree, leaf = model.tree_, model.apply(X)
    for node in np.flatnonzero(tree.is_leaf):
        np.testing.assert_allclose(tree.row_counts[node],
                                   [(late & (leaf == node)).sum(),
                                    (~late & (leaf == node)).sum()])
    assert model.to_text().splitlines()[-1] == "(late counts 6 times)"
    assert "(late counts 6 times)" in model.show()._repr_html_()
    assert "(late counts 6 times)" in [t.get_text() for t in model.draw().texts]
    told = model.explain(X.iloc[0])
    assert told.unit == "change of the probability; late counts 6 times"
    rows = late.sum() if told.prediction == "late" else (~late).sum()
    assert told.parts[0].text == f"{rows} of 500 are {told.prediction}"
    # the probabilities are under the costs; divided by them they are shares of rows
    plain = model.predict_proba(X) / [6, 1]
    shares = tree.row_counts[leaf]
    np.testing.assert_allclose(plain / plain.sum(axis=1, keepdims=True),
                               shares / shares.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("kind", FOUR)
def test_weights_that_are_not_whole_are_said(kind):
    X, y = mixed(3, 200, 0.0)
    weights = np.random.default_rng(0).random(200)
    assert kind().fit(X, y, weights).to_text().endswith("(the counts are sums of weights)")
    model = kind().fit(X, y, np.full(200, 0.005))
    assert model.to_text() == kind().fit(X, y).to_text()


def test_a_tree_that_is_pruned_to_one_leaf_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 2, 300)
    with pytest.warns(UserWarning, match="pruned to one leaf"):
        assert CARTClassifier(pruning="cost_complexity").fit(X, y).n_leaves_ == 1


def test_the_least_share_of_the_weight_is_scikit_learns():
    X, y = load_iris()
    ours = CARTClassifier(min_weight_fraction_leaf=0.1).fit(X, y)
    theirs = DecisionTreeClassifier(min_weight_fraction_leaf=0.1, random_state=0).fit(X, y)
    assert ours.n_leaves_ == theirs.get_n_leaves()
    assert (ours.predict(X) == theirs.predict(X)).all()
