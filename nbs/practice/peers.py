"""The same work in WEKA and Orange, run for the page "Coming from other libraries".

`python nbs/practice/peers.py`, where `make bench` has been, runs every program
below and stores it beside what it printed, so that the page shows nothing that was not run.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import tempfile
import textwrap
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from supervised.basics import datasets

LIBRARIES = ("orange3", "python-weka-wrapper3")
STORED = Path(__file__).with_suffix(".json")

PROGRAMS = {
    "tree": {
        "WEKA": """
            from weka.classifiers import Classifier
            from weka.core.converters import load_any_file

            loan = load_any_file("loan.csv", class_index="last")
            tree = Classifier(classname="weka.classifiers.trees.J48")
            tree.build_classifier(loan)
            print(tree)
        """,
        "Orange": """
            from Orange.classification import TreeLearner
            from Orange.data import Table

            loan = Table("loan.tab")
            tree = TreeLearner(min_samples_leaf=2)(loan)
            print(tree.print_tree())
        """,
    },
    "rules": {
        "WEKA": """
            from weka.classifiers import Classifier
            from weka.core.converters import load_any_file

            votes = load_any_file("votes.csv", class_index="last")
            rules = Classifier(classname="weka.classifiers.rules.JRip")
            rules.build_classifier(votes)
            print(rules)
        """,
        "Orange": """
            from Orange.classification import CN2Learner
            from Orange.data import Table

            rules = CN2Learner()(Table("votes.tab"))
            print(len(rules.rule_list), "rules, the first of which are")
            for rule in rules.rule_list[:3]:
                print(rule)
        """,
    },
    "folds": {
        "WEKA": """
            from weka.classifiers import Classifier, Evaluation
            from weka.core.classes import Random
            from weka.core.converters import load_any_file

            credit = load_any_file("credit.csv", class_index="last")
            bayes = Classifier(classname="weka.classifiers.bayes.NaiveBayes")
            folds = Evaluation(credit)
            folds.crossvalidate_model(bayes, credit, 10, Random(0))
            print(f"accuracy {folds.percent_correct / 100:.3f}, "
                  f"AUC {folds.weighted_area_under_roc:.3f}")
        """,
        "Orange": """
            from Orange.classification import NaiveBayesLearner
            from Orange.data import Table
            from Orange.evaluation import AUC, CA, CrossValidation

            credit = Table("credit.tab")
            found = CrossValidation(k=10, random_state=0)(credit, [NaiveBayesLearner()])
            print(f"accuracy {CA(found)[0]:.3f}, AUC {AUC(found)[0]:.3f}")
        """,
    },
    "itemsets": {
        "WEKA": """
            from weka.associations import Associator
            from weka.core.converters import load_any_file

            votes = load_any_file("votes.csv", class_index="last")
            apriori = Associator(classname="weka.associations.Apriori",
                                 options=["-M", "0.45", "-C", "0.95", "-N", "3"])
            apriori.build_associations(votes)
            for rule in apriori.association_rules():
                print(rule)
        """,
    },
}

# What each can't do: a program, and what must happen.
CLAIMS = {
    "WEKA": {
        "a classifier from class rules": """
            from weka.classifiers import Classifier

            Classifier(classname="weka.classifiers.rules.CBA")
        """,
        "gaps in a support vector machine": """
            from weka.classifiers import Classifier
            from weka.core.converters import load_any_file

            heart = load_any_file("heart.csv", class_index="last")
            smo = Classifier(classname="weka.classifiers.functions.SMO")
            smo.build_classifier(heart)
            text = smo.global_info().replace("\\n", " ")
            print(next(part for part in text.split(". ") if "missing" in part))
        """,
        "one row asked why": """
            from weka.classifiers import Classifier

            print([name for name in dir(Classifier) if "explain" in name])
        """,
    },
    "Orange": {
        "a boosted tree that takes names as they are": """
            from Orange.classification import SklTreeLearner
            from Orange.data import Table

            credit = Table("credit.tab")
            domain = SklTreeLearner()(credit).domain
            print(len(credit.domain.attributes), "columns became", len(domain.attributes))
        """,
        "C4.5's pruning": """
            import inspect

            from Orange.classification import TreeLearner

            print(list(inspect.signature(TreeLearner).parameters))
        """,
        "RIPPER": """
            import Orange.classification as known

            print([name for name in dir(known) if "RIPPER" in name or "Rip" in name])
        """,
    },
}

# Names that people from WEKA look for; the script finds out whether WEKA knows them.
WEKA_NAMES = {
    "C45Classifier": "trees.J48", "CARTClassifier": "trees.REPTree",
    "StumpClassifier": "trees.DecisionStump", "PARTClassifier": "rules.PART",
    "RIPPERClassifier": "rules.JRip", "MajorityClassifier": "rules.ZeroR",
    "NaiveBayesClassifier": "bayes.NaiveBayes", "TANClassifier": "bayes.BayesNet",
    "MultinomialTextClassifier": "bayes.NaiveBayesMultinomial",
    "KNNClassifier": "lazy.IBk", "LogisticClassifier": "functions.Logistic",
    "SVMClassifier": "functions.SMO",
    "NeuralNetworkClassifier": "functions.MultilayerPerceptron",
    "AdaBoostClassifier": "meta.AdaBoostM1", "BaggingClassifier": "meta.Bagging",
    "RandomForestClassifier": "trees.RandomForest", "VotingClassifier": "meta.Vote",
    "StackingClassifier": "meta.Stacking"}
TABLES = {"loan": datasets.load_loan, "votes": datasets.load_votes,
          "credit": datasets.load_credit, "iris": datasets.load_iris,
          "heart": datasets.load_heart_disease}


def write_tables(folder: Path) -> None:
    """Each table as a file for WEKA, and with lines of kinds and roles for Orange."""
    for name, load in TABLES.items():
        X, y = load()
        table = X.assign(**{y.name or "class": y})
        table.to_csv(folder / f"{name}.csv", index=False)
        numeric = {c for c in X.select_dtypes("number").columns}
        kinds = ["continuous" if c in numeric else "discrete" for c in table.columns]
        roles = [""] * X.shape[1] + ["class"]
        body = table.to_csv(sep="\t", index=False, header=False)
        (folder / f"{name}.tab").write_text(
            "\n".join("\t".join(map(str, line)) for line in (table.columns, kinds, roles))
            + "\n" + body, encoding="utf-8")


def ran(program: str) -> dict[str, str]:
    """A program, and what it printed, or the error with which it ended."""
    code, said = textwrap.dedent(program).strip(), io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(code, "<program>", "exec"), {})
    except Exception as error:
        said.write(f"{type(error).__name__}: {error}".strip().splitlines()[0])
    return {"code": code, "said": said.getvalue().strip()}


def all_run(programs: dict[str, str]) -> dict[str, dict[str, str]]:
    """Several programs with what they printed."""
    return {name: ran(program) for name, program in programs.items()}


def known_to_weka() -> dict[str, str]:
    """Those of the names that WEKA has a class for."""
    import jpype

    found = {}
    for ours, theirs in WEKA_NAMES.items():
        with contextlib.suppress(TypeError):
            jpype.JClass(f"weka.classifiers.{theirs}")
            found[ours] = theirs
    return found


def computed(say: Callable[[str], None]) -> dict[str, Any]:
    """All programs, run one after the other in a folder of their own."""
    import weka.core.jvm as jvm

    jvm.start(packages=False, logging_level=logging.ERROR)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        write_tables(Path(name))
        found: dict[str, Any] = {
            "versions": {name: metadata.version(name) for name in LIBRARIES},
            "programs": {task: all_run(by) for task, by in PROGRAMS.items()},
            "claims": {who: all_run(by) for who, by in CLAIMS.items()},
            "names": known_to_weka()}
    say(json.dumps(found, indent=1))
    jvm.stop()
    return found


def write(found: dict[str, Any], path: Path = STORED) -> None:
    """Beside the page that shows it."""
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(computed(print))
