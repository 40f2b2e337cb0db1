"""How the score is kept: which rows may judge, which number to report, how to read a ranking, and when a difference is real."""

# Written by `make export`. Do not edit: it follows from settings.ini and the notebooks.

from typing import TYPE_CHECKING

from .. import _attach

if TYPE_CHECKING:  # for editors and type checkers; nothing is imported when the program runs
    from . import resampling as resampling, measures as measures, ranking as ranking, comparison as comparison
    from .resampling import Splitter as Splitter
    from .resampling import largest_remainder as largest_remainder
    from .resampling import Holdout as Holdout
    from .resampling import RepeatedHoldout as RepeatedHoldout
    from .resampling import CrossValidation as CrossValidation
    from .resampling import LeaveOneOut as LeaveOneOut
    from .resampling import Bootstrap as Bootstrap
    from .resampling import evaluate_rounds as evaluate_rounds
    from .resampling import confidence_interval as confidence_interval
    from .resampling import evaluate as evaluate
    from .resampling import bootstrap_632 as bootstrap_632
    from .measures import confusion_matrix as confusion_matrix
    from .measures import plot_confusion as plot_confusion
    from .measures import outcome_counts as outcome_counts
    from .measures import precision as precision
    from .measures import recall as recall
    from .measures import f_score as f_score
    from .measures import sensitivity as sensitivity
    from .measures import specificity as specificity
    from .measures import false_positive_rate as false_positive_rate
    from .measures import class_report as class_report
    from .measures import cost_accuracy as cost_accuracy
    from .measures import mean_cost as mean_cost
    from .measures import cheapest_class as cheapest_class
    from .ranking import sweep_ranking as sweep_ranking
    from .ranking import ThresholdCurves as ThresholdCurves
    from .ranking import threshold_curves as threshold_curves
    from .ranking import break_even_point as break_even_point
    from .ranking import precision_recall_curve as precision_recall_curve
    from .ranking import average_precision as average_precision
    from .ranking import roc_curve as roc_curve
    from .ranking import auc as auc
    from .ranking import roc_auc as roc_auc
    from .ranking import rank_sum_auc as rank_sum_auc
    from .ranking import CurvePlot as CurvePlot
    from .ranking import RocPlot as RocPlot
    from .ranking import PrecisionRecallPlot as PrecisionRecallPlot
    from .ranking import positive_scores as positive_scores
    from .ranking import curves_from_ranks as curves_from_ranks
    from .ranking import dominates as dominates
    from .ranking import lift_curve as lift_curve
    from .ranking import LiftPlot as LiftPlot
    from .ranking import wilson_interval as wilson_interval
    from .ranking import bootstrap_curves as bootstrap_curves
    from .ranking import bootstrap_band as bootstrap_band
    from .ranking import one_vs_rest_auc as one_vs_rest_auc
    from .comparison import PairedResult as PairedResult
    from .comparison import paired_test as paired_test
    from .comparison import McNemarResult as McNemarResult
    from .comparison import mcnemar_test as mcnemar_test
    from .comparison import flip_labels as flip_labels
    from .comparison import blank_values as blank_values
    from .comparison import model_size as model_size
    from .comparison import compare_rounds as compare_rounds
    from .comparison import compare_classifiers as compare_classifiers
    from .comparison import plot_comparison as plot_comparison
    from .comparison import plot_robustness as plot_robustness

__all__ = [
    "Splitter",
    "largest_remainder",
    "Holdout",
    "RepeatedHoldout",
    "CrossValidation",
    "LeaveOneOut",
    "Bootstrap",
    "evaluate_rounds",
    "confidence_interval",
    "evaluate",
    "bootstrap_632",
    "confusion_matrix",
    "plot_confusion",
    "outcome_counts",
    "precision",
    "recall",
    "f_score",
    "sensitivity",
    "specificity",
    "false_positive_rate",
    "class_report",
    "cost_accuracy",
    "mean_cost",
    "cheapest_class",
    "sweep_ranking",
    "ThresholdCurves",
    "threshold_curves",
    "break_even_point",
    "precision_recall_curve",
    "average_precision",
    "roc_curve",
    "auc",
    "roc_auc",
    "rank_sum_auc",
    "CurvePlot",
    "RocPlot",
    "PrecisionRecallPlot",
    "positive_scores",
    "curves_from_ranks",
    "dominates",
    "lift_curve",
    "LiftPlot",
    "wilson_interval",
    "bootstrap_curves",
    "bootstrap_band",
    "one_vs_rest_auc",
    "PairedResult",
    "paired_test",
    "McNemarResult",
    "mcnemar_test",
    "flip_labels",
    "blank_values",
    "model_size",
    "compare_rounds",
    "compare_classifiers",
    "plot_comparison",
    "plot_robustness",
    "resampling",
    "measures",
    "ranking",
    "comparison",
]

__getattr__, __dir__ = _attach(__name__, {
    "Splitter": "resampling",
    "largest_remainder": "resampling",
    "Holdout": "resampling",
    "RepeatedHoldout": "resampling",
    "CrossValidation": "resampling",
    "LeaveOneOut": "resampling",
    "Bootstrap": "resampling",
    "evaluate_rounds": "resampling",
    "confidence_interval": "resampling",
    "evaluate": "resampling",
    "bootstrap_632": "resampling",
    "confusion_matrix": "measures",
    "plot_confusion": "measures",
    "outcome_counts": "measures",
    "precision": "measures",
    "recall": "measures",
    "f_score": "measures",
    "sensitivity": "measures",
    "specificity": "measures",
    "false_positive_rate": "measures",
    "class_report": "measures",
    "cost_accuracy": "measures",
    "mean_cost": "measures",
    "cheapest_class": "measures",
    "sweep_ranking": "ranking",
    "ThresholdCurves": "ranking",
    "threshold_curves": "ranking",
    "break_even_point": "ranking",
    "precision_recall_curve": "ranking",
    "average_precision": "ranking",
    "roc_curve": "ranking",
    "auc": "ranking",
    "roc_auc": "ranking",
    "rank_sum_auc": "ranking",
    "CurvePlot": "ranking",
    "RocPlot": "ranking",
    "PrecisionRecallPlot": "ranking",
    "positive_scores": "ranking",
    "curves_from_ranks": "ranking",
    "dominates": "ranking",
    "lift_curve": "ranking",
    "LiftPlot": "ranking",
    "wilson_interval": "ranking",
    "bootstrap_curves": "ranking",
    "bootstrap_band": "ranking",
    "one_vs_rest_auc": "ranking",
    "PairedResult": "comparison",
    "paired_test": "comparison",
    "McNemarResult": "comparison",
    "mcnemar_test": "comparison",
    "flip_labels": "comparison",
    "blank_values": "comparison",
    "model_size": "comparison",
    "compare_rounds": "comparison",
    "compare_classifiers": "comparison",
    "plot_comparison": "comparison",
    "plot_robustness": "comparison",
    "resampling": "resampling",
    "measures": "measures",
    "ranking": "ranking",
    "comparison": "comparison",
})
