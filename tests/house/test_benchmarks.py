"""The benchmarks: their table, their arithmetic, one small run, and the stored results."""

import os
import subprocess
import sys

import pytest

from benchmarks import report, runner
from benchmarks.table import CONTENDERS, WORKLOADS, entrants


def test_every_family_has_ours_and_a_peer_and_names_are_distinct():
    families = {w.family for w in WORKLOADS.values()}
    entered = {f for c in CONTENDERS for f in c.families.split()}
    assert entered == families
    peers = {f for c in CONTENDERS if not c.ours for f in c.families.split()}
    assert families - peers == {"itemsets-growth"}
    for name in WORKLOADS:
        names = [c.name for c in entrants(name)]
        assert len(names) == len(set(names)) and entrants(name)[0].ours


def test_a_ratio_is_our_time_by_that_of_the_fastest_rival():
    def cell(name, fit, predict, ours=False, threads=1, **rest):
        return {"contender": name, "ours": ours, "threads": threads, "status": "ok",
                "fit_s": fit, "predict_s": predict, "fit_runs": [fit], "fit_first_s": fit,
                **rest}

    cells = [cell("mine", 1.0, 3.0, ours=True, against="peer", accuracy=0.9),
             cell("peer a", 4.0, 2.0, accuracy=0.8),
             cell("peer b", 2.0, 6.0, accuracy=0.95),
             cell("peer c", 0.1, 0.1, threads=2),  # more threads: not compared
             cell("other", 0.1, 0.1),  # another job: not compared
             {"contender": "peer d", "ours": False, "threads": 1, "status": "timeout",
              "reason": "slow"}]
    [row] = report.ratios({"w": {"cells": cells}})
    assert (row["fit_ratio"]["ratio"], row["fit_ratio"]["peer"]) == (1 / 2, "peer b")
    assert row["predict_ratio"]["ratio"] == 3 / 2
    assert (row["both_ratio"]["ratio"], row["both_ratio"]["peer"]) == (4 / 6, "peer a")
    assert report.verdict(row) == "faster"
    cells[1]["accuracy"] = 0.906  # of the fastest
    [row] = report.ratios({"w": {"cells": cells}})
    assert report.verdict(row) == "less accurate"


@pytest.mark.deep
def test_a_small_run_is_merged_into_what_is_stored(tmp_path):
    path = tmp_path / "results.json"
    runner.store({"impute_100k": {"family": "impute", "data": {}, "machine": {},
                                  "cells": []}}, path)
    command = [sys.executable, "-m", "benchmarks", "run", "--only", "standardize",
               "--quick", "--rounds", "1", "--results", str(path)]
    subprocess.run(command, cwd=runner.ROOT, check=True, capture_output=True,
                   env=os.environ | {"PYTHONWARNINGS": "ignore"})
    assert list(runner.load(path)) == ["impute_100k", "standardize_100k"]
    ours, theirs = runner.load(path)["standardize_100k"]["cells"]
    assert ours["ours"] and ours["status"] == theirs["status"] == "ok"
    assert ours["fit_s"] > 0 and ours["memory"]["fit"]["traced"] >= 1


@pytest.mark.deep
@pytest.mark.parametrize("name", WORKLOADS)
def test_what_is_ours_is_found(name):
    data = WORKLOADS[name].make(True)
    for contender in entrants(name):
        if contender.ours:
            contender.prepare(data, 1)


def test_stored_results_are_those_of_the_table():
    results = runner.load()
    assert list(results) == [name for name in WORKLOADS if name in results]
    assert all(results[name]["family"] == WORKLOADS[name].family for name in results)
    assert report.RESULTS.read_text(encoding="utf-8") == report.render(results)
