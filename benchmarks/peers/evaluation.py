"""scikit-learn's measures, scores of attributes, resampling and selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contenders import Job, peer
from ..data import Judged, Rows
from .scikit_learn import estimator


def of_judged(name: str, **options: Any) -> Any:
    """A function of `sklearn.metrics` on a million cases."""

    def prepare(data: Judged, threads: int) -> Job:
        from sklearn import metrics

        function = getattr(metrics, name)
        second = data.predicted if name == "confusion_matrix" else data.scores
        return Job(fit=lambda: function(data.truth, second, **options))

    return prepare


def each_against_rest(data: Judged, threads: int) -> Job:
    """The ROC curve of each class, and the one of all entries."""
    from sklearn.metrics import roc_curve
    from sklearn.preprocessing import label_binarize

    scores, classes = data.class_scores(), np.unique(data.truth)

    def curves() -> list[Any]:
        truth = label_binarize(data.truth, classes=classes)
        return [roc_curve(t, s, drop_intermediate=False)
                for t, s in [*zip(truth.T, scores.T, strict=True),
                             (truth.ravel(), scores.ravel())]]

    return Job(fit=curves)


def gain_by_stump(table: Rows, threads: int) -> Job:
    """The best entropy threshold of each attribute, as a tree of depth 1 finds it."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = table.numeric[table.train], table.y[table.train]
    return Job(fit=lambda: DecisionTreeClassifier(max_depth=1, criterion="entropy")
               .fit(X, y))


def folds(path: str) -> Any:
    """Ten-fold cross-validation of a classifier that costs next to nothing."""

    def prepare(table: Rows, threads: int) -> Job:
        import sklearn.dummy
        import sklearn.naive_bayes
        from sklearn.model_selection import StratifiedKFold, cross_validate

        classifier = {"dummy": sklearn.dummy.DummyClassifier,
                      "bayes": sklearn.naive_bayes.GaussianNB}[path]()
        cv = StratifiedKFold(10, shuffle=True, random_state=0)
        return Job(fit=lambda: cross_validate(classifier, table.numeric, table.y, cv=cv),
                   accuracy=lambda found: float(np.mean(found["test_score"])))

    return prepare


def forward_selection(table: Rows, threads: int) -> Job:
    """Half of the attributes by forward search, with naive Bayes inside."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    return Job(fit=lambda: SequentialFeatureSelector(
        GaussianNB(), n_features_to_select=table.numeric.shape[1] // 2,
        cv=cv).fit(table.numeric, table.y))


NEEDS = {"needs": ("sklearn",)}
peer("confusion", "scikit-learn confusion_matrix", of_judged("confusion_matrix"), **NEEDS)
peer("roc", "scikit-learn roc_curve",
     of_judged("roc_curve", drop_intermediate=False), **NEEDS)
peer("roc", "scikit-learn roc_auc_score", of_judged("roc_auc_score"), **NEEDS)
peer("roc", "scikit-learn precision_recall_curve",
     of_judged("precision_recall_curve"), **NEEDS)
peer("roc", "scikit-learn average_precision_score",
     of_judged("average_precision_score"), **NEEDS)
peer("roc-rest", "scikit-learn roc_curve of each class", each_against_rest, **NEEDS)
peer("gain", "scikit-learn tree of depth 1", gain_by_stump, **NEEDS)
LDA = "sklearn.discriminant_analysis.LinearDiscriminantAnalysis"
for solver in ("svd", "lsqr", "eigen"):
    peer("discriminant", f"scikit-learn LDA {solver}",
         estimator(LDA, solver=solver), **NEEDS)
peer("folds", "scikit-learn cross_validate DummyClassifier", folds("dummy"), **NEEDS)
peer("folds", "scikit-learn cross_validate GaussianNB", folds("bayes"), **NEEDS)
peer("wrapper", "scikit-learn SequentialFeatureSelector", forward_selection, **NEEDS)
