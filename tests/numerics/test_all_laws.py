"""Interpolation in moments and numbers: what agrees on the grid is true of every law, and nothing less is claimed."""

from __future__ import annotations

from fractions import Fraction

import pytest
import scipy.stats
from known_statements import APART, FOURTH, STANDARD, VARIANCE, K, Q, d_k, i, j, kappa_K, kappa_Q
from sympy import Expr

from derivations.language.distributions import Bernoulli, Normal, Rademacher, Uniform, bernoulli, normal, uniform
from derivations.language.functions import absolute, dot, exp
from derivations.language.givens import has_law, has_mean, has_variance, identically_distributed, independent_entries
from derivations.language.operators import E, Expectation, Sum, Var
from derivations.language.symbols import Scalar
from derivations.language.written import sqrt
from derivations.records import Relation
from numerics.all_dimensions import check_all_dimensions
from numerics.all_laws import MOMENTS, agrees_for_all_laws
from numerics.evaluation import READERS
from numerics.statements import make_statement
from numerics.values import combine

GIVENS = (*STANDARD, *APART)
ALIKE = (independent_entries(Q), identically_distributed(Q))
mu, sigma, p = Scalar("mu"), Scalar("sigma"), Scalar("p")


def grid(left: Expr, right: Expr, givens=GIVENS, readers=READERS):
    return agrees_for_all_laws(make_statement(givens, left, Relation.EQUALS, right), readers, 20)


TRUE = {
    "declared moments": (VARIANCE, d_k, GIVENS),
    "fourth moment": (E(dot(Q, K) ** 4), d_k * kappa_Q * kappa_K + 3 * d_k * (d_k - 1), (*GIVENS, *FOURTH)),
    "free third moment": (E(Sum(Q[i], i) ** 3), d_k * E(Sum(Q[i] ** 3, i)) / d_k, GIVENS),
    "free mean": (Var(Sum(Q[i], i)), d_k * sigma**2, (*ALIKE, has_variance(Q, sigma**2))),
    "mean square": (
        E(dot(Q, Q)),
        d_k * (sigma**2 + mu**2),
        (*ALIKE, has_mean(Q, mu), has_variance(Q, sigma**2)),
    ),
    "a fraction of numbers": (Var(Sum(Q[i], i) / (d_k * sigma)), 1 / d_k, (*ALIKE, has_variance(Q, sigma**2))),
    "normal": (E(Sum(Q[i] ** 4, i)), 3 * d_k * sigma**4, (*ALIKE, has_law(Q, normal(0, sigma**2)))),
    "uniform": (Var(Sum(Q[i], i)), d_k * (mu - sigma) ** 2 / 12, (*ALIKE, has_law(Q, uniform(sigma, mu)))),
    "bernoulli": (Var(Sum(Q[i], i)), d_k * p * (1 - p), (*ALIKE, has_law(Q, bernoulli(p)))),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_agrees_on_the_grid(name):
    assert grid(*TRUE[name]) is not None


FALSE = {
    "the kurtosis of a normal law, undeclared": (E(dot(Q, K) ** 4), 9 * d_k + 3 * d_k * (d_k - 1), GIVENS),
    "no third moment": (E(Sum(Q[i], i) ** 3), d_k * 0, GIVENS),
    "a mean that is not zero": (E(dot(Q, Q)), d_k * sigma**2, (*ALIKE, has_mean(Q, mu), has_variance(Q, sigma**2))),
    "a variance of one": (Var(Sum(Q[i], i)), d_k * sigma, (*ALIKE, has_variance(Q, sigma**2))),
    "another law": (E(Sum(Q[i] ** 4, i)), 3 * d_k * sigma**4, (*ALIKE, has_law(Q, uniform(-sigma, sigma)))),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_does_not_agree_on_the_grid(name):
    assert grid(*FALSE[name]) is None


def test_what_is_no_polynomial_is_left_alone():
    assert grid(E(exp(Q[i])), E(exp(Q[i]))) is None
    assert grid(sqrt(VARIANCE), sqrt(d_k)) is None
    assert grid(sigma * VARIANCE / sigma, sigma * d_k / sigma) is not None
    assert grid(VARIANCE / absolute(sigma), d_k / absolute(sigma)) is None


def test_the_degrees_are_reported():
    found = grid(*TRUE["fourth moment"])
    assert found is not None
    assert found.points == 80
    assert found.text == (
        "polynomial of degree <= 4 in d_k, 1 in kappa_Q, 1 in kappa_K, 1 in E(Q^3), 1 in E(K^3): agrees on a grid of "
        "80 points, so for every d_k, all numbers and all laws that the givens allow"
    )
    (check,) = check_all_dimensions(make_statement(GIVENS, VARIANCE, Relation.EQUALS, d_k), step=1, seed=0)
    assert check.detail.startswith("polynomial of degree <= 2 in d_k: agrees on a grid of 3 points, so for every d_k")


def test_a_wrong_evaluator_does_not_agree():
    """A planted fault: expectations are too large by one."""

    def too_large(node, environment):
        value = READERS[Expectation](node, environment)
        return combine(lambda data: data + Fraction(1), value)

    spoiled = {**READERS, Expectation: too_large}
    left, right = E(dot(Q, Q)), d_k
    assert grid(left, right) is not None
    assert grid(left, right, readers=spoiled) is None


@pytest.mark.parametrize(
    ("kind", "parameters", "law"),
    [
        (Normal, (Fraction(1, 2), Fraction(9, 4)), scipy.stats.norm(0.5, 1.5)),
        (Uniform, (Fraction(-1), Fraction(3)), scipy.stats.uniform(-1, 4)),
        (Bernoulli, (Fraction(1, 3),), scipy.stats.bernoulli(1 / 3)),
        (Rademacher, (), scipy.stats.rv_discrete(values=([-1, 1], [0.5, 0.5]))),
    ],
)
def test_the_moments_of_a_law_are_those_of_another_library(kind, parameters, law):
    found = MOMENTS[kind](parameters, 6)
    assert len(found) == 7
    for order, moment in enumerate(found):
        assert float(moment) == pytest.approx(law.moment(order) if order else 1.0, rel=1e-12)


def test_indices_that_may_coincide_are_seen():
    assert grid(E(Sum(Q[i] ** 2 * Q[j] ** 2, i, j)), d_k**2) is None
