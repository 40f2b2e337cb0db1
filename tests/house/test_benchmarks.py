"""The benchmark harness: its workloads, its arithmetic,
one tiny cell, and its stored results."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import harness, report
from benchmarks.contenders import REGISTRY, NotAvailable
from benchmarks.data import fingerprint, mixed_frames, numeric_table
from benchmarks.workloads import WORKLOADS

CARRIED = """
import tree_num_cancer tree_num_digits tree_num_10k tree_num_100k tree_cat_vote tree_cat_5k
tree_cat_50k tree_mix_creditg tree_mix_miss_20k rules_vote rules_creditg rules_5k rules_20k cba_iris
cba_vote cba_10k cba_20k sets_supermarket sets_10k sets_100k sets_100k_low nb_num_100k nb_cat_100k
nb_text_reuters nb_text_2k nb_text_20k lr_cancer lr_digits lr_10k lr_100k svm_cancer svm_digits
svm_5k svm_10k knn_5k_d8 knn_50k_d3 knn_50k_d8 knn_50k_d30 mlp_iris mlp_digits perceptron_100k
ens_cancer ens_20k boost_5k boost_50k cv_iris cv_10k mdl_20k
""".split()  # noqa: E501
BASICS = """
table_encode_category table_encode_str table_encode_object table_encode_distinct indicators_100k
impute_100k standardize_100k equal_width_100k equal_frequency_100k majority_num_100k
majority_mix_100k rote_cat_100k import_classifier
""".split()  # noqa: E501


def test_no_workload_is_lost():
    assert len(CARRIED) == 49
    assert set(CARRIED + BASICS) <= set(WORKLOADS)


def test_every_family_has_a_peer_and_every_contender_a_family():
    families = {w.family for w in WORKLOADS.values()}
    entered = {f for c in REGISTRY if not c.ours for f in c.families}
    # nobody else sells a classifier that learns by heart
    assert families - entered == {"rote", "itemsets-growth"}
    assert {f for c in REGISTRY for f in c.families} <= families


@pytest.mark.parametrize("name", sorted(WORKLOADS))
def test_names_within_a_workload_are_distinct(name):
    names = [c.name for c in harness.entrants(name, WORKLOADS[name].family)]
    assert len(names) == len(set(names)) > 0


@pytest.mark.parametrize("name", sorted(WORKLOADS))
def test_data_are_the_same_every_time(name):
    try:
        first = WORKLOADS[name].make(quick=True)
    except NotAvailable as reason:
        pytest.skip(str(reason))
    assert fingerprint(first) == fingerprint(WORKLOADS[name].make(quick=True))
    json.dumps(first.describe())


def test_another_seed_is_other_data():
    assert (fingerprint(numeric_table(50, 4, seed=1))
            != fingerprint(numeric_table(50, 4, seed=2)))


def test_frames_are_what_they_are_said_to_be():
    frames = {d: mixed_frames(500, dtype=d)
              for d in ("category", "str", "object", "distinct")}
    shared, distinct = (frames[d].train["c0"].dropna() for d in ("object", "distinct"))
    assert shared.tolist() == distinct.tolist()
    assert len({id(v) for v in shared}) == shared.nunique() < len({id(v) for v in distinct})
    for found in frames.values():
        assert 8 <= found.train["c0"].nunique() <= 20
        assert 0 < found.train.isna().to_numpy().mean() < 0.1
        assert set(found.new["c0"].dropna()) - set(found.train["c0"]) <= {"unseen"}


@pytest.mark.parametrize("dtype", ["category", "str", "object", "distinct"])
def test_both_sides_of_table_encode_do_the_same_work(dtype):
    from benchmarks.ours import table_encoder
    from benchmarks.peers.encoders import ordinal_columns

    frames = mixed_frames(400, dtype=dtype)
    ours, theirs = table_encoder(frames, 1), ordinal_columns(frames, 1)
    mine, peer = ours.fit(), theirs.fit()
    for table, array in ((mine[1], peer[1]), (ours.predict(mine), theirs.predict(peer))):
        codes = np.where(array[:, :10] < 0, -1, array[:, :10])  # -1 unseen, -2 missing
        assert np.array_equal(table.codes, codes)
        assert np.array_equal(table.values, array[:, 10:].astype(float), equal_nan=True)


def test_a_ratio_is_our_time_by_that_of_the_fastest_rival():
    def cell(name, fit, predict, ours=False, threads=1, **rest):
        return {"contender": name, "ours": ours,
                "threads": threads, "status": "ok", "fit_s": fit,
                "predict_s": predict, "fit_runs": [fit], "fit_first_s": fit, **rest}

    cells = [cell("mine", 1.0, 3.0, ours=True, against="peer", accuracy=0.9),
             cell("peer a", 4.0, 2.0, accuracy=0.8),
             cell("peer b", 2.0, 6.0, accuracy=0.95),
             cell("peer c", 0.1, 0.1, threads=2),  # more threads: not compared
             cell("other", 0.1, 0.1),  # another job: not compared
             {"contender": "peer d", "ours": False, "threads": 1, "status": "timeout",
              "reason": "slow"}]
    [row] = report.ratios({"w": {"cells": cells}})
    assert (row["fit_ratio"]["ratio"], row["fit_ratio"]["peer"]) == (1 / 2, "peer b")
    assert ((row["predict_ratio"]["ratio"], row["predict_ratio"]["peer"])
            == (3 / 2, "peer a"))
    assert (row["both_ratio"]["ratio"], row["both_ratio"]["peer"]) == (4 / 6, "peer a")
    assert row["best_accuracy"] == 0.95


def smoke(*arguments: str) -> dict:
    command = [sys.executable, "-m", "benchmarks", "one", *arguments, "1", "--quick"]
    done = subprocess.run(command, cwd=harness.ROOT, capture_output=True, text=True,
                          check=True, env=os.environ | {"PYTHONWARNINGS": "ignore"})
    return json.loads(done.stdout.rpartition(harness.MARK)[2])


@pytest.mark.deep
@pytest.mark.parametrize("contender",
                         ["TableEncoder", "scikit-learn OrdinalEncoder by column"])
def test_one_small_cell(contender):
    cell = smoke("table_encode_category", contender)
    check_cell({"contender": contender, "ours": True, "threads": 1, "against": "", **cell})
    assert cell["status"] == "ok" and cell["data"]["rows"] == 300
    assert cell["fit_s"] > 0 and cell["predict_s"] > 0
    assert cell["memory"]["fit"]["traced"] >= 1


@pytest.mark.deep
def test_a_run_merges_into_what_is_stored(tmp_path):
    path = tmp_path / "results.json"
    harness.store({"import": {"family": "import", "data": {}, "machine": {}, "cells": []}},
                  path)
    quiet = dict(quick=True, rounds=1, path=path, report=lambda line: None)
    results = harness.run("standardize", **quiet)
    assert list(harness.load(path)) == ["import", "standardize_100k"]
    assert "Standardizer" in report.render(results
                                           | {"import": results["standardize_100k"]})


def check_cell(cell: dict) -> None:
    """The form that a stored cell has."""
    assert cell["status"] in ("ok", "not available", "timeout", "error")
    assert isinstance(cell["ours"], bool) and cell["threads"] >= 1
    assert not cell["ours"] or "against" in cell
    if cell["status"] != "ok":
        assert cell["reason"] and not cell["ours"]
        return
    for what in ("fit", "predict"):
        runs = cell.get(f"{what}_runs", [])
        assert all(r > 0 for r in runs)
        assert not runs or min(runs) <= cell[f"{what}_s"] <= max(runs)
    assert 0 <= cell.get("accuracy", 0) <= 1


def test_stored_results_have_the_form_of_a_run():
    results = harness.load()
    assert results, "no results are stored"
    assert list(results) == [name for name in WORKLOADS if name in results]
    for name, result in results.items():
        assert result["family"] == WORKLOADS[name].family
        assert {"python", "cores", "libraries"} <= set(result["machine"])
        for cell in result["cells"]:
            check_cell(cell)


def test_stored_results_do_not_tell_whose_machine_it_was():
    text = harness.RESULTS.read_text(encoding="utf-8")
    assert not [part for part in ("/home", "/tmp", "/usr", "/root", "Users")
                if part in text]


def test_the_table_is_that_of_the_stored_results():
    assert report.RESULTS.read_text(encoding="utf-8") == report.render(harness.load())
