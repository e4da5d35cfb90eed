"""Every dimension at once: the degree bounds are bounds, and what only agrees at small dimensions is not claimed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from known_statements import (
    APART,
    FALSE,
    FOURTH,
    IID,
    STANDARD,
    TRUE,
    VARIANCE,
    K,
    Q,
    a,
    d_k,
    i,
    j,
    kappa_K,
    kappa_Q,
    t,
)
from sympy import Expr

from derivations.language.arrays import random_array
from derivations.language.functions import dot, exp, norm
from derivations.language.givens import (
    dimension_at_least,
    distinct,
    has_mean,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
)
from derivations.language.operators import Cov, DistinctSum, E, Sum, Var
from derivations.language.symbols import Dimension, delta, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step
from numerics.all_dimensions import check_all_dimensions
from numerics.degrees import difference_degree, in_dimensions
from numerics.environments import by_moments
from numerics.errors import Unsupported
from numerics.evaluation import evaluate
from numerics.instances import draw_instance
from numerics.sources import Simplest
from numerics.statements import make_statement

GIVENS = (*STANDARD, *APART)
m = Dimension("m")
e = index("e", m)
W = random_array("W", m, d_k)
MATRIX = (independent_entries(W), identically_distributed(W), has_mean(W, 0), has_variance(W, 1))


def checked(left: Expr, right: Expr, givens=GIVENS):
    return check_all_dimensions(make_statement(givens, left, Relation.EQUALS, right), step=1, seed=0, seconds=5)


CONFIRMED = (
    (VARIANCE, d_k, GIVENS, 2),
    (E(dot(Q, K) ** 4), d_k * kappa_Q * kappa_K + 3 * d_k * (d_k - 1), (*GIVENS, *FOURTH), 4),
    (Var(Sum(Q[i], i) / d_k), 1 / d_k, GIVENS, 3),
    (E(DistinctSum(Q[i] ** 2 * Q[j] ** 2, i, j)), d_k * (d_k - 1), GIVENS, 2),
    (Sum(delta(i, j), i, j), d_k, (), 2),
    (Cov(Sum(Q[i], i), dot(Q, Q)), d_k * E(Sum(Q[i] ** 3, i)) / d_k, GIVENS, 3),
    (E(Sum(Sum(W[e, i], i) ** 2, e)), m * d_k, MATRIX, 2),
)


@pytest.mark.parametrize(("left", "right", "givens", "bound"), CONFIRMED, ids=lambda value: str(value)[:40])
def test_polynomials_are_decided_at_every_dimension(left, right, givens, bound):
    (check,) = checked(left, right, givens)
    assert (check.method, check.outcome, check.delta) == ("exact", "confirmed", 0)
    assert max(in_dimensions(difference_degree(left, right)).values()) == bound
    assert f"{bound} in d_k" in check.detail
    assert "so for every" in check.detail


def test_two_dimensions_have_a_bound_each():
    (check,) = checked(E(Sum(Sum(W[e, i], i) ** 2, e)), m * d_k, MATRIX)
    assert "1 in m" in check.detail
    assert "2 in d_k" in check.detail
    assert "a grid of 6 points" in check.detail


def falling(first: int, last: int) -> Expr:
    result: Expr = d_k - first
    for k in range(first + 1, last + 1):
        result = result * (d_k - k)
    return result


@pytest.mark.parametrize("last", [2, 4, 8])
def test_what_fails_later_is_not_claimed(last: int):
    """d + (d - 1)(d - 2)...(d - last) agrees at all dimensions up to ``last``."""
    (check,) = checked(VARIANCE, d_k + falling(1, last))
    assert check.outcome == "refuted"
    assert check.counterexample is not None
    assert check.counterexample.assignment.startswith(f"d_k = {last + 1},")


def test_a_degree_that_is_too_high_is_left_alone():
    assert checked(VARIANCE, d_k + falling(1, 20)) == ()


LEFT_ALONE = (
    (Var(dot(Q, K) / sqrt(d_k)), exact(1), GIVENS),  # a root
    (exact(2) ** d_k, exact(2) ** d_k, ()),  # an exponent
    (E(dot(Q, K)), exact(0), STANDARD),  # dependence is possible
    (E(Sum(Q[i] ** 4, i)), E(Sum(Q[i] ** 4, i)), (independent_entries(Q), has_mean(Q, 0))),  # different laws
    (Sum(t[a], a), Sum(t[a], a), ()),  # an array that is not random
    (E(Q[i]), exact(0), GIVENS),  # a free index
    (E(Q[i] * Q[j]), exact(0), (*GIVENS, distinct(i, j))),
    (E(norm(Q)), E(norm(Q)), GIVENS),
    (E(exp(Sum(Q[i], i))), E(exp(Sum(Q[i], i))), GIVENS),
    (Sum(i, i), d_k * (d_k + 1) / 2, ()),  # an index as a number
    (Sum(Q[i], i), Sum(Q[i], i), GIVENS),  # about every outcome
    (Var(Sum(Q[i], i)), exact(1), (*IID, *APART, has_mean(Q, 0), has_variance(Q, 1 / d_k))),  # a law that shrinks
    (E(dot(Q, K) / dot(Q, Q)), exact(0), GIVENS),  # a random denominator
)


@pytest.mark.parametrize(("left", "right", "givens"), LEFT_ALONE, ids=lambda value: str(value)[:40])
def test_what_is_no_polynomial_is_left_alone(left, right, givens):
    assert checked(left, right, givens) == ()


SIDES = (
    VARIANCE,
    E(dot(Q, K) ** 3) * d_k - Var(dot(Q, Q)),
    Cov(Sum(Q[i] * K[j], i, j), dot(Q, K)) ** 2,
    E(DistinctSum(Q[i] ** 2 * K[j] ** 2, i, j)) + d_k**3,
    Sum(Var(Q[i] + Q[j]), i, j),
)


@pytest.mark.parametrize("side", SIDES, ids=str)
def test_the_degree_bound_is_a_bound(side: Expr):
    """Differences of order D + 1 of the exact values vanish."""
    bound = difference_degree(side, exact(0))[d_k]
    givens = (*IID, has_mean(Q, 1), has_mean(K, 2), has_variance(Q, 1), has_variance(K, 3), *APART)
    statement = make_statement(givens, side, Relation.EQUALS, exact(0))
    values = []
    for size in range(1, bound + 4):
        instance = draw_instance(statement.letters, statement.facts, {d_k: size}, Simplest())
        values.append(evaluate(side, by_moments(instance)).data[()])
    differences = np.diff(np.array([Fraction(one) for one in values], dtype=object), bound + 1)
    assert not differences.any()


def test_an_unknown_node_has_no_degree():
    with pytest.raises(Unsupported):
        difference_degree(E(norm(Q)), d_k)


def test_a_denominator_that_vanishes_at_the_first_dimension_shows_nothing():
    mean = Sum(Q[i], i) / d_k
    spread = E(Sum((Q[j] - mean) ** 2, j) / (d_k - 1))
    assert checked(spread, exact(1)) == ()
    (check,) = checked(spread, exact(1), (*GIVENS, dimension_at_least(d_k, 2)))
    assert check.outcome == "confirmed"


def test_known_statements():
    for case in TRUE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        assert all(one.outcome == "confirmed" for one in check_all_dimensions(statement, step=1, seed=0)), case.name
    for case in FALSE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        assert all(one.outcome == "refuted" for one in check_all_dimensions(statement, step=1, seed=0)), case.name


def test_the_checks_of_a_step_include_it():
    checks = check_step(GIVENS, VARIANCE, Relation.EQUALS, d_k)
    assert [one.outcome for one in checks if "for every d_k" in one.detail] == ["confirmed"]


def test_pairwise_independence_is_not_enough():
    X, Y, Z = (random_array(name, d_k) for name in "XYZ")
    entries = [given(one) for one in (X, Y, Z) for given in (independent_entries, identically_distributed)]
    moments = [given for one in (X, Y, Z) for given in (has_mean(one, 0), has_variance(one, 1))]
    side = E(Sum(X[i] * Y[i] * Z[i], i))
    two = (independent(X, Y), independent(Y, Z), independent(X, Z))
    assert checked(side, exact(0), (*entries, *moments, *two)) == ()
    (check,) = checked(side, exact(0), (*entries, *moments, independent(X, Y, Z)))
    assert check.outcome == "confirmed"
