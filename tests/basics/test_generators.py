"""Generators: what was planted is found, seeds, hostile parameters."""


import numpy as np
import pandas as pd
import pytest

from supervised.basics import generators

MIXTURE = {"n_samples": 50, "means": [[0, 0], [3, 3]]}
MAKERS = [
    (generators.make_gaussian_mixture, MIXTURE),
    (generators.make_market_baskets, {"n_baskets": 50, "n_items": 20}),
    (generators.make_rule_table, {"n_samples": 50, "noise": 0.2, "missing": 0.1})]


def content(made):
    data, other = made
    return (
        data.toarray() if hasattr(data, "toarray") else data.to_numpy(dtype=object).tolist()
    ), list(other)


@pytest.mark.parametrize(("make", "options"), MAKERS,
                         ids=lambda x: getattr(x, "__name__", ""))
def test_seeds(make, options):
    def drawn(seed):
        return repr(content(make(**options, random_state=seed)))

    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert drawn(3) == drawn(3) == drawn(np.random.default_rng(3)) != drawn(4)
    assert drawn(None) != drawn(None)
    rng = np.random.default_rng(3)
    assert drawn(rng) != drawn(rng)  # a generator moves on
    assert np.array_equal(state, np.random.get_state()[1])  # noqa: NPY002, the global one stays


COUNTS = [0, -1, 2.5, "3", None, np.nan, True]
SHARES = [-0.1, 1.1, np.nan, np.inf, "0.5", None, [0.5]]


@pytest.mark.parametrize(
    ("make", "name", "value"), [
        *[(0, "n_samples", v) for v in COUNTS],
        *[(0, "means", v) for v in ([], [1, 2], [[np.nan, 1]], [["a"]],
                                    [[1], [1, 2]], None, 3)], *[
                                        (0, "covariances", v) for v in (
                                            -1, [1, 2], np.eye(3), [[1, 2], [0, 1]],
                                            [[1, 3], [3, 1]], "x", [[np.inf, 0], [0, 1]])
                                    ],
        *[
            (0, "weights", v)
            for v in ([1], [0.5, 0.6], [1.5, -0.5], [np.nan, 1], "half", [[0.5, 0.5]])
        ],
        *[(1, "n_baskets", v) for v in COUNTS], *[(1, "n_items", v) for v in [*COUNTS, 1]],
        *[(1, "mean_size", v) for v in (0, -2, np.nan, np.inf, "8", None)],
        *[(1, "skew", v) for v in (-1, np.nan, np.inf, "1")], *[
            (1, "rules", v) for v in (
                -1, 19, True, 2.5, "ab", None, [(1, 2)], [((), 1, 0.1, 0.9)],
                [((1,), 1, 0.1, 0.9)], [((1,), 20, 0.1, 0.9)],
                [((-1,), 2, 0.1, 0.9)], [((1,), 2, 0.1, 0.9), ((3,), 2, 0.1, 0.9)],
                [((1,), 2, 0.1, 0.9), ((2,), 3, 0.1, 0.9)], [((1.5,), 2, 0.1, 0.9)])
        ],
        *[(2, n, v) for n in ("n_samples", "n_values", "n_classes") for v in COUNTS],
        *[(2, n, 1) for n in ("n_values", "n_classes")], *[
            (2, n, v) for n in ("n_nominal", "n_numeric", "n_rules")
            for v in COUNTS if v != 0 or v is True
        ],
        *[(2, n, v) for n in ("noise", "missing") for v in SHARES],
        *[(m, "random_state", v) for m in range(3) for v in (-1, "seed", 1.5)],
    ],
    ids=str,
)
def test_bad_parameters_are_named(make, name, value):
    function, options = MAKERS[make]
    with pytest.raises(ValueError) as error:
        function(**{**options, name: value})
    assert name in str(error.value) and "must be" in str(error.value)


def test_mixture_has_its_moments():
    shape = np.array([[[2.0, 0.9], [0.9, 1.0]], [[1.0, 0.0], [0.0, 3.0]]])
    X, y = generators.make_gaussian_mixture(
        40_000, [[0, 5], [-3, 1]], shape, weights=[0.75, 0.25], random_state=0)
    assert (
        list(X) == ["x1", "x2"]
        and list(y.cat.categories) == ["c1", "c2"]
        and X.notna().all(axis=None)
    )
    assert abs((y == "c1").mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 40_000)
    for j, c in enumerate(y.cat.categories):
        points = X[y == c].to_numpy()
        assert np.abs(points.mean(axis=0) - [[0, 5], [-3, 1]][j]).max() < 4 * np.sqrt(
            3 / len(points))
        assert np.abs(np.cov(points.T) - shape[j]).max() < 0.15


def test_planted_confidence_is_exact_at_its_ends():
    rules = [((1, 2), 3, 0.2, 1.0), ((1, 4), 5, 0.2, 0.0), ((6,), 0, 0.0, 0.5)]
    baskets, planted = generators.make_market_baskets(3000, 12, rules, mean_size=4,
                                                    random_state=0)
    held = baskets.toarray()
    for rule in planted[:2]:
        covered = held[:, rule.antecedent].all(axis=1)
        assert (
            covered.mean() > 0.15
            and (held[covered, rule.consequent] == bool(rule.confidence)).all()
        )
    assert held.any(axis=1).all() and held.dtype == bool and baskets.format == "csr"
    assert "{1, 2} -> 3" in str(planted[0])


@pytest.mark.parametrize("rules", [0, 1, 18])
def test_drawn_rules_do_not_meddle(rules):
    baskets, planted = generators.make_market_baskets(40, 20, rules, random_state=0)
    right = {r.consequent for r in planted}
    assert baskets.shape == (40, 20) and len(planted) == len(right) == rules
    assert not right & {i for r in planted for i in r.antecedent}


def test_rule_table_without_noise_follows_its_rules():
    X, y, rules = generators.make_rule_table(
        4000, 5, 3, n_values=3, n_classes=4, n_rules=9, return_rules=True, random_state=0)
    assert (
        len(rules) == 10
        and str(rules[-1]) == "otherwise -> c1"
        and set(y) == {"c1", "c2", "c3", "c4"}
    )
    expected, taken = np.full(len(X), "c1", dtype=object), np.zeros(len(X), dtype=bool)
    for rule in rules[:-1]:  # by hand: row by row, condition by condition
        assert (2 <= len(rule.conditions) <= 3
                and len({a for a, *_ in rule.conditions}) == len(rule.conditions))
        for i, row in enumerate(X.to_dict("records")):
            if not taken[i] and all(
                {
                    "=": row[a] == v, ">": isinstance(v, float) and row[a] > v,
                    "<=": isinstance(v, float) and row[a] <= v}[r]
                for a, r, v in rule.conditions
            ):
                expected[i], taken[i] = rule.label, True
    assert (y == expected).all() and (generators.first_rule(rules, X) == expected).all()


def test_rule_table_noise_and_gaps():
    options = {"n_samples": 20_000, "n_classes": 2, "random_state": 5}
    clean = generators.make_rule_table(**options)[1]
    X, y = generators.make_rule_table(**options, noise=0.3, missing=0.1)
    assert abs((y != clean).mean() - 0.15) < 4 * np.sqrt(0.15 * 0.85 / 20_000)
    assert abs(X.isna().mean().mean() - 0.1) < 0.005 and y.notna().all()
    kinds = [X[c].dtype for c in X]
    assert all(isinstance(k, pd.CategoricalDtype) for k in kinds[:6]) and all(
        k == np.float64 for k in kinds[6:])
    blank = generators.make_rule_table(30, missing=1.0, random_state=0)[0]
    assert blank.isna().all(axis=None) and len(blank["a1"].cat.categories) == 4
