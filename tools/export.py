"""Make everything that is made: `python -m tools.export`.

The notebooks give the package (nbdev) and the README, the package the API reference. Each
subpackage gets an `__init__.py` that offers its modules and the names which the chapter's
landing page lists under "What to import", and that imports a module only when a name of it
is asked for.
"""

from __future__ import annotations

import base64
import os
import posixpath
import re
from pathlib import Path

from tools import book
from tools.book import ROOT, Cell, Notebook
from tools.lite import address
from tools.reference import public_names, write_reference

HEAD = '''"""{doc}"""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

'''

ROOT_INIT = '''__version__ = "{version}"


# What these functions import stays inside them: completion shows the names of this file.
def _attach(package: str, file: str) -> tuple:
    """What makes a package import its names on first use (SPEC 1); the stub beside its file lists them.

    A name that it does not offer is an error that says where the name is.
    """
    import sys

    import lazy_loader

    get, listed, names = lazy_loader.attach_stub(package, file)

    def __getattr__(name: str) -> object:
        if name in names:
            return get(name)
        asked = sys._getframe(1).f_code.co_name == "_handle_fromlist"  # by `from package import name`
        said = f"module {{package!r}} has no attribute {{name!r}}"
        found = _imports_of(name)
        if found:
            said += f": {{' or '.join(found)}}"
        raise (ImportError if asked and found else AttributeError)(said)

    return __getattr__, listed, names


def _imports_of(name: str) -> list[str]:
    """How a name is imported: from its chapter where that offers it, from its module otherwise."""
    from importlib import import_module

    if name.startswith("_"):
        return []
    symbols = import_module("{package}._modidx").d["syms"]
    modules = [module for module, names in symbols.items() if f"{{module}}.{{name}}" in names]
    chapters = [import_module(".".join(module.split(".")[:2])) for module in modules]
    homes = [c.__name__ if name in c.__all__ else m for m, c in zip(modules, chapters, strict=True)]
    return [f"from {{home}} import {{name}}" for home in homes]


__getattr__, __dir__, __all__ = _attach(__name__, __file__)
'''  # noqa: E501

CHAPTER_INIT = '''from {dots} import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
'''

STUB = '''# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

{imports}
__all__ = {names}
'''  # noqa: E501


def listing(values: list[str], indent: int = 4) -> str:
    """A list of strings, one on a line."""
    return "[\n" + "".join(" " * indent + f'"{v}",\n' for v in values) + "]"


def write_inits(root: Path) -> None:
    """`__init__.py` and its stub, for the package and for each chapter with modules."""
    exporting = [nb for nb in book.notebooks(root) if nb.module]
    config = book.settings(root)
    package = root / config["lib_path"]
    chapter_names = []
    for chapter in book.chapters(root):
        sections = [nb.module.partition(".")[2] for nb in exporting  # type: ignore[union-attr]
                    if nb.chapter == chapter]
        if not sections:
            continue
        chapter_names.append(chapter)
        landing = book.read_notebook(root / "nbs" / chapter / "index.ipynb", root)
        defined = {n: s for s in sections for n in public_names(book.parsed(
            (package / chapter / f"{s.replace('.', '/')}.py").read_text(encoding="utf-8")))}
        # a test says which are not
        home = {n: defined[n] for n in book.offered(landing) if n in defined}
        modules = list(dict.fromkeys(s.split(".")[0] for s in sections))
        book.write(package / chapter / "__init__.py",
                   HEAD.format(doc=landing.summary) + CHAPTER_INIT.format(dots=".."))
        book.write(package / chapter / "__init__.pyi", stub(home, modules))
        engine = [s.partition(".")[2] for s in sections if s.startswith("engine.")]
        if engine:
            book.write(package / chapter / "engine" / "__init__.py",
                       HEAD.format(doc=f"Under the hood: {landing.title}.")
                       + CHAPTER_INIT.format(dots="..."))
            book.write(package / chapter / "engine" / "__init__.pyi", stub({}, engine))
    body = ROOT_INIT.format(version=config["version"], package=package.name)
    book.write(package / "__init__.py", HEAD.format(doc=config["description"] + ".") + body)
    book.write(package / "__init__.pyi", stub({}, chapter_names) + "__version__: str\n")


def stub(home: dict[str, str], modules: list[str]) -> str:
    """The stub of a package that offers names, by their modules, and the modules."""
    pairs = [*((f".{module}", name) for name, module in home.items()),
             *((".", module) for module in modules)]
    imports = "".join(f"from {origin} import {name} as {name}\n" for origin, name in pairs)
    return STUB.format(imports=imports, names=listing([name for _, name in pairs]))


def landing_figure(chapter: str, root: Path = ROOT) -> str:
    """The drawing of a chapter's landing page, which is on its card on the front page."""
    cells = book.read_notebook(root / "nbs" / chapter / "index.ipynb", root).cells
    drawings = ("".join(output.get("data", {}).get("image/svg+xml", ""))
                for cell in cells for output in cell.outputs)
    return next(filter(None, drawings), "")


def site_links(config: dict[str, str], root: Path) -> str:
    """Plain links to the site, once settings.ini names the account that holds it."""
    site, page = f"{config['doc_host']}{config['doc_baseurl']}/", book.first_page(root)
    named = config["user"] != "owner".upper()  # written out it would be changed, too
    return (f"[Read]({site}{page.replace('.ipynb', '.html')}) · "
            f"[Run in the browser]({site}{address(page)})" if named else "")


def with_readme_links(text: str) -> str:
    """Markdown of the front page with its links as seen from the README."""
    return re.sub(r"(?<=\]\()(?![a-z]+:|#)([^)\s]+)(?=\))",
                  lambda m: posixpath.normpath(f"nbs/{m[1]}"), text)


def readme_output(output: dict, cell: Cell, root: Path) -> str:
    """What a cell shows, as Markdown; a picture becomes a file beside the front page."""
    data = output.get("data", {})
    if output.get("output_type") == "stream":
        return "```text\n" + "".join(output["text"]).rstrip() + "\n```"
    kind = next((k for k in ("image/svg+xml", "image/png") if k in data), None)
    if kind:
        ending = "svg" if kind == "image/svg+xml" else "png"
        picture = root / "nbs" / "images" / f"{cell.directives['label']}.{ending}"
        picture.parent.mkdir(exist_ok=True)
        text = "".join(data[kind])
        picture.write_bytes(text.encode() if ending == "svg" else base64.b64decode(text))
        return f"![{cell.directives['fig-alt']}]({picture.relative_to(root).as_posix()})"
    if "text/markdown" in data:
        return with_readme_links("".join(data["text/markdown"]).strip())
    return "```text\n" + "".join(data.get("text/plain", "")).rstrip() + "\n```"


def readme(front: Notebook, config: dict[str, str], root: Path = ROOT) -> str:
    """README.md from the front page: prose, shown code, and what the code prints."""
    parts = ["<!-- Written by `make export` from nbs/index.ipynb. Do not edit. -->"]
    for cell in front.cells:
        hidden = cell.directives.get("include") == "false" or "hide" in cell.directives
        if cell.kind == "markdown":
            text = cell.source
            if cell.number == 0:
                text = re.sub(r"^> ", "", text, count=1, flags=re.M)
            text = re.sub(r"^:::.*\n?", "", text, flags=re.M)
            parts.append(re.sub(r"\{[.#:][^}]*\}", "", with_readme_links(text)).strip())
            if cell.number == 0:
                parts.append(site_links(config, root))
        elif cell.kind == "code" and not hidden:
            if cell.directives.get("echo") != "false":
                parts.append("```python\n" + cell.code.strip() + "\n```")
            parts += [readme_output(o, cell, root) for o in cell.outputs]
    return "\n\n".join(p for p in parts if p) + "\n"


def export(root: Path = ROOT) -> None:
    """Everything, in the order in which one thing needs the other."""
    from nbdev.doclinks import nbdev_export

    config = book.settings(root)
    package = root / config["lib_path"]
    before = {path: (path.read_bytes(), path.stat()) for path in package.rglob("*.py")}
    nbdev_export.__wrapped__()
    write_inits(root)
    # Numba compiles anew what is younger than its cache
    for path, (text, was) in before.items():
        if path.exists() and path.read_bytes() == text:
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    (package / "py.typed").touch()
    for chapter in book.chapters(root):
        if drawing := landing_figure(chapter, root):
            book.write(root / "nbs" / "images" / f"chapter-{chapter}.svg", drawing)
    front = root / "nbs" / "index.ipynb"
    book.write(root / "README.md", readme(book.read_notebook(front, root), config, root))
    write_reference(root)


if __name__ == "__main__":
    export()
