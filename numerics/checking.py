"""Check a statement, or every step of a derivation."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr

from derivations.language.givens import Given
from derivations.language.symbols import Index
from derivations.records import Derivation, Relation
from numerics.checks import Check
from numerics.errors import NotEvaluated
from numerics.pointwise import Route, check_points
from numerics.statements import make_statement


def check_step(
    givens: Iterable[Given],
    left: Expr,
    relation: Relation,
    right: Expr,
    *,
    free: tuple[Index, ...] = (),
    seed: int = 0,
    step: int = 1,
    route: Route | None = None,
) -> tuple[Check, ...]:
    """Check ``left relation right`` for all values of the free indices, under the givens."""
    try:
        statement = make_statement(givens, left, relation, right)
    except NotEvaluated as error:
        return (Check(step, "exact", "inconclusive", seed=seed, detail=str(error)),)
    return check_points(statement, step=step, seed=seed, route=route)


def check_derivation(derivation: Derivation, *, seed: int = 0, route: Route | None = None) -> tuple[Check, ...]:
    """Check every step of a derivation."""
    return tuple(
        check
        for step in derivation.steps
        for check in check_step(
            derivation.givens, step.left, step.relation, step.right, seed=seed, step=step.number, route=route
        )
    )
