"""Rational bounds of roots, logarithms and pi: exact arithmetic, so that a bound is a bound."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

PI = (Fraction(3), Fraction(22, 7))
"""Archimedes' bounds, the lower one rounded down."""

_PLACES = 10**6
_LARGEST = 10**12
_TERMS = 8


def power_bounds(base: tuple[Fraction, Fraction], exponent: Fraction) -> tuple[Fraction, Fraction] | None:
    """Bounds of a positive number to a rational power whose denominator is 1, 2 or 4, from bounds of the number."""
    low, high = base
    if not 0 < low <= high or exponent.denominator not in (1, 2, 4) or abs(exponent) > 16:
        return None
    if max(low.numerator, low.denominator, high.numerator, high.denominator) > _LARGEST:
        return None
    if exponent < 0:
        bounds = power_bounds((1 / high, 1 / low), -exponent)
        return bounds
    low, high = low**exponent.numerator, high**exponent.numerator
    halvings = {1: 0, 2: 1, 4: 2}[exponent.denominator]
    for _ in range(halvings):
        low, high = _root_below(low), _root_below(high) + Fraction(1, _PLACES)
    return (low, high) if low > 0 else None


def _root_below(value: Fraction) -> Fraction:
    """The square root, rounded down to a multiple of 1e-6."""
    return Fraction(isqrt(value.numerator * _PLACES * _PLACES // value.denominator), _PLACES)


def logarithm_below(value: Fraction) -> Fraction:
    """A lower bound of log x for x >= 1: the first terms of 2 artanh((x - 1)/(x + 1)), none of which is negative."""
    ratio = (value - 1) / (value + 1)
    total = sum((2 * ratio ** (2 * k + 1) / (2 * k + 1) for k in range(_TERMS)), Fraction(0))
    return Fraction(total.numerator * _PLACES // total.denominator, _PLACES)
