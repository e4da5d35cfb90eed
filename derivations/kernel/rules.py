"""Rewriting by equations that are given: a pattern whose inner indices occur nowhere else is replaced.

An equation holds for every value of its free indices; they are the variables of the pattern. Each equation is used in
one direction, from its longest monomial to the rest, and the number of passes is bounded, so rewriting ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.kernel.arithmetic import multiply, scale, substitute, transform
from derivations.kernel.context import Context, rebuild_atom
from derivations.kernel.powers import raise_to
from derivations.kernel.sums import open_sum, sum_over
from derivations.kernel.terms import (
    FREE,
    UNIT,
    Atom,
    KernelLimit,
    Monomial,
    Number,
    Polynomial,
    Position,
    Sum,
    collect,
    level_of,
    mentions,
    positions,
    whole,
)
from derivations.language.givens import Given

MAXIMUM_PASSES = 12


@dataclass(frozen=True)
class Contraction:
    """An oriented equation: the factors of the pattern, its inner indices, its variables, and what replaces it."""

    factors: Monomial
    inner: tuple[Position, ...]
    variables: frozenset[Position]
    replacement: Polynomial
    given: Given


def orient(context: Context, left: Polynomial, right: Polynomial, given: Given) -> Contraction | None:
    """Turn an equation into a rewriting rule; None where it says nothing that can be used so."""
    difference = collect((*left, *((monomial, -coefficient) for monomial, coefficient in right)))
    if not difference:
        return None
    pattern, coefficient = _leading(left, right, difference)
    if pattern == UNIT:
        return None
    rest = collect(
        (monomial, whole(-Fraction(value) / Fraction(coefficient)))
        for monomial, value in difference
        if monomial != pattern
    )
    if len(pattern) == 1 and pattern[0][1] != 1 and abs(Fraction(1) / Fraction(pattern[0][1])).denominator == 1:
        # From u^(1/k) = r follows u = r^k.
        rest = raise_to(context, rest, 1 / Fraction(pattern[0][1]))
        pattern = ((pattern[0][0], 1),)
    if len(pattern) == 1 and pattern[0][1] == 1 and isinstance(pattern[0][0], Sum):
        atom = pattern[0][0]
        factors, inner = atom.factors, atom.bound
    else:
        factors, inner = pattern, ()
    variables = frozenset(one for one in positions(pattern) if one.level == FREE)
    if any(one.level == FREE and one not in variables for one in positions(rest)):
        return None
    return Contraction(factors, inner, variables, rest, given)


def _leading(left: Polynomial, right: Polynomial, difference: Polynomial) -> tuple[Monomial, Number]:
    """The term that is replaced: a side that is one term, the left one first, else the longest term."""
    for side in (left, right):
        if len(side) == 1 and side[0][0] != UNIT:
            found = next((term for term in difference if term[0] == side[0][0]), None)
            if found is not None:
                return found
    return max(difference, key=lambda term: (_length(term[0]), term[0]))


def _length(monomial: Monomial) -> tuple[int, int]:
    return (max((level_of(atom) for atom, _ in monomial), default=0), sum(1 for _ in _leaves(monomial)))


def _leaves(term: object) -> Iterator[object]:
    if isinstance(term, tuple) and not isinstance(term, Position):
        for part in term:
            yield from _leaves(part)
    else:
        yield term


def rewrite(context: Context, polynomial: Polynomial) -> Polynomial:
    """Apply the given equations everywhere until nothing changes."""
    equations = [rule for rule, _ in context.facts.equations]
    if not equations or not context.allows("given.equation"):
        return polynomial
    for _ in range(MAXIMUM_PASSES):
        changed = _pass(context, polynomial, equations)
        if changed == polynomial:
            return polynomial
        polynomial = changed
    raise KernelLimit("the given equations rewrite each other without end")


def _pass(context: Context, polynomial: Polynomial, equations: list[Contraction]) -> Polynomial:
    def change(atom: Atom) -> Polynomial | None:
        for rule in equations:
            found = _contract(context, atom, rule)
            if found is not None:
                return found
        rebuilt = rebuild_atom(context, atom, lambda part: _pass(context, part, equations), lambda one: one)
        return None if rebuilt == (((((atom, 1)),), 1),) else rebuilt

    result = transform(context, polynomial, change)
    for rule in equations:
        if len(rule.factors) > 1 and not rule.inner and not rule.variables:
            result = _replace_products(context, result, rule)
    return result


def _replace_products(context: Context, polynomial: Polynomial, rule: Contraction) -> Polynomial:
    """Replace a product of closed factors wherever it divides a term."""
    total: list[tuple[Monomial, Number]] = []
    for monomial, coefficient in polynomial:
        table = dict(monomial)
        if all(table.get(atom, 0) >= exponent > 0 for atom, exponent in rule.factors):
            for atom, exponent in rule.factors:
                table[atom] -= exponent
            rest: Polynomial = ((tuple(sorted(pair for pair in table.items() if pair[1])), coefficient),)
            total += multiply(context, rest, _applied(context, rule, {}))
        else:
            total.append((monomial, coefficient))
    return collect(total)


def _applied(context: Context, rule: Contraction, mapping: Mapping[Position, Position]) -> Polynomial:
    law = context.law("given.equation")
    assert law is not None  # rewriting starts only where the law is switched on
    context.use(rule.given)
    result: Polynomial = law(substitute(context, rule.replacement, mapping))
    return result


def _contract(context: Context, atom: Atom, rule: Contraction) -> Polynomial | None:
    if not rule.inner:
        if len(rule.factors) != 1:
            return None
        pattern, exponent = rule.factors[0]
        mapping = _match(pattern, atom, {}, rule) if exponent == 1 else None
        return None if mapping is None else _applied(context, rule, mapping)
    if not isinstance(atom, Sum):
        return None
    tokens, body = open_sum(context, atom)
    if len(body) != 1:
        return None
    monomial, coefficient = body[0]
    for used, mapping in _matches(rule.factors, list(monomial), {}, rule):
        inner = {mapping[one] for one in rule.inner if one in mapping}
        rest = tuple(pair for place, pair in enumerate(monomial) if place not in used)
        if len(inner) < len(rule.inner) or not inner <= set(tokens) or mentions(rest, inner):
            continue
        outer = {one: target for one, target in mapping.items() if one not in rule.inner}
        if any(mentions(target, inner) for target in outer.values()):
            continue
        replaced = multiply(context, ((rest, 1),), _applied(context, rule, outer))
        return scale(sum_over(context, set(tokens) - inner, replaced), coefficient)
    return None


def _matches(
    pattern: Monomial, targets: list[tuple[Atom, Number]], mapping: dict[Position, Position], rule: Contraction
) -> Iterator[tuple[frozenset[int], dict[Position, Position]]]:
    """All ways to find the factors of the pattern among the targets: the places used and the indices matched."""
    if not pattern:
        yield frozenset(), mapping
        return
    (first, exponent), rest = pattern[0], pattern[1:]
    for place, (atom, power) in enumerate(targets):
        if power != exponent:
            continue
        extended = _match(first, atom, mapping, rule)
        if extended is None:
            continue
        blocked = [pair if where != place else (pair[0], 0) for where, pair in enumerate(targets)]
        for used, found in _matches(rest, blocked, extended, rule):
            yield used | {place}, found


def _match(
    pattern: Any, target: Any, mapping: dict[Position, Position], rule: Contraction
) -> dict[Position, Position] | None:
    """Extend the mapping so that the pattern becomes the target."""
    if isinstance(pattern, Position):
        if pattern not in rule.variables and pattern not in rule.inner:
            return mapping if pattern == target else None
        if not isinstance(target, Position) or target.dimension != pattern.dimension:
            return None
        if target.level > FREE:
            return None  # bound inside the target, so it is no value that the equation could be taken at
        if pattern in mapping:
            return mapping if mapping[pattern] == target else None
        if pattern in rule.inner and any(mapping.get(one) == target for one in rule.inner):
            return None
        return {**mapping, pattern: target}
    if isinstance(pattern, tuple):
        if not isinstance(target, tuple) or len(pattern) != len(target) or type(pattern) is not type(target):
            return None
        for part, other in zip(pattern, target, strict=True):
            extended = _match(part, other, mapping, rule)
            if extended is None:
                return None
            mapping = extended
        return mapping
    return mapping if pattern == target else None
