"""A real cluster of two processes: the same results, also when one of them is killed."""

import logging
import os
import signal

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.model_selection import GridSearchCV

from supervised.basics.datasets import load_breast_cancer, load_credit
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles import BaggingClassifier, RandomForestClassifier
from supervised.evaluation import evaluate
from supervised.features import FisherClassifier
from supervised.linear import LeastSquaresClassifier
from supervised.practice import fit_distributed
from supervised.trees import C45Classifier, CARTClassifier

X, Y = load_credit()


@pytest.fixture(scope="module")
def client():
    from dask.distributed import Client

    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0",
                silence_logs=logging.CRITICAL) as found:
        yield found
        found.shutdown()


# ------------------------------------ back ends, without a cluster


@pytest.mark.parametrize("backend", [
    "threading", pytest.param("loky", marks=pytest.mark.deep)])
def test_a_back_end_does_not_change_the_result(backend):
    alone = evaluate(CARTClassifier(max_depth=2), X, Y, 3, random_state=0)
    with parallel_config(backend):
        found = evaluate(CARTClassifier(max_depth=2), X, Y, 3, random_state=0, n_jobs=2)
    pd.testing.assert_frame_equal(alone, found)


def test_several_classifiers_go_there_too():
    models = [CARTClassifier(max_depth=1), NaiveBayesClassifier()]
    alone = evaluate(models, X, Y, 3, random_state=0)
    with parallel_config("threading"):
        pd.testing.assert_frame_equal(
            alone, evaluate(models, X, Y, 3, random_state=0, n_jobs=2))


# ------------------------------------ two processes


@pytest.mark.deep
def test_rounds_on_two_processes(client):
    model = RandomForestClassifier(5)
    alone = evaluate(model, X, Y, 4, ["accuracy", "roc_auc"], random_state=1)
    with parallel_config("dask"):
        found = evaluate(model, X, Y, 4, ["accuracy", "roc_auc"], random_state=1)
    pd.testing.assert_frame_equal(alone, found)
    assert len(set(client.run(os.getpid).values()) - {os.getpid()}) == 2


@pytest.mark.deep
@pytest.mark.parametrize("model", [
    GridSearchCV(C45Classifier(), {"confidence_factor": [0.1, 0.25]}, cv=3),
    RandomForestClassifier(8, n_jobs=2), RandomForestClassifier(8, "geurts", n_jobs=-1),
    BaggingClassifier(C45Classifier(), 6, n_jobs=2)])
def test_grids_and_ensembles_on_two_processes(client, model):
    alone = model.fit(X, Y).predict_proba(X)
    with parallel_config("dask"):
        assert (model.fit(X, Y).predict_proba(X) == alone).all()


@pytest.mark.deep
@pytest.mark.parametrize("model", [NaiveBayesClassifier(), FisherClassifier(),
                                   LeastSquaresClassifier()])
def test_summaries_on_two_processes_and_on_none(client, model, tmp_path):
    import dask
    import dask.dataframe as dd

    rows, labels = load_breast_cancer()
    dd.from_pandas(rows.assign(answer=labels), npartitions=5).to_parquet(tmp_path / "rows")
    table = dd.read_parquet(tmp_path / "rows")
    ask = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    there = getattr(fit_distributed(model, table, "answer"), ask)(rows)
    with dask.config.set(scheduler="synchronous"):
        here = getattr(fit_distributed(model, table, "answer"), ask)(rows)
    assert (there == here).all()
    whole = getattr(model.fit(rows, labels), ask)(rows)
    np.testing.assert_allclose(there, whole, rtol=1e-6, atol=1e-8)


def killed_once(part, mark):
    """The partition as it is; the first process that comes here is killed."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return part
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.deep
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_a_worker_is_killed(client, tmp_path):
    import dask.dataframe as dd

    table = dd.from_pandas(X.assign(answer=Y), npartitions=6)
    expected = fit_distributed(NaiveBayesClassifier(), table, "answer")
    before = set(client.run(os.getpid).values())
    mark = tmp_path / "mark"
    deadly = table.map_partitions(killed_once, str(mark), meta=table._meta)
    found = fit_distributed(NaiveBayesClassifier(), deadly, "answer")
    assert mark.exists()
    client.wait_for_workers(2)
    assert len(before & set(client.run(os.getpid).values())) == 1  # it did die
    assert (found.predict_proba(X) == expected.predict_proba(X)).all()
    assert (found.class_counts_ == expected.class_counts_).all()
