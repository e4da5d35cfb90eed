"""A violation of an inequality without random variables, where the drawn instances show none.

The difference of the sides, beside the size of their terms, is made as large as it gets over the numbers that the
givens leave free: from many starting points at once, each climbing by the signs of its difference quotients with a step
of its own for every number (Rprop, Riedmiller and Braun 1993); the best of them goes on along the valley (BFGS, Nocedal
and Wright 2006, section 6.1). That is done in doubles and proves nothing: the place found is rounded to simple
rationals, and what is asked of the statement there is up to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer

from derivations.language.symbols import Index
from derivations.language.written import Plus
from derivations.records import Relation
from numerics.arithmetic import DOUBLES
from numerics.conditions import admissible
from numerics.environments import Readers
from numerics.equations import Numbers, value_of
from numerics.errors import NotEvaluated, NothingFound, Unsupported
from numerics.evaluation import Environment, evaluate, size_of
from numerics.instances import Instance
from numerics.magnitudes import magnitude
from numerics.statements import Statement
from numerics.values import Label, Marker, Value, arranged, union

Floats: TypeAlias = NDArray[np.float64]
Excess: TypeAlias = Callable[[Floats], Floats]

_TRIAL = Marker("trial")

_SIZES = (2, 3, 4, 5)
_DRAWN = 256
_FAR = 20
_CLIMBING = 12
_TURNS = 12
_TURNS_ALONE = 25
_DIFFERENCE = 1e-6
_FIRST_STEP, _LONGEST, _SHORTEST = 0.2, 2.0, 1e-6
_LONGER, _SHORTER = 1.3, 0.5
_LARGEST_EXPONENT = 12.0
_STRICTLY = Fraction(1, 1000)

_FOUND = 1e-6
"""Relative; far above the rounding errors of doubles, so that nearly every place found is a violation."""

_EQUAL = -1e-9
"""A strict inequality is violated where the sides are equal, and then no excess is above zero."""

_NEAR = 0.5
"""A climb that ends farther below is not gone on with."""

_LOWEST = -2.0
"""No difference is lower, beside the terms; where a side is undefined it counts as this."""

_SMALLEST_SCALE = 1e-200
_DENOMINATORS = (10, 1000, 10**6)
_TRIED_AGAIN = 3


@dataclass(frozen=True)
class Coordinates:
    """The free numbers of a statement as one vector of reals; every vector stands for numbers that satisfy the signs
    and the distances that are given. ``places`` are the positions of the indices that lie above all others."""

    statement: Statement
    sizes: Mapping[Expr, int]
    places: Mapping[Index, int]
    readers: Readers

    @cached_property
    def shapes(self) -> Mapping[Expr, tuple[int, ...]]:
        """The shape of each scalar and array."""
        letters = self.statement.letters
        shapes: dict[Expr, tuple[int, ...]] = dict.fromkeys(letters.scalars, ())
        for array in letters.arrays:
            shapes[array] = tuple(size_of(size, self.sizes) for size in array.shape)
        return shapes

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(int(np.prod(shape, dtype=int)) for shape in self.shapes.values())

    def environment(self, points: Floats) -> Environment:
        """The meaning of all rows at once, along one axis."""
        facts, values = self.statement.facts, {}
        start = 0
        for letter, shape in self.shapes.items():
            size = int(np.prod(shape, dtype=int))
            data = points[:, start : start + size].reshape(-1, *shape)
            start += size
            if letter in facts.positive:
                data = np.exp(np.clip(data, -_LARGEST_EXPONENT, _LARGEST_EXPONENT))
            elif letter in facts.nonnegative:
                data = np.abs(data)
            values[letter] = Value(data, (_TRIAL,), len(shape))
        environment = Environment(DOUBLES, self.sizes, values, readers=self.readers)
        for vector, index, distance in facts.above:
            values[vector] = self._below(environment, vector, self.places[index], distance)
        return environment

    def _below(self, environment: Environment, vector: Expr, place: int, distance: Expr | None) -> Value:
        """The vector with the others reflected at the height below which they must lie."""
        data = environment.values[vector].data
        gap: Floats = np.asarray(float(_STRICTLY))
        if distance is not None:
            value = evaluate(distance, environment)
            if set(value.labels) > {_TRIAL}:
                raise Unsupported("a distance with a free index")
            gap = arranged(value, (_TRIAL,), 0)
        height = (data[:, place] - gap)[:, np.newaxis]
        below = height - np.abs(height - data)
        below[:, place] = data[:, place]
        return Value(below, (_TRIAL,), 1)

    def point(self, numbers: Mapping[Expr, NDArray[np.object_]]) -> Floats:
        """The vector of these numbers."""
        columns = []
        for letter in self.shapes:
            data = np.asarray(numbers[letter]).astype(float).reshape(-1)
            if letter in self.statement.facts.positive:
                data = np.log(np.maximum(data, np.exp(-_LARGEST_EXPONENT)))
            columns.append(data)
        return np.concatenate(columns) if columns else np.empty(0)


def _excess(
    coordinates: Coordinates, allowed: Callable[[Sequence[Label]], NDArray[np.bool_]]
) -> Callable[[Floats], Floats]:
    """By how much the inequality is violated at each row, relative to its terms; negative where it holds."""
    statement = coordinates.statement
    rising = statement.relation in (Relation.AT_MOST, Relation.LESS)
    low, high = statement.sides if rising else statement.sides[::-1]
    sized = [side for side, other in ((low, high), (high, low)) if other == Integer(0)]

    def excess(points: Floats) -> Floats:
        with np.errstate(all="ignore"):
            environment = coordinates.environment(points)
            sides = [[evaluate(term, environment) for term in _terms(side)] for side in (low, high)]
            sizes = [magnitude(side, environment) for side in sized]
            values = [*sides[0], *sides[1], *sizes]
            labels = (_TRIAL, *(one for one in union(values) if one != _TRIAL))
            data = np.broadcast_arrays(*(arranged(value, labels, 0) for value in values))
            terms = np.abs(data).max(axis=0)
            first, both = len(sides[0]), len(sides[0]) + len(sides[1])
            smaller, larger = np.sum(data[:first], axis=0), np.sum(data[first:both], axis=0)
            scale = np.maximum(terms, np.maximum(np.abs(smaller), np.abs(larger)))
            result = np.where(scale > _SMALLEST_SCALE, (smaller - larger) / scale, -np.inf)
        result = np.where(np.isfinite(result) & allowed(labels[1:]), result, -np.inf)
        worst = result.reshape(result.shape[0], -1).max(axis=1)
        return np.asarray(np.broadcast_to(worst, (len(points),)))

    return excess


def _terms(side: Expr) -> tuple[Expr, ...]:
    """What is added up: beside these a difference is measured, so that one from zero has a slope."""
    return side.args if isinstance(side, Plus) else (side,)


def _starts(generator: np.random.Generator, count: int, known: Sequence[Floats]) -> Floats:
    """Points of very different sizes, some with many zeros or with equal entries, and those that are known."""
    drawn = generator.standard_normal((_DRAWN, count)) * 10.0 ** generator.uniform(-1, 1, (_DRAWN, 1))
    far = (1 + generator.random((_FAR, count))) * 10.0 ** np.linspace(2, 40, _FAR)[:, np.newaxis]
    drawn[generator.random((_DRAWN, count)) < generator.choice([0.0, 0.5], (_DRAWN, 1))] = 0
    return np.concatenate([np.reshape(known, (-1, count)), drawn, np.round(drawn[: _DRAWN // 4]), far, -far])


def _climbed(excess: Excess, starts: Floats) -> tuple[Floats, Floats]:
    """The best point of each climb with its excess."""
    values = excess(starts)
    chosen = np.argsort(-values)[:_CLIMBING]
    points, best, height = starts[chosen], starts[chosen].copy(), values[chosen].copy()
    count = points.shape[1]
    steps, before = np.full(points.shape, _FIRST_STEP), np.zeros(points.shape)
    moved = np.concatenate([np.zeros((1, count)), _DIFFERENCE * np.eye(count)])
    for _ in range(_TURNS):
        if height.max() > _FOUND:
            break
        around = (points[:, np.newaxis] + moved).reshape(-1, count)
        found = excess(around).reshape(len(points), count + 1)
        better = found[:, 0] > height
        best[better], height[better] = points[better], found[better, 0]
        with np.errstate(invalid="ignore"):
            direction = np.nan_to_num(np.sign(found[:, 1:] - found[:, :1]))
        turned = direction * before
        steps = np.clip(np.where(turned > 0, _LONGER, np.where(turned < 0, _SHORTER, 1)) * steps, _SHORTEST, _LONGEST)
        points, before = points + direction * steps, direction
    top = int(np.argmax(height))
    if -_NEAR < height[top] <= _FOUND:
        best[top] = _along_the_valley(excess, best[top], moved)
        height[top] = excess(best[top : top + 1])[0]
    return best, height


def _along_the_valley(excess: Excess, start: Floats, moved: Floats) -> Floats:
    """Where a single climb with a model of the curvature ends."""
    import scipy.optimize  # takes a while to import, and is seldom needed

    def fall(point: Floats) -> tuple[float, Floats]:
        found = np.maximum(excess(point + moved), _LOWEST)
        return -float(found[0]), (found[0] - found[1:]) / _DIFFERENCE

    result = scipy.optimize.minimize(fall, start, jac=True, method="BFGS", options={"maxiter": _TURNS_ALONE})
    return np.asarray(result.x, dtype=float)


def _numbers(coordinates: Coordinates, point: Floats, denominator: int) -> Numbers:
    """The numbers of a point, rounded to rationals that still satisfy what is given."""
    environment, facts = coordinates.environment(point[np.newaxis]), coordinates.statement.facts
    numbers: Numbers = {}
    for letter, shape in coordinates.shapes.items():
        data = np.empty(shape, dtype=object)
        for position in np.ndindex(*shape):
            number = Fraction(float(environment.values[letter].data[(0, *position)])).limit_denominator(denominator)
            data[position] = max(number, Fraction(1, denominator)) if letter in facts.positive else number
        numbers[letter] = data
    for vector, index, distance in facts.above:
        gap = _STRICTLY if distance is None else value_of(distance, coordinates.sizes, numbers).data[()]
        if not isinstance(gap, Fraction):
            raise Unsupported("an irrational distance")
        data, place = numbers[vector], coordinates.places[index]
        for k, one in enumerate(data):
            data[k] = one if k == place else min(one, data[place] - gap)
    return numbers


def violations(
    statement: Statement, seed: int, known: Sequence[Instance] = (), *, readers: Readers
) -> Iterator[Instance]:
    """Instances, with simple numbers, at which an inequality of numbers seems to fail.

    Nothing where the statement is no such inequality, or an equation ties its numbers to each other.
    """
    facts, letters = statement.facts, statement.letters
    free = letters.scalars or letters.arrays
    tied = facts.equations or facts.marks or any(vector not in letters.arrays for vector, _, _ in facts.above)
    if statement.relation in (Relation.EQUALS, Relation.IFF) or statement.needs_digits or letters.randoms:
        return
    if tied or not free:
        return
    generator = np.random.default_rng(seed)
    for size in _SIZES if letters.dimensions else _SIZES[:1]:
        sizes: dict[Expr, int] = {one: max(size, facts.least.get(one, 1)) for one in letters.dimensions}
        try:
            yield from _at_size(statement, sizes, generator, known, readers)
        except (NotEvaluated, ArithmeticError):
            continue


def _at_size(
    statement: Statement,
    sizes: Mapping[Expr, int],
    generator: np.random.Generator,
    known: Sequence[Instance],
    readers: Readers,
) -> Iterator[Instance]:
    facts = statement.facts
    places = {index: int(generator.integers(size_of(index.dimension, sizes))) for _, index, _ in facts.above}
    coordinates = Coordinates(statement, sizes, places, readers)
    excess = _excess(coordinates, _allowed(statement, sizes, places))
    points = [coordinates.point(one.numbers) for one in known if dict(one.sizes) == dict(sizes)]
    best, height = _climbed(excess, _starts(generator, coordinates.count, points))
    for place in np.argsort(-height)[:_TRIED_AGAIN]:
        if height[place] <= (_EQUAL if statement.relation in (Relation.LESS, Relation.GREATER) else _FOUND):
            return
        for denominator in _DENOMINATORS:
            numbers = _numbers(coordinates, best[place], denominator)
            try:
                yield Instance(sizes, numbers, None, admissible(facts.givens, sizes, numbers, None))
            except NothingFound:
                continue


def _allowed(
    statement: Statement, sizes: Mapping[Expr, int], places: Mapping[Index, int]
) -> Callable[[Sequence[Label]], NDArray[np.bool_]]:
    """The entries that the givens speak about, for these labels."""

    def allowed(labels: Sequence[Label]) -> NDArray[np.bool_]:
        shape = [size_of(one.dimension, sizes) for one in labels if isinstance(one, Index)]
        result = np.ones(shape, dtype=bool)
        grids = dict(zip(labels, np.indices(shape), strict=True)) if shape else {}
        for index, place in places.items():
            if index in grids:
                result &= grids[index] == place
        for first, second in statement.facts.distinct:
            if first in grids and second in grids:
                result &= grids[first] != grids[second]
        return result

    return allowed
