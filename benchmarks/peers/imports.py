"""What an import costs in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

from ..contenders import Job, Prepare, peer


def interpreter(statement: str) -> Prepare:
    """Start Python, run one statement, leave;
    nothing is found that Numba compiled before."""

    def start() -> None:
        with tempfile.TemporaryDirectory() as cache:
            subprocess.run([sys.executable, "-c", statement], check=True,
                           capture_output=True, env=os.environ | {"NUMBA_CACHE_DIR": cache})

    def prepare(data: Any, threads: int) -> Job:
        return Job(fit=start)

    return prepare


peer("import import-classifier", "bare interpreter", interpreter("pass"))
for module in ("numpy", "pandas", "sklearn"):
    peer("import", f"import {module}", interpreter(f"import {module}"), needs=(module,))
peer("import-classifier", "from sklearn.dummy import DummyClassifier",
     interpreter("from sklearn.dummy import DummyClassifier"), needs=("sklearn",))

FROM_SCRATCH = """
from sklearn.datasets import load_breast_cancer
X, y = load_breast_cancer(return_X_y=True)
{importing}
{made}.fit(X, y)
"""
for made in ("DecisionTreeClassifier", "KNeighborsClassifier", "GaussianNB"):
    module = {"D": "tree", "K": "neighbors", "G": "naive_bayes"}[made[0]]
    importing = f"from sklearn.{module} import {made}"
    peer("first-fit", f"scikit-learn {made}", needs=("sklearn",),
         prepare=interpreter(FROM_SCRATCH.format(importing=importing, made=f"{made}()")))
