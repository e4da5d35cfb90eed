"""Inequalities by certificate: the difference in normal form is a sum of terms known not to be negative."""

from __future__ import annotations

from derivations.kernel.arithmetic import scale
from derivations.kernel.context import Context
from derivations.kernel.signs import Sign, sign_of_polynomial
from derivations.kernel.terms import Polynomial
from derivations.records import Relation

_RISING = frozenset({Relation.AT_MOST, Relation.LESS})
_STRICT = frozenset({Relation.LESS, Relation.GREATER})


def holds(context: Context, relation: Relation, difference: Polynomial) -> bool:
    """Whether left - right has the sign that the relation asks for, by structure."""
    slack = scale(difference, -1) if relation in _RISING else difference
    sign = sign_of_polynomial(context, slack)
    return sign is Sign.POSITIVE if relation in _STRICT else sign is not Sign.UNKNOWN
