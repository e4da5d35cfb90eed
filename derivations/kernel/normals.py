"""Expectations of exp and of the absolute value of a linear combination of independent normal variables."""

from __future__ import annotations

from derivations.kernel.arithmetic import add, multiply
from derivations.kernel.context import Context
from derivations.kernel.derivative import derivative
from derivations.kernel.expectation import families, independence_given, random_entries
from derivations.kernel.moments import at_entry, facts_of
from derivations.kernel.sums import sum_over
from derivations.kernel.terms import (
    ZERO,
    Entry,
    Exponential,
    Function,
    Monomial,
    Polynomial,
    Sum,
    collect,
)


def of_exponential(context: Context, monomial: Monomial) -> Polynomial | None:
    """E[exp P] for a linear P."""
    if not all(isinstance(atom, Exponential) for atom, _ in monomial):
        return None
    exponent = collect((atom.exponent, power) for atom, power in monomial if isinstance(atom, Exponential))
    if not context.allows("gaussian.exponential"):
        return None
    moments = _mean_and_variance(context, exponent)
    rule = context.law("gaussian.exponential") if moments else None
    if rule is None or moments is None:
        return None
    result: Polynomial = rule(context, *moments)
    return result


def of_absolute_value(context: Context, monomial: Monomial) -> Polynomial | None:
    """E|P| for a linear P of mean zero."""
    if len(monomial) != 1 or not context.allows("gaussian.absolute"):
        return None
    atom, power = monomial[0]
    if not isinstance(atom, Function) or atom.name != "abs" or power != 1:
        return None
    moments = _mean_and_variance(context, atom.arguments[0])
    if moments is None or moments[0] != ZERO:
        return None
    rule = context.law("gaussian.absolute")
    assert rule is not None  # allowed, as checked above
    result: Polynomial = rule(context, moments[1])
    return result


def _mean_and_variance(context: Context, linear: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """Mean and variance of a linear combination of independent normal variables; None for anything else."""
    arrays = families(linear)
    if not all(_is_linear(term) for term, _ in linear) or not arrays:
        return None
    several = len(arrays) > 1 or len(set(random_entries(linear))) > 1 or _has_sum(linear)
    if several and not context.allows("independence.covariance"):
        return None
    together = independence_given(context, arrays) if len(arrays) > 1 else None
    if len(arrays) > 1 and together is None:
        return None
    mean = tuple(term for term in linear if not families(term[0]))
    variance = ZERO
    for array in sorted(arrays):
        facts = facts_of(context, array)
        entry = next(one for one in random_entries(linear) if one.array == array)
        if (
            facts.law is None
            or facts.law[0] != "normal"
            or (several and entry.indices and facts.independent_entries is None)
        ):
            return None
        tokens = tuple(context.fresh(one.dimension) for one in entry.indices)
        place = Entry("random", array, tokens)
        weight = derivative(context, linear, place, internal=True)
        centre, spread = (at_entry(context, value, place) for value in facts.law[1])
        mean = add(mean, sum_over(context, tokens, multiply(context, weight, centre)))
        variance = add(variance, sum_over(context, tokens, multiply(context, weight, weight, spread)))
        context.use(facts.law[2])
        if several and entry.indices and facts.independent_entries is not None:
            context.use(facts.independent_entries)
    if several:
        context.law("independence.covariance")
    if together is not None:
        context.use(together)
    return mean, variance


def _has_sum(linear: Polynomial) -> bool:
    return any(isinstance(atom, Sum) and families(atom) for term, _ in linear for atom, _ in term)


def _is_linear(monomial: Monomial) -> bool:
    """At most one random factor, to the first power, and that an entry or a sum with one such factor."""
    random = [(atom, power) for atom, power in monomial if families(atom)]
    if len(random) > 1:
        return False
    for atom, power in random:
        if power != 1:
            return False
        if isinstance(atom, Sum):
            return _is_linear(atom.factors)
        if not isinstance(atom, Entry):
            return False
    return True
