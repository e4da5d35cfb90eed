"""Order statistics: the k-th largest value of an entry over its index."""

from __future__ import annotations

from collections.abc import Callable

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context
from derivations.kernel.defined import View, close
from derivations.kernel.labelling import relabel
from derivations.kernel.powers import common_monomial, content, divide_by_monomial
from derivations.kernel.signs import Sign, sign_of
from derivations.kernel.terms import (
    ONE,
    Closure,
    Ordered,
    Polynomial,
    Position,
    mentions,
    single,
    whole,
)


def ordered(context: Context, view: View, rank: int) -> Polynomial:
    """The order statistic of a vector: what does not depend on the index leaves, and so does a scale that is not
    negative; a negative one exchanges largest and smallest."""
    token = context.fresh(view.shape[0])
    entry = view.entry((token,))
    if view.shape[0] == ONE and rank in (1, -1):
        return entry
    rule = context.law("order.affine")
    if rule is None:
        return single(Ordered("ordered", close(context, view), rank))
    shift = tuple(term for term in entry if not mentions(term[0], {token}))
    rest = tuple(term for term in entry if mentions(term[0], {token}))
    if not rest:
        return shift
    factor = content(rest)
    if rank in (1, -1) and all(coefficient < 0 for _, coefficient in rest):
        factor, rank = -factor, -rank
    common = common_monomial(
        rest, lambda atom: not mentions(atom, {token}) and sign_of(context, atom) is not Sign.UNKNOWN
    )
    inner = divide_by_monomial(context, scale(rest, whole(1 / factor)), common)
    value = single(Ordered("ordered", _closure(context, token, inner), rank))
    result: Polynomial = rule(context, ((common, whole(factor)),), shift, value)
    return result


def _closure(context: Context, token: Position, entry: Polynomial) -> Closure:
    return close(context, View((token.dimension,), lambda at: relabel(entry, {token: at[0]})))


def rebuild_ordered(
    context: Context,
    atom: Ordered,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The order statistic of the changed entries."""
    bound = atom.vector.bound[0]
    token = context.fresh(bound.dimension)
    body = polynomial(relabel(atom.vector.entry, {bound: token}))
    view = View((bound.dimension,), lambda at: relabel(body, {token: at[0]}))
    return ordered(context, view, atom.rank)


def affine(context: Context, factor: Polynomial, shift: Polynomial, value: Polynomial) -> Polynomial:
    """The rule of the law: the order statistic of c x + b is c times that of x, plus b."""
    return add(shift, multiply(context, factor, value))
