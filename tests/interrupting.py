"""A compiled call that Ctrl-C reaches, and what is said of it in a process of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import count
from typing import Any

import numpy as np
import pytest

from supervised.basics.kernels import njit
from tools.book import ROOT

CAN_BE_SENT = pytest.mark.skipif(
    njit is None or bool(os.environ.get("NUMBA_DISABLE_JIT")) or sys.platform == "win32",
    reason="a loop that is not compiled stops by itself, and Windows sends no SIGINT")


def _hold(may_end: np.ndarray, begun: np.ndarray) -> tuple[int, np.ndarray]:
    turns = 0
    while may_end[0] == 0:  # read on each turn, as the two arrays might share their memory
        turns += 1
        begun[0] = turns
    return turns, begun  # Numba makes a tuple of it in Python: there the signal is noticed


_held = njit(nogil=True)(_hold) if njit is not None else _hold


def interrupted_call() -> tuple[int, np.ndarray]:
    """Call a kernel, send this process a SIGINT while it runs, and only then let it end."""
    _held(np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64))  # compiled before
    may_end, begun = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    arrived, write = os.pipe()
    os.set_blocking(write, False)

    def send() -> None:
        while begun[0] == 0:
            time.sleep(0)  # leaves the lock to the main thread
        os.kill(os.getpid(), signal.SIGINT)
        os.read(arrived, 1)  # on a busy machine a signal takes its time
        may_end[0] = 1

    sender = threading.Thread(target=send)
    before = signal.set_wakeup_fd(write)
    sender.start()
    try:
        return _held(may_end, begun)
    finally:
        signal.set_wakeup_fd(before)


def told(inside: bool) -> BaseException:
    """What Ctrl-C raises between two kernels, or inside one."""
    if not inside:
        return KeyboardInterrupt()
    error = SystemError("a kernel returned a result with an exception set")
    error.__cause__ = KeyboardInterrupt()
    return error


def stop_at(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, call: int,
            inside: bool = False) -> None:
    """Let the user lose patience in one call of a function of a class or module: the first
    is 0."""
    whole, calls = getattr(owner, name), count()

    def impatient(*given: Any) -> Any:
        if next(calls) == call:
            raise told(inside)
        return whole(*given)

    monkeypatch.setattr(owner, name, impatient)


def said(script: str) -> list[str]:
    """The lines that a script prints in a process of its own, which may be interrupted."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          cwd=ROOT, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
