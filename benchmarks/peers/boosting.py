"""Gradient boosting by LightGBM and XGBoost, with the settings that are scikit-learn's."""

from __future__ import annotations

from ..contenders import peer
from .scikit_learn import BOTH, estimator

peer("ensemble gradient", "LightGBM 100 rounds",
     estimator("lightgbm.LGBMClassifier", jobs=True, n_estimators=100, num_leaves=31,
               learning_rate=0.1, min_child_samples=20, random_state=0, verbose=-1),
     threads=BOTH, needs=("lightgbm",))
peer("ensemble gradient", "XGBoost 100 rounds",
     estimator("xgboost.XGBClassifier", jobs=True, n_estimators=100, max_leaves=31,
               max_depth=0, grow_policy="lossguide", tree_method="hist", max_bin=255,
               learning_rate=0.1, reg_lambda=0.0, random_state=0),
     threads=BOTH, needs=("xgboost",))
