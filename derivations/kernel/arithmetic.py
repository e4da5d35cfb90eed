"""Addition, multiplication and integer powers of polynomials, and substitution of indices.

Multiplying monomials adds exponents. Some atoms then need care: a delta is idempotent and identifies its indices in
the other factors, a polynomial under a power is expanded when its exponent becomes a natural number, and so on; each
such kind has a row in the context's table ``settle``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from derivations.kernel.context import Context, rebuild_atom
from derivations.kernel.terms import (
    ONE,
    ZERO,
    Atom,
    Delta,
    KernelLimit,
    Monomial,
    Number,
    Polynomial,
    Position,
    collect,
    mentions,
    whole,
)


def add(*polynomials: Polynomial) -> Polynomial:
    """The sum."""
    return collect(term for polynomial in polynomials for term in polynomial)


def scale(polynomial: Polynomial, factor: Number) -> Polynomial:
    """The polynomial times a number."""
    if not factor:
        return ZERO
    return tuple((monomial, whole(coefficient * factor)) for monomial, coefficient in polynomial)


def subtract(first: Polynomial, second: Polynomial) -> Polynomial:
    """The difference."""
    return add(first, scale(second, -1))


def multiply(context: Context, *polynomials: Polynomial) -> Polynomial:
    """The product."""
    result = ONE
    for polynomial in polynomials:
        if polynomial == ONE:
            continue
        if result == ONE:
            result = polynomial
            continue
        context.spend(len(result) * len(polynomial))
        result = collect(
            (monomial, coefficient * first_value * second_value)
            for first, first_value in result
            for second, second_value in polynomial
            for monomial, coefficient in multiply_monomials(context, first, second)
        )
    return result


def multiply_monomials(context: Context, first: Monomial, second: Monomial) -> Polynomial:
    """The product of two monomials; a polynomial, since a base may be expanded."""
    if not first:
        return ((second, 1),)
    if not second:
        return ((first, 1),)
    exponents = dict(first)
    for atom, exponent in second:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return normal_monomial(context, exponents)


def normal_monomial(context: Context, exponents: Mapping[Atom, Number]) -> Polynomial:
    """The normal form of a product of atoms to powers."""
    plain: list[tuple[Atom, Number]] = []
    special: list[Polynomial] = []
    deltas: list[Delta] = []
    for atom, exponent in exponents.items():
        if not exponent:
            continue
        if isinstance(atom, Delta):
            if exponent < 0:
                raise KernelLimit("division by a Kronecker delta, which may be zero")
            deltas.append(atom)
            continue
        rewrite = context.operations.settle.get(atom.kind)
        rewritten = rewrite(context, atom, exponent) if rewrite else None
        if rewritten is None:
            plain.append((atom, whole(exponent)))
        else:
            special.append(rewritten)
    if deltas:
        return _with_deltas(context, deltas, tuple(sorted(plain)), special)
    result: Polynomial = ((tuple(sorted(plain)), 1),)
    return multiply(context, result, *special) if special else result


def _with_deltas(context: Context, deltas: list[Delta], plain: Monomial, special: list[Polynomial]) -> Polynomial:
    """A product with deltas: each class of equal indices is named by its smallest member, everywhere."""
    parent: dict[Position, Position] = {}

    def root(one: Position) -> Position:
        while one in parent:
            one = parent[one]
        return one

    for delta in deltas:
        first, second = sorted((root(delta.first), root(delta.second)))
        if first != second:
            parent[second] = first
    for first, second, given in context.facts.distinct:
        if root(first) == root(second):
            context.use(given)
            return ZERO
    mapping = {one: root(one) for one in parent}
    rest: Polynomial = ((plain, 1),)
    if mentions((plain, tuple(special)), mapping):
        rest = substitute(context, rest, mapping)
        special = [substitute(context, one, mapping) for one in special]
    rest = multiply(context, rest, *special)
    links: list[tuple[Atom, Number]] = sorted((Delta("delta", root(one), one), 1) for one in parent)
    if any(isinstance(atom, Delta) for monomial, _ in rest for atom, _ in monomial):
        return multiply(context, rest, ((tuple(links), 1),))
    return collect((tuple(sorted((*monomial, *links))), coefficient) for monomial, coefficient in rest)


def natural_power(context: Context, polynomial: Polynomial, exponent: int) -> Polynomial:
    """The polynomial to a natural power, expanded."""
    result = ONE
    for _ in range(exponent):
        result = multiply(context, result, polynomial)
    return result


def natural(exponent: Number) -> bool:
    """Whether an exponent is a natural number."""
    return not isinstance(exponent, Fraction) and exponent >= 0


def transform(
    context: Context,
    polynomial: Polynomial,
    change: Callable[[Atom], Polynomial | None],
) -> Polynomial:
    """Replace each atom by ``change(atom)``, to its power; an atom for which that is None stays."""
    terms: list[Polynomial] = []
    untouched: list[tuple[Monomial, Number]] = []
    for monomial, coefficient in polynomial:
        kept: list[tuple[Atom, Number]] = []
        changed: list[Polynomial] = []
        for atom, exponent in monomial:
            replacement = change(atom)
            if replacement is None:
                kept.append((atom, exponent))
            else:
                changed.append(context.operations.raise_to(context, replacement, exponent))
        if not changed:
            untouched.append((monomial, coefficient))
            continue
        terms.append(scale(multiply(context, ((tuple(kept), 1),), *changed), coefficient))
    return add(tuple(untouched), *terms) if terms else polynomial


def substitute(context: Context, polynomial: Polynomial, mapping: Mapping[Position, Position]) -> Polynomial:
    """Replace indices by indices, in normal form again."""
    table = dict(mapping)

    def change(atom: Atom) -> Polynomial | None:
        if not mentions(atom, table):
            return None
        return rebuild_atom(
            context, atom, lambda part: substitute(context, part, table), lambda one: table.get(one, one)
        )

    return transform(context, polynomial, change)
