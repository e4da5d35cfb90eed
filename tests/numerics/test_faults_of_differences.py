"""Planted faults in finite differences: with a wrong formula doubles confirm no derivative, and many digits
refute it.

The formula stands in the reader of derivatives, which is passed in; it is used in doubles and with many digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from known_statements import TRUE, z
from sympy.core.basic import Basic

from derivations.language.functions import exp, log, sigmoid
from derivations.language.operators import Derivative, Differential
from derivations.language.written import exact
from derivations.records import Relation
from numerics.differences import check_differences
from numerics.evaluation import READERS, Environment, Reader, evaluate
from numerics.pointwise import check_points
from numerics.route import Route
from numerics.statements import Statement, make_statement
from numerics.values import Data, Number, Value, combine

Formula = Callable[[Callable[[Fraction], Data], Callable[[Fraction], Number], Fraction], Data]
"""The derivative at 0 of a function of the shift, from a way to make a number of a step, and the step."""


# ---------------------------------------------------------------------------------------------- the formulas


def honest(f, number, h):
    """(4 D(h/2) - D(h))/3 for the central difference D."""
    wide, narrow = (f(h) - f(-h)) / number(2 * h), (f(h / 2) - f(-h / 2)) / number(h)
    return (4 * narrow - wide) / 3


def one_sided(f, number, h):
    """The forward difference, said to be central."""
    return (f(h) - f(Fraction(0))) / number(h)


def one_sided_extrapolated(f, number, h):
    """The forward difference, extrapolated as if its error fell with the square of the step."""
    wide, narrow = (f(h) - f(Fraction(0))) / number(h), (f(h / 2) - f(Fraction(0))) / number(h / 2)
    return (4 * narrow - wide) / 3


def without_the_two(f, number, h):
    """f(h) - f(-h) over h, not 2h."""
    wide, narrow = (f(h) - f(-h)) / number(h), (f(h / 2) - f(-h / 2)) / number(h / 2)
    return (4 * narrow - wide) / 3


def another_step_below(f, number, h):
    """The denominator belongs to a step that is a thousandth longer."""
    return honest(f, lambda step: number(step * Fraction(1001, 1000)), h)


def another_step_in_one(f, number, h):
    """The narrow difference is taken at h/4 and divided as if it were at h/2."""
    wide, narrow = (f(h) - f(-h)) / number(2 * h), (f(h / 4) - f(-h / 4)) / number(h)
    return (4 * narrow - wide) / 3


def extrapolated_with_a_wrong_weight(f, number, h):
    """Weights 4 and -2 over 3, which do not sum to 1."""
    wide, narrow = (f(h) - f(-h)) / number(2 * h), (f(h / 2) - f(-h / 2)) / number(h)
    return (4 * narrow - 2 * wide) / 3


def step_that_does_not_shrink(f, number, h):
    """The step is one quarter, whatever was asked for."""
    return honest(f, number, Fraction(1, 4))


def second_difference(f, number, h):
    """f(h) - 2 f(0) + f(-h) over h², the next derivative."""
    return (f(h) - 2 * f(Fraction(0)) + f(-h)) / number(h * h)


FAULTS: tuple[Formula, ...] = (
    one_sided,
    one_sided_extrapolated,
    without_the_two,
    another_step_below,
    another_step_in_one,
    extrapolated_with_a_wrong_weight,
    step_that_does_not_shrink,
    second_difference,
)


SLOW = (one_sided, one_sided_extrapolated)
"""They converge to the derivative, but with the first power of the step."""


def with_formula(formula: Formula) -> Mapping[type[Basic], Reader]:
    """The readers with derivatives in a scalar by this formula."""

    def read(expression: Differential, environment: Environment) -> Value:
        operand, variable = expression.args
        old = evaluate(variable, environment)

        def constant(number: Fraction) -> Number:
            return environment.arithmetic.constant(number)

        def at(shift: Fraction) -> Data:
            moved = combine(np.add, old, Value(np.asarray(constant(shift), dtype=old.data.dtype)))
            return evaluate(operand, replace(environment, values={**environment.values, variable: moved})).data

        return Value(np.asarray(formula(at, constant, environment.step), dtype=old.data.dtype))

    return {**READERS, Differential: read}


def stated(left, right) -> Statement:
    return make_statement((), left, Relation.EQUALS, right)


CASES = {case.name: case for case in TRUE}
STATEMENTS = {
    "sigmoid": stated(CASES["sigmoid"].left, CASES["sigmoid"].right),
    "tanh": stated(CASES["tanh"].left, CASES["tanh"].right),
    "softplus": stated(Derivative(log(1 + exp(z)), z), sigmoid(z)),
    "exponential": stated(Derivative(exp(z), z), exp(z)),
    "cube": stated(Derivative(z**3, z), 3 * z**2),
}
RIGHT = {(second_difference, "exponential"), (step_that_does_not_shrink, "cube")}
"""exp is its own second derivative, and one extrapolation is exact for a cubic: there the fault is none."""

WRONG = [(fault, name) for fault in FAULTS for name in STATEMENTS if (fault, name) not in RIGHT]


def identifier(one: object) -> str:
    return one if isinstance(one, str) else one.__name__


# ---------------------------------------------------------------------------------------------- the checks


def in_doubles(statement: Statement, formula: Formula) -> list[str]:
    route = Route(readers=with_formula(formula))
    return [one.outcome for one in check_differences(statement, step=1, seed=0, seconds=20, route=route)]


def in_many_digits(statement: Statement, formula: Formula) -> list[str]:
    route = Route(readers=with_formula(formula))
    return [one.outcome for one in check_points(statement, step=1, seed=0, seconds=20, route=route)]


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_honest_formula_is_confirmed(name: str):
    assert in_doubles(STATEMENTS[name], honest) == ["confirmed"]
    assert in_many_digits(STATEMENTS[name], honest) == ["confirmed"]


@pytest.mark.parametrize(("fault", "name"), WRONG, ids=identifier)
def test_a_wrong_formula_confirms_nothing_in_doubles(fault: Formula, name: str):
    assert in_doubles(STATEMENTS[name], fault) == ["inconclusive"]


@pytest.mark.parametrize(("fault", "name"), [one for one in WRONG if one[0] not in SLOW], ids=identifier)
def test_a_wrong_formula_is_refuted_in_many_digits(fault: Formula, name: str):
    assert in_many_digits(STATEMENTS[name], fault) == ["refuted"]


@pytest.mark.parametrize(("fault", "name"), [one for one in WRONG if one[0] in SLOW], ids=identifier)
def test_a_formula_that_is_only_slow_confirms_nothing_false_in_many_digits(fault: Formula, name: str):
    """With a step of 10**-16 its first sixteen digits are right; the order of the error shows in doubles, above."""
    true = STATEMENTS[name]
    off = stated(true.left, exact(Fraction(10**12 + 1, 10**12)) * true.right)
    assert in_many_digits(off, fault) == ["refuted"]
