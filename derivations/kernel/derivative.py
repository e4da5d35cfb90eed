"""Derivatives by index calculus: the derivative of x_k by x_j is delta_kj; sum, product and chain rule do the rest."""

from __future__ import annotations

from collections.abc import Callable

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context
from derivations.kernel.powers import raise_to
from derivations.kernel.sums import delta, open_sum, sum_over
from derivations.kernel.terms import (
    ONE,
    ZERO,
    Atom,
    Average,
    Base,
    Covariance,
    Entry,
    Exponential,
    Function,
    KernelLimit,
    Moment,
    Named,
    Number,
    Partial,
    Polynomial,
    Position,
    Sum,
    atoms_within,
    single,
)
from derivations.language.givens import Given

Variable = Named | Entry


def depends(term: object, variable: Variable) -> bool:
    """Whether a term can change with the variable: the same symbol, or an entry of the same array, occurs in it."""
    if isinstance(term, tuple):
        if isinstance(term, Entry):
            return isinstance(variable, Entry) and term.array == variable.array
        if isinstance(term, Position):
            return False
        if isinstance(term, Named):
            return term == variable
        return any(isinstance(part, tuple) and depends(part, variable) for part in term)
    return False


def hidden_dependence(context: Context, operand: Polynomial, variable: Variable) -> Given | None:
    """A given by which the law of a random array in the operand depends on the variable, which the operand hides."""
    for atom in atoms_within(operand):
        if not (isinstance(atom, Moment) or (isinstance(atom, Entry) and atom.kind == "random")):
            continue
        facts = context.facts.random.get(atom.array)
        if facts is None:
            continue
        known = [*facts.moments.values(), *([facts.variance] if facts.variance else [])]
        known += [(value, facts.law[2]) for value in facts.law[1]] if facts.law else []
        for value, given in known:
            if depends(value, variable):
                return given
    return None


def refuse_hidden_dependence(context: Context, operand: Polynomial, variable: Variable) -> None:
    """Raise :class:`KernelLimit` where the law of a random array in the operand depends on the variable."""
    given = hidden_dependence(context, operand, variable)
    if given is not None:
        raise KernelLimit(
            f"{variable.name if isinstance(variable, Named) else variable.array} moves the law of a random variable "
            f"whose moments are not in use: by the given {given} it depends on it"
        )


def derivative(context: Context, operand: Polynomial, variable: Variable, *, internal: bool = False) -> Polynomial:
    """The partial derivative of a polynomial.

    ``internal`` marks the derivative inside the cumulant recursion, which belongs to the law of that recursion and
    treats expectations, whose random variables are integrated out, as constants.
    """
    if not internal:
        refuse_hidden_dependence(context, operand, variable)
    if not internal and context.law("derivative.variable") is None:
        return single(Partial("partial", operand, variable)) if depends(operand, variable) else ZERO
    terms: list[Polynomial] = []
    for monomial, coefficient in operand:
        for place, (atom, exponent) in enumerate(monomial):
            if not depends(atom, variable) or (internal and isinstance(atom, (Average, Covariance, Moment))):
                continue
            rest: Polynomial = ((monomial[:place] + monomial[place + 1 :], 1),)
            inner = _of_power(context, atom, exponent, variable, internal)
            product = context.law("derivative.product") if len(monomial) > 1 and not internal else None
            if len(monomial) > 1 and not internal and product is None:
                return single(Partial("partial", operand, variable))
            factor = product(context, rest, inner) if product else multiply(context, rest, inner)
            terms.append(scale(factor, coefficient))
    return add(*terms) if terms else ZERO


def _of_power(context: Context, atom: Atom, exponent: Number, variable: Variable, internal: bool) -> Polynomial:
    inner = of_atom(context, atom, variable, internal)
    if exponent == 1:
        return inner
    rule = power_rule if internal else context.law("derivative.power")
    if rule is None:
        return single(Partial("partial", single(atom, exponent), variable))
    outer: Polynomial = rule(context, single(atom), exponent)
    return multiply(context, outer, inner)


def power_rule(context: Context, base: Polynomial, exponent: Number) -> Polynomial:
    """The derivative of u^c by u: c u^(c-1)."""
    return scale(raise_to(context, base, exponent - 1), exponent)


def of_atom(context: Context, atom: Atom, variable: Variable, internal: bool = False) -> Polynomial:
    """The derivative of one atom."""
    builder = _BUILDERS.get(atom.kind)
    if builder is None:
        return single(Partial("partial", single(atom), variable))
    return builder(context, atom, variable, internal)


def _of_named(context: Context, atom: Named, variable: Variable, internal: bool) -> Polynomial:
    return variable_rule(context)(ONE) if atom == variable else ZERO


def _of_entry(context: Context, atom: Entry, variable: Variable, internal: bool) -> Polynomial:
    if not isinstance(variable, Entry) or atom.array != variable.array:
        return ZERO
    result = ONE
    for one, other in zip(atom.indices, variable.indices, strict=True):
        result = multiply(context, result, delta(context, one, other))
    return result if internal else variable_rule(context)(result)


def variable_rule(context: Context) -> Callable[[Polynomial], Polynomial]:
    """The rule that is switched on for the derivative of a variable by itself."""
    rule = context.law("derivative.variable")
    return rule if rule is not None else lambda value: value


def _of_sum(context: Context, atom: Sum, variable: Variable, internal: bool) -> Polynomial:
    rule = None if internal else context.law("derivative.sum")
    if not internal and rule is None:
        return single(Partial("partial", single(atom), variable))
    tokens, body = open_sum(context, atom)
    inner = sum_over(context, tokens, derivative(context, body, variable, internal=internal))
    return rule(inner) if rule else inner


def _of_exponential(context: Context, atom: Exponential, variable: Variable, internal: bool) -> Polynomial:
    return _chain_rule(context, "exp", single(atom), ((atom.exponent, 1),), variable, internal)


def _of_base(context: Context, atom: Base, variable: Variable, internal: bool) -> Polynomial:
    return derivative(context, atom.polynomial, variable, internal=internal)


def _of_function(context: Context, atom: Function, variable: Variable, internal: bool) -> Polynomial:
    return _chain_rule(context, atom.name, single(atom), atom.arguments[0], variable, internal)


def _chain_rule(
    context: Context, name: str, value: Polynomial, argument: Polynomial, variable: Variable, internal: bool
) -> Polynomial:
    rule = context.law(f"derivative.{name}")
    if rule is None:
        return single(Partial("partial", value, variable))
    inner = derivative(context, argument, variable, internal=internal)
    return multiply(context, rule(context, value, argument), inner)


_BUILDERS: dict[str, Callable[..., Polynomial]] = {
    "symbol": _of_named,
    "entry": _of_entry,
    "random": _of_entry,
    "sum": _of_sum,
    "exponential": _of_exponential,
    "base": _of_base,
    "function": _of_function,
}


def rebuild_partial(
    context: Context,
    atom: Partial,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The derivative of the changed operand by the changed variable."""
    variable = atom.variable
    if isinstance(variable, Entry):
        variable = Entry(variable.kind, variable.array, tuple(position(one) for one in variable.indices))
    changed = polynomial(atom.operand)
    if isinstance(variable, (Named, Entry)):
        return derivative(context, changed, variable)
    return single(Partial("partial", changed, variable))
