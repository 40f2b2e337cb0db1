"""What takes part in a workload: a named function
that prepares a job, and the job it prepares."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class NotAvailable(Exception):
    """A contender or a data set that this machine does not have:
    reported, never an error."""


@dataclass
class Job:
    """What is timed, on data that already sits in the contender's own container.

    `fit` makes a fresh model; `predict` applies it to the hold-out. The rest is not timed.
    """

    fit: Callable[[], Any]
    predict: Callable[[Any], Any] | None = None
    #: a prediction as class codes: gives the accuracy
    labels: Callable[[Any], Any] | None = None
    #: class probabilities of the hold-out: give the AUC of two-class problems
    probabilities: Callable[[Any], Any] | None = None
    #: an accuracy that the fit itself estimated (cross-validation)
    accuracy: Callable[[Any], float] | None = None
    #: the size of the model, as short facts
    size: Callable[[Any], dict[str, Any]] | None = None
    #: bytes of what `fit` and `predict` return: asks for a memory pass
    nbytes: Callable[[Any], int] | None = None


Prepare = Callable[[Any, int], Job]


@dataclass(frozen=True)
class Contender:
    """One entrant of the families it names.

    `only` is a regular expression on workload names, `needs` the modules it cannot do
    without. One of ours is compared with those peers whose name contains the
    expression `against`.
    """

    name: str
    families: tuple[str, ...]
    prepare: Prepare
    threads: tuple[int, ...] = (1,)
    only: str = ""
    needs: tuple[str, ...] = ()
    ours: bool = False
    against: str = ""

    def enters(self, workload: str, family: str) -> bool:
        """Whether it takes part in a workload."""
        return family in self.families and bool(re.search(self.only, workload))

    def require(self) -> None:
        """Raise `NotAvailable` where a module it needs is not installed."""
        for module in self.needs:
            if importlib.util.find_spec(module) is None:
                raise NotAvailable(f"needs the module {module}")


REGISTRY: list[Contender] = []


def peer(families: str, name: str, prepare: Prepare, **details: Any) -> None:
    """Register a peer for families separated by blanks."""
    REGISTRY.append(Contender(name, tuple(families.split()), prepare, **details))


def contender(families: str, name: str, **details: Any) -> Callable[[Prepare], Prepare]:
    """Register the decorated function as one of ours, for families separated by blanks."""

    def register(prepare: Prepare) -> Prepare:
        entry = Contender(name, tuple(families.split()), prepare, ours=True, **details)
        REGISTRY.append(entry)
        return prepare

    return register


def entrants(workload: str, family: str) -> list[Contender]:
    """Who takes part in a workload: ours first."""
    found = [c for c in REGISTRY if c.enters(workload, family)]
    return sorted(found, key=lambda c: not c.ours)
