"""Expectations under a law that is symmetric about zero: turning all signs of one array round changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from derivations.kernel.arithmetic import add, scale, transform
from derivations.kernel.context import Context, RandomFacts, rebuild_atom
from derivations.kernel.expectation import families, independence_given, random_entries
from derivations.kernel.moments import facts_of
from derivations.kernel.terms import ZERO, Atom, Average, Entry, Monomial, Polynomial, single

# Whether a law with these parameters is symmetric about zero.
_SYMMETRIC: Mapping[str, Callable[[tuple[Polynomial, ...]], bool]] = MappingProxyType(
    {
        "normal": lambda parameters: parameters[0] == ZERO,
        "uniform": lambda parameters: add(*parameters) == ZERO,
        "rademacher": lambda parameters: True,
    }
)


def of_symmetric(context: Context, monomial: Monomial) -> Polynomial | None:
    """E f(X) = E f(-X), written with the smaller of the two; zero where f is odd. None where nothing is known."""
    if not context.allows("independence.symmetry"):
        return None
    for array in sorted(families(monomial)):
        if not _turns_round(context, array, monomial):
            continue
        turned = _turned(context, ((monomial, 1),), array)
        if len(turned) > 1:
            continue
        (other, coefficient) = turned[0] if turned else (monomial, -1)
        if other > monomial or (other == monomial and coefficient == 1):
            continue
        rule = context.law("independence.symmetry")
        assert rule is not None  # allowed, as checked above
        _note(context, array, monomial)
        if other == monomial:
            return ZERO  # E f(X) = c E f(X) for a number c other than one
        value: Polynomial = rule(scale(single(Average("average", ((other, 1),))), coefficient))
        return value
    return None


def _turns_round(context: Context, array: str, monomial: Monomial) -> bool:
    """Whether the entries are independent of each other and of the other arrays, each with a symmetric law."""
    facts = facts_of(context, array)
    if facts.law is None or not _is_symmetric(facts) or array in context.facts.constrained:
        return False
    entries = [entry for entry in random_entries(monomial) if entry.array == array]
    if entries[0].indices and facts.independent_entries is None:
        return False
    present = families(monomial)
    return len(present) == 1 or independence_given(context, present) is not None


def _is_symmetric(facts: RandomFacts) -> bool:
    if facts.law is None:
        return False
    name, parameters, _ = facts.law
    return name in _SYMMETRIC and _SYMMETRIC[name](parameters)


def _note(context: Context, array: str, monomial: Monomial) -> None:
    """Note what made it true."""
    facts = facts_of(context, array)
    if facts.law is not None:
        context.use(facts.law[2])
    if facts.independent_entries is not None and any(entry.indices for entry in random_entries(monomial)):
        context.use(facts.independent_entries)
    present = families(monomial)
    given = independence_given(context, present) if len(present) > 1 else None
    if given is not None:
        context.use(given)


def _turned(context: Context, polynomial: Polynomial, array: str) -> Polynomial:
    """The polynomial with the sign of every entry of the array turned round."""

    def change(atom: Atom) -> Polynomial | None:
        if isinstance(atom, Entry):
            return scale(single(atom), -1) if atom.kind == "random" and atom.array == array else None
        if array not in families(atom):
            return None
        return rebuild_atom(context, atom, lambda part: _turned(context, part, array), lambda one: one)

    return transform(context, polynomial, change)
