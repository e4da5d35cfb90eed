"""Whether the records of a derivation are what they claim to be. A record can be made by hand, so nothing is believed
of it: an instance of a theorem is taken again at its objects, and cases must leave no case out."""

from __future__ import annotations

from sympy import Expr, Integer

from derivations.language.errors import LanguageError
from derivations.language.givens import AtLeast, Equation, given_at
from derivations.language.structure import free_indices, substitute
from derivations.language.symbols import Dimension, Index
from derivations.records import Case, Derivation, MixedRelations, Relation, combined_relation, taken_at


def is_instance(theorem: Derivation) -> bool:
    """Whether the theorem says what its original says at its objects; a theorem that is no instance is its own."""
    if theorem.original is None:
        return not theorem.objects
    try:
        return theorem == taken_at(theorem.original, dict(theorem.objects))
    except LanguageError:
        return False


def held_indices(theorem: Derivation) -> frozenset[Index]:
    """The free indices of which an assumption speaks, such as the place of the maximum: the theorem holds at them only.

    An equation that is given holds for every value of its indices.
    """
    special = (given for given in theorem.givens if not isinstance(given, Equation))
    return frozenset().union(*(free_indices(given) for given in special))


def case_problem(derivation: Derivation) -> str:
    """What is wrong with the cases of a derivation, in words; "" where they are those of a dimension, 1 or more."""
    if not derivation.cases:
        return ""
    if len(derivation.cases) != 2 or not all(case.lines for case in derivation.cases):
        return "the cases are not those of a dimension that is 1 and of one that is at least 2"
    one, more = derivation.cases
    dimension = _told_apart_by(more)
    if dimension is None or more.givens[:-1] != derivation.givens:
        return "the second case is not the one of a dimension that is at least 2"
    at_one: dict[Expr, Expr] = {dimension: Integer(1)}
    try:
        ends = [substitute(end, at_one) for end in (derivation.start, derivation.end)]
        givens = tuple(given_at(given, at_one) for given in derivation.givens)
    except LanguageError as error:
        return str(error)
    if one.givens != givens or [one.start, one.lines[-1].expression] != ends:
        return f"the first case is not the statement at {dimension} = 1"
    if (more.start, more.lines[-1].expression) != (derivation.start, derivation.end):
        return "the second case does not prove the statement"
    return (
        ""
        if all(_implies(case, derivation.relation) for case in derivation.cases)
        else ("a case proves another relation than the statement has")
    )


def _told_apart_by(case: Case) -> Dimension | None:
    last = case.givens[-1] if case.givens else None
    if isinstance(last, AtLeast) and isinstance(last.args[0], Dimension) and last.args[1] == 2:
        return last.args[0]
    return None


def _implies(case: Case, wanted: Relation) -> bool:
    """Whether the chain of a case gives the relation of the statement."""
    try:
        found = combined_relation(tuple(line.relation for line in case.lines))
    except MixedRelations:
        return False
    return found is wanted or wanted in _WEAKER[found]


_WEAKER: dict[Relation, frozenset[Relation]] = {
    Relation.EQUALS: frozenset({Relation.AT_MOST, Relation.AT_LEAST}),
    Relation.LESS: frozenset({Relation.AT_MOST}),
    Relation.GREATER: frozenset({Relation.AT_LEAST}),
    Relation.AT_MOST: frozenset(),
    Relation.AT_LEAST: frozenset(),
    Relation.IFF: frozenset(),
}
