"""Kernels: plain definitions, and the same results with and without Numba."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import kernels as module
from supervised.basics.kernels import (
    class_counts,
    compiled,
    fewer,
    interruptible,
    progress,
)
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


def test_compiled_keeps_name_and_results(monkeypatch):
    def total(values):
        """Sum."""
        result = 0.0
        for i in range(len(values)):
            result += values[i]
        return result

    fast = compiled(total)
    assert fast.__name__ == "total" and fast.__doc__ == "Sum."
    assert fast(np.array([1.0, 2.5])) == 3.5
    monkeypatch.setattr(module, "njit", None)
    assert compiled(total) is total


def test_compiled_without_a_folder_to_keep_code_in(monkeypatch):
    calls = []

    def no_cache(**options):
        calls.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function")
        return lambda function: function

    def total(values):
        return values.sum()

    monkeypatch.setattr(module, "njit", no_cache)
    assert compiled(total) is total
    assert [call.pop("cache", False) for call in calls] == [True, False]
    assert calls[0] == calls[1] and calls[0]["nogil"]


@pytest.mark.skipif(module.njit is None, reason="nothing is compiled without Numba")
def test_a_kernel_has_one_entry():
    # the second one, for callers in C, made the first fit of a tree a tenth longer
    def total(values):
        return values.sum()

    fast = compiled(total)
    if not hasattr(fast, "targetoptions"):
        pytest.skip("Numba is switched off")
    # not the code itself: what is read from disk can't be looked into
    assert fast.targetoptions["no_cfunc_wrapper"]


@pytest.mark.parametrize("n_values, n_classes", [(0, 1), (3, 2)])
def test_no_rows(n_values, n_classes):
    none = np.empty(0, dtype=np.int16)
    counts = class_counts(none, none.astype(np.int64), np.empty(0), n_values, n_classes)
    assert counts.shape == (n_values + 1, n_classes) and not counts.any()


def test_fewer_only_in_a_browser(monkeypatch):
    assert fewer(10, in_browser=3) == 10
    monkeypatch.setattr(module, "IN_BROWSER", True)
    assert fewer(10, in_browser=3) == 3


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
    loud["NUMBA_CACHE_DIR"] = str(tmp_path)

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
    nameless = ("import numba, supervised.basics.kernels; made = {}; "
                "exec('def f(x): return x + 1', made); numba.njit(made['f'])(1)")
    assert said(nameless, elsewhere) == []  # a function that no module has is compiled too


NOWHERE = """if True:
    from numba.core.caching import _CacheLocator
    def unwritable(self): raise OSError
    _CacheLocator.ensure_cache_path = unwritable
"""


@pytest.mark.skipif(module.njit is None, reason="nothing is compiled without Numba")
@pytest.mark.deep
def test_the_line_promises_no_code_on_disk_where_none_is_kept():
    loud = {k: v for k, v in os.environ.items()
            if k not in ("SUPERVISED_QUIET", "NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR")}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", NOWHERE + FIRST], check=True,
                              capture_output=True, text=True, env=loud)
        (line,) = done.stderr.splitlines()
        assert "in each run" in line and "once" not in line and "NUMBA_CACHE_DIR" in line


def test_a_bar_of_progress_starts_no_thread_in_a_browser():
    code = ("import sys; sys.platform = 'emscripten';"
            "from supervised.basics import kernels; import threading;"
            "from tqdm import tqdm; list(tqdm([1], disable=True));"
            "print(kernels.IN_BROWSER, threading.active_count())")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, check=True)
    assert done.stdout.split() == ["True", "1"], done.stdout


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


@pytest.mark.parametrize("cause", [None, ValueError()])
def test_other_errors_pass_as_they_are(cause):
    error = SystemError("another one")
    with pytest.raises(SystemError) as info, interruptible():
        raise error from cause
    assert info.value is error and error.__cause__ is cause


def test_a_bar_is_made_only_if_it_is_shown(capsys, monkeypatch):
    with progress("rows", 1, 4) as done:
        done(3)
        done()
    assert "rows: 100%" in capsys.readouterr().err

    def never(**options):
        raise AssertionError("a hidden bar")

    monkeypatch.setattr(module, "tqdm", never)
    with progress("rows", 0) as done:
        assert done() is None and done(5) is None
    assert capsys.readouterr().err == ""
