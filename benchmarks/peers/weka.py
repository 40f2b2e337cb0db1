"""WEKA in this process, through python-weka-wrapper3 and JPype."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..contenders import Job, NotAvailable, Prepare, peer
from ..data import Baskets, Rows, fingerprint

CACHE = Path(__file__).resolve().parent.parent / "cache"
NEEDS = {"needs": ("weka", "jpype")}


def java(name: str) -> Any:
    """A Java class; the machine is started with the first."""
    import jpype
    import weka.core.jvm as jvm

    if not jpype.isJVMStarted():
        try:
            jpype.getDefaultJVMPath()
        except jpype.JVMNotFoundException as error:
            raise NotAvailable("needs Java") from error
        jvm.start(packages=False, max_heap_size="10g", logging_level=logging.ERROR)
    return jpype.JClass(name)


# ------------------------------------------------------------------------------ files


def write_rows(table: Rows, part: slice, file: io.TextIOBase) -> None:
    """A table as ARFF."""
    numbers = table.text if table.text is not None else table.numeric
    file.write("@relation x\n")
    file.write("".join(f"@attribute n{j} numeric\n" for j in range(numbers.shape[1])))
    for name, n_values, letter in [*((f"c{j}", n, "v") for j, n in enumerate(table.levels)),
                                   ("class", table.n_classes, "k")]:
        values = ",".join(f"{letter}{v}" for v in range(n_values))
        file.write(f"@attribute {name} {{{values}}}\n")
    file.write("@data\n")
    if table.text is not None:
        write_counts(table.text[part], table.y[part], file)
        return
    for x, codes, y in zip(table.numeric[part], table.nominal[part], table.y[part],
                           strict=True):
        cells = ["?" if v != v else repr(float(v)) for v in x]
        cells += ["?" if v < 0 else f"v{v}" for v in codes]
        file.write(",".join([*cells, f"k{y}"]) + "\n")


def write_counts(counts: Any, y: np.ndarray, file: io.TextIOBase) -> None:
    """Documents in ARFF's sparse notation."""
    counts = counts.tocsr()
    counts.sort_indices()
    for i, c in enumerate(y):
        a, b = counts.indptr[i], counts.indptr[i + 1]
        pairs = zip(counts.indices[a:b], counts.data[a:b], strict=True)
        cells = [f"{j} {int(v)}" for j, v in pairs] + [f"{counts.shape[1]} k{c}"]
        file.write("{" + ",".join(cells) + "}\n")


def write_baskets(baskets: Baskets, file: io.TextIOBase) -> None:
    """Baskets in ARFF's sparse notation."""
    file.write("@relation x\n")
    file.write("".join(f"@attribute i{j} {{f,t}}\n" for j in range(baskets.n_items))
               + "@data\n")
    for basket in baskets.transactions:
        file.write("{" + ",".join(f"{j} t" for j in basket) + "}\n")


def instances(data: Any, part: str, write: Callable[[io.TextIOBase], None]) -> Any:
    """WEKA's container, read from a file that is kept for the next cell."""
    CACHE.mkdir(exist_ok=True)
    path = CACHE / f"{data.name}_{fingerprint(data):08x}_{part}.arff"
    if not path.exists():
        unfinished = path.with_suffix(".part")
        with unfinished.open("w") as file:
            write(file)
        unfinished.replace(path)
    return java("weka.core.converters.ConverterUtils$DataSource").read(str(path))


def train_and_test(table: Rows) -> tuple[Any, Any]:
    """Both parts of a table, the last attribute the class."""
    found = []
    for part, rows in (("train", table.train), ("test", table.test)):
        read = instances(table, part, partial(write_rows, table, rows))
        read.setClassIndex(read.numAttributes() - 1)
        found.append(read)
    return found[0], found[1]


# ------------------------------------------------------------------------------ jobs


def new_classifier(name: str, options: str) -> Any:
    split = java("weka.core.Utils").splitOptions(options)
    return (java("weka.classifiers.AbstractClassifier")
            .forName(f"weka.classifiers.{name}", split))


def classifier(name: str, options: str = "",
               size: Callable[[Any], dict] | None = None) -> Prepare:
    """A classifier of WEKA; in its options `{t}` is threads and `{gamma}` 1/d."""

    def prepare(table: Rows, threads: int) -> Job:
        train, test = train_and_test(table)
        gamma = 1 / max(1, table.numeric.shape[1])
        given = options.replace("{t}", str(threads)).replace("{gamma}", str(gamma))

        def fit() -> Any:
            model = new_classifier(name, given)
            model.buildClassifier(train)
            return model

        def as_array(distributions: Any) -> np.ndarray:
            return np.array([list(row) for row in distributions])

        return Job(
            fit=fit,
            predict=lambda model: model.distributionsForInstances(test),
            labels=lambda prediction: as_array(prediction).argmax(1),
            probabilities=lambda model: as_array(model.distributionsForInstances(test)),
            size=size)

    return prepare


def cross_validation(name: str) -> Prepare:
    """Ten folds with WEKA's own evaluation."""

    def prepare(table: Rows, threads: int) -> Job:
        train, _ = train_and_test(table)

        def fit() -> float:
            evaluation = java("weka.classifiers.Evaluation")(train)
            seed = java("java.util.Random")(1)
            evaluation.crossValidateModel(new_classifier(name, ""), train, 10, seed)
            return evaluation.pctCorrect() / 100

        return Job(fit=fit, accuracy=float)

    return prepare


def mdl_cuts(table: Rows, threads: int) -> Job:
    """Fayyad and Irani's cut points."""
    train, _ = train_and_test(table)
    use_filter = java("weka.filters.Filter").useFilter

    def fit() -> Any:
        cutter = java("weka.filters.supervised.attribute.Discretize")()
        cutter.setInputFormat(train)
        use_filter(train, cutter)
        return cutter

    def size(cutter: Any) -> dict[str, int]:
        points = [cutter.getCutPoints(j) or [] for j in range(train.numAttributes() - 1)]
        return {"cuts": sum(len(p) for p in points)}

    return Job(fit=fit, size=size)


def class_rules(table: Rows, threads: int) -> Job:
    """Class association rules by Apriori (mining alone: WEKA's core has no CBA)."""
    from .associations import CONFIDENCE, class_support

    train, _ = train_and_test(table)
    support = class_support(table)
    options = f"-A -N 2000000 -T 0 -C {CONFIDENCE} -D {1 - support} -U 1.0 -M {support}"

    def fit() -> Any:
        miner = java("weka.associations.Apriori")()
        miner.setOptions(java("weka.core.Utils").splitOptions(options))
        return miner.mineCARs(train)

    return Job(fit=fit, size=lambda found: {"rules": len(found[0]) if found[0] else 0})


def frequent_sets(baskets: Baskets, threads: int) -> Job:
    """Frequent sets by FP-growth."""
    read = instances(baskets, "baskets", partial(write_baskets, baskets))
    s = baskets.support
    options = f"-P 2 -I -1 -N 1 -T 0 -C 0.999 -D 0.05 -U {s} -M {s}"

    def fit() -> Any:
        miner = java("weka.associations.FPGrowth")()
        miner.setOptions(java("weka.core.Utils").splitOptions(options))
        miner.buildAssociations(read)
        return miner

    return Job(fit=fit)


def tree_size(model: Any) -> dict[str, int]:
    return {"leaves": int(model.measureNumLeaves()), "nodes": int(model.measureTreeSize())}


def nodes(model: Any) -> dict[str, int]:
    return {"nodes": int(model.numNodes())}


def rules(model: Any) -> dict[str, int]:
    by_name = hasattr(model, "getMeasure")
    return {"rules": int(model.getMeasure("measureNumRules") if by_name
                         else model.measureNumRules())}


def register(families: str, name: str, path: str, options: str = "", size: Any = None,
             **details: Any) -> None:
    """A WEKA peer."""
    peer(families, f"WEKA {name}", classifier(path, options, size), **NEEDS, **details)


BOTH = {"threads": (1, 2)}
register("tree-num tree-cat", "J48", "trees.J48", "", tree_size)
register("tree-num tree-cat", "J48 unpruned", "trees.J48", "-U", tree_size)
register("tree-num tree-cat", "REPTree", "trees.REPTree", "", nodes)
register("rules", "JRip", "rules.JRip", "-S 1", rules)
register("rules", "PART", "rules.PART", "", rules)
# more rows than these take them minutes
register("rules-growth", "JRip", "rules.JRip", "-S 1", rules, only="_1k|_10k")
register("rules-growth", "PART", "rules.PART", "", rules, only="_1k|_10k")
register("nb", "NaiveBayes", "bayes.NaiveBayes", only="100k")
register("nb-text", "NaiveBayesMultinomial", "bayes.NaiveBayesMultinomial")
register("linear", "Logistic", "functions.Logistic")
register("svm", "SMO linear", "functions.SMO", "-N 2")
register("svm", "SMO rbf gamma=1/d", "functions.SMO",
         '-N 2 -K "weka.classifiers.functions.supportVector.RBFKernel -G {gamma}"')
register("knn", "IBk KDTree", "lazy.IBk", '-K 5 -A "weka.core.neighboursearch.KDTree"',
         only="d3$|d8")
register("knn", "IBk linear", "lazy.IBk", "-K 5", only="5k|d3$")
register("mlp", "MLP 100 units 100 epochs", "functions.MultilayerPerceptron",
         "-H 100 -N 100")
register("ensemble", "random forest 100", "trees.RandomForest",
         "-I 100 -num-slots {t}", **BOTH)
register("ensemble", "bagging 50 J48", "meta.Bagging",
         "-I 50 -num-slots {t} -W weka.classifiers.trees.J48", **BOTH)
register("boost", "AdaBoostM1 100 stumps", "meta.AdaBoostM1", "-I 100")
register("boost", "AdaBoostM1 20 J48", "meta.AdaBoostM1",
         "-I 20 -W weka.classifiers.trees.J48",
         only="5k")
peer("cv", "WEKA cross-validated J48", cross_validation("trees.J48"), **NEEDS)
peer("cv", "WEKA cross-validated NaiveBayes", cross_validation("bayes.NaiveBayes"), **NEEDS)
peer("mdl", "WEKA Discretize", mdl_cuts, **NEEDS)
peer("cba", "WEKA Apriori class rules", class_rules, **NEEDS)
peer("itemsets", "WEKA FPGrowth", frequent_sets, **NEEDS)
