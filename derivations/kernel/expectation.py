"""Expectations by the cumulant recursion, and covariances.

E[x f] = sum over r of cumulant_{r+1}(x)/r! E[d^r f/dx^r] for a random variable x independent of everything else in
f that is not x itself (the Stein-Malliavin expansion; for a polynomial f the sum is finite). One formula serves
independent entries of any law; for normal ones it is Isserlis' theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import factorial

from derivations.kernel.arithmetic import add, multiply, natural, scale
from derivations.kernel.context import Context
from derivations.kernel.derivative import derivative
from derivations.kernel.moments import at_entry, cumulant, facts_of, raw_moment
from derivations.kernel.sums import delta, open_sum, sum_over
from derivations.kernel.terms import (
    FREE,
    ONE,
    ZERO,
    Atom,
    Average,
    Covariance,
    Entry,
    Moment,
    Monomial,
    Number,
    Polynomial,
    Position,
    Sum,
    number,
    single,
)
from derivations.language.givens import Given

_CLOSED = (Average, Covariance, Moment)


def random_entries(term: object) -> Iterable[Entry]:
    """The random entries on which the value of a term depends."""
    if isinstance(term, Entry):
        if term.kind == "random":
            yield term
    elif isinstance(term, tuple) and not isinstance(term, (Position, *_CLOSED)):
        for part in term:
            if isinstance(part, tuple):
                yield from random_entries(part)


def families(term: object) -> frozenset[str]:
    """The random arrays on which the value of a term depends."""
    return frozenset(entry.array for entry in random_entries(term))


def independence_given(context: Context, arrays: frozenset[str]) -> Given | None:
    """A given that makes these arrays mutually independent."""
    for members, given in context.facts.mutually_independent:
        if arrays <= members:
            return given
    if len(arrays) == 2:
        for members, given in context.facts.pairwise_independent:
            if arrays <= members:
                return given
    return None


def expectation(context: Context, operand: Polynomial) -> Polynomial:
    """The expectation of a polynomial over every random array in it."""
    if not families(operand):
        return operand
    rule = context.law("linearity.expectation")
    if rule is None:
        return single(Average("average", operand))
    return add(*(rule(coefficient, _expectation(context, monomial)) for monomial, coefficient in operand))


def _expectation(context: Context, monomial: Monomial) -> Polynomial:
    key = ("expectation", monomial)
    if key not in context.cache:
        fixed = tuple(pair for pair in monomial if not families(pair[0]))
        random = tuple(pair for pair in monomial if families(pair[0]))
        inner = _of_random(context, random)
        context.cache[key] = multiply(context, ((fixed, 1),), inner)
    return context.cache[key]


def _of_random(context: Context, monomial: Monomial) -> Polynomial:
    if not monomial:
        return ONE
    present = families(monomial)
    if context.allows("independence.cumulants") and context.allows("independence.moments"):
        for array in sorted(present):
            if _integrable(context, array, present, monomial):
                found = _integrate(context, array, monomial)
                if found is not None:
                    return found
    for atom, exponent in monomial:
        # Sums of random terms open: the expectation of a sum is the sum of expectations.
        if isinstance(atom, Sum) and natural(exponent):
            return _opened(context, monomial, atom, lambda body: expectation(context, body))
    return _grouped(context, monomial)


def _integrable(context: Context, array: str, present: frozenset[str], monomial: Monomial) -> bool:
    """Whether the entries of the array are independent of each other and of all else, and occur polynomially."""
    facts = facts_of(context, array)
    entries = [entry for entry in random_entries(monomial) if entry.array == array]
    if entries[0].indices and facts.independent_entries is None:
        return False
    if len(present) > 1 and independence_given(context, present) is None:
        return False
    return all(_polynomial_in(atom, exponent, array) for atom, exponent in monomial if array in families(atom))


def _polynomial_in(atom: Atom, exponent: Number, array: str) -> bool:
    if not natural(exponent):
        return False
    if isinstance(atom, Entry):
        return True
    return isinstance(atom, Sum) and all(
        _polynomial_in(inner, power, array) for inner, power in atom.factors if array in families(inner)
    )


def _integrate(context: Context, array: str, monomial: Monomial) -> Polynomial | None:
    """One step of the recursion at an entry of the array."""
    for atom, _ in monomial:
        if isinstance(atom, Entry) and atom.array == array:
            facts = facts_of(context, array)
            if atom.indices and facts.independent_entries is not None:
                context.use(facts.independent_entries)
            given = independence_given(context, families(monomial))
            if given is not None and len(families(monomial)) > 1:
                context.use(given)
            return _recursion(context, atom, _without(context, monomial, atom))
    for atom, exponent in monomial:
        if isinstance(atom, Sum) and natural(exponent) and array in families(atom):
            return _opened(context, monomial, atom, lambda body: expectation(context, body))
    return None


def _without(context: Context, monomial: Monomial, atom: Atom) -> Polynomial:
    remaining = tuple((one, exponent - (one == atom)) for one, exponent in monomial)
    return ((tuple(pair for pair in remaining if pair[1]), 1),)


def _opened(context: Context, monomial: Monomial, atom: Sum, apply: Callable[[Polynomial], Polynomial]) -> Polynomial:
    """Apply to a monomial with one copy of a sum opened, and sum the result."""
    tokens, body = open_sum(context, atom)
    return sum_over(context, tokens, apply(multiply(context, body, _without(context, monomial, atom))))


def _recursion(context: Context, entry: Entry, rest: Polynomial) -> Polynomial:
    rule = context.law("independence.cumulants")
    assert rule is not None  # checked by the caller
    total: list[Polynomial] = []
    order = 0
    while rest:
        weight = scale(cumulant(context, entry, order + 1), rule(order))
        # The cumulant may carry this entry's index: multiplying after the expectation lets the deltas of the
        # derivative identify it.
        total.append(multiply(context, weight, expectation(context, rest)))
        rest = derivative(context, rest, entry, internal=True)
        order += 1
    return add(*total) if total else ZERO


def cumulant_weight(order: int) -> Number:
    """1/r!, the weight of the r-th derivative in the recursion."""
    return Fraction(1, factorial(order))


def _grouped(context: Context, monomial: Monomial) -> Polynomial:
    """Factor the expectation over groups of factors that are independent of each other."""
    rule = context.law("independence.expectation") if len(monomial) > 1 else None
    groups: list[tuple[frozenset[str], list[tuple[Atom, Number]]]] = []
    for pair in monomial:
        members = families(pair[0])
        rest = []
        factors = [pair]
        for other, others in groups:
            if other & members:
                members |= other
                factors += others
            else:
                rest.append((other, others))
        groups = [*rest, (members, factors)]
    if rule is None or len(groups) < 2:
        return _average(context, monomial)
    everything = frozenset().union(*(members for members, _ in groups))
    given = independence_given(context, everything)
    if given is None:
        return _average(context, monomial)
    context.use(given)
    result = ONE
    for _, factors in groups:
        result = rule(context, result, _of_random(context, tuple(sorted(factors))))
    return result


def _average(context: Context, monomial: Monomial) -> Polynomial:
    """An expectation that nothing more is known of; a single entry has its moments."""
    if len(monomial) == 1:
        atom, exponent = monomial[0]
        if isinstance(atom, Entry) and natural(exponent):
            return raw_moment(context, atom, int(exponent))
    for special in context.operations.special_expectations:
        found = special(context, monomial)
        if found is not None:
            return found
    return single(Average("average", ((monomial, 1),)))


def covariance(context: Context, first: Polynomial, second: Polynomial) -> Polynomial:
    """The covariance of two polynomials."""
    rule = context.law("variance.covariance")
    if rule is not None:
        joint = expectation(context, multiply(context, first, second))
        result: Polynomial = rule(context, joint, expectation(context, first), expectation(context, second))
        return result
    if not families(first) or not families(second):
        return ZERO
    linear = context.law("linearity.covariance")
    if linear is None:
        return single(Covariance("covariance", *sorted((first, second))))
    return add(
        *(
            linear(context, number(left_value), number(right_value), _covariance(context, left, right))
            for left, left_value in first
            for right, right_value in second
        )
    )


def _covariance(context: Context, first: Monomial, second: Monomial) -> Polynomial:
    for monomial, other in ((first, second), (second, first)):
        fixed = tuple(pair for pair in monomial if not families(pair[0]))
        random = tuple(pair for pair in monomial if families(pair[0]))
        if not random:
            return ZERO
        if fixed:
            return multiply(context, ((fixed, 1),), _covariance(context, random, other))
        for atom, exponent in monomial:
            if isinstance(atom, Sum) and natural(exponent):
                return _opened(context, monomial, atom, lambda body, o=other: covariance(context, body, ((o, 1),)))  # type: ignore[misc]  # mypy reads no defaults of lambdas
    return _covariance_of_terms(context, first, second)


def _covariance_of_terms(context: Context, first: Monomial, second: Monomial) -> Polynomial:
    declared = _declared_variance(context, first) if first == second else None
    if declared is not None:
        return declared
    rule = context.law("independence.covariance")
    kept: Polynomial = single(Covariance("covariance", *sorted((((first, 1),), ((second, 1),)))))
    if rule is None:
        return kept
    left, right = families(first), families(second)
    if not left & right:
        given = independence_given(context, left | right)
        if given is None:
            return kept
        context.use(given)
        result: Polynomial = rule(context, ZERO, kept)
        return result
    return _covariance_by_position(context, rule, first, second, kept)


def _declared_variance(context: Context, monomial: Monomial) -> Polynomial | None:
    """The variance of a single entry, where a given says it."""
    if len(monomial) != 1 or monomial[0][1] != 1 or not isinstance(monomial[0][0], Entry):
        return None
    entry = monomial[0][0]
    known = facts_of(context, entry.array).variance
    rule = context.law("moments.deviation") if known is not None else None
    if known is None or rule is None:
        return None
    context.use(known[1])
    result: Polynomial = rule(at_entry(context, known[0], entry))
    return result


def _covariance_by_position(
    context: Context,
    rule: Callable[[Context, Polynomial, Polynomial], Polynomial],
    first: Monomial,
    second: Monomial,
    kept: Polynomial,
) -> Polynomial:
    """Terms that each stand at one position of vectors with independent entries: the covariance is zero unless the
    positions are one."""
    places: list[tuple[Position, ...]] = []
    for monomial in (first, second):
        found = {entry.indices for entry in random_entries(monomial)}
        if len(found) != 1 or any(one.level > FREE for place in found for one in place):
            return kept  # an entry under an inner sum stands at every position
        places.append(found.pop())
    shapes = [tuple(one.dimension for one in place) for place in places]
    if shapes[0] != shapes[1]:
        return kept
    arrays = families(first) | families(second)
    facts = [facts_of(context, array) for array in sorted(arrays)]
    if places[0] == places[1] or any(fact.independent_entries is None for fact in facts):
        return kept
    given = independence_given(context, arrays) if len(arrays) > 1 else None
    if len(arrays) > 1 and given is None:
        return kept
    for fact in facts:
        if fact.independent_entries is not None:
            context.use(fact.independent_entries)
    if given is not None:
        context.use(given)
    same = ONE
    for one, other in zip(*places, strict=True):
        same = multiply(context, same, delta(context, one, other))
    result: Polynomial = rule(context, same, kept)
    return result


def rebuild_average(
    context: Context,
    atom: Average,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The expectation of the changed operand."""
    return expectation(context, polynomial(atom.operand))


def rebuild_covariance(
    context: Context,
    atom: Covariance,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The covariance of the changed operands."""
    return covariance(context, polynomial(atom.first), polynomial(atom.second))
