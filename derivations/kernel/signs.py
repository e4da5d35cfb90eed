"""What is known of the sign of an atom: from its structure, or from a given."""

from __future__ import annotations

from enum import IntEnum

from derivations.kernel.context import Context
from derivations.kernel.terms import (
    Atom,
    Average,
    Base,
    Count,
    Covariance,
    Delta,
    Entry,
    Exponential,
    Function,
    Moment,
    Monomial,
    Named,
    Number,
    Polynomial,
    Prime,
    Sum,
    Value,
)


class Sign(IntEnum):
    """How much is known; larger is stronger."""

    UNKNOWN = 0
    NONNEGATIVE = 1
    POSITIVE = 2


def sign_of(context: Context, atom: Atom) -> Sign:
    """The sign of an atom. A given is used only where the law ``nonnegativity.given`` is switched on."""
    if isinstance(atom, Count):
        return max(Sign.NONNEGATIVE, sign_of_polynomial(context, atom.dimension))
    if isinstance(atom, (Exponential, Prime, Value)) or (isinstance(atom, Named) and atom.kind != "symbol"):
        return Sign.POSITIVE
    if isinstance(atom, Delta):
        return Sign.NONNEGATIVE
    if isinstance(atom, Named):
        return _given_sign(context, "symbol", atom.name)
    if isinstance(atom, Entry):
        if atom.array in context.facts.marks and atom.kind == "entry":
            return Sign.NONNEGATIVE
        return _given_sign(context, "entry", atom.array) if atom.kind == "entry" else Sign.UNKNOWN
    if isinstance(atom, Sum) and _counts_marks(context, atom):
        return Sign.POSITIVE
    if isinstance(atom, Sum):
        # An index of dimension n - 1 may run over nothing, and then the sum is zero.
        ranges = [sign_of_polynomial(context, one.dimension) for one in atom.bound]
        never_empty = Sign.POSITIVE if min(ranges) is Sign.POSITIVE else Sign.NONNEGATIVE
        return min(never_empty, sign_of_monomial(context, atom.factors))
    if isinstance(atom, Base):
        return sign_of_polynomial(context, atom.polynomial)
    if isinstance(atom, Function):
        return {"abs": Sign.NONNEGATIVE, "exp": Sign.POSITIVE}.get(atom.name, Sign.UNKNOWN)
    if isinstance(atom, Moment):
        return Sign.NONNEGATIVE if atom.order % 2 == 0 else Sign.UNKNOWN
    if isinstance(atom, Average):
        return min(Sign.NONNEGATIVE, sign_of_polynomial(context, atom.operand))
    if isinstance(atom, Covariance):
        return Sign.NONNEGATIVE if atom.first == atom.second else Sign.UNKNOWN
    return Sign.UNKNOWN


def _counts_marks(context: Context, atom: Sum) -> bool:
    """The marks of the maximal entries: there is at least one, for a vector has a maximum."""
    if len(atom.bound) != 1 or len(atom.factors) != 1:
        return False
    inner, exponent = atom.factors[0]
    if sign_of_polynomial(context, atom.bound[0].dimension) is not Sign.POSITIVE:
        return False
    return isinstance(inner, Entry) and inner.array in context.facts.marks and exponent == 1


def _given_sign(context: Context, kind: str, name: str) -> Sign:
    known = context.facts.signs.get((kind, name))
    if known is None or not context.allows("nonnegativity.given"):
        return Sign.UNKNOWN
    rule = context.laws["nonnegativity.given"]
    sign: Sign = rule(known[0])
    if sign is not Sign.UNKNOWN:
        context.law("nonnegativity.given")
        context.use(known[1])
    return sign


def sign_of_power(context: Context, atom: Atom, exponent: Number) -> Sign:
    """The sign of an atom to a power, where that is defined."""
    sign = sign_of(context, atom)
    if sign is Sign.UNKNOWN and exponent % 2 == 0:
        return Sign.NONNEGATIVE
    return sign


def sign_of_monomial(context: Context, monomial: Monomial) -> Sign:
    """The sign of a product with coefficient one."""
    return min((sign_of_power(context, atom, exponent) for atom, exponent in monomial), default=Sign.POSITIVE)


def sign_of_polynomial(context: Context, polynomial: Polynomial) -> Sign:
    """The sign of a sum: known where every term is non-negative."""
    if not polynomial:
        return Sign.NONNEGATIVE
    signs = [
        Sign.UNKNOWN if coefficient < 0 else sign_of_monomial(context, monomial) for monomial, coefficient in polynomial
    ]
    if Sign.UNKNOWN in signs:
        return Sign.UNKNOWN
    return max(signs)
