"""The house rules: each is a function that takes the book and returns what breaks the rule.

A problem is one line: the file, the cell (counted from 0 over all cells), and what to do
about it. `tests/house/test_house_rules.py` applies every rule to the book.
"""

from __future__ import annotations

import ast
import builtins
import csv
import json
import keyword
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

from tools.book import (
    HOOD,
    ROOT,
    Cell,
    Notebook,
    chapter_of,
    chapters,
    definition_anchor,
    pages,
    settings,
    sidebar,
)

# The chapters that the book is to have, in the order in which one builds on the other.
PLAN = (
    "basics", "evaluation", "features", "trees", "rules", "associations", "bayes", "linear",
    "svm", "neural", "neighbors", "ensembles", "practice")
MOST_LINES = 52  # of 92 characters
NOT_THE_BOOK = shutil.ignore_patterns(
    ".git", ".venv", "venv", "node_modules", "_docs", "_proc", "build", "dist",
    "*.egg-info", "__pycache__", ".quarto", ".ipynb_checkpoints", ".hypothesis", ".*_cache",
    "cache", "nbdev.yml", ".DS_Store")


def at(nb: Notebook, cell: Cell | int) -> str:
    """Where a problem is."""
    return f"nbs/{nb.name}, cell {cell if isinstance(cell, int) else cell.number}"


def quarto_pages(root: Path = ROOT) -> list[Notebook]:
    """The pages that are no notebooks (`404.qmd`),
    read as if they were: a title cell and one of prose."""
    found = []
    for path in sorted((root / "nbs").rglob("*.qmd")):
        text = path.read_text(encoding="utf-8")
        front = re.match(r"---\n(.*?)\n---\n", text, flags=re.S)
        about = yaml.safe_load(front[1]) if front else {}
        title = f"# {about.get('title', '')}\n\n> {about.get('description', '')}"
        prose = Cell(1, "markdown", text[front.end():] if front else text)
        found.append(Notebook(path, [Cell(0, "markdown", title), prose], root))
    return found


# ------------------------------------ what is made follows from its source


def copy_repository(root: Path, to: Path) -> Path:
    """A copy of the repository without what is made from it."""
    return Path(shutil.copytree(root, to, ignore=NOT_THE_BOOK, symlinks=True))


def run_python(arguments: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a repository, with that repository's own tools and package."""
    env = {k: v for k, v in os.environ.items() if k not in ("IN_TEST", "PYTHONSAFEPATH")}
    env |= {"PYTHONPATH": str(root), "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=root, env=env, capture_output=True, text=True,
        encoding="utf-8", timeout=3600)


def made_files(root: Path) -> dict[str, bytes]:
    """What `make export` writes: the package, the API reference,
    and what it keeps up to date elsewhere."""
    package = root / settings(root)["lib_path"]
    paths = [p for p in package.rglob("*.py*") if "__pycache__" not in p.parts]
    paths += [package / "py.typed", root / "README.md", root / "_quarto.yml"]
    paths += (root / "nbs" / "api").glob("*.ipynb")
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in paths if p.exists()}


def export_anew(root: Path, to: Path) -> Path:
    """Copy the repository, remove what is made, and make it again."""
    copy = copy_repository(root, to)
    for name in made_files(copy):
        if name != "_quarto.yml":  # the rest of it is written by hand
            (copy / name).unlink()
    done = run_python(["-m", "tools.export"], copy)
    if done.returncode:
        raise RuntimeError(f"python -m tools.export failed:\n{done.stderr[-3000:]}")
    return copy


def export_differences(root: Path, fresh: Path) -> list[str]:
    """`make export` changes nothing:
    what is committed follows from notebooks and settings.ini."""
    old, new = made_files(root), made_files(fresh)
    problems = [f"{n}: no notebook exports it; remove it"
                for n in sorted(old.keys() - new.keys())]
    problems += [f"{n}: missing; run `make export`"
                 for n in sorted(new.keys() - old.keys())]
    for name in sorted(old.keys() & new.keys()):
        if old[name] != new[name]:
            pair = zip(old[name].splitlines(), new[name].splitlines(), strict=False)
            line = next((i for i, (a, b) in enumerate(pair, 1) if a != b), "last")
            problems.append(f"{name}: not in step (line {line}); run `make export`")
    return problems


def site_sources(copy: Path) -> None:
    """What `make docs` does before Quarto:
    process every notebook of this copy for the site."""
    script = (
        "from nbdev.quarto import refresh_quarto_yml; refresh_quarto_yml();"
        "from nbdev.serve import proc_nbs; proc_nbs(n_workers=0)"
    )
    done = run_python(["-c", script], copy)
    if done.returncode:
        raise RuntimeError(
            f"nbdev can't process the notebooks for the site:\n{done.stderr[-3000:]}")


def site_problems(copy: Path) -> list[str]:
    """Every page reaches the site, and nothing raw survives the processing."""
    problems = []
    link = copy / "nbs" / "_quarto.yml"
    if (copy / "_quarto.yml").read_bytes() != link.read_bytes():
        problems.append(
            "nbs/_quarto.yml: nbdev overwrites it; "
            "remove custom_quarto_yml from settings.ini"
        )
    for source in sorted([*(copy / "nbs").rglob("*.ipynb"),
                          *(copy / "nbs").rglob("*.qmd")]):
        if ".ipynb_checkpoints" in source.parts:
            continue
        name = source.relative_to(copy / "nbs")
        page = copy / "_proc" / name
        if not page.exists():
            problems.append(f"nbs/{name.as_posix()}: does not reach the site")
            continue
        if page.suffix == ".qmd":
            continue  # as it stands in nbs, where the other rules read it
        for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                text = without_code(text)
            for line in text.splitlines():
                if re.match(r"\s*#\s*\|", line) and not re.match(r"#\| [\w-]+: *\S", line):
                    problems.append(
                        f"nbs/{name.as_posix()}: {line.strip()!r} is shown to the reader; "
                        "directives stand at the top of a code cell"
                    )
    return problems


# ------------------------------------ the code and the order of the chapters


@cache
def tree_of(code: str) -> ast.Module | None:
    """Code as a syntax tree, parsed once for all rules; they only read it."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return None


def parsed(nb: Notebook, cell: Cell) -> ast.Module | None:
    """The cell as Python, or None where it is something else (`%magic`, `!command`)."""
    return tree_of(cell.code)


def exported(nb: Notebook, public_only: bool = False) -> Iterator[tuple[Cell, ast.stmt]]:
    """The top-level statements that go into the module."""
    for cell in nb.cells:
        if cell.is_exported and not (public_only and "exporti" in cell.directives):
            tree = parsed(nb, cell)
            for node in tree.body if tree else []:
                yield cell, node


def definitions(nb: Notebook) -> Iterator[tuple[Cell, ast.FunctionDef | ast.ClassDef]]:
    """Public functions and classes of the module."""
    for cell, node in exported(nb, public_only=True):
        if (isinstance(node, ast.FunctionDef | ast.ClassDef)
            and not node.name.startswith("_")):
            yield cell, node


def public_in(nb: Notebook, cell: Cell) -> list[str]:
    """Names of one cell that nbdev puts into `__all__`."""
    tree = (parsed(nb, cell) if cell.is_exported and "exporti" not in cell.directives
            else None)
    names = []
    for node in tree.body if tree else []:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        names += [t.id for whole in targets for t in getattr(whole, "elts", [whole])
                  if isinstance(t, ast.Name)]
    return [n for n in names if not n.startswith("_")]


def public(nb: Notebook) -> list[str]:
    """Names that nbdev puts into `__all__`."""
    return [name for cell in nb.cells for name in public_in(nb, cell)]


def imported(tree: ast.AST, package: str,
             module: str) -> Iterator[tuple[int, str, str | None]]:
    """What of the book a piece of a module imports:
    line, dotted module below the package, name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == package:
                    yield node.lineno, alias.name[len(package) + 1 :], None
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                above = module.split(".")[: -node.level]
                base = ".".join([*above, *([node.module] if node.module else [])])
            elif (node.module or "").split(".")[0] == package:
                base = (node.module or "")[len(package) + 1 :]
            else:
                continue
            for alias in node.names:
                yield node.lineno, base, alias.name


def homes_of(modules: list[Notebook]) -> dict[tuple[str, str], str]:
    """The module of each public name of a chapter."""
    return {(nb.chapter, name): nb.module for nb in modules if nb.module
            for name in public(nb)}


def home_of(base: str, name: str | None, modules: set[str],
            homes: dict[tuple[str, str], str]) -> str | None:
    """The module that an import leads to: itself,
    a name of it, or a name that its chapter offers."""
    whole = f"{base}.{name}".strip(".") if name else base
    return next((m for m in (base, whole, homes.get((base, name or ""))) if m in modules),
                None)


def import_order(book: list[Notebook], root: Path) -> list[str]:
    """A module imports only from its own chapter and from chapters before it."""
    package = settings(root)["lib_path"]
    modules = [nb for nb in book if nb.module]
    names, homes = {nb.module for nb in modules if nb.module}, homes_of(modules)
    rank = {name: i for i, name in enumerate(chapters(root))}
    problems = []
    for nb in modules:
        assert nb.module
        for cell, statement in exported(nb):
            for _, base, name in imported(statement, package, nb.module):
                whole = (f"{base}.{name}" if name else base).strip(".")
                target = home_of(base, name, names, homes)
                chapter, own = ((target or whole).split(".")[0],
                                rank.get(nb.chapter, len(rank)))
                where = f"{at(nb, cell)}: {nb.module} imports {whole or 'the package'}"
                if chapter not in rank:
                    problems.append(f"{where}, which is no chapter of the book")
                elif target == nb.module:
                    problems.append(f"{where}, which is itself")
                elif rank[chapter] > own:
                    problems.append(
                        f"{where}, which is of a later chapter; move one of them")
                elif not target and rank[chapter] == own:
                    problems.append(
                        f"{where}, which is its own chapter; name a module of it")
                elif not target and base and "." in base:
                    problems.append(f"{where}, but no notebook exports {base}")
    return problems


def import_circles(book: list[Notebook], root: Path) -> list[str]:
    """Within a chapter modules import one another in any direction, but in no circle."""
    package = settings(root)["lib_path"]
    pages = {nb.module: nb for nb in book if nb.module}
    homes = homes_of(list(pages.values()))
    graph = {
        module: {home_of(base, name, set(pages), homes) for _, statement in exported(nb)
                 for _, base, name in imported(statement, package, module)} - {None, module}
        for module, nb in pages.items()}
    problems: list[str] = []
    done: set[str] = set()

    def walk(module: str, way: list[str]) -> None:
        for target in sorted(graph[module]):
            if target in way:
                circle = way[way.index(target):]
                first = circle.index(min(circle))
                circle = [*circle[first:], *circle[:first], min(circle)]
                problems.append(f"nbs/{pages[circle[0]].name}: a circle of imports: "
                                f"{' → '.join(circle)}")
            elif target not in done:
                walk(target, [*way, target])
        done.add(module)

    for module in graph:
        if module not in done:
            walk(module, [module])
    return list(dict.fromkeys(problems))


def signature_problems(node: ast.FunctionDef, method: bool) -> list[str]:
    """Missing type hints."""
    spec = node.args
    arguments = [*spec.posonlyargs, *spec.args]
    if (
        method
        and arguments
        and not any(getattr(d, "id", "") == "staticmethod" for d in node.decorator_list)
    ):
        arguments = arguments[1:]
    arguments += spec.kwonlyargs
    bare = [a.arg for a in arguments if a.annotation is None and not a.arg.startswith("_")]
    problems = [f"no type hint for {', '.join(bare)}"] if bare else []
    if node.returns is None and node.name != "__init__":
        problems.append("no type hint for what it returns")
    return problems


def exports(book: list[Notebook]) -> list[str]:
    """Modules named as their pages; short summaries and type hints on what is public."""
    problems = []
    for nb in book:
        if not nb.module:
            stray = [c for c in nb.cells if c.is_exported]
            problems += [
                f"{at(nb, c)}: exports, but the notebook has no `#| default_exp`"
                for c in stray[:1]
            ]
            continue
        expected = Path(nb.name).with_suffix("").as_posix().replace("/", ".")
        if nb.module != expected:
            problems.append(
                f"nbs/{nb.name}: write `#| default_exp {expected}`, not {nb.module}")
        for cell, node in definitions(nb):
            summary = (ast.get_docstring(node) or "").split("\n\n")[0]
            found = (["the docstring does not begin with a summary of one line or two"]
                     if len(summary.splitlines()) > 2 else [])
            if isinstance(node, ast.FunctionDef):
                found += signature_problems(node, method=False)
            else:
                for method in node.body:
                    if (isinstance(method, ast.FunctionDef)
                        and not method.name.startswith("_")):
                        found += [f"{method.name}: {x}"
                                  for x in signature_problems(method, method=True)]
            problems += [f"{at(nb, cell)}: {node.name}: {x}" for x in found]
    return problems


# ------------------------------------ the cells of a notebook

MACHINE_PATH = re.compile(r"(?<![\w.:/~-])/(?:home|root|work|tmp)/|\b[A-Z]:\\+Users\b")
SHOWN_BY_CALL = ("print", "display", "plt.show")


def title_cell(nb: Notebook) -> list[str]:
    """The first cell: `# Title`, a summary of one line,
    nothing that the site would drop."""
    if not nb.cells or nb.cells[0].kind != "markdown":
        return [f"{at(nb, 0)}: must be Markdown with `# Title` and `> summary`"]
    lines = [x for x in nb.cells[0].source.splitlines() if x.strip()]
    problems = []
    if not lines or not re.match(r"# \S", lines[0]):
        problems.append("must begin with `# Title`")
    summary = [x for x in lines if x.startswith(">")]
    if len(summary) != 1 or not re.match(r"> \S.*[.?!]$", summary[0].rstrip()):
        problems.append("needs one line `> summary` that ends with a full stop")
    extra = [x for x in lines[1:]
             if not x.startswith(">") and not re.match(r"- [\w-]+: *\S", x)]
    if extra:
        problems.append(
            f"{extra[0][:40]!r} vanishes from the site; move it to the next cell")
    return [f"{at(nb, 0)}: {x}" for x in problems]


def called(node: ast.expr) -> str:
    """The dotted name of what is called: `plt.show`."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def must_show(tree: ast.Module) -> str | None:
    """Why this code can't have run without an output, or None where it can.

    It prints, displays or calls `plt.show()` at its top level, or it ends in an expression
    that is no call (a name, an attribute, a sum, a literal): a call may well return None,
    such an expression stands there to be seen.
    """
    for node in tree.body:
        if isinstance(node, ast.Expr) and called(node.value) in SHOWN_BY_CALL:
            return f"{called(node.value)}(...)"
    last = tree.body[-1] if tree.body else None
    quiet = ast.Call | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    if isinstance(last, ast.Expr) and not isinstance(last.value, quiet):
        if not (isinstance(last.value, ast.Constant) and last.value.value in (None, ...)):
            return ast.unparse(last.value)[:40]
    return None


def docstring_lines(tree: ast.Module) -> int:
    """How many lines of a piece of code are docstrings."""
    found = [n.body[0] for n in ast.walk(tree)
             if isinstance(n, ast.FunctionDef | ast.ClassDef)
             and ast.get_docstring(n) is not None]
    return sum((n.end_lineno or n.lineno) - n.lineno + 1 for n in found)


def output_text(output: dict[str, Any]) -> str:
    """Everything readable in an output, without pictures."""
    parts = ["".join(output.get("text", "")), *output.get("traceback", [])]
    for kind, value in output.get("data", {}).items():
        if not kind.startswith("image/"):
            parts.append(json.dumps(value) if isinstance(value, dict) else "".join(value))
    return re.sub(r"base64,[A-Za-z0-9+/=\\\s]+", "base64,", "\n".join(parts))


def markup(output: dict[str, Any], kind: str) -> str:
    """What an output has of `text/html` or `text/markdown`,
    without the bytes of pictures."""
    text = "".join(output.get("data", {}).get(kind, ""))
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "base64,", text)


def outputs(nb: Notebook) -> list[str]:
    """No cell without the output it must have, none with an error or a warning."""
    problems = []
    for cell in nb.cells:
        if cell.kind != "code":
            continue
        tree = parsed(nb, cell)
        shown = must_show(tree) if tree else None
        if shown and not cell.outputs:
            problems.append(
                f"{at(nb, cell)}: no output of {shown!r}; "
                f"run the notebook (`make run NB=nbs/{nb.name}`)"
            )
        if cell.code.strip() == "" and cell.outputs:
            problems.append(
                f"{at(nb, cell)}: stale output of an empty cell; run the notebook")
        for out in cell.outputs:
            if out["output_type"] == "error":
                problems.append(
                    f"{at(nb, cell)}: ends in {out.get('ename', 'an error')}; "
                    "repair it and run the notebook"
                )
            elif out["output_type"] == "stream" and out.get("name") == "stderr":
                text = "".join(out["text"]).strip().splitlines()
                problems.append(
                    f"{at(nb, cell)}: a warning on stderr ({(text or [''])[0][:60]}); "
                    "remove its cause"
                )
    return problems


def cells(nb: Notebook) -> list[str]:
    """Cells that are short, clean, and the same on every machine and at every run."""
    problems = []
    for cell in nb.cells:
        say = [
            f"{k!r} in the cell's metadata; clean the notebook"
            for k in cell.metadata
            if k not in ("tags", "jp-MarkdownHeadingCollapsed", "jupyter")
        ]
        hidden = (cell.kind == "code"
                  and cell.source.startswith(("#| include: false", "#| echo: false")))
        if cell.metadata.get("jupyter") != ({"source_hidden": True} if hidden else None):
            say.append("code that the site hides, and no other, is folded in JupyterLab; "
                       "use `make run`")
        texts = [cell.source, *(output_text(o) for o in cell.outputs)]
        if "eval" in cell.directives:
            say.append("JupyterLab runs it whatever `eval` says; show it in a ```py block "
                       "of Markdown")
        if any(MACHINE_PATH.search(x) for x in texts):
            say.append("names a path of this machine")
        if cell.kind == "code":
            tree = tree_of(cell.code)
            lines = len(cell.code.strip("\n").splitlines()) - (docstring_lines(tree)
                                                              if tree else 0)
            if lines > MOST_LINES and not nb.is_engine:
                say.append(f"{lines} lines of code; split it ({MOST_LINES} are the most)")
            if cell.code.rstrip().endswith(";"):
                say.append("ends with `;`; end a plot with plt.show()")
            if re.search(r"^\s*%%?time(it)?\b", cell.source, flags=re.M):
                say.append("prints timings, which change from run to run")
            counts = [cell.count, *(o.get("execution_count") for o in cell.outputs)]
            if any(c is not None for c in counts):
                say.append("has an execution count; clean the notebook (make run does)")
        problems += [f"{at(nb, cell)}: {x}" for x in say]
    if nb.cells and nb.cells[-1].is_exported:
        problems.append(
            f"{at(nb, nb.cells[-1])}: the last cell is exported, which nbdev can't show; "
            "end with prose"
        )
    extra = set(nb.metadata) - {"kernelspec"}
    if extra or nb.metadata.get("kernelspec", {}).get("name") != "python3":
        problems.append(
            f"nbs/{nb.name}: the notebook's metadata "
            "are not only the kernel python3; clean it"
        )
    return problems


NAMED = re.compile(
    r"""\b(?:aria-label|aria-labelledby|title)=(?:"\s*[^"\s]|'\s*[^'\s])|\baria-hidden=["']?true|\btype=["']?hidden"""  # noqa: E501
)


def unnamed(html: str) -> list[str]:
    """Pictures and controls of HTML, players included,
    of which a screen reader can't say what they are."""
    html = re.sub(r"<(script|style)\b.*?</\1>", blank, html, flags=re.S)
    tags = re.findall(
        r"<(?:canvas|iframe|video|object|embed|input|select|textarea)\b[^>]*>", html)
    tags += re.findall(r"<[a-z]+\b[^>]*\brole=[\"']?(?:group|img)\b[^>]*>", html)
    tags += [tag
             for tag, inside in re.findall(r"(<svg\b[^>]*>)(.*?)</svg>", html, flags=re.S)
             if "<title" not in inside]
    tags += [tag for tag, inside in re.findall(r"(<button\b[^>]*>)(.*?)</button>",
                                               html, flags=re.S)
             if not re.search(r"\w", re.sub(r"<[^>]*>", "", inside))]
    return [f"{tag[:30]}… without aria-label" for tag in tags if not NAMED.search(tag)]


def figures(nb: Notebook) -> list[str]:
    """Every figure has a caption and says in words what it shows."""
    problems = []
    for cell in nb.cells:
        say = []
        texts = [without_code(cell.source)] if cell.kind == "markdown" else []
        for out in cell.outputs:
            data = out.get("data", {})
            if any(k.startswith("image/") for k in data):
                say += [
                    f"a figure without `#| {k}:`"
                    for k in ("fig-cap", "fig-alt")
                    if not cell.directives.get(k)
                ]
            if "data-panels=" not in "".join(data.get("image/svg+xml", "data-panels=")):
                say.append("an SVG that differs from run to run; call set_style")
            texts += [markup(out, k) for k in ("text/html", "text/markdown")]
        for text in texts:
            for tag in re.findall(r"<img\b[^>]*>", text):
                if not re.search(r"""\balt=(?:"\s*[^"\s]|'\s*[^'\s])""", tag):
                    say.append(f"{tag[:30]}… without alt text")
            for link in links(text):
                if (link.image and not link.text.strip()
                    and "fig-alt=" not in link.attributes):
                    say.append(f"the picture {link.target[:40]} without alt text")
            say += unnamed(text)
        problems += [f"{at(nb, cell)}: {x}" for x in dict.fromkeys(say)]
    return problems


# ------------------------------------ Markdown: headings, anchors, links


def blank(found: re.Match[str]) -> str:
    """As many lines as were found, empty."""
    return "\n" * found[0].count("\n")


def without_fences(text: str) -> str:
    """Markdown without fenced code and comments."""
    text = re.sub(r"^ *(`{3,}|~{3,})[^\n]*\n(.*?\n)?? *\1[`~]* *$", blank, text,
                  flags=re.M | re.S)
    return re.sub(r"<!--.*?-->", blank, text, flags=re.S)


def without_code(text: str) -> str:
    """Markdown without any code; `x` stands where code stood in a line."""
    text = without_fences(text)
    return re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", lambda m: "x" + blank(m), text,
                  flags=re.S)


def without_math(text: str) -> str:
    """Markdown without formulas."""
    text = re.sub(r"\$\$.*?\$\$", blank, text, flags=re.S)
    return re.sub(r"(?<![\\$])\$(?=[^\s$])[^$]*?(?<=[^\s\\])\$(?!\d)", blank, text)


def headings(text: str) -> list[tuple[int, str, str | None]]:
    """Level, text and explicit identifier of each heading, as pandoc reads them."""
    found = []
    lines = re.sub(r"\$\$.*?\$\$", blank, without_fences(text), flags=re.S).splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        match = re.match(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*$", line)
        if match and not before.strip():
            words = match[2]
            attributes = re.search(r"\s*\{([^{}]*)\}$", words)
            name = re.search(r"#([^\s}]+)", attributes[1]) if attributes else None
            if attributes:
                words = words[: attributes.start()]
            found.append((len(match[1]), re.sub(r"\s+#+$", "", words),
                          name[1] if name else None))
    return found


def identifier(heading: str) -> str:
    """The identifier that pandoc gives a heading (its extension auto_identifiers)."""
    text = re.sub(r"\[\^[^\]]*\]|\^\[[^\]]*\]", "", heading)  # footnotes
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\](?:\([^)]*\)|\[[^\]]*\]|\{[^}]*\})",
                  r"\1", text)
    parts = re.split(r"(`+.+?`+|(?<!\\)\$[^$]+\$)", text)
    for i in range(0, len(parts), 2):  # prose between code and formulas
        words = re.sub(r"</?[a-zA-Z][^>]*>", "", parts[i])
        words = re.sub(
            r"-{2,3}|\.\.\.", "\u2013", words)  # smart dashes and ellipses are no hyphens
        parts[i] = re.sub(r"(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_])", "", words)  # emphasis
    kept = "".join(c for c in "".join(parts).lower()
                   if c.isspace() or c.isalnum() or c in "_-.")
    kept = "-".join(kept.split())
    start = next((i for i, c in enumerate(kept) if c.isalpha()), None)
    return "section" if start is None else kept[start:]


def unique(name: str, taken: set[str]) -> str:
    """The name, or the name with the first free number."""
    free, number = name, 0
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def anchors(nb: Notebook) -> set[str]:
    """Everything on a page that a link can point to."""
    taken: set[str] = set()
    for cell in nb.cells:
        if cell.kind == "markdown":
            for level, words, name in headings(cell.source):
                if cell.number == 0 and level == 1:
                    continue  # becomes the page's title
                if level == 4 and words.startswith("Solution"):
                    continue  # the site folds it into a callout, which has no anchor
                if name:
                    taken.add(name)
                elif nb.chapter == "api" and (shown := re.fullmatch(r"`([\w.]+)`", words)):
                    taken.add(shown[1])  # the name itself, as JupyterLab has it too
                else:
                    unique(identifier(words), taken)
            text = without_code(cell.source)
            taken |= set(re.findall(r"\{#([\w.:-]+)", text))
            taken |= set(re.findall(r"""\b(?:id|name)=["']([^"']+)["']""", text))
        elif cell.kind == "code":
            if "label" in cell.directives:
                taken.add(cell.directives["label"])
            taken |= {definition_anchor(name) for name in public_in(nb, cell)}
            for output in cell.outputs:
                taken |= set(re.findall(r'\bid="([^"]+)"', markup(output, "text/markdown")))
    return taken


def file_anchors(path: Path) -> set[str]:
    """Anchors of a Markdown file as GitHub shows it."""
    taken: set[str] = set()
    for _, words, _ in headings(path.read_text(encoding="utf-8")):
        kept = "".join(c for c in words.lower() if c.isalnum() or c in "_- ")
        unique(kept.replace(" ", "-"), taken)
    return taken


class Link:
    """A link or a picture in Markdown or HTML."""

    def __init__(
        self, target: str, text: str = "", image: bool = False, attributes: str = ""
    ) -> None:
        self.target, self.text, self.image, self.attributes = (
            target.strip(), text, image, attributes)


def html_links(text: str) -> list[Link]:
    """Links and pictures of HTML."""
    text = re.sub(r"<(script|style)\b.*?</\1>", blank, text, flags=re.S)
    found = [Link(t) for t in re.findall(r"""<a\b[^>]*\bhref=["']([^"']*)["']""", text)]
    return found + [
        Link(t, "-", True)
        for t in re.findall(r"""<img\b[^>]*\bsrc=["']([^"']*)["']""", text)
    ]


def links(text: str) -> list[Link]:
    """All links and pictures of Markdown, outside code and formulas."""
    text = without_math(without_code(text))
    found = html_links(text)
    inline = (
        r"(?<!\\)(!?)\[((?:[^\[\]]|\[[^\[\]]*\](?:\([^)]*\))?)*)\]"
        r"\(\s*<?((?:[^()\s<>]|\([^()\s]*\))*)>?(?:\s+[\"'][^)]*[\"'])?\s*\)(\{[^}]*\})?"
    )
    for mark, words, target, attributes in re.findall(inline, text):
        found.append(Link(target, words, bool(mark), attributes))
        found += links(words) if "](" in words else []  # a picture that is a link
    found += [
        Link(t) for t in re.findall(r"^ {0,3}\[[^\]^][^\]]*\]:\s*<?(\S+?)>?(?:\s|$)",
                                    text, flags=re.M)
    ]
    return found


class Site:
    """The pages of the book with their anchors."""

    def __init__(self, book: list[Notebook], root: Path) -> None:
        self.root, self.nbs = root, root / "nbs"
        self.pages = {nb.name: anchors(nb) for nb in [*book, *quarto_pages(root)]}
        config = settings(root)
        self.address = config["doc_host"] + config["doc_baseurl"]

    def problem(self, target: str, page: Path, here: set[str]) -> str | None:
        """What is wrong with a link on a page (its path below nbs), or None."""
        if target.startswith(self.address):
            rest = target[len(self.address) :].lstrip("/")
            target = "/" + re.sub(r"\.html(?=#|$)", ".ipynb", rest or "index.html")
        if re.match(r"(https?|mailto|data):", target):
            return None
        if re.match(r"[a-z]+:", target):
            return "points to no file; store the picture below nbs/"
        browser = re.fullmatch(r"(?:\.\./)*lite/notebooks/index\.html\?path=(.+)", target)
        if browser:  # the same page, in the edition that `make docs` builds
            return None if browser[1] in self.pages else "there is no such page"
        name, _, anchor = unquote(target).partition("#")
        if not name:
            return (None if anchor in here
                    else f"no heading or label {anchor!r} on this page")
        place = os.path.normpath(
            name[1:] if name.startswith("/") else (page.parent / name).as_posix())
        place = place.replace(os.sep, "/")
        if place in self.pages:
            if anchor and anchor not in self.pages[place]:
                return f"no heading or label {anchor!r} on that page"
            return None
        if place.endswith((".ipynb", ".qmd")):
            return "there is no such page"
        if place.endswith(".html"):
            return "link to the notebook (.ipynb), not to the page made from it"
        return None if (self.nbs / place).exists() else "there is no such file"


def broken_links(book: list[Notebook], root: Path) -> list[str]:
    """Every link within the book leads somewhere: pages, anchors, files, pictures."""
    site = Site(book, root)
    problems = []
    for nb in book:
        here = site.pages[nb.name]
        for cell in nb.cells:
            found = (links(cell.source) if cell.kind == "markdown"
                     else links(cell.directives.get("fig-cap", "")))
            for output in cell.outputs:
                found += links(markup(output, "text/markdown"))
                found += html_links(markup(output, "text/html"))
            for link in found:
                wrong = site.problem(link.target, Path(nb.name), here)
                problem = f"{at(nb, cell)}: link to {link.target}: {wrong}"
                if wrong and problem not in problems:
                    problems.append(problem)
        for cell, name, doc in docstrings(nb):
            for link in links(doc):
                if not re.match(r"https?:", link.target):
                    wrong = ("a docstring is read in many places; write the whole address, "
                             "or the name in backticks")
                else:
                    wrong = site.problem(link.target, Path("index.ipynb"), set())
                if wrong:
                    problems.append(f"{at(nb, cell)}: docstring of {name}: link to "
                                    f"{link.target}: {wrong}")
    for path in sorted(root.glob("*.md")):
        own = file_anchors(path)
        for link in links(path.read_text(encoding="utf-8")):
            name, _, anchor = unquote(link.target).partition("#")
            if link.target.startswith(site.address):
                wrong = site.problem(link.target, Path("index.ipynb"), set())
            elif re.match(r"[a-z]+:", link.target):
                wrong = None
            elif not name:
                wrong = None if anchor in own else f"no heading {anchor!r} in this file"
            else:
                wrong = None if (root / name).exists() else "there is no such file"
            if wrong:
                problems.append(f"{path.name}: link to {link.target}: {wrong}")
    return problems


def references(book: list[Notebook], root: Path) -> list[str]:
    """Every `@fig-…` names a label of its page, every `[@key]` an entry of the
    bibliography, and brings its own parentheses."""
    keys: set[str] = set()
    for path in (root / "nbs").rglob("*.bib"):
        keys |= set(
            re.findall(
                r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,",
                path.read_text(encoding="utf-8"), flags=re.M)
        )
    problems = []
    for nb in book:
        here = anchors(nb)
        for cell in nb.cells:
            if cell.kind != "markdown":
                continue
            text = re.sub(r"\]\([^)]*\)|<[^>]*>", "",
                          without_math(without_code(cell.source)))
            problems += [f"{at(nb, cell)}: {twice}: [@key] brings its own parentheses"
                         for twice in re.findall(r"\(\[@[^\]]*\]\)", text)]
            for key in re.findall(r"(?<![\w@.\\])@([A-Za-z][\w:-]*\w)", text):
                if re.match(r"(fig|tbl|sec|eq|lst)-", key):
                    wrong = None if key in here else "no such label on this page"
                else:
                    wrong = None if key in keys else "not in the bibliography"
                if wrong:
                    problems.append(f"{at(nb, cell)}: @{key}: {wrong}")
    return problems


def structure(nb: Notebook) -> list[str]:
    """One title; headings that nest; solutions below their exercises;
    divs that are closed."""
    problems = []
    before = 0
    exercise = ""
    for cell in nb.cells:
        if cell.kind != "markdown":
            continue
        for level, words, _ in headings(cell.source):
            if level == 1 and cell.number > 0:
                problems.append(
                    f"{at(nb, cell)}: a second title {words!r}; use ## or deeper")
            elif level > before + 1:
                problems.append(
                    f"{at(nb, cell)}: {words!r} jumps from level {before} to {level}")
            if level <= 3:
                exercise = words if level == 3 and words.startswith("Exercise ") else ""
            if (words.startswith("Solution")
                and (level != 4 or words[9:] != exercise[9:].split(":")[0])):
                problems.append(f"{at(nb, cell)}: {words!r} must be `#### Solution n` "
                                "below `### Exercise n`")
            before = level
        text = without_fences(cell.source)
        lines = text.splitlines()
        for previous, line in zip(["", *lines], lines, strict=False):
            if re.match(r"#{1,6} \S", line) and previous.strip():
                problems.append(
                    f"{at(nb, cell)}: {line[:40]!r} needs an "
                    "empty line before it to be a heading"
                )
            if re.match(r"#{1,6}[^#\s]", line) and not line.startswith("#|"):
                problems.append(f"{at(nb, cell)}: {line[:40]!r} needs a space after the #")
    return problems


# ------------------------------------ equations, coverage, sidebar


def tags(nb: Notebook) -> list[tuple[Cell, str]]:
    """The numbers that the page gives its equations."""
    return [
        (cell, tag)
        for cell in nb.cells
        if cell.kind == "markdown"
        for tag in re.findall(r"\\tag\*?\{([^}]*)\}", without_code(cell.source))
    ]


def claimed(doc: str) -> list[str]:
    """The numbers of equations that a docstring names:
    `Eq. (3.5)`, `Eqs. 10.1 and 10.2`."""
    found = []
    for run in re.findall(
        r"\b(?:Eqs?\.|[Ee]quations?)((?:[\s(),;–-]|and|to|or|\d+\.\d+[a-z']?)+)", doc):
        found += re.findall(r"\d+\.\d+(?:[a-z](?![a-z])|')?", run)
    return found


def docstrings(nb: Notebook) -> Iterator[tuple[Cell, str, str]]:
    """Every docstring of the module: cell, name, text."""
    for cell, node in exported(nb):
        for inner in ast.walk(node):
            if isinstance(inner, ast.FunctionDef | ast.ClassDef) and (
                doc := ast.get_docstring(inner)):
                yield cell, inner.name, doc


def equations(book: list[Notebook]) -> list[str]:
    """A number stands at one equation only,
    and what a docstring names stands in its chapter."""
    problems = []
    first: dict[str, str] = {}
    of_chapter: dict[str, set[str]] = {}
    for nb in book:
        for cell, tag in tags(nb):
            of_chapter.setdefault(nb.chapter, set()).add(tag)
            if tag in first:
                problems.append(
                    f"{at(nb, cell)}: \\tag{{{tag}}} stands already in {first[tag]}")
            first.setdefault(tag, at(nb, cell))
            most = {"3": 87, "10": 82}.get(tag.split(".")[0])
            number = re.match(r"\d+\.(\d+)", tag)
            if most and number and not 1 <= int(number[1]) <= most:
                problems.append(
                    f"{at(nb, cell)}: \\tag{{{tag}}}: the source's numbers end with {most}")
    for nb in book:
        for cell, name, doc in docstrings(nb):
            for tag in claimed(doc):
                if tag not in of_chapter.get(nb.chapter, set()):
                    where = (f"it stands in {first[tag]}" if tag in first
                             else "no page has it")
                    problems.append(
                        f"{at(nb, cell)}: {name} names Eq. ({tag}), "
                        f"not on a page of its chapter ({where})"
                    )
    return problems


def entries() -> list[str]:
    """The entries of the coverage list: what the source texts hold, and their errata."""
    return [f"I{i:03d}" for i in range(1, 348)] + [f"E{i:02d}" for i in range(1, 85)]


def coverage(book: list[Notebook], root: Path) -> list[str]:
    """Every entry once, with a chapter of the plan and,
    once written, a section that exists."""
    path = root / "nbs" / "appendix" / "coverage.csv"
    if not path.exists():
        return ["nbs/appendix/coverage.csv: missing"]
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or list(rows[0]) != ["entry", "source", "what", "chapter", "page"]:
        return ["nbs/appendix/coverage.csv: the columns must be entry, source, what, "
                "chapter, page"]
    found = [r["entry"] for r in rows]
    problems = [f"entry {e} is missing" for e in entries() if e not in found]
    problems += [
        f"entry {e} is no entry of the inventory"
        for e in sorted(set(found) - set(entries()))
    ]
    problems += [
        f"entry {e} stands {found.count(e)} times"
        for e in sorted(set(found)) if found.count(e) > 1
    ]
    site = Site(book, root)
    for row in rows:
        if row["chapter"] not in PLAN:
            problems.append(
                f"entry {row['entry']}: {row['chapter']!r} is no chapter of the book")
        for target in (row["page"] or "").split():
            wrong = site.problem("/" + target, Path("index.ipynb"), set())
            if wrong:
                problems.append(f"entry {row['entry']}: {target}: {wrong}")
    return [f"nbs/appendix/coverage.csv: {x}" for x in problems]


def texts_of(part: Any) -> Iterator[str]:
    """Every text in a configuration."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from texts_of(inner)


def engine_pages(book: list[Notebook], root: Path) -> list[str]:
    """Engine pages stand at the end of their chapter in a section of their own;
    what stands there is one, whatever its name."""
    wanted = {nb.name for nb in book if nb.is_engine}
    there: list[str] = []
    say = []
    for chapter in [entry for entry in sidebar(root) if isinstance(entry, dict)]:
        if chapter.get("href") == "api/index.ipynb":
            continue  # made from the package, with a section for each chapter
        inner = chapter.get("contents") or []
        for place, entry in enumerate(inner):
            if isinstance(entry, dict) and "contents" in entry:
                if entry.get("section") != HOOD or place < len(inner) - 1:
                    say.append(f"{chapter.get('section')}: the one section within it is "
                               f"{HOOD!r}, at its end")
                there += entry["contents"]
                home = chapter_of(chapter.get("href") or "")
                say += [f"{p} is no page of {chapter.get('section')}"
                        for p in entry["contents"] if chapter_of(p) != home]
    return say + [f"{p} belongs in the section {HOOD!r} of its chapter"
                  for p in sorted(wanted - set(there))]


def sidebar_problems(book: list[Notebook], root: Path) -> list[str]:
    """The sidebar lists every page once and nothing else;
    what `_quarto.yml` names besides is there."""
    listed = pages(root)
    there = [nb.name for nb in [*book, *quarto_pages(root)] if nb.path.stem != "404"]
    say = [f"the sidebar lacks {p}" for p in there if p not in listed]
    say += [f"the sidebar lists {p}, which does not exist"
            for p in listed if p not in there]
    say += [f"the sidebar lists {p} twice" for p in sorted(set(listed))
            if listed.count(p) > 1]
    say += [f"the sidebar leads away, to {x}" for x in texts_of(sidebar(root))
            if re.match(r"https?:", x)]
    say += engine_pages(book, root)
    config = yaml.safe_load((root / "_quarto.yml").read_text(encoding="utf-8"))
    for name in dict.fromkeys(texts_of(config)):
        is_file = re.fullmatch(
            r"/?[\w./-]+\.(?:ipynb|qmd|svg|png|jpg|ico|s?css|html|js|bib|csl|lua)", name)
        if (is_file and name not in listed
                and not name.startswith("/site_libs/")  # put there by `make docs`
            and not (root / "nbs" / name.lstrip("/")).exists()):
            say.append(f"{name}: there is no such file below nbs/")
    return [f"_quarto.yml: {x}" for x in say]


# ------------------------------------ names in the prose, and what a page weighs

# Names that belong to no library of ours: another's, or no code at all.
ELSEWHERE = {
    "check_estimator",  # scikit-learn's
    "EntropyMDL",  # Orange's
    "attribute.Discretize",  # WEKA's
    "matplotlibrc",
    "foreach",  # pseudocode, with endif
    "endif",
    "x0",  # names made up on the spot
    "x1",
    "load_x",
    "SomeClassifier",
}


def identifiers(text: str) -> set[str]:
    """Everything that looks like a name."""
    return set(re.findall(r"[^\W\d]\w*", text))


def names_of_package(book: list[Notebook], root: Path) -> set[str]:
    """What the package calls something: modules,
    functions, classes, their parameters and attributes."""
    found = {settings(root)["lib_path"]}
    for nb in book:
        found |= set((nb.module or "").split("."))
        found |= set(public(nb))
        for _, statement in exported(nb):
            for node in ast.walk(statement):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found.add(node.name)
                elif isinstance(node, ast.arg):
                    found.add(node.arg)
                elif isinstance(node, ast.Attribute):
                    found.add(node.attr)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found.add(node.target.id)
    return found


def names_of_page(nb: Notebook) -> set[str]:
    """What stands in the code of a page, docstrings left out, and in its outputs."""
    found: set[str] = set()
    for cell in nb.cells:
        if cell.kind == "markdown":
            for block in re.findall(r"^```.*?^```", cell.source, flags=re.M | re.S):
                found |= identifiers(block)
            continue
        code, tree = cell.code, parsed(nb, cell)
        for node in ast.walk(tree) if tree else []:
            if (isinstance(node, ast.FunctionDef | ast.ClassDef)
                and (doc := ast.get_docstring(node, clean=False))):
                code = code.replace(doc, "")
        found |= identifiers(code)
        for output in cell.outputs:
            if "<script" not in markup(output, "text/html"):
                found |= identifiers(output_text(output))
    return found


def mentioned(text: str) -> Iterator[tuple[str, set[str]]]:
    """Every piece of `code` in prose that is a name,
    a call or a keyword, with the names in it."""
    for piece in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", without_fences(text)):
        name = re.fullmatch(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)(\(.*\))?|([^\W\d]\w*)=(?!=).*",
                            piece)
        if name:
            keywords = re.findall(r"([^\W\d]\w*)=(?!=)", name[2] or "")
            yield piece, {*(name[1] or name[3]).split("."), *keywords}


def stale_names(book: list[Notebook], root: Path) -> list[str]:
    """A name in backticks is one of the package,
    of the page's own code, or of Python: none that is gone."""
    package = names_of_package(book, root) | set(dir(builtins)) | set(keyword.kwlist)
    for name in ELSEWHERE:
        package |= set(name.split("."))
    problems = []
    for nb in book:
        if nb.chapter == "api":
            continue  # made from the docstrings, which are read where they stand
        known = package | names_of_page(nb)
        texts = [(at(nb, c), c.source) for c in nb.cells if c.kind == "markdown"]
        texts += [(f"{at(nb, c)}: docstring of {name}", doc)
                  for c, name, doc in docstrings(nb)]
        for where, text in texts:
            for piece, names in mentioned(text):
                gone = {n for n in names - known if not re.fullmatch(r"__\w+__", n)}
                if gone and not (root / piece).exists():
                    problems.append(
                        f"{where}: `{piece}`: nothing is called {', '.join(sorted(gone))}")
    return problems
