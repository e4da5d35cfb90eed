"""Derivatives by central differences in doubles, each with an estimate of its own error.

Doubles never refute. A point is evidence only if every entry is resolved there, the error falls with the step as it
should (Taylor), doubles agree with many digits about the claim itself, and the simplest wrong versions of the claim are
told apart at that very point. Where a softmax is saturated doubles give 0 for everything: such a point says nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.operators import Differential, Limit
from derivations.language.structure import parts
from derivations.records import Relation
from numerics.checks import Check
from numerics.environments import enumerated
from numerics.errors import NotEvaluated
from numerics.evaluation import Environment, evaluate
from numerics.instances import Instance
from numerics.magnitudes import magnitude
from numerics.power import scaled_versions, shortened_versions, told_apart
from numerics.requests import Request, drawn_instance, requests
from numerics.route import Route
from numerics.statements import Statement
from numerics.values import Value, arranged, union

Floats: TypeAlias = NDArray[np.float64]
Finding: TypeAlias = Literal["agrees", "differs", "unresolved", "powerless"]

_STEPS = tuple(Fraction(1, 2**k) for k in (7, 8, 9))
_EPSILON = 2.0**-52
_ROUNDINGS = 16
_DIGITS = 40
_SETTLED = 1e-6
"""An entry is resolved if its error is at most this part of it."""

_TIMES = 100
"""A wrong version must differ by so many times the error; where an entry is resolved, 1.001 times the claim does."""

_ENOUGH = 3


@dataclass(frozen=True)
class Look:
    """What doubles show at one point: the finding, and the largest relative error estimate among its entries."""

    finding: Finding
    error: float = 0.0


def _nesting(expression: Basic) -> int:
    inner = max((_nesting(one) for one in expression.args), default=0)
    return inner + isinstance(expression, Differential)


def _columns(values: Sequence[Value]) -> list[Floats]:
    labels, rank = union(values), max(value.rank for value in values)
    data = np.broadcast_arrays(*(arranged(value, labels, rank).astype(float) for value in values))
    return [np.asarray(one.reshape(-1), dtype=float) for one in data]


def _derivative(side: Expr, places: Sequence[Environment]) -> tuple[list[Value], Value]:
    """The side at each step, and the rounding error of the finest."""
    values = [evaluate(side, place) for place in places]
    size = magnitude(side, places[-1])
    factor = _ROUNDINGS * _EPSILON / float(places[-1].step) ** _nesting(side)
    return values, Value(np.asarray(size.data * factor), size.labels, size.rank)


def look(statement: Statement, instance: Instance, route: Route | None = None) -> Look:
    """What doubles show at one point. Raises :class:`NotEvaluated` where there is nothing to evaluate."""
    with np.errstate(all="ignore"):  # what overflows is not finite, and such entries do not count
        return _look(statement, instance, route or Route())


def _look(statement: Statement, instance: Instance, route: Route) -> Look:
    places = [enumerated(instance, route.doubles, most=1, step=step, readers=route.readers) for step in _STEPS]
    many = enumerated(instance, route.high_precision(_DIGITS), most=1, readers=route.readers)
    left, right = statement.sides
    if not any(isinstance(part, Differential) for part in parts(left)):
        left, right = right, left
    values, rounding = _derivative(left, places)
    claims, claim_rounding = _derivative(right, places)
    sure = claims[-1] if _nesting(right) else evaluate(right, many)
    versions = [evaluate(wrong.claim, places[-1]) for wrong in (*scaled_versions(right), *shortened_versions(right))]
    wide, middle, value, noise, rough, claim, claim_noise, exact, *variants = _columns(
        [*values, rounding, *claims[1:], claim_rounding, sure, *versions]
    )
    good = np.isfinite(np.stack([wide, middle, value, claim, exact])).all(axis=0)
    error = np.abs(value - middle) + noise + np.abs(claim - rough) + claim_noise
    if not good.any() or (~good & ~np.isnan(exact)).any():
        return Look("unresolved")  # nothing is defined here, or something that doubles do not hold
    wide, middle, value, noise, claim, error, exact = (
        one[good] for one in (wide, middle, value, noise, claim, error, exact)
    )
    scale = np.maximum(np.abs(value), np.abs(claim))
    if (np.abs(claim - exact) > _SETTLED * np.abs(exact)).any():
        return Look("unresolved")  # doubles do not even know the claim here
    silent = (scale == 0) & (exact == 0)
    if (error > _SETTLED * scale)[~silent].any() or not _falls(wide, middle, value, noise):
        return Look("unresolved")
    if (np.abs(value - claim) > 3 * error).any():
        return Look("differs")
    told = told_apart(list(value), [list(one[good]) for one in variants], list(error), times=_TIMES)
    relative = float((error[~silent] / scale[~silent]).max(initial=0.0))
    return Look("agrees" if all(told) else "powerless", relative)


def _falls(wide: Floats, middle: Floats, fine: Floats, noise: Floats) -> bool:
    """The Taylor order: with one extrapolation the error falls with the fourth power of the step, so 16 times for each
    halving; at least 4 times is asked for, unless only rounding is left."""
    before, after = np.abs(middle - wide), np.abs(fine - middle)
    return bool(((4 * after <= before) | (after <= noise)).all())


def _applies(statement: Statement) -> bool:
    return (
        statement.relation is Relation.EQUALS
        and statement.contains(Differential)
        and not (statement.contains(Limit) or statement.letters.randoms or statement.facts.above)
        and not statement.facts.distinct
    )


def _looks(statement: Statement, wanted: Iterator[Request], route: Route, seconds: float) -> Iterator[Look]:
    start = time.process_time()
    for request in wanted:
        if time.process_time() - start > seconds:
            return
        try:
            yield look(statement, drawn_instance(statement, request, route), route)
        except (NotEvaluated, ArithmeticError):
            continue


def check_differences(
    statement: Statement, *, step: int, seed: int, count: int = 12, seconds: float = 0.1, route: Route | None = None
) -> tuple[Check, ...]:
    """A check in doubles where a derivative by numbers occurs; confirmed or inconclusive, never refuted."""
    if not _applies(statement):
        return ()
    looks = list(_looks(statement, requests(statement, seed, count), route or Route(), seconds))
    agreed = [one for one in looks if one.finding == "agrees"]
    differing = sum(one.finding == "differs" for one in looks)
    detail = f"in doubles: {len(agreed)} of {len(looks)} points tell wrong versions apart"
    if differing:
        detail += f"; {differing} differ, which doubles alone do not decide"
    confirmed = len(agreed) >= _ENOUGH and not differing
    error = max((one.error for one in agreed), default=0.0)
    outcome: Literal["confirmed", "inconclusive"] = "confirmed" if confirmed else "inconclusive"
    return (
        Check(
            step,
            "finite_differences",
            outcome,
            delta=error if confirmed else None,
            samples=len(looks),
            error=error,
            seed=seed,
            detail=detail,
        ),
    )
