"""Whether the nodes of a quadrature see a function: a peak between two nodes, a jump or a pole is seen by none.

Two rules that agree have both missed what is narrower than their steps. So a third grid, finer and shifted, follows
what goes into each function inside the expectation: from node to node an argument may change a little only, a
denominator or the operand of a logarithm may keep its sign and order of magnitude. A polynomial hides nothing between
such nodes, and neither does a function of it. Where that fails, the quadrature is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import pi, prod

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Rational
from sympy.core.basic import Basic

from derivations.language.functions import Elementary, LogSumExp, Softmax, log
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import parts
from derivations.language.written import Power, Quotient, Times
from numerics.arithmetic import DOUBLES
from numerics.environments import Readers, weighted
from numerics.errors import NotEvaluated, TooLarge
from numerics.evaluation import READERS, Environment, evaluate
from numerics.instances import Instance
from numerics.joint import Block, FiniteBlock
from numerics.laws import INTERVAL, NORMAL
from numerics.statements import MEANS, Statement
from numerics.values import OUTCOME, Value, boxed

Floats = NDArray[np.float64]

_STEPS = {1: 1 / 32, 2: 1 / 8}
_REACH = 9
_INTERVAL_NODES = {1: 200, 2: 40}
_MOST_NODES = 60_000
_NEGLIGIBLE = 1e-9
"""Of the largest weight: what is hidden there does not count."""

_CHANGE = 2.0
_RATIO = 4.0


@dataclass(frozen=True)
class Grid:
    """A third rule in doubles: an environment, the shape of its outcomes by block, and which blocks are continuous."""

    environment: Environment
    weights: Floats
    shape: tuple[int, ...]
    continuous: tuple[int, ...]


def _nodes(block: Block, cells: int) -> tuple[Floats, Floats]:
    """Points (one column for each cell) and weights."""
    if isinstance(block, FiniteBlock):
        return np.array(block.outcomes, dtype=float), np.array(block.weights, dtype=float)
    law = block.law
    if law.standard is NORMAL:
        step = _STEPS[cells]
        points = np.arange(-_REACH, _REACH, step) + step / 3
        weights = step * np.exp(-points * points / 2) / (2 * pi) ** 0.5
    elif law.standard is INTERVAL:
        points, weights = np.polynomial.legendre.leggauss(_INTERVAL_NODES[cells])
        weights = weights / 2
    else:
        raise TooLarge(f"no quadrature for the law {law.standard.name}")
    columns = [float(one.law.location) + one.sign * float(one.law.square) ** 0.5 * points for one in block.each]
    return np.stack(columns, axis=1), weights


def grid(instance: Instance, readers: Readers = READERS) -> Grid:
    """The third rule. Raises :class:`TooLarge` for too many nodes."""
    joint = instance.joint
    if joint is None:
        raise TooLarge("nothing is random")
    continuous = tuple(k for k, block in enumerate(joint.blocks) if not isinstance(block, FiniteBlock))
    if len(continuous) not in _STEPS:
        raise TooLarge("too many continuous variables for a quadrature")
    nodes = [_nodes(block, len(continuous)) for block in joint.blocks]
    shape = tuple(len(weights) for _, weights in nodes)
    if prod(shape) > _MOST_NODES:
        raise TooLarge("too many nodes")
    choices = np.indices(shape).reshape(len(shape), -1)
    total = np.ones(choices.shape[1])
    count = 1 + max((int(numbers.max()) for numbers in joint.cells.values()), default=-1)
    table = np.empty((count, choices.shape[1]))
    for block, (points, weights), choice in zip(joint.blocks, nodes, choices, strict=True):
        total *= weights[choice]
        for place, cell in enumerate(block.cells):
            table[cell] = points[choice, place]
    values: dict[Expr, Value] = {
        letter: Value(np.asarray(data).astype(float), (), data.ndim) for letter, data in instance.numbers.items()
    }
    for array, numbers in joint.cells.items():
        values[array] = Value(np.moveaxis(table[numbers], -1, 0), (OUTCOME,), numbers.ndim)
    expect = partial(weighted, weights=total)
    environment = Environment(DOUBLES, instance.sizes, values, expect, readers=readers)
    return Grid(environment, total, shape, continuous)


_HIGHEST_POWER = 12
"""A polynomial of a higher degree may have a peak between nodes; then its logarithm must not change much there."""


def _arguments(statement: Statement) -> Iterator[tuple[Expr, bool]]:
    """What goes into functions inside expectations; with True, what must not come near zero."""
    for side in statement.sides:
        for mean in parts(side):
            if isinstance(mean, MEANS):
                for part in parts(mean):
                    yield from _of_part(part)


def _of_part(part: Basic) -> Iterator[tuple[Expr, bool]]:
    if isinstance(part, Elementary):
        if part.name != "abs":
            yield part.operand, part.name == "log"
    elif isinstance(part, (Softmax, LogSumExp)):
        yield part.args[0], False
    elif isinstance(part, Quotient):
        yield part.args[1], True
    elif isinstance(part, Power):
        base, exponent = part.args
        if not isinstance(exponent, Rational):
            yield exponent, False
        elif abs(int(exponent.p)) > _HIGHEST_POWER * int(exponent.q):
            yield Times(exponent, log(base)), False
        if not (isinstance(exponent, Rational) and int(exponent.p) > 0):
            yield base, True


def resolved(statement: Statement, third: Grid) -> bool:
    """Whether nothing can hide between the nodes of the third grid."""
    wanted = dict.fromkeys(one for one in _arguments(statement) if open_random_arrays(one[0]))
    return all(_is_followed(expression, away, third) for expression, away in wanted)


def follows(expression: Expr, third: Grid) -> bool:
    """Whether nothing can hide between the nodes of a grid in a function of them."""
    wanted = dict.fromkeys(one for part in parts(expression) for one in _of_part(part))
    return all(_is_followed(argument, away, third) for argument, away in wanted)


def _is_followed(expression: Expr, away_from_zero: bool, third: Grid) -> bool:
    try:
        value = evaluate(expression, third.environment)
    except (NotEvaluated, ArithmeticError):
        return False
    if OUTCOME not in value.labels:
        return True
    axis = value.labels.index(OUTCOME)
    data = np.moveaxis(np.asarray(boxed(value.data, value.data), dtype=float), axis, 0)
    data = data.reshape(*third.shape, -1)
    weights = third.weights.reshape(*third.shape, 1)
    return all(_is_smooth(data, weights, axis, away_from_zero) for axis in third.continuous)


def _is_smooth(data: Floats, weights: Floats, axis: int, away_from_zero: bool) -> bool:
    first, second = _neighbours(data, axis)
    counts = np.broadcast_to(np.maximum(*_neighbours(weights, axis)) > _NEGLIGIBLE * weights.max(), first.shape)
    first, second = first[counts], second[counts]
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        return False
    if not away_from_zero:
        return bool((np.abs(second - first) <= _CHANGE).all())
    low, high = np.minimum(np.abs(first), np.abs(second)), np.maximum(np.abs(first), np.abs(second))
    return bool(((np.sign(first) == np.sign(second)) & (high <= _RATIO * low) & (low > 0)).all())


def _neighbours(data: Floats, axis: int) -> Sequence[Floats]:
    size = data.shape[axis]
    return data.take(range(size - 1), axis=axis), data.take(range(1, size), axis=axis)
