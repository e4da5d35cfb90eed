"""Theorems that a step cites: their equations as rewriting rules, and whether their assumptions hold here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Integer
from sympy.core.symbol import Str

from derivations.kernel.arithmetic import subtract
from derivations.kernel.context import Facts, Rule
from derivations.kernel.engine import make_context
from derivations.kernel.facts import read_facts
from derivations.kernel.laws.law import Law
from derivations.kernel.laws.table import rules
from derivations.kernel.reading import EMPTY, read, read_at
from derivations.kernel.rules import orient
from derivations.kernel.terms import FREE, KernelLimit, Position
from derivations.kernel.theories import THEORIES
from derivations.kernel.wellformed import held_indices
from derivations.kernel.written_signs import NONNEGATIVE, NONZERO, Range, sign
from derivations.kernel.zero import reduced
from derivations.language import givens as kinds
from derivations.language.errors import LanguageError
from derivations.language.givens import Given, pinned_indices
from derivations.language.structure import free_indices, substitute
from derivations.language.symbols import Index, index
from derivations.language.written import Negative, Plus, Times, shape_of
from derivations.records import Derivation, Relation

_WANTED: Mapping[type, Range] = {
    kinds.Positive: Range.POSITIVE,
    kinds.Nonnegative: NONNEGATIVE,
    kinds.Nonzero: NONZERO,
}


def cited_equations(
    theorems: tuple[Derivation, ...], facts: Facts, laws: Mapping[str, Rule]
) -> tuple[tuple[Any, Given], ...]:
    """The equations among the theorems, oriented as rewriting rules."""
    found: list[tuple[Any, Given]] = []
    for theorem in theorems:
        if theorem.relation is not Relation.EQUALS:
            continue
        context = make_context(laws, replace(facts, distinct=()))
        at = tuple(Position(FREE, k, "·", read(context, size)) for k, size in enumerate(shape_of(theorem.start)))
        given = kinds.Theorem(Str(theorem.name))
        left, right = (read_at(context, side, EMPTY, at) for side in (theorem.start, theorem.end))
        rule = orient(context, left, right, given)
        if rule is not None:
            named = {one.name for one in held_indices(theorem)}
            variables = frozenset(one for one in rule.variables if one.letter not in named)
            found.append((replace(rule, variables=variables), given))
    return tuple(found)


def given_holds(given: Given, theorem: Derivation, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> bool:
    """Whether an assumption of a cited theorem, taken at the objects of this derivation, follows from the givens.

    An equation among them must hold for all values of its indices, but those that the theorem itself pins.
    """
    if given in givens and not (isinstance(given, kinds.Equation) and free_indices(given) & pinned_indices(givens)):
        return True
    if type(given) in _WANTED:
        subject = given.args[0]
        return not shape_of(subject) and not sign(subject, givens).range & ~_WANTED[type(given)]
    if isinstance(given, kinds.Equation):
        return _holds_everywhere(given, pinned_indices(theorem.givens), givens, laws)
    if isinstance(given, kinds.AtLeast):
        size, least = given.args
        return not sign(Plus(size, Negative(Integer(least))), givens).range & ~NONNEGATIVE
    if isinstance(given, (kinds.GapBelow, kinds.UniqueMaximum)):
        return _scaled_gap(given, givens, laws)
    return False


def _holds_everywhere(
    given: Given, pinned: frozenset[Index], givens: tuple[Given, ...], laws: Mapping[str, Law]
) -> bool:
    """Whether an equation holds for all values of its indices, so at letters of which no given says anything."""
    taken = {one.name for other in givens for one in free_indices(other)} | {one.name for one in free_indices(given)}
    fresh: dict[Expr, Expr] = {}
    for one in sorted(free_indices(given) - pinned, key=lambda index: index.name):
        name = one.name
        while name in taken:
            name += "'"
        taken.add(name)
        fresh[one] = index(name, one.dimension)
    left, right = (substitute(side, fresh) for side in given.args)
    return _equal(left, right, givens, laws)


def _equal(first: Expr, second: Expr, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> bool:
    if shape_of(first):
        return False
    switched_on = rules(THEORIES, laws)
    try:
        context = make_context(switched_on, read_facts(givens, switched_on))
        return not reduced(context, subtract(read(context, first), read(context, second)))
    except (KernelLimit, LanguageError):
        return False


def _scaled_gap(given: Given, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> bool:
    """A gap of x is c times as large for c x, c not negative; a unique maximum stays one for c positive."""
    vector, peak = given.args[0], given.args[1]
    if not isinstance(vector, Times) or len(vector.args) != 2 or shape_of(vector.args[0]):
        return False
    factor, inner = vector.args
    for known in givens:
        if type(known) is not type(given) or known.args[:2] != (inner, peak):
            continue
        if isinstance(given, kinds.UniqueMaximum):
            return not sign(factor, givens).range & ~Range.POSITIVE
        if not sign(factor, givens).range & ~NONNEGATIVE:
            return _equal(given.args[2], Times(factor, known.args[2]), givens, laws)
    return False
