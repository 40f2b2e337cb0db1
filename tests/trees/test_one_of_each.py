"""One walk, one search: where the engines of trees compare a value with a threshold."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import supervised

PACKAGE = Path(supervised.__file__).parent
ORDER = ast.Lt, ast.LtE, ast.Gt, ast.GtE
WALKS = {
    # rows that go down a tree: one, a whole table, in parts, a level while it grows
    "trees/engine/tree.py": {"_branch", "_last_nodes", "_add_parts", "_find_branches"},
    # the search, over a sorted column
    "trees/engine/splitter.py": {"_best_numeric_split"},
    # weighted sums of columns; whether a column has two values at all
    "trees/engine/oblique.py": {"_oblique_leaves", "_direction"},
    # digits of numbers, and values of a name
    "trees/engine/drawing.py": {"_demanded", "_read_route", "_rounded"},
    # cuts that are drawn; all trees of a forest at once; a tree of one test
    "ensembles/engine/forests.py": {"_score_drawn_cuts", "_add_votes"},
    "ensembles/engine/boosting.py": {"branches"},
    # gradient boosting: values into bins, and sums over trees; a cut that comes from a
    # file; which categories of an ordered column are above one
    "ensembles/engine/binning.py": {"_bin_column"},
    "ensembles/engine/predictor.py": {"_add_values", "_attribute_parts", "_check_split",
                                       "_tree_games"},
}
# who weighs impurities, or searches a sorted column: every learner's numeric cut is found
# by _best_numeric_split
IMPURITIES = {"_add_term", "_finish_impurity", "_impurity_after", "_total_impurity"}
SEARCHES = {
    # one pass over a sorted column; divisions of the values of a name
    "trees/engine/splitter.py": {"_best_numeric_split", "_best_division",
                                 "_impurity_after"},
    # a branch for each value, or for each group of them; what the trace says of a node
    "trees/engine/builder.py": {"_score_values", "_weigh_groups", "_offers"},
    # the one cut that was drawn; a stump's third branch, of rows without a value
    "ensembles/engine/forests.py": {"_score_drawn_cuts"},
    "ensembles/engine/boosting.py": {"_impurity"},
    # which branch of a partial tree is opened first
    "rules/engine/part.py": {"_divided"},
}
FILES = [*PACKAGE.glob("trees/**/*.py"), *PACKAGE.glob("ensembles/**/*.py"),
         PACKAGE / "practice/engine/out_of_core.py", PACKAGE / "rules/engine/part.py"]


def by_file(find: Callable[[ast.AST], set[str]]) -> dict[str, set[str]]:
    """What is found in each file, where anything is."""
    found = {file.relative_to(PACKAGE).as_posix():
             find(ast.parse(file.read_text(encoding="utf-8"))) for file in FILES}
    return {file: names for file, names in found.items() if names}


def comparing(node: ast.AST, function: str = "") -> set[str]:
    """The functions that compare with a threshold or a cut, by size."""
    found = set()
    if isinstance(node, ast.FunctionDef):
        function = node.name
    if isinstance(node, ast.Compare) and any(isinstance(op, ORDER) for op in node.ops):
        sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
        if any(re.search(r"threshold|\bcuts?\b|\bvalues?\b", side) for side in sides):
            found.add(function)
    return found.union(*(comparing(child, function)
                         for child in ast.iter_child_nodes(node)))


def weighing(tree: ast.AST) -> set[str]:
    """The functions that name a measure of impurity."""
    functions = [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]
    return {f.name for f in functions if IMPURITIES & {
        node.id for node in ast.walk(f) if isinstance(node, ast.Name)}}


def test_few_functions_compare_with_a_threshold():
    assert by_file(comparing) == WALKS


def test_few_functions_weigh_impurities():
    assert by_file(weighing) == SEARCHES
