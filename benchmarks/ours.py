"""Our contenders. A chapter adds a function that
prepares a `Job` and names the families it enters.

    @contender("tree-num tree-cat", "C4.5", against="J48")
    def c45(table, threads):
        from supervised.trees import C45Classifier

        return classifying(C45Classifier, table)

Imports stand inside the function: only the cell that is measured pays for them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .contenders import Job, contender
from .data import Baskets, Frames, Judged, Rows, arff_text
from .peers.encoders import size_of, transforming
from .peers.imports import FROM_SCRATCH, interpreter


def classifying(make: Callable[[], Any], table: Rows,
                size: Callable[[Any], dict] | None = None) -> Job:
    """Fit and predict with one of our classifiers.

    A table with nominal columns comes as a DataFrame of categories, any other as an array.
    """
    if table.text is not None:
        train, test = table.text[table.train], table.text[table.test]
    elif table.nominal.size:
        train, test = table.frame(table.train), table.frame(table.test)
    else:
        train, test = table.numeric[table.train], table.numeric[table.test]
    y = table.y[table.train]
    return Job(
        fit=lambda: make().fit(train, y),
        predict=lambda model: model.predict(test),
        labels=np.asarray,
        probabilities=lambda model: model.predict_proba(test),
        size=size)


# ------------------------------------------------------------------------------ basics

# a bare interpreter is the floor, not a rival
contender("import", "import supervised",
          against="^import")(interpreter("import supervised"))
contender("import-classifier", "from supervised.basics import MajorityClassifier",
          against="sklearn")(
              interpreter("from supervised.basics import MajorityClassifier"))


# a new process and an empty cache: imports, compiling and one fit
FIRST_FITS = {
    "bayes": ("NaiveBayesClassifier",), "features": ("FisherClassifier",),
    "trees": ("C45Classifier", "ID3Classifier", "CARTClassifier", "CHAIDClassifier"),
    "neighbors": ("KNNClassifier",),
    "rules": ("RIPPERClassifier", "PARTClassifier", "CN2Classifier", "C45RulesClassifier"),
    "associations": ("CBAClassifier", "CMARClassifier", "CPARClassifier"),
    "linear": ("LogisticClassifier", "PerceptronClassifier"),
    "svm": ("SVMClassifier", "LinearSVMClassifier"), "neural": ("NeuralNetworkClassifier",),
    "ensembles": ("BaggingClassifier", "RandomForestClassifier", "AdaBoostClassifier",
                  "GradientBoostingClassifier")}
for chapter, learners in FIRST_FITS.items():
    for learner in learners:
        importing = f"from supervised.{chapter} import {learner}"
        made = f"{learner}()"
        contender("first-fit", learner)(
            interpreter(FROM_SCRATCH.format(importing=importing, made=made)))


@contender("encode", "TableEncoder")
def table_encoder(frames: Frames, threads: int) -> Job:
    from supervised.basics import TableEncoder

    def fit() -> tuple[Any, Any]:
        encoder = TableEncoder()
        return encoder, encoder.fit_transform(frames.train)

    def size(result: Any) -> int:
        table = result[1] if isinstance(result, tuple) else result
        return size_of(table.codes) + size_of(table.values)

    return Job(fit=fit, predict=lambda model: model[0].transform(frames.new), nbytes=size)


@contender("frames", "learn_table of a polars frame")
def polars_frame(frames: Frames, threads: int) -> Job:
    import polars

    from supervised.basics import learn_table

    frame = polars.from_pandas(frames.train)
    return Job(fit=lambda: learn_table(frame))


@contender("arff", "read_arff")
def arff(frames: Frames, threads: int) -> Job:
    import io

    from supervised.basics.datasets import read_arff

    text = arff_text(frames)
    return Job(fit=lambda: read_arff(io.StringIO(text)))


@contender("impute", "MissingValueImputer")
def imputer(frames: Frames, threads: int) -> Job:
    from supervised.basics import MissingValueImputer

    return transforming(MissingValueImputer, frames.train, frames.new)


@contender("indicators", "IndicatorEncoder")
def indicators(frames: Frames, threads: int) -> Job:
    from supervised.basics import IndicatorEncoder

    return transforming(IndicatorEncoder, frames.train, frames.new)


def on_array(make: Callable[[], Any], table: Rows) -> Job:
    """A transformer on the numeric columns as an array."""
    return transforming(make, table.numeric[table.train], table.numeric[table.test])


@contender("standardize", "Standardizer")
def standardizer(table: Rows, threads: int) -> Job:
    from supervised.basics import Standardizer

    return on_array(Standardizer, table)


@contender("equal-width", "EqualWidthDiscretizer")
def equal_width(table: Rows, threads: int) -> Job:
    from supervised.basics import EqualWidthDiscretizer

    return on_array(EqualWidthDiscretizer, table)


@contender("equal-frequency", "EqualFrequencyDiscretizer")
def equal_frequency(table: Rows, threads: int) -> Job:
    from supervised.basics import EqualFrequencyDiscretizer

    return on_array(EqualFrequencyDiscretizer, table)


@contender("majority", "MajorityClassifier")
def majority(table: Rows, threads: int) -> Job:
    from supervised.basics import MajorityClassifier

    return classifying(MajorityClassifier, table)


@contender("rote", "RoteClassifier")
def rote(table: Rows, threads: int) -> Job:
    from supervised.basics import RoteClassifier

    return classifying(RoteClassifier, table)


# ------------------------------------------------------------------------------ evaluation


def of_judged(module: str, name: str) -> Callable[[Judged, int], Job]:
    """One of our measures on a million cases."""

    def prepare(data: Judged, threads: int) -> Job:
        function = getattr(importlib.import_module(f"supervised.evaluation.{module}"), name)
        second = data.predicted if name == "confusion_matrix" else data.scores
        return Job(fit=lambda: function(data.truth, second))

    return prepare


contender("confusion", "confusion_matrix")(of_judged("measures", "confusion_matrix"))
contender("roc", "roc_curve", against="roc_curve")(of_judged("ranking", "roc_curve"))
contender("roc", "roc_auc", against="roc_auc")(of_judged("ranking", "roc_auc"))
contender("roc", "precision_recall_curve",
          against="precision_recall")(of_judged("ranking", "precision_recall_curve"))
contender("roc", "average_precision",
          against="average_precision")(of_judged("ranking", "average_precision"))


@contender("roc-rest", "one_vs_rest_roc")
def one_against_rest(data: Judged, threads: int) -> Job:
    from supervised.evaluation.engine.ranking import one_vs_rest_roc

    scores = data.class_scores()
    return Job(fit=lambda: one_vs_rest_roc(data.truth, scores))


def ten_folds(name: str) -> Callable[[Rows, int], Job]:
    """`evaluate` around one of scikit-learn's cheapest classifiers."""

    def prepare(table: Rows, threads: int) -> Job:
        from sklearn.dummy import DummyClassifier
        from sklearn.naive_bayes import GaussianNB

        from supervised.evaluation import evaluate

        classifier = {"DummyClassifier": DummyClassifier, "GaussianNB": GaussianNB}[name]()
        return Job(fit=lambda: evaluate(classifier, table.numeric,
                                        table.y, cv=10, random_state=0),
                   accuracy=lambda report: float(report["mean"].iloc[0]))

    return prepare


for name in ("DummyClassifier", "GaussianNB"):
    contender("folds", f"evaluate {name}", against=name)(ten_folds(name))


# ------------------------------------------------------------------------------ features


@contender("gain", "attribute_scores")
def gains(table: Rows, threads: int) -> Job:
    from supervised.features import attribute_scores

    X, y = table.numeric[table.train], table.y[table.train]
    return Job(fit=lambda: attribute_scores(X, y))


@contender("mdl", "MDLDiscretizer")
def mdl(table: Rows, threads: int) -> Job:
    from supervised.features import MDLDiscretizer

    return Job(fit=lambda: MDLDiscretizer().fit(table.numeric, table.y),
               size=lambda model: {"cuts": sum(len(c) for c in model.cut_points_.values())})


@contender("discriminant", "FisherClassifier")
def fisher(table: Rows, threads: int) -> Job:
    from supervised.features import FisherClassifier

    return classifying(FisherClassifier, table)


@contender("wrapper", "WrapperSelector forward")
def wrapper(table: Rows, threads: int) -> Job:
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    from supervised.features import WrapperSelector

    half = table.numeric.shape[1] // 2
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    # an endless patience: it must take as many steps as its rival
    return Job(fit=lambda: WrapperSelector(GaussianNB(), direction="forward",
                                           cv=cv, max_attributes=half,
                                           n_iter_no_change
                                           =half).fit(table.numeric, table.y))


# ------------------------------------------------------------------------------ trees


def tree_size(model: Any) -> dict[str, int]:
    return {"leaves": model.n_leaves_, "nodes": model.n_nodes_}


def tree(name: str, **parameters: Any) -> Callable[[Rows, int], Job]:
    """One of our tree classifiers."""

    def prepare(table: Rows, threads: int) -> Job:
        make = getattr(importlib.import_module("supervised.trees"), name)
        return classifying(partial(make, **parameters), table, tree_size)

    return prepare


contender("tree-num tree-cat", "C4.5", against="J48$")(tree("C45Classifier"))
contender("tree-num tree-cat", "C4.5 unpruned",
          against="J48 unpruned|tree entropy")(tree("C45Classifier", pruning=None))
contender("tree-num", "CART gini", against="tree gini")(tree("CARTClassifier"))
contender("tree-num", "CART entropy",
          against="tree entropy")(tree("CARTClassifier", criterion="entropy"))
contender("tree-cat", "CART gini", against="tree")(tree("CARTClassifier"))
contender("tree-num tree-cat", "CHAID", against="Orange")(tree("CHAIDClassifier"))
contender("tree-num", "oblique discriminant", against="tree gini",
          only="cancer|digits|10k")(tree("ObliqueTreeClassifier"))


@contender("tree-growth", "C4.5 unpruned")
def growing_tree(table: Rows, threads: int) -> Job:
    """Growth in the number of rows; memory as a multiple of the input."""
    from supervised.trees import C45Classifier

    job = classifying(partial(C45Classifier, pruning=None), table, tree_size)
    job.nbytes = lambda result: table.numeric[table.train].nbytes
    return job


# ------------------------------------------------------------------------------ bayes


@contender("nb", "NaiveBayesClassifier")
def naive_bayes(table: Rows, threads: int) -> Job:
    from supervised.bayes import NaiveBayesClassifier

    return classifying(NaiveBayesClassifier, table)


@contender("nb-text", "MultinomialTextClassifier", against="MultinomialNB")
def multinomial_text(table: Rows, threads: int) -> Job:
    from supervised.bayes import MultinomialTextClassifier

    return classifying(MultinomialTextClassifier, table)


@contender("nb-text", "BernoulliTextClassifier", against="BernoulliNB")
def bernoulli_text(table: Rows, threads: int) -> Job:
    from supervised.bayes import BernoulliTextClassifier

    return classifying(BernoulliTextClassifier, table)


# ------------------------------------------------------------------------------ neighbors


@contender("knn", "KNNClassifier", threads=(1, 2), against="kNN|cKDTree")
def nearest_neighbors(table: Rows, threads: int) -> Job:
    from supervised.neighbors import KNNClassifier

    return classifying(partial(KNNClassifier, n_neighbors=5, metric="euclidean",
                               n_jobs=threads),
                       table)


@contender("knn-choice", "leave_one_out_errors", threads=(1, 2))
def choice_of_k(table: Rows, threads: int) -> Job:
    from supervised.neighbors import leave_one_out_errors

    choose = partial(leave_one_out_errors, metric="euclidean", n_jobs=threads)
    return Job(fit=lambda: choose(table.numeric, table.y, range(1, 51)),
               accuracy=lambda found: float(1 - found["error rate"].min()))


# ------------------------------------------------------------------------------ rules


def rule_sizes(model: Any) -> dict[str, int]:
    return {"rules": len(model.rules_), "conditions": model.rules_.n_conditions}


@contender("tree-cat", "C4.5rules", against="J48$", only="tree_mix")
def c45_rules(table: Rows, threads: int) -> Job:
    """Growth, rules of all leaves, and the choice among them: beside the tree's own fit."""
    from supervised.rules import C45RulesClassifier

    return classifying(C45RulesClassifier, table, rule_sizes)


@contender("rules", "CN2", against="Orange CN2$", only="vote|creditg|5k")
def cn2(table: Rows, threads: int) -> Job:
    from supervised.rules import CN2Classifier

    return classifying(CN2Classifier, table, rule_sizes)


@contender("rules", "CN2 unordered", against="Orange CN2 unordered",
           only="vote|creditg|5k")
def cn2_unordered(table: Rows, threads: int) -> Job:
    from supervised.rules import CN2Classifier

    return classifying(partial(CN2Classifier, ordered=False), table, rule_sizes)


@contender("rules", "RIPPER", against="JRip|wittgenstein RIPPER")
def ripper(table: Rows, threads: int) -> Job:
    from supervised.rules.engine.ripper import RIPPERClassifier

    return classifying(RIPPERClassifier, table, rule_sizes)


@contender("rules", "PARTClassifier", against="WEKA PART")
def partial_trees(table: Rows, threads: int) -> Job:
    from supervised.rules import PARTClassifier

    return classifying(PARTClassifier, table, rule_sizes)


@contender("rules", "I-REP", against="wittgenstein IREP")
def irep(table: Rows, threads: int) -> Job:
    from supervised.rules.engine.ripper import IREPClassifier

    return classifying(IREPClassifier, table, rule_sizes)


def growing_rules(name: str) -> Callable[[Rows, int], Job]:
    """Growth in the number of rows; memory as a multiple of the table."""

    def prepare(table: Rows, threads: int) -> Job:
        make = getattr(importlib.import_module("supervised.rules"), name)
        job = classifying(make, table, rule_sizes)
        nbytes = int(table.frame(table.train).memory_usage(index=False).sum())
        job.nbytes = lambda result: nbytes
        return job

    return prepare


contender("rules-growth", "RIPPER", against="JRip")(growing_rules("RIPPERClassifier"))
contender("rules-growth", "PART", against="WEKA PART")(growing_rules("PARTClassifier"))


# ---------------------------------------------------------------------------- associations


def itemset_count(found: Any) -> dict[str, int]:
    return {"item sets": len(found)}


@contender("itemsets", "frequent_itemsets", against="pyfim (eclat|fpgrowth)")
def itemsets(baskets: Baskets, threads: int) -> Job:
    """Lists in, frame out: reading the lists and making the frame are part of the time."""
    from supervised.associations import frequent_itemsets

    return Job(fit=lambda: frequent_itemsets(baskets.transactions, baskets.support),
               size=itemset_count)


@contender("itemsets-growth", "frequent_itemsets")
def growing_itemsets(baskets: Baskets, threads: int) -> Job:
    """Growth in the number of baskets; memory as a multiple of
    the compressed baskets and the result."""
    from scipy import sparse

    from supervised.associations import frequent_itemsets

    items, lengths = baskets.arrays()
    starts = np.concatenate([[0], np.cumsum(lengths)])
    matrix = sparse.csr_array((np.ones(len(items), dtype=bool), items.astype(np.int32),
                               starts.astype(np.int32)),
                              shape=(len(lengths), baskets.n_items))
    nbytes = matrix.indices.nbytes + matrix.indptr.nbytes
    return Job(fit=lambda: frequent_itemsets(matrix, baskets.support), size=itemset_count,
               nbytes=lambda found: nbytes + int(found.memory_usage(deep=True).sum()))


@contender("cba", "class_rules", against="pyfim")
def class_rule_miner(table: Rows, threads: int) -> Job:
    from supervised.associations import class_rules

    from .peers.associations import CONFIDENCE, LONGEST, class_support

    train, y = table.frame(table.train, "missing"), table.y[table.train]
    support = class_support(table)
    return Job(  # a rule of the peers has up to LONGEST items, its class included
        fit=lambda: class_rules(train, y, support, CONFIDENCE, max_rules=10**7,
                                max_length=LONGEST - 1),
        size=lambda rules: {"class rules": len(rules)})


@contender("cba", "CBA", against="pyarc CBA")
def cba(table: Rows, threads: int) -> Job:
    from supervised.associations import CBAClassifier

    from .peers.associations import CONFIDENCE, class_support

    train, test = (table.frame(part, "missing") for part in (table.train, table.test))
    y, support = table.y[table.train], class_support(table)
    return Job(  # without pruning, as pyarc has none
        fit=lambda: CBAClassifier(support, CONFIDENCE, pruning=False).fit(train, y),
        predict=lambda model: model.predict(test), labels=np.asarray,
        probabilities=lambda model: model.predict_proba(test),
        size=lambda model: {"rules": len(model.rules_)})


# ------------------------------------------------------------------------------ linear


@contender("linear", "LogisticClassifier",
           against="logistic (lbfgs|newton-cholesky)$|to 1e-6")
def logistic(table: Rows, threads: int) -> Job:
    from supervised.linear import LogisticClassifier

    return classifying(LogisticClassifier, table)


@contender("text-lines", "LogisticClassifier", against="lbfgs|LIBLINEAR")
def logistic_of_text(table: Rows, threads: int) -> Job:
    from supervised.linear import LogisticClassifier

    return classifying(LogisticClassifier, table)


@contender("l1-path", "l1_path", against="saga|LIBLINEAR")
def path_of_lines(table: Rows, threads: int) -> Job:
    from supervised.linear import l1_path

    X, y = table.numeric[table.train], table.y[table.train]
    Cs = 1 / np.geomspace(2000.0, 2.0, 20)
    return Job(fit=lambda: l1_path(X, y, Cs),
               size=lambda path: {"weights": int((path.coef[-1] != 0).sum())})


@contender("perceptron", "PerceptronClassifier", against="Perceptron$")
def perceptron(table: Rows, threads: int) -> Job:
    from supervised.linear import PerceptronClassifier

    job = classifying(PerceptronClassifier, table)
    job.probabilities = None  # it has scores only
    return job


# ------------------------------------------------------------------------------ svm


@contender("kernel-pca", "KernelPCA, 5 axes", against="5 axes")
def kernel_axes(table: Rows, threads: int) -> Job:
    from supervised.svm import KernelPCA

    return on_array(lambda: KernelPCA(5), table)


def vectors(model: Any) -> dict[str, Any]:
    return {"support vectors": int(model.n_support_.sum()),
            "steps": int(model.n_iter_.max())}


@contender("svm", "SVMClassifier", against="SVC rbf|LIBSVM rbf")
def vector_machine(table: Rows, threads: int) -> Job:
    from supervised.svm.engine.machines import SVMClassifier

    job = classifying(SVMClassifier, table, size=vectors)
    job.probabilities = None  # it has scores only
    return job


@contender("svm-growth", "SVMClassifier", against="SVC rbf|LIBSVM rbf")
def growing_vector_machine(table: Rows, threads: int) -> Job:
    """Growth in the number of rows; memory as a multiple of the table."""
    job = vector_machine(table, threads)
    nbytes = table.numeric[table.train].nbytes
    job.nbytes = lambda result: nbytes
    return job


@contender("svm", "SVMClassifier linear", against="SVC linear|LIBSVM linear")
def linear_vector_machine(table: Rows, threads: int) -> Job:
    from supervised.svm.engine.machines import SVMClassifier

    job = classifying(partial(SVMClassifier, "linear"), table, size=vectors)
    job.probabilities = None
    return job


def linear_machine(loss: str) -> Callable[[Rows, int], Job]:
    """The machine without a kernel."""

    def prepare(table: Rows, threads: int) -> Job:
        from supervised.svm.engine.linear import LinearSVMClassifier

        job = classifying(partial(LinearSVMClassifier, loss=loss), table)
        job.probabilities = None
        return job

    return prepare


contender("svm svm-text", "LinearSVMClassifier hinge",
          against="LinearSVC hinge")(linear_machine("hinge"))
contender("svm svm-text", "LinearSVMClassifier squared hinge",
          against="LinearSVC$")(linear_machine("squared_hinge"))


# ------------------------------------------------------------------------------ neural


def network(**parameters: Any) -> Callable[[Rows, int], Job]:
    """A network of 100 hidden units, as the peers have it; ours standardizes as well."""

    def prepare(table: Rows, threads: int) -> Job:
        from supervised.neural import NeuralNetworkClassifier

        return classifying(partial(NeuralNetworkClassifier, random_state=0, **parameters),
                           table, lambda model: {"max_iter": len(model.loss_curve_)})

    return prepare


contender("mlp", "NeuralNetworkClassifier adam", against="MLP adam")(network())
contender("mlp", "NeuralNetworkClassifier sgd 100 epochs", against="MLP sgd")(
    network(solver="sgd", max_iter=100, n_iter_no_change=None))
contender("mlp-epoch", "NeuralNetworkClassifier adam, one epoch", against="MLP adam")(
    network(max_iter=1))


# ------------------------------------------------------------------------------ ensembles


def boosting(**parameters: Any) -> Callable[[Rows, int], Job]:
    """AdaBoost with stumps, or with C4.5's trees for WEKA's."""

    def prepare(table: Rows, threads: int) -> Job:
        from supervised.ensembles.engine.boosting import AdaBoostClassifier
        from supervised.trees import C45Classifier

        trees = {"estimator": C45Classifier()} if parameters.get("trees") else {}
        rest = {name: value for name, value in parameters.items() if name != "trees"}
        return classifying(partial(AdaBoostClassifier, n_jobs=threads, **trees, **rest),
                           table, lambda model: {"members": len(model.estimators_)})

    return prepare


contender("boost", "AdaBoostClassifier 100 stumps", against="AdaBoost(M1)? 100 stumps")(
    boosting())
contender("boost", "AdaBoostClassifier 20 C4.5", against="AdaBoostM1 20 J48",
          only="5k")(boosting(trees=True, n_estimators=20))


def committee(name: str, **parameters: Any) -> Callable[[Rows, int], Job]:
    """A committee of this package, with so many threads."""

    def prepare(table: Rows, threads: int) -> Job:
        make = getattr(importlib.import_module("supervised.ensembles"), name)
        return classifying(partial(make, n_jobs=threads, **parameters), table,
                           lambda model: {"members": int(model.n_estimators)})

    return prepare


contender("ensemble", "RandomForestClassifier", threads=(1, 2),
          against="random forest 100")(committee("RandomForestClassifier"))
contender("ensemble", "RandomForestClassifier fan", threads=(1, 2),
          against="extra trees 100")(committee("RandomForestClassifier", kind="fan"))
contender("ensemble", "BaggingClassifier 50 C4.5", threads=(1, 2),
          against="bagging 50")(committee("BaggingClassifier", n_estimators=50))
contender("ensemble gradient", "GradientBoostingClassifier", threads=(1, 2),
          against="histogram boosting$")(
    committee("GradientBoostingClassifier", random_state=0))
contender("ensemble gradient", "GradientBoostingClassifier 100 rounds", threads=(1, 2),
          against="histogram boosting 100|LightGBM|XGBoost")(  # which don't stop early
    committee("GradientBoostingClassifier", early_stopping=False))
