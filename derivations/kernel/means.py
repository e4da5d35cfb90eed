"""The weighted inequality of arithmetic and geometric means, for sums over distinct indices.

u^a v^b <= a u + b v for a + b = 1 and u, v not negative (Hardy, Littlewood and Pólya 1934, Inequalities, section 2.5).
With two namings of the indices of one sum for u and v this is Muirhead's inequality (the same, section 2.18), so
2 y_i y_j <= y_i^2 + y_j^2 gives the Cauchy-Schwarz inequality, and sums of squares in general.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, islice, permutations
from math import factorial

from derivations.kernel.context import Context, Rule
from derivations.kernel.distinct_sums import Expansion, Term, expansions
from derivations.kernel.signs import Sign, sign_of_monomial
from derivations.kernel.terms import UNIT, Atom, Monomial, Number, Polynomial, whole

MOST_BOUND = 4
MOST_NEGATIVE = 60
MOST_TRIES = 4000
_RATIOS = (Fraction(1), Fraction(1, 2), Fraction(2), Fraction(1, 3), Fraction(3), Fraction(2, 3), Fraction(3, 2))


def sign_by_means(context: Context, polynomial: Polynomial) -> Sign:
    """The sign of a polynomial with sums, where its expansion over distinct indices shows that it is not negative."""
    for cases in expansions(context, polynomial):
        signs = [_sign(context, case) for case in cases]
        if Sign.UNKNOWN not in signs:
            context.law("nonnegativity.distinct")
            return min(signs)
    return Sign.UNKNOWN


def _sign(context: Context, expansion: Expansion) -> Sign:
    """The sign of one expansion. A sum over distinct indices may be empty: only what stands outside is positive."""
    room, wanting = _parted(context, expansion)
    if not wanting:
        return _positive_outside(context, room)
    if len(wanting) > MOST_NEGATIVE or not context.allows("nonnegativity.means"):
        return Sign.UNKNOWN
    covered = _covered(context, room, wanting)
    if covered is not None:
        context.law("nonnegativity.means")
        return _positive_outside(context, covered)
    most = max(len(term.at_bound) for term in expansion)
    if most > MOST_BOUND:
        return Sign.UNKNOWN
    # For each small number of entries by itself, and for all larger ones together.
    few = [_at_size(expansion, size) for size in range(most)]
    if all(_covered(context, *_parted(context, case)) is not None for case in few) and _covered_lifted(
        context, expansion, most
    ):
        context.law("nonnegativity.means")
        return Sign.NONNEGATIVE
    return Sign.UNKNOWN


def _parted(context: Context, expansion: Expansion) -> tuple[Expansion, Expansion]:
    """The terms that are not negative, and the size of those that may be."""
    room: Expansion = {}
    wanting: Expansion = {}
    for term, coefficient in sorted(expansion.items()):
        if coefficient < 0 or _sign_of_term(context, term) is Sign.UNKNOWN:
            wanting[term] = max(coefficient, -coefficient)
        else:
            room[term] = coefficient
    return room, wanting


def _positive_outside(context: Context, room: Expansion) -> Sign:
    for term, coefficient in room.items():
        if coefficient and not term.at_bound and _sign_of_term(context, term) is Sign.POSITIVE:
            return Sign.POSITIVE
    return Sign.NONNEGATIVE


def _sign_of_term(context: Context, term: Term) -> Sign:
    return min(sign_of_monomial(context, part) for part in (term.outside, *term.at_free, *term.at_bound))


def _covered(context: Context, room: Expansion, wanting: Expansion) -> Expansion | None:
    """What is left of the terms that are not negative when means of them have covered the others, or None."""
    if not _enough(room, wanting) or any(len(term.at_bound) > MOST_BOUND for term in wanting):
        return None
    rule = context.laws["nonnegativity.means"]
    left = dict(room)
    covered = all(not _cover(rule, term, needed, left) for term, needed in _largest_first(wanting))
    return left if covered else None


def _largest_first(wanting: Expansion) -> list[tuple[Term, Number]]:
    return sorted(wanting.items(), key=lambda pair: -len(pair[0].at_bound))


def _at_size(expansion: Expansion, size: int) -> Expansion:
    """The expansion where there are so many indices beside the free ones: each term over all of them."""
    found: Expansion = {}
    for term, coefficient in expansion.items():
        missing = size - len(term.at_bound)
        if missing >= 0:
            lifted = _lifted(term, missing)
            # Every choice of fewer indices is met once for each order of the others.
            found[lifted] = whole(found.get(lifted, 0) + Fraction(coefficient) / factorial(missing))
    return {term: coefficient for term, coefficient in found.items() if coefficient}


def _lifted(term: Term, missing: int) -> Term:
    return canonical(term._replace(at_bound=(*term.at_bound, *(UNIT,) * missing)))


def _covered_lifted(context: Context, expansion: Expansion, most: int) -> bool:
    """The same where there are at least ``most`` indices beside the free ones: a sum over k of them is, with one
    index more, at most 1/(most - k) of that sum."""
    room, wanting = _parted(context, expansion)
    rule = context.laws["nonnegativity.means"]
    for size in range(most + 1):
        for term, needed in sorted(wanting.items()):
            if len(term.at_bound) != size:
                continue
            left = _cover(rule, term, needed, room)
            if left and size == most:
                return False
            if left:
                above = _lifted(term, 1)
                wanting[above] = whole(wanting.get(above, 0) + Fraction(left) / (most - size))
    return True


def _enough(room: Expansion, wanting: Expansion) -> bool:
    """A quick look: a mean has the weight of what it covers, and as many indices, so where all atoms are one the
    terms that are left must outweigh the others."""
    weights: dict[int, Number] = {}
    for sign, terms in ((1, room), (-1, wanting)):
        for term, coefficient in terms.items():
            size = len(term.at_bound)
            weights[size] = weights.get(size, 0) + sign * coefficient
    return all(weight >= 0 for weight in weights.values())


def _cover(rule: Rule, term: Term, needed: Number, room: Expansion) -> Number:
    """What is left of a term after covering it by means of others; ``room`` is used up."""
    tries = ((ratio, *pair) for ratio in _RATIOS for pair in _namings(term, room))
    for ratio, first, named in islice(tries, MOST_TRIES):
        weight = 1 / (1 + ratio)  # of the first; the second has the rest
        second = canonical(_opposite(rule, term, named, ratio)) if room[first] else first
        taken = min(needed, _available(room, first, second, weight))
        if taken > 0:
            room[first] = whole(room[first] - taken * weight)
            room[second] = whole(room[second] - taken * (1 - weight))
            needed = whole(needed - taken)
        if not needed:
            return 0
    for other in _majorized(term, room):
        taken = min(needed, room[other])
        room[other] = whole(room[other] - taken)
        needed = whole(needed - taken)
    return needed


def _majorized(term: Term, room: Expansion) -> Iterator[Term]:
    """Muirhead: a sum of x^a over all orders of the exponents a is at least that of x^b where a majorizes b."""
    exponents = _exponents(term)
    for other in sorted(room):
        if other.outside != term.outside or other.at_free != term.at_free or len(other.at_bound) != len(term.at_bound):
            continue
        larger = _exponents(other)
        if exponents is None or larger is None or exponents[0] != larger[0]:
            continue
        if majorizes(larger[1], exponents[1]):
            yield other


def _exponents(term: Term) -> tuple[Atom, tuple[Number, ...]] | None:
    """The one atom at the bound indices, and its exponents from large to small."""
    atoms = {atom for part in term.at_bound for atom, _ in part}
    if len(atoms) != 1:
        return None
    (atom,) = atoms
    return atom, tuple(sorted((dict(part).get(atom, 0) for part in term.at_bound), reverse=True))


def majorizes(first: tuple[Number, ...], second: tuple[Number, ...]) -> bool:
    """Whether every sum of the largest exponents is at least as large, and all have the same sum."""
    sums = list(zip(accumulate(first), accumulate(second), strict=True))
    return all(one >= other for one, other in sums) and sums[-1][0] == sums[-1][1]


def _available(room: Expansion, first: Term, second: Term, weight: Fraction) -> Number:
    """How much of a term a mean of two others can cover."""
    if not room.get(second) or not room.get(first):
        return 0
    if first == second:
        return room[first]
    return min(Fraction(room[first]) / weight, Fraction(room[second]) / (1 - weight))


def _namings(term: Term, room: Expansion) -> Iterator[tuple[Term, Term]]:
    """Terms with as many indices, and each with its bound indices in every order."""
    for other in sorted(room):
        if len(other.at_bound) != len(term.at_bound) or len(other.at_free) != len(term.at_free):
            continue
        for order in sorted(set(permutations(other.at_bound))):
            yield other, other._replace(at_bound=order)


def canonical(term: Term) -> Term:
    """The bound indices in sorted order."""
    return term._replace(at_bound=tuple(sorted(term.at_bound)))


def _opposite(rule: Rule, term: Term, first: Term, ratio: Fraction) -> Term:
    """The term on the other side: ``term`` is the mean of it and ``first`` in every exponent."""

    def other(middle: Monomial, one: Monomial) -> Monomial:
        result: Monomial = rule(middle, one, ratio)
        return result

    return Term(
        other(term.outside, first.outside),
        tuple(map(other, term.at_free, first.at_free)),
        tuple(map(other, term.at_bound, first.at_bound)),
    )


def beyond(middle: Monomial, first: Monomial, ratio: Fraction) -> Monomial:
    """The exponents v with middle = (first + ratio v)/(1 + ratio)."""
    if middle == first:
        return middle
    step = whole(1 / ratio)
    exponents: dict[Atom, Number] = {atom: exponent * (1 + step) for atom, exponent in middle}
    for atom, exponent in first:
        exponents[atom] = exponents.get(atom, 0) - step * exponent
    return tuple(sorted((atom, whole(exponent)) for atom, exponent in exponents.items() if exponent))
