"""How long the first fit and the first predict take where nothing has been compiled yet.

    python -m benchmarks.first_fit                      the learners below, on two tables
    python -m benchmarks.first_fit C45Classifier CHAIDClassifier

Each learner fits and predicts in a fresh process with an empty folder for compiled code
(cold), then in a second one that finds what the first has left (warm). Imports are not
counted. Seconds of processor time, so that other work on the machine disturbs little.
`lines` are the five lines of the README as a whole process, imports and all.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

LEARNERS = {
    "trees": ("C45Classifier", "ID3Classifier", "CARTClassifier", "CHAIDClassifier"),
    "bayes": ("NaiveBayesClassifier",),
    "rules": ("RIPPERClassifier", "PARTClassifier"),
    "associations": ("CBAClassifier",),
    "linear": ("LogisticClassifier",),
    "svm": ("SVMClassifier",),
    "neighbors": ("KNNClassifier",),
    "ensembles": ("RandomForestClassifier", "AdaBoostClassifier",
                  "GradientBoostingClassifier"),
}
TABLES = ("titanic", "credit")
FIT = """
import importlib, sys, time
chapter, learner, table = sys.argv[1:]
datasets = importlib.import_module("supervised.basics.datasets")
X, y = getattr(datasets, "load_" + table)()
model = getattr(importlib.import_module("supervised." + chapter), learner)()
start = time.process_time()
model.fit(X, y)
fitted = time.process_time()
model.predict(X)
print(fitted - start, time.process_time() - fitted)
"""
LINES = """
import time
from supervised.basics import load_titanic
from supervised.trees import C45Classifier
X, y = load_titanic()
model = C45Classifier().fit(X, y)
model.to_text()
print(time.process_time(), 0)
"""


def measure(script: str, *words: str) -> list[float]:
    """Seconds of fit and predict, cold, then warm; not a number where it fails."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as cache:
        env = os.environ | {"NUMBA_CACHE_DIR": cache, "SUPERVISED_QUIET": "1"}
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", script, *words],
                                  capture_output=True, text=True, env=env)
            found += map(float, done.stdout.split() or ("nan", "nan"))
    return found


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("learners", nargs="*", help="names of classes, by default all")
    chosen = options.parse_args()
    titles = ("cold fit", "predict", "warm fit", "predict")
    print(f"{'':36s}" + "".join(f"{title:>9s}" for title in titles))

    def show(what: str, script: str, *words: str) -> None:
        seconds = measure(script, *words)
        print(f"{what:36s}" + "".join(f"{s:9.2f}" for s in seconds), flush=True)

    if not chosen.learners:
        show("lines", LINES)
    for chapter, learners in LEARNERS.items():
        for learner in learners:
            for table in TABLES:
                if learner in (chosen.learners or learners):
                    show(f"{learner} {table}", FIT, chapter, learner, table)


if __name__ == "__main__":
    main()
