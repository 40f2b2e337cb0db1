# Written by `make export`: what the package offers, for lazy_loader, editors and type checkers.

from .engine.itemsets import frequent_itemsets as frequent_itemsets
from .engine.itemsets import association_rules as association_rules
from .engine.class_rules import class_rules as class_rules
from .cba import CBAClassifier as CBAClassifier
from .engine.combining import StrongestRuleClassifier as StrongestRuleClassifier
from .engine.combining import CMARClassifier as CMARClassifier
from .engine.combining import CPARClassifier as CPARClassifier
from .engine.combining import MaximalPatternClassifier as MaximalPatternClassifier
from .rule_features import RuleFeatures as RuleFeatures
from .engine.recommendation import RuleRecommender as RuleRecommender
from .engine.structures import frequent_subtrees as frequent_subtrees
from .engine.structures import XRulesClassifier as XRulesClassifier
from . import cba as cba
from . import rule_features as rule_features
from . import engine as engine

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
    "engine",
]
