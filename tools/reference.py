"""The API reference, `nbs/api`: written by `make export` from the signatures and docstrings of the package.

One page for a chapter, one heading for a module, a class, a function, a method. The pages hold Markdown
alone, so they read alike in JupyterLab, on GitHub and on the site, and there is nothing to run. The
package is parsed, never imported.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

import nbformat

from tools.book import ROOT, Notebook, chapters, definition_anchor, notebooks, offered, read_notebook, settings

Function = ast.FunctionDef | ast.AsyncFunctionDef
Constant = ast.Assign | ast.AnnAssign

MOST_LINES = 12  # of a constant's value
WIDTH = 96  # of a signature

# Where the libraries that the book builds on describe a name, and how many dots such a name has.
PEERS = {
    "sklearn": ("https://scikit-learn.org/stable/modules/generated/{}.html", (2, 3)),
    "numpy": ("https://numpy.org/doc/stable/reference/generated/{}.html", (1,)),
    "scipy": ("https://docs.scipy.org/doc/scipy/reference/generated/{}.html", (2,)),
    "pandas": ("https://pandas.pydata.org/docs/reference/api/{}.html", (1,)),
}


def peer_page(qualified: str) -> str | None:
    """Where scikit-learn, NumPy, SciPy or pandas describe a name of theirs: `sklearn.svm.LinearSVC`."""
    address, dots = PEERS.get(qualified.split(".")[0], ("", ()))
    public = not any(part.startswith("_") for part in qualified.split("."))
    return address.format(qualified) if public and qualified.count(".") in dots else None


# ------------------------------------ the package, read


@dataclass
class Entry:
    """What the reference says about one public name, or about one method of a public class."""

    name: str  # as one writes it: gain, Table, Table.column
    kind: str  # function, class, constant, method, property
    module: str  # below the package: basics.tables
    signature: str
    doc: str
    line: int
    file: str = ""  # the module whose file has that line, where it is another one
    bases: list[str] = field(default_factory=list)  # of a class, from the nearest: dotted names
    methods: list[Entry] = field(default_factory=list)

    @property
    def page(self) -> str:
        """The page below nbs that has the entry."""
        return f"api/{self.module.split('.')[0]}.ipynb"

    @property
    def link(self) -> str:
        return f"{self.page}#{self.name}"

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring, in one line."""
        return " ".join(self.doc.split("\n\n")[0].split()) or self.kind.capitalize() + "."


@dataclass
class Module:
    """One module of the package with its public names, in the order of definition."""

    name: str
    page: str  # the section that defines it, below nbs
    title: str
    summary: str
    entries: list[Entry]

    @property
    def chapter(self) -> str:
        return self.name.split(".")[0]


def public_names(tree: ast.Module) -> list[str]:
    """What a module lists in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return []


def assigned(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines."""
    if isinstance(node, Function | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def imports(tree: ast.AST) -> dict[str, str]:
    """What the names that a program imports stand for: `{"BaseEstimator": "sklearn.base.BaseEstimator"}`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = "." * node.level + f"{node.module or ''}.{alias.name}".lstrip(".")
    return found


class Source:
    """The text of a module, and of any piece of it."""

    def __init__(self, text: str):
        self.text, self.tree = text, ast.parse(text)
        self.lines = text.encode().splitlines()

    def said(self, node: ast.expr) -> str:
        """An expression as it is written, in one line."""
        lines = self.lines[node.lineno - 1: node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset:]
        return " ".join(line.decode().strip() for line in lines)


def laid_out(head: str, parts: list[str], tail: str) -> str:
    """A signature in one line, or one parameter on a line where that is too long."""
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= WIDTH or not parts:
        return line
    return f"{head}(\n" + "".join(f"    {p},\n" for p in parts) + f"){tail}"


def parameters(spec: ast.arguments, method: bool, source: Source) -> list[str]:
    """Each parameter as it stands in the source, without `self`."""
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [*([None] * (len(positional) - len(spec.defaults))), *spec.defaults]
    pairs = list(zip(positional, defaults, strict=True))[1 if method else 0:]

    def one(argument: ast.arg, default: ast.expr | None, stars: str = "") -> str:
        hint = f": {source.said(argument.annotation)}" if argument.annotation else ""
        equals = " = " if hint else "="
        return stars + argument.arg + hint + (equals + source.said(default) if default else "")

    parts = [one(a, d) for a, d in pairs]
    if spec.posonlyargs[1 if method else 0:]:
        parts.insert(len(spec.posonlyargs) - (1 if method else 0), "/")
    if spec.vararg:
        parts.append(one(spec.vararg, None, "*"))
    elif spec.kwonlyargs:
        parts.append("*")
    parts += [one(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)]
    return parts + ([one(spec.kwarg, None, "**")] if spec.kwarg else [])


def decorators(node: Function | ast.ClassDef) -> list[str]:
    return [ast.unparse(d).split("(")[0].split(".")[-1] for d in node.decorator_list]


def is_value(node: Function) -> bool:
    """Whether a method is read like an attribute."""
    return bool({"property", "cached_property"} & set(decorators(node)))


def function_signature(node: Function, name: str, method: bool, source: Source) -> str:
    """`name(parameters) -> result`; a property has no parentheses."""
    result = source.said(node.returns) if node.returns else ""
    if method and is_value(node):
        return f"{name}: {result}" if result else name
    bound = method and "staticmethod" not in decorators(node)
    return laid_out(name, parameters(node.args, bound, source), f" -> {result}" if result else "")


def fields(node: ast.ClassDef, source: Source) -> list[str]:
    """The fields of a data class or a named tuple, as parameters of its constructor."""
    parts = []
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            value = source.said(item.value) if item.value else ""
            hint = f"{item.target.id}: {source.said(item.annotation)}"
            if "ClassVar" in hint:
                continue
            if isinstance(item.value, ast.Call) and ast.unparse(item.value.func) == "field":
                options = {k.arg: source.said(k.value) for k in item.value.keywords}
                if options.get("init") == "False":
                    continue
                factory = options.get("default_factory")
                value = f"{factory}()" if factory else options.get("default", "")
            parts.append(hint + f" = {value}" * bool(value))
    return parts


class Package:
    """The package as its source files have it: modules, public names, and what a name leads to."""

    def __init__(self, root: Path = ROOT):
        config = settings(root)
        self.root, self.name = root, config["lib_path"]
        self.source = f"{config['git_url']}/blob/{config['branch']}"
        self.chapters = chapters(root)
        landing = {c: read_notebook(root / "nbs" / c / "index.ipynb", root) for c in self.chapters}
        self.titles = {c: nb.title for c, nb in landing.items()}
        self.offered = {c: offered(nb) for c, nb in landing.items()}
        self.sources: dict[str, Source] = {}
        self.classes: dict[str, tuple[ast.ClassDef, dict[str, str], str]] = {}  # by module and name, private ones too
        self.modules = [self._module(nb) for nb in notebooks(root) if nb.module]
        self._finish_classes()

    def import_line(self, entry: Entry) -> str:
        """How a name is imported: from its chapter where that offers it, from its module otherwise."""
        chapter = entry.module.split(".")[0]
        home = chapter if entry.name in self.offered[chapter] else entry.module
        return f"from {self.name}.{home} import {entry.name}"

    def path(self, module: str) -> str:
        """The file of a module, below the root."""
        return f"{self.name}/{module.replace('.', '/')}.py"

    def _module(self, nb: Notebook) -> Module:
        assert nb.module
        source = self.sources[nb.module] = Source((self.root / self.path(nb.module)).read_text(encoding="utf-8"))
        tree = source.tree
        known, public, entries = imports(tree), public_names(tree), []
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self.classes[f"{nb.module}.{node.name}"] = node, known, nb.module
            for name in assigned(node):
                if name in public:
                    entries.append(self._entry(name, node, nb.module, source))
        return Module(nb.module, nb.name, nb.title, nb.summary, entries)

    def _entry(self, name: str, node: ast.stmt, module: str, source: Source) -> Entry:
        if isinstance(node, Function):
            return Entry(name, "function", module, function_signature(node, name, False, source),
                         ast.get_docstring(node) or "", node.lineno)
        if isinstance(node, ast.ClassDef):
            return Entry(name, "class", module, "", ast.get_docstring(node) or "", node.lineno)
        lines = source.text.splitlines()[node.lineno - 1: node.end_lineno]
        note = re.search(r"\s+# (.*)$", lines[-1]) if len(lines) == 1 else None
        code = lines[0][: note.start()] if note else "\n".join(lines)
        if len(lines) > MOST_LINES:
            code = "\n".join([*lines[: MOST_LINES - 2], "    ...", lines[-1]])
        words = note[1] if note else ""
        return Entry(name, "constant", module, code, words[:1].upper() + words[1:].rstrip(".") + "." * bool(words),
                     node.lineno)

    # -------- classes: where a constructor and a method come from

    def _home(self, base: str, known: dict[str, str], module: str) -> str:
        """What the name of a base class stands for: a key of `classes`, or the dotted name of a peer's class."""
        if f"{module}.{base}" in self.classes:
            return f"{module}.{base}"
        head, _, rest = base.partition(".")
        target = known.get(head, head) + (f".{rest}" if rest else "")
        if target.startswith("."):
            level = len(target) - len(target.lstrip("."))
            target = ".".join([*module.split(".")[:-level], target.lstrip(".")])
        target = target.removeprefix(f"{self.name}.")
        chapter, _, name = target.rpartition(".")  # imported from a chapter, or from the module
        return next((k for k in self.classes if k.startswith(f"{chapter}.") and k.endswith(f".{name}")), target)

    def ancestors(self, key: str) -> list[str]:
        """Our base classes and those of others, from the nearest to the farthest, none twice."""
        if key not in self.classes:
            return []
        node, known, module = self.classes[key]
        near = [self._home(ast.unparse(b), known, module) for b in node.bases]
        return list(dict.fromkeys([*near, *(a for n in near for a in self.ancestors(n))]))

    def private_bases(self, key: str) -> list[str]:
        """The private base classes of a class that no public class of ours stands between."""
        node, known, module = self.classes[key]
        near = [self._home(ast.unparse(b), known, module) for b in node.bases]
        hidden = [n for n in near if n in self.classes and n.split(".")[-1].startswith("_")]
        return list(dict.fromkeys(b for h in hidden for b in (h, *self.private_bases(h))))

    def _constructor(self, key: str) -> list[str]:
        """The parameters of the constructor, its own or the nearest base's."""
        node, _, module = self.classes[key]
        for item in node.body:
            if isinstance(item, Function) and item.name == "__init__":
                return parameters(item.args, True, self.sources[module])
        ours = [a for a in self.ancestors(key) if a in self.classes]
        if "dataclass" in decorators(node):
            merged: dict[str, str] = {}
            for k in [*reversed(ours), key]:
                of, _, home = self.classes[k]
                if "dataclass" in decorators(of):
                    merged |= {p.split(":")[0]: p for p in fields(of, self.sources[home])}
            return list(merged.values())
        if "NamedTuple" in map(ast.unparse, node.bases):
            return fields(node, self.sources[module])
        return self._constructor(ours[0]) if ours else []

    def _finish_classes(self) -> None:
        """Signatures, bases and methods of the public classes, once all classes are known."""
        for entry in [e for m in self.modules for e in m.entries if e.kind == "class"]:
            key = f"{entry.module}.{entry.name}"
            entry.signature = laid_out(f"class {entry.name}", self._constructor(key), "").removesuffix("()")
            entry.bases = [a for a in self.ancestors(key) if not a.split(".")[-1].startswith("_")]
            seen: set[str] = set()
            for k in [key, *self.private_bases(key)]:
                node, _, module = self.classes[k]  # what a private base adds is told here: it has no entry itself
                for item in node.body:
                    if isinstance(item, Function) and not item.name.startswith("_") and item.name not in seen:
                        seen.add(item.name)
                        name = f"{entry.name}.{item.name}"
                        signature = function_signature(item, name, True, self.sources[module])
                        signature = re.sub(rf"\b{node.name}\b", entry.name, signature)  # a private base returns itself
                        entry.methods.append(Entry(
                            name, "property" if is_value(item) else "method", entry.module,
                            signature, ast.get_docstring(item) or "", item.lineno, module))

    # -------- names

    @cached_property
    def entries(self) -> dict[str, list[Entry]]:
        """Entries by name; a name that two chapters use has two."""
        found: dict[str, list[Entry]] = {}
        for module in self.modules:
            for entry in module.entries:
                for one in [entry, *entry.methods]:
                    found.setdefault(one.name, []).append(one)
        return found

    def inherited(self, entry: Entry) -> Iterator[tuple[Entry, list[Entry]]]:
        """Each public base class of ours with the methods that the class takes over from it."""
        seen = {m.name.split(".")[1] for m in entry.methods}
        for base in entry.bases:
            if base in self.classes:
                of_base = self.find(base.split(".")[-1], base.rpartition(".")[0])
                assert of_base, base
                new = [m for m in of_base.methods if m.name.split(".")[1] not in seen]
                seen |= {m.name.split(".")[1] for m in new}
                yield of_base, new

    def find(self, name: str, near: str = "", known: dict[str, str] | None = None) -> Entry | None:
        """The entry of a name as one writes it; of several, the one that is meant.

        `near` is the module or the chapter where the name is used, `known` what is imported there.
        """
        head = name.split(".")[0]
        found = self.entries.get(name, [])
        if not found and "." in name:
            for owner in self.entries.get(head, []):
                for _, methods in self.inherited(owner) if owner.kind == "class" and name.count(".") == 1 else ():
                    found = found or [m for m in methods if m.name.split(".")[1] == name.split(".")[1]]
        if len(found) <= 1:
            return found[0] if found else None
        origin = (known or {}).get(head, "").removeprefix(f"{self.name}.")
        for test in (lambda e: origin in (f"{e.module}.{head}", f"{e.module.split('.')[0]}.{head}"),
                     lambda e: e.module == near, lambda e: e.module.split(".")[0] == near.split(".")[0]):
            if fits := [e for e in found if test(e)]:
                return fits[0]
        return None

    def target(self, name: str, near: str = "", known: dict[str, str] | None = None) -> str | None:
        """Where a name leads, below nbs: `Table`, `Table.column`, `trees.splits`, `supervised.trees.Tree`."""
        whole = name.removeprefix(f"{self.name}.")
        if name == self.name:
            return "api/index.ipynb"
        names = {m.name: m for m in self.modules}
        if whole in names:
            return f"api/{names[whole].chapter}.ipynb#{whole}"
        if name != whole and whole in self.chapters:
            return f"api/{whole}.ipynb"
        for module in [*names, *self.chapters]:
            if whole.startswith(f"{module}."):
                entry = self.find(whole[len(module) + 1:], module)
                return entry.link if entry and f"{entry.module}.".startswith(f"{module}.") else None
        entry = self.find(name, near, known)
        return entry.link if entry else None


# ------------------------------------ docstrings as Markdown

NAMED = ("Parameters", "Other Parameters", "Attributes")  # lists of names, the others are lists of types
LISTS = (*NAMED, "Returns", "Yields", "Raises", "Warns")
NAMES = r"\*{0,2}[A-Za-z]\w*(, *\*{0,2}[A-Za-z]\w*)*"


def sections_of(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """The words of a NumPy-style docstring before its sections, and the sections by title."""
    parts = re.split(r"^([A-Z][\w ]*)\n-{3,}[ \t]*$", inspect.cleandoc(doc), flags=re.M)
    return parts[0].strip(), [(t, b.strip("\n")) for t, b in zip(parts[1::2], parts[2::2], strict=True)]


def list_and_rest(title: str, body: str) -> tuple[str, str]:
    """The items of a section, and the paragraphs that follow: at the margin, and no item."""
    if title in NAMED:
        for gap in re.finditer(r"\n[ \t]*\n(?=\S)", body):
            if not re.match(rf"{NAMES}( :.*)?$", body[gap.end():], flags=re.M):
                return body[: gap.start()], body[gap.end():]
    return body, ""


def items_of(body: str) -> list[tuple[str, str]]:
    """The items of a section: a line at the margin, and what is indented below it."""
    items: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line[:1].strip() or not items:
            items.append((line.strip(), []))
        else:
            items[-1][1].append(line)
    return [(head, inspect.cleandoc("\n".join(["", *below])).strip()) for head, below in items if head]


PIECES = re.compile(r"(\$\$.*?\$\$|(?<![\\$\w])\$(?=[^\s$])[^$]*?(?<=[^\s\\])\$(?!\d)|(`+).+?\2)", flags=re.S)


def prose(text: str, of: Links | None = None) -> str:
    """Plain words as Markdown: formulas and code stay, what Markdown would take for a mark is escaped."""
    done, last = [], 0

    def plain(words: str) -> str:
        return re.sub(r"([*|])|<(?=[A-Za-z/!])", lambda m: f"\\{m[1]}" if m[1] else "&lt;", words)

    for piece in PIECES.finditer(text):
        code = piece[2] and piece[0].strip("`")
        done += [plain(text[last: piece.start()]), of.code(code) if of and code else piece[0]]
        last = piece.end()
    return "".join(done) + plain(text[last:])


def mentioned(code: str) -> str:
    """The name that a piece of code in a line mentions: `gain`, `gain()`, `Holdout(ordered=True)`, `@compiled`."""
    found = re.fullmatch(r"@?([A-Za-z]\w*(?:\.\w+)*)(?:\(.*\))?", code, flags=re.S)
    return found[1] if found else ""


@dataclass
class Links:
    """Turns names into links, as seen from one page of the reference."""

    package: Package
    page: str
    module: str

    def to(self, target: str) -> str:
        """The relative link to a page below nbs, with its anchor."""
        name, mark, anchor = target.partition("#")
        if name == self.page and anchor:
            return f"#{anchor}"
        return os.path.relpath(name, PurePosixPath(self.page).parent).replace(os.sep, "/") + mark + anchor

    def code(self, name: str) -> str:
        """Code in a line; a link where it is a name of the package."""
        target = self.package.target(mentioned(name), self.module)
        return f"[`{name}`]({self.to(target)})" if target else f"`{name}`"

    def types(self, text: str) -> str:
        """A type in words: what is quoted is code, classes of the package are links."""
        code = re.sub(r"""`[^`]*`|\{[^{}]*\}|"[^"]*"|'[^']*'""", lambda m: f"`{m[0].strip('`')}`", text)
        parts = re.split(r"(`[^`]*`)", code)
        for i in range(0, len(parts), 2):
            words = re.split(r"(\b[A-Z]\w*\b)", prose(parts[i]))
            for j in range(1, len(words), 2):
                entry = self.package.find(words[j], self.module)
                words[j] = f"[`{words[j]}`]({self.to(entry.link)})" if entry and entry.kind == "class" else words[j]
            parts[i] = "".join(words)
        return "".join(p if i % 2 == 0 else self.code(p.strip("`")) for i, p in enumerate(parts))


def item(head: str, below: str, title: str, links: Links) -> str:
    """One item of a list: names in code, the type beside them, the meaning below."""
    names, colon, kind = head.partition(" : ")
    in_code = ", ".join(f"`{n.strip()}`" for n in names.split(","))
    kind, mark, more = (kind if colon else head).partition(";")
    said = links.types(kind) + mark + prose(more, links)
    if colon:
        first = f"{in_code} : {said}"
    elif title in ("Returns", "Yields"):
        first = said
    else:
        first = in_code
    goes_on = mark and below[:1].islower()
    words = prose(below, links)
    if words:
        first += (" " if goes_on else "\\\n") + words
    return "- " + re.sub(r"\n(?=.)", "\n  ", first)


def rendered(doc: str, links: Links) -> str:
    """A NumPy-style docstring as Markdown."""
    text, sections = sections_of(doc)
    blocks = [prose(text, links)] if text else []
    for title, body in sections:
        if title in LISTS:
            body, rest = list_and_rest(title, body)
            listed = [item(head, below, title, links) for head, below in items_of(body)]
            blocks.append(f"**{title}**\n\n" + "\n".join(listed))
            blocks += [prose(rest, links)] if rest else []
        elif title == "Examples":
            blocks.append(f"**{title}**\n\n```python\n{body}\n```")
        else:
            blocks.append(f"**{title}**\n\n" + prose(body, links))
    return "\n\n".join(blocks)


# ------------------------------------ the pages


def of_bases(entry: Entry, links: Links) -> str:
    """What a class has from its bases: ours with their methods, and those of other libraries."""
    lines = []
    for base, methods in links.package.inherited(entry):
        takes = ", ".join(f"[`{m.name.split('.')[1]}`]({links.to(m.link)})" for m in methods)
        if takes or not lines:
            lines.append(f"- from [`{base.name}`]({links.to(base.link)})" + f": {takes}" * bool(takes))
    others = [b for b in entry.bases if b not in links.package.classes and "." in b]
    for base in others:
        address = peer_page(base)
        lines.append(f"- from [`{base}`]({address})" if address else f"- from `{base}`")
    return "**Inherited**\n\n" + "\n".join(lines) if lines else ""


def heading(level: int, name: str) -> str:
    return f"{'#' * level} `{name}`"


def entry_cells(entry: Entry, section: Module, links: Links) -> Iterator[str]:
    """The cells of one public name: its own, and one for each method."""
    home = links.to(f"{section.page}#{definition_anchor(entry.name)}")
    lead = f"`{links.package.import_line(entry)}` · taught in [{section.title}]({home})."
    parts = [heading(3, entry.name), f"```python\n{entry.signature}\n```", rendered(entry.doc, links)]
    parts += [of_bases(entry, links), lead]
    yield "\n\n".join(p for p in parts if p)
    for method in entry.methods:
        yield "\n\n".join([heading(4, method.name), f"```python\n{method.signature}\n```", rendered(method.doc, links)])


def table(rows: list[tuple[str, ...]], *heads: str) -> str:
    """A Markdown table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def chapter_page(package: Package, chapter: str) -> list[str]:
    """The cells of a chapter's page."""
    page = f"api/{chapter}.ipynb"
    modules = [m for m in package.modules if m.chapter == chapter and m.entries]
    links = Links(package, page, chapter)
    whole, title = f"{package.name}.{chapter}", package.titles[chapter]
    rows = [(f"[`{m.name}`](#{m.name})", prose(m.summary)) for m in modules]
    cells = [f"# {whole}\n\n> Every public class and function of the chapter {title}: parameters, results, errors.",
             f"What the chapter [{title}]({links.to(f'{chapter}/index.ipynb')}) defines: first what `{whole}` itself "
             "offers, then every name, module after module, in the order in which it is taught. Each entry says from "
             "where it is imported.\n\n" + table(rows, "module", "what it is about")]
    there = {e.name: e for m in modules for e in m.entries}
    if first := [there[n] for n in package.offered[chapter] if n in there]:
        rows = [(f"[`{e.name}`](#{e.name})", prose(e.summary)) for e in first]
        cells.append(f"## What to import\n\nFrom `{whole}`, as in `{package.import_line(first[0])}`.\n\n"
                     + table(rows, "name", "what it is"))
    for module in modules:
        links = Links(package, page, module.name)
        rows = [(f"[`{e.name}`](#{e.name})", prose(e.summary)) for e in module.entries]
        cells.append(f"{heading(2, module.name)}\n\nTaught in [{module.title}]({links.to(module.page)}).\n\n"
                     + table(rows, "name", "what it is"))
        for entry in module.entries:
            cells += entry_cells(entry, module, links)
    return cells


def overview(package: Package) -> list[str]:
    """The cells of the first page: modules, the classes that others build on, all names."""
    links = Links(package, "api/index.ipynb", "")
    every = [e for m in package.modules for e in m.entries]
    first, other = (next((package.import_line(e) for e in every if (e.name in package.offered[e.module.split(".")[0]])
                          == offers), "") for offers in (True, False))
    cells = ["# API reference\n\n> Every public class and function of the package, from its signature and docstring.",
             "The package has the chapters of the book. A chapter offers what its landing page lists, as in "
             f"`{first}`; everything else is imported from its module, as in `{other}`. Each entry leads to the "
             "section that teaches it, where its code stands."]
    parts = ["## Modules"]
    rows = []
    for chapter in package.chapters:
        for module in package.modules:
            if module.chapter == chapter and module.entries:
                rows.append((links.code(module.name), prose(module.summary)))
    cells.append("\n\n".join([*parts, table(rows, "module", "what it is about")]))
    heirs: dict[str, list[Entry]] = {}
    for entry in every:
        for base, _ in list(package.inherited(entry))[:1]:
            heirs.setdefault(base.link, []).append(entry)
    rows = [(links.code(e.name), ", ".join(f"[`{m.name.split('.')[1]}`]({links.to(m.link)})" for m in e.methods) or "–",
             ", ".join(links.code(h.name) for h in heirs[e.link])) for e in every if e.link in heirs]
    cells.append("## Shared protocols\n\nMany classes share their methods. These are the classes that others build on; "
                 "what they offer holds for all of their kind, and an entry tells only what its class adds. "
                 "Classifiers and transformers are scikit-learn estimators as well, with `get_params`, `set_params`, "
                 "`score` or `fit_transform` from there.\n\n"
                 + table(rows, "class", "its methods", "what builds on it"))
    letters: dict[str, list[Entry]] = {}
    for entry in sorted(every, key=lambda e: (e.name.lower(), e.module)):
        letters.setdefault(entry.name[0].upper(), []).append(entry)
    names = [e.name for e in every]

    def shown(entry: Entry) -> str:
        note = f" ({entry.module})" if names.count(entry.name) > 1 else ""
        return f"[`{entry.name}`]({links.to(entry.link)}){note}"

    lines = [f"**{letter}** " + ", ".join(map(shown, entries)) for letter, entries in letters.items()]
    cells.append("## All names\n\n" + "\n\n".join(lines))
    return cells


def as_notebook(page: str, cells: list[str]) -> str:
    """The text of a notebook of Markdown cells, the same whenever it is made."""
    made = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}})
    for text in cells:
        name = f"{page} {text.splitlines()[0]}".encode()
        made.cells.append(nbformat.v4.new_markdown_cell(text, id=hashlib.sha256(name).hexdigest()[:8]))
    return nbformat.writes(made) + "\n"


def pages_of(package: Package) -> dict[str, str]:
    """The reference: the pages below nbs with their text."""
    whole = {"api/index.ipynb": overview(package)}
    whole |= {f"api/{c}.ipynb": chapter_page(package, c) for c in package.chapters
              if any(m.entries for m in package.modules if m.chapter == c)}
    return {page: as_notebook(page, cells) for page, cells in whole.items()}


START, END = "# from the package, by `make export`:", "# end of what the package decides"


def with_pages(quarto: str, pages: list[str]) -> str:
    """_quarto.yml with the pages of the reference between the two comments that stand for them."""
    found = re.search(rf"^( *){re.escape(START)}\n(.*?)^ *{re.escape(END)}$", quarto, flags=re.M | re.S)
    if not found:
        return quarto
    lines = "".join(f"{found[1]}- {p}\n" for p in pages if p != "api/index.ipynb")
    return quarto[: found.start(2)] + lines + f"{found[1]}{END}" + quarto[found.end():]


def write_reference(root: Path = ROOT) -> None:
    """Write the pages, remove those of chapters that are gone, and list them in the sidebar.

    A book whose sidebar has no place for a reference gets none.
    """
    quarto = root / "_quarto.yml"
    listed = quarto.read_text(encoding="utf-8")
    if START not in listed:
        return
    made = pages_of(Package(root))
    folder = root / "nbs" / "api"
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.ipynb"):
        if f"api/{path.name}" not in made:
            path.unlink()
    texts = {root / "nbs" / page: text for page, text in made.items()}
    for path, text in (texts | {quarto: with_pages(listed, list(made))}).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
