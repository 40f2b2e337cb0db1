"""The peers: what a user of classical classifiers would otherwise pick."""

# importing them registers them
from . import (
    associations,
    boosting,
    command_line,
    encoders,
    evaluation,
    imports,
    orange,
    rules,
    scikit_learn,
    weka,
)

__all__ = ["associations", "boosting", "command_line", "encoders", "evaluation", "imports",
           "orange", "rules", "scikit_learn", "weka"]
