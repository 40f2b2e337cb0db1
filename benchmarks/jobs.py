"""How each library is asked to do a job: functions that prepare what is timed."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .data import Baskets, Frames, NotAvailable, Rows, fingerprint

CACHE = Path(__file__).resolve().parent / "cache"
CONFIDENCE, LONGEST = 0.5, 10  # of class rules; pyarc's limit on the length of a rule
STRENGTHS = np.geomspace(2000.0, 2.0, 20)  # of the L1 penalty along a path


@dataclass
class Job:
    """What is timed, on data that already sit in the contender's own container.

    `fit` makes a fresh model; `predict` applies it to the hold-out. The rest is not timed.
    """

    fit: Callable[[], Any]
    predict: Callable[[Any], Any] | None = None
    labels: Callable[[Any], Any] | None = None  # a prediction as codes of classes
    accuracy: Callable[[Any], float] | None = None  # that the fit itself estimated
    size: Callable[[Any], dict[str, Any]] | None = None  # of the model, as short facts
    nbytes: Callable[[Any], int] | None = None  # of a result: asks for the peak memory


Prepare = Callable[[Any, int], Job]


def named(path: str) -> Any:
    """What a dotted path leads to; of ours, `trees.C45Classifier` is enough."""
    module, _, name = path.rpartition(".")
    ours = Path(__file__).parent.parent / "supervised" / module.partition(".")[0]
    return getattr(importlib.import_module(f"supervised.{module}" if ours.is_dir()
                                           else module), name)


def given(parameters: dict[str, Any], data: Any) -> dict[str, Any]:
    """Parameters, those that depend on the data computed."""
    return {k: v(data) if callable(v) else v for k, v in parameters.items()}


MEASURES: dict[str, Callable[[Any], Any]] = {
    "leaves": lambda m: m.n_leaves_ if hasattr(m, "n_leaves_") else m.get_n_leaves(),
    "nodes": lambda m: m.n_nodes_ if hasattr(m, "n_nodes_") else m.tree_.node_count,
    "rules": lambda m: len(m.rules_), "support vectors": lambda m: np.sum(m.n_support_),
    "steps": lambda m: np.max(m.n_iter_)}


def facts(model: Any) -> dict[str, int]:
    """The size of a model, by whatever attributes of it tell one."""
    found = {}
    for name, measure in MEASURES.items():
        with contextlib.suppress(AttributeError, TypeError):
            found[name] = int(measure(model))
    return found


# ------------------------------------ estimators, transformers, functions


def estimator(path: str, how: str = "frame", jobs: bool = False, memory: bool = False,
              **parameters: Any) -> Prepare:
    """A classifier with `fit` and `predict`; `how` says what its columns become."""

    def prepare(table: Rows, threads: int) -> Job:
        train, test = table.inputs(how)
        y = table.y[table.train]
        threaded = {"n_jobs": threads} if jobs else {}
        make = partial(named(path), **given(parameters, table), **threaded)
        return Job(lambda: make().fit(train, y), lambda model: model.predict(test),
                   labels=np.asarray, size=facts,
                   nbytes=(lambda _: table.nbytes) if memory else None)

    return prepare


def size_of(result: Any) -> int:
    """Bytes of an array, a sparse matrix, a DataFrame or a table of ours."""
    if hasattr(result, "codes"):
        return result.codes.nbytes + result.values.nbytes
    if hasattr(result, "memory_usage"):
        return int(result.memory_usage(index=False, deep=False).sum())
    if hasattr(result, "indptr"):
        return result.data.nbytes + result.indices.nbytes + result.indptr.nbytes
    return result.nbytes


def transformer(path: str, **parameters: Any) -> Prepare:
    """Learn and transform the training rows, then transform the new ones."""

    def prepare(data: Any, threads: int) -> Job:
        frames = isinstance(data, Frames)
        first, new = (data.train, data.new) if frames else data.inputs("numeric")
        make = partial(named(path), **given(parameters, data))

        def fit() -> tuple[Any, Any]:
            model = make()
            return model, model.fit_transform(first)

        return Job(fit, lambda found: found[0].transform(new),
                   nbytes=lambda x: size_of(x[1] if isinstance(x, tuple) else x))

    return prepare


def by_column(nominal: Any, numeric: Any) -> Callable[[Frames], list[tuple]]:
    """The steps of a ColumnTransformer."""
    return lambda frames: [("nominal", nominal, frames.nominal),
                           ("numeric", numeric, frames.numeric)]


def function(path: str, arguments: Callable[[Any], tuple],
             **options: Any) -> Prepare:
    """A function of the data."""

    def prepare(data: Any, threads: int) -> Job:
        call, values = named(path), arguments(data)
        return Job(lambda: call(*values, **options))

    return prepare


# ------------------------------------ nearest neighbors, paths of lines


def nearest_by_ckdtree(table: Rows, threads: int, k: int = 5) -> Job:
    """SciPy's kd-tree and a majority vote."""
    from scipy.spatial import cKDTree

    train, test = table.inputs("numeric")
    y, rows = table.y[table.train], np.arange(len(test))[:, None]

    def predict(tree: Any) -> np.ndarray:
        votes = np.zeros((len(test), table.n_classes))
        np.add.at(votes, (rows, y[tree.query(test, k, workers=threads)[1]]), 1)
        return votes.argmax(1)

    return Job(lambda: cKDTree(train), predict, labels=np.asarray)


def choice_of_k(table: Rows, threads: int) -> Job:
    """The best of 50 values of k, by ten-fold cross-validation."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier

    grid = {"n_neighbors": list(range(1, 51))}
    return Job(lambda: GridSearchCV(KNeighborsClassifier(), grid, cv=10, n_jobs=threads)
               .fit(table.numeric, table.y),
               accuracy=lambda search: float(search.best_score_))


def our_choice_of_k(table: Rows, threads: int) -> Job:
    """The same by leaving out one row at a time."""
    from supervised.neighbors import leave_one_out_errors

    return Job(lambda: leave_one_out_errors(table.numeric, table.y, range(1, 51),
                                            metric="euclidean", n_jobs=threads),
               accuracy=lambda found: float(1 - found["error rate"].min()))


def our_path(table: Rows, threads: int) -> Job:
    """A whole path of L1 strengths."""
    from supervised.linear import l1_path

    X, y = table.numeric[table.train], table.y[table.train]
    return Job(lambda: l1_path(X, y, 1 / STRENGTHS))


def saga_path(table: Rows, threads: int) -> Job:
    """One strength of the L1 penalty after the other, from where the last one ended."""
    from sklearn.linear_model import LogisticRegression

    X, y = table.numeric[table.train], table.y[table.train]

    def fit() -> Any:
        model = LogisticRegression(l1_ratio=1.0, solver="saga", warm_start=True,
                                   max_iter=2000, random_state=0)
        for strength in STRENGTHS:
            model.set_params(C=1 / strength).fit(X, y)
        return model

    return Job(fit)


# ------------------------------------ LIBSVM and LIBLINEAR


def quietly(call: Callable[[], Any]) -> Any:
    """Call with the process's own standard output sent to a file: C code prints to it."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as sink:
        os.dup2(sink.fileno(), 1)
        try:
            return call()
        finally:
            sys.stdout.flush()
            ctypes.CDLL(None).fflush(None)
            os.dup2(kept, 1)
            os.close(kept)


def command_line(module: str, options: str) -> Prepare:
    """LIBSVM or LIBLINEAR with the options of their programs."""

    def prepare(table: Rows, threads: int) -> Job:
        import scipy.sparse as sp

        library, svm = importlib.import_module(module), module.startswith("libsvm")
        train, test = (sp.csr_matrix(rows) for rows in table.inputs("numeric"))
        y = table.y[table.train].astype(float)
        problem = library.svm_problem(y, train) if svm else library.problem(y, train,
                                                                            bias=1)
        fit, predict, parameter = (getattr(library, ("svm_" if svm else "") + name)
                                   for name in ("train", "predict", "parameter"))
        asked = parameter(options + " -q")
        return Job(lambda: fit(problem, asked),
                   lambda model: quietly(lambda: predict([], test, model, "-q")),
                   labels=lambda found: np.array(found[0]).astype(int))

    return prepare


libsvm = partial(command_line, "libsvm.svmutil")
liblinear = partial(command_line, "liblinear.liblinearutil")


def liblinear_path(table: Rows, threads: int) -> Job:
    """LIBLINEAR's L1 solver once for each strength; it has no warm start."""
    each = [liblinear(f"-s 6 -c {1 / strength}")(table, threads) for strength in STRENGTHS]
    return Job(lambda: [job.fit() for job in each])


# ------------------------------------ WEKA and Orange


def java(name: str) -> Any:
    """A Java class; the machine is started with the first."""
    import jpype
    import weka.core.jvm as jvm

    if not jpype.isJVMStarted():
        try:
            jpype.getDefaultJVMPath()
        except jpype.JVMNotFoundException as error:
            raise NotAvailable("needs Java") from error
        jvm.start(packages=False, max_heap_size="10g", logging_level=logging.ERROR)
    return jpype.JClass(name)


def new_classifier(name: str, options: str) -> Any:
    """A classifier of WEKA with the options of its command line."""
    split = java("weka.core.Utils").splitOptions(options)
    return (java("weka.classifiers.AbstractClassifier")
            .forName(f"weka.classifiers.{name}", split))


def arff(table: Rows, part: slice) -> str:
    """Rows as a file of WEKA, documents in its sparse notation."""
    numbers = table.numeric if table.text is None else table.text[part].tocsr()
    lines = ["@relation x", *(f"@attribute n{j} numeric" for j in range(numbers.shape[1]))]
    for name, n, letter in [*((f"c{j}", n, "v") for j, n in enumerate(table.levels)),
                            ("class", table.n_classes, "k")]:
        lines.append(f"@attribute {name} {{{','.join(f'{letter}{v}' for v in range(n))}}}")
    lines.append("@data")
    if table.text is not None:
        numbers.sort_indices()
        for row, c in zip(numbers, table.y[part], strict=True):
            cells = [f"{j} {int(v)}" for j, v in zip(row.indices, row.data, strict=True)]
            lines.append("{" + ",".join([*cells, f"{numbers.shape[1]} k{c}"]) + "}")
        return "\n".join(lines) + "\n"
    for x, codes, c in zip(table.numeric[part], table.nominal[part], table.y[part],
                           strict=True):
        cells = ["?" if v != v else repr(float(v)) for v in x]
        cells += ["?" if v < 0 else f"v{v}" for v in codes]
        lines.append(",".join([*cells, f"k{c}"]))
    return "\n".join(lines) + "\n"


def weka(name: str, options: str = "") -> Prepare:
    """A classifier of WEKA; in its options `{t}` is threads and `{gamma}` 1/d."""

    def prepare(table: Rows, threads: int) -> Job:
        source, sides = java("weka.core.converters.ConverterUtils$DataSource"), []
        CACHE.mkdir(exist_ok=True)
        for side, part in (("train", table.train), ("test", table.test)):
            path = CACHE / f"{table.name}_{fingerprint(table):08x}_{side}.arff"
            if not path.exists():  # kept for the next cell
                path.write_text(arff(table, part), encoding="utf-8")
            sides.append(source.read(str(path)))
            sides[-1].setClassIndex(sides[-1].numAttributes() - 1)
        asked = options.replace("{t}", str(threads)).replace(
            "{gamma}", str(1 / max(1, table.numeric.shape[1])))

        def fit() -> Any:
            model = new_classifier(name, asked)
            model.buildClassifier(sides[0])
            return model

        return Job(fit, lambda model: model.distributionsForInstances(sides[1]),
                   labels=lambda found: np.array([list(row) for row in found]).argmax(1))

    return prepare


def orange(name: str, **parameters: Any) -> Prepare:
    """A learner of `Orange.classification`."""

    def prepare(table: Rows, threads: int) -> Job:
        import Orange.classification
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

        columns = [ContinuousVariable(f"n{j}") for j in range(table.numeric.shape[1])]
        columns += [DiscreteVariable(f"c{j}", tuple(f"v{v}" for v in range(n)))
                    for j, n in enumerate(table.levels)]
        classes = DiscreteVariable("class", tuple(f"k{v}" for v in range(table.n_classes)))
        codes = np.where(table.nominal < 0, np.nan, table.nominal)
        X, y = np.hstack([table.numeric, codes]), table.y.astype(float)
        train, test = (Table.from_numpy(Domain(columns, classes), X[part], y[part])
                       for part in (table.train, table.test))
        make = partial(getattr(Orange.classification, name), **parameters)
        return Job(lambda: make()(train), lambda model: model(test),
                   labels=lambda found: np.asarray(found).astype(int))

    return prepare


# ------------------------------------ rules and item sets


def wittgenstein(name: str) -> Prepare:
    """RIPPER or IREP for class 1."""

    def prepare(table: Rows, threads: int) -> Job:
        import wittgenstein as library

        train, test = table.inputs("missing")
        y = table.y[table.train]

        def fit() -> Any:
            model = getattr(library, name)(random_state=1)
            model.fit(train, y, pos_class=1)
            return model

        return Job(fit, lambda model: model.predict(test),
                   labels=lambda found: np.asarray(found).astype(int),
                   size=lambda model: {"rules": len(model.ruleset_.rules)})

    return prepare


def class_support(table: Rows) -> float:
    """The support that class rules need: more of it in small tables."""
    return 0.05 if table.train.stop < 1000 else 0.01


def transactions(table: Rows, part: slice) -> Any:
    """Rows in pyarc's container."""
    from pyarc import TransactionDB

    frame = table.frame(part, "missing")
    frame["class"] = np.char.add("k", table.y[part].astype(str))
    return TransactionDB.from_DataFrame(frame, target="class")


def pyarc(algorithm: str) -> Prepare:
    """pyarc's CBA: mining, then a classifier by M1 or M2."""

    def prepare(table: Rows, threads: int) -> Job:
        from pyarc import CBA

        train, test = transactions(table, table.train), transactions(table, table.test)
        make = partial(CBA, support=class_support(table), confidence=CONFIDENCE,
                       algorithm=algorithm)
        return Job(lambda: make().fit(train), lambda model: model.predict(test),
                   labels=lambda found: np.array([int(c[1:]) for c in found]),
                   size=lambda model: {"rules": len(model.clf.rules)})

    return prepare


def our_cba(table: Rows, threads: int) -> Job:
    """Ours without pruning, as pyarc has none."""
    from supervised.associations import CBAClassifier

    train, test = table.inputs("missing")
    y, support = table.y[table.train], class_support(table)
    return Job(lambda: CBAClassifier(support, CONFIDENCE, pruning=False).fit(train, y),
               lambda model: model.predict(test), labels=np.asarray, size=facts)


def our_class_rules(table: Rows, threads: int) -> Job:
    """The mining step alone; a rule of the peers counts its class as an item."""
    from supervised.associations import class_rules

    train, y, support = table.inputs("missing")[0], table.y[table.train], class_support(
        table)
    return Job(lambda: class_rules(train, y, support, CONFIDENCE, max_rules=10**7,
                                   max_length=LONGEST - 1),
               size=lambda found: {"class rules": len(found)})


def fim_class_rules(name: str) -> Prepare:
    """pyfim's rules whose right side is a class."""

    def prepare(table: Rows, threads: int) -> Job:
        import fim

        train, mine = transactions(table, table.train), getattr(fim, name)
        return Job(lambda: mine(train.string_representation, target="r", report="sc",
                                supp=100 * class_support(table), conf=100 * CONFIDENCE,
                                mode="o", appear=train.appeardict, zmax=LONGEST),
                   size=lambda found: {"class rules": len(found)})

    return prepare


def count(found: Any) -> dict[str, int]:
    return {"item sets": len(found)}


def fim_sets(name: str) -> Prepare:
    """pyfim, written in C."""

    def prepare(baskets: Baskets, threads: int) -> Job:
        import fim

        mine, support = getattr(fim, name), 100 * baskets.support
        return Job(lambda: mine(baskets.transactions, target="s", supp=support, zmin=1,
                                report="a"), size=count)

    return prepare


def mlxtend_sets(name: str) -> Prepare:
    """mlxtend on a table of truth values."""

    def prepare(baskets: Baskets, threads: int) -> Job:
        import mlxtend.frequent_patterns
        import pandas as pd

        frame = pd.DataFrame(baskets.matrix().toarray())
        mine = getattr(mlxtend.frequent_patterns, name)
        return Job(lambda: mine(frame, min_support=baskets.support), size=count)

    return prepare


def our_sets(baskets: Baskets, threads: int) -> Job:
    """Lists in, frame out: reading the lists and making the frame are part of the time."""
    from supervised.associations import frequent_itemsets

    return Job(lambda: frequent_itemsets(baskets.transactions, baskets.support), size=count)


def our_growing_sets(baskets: Baskets, threads: int) -> Job:
    """From a sparse matrix; memory as a multiple of it and the result."""
    from supervised.associations import frequent_itemsets

    matrix = baskets.matrix()
    nbytes = matrix.indices.nbytes + matrix.indptr.nbytes
    return Job(lambda: frequent_itemsets(matrix, baskets.support), size=count,
               nbytes=lambda found: nbytes + int(found.memory_usage(deep=True).sum()))
