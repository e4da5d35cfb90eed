"""Small concrete worlds: sizes, numbers, arrays, and finite laws of random arrays. Nothing here uses the kernel.

A value is a Fraction as long as it can be one, else an mpmath number at fifty digits. What has no real value raises
:class:`Undefined`.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import product

import mpmath
from mpmath import mp, mpf

mp.dps = 50
LARGEST = 400
SMALLEST = mpf(10) ** -25
STEP = Fraction(1, 10**12)
TOLERANCE = mpf(10) ** -15


class Undefined(Exception):
    """The expression has no real value here."""


class Disagreement(AssertionError):
    """The kernel and the meaning of an expression disagree."""


class Unwieldy(Undefined):
    """The expression cannot be compared here: too large, too near to zero, or outside of what is claimed."""


def real(value):
    if isinstance(value, Fraction):
        return mpf(value.numerator) / value.denominator
    return mpf(value)


def _exact(*values):
    return all(isinstance(value, (int, Fraction)) for value in values)


def add(first, second):
    return Fraction(first) + second if _exact(first, second) else real(first) + real(second)


def times(first, second):
    return Fraction(first) * second if _exact(first, second) else real(first) * real(second)


def total(values):
    return reduce(add, values, Fraction(0))


def factor(values):
    return reduce(times, values, Fraction(1))


def is_zero(value):
    if not _exact(value) and value != 0 and abs(value) < SMALLEST:
        raise Unwieldy("as good as zero")
    return value == 0


def power(base, exponent):
    if not _exact(exponent):
        return function("exp", times(exponent, function("log", base)))
    exponent = Fraction(exponent)
    if is_zero(base) and exponent <= 0:
        if exponent == 0:
            return Fraction(1)
        raise Undefined("division by zero")
    if exponent.denominator == 1:
        if abs(exponent) > LARGEST:
            raise Unwieldy("large exponent")
        return Fraction(base) ** int(exponent) if _exact(base) else real(base) ** int(exponent)
    if base < 0:
        raise Undefined("root of a negative number")
    return real(abs(base)) ** real(exponent)


def inverse(value):
    return power(value, Fraction(-1))


def function(name, value, largest=None):
    if name == "abs":
        return abs(value)
    if name == "log":
        if is_zero(value) or value < 0:
            raise Undefined("log")
        return Fraction(0) if value == 1 else mpmath.log(real(value))
    if abs(value) > (largest or LARGEST):
        raise Unwieldy("large argument")
    number = real(value)
    if name == "sigmoid":
        return 1 / (1 + mpmath.exp(-number))
    return {"exp": mpmath.exp, "sin": mpmath.sin, "cos": mpmath.cos, "tanh": mpmath.tanh, "erf": mpmath.erf}[name](
        number
    )


def slope(along, value):
    """The derivative of a function at a value, where it must be defined, by a difference of fourth order."""
    along(value)
    far, near = (add(along(add(value, k * STEP)), times(-1, along(add(value, -k * STEP)))) for k in (2, 1))
    return real(times(add(times(8, near), times(-1, far)), 1 / (12 * STEP)))


def agree(first, second):
    if _exact(first, second):
        return Fraction(first) == Fraction(second)
    one, other = real(first), real(second)
    return abs(one - other) <= TOLERANCE * (1 + abs(one) + abs(other))


def places(shape):
    return tuple(product(*(range(size) for size in shape)))


@dataclass(frozen=True)
class Block:
    """Random arrays with a joint law of their own: each outcome a probability and the values of the arrays."""

    names: frozenset
    outcomes: tuple


@dataclass(frozen=True)
class World:
    """What every symbol stands for. ``arrays`` holds those that are not random and, inside an outcome, those that are.

    Indices count from 0 here; as a number an index is one more. ``largest`` is how large the argument of a function
    may be, where that is not the usual.
    """

    sizes: dict
    scalars: dict
    arrays: dict
    blocks: tuple = ()
    indices: dict = field(default_factory=dict)
    largest: int | None = None

    def at(self, indices):
        return replace(self, indices={**self.indices, **indices})

    def with_scalar(self, name, value):
        return replace(self, scalars={**self.scalars, name: value})

    def with_entry(self, name, place, value):
        return replace(self, arrays={**self.arrays, name: {**self.arrays[name], place: value}})

    def outcomes(self, names):
        """Every joint outcome of these random arrays: its probability and the world in which it happened."""
        blocks = [block for block in self.blocks if block.names & names]
        for joint in product(*(block.outcomes for block in blocks)):
            arrays = dict(self.arrays)
            for _, values in joint:
                arrays.update(values)
            yield factor(weight for weight, _ in joint), replace(self, arrays=arrays)

    def mean(self, names, value):
        """The expectation of ``value(world)`` over these random arrays."""
        return total(times(weight, value(world)) for weight, world in self.outcomes(names))

    def covariance(self, names, first, second):
        joint = self.mean(names, lambda world: times(first(world), second(world)))
        return add(joint, times(-1, times(self.mean(names, first), self.mean(names, second))))
