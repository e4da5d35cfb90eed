"""Wholes that grow with their parts: sums, products, quotients, increasing functions, powers, expectations, norms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.kernel.comparison import (
    Comparison,
    ComparisonRule,
    fresh_indices,
    product_of,
    scaled_mean,
)
from derivations.kernel.named_inequalities import strictly_largest_in_sum
from derivations.language import functions, operators
from derivations.language.structure import substitute
from derivations.language.symbols import Delta, Index
from derivations.language.written import Negative, Plus, Power, Quotient, Times


def _sums(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Term by term under sums over the same ranges; a factor 1 - delta_ij makes i and j distinct."""
    if type(low) is not type(high) or not isinstance(low, operators.Summation):
        return False
    assert isinstance(high, operators.Summation)
    ranges = [tuple(one.dimension for one in side.indices) for side in (low, high)]
    if ranges[0] != ranges[1]:
        return False
    opened = fresh_indices(comparison, low.indices, (low, high))
    bodies = [substitute(side.body, dict(zip(side.indices, opened, strict=True))) for side in (low, high)]
    pairs = comparison.distinct
    if isinstance(low, operators.DistinctSummation):
        pairs += tuple(frozenset((one, other)) for one in opened for other in opened if one != other)
    return replace(comparison, distinct=pairs).at_most(*bodies)


def _products(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A product grows with one factor if the others are equal and not negative, and with all if none is negative."""
    if not isinstance(low, Times) or not isinstance(high, Times):
        return False
    rest = list(high.args)
    common: list[Expr] = []
    own: list[Expr] = []
    for factor in low.args:
        if factor in rest:
            rest.remove(factor)
            common.append(factor)
        else:
            own.append(factor)
    if not all(comparison.not_negative(factor) for factor in common):
        return False
    pairs = comparison.distinct + tuple(pair for factor in common if (pair := _apart(factor)))
    inner = replace(comparison, distinct=pairs)
    if common and inner.at_most(product_of(own), product_of(rest)):
        return True
    return 1 < len(own) == len(rest) and all(
        inner.not_negative(one) and inner.at_most(one, other) for one, other in zip(own, rest, strict=True)
    )


def _apart(factor: Expr) -> frozenset[Index] | None:
    """The two indices of a factor 1 - delta_ij: where it is not zero they are different."""
    if isinstance(factor, Plus) and len(factor.args) == 2 and factor.args[0] == 1:
        second = factor.args[1]
        if isinstance(second, Negative) and isinstance(second.args[0], Delta):
            return frozenset(second.args[0].args)
    return None


def _terms(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A sum of terms grows with each term."""
    if isinstance(low, Negative) and isinstance(high, Negative):
        return comparison.at_most(high.args[0], low.args[0])
    if not isinstance(low, Plus) or not isinstance(high, Plus) or len(low.args) != len(high.args):
        return False
    return all(comparison.at_most(one, other) for one, other in zip(low.args, high.args, strict=True))


def _quotients(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A quotient grows with its numerator over a positive denominator, and falls with its denominator."""
    if not isinstance(low, Quotient) or not isinstance(high, Quotient):
        return False
    (top, bottom), (other_top, other_bottom) = low.args, high.args
    if not comparison.positive(bottom) or not comparison.positive(other_bottom):
        return False
    if comparison.equal(bottom, other_bottom):
        return comparison.at_most(top, other_top)
    return (
        comparison.at_most(other_bottom, bottom)
        and comparison.at_most(top, other_top)
        and (comparison.not_negative(top) or comparison.not_negative(other_top))
    )


def _functions(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Increasing functions grow with their arguments; 1 is exp 0."""
    low, high = (functions.exp(Integer(0)) if side == Integer(1) else side for side in (low, high))
    if not isinstance(low, functions.Elementary) or not isinstance(high, functions.Elementary):
        return False
    if low.name != high.name:
        return False
    rule = comparison.context.law("order.monotone")
    return rule is not None and rule(low.name) and comparison.at_most(low.operand, high.operand)


def is_increasing(name: str) -> bool:
    """Whether a function is increasing where it is defined."""
    return name in ("exp", "log", "tanh", "erf", "sigmoid")


def _powers(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A positive power grows with a base that is not negative, and with the exponent if the base is at least one."""
    (base, exponent), (other, other_exponent) = _as_power(low), _as_power(high)
    if exponent <= 0 or other_exponent <= 0 or (exponent == 1 and other_exponent == 1):
        return False
    if exponent == other_exponent:
        # A root is defined only where its base is not negative.
        return (exponent.denominator % 2 == 0 or comparison.not_negative(base)) and comparison.at_most(base, other)
    if not comparison.equal(base, other):
        return False
    if exponent < other_exponent:
        return comparison.not_negative(Plus(base, Negative(Integer(1))))
    return comparison.not_negative(base) and comparison.not_negative(Plus(Integer(1), Negative(base)))


def _as_power(expression: Expr) -> tuple[Expr, Fraction]:
    """Base and exponent; the exponent is one where no other number is written."""
    if isinstance(expression, Power) and isinstance(expression.args[1], Rational):
        return expression.args[0], Fraction(int(expression.args[1].p), int(expression.args[1].q))
    return expression, Fraction(1)


def _expectations(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """The expectation of the smaller variable is the smaller one."""
    if not isinstance(low, operators.Expectation) or not isinstance(high, operators.Expectation):
        return False
    return comparison.at_most(low.args[0], high.args[0])


def _scaled_means(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """a E X <= b E X for a <= b and E X not negative, a and b not random."""
    (factor, mean), (other_factor, other_mean) = scaled_mean(low), scaled_mean(high)
    if mean is None or other_mean is None or not comparison.equal(mean, other_mean):
        return False
    return comparison.not_negative(mean) and comparison.at_most(factor, other_factor)


def _norms(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Norms and moduli are compared by their squares: low <= high where low^2 <= high^2 and high is not negative."""
    if not any(
        _is_norm(factor) for side in (low, high) for factor in (side.args if isinstance(side, Times) else (side,))
    ):
        return False
    second = _squared(high)
    if second is None and comparison.not_negative(high):
        second = Power(high, Integer(2))
    first = Power(low, Integer(2)) if isinstance(low, functions.Dot) else _squared(low)
    return first is not None and second is not None and comparison.at_most(first, second)


def _is_norm(expression: Basic) -> bool:
    """A norm or a modulus; no power of one, or squares would be squared again."""
    return isinstance(expression, functions.Norm) or (
        isinstance(expression, functions.Elementary) and expression.name == "abs"
    )


def _squared(expression: Expr) -> Expr | None:
    """The square of an expression that is not negative and is written as a norm, a modulus or a root."""
    if isinstance(expression, functions.Norm):
        return Power(expression, Integer(2))
    if isinstance(expression, functions.Elementary) and expression.name == "abs":
        return Power(expression.operand, Integer(2))
    if isinstance(expression, Power) and expression.args[1] == Rational(1, 2):
        base: Expr = expression.args[0]
        return base
    return None


MONOTONE: tuple[ComparisonRule, ...] = (
    *(_sums, _products, _terms, _quotients, _functions, _powers, _expectations, _scaled_means, _norms),
)


def _strict_functions(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """The increasing functions are strictly increasing."""
    if not isinstance(low, functions.Elementary) or not isinstance(high, functions.Elementary):
        return False
    rule = comparison.context.law("order.monotone")
    named = low.name == high.name and rule is not None and rule(low.name)
    return bool(named) and comparison.less(low.operand, high.operand)


def _strict_quotients(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Over one positive denominator."""
    if not isinstance(low, Quotient) or not isinstance(high, Quotient):
        return False
    (top, bottom), (other_top, other_bottom) = low.args, high.args
    same = comparison.positive(bottom) and comparison.equal(bottom, other_bottom)
    return same and comparison.less(top, other_top)


def _strict_expectations(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """What is smaller at every outcome has the smaller expectation."""
    if not isinstance(low, operators.Expectation) or not isinstance(high, operators.Expectation):
        return False
    return comparison.less(low.args[0], high.args[0])


STRICT: tuple[ComparisonRule, ...] = (
    *(strictly_largest_in_sum, _strict_functions, _strict_quotients, _strict_expectations),
)
