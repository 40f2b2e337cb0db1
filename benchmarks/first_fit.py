"""How long the first fit takes where nothing has been compiled yet,
and how long where it has.

    python -m benchmarks.first_fit              every tree learner, on the credit table
    python -m benchmarks.first_fit C45Classifier CHAIDClassifier

Each learner fits twice, in two fresh processes that share an empty folder for compiled
code: the first has to compile, the second finds the code there. Imports are not counted.
Seconds of processor time, so that other work on the machine disturbs little; `compiled`
counts the kernels that the first fit needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

LEARNERS = ("C45Classifier", "ID3Classifier", "CARTClassifier", "CHAIDClassifier")
SCRIPT = """
import sys, time
from numba.core import event
from supervised import trees
from supervised.basics.datasets import load_credit

class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass

count = Count()
event.register("numba:compile", count)
X, y = load_credit()
model = getattr(trees, sys.argv[1])()
start = time.process_time()
model.fit(X, y)
print(time.process_time() - start, count.compiled)
"""


def measure(learner: str) -> tuple[float, float, int]:
    """Seconds of the first fit with an empty and with a filled cache,
    and how many kernels were compiled."""
    with tempfile.TemporaryDirectory() as cache:
        found = []
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", SCRIPT, learner],
                                  check=True, capture_output=True, text=True,
                                  env=os.environ | {"NUMBA_CACHE_DIR": cache})
            found.append(done.stdout.split())
    return float(found[0][0]), float(found[1][0]), int(found[0][1])


def main() -> None:
    """Measure and print."""
    print(f"{'learner':16s} {'cold':>8s} {'warm':>8s} {'compiled':>9s}")
    for learner in sys.argv[1:] or LEARNERS:
        cold, warm, compiled = measure(learner)
        print(f"{learner:16s} {cold:7.1f}s {warm:7.2f}s {compiled:9d}", flush=True)


if __name__ == "__main__":
    main()
