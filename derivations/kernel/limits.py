"""Limits as a scalar tends to infinity, composed from elementary ones.

The limit of a sum, product, power or finite sum over an index is that of its parts where those exist. Exponentials are
compared with the largest: where the givens say at which entries a vector is maximal, exp(t (x_i - max x)) tends to the
mark of entry i, and exp(-t c) tends to 0 for c > 0. A sum over an index whose range does not depend on the variable is
finite, so limit and sum may be exchanged; dimensions never depend on the variable, which is a real scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context, Marks
from derivations.kernel.derivative import depends, refuse_hidden_dependence
from derivations.kernel.functions import function
from derivations.kernel.maxima import is_maximum, mark
from derivations.kernel.powers import raise_to
from derivations.kernel.signs import Sign, sign_of_polynomial
from derivations.kernel.sums import open_sum, sum_over
from derivations.kernel.terms import (
    ONE,
    ZERO,
    Atom,
    Base,
    Entry,
    Exponential,
    Function,
    KernelLimit,
    Limiting,
    Monomial,
    Named,
    Number,
    Polynomial,
    Position,
    Sum,
    collect,
    single,
    whole,
)

_CONTINUOUS = frozenset({"abs", "cos", "erf", "exp", "sigmoid", "sin", "tanh"})


@dataclass
class Parts:
    """A product taken apart: its limit so far, the exponent of its exponentials, and for each vector with a known
    maximum m the rate r of a factor exp(r t m)."""

    value: Polynomial = ONE
    exponent: Polynomial = ZERO
    rates: dict[str, Number] = field(default_factory=dict)

    def grow(self, array: str, rate: Number) -> None:
        """Multiply by exp(rate t m)."""
        self.rates[array] = whole(self.rates.get(array, 0) + rate)


def limit(context: Context, operand: Polynomial, variable: Named) -> Polynomial:
    """The limit of a polynomial as the variable tends to infinity.

    Raises :class:`KernelLimit` where no limit is found.
    """
    refuse_hidden_dependence(context, operand, variable)
    if not depends(operand, variable):
        return operand
    rule = context.law("limit.arithmetic")
    if rule is None:
        return single(Limiting("limiting", operand, variable))
    result = add(*(scale(_of_monomial(context, rule, term, variable), value) for term, value in operand))
    if depends(result, variable):
        raise KernelLimit("a limit still depends on its variable")
    return result


def _of_monomial(
    context: Context, rule: Callable[[Context, Polynomial, Polynomial], Polynomial], term: Monomial, variable: Named
) -> Polynomial:
    parts = _taken_apart(context, rule, term, variable)
    return rule(context, parts.value, _of_exponential(context, parts, variable))


def _taken_apart(
    context: Context, rule: Callable[[Context, Polynomial, Polynomial], Polynomial], term: Monomial, variable: Named
) -> Parts:
    parts = Parts()
    for atom, power in term:
        if not depends(atom, variable):
            parts.value = multiply(context, parts.value, ((((atom, power),), 1),))
        elif isinstance(atom, Exponential):
            parts.exponent = add(parts.exponent, ((atom.exponent, power),))
        else:
            factor = _of_factor(context, rule, atom, variable, parts, power)
            parts.value = rule(context, parts.value, _power(context, factor, power))
    return parts


def _of_factor(
    context: Context,
    rule: Callable[[Context, Polynomial, Polynomial], Polynomial],
    atom: Atom,
    variable: Named,
    parts: Parts,
    power: Number,
) -> Polynomial:
    """The limit of a factor, its growth taken out into ``parts``."""
    if isinstance(atom, Sum):
        growing = _growing(context, atom, variable)
        if growing is None:
            return _of_sum(context, atom, variable)
        array, rate, rest = growing
        parts.grow(array, rate * power)
        return rest
    if isinstance(atom, Base):
        terms = [_taken_apart(context, rule, term, variable) for term, _ in atom.polynomial]
        rates = [{array: rate for array, rate in term.rates.items() if rate} for term in terms]
        if rates[0] and all(one == rates[0] for one in rates) and not any(term.exponent for term in terms):
            for array, rate in rates[0].items():
                parts.grow(array, rate * power)
            coefficients = (value for _, value in atom.polynomial)
            return add(*(scale(term.value, value) for term, value in zip(terms, coefficients, strict=True)))
        if any(term.exponent for term in terms) and not any(rates):
            leading = _leading(context, atom, terms, variable, parts, power)
            if leading is not None:
                return leading
        return limit(context, atom.polynomial, variable)
    if isinstance(atom, Function) and atom.name in _CONTINUOUS:
        return function(context, atom.name, limit(context, atom.arguments[0], variable))
    raise KernelLimit(f"no limit is known for a term that contains {atom.kind}")


def _leading(
    context: Context, atom: Base, terms: list[Parts], variable: Named, parts: Parts, power: Number
) -> Polynomial | None:
    """A sum of exponentials of which one outgrows the others: it is taken out, and the rest vanishes beside it."""
    for leader in terms:
        others = [term for term in terms if term is not leader]
        lead = [add(leader.exponent, scale(term.exponent, -1)) for term in others]
        if not all(_grows(context, one, variable) for one in lead):
            continue
        rule = context.law("limit.exponential")
        if rule is None:
            return None
        parts.exponent = add(parts.exponent, scale(leader.exponent, power))
        weights = [coefficient for _, coefficient in atom.polynomial]
        return add(
            *(
                scale(term.value if term is leader else multiply(context, term.value, rule()), weight)
                for term, weight in zip(terms, weights, strict=True)
            )
        )
    return None


def _grows(context: Context, exponent: Polynomial, variable: Named) -> bool:
    """Whether an exponent is the variable times something positive that does not depend on it."""
    if any(dict(monomial).get(variable) != 1 for monomial, _ in exponent):
        return False
    slope = collect((tuple(pair for pair in monomial if pair[0] != variable), value) for monomial, value in exponent)
    return not depends(slope, variable) and sign_of_polynomial(context, slope) is Sign.POSITIVE


def _power(context: Context, value: Polynomial, power: Number) -> Polynomial:
    """A power of a limit; below a fraction bar the limit must not be zero."""
    if power < 0 and sign_of_polynomial(context, value) is not Sign.POSITIVE:
        raise KernelLimit("the limit of a denominator is not known to be positive")
    return raise_to(context, value, power)


def _of_sum(context: Context, atom: Sum, variable: Named) -> Polynomial:
    tokens, body = open_sum(context, atom)
    return sum_over(context, tokens, limit(context, body, variable))


def _growing(context: Context, atom: Sum, variable: Named) -> tuple[str, Number, Polynomial] | None:
    """A sum over one index of exp(rate t x_b) times something without t, for a vector x whose maximum m is known: the
    vector, the rate, and the limit of the sum divided by exp(rate t m)."""
    tokens, body = open_sum(context, atom)
    if len(tokens) != 1 or len(body) != 1:
        return None
    (token,), (monomial, coefficient) = tokens, body[0]
    varying = [(one, power) for one, power in monomial if depends(one, variable)]
    if len(varying) != 1 or not isinstance(varying[0][0], Exponential):
        return None
    inner, rate = varying[0][0].exponent, varying[0][1]
    found = _scaled_entry(context, inner, variable, token)
    if found is None or rate <= 0:
        return None
    rule = context.law("limit.maximum")
    if rule is None:
        return None
    context.use(found.given)
    others: Polynomial = ((tuple(pair for pair in monomial if pair not in varying), coefficient),)
    rest = sum_over(context, tokens, multiply(context, others, rule(mark(context, found, token))))
    return found.array, rate, rest


def _scaled_entry(context: Context, monomial: Monomial, variable: Named, token: Position) -> Marks | None:
    """The marks of the vector x, if the monomial is t x at the token."""
    rest = tuple(pair for pair in monomial if pair != (variable, 1))
    if len(rest) != 1 or len(rest) == len(monomial) or rest[0][1] != 1:
        return None
    atom = rest[0][0]
    if not isinstance(atom, Entry) or atom.indices != (token,):
        return None
    return context.facts.maxima.get(atom.array)


def _of_exponential(context: Context, parts: Parts, variable: Named) -> Polynomial:
    """The limit of exp(t L): 1 for L = 0, a mark where L compares entries with their maximum, 0 where L < 0."""
    slope = []
    for monomial, coefficient in parts.exponent:
        if dict(monomial).get(variable) != 1:
            raise KernelLimit("the exponent of an exponential is not proportional to the variable")
        slope.append((tuple(pair for pair in monomial if pair[0] != variable), coefficient))
    linear = collect(slope)
    if depends(linear, variable):
        raise KernelLimit("the exponent of an exponential is not proportional to the variable")
    result = ONE
    for name in sorted(set(context.facts.maxima) & (set(parts.rates) | _arrays(linear))):
        linear, factor = _compared(context, linear, context.facts.maxima[name], parts.rates.get(name, 0))
        result = multiply(context, result, factor)
    if not linear:
        return result
    if sign_of_polynomial(context, scale(linear, -1)) is Sign.POSITIVE:
        rule = context.law("limit.exponential")
        if rule is not None:
            vanishing: Polynomial = rule()
            return multiply(context, result, vanishing)
    raise KernelLimit("an exponential may grow without bound; no given says that its exponent is negative")


def _arrays(polynomial: Polynomial) -> set[str]:
    return {atom.array for monomial, _ in polynomial for atom, _ in monomial if isinstance(atom, Entry)}


def _compared(context: Context, linear: Polynomial, marks: Marks, maximum: Number) -> tuple[Polynomial, Polynomial]:
    """Take the entries of one vector from L: exp of t times the sum of c_i (x_i - max x), c_i > 0, tends to a product
    of marks."""
    rest: list[tuple[Monomial, Number]] = []
    product = ONE
    for monomial, coefficient in linear:
        atom = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
        if atom is not None and is_maximum(marks, atom):
            maximum += coefficient
        elif isinstance(atom, Entry) and atom.array == marks.array:
            if coefficient < 0:
                raise KernelLimit(f"an exponential of -{atom.array} may grow without bound")
            maximum += coefficient
            rule = context.law("limit.maximum")
            if rule is None:
                raise KernelLimit("the limit of an exponential compared with the largest one is not in use")
            context.use(marks.given)
            product = multiply(context, product, rule(mark(context, marks, atom.indices[0])))
        else:
            rest.append((monomial, coefficient))
    if maximum:
        raise KernelLimit(f"the exponentials of {marks.array} do not balance")
    return tuple(rest), product


def rebuild_limiting(
    context: Context,
    atom: Limiting,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The limit of the changed operand."""
    return limit(context, polynomial(atom.operand), atom.variable)


def product_of_limits(context: Context, first: Polynomial, second: Polynomial) -> Polynomial:
    """The rule of the law: the limit of a product is the product of the limits."""
    return multiply(context, first, second)
