"""Every law and every number at once, beside every dimension: interpolation in the moments too.

With independent, identically distributed entries an expectation of a polynomial is a polynomial in the raw moments of
each array, and one in which a moment of order k counts k times has no higher degree than the polynomial has in the
entries. The sides are polynomials, or quotients of such, in dimensions, numbers and moments; if they agree on a grid
with one value more than the degree for each of these, they agree everywhere. The moments on the grid are plain numbers
and need not be those of any law: what is true of all laws with the declared moments is true of all such sequences,
since those of laws fill an open set. A difference on the grid shows nothing, and then nothing is said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from sympy import Expr

from derivations.language.arrays import RandomArray
from derivations.language.distributions import Bernoulli, Distribution, Normal, Rademacher, Uniform, parameters
from derivations.language.symbols import Dimension
from numerics.comparison import compare_exactly
from numerics.degrees import Bound, Degrees, degree, difference_degree, in_dimensions, numerator_degree
from numerics.environments import Readers, by_moments
from numerics.equations import Numbers, value_of
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import size_of
from numerics.facts import VARIANCE
from numerics.instances import Instance
from numerics.joint import JointLaw
from numerics.polynomials import Monomial, Variables
from numerics.statements import Statement
from numerics.values import Data

_MOST_POINTS = 400


@dataclass(frozen=True)
class Unknowns:
    """What the sides are polynomials in, each with its number of values on the grid: dimensions, scalars, and the
    moments of arrays that no given fixes. ``orders`` are the highest orders that can occur."""

    dimensions: Mapping[Dimension, int]
    scalars: Mapping[Expr, int]
    moments: Mapping[tuple[RandomArray, int], int]
    orders: Mapping[RandomArray, int]

    @property
    def points(self) -> int:
        """How many points the grid has."""
        return prod((*self.dimensions.values(), *self.scalars.values(), *self.moments.values()))

    @property
    def text(self) -> str:
        """All bounds of degrees, the size of the grid, and what follows."""
        moments = {f"E({array}^{order})": count for (array, order), count in self.moments.items()}
        letters = {str(one): count for table in (self.dimensions, self.scalars) for one, count in table.items()}
        bounds = ", ".join(f"{count - 1} in {name}" for name, count in (letters | moments).items())
        names = " and ".join(str(one) for one in self.dimensions)
        reach = f"for every {names}, all numbers and all laws that the givens allow"
        return f"polynomial of degree <= {bounds}: agrees on a grid of {self.points} points, so {reach}"


def unknowns(statement: Statement) -> Unknowns:
    """The unknowns of a statement with the bounds of their degrees. Raises :class:`Unsupported`."""
    facts, letters = statement.facts, statement.letters
    degrees = difference_degree(*statement.sides)
    orders = {array: degrees.get(array, 0) for array in letters.randoms}
    moments: dict[tuple[RandomArray, int], int] = {}
    for array, order in orders.items():
        fixed = set(range(1, order + 1)) if array in facts.laws else _declared_orders(statement, array)
        moments |= {(array, number): order // number + 1 for number in range(1, order + 1) if number not in fixed}
    shares = {array: _share(statement, array) for array in letters.randoms}
    left, right = (_with_declared(degree(side), shares, letters.scalars) for side in statement.sides)
    numbers = numerator_degree(left, right)
    dimensions = {one: bound + 1 for one, bound in in_dimensions(degrees).items()}
    return Unknowns(dimensions, {one: numbers.get(one, 0) + 1 for one in letters.scalars}, moments, orders)


def _declared_orders(statement: Statement, array: RandomArray) -> set[int]:
    """The orders of the moments that the givens fix; a variance fixes the second beside the first."""
    declared = statement.facts.moments.get(array, ())
    fixed = {2 if number == VARIANCE else number for number, _ in declared}
    if len(fixed) < len(declared):
        raise Unsupported("one moment declared twice")
    return fixed


Shares: TypeAlias = Mapping[Expr, Fraction]
"""The degree of the moments of an array in each number, for each unit of their order."""


def _share(statement: Statement, array: RandomArray) -> Shares:
    facts, scalars = statement.facts, statement.letters.scalars
    if array in facts.laws:
        found = [_share_of_law(law, scalars) for law in facts.laws[array]]
    else:
        found = [_share_of_moment(number, value, scalars) for number, value in facts.moments.get(array, ())]
    return {one: max((share[one] for share in found), default=Fraction(0)) for one in scalars}


def _with_declared(bound: Bound, shares: Mapping[RandomArray, Shares], scalars: tuple[Expr, ...]) -> Bound:
    """The bound of a side in its letters after the declared moments have been put in."""
    inside = {
        one: sum((bound.top.get(array, 0) * shares[array][one] for array in shares), Fraction(0)) for one in scalars
    }
    top = {**bound.top, **{one: bound.top.get(one, 0) + int(inside[one]) for one in scalars}}
    return replace(bound, top=top)


def _plain_degree(value: Expr) -> Degrees:
    bound = degree(value)
    if bound.bottom:
        raise Unsupported("a declared value that is a fraction")
    return bound.top


def _share_of_moment(number: int, value: Expr, scalars: tuple[Expr, ...]) -> Shares:
    """The degree of a declared moment in each number, for each unit of its order."""
    order, found = 2 if number == VARIANCE else number, _plain_degree(value)
    return {one: Fraction(found.get(one, 0), order) for one in scalars}


# A moment of order k has, in the parameters of the law, these degrees for each unit of k.
_SHARES: Mapping[type[Distribution], tuple[Fraction, ...]] = MappingProxyType(
    {
        Normal: (Fraction(1), Fraction(1, 2)),
        Uniform: (Fraction(1), Fraction(1)),
        Bernoulli: (Fraction(1),),
        Rademacher: (),
    }
)

Parameters: TypeAlias = tuple[Fraction, ...]


def _of_normal(law: Parameters, order: int) -> Parameters:
    """m_k = mean m_(k-1) + (k - 1) variance m_(k-2), by Stein's identity."""
    mean, variance = law
    found = [Fraction(1), mean]
    for k in range(2, order + 1):
        found.append(mean * found[k - 1] + (k - 1) * variance * found[k - 2])
    return tuple(found[: order + 1])


def _of_uniform(law: Parameters, order: int) -> Parameters:
    """m_k = (a^k + a^(k-1) b + ... + b^k)/(k + 1)."""
    low, high = law
    sums = (sum((low**j * high ** (k - j) for j in range(k + 1)), Fraction(0)) for k in range(order + 1))
    return tuple(total / (k + 1) for k, total in enumerate(sums))


MOMENTS: Mapping[type[Distribution], Callable[[Parameters, int], Parameters]] = MappingProxyType(
    {
        Normal: _of_normal,
        Uniform: _of_uniform,
        Bernoulli: lambda law, order: (Fraction(1), *law * order),
        Rademacher: lambda law, order: tuple(Fraction(1 - k % 2) for k in range(order + 1)),
    }
)
"""The raw moments of a law from order 0 on, as polynomials in its parameters."""


def _share_of_law(law: Distribution, scalars: tuple[Expr, ...]) -> Shares:
    shares = _SHARES.get(type(law))
    if shares is None:
        raise Unsupported(f"the moments of {law} are not known as polynomials")
    found = [_plain_degree(value) for value in parameters(law)]
    pairs = list(zip(shares, found, strict=True))
    return {one: max((share * top.get(one, 0) for share, top in pairs), default=Fraction(0)) for one in scalars}


# --------------------------------------------------------------------------------------------- the grid


@dataclass(frozen=True, eq=False)
class ByMoments(JointLaw):
    """Independent cells of which only the raw moments are known, from order 0 on; ``blocks`` is empty."""

    moments: tuple[tuple[Fraction, ...], ...]

    @cached_property
    def variables(self) -> Variables:
        """The cells as the variables of random polynomials."""

        def moment(monomial: Monomial) -> Fraction:
            return prod((self.moments[cell][order] for cell, order in monomial), start=Fraction(1))

        return Variables(lambda cell: cell, moment, self.moments.__getitem__)


def grid(statement: Statement, found: Unknowns) -> Iterator[Instance]:
    """An instance for each point. Raises :class:`NotEvaluated` where the declared values have none there."""
    least = statement.facts.least
    spans = (
        *(range(least.get(one, 1), least.get(one, 1) + count) for one, count in found.dimensions.items()),
        *(range(1, count + 1) for count in found.scalars.values()),
        *(range(1, count + 1) for count in found.moments.values()),
    )
    for point in product(*spans):
        values = iter(point)
        sizes: dict[Expr, int] = {one: next(values) for one in found.dimensions}
        numbers: Numbers = {one: _number(next(values)) for one in found.scalars}
        moments = {one: Fraction(next(values)) for one in found.moments}
        yield Instance(sizes, numbers, _joint(statement, found, sizes, numbers, moments))


def _number(value: int) -> Data:
    data = np.empty((), dtype=object)
    data[()] = Fraction(value)
    return data


def _joint(
    statement: Statement,
    found: Unknowns,
    sizes: Mapping[Expr, int],
    numbers: Numbers,
    moments: Mapping[tuple[RandomArray, int], Fraction],
) -> JointLaw | None:
    cells: dict[RandomArray, Data] = {}
    known: list[tuple[Fraction, ...]] = []
    for array in statement.letters.randoms:
        shape = tuple(size_of(size, sizes) for size in array.shape)
        count = int(np.prod(shape, dtype=int))
        cells[array] = np.arange(len(known), len(known) + count).reshape(shape)
        known += [_moments(statement, array, found.orders[array], numbers, moments)] * count
    return ByMoments(cells, (), "", tuple(known)) if known else None


def _moments(
    statement: Statement,
    array: RandomArray,
    order: int,
    numbers: Numbers,
    moments: Mapping[tuple[RandomArray, int], Fraction],
) -> tuple[Fraction, ...]:
    """The raw moments from order 0 on: as declared, else those of the grid."""
    for law in statement.facts.laws.get(array, ()):
        return MOMENTS[type(law)](tuple(_fraction(value, numbers) for value in parameters(law)), order)
    declared = dict(statement.facts.moments.get(array, ()))
    found = [Fraction(1)]
    for number in range(1, order + 1):
        if number in declared:
            found.append(_fraction(declared[number], numbers))
        elif number == 2 and VARIANCE in declared:
            found.append(_fraction(declared[VARIANCE], numbers) + found[1] ** 2)
        else:
            found.append(moments[array, number])
    return tuple(found)


def _fraction(value: Expr, numbers: Numbers) -> Fraction:
    number = value_of(value, {}, numbers).data[()]
    if not isinstance(number, Fraction):
        raise Unsupported("a declared moment that is irrational")
    return number


def agrees_for_all_laws(statement: Statement, readers: Readers, seconds: float) -> Unknowns | None:
    """The grid on which the sides agree, so that they do everywhere; None where they do not or that is out of reach.

    The caller has seen that the arrays are independent, with independent entries of one law each.
    """
    start = time.process_time()
    try:
        found = unknowns(statement)
        if found.points > _MOST_POINTS:
            return None
        for instance in grid(statement, found):
            comparison = compare_exactly(statement, instance, by_moments(instance, readers=readers))
            if comparison.verdict != "holds" or time.process_time() - start > seconds:
                return None
    except (NotEvaluated, ArithmeticError):
        return None
    return found
