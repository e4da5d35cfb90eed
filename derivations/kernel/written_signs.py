"""Signs of written expressions, read off the author's tree: there a sum of exponentials is visibly positive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from fractions import Fraction
from functools import reduce
from operator import add, mul
from types import MappingProxyType
from typing import Any, TypeAlias

import sympy
from sympy import Expr, Integer, Rational, Symbol
from sympy.core.numbers import NumberSymbol

from derivations.kernel.rational_bounds import logarithm_below
from derivations.language import functions, operators, written
from derivations.language import givens as kinds
from derivations.language import symbols as letters
from derivations.language.arrays import Array, Entry
from derivations.language.givens import Given
from derivations.language.structure import free_indices, with_fresh_letters


class Range(Flag):
    """The signs a value may have."""

    NEGATIVE = auto()
    ZERO = auto()
    POSITIVE = auto()


ANY = Range.NEGATIVE | Range.ZERO | Range.POSITIVE
NONNEGATIVE = Range.ZERO | Range.POSITIVE
NONZERO = Range.NEGATIVE | Range.POSITIVE

_GIVEN: Mapping[type, Range] = MappingProxyType(
    {kinds.Positive: Range.POSITIVE, kinds.Nonnegative: NONNEGATIVE, kinds.Nonzero: NONZERO}
)


@dataclass(frozen=True)
class Signed:
    """The signs a value may have, and the givens that say so."""

    range: Range
    givens: tuple[Given, ...] = ()


def sign(expression: Expr, givens: Iterable[Given]) -> Signed:
    """The signs that the expression may have, for all values of its free indices.

    What the givens say of a free index says nothing of a bound one with the same letter, so that is renamed.
    """
    known = tuple(givens)
    return _sign(with_fresh_letters(expression, _letters(known)), known)


def _letters(givens: tuple[Given, ...]) -> frozenset[str]:
    return frozenset(one.name for given in givens for part in given.args for one in free_indices(part))


def _sign(expression: Expr, known: tuple[Given, ...]) -> Signed:
    for given in known:
        if type(given) in _GIVEN and given.args[0] == expression and not isinstance(expression, (Array, Symbol)):
            own = _structural(expression, known)
            return Signed(own.range & _GIVEN[type(given)], (*own.givens, given))
        if isinstance(given, kinds.Equation) and expression in given.args:
            left, right = given.args
            others = tuple(one for one in known if one != given)
            other = sign(right if expression == left else left, others)
            own = _structural(expression, known)
            if own.range & ~other.range:
                return Signed(own.range & other.range, (*own.givens, *other.givens, given))
    return _structural(expression, known)


def _structural(expression: Expr, givens: tuple[Given, ...]) -> Signed:
    lineage = type(expression).__mro__
    if isinstance(expression, written.Written) and not isinstance(expression, Symbol):
        lineage = lineage[:1]  # a subclass may mean something else than its parent
    for kind in lineage:
        if kind in _SIGNS:
            return _SIGNS[kind](expression, givens)
    return Signed(ANY)


def _given(expression: Expr, givens: tuple[Given, ...]) -> Signed:
    subject = expression.array if isinstance(expression, Entry) else expression
    best = Signed(ANY)
    for given in givens:
        if type(given) in _GIVEN and given.args[0] == subject and isinstance(subject, (Array, Symbol)):
            allowed = best.range & _GIVEN[type(given)]
            if allowed != best.range:
                best = Signed(allowed, (*best.givens, given))
    return best


def _number(expression: Any, givens: tuple[Given, ...]) -> Signed:
    value = expression.p
    return Signed(Range.POSITIVE if value > 0 else Range.NEGATIVE if value < 0 else Range.ZERO)


def _negated(value: Range) -> Range:
    result = value & Range.ZERO
    if value & Range.POSITIVE:
        result |= Range.NEGATIVE
    if value & Range.NEGATIVE:
        result |= Range.POSITIVE
    return result


def _added(first: Range, second: Range) -> Range:
    if not first & NONZERO:
        return second
    if not second & NONZERO:
        return first
    both = first | second
    if Range.NEGATIVE not in both:
        return Range.POSITIVE | (first & second & Range.ZERO)
    if Range.POSITIVE not in both:
        return Range.NEGATIVE | (first & second & Range.ZERO)
    return ANY


def _multiplied(first: Range, second: Range) -> Range:
    result = Range(0)
    if first & Range.ZERO or second & Range.ZERO:
        result |= Range.ZERO
    if (first & second) & NONZERO:
        result |= Range.POSITIVE
    if (first & _negated(second)) & NONZERO:
        result |= Range.NEGATIVE
    return result


def _collect(parts: list[Signed]) -> tuple[Given, ...]:
    return tuple(dict.fromkeys(given for part in parts for given in part.givens))


def _lower_bound(dimension: Expr, givens: tuple[Given, ...]) -> tuple[int, tuple[Given, ...]]:
    """The smallest value of a dimension, and the given that says so."""
    known = [one for one in givens if isinstance(one, kinds.AtLeast) and one.args[0] == dimension]
    best = max(known, key=lambda one: int(one.args[1]), default=None)
    return (1, ()) if best is None else (int(best.args[1]), (best,))


def _shifted_dimension(expression: Any, givens: tuple[Given, ...]) -> Signed | None:
    """A dimension plus an integer, such as n - 1."""
    terms = [term.args[0] if isinstance(term, written.Negative) else term for term in expression.args]
    sizes = [term for term in expression.args if isinstance(term, letters.Dimension)]
    if len(sizes) != 1 or not all(isinstance(term, (Integer, letters.Dimension)) for term in terms):
        return None
    if any(isinstance(one, written.Negative) and isinstance(one.args[0], letters.Dimension) for one in expression.args):
        return None
    shift = sum(
        -int(one.args[0].p) if isinstance(one, written.Negative) else int(one.p)
        for one in expression.args
        if not isinstance(one, letters.Dimension)
    )
    lowest, used = _lower_bound(sizes[0], givens)
    if lowest + shift < 0:
        return None
    return Signed(Range.POSITIVE if lowest + shift > 0 else NONNEGATIVE, used)


def _constant(term: Expr) -> Fraction | None:
    if isinstance(term, written.Negative):
        inner = _constant(term.args[0])
        return None if inner is None else -inner
    return Fraction(int(term.p), int(term.q)) if isinstance(term, Rational) else None


def _plus(expression: Any, givens: tuple[Given, ...]) -> Signed:
    shifted = _shifted_dimension(expression, givens)
    if shifted is not None:
        return shifted
    first, *others = expression.args
    if first == 1 and len(others) == 1 and isinstance(others[0], written.Negative):
        inner = others[0].args[0]
        if isinstance(inner, letters.Delta):
            return Signed(NONNEGATIVE)  # 1 - delta is zero or one
        if isinstance(inner, Entry) and isinstance(inner.array, functions.Softmax):
            return Signed(NONNEGATIVE)  # an entry of a softmax is at most one
    below = _least_of_sum(expression, givens)
    if below is not None and below[0] >= 0:
        return Signed(Range.POSITIVE if below[0] > 0 else NONNEGATIVE, below[1])
    constants = [term for term in expression.args if _constant(term) is not None]
    total = sum((_constant(term) or Fraction(0) for term in constants), Fraction(0))
    parts = [_sign(term, givens) for term in expression.args if term not in constants]
    parts.append(_number(Rational(total.numerator, total.denominator), givens))
    return Signed(reduce(_added, (part.range for part in parts)), _collect(parts))


Below: TypeAlias = "tuple[Fraction, tuple[Given, ...]]"


def _least_of_sum(expression: Any, givens: tuple[Given, ...]) -> Below | None:
    """A lower bound of a sum with a negative number in it, such as 2 log n - 1; None where none is known."""
    if not any((_constant(term) or 0) < 0 for term in expression.args):
        return None
    found = [least(term, givens) for term in expression.args]
    if any(one is None for one in found):
        return None
    known = [one for one in found if one is not None]
    used = tuple(dict.fromkeys(given for _, used in known for given in used))
    return sum((value for value, _ in known), Fraction(0)), used


def least(expression: Expr, givens: tuple[Given, ...]) -> Below | None:
    """A rational lower bound of an expression, and the givens it rests on; None where none is known."""
    constant = _constant(expression)
    if constant is not None:
        return constant, ()
    if isinstance(expression, letters.Dimension):
        lowest, used = _lower_bound(expression, givens)
        return Fraction(lowest), used
    if isinstance(expression, (written.Plus, written.Times)):
        parts = [least(term, givens) for term in expression.args]
        if any(one is None or (isinstance(expression, written.Times) and one[0] < 0) for one in parts):
            return None
        known = [one for one in parts if one is not None]
        combine = add if isinstance(expression, written.Plus) else mul
        return reduce(combine, (value for value, _ in known)), tuple(
            dict.fromkeys(g for _, used in known for g in used)
        )
    better = _least_of_function(expression, givens)
    if better is not None:
        return better
    own = _sign(expression, givens)
    return None if Range.NEGATIVE in own.range else (Fraction(0), own.givens)


def _least_of_function(expression: Expr, givens: tuple[Given, ...]) -> Below | None:
    """log x >= log b for x >= b >= 1, exp x >= 1 + b for x >= b >= 0, and a positive power of what is at least one."""
    if isinstance(expression, functions.Elementary) and expression.name in ("log", "exp"):
        inner = least(expression.operand, givens)
        if inner is None or inner[0] < (1 if expression.name == "log" else 0):
            return None
        return logarithm_below(inner[0]) if expression.name == "log" else 1 + inner[0], inner[1]
    if isinstance(expression, written.Power) and isinstance(expression.args[1], Rational) and expression.args[1].p > 0:
        inner = least(expression.args[0], givens)
        return (Fraction(1), inner[1]) if inner is not None and inner[0] >= 1 else None
    return None


def _times(expression: Any, givens: tuple[Given, ...]) -> Signed:
    parts = [_sign(term, givens) for term in expression.args]
    return Signed(reduce(_multiplied, (part.range for part in parts)), _collect(parts))


def _negative(expression: Any, givens: tuple[Given, ...]) -> Signed:
    part = _sign(expression.args[0], givens)
    return Signed(_negated(part.range), part.givens)


def _power(expression: Any, givens: tuple[Given, ...]) -> Signed:
    base, exponent = expression.args
    part = _sign(base, givens)
    if part.range == Range.POSITIVE:
        return part
    if not isinstance(exponent, Rational):
        return Signed(ANY)
    if exponent.q == 1 and exponent.p % 2 == 0:
        never_zero = Range.ZERO not in part.range or exponent.p == 0
        return Signed(Range.POSITIVE if never_zero else NONNEGATIVE, part.givens if never_zero else ())
    if exponent.q != 1:
        # A root is defined only where its base is not negative.
        kept = part.range & NONNEGATIVE
        return Signed(kept or ANY, part.givens)
    return part if exponent.p > 0 or Range.ZERO not in part.range else Signed(part.range & NONZERO, part.givens)


def _summation(expression: Any, givens: tuple[Given, ...]) -> Signed:
    part = _sign(expression.body, givens)
    sizes = [_sign(one.dimension, givens) for one in expression.indices]
    if part.range in (ANY, NONZERO):
        return Signed(ANY)
    empty = any(size.range != Range.POSITIVE for size in sizes)
    return Signed(part.range | Range.ZERO if empty else part.range, _collect([part, *sizes]))


def _always(value: Range) -> Callable[[Any, tuple[Given, ...]], Signed]:
    return lambda expression, givens: Signed(value)


def _elementary(expression: Any, givens: tuple[Given, ...]) -> Signed:
    inner = _sign(expression.operand, givens)
    if expression.name in ("exp", "sigmoid"):
        return Signed(Range.POSITIVE)
    if expression.name == "abs":
        never_zero = Range.ZERO not in inner.range
        return Signed(Range.POSITIVE if never_zero else NONNEGATIVE, inner.givens if never_zero else ())
    if expression.name == "log":
        below = least(expression.operand, givens)
        if below is not None and below[0] >= 1:
            return Signed(Range.POSITIVE if below[0] > 1 else NONNEGATIVE, below[1])
    return inner if expression.name in ("tanh", "erf") else Signed(ANY)


def _entry(expression: Any, givens: tuple[Given, ...]) -> Signed:
    if any(isinstance(one, kinds.MaximalEntries) and one.args[1] == expression.array for one in givens):
        return Signed(NONNEGATIVE)
    if isinstance(expression.array, functions.Softmax):
        return Signed(Range.POSITIVE)
    return _given(expression, givens)


def _expectation(expression: Any, givens: tuple[Given, ...]) -> Signed:
    inner = _sign(expression.args[0], givens)
    return inner if inner.range in (NONNEGATIVE, Range.POSITIVE, Range.NEGATIVE | Range.ZERO) else Signed(ANY)


def _distinct_summation(expression: Any, givens: tuple[Given, ...]) -> Signed:
    part = _sign(expression.body, givens)
    # With too few values there is nothing to sum.
    return Signed(part.range | Range.ZERO, part.givens) if part.range in (NONNEGATIVE, Range.POSITIVE) else Signed(ANY)


def _dot(expression: Any, givens: tuple[Given, ...]) -> Signed:
    return Signed(NONNEGATIVE if expression.args[0] == expression.args[1] else ANY)


_SIGNS: Mapping[type, Callable[[Any, tuple[Given, ...]], Signed]] = MappingProxyType(
    {
        Rational: _number,
        letters.Dimension: _always(Range.POSITIVE),
        letters.Index: _always(Range.POSITIVE),
        letters.Delta: _always(NONNEGATIVE),
        NumberSymbol: _always(Range.POSITIVE),
        Symbol: _given,
        Entry: _entry,
        written.Plus: _plus,
        written.Times: _times,
        written.Quotient: _times,  # where it is defined, a quotient has the sign of the product
        written.Negative: _negative,
        written.Power: _power,
        operators.DistinctSummation: _distinct_summation,
        operators.Summation: _summation,
        operators.Expectation: _expectation,
        operators.Variance: _always(NONNEGATIVE),
        functions.Elementary: _elementary,
        functions.Norm: _always(NONNEGATIVE),
        functions.Dot: _dot,
        sympy.Add: _plus,
        sympy.Mul: _times,
        sympy.Pow: _power,
        sympy.exp: _always(Range.POSITIVE),
        sympy.Abs: _always(NONNEGATIVE),
    }
)
