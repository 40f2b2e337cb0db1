# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine_itemsets import frequent_itemsets as frequent_itemsets
from .engine_itemsets import association_rules as association_rules
from .engine_class_rules import class_rules as class_rules
from .cba import CBAClassifier as CBAClassifier
from .engine_combining import StrongestRuleClassifier as StrongestRuleClassifier
from .engine_combining import CMARClassifier as CMARClassifier
from .engine_combining import CPARClassifier as CPARClassifier
from .engine_combining import MaximalPatternClassifier as MaximalPatternClassifier
from .rule_features import RuleFeatures as RuleFeatures
from .recommendation import RuleRecommender as RuleRecommender
from .engine_structures import frequent_subtrees as frequent_subtrees
from .engine_structures import XRulesClassifier as XRulesClassifier
from . import cba as cba
from . import rule_features as rule_features
from . import recommendation as recommendation
from . import engine_itemsets as engine_itemsets
from . import engine_class_rules as engine_class_rules
from . import engine_cba as engine_cba
from . import engine_combining as engine_combining
from . import engine_structures as engine_structures

__all__ = [
    "frequent_itemsets",
    "association_rules",
    "class_rules",
    "CBAClassifier",
    "StrongestRuleClassifier",
    "CMARClassifier",
    "CPARClassifier",
    "MaximalPatternClassifier",
    "RuleFeatures",
    "RuleRecommender",
    "frequent_subtrees",
    "XRulesClassifier",
    "cba",
    "rule_features",
    "recommendation",
    "engine_itemsets",
    "engine_class_rules",
    "engine_cba",
    "engine_combining",
    "engine_structures",
]
