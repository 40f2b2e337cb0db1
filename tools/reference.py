"""The API reference, `nbs/api`: written by `make export`
from the signatures and docstrings of the package.

A page for a chapter lists its names; a page for a module has one heading for a class, a
function, a method. The pages hold Markdown alone, so they read alike in JupyterLab, on
GitHub and on the site, and there is nothing to run. The package is parsed by griffe,
never imported.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

import griffe
import nbformat

from tools.book import (
    ROOT,
    chapters,
    definition_anchor,
    notebooks,
    offered,
    read_notebook,
    settings,
)

MOST_LINES = 12  # of a constant's value
WIDTH = 88  # of a signature
MOST_OF_A_DEFAULT = 40  # letters; a longer one stands in the signature alone

# Where the libraries that the book builds on describe a name,
# and how many dots such a name has.
PEERS = {
    "sklearn": ("https://scikit-learn.org/stable/modules/generated/{}.html", (2, 3)),
    "numpy": ("https://numpy.org/doc/stable/reference/generated/{}.html", (1,)),
    "scipy": ("https://docs.scipy.org/doc/scipy/reference/generated/{}.html", (2,)),
    "pandas": ("https://pandas.pydata.org/docs/reference/api/{}.html", (1,)),
}


def peer_page(qualified: str) -> str | None:
    """Where scikit-learn, NumPy, SciPy or pandas describe a name of theirs:
    `sklearn.svm.LinearSVC`."""
    address, dots = PEERS.get(qualified.split(".")[0], ("", ()))
    public = not any(part.startswith("_") for part in qualified.split("."))
    return address.format(qualified) if public and qualified.count(".") in dots else None


# ------------------------------------ programs, read


def public_names(tree: ast.Module) -> list[str]:
    """What a module lists in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return []


def assigned(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a program defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = [*getattr(node, "targets", []),
               *([node.target] if isinstance(node, ast.AnnAssign) else [])]
    return [n.id for t in targets for n in ast.walk(t)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def imports(tree: ast.AST) -> dict[str, str]:
    """What the names that a program imports stand for:
    `{"BaseEstimator": "sklearn.base.BaseEstimator"}`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = (
                    "." * node.level + f"{node.module or ''}.{alias.name}".lstrip("."))
    return found


# ------------------------------------ the package, read


@dataclass
class Entry:
    """What the reference says about one public name,
    or about one method of a public class."""

    name: str  # as one writes it: gain, Table, Table.column
    kind: str  # function, class, constant, method, property
    module: str  # below the package: basics.tables
    doc: str
    line: int
    signature: str = ""
    parameters: list[griffe.Parameter] = field(default_factory=list)
    file: str = ""  # the module whose file has that line, where it is another one
    # of a class, from the nearest: dotted names
    bases: list[str] = field(default_factory=list)
    methods: list[Entry] = field(default_factory=list)

    @property
    def chapter(self) -> str:
        return self.module.split(".")[0]

    @property
    def page(self) -> str:
        """The page below nbs that has the entry."""
        return page_of_module(self.module)

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


def page_of_module(module: str) -> str:
    """The page of a module, or of a chapter."""
    return f"api/{module}.ipynb"


def doc_of(one: griffe.Object) -> str:
    return one.docstring.value if one.docstring else ""


def said(value: str | griffe.Expr | None) -> str:
    """A piece of a signature, with the quotes that the book writes."""
    return re.sub(r"'([^'\"\\]*)'", r'"\1"', str(value))


def written(parameters: list[griffe.Parameter]) -> list[str]:
    """Each parameter as it is written in a signature,
    with the marks between their kinds."""
    parts, kinds = [], [p.kind for p in parameters]
    for i, p in enumerate(parameters):
        if i and kinds[i - 1] is griffe.ParameterKind.positional_only is not p.kind:
            parts.append("/")
        if p.kind is griffe.ParameterKind.keyword_only and not {
                griffe.ParameterKind.var_positional, p.kind} & set(kinds[:i]):
            parts.append("*")
        stars = {griffe.ParameterKind.var_positional: "*",
                 griffe.ParameterKind.var_keyword: "**"}.get(p.kind, "")
        hint = f": {said(p.annotation)}" if p.annotation is not None else ""
        given = p.default is not None and not stars
        parts.append(stars + p.name + hint + (" = " if hint else "=") * given
                     + said(p.default) * given)
    return parts + ["/"] * (kinds[-1:] == [griffe.ParameterKind.positional_only])


def laid_out(head: str, parts: list[str], tail: str) -> str:
    """A signature in one line, or one parameter on a line where that is too long."""
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= WIDTH or not parts:
        return line
    return f"{head}(\n" + "".join(f"    {p},\n" for p in parts) + f"){tail}"


def constant(name: str, node: ast.stmt, module: str, source: list[str]) -> Entry:
    """A constant with its value, shortened where that is long;
    a comment behind it says what it is."""
    lines = source[node.lineno - 1: node.end_lineno]
    note = re.search(r"\s+# (.*)$", lines[-1]) if len(lines) == 1 else None
    code = lines[0][: note.start()] if note else "\n".join(lines)
    if len(lines) > MOST_LINES:
        code = "\n".join([*lines[: MOST_LINES - 2], "    ...", lines[-1]])
    words = note[1].rstrip(".") + "." if note else ""
    return Entry(name, "constant", module, words[:1].upper() + words[1:], node.lineno, code)


class Package:
    """The package as its source files have it:
    modules, public names, and what a name leads to."""

    def __init__(self, root: Path = ROOT):
        config = settings(root)
        self.root, self.name = root, config["lib_path"]
        self.source = f"{config['git_url']}/blob/{config['branch']}"
        self.chapters = chapters(root)
        landing = {c: read_notebook(root / "nbs" / c / "index.ipynb", root)
                   for c in self.chapters}
        self.titles = {c: nb.title for c, nb in landing.items()}
        self.summaries = {c: nb.summary for c, nb in landing.items()}
        self.offered = {c: offered(nb) for c, nb in landing.items()}
        book = [nb for nb in notebooks(root) if nb.module]
        tree = (griffe.load(self.name, search_paths=[root], allow_inspection=False) if book
                else None)
        read = {nb.module: tree[nb.module] for nb in book}
        self.classes = {self.below(c.path): c for m in read.values()
                        for c in m.classes.values() if not c.is_alias}
        self.modules = [Module(nb.module, nb.name, nb.title, nb.summary,
                               [*self._entries(read[nb.module])]) for nb in book]

    def below(self, path: str) -> str:
        """A dotted name without the package."""
        return path.removeprefix(f"{self.name}.")

    def import_line(self, entry: Entry) -> str:
        """How a name is imported: from its chapter where
        that offers it, from its module otherwise."""
        home = entry.chapter if entry.name in self.offered[entry.chapter] else entry.module
        return f"from {self.name}.{home} import {entry.name}"

    def path(self, module: str) -> str:
        """The file of a module, below the root."""
        return f"{self.name}/{module.replace('.', '/')}.py"

    def _entries(self, module: griffe.Module) -> Iterator[Entry]:
        """The public names of a module, in the order in which it defines them."""
        source = module.source
        tree, lines = ast.parse(source), source.splitlines()
        public, home = public_names(tree), self.below(module.path)
        for node in tree.body:
            for name in assigned(node):
                if name in public:
                    one = module.members.get(name)  # `A, B = 0, 1` is none of griffe's
                    if isinstance(one, griffe.Class):
                        yield self._class(one, home)
                    elif isinstance(one, griffe.Function):
                        yield self._callable(one, name, "function", home)
                    else:
                        yield constant(name, node, home, lines)

    def _callable(self, one: griffe.Object, name: str, kind: str, module: str,
                  file: str = "") -> Entry:
        """A function or a method; a property has no parentheses."""
        doc, line = doc_of(one), one.lineno or 0
        if not isinstance(one, griffe.Function):
            signature = f"{name}: {said(one.annotation)}" if one.annotation else name
            return Entry(name, "property", module, doc, line, signature, file=file)
        bound = kind == "method" and "staticmethod" not in one.labels
        taken = list(one.parameters)[bound:]
        signature = laid_out(name, written(taken),
                             f" -> {said(one.returns)}" if one.returns else "")
        return Entry(name, kind, module, doc, line, signature, taken, file)

    # -------- classes: where a constructor and a method come from

    def ancestors(self, one: griffe.Class, private: bool = False) -> list[str]:
        """The base classes from the nearest to the farthest, none twice:
        ours below the package, others' whole.

        `private` stops at the first public one on every way.
        """
        near = []
        for base in one.bases:
            path = base.canonical_path if isinstance(base, griffe.Expr) else base
            # imported from a chapter, or from the module
            if path.startswith(f"{self.name}."):
                path = self.below(one.modules_collection[path].canonical_path)
            if not private or path in self.classes and path.split(".")[-1].startswith("_"):
                near.append(path)
        far = (a for b in near if b in self.classes
               for a in self.ancestors(self.classes[b], private))
        return list(dict.fromkeys([*near, *far]))

    def _constructor(self, one: griffe.Class) -> list[griffe.Parameter]:
        """The parameters of the constructor, its own or the nearest base's."""
        if any(str(b) == "NamedTuple" for b in one.bases):
            return [griffe.Parameter(a.name, annotation=a.annotation,
                                     default=a.value, kind=None)
                    for a in one.attributes.values() if "property" not in a.labels]
        if "__init__" not in one.all_members and "__new__" in one.all_members:
            return list(one["__new__"].parameters)[1:]  # a kind of text, say
        return list(one.parameters)[1:]

    def _class(self, one: griffe.Class, module: str) -> Entry:
        taken = self._constructor(one)
        entry = Entry(one.name, "class", module, doc_of(one), one.lineno or 0,
                      laid_out(f"class {one.name}", written(taken), "").removesuffix("()"),
                      taken)
        entry.bases = [a for a in self.ancestors(one)
                       if not a.split(".")[-1].startswith("_")]
        for home in [one, *(self.classes[a] for a in self.ancestors(one, private=True))]:
            # what a private base adds is told here: it has no entry itself
            for name, item in home.members.items():
                is_method = isinstance(item, griffe.Function) or "property" in item.labels
                whole = f"{one.name}.{name}"
                if (is_method and name[0] != "_"
                    and whole not in [m.name for m in entry.methods]):
                    method = self._callable(item, whole, "method", module,
                                            self.below(home.parent.path))
                    # a private base returns itself
                    method.signature = re.sub(rf"\b{home.name}\b", one.name,
                                              method.signature)
                    entry.methods.append(method)
        return entry

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
        """Each public base class of ours with the methods
        that the class takes over from it."""
        seen = {m.name.split(".")[1] for m in entry.methods}
        for base in entry.bases:
            if base in self.classes:
                of_base = self.find(base.split(".")[-1], base.rpartition(".")[0])
                assert of_base, base
                new = [m for m in of_base.methods if m.name.split(".")[1] not in seen]
                seen |= {m.name.split(".")[1] for m in new}
                yield of_base, new

    def find(self, name: str, near: str = "",
             known: dict[str, str] | None = None) -> Entry | None:
        """The entry of a name as one writes it; of several, the one that is meant.

        `near` is the module or the chapter where the name
        is used, `known` what is imported there.
        """
        head = name.split(".")[0]
        found = self.entries.get(name, [])
        if not found and "." in name:
            for owner in self.entries.get(head, []):
                for _, methods in (self.inherited(owner) if owner.kind == "class"
                                   and name.count(".") == 1 else ()):
                    found = (found or [m for m in methods
                                       if m.name.split(".")[1] == name.split(".")[1]])
        if len(found) <= 1:
            return found[0] if found else None
        origin = (known or {}).get(head, "").removeprefix(f"{self.name}.")
        for test in (lambda e: origin in (f"{e.module}.{head}", f"{e.chapter}.{head}"),
                     lambda e: e.module == near, lambda e: e.chapter == near.split(".")[0]):
            if fits := [e for e in found if test(e)]:
                return fits[0]
        return None

    def target(self, name: str, near: str = "",
               known: dict[str, str] | None = None) -> str | None:
        """Where a name leads, below nbs: `Table`,
        `Table.column`, `trees.splits`, `supervised.trees.Tree`."""
        whole = name.removeprefix(f"{self.name}.")
        if name == self.name:
            return "api/index.ipynb"
        names = [m.name for m in self.modules]
        if whole in names or name != whole and whole in self.chapters:
            return page_of_module(whole)
        for module in [*names, *self.chapters]:
            if whole.startswith(f"{module}."):
                entry = self.find(whole[len(module) + 1:], module)
                return (entry.link if entry and f"{entry.module}.".startswith(f"{module}.")
                        else None)
        entry = self.find(name, near, known)
        return entry.link if entry else None


# ------------------------------------ docstrings as Markdown

# lists of names, the others are lists of types
NAMED = ("Parameters", "Other Parameters", "Attributes")
VARIADIC = (griffe.ParameterKind.var_positional, griffe.ParameterKind.var_keyword)
LISTS = (*NAMED, "Returns", "Yields", "Raises", "Warns")
NAMES = r"\*{0,2}[A-Za-z]\w*(, *\*{0,2}[A-Za-z]\w*)*"


@cache
def package() -> Package:
    """The package of this book, read once."""
    return Package(ROOT)


def sections_of(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """The words of a NumPy-style docstring before its sections,
    and the sections by title."""
    parts = re.split(r"^([A-Z][\w ]*)\n-{3,}[ \t]*$", inspect.cleandoc(doc), flags=re.M)
    return parts[0].strip(), [(t, b.strip("\n"))
                              for t, b in zip(parts[1::2], parts[2::2], strict=True)]


def list_and_rest(title: str, body: str) -> tuple[str, str]:
    """The items of a section, and the paragraphs that follow:
    at the margin, and no item."""
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
    return [(head, inspect.cleandoc("\n".join(["", *below])).strip())
            for head, below in items if head]


PIECES = re.compile(
    r"(\$\$.*?\$\$|(?<![\\$\w])\$(?=[^\s$])[^$]*?(?<=[^\s\\])\$(?!\d)|(`+).+?\2)",
    flags=re.S)


def prose(text: str, of: Links | None = None) -> str:
    """Plain words as Markdown: formulas and code stay,
    what Markdown would take for a mark is escaped."""
    done, last = [], 0

    def plain(words: str) -> str:
        return re.sub(r"([*|])|<(?=[A-Za-z/!])",
                      lambda m: f"\\{m[1]}" if m[1] else "&lt;", words)

    for piece in PIECES.finditer(text):
        code = piece[2] and piece[0].strip("`")
        done += [plain(text[last: piece.start()]),
                 of.code(code) if of and code else piece[0]]
        last = piece.end()
    return "".join(done) + plain(text[last:])


def mentioned(code: str) -> str:
    """The name that a piece of code in a line mentions: `gain`, `gain()`,
    `Holdout(ordered=True)`, `@compiled`."""
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
        return (os.path.relpath(name, PurePosixPath(self.page).parent)
                .replace(os.sep, "/") + mark + anchor)

    def code(self, name: str) -> str:
        """Code in a line; a link where it is a name of the package."""
        target = self.package.target(mentioned(name), self.module)
        return f"[`{name}`]({self.to(target)})" if target else f"`{name}`"

    def types(self, text: str) -> str:
        """A type in words: what is quoted is code, classes of the package are links."""
        code = re.sub(r"""`[^`]*`|\{[^{}]*\}|"[^"]*"|'[^']*'""",
                      lambda m: f"`{m[0].strip('`')}`", text)
        parts = re.split(r"(`[^`]*`)", code)
        for i in range(0, len(parts), 2):
            words = re.split(r"(\b[A-Z]\w*\b)", prose(parts[i]))
            for j in range(1, len(words), 2):
                entry = self.package.find(words[j], self.module)
                words[j] = (f"[`{words[j]}`]({self.to(entry.link)})"
                            if entry and entry.kind == "class" else words[j])
            parts[i] = "".join(words)
        return "".join(p if i % 2 == 0 else self.code(p.strip("`"))
                       for i, p in enumerate(parts))


def from_signature(names: list[str], known: dict[str, griffe.Parameter],
                   kind: str) -> tuple[str, str]:
    """The type and the default of a parameter,
    where its item in the docstring leaves them out."""
    found = [known[n] for n in names if n in known]
    types = {said(p.annotation) for p in found if p.annotation is not None}
    values = {said(p.default)
              for p in found if p.default is not None and p.kind not in VARIADIC}
    (default,) = values if len(values) == 1 and len(found) == len(names) else ("",)
    told = "default" in kind or len(default) > MOST_OF_A_DEFAULT or "`" in default
    return ((f"`{types.pop()}`" if len(types) == 1 and not kind else ""),
            "" if told else default)


def item(head: str, below: str, title: str, links: Links,
         known: dict[str, griffe.Parameter]) -> str:
    """One item of a list: names in code, type
    and default beside them, the meaning below."""
    names, colon, kind = head.partition(" : ")
    listed = [n.strip() for n in names.split(",")]
    in_code = ", ".join(f"`{n}`" for n in listed)
    kind, mark, more = (kind if colon else head).partition(";")
    said = links.types(kind) + mark + prose(more, links)
    if title in ("Returns", "Yields") and not colon:
        first = said
    else:
        said = said if colon else ""
        if title in ("Parameters", "Other Parameters"):
            hint, default = from_signature([n.strip("*") for n in listed], known,
                                           kind if colon else "")
            if default:
                said = re.sub(r",? *optional$", "", said)
            said = ", ".join(x for x in (said or hint,
                                         f"default `{default}`" * bool(default)) if x)
        first = f"{in_code} : {said}" if said else in_code
    goes_on = mark and below[:1].islower()
    words = prose(below, links)
    if words:
        first += (" " if goes_on else "\\\n") + words
    return "- " + re.sub(r"\n(?=.)", "\n  ", first)


def rendered(doc: str, links: Links, parameters: Iterable[griffe.Parameter] = ()) -> str:
    """A NumPy-style docstring as Markdown;
    the signature adds the types and defaults that it does not tell."""
    text, sections = sections_of(doc)
    known = {p.name: p for p in parameters}
    blocks = [prose(text, links)] if text else []
    for title, body in sections:
        if title in LISTS:
            body, rest = list_and_rest(title, body)
            listed = [item(head, below, title, links, known)
                      for head, below in items_of(body)]
            blocks.append(f"**{title}**\n\n" + "\n".join(listed))
            blocks += [prose(rest, links)] if rest else []
        elif title == "Examples":
            blocks.append(f"**{title}**\n\n```python\n{body}\n```")
        else:
            blocks.append(f"**{title}**\n\n" + prose(body, links))
    return "\n\n".join(blocks)


def with_definitions(text: str) -> str:
    """The lists of an entry as Pandoc's definition lists,
    which JupyterLab and GitHub do not know."""
    made: list[str] = []
    listed = False
    for line in text.split("\n"):
        if line[:1].strip() and not line.startswith("- "):
            listed = line.strip("*") in LISTS and line.startswith("**")
        if listed and line.startswith("- "):
            names, colon, kind = line[2:].removesuffix("\\").partition(" : ")
            made += [""] * bool(made[-1]) + [f"{names} [{kind}]{{.of-type}}" if colon
                                             else names]
            line = ":   " if line.endswith("\\") else ":   <!-- -->"
        elif listed and line.startswith("  "):
            line = made.pop() + line[2:] if made[-1] == ":   " else f"  {line}"
        made.append(line)
    return "\n".join(made)


# ------------------------------------ the pages


def of_bases(entry: Entry, links: Links) -> str:
    """What a class has from its bases: ours with their methods,
    and those of other libraries."""
    lines = []
    for base, methods in links.package.inherited(entry):
        takes = ", ".join(f"[`{m.name.split('.')[1]}`]({links.to(m.link)})"
                          for m in methods)
        if takes or not lines:
            lines.append(f"- from [`{base.name}`]({links.to(base.link)})"
                         + f": {takes}" * bool(takes))
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
    lead = f"`{links.package.import_line(entry)}` · defined in [{section.title}]({home})."
    yield "\n\n".join(p for p in (
        heading(2, entry.name), f"```python\n{entry.signature}\n```", lead,
        rendered(entry.doc, links, entry.parameters), of_bases(entry, links)) if p)
    for method in entry.methods:
        yield "\n\n".join([heading(3, method.name), f"```python\n{method.signature}\n```",
                           rendered(method.doc, links, method.parameters)])


def table(rows: list[tuple[str, ...]], *heads: str) -> str:
    """A Markdown table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def module_page(package: Package, module: Module) -> list[str]:
    """The cells of a module's page."""
    links = Links(package, page_of_module(module.name), module.name)
    cells = [f"# {package.name}.{module.name}\n\n> {module.summary}"]
    lead = (
        "Every public name of the section "
        f"[{module.title}]({links.to(module.page)}), in the order in which it "
        f"defines them. The chapter's other modules: [`{package.name}.{module.chapter}`]"
        f"({links.to(page_of_module(module.chapter))}).")
    rows = [(f"[`{e.name}`](#{e.name})", prose(e.summary)) for e in module.entries]
    cells.append(lead + ("\n\n" + table(rows, "name", "what it is")) * (len(rows) > 1))
    for entry in module.entries:
        cells += entry_cells(entry, module, links)
    return cells


def chapter_page(package: Package, chapter: str) -> list[str]:
    """The cells of a chapter's page: its names, with links to the pages of its modules."""
    page = page_of_module(chapter)
    modules = [m for m in package.modules if m.chapter == chapter and m.entries]
    links = Links(package, page, chapter)
    whole, title = f"{package.name}.{chapter}", package.titles[chapter]
    cells = [f"# {whole}\n\n> Every public class and function of "
             f"the chapter {title}: what it is, and where it is.",
             f"What the chapter [{title}]({links.to(f'{chapter}/index.ipynb')}) "
             f"defines: first what `{whole}` itself offers, then every name, module "
             "after module, in the order in which it is taught. A module's page "
             "has the parameters, results and errors."]
    there = {e.name: e for m in modules for e in m.entries}
    if first := [there[n] for n in package.offered[chapter] if n in there]:
        rows = [(f"[`{e.name}`]({links.to(e.link)})", prose(e.summary)) for e in first]
        cells.append(f"## What to import\n\nFrom `{whole}`, as "
                     f"in `{package.import_line(first[0])}`.\n\n"
                     + table(rows, "name", "what it is"))
    for module in modules:
        rows = [(f'<a id="{e.name}"></a>[`{e.name}`]({links.to(e.link)})', prose(e.summary))
                for e in module.entries]
        cells.append(f"{heading(2, module.name)}\n\n{prose(module.summary)} "
                     f"All of it: [`{package.name}.{module.name}`]"
                     f"({links.to(page_of_module(module.name))}); taught "
                     f"in [{module.title}]({links.to(module.page)})."
                     "\n\n" + table(rows, "name", "what it is"))
    return cells


def overview(package: Package) -> list[str]:
    """The cells of the first page: modules, the classes that others build on, all names."""
    links = Links(package, "api/index.ipynb", "")
    every = [e for m in package.modules for e in m.entries]
    first, other = (next((package.import_line(e) for e in every
                          if (e.name in package.offered[e.chapter]) == offers), "")
                    for offers in (True, False))
    cells = ["# API reference\n\n> Every public class and function "
             "of the package, from its signature and docstring.",
             "The package has the chapters of the book. A chapter offers what "
             f"its landing page lists, as in `{first}`; everything else is "
             f"imported from its module, as in `{other}`. Each entry leads to the "
             "section that teaches it, where its code stands."]
    parts = ["## Modules"]
    for chapter in package.chapters:
        rows = [(links.code(m.name), prose(m.summary))
                for m in package.modules if m.chapter == chapter and m.entries]
        if rows:
            home = links.to(page_of_module(chapter))
            parts.append(f"### [{package.titles[chapter]}]({home})\n\n"
                         + table(rows, "module", "what it is about"))
    cells.append("\n\n".join(parts))
    heirs: dict[str, list[Entry]] = {}
    for entry in every:
        for base, _ in list(package.inherited(entry))[:1]:
            heirs.setdefault(base.link, []).append(entry)
    rows = [(links.code(e.name), ", ".join(f"[`{m.name.split('.')[1]}`]({links.to(m.link)})"
                                           for m in e.methods) or "–",
             ", ".join(links.code(h.name) for h in heirs[e.link]))
            for e in every if e.link in heirs]
    cells.append("## Shared protocols\n\nMany classes share their methods. These "
                 "are the classes that others build on; what they offer holds for "
                 "all of their kind, and an entry tells only what its class adds. "
                 "Classifiers and transformers are scikit-learn estimators as well, with "
                 "`get_params`, `set_params`, `score` or `fit_transform` from there.\n\n"
                 + table(rows, "class", "its methods", "what builds on it"))
    letters: dict[str, list[Entry]] = {}
    for entry in sorted(every, key=lambda e: (e.name.lower(), e.module)):
        letters.setdefault(entry.name[0].upper(), []).append(entry)
    names = [e.name for e in every]

    def shown(entry: Entry) -> str:
        note = f" ({entry.module})" if names.count(entry.name) > 1 else ""
        return f"[`{entry.name}`]({links.to(entry.link)}){note}"

    lines = [f"**{letter}** " + ", ".join(map(shown, entries))
             for letter, entries in letters.items()]
    cells.append("## All names\n\n" + "\n\n".join(lines))
    return cells


def as_notebook(page: str, cells: list[str]) -> str:
    """The text of a notebook of Markdown cells, the same whenever it is made."""
    made = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"display_name": "Python 3 (ipykernel)",
                                 "language": "python", "name": "python3"}})
    for text in cells:
        name = f"{page} {text.splitlines()[0]}".encode()
        made.cells.append(
            nbformat.v4.new_markdown_cell(text, id=hashlib.sha256(name).hexdigest()[:8]))
    return nbformat.writes(made) + "\n"


def pages_of(package: Package) -> dict[str, str]:
    """The reference: the pages below nbs with their text,
    a chapter's before those of its modules."""
    whole = {"api/index.ipynb": overview(package)}
    for chapter in package.chapters:
        modules = [m for m in package.modules if m.chapter == chapter and m.entries]
        if modules:
            whole[page_of_module(chapter)] = chapter_page(package, chapter)
            whole |= {page_of_module(m.name): module_page(package, m) for m in modules}
    return {page: as_notebook(page, cells) for page, cells in whole.items()}


START, END = "# from the package, by `make export`:", "# end of what the package decides"


def with_pages(quarto: str, pages: list[str], titles: dict[str, str]) -> str:
    """_quarto.yml with the pages of the reference
    between the two comments that stand for them.

    A chapter is a section that is closed until it is asked for; a module stands below it.
    """
    found = re.search(rf"^( *){re.escape(START)}\n(.*?)^ *{re.escape(END)}$", quarto,
                      flags=re.M | re.S)
    if not found:
        return quarto
    lines = []
    for page in pages:
        chapter, _, module = page.removeprefix("api/").removesuffix(".ipynb").partition(".")
        if module:
            lines += [f"    - text: {module}", f"      href: {page}"]
        elif chapter != "index":
            lines += [f"- section: {titles[chapter]}", f"  href: {page}", "  contents:"]
    text = "".join(f"{found[1]}{line}\n" for line in lines)
    return quarto[: found.start(2)] + text + f"{found[1]}{END}" + quarto[found.end():]


def write_reference(root: Path = ROOT) -> None:
    """Write the pages, remove those of modules that are gone, and list them in the sidebar.

    A book whose sidebar has no place for a reference gets none.
    """
    quarto = root / "_quarto.yml"
    listed = quarto.read_text(encoding="utf-8")
    if START not in listed:
        return
    package = Package(root)
    made = pages_of(package)
    folder = root / "nbs" / "api"
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.ipynb"):
        if f"api/{path.name}" not in made:
            path.unlink()
    texts = {root / "nbs" / page: text for page, text in made.items()}
    for path, text in ((texts | {quarto: with_pages(listed, list(made), package.titles)})
                       .items()):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
