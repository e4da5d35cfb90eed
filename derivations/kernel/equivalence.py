"""Equivalent equations: f = 0 if and only if g = 0, shown by f = h g with an h that is never zero."""

from __future__ import annotations

from derivations.kernel.arithmetic import multiply, scale, subtract
from derivations.kernel.context import Context
from derivations.kernel.powers import cleared, common_monomial, content, divide_by_monomial
from derivations.kernel.reading import read
from derivations.kernel.rules import rewrite
from derivations.kernel.signs import Sign, sign_of
from derivations.kernel.terms import Atom, Polynomial
from derivations.kernel.written_signs import NONZERO, sign
from derivations.kernel.zero import reduced
from derivations.language.givens import Given
from derivations.language.propositions import Proposition
from derivations.records import Step


def equivalent(context: Context, step: Step, givens: tuple[Given, ...], first: Polynomial, second: Polynomial) -> bool:
    """Whether two equations, given as differences of their sides, have the same solutions.

    With a certificate h, one difference is h times the other and h is visibly never zero; without one they agree up
    to factors that are never zero.
    """
    if not all(isinstance(one, Proposition) and one.sign == "=" for one in (step.left, step.right)):
        return False
    rule = context.law("equivalence.factor")
    if rule is None:
        return False
    factor = step.line.certificate
    if factor is not None:
        known = sign(factor, givens)
        if known.range & ~NONZERO:
            return False
        if known.givens and context.law("nonnegativity.given") is None:
            return False
        for given in known.givens:
            context.use(given)
        value = read(context, factor)
        return any(
            not reduced(context, subtract(one, rule(context, value, other)))
            for one, other in ((first, second), (second, first))
        )
    one, other = (_essential(context, rewrite(context, side)) for side in (first, second))
    return not reduced(context, subtract(one, other)) or not reduced(context, subtract(one, scale(other, -1)))


def _essential(context: Context, polynomial: Polynomial) -> Polynomial:
    """The polynomial without denominators and without factors that are never zero."""
    rest, _ = cleared(context, polynomial)
    if not rest:
        return rest

    def never_zero(atom: Atom) -> bool:
        return sign_of(context, atom) is Sign.POSITIVE

    common = common_monomial(rest, never_zero)
    # What stands below a fraction bar is not zero either, whatever its sign.
    below = tuple(
        (atom, power) for atom, power in common_monomial(rest, lambda atom: True) if power < 0 and not never_zero(atom)
    )
    divided = divide_by_monomial(context, rest, tuple(sorted((*common, *below))))
    return scale(divided, 1 / content(divided))


def by_factor(context: Context, factor: Polynomial, value: Polynomial) -> Polynomial:
    """The rule of the law: multiplying an equation by a factor that is never zero keeps its solutions."""
    return multiply(context, factor, value)
