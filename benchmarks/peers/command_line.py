"""LIBSVM and LIBLINEAR through their own Python interfaces,
which take command-line options."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from ..contenders import Job, Prepare, peer
from ..data import Rows


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


def sparse_parts(table: Rows) -> tuple[Any, Any, np.ndarray]:
    """Training and hold-out rows as sparse matrices, and the training classes."""
    import scipy.sparse as sp

    X = table.X if table.text is None else table.text
    train, test = sp.csr_matrix(X[table.train]), sp.csr_matrix(X[table.test])
    return train, test, table.y[table.train].astype(float)


def job(library: Any, prefix: str, problem: Any, options: str, test: Any,
        size: Callable[[Any], dict] | None = None) -> Job:
    """The two libraries differ in the names of their functions only."""
    train, predict = (getattr(library, prefix + what) for what in ("train", "predict"))
    parameter = getattr(library, prefix + "parameter")(options + " -q")
    return Job(
        fit=lambda: train(problem, parameter),
        predict=lambda model: quietly(lambda: predict([], test, model, "-q")),
        labels=lambda found: np.array(found[0]).astype(int),
        size=size)


def libsvm(options: str) -> Prepare:
    """LIBSVM with its command-line options."""

    def prepare(table: Rows, threads: int) -> Job:
        library = importlib.import_module("libsvm.svmutil")
        train, test, y = sparse_parts(table)
        return job(library, "svm_", library.svm_problem(y, train), options, test,
                   lambda model: {"support vectors": model.get_nr_sv()})

    return prepare


def liblinear(options: str) -> Prepare:
    """LIBLINEAR with its command-line options."""

    def prepare(table: Rows, threads: int) -> Job:
        library = importlib.import_module("liblinear.liblinearutil")
        train, test, y = sparse_parts(table)
        return job(library, "", library.problem(y, train, bias=1), options, test)

    return prepare


peer("svm", "LIBSVM rbf gamma=1/d", libsvm("-t 2"), needs=("libsvm",))
peer("svm", "LIBSVM linear", libsvm("-t 0"), needs=("libsvm",))
peer("svm svm-text", "LIBLINEAR L1-loss dual", liblinear("-s 3"), needs=("liblinear",))
peer("linear", "LIBLINEAR logistic", liblinear("-s 0"), needs=("liblinear",))
# its usual bound on the gradient, a hundredth of the first one, ends at another optimum
peer("linear", "LIBLINEAR logistic to 1e-6", liblinear("-s 0 -e 1e-6"),
     needs=("liblinear",))
peer("text-lines", "LIBLINEAR logistic to 1e-6", liblinear("-s 0 -e 1e-6"),
     needs=("liblinear",))
peer("linear", "LIBLINEAR logistic dual", liblinear("-s 7"), needs=("liblinear",),
     only="10")


def liblinear_path(table: Rows, threads: int) -> Job:
    """LIBLINEAR's L1 solver once for each strength; it has no warm start."""
    import scipy.sparse as sp

    library = importlib.import_module("liblinear.liblinearutil")
    rows = library.problem(table.y[table.train].astype(float),
                           sp.csr_matrix(table.numeric[table.train]), bias=1)
    options = [library.parameter(f"-s 6 -c {1 / strength} -q")
               for strength in np.geomspace(2000.0, 2.0, 20)]
    return Job(fit=lambda: [library.train(rows, option) for option in options])


peer("l1-path", "LIBLINEAR L1", liblinear_path, needs=("liblinear",))
