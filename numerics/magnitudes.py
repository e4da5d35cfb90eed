"""The size of the parts of an expression: how large a value could have been, had nothing cancelled.

Rounding errors are relative to this size, and a value of zero says something only beside it. Terms are added without
their signs; a function f of z has the size |f(z)| + |f'(z)| size(z), to first order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.arrays import Entry, MatrixProduct, Tabulated, Transpose
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
from derivations.language.written import Negative, Plus, Power, Quotient, Times
from numerics.evaluation import Environment, constant, evaluate, size_of
from numerics.values import Label, Marker, Value, boxed, combine, entries, positional, spread, summed


def _product(first: Value, second: Value) -> Value:
    return combine(np.multiply, first, second)


def _sum(first: Value, second: Value) -> Value:
    return combine(np.add, first, second)


def _one(environment: Environment) -> Value:
    return constant(Fraction(1), environment)


def _largest(value: Value) -> Value:
    """The largest size among the entries of a vector."""
    return Value(boxed(value.data.max(axis=-1), value.data), value.labels)


def _plus(expression: Expr, environment: Environment) -> Value:
    total = magnitude(expression.args[0], environment)
    for term in expression.args[1:]:
        total = _sum(total, magnitude(term, environment))
    return total


def _times(expression: Expr, environment: Environment) -> Value:
    total = magnitude(expression.args[0], environment)
    for factor in expression.args[1:]:
        total = _product(total, magnitude(factor, environment))
    return total


def _negative(expression: Negative, environment: Environment) -> Value:
    return magnitude(expression.args[0], environment)


def _quotient(expression: Quotient, environment: Environment) -> Value:
    top, bottom = expression.args
    value = _plain(bottom, environment)
    share = combine(environment.arithmetic.divide, magnitude(bottom, environment), value)
    return _product(combine(environment.arithmetic.divide, magnitude(top, environment), value), share)


def _power(expression: Power, environment: Environment) -> Value:
    base, exponent = expression.args
    if exponent.is_negative:
        size = combine(environment.arithmetic.divide, magnitude(base, environment), _plain(base, environment))
        return _product(_plain(expression, environment), size)
    return combine(environment.arithmetic.power, magnitude(base, environment), evaluate(exponent, environment))


def _summation(expression: Summation, environment: Environment) -> Value:
    value = magnitude(expression.body, environment)
    for one in expression.indices:
        value = summed(value, one, size_of(one.dimension, environment.sizes))
    return value


def _distinct_summation(expression: DistinctSummation, environment: Environment) -> Value:
    sizes: dict[Label, int] = {one: size_of(one.dimension, environment.sizes) for one in expression.indices}
    value = spread(magnitude(expression.body, environment), sizes)
    for first, second in combinations(expression.indices, 2):
        coincide = Value(np.eye(sizes[first], dtype=bool), (first, second))
        value = combine(np.where, coincide, constant(Fraction(0), environment), value)
    for label, size in sizes.items():
        value = summed(value, label, size)
    return value


def _limit(expression: Limit, environment: Environment) -> Value:
    return _sum(_plain(expression, environment), _one(environment))


def _expectation(expression: Expectation, environment: Environment) -> Value:
    return environment.expect(magnitude(expression.args[0], environment))


def _covariance(expression: Expr, environment: Environment) -> Value:
    first, second = (magnitude(part, environment) for part in (expression.args[0], expression.args[-1]))
    return environment.expect(_product(first, second))


def _dot(expression: Dot, environment: Environment) -> Value:
    axis = Marker("contracted")
    first, second = (entries(magnitude(part, environment), (axis,)) for part in expression.args)
    product = _product(first, second)
    return summed(product, axis, product.data.shape[product.labels.index(axis)])


def _matrix_product(expression: MatrixProduct, environment: Environment) -> Value:
    first, second = (magnitude(part, environment) for part in expression.args)
    if not first.labels and not second.labels:
        return Value(np.asarray(np.dot(first.data, second.data)), (), first.rank + second.rank - 2)
    return combine(np.abs, evaluate(expression, environment))


def _transpose(expression: Transpose, environment: Environment) -> Value:
    value = magnitude(expression.args[0], environment)
    return Value(np.swapaxes(value.data, -1, -2), value.labels, 2)


def _trace(expression: Trace, environment: Environment) -> Value:
    axis = Marker("contracted")
    value = magnitude(expression.args[0], environment)
    return summed(entries(value, (axis, axis)), axis, value.data.shape[-1])


def _norm(expression: Norm, environment: Environment) -> Value:
    operand = magnitude(expression.args[0], environment)
    axes = tuple(Marker("contracted", k) for k in range(operand.rank))
    read = entries(operand, axes)
    total = _product(read, read)
    for axis, size in zip(axes, operand.data.shape[len(operand.labels) :], strict=True):
        total = summed(total, axis, size)
    return combine(environment.arithmetic.power, total, constant(Fraction(1, 2), environment))


def _tabulated(expression: Tabulated, environment: Environment) -> Value:
    sizes: dict[Label, int] = {one: size_of(one.dimension, environment.sizes) for one in expression.indices}
    return positional(spread(magnitude(expression.args[0], environment), sizes), expression.indices)


def _order_statistic(expression: OrderStatistic, environment: Environment) -> Value:
    return _largest(magnitude(expression.args[0], environment))


def _entry(expression: Entry, environment: Environment) -> Value:
    return entries(magnitude(expression.array, environment), expression.indices)


def _differential(expression: Differential, environment: Environment) -> Value:
    return _sum(_plain(expression, environment), magnitude(expression.args[0], environment))


def _softmax(expression: Softmax, environment: Environment) -> Value:
    value, size = evaluate(expression, environment), _largest(magnitude(expression.args[0], environment))
    return _product(value, _sum(size, _one(environment)))


def _logsumexp(expression: LogSumExp, environment: Environment) -> Value:
    size = _largest(magnitude(expression.args[0], environment))
    return _sum(_plain(expression, environment), _sum(size, _one(environment)))


def _elementary(expression: Elementary, environment: Environment) -> Value:
    value, size = _plain(expression, environment), magnitude(expression.operand, environment)
    if expression.name == "log":
        operand = _plain(expression.operand, environment)
        return _sum(value, combine(environment.arithmetic.divide, size, operand))
    if expression.name in ("exp", "sigmoid"):
        return _product(value, _sum(size, _one(environment)))
    return _sum(value, size)


def _plain(expression: Expr, environment: Environment) -> Value:
    return combine(np.abs, evaluate(expression, environment))


_SIZES: Mapping[type[Basic], Callable[[Any, Environment], Value]] = MappingProxyType(
    {
        Plus: _plus,
        Times: _times,
        Negative: _negative,
        Quotient: _quotient,
        Power: _power,
        Summation: _summation,
        DistinctSummation: _distinct_summation,
        Limit: _limit,
        Expectation: _expectation,
        Variance: _covariance,
        Covariance: _covariance,
        Dot: _dot,
        MatrixProduct: _matrix_product,
        Transpose: _transpose,
        Trace: _trace,
        Norm: _norm,
        Tabulated: _tabulated,
        OrderStatistic: _order_statistic,
        Entry: _entry,
        Differential: _differential,
        Softmax: _softmax,
        LogSumExp: _logsumexp,
        Elementary: _elementary,
    }
)


def magnitude(expression: Expr, environment: Environment) -> Value:
    """The size of the parts of an expression, with the axes of its value. Raises what :func:`evaluate` raises."""
    return _SIZES.get(type(expression), _plain)(expression, environment)
