"""The weighted inequality of arithmetic and geometric means, for sums over distinct indices.

u^a v^b <= a u + b v for a + b = 1 and u, v not negative (Hardy, Littlewood and Pólya 1934, Inequalities, section 2.5).
With two namings of the indices of one sum for u and v this is Muirhead's inequality (the same, section 2.18), so
2 y_i y_j <= y_i^2 + y_j^2 gives the Cauchy-Schwarz inequality, and sums of squares in general.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from derivations.kernel.context import Context, Rule
from derivations.kernel.distinct_sums import Expansion, Term, expansions
from derivations.kernel.signs import Sign, sign_of_monomial
from derivations.kernel.terms import Atom, Monomial, Number, Polynomial, whole

MOST_BOUND = 4
MOST_NEGATIVE = 60
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
    room: Expansion = {}
    wanting: Expansion = {}
    best = Sign.NONNEGATIVE
    for term, coefficient in sorted(expansion.items()):
        sign = _sign_of_term(context, term)
        if sign is Sign.UNKNOWN or coefficient < 0:
            wanting[term] = max(coefficient, -coefficient)
        else:
            room[term] = coefficient
    if wanting and not _covered(context, room, wanting):
        return Sign.UNKNOWN
    for term, coefficient in room.items():
        if coefficient and not term.at_bound and _sign_of_term(context, term) is Sign.POSITIVE:
            best = Sign.POSITIVE
    return best


def _sign_of_term(context: Context, term: Term) -> Sign:
    return min(sign_of_monomial(context, part) for part in (term.outside, *term.at_free, *term.at_bound))


def _covered(context: Context, room: Expansion, wanting: Expansion) -> bool:
    """Whether every term that may be negative is at most a mean of terms that are left; ``room`` is used up."""
    if len(wanting) > MOST_NEGATIVE or not context.allows("nonnegativity.means"):
        return False
    if not _enough(room, wanting):
        return False
    rule = context.laws["nonnegativity.means"]
    for term, needed in sorted(wanting.items(), key=lambda pair: -len(pair[0].at_bound)):
        if len(term.at_bound) > MOST_BOUND or not _cover(context, rule, term, needed, room):
            return False
    context.law("nonnegativity.means")
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


def _cover(context: Context, rule: Rule, term: Term, needed: Number, room: Expansion) -> bool:
    for ratio in _RATIOS:
        weight = 1 / (1 + ratio)  # of the first; the second has the rest
        for first, named in _namings(term, room):
            if not room[first]:
                continue
            context.spend(1)
            second = canonical(_opposite(rule, term, named, ratio))
            taken = min(needed, _available(room, first, second, weight))
            if taken <= 0:
                continue
            room[first] = whole(room[first] - taken * weight)
            room[second] = whole(room[second] - taken * (1 - weight))
            needed = whole(needed - taken)
            if not needed:
                return True
    return False


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
