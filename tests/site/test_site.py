"""What the site's own processors do to pages,
and that every solution is folded in JupyterLab."""

import importlib
import json

import pytest
from execnb.nbio import read_nb
from nbdev.process import NBProcessor
from nbdev.processors import FilterDefaults, rm_export
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, writes

from tools import lite, site
from tools.book import ROOT, notebooks, settings
from tools.reference import PEERS
from tools.site import (
    Definitions,
    FewerInBrowser,
    FoldImports,
    FoldSolutions,
    LinkNames,
    NotebookLinks,
    PlainHtml,
    with_mentions,
)

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


def test_a_solution_at_the_end_is_closed_and_its_own_words_are_kept(tmp_path):
    found = processed(tmp_path, "#### Solution 1\n\nWords.", ["x = 1"])
    assert found == ['::: {.callout-tip collapse="true" title="Solution 1"}', "Words.",
                     "x = 1", ":::"]


def test_pages_without_solutions_stay_as_they_are(tmp_path):
    found = processed(tmp_path, "# T", ["# a comment\nx = 1"], "## S\n\nText")
    assert found == ["# T", "# a comment\nx = 1", "## S\n\nText"]


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


def test_code_that_is_not_shown_leaves_its_summary(book):
    code = "#| export\nENTROPY, GINI = 0, 1\n\n\ndef log_table(n):\n    return a"
    box, end = processed(book, [code], "End", by=[Definitions, rm_export],
                         page="nbs/features/engine/impurity.ipynb")
    lines = box.splitlines()
    assert [x.split("]{")[0] for x in lines[1:-1]] == [
        f"- [[`{n}`](../../api/features.engine.impurity.ipynb#{n})"
        for n in ("ENTROPY", "GINI", "log_table")]
    assert (lines[3].endswith("{#definition-log_table}: " + site.package()
                              .find("log_table").summary) and end == "End")


@pytest.mark.parametrize("directive", ["", "#| hide\n#| export\n", "#| exporti\n"])
def test_what_is_not_public_gets_no_anchor(book, directive):
    cells = [directive + "def gain(counts):\n    return 0"], "End"
    assert not [x for x in processed(book, *cells, by=Definitions,
                                     page="nbs/features/impurity.ipynb") if ":::" in x]


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


def test_a_name_that_means_something_else_on_the_page_is_left_alone(book):
    assert linked(book, ["def gain(x):\n    return x"], "`gain`") == "`gain`"
    assert linked(book, ["gain = 1"], "`gain`") == "`gain`"
    assert linked(book, ["from elsewhere import gain"], "`gain`") == "`gain`"
    entry = "[`gain`](../api/features.impurity.ipynb#gain)"
    assert linked(book, ["#| exports\ndef gain(x):\n    return x"], "`gain`") == entry
    assert linked(book, ["from supervised.features import gain"], "`gain`") == entry


def test_names_of_other_libraries_follow_from_the_import(book):
    code = ["import numpy as np\nfrom sklearn.svm import LinearSVC\nfrom scipy import "
            "stats\nimport pandas as pd"]
    assert linked(
        book, code, "`LinearSVC`, `np.bincount`, `stats.norm`, "
        "`pd.DataFrame`, `np.random.default_rng`") == (
            "[`LinearSVC`](https://scikit-learn.org/stable/modules/generated/sklearn.svm.LinearSVC.html), "  # noqa: E501
            "[`np.bincount`](https://numpy.org/doc/stable/reference/generated/numpy.bincount.html), "  # noqa: E501
            "[`stats.norm`](https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.norm.html), "  # noqa: E501
            "[`pd.DataFrame`](https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.html), "  # noqa: E501
            "`np.random.default_rng`")


def test_names_in_markdown_outputs_are_linked(book):
    cell = new_code_cell(
        "show()", outputs=[new_output("display_data", {"text/markdown": "| `gain` |"})])
    nb = NBProcessor(notebook(book / "nbs" / "trees" / "p.ipynb", cell), procs=LinkNames,
                     process=True).nb
    made = "".join(nb.cells[0].outputs[0]["data"]["text/markdown"])
    assert made == "| [`gain`](../api/features.impurity.ipynb#gain) |"


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


# ------------------------------------ outputs, imports, downloads


def test_html_outputs_become_raw_html(book):
    data = {"text/html": "<pre>```</pre>\n<table></table>", "text/plain": "x"}
    cells = new_code_cell("t", outputs=[new_output("display_data", data)]), new_code_cell(
        "u", outputs=[new_output("stream", text="<b>")])
    nb = NBProcessor(notebook(book / "p.ipynb", *cells), procs=PlainHtml, process=True).nb
    made = nb.cells[0].outputs[0]["data"]
    assert ("".join(made["text/markdown"])
            == "````{=html}\n<pre>```</pre>\n<table></table>\n````\n")
    assert (set(made) == {"text/markdown", "text/plain"}
            and "".join(nb.cells[1].outputs[0]["text"]) == "<b>")


def test_imports_are_folded_as_far_as_they_follow_one_another(book):
    found = processed(book, ["import a"], ["from b import c\n\nset_style()"], "Text",
                      ["import d"], ["d.run()"], ["#| code-fold: false\nimport e"],
                      ["%magic"], ["import f\nf.run()"], by=FoldImports)
    head = "#| code-fold: true\n#| code-summary: Imports\n"
    assert found == [head + "import a\n\nfrom b import c\n\nset_style()",
                     "Text", head + "import d", "d.run()",
                     "#| code-fold: false\nimport e", "%magic", "import f\nf.run()"]


@pytest.mark.parametrize("page, local",
                         [("trees/splits.ipynb", "../notebooks/trees/splits.ipynb"),
                          ("index.ipynb", "notebooks/index.ipynb")])
def test_a_page_offers_its_notebook(book, page, local):
    (book / "settings.ini").write_text((ROOT / "settings.ini").read_text())
    link, *_ = processed(book, "Text", by=NotebookLinks, page=f"nbs/{page}")
    assert f"[Download notebook]({local}){{download=" in link and link.count(":::") == 2
    whose = "{user}/{repo}/{branch}".format(**settings())
    assert f"](https://mybinder.org/v2/gh/{whose}?urlpath=lab/tree/nbs/{page})" in link


@pytest.mark.parametrize("page, up", [("trees/splits.ipynb", "../"), ("index.ipynb", "")])
def test_pages_of_chapters_run_in_the_browser(book, page, up):
    (book / "settings.ini").write_text((ROOT / "settings.ini").read_text())
    link, *_ = processed(book, "Text", by=NotebookLinks, page=f"nbs/{page}")
    target = f"[Run in the browser]({up}lite/notebooks/index.html?path={page})"
    assert target in link and "60 MB" in link and "]{.in-browser}" in link


def test_other_pages_do_not(book):
    (book / "settings.ini").write_text((ROOT / "settings.ini").read_text())
    link, *_ = processed(book, "Text", by=NotebookLinks, page="nbs/appendix/errata.ipynb")
    assert "Download notebook" in link and "browser" not in link


def test_a_cell_that_takes_fewer_in_the_browser_says_so(book):
    found = processed(book, ["y = run(fewer(10, in_browser=3))"], ["x = 1"], "End",
                      by=FewerInBrowser)
    note = "::: {.in-browser}\n" + lite.FEWER + "\n:::"
    assert found == ["y = run(fewer(10, in_browser=3))", note, "x = 1", "End"]


def test_downloads_are_the_notebooks_as_they_are(tmp_path):
    made = site.publish(tmp_path)
    assert (len(made) == len(notebooks())
            and (tmp_path / "notebooks" / "trees" / "splits.ipynb") in made)
    for path in made:
        source = ROOT / "nbs" / path.relative_to(tmp_path / "notebooks")
        assert path.read_bytes() == source.read_bytes()


# ------------------------------------ what is done after rendering


@pytest.mark.parametrize("tex, words", [
    (r"\(X = 2\)", "X = 2"),
    (r"\(p &lt; 0.05\)", "p &lt; 0.05"),
    (r"\(1 - \gamma \le \Sigma\)", "1 - γ ≤ Σ"),
    (r"\(\frac{p + 1}{n}\)", "(p + 1)/n"),
    (r"\(\tfrac12\)", "1/2"),
    (r"\(\lambda \cdot \mathrm{Gain}(S)\)", "λ · Gain(S)"),
    ("\\[\nE = -\\sum_i p_i \\log_2 p_i \\tag{3.5}\n\\]", "E = -∑_i p_i log _2 p_i"),
    ("no formula: \\d+ [0] (a)", "no formula: \\d+ [0] (a)"),
])
def test_formulas_in_words(tex, words):
    assert site.readable(tex) == words


def made_site(tmp_path):
    """A rendered site of one page, and a folder where npm has put MathJax."""
    made, npm = tmp_path / "_docs", tmp_path / "npm"
    (made / "site_libs" / "bootstrap" / "fonts").mkdir(parents=True)
    (made / "search.json").write_text(
        json.dumps([{"title": "T", "section": None, "text": "a\n\n\n\\(x\\)"}]))
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
    assert site.finish(made) is None
    assert json.loads((made / "search.json").read_text(encoding="utf-8")) == [
        {"title": "T", "section": "", "text": "a\nx"}]
    mathjax = made / "site_libs" / "mathjax"
    assert (mathjax / "startup.js").read_text() == "startup.js"
    assert (mathjax / "input" / "tex" / "extensions" / "x.js").exists()
    assert (mathjax / "stix2" / "chtml" / "x.js").exists()
    assert (made / "notebooks" / "trees" / "splits.ipynb").exists()
    assert ("OPEN FONT" in (made / "site_libs" / "bootstrap" / "fonts" / "LICENSE.md")
            .read_text(encoding="utf-8"))


@pytest.mark.parametrize("tag", [
    '<script src="../site_libs/mathjax/startup.js" type="text/javascript">',
    '<script defer="" src="../site_libs/mathjax/startup.js" type="text/javascript">'])
def test_mathjax_waits_for_what_the_page_says(tmp_path, tag):
    page = tmp_path / "trees" / "splits.html"
    page.parent.mkdir()
    other = '<script src="../site_libs/quarto-nav/quarto-nav.js"></script>'
    page.write_text(f"<head>{other}\n{tag}</script></head>")
    for _ in range(2):  # once more changes nothing
        site.defer_mathjax(tmp_path)
        text = page.read_text()
        assert other in text
        assert text.count("<script defer") == text.count("defer") == 1


def test_what_keeps_a_site_from_being_finished_is_said(tmp_path, monkeypatch):
    assert (site.finish(tmp_path / "_docs")
            == "_docs is missing: make docs builds the site first")
    monkeypatch.setattr(site, "NPM", tmp_path / "none")
    assert "npm ci --prefix tools" in site.finish(made_site(tmp_path)[0])


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
