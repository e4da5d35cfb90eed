"""What a citation puts in place of what: the objects of a theorem and those of the derivation that cites it."""

from __future__ import annotations

from sympy import Expr, Symbol
from sympy.core.basic import Basic

from derivations.language.arrays import Array
from derivations.language.symbols import Index
from derivations.language.written import Written
from derivations.records import Derivation


def replaced_objects(instance: Derivation) -> tuple[tuple[Expr, Expr], ...]:
    """Each object of a cited theorem that stands for another one here, with that one, in order of appearance."""
    if instance.original is None:
        return ()
    found: dict[Expr, Expr] = {}
    whole = zip(_statements(instance.original), _statements(instance), strict=True)
    for theirs, ours in whole:
        _compare(theirs, ours, frozenset(), found)
    return tuple(found.items())


def _statements(derivation: Derivation) -> tuple[Basic, ...]:
    return (*derivation.expressions, *derivation.givens)


def _compare(theirs: Basic, ours: Basic, bound: frozenset[Basic], found: dict[Expr, Expr]) -> None:
    if theirs == ours or theirs in bound:
        return
    if _same_name(theirs, ours):  # the same object, of another size
        for pair in zip(theirs.args[1:], ours.args[1:], strict=True):
            _compare(*pair, bound, found)
    elif isinstance(theirs, (Symbol, Array, Index)) and isinstance(ours, Expr):
        found.setdefault(theirs, ours)
    elif type(theirs) is type(ours) and len(theirs.args) == len(ours.args):
        inner = bound | frozenset(theirs.binds) if isinstance(theirs, Written) else bound
        for pair in zip(theirs.args, ours.args, strict=True):
            _compare(*pair, inner, found)


def _same_name(theirs: Basic, ours: Basic) -> bool:
    pair = (theirs, ours)
    same_kind = type(theirs) is type(ours) and isinstance(theirs, (Array, Index))
    return same_kind and theirs.args[0] == ours.args[0] and len({len(one.args) for one in pair}) == 1
