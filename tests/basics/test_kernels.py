"""Kernels: plain definitions, and the same results with and without Numba."""

import copy
import inspect
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import kernels as module
from supervised.basics.kernels import class_counts, compiled, small_work
from tests import examples, interrupting

rows = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 2), st.floats(0, 10)),
                max_size=40)


@examples(60)
@given(rows, st.sampled_from([np.int16, np.int32]))
def test_class_counts_by_definition(rows, kind):
    codes, labels, weights = ((np.array(part) for part in zip(*rows, strict=True)) if rows
                              else (np.empty(0),) * 3)
    counts = class_counts(codes.astype(kind), labels.astype(np.int64),
                          weights.astype(float), 5, 3)
    expected = [[sum(w for a, c, w in rows if a == value and c == label)
                 for label in range(3)] for value in (0, 1, 2, 3, 4, -1)]
    assert np.allclose(counts, expected, rtol=1e-12)


@compiled(at_once=False)
def add_one(value):
    return value + 1


@compiled(at_once=False)
def total_plus(values):
    """Sum of the values, each plus one."""
    result = 0.0
    for i in range(len(values)):
        result += add_one(values[i])
    return result


@compiled
def twice(values):
    return 2 * total_plus(values)


def cold(kernel, monkeypatch):
    """A kernel as it is in a new process with nothing on disk."""
    if not hasattr(kernel, "dispatcher"):
        pytest.skip("nothing is compiled without Numba")
    monkeypatch.setattr(module, "_on_disk", lambda folder: set())
    return module._Kernel(module.njit(kernel.py_func), 1.0)


def test_a_small_call_runs_as_python_and_a_large_one_compiled(monkeypatch):
    kernel = cold(total_plus, monkeypatch)
    assert kernel(np.ones(10)) == 20 and not kernel.signatures
    assert kernel.seconds > 0
    assert kernel(np.ones(50_000)) == 100_000 and len(kernel.signatures) == 1
    before = kernel.seconds
    assert kernel(values=np.ones(10)) == 20 and kernel.seconds == before


def test_within_small_work_nothing_is_compiled_at_once(monkeypatch):
    kernel = cold(total_plus, monkeypatch)
    kernel.patience = 0
    with small_work(0.1):
        assert kernel(np.ones(60_000)) == 120_000 and not kernel.signatures
        kernel.seconds = 2.0  # more than compiling is worth
        assert kernel(np.ones(10)) == 20 and len(kernel.signatures) == 1
    kernel = cold(total_plus, monkeypatch)
    kernel.patience, kernel._is_on_disk = 0, True  # what lies on disk costs next to nothing
    with small_work(0.1):
        kernel(np.ones(60_000))
    assert len(kernel.signatures) == 1
    kernel = cold(total_plus, monkeypatch)
    with small_work(0.1), small_work(10):
        kernel(np.ones(60_000))
        assert len(kernel.signatures) == 1


def test_an_earlier_process_leaves_its_code_on_disk(tmp_path):
    """Where the next one finds it, though this one is not told of its types."""
    if not hasattr(class_counts, "dispatcher"):
        pytest.skip("nothing is compiled without Numba")
    script = """if True:
        import numpy as np
        from supervised.basics.kernels import class_counts
        codes = np.zeros(3, dtype=np.int64)
        class_counts(codes, codes, np.ones(3), 1, 1)
        print(class_counts._is_on_disk, class_counts.is_ready)"""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = [subprocess.run([sys.executable, "-c", script], check=True, capture_output=True,
                           text=True, env=env | {"SUPERVISED_PATIENCE": patience}
                           ).stdout.split() for patience in ("100", "0", "100")]
    assert said == [["False", "False"], ["False", "True"], ["True", "False"]]


def test_a_kernel_that_others_call_is_the_same_compiled_and_not():
    values = np.random.default_rng(0).random(100)
    assert total_plus(values) == (values + 1).cumsum()[-1]
    assert twice(values) == 2 * total_plus(values)  # calls it compiled
    assert getattr(total_plus, "py_func", total_plus)(values) == total_plus(values)


def test_a_kernel_is_documented_copied_and_sent_to_processes():
    assert total_plus.__doc__ == "Sum of the values, each plus one."
    assert list(inspect.signature(total_plus).parameters) == ["values"]
    assert copy.deepcopy(total_plus) is total_plus
    assert pickle.loads(pickle.dumps(total_plus)) is total_plus

    @compiled(at_once=False)
    def inside(values):
        return len(values)

    if hasattr(inside, "dispatcher"):  # one without a name goes with its code
        assert pickle.loads(pickle.dumps(inside))(np.ones(3)) == 3


def test_threads_may_enter_a_kernel_while_it_is_python(monkeypatch):
    kernel = cold(total_plus, monkeypatch)
    with ThreadPoolExecutor(4) as pool:
        sizes = [10, 50_000, 20, 60_000] * 5
        assert list(pool.map(lambda n: kernel(np.ones(n)), sizes)) == [
            2 * n for n in sizes]
    assert len(kernel.signatures) == 1


FIRST = """if True:
    import numpy as np
    from supervised.basics.kernels import class_counts
    from supervised.neighbors.distances import euclidean
    codes = np.zeros(3, dtype=np.int64)
    class_counts(codes, codes, np.ones(3), 1, 1)
    euclidean(np.ones(2), np.ones(2))"""


@pytest.mark.skipif(module.njit is None, reason="nothing is compiled without Numba")
@pytest.mark.deep
def test_one_line_says_that_compiling_goes_on(tmp_path):
    loud = {k: v for k, v in os.environ.items()
            if k not in ("SUPERVISED_QUIET", "NUMBA_DISABLE_JIT")}
    loud |= {"NUMBA_CACHE_DIR": str(tmp_path), "SUPERVISED_PATIENCE": "0"}

    def said(script, env):
        done = subprocess.run([sys.executable, "-c", script],
                              check=True, capture_output=True,
                              text=True, env=env)
        assert done.stdout == ""
        return done.stderr.splitlines()

    cold, warm = said(FIRST, loud), said(FIRST, loud)
    assert len(cold) == 1 and cold[0].startswith("supervised: compiling for this machine")
    assert warm == []
    elsewhere = loud | {"NUMBA_CACHE_DIR": str(tmp_path / "other")}
    assert said(FIRST, elsewhere | {"SUPERVISED_QUIET": "1"}) == []
    foreign = "import numba, supervised.basics.kernels; numba.njit(lambda x: x + 1)(1)"
    assert said(foreign, elsewhere) == []  # only the book's own kernels
    patient = elsewhere | {"SUPERVISED_PATIENCE": "100"}
    assert said(FIRST, patient) == []  # nothing was compiled


@interrupting.CAN_BE_SENT
def test_an_interrupt_inside_a_compiled_call():
    assert interrupting.said("""if True:
        from supervised.basics.kernels import interruptible
        from tests.interrupting import interrupted_call
        try:
            interrupted_call()
        except SystemError as error:  # Python's own answer
            print(type(error.__cause__).__name__)
        try:
            with interruptible():
                interrupted_call()
        except KeyboardInterrupt as error:
            print(type(error.__cause__).__name__)
    """) == ["KeyboardInterrupt", "SystemError"]


def test_code_from_before_the_last_change_is_forgotten(tmp_path):
    """An update may change what a kernel calls, or is given: Numba would not notice."""
    changed = max(path.stat().st_mtime
                  for path in (Path(module.__file__).parents[1]).rglob("engine/*.py"))
    for name, when in (("old", changed - 1e6), ("new", changed + 1e6)):
        (tmp_path / f"{name}.nbi").touch()
        os.utime(tmp_path / f"{name}.nbi", (when, when))
    module._forget_older(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["new.nbi"]
