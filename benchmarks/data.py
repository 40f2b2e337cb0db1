"""The data of the workloads: generators, tables, and what they are kept in."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


class NotAvailable(Exception):
    """A contender or a data set that this machine does not have: no error."""


# ------------------------------------------------------------------------------ containers


@dataclass
class Rows:
    """A classification table; its last `n_test` rows are the hold-out (0: all of them).

    Numeric columns are floats with NaN for missing, nominal columns codes with -1 for
    missing. A text corpus is a sparse matrix of counts in `text`.
    """

    y: np.ndarray
    numeric: np.ndarray
    nominal: np.ndarray
    levels: list[int]
    n_test: int = 0
    text: Any = None
    name: str = ""

    @property
    def train(self) -> slice:
        return slice(0, len(self.y) - self.n_test)

    @property
    def test(self) -> slice:
        return slice(len(self.y) - self.n_test, len(self.y)) if self.n_test else self.train

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1

    @property
    def nbytes(self) -> int:
        """Bytes of the training rows, in the container that our learners take."""
        return (int(self.frame(self.train).memory_usage(index=False).sum())
                if self.nominal.size else self.numeric[self.train].nbytes)

    def inputs(self, how: str) -> tuple[Any, Any]:
        """Training and hold-out rows as a contender takes them.

        `frame` is a DataFrame of categories where there are any, `missing` one where a
        missing value is a value; `onehot` has a column for each value and means in gaps,
        `ordinal` codes and NaN, `code` a code for missing, `numeric` leaves out names.
        """
        if how == "missing" or how == "frame" and self.nominal.size and self.text is None:
            value = "missing" if how == "missing" else None
            return self.frame(self.train, value), self.frame(self.test, value)
        if self.text is not None:
            X = self.text
        elif how in ("numeric", "frame") or not self.nominal.shape[1]:
            X = self.numeric
        elif how == "code":
            X = self.nominal + int((self.nominal < 0).any())
        elif how == "ordinal":
            X = np.hstack([self.numeric, np.where(self.nominal < 0, np.nan, self.nominal)])
        else:
            columns = [self.nominal[:, [j]] == np.arange(n)
                       for j, n in enumerate(self.levels)]
            X = np.hstack([self.numeric, *columns]).astype(float)
        train, test = X[self.train], X[self.test]
        if how == "onehot" and self.text is None and np.isnan(train).any():
            means = np.nanmean(train, axis=0)
            train, test = (np.where(np.isnan(x), means, x) for x in (train, test))
        return train, test

    def frame(self, rows: slice, missing: str | None = None):
        """Rows as a DataFrame with names as categories; `missing` may be one of them."""
        import pandas as pd

        columns: dict[str, Any] = {f"n{j}": c for j, c in enumerate(self.numeric[rows].T)}
        for j, (codes, n_levels) in enumerate(zip(self.nominal[rows].T, self.levels,
                                                  strict=True)):
            names = [f"v{v}" for v in range(n_levels)]
            if missing is None:
                columns[f"c{j}"] = pd.Categorical.from_codes(codes,
                                                             categories=pd.Index(names))
            else:
                columns[f"c{j}"] = np.array([*names, missing], dtype=object)[codes]
        return pd.DataFrame(columns)

    def arrays(self) -> list[np.ndarray]:
        text = [] if self.text is None else [self.text.indptr, self.text.indices,
                                             self.text.data]
        return [self.y, self.numeric, self.nominal, *text]

    def describe(self) -> dict[str, int]:
        """The facts that the report prints above a table."""
        facts = {"rows": self.train.stop, "hold-out": self.n_test or self.train.stop}
        if self.text is not None:
            facts |= {"terms": self.text.shape[1], "counts": int(self.text.nnz)}
        else:
            missing = int((self.nominal < 0).sum() + np.isnan(self.numeric).sum())
            facts |= {"numeric": self.numeric.shape[1], "nominal": self.nominal.shape[1],
                      "missing": missing}
        return facts | {"classes": self.n_classes}


@dataclass
class Baskets:
    """Market baskets as sorted lists of item numbers."""

    transactions: list[list[int]]
    n_items: int
    support: float
    name: str = ""

    def arrays(self) -> list[np.ndarray]:
        return [np.concatenate(self.transactions),
                np.array([len(t) for t in self.transactions])]

    def matrix(self) -> Any:
        """A sparse matrix of truth values, a row for each basket."""
        from scipy import sparse

        items, lengths = self.arrays()
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        return sparse.csr_array((np.ones(len(items), bool), items.astype(np.int32), starts),
                                shape=(len(lengths), self.n_items))

    def describe(self) -> dict[str, float]:
        mean = float(np.mean([len(t) for t in self.transactions]))
        return {"baskets": len(self.transactions), "items": self.n_items,
                "mean length": round(mean, 2), "support": self.support}


@dataclass
class Frames:
    """DataFrames to encode: one to learn from, one of new rows."""

    train: Any
    new: Any
    nominal: list[str]
    numeric: list[str]

    def arrays(self) -> list[np.ndarray]:
        from pandas.util import hash_pandas_object

        return [hash_pandas_object(f).to_numpy() for f in (self.train, self.new)]

    def describe(self) -> dict[str, Any]:
        kind = str(self.train[self.nominal[0]].dtype) if self.nominal else "none"
        return {"rows": len(self.train), "new rows": len(self.new),
                "nominal": len(self.nominal),
                "dtype": kind, "numeric": len(self.numeric),
                "missing": int(self.train.isna().to_numpy().sum())}


@dataclass
class Judged:
    """Cases with their classes, the labels that a classifier gave them, and its scores."""

    truth: np.ndarray
    predicted: np.ndarray
    scores: np.ndarray

    def arrays(self) -> list[np.ndarray]:
        return [self.truth.astype(str), self.predicted.astype(str), self.scores]

    def describe(self) -> dict[str, Any]:
        return {"cases": len(self.truth), "classes": len(np.unique(self.truth)),
                "distinct scores": len(np.unique(self.scores)),
                "labels": self.truth.dtype.name}


def judged(n: int, classes: int = 2, ties: bool = False, text: bool = False,
           seed: int = 0) -> Judged:
    """Cases of which seven in ten are recognized; scores around the class."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    predicted = np.where(rng.random(n) < 0.7, truth, rng.integers(0, classes, n))
    scores = rng.normal(truth, 1.0)
    names = np.array([f"class {i}" for i in range(classes)], dtype=object)
    if text:
        truth, predicted = names[truth], names[predicted]
    return Judged(truth, predicted, np.round(scores, 3) if ties else scores)


def fingerprint(data: Rows | Baskets | Frames | Judged) -> int:
    """A checksum over the contents: equal data, equal number."""
    total = 0
    for array in data.arrays():
        total = zlib.crc32(np.ascontiguousarray(array).tobytes(), total)
    return total


def rows(y, numeric=None, nominal=None, levels=None, n_test=0, text=None) -> Rows:
    """`Rows` with empty parts filled in."""
    empty = np.zeros((len(y), 0))
    numeric = empty if numeric is None else np.ascontiguousarray(numeric, float)
    nominal = empty.astype(int) if nominal is None else np.ascontiguousarray(nominal, int)
    levels = [int(c.max()) + 1 for c in nominal.T] if levels is None else list(levels)
    return Rows(np.asarray(y, int), numeric, nominal, levels, n_test, text)


# ------------------------------------------------------------------------------ real tables


def shipped(name: str, test: float = 0.3) -> Rows:
    """A numeric table that scikit-learn ships, shuffled."""
    import sklearn.datasets

    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return rows(y[order], X[order], n_test=int(len(y) * test))


def loaded(name: str, test: float = 0.3) -> Rows:
    """A table that the book ships, shuffled."""
    import pandas as pd

    from supervised.basics import datasets

    X, y = getattr(datasets, f"load_{name}")()
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X.iloc[order], y.iloc[order]
    is_number = [pd.api.types.is_any_real_numeric_dtype(t) for t in X.dtypes]
    numeric = [X.iloc[:, j].to_numpy(float, na_value=np.nan)
               for j, n in enumerate(is_number) if n]
    coded = [X.iloc[:, j].astype("category") for j, n in enumerate(is_number) if not n]
    return rows(
        pd.factorize(y, sort=True)[0],
        np.array(numeric).T if numeric else None,
        np.array([c.cat.codes for c in coded]).T if coded else None,
        [len(c.cat.categories) for c in coded],
        n_test=int(len(y) * test),
    )


def discretized(name: str, bins: int = 3) -> Rows:
    """A shipped table, its columns cut into equally frequent intervals."""
    table = shipped(name)
    inner = np.arange(1, bins) / bins
    codes = [np.searchsorted(np.quantile(c[table.train], inner), c)
             for c in table.numeric.T]
    levels = [bins] * len(codes)
    return rows(table.y, nominal=np.array(codes).T, levels=levels, n_test=table.n_test)


def standardized(build: Callable[..., Rows], *args, **kwargs) -> Rows:
    """A numeric table with columns of mean 0 and deviation 1 on the training rows."""
    table = build(*args, **kwargs)
    part = table.numeric[table.train]
    deviation = part.std(0)
    table.numeric = (table.numeric - part.mean(0)) / np.where(deviation > 0, deviation, 1)
    return table


# ------------------------------------------------------------------------------ generators


def numeric_table(n: int, d: int, classes: int = 2, seed: int = 0,
                  n_test: int | None = None) -> Rows:
    """Gaussian clusters on the corners of a cube, half of the columns informative."""
    from sklearn.datasets import make_classification

    n_test = n // 4 if n_test is None else n_test
    informative = max(2, d // 2)
    X, y = make_classification(
        n + n_test, d, n_informative=informative, n_redundant=min(d // 4, d - informative),
        n_classes=classes, flip_y=0.02, random_state=seed)
    return rows(y, X, n_test=n_test)


def pictures(n: int, n_test: int, seed: int = 0) -> Rows:
    """Random pictures of 28 x 28 pixels, most blank: a blurred shape for each class."""
    rng = np.random.default_rng(seed)
    shapes = rng.normal(size=(10, 28, 28))
    for axis in (1, 2):
        for _ in range(3):
            shapes += np.roll(shapes, 1, axis) + np.roll(shapes, -1, axis)
    shapes = 0.3 * shapes.reshape(10, 784) / shapes.std() - 1.5
    y = rng.integers(0, 10, n + n_test)
    X = rng.normal(scale=1.5, size=(n + n_test, 784))
    X += shapes[y]
    return rows(y, np.clip(X, 0, 1, out=X), n_test=n_test)


def planted_table(n: int, n_nominal: int, n_numeric: int = 0,
                  levels: int = 5, classes: int = 2,
                  rules: int = 12, noise: float = 0.05, missing: float = 0.0,
                  seed: int = 0) -> Rows:
    """A mixed table whose class is a list of planted conjunctions plus label noise."""
    rng = np.random.default_rng(seed)
    n_test = n // 4
    total = n + n_test
    nominal = rng.integers(0, levels, (total, n_nominal))
    numeric = rng.normal(size=(total, n_numeric))
    y = np.zeros(total, int)
    covered = np.zeros(total, bool)
    for rule in range(rules):
        matched = np.ones(total, bool)
        width = max(1, levels // 2 if n_numeric == 0 and rule % 2 else 1)
        for a in rng.choice(n_nominal + n_numeric, rng.integers(2, 4), replace=False):
            if a < n_nominal:
                matched &= np.isin(nominal[:, a], rng.choice(levels, width, replace=False))
            else:
                matched &= numeric[:, a - n_nominal] > rng.normal() * 0.5
        y[matched & ~covered] = 1 + rule % (classes - 1)
        covered |= matched
    flipped = rng.random(total) < noise
    y[flipped] = rng.integers(0, classes, flipped.sum())
    if missing:
        nominal[rng.random(nominal.shape) < missing] = -1
        numeric[rng.random(numeric.shape) < missing] = np.nan
    return rows(y, numeric, nominal, [levels] * n_nominal, n_test)


def zipf_text(n: int, terms: int, classes: int = 10, length: int = 100,
              seed: int = 0) -> Rows:
    """Zipf counts of terms; a class makes its own 2% of the words more frequent."""
    import scipy.sparse as sp

    rng = np.random.default_rng(seed)
    n_test = n // 4
    total = n + n_test
    y = rng.integers(0, classes, total)
    frequency = 1 / np.arange(1, terms + 1) ** 1.05
    lengths = rng.poisson(length, total) + 5
    documents, words = [], []
    for c in range(classes):
        weights = frequency.copy()
        weights[rng.choice(terms, terms // 50, replace=False)] *= 3
        cumulated = np.cumsum(weights / weights.sum())
        own = np.flatnonzero(y == c)
        drawn = np.searchsorted(cumulated, rng.random(lengths[own].sum()))
        documents.append(np.repeat(own, lengths[own]))
        words.append(np.minimum(drawn, terms - 1))
    row, column = np.concatenate(documents), np.concatenate(words)
    counts = sp.csr_matrix((np.ones(len(row)), (row, column)), (total, terms))
    counts.sum_duplicates()
    return rows(y, n_test=n_test, text=counts)


def two_halves(unit: bool = False, **how: Any) -> Rows:
    """Such texts whose ten classes are put together to two; each of length 1 if `unit`."""
    table = zipf_text(**how)
    table.y = (table.y < 5).astype(int)
    if unit:
        counts = table.text.astype(float)
        lengths = np.sqrt(counts.multiply(counts).sum(axis=1))
        table.text = counts.multiply(1 / lengths).tocsr()
    return table


def quest_baskets(n: int, support: float, items: int = 1000, length: int = 10,
                  patterns: int = 300, pattern_length: int = 4, seed: int = 0) -> Baskets:
    """Baskets like those of the IBM Quest generator: patterns, some items left out."""
    rng = np.random.default_rng(seed)
    popularity = 1 / np.arange(1, items + 1) ** 0.8
    popularity = rng.permutation(popularity / popularity.sum())
    known = [rng.choice(items, max(1, rng.poisson(pattern_length)), replace=False,
                        p=popularity) for _ in range(patterns)]
    weights = rng.exponential(size=patterns)
    lengths = np.maximum(1, rng.poisson(length, n))
    picked = rng.choice(patterns, n * 6, p=weights / weights.sum())
    kept = rng.random(n * 6)
    transactions, j = [], 0
    for i in range(n):
        basket: set[int] = set()
        for _ in range(6):
            pattern = known[picked[j]]
            part = pattern[rng.random(len(pattern)) < 0.5 + 0.5 * kept[j]]
            j += 1
            if len(basket) + len(part) > lengths[i]:
                break
            basket.update(part.tolist())
        transactions.append(sorted(basket) or [int(known[picked[j - 1]][0])])
    return Baskets(transactions, items, support)


def mixed_frames(n: int, nominal: int = 10, numeric: int = 10, dtype: str = "category",
                 missing: float = 0.05, seed: int = 0) -> Frames:
    """Frames with string-valued nominal columns of 8 to 20 values, and n new rows.

    The new rows bring one value that the first frame does not have, and have categories of
    their own, as a second file would. `dtype` is category, str, object, or distinct: object
    columns in which every cell is a string object
    of its own, as a database driver gives them.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 21, nominal)

    def column(size: int, unseen: int):
        values = np.array([f"value {v:02d}" for v in range(size)] + ["unseen"] * unseen,
                          object)
        chance = np.ones(len(values))
        chance[size:] = 0.01  # rare
        cells = values[rng.choice(len(values), n, p=chance / chance.sum())]
        if dtype == "distinct":
            cells = np.array([f"{c} "[:-1] for c in cells], object)
        cells[rng.random(n) < missing] = np.nan
        return pd.Series(cells, dtype="object" if dtype == "distinct" else dtype)

    def frame(unseen: int):
        columns = {f"c{j}": column(size, unseen) for j, size in enumerate(sizes)}
        for j in range(numeric):
            values = rng.normal(size=n)
            values[rng.random(n) < missing] = np.nan
            columns[f"n{j}"] = pd.Series(values)
        return pd.DataFrame(columns)

    first, second = frame(0), frame(1)
    return Frames(first, second, list(first.columns[:nominal]),
                  list(first.columns[nominal:]))
