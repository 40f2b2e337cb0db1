"""The workloads by name: what they measure (family) and how their data are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from . import data

QUICK_ROWS = 300


@dataclass(frozen=True)
class Workload:
    """A family of contenders and the data they meet in."""

    family: str
    build: Callable[..., Any]
    arguments: dict[str, Any] = field(default_factory=dict)

    def make(self, quick: bool = False):
        """The data; with `quick`, of few rows."""
        arguments = dict(self.arguments)
        if quick:
            for name in ("n", "n_test"):
                if arguments.get(name):
                    arguments[name] = min(arguments[name], QUICK_ROWS)
            if "support" in arguments:  # a tenth of a basket would make every set frequent
                arguments["support"] = max(arguments["support"], 0.02)
        return self.build(**arguments)


def on(family: str, build: Callable[..., Any], **arguments: Any) -> Workload:
    """A workload."""
    return Workload(family, build, arguments)


def two_halves(**how: Any) -> Any:
    """Zipf text whose ten classes are put together to two."""
    table = data.zipf_text(**how)
    table.y = (table.y < 5).astype(int)
    return table


def unit_texts(**how: Any) -> Any:
    """Such text in two classes with each row divided by its length."""
    table = two_halves(**how)
    rows = table.text.astype(float)
    table.text = (rows.multiply(1 / np.sqrt(rows.multiply(rows).sum(axis=1)))).tocsr()
    return table


standard_numeric = partial(data.standardized, data.numeric_table)
standard_shipped = partial(data.standardized, data.shipped)
standard_pictures = partial(data.standardized, data.pictures)
three_classes = dict(levels=6, classes=3, rules=24, noise=0.1, seed=2)
ten_rules = dict(n_nominal=6, n_numeric=4, levels=4, rules=10, seed=4)

WORKLOADS: dict[str, Workload] = {
    # basics
    "import": on("import", data.nothing),
    "import_classifier": on("import-classifier", data.nothing),
    "first_fit": on("first-fit", data.nothing),
    "table_encode_category": on("encode", data.mixed_frames,
                                n=100_000, dtype="category", seed=20),
    "table_encode_str": on("encode", data.mixed_frames, n=100_000, dtype="str", seed=20),
    "table_encode_object": on("encode", data.mixed_frames,
                              n=100_000, dtype="object", seed=20),
    "table_encode_distinct": on("encode", data.mixed_frames,
                                n=100_000, dtype="distinct", seed=20),
    "frames_polars_100k": on("frames", data.mixed_frames, n=100_000, dtype="str", seed=27),
    "arff_20k": on("arff", data.mixed_frames, n=20_000, dtype="str", seed=28),
    "indicators_100k": on("indicators", data.mixed_frames, n=100_000, numeric=0, seed=21),
    "impute_100k": on("impute", data.mixed_frames, n=100_000, seed=22),
    "standardize_100k": on("standardize", data.numeric_table, n=100_000, d=20, seed=23),
    "equal_width_100k": on("equal-width", data.numeric_table, n=100_000, d=20, seed=24),
    "equal_frequency_100k": on("equal-frequency", data.numeric_table,
                               n=100_000, d=20, seed=24),
    "majority_num_100k": on("majority", data.numeric_table, n=100_000, d=20, seed=25),
    "majority_mix_100k": on("majority", data.planted_table, n=100_000,
                            n_nominal=10, n_numeric=10, missing=0.05, seed=25),
    "rote_cat_100k": on("rote", data.planted_table, n=100_000,
                        n_nominal=10, levels=3, seed=26),
    # evaluation and features
    "confusion_1m": on("confusion", data.judged, n=1_000_000, classes=20, seed=30),
    "confusion_text_1m": on("confusion", data.judged, n=1_000_000,
                            classes=20, text=True, seed=30),
    "roc_1m": on("roc", data.judged, n=1_000_000, seed=31),
    "roc_ties_1m": on("roc", data.judged, n=1_000_000, ties=True, seed=31),
    "roc_rest_100k": on("roc-rest", data.judged, n=100_000, classes=5, seed=37),
    "gain_100k": on("gain", data.numeric_table, n=100_000, d=20, seed=32),
    "mdl_100k": on("mdl", data.numeric_table, n=100_000, d=20, n_test=0, seed=33),
    "discriminant_100k": on("discriminant", data.numeric_table, n=100_000, d=50, seed=34),
    "discriminant_5_100k": on("discriminant", data.numeric_table,
                              n=100_000, d=50, classes=5, seed=34),
    "folds_10k": on("folds", data.numeric_table, n=10_000, d=20, n_test=0, seed=35),
    "wrapper_2k": on("wrapper", data.numeric_table, n=2_000, d=12, n_test=0, seed=36),
    # trees
    "tree_num_cancer": on("tree-num", data.shipped, name="breast_cancer"),
    "tree_num_digits": on("tree-num", data.shipped, name="digits"),
    "tree_num_10k": on("tree-num", data.numeric_table, n=10_000, d=20, seed=1),
    "tree_num_100k": on("tree-num", data.numeric_table, n=100_000, d=20, seed=1),
    "tree_predict_100k": on("tree-num", data.numeric_table,
                            n=20_000, d=20, seed=1, n_test=100_000),
    "tree_growth_10k": on("tree-growth", data.numeric_table,
                          n=10_000, d=20, seed=3, n_test=1000),
    "tree_growth_30k": on("tree-growth", data.numeric_table,
                          n=30_000, d=20, seed=3, n_test=1000),
    "tree_growth_100k": on("tree-growth", data.numeric_table,
                           n=100_000, d=20, seed=3, n_test=1000),
    "tree_growth_300k": on("tree-growth", data.numeric_table,
                           n=300_000, d=20, seed=3, n_test=1000),
    "tree_growth_1m": on("tree-growth", data.numeric_table,
                         n=1_000_000, d=20, seed=3, n_test=1000),
    "tree_cat_vote": on("tree-cat", data.loaded, name="votes"),
    "tree_cat_5k": on("tree-cat", data.planted_table, n=5_000,
                      n_nominal=10, **three_classes),
    "tree_cat_50k": on("tree-cat", data.planted_table, n=50_000,
                       n_nominal=10, **three_classes),
    "tree_mix_creditg": on("tree-cat", data.loaded, name="credit"),
    "tree_mix_miss_20k": on("tree-cat", data.planted_table, n=20_000, n_nominal=6,
                            n_numeric=6, levels=4, rules=15, missing=0.1, seed=3),
    # rules and associations
    "rules_vote": on("rules", data.loaded, name="votes"),
    "rules_creditg": on("rules", data.loaded, name="credit"),
    "rules_5k": on("rules", data.planted_table, n=5_000, **ten_rules),
    "rules_20k": on("rules", data.planted_table, n=20_000, **ten_rules),
    "rules_growth_1k": on("rules-growth", data.planted_table, n=1_000, **ten_rules),
    "rules_growth_10k": on("rules-growth", data.planted_table, n=10_000, **ten_rules),
    "rules_growth_100k": on("rules-growth", data.planted_table, n=100_000, **ten_rules),
    "rules_growth_300k": on("rules-growth", data.planted_table, n=300_000, **ten_rules),
    "rules_growth_1m": on("rules-growth", data.planted_table, n=1_000_000, **ten_rules),
    "cba_iris": on("cba", data.discretized, name="iris"),
    "cba_vote": on("cba", data.loaded, name="votes"),
    "cba_10k": on("cba", data.planted_table, n=10_000, n_nominal=12, levels=4, classes=3,
                  rules=15, noise=0.1, seed=5),
    "cba_20k": on("cba", data.planted_table, n=20_000, n_nominal=15, levels=4, classes=3,
                  rules=20, noise=0.1, seed=6),
    "sets_supermarket": on("itemsets", data.supermarket, support=0.1),
    "sets_10k": on("itemsets", data.quest_baskets, n=10_000, support=0.005, seed=7),
    "sets_100k": on("itemsets", data.quest_baskets, n=100_000, support=0.005, seed=7),
    "sets_100k_low": on("itemsets", data.quest_baskets, n=100_000, support=0.001, seed=7),
    "sets_growth_10k": on("itemsets-growth", data.quest_baskets,
                          n=10_000, support=0.005, seed=7),
    "sets_growth_100k": on("itemsets-growth", data.quest_baskets,
                           n=100_000, support=0.005, seed=7),
    "sets_growth_1m": on("itemsets-growth", data.quest_baskets,
                         n=1_000_000, support=0.005, seed=7),
    # probabilities and linear models
    "nb_num_100k": on("nb", data.numeric_table, n=100_000, d=50, classes=5, seed=8),
    "nb_cat_100k": on("nb", data.planted_table, n=100_000, n_nominal=20,
                      levels=8, classes=4, rules=30, noise=0.1, seed=9),
    "nb_num_500k": on("nb", data.numeric_table, n=500_000, d=50, classes=5, seed=8),
    "nb_cat_500k": on("nb", data.planted_table, n=500_000, n_nominal=20,
                      levels=8, classes=4, rules=30, noise=0.1, seed=9),
    "nb_text_reuters": on("nb-text", data.reuters),
    "nb_text_2k": on("nb-text", data.zipf_text, n=2_000, terms=5_000, seed=10),
    "nb_text_20k": on("nb-text", data.zipf_text, n=20_000, terms=50_000, seed=10),
    "lr_cancer": on("linear", data.shipped, name="breast_cancer"),
    "lr_digits": on("linear", data.shipped, name="digits"),
    "lr_10k": on("linear", data.numeric_table, n=10_000, d=50, seed=11),
    "lr_100k": on("linear", data.numeric_table, n=100_000, d=50, seed=11),
    "lines_text_20k": on("text-lines", two_halves, n=20_000, terms=50_000, seed=10),
    "l1_path_10k": on("l1-path", standard_numeric, n=10_000, d=50, seed=11),
    # support vectors, neighbors, networks
    "svm_cancer": on("svm", standard_shipped, name="breast_cancer"),
    "svm_digits": on("svm", data.shipped, name="digits"),
    "svm_text_20k": on("svm-text", unit_texts, n=20_000, terms=50_000, seed=10),
    "svm_5k": on("svm", standard_numeric, n=5_000, d=20, seed=12),
    "svm_10k": on("svm", standard_numeric, n=10_000, d=20, seed=12),
    "svm_growth_1k": on("svm-growth", standard_numeric, n=1_000, d=20, seed=12),
    "svm_growth_10k": on("svm-growth", standard_numeric, n=10_000, d=20, seed=12),
    "svm_growth_30k": on("svm-growth", standard_numeric, n=30_000, d=20, seed=12),
    "svm_growth_100k": on("svm-growth", standard_numeric, n=100_000, d=20, seed=12,
                          n_test=1_000),
    "kernel_pca_digits": on("kernel-pca", data.shipped, name="digits"),
    "kernel_pca_5k": on("kernel-pca", standard_numeric, n=5_000, d=20, seed=12),
    "knn_5k_d8": on("knn", data.numeric_table, n=5_000, d=8, n_test=1_000, seed=13),
    "knn_50k_d3": on("knn", data.numeric_table, n=50_000, d=3, n_test=10_000, seed=13),
    "knn_50k_d8": on("knn", data.numeric_table, n=50_000, d=8, n_test=10_000, seed=13),
    "knn_50k_d30": on("knn", data.numeric_table, n=50_000, d=30, n_test=10_000, seed=13),
    "knn_choice_10k": on("knn-choice", data.numeric_table,
                         n=10_000, d=8, n_test=0, seed=13),
    "mlp_iris": on("mlp", standard_shipped, name="iris"),
    "mlp_digits": on("mlp", standard_shipped, name="digits"),
    "mlp_epoch_60k": on("mlp-epoch", standard_pictures,
                        n=60_000, n_test=10_000, seed=29),
    "perceptron_100k": on("perceptron", standard_numeric, n=100_000, d=50, seed=14),
    # ensembles, resampling, discretization
    "ens_cancer": on("ensemble", data.shipped, name="breast_cancer"),
    "ens_20k": on("ensemble", data.numeric_table, n=20_000, d=20, seed=15),
    "gradient_100k": on("gradient", data.numeric_table, n=100_000, d=20, seed=17),
    "boost_5k": on("boost", data.numeric_table, n=5_000, d=20, seed=16),
    "boost_50k": on("boost", data.numeric_table, n=50_000, d=20, seed=16),
    "cv_iris": on("cv", data.shipped, name="iris", test=0),
    "cv_10k": on("cv", data.numeric_table, n=10_000, d=20, n_test=0, seed=17),
    "mdl_20k": on("mdl", data.numeric_table, n=20_000, d=10, n_test=0, seed=18),
}
