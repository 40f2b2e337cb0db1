"""Trees to look at: exact texts, sound HTML,
rectangles without gaps, deep trees, hostile names."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations

import matplotlib as mpl
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from supervised.trees.classifiers import C45Classifier, CHAIDClassifier
from supervised.trees.engine.drawing import _tree_of
from supervised.trees.multivariate import ObliqueTreeClassifier

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table, load_loan
from supervised.basics.datasets import load_donors, load_iris
from supervised.basics.figures import COLORS, PAPER, TINT, mix
from supervised.trees.engine.builder import Settings
from supervised.trees.engine.drawing import (
    HtmlTree,
    _answer_texts,
    _branch_text,
    _number_texts,
    _preorder,
    branch_texts,
    draw_tree,
    leaf_numbers,
    node_boxes,
    path_text,
    plot_partition,
    row_path,
    tree_from_json,
    tree_from_tests,
    tree_layout,
    tree_to_html,
    tree_to_json,
    tree_to_text,
)
from tests import examples
from tests.trees import grown

quick = examples(40)
LOAN, APPROVED = load_loan()
FIG_3_2 = (
    "Age",
    {
        "young": ("Has_job", {True: None, False: None}),
        "middle": ("Own_house", {True: None, False: None}),
        "old": ("Credit_rating", {"fair": None, "good": None, "excellent": None})},
)
DONORS, GAVE = load_donors()
FIG_10_3A = ("Age", 50, ("Salary", 60_000, None, None), ("Salary", 50_000, None, None))

RNG = np.random.default_rng(7)
N = 60
FRAME = pd.DataFrame(
    {
        # nobody has s
        "c": pd.Categorical(RNG.choice(list("pqr"), N), categories=list("pqrs")),
        "b": RNG.random(N) < 0.5,
        "u": RNG.integers(0, 10, N) / 2,
        "v": RNG.normal(size=N).round(2),
    }
)
KINDS = RNG.choice(["one", "two", "three"], N)


@pytest.fixture(autouse=True)
def closed_figures():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


def descriptions_over(names):
    """Descriptions of trees over some columns of FRAME;
    a nominal attribute may come back below itself."""

    def extend(below):
        nominal = {
            "c": st.one_of(
                st.tuples(st.just("c"), st.fixed_dictionaries({v: below for v in "qprs"})),
                st.tuples(st.just("c"),
                          st.fixed_dictionaries({("s", "p"): below, "q": below})),
            ),
            "b": st.tuples(st.just("b"),
                           st.fixed_dictionaries({True: below, False: below})),
        }
        cuts = {
            "u": st.integers(0, 9).map(lambda i: i / 2 + 0.25),
            "v": st.floats(-2, 2).map(lambda x: round(x, 3) + 0.0)}
        numeric = {a: st.tuples(st.just(a), cut, below, below) for a, cut in cuts.items()}
        return st.one_of(*((nominal | numeric)[name] for name in names))

    return st.recursive(st.none(), extend, max_leaves=12)


any_tests, plane_tests = descriptions_over("cbuv"), descriptions_over("uv")


def same_tree(a, b):
    assert a.attributes == b.attributes
    for name, part in vars(a).items():
        if name != "attributes":
            part, other = np.asarray(part), np.asarray(getattr(b, name))
            assert part.dtype == other.dtype and part.shape == other.shape
            assert all(x == y or (x != x and y != y)
                       for x, y in zip(part.ravel(), other.ravel(), strict=True))


# ------------------------------------------------------------------ numbers


@quick
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=12))
@example([140737488355328.25])
def test_numbers_stay_apart_and_in_order(values):
    texts = _number_texts(values)
    back = [float(t) for t in texts]
    for (v, a, s), (w, b, t) in combinations(zip(values, back, texts, strict=True), 2):
        assert (v < w) == (a < b) and (v == w) == (s == t)
    # floats have gaps, too
    assert all(abs(a - v) <= 0.06 * min(1.0, abs(v)) + math.ulp(v) or abs(v) >= 1e15
               for v, a in zip(values, back, strict=True))


# ------------------------------------------------------------------ text


def test_a_tree_that_weka_printed():
    X, y = load_iris()
    X.columns = ["sepallength", "sepalwidth", "petallength", "petalwidth"]
    below = ("petallength", 4.9, None, ("petalwidth", 1.5, None, None))
    tests = ("petalwidth", 0.6, None, ("petalwidth", 1.7, below, None))
    printed = """petalwidth <= 0.6: Iris-setosa (50.0)
petalwidth > 0.6
|   petalwidth <= 1.7
|   |   petallength <= 4.9: Iris-versicolor (48.0/1.0)
|   |   petallength > 4.9
|   |   |   petalwidth <= 1.5: Iris-virginica (3.0)
|   |   |   petalwidth > 1.5: Iris-versicolor (3.0/1.0)
|   petalwidth > 1.7: Iris-virginica (46.0/1.0)"""
    ours = tree_to_text(tree_from_tests(X, "Iris-" + y.astype(str), tests), "n/e")
    assert ours == printed.replace(".0)", ")").replace(".0/", "/")


def test_one_node():
    tree = tree_from_tests(LOAN, APPROVED, None)
    assert tree_to_text(tree) == "Yes (9/15)" and tree_to_text(tree, "n/e") == "Yes (15/6)"
    assert path_text(tree, 0) == "always -> Yes [sup=9/15, conf=9/15]"
    assert (branch_texts(tree) == [""] and row_path(tree, LOAN, 3) == [0]
            and leaf_numbers(tree) == {0: 1})
    assert ("Yes (9/15)" in tree_to_html(tree).html
            and "<details" not in tree_to_html(tree).html)
    assert [t.get_text() for t in draw_tree(tree).texts] == ["Yes\n(9/15)"]
    same_tree(tree, tree_from_json(tree_to_json(tree)))


def test_ghost_leaves():
    ratings = ("Credit_rating", {"fair": None, "good": None, "excellent": None})
    tests = ("Age",
             {"young": ("Has_job", {True: ratings, False: None}), ("middle", "old"): None})
    text = tree_to_text(tree_from_tests(LOAN, APPROVED, tests))
    # 3 and 4 are fair and good, both Yes
    assert "|   |   Credit_rating = excellent: Yes (0/0)" in text
    assert text.endswith("Age in {middle, old}: Yes (7/10)")
    html = tree_to_html(tree_from_tests(LOAN, APPROVED, tests)).html
    assert "no instance" in html and "nan" not in html
    # of a tree grown by the engine
    tree = grown(FRAME, KINDS, Settings(max_depth=3))
    ghosts = np.flatnonzero(tree.counts.sum(axis=1) == 0)
    assert len(ghosts)
    for node in ghosts:
        assert (_answer_texts(tree)[node].endswith("(0/0)")
                and _branch_text(tree, node).endswith("= s"))
        assert tree.labels[node] == tree.labels[tree.parent[node]]


def test_values_not_mentioned_go_all_ways():
    tree = tree_from_tests(LOAN, APPROVED, ("Age", {"young": None, "middle": None}))
    # 5 each, so half of the old to either side
    assert branch_texts(tree)[1:] == ["Age = young", "Age = middle"]
    # old: 1 No, 4 Yes
    assert tree_to_text(tree) == "Age = young: Yes (4/7.5)\nAge = middle: Yes (5/7.5)"
    assert row_path(tree, LOAN, 14) == [0]


def test_names_and_labels_that_are_no_strings():
    X = pd.DataFrame({0: [1.5, 2.5, 3.5], ("a", 1): ["x", "y", "x"]})
    labels = np.empty(3, dtype=object)
    labels[:] = [(1, 2), (0, 9), (1, 2)]
    tests = (0, 2, None, (("a", 1), {"x": None, "y": None}))
    tree = tree_from_tests(X, labels, tests)
    expected = ["0 <= 2: (1, 2) (1/1)", "0 > 2", "|   ('a', 1) = x: (1, 2) (1/1)",
                "|   ('a', 1) = y: (0, 9) (1/1)"]
    assert tree_to_text(tree).splitlines() == expected
    assert ([t.get_text() for t in draw_tree(tree).texts if "(1, 2)" in t.get_text()]
            == ["(1, 2)\n(1/1)"] * 2)
    same_tree(tree, tree_from_json(tree_to_json(tree)))
    assert "0.5 (1/1)" not in tree_to_text(
        tree_from_tests(X[[0]], [0.0, 1.0, 1.0], (0, 2, None, None)))


def test_one_line_for_each_branch_whatever_the_names():
    X = pd.DataFrame({"a\nb": ["x\ty", "", "x\ty"]})
    tree = tree_from_tests(X, ["r\n|   s", "t", "t"], ("a\nb", {"x\ty": None, "": None}))
    assert (tree_to_text(tree) == r"a\nb = x\ty: r\n|   s (1/2)" + "\n"
            + r"a\nb = '': t (1/1)")


def test_cut_texts():
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    assert tree_to_text(tree, max_depth=0) == "Yes (9/15) ..."
    expected = (
        "Age = young: No (3/5) ...\nAge = middle: Yes (3/5) ...\nAge = old: Yes (4/5) ...")
    assert tree_to_text(tree, max_depth=1) == expected
    assert (tree_to_text(tree, max_depth=2) == tree_to_text(tree, max_depth=99)
            == tree_to_text(tree))
    assert _preorder(tree) == [0, 1, 4, 5, 2, 6, 7, 3, 8, 9, 10]
    assert _preorder(tree, 1) == [0, 1, 2, 3]


@pytest.mark.parametrize("bad", [{"counts": "y/x"}, {"max_depth": -1}, {"max_depth": 1.5},
                                 {"max_depth": True}])
def test_bad_parameters(bad):
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    ((name, _),) = bad.items()
    for function in (tree_to_text, tree_to_html, draw_tree):
        with pytest.raises(ValueError, match=f"{name} is"):
            function(tree, **bad)


# ------------------------------------------------------------------ trees typed in


def test_counts_of_rows_in_parts_by_hand():
    in_doubt = LOAN.astype({"Own_house": "boolean"})
    # it has a job and is approved; of the other 14, 5 own a house
    in_doubt.loc[8, "Own_house"] = pd.NA
    below = ("Has_job", {True: None, False: None})
    tree = tree_from_tests(in_doubt, APPROVED, ("Own_house", {True: None, False: below}))
    expected = [[6, 9], [0, 5 + 5 / 14], [6, 3 + 9 / 14], [0, 3 + 9 / 14], [6, 0]]
    assert np.allclose(tree.counts, expected)


@quick
@given(any_tests, st.lists(st.sampled_from([0.25, 1.0, 3.0]), min_size=N, max_size=N),
       st.integers(0, 2**16))
def test_weight_is_conserved(tests, weights, seed):
    holes = np.random.default_rng(seed).random(FRAME.shape) < 0.2
    tree = tree_from_tests(FRAME.astype({"b": "boolean"}).mask(holes), KINDS, tests,
                           sample_weight=weights)
    assert np.isclose(tree.counts[0].sum(), sum(weights))
    for node in np.flatnonzero(~tree.is_leaf):
        children = tree.counts[tree.first[node] : tree.first[node] + tree.n_branches[node]]
        assert np.allclose(children.sum(axis=0), tree.counts[node])


@pytest.mark.parametrize(
    "tests, message", [
        ("Age", "not str"), (("Age",), "not tuple of 1"),
        (("age", {"young": None}), "'age', but the attributes are"),
        (("Age", 3, None, None), "'Age' is nominal"),
        (("Age", ["young"]), "'Age' is nominal"),
        (("Age", {"young": None}), "two branches or more"),
        (("Age", {"young": None, "ancient": None}), "'ancient' is no value of 'Age'"),
        (("Age", {"young": None, ("old", "young"): None}),
         "'young' of 'Age' stands on two branches"),
        (("Age", {"young": None, (): None}), "a value on each"),
        (("Age", {"young": None, "old": ("Has_job", {})}), "'Has_job' needs two branches"),
        (("Age", {"young": None, "old": 7}), "not int"),
    ],
)
def test_tests_that_do_not_fit(tests, message):
    with pytest.raises(ValueError, match=message):
        tree_from_tests(LOAN, APPROVED, tests)


# ------------------------------------------------------------------ paths


def test_paths_of_rows():
    tree = tree_from_tests(DONORS, GAVE, FIG_10_3A)
    holes = pd.DataFrame({"Salary": [np.nan, 1.0], "Age": [60.0, np.nan]})
    assert row_path(tree, holes, 0) == [0, 2] and row_path(tree, holes, 1) == [0]
    for row in (-1, 2):
        with pytest.raises(ValueError, match=f"row is {row}, but X has the rows 0 to 1"):
            row_path(tree, holes, row)
    with pytest.raises(ValueError, match="missing .'Salary'"):
        row_path(tree, holes[["Age"]])


# ------------------------------------------------------------------ drawings


@quick
@given(any_tests, st.integers(0, 2**16), st.sampled_from([None, 0, 1, 2]))
def test_layout(tests, seed, max_depth):
    tree = tree_from_tests(FRAME, KINDS, tests)
    widths = np.random.default_rng(seed).uniform(0.5, 9, tree.n_nodes)
    x, shown, depths = (tree_layout(tree, widths, max_depth), _preorder(tree, max_depth),
                        tree.depths)
    assert np.isfinite(x[shown]).all() and np.isnan(np.delete(x, shown)).all()
    for level in set(depths[shown]):
        nodes = [n for n in shown if depths[n] == level]  # from left to right
        gaps = np.diff(x[nodes]) - (widths[nodes][1:] + widths[nodes][:-1]) / 2
        assert (gaps > -1e-9).all()
    equal = tree_layout(tree, np.ones(tree.n_nodes), max_depth)
    for node in shown:
        children = [n for n in shown if tree.parent[n] == node]
        assert (not children or np.isclose(
            equal[node], (equal[children].min() + equal[children].max()) / 2))


def boxes_of(ax):
    """The areas that the texts of a drawing take, frames included."""
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    return {t: (t.get_bbox_patch() or t).get_window_extent(renderer) for t in ax.texts}


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("tests, data",
                         [(FIG_3_2, (LOAN, APPROVED)), (FIG_10_3A, (DONORS, GAVE))])
def test_nothing_overlaps_and_nothing_is_cut_off(tests, data, numbers):
    tree = tree_from_tests(*data, tests)
    for ax in (None, plt.subplots(figsize=(6, 3))[1], plt.subplots(2, 2)[1][1, 0]):
        ax = draw_tree(tree, ax, numbers=numbers)
        found = boxes_of(ax)
        assert len(found) == 2 * tree.n_nodes - 1
        assert not any(a.overlaps(b) for a, b in combinations(found.values(), 2))
        page = ax.figure.bbox
        assert all(page.x0 <= b.x0 and b.x1 <= page.x1 and page.y0 <= b.y0
                   and b.y1 <= page.y1 for b in found.values())


def test_what_a_drawing_says():
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    texts = [t.get_text() for t in draw_tree(tree, numbers=True).texts]
    assert {"Age", "young", "Has_job", "True", "Credit_rating"} <= set(texts)
    assert [t for t in texts if "\n" in t] == [
        "1. Yes\n(2/2)", "2. No\n(3/3)", "3. Yes\n(3/3)", "4. No\n(2/2)", "5. No\n(1/1)",
        "6. Yes\n(2/2)", "7. Yes\n(2/2)"]
    cut = draw_tree(tree, max_depth=1)
    assert [t.get_text() for t in cut.texts if "\n" in t.get_text()] == [
        "No\n(3/5) ...", "Yes\n(3/5) ...", "Yes\n(4/5) ..."]
    assert ({t.get_bbox_patch().get_linestyle() for t in cut.texts if "\n" in t.get_text()}
            == {"--"})
    donors = draw_tree(tree_from_tests(DONORS, GAVE, FIG_10_3A), counts="n/e")
    assert {"≤ 50", "> 60000", "N\n(4)"} <= {t.get_text() for t in donors.texts}


def colors_of_answers(ax):
    """The class and the color of each leaf of a drawing."""
    leaves = [t for t in ax.texts if "\n" in t.get_text()]
    return {(t.get_text().split("\n")[0], to_hex(t.get_bbox_patch().get_edgecolor()))
            for t in leaves}


def test_colors_of_classes_in_drawings():
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    blue, orange = COLORS[:2]
    # of two, the second first
    assert colors_of_answers(draw_tree(tree)) == {("Yes", blue), ("No", orange)}
    assert (colors_of_answers(draw_tree(tree, classes=["No", "Yes"]))
            == {("No", blue), ("Yes", orange)})
    three = tree_from_tests(FRAME, KINDS, ("c", {v: None for v in "pqrs"}))
    names = ["one", "three", "two"]  # in their own order
    assert colors_of_answers(draw_tree(three)) <= set(zip(names, COLORS, strict=False))
    assert colors_of_answers(draw_tree(three, classes=names[::-1])) <= set(
        zip(names[::-1], COLORS, strict=False))
    html = tree_to_html(tree, classes=["No", "Yes"]).html
    assert (f'<span style="width:100.00%;background:{orange}"></span></span><b>Yes '
            '(2/2)</b>' in html)
    assert (f'<span style="width:100.00%;background:{blue}"></span></span><b>Yes (2/2)</b>'
            in tree_to_html(tree).html)


@pytest.mark.parametrize("classes",
                         [["Yes"], ["Yes", "No", "No"], ["Yes", "Yes"], ["Yes", "no"], []])
def test_classes_that_are_not_the_trees(classes):
    tree = tree_from_tests(DONORS, GAVE, FIG_10_3A)
    tree = replace(tree, classes=np.array(["No", "Yes"]))
    for function in (draw_tree, plot_partition, tree_to_html):
        with pytest.raises(ValueError, match="classes must be those of the tree"):
            function(tree, classes=classes)
    assert plt.get_fignums() == []


def test_a_path_is_drawn_in_bold():
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    ax = draw_tree(tree, path=row_path(tree, LOAN, 0))  # young, no job
    assert ([t.get_text() for t in ax.texts if t.get_weight() == "bold"]
            == ["young", "False"])


def test_hostile_names_in_a_drawing():
    X = pd.DataFrame({"$x_$ and a name that goes on and on": ["$\\frac$", "a", "b"]})
    tree = tree_from_tests(X, ["$", "$$\\", "_^"],
                           (X.columns[0], {"$\\frac$": None, ("a", "b"): None}))
    ax = draw_tree(tree)
    ax.figure.canvas.draw()  # would fail on bad math
    assert all(len(line) <= 24 for t in ax.texts for line in t.get_text().split("\n"))


def test_too_much_for_a_drawing():
    X = pd.DataFrame({"id": [f"i{j:04}" for j in range(1200)]})
    tree = grown(X, np.arange(1200) % 2)
    with pytest.raises(ValueError, match="1201 nodes do not fit.*tree_to_html"):
        draw_tree(tree)
    assert len(draw_tree(tree, max_depth=0).texts) == 1


# ------------------------------------------------------------------ rectangles


@quick
@given(plane_tests, st.integers(0, 2**16))
def test_rectangles_tile_the_plane(tests, seed):
    X = FRAME[["u", "v"]]
    tree = tree_from_tests(X, KINDS, tests)
    low, high = node_boxes(tree)
    points = np.random.default_rng(seed).uniform([-1, -3], [6, 3], size=(50, 2))
    points[:10, 0] = np.round(points[:10, 0] * 4) / 4  # some lie on a border
    inside = ((low < points[:, None]) & (points[:, None] <= high)).all(axis=2)
    assert (inside[:, tree.is_leaf].sum(axis=1) == 1).all()
    table = learn_table(pd.DataFrame(points, columns=["u", "v"]))
    for row in range(0, 50, 5):
        assert sorted(row_path(tree, table, row)) == np.flatnonzero(inside[row]).tolist()
    page_low, page_high = np.array([-1.0, -3.0]), np.array([6.0, 3.0])
    seen = np.clip(np.minimum(high, page_high) - np.maximum(low, page_low), 0,
                   None)[tree.is_leaf]
    assert np.isclose(seen.prod(axis=1).sum(), 7 * 6)


@quick
@given(plane_tests, st.booleans())
def test_what_is_painted_fills_the_axes(tests, with_points):
    X = FRAME[["u", "v"]]
    tree = tree_from_tests(X, KINDS, tests)
    ax = plot_partition(tree, X if with_points else None, numbers=True)
    corners = np.array([p.vertices[:4] for p in ax.collections[0].get_paths()])
    sides = corners.max(axis=1) - corners.min(axis=1)
    assert (sides > 0).all()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert np.isclose(sides.prod(axis=1).sum(), (right - left) * (top - bottom))
    assert {int(t.get_text()) for t in ax.texts} <= set(leaf_numbers(tree).values())
    if with_points:
        assert left < X["u"].min() and X["v"].max() < top
    plt.close("all")


def tint(color):
    return to_hex(mix(color, PAPER, TINT))


def test_colors_of_the_partition():
    tree = tree_from_tests(DONORS, GAVE, FIG_10_3A)  # its leaves answer N, Y, N, Y
    for classes, (no, yes) in ((None, "10"), (["Y", "N"], "10"), (["N", "Y"], "01")):
        ax = plot_partition(tree, DONORS, GAVE, classes=classes)
        expected = [tint(COLORS[int(i)]) for i in (no, yes, no, yes)]
        assert [to_hex(c) for c in ax.collections[0].get_facecolors()] == expected
        of_points = {c.get_label(): to_hex(c.get_facecolor()[0])
                     for c in ax.collections[1:]}
        assert of_points == {"N": COLORS[int(no)], "Y": COLORS[int(yes)]}
        shown = [t.get_text() for t in ax.get_legend().get_texts()]
        assert shown == (classes or ["Y", "N"])
        without_points = plot_partition(tree, classes=classes).get_legend()
        assert [t.get_text() for t in without_points.get_texts()] == shown
        assert ([to_hex(p.get_facecolor()) for p in without_points.get_patches()]
                == [tint(c) for c in COLORS[:2]])
    assert ax.get_xlabel() == "Age" and ax.get_ylabel() == "Salary"
    assert plot_partition(tree, legend=False).get_legend() is None


def test_partitions_that_cannot_be():
    loan_tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    with pytest.raises(ValueError, match="two attributes, and the tree 4"):
        plot_partition(loan_tree)
    with pytest.raises(ValueError, match="'Age', 'Has_job'"):
        node_boxes(loan_tree)
    with pytest.raises(ValueError, match="'Age', 'Has_job'. are nominal"):
        plot_partition(tree_from_tests(LOAN[["Age", "Has_job"]], APPROVED, None))
    tree = tree_from_tests(DONORS, GAVE, FIG_10_3A)
    with pytest.raises(ValueError, match="missing .'Salary'"):
        plot_partition(tree, DONORS[["Age"]])
    with pytest.raises(ValueError, match="labels that classes lacks"):
        plot_partition(tree, DONORS, ["maybe"] * 11)
    with pytest.raises(ValueError, match="X must"):
        plot_partition(tree, None, GAVE)


# ------------------------------------------------------------------ HTML


class Checker(HTMLParser):
    """Whether tags are closed in order; what they hold."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.words, self.labels, self.deepest = [], [], [], [], 0
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))
        self.labels += [v for k, v in attrs if k == "aria-label"]
        self.deepest = max(self.deepest, self.open.count("details"))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)


@quick
@given(any_tests, st.sampled_from([None, 0, 1, 2]), st.integers(0, 3))
def test_html_is_well_formed(tests, max_depth, open_levels):
    tree = tree_from_tests(FRAME, KINDS, tests)
    page = Checker(tree_to_html(tree, max_depth=max_depth, open_levels=open_levels).html)
    shown = _preorder(tree, max_depth)
    inner = [n for n in shown if tree.first[n] in shown]
    details = [attrs for tag, attrs in page.tags if tag == "details"]
    assert len(details) == len(inner) and len(page.labels) == len(shown)
    assert sum("open" in attrs for attrs in details) == sum(tree.depths[n] < open_levels
                                                            for n in inner)
    assert page.deepest <= (tree.n_nodes if max_depth is None else max_depth)
    text, place, answers = "".join(page.words), 0, _answer_texts(tree)
    for node in shown:  # condition and answer of each, in the order of reading
        place = text.index(answers[node],
                           text.index(branch_texts(tree)[node] or "all", place))


def test_html_is_escaped():
    nasty = "<b>&\"'</b><script>alert(1)</script>"
    X = pd.DataFrame({nasty: [nasty, "</details>", nasty]})
    tree = tree_from_tests(X, ["</div>", nasty, nasty],
                           (nasty, {nasty: None, "</details>": None}))
    shown = tree_to_html(tree)
    page = Checker(shown.html)
    assert {tag for tag, _ in page.tags} == {"style", "div", "details", "summary",
                                             "span", "b"}
    assert "<script" not in shown.html and sum(tag == "b" for tag, _ in page.tags) == 2
    assert (f"{nasty} = {nasty}" in "".join(page.words)
            and page.labels[0] == f"</div>: 1, {nasty}: 2")


def test_html_bars():
    tree = tree_from_tests(LOAN, APPROVED, ("Own_house", {True: None, False: None}))
    page = Checker(tree_to_html(tree).html)
    assert page.labels == ["No: 6, Yes: 9", "Yes: 6", "No: 6, Yes: 3"]
    styles = [attrs["style"] for tag, attrs in page.tags
              if tag == "span" and "style" in attrs]
    assert [s.split(";")[0] for s in styles] == [
        "width:40.00%", "width:60.00%", "width:100.00%", "width:66.67%", "width:33.33%"]


def test_html_in_a_notebook_and_in_a_terminal():
    tree = tree_from_tests(LOAN, APPROVED, FIG_3_2)
    shown = tree_to_html(tree, counts="n/e")
    assert isinstance(shown, HtmlTree) and shown._repr_html_() == shown.html
    assert repr(shown) == tree_to_text(tree, "n/e")
    assert "<script" not in shown.html and "http" not in shown.html
    with pytest.raises(ValueError, match="open_levels"):
        tree_to_html(tree, open_levels=-1)


# ------------------------------------------------------------------ JSON


@quick
@given(any_tests)
def test_json_gives_the_same_tree(tests):
    tree = tree_from_tests(FRAME, KINDS, tests)
    text = tree_to_json(tree)
    json.loads(text, parse_constant=pytest.fail)  # strict JSON has no NaN
    again = tree_from_json(text)
    same_tree(tree, again)
    assert tree_to_text(again) == tree_to_text(tree)
    assert row_path(again, FRAME, 5) == row_path(tree, FRAME, 5)



def test_a_description_of_a_thousand_levels():
    """All that shows a tree goes below the depth of Python's recursion."""
    tests = None
    for cut in range(2000, 0, -1):
        tests = ("Salary", cut, None, tests)
    tree = tree_from_tests(DONORS, GAVE, tests)
    assert tree.depths.max() == 2000 and tree.counts[-1].sum() == 11
    assert tree_to_text(tree).splitlines()[-1].endswith("Salary > 2000: Y (6/11)")
    assert "details" in tree_to_html(tree).html
    draw_tree(tree, max_depth=400)
    last = tree.n_nodes - 1
    assert path_text(tree, last).count(",") == 2000  # between conditions, and one within
    assert len(row_path(tree, DONORS)) == leaf_numbers(tree)[last] == 2001
    assert np.isfinite(tree_layout(tree, np.ones(tree.n_nodes))).all()
    same_tree(tree, tree_from_json(tree_to_json(tree)))


# ------------------------------------ models in place of trees


def test_what_shows_a_tree_takes_a_model():
    model = C45Classifier().fit(LOAN, APPROVED)
    tree = model.tree_
    assert _tree_of(model) is _tree_of(tree) is tree
    assert tree_to_text(model) == tree_to_text(tree)
    assert tree_to_html(model).html == tree_to_html(tree).html
    assert path_text(model, 1) == path_text(tree, 1)
    assert [row_path(model, LOAN, i) for i in range(15)] == [row_path(tree, LOAN, i)
                                                             for i in range(15)]
    assert len(draw_tree(model).texts) == len(draw_tree(tree).texts)
    slanted = ObliqueTreeClassifier().fit(
        DONORS, [0, 1] * (len(DONORS) // 2) + [0] * (len(DONORS) % 2))
    assert tree_to_text(slanted) == slanted.to_text()


def test_a_path_of_chaid_is_one_of_its_categories():
    X, y = load_iris()
    model = CHAIDClassifier().fit(X, y)
    ends = model.apply(X)
    for i in (0, 60, 149):
        path = row_path(model, X, i)
        assert path[0] == 0 and path[-1] == ends[i]
        assert all(model.tree_.parent[b] == a for a, b in zip(path, path[1:], strict=False))
    with pytest.raises(ValueError, match="row is 150, but X has the rows 0 to 149"):
        row_path(model, X, 150)


@pytest.mark.parametrize("wrong, message", [
    (DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]),
     "wanted, not sklearn's DecisionTreeClassifier"),
    (make_pipeline(C45Classifier()),
     r"not sklearn's Pipeline; of a pipeline give the last step, model\[-1\]"),
    ({"a": 1}, "not builtins's dict"), (None, "NoneType")])
def test_what_is_no_tree_is_named(wrong, message):
    for show in (tree_to_text, tree_to_html, draw_tree, plot_partition,
                 lambda t: row_path(t, LOAN), lambda t: path_text(t, 0)):
        with pytest.raises(TypeError, match=message):
            show(wrong)


def test_an_unfitted_model_says_so():
    for show in (tree_to_text, draw_tree, lambda t: row_path(t, LOAN)):
        with pytest.raises(NotFittedError):
            show(C45Classifier())


def test_a_whole_page():
    shown = tree_to_html(C45Classifier().fit(LOAN, APPROVED))
    page = shown.to_page("Loans & <houses>")
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert "<title>Loans &amp; &lt;houses&gt;</title>" in page and shown.html in page
    assert 'charset="utf-8"' in page and "http" not in page
