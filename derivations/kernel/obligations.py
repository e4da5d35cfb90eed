"""What must hold for written lines to have a meaning, collected from the syntax before anything is normalised."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.kernel.existence import exists, growth, product
from derivations.kernel.record import Obligation
from derivations.kernel.written_signs import NONNEGATIVE, Range, sign
from derivations.language import functions, operators, written
from derivations.language.givens import Given
from derivations.language.structure import parts

_WORDS = {
    "nonzero": "{} is not zero",
    "positive": "{} is positive",
    "nonnegative": "{} is not negative",
    "exists": "{} exists",
    "smooth": "{} is not zero, so that the derivative exists",
}
_ALLOWED = {
    "nonzero": Range.NEGATIVE | Range.POSITIVE,
    "positive": Range.POSITIVE,
    "nonnegative": NONNEGATIVE,
    "smooth": Range.NEGATIVE | Range.POSITIVE,
}


def obligations(expressions: tuple[Expr, ...], givens: tuple[Given, ...]) -> tuple[Obligation, ...]:
    """The obligations of some written lines, each discharged by sign or moments, or open."""
    found = dict.fromkeys(pair for expression in expressions for pair in _collect(expression))
    return tuple(_settle(kind, expression, givens) for kind, expression in found)


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
        elif isinstance(part, functions.Norm):
            yield "smooth", part


def _settle(kind: str, expression: Expr, givens: tuple[Given, ...]) -> Obligation:
    text = _WORDS[kind].format(expression)
    if kind == "exists":
        settled, used = _expectation_exists(expression, givens)
        return Obligation(kind, expression, text, "the moments that are given" if settled else "", used)
    known = sign(expression, givens)
    if not known.range & ~_ALLOWED[kind]:
        return Obligation(kind, expression, text, "its sign", known.givens)
    return Obligation(kind, expression, text)


def _expectation_exists(expression: Expr, givens: tuple[Given, ...]) -> tuple[bool, tuple[Given, ...]]:
    if isinstance(expression, operators.Covariance):
        first, second = expression.args
        return exists(written.Times(first, second), product(growth(first), growth(second)), givens)
    operand: Expr = expression.args[0]
    inner = growth(operand)
    if isinstance(expression, operators.Variance):
        return exists(operand, product(inner, inner), givens)
    return exists(operand, inner, givens)
