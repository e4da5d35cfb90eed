"""Inequalities by certificate: the difference in normal form is a sum of terms known not to be negative."""

from __future__ import annotations

from derivations.kernel.arithmetic import scale
from derivations.kernel.context import Context
from derivations.kernel.means import sign_by_means
from derivations.kernel.powers import cleared
from derivations.kernel.signs import Sign, sign_of_polynomial, sign_of_power
from derivations.kernel.terms import Polynomial
from derivations.records import Relation

_RISING = frozenset({Relation.AT_MOST, Relation.LESS})
_STRICT = frozenset({Relation.LESS, Relation.GREATER})


def holds(context: Context, relation: Relation, difference: Polynomial) -> bool:
    """Whether left - right has the sign that the relation asks for, by structure."""
    if relation is Relation.EQUALS:
        return not difference
    slack = scale(difference, -1) if relation in _RISING else difference
    sign = sign_of_polynomial(context, slack)
    if sign is Sign.UNKNOWN:
        sign = _sign_of_numerator(context, slack)
    if sign is Sign.UNKNOWN:
        sign = sign_by_means(context, slack)
    return sign is Sign.POSITIVE if relation in _STRICT else sign is not Sign.UNKNOWN


def _sign_of_numerator(context: Context, slack: Polynomial) -> Sign:
    """The sign after multiplying by the denominators, where they cannot be negative (nor zero, being denominators)."""
    numerator, multiplier = cleared(context, slack)
    if not multiplier or any(sign_of_power(context, atom, power) is Sign.UNKNOWN for atom, power in multiplier):
        return Sign.UNKNOWN
    return sign_of_polynomial(context, numerator)
