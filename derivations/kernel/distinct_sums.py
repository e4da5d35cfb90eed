"""Products of sums over one dimension, written over distinct indices: a certificate of sign.

sum_i a_i sum_j b_j = sum_{i != j} a_i b_j + sum_i a_i b_i, and a free index m takes its own share of each sum. Written
so, the terms are linearly independent functions of the entries, and what is not negative for every n often has
coefficients that are not negative. Where some are, :mod:`derivations.kernel.means` weighs them against others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from derivations.kernel.arithmetic import natural, substitute
from derivations.kernel.context import Context, Rule
from derivations.kernel.labelling import relabel_factors
from derivations.kernel.signs import Sign, sign_of
from derivations.kernel.terms import (
    FREE,
    MARK,
    ONLY,
    UNIT,
    Atom,
    Delta,
    Monomial,
    Named,
    Number,
    Polynomial,
    Position,
    Sum,
    mentions,
    positions,
    whole,
)

MOST_TERMS = 80
MOST_SUMS = 10
MOST_FREE = 3
MOST_EXPANDED = 2000


class Term(NamedTuple):
    """A sum over distinct indices that differ from the free ones: what stands outside, at each free index, and at
    each bound one, in sorted order; an empty monomial for an index that occurs nowhere."""

    outside: Monomial
    at_free: tuple[Monomial, ...]
    at_bound: tuple[Monomial, ...]


Expansion: TypeAlias = dict[Term, Number]


def plus_coincidences(product: Term, factor: Monomial) -> Iterator[Term]:
    """Times one more sum: its index is a new one, or one of those that are there."""
    yield product._replace(at_bound=_sorted((*product.at_bound, factor)))
    for place, other in enumerate(product.at_bound):
        together = (*product.at_bound[:place], times(other, factor), *product.at_bound[place + 1 :])
        yield product._replace(at_bound=_sorted(together))
    for place, other in enumerate(product.at_free):
        together = (*product.at_free[:place], times(other, factor), *product.at_free[place + 1 :])
        yield product._replace(at_free=together)


def _sorted(monomials: Iterable[Monomial]) -> tuple[Monomial, ...]:
    return tuple(sorted(monomials))


def times(first: Monomial, second: Monomial) -> Monomial:
    """The product of two monomials whose atoms need no care."""
    exponents = dict(first)
    for atom, exponent in second:
        exponents[atom] = whole(exponents.get(atom, 0) + exponent)
    return tuple(sorted(pair for pair in exponents.items() if pair[1]))


def expansions(context: Context, polynomial: Polynomial) -> list[list[Expansion]]:
    """As it stands, and for each dimension with sums, a way to expand the polynomial, up to positive factors: one
    expansion for each way in which the free indices of the dimension may coincide."""
    if len(polynomial) > MOST_TERMS or not context.allows("nonnegativity.distinct"):
        return []
    found = [[{Term(monomial, (), ()): coefficient for monomial, coefficient in polynomial}]]
    for dimension in sorted({one.dimension for one in positions(polynomial) if _is_plain(one.dimension)}):
        free = sorted({one for one in positions(polynomial) if _is_free(one, dimension)})
        if len(free) > MOST_FREE:
            continue
        # A dimension is at least one: without a free index there is one still, and n is one more than the others.
        for extra in ((),) if free else ((), (Position(FREE, 1, "", dimension),)):
            cases = [_expanded(context, polynomial, dimension, mapping, extra) for mapping in _cases(context, free)]
            if cases and all(case is not None for case in cases):
                found.append([case for case in cases if case is not None])
    return found


def _is_plain(dimension: Polynomial) -> bool:
    """Whether a dimension is a letter: only then is the sum of 1 over it that letter."""
    if len(dimension) != 1 or dimension[0][1] != 1 or len(dimension[0][0]) != 1:
        return False
    atom, exponent = dimension[0][0][0]
    return isinstance(atom, Named) and atom.kind == "dimension" and exponent == 1


def _is_free(one: Position, dimension: Polynomial) -> bool:
    return one.level == FREE and one.dimension == dimension and one != ONLY


def _cases(context: Context, free: list[Position]) -> Iterator[dict[Position, Position]]:
    """Every way in which free indices may be equal: each index with the first of its group."""
    if not free:
        yield {}
        return
    *before, last = free
    for case in _cases(context, before):
        yield {**case, last: last}
        for one in sorted(set(case.values())):
            group = [*(member for member, first in case.items() if first == one), last]
            if not _apart(context, group):
                yield {**case, last: one}


def _apart(context: Context, group: list[Position]) -> bool:
    for first, second, given in context.facts.distinct:
        if first in group and second in group:
            context.use(given)
            return True
    return False


def _expanded(
    context: Context,
    polynomial: Polynomial,
    dimension: Polynomial,
    case: Mapping[Position, Position],
    extra: tuple[Position, ...],
) -> Expansion | None:
    """The expansion in one case; None where a term is of another kind."""
    free = (*sorted(set(case.values())), *extra)
    merged = {one: first for one, first in case.items() if one != first}
    polynomial = substitute(context, polynomial, merged) if merged else polynomial
    polynomial = tuple(term for term in polynomial if not any(_is_delta(atom, free) for atom, _ in term[0]))
    lowest = _lowest(polynomial, dimension)
    if any(sign_of(context, atom) is Sign.UNKNOWN for atom, _ in lowest):
        return None
    rule = context.laws["nonnegativity.distinct"]
    total: Expansion = {}
    for monomial, coefficient in polynomial:
        # A sum that is a denominator is not zero, so multiplying by one that is not negative keeps the sign.
        terms = _monomial(rule, times(monomial, lowest), dimension, free)
        if terms is None:
            return None
        for term, count in terms.items():
            total[term] = whole(total.get(term, 0) + coefficient * count)
    return {term: coefficient for term, coefficient in total.items() if coefficient}


def _is_delta(atom: Atom, free: tuple[Position, ...]) -> bool:
    """A delta of two of the free indices, which differ in this case."""
    return isinstance(atom, Delta) and atom.first in free and atom.second in free


def _is_sum(atom: Atom, dimension: Polynomial) -> bool:
    """A sum over one index of the dimension, or the dimension itself, which is a sum of ones."""
    if isinstance(atom, Sum):
        return len(atom.bound) == 1 and atom.bound[0].dimension == dimension
    return ((((atom, 1),), 1),) == dimension


def _lowest(polynomial: Polynomial, dimension: Polynomial) -> Monomial:
    """What to multiply by so that no sum has a negative exponent."""
    lowest: dict[Atom, Number] = {}
    for monomial, _ in polynomial:
        for atom, exponent in monomial:
            if _is_sum(atom, dimension) and exponent < lowest.get(atom, 0) and natural(-exponent):
                lowest[atom] = exponent
    return tuple(sorted((atom, -exponent) for atom, exponent in lowest.items()))


def _monomial(rule: Rule, monomial: Monomial, dimension: Polynomial, free: tuple[Position, ...]) -> Expansion | None:
    """One monomial over distinct indices; None for an atom that ties two indices together."""
    outside: list[tuple[Atom, Number]] = []
    at_free: list[Monomial] = [UNIT for _ in free]
    sums: list[Monomial] = []
    for atom, exponent in monomial:
        if _is_sum(atom, dimension) and natural(exponent):
            inside = _summand(atom, free)
            if inside is None:
                return None
            sums += [inside] * int(exponent)
            continue
        held = [place for place, one in enumerate(free) if mentions(atom, {one})]
        if not held:
            outside.append((atom, exponent))
        elif len(held) == 1:
            place = held[0]
            own = relabel_factors(((atom, exponent),), {free[place]: _MARK})
            at_free[place] = times(at_free[place], own)
        else:
            return None
    if len(sums) > MOST_SUMS:
        return None
    result: Expansion = {Term(tuple(outside), tuple(at_free), ()): 1}
    for factor in sums:
        if len(result) > MOST_EXPANDED:
            return None
        product: Expansion = {}
        for term, coefficient in result.items():
            for one in rule(term, factor):
                product[one] = product.get(one, 0) + coefficient
        result = product
    return result


_MARK = Position(MARK, 0, "", ())


def _summand(atom: Atom, free: tuple[Position, ...]) -> Monomial | None:
    """What is summed, at a mark instead of the index; None where it holds a free index of the dimension as well."""
    if not isinstance(atom, Sum):
        return UNIT
    if mentions(atom.factors, set(free)):
        return None
    return relabel_factors(atom.factors, {atom.bound[0]: _MARK})
