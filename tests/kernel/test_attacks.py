"""Statements that were once proved although they are false, or proved without a condition they need. None may be."""

import pytest
import sympy
from sympy import Integer, Rational, Symbol

from derivations.kernel.laws.samples import A, V, X, Y, a, b, i, j, k, n, s, t, x, y
from derivations.kernel.prove import find_contradiction
from derivations.kernel.record import Status
from derivations.language.arrays import array, random_array
from derivations.language.distributions import bernoulli, normal, rademacher, uniform
from derivations.language.errors import LanguageError
from derivations.language.functions import absolute, exp, softmax
from derivations.language.givens import (
    HasMoment,
    distinct,
    equation,
    has_law,
    has_mean,
    has_moment,
    has_variance,
    independent,
    maximal_entries,
    nonnegative,
    positive,
    unique_maximum,
)
from derivations.language.operators import Derivative, E, Sum, Summation, Var, limit
from derivations.language.order import Max, largest
from derivations.language.symbols import Dimension, Scalar, delta, index
from derivations.language.written import Power

from .steps import proof, proved

marks = array("e", n)


def test_a_limit_whose_exponent_still_depends_on_the_variable():
    assert not proved(limit(exp(-t * exp(-t)), t), 0)
    assert not proved(limit(exp(-t / (1 + t)), t), 0, given=[positive(t)])
    assert not proved(limit(exp(-t * softmax(t * x)[i]), t), 0, given=[unique_maximum(x, k)])


def test_a_limit_of_a_moment_that_depends_on_the_variable():
    moving = [has_mean(X, exp(-t))]
    assert not proved(limit(E(X), t), E(X), "limit", given=moving)
    assert not proved(limit(E(X**3), t), E(X**3), given=[*moving, has_moment(X, 4, b)])


def test_a_parameter_tied_through_a_moment_is_not_free():
    assert not proved(Derivative(b, a), 0, given=[equation(b, E(X)), has_mean(X, a)])
    assert not proved(Derivative(y[i], x[i]), 0, given=[equation(y[i], E(V[i])), has_mean(V, x)])
    assert not proved(limit(b * a, t), b * a, given=[equation(b, Var(X)), has_variance(X, exp(-t))])


@pytest.mark.parametrize("size", [n - 1, n - Dimension("m"), Integer(0), Integer(-1), Rational(1, 2), a, i])
def test_a_range_that_could_be_empty_is_no_dimension(size):
    with pytest.raises(LanguageError):
        index("p", size)
    with pytest.raises(LanguageError):
        array("u", size)


def test_a_second_largest_entry_needs_two_entries():
    assert proof(largest(x, 2), largest(x, 2)).status is Status.CONDITIONAL


def test_an_order_statistic_is_not_differentiable_everywhere():
    step = proof(Derivative(Max(a * x[i], i), a), Max(x[i], i), given=[nonnegative(a)])
    assert step.status is not Status.CLOSED
    assert proof(Derivative(sympy.Abs(a), a), 1, given=[nonnegative(a)]).status is not Status.CLOSED


def test_an_equation_holds_for_all_indices_whatever_else_is_distinct():
    given = [distinct(i, j), equation(delta(i, j) * a + A[i, j], b)]
    assert not proved(A[k, k], b, given=given)


def test_moments_and_parameters_are_not_random_and_hang_on_no_index():
    for wrong in (
        lambda: has_law(X, normal(Y, 1)),
        lambda: has_mean(X, Y),
        lambda: has_mean(V, x[i]),
        lambda: has_law(V, normal(x[i], 1)),
    ):
        with pytest.raises(LanguageError):
            wrong()
    assert not proved(E(X), Y, given=[HasMoment(X, Integer(1), Y)])


def test_symbols_stand_for_real_numbers():
    plain = Symbol("tt", real=True)
    assert not proved(Derivative(plain, plain), 0, "given", given=[equation(plain, 1)])
    assert not proved(limit(exp(-plain), plain), exp(-1 * exp(0 * a)), given=[equation(plain, 1)])
    assert not proved(Power(Symbol("q", imaginary=True), Integer(2)), Power(Symbol("q", imaginary=True), Integer(2)))
    left, right = Symbol("P", commutative=False), Symbol("Q", commutative=False)
    assert not proved(left * right, right * left)
    with pytest.raises(LanguageError):
        Dimension("zz", negative=True)


def test_a_given_of_one_object_says_nothing_of_another_with_its_name():
    other = Symbol("x1")
    assert not proved(sympy.sqrt(other**2), other, given=[positive(Scalar("x1"))])
    assert not proved(E(random_array("W")), 0, given=[has_mean(random_array("W", n), 0)])


def test_no_index_is_called_by_the_placeholder():
    with pytest.raises(LanguageError):
        index("·", n)


def test_a_subclass_is_not_read_as_its_parent():
    class Weighted(Summation):
        __slots__ = ()

    assert not proved(Weighted(x[i], i), Sum(x[i], i))


@pytest.mark.parametrize(
    "givens",
    [
        [has_law(X, normal(0, -1))],
        [has_law(X, bernoulli(2))],
        [has_law(X, uniform(1, 0))],
        [has_law(X, normal(0, 1)), has_mean(X, 5)],
        [has_law(X, normal(0, 1)), has_variance(X, 5)],
        [has_law(X, normal(0, 1)), has_law(X, rademacher())],
        [distinct(index("p", 1), index("q", 1))],
    ],
)
def test_a_contradiction_of_the_givens_is_found(givens):
    assert find_contradiction(tuple(givens))


def test_an_equation_of_a_symbol_with_itself_ends():
    assert proof(1 / a, 1 / a, given=[equation(a, a + 1)]).status is not Status.OPEN
    assert proof(1 / a, 1 / a, given=[equation(a, exp(a) - 1)]).status is not Status.OPEN


def test_the_derivative_of_a_root_of_a_bounded_variable_need_not_be_integrable():
    steep = Derivative(V[i] ** Rational(1, 3), V[i]) ** 3
    step = proof(E(steep), E(steep), given=[has_law(V, uniform(0, 1))])
    assert any(one.kind == "exists" and one.open for one in step.obligations)


def test_a_sum_whose_term_is_undefined_where_its_indices_meet_has_no_meaning():
    ratio = (x[i] - x[j]) / (x[i] - x[j])
    assert proof(Sum(ratio, i, j), n**2).status is Status.OPEN
    assert proof(Sum(1 / (x[i] - x[j]), i, j), 0).status is Status.OPEN
    assert proof(ratio, 1).status is Status.CONDITIONAL
    assert "i = j" in proof(ratio, 1).obligations[0].text


def test_normal_variables_are_added_only_by_independence():
    given = [has_law(X, normal(0, 1)), has_law(Y, normal(0, 1)), independent(X, Y)]
    assert not proved(E(exp(X + Y)), exp(1 + 0 * a), "gaussian", "exponential", given=given)
    assert proved(E(exp(X + Y)), exp(1 + 0 * a), "gaussian", "exponential", "independence", given=given)
    assert not proved(E(absolute(V[i] - V[j])), E(absolute(V[i] - V[j])) + 1, given=given)


def test_a_count_of_marks_is_positive():
    assert proved(Sum(marks[i], i), Sum(marks[j], j), given=[maximal_entries(x, marks)])
    assert not proved(Sum(marks[i], i), 1, given=[maximal_entries(x, marks)])


def test_an_exponential_outgrows_others_only_by_known_signs():
    assert proved(limit(1 / (1 + exp(-s * t)), t), 1, given=[positive(s)])
    assert proved(limit(exp(s * t) / (1 + exp(2 * s * t)), t), 0, given=[positive(s)])
    assert not proved(limit(1 / (1 + exp(-s * t)), t), 1)
    assert not proved(limit(1 / (1 + a * exp(s * t)), t), 0, given=[positive(s)])
    assert not proved(limit(1 / (exp(a * t) + exp(b * t)), t), 0, given=[positive(a), positive(s)])
