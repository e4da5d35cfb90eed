"""Three kinds of numbers with one interface: doubles, exact rationals, and reals of many digits.

Each definition (softmax, sigmoid, ...) is written here by the numerics' own means. An :class:`Arithmetic` is data: a
test replaces one of its functions by a wrong one and sees that true statements are then refuted.

An undefined result (division by zero, logarithm of a non-positive number) is an element that absorbs whatever it
meets, so that one undefined entry does not spoil the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from types import MappingProxyType
from typing import Any

import mpmath
import numpy as np
import scipy.special

from numerics.errors import NotRational
from numerics.values import Data, Label, Number, Value, combine, summed, union


class _Undefined:
    """What exact division by zero gives: not a number, and neither is anything computed from it."""

    def _absorb(self, *others: object) -> _Undefined:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _absorb
    __pow__ = __rpow__ = __neg__ = __abs__ = _absorb

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = _Undefined()

Function = Callable[[Data], Data]


@dataclass(frozen=True)
class Arithmetic:
    """How to compute with one kind of numbers.

    ``convert`` takes an array of fractions or high-precision reals to this kind. ``softmax``, ``logsumexp`` act on the
    last axis. ``contract`` multiplies values and sums over labels with the given sizes. ``nothing`` is the undefined
    element, and ``undefined`` finds it.
    """

    name: str
    convert: Function
    constant: Callable[[Fraction], Any]
    constants: Mapping[str, Any]
    divide: Callable[[Data, Data], Data]
    power: Callable[[Data, Data], Data]
    functions: Mapping[str, Function]
    softmax: Function
    logsumexp: Function
    contract: Callable[[Sequence[Value], Mapping[Label, int]], Value]
    undefined: Callable[[Data], Data]
    nothing: Number


# ------------------------------------------------------------------------------------------------- doubles


def _einsum(factors: Sequence[Value], sizes: Mapping[Label, int]) -> Value:
    labels = union(factors)
    number = {label: k for k, label in enumerate(labels)}
    kept = tuple(label for label in labels if label not in sizes)
    operands: list[Any] = []
    for factor in factors:
        operands += [factor.data, [number[label] for label in factor.labels]]
    data = np.einsum(*operands, [number[label] for label in kept], optimize=len(factors) > 2)
    missing = 1
    for label, size in sizes.items():
        missing *= 1 if label in number else size
    return Value(np.asarray(data) * missing if missing != 1 else np.asarray(data), kept)


def _quietly(operation: Callable[..., Data]) -> Callable[..., Data]:
    def quiet(*operands: Data) -> Data:
        with np.errstate(all="ignore"):
            return operation(*operands)

    return quiet


def _double_divide(top: Data, bottom: Data) -> Data:
    return np.where(bottom == 0, np.nan, top / np.where(bottom == 0, 1.0, bottom))


def _double_log(operand: Data) -> Data:
    return np.where(operand > 0, np.log(np.where(operand > 0, operand, 1.0)), np.nan)


def _double_logsumexp(operand: Data) -> Data:
    return np.asarray(scipy.special.logsumexp(operand, axis=-1))


def _double_power(base: Data, exponent: Data) -> Data:
    """Small whole powers by multiplication: the general power is many times slower."""
    if exponent.size == 1 and exponent.item() in (1.0, 2.0, 3.0, 4.0):
        square = base * base
        powers: dict[int, Data] = {1: base, 2: square, 3: square * base, 4: square * square}
        return powers[int(exponent.item())]
    return np.asarray(np.power(base, exponent))


DOUBLES = Arithmetic(
    name="doubles",
    convert=lambda data: np.asarray(data).astype(float),
    constant=float,
    constants=MappingProxyType({"pi": np.pi, "e": np.e}),
    divide=_quietly(_double_divide),
    power=_quietly(_double_power),
    functions=MappingProxyType(
        {
            "exp": _quietly(np.exp),
            "log": _quietly(_double_log),
            "abs": np.abs,
            "sin": np.sin,
            "cos": np.cos,
            "tanh": np.tanh,
            "erf": scipy.special.erf,
            "sigmoid": scipy.special.expit,
        }
    ),
    softmax=lambda operand: np.asarray(scipy.special.softmax(operand, axis=-1)),
    logsumexp=_double_logsumexp,
    contract=_einsum,
    undefined=lambda data: ~np.isfinite(data),
    nothing=float("nan"),
)

# ---------------------------------------------------------------------------------- elementwise on objects


def each(function: Callable[..., object], arguments: int) -> Callable[..., Data]:
    """The function applied to each element of object arrays."""
    universal = np.frompyfunc(function, arguments, 1)

    def apply(*operands: Data) -> Data:
        result = universal(*operands)
        if isinstance(result, np.ndarray):
            return result
        boxed = np.empty((), dtype=object)
        boxed[()] = result
        return boxed

    return apply


def product_then_sum(factors: Sequence[Value], sizes: Mapping[Label, int]) -> Value:
    """A contraction of object arrays, by multiplying out."""
    value = factors[0]
    for factor in factors[1:]:
        value = combine(np.multiply, value, factor)
    for label, size in sizes.items():
        value = summed(value, label, size)
    return Value(np.asarray(value.data, dtype=object), value.labels, value.rank)


# -------------------------------------------------------------------------------------------------- exact


def _exact_element(item: object) -> object:
    if isinstance(item, (Fraction, int)):
        return Fraction(item)
    if isinstance(item, (mpmath.mpf, mpmath.ctx_mp_python._mpf)):
        raise NotRational("the instance holds irrational numbers")
    return item


def _exact_divide(top: Number, bottom: Number) -> object:
    return UNDEFINED if bottom == 0 else top / bottom


def _root(number: int, degree: int) -> int | None:
    """The exact root of a non-negative integer, or None."""
    if degree == 2:
        root = isqrt(number)
    else:
        root = round(number ** (1 / degree)) if number < 2**52 else int(mpmath.nint(mpmath.root(number, degree)))
    return root if root**degree == number else None


def _exact_power(base: Number, exponent: Number) -> object:
    if exponent is UNDEFINED or base is UNDEFINED:
        return UNDEFINED
    if not isinstance(exponent, Fraction):
        raise NotRational("a random exponent")
    if exponent.denominator == 1:
        if exponent < 0 and base == 0:
            return UNDEFINED
        return base ** int(exponent) if exponent >= 0 else _exact_divide(Fraction(1), base ** int(-exponent))
    if not isinstance(base, Fraction):
        raise NotRational("a root of a random polynomial")
    if base < 0 or (base == 0 and exponent < 0):
        return UNDEFINED
    top, bottom = _root(base.numerator, exponent.denominator), _root(base.denominator, exponent.denominator)
    if top is None or bottom is None:
        raise NotRational(f"{base}**{exponent} is irrational")
    return Fraction(top, bottom) ** exponent.numerator


def _irrational(name: str) -> Callable[..., Data]:
    def refuse(*_: object) -> Data:
        raise NotRational(f"{name} is irrational")

    return refuse


EXACT = Arithmetic(
    name="exact",
    convert=each(_exact_element, 1),
    constant=Fraction,
    constants=MappingProxyType({}),
    divide=each(_exact_divide, 2),
    power=each(_exact_power, 2),
    functions=MappingProxyType(
        {
            "abs": each(abs, 1),
            **{name: _irrational(name) for name in ("exp", "log", "sin", "cos", "tanh", "erf", "sigmoid")},
        }
    ),
    softmax=_irrational("softmax"),
    logsumexp=_irrational("logsumexp"),
    contract=product_then_sum,
    undefined=each(lambda item: item is UNDEFINED, 1),
    nothing=UNDEFINED,
)

# ------------------------------------------------------------------------------------------ high precision


def _high_convert(context: Number, item: object) -> object:
    if isinstance(item, (Fraction, int)):
        number = Fraction(item)
        return context.mpf(number.numerator) / number.denominator
    return context.nan if item is UNDEFINED else context.mpf(item)


def _high_power(context: Number, base: Number, exponent: Number) -> object:
    whole = context.isint(exponent)
    if (base == 0 and exponent < 0) or (base < 0 and not whole):
        return context.nan
    return base ** int(exponent) if whole else context.power(base, exponent)


def _high_softmax(context: Number, operand: Data) -> Data:
    shifted = each(context.exp, 1)(operand - operand.max(axis=-1, keepdims=True))
    result: Data = shifted / shifted.sum(axis=-1, keepdims=True)
    return result


def _high_logsumexp(context: Number, operand: Data) -> Data:
    largest = operand.max(axis=-1, keepdims=True)
    total = each(context.exp, 1)(operand - largest).sum(axis=-1)
    result: Data = np.asarray(each(context.log, 1)(np.asarray(total, dtype=object)) + largest[..., 0], dtype=object)
    return result


@lru_cache(maxsize=16)
def high_precision(digits: int) -> Arithmetic:
    """Real arithmetic with this many decimal digits, in a context of its own."""
    context: Any = mpmath.MPContext()
    context.dps = digits
    return Arithmetic(
        name=f"{digits} digits",
        convert=each(lambda item: _high_convert(context, item), 1),
        constant=lambda number: _high_convert(context, number),
        constants=MappingProxyType({"pi": +context.pi, "e": +context.e}),
        divide=each(lambda top, bottom: context.nan if bottom == 0 else top / bottom, 2),
        power=each(lambda base, exponent: _high_power(context, base, exponent), 2),
        functions=MappingProxyType(
            {
                "exp": each(context.exp, 1),
                "log": each(lambda z: context.log(z) if z > 0 else context.nan, 1),
                "abs": each(abs, 1),
                "sin": each(context.sin, 1),
                "cos": each(context.cos, 1),
                "tanh": each(context.tanh, 1),
                "erf": each(context.erf, 1),
                "sigmoid": each(lambda z: 1 / (1 + context.exp(-z)), 1),
            }
        ),
        softmax=lambda operand: _high_softmax(context, operand),
        logsumexp=lambda operand: _high_logsumexp(context, operand),
        contract=product_then_sum,
        undefined=each(lambda item: bool(context.isnan(item) or context.isinf(item)), 1),
        nothing=+context.nan,
    )
