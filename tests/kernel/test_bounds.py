"""Signs by rational bounds of numbers, logarithms and dimensions, and what is compared through them."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf
from sympy import pi

from derivations.kernel.laws.samples import V, a, b, i, j, n, s, sigma, x
from derivations.kernel.rational_bounds import PI, logarithm_below, power_bounds
from derivations.language.arrays import array, tabulate
from derivations.language.distributions import normal
from derivations.language.functions import absolute, dot, exp, log, norm
from derivations.language.givens import (
    dimension_at_least,
    has_law,
    independent_entries,
    nonnegative,
    positive,
)
from derivations.language.operators import E, Sum
from derivations.language.order import Max, largest, smallest
from derivations.language.symbols import Dimension
from derivations.language.written import exact, sqrt
from derivations.records import Relation

from .steps import proved

TWO = dimension_at_least(n, 2)
NORMAL = (has_law(V, normal(0, sigma**2)), independent_entries(V), positive(sigma))


def at_most(low, high, *given, relation=Relation.AT_MOST):
    return proved(low, high, given=given, relation=relation)


@pytest.mark.parametrize("value", [1, 2, 3, 10, 1000, Fraction(5, 4), Fraction(1000001, 1000000)])
def test_a_bound_of_a_logarithm_is_below_it_and_near_for_small_numbers(value):
    with mp.workdps(40):
        exactly = mp.log(mpf(Fraction(value).numerator) / Fraction(value).denominator)
        found = logarithm_below(Fraction(value))
        assert mpf(found.numerator) / found.denominator <= exactly
        assert value > 3 or exactly - mpf(found.numerator) / found.denominator < mpf(10) ** -5


@pytest.mark.parametrize("base", [Fraction(2), Fraction(3), Fraction(1, 7), Fraction(22, 7), Fraction(64)])
@pytest.mark.parametrize("exponent", [Fraction(1), Fraction(1, 2), Fraction(-1, 2), Fraction(3, 4), Fraction(-5, 2)])
def test_bounds_of_a_power_enclose_it(base, exponent):
    low, high = power_bounds((base, base), exponent)
    with mp.workdps(40):
        value = (mpf(base.numerator) / base.denominator) ** (mpf(exponent.numerator) / exponent.denominator)
        assert mpf(low.numerator) / low.denominator <= value <= mpf(high.numerator) / high.denominator


def test_what_is_out_of_reach_has_no_bounds():
    assert power_bounds((Fraction(2), Fraction(2)), Fraction(1, 3)) is None
    assert power_bounds((Fraction(0), Fraction(1)), Fraction(1, 2)) is None
    assert power_bounds((Fraction(-1), Fraction(1)), Fraction(2)) is None
    assert PI[0] < Fraction(314159, 100000) < PI[1]


@pytest.mark.parametrize(
    ("low", "high", "given"),
    [
        (3, pi, ()),
        (pi, exact(22) / 7, ()),
        (sqrt(2), sqrt(3), ()),
        (s * sqrt(2), s * sqrt(3), (nonnegative(s),)),
        (1 / pi, 1 / sqrt(pi), ()),
        (1, n, ()),
        (2, n, (TWO,)),
        (0, log(n), ()),
        (0, log(n + 1), ()),
        (1, 2 * log(n), (TWO,)),
        (sqrt(log(n)), 2 * log(n) * sqrt(log(n)), (TWO,)),
        (sqrt(2 * log(n)), 2 * log(n), (TWO,)),
        (sqrt(log(n)), sqrt(log(2 * n)), ()),
        (n, n**2, ()),
    ],
)
def test_numbers_decide(low, high, given):
    assert at_most(low, high, *given)
    assert not at_most(high, low, *given)


@pytest.mark.parametrize(
    ("low", "high", "given"),
    [
        (exact(22) / 7, pi, ()),
        (s * sqrt(2), s * sqrt(3), ()),
        (2, n, ()),
        (1, 2 * log(n), ()),
        (2, 2 * log(n), (TWO,)),
        (0, log(a), (positive(a),)),
        (sqrt(a), a, (positive(a),)),
        (a, a**2, ()),
        (2 * n, n**2, ()),
    ],
)
def test_where_they_do_not_nothing_is_proved(low, high, given):
    assert not at_most(low, high, *given)


def test_products_and_quotients_are_compared_part_by_part():
    assert at_most(s * exp(a), (s + 1) * (exp(a) + 1), positive(s))
    assert not at_most(s * a, (s + 1) * (a + 1), positive(s))
    assert at_most(s / (s + 2), (s + 1) / (s + 1), positive(s))
    assert not at_most(a / (s + 2), (a + 1) / (s + 1), positive(s))
    assert not at_most((-2 - s) / (s + 2), (-1 - s) / (s + 1) - 1, positive(s))


def test_a_maximum_has_a_mean_of_at_least_that_of_an_entry():
    assert at_most(0, E(Max(V[i], i)), *NORMAL)
    assert at_most(E(V[j]), E(largest(V)), *NORMAL)
    assert not at_most(0, E(smallest(V)), *NORMAL)
    assert not at_most(0, E(largest(V, 2)), *NORMAL, TWO)
    assert not at_most(1, E(largest(V)), *NORMAL)


def test_jensen_with_a_smaller_argument():
    top = largest(V)
    assert at_most(exp(E(top)), E(exp(2 * top)), *NORMAL)
    assert not at_most(exp(2 * E(top)), E(exp(top)), *NORMAL)
    assert not at_most(exp(-E(top)), E(exp(-2 * top)), *NORMAL)
    assert not at_most(absolute(E(V[i])), E(absolute(V[i] - 1)) - 1, *NORMAL)


def test_a_strict_inequality_needs_a_second_entry():
    top, total = exp(Max(V[i], i)), Sum(exp(V[j]), j)
    for low, high in ((top, total), (log(top), log(total)), (E(top), E(total)), (log(E(top)) / s, log(E(total)) / s)):
        given = (*NORMAL, positive(s))
        assert at_most(low, high, *given, TWO, relation=Relation.LESS)
        assert not at_most(low, high, *given, relation=Relation.LESS)
        assert not at_most(high, low, *given, TWO, relation=Relation.LESS)
    assert not at_most(Max(x[i], i) ** 2, Sum(x[j] ** 2, j), TWO, relation=Relation.LESS)


def test_the_norm_of_a_product_is_at_most_the_product_of_norms():
    m = Dimension("m")
    matrix, vector = array("M", m, n), array("w", n)
    assert at_most(norm(matrix @ vector), norm(matrix) * norm(vector))
    assert at_most(norm(matrix @ vector), 2 * norm(matrix) * norm(vector))
    assert not at_most(norm(matrix) * norm(vector), norm(matrix @ vector))
    assert not at_most(norm(matrix @ vector), norm(vector))
    assert not at_most(norm(tabulate(x[i] + x[j], i, j) @ vector), norm(x) * norm(vector))


def test_powers_grow_with_the_exponent_where_the_base_is_at_least_one():
    assert at_most(sqrt(n), n)
    assert at_most(n, n ** (exact(3) / 2))
    assert not at_most(sqrt(b), b, nonnegative(b))
    assert at_most(1, exp(s), nonnegative(s))
    assert not at_most(1, exp(a))
    assert at_most(Sum(1, i), n**2)


def test_cauchy_and_schwarz_with_a_modulus_and_norms():
    y = array("y", n)
    assert at_most(absolute(dot(x, y)), norm(x) * norm(y))
    assert at_most(dot(x, y), norm(x) * norm(y))
    assert at_most(norm(x + y) ** 2, 2 * norm(x) ** 2 + 2 * norm(y) ** 2)
    assert not at_most(absolute(dot(x, y)), norm(x))
    assert not at_most(norm(x), norm(x + y))
    assert not at_most(absolute(a), a)
    assert not at_most(norm(x) * norm(y), absolute(dot(x, y)))
    assert not at_most(norm(x), -norm(x))
    assert at_most(absolute(x[i]), norm(x))
    assert not at_most(norm(x), absolute(x[i]))
