"""Rigorous enclosures of derivatives: balls as the coefficients of a power series up to its first power.

The operand is evaluated at x + t, once for each entry of x, with the arithmetic of power series over balls that
python-flint has (Arb, Johansson 2017); the coefficient of t encloses the derivative. No rule of differentiation stands
here. Where a function is not smooth or not defined at the point, the enclosure is not finite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from derivations.language.arrays import Entry
from derivations.language.operators import Differential
from derivations.language.structure import parts
from numerics.arithmetic import Arithmetic, each
from numerics.errors import Unsupported
from numerics.evaluation import Environment, evaluate, named
from numerics.values import Data, Marker, Number, Value, boxed, spread

_TERMS = 2


def _undefined() -> Number:
    import flint  # optional, and SymPy need not meet it before it is asked for

    nan = flint.arb("nan")
    return flint.arb_series([nan, nan], _TERMS)


def _divide(top: Number, bottom: Number) -> Number:
    """A quotient of series that both vanish has a value, but a quotient of numbers has none there."""
    return _undefined() if 0 in bottom[0] else top / bottom


def _power(base: Number, exponent: Number) -> Number:
    first, slope = exponent[0], exponent[1]
    if not (slope == 0 and first.is_exact() and first.is_integer()):
        return base**exponent if base[0] > 0 else _undefined()
    whole = int(first.unique_fmpz())
    return base**whole if whole >= 0 or 0 not in base[0] else _undefined()


def _absolute(item: Number) -> Number:
    if 0 in item[0]:
        return _undefined()
    return item if item[0] > 0 else -item


def _log(item: Number) -> Number:
    return item.log() if item[0] > 0 else _undefined()


def _sigmoid(item: Number) -> Number:
    return 1 / (1 + (-item).exp())


def _softmax(operand: Data) -> Data:
    gaps = operand[..., np.newaxis, :] - operand[..., :, np.newaxis]
    return np.asarray(1 / each(lambda item: item.exp(), 1)(gaps).sum(axis=-1), dtype=object)


def _logsumexp(operand: Data) -> Data:
    first = operand[..., :1]
    total = each(lambda item: item.exp(), 1)(operand - first).sum(axis=-1)
    return boxed(each(lambda item: item.log(), 1)(boxed(total, operand)) + first[..., 0], operand)


def series(balls: Arithmetic) -> Arithmetic:
    """Power series with coefficients in this ball arithmetic, at the working precision of this moment."""
    import flint

    def constant(ball: Number) -> Number:
        return flint.arb_series([ball], _TERMS)

    def is_undefined(item: Number) -> bool:
        return not (item[0].is_finite() and item[1].is_finite())

    def method(name: str) -> Callable[..., Data]:
        return each(lambda item: getattr(item, name)(), 1)

    return replace(
        balls,
        name="series of balls",
        convert=lambda data: each(constant, 1)(balls.convert(data)),
        constant=lambda number: constant(balls.constant(number)),
        constants=MappingProxyType({name: constant(ball) for name, ball in balls.constants.items()}),
        divide=each(_divide, 2),
        power=each(_power, 2),
        functions=MappingProxyType(
            {
                "abs": each(_absolute, 1),
                "log": each(_log, 1),
                "sigmoid": each(_sigmoid, 1),
                "tanh": each(lambda item: 2 * _sigmoid(2 * item) - 1, 1),
                **{name: method(name) for name in ("exp", "sin", "cos", "erf")},
            }
        ),
        softmax=_softmax,
        logsumexp=_logsumexp,
        undefined=each(is_undefined, 1),
        nothing=_undefined(),
    )


def differential(expression: Differential, environment: Environment) -> Value:
    """The enclosure of a derivative. Raises :class:`Unsupported` for one inside another."""
    import flint

    operand, variable = expression.args
    if any(isinstance(part, Differential) for part in parts(operand)):
        raise Unsupported("a derivative of a derivative by series up to the first power")
    letter = variable.array if isinstance(variable, Entry) else variable
    old = evaluate(letter, environment)
    arithmetic = series(environment.arithmetic)
    lifted = each(lambda ball: flint.arb_series([ball], _TERMS), 1)
    values = {
        one: Value(boxed(lifted(value.data), value.data), value.labels, value.rank)
        for one, value in environment.values.items()
    }
    axes = tuple(Marker(f"perturbed {k}", environment.level) for k in range(old.rank))
    slopes: list[Value] = []
    for position in np.ndindex(*old.data.shape):
        moved, entry = values[letter].data.copy(), old.data.item(position)
        moved[position] = flint.arb_series([entry, 1], _TERMS)
        there = replace(
            environment, arithmetic=arithmetic, values={**values, letter: Value(moved, (), old.rank)}, known={}
        )
        slopes.append(_slope(evaluate(operand, there)))
    shape = old.data.shape
    if not axes:
        return slopes[0]
    first = slopes[0]
    data = np.stack([slope.data for slope in slopes]).reshape(*shape, *first.data.shape)
    value = Value(data, (*axes, *first.labels), first.rank)
    return named(spread(value, dict(zip(axes, shape, strict=True))), axes, variable, shape)


def _slope(value: Value) -> Value:
    """The coefficient of the first power. A series that lost it to a division says nothing about it."""

    def coefficient(item: Number) -> Number:
        known = item.prec >= _TERMS and item[0].is_finite()
        return item[1] if known else _undefined()[1]

    return Value(boxed(each(coefficient, 1)(value.data), value.data), value.labels, value.rank)
