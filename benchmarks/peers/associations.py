"""Frequent sets and class association rules:
pyfim, mlxtend, pyarc, efficient-apriori, Orange."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contenders import Job, Prepare, peer
from ..data import Baskets, Rows

CONFIDENCE = 0.5
LONGEST = 10  # pyarc's limit on the length of a rule


def class_support(table: Rows) -> float:
    """The support that class rules need: more of it in small tables."""
    return 0.05 if table.train.stop < 1000 else 0.01


# ------------------------------------------------------------------------------ class rules


def transactions(table: Rows, part: slice) -> Any:
    """Rows in pyarc's container."""
    from pyarc import TransactionDB

    frame = table.frame(part, "missing")
    frame["class"] = np.char.add("k", table.y[part].astype(str))
    return TransactionDB.from_DataFrame(frame, target="class")


def cba(algorithm: str) -> Prepare:
    """pyarc's CBA: mining, then a classifier by M1 or M2."""

    def prepare(table: Rows, threads: int) -> Job:
        from pyarc import CBA

        train, test = transactions(table, table.train), transactions(table, table.test)
        given = {"support": class_support(table), "confidence": CONFIDENCE,
                 "algorithm": algorithm}
        return Job(
            fit=lambda: CBA(**given).fit(train),
            predict=lambda model: model.predict(test),
            labels=lambda found: np.array([int(c[1:]) for c in found]),
            size=lambda model: {"rules": len(model.clf.rules)})

    return prepare


def mined_by_pyarc(table: Rows, threads: int) -> Job:
    """The mining step of pyarc alone."""
    from pyarc.algorithms.rule_generation import generateCARs

    train = transactions(table, table.train)
    support, confidence = 100 * class_support(table), 100 * CONFIDENCE
    return Job(fit=lambda: generateCARs(train, support=support, confidence=confidence),
               size=lambda found: {"class rules": len(found)})


def class_rules_by_fim(name: str) -> Prepare:
    """pyfim's rules whose right side is a class."""

    def prepare(table: Rows, threads: int) -> Job:
        import fim

        train = transactions(table, table.train)
        mine, items, roles = (getattr(fim, name), train.string_representation,
                              train.appeardict)
        support = 100 * class_support(table)
        return Job(fit=lambda: mine(items, supp=support, conf=100 * CONFIDENCE, mode="o",
                                    target="r", report="sc", appear=roles, zmax=LONGEST),
                   size=lambda found: {"class rules": len(found)})

    return prepare


def class_rules_by_mlxtend(table: Rows, threads: int) -> Job:
    """All rules of mlxtend, then those whose right side is a class."""
    import pandas as pd
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    codes, y = table.nominal[table.train], table.y[table.train]
    columns = {f"c{j}=v{v}": codes[:, j] == v for j, n in enumerate(table.levels)
               for v in range(n)}
    columns |= {f"class=k{k}": y == k for k in range(table.n_classes)}
    frame = pd.DataFrame(columns)

    def is_class(items: frozenset[str]) -> bool:
        return len(items) == 1 and next(iter(items)).startswith("class=")

    def fit() -> Any:
        sets = fpgrowth(frame, min_support=class_support(table), use_colnames=True)
        found = association_rules(sets, metric="confidence", min_threshold=CONFIDENCE)
        return found[[is_class(c) for c in found.consequents]]

    return Job(fit=fit, size=lambda found: {"class rules": len(found)})


# ---------------------------------------------------------------------------- frequent sets


def sets_by_mlxtend(name: str) -> Prepare:
    """mlxtend on a table of truth values."""

    def prepare(baskets: Baskets, threads: int) -> Job:
        import mlxtend.frequent_patterns
        import pandas as pd

        bought = np.zeros((len(baskets.transactions), baskets.n_items), bool)
        for i, basket in enumerate(baskets.transactions):
            bought[i, basket] = True
        frame, mine = pd.DataFrame(bought), getattr(mlxtend.frequent_patterns, name)
        return Job(fit=lambda: mine(frame, min_support=baskets.support), size=count)

    return prepare


def sets_by_fim(name: str) -> Prepare:
    """pyfim, written in C."""

    def prepare(baskets: Baskets, threads: int) -> Job:
        import fim

        mine, support = getattr(fim, name), 100 * baskets.support
        return Job(fit=lambda: mine(baskets.transactions, target="s", supp=support, zmin=1,
                                    report="a"), size=count)

    return prepare


def sets_by_efficient_apriori(baskets: Baskets, threads: int) -> Job:
    """Apriori in Python."""
    from efficient_apriori import itemsets_from_transactions

    items = [tuple(t) for t in baskets.transactions]
    return Job(
        fit=lambda: itemsets_from_transactions(items, min_support=baskets.support)[0],
        size=lambda found: {"item sets": sum(len(v) for v in found.values())})


def sets_by_orange(baskets: Baskets, threads: int) -> Job:
    """FP-growth of Orange's add-on."""
    from orangecontrib.associate.fpgrowth import frequent_itemsets

    return Job(fit=lambda: list(frequent_itemsets(baskets.transactions, baskets.support)),
               size=count)


def count(found: Any) -> dict[str, int]:
    return {"item sets": len(found)}


for version in ("m1", "m2"):
    peer("cba", f"pyarc CBA {version.upper()}", cba(version), needs=("pyarc", "fim"))
peer("cba", "pyarc class rules", mined_by_pyarc, needs=("pyarc", "fim"))
for algorithm in ("apriori", "fpgrowth"):
    peer("cba", f"pyfim {algorithm} class rules", class_rules_by_fim(algorithm),
         needs=("fim", "pyarc"))
peer("cba", "mlxtend fpgrowth class rules", class_rules_by_mlxtend, needs=("mlxtend",))
for algorithm in ("apriori", "fpgrowth", "eclat"):
    peer("itemsets", f"pyfim {algorithm}", sets_by_fim(algorithm), needs=("fim",))
for algorithm in ("apriori", "fpgrowth"):
    peer("itemsets", f"mlxtend {algorithm}", sets_by_mlxtend(algorithm), needs=("mlxtend",))
peer("itemsets", "efficient-apriori", sets_by_efficient_apriori,
     needs=("efficient_apriori",))
peer("itemsets", "Orange fpgrowth", sets_by_orange, needs=("orangecontrib",))
