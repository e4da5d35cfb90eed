"""The value of a written expression in a small world, straight from its meaning. Nothing here uses the kernel."""

from fractions import Fraction
from itertools import product

import mpmath
import sympy

from derivations.language import arrays, functions, operators, order, symbols, written
from derivations.language.written import shape_of

from . import worlds
from .worlds import Undefined, add, factor, inverse, times, total


def value(expression, world):
    """The value of a scalar expression."""
    for kind in type(expression).__mro__:
        if kind in _SCALARS:
            return _SCALARS[kind](expression, world)
    raise NotImplementedError(type(expression).__name__)


def entry(expression, place, world):
    """An entry of an array-valued expression."""
    for kind in type(expression).__mro__:
        if kind in _ARRAYS:
            return _ARRAYS[kind](expression, place, world)
    raise NotImplementedError(type(expression).__name__)


def size(dimension, world):
    found = value(dimension, world)
    assert found == int(found)
    return int(found)


def shape(expression, world):
    return tuple(size(one, world) for one in shape_of(expression))


def random_names(expression):
    """The random arrays that occur outside every inner expectation."""
    if isinstance(expression, arrays.RandomArray):
        return frozenset([expression.name])
    if isinstance(expression, (operators.Expectation, operators.Variance, operators.Covariance, symbols.Index)):
        return frozenset()
    return frozenset().union(*(random_names(one) for one in expression.args))


def vector(expression, world):
    return [entry(expression, place, world) for place in worlds.places(shape(expression, world))]


def _summation(expression, world):
    ranges = [range(size(one.dimension, world)) for one in expression.indices]
    return total(
        value(expression.body, world.at(dict(zip(expression.indices, place, strict=True))))
        for place in product(*ranges)
    )


def _distinct_summation(expression, world):
    ranges = [range(size(one.dimension, world)) for one in expression.indices]
    return total(
        value(expression.body, world.at(dict(zip(expression.indices, place, strict=True))))
        for place in product(*ranges)
        if len(set(place)) == len(place)
    )


def _order_statistic(expression, world):
    entries = sorted(vector(expression.args[0], world), key=worlds.real, reverse=True)
    if expression.rank > len(entries):
        raise Undefined("fewer entries than the rank")
    return entries[expression.rank - 1] if expression.rank > 0 else entries[-1]


def _expectation(expression, world):
    operand = expression.args[0]
    return world.mean(random_names(operand), lambda outcome: value(operand, outcome))


def _covariance(expression, world):
    first, second = expression.args[0], expression.args[-1]
    names = random_names(first) | random_names(second)
    return world.covariance(names, lambda one: value(first, one), lambda one: value(second, one))


def _differential(expression, world):
    operand, variable = expression.args
    if isinstance(variable, arrays.Entry):
        name, place = variable.array.name, tuple(world.indices[one] for one in variable.indices)
        return worlds.slope(lambda at: value(operand, world.with_entry(name, place, at)), world.arrays[name][place])
    return worlds.slope(lambda at: value(operand, world.with_scalar(variable.name, at)), world.scalars[variable.name])


def _entry(expression, world):
    return entry(expression.array, tuple(world.indices[one] for one in expression.indices), world)


def _trace(expression, world):
    rows = shape(expression.args[0], world)[0]
    return total(entry(expression.args[0], (k, k), world) for k in range(rows))


def _log_sum_exp(expression, world):
    return worlds.function("log", total(worlds.function("exp", one) for one in vector(expression.args[0], world)))


def _softmax(expression, place, world):
    exponentials = [worlds.function("exp", one, world.largest) for one in vector(expression.args[0], world)]
    return times(exponentials[place[0]], inverse(total(exponentials)))


def _product(expression, place, world):
    left, right = expression.args
    inner = shape(right, world)[0]
    return total(times(entry(left, (place[0], k), world), entry(right, (k, *place[1:]), world)) for k in range(inner))


def _scaled(expression, place, world):
    return factor(entry(one, place, world) if shape_of(one) else value(one, world) for one in expression.args)


_SCALARS = {
    sympy.Rational: lambda one, world: Fraction(int(one.p), int(one.q)),
    sympy.pi.__class__: lambda one, world: mpmath.pi(),
    symbols.Dimension: lambda one, world: Fraction(world.sizes[one.name]),
    symbols.Scalar: lambda one, world: world.scalars[one.name],
    symbols.Index: lambda one, world: Fraction(world.indices[one] + 1),
    symbols.Delta: lambda one, world: Fraction(world.indices[one.args[0]] == world.indices[one.args[1]]),
    arrays.RandomArray: lambda one, world: world.arrays[one.name][()],
    arrays.Entry: _entry,
    written.Plus: lambda one, world: total(value(part, world) for part in one.args),
    written.Times: lambda one, world: factor(value(part, world) for part in one.args),
    written.Negative: lambda one, world: times(-1, value(one.args[0], world)),
    written.Quotient: lambda one, world: times(value(one.args[0], world), inverse(value(one.args[1], world))),
    written.Power: lambda one, world: worlds.power(value(one.args[0], world), value(one.args[1], world)),
    operators.Summation: _summation,
    operators.DistinctSummation: _distinct_summation,
    order.OrderStatistic: _order_statistic,
    operators.Expectation: _expectation,
    operators.Variance: _covariance,
    operators.Covariance: _covariance,
    operators.Differential: _differential,
    functions.Elementary: lambda one, world: worlds.function(one.name, value(one.operand, world), world.largest),
    functions.Dot: lambda one, world: total(
        times(*pair) for pair in zip(*(vector(part, world) for part in one.args), strict=True)
    ),
    functions.Norm: lambda one, world: worlds.power(
        total(times(part, part) for part in vector(one.args[0], world)), Fraction(1, 2)
    ),
    functions.Trace: _trace,
    functions.LogSumExp: _log_sum_exp,
}

_ARRAYS = {
    arrays.Array: lambda one, place, world: world.arrays[one.name][place],
    arrays.Transpose: lambda one, place, world: entry(one.args[0], place[::-1], world),
    arrays.MatrixProduct: _product,
    arrays.Tabulated: lambda one, place, world: value(
        one.args[0], world.at(dict(zip(one.indices, place, strict=True)))
    ),
    functions.Softmax: _softmax,
    written.Plus: lambda one, place, world: total(entry(part, place, world) for part in one.args),
    written.Times: _scaled,
    written.Negative: lambda one, place, world: times(-1, entry(one.args[0], place, world)),
    written.Quotient: lambda one, place, world: times(
        entry(one.args[0], place, world), inverse(value(one.args[1], world))
    ),
}


def assignments(indices, world):
    """The world at every value of these free indices, coinciding ones included."""
    ordered = sorted(indices, key=lambda one: one.name)
    for place in product(*(range(size(one.dimension, world)) for one in ordered)):
        yield world.at(dict(zip(ordered, place, strict=True)))


def defined_value(expression, world):
    """The value, or the exception that says why there is none to compare."""
    try:
        return add(0, value(expression, world))
    except Undefined as reason:
        return reason
