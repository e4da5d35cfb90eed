"""Every dimension at once: a polynomial of degree at most D that vanishes at D + 1 dimensions is zero.

With independent, identically distributed entries the expectation of a product of entries depends only on which of its
indices coincide, and how many index tuples coincide in one way is a polynomial in the dimensions. So a side made of
sums, products and expectations is a polynomial in each dimension, of a degree that can be read from its tree. Divided
by polynomials in the dimensions it is a rational function, and the numerator of the difference is a polynomial.

The result is for the laws and numbers drawn only, but for every dimension. What the rules below do not cover is left
alone: arrays that are not random, free indices, roots, dimensions in an exponent, in a moment or in a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.language.arrays import Entry, RandomArray
from derivations.language.functions import Dot
from derivations.language.givens import (
    AtLeast,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
)
from derivations.language.operators import Covariance, DistinctSummation, Expectation, Summation, Variance
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Delta, Dimension, Index, Scalar
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from derivations.records import Relation
from numerics.checks import Check, Counterexample
from numerics.comparison import compare_exactly
from numerics.environments import Readers, by_moments
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import READERS, size_of
from numerics.facts import Facts
from numerics.instances import Instance, LawKind, draw_laws, draw_numbers
from numerics.joint import JointLaw, Plan, assemble
from numerics.sources import Seeded, Simplest, Source
from numerics.statements import Statement
from numerics.values import Data

_MOST_DEGREE = 12
_MOST_POINTS = 40

Degrees: TypeAlias = Mapping[Dimension, int]
Join: TypeAlias = Callable[[Facts, Mapping[RandomArray, Data], Plan, Source], JointLaw]


# --------------------------------------------------------------------------------------------- the degree


@dataclass(frozen=True)
class Bound:
    """A rational function: bounds on the degrees of its numerator and denominator in each dimension."""

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


def _dimension(expression: Dimension) -> Bound:
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
    return _dimension(dimension) if isinstance(dimension, Dimension) else _refuse(dimension)


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
    return _CONSTANT


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
        Scalar: _constant,
        Delta: _constant,
        Dimension: _dimension,
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
    """Bounds on the degrees of an expression in its dimensions. Raises :class:`Unsupported` where there is no rule."""
    for kind in type(expression).__mro__:
        if kind in _RULES:
            return _RULES[kind](expression)
    return _refuse(expression)


def difference_degree(left: Expr, right: Expr) -> Degrees:
    """A bound on the degree of the numerator of left - right in each dimension."""
    found = _common(degree(left), degree(right)).top
    named = (part.dimension if isinstance(part, Index) else part for side in (left, right) for part in parts(side))
    return {**{one: 0 for one in named if isinstance(one, Dimension)}, **found}


# ------------------------------------------------------------------------------------------ the instances


_HANDLED = (
    AtLeast,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
)
"""Givens that an instance with independent, identically distributed entries satisfies, if they are about letters."""


def _refuse_dependence_on_dimensions(statement: Statement) -> None:
    """What is drawn must be the same at every dimension: identical independent entries, and no equation to satisfy."""
    facts, letters = statement.facts, statement.letters
    for given in facts.givens:
        about_letters = isinstance(given.args[0], (RandomArray, Scalar, Dimension)) or isinstance(given, Integrable)
        if not isinstance(given, _HANDLED) or not about_letters:
            raise Unsupported(f"a given that may differ from dimension to dimension: {given}")
    if statement.relation is not Relation.EQUALS or statement.propositions or statement.is_open:
        raise Unsupported("not an equation between numbers")
    if letters.arrays or facts.equations or facts.above or facts.marks:
        raise Unsupported("arrays or equations that differ from dimension to dimension")
    if any(free_indices(side) for side in statement.sides):
        raise Unsupported("a free index")
    for array in letters.randoms:
        alike = array in facts.identical or array in facts.laws or not array.shape
        if not alike or (array.shape and array not in facts.independent_entries):
            raise Unsupported(f"the entries of {array} are not independent and identically distributed")
        declared = [value for _, value in facts.moments.get(array, ())]
        if any(isinstance(part, Dimension) for one in (*declared, *facts.laws.get(array, ())) for part in parts(one)):
            raise Unsupported("a law that depends on a dimension")
    if len(letters.randoms) > 1 and not facts.mutually(letters.randoms):
        raise Unsupported("arrays that need not be independent")


@dataclass(frozen=True)
class _Drawn:
    """Numbers and one law for each random array, from which instances of all sizes are made."""

    numbers: Mapping[Expr, Data]
    laws: Mapping[RandomArray, object]


def _draw(statement: Statement, sizes: Mapping[Expr, int], source: Source, kind: LawKind) -> _Drawn:
    sizes, numbers = draw_numbers(statement.letters, statement.facts, sizes, source)
    laws = draw_laws(statement.letters, statement.facts, sizes, numbers, source, kind)
    return _Drawn(numbers, {array: data.reshape(-1)[0] for array, data in laws.items()})


def _instance(statement: Statement, drawn: _Drawn, sizes: Mapping[Expr, int], join: Join) -> Instance:
    if not drawn.laws:
        return Instance(sizes, drawn.numbers, None)
    laws: dict[RandomArray, Data] = {}
    for array, law in drawn.laws.items():
        laws[array] = np.empty(tuple(size_of(size, sizes) for size in array.shape), dtype=object)
        laws[array].fill(law)
    return Instance(sizes, drawn.numbers, join(statement.facts, laws, Plan(), Simplest()))


def grid(statement: Statement, degrees: Degrees) -> Iterator[Mapping[Expr, int]]:
    """D + 1 values of each dimension, from the smallest that a given allows."""
    names = list(degrees)
    least = [statement.facts.least.get(one, 1) for one in names]
    spans = [range(low, low + degrees[one] + 1) for one, low in zip(names, least, strict=True)]
    for values in product(*spans):
        yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class Exactly:
    """The instruments of this check; a test replaces one by a faulty one. ``grid`` are the sizes to try, ``join`` makes
    the joint law of an instance."""

    readers: Readers = field(default_factory=lambda: READERS)
    grid: Callable[[Statement, Degrees], Iterator[Mapping[Expr, int]]] = grid
    join: Join = assemble


def _agreement(
    statement: Statement, degrees: Degrees, source: Source, kind: LawKind, tools: Exactly
) -> tuple[str, Counterexample | None]:
    """The laws and numbers drawn, and the first dimension at which the sides differ, if one does.

    Raises :class:`NotEvaluated` where a dimension gives no value: then nothing is shown.
    """
    drawn: _Drawn | None = None
    text = ""
    for sizes in tools.grid(statement, degrees):
        drawn = drawn or _draw(statement, sizes, source, kind)
        instance = _instance(statement, drawn, sizes, tools.join)
        comparison = compare_exactly(statement, instance, by_moments(instance, readers=tools.readers))
        if comparison.verdict == "fails":
            return "", comparison.counterexample
        if comparison.verdict != "holds":
            raise Unsupported("no value at one of the dimensions")
        text = text or replace(instance, sizes={}).text
    return text, None


_LAWS: tuple[tuple[str | None, LawKind], ...] = ((None, "finite"), ("skewed", "finite"), ("smooth", "continuous"))


def check_all_dimensions(
    statement: Statement, *, step: int, seed: int, seconds: float = 0.2, tools: Exactly | None = None
) -> tuple[Check, ...]:
    """An exact check for every dimension, for a few laws; refuted at the first dimension that differs.

    Nothing where the statement is not a polynomial or the work is too much.
    """
    try:
        _refuse_dependence_on_dimensions(statement)
        degrees = difference_degree(*statement.sides)
    except NotEvaluated:
        return ()
    points = prod(one + 1 for one in degrees.values())
    if not degrees or max(degrees.values()) > _MOST_DEGREE or points > _MOST_POINTS:
        return ()
    sampled = _LAWS if statement.letters.randoms or statement.letters.scalars else _LAWS[:1]
    start = time.process_time()
    agreed: list[str] = []
    for name, kind in sampled:
        if agreed and time.process_time() - start > seconds:
            break
        source: Source = Simplest() if name is None else Seeded(f"{seed}/{step}/{name}")
        try:
            text, counterexample = _agreement(statement, degrees, source, kind, tools or Exactly())
        except NotEvaluated:
            continue
        if counterexample is not None:
            return (Check(step, "exact", "refuted", samples=1, seed=seed, counterexample=counterexample),)
        agreed.append(text)
    if not agreed:
        return ()
    bounds = ", ".join(f"{one} in {name}" for name, one in degrees.items())
    names = " and ".join(str(one) for one in degrees)
    where = "; ".join(filter(None, agreed))
    detail = f"polynomial of degree <= {bounds}: agrees at {points} dimensions, so for every {names}"
    detail += f" for these laws and numbers: {where}" if where else ""
    return (Check(step, "exact", "confirmed", delta=0.0, samples=points * len(agreed), seed=seed, detail=detail),)
