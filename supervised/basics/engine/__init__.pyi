# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from . import parameters as parameters
from . import tables as tables
from . import frames as frames
from . import reading as reading
from . import transformers as transformers
from . import classifiers as classifiers
from . import fields as fields
from . import serialization as serialization

__all__ = [
    "parameters",
    "tables",
    "frames",
    "reading",
    "transformers",
    "classifiers",
    "fields",
    "serialization",
]
