"""What an import costs in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from ..contenders import Job, Prepare, peer


def interpreter(statement: str) -> Prepare:
    """Start Python, run one statement, leave."""

    def start() -> None:
        subprocess.run([sys.executable, "-c", statement], check=True, capture_output=True)

    def prepare(data: Any, threads: int) -> Job:
        return Job(fit=start)

    return prepare


peer("import import-classifier", "bare interpreter", interpreter("pass"))
for module in ("numpy", "pandas", "sklearn"):
    peer("import", f"import {module}", interpreter(f"import {module}"), needs=(module,))
peer("import-classifier", "from sklearn.dummy import DummyClassifier",
     interpreter("from sklearn.dummy import DummyClassifier"), needs=("sklearn",))
