"""A forked kernel can't be told from one that Jupyter starts, but by the time it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from tools import kernels

pytestmark = pytest.mark.skipif(
    not kernels.possible(), reason="kernels are forked on Linux only"
)

# What libraries decide while they are imported, and what a page could notice.
LOOK_AROUND = """
import os, sys, warnings
import matplotlib, matplotlib.pyplot as plt, numpy as np, pandas as pd, sklearn, tqdm
import supervised.trees.classifiers, supervised.evaluation.engine.resampling
shown = [pd.get_option(f"display.{o}") for o in ("max_columns", "max_rows", "width")]
fig = plt.figure(); plt.close(fig)
ours = {"sys", "os", "warnings", "matplotlib", "plt", "np", "pd", "sklearn", "tqdm",
        "supervised", "shown", "fig"}
print([__name__, sorted(set(globals()) - ours), os.getcwd(), sys.path, shown,
       len(warnings.filters), tqdm.tqdm.__module__, plt.get_backend(),
       np.get_printoptions(),
       sorted(matplotlib.rcParams.items(), key=str), type(get_ipython()).__name__,
       sorted({**os.environ, "JPY_PARENT_PID": "", "JPY_SESSION_NAME": ""}.items())])
"""


def said(
    code: str, cwd: Path, forked: bool, factory: KernelProvisionerFactory
) -> list[str]:
    """What a new kernel prints, cell by cell."""
    factory.default_provisioner_name = "forked" if forked else "local-provisioner"
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(cwd))
    assert type(manager.provisioner) is (
        kernels.ForkedKernel if forked else LocalProvisioner
    )
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready()
    printed: list[str] = []

    def keep(message):
        content = message["content"]
        printed.extend([content["text"]] if content.get("name") == "stdout" else [])
        assert message["msg_type"] != "error", content

    for cell in code.split("###\n"):
        client.execute_interactive(cell, output_hook=keep)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert not manager.is_alive()
    return printed


@pytest.fixture
def factory():
    """Where kernels come from, set back afterwards."""
    factory = KernelProvisionerFactory.instance()
    before = factory.default_provisioner_name
    kernels.use()
    yield factory
    factory.default_provisioner_name = before


@pytest.mark.deep
def test_a_forked_kernel_is_like_any_other(factory, tmp_path):
    forked, started = (
        "".join(said(LOOK_AROUND, tmp_path, how, factory)) for how in (True, False)
    )
    assert len(forked) > 1000
    assert forked == started


def test_nothing_is_left_of_an_earlier_kernel(factory, tmp_path):
    leave = "import numpy as np\nnp.left, left = 1, 1\nnp.random.seed(0)\nprint('left')"
    find = "import numpy as np\nprint(hasattr(np, 'left'), 'left' in globals())"
    assert said(leave, tmp_path, True, factory) == ["left\n"]
    assert said(find, tmp_path, True, factory) == ["False False\n"]


def test_a_kernel_may_start_processes_and_die(factory, tmp_path):
    run = f"subprocess.run([{sys.executable!r}, '-c', 'exit(3)'])"
    ask = f"import subprocess\nprint({run}.returncode)"
    assert said(ask, tmp_path, True, factory) == ["3\n"]
    process = kernels.ForkedKernel.server.fork(
        arguments=["--no-such"], cwd=str(tmp_path), env={}
    )
    assert process.wait() == 0 and process.poll() == 0


FIGURES = """
import matplotlib.pyplot as plt
from supervised.basics.figures import player, set_style
set_style()
def draw(title):
    fig, ax = plt.subplots()
    ax.set_title(title)
    return fig
###
{}
"""


@pytest.mark.deep
@pytest.mark.parametrize("show", [
    "draw({!r}); plt.show()", "display(player(draw, ['a', {!r}], label='t', alt='x'))"])
def test_a_mistake_in_a_figure_shows_though_no_picture_is_made(show, factory, tmp_path):
    assert said(FIGURES.format(show.format("$x$")), tmp_path, True, factory) == []
    with pytest.raises(AssertionError, match="ParseFatalException|ParseException|Expected"):
        said(FIGURES.format(show.format(r"$\frac{1}$")), tmp_path, True, factory)
