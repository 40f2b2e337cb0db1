"""What WEKA's J48 grows on many tables: `python -m tests.references.j48 WEKA36.JAR` writes
j48.json, beside which `tests/trees/test_j48.py` holds `C45Classifier`.

It needs Java and python-weka-wrapper3. WEKA 3.9 fails with `-R`, so reduced error pruning
is run with release 3.6.14, whose jar is named.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from supervised.basics import datasets
from supervised.basics.classifiers import encode_classes
from supervised.basics.tables import Attribute, is_missing, learn_table

REFERENCE = Path(__file__).with_suffix(".json")
MOST_LINES = 45  # of the trees that are stored as text
N_RANDOM = 40  # random tables in the reference

#: options of J48 -> parameters of C45Classifier
SETTINGS: dict[str, dict[str, Any]] = {
    "": {}, "-U": {"pruning": None}, "-U -O": {"pruning": None, "collapse": False},
    "-U -J": {"pruning": None, "mdl_correction": False}, "-O": {"collapse": False},
    "-S": {"subtree_raising": False}, "-J": {"mdl_correction": False},
    "-C 0.1": {"confidence_factor": 0.1}, "-C 0.5": {"confidence_factor": 0.5},
    "-M 1": {"min_num_obj": 1}, "-M 5": {"min_num_obj": 5},
    "-R": {"pruning": "reduced_error"},
    "-R -N 5": {"pruning": "reduced_error", "n_folds": 5}}


class Sample(NamedTuple):
    """A table with its classes, and the weights of its rows if they have any."""

    X: pd.DataFrame
    y: pd.Series
    weights: np.ndarray | None = None


class Grown(NamedTuple):
    """What is compared of a tree.

    `errors` is the weight of the training rows that the tree's own answer misclassifies:
    J48 takes the first class that no other exceeds by more than 1e-6, so that rounding
    decides nothing (WEKA's Evaluation takes the largest number). `outline` is the tree as
    J48 prints it, a line for each node but an inner root.
    """

    leaves: int
    nodes: int
    errors: float
    outline: tuple[str, ...] = ()

    @property
    def bare(self) -> list[str]:
        """The outline without the counts at the leaves,
        which depend on how sums are rounded."""
        return [re.sub(r" \([\d.E/-]+\)$", "", line) for line in self.outline]

    @property
    def shape(self) -> str:
        """A checksum of the tests and the labels, in their order."""
        return f"{zlib.crc32(chr(10).join(self.bare).encode()):08x}"

    def stored(self) -> list[Any]:
        """As it stands in the reference."""
        errors = (int(self.errors) if self.errors == int(self.errors)
                  else round(self.errors, 6))
        return [self.leaves, self.nodes, errors, self.shape]


# ------------------------------------------------------------------------- generated tables


def letters(codes: np.ndarray, n_values: int, letter: str = "v") -> pd.Categorical:
    """A nominal column: v0, v1, ... with -1 for missing;
    the domain may have values that don't occur."""
    return pd.Categorical.from_codes(codes, [f"{letter}{v}" for v in range(n_values)])


def classes(codes: np.ndarray, letter: str = "k") -> pd.Series:
    """Class labels k0, k1, ..."""
    return pd.Series([f"{letter}{c}" for c in codes], name="class")


def blanked(X: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """The table with a share of its cells missing."""
    return X.mask(rng.random(X.shape) < share)


def numeric(n: int, d: int, n_classes: int, noise: float, digits: int = 15,
            seed: int = 0) -> Sample:
    """Normal columns; the class counts how many
    of the first three lie above 0, but for the noise."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, d)), digits)
    labels = (values[:, :3] > 0).sum(axis=1) % n_classes
    hit = rng.random(n) < noise
    labels[hit] = rng.integers(0, n_classes, hit.sum())
    return Sample(pd.DataFrame(values, columns=[f"x{j}" for j in range(d)]),
                  classes(labels))


def nominal(n: int, sizes: list[int], n_classes: int, noise: float,
            seed: int = 0) -> Sample:
    """Nominal columns with so many values each;
    the class is a sum of the first two, but for the noise."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, size, n) for size in sizes])
    labels = (codes[0] + codes[1]) % n_classes
    hit = rng.random(n) < noise
    labels[hit] = rng.integers(0, n_classes, hit.sum())
    columns = {f"a{j}": letters(c, size)
               for j, (c, size) in enumerate(zip(codes, sizes, strict=True))}
    return Sample(pd.DataFrame(columns), classes(labels))


def identifier() -> Sample:
    """A column that names the row, beside three others."""
    X, y, _ = nominal(120, [3, 4, 2], 2, 0.2, seed=3)
    order = np.random.default_rng(3).permutation(120)
    X.insert(1, "id", letters(order, 120, "row "))
    return Sample(X, y)


def identifiers_only() -> Sample:
    """Every column has values for more than 0.3 of the rows, so none is set aside."""
    return nominal(60, [20, 24, 40], 2, 0.1, seed=4)


def identifier_and_number() -> Sample:
    """A many-valued nominal column and a number: the number alone makes the average."""
    rng = np.random.default_rng(5)
    values = np.round(rng.normal(size=80), 2)
    X = pd.DataFrame({"key": letters(rng.integers(0, 30, 80), 30), "x": values})
    return Sample(X, classes((values + rng.normal(size=80) > 0).astype(int)))


def all_missing() -> Sample:
    """Two columns without any value, one numeric
    and one nominal, among others with a few holes."""
    X, y = datasets.make_rule_table(200, 3, 3, noise=0.1, missing=0.05, random_state=6)
    X.insert(0, "no number", np.full(200, np.nan))
    X.insert(3, "no name", letters(np.full(200, -1), 3))
    return Sample(X, y)


def constant() -> Sample:
    """Columns with one value: a number, a name, a name out of three."""
    X, y, _ = numeric(150, 2, 2, 0.1, digits=2, seed=7)
    X.insert(0, "same number", 3.5)
    X.insert(1, "same name", letters(np.zeros(150, int), 1))
    X["third of three"] = letters(np.full(150, 2), 3)
    return Sample(X, y)


def constant_only() -> Sample:
    """Nothing to test: the tree is a leaf."""
    X = pd.DataFrame({"x": np.ones(30), "a": letters(np.ones(30, int), 2)})
    return Sample(X, classes(np.arange(30) % 3 % 2))


def ties() -> Sample:
    """Numbers of few values, and rows that are equal but for their class."""
    rng = np.random.default_rng(8)
    values = rng.integers(0, 6, (400, 4)).astype(float)
    labels = (values[:, 0] + values[:, 1] > 5).astype(int) + (values[:, 2] > 4)
    labels = np.where(rng.random(400) < 0.15, rng.integers(0, 3, 400), labels)
    return Sample(pd.DataFrame(values, columns=list("abcd")), classes(labels))


def close(step: float) -> Sample:
    """Numbers a step apart, around 1 and around 0."""
    rng = np.random.default_rng(9)
    places = rng.integers(0, 40, (160, 2))
    labels = (places[:, 0] > 17).astype(int) + (places[:, 1] % 20 > 14)
    labels = np.where(rng.random(160) < 0.05, rng.integers(0, 3, 160), labels)
    return Sample(pd.DataFrame({"x": 1 + places[:, 0] * step, "y": places[:, 1] * step}),
                  classes(labels))


def magnitudes() -> Sample:
    """Columns in the billions and in the billionths, with both signs."""
    X, y, _ = numeric(250, 4, 3, 0.1, seed=10)
    return Sample(X * np.array([1e12, 1e-3, 1e7, 1.0]), y)


def integers() -> Sample:
    """Whole numbers of several types, and truth values."""
    rng = np.random.default_rng(11)
    n = 300
    X = pd.DataFrame({"small": rng.integers(-3, 4, n).astype("int8"),
                      "large": rng.integers(0, 10**9, n),
                      "flag": rng.random(n) < 0.4, "year": rng.integers(1900, 2030, n)})
    labels = (X["small"] > 0) ^ X["flag"] ^ (X["year"] > 1980)
    return Sample(X, classes(np.where(rng.random(n) < 0.1, 1 - labels, labels).astype(int)))


def branch_missing(share: float = 1.0) -> Sample:
    """A column that is missing wherever another has its first value,
    and a branch that nobody enters."""
    rng = np.random.default_rng(12)
    n = 240
    kind, x = rng.integers(0, 3, n), np.round(rng.normal(size=n), 2)
    part = rng.integers(0, 4, n)
    labels = np.where(kind == 0, part > 1, x > 0).astype(int)
    labels = np.where(rng.random(n) < 0.1, 1 - labels, labels)
    gone = (kind == 0) & (rng.random(n) < share)
    X = pd.DataFrame({"kind": letters(kind, 4), "x": np.where(gone, np.nan, x),
                      "part": letters(part, 5)})
    X.loc[rng.random(n) < 0.1, "kind"] = np.nan
    return Sample(X, classes(labels))


def duplicates() -> Sample:
    """Columns that are copies of others: the first of them must win."""
    X, y = datasets.make_rule_table(300, 2, 2, noise=0.1, random_state=13)
    return Sample(pd.concat([X.add_suffix(" first"), X, X.add_suffix(" last")], axis=1), y)


def equally_good(flip: bool = False) -> Sample:
    """Nominal columns that are copies of one another but for the order of their values."""
    X, y = datasets.make_rule_table(200, 2, 1, noise=0.15, random_state=14)
    turned = [X[a].cat.rename_categories(list(reversed(X[a].cat.categories)))
              .rename(f"turned {a}") for a in ("a1", "a2")]
    turned = [t.cat.reorder_categories(sorted(t.cat.categories)) for t in turned]
    parts = [X["a1"], turned[1], X["x1"], turned[0], X["a2"]]
    return Sample(pd.concat(parts[::-1] if flip else parts, axis=1), y)


def unused_values() -> Sample:
    """Domains with values that don't occur: leaves that nobody enters."""
    X, y, _ = nominal(150, [3, 4, 3], 3, 0.1, seed=15)
    for name in X:
        X[name] = X[name].cat.set_categories(["before", *X[name].cat.categories, "after"])
    return Sample(X, y)


def ten_classes() -> Sample:
    """Ten classes that follow two numbers and a name."""
    rng = np.random.default_rng(16)
    n = 500
    values, code = np.round(rng.normal(size=(n, 2)), 3), rng.integers(0, 5, n)
    labels = 2 * code + (values[:, 0] + 0.3 * rng.normal(size=n) > 0)
    X = pd.DataFrame({"x": values[:, 0], "a": letters(code, 5), "y": values[:, 1]})
    return Sample(X, classes(np.where(rng.random(n) < 0.1, rng.integers(0, 10, n), labels)))


def rare_class() -> Sample:
    """One row in fifty is of the second class, which a product of numbers tells."""
    rng = np.random.default_rng(17)
    values = np.round(rng.normal(size=(1500, 4)), 4)
    labels = (values[:, 0] * values[:, 1] > 2.2) | (rng.random(1500) < 0.01)
    return Sample(pd.DataFrame(values, columns=list("abcd")), classes(labels.astype(int)))


def odd_names() -> Sample:
    """Names and values with blanks, quotes, percent signs,
    commas, braces and question marks."""
    rng = np.random.default_rng(18)
    odd = ["a b", "it's", '"so"', "50 %", "{x}", "?", "c:\\d", "e,f", "é", "-1"]
    X = pd.DataFrame(
        {"what's this?": pd.Categorical.from_codes(rng.integers(0, 10, 200), odd),
         'a "quoted" name, %': np.round(rng.random(200), 3),
         "{brace}": pd.Series(rng.choice(["yes ", "no", "don't know"], 200), dtype=object)})
    X.loc[rng.random(200) < 0.1, "{brace}"] = np.nan
    labels = (X["what's this?"].cat.codes % 3 + (X['a "quoted" name, %'] > 0.5)) % 3
    labels = np.where(rng.random(200) < 0.1, rng.integers(0, 3, 200), labels)
    return Sample(X, pd.Series(np.array(["no, %", "it's", "?"])[labels], name="the class"))


def tiny(n: int) -> Sample:
    """Fewer rows than two leaves need, or just as many."""
    X = pd.DataFrame({"a": letters(np.arange(n) % 2, 2), "x": np.arange(n) // 2 * 1.0})
    return Sample(X, classes(np.arange(n) % 2))


def numbered_classes() -> Sample:
    """Classes that are numbers: 2, 10, 33 sort by size, not as text."""
    X, y, _ = numeric(200, 3, 3, 0.2, digits=1, seed=19)
    return Sample(X, y.map({"k0": 33, "k1": 2, "k2": 10}))


def rules(n: int, seed: int, missing: float = 0.0, **details: Any) -> Sample:
    """A table with planted rules."""
    return Sample(*datasets.make_rule_table(n, noise=details.pop("noise", 0.1),
                                            missing=missing, random_state=seed, **details))


def weighted(sample: Sample, low: float, high: float, digits: int, seed: int = 0) -> Sample:
    """A sample whose rows weigh between two numbers, rounded."""
    weights = np.round(np.random.default_rng(seed).uniform(low, high, len(sample.y)),
                       digits)
    return sample._replace(weights=weights)


def repeated(sample: Sample) -> Sample:
    """A sample in which row i has the weight 1 + i mod 3: as if it stood there so often."""
    return sample._replace(weights=1.0 + np.arange(len(sample.y)) % 3)


def random_table(seed: int) -> Sample:
    """A small table of any kind: what the named ones do not think of."""
    rng = np.random.default_rng([20, seed])
    n, d, n_classes = (int(rng.integers(6, 200)), int(rng.integers(1, 7)),
                       int(rng.integers(2, 6)))
    columns: dict[str, Any] = {}
    score = np.zeros(n)
    for j in range(d):
        if rng.random() < 0.5:
            size = int(rng.choice([2, 3, 4, 8, 30]))
            codes = rng.integers(0, size, n)
            columns[f"a{j}"] = letters(codes, size)
            score += rng.normal(size=size)[codes] * rng.integers(0, 2)
        else:
            values = np.round(rng.normal(size=n), int(rng.integers(0, 5)))
            columns[f"x{j}"] = values
            score += values * rng.integers(-1, 2)
    score += rng.normal(size=n) * rng.choice([0.0, 0.3, 1.0])
    labels = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    labels[:2] = 0, 1  # two classes at the least
    X = blanked(pd.DataFrame(columns), rng.choice([0.0, 0.0, 0.1, 0.4]), rng)
    sample = Sample(X, classes(labels))
    kind = rng.integers(0, 6)
    return (weighted(sample, 0.2, 3.0, 2, seed) if kind == 0 else repeated(sample)
            if kind == 1 else sample)


def book(name: str, *args: Any) -> Callable[[], Sample]:
    """A table that the book ships."""
    def make() -> Sample:
        return Sample(*getattr(datasets, f"load_{name}")(*args))

    return make


SAMPLES: dict[str, Callable[[], Sample]] = ({
    "loan": book("loan"), "abc": book("abc"), "tax evasion": book("tax_evasion"),
    "donors": book("donors"), "ranked documents": book("ranked_documents"),
    "weather": book("weather"), "weather with numbers": book("weather", True),
    "contact lenses": book("contact_lenses"), "xor": book("xor"), "iris": book("iris"),
    "wine": book("wine"), "breast cancer": book("breast_cancer"), "digits": book("digits"),
    "votes": book("votes"), "titanic": book("titanic"), "zoo": book("zoo"),
    "credit": book("credit"), "heart disease": book("heart_disease"),
    "soybean": book("soybean"), "numbers": lambda: numeric(600, 6, 3, 0.15),
    "numbers, pure noise": lambda: numeric(300, 5, 3, 1.0, seed=1),
    "numbers, two digits": lambda: numeric(800, 5, 4, 0.1, digits=1, seed=2),
    "names": lambda: nominal(500, [4, 5, 12, 40, 2], 3, 0.2),
    "names, pure noise": lambda: nominal(300, [2, 3, 4, 5], 2, 1.0, seed=1),
    "identifier": identifier, "identifiers only": identifiers_only,
    "identifier and number": identifier_and_number, "mixed": lambda: rules(600, 21),
    "mixed, 10 % missing": lambda: rules(800, 22, missing=0.1),
    "mixed, 40 % missing": lambda: rules(500, 23, missing=0.4),
    "mixed, four classes, 5 % missing": lambda: rules(700, 24, missing=0.05,
                                                      n_classes=4, n_values=6),
    "numbers, 20 % missing": lambda: rules(400, 25, missing=0.2, n_nominal=0, n_numeric=5),
    "names, 20 % missing": lambda: rules(400, 26, missing=0.2, n_nominal=7, n_numeric=0),
    "all missing": all_missing, "constant": constant, "constant only": constant_only,
    "ties": ties, "close, 4e-6 apart": lambda: close(4e-6),
    "close, 1e-5 apart": lambda: close(1e-5), "close, 2e-5 apart": lambda: close(2e-5),
    "magnitudes": magnitudes, "integers": integers, "branch all missing": branch_missing,
    "branch half missing": lambda: branch_missing(0.5), "duplicates": duplicates,
    "equally good": equally_good, "equally good, turned": lambda: equally_good(True),
    "unused values": unused_values, "ten classes": ten_classes, "rare class": rare_class,
    "odd names": odd_names, "three rows": lambda: tiny(3), "four rows": lambda: tiny(4),
    "twelve rows": lambda: tiny(12), "numbered classes": numbered_classes,
    "rules, 2000 rows": lambda: rules(2000, 27, noise=0.2),
    "rules, 3000 rows, 5 % missing": lambda: rules(3000, 28, missing=0.05),
    "rules, 5000 rows": lambda: rules(5000, 29, noise=0.05, n_rules=15),
    "rules, 5000 rows, three classes": lambda: rules(5000, 30, noise=0.3,
                                                     n_classes=3, n_values=3),
    "iris, repeated": lambda: repeated(book("iris")()),
    "credit, repeated": lambda: repeated(book("credit")()),
    "votes, repeated": lambda: repeated(book("votes")()),
    "weather, weighted": lambda: weighted(book("weather", True)(), 0.5, 2.5, 1),
    "heart disease, weighted": lambda: weighted(book("heart_disease")(), 0.1, 3.0, 3),
    "mixed, weighted": lambda: weighted(rules(600, 31), 0.0001, 2.0, 4),
    "mixed, 10 % missing, weighted": lambda: weighted(rules(500, 32, missing=0.1),
                                                      0.25, 4.0, 2),
    "iris, light": lambda: book("iris")()._replace(weights=np.full(150, 0.1)),
    "rules, 2000 rows, weighted": lambda: weighted(rules(2000, 33), 0.5, 1.5, 6),
} | {f"random {i}": partial(random_table, i) for i in range(N_RANDOM)})


def fingerprint(sample: Sample) -> str:
    """A checksum of domains, cells, classes and weights: equal data, equal text."""
    table = learn_table(sample.X)
    names, labels = encode_classes(sample.y)
    total = zlib.crc32(repr([(str(a.name), [str(v) for v in a.domain])
                             for a in table.attributes]).encode())
    weights = np.ones(len(labels)) if sample.weights is None else sample.weights
    for _, column in [*table.columns(), (None, labels), (None, weights)]:
        column = np.where(is_missing(column), np.nan, column.astype("<f8")) + 0.0
        total = zlib.crc32(
            np.where(np.isnan(column), np.nan, column).astype("<f8").tobytes(), total)
    return f"{zlib.crc32(repr([str(c) for c in names]).encode(), total):08x}"


# ------------------------------------------------------------------------------ ARFF


def quoted(name: Any) -> str:
    """A name or value in quotes, with what would end them
    or stand for something else escaped."""
    return "'" + re.sub(r"(['\"\\%])", r"\\\1", str(name)) + "'"


def declared(attribute: Attribute) -> str:
    """The line that declares an attribute."""
    kind = ("{" + ",".join(map(quoted, attribute.domain)) + "}" if attribute.is_nominal
            else "numeric")
    return f"@attribute {quoted(attribute.name)} {kind}\n"


def to_arff(sample: Sample) -> str:
    """A sample as ARFF: the class is the last attribute,
    the weight stands in braces behind the row."""
    table = learn_table(sample.X)
    names, labels = encode_classes(sample.y)
    label = Attribute("class of the row", "nominal", tuple(names.tolist()))
    head = ("@relation sample\n" + "".join(map(declared, (*table.attributes, label)))
            + "@data\n")
    columns = []
    for attribute, column in [*table.columns(), (label, labels)]:
        texts = [quoted(v) for v in attribute.domain] if attribute.is_nominal else None
        cells = ([repr(v) for v in column.tolist()] if texts is None
                 else [texts[c] for c in column])
        columns.append(np.where(is_missing(column), "?", np.array(cells, dtype=object)))
    if sample.weights is not None:
        columns.append(np.array([f"{{{w!r}}}" for w in sample.weights.tolist()],
                                dtype=object))
    return head + "\n".join(map(",".join, zip(*columns, strict=True))) + "\n"


def check_reading(sample: Sample, read: Any) -> None:
    """Hold what WEKA has read against the frame, cell by cell;
    AssertionError where they differ."""
    X, y, weights = sample
    assert (read.numInstances(), read.numAttributes()) == (X.shape[0], X.shape[1] + 1)
    for j, column in enumerate([*(X[name] for name in X), y]):
        attribute, given = read.attribute(j), np.array(read.attributeToDoubleArray(j))
        assert read.attributeStats(j).missingCount == column.isna().sum()
        if attribute.isNominal():
            domain = [str(attribute.value(v)) for v in range(attribute.numValues())]
            found = [None if c != c else domain[int(c)] for c in given]
            assert found == [None if pd.isna(v) else str(v) for v in column]
            if isinstance(column.dtype, pd.CategoricalDtype) and j < X.shape[1]:
                assert domain == [str(c) for c in column.cat.categories]
        else:
            assert np.array_equal(given, column.to_numpy(float, na_value=np.nan),
                                  equal_nan=True)
    present = sorted(set(y))
    label = read.attribute(X.shape[1])
    assert [str(c) for c in present] == [str(label.value(c))
                                         for c in range(label.numValues())]
    assert list(read.attributeStats(X.shape[1]).nominalCounts) == [
        int((y == c).sum()) for c in present]
    held = [read.instance(i).weight() for i in range(len(X))]
    assert held == ([1.0] * len(X) if weights is None else weights.tolist())


# ------------------------------------------------------------------------------ J48


def outline_of(text: str) -> tuple[str, ...]:
    """The lines of the tree in what J48 prints;
    a threshold just below 0, which it prints as -0, becomes 0."""
    lines = [re.sub(r"(<=|>) -0(?=$|:)", r"\1 0", line.rstrip())
             for line in text.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("-----")) + 1
    stop = next(i for i, line in enumerate(lines) if line.startswith("Number of Leaves"))
    return tuple(line.removeprefix(": ") for line in lines[start:stop] if line)


class J48:
    """J48 on one sample, which is written to a file that both releases of WEKA read.

    Parameters
    ----------
    sample : Sample
    folder : Path
        Where the file goes.
    jar : str
        Release 3.6.14, for the option -R.
    """

    def __init__(self, sample: Sample, folder: Path, jar: str = ""):
        from benchmarks.jobs import java

        self.path, self.jar = folder / "sample.arff", jar
        self.path.write_text(to_arff(sample), encoding="utf-8")
        reader = java("java.io.FileReader")(str(self.path),
                                            java("java.nio.charset.StandardCharsets").UTF_8)
        self.read = java("weka.core.Instances")(reader)
        reader.close()
        check_reading(sample, self.read)
        self.read.setClassIndex(self.read.numAttributes() - 1)

    def grow(self, options: str) -> Grown | None:
        """The tree that J48 grows under these options;
        None where it refuses, having fewer rows than folds."""
        return self._with_36(options) if needs_jar(options) else self._with_39(options)

    def _with_39(self, options: str) -> Grown:
        from benchmarks.jobs import new_classifier

        model = new_classifier("trees.J48", options)
        model.buildClassifier(self.read)
        wrong = [row.weight() for row in self.read
                 if model.classifyInstance(row) != row.classValue()]
        sizes = int(model.measureNumLeaves()), int(model.measureTreeSize())
        return Grown(*sizes, float(sum(wrong)), outline_of(str(model.toString())))

    def _with_36(self, options: str) -> Grown | None:
        command = ["java", "-Dfile.encoding=UTF-8", "-cp",
                   self.jar, "weka.classifiers.trees.J48",
                   "-t", str(self.path), "-no-cv", *options.split()]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        if "more folds than instances" in done.stderr:
            return None
        if "Number of Leaves" not in done.stdout:
            raise RuntimeError(f"WEKA 3.6.14 gave no tree: {done.stderr[-1000:]}")

        def found(what: str) -> float:
            return float(re.search(rf"{what}\s*:?\s+([\d.]+)", done.stdout)[1])  # type: ignore[index]

        return Grown(int(found("Number of Leaves")), int(found("Size of the tree")),
                     found("Incorrectly Classified Instances"), outline_of(done.stdout))


def needs_jar(options: str) -> bool:
    """Whether the options ask for release 3.6.14."""
    return "-R" in options.split()


def settings_for(name: str) -> list[str]:
    """The options to run on a sample.

    Release 3.6.14 takes numbers for equal that differ by less than 1e-6, also where a
    held-out row meets a threshold, and rounding decides between classes that are equally
    probable. Where numbers lie close, and on random tables, which have such ties, what it
    says under -R is no reference.
    """
    unsafe = name.startswith(("close", "random"))
    return [options for options in SETTINGS if not (unsafe and needs_jar(options))]


# ------------------------------------------------------------------------------ ours


def decimal(value: float, digits: int) -> str:
    """A number as J48 prints it: rounded half away from zero, without zeros at the end."""
    shifted = abs(value) * 10.0**digits
    if shifted < 2**63 - 1:
        value = math.copysign(int(shifted + 0.5) / 10.0**digits, value) + 0.0
    return np.format_float_positional(value, trim="-")


def outline(tree: Any, X: pd.DataFrame) -> tuple[str, ...]:
    """Our tree as J48 prints it: a threshold is the largest
    training value that does not exceed it."""
    columns = learn_table(X).columns()

    def leaf(node: int) -> str:
        counts = tree.counts[node]
        n, label = counts.sum(), tree.labels[node]
        wrong = n - counts[label]
        errors = f"/{decimal(wrong, 2)}" if wrong > 1e-6 else ""
        digits = decimal(n, 2)
        return (f"{tree.classes[label]} "
                f"({digits if '.' in digits else digits + '.0'}{with_point(errors)})")

    def with_point(text: str) -> str:
        return text + ".0" if text and "." not in text else text

    def tests(node: int) -> Iterator[tuple[int, str]]:
        attribute, values = columns[tree.attribute[node]]
        first = tree.first[node]
        if attribute.is_nominal:
            for code, value in enumerate(attribute.domain):
                yield first + tree.routes[tree.route[node]
                                          + code], f"{attribute.name} = {value}"
        else:
            below = values[values <= tree.threshold[node]].max(initial=-np.inf)
            for branch, sign in enumerate(("<=", ">")):
                yield first + branch, f"{attribute.name} {sign} {decimal(below, 6)}"

    def lines(node: int, depth: int) -> Iterator[str]:
        for child, test in tests(node):
            if tree.n_branches[child]:
                yield "|   " * depth + test
                yield from lines(child, depth + 1)
            else:
                yield "|   " * depth + f"{test}: {leaf(child)}"

    return (tuple(line.rstrip() for line in lines(0, 0)) if tree.n_branches[0]
            else (leaf(0),))


def grow_ours(sample: Sample, options: str) -> Grown:
    """The tree that C45Classifier grows with the parameters
    that match the options of J48, and with its ways of weights."""
    from supervised.trees import C45Classifier

    X, y, weights = sample
    model = C45Classifier(**SETTINGS[options])
    model._count_rows = True  # a guard of J48 counts rows, whatever they weigh
    table, labels, counts = model._training_data(X, y, weights)
    if weights is not None:
        counts = weights[weights > 0]  # and it doesn't rescale light ones
    model._learn(table, labels, counts)
    wrong = model.predict(X) != y.to_numpy()
    errors = float(wrong.sum() if weights is None else weights[wrong].sum())
    return Grown(model.n_leaves_, model.n_nodes_, errors, outline(model.tree_, X))


# ----------------------------------------------------------------------------- the two jobs


def record(chosen: dict[str, Callable[[], Sample]], jar: str) -> None:
    """Write what J48 finds on each sample to the reference file."""
    from benchmarks.jobs import java

    data = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make in chosen.items():
            sample = make()
            weka = J48(sample, Path(folder), jar)
            grown = {options: g for options in settings_for(name)
                     if (g := weka.grow(options))}
            data[name] = {"rows": len(sample.y), "data": fingerprint(sample),
                          "results": {options: g.stored() for options, g in grown.items()}}
            if grown[""].nodes <= MOST_LINES:
                data[name]["tree"] = "\n".join(grown[""].outline)
            print(f"{name}: {grown[''].nodes} nodes", flush=True)
    head = {"releases": {"-R": "3.6.14", "": str(java("weka.core.Version").VERSION)},
            "result": ["leaves", "nodes", "errors", "shape"]}
    entries = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}"
                         for k, v in data.items())
    REFERENCE.write_text(f'{json.dumps(head)[:-1]}, "samples": {{\n{entries}\n}}}}\n',
                         encoding="utf-8")


def load() -> dict[str, Any]:
    """The reference file."""
    return json.loads(REFERENCE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    record(SAMPLES, sys.argv[1])
