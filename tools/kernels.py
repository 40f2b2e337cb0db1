"""Kernels for the tests, forked from a process that has imported what the pages import.

To start Python and to import scikit-learn, pandas and Matplotlib takes two to three seconds
of processor time, for every page again. Here one process does it once, and each kernel is a
fork of it: the libraries are loaded, the namespace is new, and nothing that a page does
reaches another page. Figures are laid out and drawn, but no picture is made of them, since
no test compares pixels; those that are stored are looked at by `tests/site`. `make run`
starts its kernels as Jupyter always does, and so does pytest where this doesn't work.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import io
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import IO, Any
from unittest import mock

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

LIBRARIES = (
    "ipykernel.debugger",
    "ipykernel.kernelapp",
    "ipywidgets",
    "matplotlib.pyplot",
    "numba",
    "pandas",
    "pandas.io.formats.style",
    "scipy.signal",
    "scipy.stats",
    "sklearn.datasets",
    "sklearn.ensemble",
    "sklearn.inspection",
    "sklearn.model_selection",
    "sklearn.pipeline",
    "sklearn.tree",
    "tqdm",
)


class Forked:
    """A kernel's process, as jupyter_client handles it: no child of ours, so watched by its
    descriptor."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.descriptor = os.pidfd_open(pid)

    def __del__(self) -> None:
        os.close(self.descriptor)

    def poll(self) -> int | None:
        """None while it runs; how it ended, nobody knows, and nobody asks."""
        return 0 if select.select([self.descriptor], [], [], 0)[0] else None

    def wait(self) -> int:
        """Until it has ended."""
        select.select([self.descriptor], [], [])
        return 0

    def send_signal(self, number: int) -> None:
        """To this process and no other, even if its number has been given away."""
        signal.pidfd_send_signal(self.descriptor, number)


class Server:
    """The process that has imported the libraries; it ends with the one that started it."""

    def __init__(self, env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tools.kernels"],
            stdin=subprocess.PIPE,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=env,
            cwd=os.path.dirname(os.path.dirname(__file__)),
        )

    def fork(self, **order: Any) -> Forked:
        """A new kernel."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps(order), file=self.process.stdin, flush=True)
        pid = self.process.stdout.readline()
        if not pid:
            raise RuntimeError("no kernel was forked: `python -m tools.kernels` says why")
        return Forked(int(pid))


class ForkedKernel(LocalProvisioner):
    """Starts kernels by forking."""

    server: Server | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        env, cwd = dict(kwargs["env"]), kwargs.get("cwd") or os.getcwd()
        if ForkedKernel.server is None:
            ForkedKernel.server = Server(env)
        arguments = cmd[cmd.index("-f") :]
        process = ForkedKernel.server.fork(arguments=arguments, cwd=str(cwd), env=env)
        self.process = process  # type: ignore[assignment]  # it answers as a Popen would
        self.pid = self.pgid = process.pid
        self.cwd = cwd
        return self.connection_info


def possible() -> bool:
    """Whether the system forks safely and describes processes, as Linux does since 5.3."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return sys.platform == "linux"


def use() -> None:
    """From now on kernels of this process are forked, where that is possible."""
    if possible():
        factory = KernelProvisionerFactory.instance()
        factory.provisioners["forked"] = EntryPoint(
            "forked", "tools.kernels:ForkedKernel", KernelProvisionerFactory.GROUP_NAME
        )
        factory.default_provisioner_name = "forked"


def become_kernel(arguments: list[str], cwd: str, env: dict[str, str]) -> None:
    """What a kernel's process does from fork to end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    os.environ.update(env, JPY_PARENT_PID=str(os.getppid()))  # the server's end is its own
    os.chdir(cwd)
    sys.argv[1:] = arguments
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance(arguments)


def serve(requests: IO[str], replies: IO[str]) -> None:
    """Import once, then fork for each request, until nobody can ask any more."""
    sys.path.remove(os.getcwd())
    with as_in_a_kernel():
        for name in (*LIBRARIES, *modules()):
            with contextlib.suppress(Exception):  # it will fail where a page asks for it
                importlib.import_module(name)
    read_what_numba_knows()
    draw_without_pictures()
    for request in requests:
        reap()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            become_kernel(**json.loads(request))
            os._exit(0)
        os.setpgid(child, child)  # here as well: whichever of the two comes first
        print(child, file=replies, flush=True)


@contextlib.contextmanager
def as_in_a_kernel() -> Iterator[None]:
    """What pandas, tqdm and Matplotlib find when they look around at their import."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    kernel = SimpleNamespace(kernel=None, config={"IPKernelApp": {}})
    with (
        mock.patch("builtins.get_ipython", lambda: kernel, create=True),
        mock.patch("IPython.get_ipython", lambda: kernel),
    ):
        yield


def read_what_numba_knows() -> None:
    """Its tables of types and functions, which the first call of any kernel waits for: half
    a second of processor time, as long as most pages compute."""
    with contextlib.suppress(ImportError):
        target = importlib.import_module("numba.core.registry").cpu_target
        target.typing_context.refresh()
        target.target_context.refresh()


def draw_without_pictures() -> None:
    """Draw each figure, so that a mistake in it shows, and put an empty picture for it."""
    from PIL import Image

    from supervised.basics import drawings, figures, players

    regions = figures.plot_regions

    def drawn(figure: Any) -> None:
        figure.set_layout_engine("none")
        figure.draw_without_rendering()

    def svg(figure: Any) -> str:
        drawn(figure)
        return "<svg/>"

    def picture(frame: Any, number: int) -> tuple[bytes, Any, list[Any]]:
        figure = getattr(frame, "figure", frame)
        drawn(figure)
        inches = tuple(map(float, figure.get_size_inches()))
        empty = io.BytesIO()
        Image.new("RGB", (round(9 * inches[0]), round(9 * inches[1]))).save(empty, "png")
        players.plt.close(figure)
        return empty.getvalue(), inches, []

    @functools.wraps(regions)
    def coarse(*args: Any, resolution: int = 40, **kwargs: Any) -> Any:
        return regions(*args, resolution=min(resolution, 40), **kwargs)

    drawings.to_svg = figures.to_svg = svg
    players._picture, figures.plot_regions = picture, coarse


def modules() -> list[str]:
    """The modules of the package."""
    package = importlib.util.find_spec("supervised")
    places = package.submodule_search_locations if package else None
    return [m.name for m in pkgutil.walk_packages(places, "supervised.")]


def reap() -> None:
    """Let go of the kernels that have ended; until then nobody else gets their numbers."""
    with contextlib.suppress(ChildProcessError):  # there is none
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
