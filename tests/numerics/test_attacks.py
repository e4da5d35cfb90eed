"""Statements that once got the wrong word from the numerics, each with the right one."""

from __future__ import annotations

from itertools import combinations

import pytest
from sympy import Expr, pi

from derivations.language.arrays import array, random_array
from derivations.language.distributions import normal
from derivations.language.functions import absolute, cos, exp, log, logsumexp, norm, softmax
from derivations.language.givens import (
    AtLeast,
    Given,
    HasMoment,
    Positive,
    UniqueMaximum,
    dimension_at_least,
    distinct,
    equation,
    gap_below,
    has_law,
    has_moment,
    has_variance,
    independent_entries,
    maximal_entries,
    pairwise_independent,
    positive,
    unique_maximum,
)
from derivations.language.operators import Cov, Derivative, E, Sum, Var, limit
from derivations.language.order import Max, largest
from derivations.language.symbols import Dimension, Scalar, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.checks import Evidence
from numerics.errors import NothingFound
from numerics.facts import read_givens
from numerics.instances import draw_instance, letters_of
from numerics.joint import plans
from numerics.sources import Seeded

n, m = Dimension("n"), Dimension("m")
i, j, k = (index(name, n) for name in "ijk")
a, b, c, s, t = (Scalar(name) for name in "abcst")
x, y, A = array("x", n), array("y", n), array("A", n, n)
X, Y, Z = (random_array(name) for name in "XYZ")
SEEDS = (0, 7)

EQUALS, AT_LEAST, AT_MOST = Relation.EQUALS, Relation.AT_LEAST, Relation.AT_MOST
LESS, GREATER = Relation.LESS, Relation.GREATER


def found(givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, seed: int) -> Evidence:
    return evidence(check_step(givens, left, relation, exact(right), seed=seed), 1)


# ------------------------------------------------------------------------------- givens about expressions


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("givens", "left", "relation", "right", "expected"),
    [
        ((Positive(b - c),), absolute(b - c), EQUALS, b - c, "agrees"),
        ((Positive(b - c),), b, GREATER, c, "agrees"),
        ((Positive(b - c),), b, GREATER, 0, "refutes"),
        ((AtLeast(2 * m, exact(3)),), m, AT_LEAST, 2, "agrees"),
        ((AtLeast(2 * m, exact(3)),), m, AT_LEAST, 3, "refutes"),
        ((AtLeast(m, exact(30)),), m, AT_LEAST, 30, "agrees"),
        ((HasMoment(Y + a, exact(1), exact(0)),), E(Y), EQUALS, -a, "agrees"),
        ((HasMoment(Y + a, exact(1), exact(0)),), E(Y), EQUALS, a, "refutes"),
        ((equation(n, 3),), n, EQUALS, 3, "agrees"),
        ((Positive(exact(-1)),), absolute(exact(-1)), EQUALS, -1, "inconclusive"),
        ((maximal_entries(x, y),), Derivative(y[i], x[j]), EQUALS, 0, "inconclusive"),
    ],
)
def test_a_given_about_an_expression_is_satisfied(
    givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, expected: Evidence, seed: int
) -> None:
    assert found(givens, left, relation, right, seed) == expected


TWO = dimension_at_least(n, 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("givens", "left", "relation", "right", "expected"),
    [
        ((TWO, positive(a), UniqueMaximum(a * x, k)), largest(x, 2), LESS, largest(x), "agrees"),
        ((TWO, unique_maximum(x, k)), largest(x, 2), LESS, largest(x), "agrees"),
        ((TWO,), largest(x, 2), LESS, largest(x), "refutes"),
        ((TWO, unique_maximum(x, k), equation(x[i], y[i])), largest(y, 2), LESS, largest(y), "agrees"),
        ((distinct(i, j),), n, AT_LEAST, 2, "agrees"),
        ((distinct(i, j),), n, AT_LEAST, 3, "refutes"),
        ((unique_maximum(x, k), equation(x[k], 1)), Sum(x[i], i), EQUALS, n, "refutes"),
        ((unique_maximum(x, k), equation(x[k], 1)), largest(x), EQUALS, 1, "agrees"),
        ((TWO, gap_below(x, k, s), positive(s), equation(x[k], 0)), norm(x), EQUALS, 0, "refutes"),
        ((distinct(i, j), equation(A[i, j], b)), A[i, j], EQUALS, b, "agrees"),
        ((distinct(i, j), equation(A[i, j], b)), A[k, k], EQUALS, b, "refutes"),
        ((distinct(i, j), equation(A[i, j], b)), A[j, i], EQUALS, b, "refutes"),
    ],
)
def test_an_index_that_a_given_singles_out_is_a_constant(
    givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, expected: Evidence, seed: int
) -> None:
    assert found(givens, left, relation, right, seed) == expected


# ---------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (limit(exp(-t / 10**40), t), 0, "agrees"),
        (limit(exp(-t / 10**40), t), 1, "refutes"),
        (limit(exp(-t * exp(-100 * exact(1))), t), 0, "agrees"),
        (limit(1 / t, t), 0, "agrees"),
        (limit(1 + 1 / sqrt(t), t), 1, "agrees"),
        (limit(1 / log(t), t), 1, "inconclusive"),
        (limit(1 / log(t), t), 0, "inconclusive"),
        (limit(cos(2 * exact(pi) * t), t), 1, "inconclusive"),
        (limit(cos(2 * exact(pi) * t), t), 0, "inconclusive"),
        (limit((2 * t + 1) / (t + 3), t), 3, "refutes"),
        (limit(sqrt(t**2 + 2 * t) - t, t), 1, "agrees"),
        (limit(sqrt(t**2 + 2 * t) - t, t), 2, "refutes"),
    ],
)
def test_only_a_settled_sequence_says_what_a_limit_is(left: Expr, right: object, expected: Evidence, seed: int) -> None:
    assert found((), left, EQUALS, right, seed) == expected


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (limit((a * t + 1) / (t + 3), t), a, "agrees"),
        (limit((a * t + 1) / (t + 3), t), 2 * a, "refutes"),
        (limit(exp(-t * a**300), t), 0, "agrees"),
        (limit(softmax(t * x)[i], t), 0, "refutes"),
    ],
)
def test_numbers_beside_the_variable_move_the_points_further_out(
    left: Expr, right: object, expected: Evidence, seed: int
) -> None:
    assert found((positive(a),), left, EQUALS, right, seed) == expected


# ----------------------------------------------------------------------------------------------- quadratures

NORMAL = (has_law(X, normal(0, 1)),)


def _peak(narrow: int) -> Expr:
    return exp(-narrow * (X - exact(1) / 3) ** 2)


def _mean_of_peak(narrow: int) -> Expr:
    return exp(-exact(narrow) / 9 / (1 + 2 * narrow)) / sqrt(exact(1 + 2 * narrow))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("narrow", [10**4, 10**8])
def test_a_peak_between_the_nodes_is_neither_refuted_nor_denied(narrow: int, seed: int) -> None:
    for left, right in (
        (E(_peak(narrow)), _mean_of_peak(narrow)),
        (E(1 + _peak(narrow)), 1 + _mean_of_peak(narrow)),
        (E(1 + _peak(narrow)), exact(1)),
        (E(1 + 1 / (1 + narrow * (X - exact(1) / 3) ** 2)), exact(1)),
    ):
        assert found(NORMAL, left, EQUALS, right, seed) == "inconclusive"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (E(cos(X)), exp(-exact(1) / 2), "agrees"),
        (E(cos(X)), exp(-exact(1) / 2) + exact(1) / 1000, "refutes"),
        (E(cos(X)), exp(-exact(1) / 2) + exact(1) / 10**15, "inconclusive"),
        (E(exp(6 * X)), exp(exact(18)), "agrees"),
        (E(exp(6 * X)), exp(exact(17)), "refutes"),
        (E(1 / (1 + X**2)), exact(1) / 2, "refutes"),
    ],
)
def test_a_quadrature_of_a_smooth_function_is_evidence(
    left: Expr, right: object, expected: Evidence, seed: int
) -> None:
    assert found(NORMAL, left, EQUALS, right, seed) == expected


def test_what_doubles_confirm_carries_their_distance() -> None:
    (check,) = (one for one in check_step(NORMAL, E(cos(X)), EQUALS, exp(-exact(1) / 2)) if one.outcome == "confirmed")
    assert check.method == "high_precision"
    assert check.delta is not None
    assert 1e-13 < check.delta < 1e-9


# ----------------------------------------------------------------------------------------------- Monte Carlo

V = random_array("V", n)
NORMALS = (dimension_at_least(n, 4), independent_entries(V), has_law(V, normal(0, 1)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("left", "relation", "right", "expected"),
    [
        (E(absolute(Sum(V[i], i))), EQUALS, sqrt(2 * n / 3), "inconclusive"),
        (E(absolute(Sum(V[i], i))), EQUALS, sqrt(2 * n / exact(pi)), "inconclusive"),
        (E(absolute(Sum(V[i], i))), EQUALS, sqrt(n), "refutes"),
        (E(Max(V[i], i)), EQUALS, sqrt(2 * log(n)) - exact(1) / 2, "refutes"),  # by the law of the maximum
        (E(Max(V[i], i)), AT_MOST, sqrt(2 * log(n)), "agrees"),
        (E(Max(V[i], i)), AT_MOST, sqrt(2 * log(n)) - exact(11) / 20, "refutes"),  # false from n = 48 on
        (E(Max(V[i], i)), AT_MOST, sqrt(log(n)), "refutes"),
    ],
)
def test_a_coarse_distance_confirms_no_equality(
    left: Expr, relation: Relation, right: object, expected: Evidence, seed: int
) -> None:
    assert found(NORMALS, left, relation, right, seed) == expected


# ---------------------------------------------------------------------------------- numbers, laws, dimensions

STANDARD = (has_moment(X, 1, 0), has_variance(X, 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("givens", "left", "relation", "right"),
    [
        ((), a, AT_MOST, 9),
        ((), a, AT_LEAST, -500),
        ((positive(a),), a, AT_LEAST, exact(1) / 5),
        ((), n, AT_MOST, 100),
        ((), n**2, AT_LEAST, 2**n - 10**9),
        ((), Sum(1 / i, i), AT_MOST, 4),
        ((), logsumexp(x), AT_MOST, largest(x) + exact(5) / 2),
        (STANDARD, E(X**4), AT_MOST, 50),
        (STANDARD, E(absolute(X)), AT_LEAST, exact(1) / 10),
        ((has_moment(X, 1, 0),), E(X**2), AT_MOST, 500),
    ],
)
def test_a_bound_that_only_small_numbers_keep_is_refuted(
    givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, seed: int
) -> None:
    assert found(givens, left, relation, right, seed) == "refutes"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("givens", "left", "relation", "right"),
    [
        ((), a**2, AT_LEAST, 2 * a - 1),
        ((), n, LESS, 2**n),
        ((), Sum(1 / i, i), AT_MOST, n),
        ((), Sum(x[i], i) ** 2, AT_MOST, n * Sum(x[i] ** 2, i)),
        (STANDARD, E(X**4), AT_LEAST, 1),
        (STANDARD, E(absolute(X)), AT_MOST, 1),
    ],
)
def test_a_bound_that_all_numbers_keep_agrees(
    givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, seed: int
) -> None:
    assert found(givens, left, relation, right, seed) == "agrees"


# ------------------------------------------------------------------------------------------------- dependence

ENTRIES = (has_moment(V, 1, 0), has_variance(V, 1))
PAIRS = (pairwise_independent(X, Y, Z), *(has_moment(one, 6, s) for one in (X, Y, Z)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("givens", "left", "relation", "right"),
    [
        (ENTRIES, Cov(V[i], V[j]), AT_LEAST, 0),
        (ENTRIES, Var(Sum(V[i], i)), AT_LEAST, n),
        ((*ENTRIES, TWO), E(V[i] ** 2 * V[j] ** 2), AT_LEAST, 1),
        ((*STANDARD[:1], has_moment(Y, 1, 0)), E(X * Y), AT_LEAST, 0),
        ((*STANDARD, has_moment(Y, 1, 0), has_variance(Y, 1)), E(X**2 * Y**2), AT_LEAST, 1),
        (PAIRS, E(X**2 * Y**2 * Z**2), EQUALS, E(X**2) * E(Y**2) * E(Z**2)),
        (PAIRS, Cov(X**2 * Y**2, Z**2), EQUALS, 0),
    ],
)
def test_dependence_that_no_given_excludes_is_tried(
    givens: tuple[Given, ...], left: Expr, relation: Relation, right: object, seed: int
) -> None:
    assert found(givens, left, relation, right, seed) == "refutes"


@pytest.mark.parametrize("seed", SEEDS)
def test_each_plan_keeps_the_laws_and_the_independence(seed: int) -> None:
    facts = read_givens((*PAIRS, *ENTRIES))
    letters = letters_of((X, Y, Z, V, s))
    tried = 0
    for plan in plans(facts, letters.randoms):
        source = Seeded(f"{seed}/{plan}")
        try:
            instance = draw_instance(letters, facts, {n: 2}, source, plan=plan, tries=40)
        except NothingFound:
            continue
        tried += 1
        joint = instance.joint
        assert joint is not None
        moment = joint.variables.moment
        block = joint.variables.block
        for entry in joint.cells[V]:
            assert moment(((int(entry), 1),)) == 0
            assert moment(((int(entry), 2),)) == 1
        for first, second in combinations((X, Y, Z), 2):
            one, two = int(joint.cells[first][()]), int(joint.cells[second][()])
            if block(one) == block(two):
                for p, q in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 5)):
                    both = tuple(sorted(((one, p), (two, q))))
                    assert moment(both) == moment(((one, p),)) * moment(((two, q),))
    assert tried >= 3
