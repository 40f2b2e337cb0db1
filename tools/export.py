"""Make everything that is made: `python -m tools.export`.

The notebooks give the package (nbdev) and the README, the package gives the API reference, and
settings.ini gives pyproject.toml its head.
Each subpackage gets an `__init__.py` that offers its modules and the names which the chapter's landing page
lists under "What to import", and that imports a module only when a name of it is asked for.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import sys
from pathlib import Path

from tools.book import ROOT, Cell, Notebook, chapters, notebooks, offered, read_notebook, settings
from tools.reference import public_names, write_reference

HEAD = '''"""{doc}"""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

'''

ROOT_INIT = '''import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import {chapters}

__version__ = "{version}"
__all__ = {names}


def _attach(package: str, home: dict[str, str]) -> tuple[Callable, Callable]:
    """`__getattr__` and `__dir__` of a package whose names are imported on first use (SPEC 1).

    `home` names the module of each public name; a name that is its own home is a module.
    """

    def __getattr__(name: str) -> object:
        if name not in home:
            if package == __name__ and not name.startswith("_"):
                _say_where(name)
            raise AttributeError(f"module {{package!r}} has no attribute {{name!r}}")
        module = importlib.import_module(f"{{package}}.{{home[name]}}")
        value = module if name == home[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)  # found once: no detour the next time
        return value

    def __dir__() -> list[str]:
        return sorted([*home, *(x for x in vars(sys.modules[package]) if x.startswith("__"))])

    return __getattr__, __dir__


def _say_where(name: str) -> None:
    """ImportError that says which module a name of the package is imported from, if there is one.

    It is no AttributeError, since `from ... import` would replace that by a sentence of its own.
    """
    from ._modidx import d

    for module, names in d["syms"].items():
        if f"{{module}}.{{name}}" in names:
            chapter = importlib.import_module(module.rpartition(".")[0])
            home = chapter.__name__ if name in chapter.__all__ else module
            raise ImportError(f"{{name}} is not imported from {{__name__}} itself: from {{home}} import {{name}}")


__getattr__, __dir__ = _attach(__name__, {{name: name for name in __all__}})
'''

CHAPTER_INIT = '''from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import {modules}
{imports}
__all__ = {names}

__getattr__, __dir__ = _attach(__name__, {home})
'''


def listing(values: list[str]) -> str:
    """A list of strings, one on a line."""
    return "[\n" + "".join(f'    "{v}",\n' for v in values) + "]"


def write(path: Path, text: str) -> None:
    """Write with Unix line ends, and only where something changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")


def write_inits(root: Path) -> None:
    """`__init__.py` of the package and of each chapter that exports something."""
    book = [nb for nb in notebooks(root) if nb.module]
    config = settings(root)
    package = root / config["lib_path"]
    names = []
    for chapter in chapters(root):
        sections = [nb.module.split(".")[1] for nb in book if nb.chapter == chapter]  # type: ignore[union-attr]
        if not sections:
            continue
        names.append(chapter)
        landing = read_notebook(root / "nbs" / chapter / "index.ipynb", root)
        defined = {n: s for s in sections
                   for n in public_names(ast.parse((package / chapter / f"{s}.py").read_text(encoding="utf-8")))}
        home = {n: defined[n] for n in offered(landing) if n in defined}  # a test says which are not
        imports = [f"    from .{s} import {n} as {n}" for n, s in home.items()]
        home |= {s: s for s in sections}
        table = "{\n" + "".join(f'    "{n}": "{s}",\n' for n, s in home.items()) + "}"
        body = CHAPTER_INIT.format(
            modules=", ".join(f"{s} as {s}" for s in sections), imports="".join(f"{x}\n" for x in imports),
            names=listing(list(home)), home=table)
        write(package / chapter / "__init__.py", HEAD.format(doc=landing.summary) + body)
    body = ROOT_INIT.format(version=config["version"], names=listing(names),
                            chapters=", ".join(f"{n} as {n}" for n in names))
    body = body.replace("import importlib\n", "import importlib\nimport sys\n")
    write(package / "__init__.py", HEAD.format(doc=config["description"] + ".") + body)


def toml_list(requirements: str) -> str:
    return "[\n" + "".join(f'  "{r}",\n' for r in requirements.split()) + "]"


def write_pyproject(root: Path) -> None:
    """The part of pyproject.toml that settings.ini decides."""
    c = settings(root)
    python = "".join(f'  "Programming Language :: Python :: 3.{v}",\n' for v in (11, 12, 13))
    head = f'''name = "{c['lib_name']}"
version = "{c['version']}"
description = "{c['description']}"
readme = "README.md"
requires-python = ">={c['min_python']}"
license = "Apache-2.0"
license-files = ["LICENSE"]
authors = [{{name = "{c['author']}"}}]
keywords = {json.dumps(c['keywords'].split())}
classifiers = [
  "Development Status :: 3 - Alpha",
  "Intended Audience :: Education",
  "Intended Audience :: Science/Research",
  "Operating System :: OS Independent",
{python}  "Topic :: Scientific/Engineering :: Artificial Intelligence",
  "Typing :: Typed",
]
dependencies = {toml_list(c['requirements'])}

[project.urls]
Home = "{c['doc_host']}{c['doc_baseurl']}"
Source = "{c['git_url']}"

[project.optional-dependencies]
dev = {toml_list(c['dev_requirements'])}
bench = {toml_list(c['bench_requirements'])}
site = {toml_list(c.get('site_requirements', ''))}
'''
    path = root / "pyproject.toml"
    start, end = "# from settings.ini, by `make export`:\n", "# end of what settings.ini decides\n"
    before, rest = path.read_text(encoding="utf-8").split(start)
    write(path, before + start + head + end + rest.split(end)[1])


def link_to_site(target: str, folder: str, config: dict[str, str]) -> str:
    """Where a link of the front page leads from the README: the site for pages, else the file."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, _, anchor = target.partition("#")
    name = Path(folder) / path
    if name.suffix in (".ipynb", ".qmd"):
        name = name.with_suffix(".html")
        page = f"{config['doc_host']}{config['doc_baseurl']}/{name.as_posix()}"
        return f"{page}#{anchor}" if anchor else page
    return target


def linked_to_site(text: str, config: dict[str, str]) -> str:
    """Markdown of the front page with its links as they are in the README."""
    return re.sub(r"(?<=\]\()([^)\s]+)(?=\))", lambda m: link_to_site(m.group(1), "", config), text)


def readme_output(output: dict, cell: Cell, config: dict[str, str], root: Path) -> str:
    """What a cell shows, as Markdown; a picture becomes a file beside the front page."""
    data = output.get("data", {})
    if output.get("output_type") == "stream":
        return "```text\n" + "".join(output["text"]).rstrip() + "\n```"
    if "image/png" in data:
        picture = root / "nbs" / "images" / f"{cell.directives['label']}.png"
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(base64.b64decode("".join(data["image/png"])))
        return f"![{cell.directives['fig-alt']}]({picture.relative_to(root).as_posix()})"
    if "text/markdown" in data:
        return linked_to_site("".join(data["text/markdown"]).strip(), config)
    return "```text\n" + "".join(data.get("text/plain", "")).rstrip() + "\n```"


def readme(front: Notebook, config: dict[str, str], root: Path = ROOT) -> str:
    """README.md from the front page: prose as it stands, shown code, and what the code prints."""
    parts = ["<!-- Written by `make export` from nbs/index.ipynb. Do not edit. -->"]
    for cell in front.cells:
        hidden = cell.directives.get("include") == "false" or "hide" in cell.directives
        if cell.kind == "markdown":
            text = cell.source
            if cell.number == 0:
                text = re.sub(r"^> ", "", text, count=1, flags=re.M)
            text = re.sub(r"^:::.*\n?", "", text, flags=re.M)
            parts.append(re.sub(r"\{[.#:][^}]*\}", "", linked_to_site(text, config)).strip())
        elif cell.kind == "code" and not hidden:
            if cell.directives.get("echo") != "false":
                parts.append("```python\n" + cell.code.strip() + "\n```")
            parts += [readme_output(o, cell, config, root) for o in cell.outputs]
    return "\n\n".join(p for p in parts if p) + "\n"


def export(root: Path = ROOT) -> None:
    """Everything, in the order in which one thing needs the other."""
    from nbdev.doclinks import nbdev_export

    write_pyproject(root)
    nbdev_export.__wrapped__()
    write_inits(root)
    config = settings(root)
    package = root / config["lib_path"]
    for path in package.rglob("*.py"):  # nbdev writes the line ends of the system
        text = path.read_bytes()
        if b"\r\n" in text:
            path.write_bytes(text.replace(b"\r\n", b"\n"))
    (package / "py.typed").touch()
    front = root / "nbs" / "index.ipynb"
    write(root / "README.md", readme(read_notebook(front, root), config, root))
    write_reference(root)


if __name__ == "__main__":
    export()
    sys.exit(0)
