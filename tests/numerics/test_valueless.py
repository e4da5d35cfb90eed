"""What has no finite value is told from what is finite, however large or slow."""

from __future__ import annotations

import pytest
from sympy import Expr

from derivations.language.arrays import array, random_array
from derivations.language.distributions import normal, uniform
from derivations.language.functions import absolute, dot, exp, log, sin, softmax
from derivations.language.givens import (
    has_law,
    identically_distributed,
    independent,
    independent_entries,
    positive,
    unique_maximum,
)
from derivations.language.operators import Cov, E, Sum, Var, limit
from derivations.language.symbols import Dimension, Scalar, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics.evaluation import READERS
from numerics.joint import Plan
from numerics.mutations import Claim
from numerics.requests import Request, drawn_instance
from numerics.route import Route
from numerics.sources import Simplest
from numerics.statements import make_statement
from numerics.valueless import lacks_value
from numerics.values import combine
from numerics.variants import make_bench

t, g, s = Scalar("t"), Scalar("g"), Scalar("s")
n = Dimension("n")
i, j, m = index("i", n), index("j", n), index("m", n)
x = array("x", n)
Q, K = random_array("Q", n), random_array("K", n)
IID = tuple(given(one) for one in (Q, K) for given in (independent_entries, identically_distributed))
NORMALS = (*IID, independent(Q, K), has_law(Q, normal(0, 1)), has_law(K, normal(0, 1)))


def valueless(side: Expr, givens=(), size: int = 2, readers=READERS) -> bool:
    statement = make_statement(givens, side, Relation.EQUALS, side)
    instance = drawn_instance(statement, Request({n: size}, Simplest(), Plan(), "small", "continuous"), Route())
    return lacks_value(side, statement, instance, readers)


@pytest.mark.parametrize(
    "operand",
    [exp(t), t, -t, sqrt(t), t**2 - t, exp(t) - t**5, exp(t) / t**9, exp(sqrt(t)), t / log(t), log(exp(t)), t + sin(t)],
    ids=str,
)
def test_a_limit_that_grows_beyond_any_bound(operand):
    assert valueless(limit(operand, t))


@pytest.mark.parametrize(
    "operand",
    [
        exp(-t),
        1 + 1 / sqrt(t),
        1 / log(t),
        exp(100 / log(t)),
        10**50 * (1 - exp(-t)),
        t / (t + 10**30) * 10**40,
        exp(t) / (exp(t) + 10**20),
        10**60 * t / (10**40 * t + 1),
        exp(t) * (1 + exp(-t)) - exp(t),  # one, but rounding leaves something that grows
        exp(2 * t) * (1 + 3 * exp(-2 * t)) - exp(2 * t),
        sqrt(t**2 + t) - t,
        (1 + 1 / t) ** t,
        t * sin(1 / t),
        exp(t) * exp(-t) * 10**9,
        softmax(x)[i] * exp(0 * t),
    ],
    ids=str,
)
def test_a_limit_that_is_finite(operand):
    assert not valueless(limit(operand, t))


def test_a_limit_of_which_nothing_is_known():
    assert not valueless(limit(log(t), t))
    assert not valueless(limit(log(log(t)), t))


def test_only_entries_that_the_givens_allow_count():
    below = exp(t * (x[i] - x[m]))
    assert not valueless(limit(below, t), (unique_maximum(x, m),))
    assert valueless(limit(exp(t * (x[m] - x[i])), t), (unique_maximum(x, m),))
    assert valueless(limit(exp(t * (x[m] - x[i])), t) + 1)


@pytest.mark.parametrize(
    "side",
    [
        E(Q[i] ** -1),
        E(1 / Q[i]),
        E(absolute(Q[i]) ** -1),
        E(absolute(Q[i]) ** (-exact(3) / 2)),
        E(3 / Q[i] ** 2),
        E(sqrt(Q[i] ** 2) ** -1),
        E((Q[i] - 7) ** -2),
        E((Q[i] * K[i]) ** -1),
        E(dot(Q, K) ** -2),
        E(dot(Q, K) ** -2 + Q[i]),
        E(2 * (Q[i] + Q[j]) ** -2 / 3),
        Var(Q[i] ** -1),
        Cov(dot(Q, K) ** -2, Q[i]),
        Sum(E(Q[i] ** -4), i),
    ],
    ids=str,
)
def test_an_expectation_of_a_pole(side):
    assert valueless(side, NORMALS)


@pytest.mark.parametrize(
    "side",
    [
        E(absolute(Q[i]) ** (-exact(1) / 2)),
        E(absolute(Q[i]) ** (-exact(99) / 100)),
        E(sqrt(absolute(Q[i])) ** -1),
        E((Q[i] ** 2 + 1) ** -1),  # no zero
        E(dot(Q, Q) ** -1),  # finite from the dimension 3 on
        E(absolute(Q[i] + Q[j]) ** (-exact(1) / 3)),
        E(0 / Q[i]),
        E(Q[i] ** -1 - Q[i] ** -1),  # cancels
        E(Q[i] ** 2 * Q[i] ** -1),
        E(exp(-(Q[i] ** -2))),
        E(Q[i] ** 4),
    ],
    ids=str,
)
def test_an_expectation_that_is_finite(side):
    assert not valueless(side, NORMALS, size=3)


def test_a_law_without_density_at_the_pole():
    assert not valueless(E(Q[i] ** -2), (*IID, has_law(Q, uniform(1, 2))))
    constant = (*IID, has_law(Q, normal(1, 0)))
    assert not valueless(E(Q[i] ** -2), constant)


def test_a_variant_without_a_finite_value_is_refuted():
    bench = make_bench((positive(g),), Claim(limit(exp(-t * g), t), Relation.EQUALS, exact(0)))
    found = bench.refutation(Claim(limit(exp(t * g), t), Relation.EQUALS, exact(0)))
    assert found is not None
    assert not found.has_value
    assert bench.refutation(Claim(limit(exp(-2 * t * g), t), Relation.EQUALS, exact(0))) is None
    bench = make_bench(NORMALS, Claim(E(dot(Q, K) ** 2), Relation.EQUALS, n))
    found = bench.refutation(Claim(E(dot(Q, K) ** -2), Relation.EQUALS, n))
    assert found is not None
    assert not found.has_value


def test_an_infinite_bound_is_no_refutation():
    bench = make_bench((positive(g),), Claim(exact(0), Relation.AT_MOST, limit(exp(-t * g), t)))
    assert bench.refutation(Claim(exact(0), Relation.AT_MOST, limit(exp(t * g), t))) is None


def test_a_planted_fault_surfaces():
    """With an exponential that is turned around, what is finite seems to have no value."""
    faulty = {**READERS}
    kind = type(exp(t))
    faulty[kind] = lambda expression, environment: combine(lambda one: 1 / one, READERS[kind](expression, environment))
    assert not valueless(limit(exp(-t), t))
    assert valueless(limit(exp(-t), t), readers=faulty)
