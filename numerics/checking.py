"""Check a statement, or every step of a derivation."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from sympy import Expr

from derivations.language.givens import Given
from derivations.language.symbols import Index
from derivations.records import Derivation, Relation
from numerics.all_dimensions import Exactly, check_all_dimensions
from numerics.balls import check_balls
from numerics.checks import Check
from numerics.differences import check_differences
from numerics.errors import NotEvaluated
from numerics.monte_carlo import ALPHA, MonteCarloRoute, check_by_sampling, sampled_sides
from numerics.pointwise import check_points
from numerics.route import Route
from numerics.statements import make_statement


@dataclass(frozen=True)
class Instruments:
    """Everything a check measures with. Tests replace one instrument by a faulty one; users leave them alone.

    ``points`` is how many instances a statement is tried at, ``seconds`` the CPU time that may take.
    """

    pointwise: Route = field(default_factory=Route)
    sampling: MonteCarloRoute = field(default_factory=MonteCarloRoute)
    everywhere: Exactly = field(default_factory=Exactly)
    points: int = 24
    seconds: float = 0.5


def check_step(  # noqa: PLR0913 - a statement has four parts; the rest is keyword-only
    givens: Iterable[Given],
    left: Expr,
    relation: Relation,
    right: Expr,
    *,
    free: tuple[Index, ...] = (),
    seed: int = 0,
    step: int = 1,
    both: bool = True,
    alpha: float = ALPHA,
    instruments: Instruments | None = None,
    executor: Executor | None = None,
) -> tuple[Check, ...]:
    """Check ``left relation right`` for all values of the free indices, under the givens.

    ``free`` needs naming only for indices that stand in neither side. ``both`` asks for each side with expectations
    to be sampled; a chain samples each line once. ``alpha`` is the error rate of each check by sampling. Never raises
    for a statement it cannot reach: that is inconclusive.
    """
    tools = instruments or Instruments()
    relation = Relation(relation)
    try:
        statement = make_statement(givens, left, relation, right, free)
    except NotEvaluated as error:
        return (Check(step, "exact", "inconclusive", seed=seed, detail=str(error)),)
    checks = check_points(
        statement, step=step, seed=seed, count=tools.points, seconds=tools.seconds, route=tools.pointwise
    )
    if any(check.outcome == "refuted" for check in checks):
        return checks
    enclosed = check_balls(statement, step=step, seed=seed, route=tools.pointwise)
    if any(check.outcome == "refuted" for check in enclosed):
        return (*checks, *enclosed)
    everywhere = check_all_dimensions(statement, step=step, seed=seed, tools=tools.everywhere)
    sampled = [
        check_by_sampling(
            statement,
            side,
            claimed,
            step=step,
            seed=seed,
            check=2 * step + k,
            alpha=alpha,
            route=tools.sampling,
            executor=executor,
        )
        for k, (side, claimed) in enumerate(sampled_sides(statement, both))
    ]
    differences = check_differences(statement, step=step, seed=seed, route=tools.pointwise)
    return (*checks, *enclosed, *everywhere, *differences, *sampled)


def check_derivation(
    derivation: Derivation,
    *,
    seed: int = 0,
    alpha: float = ALPHA,
    instruments: Instruments | None = None,
    executor: Executor | None = None,
) -> tuple[Check, ...]:
    """Check every step of a derivation, each under its own givens.

    Each line is sampled once: against the line after it, the last line before another beginning against the one before.
    """
    steps = derivation.steps
    following = [one.left for one in steps[1:]]
    return tuple(
        check
        for position, step in enumerate(steps)
        for check in check_step(
            step.givens,
            step.left,
            step.relation,
            step.right,
            seed=seed,
            step=step.number,
            both=step.right not in following[position : position + 1],
            alpha=alpha,
            instruments=instruments,
            executor=executor,
        )
    )
