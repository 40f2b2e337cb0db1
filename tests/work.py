"""How much work something is: lines of the package that are run, counted without a clock.

Kernels are run as plain Python in a process of its own, so that each turn of a loop counts.
What happens inside NumPy does not.
"""

import json
import os
import subprocess
import sys
import textwrap
from math import log

from tools.book import ROOT

COUNT = """
import json, sys, warnings
import numpy as np
import pandas as pd
warnings.simplefilter("ignore")

def lines_of(call):
    n = 0
    def line(frame, event, arg):
        nonlocal n
        n += event == "line"
        return line
    def called(frame, event, arg):
        return line if "supervised" in frame.f_code.co_filename else None
    sys.settrace(called)
    try:
        call()
    finally:
        sys.settrace(None)
    return n

def rules_of(call):
    return len(call().rules_)

"""


def work(script: str, count: str = "lines_of") -> list[int]:
    """The numbers that `lines_of(call)`, or another count, gives for the calls in the list
    `calls` of a script."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT + textwrap.dedent(script)
         + f"\nprint(json.dumps([{count}(call) for call in calls]))"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True,
        cwd=ROOT, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


NOISY = """
def table(n):
    # a line between two classes, and one label in ten flipped
    r = np.random.default_rng(0)
    X = r.normal(size=(n, 4))
    return X, ((X[:, 0] + X[:, 1] > 0) ^ (r.random(n) < 0.1)).astype(int)
"""

IDENTIFIED = """
def table(n, id):
    # the class depends on a name and a number; one label in ten is flipped
    r = np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"i{i}" for i in range(n)], "kind": r.choice(list("abcd"), n),
                      "x": r.random(n)})
    y = X["kind"].isin(["a", "b"]) ^ (X["x"] > 0.5) ^ (r.random(n) < 0.1)
    return X if id else X.drop(columns="id"), y.to_numpy().astype(int)
"""


def noisy_fits(learner: str, few: int, many: int) -> str:
    """A script whose calls fit a learner to few and to many noisy rows.

    `learner` is an expression, after an import: "rules.AQClassifier()".
    """
    return f"""
        from supervised import {learner.split(".")[0]}
        {textwrap.indent(NOISY, " " * 8).strip()}
        calls = [lambda n=n: {learner}.fit(*table(n)) for n in ({few}, {many})]"""


def growth(learner: str, few: int = 100, many: int = 800) -> tuple[float, float]:
    """How many times the work of a fit on noisy rows grows,
    and how many times n log n does, by which C4.5 grows its trees."""
    less, more = work(noisy_fits(learner, few, many))
    return more / less, many * log(many) / (few * log(few))


def growth_by_rules(learner: str, few: int = 100, many: int = 800) -> tuple[float, float]:
    """How many times the work of a fit on noisy rows grows, and how many times n log n for
    each rule does: separate-and-conquer looks for each rule among all rows that are left,
    and noise asks for more rules, the more rows there are."""
    grown, sorted_once = growth(learner, few, many)
    short, long = work(noisy_fits(learner, few, many), "rules_of")
    return grown, sorted_once * long / short


def identified_fits(learner: str, n: int) -> str:
    """A script whose calls fit a learner without and with a column of as many names as
    rows."""
    return f"""
        from supervised import {learner.split(".")[0]}
        {textwrap.indent(IDENTIFIED, " " * 8).strip()}
        calls = [lambda id=id: {learner}.fit(*table({n}, id)) for id in (False, True)]"""


def price_of_an_identifier(learner: str, n: int = 400) -> float:
    """How many times the work of a fit grows by a column of as many names as rows."""
    without, with_it = work(identified_fits(learner, n))
    return with_it / without
