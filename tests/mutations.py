"""Break lines of the engines, one at a time, and see whether their chapter's tests notice.

`python -m tests.mutations bayes linear` takes six lines of each chapter, the same every
time, works in a copy of the repository, and writes what happened into build/mutations.csv;
a line that stands there is not tried again. By hand: a line takes up to some minutes.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIGNS = {
    "Lt": ("<", "<="), "LtE": ("<=", "<"), "Gt": (">", ">="), "GtE": (">=", ">"),
    "Eq": ("==", "!="), "NotEq": ("!=", "=="), "And": ("and", "or"), "Or": ("or", "and"),
    "Add": ("+", "-"), "Sub": ("-", "+"), "Mult": ("*", "/"), "Div": ("/", "*"),
}
FIELDS = ["chapter", "file", "line", "before", "after", "noticed"]
# Said in messages, drawn, typed: to break it proves nothing.
PASSED_OVER = ("raise ", "warn", 'f"', "f'", "figsize", "ax.", "plt.", ": Any", "->", "@")


def sites(path: Path) -> list[tuple[int, str, str, str]]:
    """Where a module can be broken: line, what stands there, the new line, its function."""
    found, lines = [], path.read_text(encoding="utf-8").splitlines()
    functions = [f for f in ast.walk(ast.parse("\n".join(lines)))
                 if isinstance(f, ast.FunctionDef)]
    for function in functions:
        for node in [n for statement in function.body for n in ast.walk(statement)]:
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                left, sign, right = node.left, node.ops[0], node.comparators[0]
            elif isinstance(node, ast.BinOp):
                left, sign, right = node.left, node.op, node.right
            elif isinstance(node, ast.BoolOp):
                left, sign, right = node.values[0], node.op, node.values[1]
            else:
                if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                    line, new = lines[node.lineno - 1], repr(node.value * 2 or 1)
                    new = line[:node.col_offset] + new + line[node.end_col_offset:]
                    found.append((node.lineno - 1, line, new, function.name))
                continue
            kind, at = type(sign).__name__, left.end_lineno - 1
            line, a, b = lines[at], left.end_col_offset, right.col_offset
            if kind in SIGNS and at == right.lineno - 1 and line.isascii():
                new = line[:a] + line[a:b].replace(*SIGNS[kind]) + line[b:]
                found.append((at, line, new, function.name))
    return [s for s in found if not any(word in s[1] for word in PASSED_OVER)]


def chosen(chapter: str, number: int) -> list[dict[str, str]]:
    """As many lines of a chapter, each in a function of its own, the same every time."""
    modules = sorted((ROOT / "supervised" / chapter).rglob("*.py"))
    every = [(p.relative_to(ROOT).as_posix(), *s) for p in modules for s in sites(p)]
    random.Random(chapter).shuffle(every)
    first = {(s[0], s[4]): s for s in reversed(every)}
    return [dict(zip(FIELDS, (chapter, file, str(at + 1), old, new), strict=False))
            for file, at, old, new, _ in list(first.values())[::-1][:number]]


def noticed(copy: Path, one: dict[str, str], seconds: float) -> str:
    """The first test that fails once a line is broken; nothing if none does."""
    folder, path = copy / "supervised" / one["chapter"], copy / one["file"]
    shutil.rmtree(folder)
    shutil.copytree(ROOT / "supervised" / one["chapter"], folder)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[int(one["line"]) - 1] = one["after"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for compiled in folder.rglob("*.nb[ic]"):  # a kernel holds those that it calls
        compiled.unlink()
    tests = sorted((copy / "tests" / one["chapter"]).glob("test_*.py"),
                   key=lambda t: (path.stem not in t.stem, "engine" not in t.stem))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not deep", "--tb=no"]
    try:
        run = subprocess.run([*command, *map(str, tests)], cwd=copy, timeout=seconds,
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    except subprocess.TimeoutExpired:
        return "it does not end"
    said = [x for x in run.stdout.splitlines() if x.startswith(("FAILED", "ERROR"))]
    return "" if run.returncode == 0 else said[0][:150] if said else run.stdout[-150:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapters", nargs="+")
    parser.add_argument("--each", type=int, default=6, help="lines of each chapter")
    parser.add_argument("--seconds", type=float, default=900, help="for the tests of one")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutations.csv")
    options = parser.parse_args()
    options.out.parent.mkdir(exist_ok=True)
    options.out.touch()
    with options.out.open(encoding="utf-8", newline="") as file:
        known = {(r["file"], r["after"]) for r in csv.DictReader(file)}
    with tempfile.TemporaryDirectory() as where, options.out.open("a", newline="") as file:
        copy = Path(where) / "book"
        shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(
            ".venv", ".git", "node_modules", "_docs", "_proc", "build"))
        writer = csv.DictWriter(file, FIELDS)
        if not known:
            writer.writeheader()
        for one in [one for c in options.chapters for one in chosen(c, options.each)]:
            if (one["file"], one["after"]) not in known:
                one["noticed"] = noticed(copy, one, options.seconds)
                writer.writerow(one)
                file.flush()
                print(one["file"], one["line"], one["noticed"] or "ESCAPED", flush=True)


if __name__ == "__main__":
    main()
