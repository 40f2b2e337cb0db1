# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.rule_list import Rule as Rule
from .engine.rule_list import RuleList as RuleList
from .engine.rule_list import RuleSet as RuleSet
from .engine.boxes import exclusiveness as exclusiveness
from .engine.boxes import exhaustiveness as exhaustiveness
from .from_trees import rules_from_tree as rules_from_tree
from .programs import to_sql as to_sql
from .programs import to_python as to_python
from .engine.ripper import RIPPERClassifier as RIPPERClassifier
from .engine.ripper import IREPClassifier as IREPClassifier
from .engine.ripper import REPClassifier as REPClassifier
from .part import PARTClassifier as PARTClassifier
from .from_trees import C45RulesClassifier as C45RulesClassifier
from .covering import CN2Classifier as CN2Classifier
from .covering import AQClassifier as AQClassifier
from .foil import FOILClassifier as FOILClassifier
from .foil import FOCLClassifier as FOCLClassifier
from .engine.optimal import OptimalRuleListClassifier as OptimalRuleListClassifier
from .engine.foil import learn_clauses as learn_clauses
from . import from_trees as from_trees
from . import measures as measures
from . import covering as covering
from . import foil as foil
from . import part as part
from . import programs as programs
from . import engine as engine

__all__ = [
    "Rule",
    "RuleList",
    "RuleSet",
    "exclusiveness",
    "exhaustiveness",
    "rules_from_tree",
    "to_sql",
    "to_python",
    "RIPPERClassifier",
    "IREPClassifier",
    "REPClassifier",
    "PARTClassifier",
    "C45RulesClassifier",
    "CN2Classifier",
    "AQClassifier",
    "FOILClassifier",
    "FOCLClassifier",
    "OptimalRuleListClassifier",
    "learn_clauses",
    "from_trees",
    "measures",
    "covering",
    "foil",
    "part",
    "programs",
    "engine",
]
