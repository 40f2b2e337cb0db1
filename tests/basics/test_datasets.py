"""Data sets: documented counts, types, seeds,
hostile parameters, and life without a network."""

import gzip
import io
import json
import os
import socket
import subprocess
import sys
import tomllib
import types
from collections import Counter
from importlib.resources import files
from pathlib import Path
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from sklearn import datasets as sklearn_datasets
from sklearn.utils import Bunch

from supervised.basics import datasets

LOADERS = [
    getattr(datasets, name)
    for name in datasets.__all__
    if name.startswith("load_") and name not in (
        "load_docstrings", "load_function_trees", "load_imports")
]
PACKAGED = ["votes", "titanic", "zoo", "credit", "heart_disease", "soybean"]
FOLDER = Path(str(files("supervised.basics") / "data"))


def entropy(y):
    p = y.value_counts(normalize=True)
    p = p[p > 0]
    return -(p * np.log2(p)).sum()


def gain(x, y):
    return entropy(y) - sum(
        len(part) / len(y) * entropy(part) for _, part in y.groupby(x, observed=True)
    )


# ---------------------------------------------------------------- all loaders


@pytest.mark.parametrize("load", LOADERS, ids=lambda f: f.__name__)
def test_form(load):
    X, y = load()
    assert (isinstance(X, pd.DataFrame) and isinstance(y, pd.Series)
            and X.index.equals(y.index))
    assert isinstance(y.dtype, pd.CategoricalDtype) and isinstance(y.name, str)
    assert set(y.dropna()) == set(y.cat.categories)  # every class of the domain occurs
    assert X.columns.is_unique and all(isinstance(c, str) for c in X)
    for name in X:
        kind = X[name].dtype
        assert (isinstance(kind, pd.CategoricalDtype)
                or kind in (bool, np.int64, np.float64)), (
                    name, kind,
                )
        assert (
            X[name].nunique() > 1 or load is datasets.load_digits
        )  # three pixels are always blank
    assert load.__doc__ and ("Source" in load.__doc__ or "(" in load.__doc__)


@pytest.mark.parametrize("load", LOADERS, ids=lambda f: f.__name__)
def test_fresh_copies(load):
    X, y = load()
    before = X.copy(), y.copy()
    for i in range(X.shape[1]):
        X.iloc[:, i] = X.iloc[0, i]
    X["new"] = 1
    X.index = X.index[::-1]
    y.iloc[:] = y.cat.categories[0]
    assert_frame_equal(load()[0], before[0])
    assert_series_equal(load()[1], before[1])


# ---------------------------------------------------------------- the tables of the texts


def test_loan_gains_of_example_7():
    X, y = datasets.load_loan()
    assert [round(gain(X[a], y), 3) for a in X] == [0.083, 0.324, 0.420, 0.363]
    assert X.index.name == "ID" and X["Has_job"].dtype == bool and X["Age"].cat.ordered
    assert list(X["Credit_rating"].cat.categories) == ["fair", "good", "excellent"]
    assert list(X.loc[14]) == ["old", True, False, "excellent"]


def test_abc_probabilities_of_example_15():
    X, y = datasets.load_abc()
    given = (pd.crosstab(y, X["A"], normalize="index"),
             pd.crosstab(y, X["B"], normalize="index"))
    assert given[0].loc["t", ["m", "g", "h"]].tolist() == [2 / 5, 2 / 5, 1 / 5]
    assert given[0].loc["f", ["m", "g", "h"]].tolist() == [1 / 5, 2 / 5, 2 / 5]
    assert given[1].loc["t", ["b", "s", "q"]].tolist() == [1 / 5, 2 / 5, 2 / 5]
    assert given[1].loc["f", ["b", "s", "q"]].tolist() == [2 / 5, 1 / 5, 2 / 5]


def test_tax_evasion_numbers_of_the_slides():
    X, y = datasets.load_tax_evasion()
    assert ((X["Refund"] == "Yes") & (y == "No")).sum() == 3  # P(Refund=Yes|No) = 3/7
    assert ((X["Refund"] == "Yes") & (y == "Yes")).sum() == 0
    incomes = X.loc[y == "Yes", "Taxable Income"]
    assert incomes.mean() == 90 and incomes.var() == 25
    assert X["Taxable Income"].dtype == np.int64


def test_donors_exercises():
    X, y = datasets.load_donors()
    p = (y == "Y").mean()
    assert np.isclose(1 - p**2 - (1 - p) ** 2, 60 / 121)  # exercise 1
    older = y[X["Age"] >= 50]
    assert np.isclose(1 - sum((older.value_counts() / 6) ** 2), 5 / 18)
    assert ((X["Age"] + X["Salary"] / 1000 > 98.5) == (y == "Y")).all()  # exercise 13
    assert X.loc["Dale"].tolist() == [63, 51000]


def test_ranked_documents_precision_and_recall():
    X, y = datasets.load_ranked_documents()
    hits = (y == "+").cumsum()
    for rank, found in [(1, 1), (2, 2), (9, 6), (10, 7)]:
        assert hits[X.index[X["rank"] == rank][0]] == found
    assert (y == "+").sum() == 10


def test_rankings_are_permutations():
    X, y = datasets.load_rankings()
    assert (X.shape == (100, 4) and (y[:5] == "positive").all()
            and (y[5:] == "negative").all())
    assert X.loc[:4, "Random"].tolist() == [17, 36, 45, 59, 66]
    for name in X:
        assert (sorted(X[name]) == list(range(1, 101))
                and X.loc[5:, name].is_monotonic_increasing)
    auc = [1 - (X.loc[:4, c].sum() - 15) / 475 for c in X]  # ranks sum to 15 at best
    assert np.allclose(auc, [441 / 475, 441 / 475, 267 / 475, 1])


def test_weather_gains_and_published_means():
    X, y = datasets.load_weather()
    assert [round(gain(X[a], y), 3) for a in X] == [0.247, 0.029, 0.152, 0.048]
    assert (
        list(X["temperature"].cat.categories) == ["cool", "mild", "hot"]
        and X["windy"].dtype == bool
    )
    N, z = datasets.load_weather(numeric=True)
    assert list(N) == list(X) and z.equals(y)
    table = N[["temperature", "humidity"]].groupby(y, observed=True)
    assert table.mean().round(1).to_numpy().tolist() == [[73.0, 79.1], [74.6, 86.2]]
    assert table.std().round(1).to_numpy().tolist() == [[6.2, 10.2], [7.9, 9.7]]
    assert pd.crosstab(N["temperature"], X["temperature"]).gt(0).sum(axis=1).eq(1).all()


def test_contact_lenses_rules():
    X, y = datasets.load_contact_lenses()
    assert (
        y[
            (X["astigmatic"] == "yes")
            & (X["tear rate"] == "normal")
            & (X["prescription"] == "myope")
        ]
        == "hard"
    ).all()
    soft = (X["astigmatic"] == "no") & (X["tear rate"] == "normal")
    assert Counter(y[soft]) == {"soft": 5, "none": 1} and Counter(y) == {
        "none": 15,
        "soft": 5,
        "hard": 4,
    }


def test_classification_task_is_half_without_classes():
    X, y = datasets.load_classification_task()
    assert y.isna().sum() == 5 and X.loc[13].tolist() == ["Yes", "Large", 110]
    assert "RECONSTRUCTED" in datasets.load_classification_task.__doc__


# ---------------------------------------------------------------- real tables


@pytest.mark.parametrize(
    ("name", "shape"), [("iris", (150, 4)), ("wine", (178, 13)),
                        ("breast_cancer", (569, 30)), ("digits", (1797, 64))],
)
def test_sklearn_tables_are_unchanged(name, shape):
    X, y = getattr(datasets, f"load_{name}")()
    raw = getattr(sklearn_datasets, f"load_{name}")()
    assert X.shape == shape and np.array_equal(X, raw.data)
    assert np.array_equal(np.asarray(y), raw.target_names[raw.target])


@pytest.mark.parametrize(
    ("name", "rows", "kinds", "missing", "classes"),
    [
        ("votes", 435, (16, 0, 0), 392, {"democrat": 267, "republican": 168}),
        ("titanic", 2201, (3, 0, 0), 0, {"no": 1490, "yes": 711}),
        (
            "zoo",
            101,
            (0, 15, 1),
            0,
            {
                "mammal": 41,
                "bird": 20,
                "fish": 13,
                "invertebrate": 10,
                "insect": 8,
                "reptile": 5,
                "amphibian": 4,
            },
        ),
        ("credit", 1000, (13, 0, 7), 0, {"good": 700, "bad": 300}),
        ("heart_disease", 303, (5, 2, 6), 6, {"absent": 164, "present": 139}),
        ("soybean", 683, (35, 0, 0), 2337, None),
    ],
)
def test_packaged_tables(name, rows, kinds, missing, classes):
    X, y = getattr(datasets, f"load_{name}")()
    found = [X.select_dtypes(k).shape[1] for k in ("category", "bool", "number")]
    assert len(X) == rows and tuple(found) == kinds and X.isna().sum().sum() == missing
    assert classes is None or y.value_counts().to_dict() == classes


def test_votes_missing_by_attribute():
    """The counts that UCI documents."""
    documented = [12, 48, 11, 11, 15, 11, 14, 15, 22, 7, 21, 31, 25, 17, 28, 104]
    assert datasets.load_votes()[0].isna().sum().tolist() == documented


def test_titanic_is_the_known_four_way_table():
    """The counts that R ships as `Titanic`: no and yes for each status, sex and age."""
    known = {
        ("first", "male", "child"): (0, 5),
        ("first", "female", "child"): (0, 1),
        ("first", "male", "adult"): (118, 57),
        ("first", "female", "adult"): (4, 140),
        ("second", "male", "child"): (0, 11),
        ("second", "female", "child"): (0, 13),
        ("second", "male", "adult"): (154, 14),
        ("second", "female", "adult"): (13, 80),
        ("third", "male", "child"): (35, 13),
        ("third", "female", "child"): (17, 14),
        ("third", "male", "adult"): (387, 75),
        ("third", "female", "adult"): (89, 76),
        ("crew", "male", "adult"): (670, 192),
        ("crew", "female", "adult"): (3, 20),
    }
    X, y = datasets.load_titanic()
    assert Counter(zip(X["status"], X["sex"], X["age"], y, strict=True)) == Counter(
        {
            (*k, c): n
            for k, pair in known.items()
            for c, n in zip(("no", "yes"), pair, strict=True)
            if n
        }
    )


def test_zoo_names_and_legs():
    X, y = datasets.load_zoo()
    assert X.index.name == "animal" and X.index[X.index.duplicated()].tolist() == ["frog"]
    assert set(X["legs"]) == {0, 2, 4, 5, 6, 8} and y["girl"] == "mammal"
    assert (X["milk"] == (y == "mammal")).all() and (X["feathers"] == (y == "bird")).all()


def test_documented_ranges():
    X, _ = datasets.load_credit()
    ranges = {
        "age": (19, 75),
        "credit_amount": (250, 18424),
        "duration": (4, 72),
        "existing_credits": (1, 4),
    }
    assert {c: (X[c].min(), X[c].max()) for c in ranges} == ranges
    assert "vacation" in X["purpose"].cat.categories and "vacation" not in set(
        X["purpose"]
    )  # declared, unused
    X, _ = datasets.load_heart_disease()
    ranges = {
        "age": (29, 77),
        "cholesterol": (126, 564),
        "max_heart_rate": (71, 202),
        "st_depression": (0, 6.2),
    }
    assert {c: (X[c].min(), X[c].max()) for c in ranges} == ranges
    assert X["major_vessels"].isna().sum() == 4 and X["thal"].isna().sum() == 2


def test_soybean_classes():
    _, y = datasets.load_soybean()
    sizes = [20, 20, 20, 88, 44, 20, 20, 92, 20, 20, 20, 44, 20, 91, 91, 15, 14, 16, 8]
    assert y.value_counts(sort=False).tolist() == sizes


def test_ordinal_attributes_compare():
    X, _ = datasets.load_soybean()
    assert (list(X["date"].cat.categories)
            == "april may june july august september october".split())
    assert (X["germination"] < "90-100").any() and X["precip"].max() == "gt-norm"
    X, _ = datasets.load_credit()
    assert list(X["employment"].cat.categories) == ["unemployed", "<1", "1<=X<4",
                                                    "4<=X<7", ">=7"]
    assert (
        not X["checking_status"].cat.ordered
        and "no checking" in X["checking_status"].cat.categories
    )


# ---------------------------------------------------------------- what ships


def test_data_files():
    names = {p.name for p in FOLDER.iterdir() if p.is_file()}
    assert names == {"README.md", "schema.json", "imports.txt.gz",
                     "function_trees.txt.gz", *(f"{n}.csv.gz" for n in PACKAGED)}
    assert sum((FOLDER / n).stat().st_size for n in names) < 300_000
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    assert list(schema) == PACKAGED
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in PACKAGED:
        raw = (FOLDER / f"{name}.csv.gz").read_bytes()
        assert (
            raw[4:8] == bytes(4) and not raw[3] & 8
        )  # no time, no file name: the same bytes whenever made
        header = io.StringIO(gzip.decompress(raw).decode()).readline().strip()
        assert header == ",".join(schema[name]["kinds"])
        assert f"`{name}.csv.gz`" in text and f"\n## {name}\n" in text


def test_imports_are_what_the_file_says():
    raw = (FOLDER / "imports.txt.gz").read_bytes()
    assert raw[4:8] == bytes(4) and not raw[3] & 8
    baskets, library = datasets.load_imports()
    assert len(baskets) == 5201 and baskets.index.is_unique and baskets.name == "imports"
    assert baskets.index.equals(library.index) and library.name == "library"
    for line in gzip.decompress(raw).decode().splitlines():
        module, _, items = line.partition(": ")
        assert list(baskets[module]) == items.split() == sorted(set(items.split())) != []
    # from the list that the script printed when the file was made
    assert library.value_counts(sort=False).to_dict() == {
        "numpy": 446, "scipy": 887, "pandas": 1292, "scikit-learn": 550, "matplotlib": 234,
        "numba": 673, "polars": 182, "pyarrow": 98, "narwhals": 148, "joblib": 67,
        "networkx": 527, "mlxtend": 97}
    # the head of scipy/io/_harwell_boeing/hb.py
    assert baskets["scipy.io._harwell_boeing.hb"] == ("numpy", "scipy.sparse", "warnings")
    library[:] = "numpy"
    baskets[:] = None
    assert datasets.load_imports()[1].nunique() == 12


def test_function_trees_are_what_the_file_says():
    raw = (FOLDER / "function_trees.txt.gz").read_bytes()
    assert raw[4:8] == bytes(4) and not raw[3] & 8
    X, y = datasets.load_function_trees()
    assert X.shape == (2500, 1) and X.index.equals(y.index)
    assert y.value_counts(sort=False).to_dict() == dict.fromkeys(
        datasets.LIBRARIES.values(), 500)
    assert X["tree"].is_unique
    assert X["tree"].map(lambda t: t.count("(") == t.count(")")).all()
    nodes = X["tree"].str.count(r"\w+")
    assert nodes.min() >= 20 and nodes.max() <= 100


def test_data_files_are_declared_as_package_data():
    root = Path(__file__).resolve().parents[2]
    config = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert "basics/data/*" in config["tool"]["setuptools"]["package-data"]["supervised"]


def test_unknown_table():
    with pytest.raises(ValueError, match=r"name must be one of .*votes.*got 'vote'"):
        datasets._read_packaged("vote")


# ---------------------------------------------------------------- kinds


def test_kinds():
    column = pd.Series(["1", "2", None], name="n")
    assert datasets._typed_column(column, "float").dtype == np.float64
    assert datasets._typed_column(column[:2], "int").dtype == np.int64
    assert datasets._typed_column(column, "text") is column
    assert (datasets._typed_column(column, "1 | 2 | 3").isna()
            .tolist() == [False, False, True])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["young", "midle"], "young < middle < old"),
        (["true", None], "bool"),
        (["True"], "bool"),
        (["1", None], "int"),
        (["1.5"], "int"),
        (["x"], "float"),
        (["1"], "integer"),
    ],
)
def test_wrong_values_are_refused(values, kind):
    with pytest.raises(ValueError):
        datasets._typed_column(pd.Series(values, name="a"), kind)


def test_parse_table_reads_gaps_and_spaces():
    X, y = datasets._parse_table(
        """
        Marital Status  Income  Class
        not single      ?       b
        single          2       ?
        """,
        {"Marital Status": "single | not single", "Income": "float", "Class": "a | b"},
    )
    assert X["Marital Status"].tolist() == ["not single", "single"] and X[
        "Income"
    ].isna().tolist() == [True, False]
    assert y.isna().tolist() == [False, True]


# ---------------------------------------------------------------- generators

MIXTURE = {"n_samples": 50, "means": [[0, 0], [3, 3]]}
MAKERS = [
    (datasets.make_gaussian_mixture, MIXTURE),
    (datasets.make_market_baskets, {"n_baskets": 50, "n_items": 20}),
    (datasets.make_rule_table, {"n_samples": 50, "noise": 0.2, "missing": 0.1}),
]


def content(made):
    data, other = made
    return (
        data.toarray() if hasattr(data, "toarray") else data.to_numpy(dtype=object).tolist()
    ), list(other)


@pytest.mark.parametrize(("make", "options"), MAKERS,
                         ids=lambda x: getattr(x, "__name__", ""))
def test_seeds(make, options):
    def drawn(seed):
        return repr(content(make(**options, random_state=seed)))

    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert drawn(3) == drawn(3) == drawn(np.random.default_rng(3)) != drawn(4)
    assert drawn(None) != drawn(None)
    rng = np.random.default_rng(3)
    assert drawn(rng) != drawn(rng)  # a generator moves on
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002, the global one stays


COUNTS = [0, -1, 2.5, "3", None, np.nan, True]
SHARES = [-0.1, 1.1, np.nan, np.inf, "0.5", None, [0.5]]


@pytest.mark.parametrize(
    ("make", "name", "value"), [
        *[(0, "n_samples", v) for v in COUNTS],
        *[(0, "means", v) for v in ([], [1, 2], [[np.nan, 1]], [["a"]],
                                    [[1], [1, 2]], None, 3)], *[
                                        (0, "covariances", v) for v in (
                                            -1, [1, 2], np.eye(3), [[1, 2], [0, 1]],
                                            [[1, 3], [3, 1]], "x", [[np.inf, 0], [0, 1]],
                                        )
                                    ],
        *[
            (0, "weights", v)
            for v in ([1], [0.5, 0.6], [1.5, -0.5], [np.nan, 1], "half", [[0.5, 0.5]])
        ],
        *[(1, "n_baskets", v) for v in COUNTS], *[(1, "n_items", v) for v in [*COUNTS, 1]],
        *[(1, "mean_size", v) for v in (0, -2, np.nan, np.inf, "8", None)],
        *[(1, "skew", v) for v in (-1, np.nan, np.inf, "1")], *[
            (1, "rules", v) for v in (
                -1, 19, True, 2.5, "ab", None, [(1, 2)], [((), 1, 0.1, 0.9)],
                [((1,), 1, 0.1, 0.9)], [((1,), 20, 0.1, 0.9)],
                [((-1,), 2, 0.1, 0.9)], [((1,), 2, 0.1, 0.9), ((3,), 2, 0.1, 0.9)],
                [((1,), 2, 0.1, 0.9), ((2,), 3, 0.1, 0.9)], [((1.5,), 2, 0.1, 0.9)],
            )
        ],
        *[(2, n, v) for n in ("n_samples", "n_values", "n_classes") for v in COUNTS],
        *[(2, n, 1) for n in ("n_values", "n_classes")], *[
            (2, n, v) for n in ("n_nominal", "n_numeric", "n_rules")
            for v in COUNTS if v != 0 or v is True
        ],
        *[(2, n, v) for n in ("noise", "missing") for v in SHARES],
        *[(m, "random_state", v) for m in range(3) for v in (-1, "seed", 1.5)],
    ],
    ids=str,
)
def test_bad_parameters_are_named(make, name, value):
    function, options = MAKERS[make]
    with pytest.raises(ValueError) as error:
        function(**{**options, name: value})
    assert name in str(error.value) and "got" in str(error.value)


@pytest.mark.parametrize(
    ("name", "rule"),
    [("support", ((1,), 2, 1.2, 0.5)), ("confidence", ((1,), 2, 0.1, -0.1))]
)
def test_bad_shares_in_rules(name, rule):
    with pytest.raises(ValueError, match=f"{name} must be a number from 0 to 1, got"):
        datasets.make_market_baskets(10, 10, rules=[rule])


def test_a_table_needs_an_attribute():
    with pytest.raises(ValueError, match="n_nominal"):
        datasets.make_rule_table(10, n_nominal=0, n_numeric=0)


def test_mixture_has_its_moments():
    shape = np.array([[[2.0, 0.9], [0.9, 1.0]], [[1.0, 0.0], [0.0, 3.0]]])
    X, y = datasets.make_gaussian_mixture(
        40_000, [[0, 5], [-3, 1]], shape, weights=[0.75, 0.25], random_state=0
    )
    assert (
        list(X) == ["x1", "x2"]
        and list(y.cat.categories) == ["c1", "c2"]
        and X.notna().all(axis=None)
    )
    assert abs((y == "c1").mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 40_000)
    for j, c in enumerate(y.cat.categories):
        points = X[y == c].to_numpy()
        assert np.abs(points.mean(axis=0) - [[0, 5], [-3, 1]][j]).max() < 4 * np.sqrt(
            3 / len(points)
        )
        assert np.abs(np.cov(points.T) - shape[j]).max() < 0.15


def test_mixture_short_forms():
    def points(covariances):
        return datasets.make_gaussian_mixture(**MIXTURE, covariances=covariances,
                                              random_state=1)[
                                                  0
                                              ].to_numpy()

    assert (np.allclose(points(None), points(1))
            and np.allclose(points(1), points(np.eye(2))))
    assert np.allclose(points(np.eye(2)), points([np.eye(2), np.eye(2)]))
    flat = points([[1, 1], [1, 1]])  # singular, still a covariance matrix
    assert np.allclose(flat[:, 0] - flat[:, 1], 0, atol=1e-6)
    assert np.allclose(np.unique(points(0.0).round(6), axis=0), [[0, 0], [3, 3]])


def test_mixture_keeps_classes_that_never_occur():
    _, y = datasets.make_gaussian_mixture(20, [[0], [1], [2]], weights=[1, 0, 0],
                                          random_state=0)
    assert set(y) == {"c1"} and list(y.cat.categories) == ["c1", "c2", "c3"]


def test_planted_confidence_is_exact_at_its_ends():
    rules = [((1, 2), 3, 0.2, 1.0), ((1, 4), 5, 0.2, 0.0), ((6,), 0, 0.0, 0.5)]
    baskets, planted = datasets.make_market_baskets(3000, 12, rules, mean_size=4,
                                                    random_state=0)
    held = baskets.toarray()
    for rule in planted[:2]:
        covered = held[:, rule.antecedent].all(axis=1)
        assert (
            covered.mean() > 0.15
            and (held[covered, rule.consequent] == bool(rule.confidence)).all()
        )
    assert held.any(axis=1).all() and held.dtype == bool and baskets.format == "csr"
    assert "{1, 2} -> 3" in str(planted[0])


@pytest.mark.parametrize("rules", [0, 1, 18])
def test_drawn_rules_do_not_meddle(rules):
    baskets, planted = datasets.make_market_baskets(40, 20, rules, random_state=0)
    right = {r.consequent for r in planted}
    assert baskets.shape == (40, 20) and len(planted) == len(right) == rules
    assert not right & {i for r in planted for i in r.antecedent}


@pytest.mark.deep
def test_baskets_at_scale():
    baskets, planted = datasets.make_market_baskets(
        100_000, 1000, rules=300, mean_size=10, random_state=0
    )
    assert (baskets.shape == (100_000, 1000) and 5e5 < baskets.nnz < 2e6
            and len(planted) == 300)
    columns, deviations = baskets.tocsc(), []
    for rule in planted:
        n = len(datasets.baskets_with(columns, rule.antecedent))
        both = len(datasets.baskets_with(columns, (*rule.antecedent, rule.consequent)))
        deviations.append(
            (both - n * rule.confidence)
            / np.sqrt(n * rule.confidence * (1 - rule.confidence))
        )
    assert np.abs(deviations).max() < 5 and abs(np.std(deviations) - 1) < 0.2


def test_skew_makes_some_items_popular():
    even = datasets.make_market_baskets(5000, 50, 0, skew=0, random_state=0)[0].sum(axis=0)
    steep = datasets.make_market_baskets(5000, 50, 0, skew=1.5,
                                         random_state=0)[0].sum(axis=0)
    assert even.max() < 1.3 * even.min() and steep.max() > 10 * steep.min()


def test_rule_table_without_noise_follows_its_rules():
    X, y, rules = datasets.make_rule_table(
        4000, 5, 3, n_values=3, n_classes=4, n_rules=9, return_rules=True, random_state=0
    )
    assert (
        len(rules) == 10
        and str(rules[-1]) == "otherwise -> c1"
        and set(y) == {"c1", "c2", "c3", "c4"}
    )
    expected, taken = np.full(len(X), "c1", dtype=object), np.zeros(len(X), dtype=bool)
    for rule in rules[:-1]:  # by hand: row by row, condition by condition
        assert (2 <= len(rule.conditions) <= 3
                and len({a for a, *_ in rule.conditions}) == len(
                    rule.conditions
                ))
        for i, row in enumerate(X.to_dict("records")):
            if not taken[i] and all(
                {
                    "=": row[a] == v,
                    ">": isinstance(v, float) and row[a] > v,
                    "<=": isinstance(v, float) and row[a] <= v,
                }[r]
                for a, r, v in rule.conditions
            ):
                expected[i], taken[i] = rule.label, True
    assert (y == expected).all() and (datasets.first_rule(rules, X) == expected).all()


def test_rule_table_noise_and_gaps():
    options = {"n_samples": 20_000, "n_classes": 2, "random_state": 5}
    clean = datasets.make_rule_table(**options)[1]
    X, y = datasets.make_rule_table(**options, noise=0.3, missing=0.1)
    assert abs((y != clean).mean() - 0.15) < 4 * np.sqrt(0.15 * 0.85 / 20_000)
    assert abs(X.isna().mean().mean() - 0.1) < 0.005 and y.notna().all()
    kinds = [X[c].dtype for c in X]
    assert all(isinstance(k, pd.CategoricalDtype) for k in kinds[:6]) and all(
        k == np.float64 for k in kinds[6:]
    )
    blank = datasets.make_rule_table(30, missing=1.0, random_state=0)[0]
    assert blank.isna().all(axis=None) and len(blank["a1"].cat.categories) == 4


@pytest.mark.parametrize("shape", [(1, 0), (0, 1), (2, 0), (0, 5)])
def test_rule_table_of_few_attributes(shape):
    X, y, rules = datasets.make_rule_table(200, *shape, return_rules=True, random_state=1)
    assert X.shape == (200, sum(shape)) and (y == datasets.first_rule(rules, X)).all()
    assert max(len(r.conditions) for r in rules) <= sum(shape)


def test_missing_values_fulfill_no_condition():
    rule = datasets.PlantedRule((("a", "=", "v1"), ("x", "<=", 1.0)), "c2")
    X = pd.DataFrame(
        {"a": pd.Categorical(["v1", None, "v1"], ["v1", "v2"]), "x": [0.0, 0.0, np.nan]}
    )
    assert (
        rule.covers(X).tolist() == [True, False, False]
        and str(rule) == "a = v1 and x <= 1.00 -> c2"
    )


# ---------------------------------------------------------------- the corpus


@pytest.fixture(scope="module")
def corpus():
    return datasets.load_docstrings()


def test_corpus_size_and_order(corpus):
    X, y = corpus
    assert len(X) >= 2000 and y.value_counts().min() >= 150 and X.index.equals(y.index)
    assert list(y.cat.categories) == ["numpy", "scipy", "pandas", "scikit-learn",
                                      "matplotlib"]
    assert X.index.is_unique and X.index.is_monotonic_increasing and X["text"].is_unique
    assert X["text"].str.len().min() >= 200
    parts = {part for name in X.index for part in name.split(".")}
    assert not any(p.startswith("_") for p in parts) and not parts & {
        "tests",
        "testing",
        "conftest",
    }
    assert {"numpy.cumsum", "pandas.DataFrame.merge"} <= set(X.index)


def test_corpus_does_not_leak(corpus):
    X, _ = corpus
    leaks = r"numpy|scipy|pandas|sklearn|scikit|matplotlib|pyplot|\b(?:np|pd|plt)\b|\bmpl"
    assert not X["text"].str.contains(leaks, case=False).any()
    raw, _ = datasets.load_docstrings(remove_names=False)
    assert raw["text"].str.contains("numpy").any()


@pytest.mark.deep  # the notebooks that store what they learn from it would notice
def test_corpus_is_the_same_again(corpus):
    again = datasets.load_docstrings()
    assert_frame_equal(again[0], corpus[0])
    assert_series_equal(again[1], corpus[1])
    long = datasets.load_docstrings(min_length=2000)[0]
    assert 0 < len(long) < len(corpus[0]) and long["text"].str.len().min() >= 2000


@pytest.mark.deep
def test_corpus_is_quiet_in_a_fresh_process(tmp_path):
    code = (
        "from supervised.basics.datasets import "
        "load_docstrings; print(len(load_docstrings()[0]))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(root)},
        timeout=3600,
    )
    mine = [line for line in done.stderr.splitlines() if "font cache" not in line]
    assert done.returncode == 0 and int(done.stdout) >= 2000 and mine == []


def test_members_of_a_hostile_module():
    class Trap:
        def __getattribute__(self, name):
            raise RuntimeError("touched")

    class Thing:
        """A thing."""

        @property
        def bad(self):
            raise RuntimeError("called")

        def fine(self):
            """Does something."""

        @classmethod
        def made(cls):
            """Makes one."""

        def _private(self):
            """Not shown."""

    def imported():
        """From elsewhere."""

    module = types.ModuleType("fake.part")
    Thing.__module__, imported.__module__ = "fake.part", "other"
    vars(module).update(Thing=Thing, trap=Trap(), imported=imported, _hidden=imported,
                        number=3)
    found = dict(datasets._documented_members(module))
    assert found == {
        "fake.part.Thing": "A thing.",
        "fake.part.Thing.fine": "Does something.",
        "fake.part.Thing.made": "Makes one.",
    }


def test_modules_that_cannot_be_imported_are_left_out():
    assert list(datasets._public_modules("no_such_package")) == []


@pytest.mark.parametrize("value", COUNTS)
def test_corpus_minimum_length(value):
    with pytest.raises(ValueError, match="min_length must be"):
        datasets.load_docstrings(min_length=value)


# ---------------------------------------------------------------- online

FETCHERS = [
    (datasets.fetch_20newsgroups, {}, "load_docstrings"),
    (datasets.fetch_openml, {"name": "mushroom"}, "load_votes"),
]


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


def test_a_server_that_does_not_answer(tmp_path, monkeypatch):
    """A socket that accepts and stays silent: the time limit ends it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        original = socket.create_connection
        monkeypatch.setattr(
            socket, "create_connection", lambda _, *a, **k: original(address, *a, **k)
        )
        with pytest.raises(ConnectionError, match="timed out"):
            datasets.fetch_openml("mushroom", data_home=str(tmp_path), timeout=0.2)


@pytest.mark.parametrize(
    "error",
    [
        URLError("no route"),
        TimeoutError("late"),
        ConnectionResetError("reset"),
        HTTPError("http://x", 503, "busy", None, None),
    ],
    ids=lambda e: type(e).__name__,
)
def test_every_failure_of_the_network_reads_the_same(error, monkeypatch):
    def fail(**kwargs):
        raise error

    monkeypatch.setattr(sklearn_datasets, "fetch_20newsgroups", fail)
    with pytest.raises(
        ConnectionError, match="20 newsgroups corpus needs the network.*Offline, use"
    ) as caught:
        datasets.fetch_20newsgroups()
    assert caught.value.__cause__ is error


def test_other_errors_pass():
    with pytest.raises(ValueError, match="subset"):
        datasets.fetch_20newsgroups("trian")


def test_fetch_20newsgroups(monkeypatch):
    asked = {}

    def fetch(**kwargs):
        asked.update(kwargs)
        return Bunch(
            data=["a b", "c", "d"],
            target=np.array([1, 0, 1]),
            target_names=["alt.atheism", "sci.space"],
        )

    monkeypatch.setattr(sklearn_datasets, "fetch_20newsgroups", fetch)
    X, y = datasets.fetch_20newsgroups("test", categories=["sci.space"], remove=["headers"])
    assert X["text"].tolist() == ["a b", "c", "d"] and y.tolist() == [
        "sci.space",
        "alt.atheism",
        "sci.space",
    ]
    assert (y.name == "newsgroup" and asked["subset"] == "test"
            and asked["remove"] == ("headers",))
    assert asked["categories"] == ["sci.space"] and asked["n_retries"] == 1


def test_fetch_openml(monkeypatch):
    target = pd.Series([1, 0], name="edible")
    bunch = Bunch(data=pd.DataFrame({"odor": pd.Categorical(["n", "f"])}), target=target)
    monkeypatch.setattr(sklearn_datasets, "fetch_openml", lambda **kwargs: bunch)
    X, y = datasets.fetch_openml(data_id=24)
    assert list(X) == ["odor"] and y.name == "edible" and list(y.cat.categories) == [0, 1]
    bunch.target = None
    with pytest.raises(ValueError,
                       match="OpenML table 24 has not exactly one class attribute"):
        datasets.fetch_openml(data_id=24)
