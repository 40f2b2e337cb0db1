"""Rules for claims: a plain sentence beside its figures, on seeds that move on,
replicated with the code of the page as it is."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.house.house_rules import at
from tools.book import Cell, Notebook
from tools.claims import claiming, claims_in, code_of, digest, pending, stored

MOST_FAILED, LEAST_NULL = 1, 18  # a claim may fail, a control must fail, of twenty
# Learners whose seed decides between equal splits, and nothing else.
ONLY_TIES = {"DecisionTreeClassifier"}


def name_of(node: ast.expr) -> str:
    """The last name of what is called."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_number(node: ast.expr | None) -> bool:
    """Whether this is a number written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def literal_seeds(tree: ast.AST) -> list[str]:
    """Seeds that stand in the code, and would be the same in each replication."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            if name in ("default_rng", "RandomState") and (
                    not node.args or is_number(node.args[0])):
                found.append(ast.unparse(node))
            found += [f"{name}({k.arg}={ast.unparse(k.value)})" for k in node.keywords
                      if k.arg in ("random_state", "seed") and is_number(k.value)
                      and name not in ONLY_TIES]
        elif isinstance(node, ast.comprehension | ast.For) and "seed" in ast.unparse(
                node.target) and isinstance(node.iter, ast.Call) and name_of(
                node.iter.func) == "range":
            found.append(f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")
    return found


@cache
def names(tree: ast.AST, kind: type) -> set[str]:
    """The names of the page that a statement reads (ast.Load) or sets (ast.Store)."""
    def ids(tree: ast.AST, kind: type) -> set[str]:
        return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
                and isinstance(n.ctx, kind)}

    loops = ast.comprehension if kind is ast.Store else ast.comprehension | ast.For
    inner = [n for n in ast.walk(tree) if isinstance(n, loops)]
    own = set().union(*(ids(n.target, ast.Store) for n in inner),
                      {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)})
    if isinstance(tree, ast.FunctionDef):
        if kind is ast.Store:
            return {tree.name}
        own |= ids(tree, ast.Store) | {n.name for n in ast.walk(tree)
                                       if isinstance(n, ast.FunctionDef)}
    return ids(tree, kind) - own


def rests_on(statements: list[ast.stmt], call: ast.stmt) -> list[ast.stmt]:
    """The claim, and what last set each name that it reads, back to the beginning; what a
    function reads is looked up when it is called."""
    end = statements.index(call)
    found, waiting = [], [(call, end)]
    while waiting:
        statement, place = waiting.pop()
        found.append(statement)
        place = end if isinstance(statement, ast.FunctionDef) else place
        for name in names(statement, ast.Load):
            before = [i for i in range(place) if name in names(statements[i], ast.Store)]
            if before and statements[before[-1]] not in found:
                waiting.append((statements[before[-1]], before[-1]))
    return found


def shows_figures(cell: Cell) -> bool:
    """Whether a cell's stored outputs have a number in them."""
    texts = ["".join(o.get("text", "") or o.get("data", {}).get("text/plain", ""))
             for o in cell.outputs]
    return any(re.search(r"\d", text) for text in texts if not text.startswith("<"))


def claim_problems(nb: Notebook) -> list[str]:
    """What is wrong with the claims of a page as they are written."""
    problems, seen = [], set()
    cells = [c for c in nb.cells if c.kind == "code"]
    trees = code_of(nb)
    statements = [s for tree in trees for s in tree.body]
    for cell, tree in zip(cells, trees, strict=True):
        for call in claims_in(tree):
            own = next((s for s in tree.body if getattr(s, "value", None) is call), None)
            first = call.args[0] if call.args else None
            sentence = getattr(first, "value", None)
            say = []
            if not isinstance(first, ast.Constant) or not isinstance(sentence, str):
                say.append("the sentence of a claim is a plain string")
            elif sentence in seen or sentence.endswith("."):
                say.append(f"claimed before, or ends with a full stop: {sentence}")
            if not shows_figures(cell):
                say.append("a claim stands in the cell that shows its figures")
            if own is None:
                say.append("a claim is a statement of its own, in no function and no loop")
            else:
                seeds = [x for s in rests_on(statements, own) for x in literal_seeds(s)]
                say += [f"a claim rests on a seed that is not from draws: {x}"
                        for x in dict.fromkeys(seeds)]
            seen.add(sentence)
            problems += [f"{at(nb, cell)}: {x}" for x in say]
    return problems


def replicated(nb: Notebook) -> list[str]:
    """What is wrong with the replications of a page."""
    known = stored().get(nb.name, {})
    again = f"make claims PAGE={nb.name.removesuffix('.ipynb')}"
    if nb.name in pending():
        return [f"nbs/{nb.name} has replications: take them out of claims.json, or "
                "the page out of pending.json"] if known else []
    if known.get("code") != digest(code_of(nb)):
        return [f"nbs/{nb.name}: its code has changed since its claims were replicated: "
                f"{again}"]
    problems = []
    for row in known["claims"]:
        if row["held"].count("1") < max(len(row["held"]), 20) - MOST_FAILED:
            problems.append(f"held in {row['held'].count('1')} replications of 20, so it "
                            f"says too much: {row['sentence']}")
        if row["null"] and row["null"].count("0") < LEAST_NULL:
            problems.append(f"its control fails in {row['null'].count('0')} replications "
                            f"of 20 only: {row['sentence']}")
    return [f"nbs/{nb.name}: {x}" for x in problems]


def claims(book: list[Notebook], root: Path) -> list[str]:
    """Claims are well made, and their replications belong to the pages as they are."""
    pages = claiming(book)
    stale = [f"nbs/{name} claims nothing any more: make claims" for name in stored()
             if name not in pages]
    return stale + [p for nb in pages.values()
                    for p in claim_problems(nb) or replicated(nb)]
