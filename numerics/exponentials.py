"""Exact numbers e^a with rational a, and what sums, products and quotients of them give.

By the theorem of Lindemann and Weierstrass (Baker 1975, Transcendental Number Theory, theorem 1.4) the numbers e^a for
different rational a are linearly independent over the rationals. So a sum of them with rational coefficients is zero
only if all its coefficients are, and whether two such numbers are equal is decided exactly: an equality that only looks
like one in many digits, as 1 and 1 - e^(-1000000), is told from a true one. What is not of this kind is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from types import MappingProxyType

import mpmath
import numpy as np

from numerics.arithmetic import EXACT, UNDEFINED, each
from numerics.errors import NotRational, TooLarge
from numerics.values import Data, Number

Terms = Mapping[Fraction, Fraction]

_MOST_TERMS = 400
_MOST_DIGITS = 4000
_ONE: Terms = MappingProxyType({Fraction(0): Fraction(1)})


def _plain(terms: dict[Fraction, Fraction]) -> Terms:
    if len(terms) > _MOST_TERMS:
        raise TooLarge("a sum of too many exponentials")
    return {exponent: coefficient for exponent, coefficient in terms.items() if coefficient}


def _plus(first: Terms, second: Terms, sign: int = 1) -> Terms:
    total = dict(first)
    for exponent, coefficient in second.items():
        total[exponent] = total.get(exponent, Fraction(0)) + sign * coefficient
    return _plain(total)


def _times(first: Terms, second: Terms) -> Terms:
    total: dict[Fraction, Fraction] = {}
    for one, left in first.items():
        for other, right in second.items():
            total[one + other] = total.get(one + other, Fraction(0)) + left * right
    return _plain(total)


def _sign(terms: Terms) -> int:
    """The sign of a sum; a sum without terms is zero, and no other is."""
    if len(terms) < 2:
        return next((1 if coefficient > 0 else -1 for coefficient in terms.values()), 0)
    digits = 30
    while digits <= _MOST_DIGITS:
        with mpmath.workdps(digits):
            parts = [_part(at, value) for at, value in terms.items()]
            total, size = mpmath.fsum(parts), mpmath.fsum(abs(part) for part in parts)
            if abs(total) > size * mpmath.mpf(10) ** (10 - digits):
                return 1 if total > 0 else -1
        digits *= 4
    raise NotRational("a sum of exponentials that nearly cancel")


@dataclass(frozen=True, eq=False)
class Quotient:
    """One sum of exponentials over another that is not zero."""

    top: Terms
    bottom: Terms = field(default_factory=lambda: _ONE)

    @property
    def sign(self) -> int:
        """-1, 0 or 1."""
        return _sign(self.top) * _sign(self.bottom)

    def __add__(self, other: object) -> Number:
        return _combined(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: object) -> Number:
        return _combined(self, other, -1)

    def __rsub__(self, other: object) -> Number:
        return -self + other

    def __neg__(self) -> Quotient:
        return Quotient({at: -value for at, value in self.top.items()}, self.bottom)

    def __mul__(self, other: object) -> Number:
        right = _quotient(other)
        if right is None:
            return NotImplemented
        return reduced(Quotient(_times(self.top, right.top), _times(self.bottom, right.bottom)))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Number:
        right = _quotient(other)
        if right is None:
            return NotImplemented
        if not right.top:
            return UNDEFINED
        return reduced(Quotient(_times(self.top, right.bottom), _times(self.bottom, right.top)))

    def __rtruediv__(self, other: object) -> Number:
        left = _quotient(other)
        return NotImplemented if left is None else left / self

    def __pow__(self, exponent: int) -> Number:
        return reduce(lambda product, _: product * self, range(exponent), Fraction(1))

    def __abs__(self) -> Quotient:
        return -self if self.sign < 0 else self

    def __eq__(self, other: object) -> bool:
        return _order(self, other) == 0

    def __lt__(self, other: object) -> bool:
        return _order(self, other) < 0

    def __le__(self, other: object) -> bool:
        return _order(self, other) <= 0

    def __gt__(self, other: object) -> bool:
        return _order(self, other) > 0

    def __ge__(self, other: object) -> bool:
        return _order(self, other) >= 0

    def __hash__(self) -> int:
        return hash((frozenset(self.top.items()), frozenset(self.bottom.items())))

    def __float__(self) -> float:
        with mpmath.workdps(30):
            return float(_value(self.top) / _value(self.bottom))

    def _mpmath_(self, precision: int, rounding: str) -> Number:
        """The value as a number of mpmath's, for printing."""
        with mpmath.workprec(precision + 64):
            return _value(self.top) / _value(self.bottom)


def _part(at: Fraction, value: Fraction) -> Number:
    return mpmath.mpf(value.numerator) / value.denominator * mpmath.exp(mpmath.mpf(at.numerator) / at.denominator)


def _value(terms: Terms) -> Number:
    return mpmath.fsum(_part(at, value) for at, value in terms.items())


def _quotient(item: object) -> Quotient | None:
    if isinstance(item, (int, Fraction)):
        return Quotient(_plain({Fraction(0): Fraction(item)}))
    return item if isinstance(item, Quotient) else None


def reduced(number: Quotient) -> Number:
    """A fraction where it is one; a single term below goes into the terms above."""
    top, bottom = number.top, number.bottom
    if not top:
        return Fraction(0)
    if len(bottom) == 1:
        ((at, value),) = bottom.items()
        top, bottom = {one - at: coefficient / value for one, coefficient in top.items()}, _ONE
        if len(top) == 1 and Fraction(0) in top:
            return top[Fraction(0)]
        return Quotient(top, bottom)
    if len(top) == len(bottom):
        ratios = {top[at] / bottom[at] for at in top if at in bottom}
        if len(ratios) == 1 and set(top) == set(bottom):
            return ratios.pop()
    return Quotient(top, bottom)


def _combined(first: Quotient, second: object, sign: int) -> Number:
    right = _quotient(second)
    if right is None:
        return NotImplemented
    if dict(first.bottom) == dict(right.bottom):
        return reduced(Quotient(_plus(first.top, right.top, sign), first.bottom))
    top = _plus(_times(first.top, right.bottom), _times(right.top, first.bottom), sign)
    return reduced(Quotient(top, _times(first.bottom, right.bottom)))


def _order(first: Quotient, second: object) -> int:
    difference = _combined(first, second, -1)
    if isinstance(difference, Fraction):
        return (difference > 0) - (difference < 0)
    if not isinstance(difference, Quotient):
        raise NotRational(f"a comparison with {second!r}")
    return difference.sign


# ---------------------------------------------------------------------------------------------- functions


def exponential(item: Number) -> Number:
    """e to a rational power."""
    if item is UNDEFINED:
        return UNDEFINED
    if not isinstance(item, Fraction):
        raise NotRational("an exponential of what is no rational number")
    return Fraction(1) if item == 0 else Quotient({item: Fraction(1)})


def logarithm(item: Number) -> Number:
    """The logarithm of a power of e."""
    if item is UNDEFINED:
        return UNDEFINED
    number = _quotient(item)
    if number is None or number.sign <= 0:
        return UNDEFINED if number is not None else _refuse("a logarithm")
    if len(number.top) == len(number.bottom) == 1:
        ((above, factor),), ((below, divisor),) = number.top.items(), number.bottom.items()
        if factor == divisor:
            return above - below
    return _refuse("a logarithm")


def _refuse(what: str) -> Number:
    raise NotRational(f"{what} is not of this kind")


def _sigmoid(item: Number) -> Number:
    return item if item is UNDEFINED else 1 / (1 + exponential(-item))


def _tanh(item: Number) -> Number:
    if item is UNDEFINED:
        return item
    square = exponential(2 * item)
    return (square - 1) / (square + 1)


def _at_zero(value: int) -> Callable[[Number], Number]:
    """A function of which only the value at zero is of this kind."""

    def apply(item: Number) -> Number:
        if item is UNDEFINED:
            return item
        return Fraction(value) if item == 0 else _refuse("a value away from zero")

    return apply


def _power(base: Number, exponent: Number) -> Number:
    if not isinstance(base, Quotient):
        return EXACT.power(np.asarray(base, dtype=object), np.asarray(exponent, dtype=object)).item()
    if not isinstance(exponent, Fraction) or exponent.denominator != 1:
        return _refuse("a root")
    return base ** int(exponent) if exponent >= 0 else 1 / base ** int(-exponent)


def _divide(top: Number, bottom: Number) -> Number:
    return UNDEFINED if bottom is UNDEFINED or bottom == 0 else top / bottom


def _softmax(operand: Data) -> Data:
    powers = each(exponential, 1)(operand)
    result: Data = each(_divide, 2)(powers, powers.sum(axis=-1, keepdims=True))
    return result


def _logsumexp(operand: Data) -> Data:
    return each(logarithm, 1)(np.asarray(each(exponential, 1)(operand).sum(axis=-1), dtype=object))


EXPONENTIALS = replace(
    EXACT,
    name="exact, with powers of e",
    divide=each(_divide, 2),
    power=each(_power, 2),
    functions=MappingProxyType(
        {
            **EXACT.functions,
            "exp": each(exponential, 1),
            "log": each(logarithm, 1),
            "sigmoid": each(_sigmoid, 1),
            "tanh": each(_tanh, 1),
            **{name: each(_at_zero(value), 1) for name, value in (("sin", 0), ("cos", 1), ("erf", 0))},
        }
    ),
    softmax=_softmax,
    logsumexp=_logsumexp,
)
"""Rational arithmetic with powers of e."""
