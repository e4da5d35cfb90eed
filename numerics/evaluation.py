"""The value of an expression: one reader for each kind of node, in any arithmetic.

Every definition here is the numerics' own. Expectations and random arrays get their meaning from the environment,
which says what ``E`` does with a value: a weighted sum over enumerated outcomes, moments of a polynomial, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import sympy
from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic
from sympy.core.numbers import Exp1

from derivations.language.arrays import Array, Entry, MatrixProduct, Tabulated, Transpose
from derivations.language.functions import Dot, Elementary, LogSumExp, Norm, Softmax, Trace
from derivations.language.operators import (
    Covariance,
    Differential,
    DistinctSummation,
    Expectation,
    Limit,
    Summation,
    Variance,
)
from derivations.language.order import OrderStatistic
from derivations.language.symbols import Delta, Dimension, Index, Scalar
from derivations.language.written import Negative, Plus, Power, Quotient, Times
from numerics.arithmetic import EXACT, Arithmetic
from numerics.errors import NothingFound, NotRational, Unsupported
from numerics.values import (
    Data,
    Label,
    Marker,
    Number,
    Value,
    boxed,
    combine,
    entries,
    merged,
    positional,
    spread,
    summed,
)

Expect: TypeAlias = Callable[[Value], Value]


def no_expectation(value: Value) -> Value:
    """The meaning of E where nothing is random."""
    raise Unsupported("an expectation, but no law to take it over")


@dataclass(frozen=True)
class Environment:
    """What the letters mean.

    ``sizes`` maps each dimension symbol to its integer, ``values`` each scalar and array to a :class:`Value` whose rank
    is its number of indices. ``expect`` is E. ``step`` is the step of central differences,
    ``far`` stands for infinity in limits. ``known`` holds values
    of whole subexpressions that were computed before.
    """

    arithmetic: Arithmetic
    sizes: Mapping[Expr, int]
    values: Mapping[Expr, Value]
    expect: Expect = no_expectation
    step: Fraction = Fraction(1, 2**10)
    far: Fraction = Fraction(10**10)
    known: Mapping[Expr, Value] = field(default_factory=dict)
    readers: Mapping[type[Basic], Reader] = field(default_factory=lambda: READERS)
    level: int = 0


Reader: TypeAlias = Callable[[Any, Environment], Value]


def evaluate(expression: Expr, environment: Environment) -> Value:
    """The value of an expression, with one axis for each free index.

    Raises :class:`~numerics.errors.Unsupported` for a node without a reader, and whatever the arithmetic raises.
    """
    if environment.known and expression in environment.known:
        return environment.known[expression]
    for kind in type(expression).__mro__:
        reader = environment.readers.get(kind)
        if reader is not None:
            return reader(expression, environment)
    raise Unsupported(f"the numerics cannot evaluate {type(expression).__name__}")


def size_of(size: Expr, sizes: Mapping[Expr, int]) -> int:
    """The integer that a size stands for. Raises :class:`NothingFound` unless it is a positive integer."""
    if isinstance(size, Integer):
        return int(size)
    if size in sizes:
        return sizes[size]
    try:
        number = evaluate(size, Environment(EXACT, sizes, {})).data[()]
    except NotRational as error:
        raise NothingFound(f"the size {size} is no integer") from error
    if not isinstance(number, Fraction) or number.denominator != 1 or number < 1:
        raise NothingFound(f"the size {size} is {number} here")
    return int(number)


def constant(number: Fraction, environment: Environment) -> Value:
    """A number without axes."""
    return _single(environment.arithmetic.constant(number))


def _single(item: Number) -> Value:
    data = np.empty((), dtype=float if isinstance(item, float) else object)
    data[()] = item
    return Value(data)


def from_fractions(data: Data, labels: tuple[Label, ...], environment: Environment, rank: int = 0) -> Value:
    """Fractions, converted to the arithmetic of the environment."""
    return Value(boxed(environment.arithmetic.convert(data), data), labels, rank)


def _rational(expression: Rational, environment: Environment) -> Value:
    return constant(Fraction(int(expression.p), int(expression.q)), environment)


def _named_constant(name: str) -> Reader:
    def read(_: Expr, environment: Environment) -> Value:
        if name not in environment.arithmetic.constants:
            raise NotRational(f"{name} is irrational")
        return _single(environment.arithmetic.constants[name])

    return read


def _dimension(expression: Dimension, environment: Environment) -> Value:
    return constant(Fraction(size_of(expression, environment.sizes)), environment)


def _letter(expression: Expr, environment: Environment) -> Value:
    if expression not in environment.values:
        raise NothingFound(f"{expression} has no value")
    return environment.values[expression]


def _positions(size: int) -> Data:
    data = np.empty(size, dtype=object)
    data[:] = [Fraction(k) for k in range(1, size + 1)]
    return data


def _index(expression: Index, environment: Environment) -> Value:
    size = size_of(expression.dimension, environment.sizes)
    return from_fractions(_positions(size), (expression,), environment)


def identity(size: int) -> Data:
    """The unit matrix in fractions."""
    data = np.full((size, size), Fraction(0), dtype=object)
    np.fill_diagonal(data, Fraction(1))
    return data


def _delta(expression: Delta, environment: Environment) -> Value:
    first, second = expression.args
    data = identity(size_of(first.dimension, environment.sizes))
    unit = from_fractions(data, (), environment, rank=2)
    return entries(unit, (first, second))


def _entry(expression: Entry, environment: Environment) -> Value:
    return entries(evaluate(expression.array, environment), expression.indices)


def _plus(expression: Expr, environment: Environment) -> Value:
    total = evaluate(expression.args[0], environment)
    for term in expression.args[1:]:
        operation: Any = np.subtract if isinstance(term, Negative) else np.add
        shown = term.args[0] if isinstance(term, Negative) else term
        total = combine(operation, total, evaluate(shown, environment))
    return total


def _times(expression: Expr, environment: Environment) -> Value:
    product = evaluate(expression.args[0], environment)
    for factor in expression.args[1:]:
        product = combine(np.multiply, product, evaluate(factor, environment))
    return product


def _negative(expression: Negative, environment: Environment) -> Value:
    return combine(np.negative, evaluate(expression.args[0], environment))


def _quotient(expression: Quotient, environment: Environment) -> Value:
    top, bottom = (evaluate(part, environment) for part in expression.args)
    return combine(environment.arithmetic.divide, top, bottom)


def _power(expression: Expr, environment: Environment) -> Value:
    base, exponent = (evaluate(part, environment) for part in expression.args)
    return combine(environment.arithmetic.power, base, exponent)


def _elementary(expression: Elementary, environment: Environment) -> Value:
    return combine(environment.arithmetic.functions[expression.name], evaluate(expression.operand, environment))


def _sympy_function(name: str) -> Reader:
    def read(expression: Expr, environment: Environment) -> Value:
        return combine(environment.arithmetic.functions[name], evaluate(expression.args[0], environment))

    return read


def _factors(expression: Expr) -> tuple[Expr, ...]:
    if isinstance(expression, Times):
        return tuple(inner for factor in expression.args for inner in _factors(factor))
    return (expression,)


def _summation(expression: Summation, environment: Environment) -> Value:
    sizes: dict[Label, int] = {one: size_of(one.dimension, environment.sizes) for one in expression.indices}
    factors = [evaluate(factor, environment) for factor in _factors(expression.body)]
    return environment.arithmetic.contract(factors, sizes)


def _index_sizes(indices: tuple[Index, ...], environment: Environment) -> dict[Label, int]:
    return {one: size_of(one.dimension, environment.sizes) for one in indices}


def _distinct_summation(expression: DistinctSummation, environment: Environment) -> Value:
    """What the body is where indices coincide does not count, not even if it is undefined there."""
    sizes = _index_sizes(expression.indices, environment)
    value = spread(evaluate(expression.body, environment), sizes)
    zero = constant(Fraction(0), environment)
    for first, second in combinations(expression.indices, 2):
        coincide = Value(np.eye(sizes[first], dtype=bool), (first, second))
        value = combine(np.where, coincide, zero, value)
    for label, size in sizes.items():
        value = summed(value, label, size)
    return value


def _tabulated(expression: Tabulated, environment: Environment) -> Value:
    value = evaluate(expression.args[0], environment)
    return positional(spread(value, _index_sizes(expression.indices, environment)), expression.indices)


def _order_statistic(expression: OrderStatistic, environment: Environment) -> Value:
    """By sorting; undefined where the vector has too few entries."""
    vector = evaluate(expression.args[0], environment)
    size, rank = vector.data.shape[-1], expression.rank
    if rank > size:
        data = np.full(vector.data.shape[:-1], environment.arithmetic.nothing, dtype=vector.data.dtype)
        return Value(data, vector.labels)
    if environment.arithmetic.undefined(vector.data).any():
        raise Unsupported("an order statistic of undefined entries")
    ordered = np.sort(vector.data, axis=-1)
    return Value(boxed(ordered[..., 0 if rank == -1 else size - rank], vector.data), vector.labels)


def _limit(expression: Limit, environment: Environment) -> Value:
    """The operand far out; whether it has settled there shows when it is evaluated still farther out.

    A limit inside goes still farther, since its variable runs first.
    """
    operand, variable = expression.args
    far = constant(environment.far, environment)
    values = {**environment.values, variable: far}
    return evaluate(operand, replace(environment, values=values, far=environment.far**2, known={}))


def _dot(expression: Dot, environment: Environment) -> Value:
    axis = Marker("contracted")
    first, second = (evaluate(part, environment) for part in expression.args)
    size = first.data.shape[-1]
    return environment.arithmetic.contract([entries(first, (axis,)), entries(second, (axis,))], {axis: size})


def _matrix_product(expression: MatrixProduct, environment: Environment) -> Value:
    first, second = (evaluate(part, environment) for part in expression.args)
    row, inner, column = Marker("row"), Marker("contracted"), Marker("column")
    right = (inner, column)[: second.rank]
    product = environment.arithmetic.contract(
        [entries(first, (row, inner)), entries(second, right)], {inner: first.data.shape[-1]}
    )
    return positional(product, (row, *right[1:]))


def _transpose(expression: Transpose, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    return Value(np.swapaxes(operand.data, -1, -2), operand.labels, 2)


def _trace(expression: Trace, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    axis = Marker("contracted")
    return environment.arithmetic.contract([entries(operand, (axis, axis))], {axis: operand.data.shape[-1]})


def _norm(expression: Norm, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    axes = tuple(Marker("contracted", k) for k in range(operand.rank))
    read = entries(operand, axes)
    sizes: dict[Label, int] = dict(zip(axes, operand.data.shape[len(operand.labels) :], strict=True))
    squares = environment.arithmetic.contract([read, read], sizes)
    return combine(environment.arithmetic.power, squares, constant(Fraction(1, 2), environment))


def _softmax(expression: Softmax, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    return Value(environment.arithmetic.softmax(operand.data), operand.labels, 1)


def _logsumexp(expression: LogSumExp, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    return Value(boxed(environment.arithmetic.logsumexp(operand.data), operand.data), operand.labels)


def _expectation(expression: Expectation, environment: Environment) -> Value:
    return environment.expect(evaluate(expression.args[0], environment))


def covariance(first: Value, second: Value, expect: Expect) -> Value:
    """E[(X - E X)(Y - E Y)], as it is defined."""
    left, right = (combine(np.subtract, one, expect(one)) for one in (first, second))
    return expect(combine(np.multiply, left, right))


def _variance(expression: Variance, environment: Environment) -> Value:
    operand = evaluate(expression.args[0], environment)
    return covariance(operand, operand, environment.expect)


def _covariance(expression: Covariance, environment: Environment) -> Value:
    first, second = (evaluate(part, environment) for part in expression.args)
    return covariance(first, second, environment.expect)


def _differential(expression: Differential, environment: Environment) -> Value:
    """Central differences with one extrapolation, (4 D(h/2) - D(h))/3, whose error falls with h**4.

    Where forward and backward differences stay apart as the step is halved there is a kink: no derivative.
    """
    operand, variable = expression.args
    letter = variable.array if isinstance(variable, Entry) else variable
    old = evaluate(letter, environment)
    axes = tuple(Marker(f"perturbed {k}", environment.level) for k in range(old.rank))
    shape = old.data.shape[len(old.labels) :]
    inside = replace(environment, level=environment.level + 1, known={})
    cells = int(np.prod(shape, dtype=int))
    unit = from_fractions(identity(cells).reshape((*shape, *shape)), axes, environment, old.rank)

    def moved(step: Fraction) -> tuple[Value, Value]:
        shift = combine(np.multiply, unit, constant(step, environment))
        up, down = (
            evaluate(operand, replace(inside, values={**environment.values, letter: combine(operation, old, shift)}))
            for operation in (np.add, np.subtract)
        )
        return up, down

    step = environment.step
    middle = evaluate(operand, inside)
    wide, narrow = moved(step), moved(step / 2)
    value = combine(
        partial(_extrapolated, step=environment.arithmetic.constant(step)), wide[0], wide[1], narrow[0], narrow[1]
    )
    rounding = environment.arithmetic.constant(_ROUNDING * step**5)
    kinked = combine(partial(_kinked, rounding=rounding), middle, wide[0], wide[1], narrow[0], narrow[1])
    nothing = Value(np.asarray(environment.arithmetic.nothing, dtype=value.data.dtype))
    return named(combine(np.where, kinked, nothing, value), axes, variable, shape)


_ROUNDING = 10**10
"""Times the fifth power of the step: what rounding may do to a value. The step is the fifth root of the precision."""


def _extrapolated(up: Data, down: Data, near_up: Data, near_down: Data, step: Number) -> Data:
    wide, narrow = (up - down) / (2 * step), (near_up - near_down) / step
    return np.asarray((4 * narrow - wide) / 3)


def _kinked(middle: Data, up: Data, down: Data, near_up: Data, near_down: Data, rounding: Number) -> Data:
    """Second differences fall with h**2 where the function is smooth, and with h at a kink."""
    wide, narrow = np.abs(up - 2 * middle + down), np.abs(near_up - 2 * middle + near_down)
    beyond_rounding = wide > rounding * (np.abs(up) + np.abs(middle) + np.abs(down))
    return np.asarray(beyond_rounding & (8 * narrow > 3 * wide), dtype=bool)


def named(value: Value, axes: tuple[Marker, ...], variable: Expr, shape: tuple[int, ...]) -> Value:
    """Give the perturbed axes the names of the variable's indices; a value without them does not depend on it."""
    if not isinstance(variable, Entry):
        return value
    value = spread(value, dict(zip(axes, shape, strict=True)))
    new: dict[Label, Label] = dict(zip(axes, variable.indices, strict=True))
    return merged(value.data, tuple(new.get(label, label) for label in value.labels), value.rank)


READERS: Mapping[type[Basic], Reader] = MappingProxyType(
    {
        Rational: _rational,
        sympy.pi.__class__: _named_constant("pi"),
        Exp1: _named_constant("e"),
        Dimension: _dimension,
        Scalar: _letter,
        sympy.Symbol: _letter,
        Array: _letter,
        Index: _index,
        Delta: _delta,
        Entry: _entry,
        Plus: _plus,
        Times: _times,
        Negative: _negative,
        Quotient: _quotient,
        Power: _power,
        sympy.Add: _plus,
        sympy.Mul: _times,
        sympy.Pow: _power,
        **{
            kind: _sympy_function(name)
            for kind, name in (
                (sympy.exp, "exp"),
                (sympy.log, "log"),
                (sympy.sin, "sin"),
                (sympy.cos, "cos"),
                (sympy.tanh, "tanh"),
                (sympy.erf, "erf"),
                (sympy.Abs, "abs"),
            )
        },
        Elementary: _elementary,
        Summation: _summation,
        DistinctSummation: _distinct_summation,
        Tabulated: _tabulated,
        OrderStatistic: _order_statistic,
        Limit: _limit,
        Dot: _dot,
        MatrixProduct: _matrix_product,
        Transpose: _transpose,
        Trace: _trace,
        Norm: _norm,
        Softmax: _softmax,
        LogSumExp: _logsumexp,
        Expectation: _expectation,
        Variance: _variance,
        Covariance: _covariance,
        Differential: _differential,
    }
)
"""One reader for each kind of node; a subclass uses that of its nearest base."""
