"""Sums over indices: opening a component, contracting deltas, splitting a product into connected components."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from derivations.kernel.arithmetic import add, multiply, natural, scale, substitute
from derivations.kernel.context import Context
from derivations.kernel.labelling import canonical, relabel_factors
from derivations.kernel.terms import (
    ONE,
    ONLY,
    Atom,
    Count,
    Delta,
    Monomial,
    Number,
    Polynomial,
    Position,
    Sum,
    mentions,
    single,
)


def open_sum(context: Context, atom: Sum) -> tuple[tuple[Position, ...], Polynomial]:
    """The body of a sum with fresh tokens in place of its bound indices."""
    tokens = tuple(context.fresh(one.dimension) for one in atom.bound)
    factors = relabel_factors(atom.factors, dict(zip(atom.bound, tokens, strict=True)))
    return tokens, multiply(context, *((((factor,), 1),) for factor in factors))


def count(context: Context, dimension: Polynomial) -> Polynomial:
    """The sum of 1 over an index of this dimension."""
    rule = context.law("summation.constant")
    if rule is None:
        return single(Count("count", dimension))
    result: Polynomial = rule(dimension)
    return result


def sum_over(context: Context, tokens: Iterable[Position], body: Polynomial) -> Polynomial:
    """The sum of the body over the tokens. Afterwards none of the tokens is left."""
    wanted = frozenset(token for token in tokens if token != ONLY)
    if not wanted:
        return body
    return add(*(scale(_sum_monomial(context, wanted, monomial), coefficient) for monomial, coefficient in body))


def _sum_monomial(context: Context, tokens: frozenset[Position], monomial: Monomial) -> Polynomial:
    for atom, exponent in monomial:
        if isinstance(atom, Delta):
            token = next((one for one in (atom.second, atom.first) if one in tokens), None)
            if token is not None:
                other = atom.first if token == atom.second else atom.second
                rest: Polynomial = ((tuple(pair for pair in monomial if pair[0] != atom), 1),)
                return sum_over(context, tokens - {token}, substitute(context, rest, {token: other}))
        if isinstance(atom, Sum) and natural(exponent) and mentions(atom, tokens):
            inner, body = open_sum(context, atom)
            remaining = tuple((one, power - (one == atom)) for one, power in monomial)
            rest = ((tuple(pair for pair in remaining if pair[1]), 1),)
            return sum_over(context, tokens | set(inner), multiply(context, rest, body))
    outside = tuple(pair for pair in monomial if not mentions(pair[0], tokens))
    inside = [pair for pair in monomial if mentions(pair[0], tokens)]
    result: Polynomial = ((outside, 1),)
    left = set(tokens)
    parts: list[Polynomial] = []
    while inside:
        bound, factors, inside = _component(inside, left)
        left -= bound
        label, named = canonical(sorted(bound), factors)
        parts.append(single(Sum("sum", label, named)))
    parts.extend(count(context, token.dimension) for token in sorted(left))
    return multiply(context, result, *parts)


def _component(
    factors: list[tuple[Atom, Number]], tokens: set[Position]
) -> tuple[set[Position], list[tuple[Atom, Number]], list[tuple[Atom, Number]]]:
    """The factors that hang together with the first one through shared tokens: their tokens, they, and the rest."""
    found = [factors[0]]
    rest = factors[1:]
    bound = {token for token in tokens if mentions(factors[0][0], {token})}
    while True:
        tied = [factor for factor in rest if mentions(factor[0], bound)]
        if not tied:
            return bound, found, rest
        rest = [factor for factor in rest if factor not in tied]
        found += tied
        bound |= {token for token in tokens if any(mentions(factor[0], {token}) for factor in tied)}


def rebuild_sum(
    context: Context,
    atom: Sum,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """Change the body of a sum, its bound indices out of reach as fresh tokens."""
    tokens, body = open_sum(context, atom)
    return sum_over(context, tokens, polynomial(body))


def rebuild_delta(
    context: Context,
    atom: Delta,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """A delta of changed indices; 1 where they become one."""
    first, second = sorted((position(atom.first), position(atom.second)))
    return ONE if first == second else delta(context, first, second)


def delta(context: Context, first: Position, second: Position) -> Polynomial:
    """The Kronecker delta of two indices."""
    if first == second:
        return ONE
    for one, other, given in context.facts.distinct:
        if {one, other} == {first, second}:
            context.use(given)
            return ()
    return single(Delta("delta", *sorted((first, second))))
