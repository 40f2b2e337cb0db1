"""Docstrings that explain each parameter themselves:
`make export` fills in what the notebooks say shortly.

In a notebook a parameter that means the same in several places is explained once. The other
docstrings say `As for `evaluate`.`, or give the type alone (`n : int; how many`), and a
field of a data class has a comment behind it. In the package, and so in `help()` and in the
reference, each docstring has the whole text: of the docstring that is pointed to, of the
comment, of a base class, or of `tools/parameters.toml`: words for one owner, and words for
a name wherever its type is the one they are true of. Errors that are said to be those of
another function are listed too.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.reference import Entry, Package, items_of, list_and_rest, said, sections_of

WIDTH = 84  # of an explanation that is put together
SECTIONS = ("Parameters", "Other Parameters", "Attributes")
NAMES = r"(?P<names>`[\w.]+`(?:(?:, | and )`[\w.]+`)*)"
POINTS = re.compile(
    rf"(?:[Aa]s (?:for|in)|(?:(?:[\w]+ ){{0,3}}\w+, )?[Ss]ee|Of an?) {NAMES}(?P<more>.*)",
    re.S)
# what is said of the errors when a docstring points elsewhere: they get a section
ERRORS = re.compile(
    r"\b(?:so are the errors(?: raised)?|what raises an error there does so here)\b\.?",
    re.I)


@dataclass(frozen=True)
class Told:
    """What is said about a parameter: its type, and what it means."""

    kind: str = ""
    words: str = ""


def points_to(words: str) -> tuple[list[str], str] | None:
    """The names that an explanation sends the reader to,
    and what it adds; None where it explains."""
    found = POINTS.fullmatch(words.strip())
    if not found:
        return None
    more = ERRORS.sub("", found["more"]).strip(",;: .\n")
    return re.findall(r"`([\w.]+)`", found["names"]), sentence(more)


def sentence(words: str) -> str:
    """Words as a sentence; a name or a formula at their beginning stays as it is."""
    words = words.strip().rstrip(".")
    first = re.match(r"[a-z]+\b", words)
    capital = (first and (len(first[0]) > 1 or first[0] == "a")
               and "_" not in words.split()[0])
    return (words[:1].upper() + words[1:] if capital else words) + "." * bool(words)


def meant(words: str, names: list[str]) -> list[str]:
    """Which parameters words are about that stand behind a pointer:
    those they name, else the first one."""
    return [n for n in names if re.search(rf"\b{re.escape(n)}\b", words)] or names[:1]


def comments(source: str, name: str) -> dict[str, str]:
    """The comments behind the fields of a class, or above them, by field, as sentences."""
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        for item in (node.body if isinstance(node, ast.ClassDef) and node.name == name
                     else []):
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                note = (re.search(r"  # (.*)$", lines[(item.end_lineno or item.lineno) - 1])
                        or re.match(r" +# (.*)$", lines[item.lineno - 2]))
                if note:
                    found[item.target.id] = sentence(note[1])
    return found


class Explanations:
    """What each parameter of the package means, wherever that is said."""

    def __init__(self, package: Package):
        self.package = package
        path = Path(__file__).with_name("parameters.toml")
        shared = tomllib.loads(path.read_text(encoding="utf-8"))
        self.here: dict[str, str] = shared["here"]
        self.everywhere: dict[str, list[str]] = shared["everywhere"]
        self.fields: dict[tuple[str, str], dict[str, str]] = {}

    def items(self, entry: Entry) -> Iterator[tuple[list[str], Told]]:
        """The items of a docstring that are parameters or attributes."""
        for title, body in sections_of(entry.doc)[1]:
            if title in SECTIONS:
                for head, below in items_of(list_and_rest(title, body)[0]):
                    names, _, kind = head.partition(" : ")
                    yield [n.strip() for n in names.split(",")], Told(kind, below)

    def own(self, entry: Entry, name: str) -> tuple[list[str], Told]:
        """What the docstring of an entry itself says about a parameter,
        and about which others the same."""
        for names, told in self.items(entry):
            bare = [n.strip("*") for n in names]
            if name in bare:
                return bare, told
        return [], Told()

    def comment(self, entry: Entry, name: str) -> str:
        """The comment behind a field."""
        key = entry.module, entry.name
        if entry.kind == "class" and key not in self.fields:
            source = ((self.package.root / self.package.path(entry.module))
                      .read_text(encoding="utf-8"))
            self.fields[key] = comments(source, entry.name)
        return self.fields.get(key, {}).get(name, "")

    def words_for(self, entry: Entry, name: str, kind: str) -> str:
        """What parameters.toml says:
        of this owner's parameter, or of a name with its type."""
        kind = kind or said(next((p.annotation for p in entry.parameters
                                  if p.name == name and p.annotation is not None), ""))
        pattern, words = self.everywhere.get(name, ("", ""))
        return self.here.get(f"{entry.name}.{name}",
                             words if re.search(pattern, kind) else "")

    def of(self, entry: Entry, name: str, seen: tuple[str, ...] = ()) -> Told:
        """The type and the explanation of a parameter,
        however far the docstring sends its reader."""
        names, told = self.own(entry, name)
        if not names and name not in [p.name for p in entry.parameters]:
            return Told()
        here = f"{entry.module}.{entry.name}"
        kind, _, note = told.kind.partition(";")
        pointer = points_to(told.words or kind)
        if pointer and here not in seen:
            targets, more = pointer
            for target in targets:
                other = self.package.find(target, entry.module)
                found = self.of(other, name, (*seen, here)) if other else Told()
                if found.words:
                    adds = more if name in meant(more, names) else ""
                    if not told.words:  # it is the type that points
                        adds, told = sentence(note), Told()
                    words = (textwrap.fill(f"{found.words} {adds}", WIDTH) if adds
                             else found.words)
                    return Told(told.kind or found.kind, words)
        elif told.words and not pointer:
            return told
        words = self.comment(entry, name)
        for base in entry.bases if entry.kind == "class" and not words else []:
            other = self.package.find(base.split(".")[-1], base.rpartition(".")[0])
            found = (self.of(other, name, (*seen, here)) if other and here not in seen
                     else Told())
            if found.words:
                return Told(told.kind or found.kind, found.words)
        # where a pointer leads in a circle another one may help
        if not words and not (pointer and seen):
            words = self.words_for(entry, name, told.kind)
        if note and not told.words and not pointer:
            return Told(kind.strip(),
                        textwrap.fill(f"{words} {sentence(note)}".strip(), WIDTH))
        return Told(told.kind, words)

    def errors(self, entry: Entry, seen: tuple[str, ...] = ()) -> dict[str, list[str]]:
        """When each error is raised: what the docstring says,
        and what is said where it points to for errors."""
        sections = sections_of(entry.doc)[1]
        found = {head: [below] for title, body in sections if title == "Raises"
                 for head, below in items_of(list_and_rest(title, body)[0])}
        here = f"{entry.module}.{entry.name}"
        for words in {t.words for _, t in self.items(entry) if ERRORS.search(t.words)}:
            for target in (points_to(words) or ([], ""))[0]:
                other = self.package.find(target, entry.module)
                if other and here not in seen:
                    for head, when in self.errors(other, (*seen, here)).items():
                        found[head] = list(dict.fromkeys([*found.get(head, []), *when]))
        return found

    def filled(self, entry: Entry) -> str:
        """The docstring of an entry with every explanation in its place."""
        text, sections = sections_of(entry.doc)
        told = {n.strip("*") for names, _ in self.items(entry) for n in names}
        lost = [(p.name, self.of(entry, p.name), p.annotation)
                for p in entry.parameters if p.name not in told]
        lost = [one for one in lost if one[1].words]
        made = []
        raised = "\n".join(
            item(head, "", when[0] if len(when) == 1
                 else textwrap.fill(" ".join(" ".join(when).split()), WIDTH))
            for head, when in self.errors(entry).items())
        if raised and "Raises" not in [title for title, _ in sections]:
            after = [i for i, (title, _) in enumerate(sections)
                     if title in (*SECTIONS, "Returns", "Yields")][-1]
            sections = [*sections[:after + 1], ("Raises", ""), *sections[after + 1:]]
        for title, body in sections:
            if title == "Raises":
                rest = list_and_rest(title, body)[1] if body else ""
                body = raised + (f"\n\n{rest}" if rest else "")
            if title in SECTIONS:
                listed, rest = list_and_rest(title, body)
                body = "\n".join(self.item(entry, head, below)
                                 for head, below in items_of(listed))
                body += f"\n\n{rest}" if rest else ""
            made.append((title, body))
        if lost and entry.kind == "class":
            body = "\n".join(item(n, t.kind or said(hint) * (hint is not None), t.words)
                             for n, t, hint in lost)
            places = [i for i, (title, _) in enumerate(made) if title == "Parameters"]
            if places:
                made[places[0]] = "Parameters", f"{made[places[0]][1]}\n{body}"
            else:
                made.insert(0, ("Parameters", body))
        return "\n\n".join([text, *(f"{title}\n{'-' * len(title)}\n{body}"
                                    for title, body in made)])

    def item(self, entry: Entry, head: str, below: str) -> str:
        """An item of a docstring; several names that point
        elsewhere become an item each, unless they agree.

        Raises
        ------
        ValueError
            If the item gives one list of types for names of several types.
        """
        names, colon, kind = head.partition(" : ")
        if below and not points_to(below):
            return item(names, kind, below)
        listed = [n.strip(" *") for n in names.split(",")]
        hints = {said(p.annotation) for p in entry.parameters if p.name in listed}
        if colon and not points_to(kind.partition(";")[0]) and len(hints) > 1:
            raise ValueError(
                f"{entry.module}.{entry.name}: {head!r} gives names of the types "
                f"{', '.join(sorted(hints))} one explanation; "
                "write an item for each")
        groups: dict[Told, list[str]] = {}
        for name in [n.strip() for n in names.split(",")]:
            told = self.of(entry, name.strip("*"))
            groups.setdefault(told if told.words else Told(kind, below), []).append(name)
        return "\n".join(item(", ".join(group), told.kind, told.words)
                         for told, group in groups.items())


def item(names: str, kind: str, words: str) -> str:
    """An item of a list in NumPy's style."""
    head = f"{names} : {kind}" if kind else names
    return head + (f"\n{textwrap.indent(words, '    ')}" if words else "")


def with_docstrings(source: str, docs: dict[str, str]) -> str:
    """A module whose public names have these docstrings,
    where they differ from what stands there."""
    lines = source.splitlines()

    def nodes(tree: ast.Module | ast.ClassDef,
              prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield prefix + node.name, node
                if isinstance(node, ast.ClassDef) and not prefix:
                    yield from nodes(node, f"{node.name}.")

    for name, node in sorted(nodes(ast.parse(source)), key=lambda pair: -pair[1].lineno):  # type: ignore[attr-defined]
        new = docs.get(name)
        if new and new != (ast.get_docstring(node) or ""):  # type: ignore[arg-type]
            there = node.body[0].value  # type: ignore[attr-defined]
            indent = " " * there.col_offset
            raw = "r" if "\\" in new else ""
            text = textwrap.indent(f'{raw}"""{new}\n"""', indent,
                                   lambda line: bool(line.strip()))
            lines[there.lineno - 1: there.end_lineno] = text.split("\n")
    return "\n".join(lines) + "\n"


def fill_docstrings(root: Path) -> None:
    """Fill in the docstrings of the package, as it has just been exported."""
    package = Package(root)
    explain = Explanations(package)
    for module in package.modules:
        docs = {e.name: inspect.cleandoc(explain.filled(e)) for entry in module.entries
                for e in [entry, *(m for m in entry.methods if not m.file)] if e.doc}
        docs |= {m.name: inspect.cleandoc(explain.filled(m)) for entry in module.entries
                 for m in entry.methods if m.doc and m.file == module.name}
        path = root / package.path(module.name)
        old = path.read_text(encoding="utf-8")
        new = with_docstrings(old, {n: d for n, d in docs.items()
                                    if d != of_name(module.entries, n)})
        if new != old:
            path.write_text(new, encoding="utf-8", newline="\n")


def of_name(entries: list[Entry], name: str) -> str:
    """The docstring of a public name or method as the notebook has it."""
    return next(
        (e.doc for entry in entries for e in [entry, *entry.methods] if e.name == name), "")
