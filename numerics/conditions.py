"""Whether a drawn instance satisfies the givens: every one of them, about whatever expression it speaks.

An index that a given singles out (the place of a maximum, two different indices) is a constant: the givens hold at
some of its positions, and a statement is about these only. Where no position is left, or where a given cannot be
evaluated, the instance is no evidence for or against anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
from sympy import Expr

from derivations.language.arrays import RandomArray
from derivations.language.givens import (
    AtLeast,
    Distinct,
    Equation,
    GapBelow,
    Given,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MaximalEntries,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
    UniqueMaximum,
)
from derivations.language.randomness import random_arrays
from derivations.language.symbols import Index
from derivations.language.written import Negative, Plus
from numerics.arithmetic import EXACT, UNDEFINED, Arithmetic, high_precision
from numerics.equations import Numbers, value_of
from numerics.errors import NotEvaluated, NothingFound, NotRational, Unsupported
from numerics.evaluation import Environment, covariance, evaluate, size_of
from numerics.joint import JointLaw
from numerics.polynomials import RandomPolynomial, mean, variable
from numerics.values import OUTCOME, Data, Number, Value, boxed, combine, entries

_MOST_OUTCOMES = 800
_DIGITS = 130
_TINY = 1e-100

EVERYWHERE = Value(np.asarray(True))
"""No index is singled out."""


def pinned_indices(givens: Iterable[Given]) -> frozenset[Index]:
    """The indices that a given singles out, so that they are constants."""
    found: set[Index] = set()
    for given in givens:
        if isinstance(given, Distinct):
            found |= {one for one in given.args if isinstance(one, Index)}
        elif isinstance(given, (UniqueMaximum, GapBelow)) and isinstance(given.args[1], Index):
            found.add(given.args[1])
    return frozenset(found)


@dataclass(frozen=True)
class Place:
    """Where the givens are evaluated."""

    sizes: Mapping[Expr, int]
    numbers: Numbers
    joint: JointLaw | None

    def value(self, expression: Expr) -> Value:
        """The value; of a random expression, that at every outcome along one axis."""
        if not random_arrays(expression):
            return value_of(expression, self.sizes, self.numbers)
        try:
            value = self.polynomial(expression)
        except NotEvaluated:
            return self._outcomes(expression)
        if any(isinstance(one, RandomPolynomial) for one in value.data.reshape(-1)):
            return self._outcomes(expression)
        return value

    def polynomial(self, expression: Expr) -> Value:
        """The value as a polynomial in the random variables; expectations by their moments."""
        return evaluate(expression, self.moments)

    @property
    def moments(self) -> Environment:
        """The environment of :meth:`polynomial`."""
        joint = self._joint()
        values = self._converted(EXACT)
        for array, numbers in joint.cells.items():
            cells = np.frompyfunc(lambda number: variable(int(number)), 1, 1)(numbers)
            values[array] = Value(np.asarray(cells, dtype=object), (), numbers.ndim)
        return Environment(EXACT, self.sizes, values, partial(_mean, joint=joint))

    def _joint(self) -> JointLaw:
        if self.joint is None:
            raise Unsupported("a given about random arrays without a law")
        return self.joint

    def _converted(self, arithmetic: Arithmetic) -> dict[Expr, Value]:
        return {
            letter: Value(np.asarray(arithmetic.convert(data), dtype=object), (), data.ndim)
            for letter, data in self.numbers.items()
        }

    def _outcomes(self, expression: Expr) -> Value:
        weights, randoms = self._joint().enumerated(_MOST_OUTCOMES)
        for arithmetic in (EXACT, high_precision(_DIGITS)):
            values = self._converted(arithmetic) | {
                array: Value(np.asarray(arithmetic.convert(one.data), dtype=object), one.labels, one.rank)
                for array, one in randoms.items()
            }
            expect = partial(_weighted, weights=np.asarray(arithmetic.convert(weights), dtype=object))
            try:
                return evaluate(expression, Environment(arithmetic, self.sizes, values, expect))
            except NotRational:
                continue
        raise Unsupported(f"{expression} has no value")


def _mean(value: Value, joint: JointLaw) -> Value:
    each = np.frompyfunc(lambda item: mean(item, joint.variables), 1, 1)
    return Value(boxed(each(value.data), value.data), value.labels, value.rank)


def _weighted(value: Value, weights: Data) -> Value:
    if OUTCOME not in value.labels:
        return value
    product = combine(np.multiply, value, Value(weights, (OUTCOME,)))
    axis = product.labels.index(OUTCOME)
    labels = tuple(one for one in product.labels if one != OUTCOME)
    return Value(boxed(np.add.reduce(product.data, axis=axis), product.data), labels, product.rank)


# ------------------------------------------------------------------------------------- one kind of given


def _truths(value: Value, test: Callable[[Any], bool]) -> Value:
    """Where a test holds; for an array, where it holds of every entry. What is undefined passes no test."""
    each = np.frompyfunc(lambda one: one is not UNDEFINED and bool(test(one)), 1, 1)
    data = np.asarray(each(value.data), dtype=bool)
    axes = tuple(range(len(value.labels), data.ndim))
    return Value(np.asarray(data.all(axis=axes)), value.labels)


def _vanishes(value: Value) -> Value:
    return _truths(value, lambda one: one == 0 or float(abs(one)) <= _TINY)


def _signs(test: Callable[[Any], bool]) -> Callable[[Given, Place], Value]:
    return lambda given, place: _truths(place.value(given.args[0]), test)


def _equation(given: Given, place: Place) -> Value:
    left, right = given.args
    return _vanishes(place.value(Plus(left, Negative(right))))


def _distinct(given: Given, place: Place) -> Value:
    first, second = given.args
    return Value(~np.eye(size_of(first.dimension, place.sizes), dtype=bool), (first, second))


def _above(given: Given, place: Place) -> Value:
    """At which positions the entry lies above all others, by at least the distance if there is one."""
    vector, index, *distance = given.args
    value = place.value(vector)
    gap: Number = place.value(distance[0]).data[()] if distance else None
    if isinstance(gap, np.ndarray):
        raise Unsupported("a distance with a free index")
    rows = value.data.reshape(-1, value.data.shape[-1])
    tops = np.array([[_on_top(list(row), k, gap) for k in range(len(row))] for row in rows], dtype=bool)
    return entries(Value(tops.reshape(value.data.shape), value.labels, 1), (index,))


def _on_top(row: list[Any], place: int, gap: Number) -> bool:
    if UNDEFINED in row or gap is UNDEFINED:
        return False
    top, others = row[place], row[:place] + row[place + 1 :]
    return all(top > one if gap is None else top - one >= gap for one in others)


def _marks(given: Given, place: Place) -> Value:
    vector, marks = (place.value(one) for one in given.args)
    largest = vector.data.max(axis=-1, keepdims=True)
    where = Value(np.asarray(vector.data == largest, dtype=bool), vector.labels, 1)
    return _truths(combine(lambda one, mark: (mark == 1) & one | (mark == 0) & ~one, where, marks), bool)


def _at_least(given: Given, place: Place) -> Value:
    size, least = given.args
    return _truths(place.value(size), lambda one: bool(one >= int(least)))


def _moment(given: Given, place: Place) -> Value:
    subject, order, claimed = given.args
    if isinstance(subject, RandomArray):
        return EVERYWHERE  # the laws were made for it
    environment = place.moments
    value = evaluate(subject, environment)
    found = environment.expect(Value(boxed(value.data ** int(order), value.data), value.labels, value.rank))
    return _vanishes(combine(np.subtract, found, place.value(claimed)))


def _variance(given: Given, place: Place) -> Value:
    subject, claimed = given.args
    if isinstance(subject, RandomArray):
        return EVERYWHERE
    environment = place.moments
    value = evaluate(subject, environment)
    return _vanishes(combine(np.subtract, covariance(value, value, environment.expect), place.value(claimed)))


def _blocks(items: Iterable[Any], joint: JointLaw) -> frozenset[int]:
    """The independent blocks of variables on which polynomials depend."""
    polynomials = (one for one in items if isinstance(one, RandomPolynomial))
    return frozenset(
        joint.variables.block(number)
        for one in polynomials
        for monomial, coefficient in one.expanded().items()
        if coefficient
        for number, _ in monomial
    )


def _disjoint(sets: Iterable[frozenset[int]]) -> bool:
    return not any(first & second for first, second in combinations(list(sets), 2))


def _independent(given: Given, place: Place) -> Value:
    if all(isinstance(one, RandomArray) for one in given.args):
        return EVERYWHERE
    joint = place._joint()
    touched = (_blocks(place.polynomial(one).data.reshape(-1), joint) for one in given.args)
    return _known(_disjoint(touched))


def _independent_entries(given: Given, place: Place) -> Value:
    (subject,) = given.args
    if isinstance(subject, RandomArray):
        return EVERYWHERE
    joint = place._joint()
    return _known(_disjoint(_blocks([one], joint) for one in place.polynomial(subject).data.reshape(-1)))


def _identical(given: Given, place: Place) -> Value:
    (subject,) = given.args
    if isinstance(subject, RandomArray):
        return EVERYWHERE
    joint = place._joint()
    return _known(len({_form(one, joint) for one in place.polynomial(subject).data.reshape(-1)}) <= 1)


def _form(item: object, joint: JointLaw) -> object:
    """Equal for polynomials with one law: the same in renamed variables that have the same laws."""
    if not isinstance(item, RandomPolynomial):
        return item
    terms = {monomial: one for monomial, one in item.expanded().items() if one}
    numbers = sorted({number for monomial in terms for number, _ in monomial})
    kinds = tuple(joint.variables.kind(number) for number in numbers)
    if None in kinds:
        raise Unsupported("the law of an expression in dependent variables")
    name = {number: k for k, number in enumerate(numbers)}
    return kinds, frozenset((tuple((name[n], p) for n, p in monomial), one) for monomial, one in terms.items())


def _known(found: bool) -> Value:
    """A sufficient condition: where it fails, nothing is known."""
    if not found:
        raise Unsupported("whether a given about dependence holds is not known here")
    return EVERYWHERE


def _law(given: Given, place: Place) -> Value:
    if not isinstance(given.args[0], RandomArray):
        raise Unsupported("the law of an expression is not compared")
    return EVERYWHERE


def _nothing_to_check(given: Given, place: Place) -> Value:
    return EVERYWHERE


_READERS: Mapping[type[Given], Callable[[Given, Place], Value]] = MappingProxyType(
    {
        Positive: _signs(lambda one: bool(one > 0)),
        Nonnegative: _signs(lambda one: bool(one >= 0)),
        Nonzero: _signs(lambda one: bool(one != 0)),
        Equation: _equation,
        Distinct: _distinct,
        UniqueMaximum: _above,
        GapBelow: _above,
        MaximalEntries: _marks,
        AtLeast: _at_least,
        HasMoment: _moment,
        HasVariance: _variance,
        MutuallyIndependent: _independent,
        PairwiseIndependent: _independent,
        IndependentEntries: _independent_entries,
        IdenticallyDistributed: _identical,
        Integrable: _nothing_to_check,  # the laws have all moments
    }
)


# --------------------------------------------------------------------------------------- all of the givens


def admissible(givens: Iterable[Given], sizes: Mapping[Expr, int], numbers: Numbers, joint: JointLaw | None) -> Value:
    """Where all givens hold: truth values with one axis for each index that a given singles out.

    Raises :class:`NothingFound` where they hold nowhere or cannot be evaluated.
    """
    givens = tuple(givens)
    pinned, place = pinned_indices(givens), Place(sizes, numbers, joint)
    result = EVERYWHERE
    for given in givens:
        try:
            found = _READERS.get(type(given), _law)(given, place)
        except (NotEvaluated, ArithmeticError, TypeError) as error:
            raise NothingFound(f"a given cannot be evaluated here: {error}") from error
        result = combine(np.logical_and, result, within(found, pinned))
        if not result.data.any():
            raise NothingFound(f"the given {type(given).__name__} does not hold in this draw")
    return result


def within(truths: Value, kept: Iterable[object]) -> Value:
    """True where all entries along the other axes are."""
    wanted = set(kept)
    axes = tuple(k for k, label in enumerate(truths.labels) if label not in wanted)
    return Value(np.asarray(truths.data.all(axis=axes)), tuple(one for one in truths.labels if one in wanted))


def somewhere(truths: Value, kept: Iterable[object]) -> Value:
    """True where some entry along the other axes is."""
    wanted = set(kept)
    axes = tuple(k for k, label in enumerate(truths.labels) if label not in wanted)
    return Value(np.asarray(truths.data.any(axis=axes)), tuple(one for one in truths.labels if one in wanted))
