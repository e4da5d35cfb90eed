"""Whether a polynomial is zero: by normal form, by the given equations, by clearing denominators."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import factorial

from derivations.kernel.arithmetic import add, multiply, scale, substitute
from derivations.kernel.context import Context
from derivations.kernel.powers import cleared, raise_to
from derivations.kernel.rules import rewrite
from derivations.kernel.sums import count, open_sum
from derivations.kernel.terms import (
    FRESH,
    Base,
    KernelLimit,
    Monomial,
    Number,
    Polynomial,
    Position,
    Sum,
    mentions,
    positions,
)

MAXIMUM_OPENED = 3


def is_zero(context: Context, polynomial: Polynomial) -> bool:
    """Whether the polynomial is shown to be zero. False means: not shown."""
    return not reduced(context, polynomial)


def reduced(context: Context, polynomial: Polynomial) -> Polynomial:
    """What is left of a polynomial after every way of showing it to be zero; empty if it is."""
    rest = rewrite(context, polynomial)
    if not rest:
        return rest
    rest, _ = cleared(context, rest)
    rest = rewrite(context, rest)
    if rest and _zero_in_the_body(context, rest):
        return ()
    return rest


def _zero_in_the_body(context: Context, polynomial: Polynomial) -> bool:
    """Open the sums whose denominators hold a bound index, bring all terms under one sum, clear there.

    A term with fewer indices than the longest is lifted: it is the sum over the missing index of 1/n times itself.
    The body may be replaced by its average over renamings of the indices; if that vanishes, so does the sum.
    """
    opened = [(coefficient, *_open_denominators(context, monomial)) for monomial, coefficient in polynomial]
    longest = max((tokens for _, tokens, _ in opened), key=len)
    if not longest or len(longest) > MAXIMUM_OPENED:
        return False
    body: list[Polynomial] = []
    for coefficient, tokens, term in opened:
        placed = _place(context, tokens, longest, term)
        if placed is None:
            return False
        body.append(scale(placed, coefficient))
    numerator, _ = cleared(context, _symmetrised(context, add(*body), longest))
    return not rewrite(context, numerator)


def _open_denominators(context: Context, monomial: Monomial) -> tuple[tuple[Position, ...], Polynomial]:
    tokens: tuple[Position, ...] = ()
    body: Polynomial = (((), 1),)
    for atom, exponent in monomial:
        factor: Polynomial = ((((atom, exponent),), 1),)
        if isinstance(atom, Sum) and exponent == 1 and _has_inner_denominator(atom):
            fresh, factor = open_sum(context, atom)
            tokens += fresh
        body = multiply(context, body, factor)
    return tokens, body


def _has_inner_denominator(atom: Sum) -> bool:
    return any(
        (isinstance(inner, (Base, Sum)) or exponent < 0) and exponent != 1 and mentions(inner, set(atom.bound))
        for inner, exponent in atom.factors
    )


def _place(
    context: Context, tokens: tuple[Position, ...], longest: tuple[Position, ...], term: Polynomial
) -> Polynomial | None:
    free = list(longest)
    mapping: dict[Position, Position] = {}
    for token in tokens:
        target = next((one for one in free if one.dimension == token.dimension), None)
        if target is None:
            return None
        free.remove(target)
        mapping[token] = target
    lifted = substitute(context, term, mapping)
    for one in free:
        lifted = multiply(context, lifted, raise_to(context, count(context, one.dimension), -1))
    return lifted


def _symmetrised(context: Context, body: Polynomial, tokens: tuple[Position, ...]) -> Polynomial:
    if len(tokens) < 2 or len({token.dimension for token in tokens}) > 1:
        return body
    renamings = (dict(zip(tokens, order, strict=True)) for order in permutations(tokens))
    share: Number = Fraction(1, factorial(len(tokens)))
    return scale(add(*(substitute(context, body, renaming) for renaming in renamings)), share)


def assert_closed(polynomial: Polynomial) -> None:
    """Raise :class:`KernelLimit` if a fresh token escaped its sum; that would be a bug of the kernel."""
    if any(one.level == FRESH for one in positions(polynomial)):
        raise KernelLimit("internal error: an index escaped its sum")
