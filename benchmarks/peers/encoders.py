"""scikit-learn's transformers, and its baseline
classifier, against which the basics are timed."""

from __future__ import annotations

from typing import Any

from ..contenders import Job, Prepare, peer
from ..data import Frames, Rows, arff_text
from .scikit_learn import construct, estimator


def size_of(result: Any) -> int:
    """Bytes of an array, a sparse matrix or a DataFrame."""
    if hasattr(result, "memory_usage"):
        return int(result.memory_usage(index=False, deep=False).sum())
    if hasattr(result, "indptr"):
        return result.data.nbytes + result.indices.nbytes + result.indptr.nbytes
    return result.nbytes


def transforming(make: Any, first: Any, new: Any, y: Any = None) -> Job:
    """Learn and transform `first`, then transform `new`."""

    def fit() -> tuple[Any, Any]:
        transformer = make()
        return transformer, transformer.fit_transform(first, y)

    return Job(
        fit=fit, predict=lambda model: model[0].transform(new),
        nbytes=lambda result: size_of(result[1] if isinstance(result, tuple) else result))


def ordinal_columns(frames: Frames, threads: int) -> Job:
    """Codes for nominal columns, numeric ones passed through."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OrdinalEncoder

    def make() -> Any:
        codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1,
                               encoded_missing_value=-2)
        return ColumnTransformer([("nominal", codes, frames.nominal),
                                  ("numeric", "passthrough", frames.numeric)])

    return transforming(make, frames.train, frames.new)


def imputed_columns(frames: Frames, threads: int) -> Job:
    """The most frequent value for nominal columns, the mean for numeric ones."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer

    def make() -> Any:
        return ColumnTransformer([
            ("nominal", SimpleImputer(strategy="most_frequent"), frames.nominal),
            ("numeric", SimpleImputer(), frames.numeric)])

    return transforming(make, frames.train, frames.new)


def indicator_columns(sparse: bool) -> Prepare:
    """One column for each value."""

    def prepare(frames: Frames, threads: int) -> Job:
        from sklearn.preprocessing import OneHotEncoder

        return transforming(
            lambda: OneHotEncoder(handle_unknown="ignore", sparse_output=sparse),
            frames.train, frames.new)

    return prepare


def on_array(path: str, **parameters: Any) -> Prepare:
    """A transformer on the numeric columns as an array."""

    def prepare(table: Rows, threads: int) -> Job:
        train, test = table.numeric[table.train], table.numeric[table.test]
        construct(path, parameters)
        return transforming(lambda: construct(path, parameters), train, test)

    return prepare


SKLEARN = {"needs": ("sklearn",)}
def pandas_frame(frames: Frames, threads: int) -> Job:
    """Our own table of the same cells, which come in pandas."""
    from supervised.basics import learn_table

    return Job(fit=lambda: learn_table(frames.train))


def arff_by_scipy(frames: Frames, threads: int) -> Job:
    """SciPy's reader, and a frame of what it gives."""
    import io

    import pandas as pd
    from scipy.io import arff

    text = arff_text(frames)
    return Job(fit=lambda: pd.DataFrame(arff.loadarff(io.StringIO(text))[0]))


def arff_by_liac(frames: Frames, threads: int) -> Job:
    """liac-arff's reader, and a frame of what it gives."""
    import io

    import arff
    import pandas as pd

    text = arff_text(frames)

    def read() -> Any:
        found = arff.load(io.StringIO(text))
        return pd.DataFrame(found["data"], columns=[n for n, _ in found["attributes"]])

    return Job(fit=read)


BINS = "sklearn.preprocessing.KBinsDiscretizer"
peer("encode", "scikit-learn OrdinalEncoder by column", ordinal_columns, **SKLEARN)
peer("impute", "scikit-learn SimpleImputer by column", imputed_columns, **SKLEARN)
peer("indicators", "scikit-learn OneHotEncoder, dense", indicator_columns(False), **SKLEARN)
peer("indicators", "scikit-learn OneHotEncoder, sparse", indicator_columns(True), **SKLEARN)
peer("standardize", "scikit-learn StandardScaler",
     on_array("sklearn.preprocessing.StandardScaler"),
     **SKLEARN)
peer("equal-width", "scikit-learn KBinsDiscretizer uniform",
     on_array(BINS, n_bins=5, encode="ordinal", strategy="uniform"), **SKLEARN)
peer("equal-frequency", "scikit-learn KBinsDiscretizer quantile",
     on_array(BINS, n_bins=5, encode="ordinal", strategy="quantile", subsample=None),
     **SKLEARN)
peer("majority", "scikit-learn DummyClassifier", estimator("sklearn.dummy.DummyClassifier"),
     **SKLEARN)
peer("frames", "learn_table of a pandas frame", pandas_frame, needs=("polars",))
peer("arff", "SciPy loadarff", arff_by_scipy, needs=("scipy",))
peer("arff", "liac-arff load", arff_by_liac, needs=("arff",))
