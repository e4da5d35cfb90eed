"""Statements that once got the wrong word from the numerics, each with the right one."""

from __future__ import annotations

import pytest
from sympy import Expr

from derivations.language.arrays import array, random_array
from derivations.language.functions import absolute, norm
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
    positive,
    unique_maximum,
)
from derivations.language.operators import E, Sum
from derivations.language.order import largest
from derivations.language.symbols import Dimension, Scalar, index
from derivations.language.written import exact
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.checks import Evidence

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
