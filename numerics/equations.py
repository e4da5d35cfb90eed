"""Making drawn numbers satisfy the equations among the givens: by construction where the form allows it, else by
solving for one number that occurs linearly. What was made is always checked afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

import numpy as np
from sympy import Expr, Integer, Rational, Symbol

from derivations.language.arrays import Array, Entry, RandomArray
from derivations.language.functions import Dot, Norm
from derivations.language.operators import Summation
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Dimension, Index
from derivations.language.written import Negative, Plus, Power
from numerics.arithmetic import EXACT, UNDEFINED, Arithmetic, high_precision
from numerics.errors import NotEvaluated, NothingFound, NotRational
from numerics.evaluation import Environment, evaluate
from numerics.values import Data, Number, Value, arranged, boxed, from_list

Numbers = dict[Expr, Data]
"""Scalars and arrays with their entries, fractions or high-precision reals."""

_DIGITS = 130
_TINY = 1e-100


def value_of(expression: Expr, sizes: Mapping[Expr, int], numbers: Mapping[Expr, Data]) -> Value:
    """The value, exact if the numbers and it are rational, else with many digits."""
    try:
        return evaluate(expression, _environment(EXACT, sizes, numbers))
    except NotRational:
        return evaluate(expression, _environment(high_precision(_DIGITS), sizes, numbers))


def _environment(arithmetic: Arithmetic, sizes: Mapping[Expr, int], numbers: Mapping[Expr, Data]) -> Environment:
    """An environment without random arrays."""
    values = {
        letter: Value(np.asarray(arithmetic.convert(data), dtype=object), (), data.ndim)
        for letter, data in numbers.items()
    }
    return Environment(arithmetic, sizes, values)


def _letters(expression: Expr) -> list[Expr]:
    found = [
        part
        for part in parts(expression)
        if isinstance(part, (Array, Symbol)) and not isinstance(part, (RandomArray, Dimension))
    ]
    return list(dict.fromkeys(one for one in found if isinstance(one, (Array, Symbol))))


def _definition(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    """``letter = ...`` or ``letter[i, j] = ...`` with different indices, the letter not on the right."""
    letter = left.array if isinstance(left, Entry) else left
    if letter not in numbers or letter in _letters(right):
        return False
    if not isinstance(left, Entry):
        value = value_of(right, sizes, numbers)
        if value.labels:
            return False
        numbers[letter] = np.asarray(np.broadcast_to(value.data, numbers[letter].shape), dtype=object)
        return True
    if len(set(left.indices)) < len(left.indices):
        return False
    value = value_of(right, sizes, numbers)
    if not set(value.labels) <= set(left.indices):
        return False
    data = arranged(value, left.indices, 0)
    numbers[letter] = np.array(np.broadcast_to(data, numbers[letter].shape), dtype=object)
    return True


def _symmetry(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    """``A[i, j] = A[j, i]``."""
    if not (isinstance(left, Entry) and isinstance(right, Entry) and left.array == right.array):
        return False
    if left.array not in numbers or left.indices != tuple(reversed(right.indices)) or len(left.indices) != 2:
        return False
    old = numbers[left.array]
    numbers[left.array] = np.triu(old) + np.triu(old, 1).T
    return True


def _normalisation(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    """``Sum(A[i, j], j) = c``: scale along the summed indices."""
    if not (isinstance(left, Summation) and isinstance(left.body, Entry) and left.body.array in numbers):
        return False
    array, indices = left.body.array, left.body.indices
    if len(set(indices)) < len(indices) or not set(left.indices) <= set(indices):
        return False
    axes = tuple(k for k, one in enumerate(indices) if one in left.indices)
    value = value_of(right, sizes, numbers)
    if not set(value.labels) <= set(indices) - set(left.indices):
        return False
    total = np.add.reduce(numbers[array], axis=axes, keepdims=True)
    if any(one == 0 for one in np.asarray(total).reshape(-1)):
        return False
    numbers[array] = np.array(numbers[array] / total * arranged(value, indices, 0), dtype=object)
    return True


def _unit_norm(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    """``norm(x) = 1``, ``dot(x, x) = 1`` or ``Sum(x[i]**2, i) = 1``: a rational point of the sphere.

    The inverse stereographic projection of rational y is (2y, |y|² - 1)/(|y|² + 1).
    """
    letter: Expr | None = None
    if isinstance(left, Norm) or (isinstance(left, Dot) and left.args[0] == left.args[1]):
        letter = left.args[0]
    elif isinstance(left, Summation) and isinstance(left.body, Power) and left.body.args[1] == 2:
        inner = left.body.args[0]
        letter = inner.array if isinstance(inner, Entry) and set(inner.indices) == set(left.indices) else None
    if letter not in numbers or right != Integer(1):
        return False
    old = numbers[letter]
    start = old.reshape(-1)[:-1]
    square = sum((one * one for one in start), Fraction(0))
    point = [*(2 * one / (square + 1) for one in start), (square - 1) / (square + 1)]
    numbers[letter] = np.array(point, dtype=object).reshape(old.shape)
    return True


def _square(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    """``letter**2 = ...``: the root with the sign that the letter has."""
    if not (isinstance(left, Power) and left.args[1] == Integer(2) and left.args[0] in numbers):
        return False
    letter = left.args[0]
    value = value_of(Power(right, Rational(1, 2)), sizes, numbers)
    if letter in _letters(right) or value.labels:
        return False
    numbers[letter] = np.asarray(-value.data[()] if numbers[letter][()] < 0 else value.data[()], dtype=object)
    return True


def _taken(value: Value, at: Mapping[Index, int]) -> Value:
    """The value where some indices have these positions, counted from 0."""
    kept = tuple(one for one in value.labels if one not in at)
    places = tuple(at[one] if isinstance(one, Index) and one in at else slice(None) for one in value.labels)
    return Value(boxed(value.data[places], value.data), kept, value.rank)


def _entry_definition(
    left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers, at: Mapping[Index, int]
) -> bool:
    """``letter[k, j] = ...`` for one k only: the other entries stay."""
    if not isinstance(left, Entry) or left.array not in numbers or left.array in _letters(right):
        return False
    if len(set(left.indices)) < len(left.indices):
        return False
    value = _taken(value_of(right, sizes, numbers), at)
    free = tuple(one for one in left.indices if one not in at)
    if not set(value.labels) <= set(free):
        return False
    changed = numbers[left.array].copy()
    changed[tuple(at.get(one, slice(None)) for one in left.indices)] = arranged(value, free, 0)
    numbers[left.array] = changed
    return True


def _residual(left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> Value:
    return value_of(Plus(left, Negative(right)), sizes, numbers)


def _linear(
    left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers, at: Mapping[Index, int] | None = None
) -> bool:
    """Solve for one scalar or one entry in which left - right is linear."""
    for letter in [*_letters(left), *_letters(right)]:
        if letter not in numbers:
            continue
        for position in reversed(list(np.ndindex(*numbers[letter].shape))):
            solution = _linear_solution(left, right, sizes, numbers, (letter, position), at or {})
            if solution is not None:
                changed = numbers[letter].copy()
                changed[position] = solution
                numbers[letter] = changed
                return True
    return False


def _linear_solution(
    left: Expr,
    right: Expr,
    sizes: Mapping[Expr, int],
    numbers: Numbers,
    place: tuple[Expr, tuple[int, ...]],
    at: Mapping[Index, int],
) -> Number | None:
    """The value of one number at which left - right is zero, or None if that is not linear in it."""
    letter, position = place
    trials: list[Number] = []
    for number in (0, 1, 2):
        changed = numbers[letter].copy()
        changed[position] = Fraction(number)
        value = _taken(_residual(left, right, sizes, {**numbers, letter: changed}), at)
        if value.labels or value.rank:
            return None
        trials.append(value.data[()])
    if UNDEFINED in trials:
        return None
    if not all(isinstance(one, Fraction) for one in trials):
        trials = list(high_precision(_DIGITS).convert(from_list(trials, (3,))))
    at_zero, at_one, at_two = trials
    slope, bend = at_one - at_zero, at_two - 2 * at_one + at_zero
    if abs(float(bend)) > _TINY or abs(float(slope)) <= _TINY:
        return None
    return -at_zero / slope


_Method = Callable[[Expr, Expr, Mapping[Expr, int], Numbers], bool]
_METHODS: tuple[_Method, ...] = (_definition, _symmetry, _normalisation, _unit_norm, _square, _linear)


def holds(
    left: Expr, right: Expr, sizes: Mapping[Expr, int], numbers: Numbers, at: Mapping[Index, int] | None = None
) -> bool:
    """Whether the equation is true for these numbers: exactly, or to a hundred digits where they are irrational."""
    residual = _taken(_residual(left, right, sizes, numbers), at or {}).data.reshape(-1)
    return all(one is not UNDEFINED and float(abs(one)) <= _TINY for one in residual)


def satisfy(
    equations: tuple[tuple[Expr, Expr], ...],
    sizes: Mapping[Expr, int],
    numbers: Numbers,
    at: Mapping[Index, int] | None = None,
) -> Numbers:
    """Changed numbers that satisfy all equations. Raises :class:`NothingFound` where that fails.

    ``at`` are the positions of indices that some given singles out: an equation with them holds there only.
    """
    result, at = dict(numbers), at or {}
    for left, right in equations:
        if any(isinstance(part, RandomArray) for side in (left, right) for part in parts(side)):
            raise NothingFound("an equation about random arrays")
        if not holds(left, right, sizes, result, at):
            pinned = {one: at[one] for one in at if one in free_indices(left) | free_indices(right)}
            methods = _METHODS if not pinned else tuple(partial(one, at=pinned) for one in (_entry_definition, _linear))
            any(
                method(first, second, sizes, result)
                for method in methods
                for first, second in ((left, right), (right, left))
            )
    for left, right in equations:
        try:
            good = holds(left, right, sizes, result, at)
        except NotEvaluated as error:
            raise NothingFound(f"the equation {left} = {right} has no value") from error
        if not good:
            raise NothingFound(f"no numbers found with {left} = {right}")
    return result


def constrained(equations: tuple[tuple[Expr, Expr], ...]) -> frozenset[Expr]:
    """The letters that occur in an equation."""
    return frozenset(letter for pair in equations for side in pair for letter in _letters(side))
