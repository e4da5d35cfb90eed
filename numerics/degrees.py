"""Bounds on degrees, read off the tree: in which letters a side is a polynomial or a quotient of two, of what degree.

With independent, identically distributed entries the expectation of a product of entries depends only on which of its
indices coincide, and how many index tuples coincide in one way is a polynomial in the dimensions. In the moments of an
array it is a polynomial too, of no higher degree than in the entries if a moment of order k counts k times: that is the
degree given for the array. Divided by polynomials in dimensions and numbers, it is a rational function.

What the rules do not cover is refused: arrays that are not random, roots, dimensions in an exponent or in a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.language.arrays import Entry, RandomArray
from derivations.language.functions import Dot
from derivations.language.operators import Covariance, DistinctSummation, Expectation, Summation, Variance
from derivations.language.structure import parts
from derivations.language.symbols import Delta, Dimension, Index, Scalar
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from numerics.errors import Unsupported

Degrees: TypeAlias = Mapping[Expr, int]


@dataclass(frozen=True)
class Bound:
    """A rational function: bounds on the degrees of its numerator and denominator in each letter."""

    top: Degrees
    bottom: Degrees


def _sum(first: Degrees, second: Degrees) -> Degrees:
    return {one: first.get(one, 0) + second.get(one, 0) for one in {**first, **second}}


def _larger(first: Degrees, second: Degrees) -> Degrees:
    return {one: max(first.get(one, 0), second.get(one, 0)) for one in {**first, **second}}


def _product(first: Bound, second: Bound) -> Bound:
    return Bound(_sum(first.top, second.top), _sum(first.bottom, second.bottom))


def _common(first: Bound, second: Bound) -> Bound:
    """A sum over the product of the denominators."""
    top = _larger(_sum(first.top, second.bottom), _sum(second.top, first.bottom))
    return Bound(top, _sum(first.bottom, second.bottom))


_CONSTANT = Bound({}, {})


def _refuse(expression: Expr) -> Bound:
    raise Unsupported(f"{type(expression).__name__} is no polynomial in the dimensions")


def _constant(_: Expr) -> Bound:
    return _CONSTANT


def _letter(expression: Expr) -> Bound:
    return Bound({expression: 1}, {})


def _plus(expression: Expr) -> Bound:
    total = degree(expression.args[0])
    for term in expression.args[1:]:
        total = _common(total, degree(term))
    return total


def _times(expression: Expr) -> Bound:
    total = _CONSTANT
    for factor in expression.args:
        total = _product(total, degree(factor))
    return total


def _negative(expression: Expr) -> Bound:
    return degree(expression.args[0])


def _quotient(expression: Quotient) -> Bound:
    """The denominator is a number for given dimensions: neither random nor dependent on an index."""
    top, bottom = expression.args
    if any(isinstance(part, (RandomArray, Index)) for part in parts(bottom)):
        raise Unsupported("a denominator that is not a polynomial in the dimensions alone")
    below = degree(bottom)
    return _product(degree(top), Bound(below.bottom, below.top))


def _power(expression: Power) -> Bound:
    base, exponent = expression.args
    if not isinstance(exponent, Integer) or int(exponent) < 0:
        raise Unsupported("a power that is no whole number")
    total = _CONSTANT
    for _ in range(int(exponent)):
        total = _product(total, degree(base))
    return total


def _size(dimension: Expr) -> Bound:
    if isinstance(dimension, Integer):
        return _CONSTANT
    return _letter(dimension) if isinstance(dimension, Dimension) else _refuse(dimension)


def _summation(expression: Summation) -> Bound:
    total = degree(expression.body)
    for one in expression.indices:
        total = _product(total, _size(one.dimension))
    return total


def _entry(expression: Entry) -> Bound:
    if not isinstance(expression.array, RandomArray):
        raise Unsupported("an entry of something that is no random array")
    return _array(expression.array)


def _array(expression: RandomArray) -> Bound:
    for size in expression.shape:
        _size(size)
    return _letter(expression)


def _dot(expression: Dot) -> Bound:
    first, second = expression.args
    return _product(_product(degree(first), degree(second)), _size(shape_of(first)[0]))


def _expectation(expression: Expr) -> Bound:
    return degree(expression.args[0])


def _covariance(expression: Expr) -> Bound:
    """E[fg] - E[f] E[g], over the denominators of f and g."""
    return _product(degree(expression.args[0]), degree(expression.args[-1]))


_RULES: Mapping[type[Basic], Callable[[Any], Bound]] = MappingProxyType(
    {
        Rational: _constant,
        Scalar: _letter,
        Delta: _constant,
        Dimension: _letter,
        Plus: _plus,
        Times: _times,
        Negative: _negative,
        Quotient: _quotient,
        Power: _power,
        Summation: _summation,
        DistinctSummation: _summation,
        RandomArray: _array,
        Entry: _entry,
        Dot: _dot,
        Expectation: _expectation,
        Variance: _covariance,
        Covariance: _covariance,
    }
)


def degree(expression: Expr) -> Bound:
    """Bounds on the degrees of an expression in its letters. Raises :class:`Unsupported` where there is no rule."""
    for kind in type(expression).__mro__:
        if kind in _RULES:
            return _RULES[kind](expression)
    return _refuse(expression)


def difference_degree(left: Expr, right: Expr) -> Degrees:
    """A bound on the degree of the numerator of left - right in each letter that occurs."""
    named = (part.dimension if isinstance(part, Index) else part for side in (left, right) for part in parts(side))
    letters: dict[Expr, int] = {one: 0 for one in named if isinstance(one, (Dimension, Scalar, RandomArray))}
    return {**letters, **numerator_degree(degree(left), degree(right))}


def numerator_degree(left: Bound, right: Bound) -> Degrees:
    """A bound on the degree of the numerator of a difference."""
    return _common(left, right).top


def in_dimensions(degrees: Degrees) -> Mapping[Dimension, int]:
    """Those in the dimensions alone."""
    return {one: bound for one, bound in degrees.items() if isinstance(one, Dimension)}
