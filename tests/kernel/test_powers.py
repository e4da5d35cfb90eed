"""Powers, roots and absolute values."""

from fractions import Fraction

import pytest
from sympy import Rational

from derivations.kernel.laws.samples import a, b, i, s, sigma, x
from derivations.language.functions import absolute, exp
from derivations.language.givens import nonnegative, nonzero, positive
from derivations.language.operators import Sum
from derivations.language.written import sqrt

from .steps import proved


def test_the_root_of_a_square_is_the_absolute_value():
    assert proved(sqrt(a**2), absolute(a))
    assert not proved(sqrt(a**2), a)
    assert not proved(sqrt(a**2), a, given=[nonzero(a)])
    assert proved(sqrt(a**2), a, given=[nonnegative(a)])


def test_the_square_of_the_root_needs_no_sign_but_an_obligation():
    assert proved(sqrt(a) ** 2, a)


def test_the_absolute_value_of_a_fraction_is_that_of_its_parts():
    assert proved(absolute(1 / (a - b)), 1 / absolute(a - b))
    assert proved(absolute(a / (a - b)) * absolute(a - b), absolute(a))
    assert proved(absolute(absolute(a) / (b - a)), absolute(a) / absolute(a - b))
    assert not proved(absolute(1 / (a - b)), 1 / (a - b))


def test_the_absolute_value_sees_no_sign_of_the_terms():
    assert proved(absolute(a - b), absolute(b - a))
    assert not proved(absolute(a + b), absolute(a) + absolute(b))
    assert proved(absolute(a) ** 2, a**2)
    assert proved(absolute(a) ** 3, absolute(a**3))


def test_unit_normal_bases_agree_up_to_the_unit():
    assert proved(exp(a) / (1 + exp(a)), 1 / (1 + exp(-a)))
    assert proved(1 / (a - b), -1 / (b - a))
    assert not proved(1 / (a - b), 1 / (b - a))


def test_only_factors_without_a_negative_sign_leave_a_root():
    assert proved(sqrt(a**2 * b), absolute(a) * sqrt(b))
    assert not proved(sqrt(a**2 * b), a * sqrt(b))
    assert not proved(sqrt(a * b), sqrt(a) * sqrt(b))
    assert proved(sqrt(s * sigma), sqrt(s) * sqrt(sigma), given=[positive(s), nonnegative(sigma)])


@pytest.mark.parametrize("exponent", [Rational(1, 2), Rational(-1, 2), Rational(3, 2), Rational(2, 3)])
def test_powers_of_a_sum_add_their_exponents(exponent):
    total = Sum(exp(x[i]), i)
    assert proved(total**exponent * total ** (1 - exponent), total)
    assert not proved(total**exponent * total ** (2 - exponent), total)


def test_roots_of_numbers_are_in_lowest_terms():
    assert proved(a * sqrt(8 * a**0), 2 * a * sqrt(2 * a**0))
    assert proved(a / sqrt(2 * a**0), Fraction(1, 2) * a * sqrt(2 * a**0))


def test_a_product_under_a_negative_half_power_squared_is_one_over_it():
    inverse_root = (a * b) ** Rational(-1, 2)
    assert proved(inverse_root**2, 1 / (a * b))
    assert proved(sqrt(inverse_root**2), sqrt(1 / (a * b)))
    assert not proved(inverse_root**2, a * b)
