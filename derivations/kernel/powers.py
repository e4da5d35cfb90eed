"""Negative and fractional powers.

Before such a power a polynomial is factored as content times unit times a primitive part, and the primitive part is
made unit-normal, so that 1 + exp(-z) and 1 + exp(z) agree up to the unit. Only factors known to be non-negative leave
a fractional power: the root of q^2 is |q|, not q.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm

from sympy import factorint

from derivations.kernel.arithmetic import add, multiply, natural, natural_power, scale
from derivations.kernel.context import Context
from derivations.kernel.signs import Sign, sign_of, sign_of_polynomial
from derivations.kernel.terms import (
    ONE,
    UNIT,
    ZERO,
    Atom,
    Base,
    Delta,
    Function,
    KernelLimit,
    Monomial,
    Number,
    Polynomial,
    Prime,
    collect,
    number,
    single,
    whole,
)

LARGEST_ROOT = 10**12


def raise_to(context: Context, polynomial: Polynomial, exponent: Number) -> Polynomial:
    """The polynomial to a rational power.

    Raises :class:`KernelLimit` for a negative power of zero and for roots of negative numbers.
    """
    exponent = whole(exponent)
    if exponent == 1:
        return polynomial
    if natural(exponent) and (len(polynomial) != 1 or not exponent):
        return natural_power(context, polynomial, int(exponent))
    if not polynomial:
        if exponent < 0:
            raise KernelLimit("division by zero")
        return ZERO
    if not natural(exponent):
        split = split_delta(context, polynomial, lambda part: raise_to(context, part, exponent))
        if split is not None:
            return split
    if len(polynomial) > 1:
        return _power_of_sum(context, polynomial, exponent)
    monomial, coefficient = polynomial[0]
    if not isinstance(exponent, Fraction):
        factors = [(atom, whole(power * exponent)) for atom, power in monomial]
        value = Fraction(coefficient) ** exponent
        return scale(_product(context, factors), whole(value))
    return multiply(context, root_of_number(coefficient, exponent), _root(context, monomial, exponent))


def _product(context: Context, factors: list[tuple[Atom, Number]]) -> Polynomial:
    return multiply(context, *(_settled(context, atom, exponent) for atom, exponent in factors))


def _settled(context: Context, atom: Atom, exponent: Number) -> Polynomial:
    if isinstance(atom, Delta):
        return single(atom)
    settle = context.operations.settle.get(atom.kind)
    found = settle(context, atom, exponent) if settle else None
    return single(atom, exponent) if found is None else found


def root_of_number(value: Number, exponent: Number) -> Polynomial:
    """A rational number to a rational power: a number times primes to exponents between 0 and 1."""
    if value < 0:
        raise KernelLimit(f"the root of the negative number {value}")
    fraction = Fraction(value)
    if max(fraction.numerator, fraction.denominator) > LARGEST_ROOT:
        raise KernelLimit(f"the root of {value}: the number is too large to factor")
    powers = {prime: count for prime, count in factorint(fraction.numerator).items() if prime > 1}
    for prime, count in factorint(fraction.denominator).items():
        if prime > 1:
            powers[prime] = powers.get(prime, 0) - count
    outside: Number = 1
    inside: list[tuple[Atom, Number]] = []
    for prime in sorted(powers):
        power = Fraction(powers[prime]) * exponent
        floor = power.numerator // power.denominator
        outside = outside * Fraction(prime) ** floor
        if power != floor:
            inside.append((Prime("prime", prime), power - floor))
    return ((tuple(inside), whole(outside)),)


def settle_prime(context: Context, atom: Prime, exponent: Number) -> Polynomial | None:
    """A prime keeps an exponent between 0 and 1; the rest is a number."""
    return None if 0 < exponent < 1 else root_of_number(atom.value, exponent)


def settle_base(context: Context, atom: Base, exponent: Number) -> Polynomial | None:
    """The natural part of a base's exponent is expanded; what stays is negative or between 0 and 1. A single term stays
    a base under fractional exponents only."""
    if exponent < 1:
        single_term = len(atom.polynomial) == 1 and not isinstance(exponent, Fraction)
        return raise_to(context, atom.polynomial, exponent) if single_term else None
    expanded = natural_power(context, atom.polynomial, int(exponent))
    rest = whole(exponent - int(exponent))
    return multiply(context, expanded, single(atom, rest)) if rest else expanded


def settle_function(context: Context, atom: Function, exponent: Number) -> Polynomial | None:
    """The square of an absolute value is the square of its argument."""
    if atom.name != "abs" or isinstance(exponent, Fraction) or -2 < exponent < 2:
        return None
    even = 2 * int(exponent / 2)
    rest = whole(exponent - even)
    squared = raise_to(context, atom.arguments[0], even)
    return multiply(context, squared, single(atom, rest)) if rest else squared


def _root(context: Context, monomial: Monomial, exponent: Fraction) -> Polynomial:
    """A monomial to a fractional power."""
    outside: Polynomial = ONE
    inside: list[tuple[Atom, Number]] = []
    for atom, power in monomial:
        if sign_of(context, atom) is not Sign.UNKNOWN:
            outside = multiply(context, outside, _settled(context, atom, whole(power * exponent)))
        elif power % 2 == 0:
            outside = multiply(context, outside, raise_to(context, absolute(context, single(atom)), power * exponent))
        else:
            inside.append((atom, power))
    if not inside:
        return outside
    if len(inside) == 1 and inside[0][1] == 1:
        return multiply(context, outside, single(inside[0][0], exponent))
    return multiply(context, outside, single(Base("base", ((tuple(inside), 1),)), exponent))


def content(polynomial: Polynomial) -> Fraction:
    """The positive greatest common divisor of the coefficients."""
    values = [Fraction(coefficient) for _, coefficient in polynomial]
    return Fraction(gcd(*(value.numerator for value in values)), lcm(*(value.denominator for value in values)))


def common_monomial(polynomial: Polynomial, admitted: Callable[[Atom], bool]) -> Monomial:
    """The greatest monomial in the admitted atoms that divides every term, negative exponents included."""
    lowest: dict[Atom, Number] = {}
    tables = [dict(monomial) for monomial, _ in polynomial]
    for table in tables:
        for atom in table:
            if atom not in lowest and not isinstance(atom, Delta) and admitted(atom):
                lowest[atom] = min(other.get(atom, 0) for other in tables)
    return tuple(sorted((atom, exponent) for atom, exponent in lowest.items() if exponent))


def divide_by_monomial(context: Context, polynomial: Polynomial, divisor: Monomial) -> Polynomial:
    """The exact quotient by a monomial."""
    inverse: Polynomial = ((tuple((atom, -exponent) for atom, exponent in divisor), 1),)
    return multiply(context, polynomial, inverse) if divisor else polynomial


def cleared(context: Context, polynomial: Polynomial) -> tuple[Polynomial, Monomial]:
    """Multiply by bases until none has a negative exponent: the result, and the monomial multiplied by."""
    multiplier: Monomial = UNIT
    for _ in range(16):
        lowest: dict[Atom, Number] = {}
        for monomial, _value in polynomial:
            for atom, exponent in monomial:
                if isinstance(atom, Base) and exponent < min(0, lowest.get(atom, 0)):
                    lowest[atom] = exponent
        if not lowest:
            return polynomial, multiplier
        atom = min(lowest)
        step = -lowest[atom]
        polynomial = add(*(_times_power(context, term, atom, step) for term in polynomial))
        merged = dict(multiplier)
        merged[atom] = merged.get(atom, 0) + step
        multiplier = tuple(sorted(merged.items()))
    raise KernelLimit("the denominators of a sum do not clear")


def _times_power(context: Context, term: tuple[Monomial, Number], atom: Atom, step: Number) -> Polynomial:
    """One term times a power of an atom: exponents are added before the atom is expanded, so that they can cancel."""
    monomial, coefficient = term
    exponent = whole(dict(monomial).get(atom, 0) + step)
    rest: Polynomial = ((tuple(pair for pair in monomial if pair[0] != atom), coefficient),)
    return multiply(context, rest, _settled(context, atom, exponent)) if exponent else rest


def _power_of_sum(context: Context, polynomial: Polynomial, exponent: Number) -> Polynomial:
    """A sum of several terms to a negative or fractional power."""
    numerator, multiplier = cleared(context, polynomial)
    fractional = isinstance(exponent, Fraction)
    if multiplier and (not fractional or all(sign_of(context, atom) is not Sign.UNKNOWN for atom, _ in multiplier)):
        below = _product(context, [(atom, whole(-power * exponent)) for atom, power in multiplier])
        return multiply(context, raise_to(context, numerator, exponent), below)

    def admitted(atom: Atom) -> bool:
        return not fractional or sign_of(context, atom) is not Sign.UNKNOWN

    factor = content(polynomial)
    common = common_monomial(polynomial, admitted)
    primitive = divide_by_monomial(context, scale(polynomial, 1 / factor), common)
    if len(primitive) < 2:
        raise KernelLimit("a sum under a power does not factor")
    sign = 1
    if not fractional and primitive[0][1] < 0:
        primitive, sign = scale(primitive, -1), -1 if exponent % 2 else 1
    outside = _product(context, [(atom, whole(power * exponent)) for atom, power in common])
    number_part = root_of_number(factor, exponent) if fractional else number(whole(factor ** int(exponent)))
    return scale(multiply(context, number_part, outside, single(Base("base", primitive), exponent)), sign)


def absolute(context: Context, polynomial: Polynomial) -> Polynomial:
    """The absolute value."""
    if not polynomial:
        return ZERO
    split = split_delta(context, polynomial, lambda part: absolute(context, part))
    if split is not None:
        return split
    if sign_of_polynomial(context, polynomial) is not Sign.UNKNOWN:
        return polynomial
    if len(polynomial) > 1:
        factor = content(polynomial)
        primitive = scale(polynomial, 1 / factor if polynomial[0][1] > 0 else -1 / factor)
        if sign_of_polynomial(context, primitive) is not Sign.UNKNOWN:
            return scale(primitive, whole(factor))
        return scale(single(Function("function", "abs", (primitive,))), whole(factor))
    monomial, coefficient = polynomial[0]
    result: Polynomial = number(max(coefficient, -coefficient))
    for atom, exponent in monomial:
        if sign_of(context, atom) is not Sign.UNKNOWN or exponent % 2 == 0:
            result = multiply(context, result, _settled(context, atom, exponent))
        elif isinstance(exponent, Fraction):
            # A fractional power is defined only where its base is not negative, and then it is not negative itself.
            result = multiply(context, result, single(atom, exponent))
        elif isinstance(atom, Base):
            result = multiply(context, result, raise_to(context, absolute(context, atom.polynomial), exponent))
        else:
            wrapped = Function("function", "abs", (single(atom),))
            result = multiply(context, result, _settled(context, wrapped, exponent))
    return result


def split_delta(
    context: Context, polynomial: Polynomial, apply: Callable[[Polynomial], Polynomial]
) -> Polynomial | None:
    """F(P) for a P with a delta: F(P at 0) + delta (F(P at 1) - F(P at 0)). None where P has no delta."""
    delta = next((atom for monomial, _ in polynomial for atom, _ in monomial if isinstance(atom, Delta)), None)
    if delta is None:
        return None
    without = collect(
        (monomial, coefficient) for monomial, coefficient in polynomial if all(atom != delta for atom, _ in monomial)
    )
    link = single(delta)
    # Under the delta its indices are one: multiply, which identifies them, and take the delta out again.
    together = multiply(context, polynomial, link)
    inside = collect(
        (tuple(pair for pair in monomial if pair[0] != delta), coefficient) for monomial, coefficient in together
    )
    apart = apply(without)
    return add(apart, multiply(context, link, add(apply(inside), scale(apart, -1))))
