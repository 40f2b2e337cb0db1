"""What the site's own processor does to solutions, and that every solution is folded in JupyterLab."""

import pytest
from nbdev.process import NBProcessor
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from tools.book import notebooks
from tools.site import FoldSolutions

FOLDED = "jp-MarkdownHeadingCollapsed"


def processed(tmp_path, *cells):
    """Kind and source of the cells after the processor; a string is Markdown, a list of one is code."""
    made = [new_code_cell(c[0]) if isinstance(c, list) else new_markdown_cell(c) for c in cells]
    path = tmp_path / "page.ipynb"
    path.write_text(writes(new_notebook(cells=made)))
    return [c.source for c in NBProcessor(path, procs=FoldSolutions, process=True).nb.cells]


def test_a_solution_becomes_a_callout_up_to_the_next_heading(tmp_path):
    found = processed(tmp_path, "# T", "### Exercise 1", "#### Solution 1", "Words.", ["x = 1"], "### Exercise 2",
                      "#### Solution 2", ["y = 2"], "##### Remark", "## Next")
    opening = '::: {{.callout-tip collapse="true" title="Solution {}"}}'
    assert found == ["# T", "### Exercise 1", opening.format(1), "Words.", "x = 1", ":::", "### Exercise 2",
                     opening.format(2), "y = 2", "##### Remark", ":::", "## Next"]


def test_a_solution_at_the_end_is_closed_and_its_own_words_are_kept(tmp_path):
    found = processed(tmp_path, "#### Solution 1\n\nWords.", ["x = 1"])
    assert found == ['::: {.callout-tip collapse="true" title="Solution 1"}', "Words.", "x = 1", ":::"]


def test_pages_without_solutions_stay_as_they_are(tmp_path):
    found = processed(tmp_path, "# T", ["# a comment\nx = 1"], "## S\n\nText")
    assert found == ["# T", "# a comment\nx = 1", "## S\n\nText"]


@pytest.mark.parametrize("nb", notebooks(), ids=lambda nb: nb.name)
def test_every_solution_is_a_folded_heading_of_its_own(nb):
    for cell in nb.cells:
        if cell.kind == "markdown" and "Solution" in cell.source.splitlines()[0]:
            assert cell.source.strip().startswith("#### Solution") and "\n" not in cell.source.strip()
            assert cell.metadata.get(FOLDED) is True
