"""What the site needs beyond nbdev: `procs` in settings.ini names it."""

from __future__ import annotations

import re

from fastcore.basics import AttrDict
from nbdev.process import Processor


def markdown(source: str) -> AttrDict:
    """A Markdown cell."""
    return AttrDict(cell_type="markdown", metadata={}, source=source)


class FoldSolutions(Processor):
    """Turn `#### Solution` headings, which JupyterLab folds, into callouts, which the site folds.

    A solution ends at the next heading of its level or above, or with the notebook.
    """

    def end(self) -> None:
        cells, is_open = [], False
        for cell in self.nb.cells:
            text = cell.source or "" if cell.cell_type == "markdown" else ""
            heading = re.match(r"#{1,4} +(.*)", text)
            if heading and is_open:
                cells.append(markdown(":::"))
                is_open = False
            if heading and heading[1].startswith("Solution"):
                cells.append(markdown(f'::: {{.callout-tip collapse="true" title="{heading[1].strip()}"}}'))
                cell.source, is_open = text[heading.end():].strip(), True
            if cell.source or not heading:
                cells.append(cell)
        self.nb.cells = [*cells, markdown(":::")] if is_open else cells
