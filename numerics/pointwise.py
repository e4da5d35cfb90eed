"""Checks at many instances: exact where both sides are rational, else with many digits.

Small dimensions and simple numbers come first, so that the first difference found is one that a person can read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log10, prod

from sympy import Integer, Rational

from derivations.language.functions import Elementary
from derivations.language.operators import Differential, Limit
from derivations.language.structure import parts
from derivations.language.written import Power
from derivations.records import Relation
from numerics.checks import Check, Counterexample, Method
from numerics.choices import Prefixed
from numerics.comparison import (
    DIGITS,
    DIGITS_OF_DOUBLES,
    QUADRATURE,
    Comparison,
    Pair,
    compare_exactly,
    compare_with_digits,
    nesting,
)
from numerics.environments import by_moments, enumerated
from numerics.errors import NotEvaluated, NotPolynomial, NotRational, TooLarge
from numerics.evaluation import Environment
from numerics.examples import SMALL, space_of
from numerics.exponentials import EXPONENTIALS
from numerics.extremes import Means, reaches
from numerics.instances import Instance, Style
from numerics.joint import ContinuousBlock
from numerics.limits import digits_for, far_points
from numerics.quadrature import COARSE_AND_FINE, WITH_KINKS, Rule, continuous_cells
from numerics.requests import Request, drawn_instance, requests
from numerics.resolution import Grid, grid, resolved
from numerics.route import Route
from numerics.search import violations
from numerics.shrinking import Search
from numerics.sources import Seeded
from numerics.statements import Statement

STRICT = (Relation.LESS, Relation.GREATER)

_ENOUGH = 3
"""So many instances with power are needed to confirm."""

_ENOUGH_ZEROS = 6
"""More than there are instances of dimension 1, where many a derivative is zero."""

_SHRINKING = 8

_FURTHEST_PEAK = 10
"""Standard deviations; the nodes of a quadrature reach a few further."""

_ORDERS_OF_DOUBLES = 6
_LADDER = ((50, 80), (150, 200))
_LADDER_OF_DIFFERENCES = ((80, 120), (260, 320), (900, 1100), (1400, 1600))


@dataclass
class _Tally:
    """What one method has seen so far."""

    points: int = 0
    nonzero: int = 0
    zeros: int = 0
    error: float = 0.0
    slack: float | None = None
    unresolved: int = 0
    sizes: list[int] = field(default_factory=list)

    @property
    def powered(self) -> int:
        """Points with power. That a derivative is zero counts where it is never anything else."""
        return self.nonzero or (self.zeros if self.zeros >= _ENOUGH_ZEROS else 0)


def _method(statement: Statement, exactly: bool) -> Method:
    if exactly:
        return "exact"
    return "finite_differences" if statement.contains(Differential) else "high_precision"


def _pairs(statement: Statement, instance: Instance, route: Route) -> Iterator[Pair]:
    """Environments of growing precision, all outcomes enumerated."""
    ladder = _LADDER_OF_DIFFERENCES if statement.contains(Differential) else _LADDER
    for coarse, fine in ladder:
        yield Pair(_environment(instance, route, coarse), _environment(instance, route, fine), fine)


def _environment(
    instance: Instance,
    route: Route,
    digits: int,
    rule: Rule | None = None,
    most: int | None = None,
    *,
    far: Fraction | None = None,
    step: Fraction | None = None,
) -> Environment:
    return enumerated(
        instance,
        route.high_precision(digits),
        most=most or route.most_outcomes,
        step=step or Fraction(1, 10 ** (digits // 5)),
        readers=route.readers,
        rule=rule,
        far=far or Fraction(10 ** (8 + digits // 25)),
    )


def _reach(instance: Instance) -> float:
    """How far out, in standard deviations, exp of a product of the scalars and one variable can peak."""
    scales = [
        float(one.law.square) ** 0.5
        for block in (instance.joint.blocks if instance.joint else ())
        if isinstance(block, ContinuousBlock)
        for one in block.each
    ]
    factors = [abs(float(data[()])) for data in instance.numbers.values() if data.shape == ()]
    return prod(max(1.0, one) for one in (*factors, max(scales, default=1.0)))


def _compare_by_quadrature(statement: Statement, instance: Instance, route: Route) -> Comparison:
    """Nodes stand for the values of continuous variables.

    Doubles are tried first, since they are a hundred times faster and exact enough for a rule; they may say that the
    statement holds, while anything else is left to many digits.
    """
    cells = continuous_cells(instance.joint) if instance.joint else 0
    if cells not in COARSE_AND_FINE:
        raise TooLarge("too many continuous variables for a quadrature")
    if statement.is_open and statement.is_stochastic:
        raise TooLarge("a random value beside an expectation over a continuous law")
    if statement.contains(Elementary) and _reach(instance) > _FURTHEST_PEAK:
        raise TooLarge("the numbers are so large that an exponential may peak beyond the nodes of a quadrature")
    rules = (WITH_KINKS if statement.has_kinks else COARSE_AND_FINE)[cells]
    third = None if statement.is_open else grid(instance, route.readers)
    if third is not None and not resolved(statement, third):
        return Comparison("unresolved")
    if not (statement.is_open or statement.needs_digits or has_extreme_numbers(statement)):
        coarse, fine = (
            enumerated(instance, route.doubles, most=route.most_nodes, readers=route.readers, rule=rule)
            for rule in rules
        )
        quick = compare_with_digits(statement, instance, [Pair(coarse, fine, DIGITS_OF_DOUBLES)], QUADRATURE)
        if quick.verdict == "holds":
            return quick
    tolerance = QUADRATURE
    if statement.is_open:  # a statement about every outcome: the nodes are outcomes like others
        rules, tolerance = (rules[0], rules[0]), DIGITS
    digits = _LADDER_OF_DIFFERENCES[0] if statement.contains(Differential) else _LADDER[0]
    coarse, fine = (
        _environment(instance, route, one, rule, route.most_nodes) for one, rule in zip(digits, rules, strict=True)
    )
    found = compare_with_digits(statement, instance, [Pair(coarse, fine, digits[1])], tolerance)
    if found.verdict == "fails" and not _fails_again(statement, instance, third):
        return Comparison("unresolved")
    return found


def _compare_extremes(statement: Statement, instance: Instance, route: Route) -> Comparison | None:
    """By the laws of order statistics, or None where these do not settle it."""
    if not reaches(statement) or has_extreme_numbers(statement):
        return None
    try:
        found = Means(statement, instance, route.doubles, route.readers).compare(statement)
    except (NotEvaluated, ArithmeticError):
        return None
    return found if found.verdict != "unresolved" else None


def _fails_again(statement: Statement, instance: Instance, third: Grid | None) -> bool:
    """Whether a difference shows with a third rule too. Two points are no sequence, so a limit never differs here."""
    if statement.contains(Limit):
        return False
    if third is None or statement.needs_digits:
        return True
    again = Pair(third.environment, third.environment, DIGITS_OF_DOUBLES)
    return compare_with_digits(statement, instance, [again], QUADRATURE).verdict == "fails"


def has_extreme_numbers(statement: Statement) -> bool:
    """Whether a number is written in a side that doubles would not see beside others."""
    for side in statement.sides:
        for part in parts(side):
            base, exponent = part.args if isinstance(part, Power) else (part, Integer(1))
            if isinstance(base, Rational) and isinstance(exponent, Rational):
                largest = Fraction(max(abs(int(base.p)), int(base.q)))
                if largest > 1 and log10(largest) * abs(int(exponent.p) / int(exponent.q)) > _ORDERS_OF_DOUBLES:
                    return True
    return False


def _compare_truths(sides: tuple[Statement, Statement], instance: Instance, route: Route) -> tuple[bool, Comparison]:
    """Whether both sides of an equivalence are true or both false here. Only where they are true is there power: most
    equations are false almost everywhere."""
    results = [compare_at(side, instance, route) for side in sides]
    exactly = all(one for one, _ in results)
    verdicts = [comparison.verdict for _, comparison in results]
    if not set(verdicts) <= {"holds", "fails"}:
        return exactly, Comparison("outside" if "outside" in verdicts else "unresolved")
    if verdicts[0] != verdicts[1]:
        words = ["true" if verdict == "holds" else "false" for verdict in verdicts]
        return exactly, Comparison("fails", True, 0.0, Counterexample(instance.text, *words))
    return exactly, Comparison("holds", verdicts[0] == "holds")


def compare_at(statement: Statement, instance: Instance, route: Route) -> tuple[bool, Comparison]:
    """Compare at one instance; the first element says whether the arithmetic was exact.

    Raises :class:`NotEvaluated` where neither enumeration nor moments nor a quadrature reach the sides.
    """
    if statement.propositions:
        return _compare_truths(statement.propositions, instance, route)
    joint = instance.joint
    approximate = statement.needs_digits
    continuous = joint is not None and not joint.is_finite
    if continuous or (joint is not None and joint.size > route.most_exact_outcomes):
        if not (statement.is_open or approximate):
            try:
                return True, compare_exactly(statement, instance, by_moments(instance, readers=route.readers))
            except (NotRational, NotPolynomial):
                if not continuous:
                    raise
        if not continuous:
            raise TooLarge("too many outcomes to list")
        found = _compare_extremes(statement, instance, route) or _compare_by_quadrature(statement, instance, route)
        return strictly(statement, instance, route, found)
    if not approximate:
        try:
            environment = enumerated(instance, route.exact, most=route.most_exact_outcomes, readers=route.readers)
            return True, compare_exactly(statement, instance, environment)
        except NotRational:
            pass
    if statement.contains(Limit):
        return False, _compare_far_out(statement, instance, route)
    return strictly(
        statement, instance, route, compare_with_digits(statement, instance, _pairs(statement, instance, route))
    )


def strictly(statement: Statement, instance: Instance, route: Route, found: Comparison) -> tuple[bool, Comparison]:
    """Whether sides of a strict inequality that agree in all digits are equal is decided exactly where they are made of
    powers of e."""
    if found.verdict != "unresolved" or statement.relation not in STRICT or statement.needs_digits:
        return False, found
    try:
        if instance.joint is not None and not instance.joint.is_finite:
            environment = by_moments(instance, readers=route.readers, arithmetic=EXPONENTIALS)
        else:
            environment = enumerated(instance, EXPONENTIALS, most=route.most_exact_outcomes, readers=route.readers)
        return True, compare_exactly(statement, instance, environment)
    except NotEvaluated:
        return False, found


def _compare_far_out(statement: Statement, instance: Instance, route: Route) -> Comparison:
    """Along a sequence of far points; a difference must show along a second one too."""
    found = Comparison("unresolved")
    for sequence in range(2):
        points = far_points(statement, instance, sequence)
        digits = digits_for(points[-1], max(nesting(side) for side in statement.sides))
        environments = [
            _environment(instance, route, digits, far=point, step=Fraction(1, 10 ** (digits // 5 - 2 + k)))
            for k, point in enumerate(points)
        ]
        pair = Pair(environments[1], environments[2], digits - 10, environments[0])
        found = compare_with_digits(statement, instance, [pair], QUADRATURE)
        if found.verdict != "fails":
            return found if sequence == 0 else Comparison("unresolved")
    return found


def _failures_needed(statement: Statement) -> int:
    """A limit is not refuted at one instance alone, if there are others."""
    letters = statement.letters
    several = letters.dimensions or letters.scalars or letters.arrays or letters.randoms
    return 2 if several and statement.contains(Limit) else 1


def _powered_enough(tallies: Mapping[Method, _Tally]) -> bool:
    return any(tally.powered >= _ENOUGH for tally in tallies.values())


def _begun(tallies: Mapping[Method, _Tally]) -> bool:
    return any(tally.powered for tally in tallies.values())


def check_points(
    statement: Statement, *, step: int, seed: int, count: int = 24, seconds: float = 0.6, route: Route | None = None
) -> tuple[Check, ...]:
    """Check a statement at up to ``count`` instances, within a budget of CPU time; an inequality of numbers that holds
    at all of them also where its sides are driven against each other.

    Returns one check for each method used: refuted at the first difference, confirmed if some points had power, else
    inconclusive. After ``seconds`` it stops if no point or enough points had power; after four times as long
    it stops in any case, and what has not been looked at is inconclusive.
    """
    route = route or Route()
    tallies: dict[Method, _Tally] = {}
    reasons: dict[str, int] = {}
    failed: dict[str, tuple[Request, Comparison, Instance]] = {}
    method = _method(statement, not statement.needs_digits)
    start = time.process_time()
    for request in requests(statement, seed, count):
        spent = time.process_time() - start
        if spent > seconds and (not _begun(tallies) or _powered_enough(tallies) or spent > 4 * seconds):
            break
        try:
            instance = drawn_instance(statement, request, route)
            exactly, comparison = compare_at(statement, instance, route)
        except (NotEvaluated, ArithmeticError) as error:
            reason = str(error) or type(error).__name__
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        method = _method(statement, exactly)
        if comparison.verdict == "fails" and instance.text not in failed:
            failed[instance.text] = request, comparison, instance
        if len(failed) >= _failures_needed(statement):
            first = next(iter(failed.values()))
            simplest = _simplest(statement, first[0], (first[2], first[1]), route, seed)
            return (_refuted(method, simplest, step, seed, tallies),)
        _count(tallies.setdefault(method, _Tally()), comparison, request)
    if failed:
        first = next(iter(failed.values()))
        if _fails_elsewhere(statement, first[0], failed, route, seed):
            simplest = _simplest(statement, first[0], (first[2], first[1]), route, seed)
            return (_refuted(method, simplest, step, seed, tallies),)
        return (Check(step, method, "inconclusive", seed=seed, detail="a limit that differs at one instance only"),)
    driven = _driven(statement, route, seed) if tallies else None
    if driven is not None:
        return (_refuted(method, driven, step, seed, tallies),)
    if not tallies:
        method = _method(statement, not statement.contains(Differential))
        reason = max(reasons, key=lambda one: reasons[one]) if reasons else "no instance was tried"
        return (Check(step, method, "inconclusive", seed=seed, detail=reason),)
    return tuple(_verdict(statement, method, tally, step, seed) for method, tally in tallies.items())


def _driven(statement: Statement, route: Route, seed: int) -> tuple[Instance, Comparison] | None:
    """A place to which the sides of an inequality of numbers were driven, and where the usual comparison refutes it."""
    for instance in violations(statement, seed, readers=route.readers):
        try:
            comparison = compare_at(statement, instance, route)[1]
        except (NotEvaluated, ArithmeticError):
            continue
        if comparison.verdict == "fails":
            return instance, comparison
    return None


def _fails_elsewhere(
    statement: Statement, request: Request, failed: Mapping[str, object], route: Route, seed: int
) -> bool:
    """Whether a few draws like one that failed show another instance that fails."""
    for attempt in range(2 * _SHRINKING):
        style: Style = "ties" if attempt % 2 else "small"
        another = replace(request, source=Seeded(f"{seed}/elsewhere/{attempt}"), style=style)
        try:
            instance = drawn_instance(statement, another, route)
            if instance.text not in failed and compare_at(statement, instance, route)[1].verdict == "fails":
                return True
        except (NotEvaluated, ArithmeticError):
            continue
    return False


def _simplest(
    statement: Statement, request: Request, found: tuple[Instance, Comparison], route: Route, seed: int
) -> tuple[Instance, Comparison]:
    """The simplest counterexample with dimensions no larger than those of the one found."""

    def fails(instance: Instance) -> tuple[Instance, Comparison] | None:
        comparison = compare_at(statement, instance, route)[1]
        return (instance, comparison) if comparison.verdict == "fails" else None

    space = space_of(statement, most=max([SMALL, *request.sizes.values()]))
    joint = found[0].joint
    quickly = joint is not None and not joint.is_finite
    try:
        beginning = tuple(space.beginning(request.sizes, request.plan, request.style, request.equation))
    except ValueError:
        beginning = ()
    source = request.source
    known = Prefixed(iter(beginning), Seeded(source.seed) if isinstance(source, Seeded) else source)
    return Search(space, fails, route.draw).simplest(known, str(seed), quickly=quickly) or found


def _refuted(
    method: Method, found: tuple[Instance, Comparison], step: int, seed: int, tallies: Mapping[Method, _Tally]
) -> Check:
    instance, comparison = found
    return Check(
        step,
        method,
        "refuted",
        samples=1 + sum(one.points for one in tallies.values()),
        seed=seed,
        detail=", ".join(f"{name} = {size}" for name, size in instance.sizes.items()),
        counterexample=comparison.counterexample,
    )


def _count(tally: _Tally, comparison: Comparison, request: Request) -> None:
    if comparison.verdict == "unresolved":
        tally.unresolved += 1
    elif comparison.verdict == "holds":
        tally.points += 1
        tally.nonzero += comparison.powered
        tally.zeros += comparison.zero
        tally.error = max(tally.error, comparison.error)
        known = [one for one in (tally.slack, comparison.slack) if one is not None]
        tally.slack = min(known, default=None)
        tally.sizes += request.sizes.values()


def _verdict(statement: Statement, method: Method, tally: _Tally, step: int, seed: int) -> Check:
    span = f", dimensions {min(tally.sizes)} to {max(tally.sizes)}" if tally.sizes else ""
    detail = f"{tally.powered} instances with power{span}"
    if method != "exact":
        detail += ", not rigorous"
    if tally.slack is not None:
        detail += f", smallest relative slack {tally.slack:.2g}"
    if tally.unresolved:
        detail += f", {tally.unresolved} unresolved"
    if not tally.points and not tally.unresolved:
        detail = "every instance is outside the domain"
    # Where a strict inequality is not decided, the sides may be equal, which refutes it.
    confirmed = tally.powered >= _ENOUGH and not (tally.unresolved and statement.relation in STRICT)
    delta = 0.0 if method == "exact" else tally.error
    return Check(
        step,
        method,
        "confirmed" if confirmed else "inconclusive",
        delta=delta if confirmed else None,
        samples=tally.points,
        error=tally.error,
        seed=seed,
        detail=detail,
        slack=tally.slack,
    )
