"""What must hold for written lines to have a meaning, collected from the syntax before anything is normalised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import sympy
from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.kernel.existence import exists, growth, product
from derivations.kernel.record import Obligation
from derivations.kernel.written_signs import NONNEGATIVE, Range, Signed, sign
from derivations.language import functions, operators, written
from derivations.language.givens import Distinct, Given, Integrable
from derivations.language.order import OrderStatistic
from derivations.language.structure import (
    bound_by,
    free_indices,
    parts,
    substitute,
    with_fresh_letters,
    with_letters_of_their_own,
)
from derivations.language.symbols import Index
from derivations.language.written import shape_of

_WORDS = {
    "nonzero": "{} is not zero",
    "positive": "{} is positive",
    "nonnegative": "{} is not negative",
    "exists": "{} exists",
    "smooth": "{} is not zero, so that the derivative exists",
    "attained": "{} is attained at one entry only, so that the derivative exists",
    "rank": "{} exists: there are enough entries",
    "limit": "{} exists",
    "continuous": "{} has a derivative",
}
_ALLOWED = {
    "nonzero": Range.NEGATIVE | Range.POSITIVE,
    "positive": Range.POSITIVE,
    "nonnegative": NONNEGATIVE,
    "smooth": Range.NEGATIVE | Range.POSITIVE,
}


NormalSign = Callable[[Expr], Signed | None]


def obligations(
    expressions: tuple[Expr, ...], givens: tuple[Given, ...], normal_sign: NormalSign
) -> tuple[Obligation, ...]:
    """The obligations of some written lines, each discharged by sign or moments, or open.

    ``normal_sign`` is the sign that the normal form of an expression shows, None where it has none. An obligation
    must hold also where two of its indices coincide. Where they are free the statement carries that they differ;
    where one is bound, the line has no meaning at all, and the obligation is impossible.
    """
    letters = {one.name for given in givens for part in given.args for one in free_indices(part)}
    if _distinct_letters_again(expressions):
        expressions = with_letters_of_their_own(expressions, letters)
    expressions = tuple(with_fresh_letters(expression, letters) for expression in expressions)
    found = dict.fromkeys(pair for expression in expressions for pair in _collect(expression))
    free = frozenset().union(*(free_indices(expression) for expression in expressions))
    apart = _apart(expressions, givens)
    settled = (_settle(kind, expression, givens, normal_sign) for kind, expression in found)
    return tuple(_at_coincidences(one, free, apart, normal_sign) for one in settled)


def _distinct_letters_again(expressions: tuple[Expr, ...]) -> bool:
    """Whether a letter of a sum over distinct indices is bound by something else too, where it says nothing."""
    binders = [part for expression in expressions for part in parts(expression) if bound_by(part)]
    names = Counter(one.name for part in dict.fromkeys(binders) for one in bound_by(part))
    distinct = (part for part in binders if isinstance(part, operators.DistinctSummation))
    return any(names[one.name] > 1 for part in distinct for one in part.indices)


def _apart(expressions: tuple[Expr, ...], givens: tuple[Given, ...]) -> frozenset[frozenset[Expr]]:
    """Pairs of indices that never coincide: given as distinct, or bound by one sum over distinct values."""
    pairs = {frozenset(given.args) for given in givens if isinstance(given, Distinct)}
    for expression in expressions:
        for part in parts(expression):
            if isinstance(part, operators.DistinctSummation):
                pairs |= {frozenset(pair) for pair in combinations(part.indices, 2)}
    return frozenset(pairs)


def _at_coincidences(
    obligation: Obligation, free: frozenset[Index], apart: frozenset[frozenset[Expr]], normal_sign: NormalSign
) -> Obligation:
    if not obligation.open or obligation.kind not in ("nonzero", "positive", "smooth"):
        return obligation
    inside = sorted(free_indices(obligation.expression), key=lambda one: one.name)
    for first, second in combinations(inside, 2):
        if first.dimension != second.dimension or frozenset((first, second)) in apart:
            continue
        met = normal_sign(substitute(obligation.expression, {second: first}))
        if met is not None and met.range == Range.ZERO:
            where = f"{obligation.text}, but it is zero at {first.name} = {second.name}"
            kind = obligation.kind if {first, second} <= free else "impossible"
            return replace(obligation, kind=kind, text=where)
    return obligation


def _collect(expression: Basic) -> Iterator[tuple[str, Expr]]:
    for part in parts(expression):
        if isinstance(part, written.Quotient):
            yield "nonzero", part.args[1]
        elif isinstance(part, (written.Power, sympy.Pow)):
            yield from _of_power(*part.args)
        elif isinstance(part, functions.Elementary) and part.name == "log":
            yield "positive", part.operand
        elif isinstance(part, sympy.log):
            yield "positive", part.args[0]
        elif isinstance(part, (operators.Expectation, operators.Variance, operators.Covariance)):
            yield "exists", part
        elif isinstance(part, OrderStatistic):
            yield "rank", part
        elif isinstance(part, operators.Limit):
            yield "limit", part
        elif isinstance(part, operators.Differential):
            yield from _smooth(part.args[0])


def _of_power(base: Expr, exponent: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(exponent, Integer):
        if exponent.p < 0:
            yield "nonzero", base
    elif isinstance(exponent, Rational):
        yield ("positive" if exponent.p < 0 else "nonnegative"), base
    else:
        yield "positive", base


def _smooth(operand: Basic) -> Iterator[tuple[str, Expr]]:
    """Roots and absolute values have no derivative at zero."""
    for part in parts(operand):
        if isinstance(part, (written.Power, sympy.Pow)):
            base, exponent = part.args
            if isinstance(exponent, Rational) and exponent.q != 1:
                yield "smooth", base
        elif isinstance(part, functions.Elementary) and part.name == "abs":
            yield "smooth", part.operand
        elif isinstance(part, sympy.Abs):
            yield "smooth", part.args[0]
        elif isinstance(part, functions.Norm):
            yield "smooth", part
        elif isinstance(part, OrderStatistic):
            yield "attained", part
        elif isinstance(part, operators.Limit):
            yield "continuous", part


def _settle(kind: str, expression: Expr, givens: tuple[Given, ...], normal_sign: NormalSign) -> Obligation:
    text = _WORDS[kind].format(expression)
    if kind == "exists":
        stated = _stated(expression, givens)
        if stated is not None:
            return Obligation(kind, expression, text, "assumption", (stated,))
        settled, used = _expectation_exists(expression, givens)
        return Obligation(kind, expression, text, "the moments that are given" if settled else "", used)
    if kind == "rank":
        return _rank(expression, givens, text)
    if kind in ("attained", "continuous"):
        return Obligation(kind, expression, text)
    if kind == "limit":
        known = normal_sign(expression)
        settled_by = "the rules for limits" if known is not None else ""
        return Obligation(kind, expression, text, settled_by, known.givens if known else ())
    known = sign(expression, givens)
    if not known.range & ~_ALLOWED[kind]:
        return Obligation(kind, expression, text, "its sign", known.givens)
    shown = normal_sign(expression)
    if shown is not None and not shown.range & ~_ALLOWED[kind]:
        return Obligation(kind, expression, text, "the sign of its normal form", shown.givens)
    return Obligation(kind, expression, text)


def _stated(expression: Expr, givens: tuple[Given, ...]) -> Given | None:
    """A given that says in so many words that this expectation exists."""
    if not isinstance(expression, operators.Expectation):
        return None
    return next((one for one in givens if isinstance(one, Integrable) and one.args[0] == expression.args[0]), None)


def _rank(expression: Expr, givens: tuple[Given, ...], text: str) -> Obligation:
    """A vector has a second largest entry only if it has two."""
    needed = max(1, int(expression.args[1]))
    (size,) = shape_of(expression.args[0])
    room = sign(written.Plus(size, written.Negative(Integer(needed))), givens)
    settled = needed == 1 or not room.range & ~NONNEGATIVE
    return Obligation("rank", expression, text, "its size" if settled else "", room.givens if settled else ())


def _expectation_exists(expression: Expr, givens: tuple[Given, ...]) -> tuple[bool, tuple[Given, ...]]:
    if isinstance(expression, operators.Covariance):
        first, second = expression.args
        return exists(written.Times(first, second), product(growth(first), growth(second)), givens)
    operand: Expr = expression.args[0]
    inner = growth(operand)
    if isinstance(expression, operators.Variance):
        return exists(operand, product(inner, inner), givens)
    return exists(operand, inner, givens)
