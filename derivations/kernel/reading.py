"""From a written expression to its normal form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import Any

import sympy
from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic
from sympy.core.numbers import Exp1, NumberSymbol
from sympy.core.symbol import Symbol

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context
from derivations.kernel.defined import View, defined
from derivations.kernel.derivative import derivative
from derivations.kernel.expectation import covariance, expectation
from derivations.kernel.functions import exponential, function, logarithm
from derivations.kernel.limits import limit
from derivations.kernel.ordered import ordered
from derivations.kernel.powers import raise_to
from derivations.kernel.sums import delta, sum_over
from derivations.kernel.terms import (
    FREE,
    ONE,
    ONLY,
    Entry,
    Named,
    Polynomial,
    Position,
    Value,
    constant_of,
    number,
    single,
    whole,
)
from derivations.language import functions, operators, written
from derivations.language import symbols as letters
from derivations.language.arrays import Array, MatrixProduct, RandomArray, Tabulated, Transpose
from derivations.language.arrays import Entry as WrittenEntry
from derivations.language.errors import LanguageError
from derivations.language.order import OrderStatistic
from derivations.language.written import shape_of

Scope = Mapping[letters.Index, Position]
EMPTY: Scope = MappingProxyType({})


def read(context: Context, expression: Expr, scope: Scope = EMPTY) -> Polynomial:
    """The normal form of a scalar expression, with the laws and givens of the context.

    Raises :class:`LanguageError` for what has no meaning here, :class:`KernelLimit` for what cannot be decided.
    """
    reader = _reader(expression)
    if reader is None:
        raise LanguageError(f"the kernel cannot read {expression} ({type(expression).__name__})")
    return reader(context, expression, scope)


def read_at(context: Context, expression: Expr, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    """The normal form of an entry of an array-valued expression, or of a scalar where ``at`` is empty."""
    if not at:
        return read(context, expression, scope)
    reader = _ARRAY_READERS.get(type(expression))
    if reader is not None:
        return reader(context, expression, scope, at)
    raise LanguageError(f"the kernel cannot read the entries of {expression} ({type(expression).__name__})")


def position(context: Context, one: letters.Index, scope: Scope) -> Position:
    """An index: the token it is bound to, or itself where it is free."""
    bound = scope.get(one)
    if bound is not None:
        return bound
    dimension = read(context, one.dimension)
    return ONLY if dimension == ONE else Position(FREE, 0, one.name, dimension)


def view(context: Context, expression: Expr, scope: Scope) -> View:
    """An array-valued expression as the kernel sees it."""
    sizes = tuple(read(context, size, scope) for size in shape_of(expression))
    return View(sizes, lambda at: read_at(context, expression, scope, at))


def _known(context: Context, kind: str, name: str, value: Basic) -> None:
    """Two different objects under one name would be taken for one."""
    if context.names.setdefault(f"{kind} {name}", value) != value:
        raise LanguageError(f"two different objects are called {name}; give one of them another name")


def _symbol(context: Context, expression: Any, scope: Scope) -> Polynomial:
    if expression.is_real is False or not expression.is_commutative:
        raise LanguageError(f"{expression} is no real number; every symbol here stands for one")
    kind = "dimension" if isinstance(expression, letters.Dimension) else "symbol"
    _known(context, "name", expression.name, expression)
    return single(Named(kind, expression.name))


def _index(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return single(Value("value", position(context, expression, scope)))


def _rational(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return number(whole(Fraction(int(expression.p), int(expression.q))))


def _constant(context: Context, expression: Any, scope: Scope) -> Polynomial:
    if isinstance(expression, Exp1):
        return exponential(context, ONE)
    return single(Named("constant", str(expression)))


def _plus(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return add(*(read(context, term, scope) for term in expression.args))


def _times(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return multiply(context, *(read(context, factor, scope) for factor in expression.args))


def _negative(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return scale(read(context, expression.args[0], scope), -1)


def _quotient(context: Context, expression: Any, scope: Scope) -> Polynomial:
    top, bottom = (read(context, part, scope) for part in expression.args)
    return multiply(context, top, raise_to(context, bottom, -1))


def _power(context: Context, expression: Any, scope: Scope) -> Polynomial:
    base, exponent = (read(context, part, scope) for part in expression.args)
    value = constant_of(exponent)
    if value is not None:
        return raise_to(context, base, value)
    # A power with a symbol in its exponent is the exponential of a logarithm: its base must be positive.
    return exponential(context, multiply(context, exponent, logarithm(context, base)))


def _elementary(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return _apply(context, expression.name, read(context, expression.operand, scope))


def _apply(context: Context, name: str, operand: Polynomial) -> Polynomial:
    rule = context.law(f"definition.{name}")
    if rule is not None:
        result: Polynomial = rule(context, operand)
        return result
    return function(context, name, operand)


def _plain_function(name: str) -> Callable[[Context, Any, Scope], Polynomial]:
    return lambda context, expression, scope: _apply(context, name, read(context, expression.args[0], scope))


def _delta(context: Context, expression: Any, scope: Scope) -> Polynomial:
    first, second = (position(context, one, scope) for one in expression.args)
    return delta(context, first, second)


def _entry(context: Context, expression: Any, scope: Scope) -> Polynomial:
    at = tuple(position(context, one, scope) for one in expression.indices)
    return read_at(context, expression.array, scope, at)


def _random_scalar(context: Context, expression: Any, scope: Scope) -> Polynomial:
    if expression.shape:
        raise LanguageError(f"{expression} is an array; write an entry of it")
    return _array_entry(context, expression, scope, ())


def _summation(context: Context, expression: Any, scope: Scope) -> Polynomial:
    tokens = {one: context.fresh(read(context, one.dimension, scope)) for one in expression.indices}
    return sum_over(context, tokens.values(), read(context, expression.body, {**scope, **tokens}))


def _expectation(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return expectation(context, read(context, expression.args[0], scope))


def _variance(context: Context, expression: Any, scope: Scope) -> Polynomial:
    operand = read(context, expression.args[0], scope)
    return covariance(context, operand, operand)


def _covariance(context: Context, expression: Any, scope: Scope) -> Polynomial:
    first, second = (read(context, part, scope) for part in expression.args)
    return covariance(context, first, second)


def _differential(context: Context, expression: Any, scope: Scope) -> Polynomial:
    operand, variable = expression.args
    constrained = context.facts.constrained
    name = str(variable.array.args[0]) if isinstance(variable, WrittenEntry) else str(variable)
    if name in constrained:
        raise LanguageError(
            f"cannot differentiate by {variable}: the given {constrained[name]} ties it to other quantities, so its "
            "partial derivative has no meaning"
        )
    atom = read(context, variable, scope)[0][0][0][0]
    if not isinstance(atom, (Named, Entry)):
        raise LanguageError(f"cannot differentiate by {variable}")
    value = read(context, operand, scope)
    return derivative(context, value, atom)


def _notion(name: str) -> Callable[[Context, Any, Scope], Polynomial]:
    def reader(context: Context, expression: Any, scope: Scope) -> Polynomial:
        return defined(context, name, [view(context, part, scope) for part in expression.args], ())

    return reader


def _distinct_sum(context: Context, expression: Any, scope: Scope) -> Polynomial:
    tokens = {one: context.fresh(read(context, one.dimension, scope)) for one in expression.indices}
    body = read(context, expression.body, {**scope, **tokens})
    for first, second in combinations(tokens.values(), 2):
        body = multiply(context, body, add(ONE, scale(delta(context, first, second), -1)))
    return sum_over(context, tokens.values(), body)


def _order_statistic(context: Context, expression: Any, scope: Scope) -> Polynomial:
    return ordered(context, view(context, expression.args[0], scope), expression.rank)


def _limit(context: Context, expression: Any, scope: Scope) -> Polynomial:
    operand, variable = expression.args
    if str(variable) in context.facts.constrained:
        raise LanguageError(f"{variable} is tied by a given, so it cannot tend to infinity")
    _known(context, "name", str(variable), variable)
    return limit(context, read(context, operand, scope), Named("symbol", str(variable)))


_READERS: Mapping[type, Callable[[Context, Any, Scope], Polynomial]] = MappingProxyType(
    {
        written.Plus: _plus,
        written.Times: _times,
        written.Negative: _negative,
        written.Quotient: _quotient,
        written.Power: _power,
        letters.Index: _index,
        letters.Delta: _delta,
        WrittenEntry: _entry,
        RandomArray: _random_scalar,
        operators.Summation: _summation,
        operators.DistinctSummation: _distinct_sum,
        operators.Limit: _limit,
        OrderStatistic: _order_statistic,
        operators.Expectation: _expectation,
        operators.Variance: _variance,
        operators.Covariance: _covariance,
        operators.Differential: _differential,
        functions.Elementary: _elementary,
        functions.Dot: _notion("dot"),
        functions.Norm: _notion("norm"),
        functions.Trace: _notion("trace"),
        functions.LogSumExp: _notion("logsumexp"),
        sympy.Add: _plus,
        sympy.Mul: _times,
        sympy.Pow: _power,
        sympy.exp: _plain_function("exp"),
        sympy.log: _plain_function("log"),
        sympy.sin: _plain_function("sin"),
        sympy.cos: _plain_function("cos"),
        sympy.tanh: _plain_function("tanh"),
        sympy.erf: _plain_function("erf"),
        sympy.Abs: _plain_function("abs"),
        Integer: _rational,
        Rational: _rational,
        letters.Scalar: _symbol,
        letters.Dimension: _symbol,
        Symbol: _symbol,
        NumberSymbol: _constant,
    }
)


def _reader(expression: Expr) -> Callable[[Context, Any, Scope], Polynomial] | None:
    if isinstance(expression, written.Written):
        return _READERS.get(type(expression))  # a subclass may mean something else than its parent
    return next((_READERS[kind] for kind in type(expression).__mro__ if kind in _READERS), None)


def _array_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    kind = "random" if isinstance(expression, RandomArray) else "entry"
    _known(context, "name", expression.name, expression)
    return single(Entry(kind, expression.name, at))


def _scaled_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    return multiply(
        context,
        *(read_at(context, factor, scope, at if shape_of(factor) else ()) for factor in expression.args),
    )


def _added_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    return add(*(read_at(context, term, scope, at) for term in expression.args))


def _negated_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    return scale(read_at(context, expression.args[0], scope, at), -1)


def _divided_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    top, bottom = expression.args
    return multiply(context, read_at(context, top, scope, at), raise_to(context, read(context, bottom, scope), -1))


def _tabulated_entry(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
    return read(context, expression.args[0], {**scope, **dict(zip(expression.indices, at, strict=True))})


def _notion_entry(name: str) -> Callable[[Context, Any, Scope, tuple[Position, ...]], Polynomial]:
    def reader(context: Context, expression: Any, scope: Scope, at: tuple[Position, ...]) -> Polynomial:
        return defined(context, name, [view(context, part, scope) for part in expression.args], at)

    return reader


_ARRAY_READERS: Mapping[type, Callable[[Context, Any, Scope, tuple[Position, ...]], Polynomial]] = MappingProxyType(
    {
        Array: _array_entry,
        RandomArray: _array_entry,
        functions.Softmax: _notion_entry("softmax"),
        MatrixProduct: _notion_entry("product"),
        Transpose: _notion_entry("transpose"),
        Tabulated: _tabulated_entry,
        written.Times: _scaled_entry,
        written.Plus: _added_entry,
        written.Negative: _negated_entry,
        written.Quotient: _divided_entry,
    }
)
