"""What is known of the sign of an atom: from its structure, or from a given."""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction

from derivations.kernel.context import Context
from derivations.kernel.rational_bounds import PI, logarithm_below, power_bounds
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
    whole,
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
        return _sign_of_logarithm(context, atom) if atom.name == "log" else _FUNCTIONS.get(atom.name, Sign.UNKNOWN)
    if isinstance(atom, Moment):
        return Sign.NONNEGATIVE if atom.order % 2 == 0 else Sign.UNKNOWN
    if isinstance(atom, Average):
        return min(Sign.NONNEGATIVE, sign_of_polynomial(context, atom.operand))
    if isinstance(atom, Covariance):
        return Sign.NONNEGATIVE if atom.first == atom.second else Sign.UNKNOWN
    return Sign.UNKNOWN


_FUNCTIONS = {"abs": Sign.NONNEGATIVE, "exp": Sign.POSITIVE}


def _sign_of_logarithm(context: Context, atom: Function) -> Sign:
    """log x is not negative where x is at least one."""
    inner = least(context, atom.arguments[0])
    if inner is None or inner < 1:
        return Sign.UNKNOWN
    return Sign.POSITIVE if inner > 1 else Sign.NONNEGATIVE


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
    """The sign of a sum: known where every term is non-negative, or where bounds of the terms leave no doubt."""
    if not polynomial:
        return Sign.NONNEGATIVE
    signs = [
        Sign.UNKNOWN if coefficient < 0 else sign_of_monomial(context, monomial) for monomial, coefficient in polynomial
    ]
    return _sign_by_bounds(context, polynomial) if Sign.UNKNOWN in signs else max(signs)


# ---------------------------------------------------------------------------------------------------- bounds

MOST_BOUNDED = 12


def _sign_by_bounds(context: Context, polynomial: Polynomial) -> Sign:
    """The sign by rational bounds of the terms, after taking out what they have in common, as in 2 pi - pi^(1/2)."""
    if not 1 < len(polynomial) <= MOST_BOUNDED:
        return Sign.UNKNOWN
    if not any(coefficient > 0 for _, coefficient in polynomial):
        return Sign.UNKNOWN
    if not all(_bounded_above(monomial, polynomial) for monomial, coefficient in polynomial if coefficient < 0):
        return Sign.UNKNOWN
    common = _common(polynomial)
    shared = min((sign_of(context, atom) for atom, _ in common), default=Sign.POSITIVE)
    if shared is Sign.UNKNOWN:
        return Sign.UNKNOWN
    if any(exponent < 0 for _, exponent in common) and shared is Sign.NONNEGATIVE:
        shared = min(sign_of_power(context, atom, exponent) for atom, exponent in common)
    lowest = least(context, tuple((_divided(monomial, common), value) for monomial, value in polynomial))
    if lowest is None or lowest < 0:
        return Sign.UNKNOWN
    return min(shared, Sign.POSITIVE if lowest > 0 else Sign.NONNEGATIVE)


def _common(polynomial: Polynomial) -> Monomial:
    """The lowest exponent of every atom over all terms."""
    tables = [dict(monomial) for monomial, _ in polynomial]
    atoms = dict.fromkeys(atom for table in tables for atom in table)
    lowest = ((atom, min(table.get(atom, 0) for table in tables)) for atom in atoms)
    return tuple((atom, exponent) for atom, exponent in lowest if exponent)


def _divided(monomial: Monomial, common: Monomial) -> Monomial:
    exponents = dict(monomial)
    for atom, exponent in common:
        exponents[atom] = exponents.get(atom, 0) - exponent
    return tuple((atom, whole(exponent)) for atom, exponent in exponents.items() if exponent)


def _bounded_above(monomial: Monomial, polynomial: Polynomial) -> bool:
    """A quick look: beside what all terms share, a negative term may hold constants only."""
    return all(_constant(atom) for atom, _ in _divided(monomial, _common(polynomial)))


def _constant(atom: Atom) -> tuple[Fraction, Fraction] | None:
    """Bounds of a number that is written as an atom."""
    if isinstance(atom, Prime):
        return Fraction(atom.value), Fraction(atom.value)
    return PI if isinstance(atom, Named) and atom == ("constant", "pi") else None


def least(context: Context, polynomial: Polynomial) -> Fraction | None:
    """A rational lower bound; None where none is known."""
    total = Fraction(0)
    for monomial, coefficient in polynomial:
        bounds = _bounds(context, monomial, from_above=coefficient < 0)
        if bounds is None:
            return None
        total += coefficient * bounds
    return total


def _bounds(context: Context, monomial: Monomial, *, from_above: bool) -> Fraction | None:
    """A bound of a product of factors that are not negative: from below, or from above where it is made of numbers."""
    product = Fraction(1)
    for atom, exponent in monomial:
        constant = _constant(atom)
        if constant is not None:
            found = power_bounds(constant, Fraction(exponent))
            factor = None if found is None else found[1 if from_above else 0]
        else:
            factor = None if from_above else _power_below(context, atom, exponent)
        if factor is None:
            return None
        product *= factor
    return product


def _power_below(context: Context, atom: Atom, exponent: Number) -> Fraction | None:
    """A lower bound of a power that is not negative; zero where no better one is known."""
    if sign_of_power(context, atom, exponent) is Sign.UNKNOWN:
        return None
    below = _least_of_atom(context, atom) if exponent > 0 else None
    if below is None or below <= 0:
        return Fraction(0)
    found = power_bounds((below, below), Fraction(exponent))
    return Fraction(0) if found is None else found[0]


def _least_of_atom(context: Context, atom: Atom) -> Fraction | None:
    """A lower bound of a dimension, which is at least one, or of the logarithm of what is at least one."""
    if isinstance(atom, Named) and atom.kind == "dimension":
        number, given = context.facts.at_least.get(atom.name, (1, None))
        if given is not None:
            context.use(given)
        return Fraction(number)
    if isinstance(atom, Function) and atom.name == "log":
        inner = least(context, atom.arguments[0])
        return logarithm_below(inner) if inner is not None and inner >= 1 else None
    return None
