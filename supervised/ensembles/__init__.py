"""Many classifiers that answer together: samples and votes against chance, one learner after another against mistakes, and learners of different kinds with a meta-learner above them."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from .. import _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
