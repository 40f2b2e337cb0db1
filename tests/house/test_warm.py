"""What is compiled before the workers start is what the book has."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tools import warm

numba = pytest.importorskip("numba")


def test_the_list_names_kernels_of_the_book() -> None:
    """And types that can be read back."""
    for module, kernels in warm.listed().items():
        have = warm.kernels_of(module)
        assert set(kernels) <= set(have), module
        for name, each in kernels.items():
            for types in each:
                assert isinstance(warm.parsed(f"({types})"), tuple), f"{module}.{name}"


@pytest.mark.parametrize("kind", [
    numba.int64, numba.float32[:], numba.bool_[::1], numba.float64[:, ::1],
    numba.int32[::1, :], numba.types.Array(numba.uint8, 2, "C", readonly=True),
    numba.types.Omitted(0.5), numba.types.literal(-1), numba.types.none,
    numba.types.UniTuple(numba.int64, 2),
    numba.types.Tuple((numba.int64, numba.float64[::1]))], ids=str)
def test_types_are_read_as_they_were_written(kind: object) -> None:
    assert warm.parsed(warm.spelled(kind)) == kind


def test_what_is_listed_is_found_on_disk(tmp_path, monkeypatch) -> None:
    """Another process that asks for the same types compiles nothing."""
    module, name = "supervised.basics.kernels", "class_counts"
    types = warm.listed()[module][name][0]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    ask = ("from tools import warm; "
           f"k = warm.kernels_of({module!r})[{name!r}]; "
           f"assert warm.compile_one({module!r}, {name!r}, {types!r}); "
           "print(sum(k.stats.cache_hits.values()), sum(k.stats.cache_misses.values()))")
    said = [subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True,
                           check=True).stdout.split() for _ in range(2)]
    assert said == [["0", "1"], ["1", "0"]]


@pytest.mark.deep
@pytest.mark.skipif(os.name != "posix", reason="sends signals as a terminal does")
def test_ctrl_c_ends_the_workers_without_a_traceback(tmp_path) -> None:
    """In the middle of compiling; a line before it says what goes on."""
    cache = tmp_path / "cache"
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    process = subprocess.Popen([sys.executable, "-m", "tools.warm"], cwd=warm.ROOT, env=env,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        assert process.stdout
        first = process.stdout.readline()
        assert first.startswith("Compiling") and "some minutes" in first
        while not list(cache.rglob("*.nbc")):
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        said = process.stdout.read()  # to the end: nobody holds it open any more
        assert process.wait() == 1
        assert said == "Stopped: what has been compiled so far is kept.\n"
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
