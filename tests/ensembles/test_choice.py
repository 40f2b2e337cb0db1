"""The idea page: its tests beside SciPy's and beside printed tables, counts by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, friedmanchisquare

from tests import examples
from tests.pages import plain_versions
from tools.book import ROOT, read_notebook

PLAIN = plain_versions("ensembles/choice")


@pytest.mark.parametrize("n", [1, 2, 9, 10, 27, 40])
def test_signs(n):
    for won in range(n + 1):
        assert PLAIN["sign_test"](won, n - won) == pytest.approx(
            binomtest(won, n).pvalue)


def test_signs_without_a_row_to_judge_by():
    assert PLAIN["sign_test"](0, 0) == 1


@examples(60)
@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(3, 7), st.booleans())
def test_friedmans_test_with_ties_and_without(seed, n, k, ties):
    rng = np.random.default_rng(seed)
    errors = pd.DataFrame(rng.integers(3, size=(n, k)) if ties else
                          rng.permuted(np.tile(np.arange(k), (n, 1)), axis=1))
    errors.iloc[0] = np.arange(k)  # not all tied
    ranks, statistic, p = PLAIN["friedman"](errors)
    theirs = friedmanchisquare(*errors.T.to_numpy())
    assert (statistic, p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    assert ranks.sum() == pytest.approx(k * (k + 1) / 2)


def test_friedmans_test_by_hand():
    # three learners in the same order on four tables: mean ranks 1, 2, 3;
    # 12 n / (k (k + 1)) times the squared distances from 2, which are 1, 0 and 1
    ranks, statistic, _ = PLAIN["friedman"](pd.DataFrame([[1, 5, 9]] * 4))
    assert ranks.tolist() == [1, 2, 3]
    assert statistic == pytest.approx(12 * 4 / (3 * 4) * 2)


def test_rows_won_and_lost():
    by = pd.DataFrame({"a": [1, 0, 0, 0, 1], "b": [1, 1, 1, 0, 0]}, dtype=bool)
    PLAIN["wrong"] = {"one table": by}
    assert PLAIN["against"]("a", "b").loc["one table"].tolist() == [2, 1, 2 / 3]
    assert PLAIN["against"]("b", "a").loc["one table"].tolist() == [1, 2, 3 / 2]


def test_the_critical_difference_is_that_of_the_printed_table():
    # Demsar (2006), Table 5: six classifiers at the 5 % level, 2.850
    page = read_notebook(ROOT / "nbs/ensembles/choice.ipynb")
    said = "".join(str(cell.outputs) for cell in page.cells if cell.kind == "code")
    assert f"critical difference {2.850 * np.sqrt(6 * 7 / (6 * 10)):.2f} ranks" in said


def test_invented_rows_have_values_of_the_table():
    X = pd.DataFrame({"a": np.arange(50.0), "b": pd.Categorical(["u", "v"] * 25)})
    made = PLAIN["invented"](X, 400, np.random.default_rng(0))
    assert len(made) == 400 and list(made) == ["a", "b"]
    assert set(made["a"]) <= set(X["a"]) and set(made["b"]) <= {"u", "v"}
