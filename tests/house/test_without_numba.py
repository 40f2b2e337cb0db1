"""The package gives the same results, only slower, where its kernels run as plain Python.

Once switched off by NUMBA_DISABLE_JIT=1 (a reader steps through a kernel), once where Numba
can't be imported at all (a browser). The tests of what contains kernels run in both ways.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tools.book import ROOT

pytestmark = pytest.mark.deep

FILES = (  # what contains kernels; a chapter adds its own
    "basics/test_kernels.py", "features/test_impurity.py",
 "features/test_discretization.py",
    "features/test_engine_discretization.py", "evaluation/test_ranking.py",
    "trees/test_engine_splits.py", "trees/test_missing.py", "trees/test_multivariate.py",
 "bayes/test_engine_tables.py", "neighbors/test_distances.py",
    "neighbors/test_engine_distances.py", "neighbors/test_engine_search.py",
)
HANGS = 7200  # seconds, and far more than the slowest machine needs
OPTIONS = ["-q", "-x", "-m", "not deep", "-p", "no:xdist", "-p", "no:cacheprovider", "-o",
           "addopts="]
NO_NUMBA = "import sys; sys.modules['numba'] = None\n"
RUN = "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))"


def run_plain(
    script: str, arguments: list[str], **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a script in a new interpreter that knows nothing of this test run."""
    env = {
        k: v for k, v in os.environ.items()
        if not k.startswith(("PYTEST_", "NUMBA_", "SUPERVISED_"))
    } | variables
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=HANGS,
    )


@pytest.mark.parametrize(
    "script, variables",
    [
        (RUN, {"NUMBA_DISABLE_JIT": "1"}),
        (NO_NUMBA + RUN, {}),
    ],
    ids=["switched off", "not installed"],
)
def test_without_numba(script: str, variables: dict[str, str]) -> None:
    files = [f"tests/{name}" for name in FILES]
    done = run_plain(script, [*files, *OPTIONS], **variables)
    if done.returncode:
        pytest.fail(done.stdout[-6000:] + done.stderr[-2000:], pytrace=False)
    assert " passed" in done.stdout
