"""The kernel's own terms: nested tuples that compare and hash structurally.

A polynomial is a sorted tuple of (monomial, coefficient); a monomial is a sorted tuple of (atom, exponent) with
rational exponents; an atom is a named tuple whose first field is its kind. Order is Python's order of tuples, so it
depends on structure alone, never on ``hash``.

An index has a level. Level 0: a free index with the author's letter. Level -1: a fresh token of an opened sum.
Level h >= 1: bound by the enclosing sum whose own level is h; a sum's level is one more than the highest level inside
it, so a reference to an outer sum can never be taken for one to an inner sum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Number: TypeAlias = int | Fraction
Monomial: TypeAlias = "tuple[tuple[Atom, Number], ...]"
Polynomial: TypeAlias = "tuple[tuple[Monomial, Number], ...]"

ZERO: Polynomial = ()
UNIT: Monomial = ()
ONE: Polynomial = ((UNIT, 1),)

FREE, FRESH, MARK = 0, -1, -2


class KernelLimit(Exception):
    """The kernel cannot decide this: a term is undefined or grows too large. Never a verdict about truth."""


class Position(NamedTuple):
    """An index: its level, its number within the level, its letter (free ones only), its dimension."""

    level: int
    number: int
    letter: str
    dimension: Polynomial


ONLY = Position(FREE, 1, "1", ONE)
"""The one value of an index with dimension 1."""


class Named(NamedTuple):
    """A scalar (kind ``symbol``), a dimension (``dimension``) or a constant such as pi (``constant``)."""

    kind: str
    name: str


class Prime(NamedTuple):
    """A prime number with an exponent strictly between 0 and 1."""

    kind: str
    value: int


class Entry(NamedTuple):
    """An entry of an array, random (kind ``random``) or not (kind ``entry``)."""

    kind: str
    array: str
    indices: tuple[Position, ...]


class Value(NamedTuple):
    """The position of an index as a number."""

    kind: str
    place: Position


class Delta(NamedTuple):
    """The Kronecker delta of two different indices, the smaller one first."""

    kind: str
    first: Position
    second: Position


class Sum(NamedTuple):
    """A connected component: the sum of a product over indices that tie its factors together."""

    kind: str
    bound: tuple[Position, ...]
    factors: Monomial


class Base(NamedTuple):
    """A polynomial of several terms under a negative or fractional power."""

    kind: str
    polynomial: Polynomial


class Exponential(NamedTuple):
    """exp of a monomial with coefficient one; the coefficient is the exponent of the atom."""

    kind: str
    exponent: Monomial


class Function(NamedTuple):
    """A function of scalars that is not expanded."""

    kind: str
    name: str
    arguments: tuple[Polynomial, ...]


class Closure(NamedTuple):
    """An array as a function of its indices: the bound indices and the entry."""

    bound: tuple[Position, ...]
    entry: Polynomial


class Defined(NamedTuple):
    """A defined notion whose definition is not in use, with its array arguments; ``at`` are its own indices."""

    kind: str
    name: str
    arguments: tuple[Closure, ...]
    at: tuple[Position, ...]


class Ordered(NamedTuple):
    """The k-th largest entry of a vector; rank -1 is the smallest."""

    kind: str
    vector: Closure
    rank: int


class Average(NamedTuple):
    """An expectation that is not evaluated."""

    kind: str
    operand: Polynomial


class Covariance(NamedTuple):
    """A covariance that is not evaluated, the smaller operand first."""

    kind: str
    first: Polynomial
    second: Polynomial


class Moment(NamedTuple):
    """The raw moment of an identically distributed array."""

    kind: str
    array: str
    order: int


class Count(NamedTuple):
    """The sum of 1 over an index of this dimension, where summation is not in use."""

    kind: str
    dimension: Polynomial


class Partial(NamedTuple):
    """A derivative that is not evaluated."""

    kind: str
    operand: Polynomial
    variable: Atom


class Limiting(NamedTuple):
    """A limit that is not evaluated, as the variable tends to infinity."""

    kind: str
    operand: Polynomial
    variable: Named


Atom: TypeAlias = (
    Named
    | Prime
    | Entry
    | Value
    | Delta
    | Sum
    | Base
    | Exponential
    | Function
    | Defined
    | Ordered
    | Average
    | Covariance
    | Moment
    | Count
    | Partial
    | Limiting
)


def whole(value: Number) -> Number:
    """The number as an ``int`` where it is one, so that integer arithmetic stays fast."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def collect(terms: Iterable[tuple[Monomial, Number]]) -> Polynomial:
    """Add like monomials."""
    total: dict[Monomial, Number] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    return tuple(sorted((monomial, whole(value)) for monomial, value in total.items() if value))


def number(value: Number) -> Polynomial:
    """A constant polynomial."""
    return ((UNIT, value),) if value else ZERO


def single(atom: Atom, exponent: Number = 1) -> Polynomial:
    """A polynomial of one atom."""
    return ((((atom, exponent),), 1),)


def constant_of(polynomial: Polynomial) -> Number | None:
    """The value of a constant polynomial; None for any other."""
    if not polynomial:
        return 0
    return polynomial[0][1] if len(polynomial) == 1 and polynomial[0][0] == UNIT else None


def positions(term: object) -> Iterator[Position]:
    """Every occurrence of an index in a term, bound ones and those of dimensions included."""
    if isinstance(term, Position):
        yield term
    elif isinstance(term, tuple):
        for part in term:
            if isinstance(part, tuple):
                yield from positions(part)


def mentions(term: object, wanted: Collection[Position]) -> bool:
    """Whether one of these indices occurs in the term."""
    if isinstance(term, Position):
        return term in wanted
    if isinstance(term, tuple):
        for part in term:  # a loop: this is the innermost function of the kernel, and a generator costs twice as much
            if isinstance(part, tuple) and mentions(part, wanted):
                return True
    return False


def level_of(term: object) -> int:
    """The highest level of a sum or closure inside the term; 0 without one."""
    if isinstance(term, (Sum, Closure)):
        return term.bound[0].level if term.bound else level_of(term[-1])
    if isinstance(term, Position) or not isinstance(term, tuple):
        return 0
    return max((level_of(part) for part in term if isinstance(part, tuple)), default=0)


def atoms_within(term: object) -> Iterator[Atom]:
    """Every atom at any depth."""
    if isinstance(term, tuple) and not isinstance(term, Position):
        if term and isinstance(term[0], str):
            yield term  # type: ignore[misc]  # a tuple that begins with its kind is an atom
        for part in term:
            if isinstance(part, tuple):
                yield from atoms_within(part)
