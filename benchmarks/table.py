"""What is measured: the workloads, and who takes part in them, ours and the peers.

A workload is a family of jobs and the data they meet; a contender enters the families it
names. A line of ours says in `against` which peers do the same work (a regular expression);
`only` is one on the names of workloads.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from . import data, jobs
from .jobs import estimator, function, liblinear, libsvm, orange, transformer, weka

QUICK_ROWS = 300


@dataclass(frozen=True)
class Workload:
    """A family of contenders and the data they meet in."""

    family: str
    build: Callable[..., Any]
    arguments: dict[str, Any] = field(default_factory=dict)

    def make(self, quick: bool = False) -> Any:
        """The data; with `quick`, of few rows."""
        arguments = dict(self.arguments)
        for name in ("n", "n_test") if quick else ():
            if arguments.get(name):
                arguments[name] = min(arguments[name], QUICK_ROWS)
        if quick and "support" in arguments:  # or every set would be frequent
            arguments["support"] = max(arguments["support"], 0.02)
        return self.build(**arguments)


@dataclass(frozen=True)
class Contender:
    """One entrant of the families it names, which are separated by blanks."""

    families: str
    name: str
    prepare: jobs.Prepare
    against: str = ""
    ours: bool = False
    threads: tuple[int, ...] = (1,)
    only: str = ""
    needs: str = ""

    def require(self) -> None:
        """Raise `NotAvailable` where a module it needs is not installed."""
        for module in self.needs.split():
            if importlib.util.find_spec(module) is None:
                raise data.NotAvailable(f"needs the module {module}")


def entrants(workload: str) -> list[Contender]:
    """Who takes part in a workload: ours first."""
    family = WORKLOADS[workload].family
    found = [c for c in CONTENDERS
             if family in c.families.split() and re.search(c.only, workload)]
    return sorted(found, key=lambda c: not c.ours)


# ------------------------------------ workloads

numeric, planted, text = data.numeric_table, data.planted_table, data.zipf_text
standard = partial(data.standardized, numeric)
standard_shipped = partial(data.standardized, data.shipped)
standard_pictures = partial(data.standardized, data.pictures)
three_classes = dict(levels=6, classes=3, rules=24, noise=0.1, seed=2)
ten_rules = dict(n_nominal=6, n_numeric=4, levels=4, rules=10, seed=4)
NUMBER = {"1k": 1_000, "10k": 10_000, "30k": 30_000, "100k": 100_000, "300k": 300_000,
          "1m": 1_000_000}


def on(family: str, build: Callable[..., Any], **arguments: Any) -> Workload:
    return Workload(family, build, arguments)


def growing(prefix: str, sizes: str, family: str, build: Callable[..., Any],
            **arguments: Any) -> dict[str, Workload]:
    """The same data with more and more rows."""
    return {f"{prefix}_{size}": on(family, build, n=NUMBER[size], **arguments)
            for size in sizes.split()}


WORKLOADS: dict[str, Workload] = {
    # basics, evaluation, features
    **{f"table_encode_{kind}": on("encode", data.mixed_frames, n=100_000, dtype=kind,
                                  seed=20)
       for kind in ("category", "str", "object", "distinct")},
    "indicators_100k": on("indicators", data.mixed_frames, n=100_000, numeric=0, seed=21),
    "impute_100k": on("impute", data.mixed_frames, n=100_000, seed=22),
    "standardize_100k": on("standardize", numeric, n=100_000, d=20, seed=23),
    "equal_width_100k": on("equal-width", numeric, n=100_000, d=20, seed=24),
    "equal_frequency_100k": on("equal-frequency", numeric, n=100_000, d=20, seed=24),
    "confusion_1m": on("confusion", data.judged, n=1_000_000, classes=20, seed=30),
    "confusion_text_1m": on("confusion", data.judged, n=1_000_000, classes=20, text=True,
                            seed=30),
    "roc_1m": on("roc", data.judged, n=1_000_000, seed=31),
    "roc_ties_1m": on("roc", data.judged, n=1_000_000, ties=True, seed=31),
    "gain_100k": on("gain", numeric, n=100_000, d=20, seed=32),
    "discriminant_100k": on("discriminant", numeric, n=100_000, d=50, seed=34),
    "discriminant_5_100k": on("discriminant", numeric, n=100_000, d=50, classes=5, seed=34),
    # trees
    "tree_num_cancer": on("tree-num", data.shipped, name="breast_cancer"),
    "tree_num_digits": on("tree-num", data.shipped, name="digits"),
    "tree_num_10k": on("tree-num", numeric, n=10_000, d=20, seed=1),
    "tree_num_100k": on("tree-num", numeric, n=100_000, d=20, seed=1),
    "tree_predict_100k": on("tree-num", numeric, n=20_000, d=20, seed=1, n_test=100_000),
    **growing("tree_growth", "10k 30k 100k 300k 1m", "tree-growth", numeric, d=20, seed=3,
              n_test=1000),
    "tree_cat_vote": on("tree-cat", data.loaded, name="votes"),
    "tree_cat_5k": on("tree-cat", planted, n=5_000, n_nominal=10, **three_classes),
    "tree_cat_50k": on("tree-cat", planted, n=50_000, n_nominal=10, **three_classes),
    "tree_mix_creditg": on("tree-cat", data.loaded, name="credit"),
    "tree_mix_miss_20k": on("tree-cat", planted, n=20_000, n_nominal=6, n_numeric=6,
                            levels=4, rules=15, missing=0.1, seed=3),
    # rules and associations
    "rules_vote": on("rules", data.loaded, name="votes"),
    "rules_creditg": on("rules", data.loaded, name="credit"),
    "rules_5k": on("rules", planted, n=5_000, **ten_rules),
    "rules_20k": on("rules", planted, n=20_000, **ten_rules),
    **growing("rules_growth", "1k 10k 100k 300k 1m", "rules-growth", planted, **ten_rules),
    "cba_iris": on("cba", data.discretized, name="iris"),
    "cba_vote": on("cba", data.loaded, name="votes"),
    "cba_10k": on("cba", planted, n=10_000, n_nominal=12, levels=4, classes=3, rules=15,
                  noise=0.1, seed=5),
    "cba_20k": on("cba", planted, n=20_000, n_nominal=15, levels=4, classes=3, rules=20,
                  noise=0.1, seed=6),
    "sets_10k": on("itemsets", data.quest_baskets, n=10_000, support=0.005, seed=7),
    "sets_100k": on("itemsets", data.quest_baskets, n=100_000, support=0.005, seed=7),
    "sets_100k_low": on("itemsets", data.quest_baskets, n=100_000, support=0.001, seed=7),
    **growing("sets_growth", "10k 100k 1m", "itemsets-growth", data.quest_baskets,
              support=0.005, seed=7),
    # probabilities and lines
    "nb_num_100k": on("nb", numeric, n=100_000, d=50, classes=5, seed=8),
    "nb_cat_100k": on("nb", planted, n=100_000, n_nominal=20, levels=8, classes=4, rules=30,
                      noise=0.1, seed=9),
    "nb_num_500k": on("nb", numeric, n=500_000, d=50, classes=5, seed=8),
    "nb_cat_500k": on("nb", planted, n=500_000, n_nominal=20, levels=8, classes=4, rules=30,
                      noise=0.1, seed=9),
    "nb_text_2k": on("nb-text", text, n=2_000, terms=5_000, seed=10),
    "nb_text_20k": on("nb-text", text, n=20_000, terms=50_000, seed=10),
    "lr_cancer": on("linear", data.shipped, name="breast_cancer"),
    "lr_digits": on("linear", data.shipped, name="digits"),
    "lr_10k": on("linear", numeric, n=10_000, d=50, seed=11),
    "lr_100k": on("linear", numeric, n=100_000, d=50, seed=11),
    "lines_text_20k": on("text-lines", data.two_halves, n=20_000, terms=50_000, seed=10),
    "l1_path_10k": on("l1-path", standard, n=10_000, d=50, seed=11),
    "perceptron_100k": on("perceptron", standard, n=100_000, d=50, seed=14),
    # support vectors, neighbors, networks
    "svm_cancer": on("svm", standard_shipped, name="breast_cancer"),
    "svm_digits": on("svm", data.shipped, name="digits"),
    "svm_text_20k": on("svm-text", data.two_halves, unit=True, n=20_000, terms=50_000,
                       seed=10),
    "svm_5k": on("svm", standard, n=5_000, d=20, seed=12),
    "svm_10k": on("svm", standard, n=10_000, d=20, seed=12),
    **growing("svm_growth", "1k 10k 30k", "svm-growth", standard, d=20, seed=12),
    "svm_growth_100k": on("svm-growth", standard, n=100_000, d=20, seed=12, n_test=1_000),
    "kernel_pca_digits": on("kernel-pca", data.shipped, name="digits"),
    "kernel_pca_5k": on("kernel-pca", standard, n=5_000, d=20, seed=12),
    "knn_5k_d8": on("knn", numeric, n=5_000, d=8, n_test=1_000, seed=13),
    "knn_50k_d3": on("knn", numeric, n=50_000, d=3, n_test=10_000, seed=13),
    "knn_50k_d8": on("knn", numeric, n=50_000, d=8, n_test=10_000, seed=13),
    "knn_50k_d30": on("knn", numeric, n=50_000, d=30, n_test=10_000, seed=13),
    "knn_choice_10k": on("knn-choice", numeric, n=10_000, d=8, n_test=0, seed=13),
    "mlp_iris": on("mlp", standard_shipped, name="iris"),
    "mlp_digits": on("mlp", standard_shipped, name="digits"),
    "mlp_epoch_60k": on("mlp-epoch", standard_pictures, n=60_000, n_test=10_000, seed=29),
    # ensembles
    "ens_cancer": on("ensemble", data.shipped, name="breast_cancer"),
    "ens_20k": on("ensemble", numeric, n=20_000, d=20, seed=15),
    "gradient_100k": on("gradient", numeric, n=100_000, d=20, seed=17),
    "boost_5k": on("boost", numeric, n=5_000, d=20, seed=16),
    "boost_50k": on("boost", numeric, n=50_000, d=20, seed=16),
}

# ------------------------------------ ours

BOTH = (1, 2)
JUDGED = {"scores": lambda d: (d.truth, d.scores),
          "labels": lambda d: (d.truth, d.predicted)}
columns_and_classes = lambda t: (t.numeric[t.train], t.y[t.train])  # noqa: E731


def ours(families: str, name: str, prepare: jobs.Prepare, against: str = "",
         **details: Any) -> Contender:
    return Contender(families, name, prepare, against, ours=True, **details)


def learner(families: str, name: str, path: str, against: str = "", jobs: bool = False,
            only: str = "", memory: bool = False, **parameters: Any) -> Contender:
    """A classifier of ours with its defaults, and these parameters."""
    prepare = estimator(path, jobs=jobs, memory=memory, **parameters)
    return ours(families, name, prepare, against, threads=BOTH if jobs else (1,), only=only)


OURS = [
    ours("encode", "TableEncoder", transformer("basics.TableEncoder")),
    ours("impute", "MissingValueImputer", transformer("basics.MissingValueImputer")),
    ours("indicators", "IndicatorEncoder", transformer("basics.IndicatorEncoder")),
    ours("standardize", "Standardizer", transformer("basics.Standardizer")),
    ours("equal-width", "EqualWidthDiscretizer",
         transformer("basics.EqualWidthDiscretizer")),
    ours("equal-frequency", "EqualFrequencyDiscretizer",
         transformer("basics.EqualFrequencyDiscretizer")),
    ours("confusion", "confusion_matrix",
         function("evaluation.confusion_matrix", JUDGED["labels"])),
    *(ours("roc", name, function(f"evaluation.ranking.{name}", JUDGED["scores"]), peer)
      for name, peer in [("roc_curve", "roc_curve"), ("roc_auc", "roc_auc"),
                         ("precision_recall_curve", "precision_recall"),
                         ("average_precision", "average_precision")]),
    ours("gain", "attribute_scores",
         function("features.attribute_scores", columns_and_classes)),
    learner("discriminant", "FisherClassifier", "features.FisherClassifier"),
    learner("tree-num tree-cat", "C4.5", "trees.C45Classifier", "J48$"),
    learner("tree-num tree-cat", "C4.5 unpruned", "trees.C45Classifier",
            "J48 unpruned|tree entropy", pruning=None),
    learner("tree-num", "CART gini", "trees.CARTClassifier", "tree gini"),
    learner("tree-num", "CART entropy", "trees.CARTClassifier", "tree entropy",
            criterion="entropy"),
    learner("tree-cat", "CART gini", "trees.CARTClassifier", "tree"),
    learner("tree-num tree-cat", "CHAID", "trees.CHAIDClassifier", "Orange"),
    learner("tree-num", "oblique discriminant", "trees.ObliqueTreeClassifier", "tree gini",
            only="cancer|digits|10k"),
    learner("tree-growth", "C4.5 unpruned", "trees.C45Classifier", memory=True,
            pruning=None),
    learner("tree-cat", "C4.5rules", "rules.C45RulesClassifier", "J48$", only="tree_mix"),
    learner("rules", "CN2", "rules.CN2Classifier", "Orange CN2$", only="vote|creditg|5k"),
    learner("rules", "CN2 unordered", "rules.CN2Classifier", "Orange CN2 unordered",
            only="vote|creditg|5k", ordered=False),
    learner("rules", "RIPPER", "rules.RIPPERClassifier", "JRip|wittgenstein RIPPER"),
    learner("rules", "PARTClassifier", "rules.PARTClassifier", "WEKA PART"),
    learner("rules", "I-REP", "rules.IREPClassifier", "wittgenstein IREP"),
    learner("rules", "RuleFit", "ensembles.RuleFitClassifier", "imodels RuleFit",
            only="vote|creditg"),
    learner("rules", "best rule list", "rules.OptimalRuleListClassifier", "no peer",
            only="vote", rule_cost=0.005),
    learner("rules-growth", "RIPPER", "rules.RIPPERClassifier", "JRip", memory=True),
    learner("rules-growth", "PART", "rules.PARTClassifier", "WEKA PART", memory=True),
    ours("itemsets", "frequent_itemsets", jobs.our_sets, "pyfim (eclat|fpgrowth)"),
    ours("itemsets-growth", "frequent_itemsets", jobs.our_growing_sets),
    ours("cba", "class_rules", jobs.our_class_rules, "pyfim"),
    ours("cba", "CBA", jobs.our_cba, "pyarc CBA"),
    learner("nb", "NaiveBayesClassifier", "bayes.NaiveBayesClassifier"),
    learner("nb-text", "MultinomialTextClassifier", "bayes.MultinomialTextClassifier",
            "MultinomialNB"),
    learner("nb-text", "BernoulliTextClassifier", "bayes.BernoulliTextClassifier",
            "BernoulliNB"),
    learner("linear", "LogisticClassifier", "linear.LogisticClassifier",
            "logistic (lbfgs|newton-cholesky)$|to 1e-6"),
    learner("text-lines", "LogisticClassifier", "linear.LogisticClassifier",
            "lbfgs|LIBLINEAR"),
    ours("l1-path", "l1_path", jobs.our_path, "saga|LIBLINEAR"),
    learner("perceptron", "PerceptronClassifier", "linear.PerceptronClassifier",
            "Perceptron$"),
    learner("svm", "SVMClassifier", "svm.SVMClassifier", "SVC rbf|LIBSVM rbf"),
    learner("svm-growth", "SVMClassifier", "svm.SVMClassifier", "SVC rbf|LIBSVM rbf",
            memory=True),
    learner("svm", "SVMClassifier linear", "svm.SVMClassifier", "SVC linear|LIBSVM linear",
            kernel="linear"),
    learner("svm svm-text", "LinearSVMClassifier hinge", "svm.LinearSVMClassifier",
            "LinearSVC hinge", loss="hinge"),
    learner("svm svm-text", "LinearSVMClassifier squared hinge", "svm.LinearSVMClassifier",
            "LinearSVC$", loss="squared_hinge"),
    ours("kernel-pca", "KernelPCA, 5 axes", transformer("svm.KernelPCA", n_components=5),
         "5 axes"),
    learner("knn", "KNNClassifier", "neighbors.KNNClassifier", "kNN|cKDTree", jobs=True,
            n_neighbors=5, metric="euclidean"),
    ours("knn-choice", "leave_one_out_errors", jobs.our_choice_of_k, threads=BOTH),
    learner("mlp", "NeuralNetworkClassifier adam", "neural.NeuralNetworkClassifier",
            "MLP adam", random_state=0),
    learner("mlp", "NeuralNetworkClassifier sgd 100 epochs",
            "neural.NeuralNetworkClassifier", "MLP sgd", random_state=0, solver="sgd",
            max_iter=100, n_iter_no_change=None),
    learner("mlp-epoch", "NeuralNetworkClassifier adam, one epoch",
            "neural.NeuralNetworkClassifier", "MLP adam", random_state=0, max_iter=1),
    learner("ensemble", "RandomForestClassifier", "ensembles.RandomForestClassifier",
            "random forest 100", jobs=True),
    learner("ensemble", "RandomForestClassifier fan", "ensembles.RandomForestClassifier",
            "extra trees 100", jobs=True, kind="fan"),
    learner("ensemble", "BaggingClassifier 50 C4.5", "ensembles.BaggingClassifier",
            "bagging 50", jobs=True, n_estimators=50),
    learner("boost", "AdaBoostClassifier 100 stumps", "ensembles.AdaBoostClassifier",
            "AdaBoost(M1)? 100 stumps"),
    learner("ensemble gradient", "GradientBoostingClassifier",
            "ensembles.GradientBoostingClassifier", "histogram boosting$", jobs=True,
            random_state=0),
    learner("ensemble gradient", "GradientBoostingClassifier 100 rounds",
            "ensembles.GradientBoostingClassifier",
            "histogram boosting 100|LightGBM|XGBoost", jobs=True, early_stopping=False),
]

# ------------------------------------ peers


def sklearn(families: str, name: str, path: str, how: str = "onehot", only: str = "",
            threads: tuple[int, ...] = (1,), jobs: bool = False,
            **parameters: Any) -> Contender:
    """A classifier of scikit-learn."""
    prepare = estimator(f"sklearn.{path}", how, jobs, **parameters)
    return Contender(families, f"scikit-learn {name}", prepare, threads=threads, only=only,
                     needs="sklearn")


def peer(families: str, name: str, prepare: jobs.Prepare, needs: str = "sklearn",
         **details: Any) -> Contender:
    return Contender(families, name, prepare, needs=needs, **details)


def by_weka(families: str, name: str, path: str, options: str = "",
            **details: Any) -> Contender:
    return peer(families, f"WEKA {name}", weka(path, options), "weka jpype", **details)


def column_by_column(nominal: tuple[str, dict], numeric: Any) -> jobs.Prepare:
    """scikit-learn's ColumnTransformer: one way for names, another for numbers."""
    def steps(frames: data.Frames) -> list[tuple]:
        path, how = nominal
        other = numeric if isinstance(numeric, str) else jobs.named(numeric[0])()
        return jobs.by_column(jobs.named(path)(**how), other)(frames)

    return transformer("sklearn.compose.ColumnTransformer", transformers=steps)


BINS = "sklearn.preprocessing.KBinsDiscretizer"
TREE, BAYES = "tree.DecisionTreeClassifier", "naive_bayes"
LOGISTIC, MLP = "linear_model.LogisticRegression", "neural_network.MLPClassifier"
LDA = "discriminant_analysis.LinearDiscriminantAnalysis"
HISTOGRAMS = "ensemble.HistGradientBoostingClassifier"
LEAF_OF_2: dict[str, Any] = {"min_samples_leaf": 2, "random_state": 0}

PEERS = [
    peer("encode", "scikit-learn OrdinalEncoder by column", column_by_column(
        ("sklearn.preprocessing.OrdinalEncoder",
         dict(handle_unknown="use_encoded_value", unknown_value=-1,
              encoded_missing_value=-2)), "passthrough")),
    peer("impute", "scikit-learn SimpleImputer by column", column_by_column(
        ("sklearn.impute.SimpleImputer", dict(strategy="most_frequent")),
        ("sklearn.impute.SimpleImputer",))),
    *(peer("indicators", f"scikit-learn OneHotEncoder, {kind}",
           transformer("sklearn.preprocessing.OneHotEncoder", handle_unknown="ignore",
                       sparse_output=kind == "sparse")) for kind in ("dense", "sparse")),
    peer("standardize", "scikit-learn StandardScaler",
         transformer("sklearn.preprocessing.StandardScaler")),
    peer("equal-width", "scikit-learn KBinsDiscretizer uniform",
         transformer(BINS, n_bins=5, encode="ordinal", strategy="uniform")),
    peer("equal-frequency", "scikit-learn KBinsDiscretizer quantile",
         transformer(BINS, n_bins=5, encode="ordinal", strategy="quantile",
                     subsample=None)),
    peer("confusion", "scikit-learn confusion_matrix",
         function("sklearn.metrics.confusion_matrix", JUDGED["labels"])),
    peer("roc", "scikit-learn roc_curve",
         function("sklearn.metrics.roc_curve", JUDGED["scores"], drop_intermediate=False)),
    *(peer("roc", f"scikit-learn {name}",
           function(f"sklearn.metrics.{name}", JUDGED["scores"]))
      for name in ("roc_auc_score", "precision_recall_curve", "average_precision_score")),
    sklearn("gain", "tree of depth 1", TREE, max_depth=1, criterion="entropy"),
    *(sklearn("discriminant", f"LDA {solver}", LDA, solver=solver)
      for solver in ("svd", "lsqr", "eigen")),
    # trees and rules
    sklearn("tree-num tree-cat", "tree gini", TREE, random_state=0),
    sklearn("tree-num tree-cat", "tree entropy", TREE, criterion="entropy", **LEAF_OF_2),
    sklearn("tree-growth", "tree entropy", TREE, only="10k|30k|100k", criterion="entropy",
            **LEAF_OF_2),
    sklearn("tree-cat", "tree on codes", TREE, "ordinal", **LEAF_OF_2),
    by_weka("tree-num tree-cat", "J48", "trees.J48"),
    by_weka("tree-num tree-cat", "J48 unpruned", "trees.J48", "-U"),
    by_weka("tree-num tree-cat", "REPTree", "trees.REPTree"),
    peer("tree-num tree-cat", "Orange tree", orange("TreeLearner", min_samples_leaf=2,
                                                    min_samples_split=2), "Orange"),
    by_weka("rules", "JRip", "rules.JRip", "-S 1"),
    by_weka("rules", "PART", "rules.PART"),
    # more rows than these take them minutes
    by_weka("rules-growth", "JRip", "rules.JRip", "-S 1", only="_1k|_10k"),
    by_weka("rules-growth", "PART", "rules.PART", only="_1k|_10k"),
    *(peer("rules", f"Orange {name}", orange(learner_name), "Orange",
           only="vote|creditg|5k")
      for name, learner_name in [("CN2", "CN2Learner"),
                                 ("CN2 unordered", "CN2UnorderedLearner")]),
    peer("rules", "imodels RuleFit", estimator("imodels.RuleFitClassifier", "onehot",
                                               max_rules=30, random_state=0),
         "imodels", only="vote|creditg"),
    *(peer("rules", f"wittgenstein {name}", jobs.wittgenstein(name), "wittgenstein")
      for name in ("RIPPER", "IREP")),
    # associations
    *(peer("itemsets", f"pyfim {name}", jobs.fim_sets(name), "fim")
      for name in ("apriori", "fpgrowth", "eclat")),
    *(peer("itemsets", f"mlxtend {name}", jobs.mlxtend_sets(name), "mlxtend")
      for name in ("apriori", "fpgrowth")),
    *(peer("cba", f"pyarc CBA {name.upper()}", jobs.pyarc(name), "pyarc fim")
      for name in ("m1", "m2")),
    *(peer("cba", f"pyfim {name} class rules", jobs.fim_class_rules(name), "fim pyarc")
      for name in ("apriori", "fpgrowth")),
    # probabilities and lines
    sklearn("nb", "GaussianNB", f"{BAYES}.GaussianNB", "numeric", only="num"),
    sklearn("nb", "CategoricalNB", f"{BAYES}.CategoricalNB", "code", only="cat"),
    peer("nb", "Orange naive Bayes", orange("NaiveBayesLearner"), "Orange", only="cat"),
    by_weka("nb", "NaiveBayes", "bayes.NaiveBayes", only="100k"),
    *(sklearn("nb-text", name, f"{BAYES}.{name}")
      for name in ("MultinomialNB", "BernoulliNB", "ComplementNB")),
    by_weka("nb-text", "NaiveBayesMultinomial", "bayes.NaiveBayesMultinomial"),
    sklearn("linear", "logistic lbfgs", LOGISTIC, threads=BOTH, max_iter=2000),
    sklearn("linear", "logistic newton-cholesky", LOGISTIC, threads=BOTH,
            solver="newton-cholesky", max_iter=2000),
    sklearn("text-lines", "logistic lbfgs", LOGISTIC, max_iter=2000),
    by_weka("linear", "Logistic", "functions.Logistic"),
    # LIBLINEAR's usual bound on the gradient ends at another optimum
    peer("linear text-lines", "LIBLINEAR logistic to 1e-6", liblinear("-s 0 -e 1e-6"),
         "liblinear"),
    peer("l1-path", "scikit-learn saga", jobs.saga_path),
    peer("l1-path", "LIBLINEAR L1", jobs.liblinear_path, "liblinear"),
    sklearn("perceptron", "Perceptron", "linear_model.Perceptron", random_state=0),
    sklearn("perceptron", "SGD hinge", "linear_model.SGDClassifier", random_state=0),
    # support vectors
    sklearn("svm", "SVC rbf gamma=scale", "svm.SVC"),
    sklearn("svm-growth", "SVC rbf gamma=scale", "svm.SVC", only="1k|10k|30k"),
    sklearn("svm", "SVC rbf gamma=1/d", "svm.SVC", gamma="auto"),
    sklearn("svm", "SVC linear", "svm.SVC", kernel="linear"),
    sklearn("svm svm-text", "LinearSVC", "svm.LinearSVC"),
    # a thousand epochs, as usual, end at a higher objective than the minimum
    sklearn("svm svm-text", "LinearSVC hinge", "svm.LinearSVC", loss="hinge",
            max_iter=20_000),
    peer("svm", "LIBSVM rbf gamma=1/d", libsvm("-t 2"), "libsvm"),
    peer("svm", "LIBSVM linear", libsvm("-t 0"), "libsvm"),
    peer("svm svm-text", "LIBLINEAR L1-loss dual", liblinear("-s 3"), "liblinear"),
    by_weka("svm", "SMO linear", "functions.SMO", "-N 2"),
    *(peer("kernel-pca", f"scikit-learn KernelPCA {solver}, 5 axes", transformer(
        "sklearn.decomposition.KernelPCA", n_components=5, kernel="rbf",
        eigen_solver=solver, random_state=0, gamma=lambda t: 1 / (
            t.numeric.shape[1] * t.numeric[t.train].var())),
           only="digits" if solver == "dense" else "") for solver in ("auto", "dense")),
    # neighbors, networks
    *(sklearn("knn", f"kNN {index}", "neighbors.KNeighborsClassifier", jobs=True,
              threads=BOTH if index in ("kd_tree", "brute") else (1,), n_neighbors=5,
              only="d3$|d8" if "tree" in index else "", algorithm=index)
      for index in ("kd_tree", "brute", "auto", "ball_tree")),
    peer("knn", "SciPy cKDTree", jobs.nearest_by_ckdtree, "scipy", threads=BOTH),
    peer("knn-choice", "scikit-learn GridSearchCV", jobs.choice_of_k, threads=BOTH),
    by_weka("knn", "IBk KDTree", "lazy.IBk",
            '-K 5 -A "weka.core.neighboursearch.KDTree"', only="d3$|d8"),
    sklearn("mlp", "MLP adam 100 units", MLP, threads=BOTH, random_state=0, max_iter=200),
    sklearn("mlp", "MLP sgd 100 units 100 epochs", MLP, threads=BOTH, solver="sgd",
            learning_rate_init=0.1, momentum=0.9, max_iter=100, n_iter_no_change=1000,
            random_state=0),
    sklearn("mlp-epoch", "MLP adam one epoch", MLP, threads=BOTH, random_state=0,
            max_iter=1),
    by_weka("mlp", "MLP 100 units 100 epochs", "functions.MultilayerPerceptron",
            "-H 100 -N 100"),
    # ensembles
    sklearn("ensemble", "random forest 100", "ensemble.RandomForestClassifier",
            threads=BOTH, jobs=True, random_state=0),
    sklearn("ensemble", "extra trees 100", "ensemble.ExtraTreesClassifier", threads=BOTH,
            jobs=True, random_state=0),
    sklearn("ensemble", "bagging 50 trees", "ensemble.BaggingClassifier", threads=BOTH,
            jobs=True, n_estimators=50, random_state=0),
    by_weka("ensemble", "random forest 100", "trees.RandomForest",
            "-I 100 -num-slots {t}", threads=BOTH),
    by_weka("ensemble", "bagging 50 J48", "meta.Bagging",
            "-I 50 -num-slots {t} -W weka.classifiers.trees.J48", threads=BOTH),
    sklearn("ensemble gradient", "histogram boosting", HISTOGRAMS, threads=BOTH,
            random_state=0),
    sklearn("ensemble gradient", "histogram boosting 100 rounds", HISTOGRAMS, threads=BOTH,
            early_stopping=False),
    # with the settings that are scikit-learn's
    peer("ensemble gradient", "LightGBM 100 rounds", estimator(
        "lightgbm.LGBMClassifier", "onehot", jobs=True, random_state=0, verbose=-1),
         "lightgbm", threads=BOTH),
    peer("ensemble gradient", "XGBoost 100 rounds", estimator(
        "xgboost.XGBClassifier", "onehot", jobs=True, max_leaves=31, max_depth=0,
        grow_policy="lossguide", tree_method="hist", max_bin=255, learning_rate=0.1,
        reg_lambda=0.0, random_state=0), "xgboost", threads=BOTH),
    sklearn("boost", "AdaBoost 100 stumps", "ensemble.AdaBoostClassifier",
            n_estimators=100, random_state=0),
    sklearn("boost", "gradient boosting 100 stumps", "ensemble.GradientBoostingClassifier",
            n_estimators=100, max_depth=1, random_state=0),
    by_weka("boost", "AdaBoostM1 100 stumps", "meta.AdaBoostM1", "-I 100"),
]

CONTENDERS = OURS + PEERS
