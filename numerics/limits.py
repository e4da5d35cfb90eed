"""Looking at a limit far out: three points of a sequence that grows by squaring, in enough digits.

No finite point shows a limit, so the points are chosen by what could still be going on: they lie beyond every number
that stands beside the variable (a literal such as 10**40, the drawn numbers, whatever is made of them), they are no
whole numbers (else a sine could stand still), and the changes from point to point must shrink. What still moves is
unresolved. A statement is refuted only if two such sequences have settled on values that differ, at two instances
where it has letters to draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log10

import mpmath
from sympy import Expr, Rational
from sympy.core.basic import Basic

from derivations.language.arrays import Array
from derivations.language.functions import Elementary, LogSumExp, Softmax
from derivations.language.operators import Limit
from derivations.language.structure import parts
from derivations.language.symbols import Index
from derivations.language.written import Power
from numerics.arithmetic import high_precision
from numerics.environments import enumerated
from numerics.errors import NotEvaluated, TooLarge
from numerics.evaluation import Environment, evaluate
from numerics.instances import Instance
from numerics.statements import Statement

_DIGITS = 60
_MOST_OUTCOMES = 300
_MOST_ORDERS = 200
_START = 10
# Quotients of primes: times a power of ten they have fractional parts with nothing in common.
_FACTORS = (
    (Fraction(7919, 5003), Fraction(6101, 4007), Fraction(8837, 6007)),
    (Fraction(9001, 7001), Fraction(7103, 3001), Fraction(5501, 4001)),
)


def far_points(statement: Statement, instance: Instance, sequence: int) -> tuple[Fraction, Fraction, Fraction]:
    """Three points of a sequence, each about the square of the one before.

    Raises :class:`TooLarge` where the numbers beside the variable are so large or small that no point lies beyond them,
    and where a function of a logarithm or of a small power of the variable may still turn beyond any point.
    """
    if any(_turns_slowly(*limit.args) for side in statement.sides for limit in _limits(side)):
        raise TooLarge("a limit through a logarithm or a small power, beyond which no point lies far enough")
    orders = max(_orders(limit, instance) for side in statement.sides for limit in _limits(side))
    if orders > _MOST_ORDERS:
        raise TooLarge("a limit whose numbers are too large or too small to look beyond")
    start = _START + 3 * sequence + orders
    first, second, third = (factor * 10 ** (start * 2**k) for k, factor in enumerate(_FACTORS[sequence]))
    return first, second, third


def _turns_slowly(operand: Basic, variable: Basic) -> bool:
    """Whether a logarithm or a small power of the variable stands inside a function."""
    inside = (
        inner
        for part in parts(operand)
        if isinstance(part, (Elementary, Softmax, LogSumExp))
        for argument in part.args
        for inner in parts(argument)
    )
    return any(_is_slow(one) and any(part == variable for part in parts(one)) for one in inside)


def _is_slow(part: Basic) -> bool:
    if isinstance(part, (LogSumExp, Elementary)):
        return isinstance(part, LogSumExp) or part.name == "log"
    return (
        isinstance(part, Power)
        and isinstance(part.args[1], Rational)
        and 0 < 8 * abs(int(part.args[1].p)) < int(part.args[1].q)
    )


def digits_for(point: Fraction, derivatives: int) -> int:
    """So many digits that terms of the size of the squared point may cancel; a difference quotient must resolve what
    happens within the inverse of the point."""
    orders = len(str(int(point)))
    return max(2 * orders + 50, 5 * (orders + 15) * (derivatives > 0) * max(derivatives, 1))


def _limits(side: Basic) -> Iterator[Limit]:
    return (part for part in parts(side) if isinstance(part, Limit))


def _orders(limit: Limit, instance: Instance) -> int:
    """The orders of magnitude of everything beside the variable, added up: products of them are no larger."""
    operand, variable = limit.args
    environment = enumerated(instance, high_precision(_DIGITS), most=_MOST_OUTCOMES)
    beside = dict.fromkeys(_beside(operand, variable))
    return round(sum(_order(one, environment, instance) for one in beside) + 0.5)


def _beside(expression: Basic, variable: Basic) -> Iterator[Expr]:
    """The largest parts in which the variable does not occur, and the numbers in them."""
    if isinstance(expression, Index) or expression == variable or not isinstance(expression, Expr):
        return
    if not any(part == variable for part in parts(expression)):
        yield expression
    for argument in () if isinstance(expression, Array) else expression.args:
        yield from _beside(argument, variable)


def _order(expression: Expr, environment: Environment, instance: Instance) -> float:
    if isinstance(expression, Rational):
        return _size(Fraction(int(expression.p), int(expression.q)))
    if expression in instance.numbers:
        return max((_size(one) for one in instance.numbers[expression].reshape(-1)), default=0.0)
    try:
        values = evaluate(expression, environment).data.reshape(-1)
    except (NotEvaluated, ArithmeticError):
        return 0.0
    return max((_size(one) for one in values), default=0.0)


def _size(number: object) -> float:
    """The decimal digits of numerator or denominator, or how far a real is from one in orders of magnitude."""
    if isinstance(number, (int, Fraction)):
        exact = Fraction(number)
        return max(_log10(abs(exact.numerator)), _log10(exact.denominator))
    if not mpmath.isfinite(number) or number == 0:
        return 0.0
    return abs(float(mpmath.log10(abs(mpmath.mpf(number)))))


def _log10(number: int) -> float:
    return log10(number) if number > 1 else 0.0
