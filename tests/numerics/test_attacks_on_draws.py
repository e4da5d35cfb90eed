"""False statements that once agreed, and true ones that were once refuted, because of what was drawn or looked at."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sympy import Expr, Rational, pi

from derivations.language.arrays import array, random_array
from derivations.language.distributions import normal, uniform
from derivations.language.functions import absolute, exp, log, sigmoid, sin, tanh
from derivations.language.givens import (
    Given,
    MutuallyIndependent,
    distinct,
    has_law,
    identically_distributed,
    independent_entries,
    nonnegative,
    positive,
)
from derivations.language.operators import Cov, Derivative, E, Sum, Var, limit
from derivations.language.order import largest
from derivations.language.symbols import Dimension, Scalar, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.errors import NothingFound
from numerics.joint import AffineLaw, Cell, ContinuousBlock, Marginal, Member, coupled
from numerics.laws import EXPONENTIAL
from numerics.laws import NORMAL as NORMAL_LAW
from numerics.mutations import Claim
from numerics.variants import make_bench

n = Dimension("n")
i, j = index("i", n), index("j", n)
a, t = Scalar("a"), Scalar("t")
x, X, Y, V = array("x", n), random_array("X"), random_array("Y"), random_array("V", n)
single = random_array("W", 1)

EQUALS, AT_LEAST, AT_MOST = Relation.EQUALS, Relation.AT_LEAST, Relation.AT_MOST
LESS, GREATER = Relation.LESS, Relation.GREATER

ALIKE = (independent_entries(V), identically_distributed(V))
NORMAL = (*ALIKE, has_law(V, normal(0, 1)))
UNIFORM = (*ALIKE, has_law(V, uniform(0, 1)))
SINGLE = (independent_entries(single), identically_distributed(single), has_law(single, uniform(0, 1)))
APART = (*UNIFORM, distinct(i, j))
QUOTIENTS = E(exp(V[i])) * E(exp(-V[i]))
MEANS_OF_QUOTIENTS = E(largest(V)) + E(Sum(exp(V[i] - V[j]), i))

NORMALS = (has_law(X, normal(0, 1)), has_law(Y, normal(0, 1)))
UNIFORMS = (has_law(X, uniform(0, 1)), has_law(Y, uniform(0, 1)))
TOGETHER = exp(exact(1)) * 21 / 20
SCALED = (has_law(X, normal(1, 4)), has_law(Y, normal(-1, 1)))
DEPENDENT = (identically_distributed(V), has_law(V, normal(0, 1)))

PEAK = exp(-((largest(V) - Rational(151, 676)) ** 2)) ** 500000
ASIDE = (has_law(X, normal(Rational(-65, 192), 1)),)
THIN = exp(-(X**2)) ** 50000
KINK = Rational(882, 1012)
NEARLY = (Fraction(882, 1012) ** 2 - Fraction(882, 1012) + Fraction(1, 2) + Fraction(1.65816758e-05)).limit_denominator(
    900000
)

CASES: dict[str, tuple[tuple[Given, ...], Expr, Relation, object, bool]] = {
    "equal at zero": ((nonnegative(a),), sin(a), LESS, a, False),
    "equal at one": ((positive(a),), log(a), LESS, a - 1, False),
    "a derivative that is zero somewhere": ((), Derivative(sin(a) - a, a), LESS, 0, False),
    "equal for one entry": (NORMAL, E(exp(2 * largest(V))), LESS, n * exp(exact(2)), False),
    "equal at one rational number": ((), (13 * a - 11) ** 2, GREATER, 0, False),
    "a constant has no variance": ((), Var(X), GREATER, 0, False),
    "Jensen for a constant": ((), exp(E(X)), LESS, E(exp(X)), False),
    "linear on two values": ((), Cov(X, X**2) ** 2, EQUALS, Var(X) * Var(X**2), False),
    "Cauchy and Schwarz turned round": ((), Cov(X, X**2) ** 2, AT_LEAST, Var(X) * Var(X**2), False),
    "the same in a sum": (
        ALIKE,
        Sum(Cov(V[i], V[i] ** 2) ** 2, i),
        EQUALS,
        Sum(Var(V[i]) * Var(V[i] ** 2), i),
        False,
    ),
    "a step through a logarithm": ((), limit(tanh(log(t) - 1000), t), EQUALS, 1, True),
    "before that step": ((), limit(sigmoid(log(t) - 1000), t), EQUALS, 0, False),
    "a step through a small power": ((), limit(tanh(t ** Rational(1, 100) - 1000), t), EQUALS, 1, True),
    "a logarithm beside the variable": ((), limit(log(t) / t, t), EQUALS, 0, True),
    "distinct indices of which one is bound": (
        APART,
        MEANS_OF_QUOTIENTS,
        EQUALS,
        n / (n + 1) + 1 + (n - 1) * QUOTIENTS,
        True,
    ),
    "the same as if all were distinct": (APART, MEANS_OF_QUOTIENTS, EQUALS, n / (n + 1) + n * QUOTIENTS, False),
    "a peak of a largest entry": (UNIFORM, E((1 + 100 * PEAK) ** 2), EQUALS, 1, False),
    "a peak between nodes": (ASIDE, E((1 + 1000 * THIN) ** 2), AT_LEAST, Rational(11, 10), True),
    "no peak": (ASIDE, 1 + 1000 * E(THIN), EQUALS, 1, False),
    "a kink where two grids agree by accident": (
        SINGLE,
        E(absolute(largest(single) - KINK)),
        EQUALS,
        Rational(NEARLY.numerator, NEARLY.denominator),
        False,
    ),
    "a given about more than letters": (
        (MutuallyIndependent(X, 2 * X),),
        n * Var(X),
        EQUALS,
        0,
        True,
    ),
    "normal variables that move against each other": (NORMALS, E(X * Y), AT_LEAST, 0, False),
    "the fourth power of their sum": (NORMALS, E((X + Y) ** 4), AT_LEAST, 6, False),
    "uniform variables that move against each other": (
        UNIFORMS,
        E(exp(X + Y)),
        AT_LEAST,
        exp(exact(1)) * 21 / 20,
        False,
    ),
    "entries that move against each other": (DEPENDENT, E(Sum(V[i], i) ** 2), AT_LEAST, n, False),
    "different deviations, against": (SCALED, Cov(X, Y), AT_LEAST, -1, False),
    "different deviations, with": (SCALED, Cov(X, Y), AT_MOST, 1, False),
    "the smallest covariance": (SCALED, Cov(X, Y), AT_LEAST, -2, True),
    "the largest covariance": (SCALED, Cov(X, Y), AT_MOST, 2, True),
    "the mean of an exponential": (NORMALS, E(exp(X + Y)), AT_LEAST, 1, True),
    "far away": ((), a, AT_MOST, 10**30, False),
    "a sum far away": ((), Sum(x[i] ** 2, i), AT_MOST, n * 10**30, False),
}


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("name", CASES)
def test_nothing_wrong_is_said(name, seed):
    givens, left, relation, right, true = CASES[name]
    word = evidence(check_step(givens, left, relation, exact(right), seed=seed), 1)
    assert word != ("refutes" if true else "agrees")


@pytest.mark.parametrize(
    "name",
    [
        "equal at zero",
        "equal at one",
        "equal at one rational number",
        "a constant has no variance",
        "linear on two values",
        "the same as if all were distinct",
        "far away",
        "normal variables that move against each other",
        "uniform variables that move against each other",
        "entries that move against each other",
        "different deviations, against",
        "different deviations, with",
    ],
)
def test_what_can_be_refuted_is(name):
    givens, left, relation, right, _ = CASES[name]
    assert evidence(check_step(givens, left, relation, exact(right)), 1) == "refutes"


def test_a_limit_that_falls_after_all_is_not_without_a_value():
    bench = make_bench((), Claim(limit(exp(-t), t), EQUALS, exact(0)))
    falls = t * exp(-(log(t) ** 2) / 100000)
    assert bench.refutation(Claim(limit(falls, t), EQUALS, exact(0))) is None


def test_mixed_moments_of_a_falling_copy_are_those_of_its_line():
    """X = 1 + 2 Z and Y = -1 - 3 Z: E[X Y] = -1 - 6, E[X^2 Y] = E[(1 + 4 Z + 4 Z^2)(-1 - 3 Z)] = -1 - 12 - 4."""
    laws = AffineLaw(NORMAL_LAW, Fraction(1), Fraction(4)), AffineLaw(NORMAL_LAW, Fraction(-1), Fraction(9))
    block = ContinuousBlock((0, 1), laws[0], (Marginal(laws[0]), Marginal(laws[1], -1)))
    assert block.moment(((0, 1), (1, 1))) == -7
    assert block.moment(((0, 2), (1, 1))) == -17
    assert block.moment(((1, 2),)) == 10
    equal = ContinuousBlock((0, 1), laws[0])
    assert equal.moment(((0, 1), (1, 1))) == laws[0].moment(2)


def test_a_law_that_is_not_symmetric_has_no_falling_copy():
    law = AffineLaw(EXPONENTIAL, Fraction(0), Fraction(1))
    with pytest.raises(NothingFound):
        coupled([Member(Cell(0, law)), Member(Cell(1, law), -1)])
    assert coupled([Member(Cell(0, law)), Member(Cell(1, law))]) == ContinuousBlock((0, 1), law)


def test_sides_that_are_equal_to_a_quadrature_may_be_strictly_ordered():
    """E|X| = sqrt(2/pi) lies below the claim by less than a quadrature in doubles can see."""
    givens = (has_law(X, normal(0, 1)),)
    left, right = E(absolute(X)), sqrt(2 / pi) + Rational(1, 10**12)
    bench = make_bench(givens, Claim(left, AT_MOST, right))
    assert bench.refutation(Claim(left, LESS, right)) is None
