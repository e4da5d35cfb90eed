"""Polynomials in random variables, with exact expectations from moments.

A :class:`RandomPolynomial` is a polynomial in one *base*, itself a polynomial in the random variables. So (Q·K)**4 at
d = 64 stays the fourth power of a base with 64 terms: the base falls apart into independent pieces, and moments of
independent sums follow by the binomial theorem,

    E[(A + B)**k] = sum_j C(k, j) E[A**j] E[B**(k - j)],

piece by piece. Nothing of size 64**4 is ever written down.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeAlias

from numerics.errors import NotPolynomial, TooLarge
from numerics.values import Number

Monomial: TypeAlias = tuple[tuple[int, int], ...]
"""Variable numbers with their powers, in increasing order of the variables."""

Terms: TypeAlias = dict[Monomial, Fraction]

_MOST_TERMS = 40_000


def _join(first: Monomial, second: Monomial) -> Monomial:
    if not first or not second:
        return first or second
    powers = dict(first)
    for variable, power in second:
        powers[variable] = powers.get(variable, 0) + power
    return tuple(sorted(powers.items()))


def multiply(first: Terms, second: Terms) -> Terms:
    """The expanded product. Raises :class:`TooLarge` beyond a bound on the work."""
    if len(first) * len(second) > _MOST_TERMS:
        raise TooLarge("the polynomial has too many terms")
    result: Terms = {}
    for left, a in first.items():
        for right, b in second.items():
            joined = _join(left, right)
            result[joined] = result.get(joined, Fraction(0)) + a * b
    return result


def _add(first: Terms, second: Terms, sign: int = 1) -> Terms:
    result = dict(first)
    for monomial, coefficient in second.items():
        result[monomial] = result.get(monomial, Fraction(0)) + sign * coefficient
    return result


@dataclass(frozen=True, eq=False)
class RandomPolynomial:
    """``sum_k coefficients[k] * base**k``."""

    base: Terms
    coefficients: tuple[Fraction, ...] = (Fraction(0), Fraction(1))

    def __add__(self, other: object) -> RandomPolynomial:
        return _sum(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: object) -> RandomPolynomial:
        return _sum(self, other, -1)

    def __rsub__(self, other: object) -> RandomPolynomial:
        return _sum(-self, other, 1)

    def __neg__(self) -> RandomPolynomial:
        return RandomPolynomial(self.base, tuple(-one for one in self.coefficients))

    def __mul__(self, other: object) -> RandomPolynomial:
        return _product(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> RandomPolynomial:
        if isinstance(other, Fraction):
            return _product(self, 1 / other)
        raise NotPolynomial("division by a random value")

    def __rtruediv__(self, other: object) -> RandomPolynomial:
        raise NotPolynomial("division by a random value")

    def __pow__(self, exponent: int) -> RandomPolynomial:
        result: RandomPolynomial = RandomPolynomial(self.base, (Fraction(1),))
        for _ in range(exponent):
            result = _product(result, self)
        return result

    def __abs__(self) -> RandomPolynomial:
        raise NotPolynomial("an absolute value")

    def __eq__(self, other: object) -> bool:
        return other is self

    def __hash__(self) -> int:
        return id(self)

    def _no_order(self, other: object) -> bool:
        raise NotPolynomial("a comparison of random values")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    def expanded(self) -> Terms:
        """The polynomial in the random variables themselves."""
        result: Terms = {(): self.coefficients[0]}
        power: Terms = {(): Fraction(1)}
        for coefficient in self.coefficients[1:]:
            power = multiply(power, self.base)
            if coefficient:
                result = _add(result, {key: coefficient * value for key, value in power.items()})
        return result


def variable(number: int) -> RandomPolynomial:
    """One random variable."""
    return RandomPolynomial({((number, 1),): Fraction(1)})


def _number(value: object) -> Fraction | None:
    return Fraction(value) if isinstance(value, (int, Fraction)) else None


def _padded(coefficients: tuple[Fraction, ...], length: int) -> tuple[Fraction, ...]:
    return coefficients + (Fraction(0),) * (length - len(coefficients))


def _sum(first: RandomPolynomial, second: Number, sign: int) -> RandomPolynomial:
    number = _number(second)
    if number is not None:
        return RandomPolynomial(first.base, (first.coefficients[0] + sign * number, *first.coefficients[1:]))
    if not isinstance(second, RandomPolynomial):
        raise NotPolynomial(f"adding {second!r}")
    if first.base is second.base:
        length = max(len(first.coefficients), len(second.coefficients))
        pairs = zip(_padded(first.coefficients, length), _padded(second.coefficients, length), strict=True)
        return RandomPolynomial(first.base, tuple(a + sign * b for a, b in pairs))
    return RandomPolynomial(_add(first.expanded(), second.expanded(), sign))


def _product(first: RandomPolynomial, second: Number) -> RandomPolynomial:
    number = _number(second)
    if number is not None:
        return RandomPolynomial(first.base, tuple(number * one for one in first.coefficients))
    if not isinstance(second, RandomPolynomial):
        raise NotPolynomial(f"multiplying by {second!r}")
    if first.base is second.base or first.base == second.base:
        result = [Fraction(0)] * (len(first.coefficients) + len(second.coefficients) - 1)
        for i, a in enumerate(first.coefficients):
            for j, b in enumerate(second.coefficients):
                result[i + j] += a * b
        return RandomPolynomial(first.base, tuple(result))
    return RandomPolynomial(multiply(first.expanded(), second.expanded()))


@dataclass(frozen=True)
class Variables:
    """What the numbered random variables are.

    ``block`` gives for each variable the number of its block: blocks are independent of each other. ``moment`` is the
    exact expectation of a monomial in variables of one block, ``kind`` a hashable name such that variables of equal
    kind, alone in their blocks, have the same law.
    """

    block: Callable[[int], int]
    moment: Callable[[Monomial], Fraction]
    kind: Callable[[int], Hashable | None]


def monomial_mean(monomial: Monomial, variables: Variables) -> Fraction:
    """The expectation of a monomial: one factor for each block."""
    blocks: dict[int, list[tuple[int, int]]] = {}
    for number, power in monomial:
        blocks.setdefault(variables.block(number), []).append((number, power))
    result = Fraction(1)
    for part in blocks.values():
        result *= variables.moment(tuple(part))
        if not result:
            break
    return result


def terms_mean(terms: Mapping[Monomial, Fraction], variables: Variables) -> Fraction:
    """The expectation of an expanded polynomial."""
    return sum((c * monomial_mean(m, variables) for m, c in terms.items() if c), Fraction(0))


def _pieces(base: Terms, variables: Variables) -> list[Terms]:
    """The base as a sum of polynomials in pairwise disjoint sets of blocks; the constant term is a piece of its own."""
    owner: dict[int, int] = {}

    def find(block: int) -> int:
        while owner.setdefault(block, block) != block:
            block = owner[block]
        return block

    for monomial in base:
        roots = [find(variables.block(number)) for number, _ in monomial]
        for root in roots[1:]:
            owner[find(root)] = find(roots[0])
    pieces: dict[int | None, Terms] = {}
    for monomial, coefficient in base.items():
        if coefficient:
            key = find(variables.block(monomial[0][0])) if monomial else None
            pieces.setdefault(key, {})[monomial] = coefficient
    return list(pieces.values())


def _shape(piece: Terms, variables: Variables) -> Hashable | None:
    """Equal for pieces with equal moments: the polynomial in renamed variables, with their laws."""
    numbers = sorted({number for monomial in piece for number, _ in monomial})
    kinds = tuple(variables.kind(number) for number in numbers)
    if None in kinds:
        return None
    name = {number: k for k, number in enumerate(numbers)}
    terms = frozenset((tuple((name[n], p) for n, p in monomial), c) for monomial, c in piece.items())
    return (kinds, terms)


def _piece_moments(piece: Terms, order: int, variables: Variables) -> tuple[Fraction, ...]:
    moments: list[Fraction] = [Fraction(1)]
    power: Terms = {(): Fraction(1)}
    for _ in range(order):
        power = multiply(power, piece)
        moments.append(terms_mean(power, variables))
    return tuple(moments)


def moments(base: Terms, order: int, variables: Variables) -> tuple[Fraction, ...]:
    """E[base**k] for k = 0 .. order, by convolution over independent pieces."""
    total: tuple[Fraction, ...] = (Fraction(1),) + (Fraction(0),) * order
    known: dict[Hashable, tuple[Fraction, ...]] = {}
    for piece in _pieces(base, variables):
        shape = _shape(piece, variables) if len(piece) < 50 else None
        part = known.get(shape) if shape is not None else None
        if part is None:
            part = _piece_moments(piece, order, variables)
            if shape is not None:
                known[shape] = part
        total = tuple(
            sum((comb(k, j) * total[j] * part[k - j] for j in range(k + 1)), Fraction(0)) for k in range(order + 1)
        )
    return total


def mean(value: object, variables: Variables) -> Fraction:
    """The expectation of a number or a polynomial."""
    number = _number(value)
    if number is not None:
        return number
    if not isinstance(value, RandomPolynomial):
        raise NotPolynomial(f"the expectation of {value!r}")
    degree = max((k for k, one in enumerate(value.coefficients) if one), default=0)
    powers = moments(value.base, degree, variables)
    return sum((c * m for c, m in zip(value.coefficients, powers, strict=False)), Fraction(0))
