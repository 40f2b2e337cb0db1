"""The API reference, `nbs/api`, which `make export` writes from signatures and docstrings.

griffe reads the package, which is never imported. A page for a chapter lists its names; a
page for a module has one heading for a class, a function, a method. The pages hold Markdown
alone, so they read alike in JupyterLab, on GitHub and on the site.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path, PurePosixPath

import griffe
import nbformat

from tools import book
from tools.book import ROOT

MOST_LINES = 12  # of a constant's value
WIDTH = 88  # of a signature

# Where other libraries describe a name, and how many dots such a name has.
PEERS = {
    "sklearn": ("https://scikit-learn.org/stable/modules/generated/{}.html", (2, 3)),
    "numpy": ("https://numpy.org/doc/stable/reference/generated/{}.html", (1,)),
    "scipy": ("https://docs.scipy.org/doc/scipy/reference/generated/{}.html", (2,)),
    "pandas": ("https://pandas.pydata.org/docs/reference/api/{}.html", (1,)),
}


def peer_page(qualified: str) -> str | None:
    """Where another library describes a name of its own: `sklearn.svm.LinearSVC`."""
    address, dots = PEERS.get(qualified.split(".")[0], ("", ()))
    public = not any(part.startswith("_") for part in qualified.split("."))
    return address.format(qualified) if public and qualified.count(".") in dots else None


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
    """What imported names stand for: `{"BaseEstimator": "sklearn.base.BaseEstimator"}`."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name: a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = f"{node.module}." if node.module else ""
            found |= {a.asname or a.name: "." * node.level + base + a.name
                      for a in node.names}
    return found


def page_of_module(module: str) -> str:
    """The page of a module, or of a chapter."""
    return f"api/{module}.ipynb"


@dataclass
class Entry:
    """What the reference says about a public name, or a method of a public class."""
    name: str  # as one writes it: gain, Table, Table.column
    kind: str  # function, class, attribute
    module: str  # below the package: basics.tables
    doc: str
    signature: str
    parameters: griffe.Parameters = field(default_factory=griffe.Parameters)
    methods: list[Entry] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)  # public ones of ours: dotted names
    others: list[str] = field(default_factory=list)  # of other libraries

    @property
    def chapter(self) -> str:
        return self.module.split(".")[0]

    @property
    def last(self) -> str:
        """The name without its class."""
        return self.name.split(".")[-1]

    @property
    def link(self) -> str:
        return f"{page_of_module(self.module)}#{self.name}"

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring, in one line."""
        return " ".join(self.doc.split("\n\n")[0].split()) or "Constant."


@dataclass
class Module:
    """One module of the package with its public names, in the order of definition."""
    name: str
    page: str  # the section that defines it, below nbs
    title: str
    summary: str
    entries: list[Entry]


def in_quotes(code: object) -> str:
    """A piece of a signature, with the quotes that the book writes."""
    return re.sub(r"'([^'\"\\]*)'", r'"\1"', "" if code is None else str(code))


def constructor(one: griffe.Class) -> griffe.Function:
    """What makes an instance: `__init__`, its own or a base's, or the fields."""
    if any(str(base) == "NamedTuple" for base in one.bases):
        return griffe.Function(one.name, parameters=griffe.Parameters(*(
            griffe.Parameter(a.name, annotation=a.annotation, default=a.value)
            for a in one.attributes.values() if "property" not in a.labels)))
    init = one.all_members.get("__init__", griffe.Function(one.name))
    return init.final_target if isinstance(init, griffe.Alias) else init


def laid_out(signature: str) -> str:
    """A signature in one line, or one parameter on a line where that is too long."""
    signature = in_quotes(signature)
    if len(signature) <= WIDTH or "(" not in signature:
        return signature
    head, taken, tail = re.fullmatch(r"([^(]*)\((.*)\)(.*)", signature).groups()
    parts = re.split(r", (?=\*|/|\w+(?:: |=))", taken)
    return f"{head}(\n" + "".join(f"    {part},\n" for part in parts) + f"){tail}"


def constant(name: str, node: ast.stmt, module: str, source: list[str]) -> Entry:
    """A constant with its value, if that is short; a comment behind it says what it is."""
    lines = source[node.lineno - 1: node.end_lineno]
    code, _, note = lines[0].partition("  # ") if len(lines) == 1 else ("", "", "")
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 2: -1] = ["    ..."]
    words = f"{note[:1].upper()}{note[1:].rstrip('.')}." if note else ""
    return Entry(name, "attribute", module, words, code.rstrip() or "\n".join(lines))


class Package:
    """The package as its files have it: modules, names, and what a name leads to."""

    def __init__(self, root: Path = ROOT):
        self.name = book.settings(root)["lib_path"]
        self.chapters = book.chapters(root)
        landing = {c: book.read_notebook(root / "nbs" / c / "index.ipynb", root)
                   for c in self.chapters}
        self.titles = {c: nb.title for c, nb in landing.items()}
        self.offered = {c: book.offered(nb) for c, nb in landing.items()}
        tree = griffe.load(self.name, search_paths=[root], allow_inspection=False)
        self.modules = [Module(nb.module, nb.name, nb.title, nb.summary,
                               [*self._entries(tree[nb.module])])
                        for nb in book.notebooks(root) if nb.module]
        self.every = [e for m in self.modules for e in m.entries]
        self.classes = {f"{e.module}.{e.name}": e for e in self.every if e.kind == "class"}
        # entries by name; a name that two chapters use has two
        self.named: dict[str, list[Entry]] = {}
        for e in self.every:
            own = {m.name: m for m in [e, *e.methods]}
            taken = {f"{e.name}.{m.last}": m for _, new in self.inherited(e) for m in new}
            for name, one in (own | taken).items():
                for written in (name, f"{e.module}.{name}", f"{e.chapter}.{name}"):
                    self.named.setdefault(written, []).append(one)

    def below(self, path: str) -> str:
        """A dotted name without the package."""
        return path.removeprefix(f"{self.name}.")

    def import_line(self, entry: Entry) -> str:
        """How a name is imported: from its chapter if that offers it, or its module."""
        home = entry.chapter if entry.name in self.offered[entry.chapter] else entry.module
        return f"from {self.name}.{home} import {entry.name}"

    def _entries(self, module: griffe.Module) -> Iterator[Entry]:
        """The public names of a module, in the order in which it defines them."""
        tree, lines = ast.parse(module.source), module.source.splitlines()
        public, home = public_names(tree), self.below(module.path)
        for node in tree.body:
            for name in [n for n in assigned(node) if n in public]:
                one = module.members.get(name)  # `A, B = 0, 1` is none of griffe's
                if isinstance(one, griffe.Class):
                    yield self._class(one, home)
                elif isinstance(one, griffe.Function):
                    yield self._callable(one, name, home)
                else:
                    yield constant(name, node, home, lines)

    def _callable(self, one: griffe.Object, name: str, module: str) -> Entry:
        """A function, a method, or a property, which has no parentheses."""
        if isinstance(one, griffe.Function):
            return Entry(name, "function", module, getattr(one.docstring, "value", ""),
                         laid_out(one.signature(name=name)), one.parameters)
        signature = f"{name}: {one.annotation}" if one.annotation else name
        doc = getattr(one.docstring, "value", "")
        return Entry(name, "attribute", module, doc, in_quotes(signature))

    def _class(self, one: griffe.Class, module: str) -> Entry:
        """A class; what a private base adds is told here: it has no entry itself."""
        init = constructor(one)
        signature = init.signature(name=f"class {one.name}", return_type=False)
        entry = Entry(one.name, "class", module, getattr(one.docstring, "value", ""),
                      laid_out(signature.removesuffix("()")), init.parameters)
        above = one.mro()
        public = [base for base in above if base.name[0] != "_"]
        beyond = {base.path for p in public for base in p.mro()}
        entry.bases = [self.below(base.path) for base in public]
        paths = [base.canonical_path for c in [one, *above] for base in c.bases
                 if isinstance(base, griffe.Expr)]
        entry.others = [p for p in dict.fromkeys(paths)
                        if "." in p and not p.startswith(f"{self.name}.")]
        for home in [one, *(base for base in above
                            if base not in public and base.path not in beyond)]:
            for name, item in home.members.items():
                is_method = isinstance(item, griffe.Function) or "property" in item.labels
                there = [m.last for m in entry.methods]
                if is_method and name[0] != "_" and name not in there:
                    entry.methods.append(
                        self._callable(item, f"{one.name}.{name}", module))
        return entry

    def inherited(self, entry: Entry) -> Iterator[tuple[Entry, list[Entry]]]:
        """Each public base of ours, with the methods that the class takes over from it."""
        seen = {m.last for m in entry.methods}
        for base in [self.classes[b] for b in entry.bases if b in self.classes]:
            new = [m for m in base.methods if m.last not in seen]
            seen |= {m.last for m in new}
            yield base, new

    def find(self, name: str, near: str = "",
             known: dict[str, str] | None = None) -> Entry | None:
        """The entry of a name as one writes it; of several, the one that is meant near a
        module or a chapter in which `known` is imported."""
        head, found = name.split(".")[0], self.named.get(name, [])
        origin = self.below((known or {}).get(head, ""))

        def fits(e: Entry) -> tuple[bool, bool, bool]:
            return (origin in (f"{e.module}.{head}", f"{e.chapter}.{head}"),
                    e.module == near, e.chapter == near.split(".")[0])

        best = max(found, key=fits, default=None)
        return best if best and (len(found) == 1 or any(fits(best))) else None

    def target(self, name: str, near: str = "",
               known: dict[str, str] | None = None) -> str | None:
        """Where a name leads, below nbs: `Table`, `Table.column`, `trees.splits`."""
        whole = self.below(name)
        if name == self.name:
            return "api/index.ipynb"
        if whole in [m.name for m in self.modules] or name != whole in self.chapters:
            return page_of_module(whole)
        entry = self.find(whole, near, known)
        return entry.link if entry else None

    def taught(self, chapter: str) -> list[Module]:
        """The modules of a chapter that have public names."""
        return [m for m in self.modules
                if m.name.split(".")[0] == chapter and m.entries]


@cache
def package() -> Package:
    """The package of this book, read once."""
    return Package(ROOT)


MARKS = re.compile(
    r"\$\$.*?\$\$|(?<![\\$\w])\$(?=[^\s$])[^$]*?(?<=[^\s\\])\$(?!\d)"
    r"|(?P<ticks>`+)(?P<code>.+?)(?P=ticks)|(?P<mark>[*|]|<(?=[A-Za-z/!]))", flags=re.S)


def prose(text: str, links: Links | None = None) -> str:
    """Plain words as Markdown: formulas and code stay, other marks are escaped."""
    def one(found: re.Match[str]) -> str:
        if found["mark"]:
            return "&lt;" if found["mark"] == "<" else "\\" + found["mark"]
        return links.code(found["code"]) if links and found["code"] else found[0]

    return MARKS.sub(one, text)


def mentioned(code: str) -> str:
    """The name in a piece of code: `gain()`, `Holdout(ordered=True)`, `@compiled`."""
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
        def one(found: re.Match[str]) -> str:
            word = found[0].strip("`")
            known = self.package.find(word, self.module) if word[0].isupper() else None
            return self.code(word) if known or found[0][0] in "`{\"'" else prose(word)

        return re.sub(r"""`[^`]*`|\{[^{}]*\}|"[^"]*"|'[^']*'|\b[A-Z]\w*|[*|]""", one, text)


LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")


def sections_of(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """The words of a docstring before its sections, and the sections by title."""
    parts = re.split(r"^([A-Z][\w ]*)\n-{3,}[ \t]*$", inspect.cleandoc(doc), flags=re.M)
    return parts[0].strip(), [(t, b.strip("\n"))
                              for t, b in zip(parts[1::2], parts[2::2], strict=True)]


def items_of(body: str) -> list[tuple[str, str]]:
    """The items of a section: a line at the margin, and what is indented below it."""
    found = re.findall(r"^(\S.*)\n?((?:[ \t].*\n?|\n)*)", body, flags=re.M)
    return [(head.strip(), inspect.cleandoc("\n" + below).strip()) for head, below in found]


def item(head: str, below: str, title: str, entry: Entry, links: Links) -> str:
    """One item of a list: names, type and default, and the meaning below."""
    names, colon, kind = head.partition(" : ")
    if not colon and title in ("Returns", "Yields"):
        names, kind = "", head
    listed = [n.strip(" `") for n in names.split(",") if n]
    kind, mark, more = kind.removesuffix(", optional").partition(";")
    about = links.types(kind) + mark + prose(more, links)
    defaults = {in_quotes(p.default) for p in entry.parameters if p.name in listed}
    if title == "Parameters" and len(defaults) == 1 and "default" not in kind:
        about = ", default ".join(filter(None, [about, *(f"`{d}`" for d in defaults if d)]))
    first = " : ".join(filter(None, [", ".join(f"`{n}`" for n in listed), about]))
    words = (" " if mark and below[:1].islower() else "\\\n") + prose(below, links)
    return "- " + re.sub(r"\n(?=.)", "\n  ", first + words * bool(below))


def rendered(entry: Entry, links: Links) -> str:
    """A docstring as Markdown; the defaults are those of the signature."""
    text, sections = sections_of(entry.doc)
    blocks = [prose(text, links)] if text else []
    for title, body in sections:
        shown = ("\n".join(item(*x, title, entry, links) for x in items_of(body))
                 if title in LISTS else f"```python\n{body}\n```" if title == "Examples"
                 else prose(body, links))
        blocks.append(f"**{title}**\n\n{shown}")
    return "\n\n".join(blocks)


def of_bases(entry: Entry, links: Links) -> str:
    """What a class has from its bases: ours with their methods, and others."""
    lines = []
    for ours, methods in links.package.inherited(entry):
        names = ", ".join(f"[`{m.last}`]({links.to(m.link)})" for m in methods)
        lines.append(f"- from [`{ours.name}`]({links.to(ours.link)})"
                     + f": {names}" * bool(names))
    for base in entry.others:
        address = peer_page(base)
        lines.append(f"- from [`{base}`]({address})" if address else f"- from `{base}`")
    return "**Inherited**\n\n" + "\n".join(lines) if lines else ""


def entry_cells(entry: Entry, section: Module, links: Links) -> Iterator[str]:
    """The cells of one public name: its own, and one for each method."""
    home = links.to(f"{section.page}#{book.definition_anchor(entry.name)}")
    lead = f"`{links.package.import_line(entry)}` · defined in [{section.title}]({home})."
    for level, one in [("##", entry), *(("###", m) for m in entry.methods)]:
        parts = [f"{level} `{one.name}`", f"```python\n{one.signature}\n```",
                 lead * (one is entry), rendered(one, links), of_bases(one, links)]
        yield "\n\n".join(p for p in parts if p)


def table(rows: list[tuple[str, str]], head: str = "name") -> str:
    """A Markdown table of names and what they are."""
    lines = [(head, "what it is"), ("---", "---"), *rows]
    return "\n".join(f"| {name} | {words} |" for name, words in lines)


def summaries(entries: list[Entry], links: Links, anchor: str = "") -> str:
    """A table of entries."""
    return table([(f"{anchor.format(e.name)}[`{e.name}`]({links.to(e.link)})",
                   prose(e.summary)) for e in entries])


def module_page(package: Package, module: Module) -> list[str]:
    """The cells of a module's page."""
    links = Links(package, page_of_module(module.name), module.name)
    chapter = f"{package.name}.{module.name.split('.')[0]}"
    lead = (f"Every public name of the section [{module.title}]({links.to(module.page)}), "
            "in the order in which it defines them. The chapter's other modules: "
            f"{links.code(chapter)}.")
    cells = [f"# {package.name}.{module.name}\n\n> {module.summary}",
             lead + f"\n\n{summaries(module.entries, links)}" * (len(module.entries) > 1)]
    for entry in module.entries:
        cells += entry_cells(entry, module, links)
    return cells


def chapter_page(package: Package, chapter: str) -> list[str]:
    """The cells of a chapter's page: its names, with links to the pages of its modules."""
    links = Links(package, page_of_module(chapter), chapter)
    modules = package.taught(chapter)
    whole, title = f"{package.name}.{chapter}", package.titles[chapter]
    home = links.to(f"{chapter}/index.ipynb")
    cells = [f"# {whole}\n\n> Every public class and function of the chapter {title}: "
             "what it is, and where it is.",
             f"What the chapter [{title}]({home}) defines: first what `{whole}` itself "
             "offers, then every name, module after module, in the order in which it is "
             "taught. A module's page has the parameters, results and errors."]
    there = {e.name: e for m in modules for e in m.entries}
    if first := [there[n] for n in package.offered[chapter] if n in there]:
        cells.append(f"## What to import\n\nFrom `{whole}`, as in "
                     f"`{package.import_line(first[0])}`.\n\n{summaries(first, links)}")
    for m in modules:
        page = links.code(f"{package.name}.{m.name}")
        cells.append(f"## `{m.name}`\n\n{prose(m.summary)} All of it: {page}; taught in "
                     f"[{m.title}]({links.to(m.page)}).\n\n"
                     + summaries(m.entries, links, '<a id="{}"></a>'))
    return cells


def overview(package: Package) -> list[str]:
    """The cells of the first page: all modules, and all names by their letters."""
    links = Links(package, "api/index.ipynb", "")
    first, other = (next((package.import_line(e) for e in package.every
                          if (e.name in package.offered[e.chapter]) == offers), "")
                    for offers in (True, False))
    cells = ["# API reference\n\n> Every public class and function "
             "of the package, from its signature and docstring.",
             "The package has the chapters of the book. A chapter offers what "
             f"its landing page lists, as in `{first}`; everything else is "
             f"imported from its module, as in `{other}`. Each entry leads to the "
             "section that teaches it, where its code stands."]
    for chapter in package.chapters:
        rows = [(links.code(m.name), prose(m.summary)) for m in package.taught(chapter)]
        if rows:
            home = links.to(page_of_module(chapter))
            cells.append(f"## [{package.titles[chapter]}]({home})\n\n"
                         + table(rows, "module"))
    names = sorted(package.every, key=lambda e: (e.name.lower(), e.module))
    lines = [f"**{letter}** " + ", ".join(
        f"[`{e.name}`]({links.to(e.link)})"
        + f" ({e.module})" * (len(package.named[e.name]) > 1) for e in entries)
        for letter, entries in groupby(names, lambda e: e.name[0].upper())]
    return [*cells, "## All names\n\n" + "\n\n".join(lines)]


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
    """The pages below nbs with their text, a chapter's before those of its modules."""
    whole = {"api/index.ipynb": overview(package)}
    for chapter in package.chapters:
        if modules := package.taught(chapter):
            whole[page_of_module(chapter)] = chapter_page(package, chapter)
            whole |= {page_of_module(m.name): module_page(package, m) for m in modules}
    return {page: as_notebook(page, cells) for page, cells in whole.items()}


START, END = "# from the package, by `make export`:", "# end of what the package decides"


def with_pages(quarto: str, pages: list[str], titles: dict[str, str]) -> str:
    """_quarto.yml with the pages of the reference between the two comments for them:
    a section for each chapter, and below it the modules."""
    lines = []
    for page in pages:
        chapter, _, module = page.removeprefix("api/").removesuffix(".ipynb").partition(".")
        if module:
            lines += [f"    - text: {module}", f"      href: {page}"]
        elif chapter != "index":
            lines += [f"- section: {titles[chapter]}", f"  href: {page}", "  contents:"]
    return re.sub(
        rf"^( *){re.escape(START)}\n.*?^ *(?={re.escape(END)}$)",
        lambda m: "".join(f"{m[1]}{x}\n" for x in [START, *lines]) + m[1], quarto,
        flags=re.M | re.S)


def write_reference(root: Path = ROOT) -> None:
    """Write the pages, remove those of modules that are gone, list them in the sidebar."""
    package, quarto = Package(root), root / "_quarto.yml"
    made = pages_of(package)
    for path in (root / "nbs" / "api").glob("*.ipynb"):
        if f"api/{path.name}" not in made:
            path.unlink()
    for page, text in made.items():
        book.write(root / "nbs" / page, text)
    listed = quarto.read_text(encoding="utf-8")
    book.write(quarto, with_pages(listed, list(made), package.titles))
