"""exp, log and the other functions of a scalar."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sympy import factorint

from derivations.kernel.arithmetic import add, scale
from derivations.kernel.context import Context
from derivations.kernel.powers import (
    absolute,
    cleared,
    common_monomial,
    content,
    divide_by_monomial,
    raise_to,
    split_delta,
)
from derivations.kernel.signs import Sign, sign_of
from derivations.kernel.terms import (
    ONE,
    ZERO,
    Atom,
    Exponential,
    Function,
    KernelLimit,
    Monomial,
    Number,
    Polynomial,
    Position,
    constant_of,
    number,
    single,
    whole,
)


def exponential(context: Context, operand: Polynomial) -> Polynomial:
    """exp of a polynomial: a product of powers of exponentials of its monomials."""
    if not operand:
        return ONE
    rule = context.law("exponential.sum")
    if rule is None:
        return single(Function("function", "exp", (operand,)))
    split = split_delta(context, operand, lambda part: exponential(context, part))
    if split is not None:
        return split
    factors = [_exponential_of_term(context, monomial, coefficient) for monomial, coefficient in operand]
    result = factors[0]
    for factor in factors[1:]:
        result = rule(context, result, factor)
    return result


def _exponential_of_term(context: Context, monomial: Monomial, coefficient: Number) -> Polynomial:
    if len(monomial) == 1 and monomial[0][1] == 1:
        atom = monomial[0][0]
        if isinstance(atom, Function) and atom.name == "log":
            rule = context.law("exponential.inverse")
            if rule is not None:
                return raise_to(context, rule(atom.arguments[0]), coefficient)
    return single(Exponential("exponential", monomial), coefficient)


def logarithm(context: Context, operand: Polynomial) -> Polynomial:
    """log of a polynomial: its positive factors leave as summands."""
    if not operand:
        raise KernelLimit("the logarithm of zero")
    if operand == ONE:
        return ZERO
    rule = context.law("exponential.logarithm")
    if rule is None:
        return single(Function("function", "log", (operand,)))
    split = split_delta(context, operand, lambda part: logarithm(context, part))
    if split is not None:
        return split
    numerator, multiplier = cleared(context, operand)
    if multiplier and all(sign_of(context, atom) is Sign.POSITIVE for atom, _ in multiplier):
        below = [scale(logarithm_of_atom(context, atom), power) for atom, power in multiplier]
        return add(logarithm(context, numerator), *(scale(part, -1) for part in below))
    factor = content(operand)
    common = common_monomial(operand, lambda atom: sign_of(context, atom) is Sign.POSITIVE)
    rest = divide_by_monomial(context, scale(operand, whole(1 / factor)), common)
    parts = [_logarithm_of_number(factor)]
    parts += [_logarithm_of_power(context, rule, atom, exponent) for atom, exponent in common]
    if constant_of(rest) != 1:
        parts.append(_logarithm_of_rest(context, rest))
    return add(*parts)


def _logarithm_of_power(
    context: Context, rule: Callable[[Polynomial, Number], Polynomial], atom: Atom, exponent: Number
) -> Polynomial:
    return rule(logarithm_of_atom(context, atom), exponent)


def logarithm_of_atom(context: Context, atom: Atom) -> Polynomial:
    """log of a positive atom."""
    if isinstance(atom, Exponential):
        rule = context.law("exponential.inverse")
        if rule is not None:
            result: Polynomial = rule(((atom.exponent, 1),))
            return result
    polynomial = atom.polynomial if atom.kind == "base" else single(atom)  # type: ignore[union-attr]  # a base has one
    return single(Function("function", "log", (polynomial,)))


def _logarithm_of_rest(context: Context, rest: Polynomial) -> Polynomial:
    """log of what has no factor known to be positive; an even power is that of the absolute value."""
    if len(rest) == 1 and rest[0][1] == 1 and len(rest[0][0]) == 1 and rest[0][0][0][1] % 2 == 0:
        atom, exponent = rest[0][0][0]
        inner = absolute(context, single(atom))
        return scale(single(Function("function", "log", (inner,))), exponent)
    return single(Function("function", "log", (rest,)))


def _logarithm_of_number(value: Fraction) -> Polynomial:
    powers = dict(factorint(value.numerator))
    for prime, count in factorint(value.denominator).items():
        powers[prime] = powers.get(prime, 0) - count
    return add(
        *(
            scale(single(Function("function", "log", (number(prime),))), count)
            for prime, count in powers.items()
            if prime > 1 and count
        )
    )


def function(context: Context, name: str, operand: Polynomial) -> Polynomial:
    """A named function of a polynomial. Odd and even functions have the sign of their argument taken out."""
    builder = _BUILDERS.get(name)
    if builder is not None:
        return builder(context, operand)
    split = split_delta(context, operand, lambda part: function(context, name, part))
    if split is not None:
        return split
    parity = _PARITY.get(name, 0)
    if parity and not operand:
        return ZERO if parity < 0 else ONE
    if parity and operand[0][1] < 0:
        return scale(single(Function("function", name, (scale(operand, -1),))), parity)
    return single(Function("function", name, (operand,)))


_BUILDERS: dict[str, Callable[[Context, Polynomial], Polynomial]] = {
    "exp": exponential,
    "log": logarithm,
    "abs": absolute,
}
# Odd functions (-1) vanish at zero; the one even function here (+1), the cosine, is one there.
_PARITY = {"sin": -1, "tanh": -1, "erf": -1, "cos": 1}


def rebuild_exponential(
    context: Context,
    atom: Exponential,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """exp of the changed exponent."""
    return exponential(context, polynomial(((atom.exponent, 1),)))


def rebuild_function(
    context: Context,
    atom: Function,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The function of the changed argument."""
    return function(context, atom.name, polynomial(atom.arguments[0]))
