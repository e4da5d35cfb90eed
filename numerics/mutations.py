"""Mutants: a claim with one thing wrong. Each kind of mistake is one row of a table; each mutant is made once.

A mistake that gives no mathematics (a clash of indices, a denominator of zero) is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias, cast

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic

from derivations.language.arrays import Array, Entry, Tabulated
from derivations.language.errors import LanguageError
from derivations.language.functions import Elementary, LogSumExp, Softmax
from derivations.language.givens import Distinct, GapBelow, Given, UniqueMaximum
from derivations.language.operators import (
    Differential,
    DistinctSummation,
    Expectation,
    Limit,
    Summation,
    Variance,
)
from derivations.language.order import OrderStatistic
from derivations.language.propositions import Proposition
from derivations.language.structure import clashing_indices, free_indices, parts, substitute
from derivations.language.symbols import Delta, Dimension, Index
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from derivations.records import Relation


@dataclass(frozen=True)
class Claim:
    """``left relation right``."""

    left: Expr
    relation: Relation
    right: Expr


@dataclass(frozen=True)
class Mutant:
    """A claim with one mistake. ``kind`` names the row of the table, ``text`` says what became what."""

    kind: str
    text: str
    claim: Claim


@dataclass(frozen=True)
class Place:
    """A node with the part it plays in the node around it and the indices that have a meaning there."""

    node: Expr
    part: str
    indices: tuple[Index, ...]


Variants: TypeAlias = Callable[[Place], Iterable[Expr]]
Rebuild: TypeAlias = Callable[[Expr], Expr]

ONE, TWO, ZERO = Integer(1), Integer(2), Integer(0)


# ------------------------------------------------------------------------------------------- the mistakes


def _negated(node: Expr) -> Expr:
    if isinstance(node, Negative):
        inner: Expr = node.args[0]
        return inner
    return Rational(-node.p, node.q) if isinstance(node, Rational) else Negative(node)


def _more(node: Expr, step: int) -> Expr:
    """The node plus one or minus one."""
    if isinstance(node, Rational):
        return Rational(node.p + step * node.q, node.q)
    return Plus(node, ONE if step > 0 else Negative(ONE))


def _twice(node: Expr) -> Expr:
    return Rational(2 * node.p, node.q) if isinstance(node, Rational) else Times(TWO, node)


def _sign(place: Place) -> Iterator[Expr]:
    if place.part in ("whole", "term", "operand", "exponent"):
        yield _negated(place.node)


def _number(place: Place) -> Iterator[Expr]:
    if isinstance(place.node, Rational) and place.part != "exponent":
        yield from (_more(place.node, 1), _more(place.node, -1), _twice(place.node))


def _dimension(place: Place) -> Iterator[Expr]:
    if isinstance(place.node, Dimension) and place.part != "exponent":
        yield from (_more(place.node, 1), _more(place.node, -1), _twice(place.node))


def _exponent(place: Place) -> Iterator[Expr]:
    if isinstance(place.node, Power):
        base, exponent = place.node.args
        for changed in (_more(exponent, 1), _more(exponent, -1), _twice(exponent)):
            yield _power(base, changed)


def _power(base: Expr, exponent: Expr) -> Expr:
    if exponent == ZERO:
        return ONE
    return base if exponent == ONE else Power(base, exponent)


def _index(place: Place) -> Iterator[Expr]:
    node = place.node
    if not isinstance(node, (Entry, Delta)):
        return
    for position, index in enumerate(node.args):
        if isinstance(index, Index):
            for other in place.indices:
                if other != index and other.dimension == index.dimension:
                    yield _with_argument(node, position, other)


def _delta(place: Place) -> Iterator[Expr]:
    if isinstance(place.node, Delta):
        yield from (ONE, Plus(ONE, Negative(place.node)))


def _joined(kind: type[Expr], items: tuple[Expr, ...]) -> Expr:
    return items[0] if len(items) == 1 else kind(*items)


def _with_argument(node: Expr, position: int, new: Expr) -> Expr:
    return cast(Expr, node.func(*node.args[:position], new, *node.args[position + 1 :]))


def _dropped(place: Place) -> Iterator[Expr]:
    node = place.node
    if isinstance(node, (Plus, Times)):
        for position in range(len(node.args)):
            yield _joined(type(node), node.args[:position] + node.args[position + 1 :])
    elif isinstance(node, Quotient):
        top, bottom = node.args
        yield top
        if not shape_of(top):
            yield Quotient(ONE, bottom)


def _argument(place: Place) -> Iterator[Expr]:
    """A function at another argument. A vector is doubled: shifted by a number, softmax would stay the same."""
    node = place.node
    if isinstance(node, Elementary):
        yield Elementary(node.args[0], Plus(node.operand, ONE))
    elif isinstance(node, (Softmax, LogSumExp)):
        yield _with_argument(node, 0, Times(TWO, node.args[0]))


def _range(place: Place) -> Iterator[Expr]:
    """A sum with one term more or less, where there is an index that can name the term; coinciding indices let in or
    kept out."""
    node = place.node
    if isinstance(node, DistinctSummation):
        yield Summation(*node.args)
    elif isinstance(node, Summation):
        if len(node.indices) > 1 and len({one.dimension for one in node.indices}) == 1:
            yield DistinctSummation(*node.args)
        for index in node.indices:
            rest = tuple(one for one in node.indices if one != index)
            for other in place.indices:
                if other.dimension == index.dimension:
                    term = substitute(node.body, {index: other})
                    term = Summation(term, *rest) if rest else term
                    yield from (Plus(node, term), Plus(node, Negative(term)))


def _moment(place: Place) -> Iterator[Expr]:
    """The mean of a power for the power of a mean, the mean of a product for the product of means, and back."""
    node = place.node
    if isinstance(node, Variance):
        yield Expectation(Power(node.args[0], TWO))
    elif isinstance(node, Expectation):
        inner = node.args[0]
        if isinstance(inner, Power):
            yield Power(Expectation(inner.args[0]), inner.args[1])
        elif isinstance(inner, Times):
            yield Times(*(Expectation(factor) for factor in inner.args))
    elif isinstance(node, Power) and isinstance(node.args[0], Expectation):
        yield Expectation(Power(node.args[0].args[0], node.args[1]))


def _rank(place: Place) -> Iterator[Expr]:
    """The second largest for the largest, the largest for the smallest."""
    node = place.node
    if isinstance(node, OrderStatistic):
        ranks = (1,) if node.rank == -1 else (node.rank + 1, node.rank - 1, -1)
        yield from (OrderStatistic(node.args[0], Integer(rank)) for rank in ranks if rank)


KINDS: Mapping[str, Variants] = MappingProxyType(
    {
        "sign": _sign,
        "number": _number,
        "dimension": _dimension,
        "exponent": _exponent,
        "index": _index,
        "delta": _delta,
        "dropped": _dropped,
        "argument": _argument,
        "range": _range,
        "moment": _moment,
        "rank": _rank,
    }
)

_RELATIONS: Mapping[Relation, tuple[Relation, ...]] = MappingProxyType(
    {
        Relation.AT_MOST: (Relation.AT_LEAST, Relation.LESS),
        Relation.AT_LEAST: (Relation.AT_MOST, Relation.GREATER),
        Relation.LESS: (Relation.GREATER,),
        Relation.GREATER: (Relation.LESS,),
    }
)


# --------------------------------------------------------------------------------------------- the places

_LEAVES = (Index, Array, Dimension, Rational)
# Which arguments are walked, and what part they play; all arguments of any other node, as its inside.
_PARTS: Mapping[type[Basic], Mapping[int, str]] = MappingProxyType(
    {
        Quotient: {0: "numerator", 1: "denominator"},
        Power: {0: "base", 1: "exponent"},
        Elementary: {1: "operand"},
        Softmax: {0: "operand"},
        LogSumExp: {0: "operand"},
        OrderStatistic: {0: "operand"},
        Summation: {0: "inside"},
        DistinctSummation: {0: "inside"},
        Tabulated: {0: "inside"},
        Limit: {0: "inside"},
        Entry: {0: "inside"},
        Proposition: {1: "whole", 2: "whole"},
    }
)
_EACH: Mapping[type[Basic], str] = MappingProxyType({Plus: "term", Times: "factor"})


def _walked(node: Expr) -> Mapping[int, str]:
    if isinstance(node, (*_LEAVES, Delta)) or not node.args:
        return {}
    return _PARTS.get(type(node)) or dict.fromkeys(range(len(node.args)), _EACH.get(type(node), "inside"))


def _places(node: Expr, part: str, indices: tuple[Index, ...]) -> Iterator[tuple[Place, Rebuild]]:
    """Every node inside, with a function that puts another one in its place."""
    if not isinstance(node, Proposition):
        yield Place(node, part, indices), lambda new: new
    bound = node.indices if isinstance(node, (Summation, Tabulated)) else ()
    if isinstance(node, Differential):
        part = "inside"
    for position, inner_part in _walked(node).items():
        inner = tuple(dict.fromkeys((*indices, *bound)))
        for place, rebuild in _places(node.args[position], inner_part, inner):
            yield place, _rebuilding(node, position, rebuild)


def _rebuilding(node: Expr, position: int, rebuild: Rebuild) -> Rebuild:
    return lambda new: _with_argument(node, position, rebuild(new))


# --------------------------------------------------------------------------------------------- all of them


def _fixed(givens: Iterable[Given]) -> frozenset[Index]:
    """Indices that an assumption fixes; they may stand free in any line."""
    kinds = (Distinct, UniqueMaximum, GapBelow)
    return frozenset().union(*(free_indices(one) for one in givens if isinstance(one, kinds)))


def mutants(claim: Claim, givens: Iterable[Given] = (), *, left: bool = False) -> tuple[Mutant, ...]:
    """All mutants of the right side and of the relation, with ``left`` those of the left side too.

    Two that differ only in how a number is written (``x + 0`` and ``x``) are one; what is equal to the claim in this
    sense is none.
    """
    fixed = _fixed(givens)
    free = free_indices(claim.left) | free_indices(claim.right) | fixed
    indices = tuple(sorted(free, key=lambda one: one.name))
    seen = {_key(claim)}
    found: list[Mutant] = []

    def keep(kind: str, text: str, changed: Claim) -> None:
        key = _key(changed)
        if key not in seen:
            seen.add(key)
            found.append(Mutant(kind, text, changed))

    for kind, text, right in _changed(claim.right, indices):
        keep(kind, text, Claim(claim.left, claim.relation, right))
    for relation in _RELATIONS.get(claim.relation, ()):
        keep("relation", f"{claim.relation} -> {relation}", Claim(claim.left, relation, claim.right))
    if left:
        for kind, text, changed in _changed(claim.left, indices):
            keep(kind, text, Claim(changed, claim.relation, claim.right))
    return tuple(found)


def _changed(side: Expr, indices: tuple[Index, ...]) -> Iterator[tuple[str, str, Expr]]:
    allowed = frozenset(indices)
    for place, rebuild in _places(side, "whole", indices):
        for kind, variants in KINDS.items():
            for new in _made(variants, place):
                whole = _whole(rebuild, new)
                if whole is not None and _well_formed(whole, allowed, shape_of(side)):
                    yield kind, f"{place.node} -> {new}", whole


def _made(variants: Variants, place: Place) -> tuple[Expr, ...]:
    """What a row makes of a node; what it made before something without a meaning is kept."""
    found: list[Expr] = []
    with suppress(LanguageError):
        found.extend(variants(place))
    return tuple(found)


def _whole(rebuild: Rebuild, new: Expr) -> Expr | None:
    try:
        return rebuild(new)
    except LanguageError:
        return None


def _well_formed(side: Expr, allowed: frozenset[Index], shape: tuple[Expr, ...]) -> bool:
    if clashing_indices(side) or not free_indices(side) <= allowed or shape_of(side) != shape:
        return False
    return not any(isinstance(part, Quotient) and _plainly(part.args[1]) == ZERO for part in parts(side))


# ------------------------------------------------------------------------------------------------- equality


def _key(claim: Claim) -> tuple[Expr, Relation, Expr]:
    return _plainly(claim.left), claim.relation, _plainly(claim.right)


def _plainly(node: Expr) -> Expr:
    """The same with plain numbers worked out: no ``+ 0``, no factor 1, no ``--x``. For comparing only."""
    if isinstance(node, _LEAVES) or not node.args:
        return node
    arguments = tuple(_plainly(one) if isinstance(one, Expr) else one for one in node.args)
    worked_out = _WORKED_OUT.get(type(node))
    try:
        return worked_out(arguments) if worked_out else cast(Expr, node.func(*arguments))
    except LanguageError:
        return node


def _plain_plus(terms: tuple[Expr, ...]) -> Expr:
    flat = tuple(one for term in terms for one in (term.args if isinstance(term, Plus) else (term,)) if one != ZERO)
    return _joined(Plus, flat) if flat else ZERO


def _plain_times(factors: tuple[Expr, ...]) -> Expr:
    if ZERO in factors and not any(shape_of(one) for one in factors):
        return ZERO
    flat: list[Expr] = []
    negative = False
    for factor in factors:
        if isinstance(factor, Negative) or (isinstance(factor, Rational) and factor.p < 0):
            negative, factor = not negative, _negated(factor)  # noqa: PLW2901  # the sign goes in front
        inner: tuple[Expr, ...] = factor.args if isinstance(factor, Times) else (factor,)
        flat += [one for one in inner if one != ONE]
    product = _joined(Times, tuple(flat)) if flat else ONE
    return _negated(product) if negative else product


def _plain_quotient(arguments: tuple[Expr, ...]) -> Expr:
    top, bottom = arguments
    if bottom == ONE or (top == ZERO and bottom != ZERO):
        return top
    return Negative(Quotient(top.args[0], bottom)) if isinstance(top, Negative) else Quotient(top, bottom)


_WORKED_OUT: Mapping[type[Basic], Callable[[tuple[Expr, ...]], Expr]] = MappingProxyType(
    {
        Plus: _plain_plus,
        Times: _plain_times,
        Quotient: _plain_quotient,
        Negative: lambda arguments: ZERO if arguments[0] == ZERO else _negated(arguments[0]),
        Power: lambda arguments: _power(*arguments),
    }
)
