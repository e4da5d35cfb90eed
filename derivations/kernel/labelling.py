"""Canonical names for bound indices: two sums that differ by renaming get the same form.

Colour refinement separates indices by how they occur; where a class of several remains, each of its members is
individualised in turn and the smallest result is taken (McKay and Piperno 2014, Practical graph isomorphism II).
Members of a class that can be exchanged without changing anything are tried once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from derivations.kernel.terms import (
    MARK,
    Atom,
    Closure,
    Covariance,
    Delta,
    KernelLimit,
    Monomial,
    Number,
    Position,
    Sum,
    level_of,
    mentions,
)

Factors = Sequence[tuple[Atom, Number]]
MAXIMUM_BRANCHES = 2000


def relabel(term: Any, mapping: Mapping[Position, Position]) -> Any:
    """Rename indices inside any term, restoring the order of what is unordered; nothing is simplified."""
    if isinstance(term, Position):
        return mapping.get(term, term)
    if not isinstance(term, tuple) or not mentions(term, dict(mapping)):
        return term
    if isinstance(term, Sum):
        bound, factors = canonical(term.bound, relabel_factors(term.factors, mapping))
        return Sum("sum", bound, factors)
    if isinstance(term, Closure):
        return Closure(term.bound, relabel(term.entry, mapping))
    if isinstance(term, Delta):
        return Delta("delta", *sorted((relabel(term.first, mapping), relabel(term.second, mapping))))
    if isinstance(term, Covariance):
        return Covariance("covariance", *sorted((relabel(term.first, mapping), relabel(term.second, mapping))))
    if hasattr(term, "_fields"):
        return type(term)(*(relabel(part, mapping) for part in term))
    if _is_collection(term):
        return tuple(sorted((relabel(key, mapping), value) for key, value in term))
    return tuple(relabel(part, mapping) for part in term)


def _is_collection(term: tuple[Any, ...]) -> bool:
    """Monomials and polynomials are collections of (key, number); argument lists are sequences of tuples."""
    return all(len(part) == 2 and not isinstance(part[1], tuple) and isinstance(part[0], tuple) for part in term)


def relabel_factors(factors: Factors, mapping: Mapping[Position, Position]) -> Monomial:
    """Rename indices in a list of factors and sort it; equal factors are kept apart."""
    return tuple(sorted((relabel(atom, mapping), exponent) for atom, exponent in factors))


def canonical(bound: Sequence[Position], factors: Factors) -> tuple[tuple[Position, ...], Monomial]:
    """The canonical bound indices and factors of a sum over ``bound`` of the product of ``factors``.

    Raises :class:`KernelLimit` for a sum so symmetric that too many namings would have to be compared.
    """
    level = 1 + max((level_of(atom) for atom, _ in factors), default=0)
    if len(bound) == 1:
        label = Position(level, 0, "", bound[0].dimension)
        return (label,), relabel_factors(factors, {bound[0]: label})
    budget = [MAXIMUM_BRANCHES]
    best = _search(tuple(bound), factors, level, _refine(bound, factors, dict.fromkeys(bound, 0)), budget)
    if best is None:
        raise KernelLimit("a sum has too many interchangeable indices to be named canonically")
    return best


def _colour(index: Position, number: int) -> Position:
    return Position(MARK, number, "", index.dimension)


def _refine(bound: Sequence[Position], factors: Factors, colours: dict[Position, int]) -> dict[Position, int]:
    """Split colour classes by how their members occur until nothing splits."""
    while True:
        signatures = {}
        for one in bound:
            mapping = {other: _colour(other, 1 + colours[other]) for other in bound}
            mapping[one] = _colour(one, 0)
            seen = [factor for factor in factors if mentions(factor[0], {one})]
            signatures[one] = (colours[one], one.dimension, relabel_factors(seen, mapping))
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures.values())))}
        refined = {one: ranks[signatures[one]] for one in bound}
        if len(ranks) == len(set(colours.values())):
            return refined
        colours = refined


def _search(
    bound: tuple[Position, ...],
    factors: Factors,
    level: int,
    colours: dict[Position, int],
    budget: list[int],
) -> tuple[tuple[Position, ...], Monomial] | None:
    budget[0] -= 1
    if budget[0] < 0:
        return None
    cells: dict[int, list[Position]] = {}
    for one in bound:
        cells.setdefault(colours[one], []).append(one)
    cell = next((cells[colour] for colour in sorted(cells) if len(cells[colour]) > 1), None)
    if cell is None:
        ordered = sorted(bound, key=colours.__getitem__)
        labels = {one: Position(level, rank, "", one.dimension) for rank, one in enumerate(ordered)}
        return tuple(labels[one] for one in ordered), relabel_factors(factors, labels)
    reference = relabel_factors(factors, {})
    tried: list[Position] = []
    best: tuple[tuple[Position, ...], Monomial] | None = None
    for one in cell:
        if any(relabel_factors(factors, {one: other, other: one}) == reference for other in tried):
            continue
        tried.append(one)
        apart = {other: 2 * colour + 1 for other, colour in colours.items()}
        apart[one] -= 1
        found = _search(bound, factors, level, _refine(bound, factors, apart), budget)
        if found is None:
            return None
        best = found if best is None else min(best, found)
    return best
