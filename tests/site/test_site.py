"""What the site's own processors do to pages,
and that every solution is folded in JupyterLab."""

import importlib
import json

import pytest
from execnb.nbio import read_nb
from nbdev.process import NBProcessor
from nbdev.processors import FilterDefaults, rm_export
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from tools import site
from tools.book import ROOT, notebooks
from tools.reference import PEERS
from tools.site import Definitions, FoldSolutions, LinkNames, with_mentions

FOLDED = "jp-MarkdownHeadingCollapsed"


def notebook(path, *cells):
    """A notebook; a string is a Markdown cell, a list
    of one a code cell, anything else a cell as it is."""
    kinds = {str: new_markdown_cell, list: lambda c: new_code_cell(c[0])}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(writes(new_notebook(cells=[kinds[type(c)](c) if type(c) in kinds else c
                                               for c in cells])))
    return path


def processed(tmp_path, *cells, by=FoldSolutions, page="page.ipynb"):
    """Sources of the cells after a processor, or several."""
    return [c.source for c in NBProcessor(notebook(tmp_path / page, *cells), procs=by,
                                          process=True).nb.cells]


def test_a_solution_becomes_a_callout_up_to_the_next_heading(tmp_path):
    found = processed(tmp_path, "# T", "### Exercise 1", "#### Solution 1",
                      "Words.", ["x = 1"], "### Exercise 2",
                      "#### Solution 2", ["y = 2"], "##### Remark", "## Next")
    opening = '::: {{.callout-tip collapse="true" title="Solution {}"}}'
    assert found == ["# T", "### Exercise 1", opening.format(1),
                     "Words.", "x = 1", ":::", "### Exercise 2",
                     opening.format(2), "y = 2", "##### Remark", ":::", "## Next"]


def test_what_is_beside_the_texts_is_folded_and_has_its_anchor(tmp_path):
    found = processed(tmp_path, "## Beside the texts", "Words.", ["x = 1"], "## Exercises")
    assert found == ['::: {#beside-the-texts .callout-tip collapse="true" '
                     'title="Beside the texts"}', "Words.", "x = 1", ":::",
                     "## Exercises"]


WRITTEN = [nb for nb in notebooks() if not nb.name.startswith("api/")]


@pytest.mark.parametrize("nb", WRITTEN, ids=lambda nb: nb.name)
def test_every_solution_is_a_folded_heading_of_its_own(nb):
    for cell in nb.cells:
        if cell.kind == "markdown" and "Solution" in cell.source.splitlines()[0]:
            assert (cell.source.strip().startswith("#### Solution")
                    and "\n" not in cell.source.strip())
            assert cell.metadata.get(FOLDED) is True


# ---------------------------------- names: where they are defined, where they are mentioned


@pytest.fixture()
def book(tmp_path, monkeypatch):
    """A folder that stands for the root of the book;
    names are still those of the package."""
    there = site.package()
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "package", lambda: there)
    return tmp_path


def test_shown_code_gets_an_anchor_and_a_link_before_it(book):
    code = "#| exports\ndef gain(counts):\n    return 0\n\n\ndef _own():\n    return 1"
    found = processed(book, "# T", [code], "End", by=[Definitions, rm_export],
                      page="nbs/features/impurity.ipynb")
    box = ("::: {.definition}\n"
           "[[`gain`](../api/features.impurity.ipynb#gain)]{#definition-gain}\n:::")
    assert found == ["# T", box, code.partition("\n")[2], "End"]


TO = {"gain": "to/gain", "Table.column": "to/column", "a_b": "to/a_b"}


@pytest.mark.parametrize("text, expected", [
    ("By `gain` and `Table.column`.",
     "By [`gain`](to/gain) and [`Table.column`](to/column)."),
    ("No `other` name.", "No `other` name."),
    ("## The `gain`\n\nThe `gain`", "## The `gain`\n\nThe [`gain`](to/gain)"),
    ("[`gain`](x.ipynb) and [the `gain` [1] of it](y)",
     "[`gain`](x.ipynb) and [the `gain` [1] of it](y)"),
    ("[see `gain`]", "[see [`gain`](to/gain)]"),
    ("```python\n`gain`\n```\n`gain`", "```python\n`gain`\n```\n[`gain`](to/gain)"),
    ("``a `gain` b`` `gain`", "``a `gain` b`` [`gain`](to/gain)"),
    ("$`gain`$ costs $5 and `gain`", "$`gain`$ costs $5 and [`gain`](to/gain)"),
    ("$$\n`gain`\n$$\n`gain`", "$$\n`gain`\n$$\n[`gain`](to/gain)"),
    ("<!-- `gain` --> <a href='`gain`'>`gain`</a>",
     "<!-- `gain` --> <a href='`gain`'>[`gain`](to/gain)</a>"),
    ('::: {title="`gain`"}\n`gain`\n:::', '::: {title="`gain`"}\n[`gain`](to/gain)\n:::'),
    ("| `gain` | `a_b` |\n|---|---|", "| [`gain`](to/gain) | [`a_b`](to/a_b) |\n|---|---|"),
    ("`x]` [`gain`](z) `gain`", "`x]` [`gain`](z) [`gain`](to/gain)"),
])
def test_only_names_in_prose_become_links(text, expected):
    assert with_mentions(text, TO.get) == expected


def linked(book, *cells, page="nbs/trees/splits.ipynb"):
    return processed(book, *cells, by=LinkNames, page=page)[-1]


def test_names_lead_to_the_reference(book):
    assert linked(book, "`gain()`, `C45Classifier.fit`, `trees.skew`") == (
        "[`gain()`](../api/features.impurity.ipynb#gain), "
        "[`C45Classifier.fit`](../api/basics.engine.classifiers.ipynb#BaseClassifier.fit), "
        "[`trees.skew`](../api/trees.skew.ipynb)")
    assert linked(book, "`Holdout(ordered=True)`, `@compiled`, `fit`, `print(gain)`") == (
        "[`Holdout(ordered=True)`](../api/evaluation.engine.resampling.ipynb#Holdout), "
        "[`@compiled`](../api/basics.kernels.ipynb#compiled), "
        "`fit`, `print(gain)`")
    front = linked(book, "`gain`", page="nbs/index.ipynb")
    assert front == "[`gain`](api/features.impurity.ipynb#gain)"
    assert linked(book, "`gain`", page="nbs/api/trees.ipynb") == "`gain`"


def test_whatever_the_book_links_to_in_other_libraries_is_there(monkeypatch):
    asked = []
    monkeypatch.setattr(site, "peer_page", lambda name: asked.append(name))
    for nb in notebooks():
        NBProcessor(nb.path, procs=LinkNames, process=True)
    there = {x for x in asked if x.split(".")[0] in PEERS}
    assert len(there) >= 10
    for name in there:
        module, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(module), last), name


# ------------------------------------ what is done after rendering


def made_site(tmp_path):
    """A rendered site of one page, and a folder where npm has put MathJax."""
    made, npm = tmp_path / "_docs", tmp_path / "npm"
    (made / "site_libs" / "bootstrap" / "fonts").mkdir(parents=True)
    for package, parts in site.MATHJAX.items():
        for part in parts:
            file = npm / package / part
            file = file if file.suffix or part == "LICENSE" else file / "x.js"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(part)
    return made, npm


def test_a_rendered_site_is_finished(tmp_path, monkeypatch):
    made, npm = made_site(tmp_path)
    monkeypatch.setattr(site, "NPM", npm)
    site.finish(made)
    mathjax = made / "site_libs" / "mathjax"
    assert (mathjax / "startup.js").read_text() == "startup.js"
    assert (mathjax / "input" / "tex" / "extensions" / "x.js").exists()
    assert (mathjax / "stix2" / "chtml" / "x.js").exists()
    assert (made / "notebooks" / "trees" / "splits.ipynb").exists()
    assert ("OPEN FONT" in (made / "site_libs" / "bootstrap" / "fonts" / "LICENSE.md")
            .read_text(encoding="utf-8"))


# ------------------------------------ all of them together, as settings.ini has them


@pytest.mark.parametrize("page",
                         ["trees/pruning.ipynb", "trees/index.ipynb", "api/trees.ipynb"])
def test_the_processors_work_together(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    nb = read_nb(ROOT / "nbs" / page)
    FilterDefaults()(nb)
    sources = [c.source for c in nb.cells]
    text = "\n".join(s for c, s in zip(nb.cells, sources, strict=True)
                     if c.cell_type == "markdown")
    assert sources[0].startswith("---\n") and nb.cells[0].cell_type == "raw"
    assert ("show_doc" not in text
            and not any("#| export" in s or "#| default_exp" in s for s in sources))
    assert (len([x for x in text.splitlines() if x.startswith("::: ")]) == text.splitlines()
            .count(":::"))
    assert not [t for c in nb.cells for o in c.get("outputs", [])
                for t in o.get("data", {}) if t == "text/html"]
    assert ("../api/" in text) == ("repo-actions: false" not in sources[0])
    assert ("Solution 1" in text) == (page == "trees/pruning.ipynb")
    json.dumps(nb)
