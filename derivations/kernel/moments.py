"""Moments and cumulants of one entry of a random array, from what the givens declare."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from derivations.kernel.arithmetic import add, multiply, scale, substitute
from derivations.kernel.context import Context, RandomFacts
from derivations.kernel.terms import ZERO, Average, Entry, Moment, Polynomial, Position, single

NO_FACTS = RandomFacts()


def facts_of(context: Context, array: str) -> RandomFacts:
    """What is known of an array."""
    return context.facts.random.get(array, NO_FACTS)


def at_entry(context: Context, value: Polynomial, entry: Entry) -> Polynomial:
    """A declared value at an entry: a value given for the whole array is written with placeholder indices."""
    mapping = {Position(0, place, "·", index.dimension): index for place, index in enumerate(entry.indices)}
    return substitute(context, value, mapping) if mapping else value


def raw_moment(context: Context, entry: Entry, order: int) -> Polynomial:
    """E[X^order] of one entry, as far as it is known."""
    facts = facts_of(context, entry.array)
    for source in _SOURCES:
        found = source(context, facts, entry, order)
        if found is not None:
            return found
    if facts.identically_distributed is not None:
        rule = context.law("moments.identical")
        if rule is not None:
            context.use(facts.identically_distributed)
            result: Polynomial = rule(Moment("moment", entry.array, order))
            return result
    return single(Average("average", single(entry, order)))


def _declared(context: Context, facts: RandomFacts, entry: Entry, order: int) -> Polynomial | None:
    if order not in facts.moments:
        return None
    rule = context.law("moments.declared")
    if rule is None:
        return None
    value, given = facts.moments[order]
    context.use(given)
    result: Polynomial = rule(at_entry(context, value, entry))
    return result


def _from_variance(context: Context, facts: RandomFacts, entry: Entry, order: int) -> Polynomial | None:
    if order != 2 or facts.variance is None:
        return None
    rule = context.law("moments.variance")
    if rule is None:
        return None
    value, given = facts.variance
    context.use(given)
    mean = raw_moment(context, entry, 1)
    result: Polynomial = rule(at_entry(context, value, entry), multiply(context, mean, mean))
    return result


def _from_law(context: Context, facts: RandomFacts, entry: Entry, order: int) -> Polynomial | None:
    if facts.law is None:
        return None
    name, parameters, given = facts.law
    rule = context.law("gaussian.moments" if name == "normal" else f"moments.{name}")
    if rule is None:
        return None
    context.use(given)
    result: Polynomial = rule(context, order, *(at_entry(context, value, entry) for value in parameters))
    return result


_SOURCES: tuple[Callable[[Context, RandomFacts, Entry, int], Polynomial | None], ...] = (
    _declared,
    _from_variance,
    _from_law,
)


def cumulant(context: Context, entry: Entry, order: int) -> Polynomial:
    """The cumulant of one entry: from a normal law directly, else from its raw moments."""
    key = ("cumulant", entry, order)
    if key not in context.cache:
        context.cache[key] = _cumulant(context, entry, order)
    return context.cache[key]


def _cumulant(context: Context, entry: Entry, order: int) -> Polynomial:
    rule = context.law("independence.moments")
    assert rule is not None  # the caller integrates only where the recursion is switched on
    lower = [
        scale(
            multiply(context, cumulant(context, entry, k), raw_moment(context, entry, order - k)),
            comb(order - 1, k - 1),
        )
        for k in range(1, order)
    ]
    result: Polynomial = rule(raw_moment(context, entry, order), add(*lower) if lower else ZERO)
    return result
