"""Replicate the claims of the book: `make claims`, or `make claims PAGE=trees/skew`.

A page that claims something (`supervised.basics.learning.claim`) is run twenty times with
other seeds (`draws`). Outputs and assertions are for the first seeds only. How often each
claim held goes to `nbs/appendix/claims.json`, page by page, beside a hash of the code;
a page that is up to date is passed over, unless it is named.
"""

import ast
import hashlib
import importlib
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import resolve_name
from typing import Any

import nbformat
from nbclient import NotebookClient
from tqdm import tqdm

from tools.book import ROOT, Notebook, notebooks, parsed
from tools.run import run

STORE, LIST = ROOT / "nbs/appendix/claims.json", ROOT / "nbs/appendix/claims.ipynb"
PENDING = ROOT / "nbs/appendix/pending.json"  # pages that still wait for their replications
RECORD = "application/vnd.supervised.claim+json"
REPLICATIONS = 20


def code_of(nb: Notebook) -> list[ast.Module]:
    """The syntax tree of each cell."""
    return [parsed(c.code) for c in nb.cells if c.kind == "code"]


def claims_in(tree: ast.AST) -> list[ast.Call]:
    """The calls of `claim` in a piece of code."""
    return [n for n in ast.walk(tree) if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Name) and n.func.id == "claim"]


def claiming(book: list[Notebook]) -> dict[str, Notebook]:
    """The pages that claim something; engine pages only show how."""
    return {nb.name: nb for nb in book if not nb.is_engine
            and any(claims_in(tree) for tree in code_of(nb))}


def digest(trees: Any) -> str:
    """What changes when code does, and not with comments, layout or Python's version."""
    def shape(node: Any) -> Any:
        if isinstance(node, ast.AST):
            return [type(node).__name__, *([name, shape(value)] for name, value
                    in ast.iter_fields(node) if value not in (None, []))]
        return [shape(x) for x in node] if isinstance(node, list) else repr(node)
    return hashlib.sha256(json.dumps(shape(trees)).encode()).hexdigest()[:12]


def modules_in(tree: ast.AST, package: str) -> set[str]:
    """The modules of the book that a piece of code imports or takes a name from."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            if base.startswith("supervised"):
                names = [getattr(importlib.import_module(base), a.name, None)
                         for a in node.names]
                found |= {base, *(getattr(x, "__module__", None) or
                                  getattr(x, "__name__", "") for x in names)}
    return {m for m in found if (ROOT / f"{m.replace('.', '/')}.py").exists()}


def engine_of(nb: Notebook) -> str:
    """What changes when a module below the page does."""
    wanted = set().union(*(modules_in(tree, "supervised") for tree in code_of(nb)))
    trees: dict[str, ast.Module] = {}
    while wanted:
        module = wanted.pop()
        file = ROOT / f"{module.replace('.', '/')}.py"
        trees[module] = ast.parse(file.read_text(encoding="utf-8"))
        wanted |= modules_in(trees[module], module.rpartition(".")[0]) - set(trees)
    return digest([trees[m] for m in sorted(trees)])


class Unchecked(ast.NodeTransformer):
    """Code without its assertions."""

    def visit_Assert(self, node: ast.Assert) -> ast.Pass:
        return ast.Pass()


def replicate(page: str, number: int) -> dict[str, Any]:
    """Run a page with the seeds of a replication: its claims."""
    os.environ["SUPERVISED_REPLICATION"] = str(number)
    path, claims = ROOT / "nbs" / page, {}
    notebook = nbformat.read(path, as_version=4)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    for cell in code:
        if "assert" in cell.source:
            cell.source = ast.unparse(Unchecked().visit(ast.parse(cell.source)))
    NotebookClient(notebook, timeout=3600, kernel_name="python3", allow_errors=True,
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in code:
        shown = [o.text if o.get("name") == "stdout" else
                 o.get("data", {}).get("text/plain", "") for o in cell.outputs]
        for out in cell.outputs:
            if found := out.get("data", {}).get(RECORD):
                claims[found["sentence"]] = found | {"figures": "\n".join(
                    x.rstrip() for x in shown if x and not x.startswith("<"))}
    return claims


def summary(nb: Notebook, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """What is stored of a page: marks of all replications, figures of some."""
    rows = []
    for call in [call for tree in code_of(nb) for call in claims_in(tree)]:
        sentence = ast.literal_eval(call.args[0])
        said = [r.get(sentence, {"holds": False, "null": None, "figures": ""})
                for r in runs]
        held, null = ("".join("-" if s[key] is None else str(int(s[key])) for s in said)
                      for key in ("holds", "null"))
        texts = [s["figures"] for s in said]
        rows.append({"sentence": sentence, "held": held, "null": null.strip("-"),
                     "by_construction": len(set(texts)) == 1,
                     "figures": {str(i): text for i, text in enumerate(texts, 1)
                                 if i == 1 or held[i - 1] == "0"}})
    return {"code": digest(code_of(nb)), "engine": engine_of(nb), "older_engine": False,
            "claims": rows}


def stored() -> dict[str, Any]:
    """What is known of the claims, page by page."""
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}


def pending() -> list[str]:
    """Pages whose claims have been run once and not replicated; the list of claims names
    them."""
    return json.loads(PENDING.read_text(encoding="utf-8")) if PENDING.exists() else []


def store(known: dict[str, Any], pages: dict[str, Notebook]) -> None:
    """Write it in the order of the book; pages that claim nothing any more fall out."""
    kept = {name: known[name] for name in pages if name in known}
    text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
    STORE.write_text(text, encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> int:
    pages, known, jobs = claiming(notebooks()), stored(), {}
    named = [f"{a.removeprefix('nbs/').removesuffix('.ipynb')}.ipynb" for a in arguments]
    changed = [name for name, nb in pages.items()
               if known.get(name, {}).get("code") != digest(code_of(nb))]
    runs: dict[str, dict[int, Any]] = {name: {} for name in named or changed}
    os.environ["OMP_NUM_THREADS"] = "1"  # there is a page on each core already
    with ProcessPoolExecutor() as pool:
        for name in runs:
            jobs |= {pool.submit(replicate, name, i): (name, i)
                     for i in range(1, REPLICATIONS + 1)}
        for job in tqdm(as_completed(jobs), "replications", len(jobs)):
            name, i = jobs[job]
            runs[name][i] = job.result()
            if len(runs[name]) == REPLICATIONS:
                done = summary(pages[name], [run for _, run in sorted(runs[name].items())])
                known = stored() | {name: done}  # another call may have added to it
                store(known, pages)
    for name in [name for name in pages if name in known]:
        known[name]["older_engine"] = known[name]["engine"] != engine_of(pages[name])
        for row in known[name]["claims"] if name in runs else []:
            print(row["held"].count("1"), row["null"] and f"null {row['null'].count('1')}",
                  name, row["sentence"])
    store(known, pages)
    if PENDING.exists():
        PENDING.write_text(json.dumps([p for p in pending() if p not in runs]) + "\n",
                           encoding="utf-8", newline="\n")
    return 1 if LIST.exists() and run(LIST) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
