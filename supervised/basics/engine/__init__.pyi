# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import arff as arff
from . import drawings as drawings
from . import players as players
from . import bitsets as bitsets
from . import claims as claims
from . import parameters as parameters
from . import tables as tables
from . import frames as frames
from . import generators as generators
from . import reading as reading
from . import transformers as transformers
from . import preparation as preparation
from . import classifiers as classifiers
from . import fields as fields
from . import serialization as serialization

__all__ = [
    "arff",
    "drawings",
    "players",
    "bitsets",
    "claims",
    "parameters",
    "tables",
    "frames",
    "generators",
    "reading",
    "transformers",
    "preparation",
    "classifiers",
    "fields",
    "serialization",
]
