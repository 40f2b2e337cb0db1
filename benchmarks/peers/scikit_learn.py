"""scikit-learn's classifiers, and imodels and SciPy, which take the same arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..contenders import Job, Prepare, peer
from ..data import Rows

BOTH = (1, 2)


def encoded(table: Rows, how: str) -> Any:
    """The columns as estimators take them that only know numbers.

    `onehot` has a column for each value, all zero where it is missing; `ordinal` keeps
    codes and NaN; `code` makes missing a value of its own; `numeric` leaves nominal
    columns out.
    """
    if table.text is not None:
        return table.text
    if table.nominal.shape[1] == 0 or how == "numeric":
        return table.numeric
    if how == "ordinal":
        codes = table.nominal.astype(float)
        return np.hstack([table.numeric, np.where(codes < 0, np.nan, codes)])
    if how == "code":
        return table.nominal + int(table.has_missing)
    columns = [table.nominal[:, [j]] == np.arange(n) for j, n in enumerate(table.levels)]
    return np.hstack([table.numeric, *columns]).astype(float)


def train_and_test(table: Rows, how: str) -> tuple[Any, Any]:
    """Encoded training and hold-out rows; one-hot rows have missing numbers imputed."""
    X = encoded(table, how)
    train, test = X[table.train], X[table.test]
    if how == "onehot" and table.text is None and np.isnan(train).any():
        from sklearn.impute import SimpleImputer

        imputer = SimpleImputer().fit(train)
        train, test = imputer.transform(train), imputer.transform(test)
    return train, test


def construct(path: str, parameters: dict[str, Any]) -> Any:
    """An object of the class named by module and class,
    `sklearn.tree.DecisionTreeClassifier`."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)(**parameters)


def estimator(path: str, how: str = "onehot", size: Callable[[Any], dict] | None = None,
              jobs: bool = False, **parameters: Any) -> Prepare:
    """A contender made of an estimator with fit and predict."""

    def prepare(table: Rows, threads: int) -> Job:
        train, test = train_and_test(table, how)
        y = table.y[table.train]
        given = parameters | ({"n_jobs": threads} if jobs else {})
        construct(path, given)  # the import is not timed
        has_scores = hasattr(construct(path, given), "predict_proba")
        return Job(
            fit=lambda: construct(path, given).fit(train, y),
            predict=lambda model: model.predict(test),
            labels=np.asarray,
            probabilities=(lambda model: model.predict_proba(test)) if has_scores else None,
            size=size)

    return prepare


def cross_validation(path: str, **parameters: Any) -> Prepare:
    """Ten folds, stratified and shuffled."""

    def prepare(table: Rows, threads: int) -> Job:
        from sklearn.model_selection import StratifiedKFold, cross_val_score

        X = table.X
        model = construct(path, parameters)
        folds = StratifiedKFold(10, shuffle=True, random_state=1)
        return Job(fit=lambda: cross_val_score(model, X, table.y, cv=folds, n_jobs=threads),
                   accuracy=np.mean)

    return prepare


def nearest_by_ckdtree(table: Rows, threads: int, k: int = 5) -> Job:
    """SciPy's kd-tree and a majority vote."""
    from scipy.spatial import cKDTree

    train, test = table.numeric[table.train], table.numeric[table.test]
    y, rows = table.y[table.train], np.arange(len(test))[:, None]

    def predict(tree: Any) -> np.ndarray:
        votes = np.zeros((len(test), table.n_classes))
        np.add.at(votes, (rows, y[tree.query(test, k, workers=threads)[1]]), 1)
        return votes.argmax(1)

    return Job(fit=lambda: cKDTree(train), predict=predict, labels=np.asarray)


def choice_of_k(table: Rows, threads: int) -> Job:
    """The best of 50 values of k, by ten-fold cross-validation."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier

    grid, X, y = {"n_neighbors": list(range(1, 51))}, table.numeric, table.y
    return Job(fit=lambda: GridSearchCV(KNeighborsClassifier(), grid,
                                        cv=10, n_jobs=threads).fit(X, y),
               accuracy=lambda search: float(search.best_score_))


def mdl_by_imodels(table: Rows, threads: int) -> Job:
    """imodels' discretizer after Fayyad and Irani."""
    import pandas as pd
    from imodels import MDLPDiscretizer

    frame = pd.DataFrame(table.numeric).add_prefix("n").assign(**{"class": table.y})
    names = list(frame.columns[:-1])
    return Job(fit=lambda: MDLPDiscretizer(dataset=frame.copy(), class_label="class"),
               size=lambda model: {"cuts": sum(len(model._cuts[n]) for n in names)})


def tree_size(model: Any) -> dict[str, int]:
    return {"leaves": int(model.get_n_leaves()), "nodes": int(model.tree_.node_count),
            "depth": int(model.get_depth())}


def forest_size(model: Any) -> dict[str, int]:
    return {"leaves": int(sum(tree.get_n_leaves() for tree in model.estimators_))}


def epochs(model: Any) -> dict[str, int]:
    return {"epochs": int(model.n_iter_)}


def vectors(model: Any) -> dict[str, int]:
    return {"support vectors": int(model.n_support_.sum()),
            "steps": int(np.max(model.n_iter_))}


def register(families: str, name: str, path: str,
             threads: tuple[int, ...] = (1,), only: str = "",
             **details: Any) -> None:
    """A scikit-learn peer."""
    peer(families, f"scikit-learn {name}", estimator(f"sklearn.{path}", **details),
         threads=threads, only=only, needs=("sklearn",))


TREE = "tree.DecisionTreeClassifier"
register("tree-num tree-cat", "tree gini", TREE, size=tree_size, random_state=0)
register("tree-num tree-cat", "tree entropy", TREE, size=tree_size, criterion="entropy",
         min_samples_leaf=2, random_state=0)
register("tree-growth", "tree entropy", TREE, size=tree_size, criterion="entropy",
         only="10k|30k|100k", min_samples_leaf=2, random_state=0)
register("tree-cat", "tree on codes", TREE, how="ordinal",
         size=tree_size, min_samples_leaf=2,
         random_state=0)
peer("tree-num tree-cat", "imodels C4.5", estimator("imodels.C45TreeClassifier"),
     only="cancer|vote|tree_cat_5k|creditg", needs=("imodels",))

BAYES = "naive_bayes"
register("nb", "GaussianNB", f"{BAYES}.GaussianNB", how="numeric", only="num")
register("nb", "CategoricalNB", f"{BAYES}.CategoricalNB", how="code", only="cat")
for model_name in ("MultinomialNB", "BernoulliNB", "ComplementNB"):
    register("nb-text", model_name, f"{BAYES}.{model_name}")

LOGISTIC = "linear_model.LogisticRegression"
LDA = "discriminant_analysis.LinearDiscriminantAnalysis"
register("linear", "logistic lbfgs", LOGISTIC, BOTH, max_iter=2000)
register("linear", "logistic newton-cholesky", LOGISTIC, BOTH, solver="newton-cholesky",
         max_iter=2000)
register("linear", "logistic newton-cholesky, no penalty", LOGISTIC, BOTH, only="10",
         solver="newton-cholesky", C=np.inf, max_iter=2000)
register("text-lines", "logistic lbfgs", LOGISTIC, max_iter=2000)
register("linear", "LDA svd", LDA, BOTH)
register("linear", "LDA lsqr", LDA, BOTH, solver="lsqr")
# without some shrinkage QDA gives up on columns that depend on one another
register("linear", "QDA", "discriminant_analysis.QuadraticDiscriminantAnalysis", BOTH,
         only="cancer|10", reg_param=0.001)

register("svm", "SVC rbf gamma=scale", "svm.SVC", size=vectors)
register("svm", "SVC rbf gamma=1/d", "svm.SVC", size=vectors, gamma="auto")
register("svm", "SVC linear", "svm.SVC", size=vectors, kernel="linear")
register("svm-growth", "SVC rbf gamma=scale", "svm.SVC", only="1k|10k|30k", size=vectors)
register("svm svm-text", "LinearSVC", "svm.LinearSVC")
# a thousand walks, as usual, end at a higher objective than the minimum
register("svm svm-text", "LinearSVC hinge", "svm.LinearSVC", loss="hinge", max_iter=20_000)


def kernel_axes(table: Rows, threads: int, solver: str = "auto") -> Job:
    """The first axes of a Gaussian kernel with the width that SVC has by default."""
    from sklearn.decomposition import KernelPCA

    first, new = table.numeric[table.train], table.numeric[table.test]
    gamma = 1 / (first.shape[1] * first.var())

    def fit() -> tuple[Any, Any]:
        model = KernelPCA(5, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0)
        return model, model.fit_transform(first)

    return Job(fit=fit, predict=lambda found: found[0].transform(new))


for solver in ("auto", "dense"):
    peer("kernel-pca", f"scikit-learn KernelPCA {solver}, 5 axes",
         partial(kernel_axes, solver=solver), needs=("sklearn",),
         only="digits" if solver == "dense" else "")

for index in ("kd_tree", "brute", "auto", "ball_tree"):
    register("knn", f"kNN {index}", "neighbors.KNeighborsClassifier", jobs=True,
             threads=BOTH if index in ("kd_tree", "brute") else (1,), n_neighbors=5,
             only="d3$|d8" if "tree" in index else "", algorithm=index)
peer("knn", "SciPy cKDTree", nearest_by_ckdtree, threads=BOTH, needs=("scipy",))
peer("knn-choice", "scikit-learn GridSearchCV", choice_of_k, threads=BOTH,
     needs=("sklearn",))

MLP = "neural_network.MLPClassifier"
register("mlp", "MLP adam 100 units", MLP, BOTH, size=epochs, random_state=0, max_iter=200)
register("mlp", "MLP sgd 100 units 100 epochs", MLP, BOTH, size=epochs, solver="sgd",
         learning_rate_init=0.1, momentum=0.9, max_iter=100, n_iter_no_change=1000,
         random_state=0)
register("mlp-epoch", "MLP adam one epoch", MLP, BOTH, size=epochs, random_state=0,
         max_iter=1)
register("perceptron", "Perceptron", "linear_model.Perceptron", size=epochs, random_state=0)
register("perceptron", "SGD hinge", "linear_model.SGDClassifier", size=epochs,
         random_state=0)

register("ensemble", "random forest 100",
         "ensemble.RandomForestClassifier", BOTH, jobs=True,
         size=forest_size, n_estimators=100, random_state=0)
register("ensemble", "extra trees 100", "ensemble.ExtraTreesClassifier", BOTH, jobs=True,
         n_estimators=100, random_state=0)
register("ensemble", "bagging 50 trees", "ensemble.BaggingClassifier", BOTH, jobs=True,
         n_estimators=50, random_state=0)
register("ensemble gradient", "histogram boosting",
         "ensemble.HistGradientBoostingClassifier", BOTH, random_state=0)
register("ensemble gradient", "histogram boosting 100 rounds",
         "ensemble.HistGradientBoostingClassifier", BOTH, early_stopping=False)
register("boost", "AdaBoost 100 stumps", "ensemble.AdaBoostClassifier", n_estimators=100,
         random_state=0)
register("boost", "gradient boosting 100 stumps", "ensemble.GradientBoostingClassifier",
         n_estimators=100, max_depth=1, random_state=0)

peer("cv", "scikit-learn cross-validated tree",
     cross_validation(f"sklearn.{TREE}", criterion="entropy",
                      min_samples_leaf=2, random_state=0),
     threads=BOTH, needs=("sklearn",))
peer("cv", "scikit-learn cross-validated GaussianNB",
     cross_validation("sklearn.naive_bayes.GaussianNB"), needs=("sklearn",))
peer("mdl", "imodels MDLP", mdl_by_imodels, needs=("imodels",))


def saga_path(table: Rows, threads: int) -> Job:
    """One strength of the L1 penalty after the other, from where the last one ended."""
    from sklearn.linear_model import LogisticRegression

    X, y = table.numeric[table.train], table.y[table.train]

    def fit() -> Any:
        model = LogisticRegression(l1_ratio=1.0, solver="saga", warm_start=True,
                                   max_iter=2000, random_state=0)
        for strength in np.geomspace(2000.0, 2.0, 20):
            model.set_params(C=1 / strength).fit(X, y)
        return model

    return Job(fit=fit, size=lambda model: {"weights": int((model.coef_ != 0).sum())})


peer("l1-path", "scikit-learn saga", saga_path, needs=("sklearn",))
