"""How the package is used, with the types that a checker must see.

It is never run: `test_types` has mypy read it together with the package. A comment
`type: ignore` stands where mypy must object, and is an error where it does not.
"""

from typing import Literal, assert_type

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from supervised.basics import MajorityClassifier
from supervised.basics.explanations import Explanation, Part
from supervised.basics.tables import Attribute, MissingValueImputer, Standardizer
from supervised.bayes import MultinomialTextClassifier, NaiveBayesClassifier
from supervised.evaluation import compare_classifiers, paired_test, precision
from supervised.evaluation.engine.comparison import PairedResult, compare_pairs
from supervised.evaluation.engine.ranking import RocPlot
from supervised.features import FisherTransformer, MDLDiscretizer, SelectBest
from supervised.features.wrappers import WrapperSelector
from supervised.neighbors import KNNClassifier, MahalanobisMetric
from supervised.neighbors.engine.knn import _NeighborSearch
from supervised.trees import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
    ObliqueTreeClassifier,
)
from supervised.trees.engine.drawing import HtmlTree
from supervised.trees.engine.oblique import _ObliqueTree
from supervised.trees.engine.tree import Tree


def a_tree(X: pd.DataFrame, y: pd.Series) -> None:
    model = C45Classifier(pruning="pessimistic", smoothing="laplace").fit(X, y)
    assert_type(model, C45Classifier)
    assert_type(ID3Classifier().fit(X, y), ID3Classifier)
    assert_type(CARTClassifier().fit(X, y), CARTClassifier)
    assert_type(CHAIDClassifier().fit(X, y), CHAIDClassifier)
    assert_type(model.classes_, np.ndarray)
    assert_type(model.attributes_, tuple[Attribute, ...])
    assert_type(model.feature_names_in_, np.ndarray)
    assert_type(model.n_features_in_, int)
    assert_type(model.tree_, Tree)
    assert_type(model.n_leaves_, int)
    assert_type(model.depth_, int)
    assert_type(model.ccp_alpha_, float)
    assert_type(model.predict(X), np.ndarray)
    assert_type(model.predict_proba(X), np.ndarray)
    assert_type(model.importances(), "pd.Series")
    assert_type(model.show(), HtmlTree)
    assert_type(model.draw(), Axes)
    assert_type(C45Classifier.from_json(model.to_json()), C45Classifier)
    C45Classifier(criterion="gini")  # type: ignore[arg-type]
    C45Classifier(pruning="reduced")  # type: ignore[arg-type]
    CARTClassifier(cost_rule="tan")  # type: ignore[arg-type]
    ID3Classifier(smoothing="Laplace")  # type: ignore[arg-type]


def other_learners(X: pd.DataFrame, y: pd.Series) -> None:
    oblique = ObliqueTreeClassifier("margin").fit(X, y)
    assert_type(oblique, ObliqueTreeClassifier)
    assert_type(oblique.tree_, _ObliqueTree)
    neighbors = KNNClassifier(range(1, 40), weights="distance", algorithm="brute").fit(X, y)
    assert_type(neighbors, KNNClassifier)
    assert_type(neighbors.n_neighbors_, int)
    assert_type(neighbors.bandwidth_, float | None)
    assert_type(neighbors.search_, _NeighborSearch)
    assert_type(neighbors.search_.algorithm, Literal["kd_tree", "brute"])
    bayes = NaiveBayesClassifier(variance="population").fit(X, y)
    assert_type(bayes, NaiveBayesClassifier)
    assert_type(bayes.partial_fit(X, y), NaiveBayesClassifier)
    assert_type(bayes.prior_, np.ndarray)
    texts = MultinomialTextClassifier().fit(X, y)
    assert_type(texts, MultinomialTextClassifier)
    assert_type(texts.classes_, np.ndarray)
    assert_type(MultinomialTextClassifier.from_json(texts.to_json()),
                MultinomialTextClassifier)
    assert_type(MajorityClassifier().fit(X, y).class_weights_, np.ndarray)
    KNNClassifier(weights="near")  # type: ignore[arg-type]
    KNNClassifier(algorithm="tree")  # type: ignore[arg-type]
    NaiveBayesClassifier(variance="all")  # type: ignore[arg-type]


def transformers(X: pd.DataFrame, y: pd.Series) -> None:
    assert_type(MissingValueImputer(numeric_strategy="median").fit(X), MissingValueImputer)
    assert_type(Standardizer().fit(X).mean_, np.ndarray)
    assert_type(MDLDiscretizer().fit(X, y), MDLDiscretizer)
    assert_type(SelectBest(3, criterion="chi2").fit(X, y).scores_, np.ndarray)
    assert_type(FisherTransformer().fit(X, y).directions_, np.ndarray)
    assert_type(WrapperSelector(direction="floating").fit(X, y).history_, pd.DataFrame)
    assert_type(MahalanobisMetric().fit(X), MahalanobisMetric)
    MissingValueImputer(numeric_strategy="mode")  # type: ignore[arg-type]
    SelectBest(criterion="gains")  # type: ignore[arg-type]
    WrapperSelector(direction="up")  # type: ignore[arg-type]


def what_they_show(X: pd.DataFrame, y: pd.Series, model: C45Classifier) -> None:
    why = model.explain(X.iloc[[0]])
    assert_type(why, Explanation)
    assert_type(why.parts[0], Part)
    assert_type(why.probability, float)
    assert_type(why.plot(), Axes)
    assert_type(why.to_frame(), pd.DataFrame)
    curve = RocPlot.from_estimator(model, X, y)
    assert_type(curve, RocPlot)
    assert_type(curve.line_, Line2D)
    assert_type(curve.plot().ax_, Axes)
    report = compare_classifiers([model, CARTClassifier()], X, y)
    assert_type(report, pd.DataFrame)
    assert_type(paired_test(report, report), PairedResult)
    assert_type(precision(y, y, average="macro"), float)
    precision(y, y, average="mean")  # type: ignore[arg-type]
    assert_type(compare_pairs(report), pd.DataFrame)
