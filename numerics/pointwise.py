"""Checks at many instances: exact where both sides are rational, else with many digits.

Small dimensions and simple numbers come first, so that the first difference found is one that a person can read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sympy import Expr

from derivations.language.operators import Differential
from numerics.arithmetic import EXACT, Arithmetic, high_precision
from numerics.checks import Check, Method
from numerics.comparison import Comparison, compare_exactly, compare_with_digits
from numerics.environments import Readers, by_moments, enumerated
from numerics.errors import NotEvaluated, NotRational, TooLarge
from numerics.evaluation import READERS, Environment
from numerics.instances import Instance, LawKind, Letters, Style, draw_instance
from numerics.joint import Plan, plans
from numerics.sources import Seeded, Simplest, Source
from numerics.statements import Statement

DrawInstance = Callable[..., Instance]

_STYLES: tuple[Style, ...] = ("small", "small", "ties", "small", "saturated", "near_ties")

_ENOUGH = 3
"""So many instances with power are needed to confirm."""

_LARGE = (64, 16, 8)
_MOST_CELLS = 300

_LADDER = ((50, 80), (150, 200))
_LADDER_OF_DIFFERENCES = ((80, 120), (260, 320), (900, 1100))


@dataclass(frozen=True)
class Route:
    """The instruments of the pointwise checks; a test replaces one by a faulty one."""

    draw: DrawInstance = draw_instance
    exact: Arithmetic = EXACT
    high_precision: Callable[[int], Arithmetic] = high_precision
    readers: Readers = field(default_factory=lambda: READERS)
    most_exact_outcomes: int = 800
    most_outcomes: int = 300


@dataclass(frozen=True)
class Request:
    """What instance to draw."""

    sizes: Mapping[Expr, int]
    source: Source
    plan: Plan
    style: Style = "small"
    kind: LawKind = "finite"


def _sizes(letters: Letters, seed: str) -> Iterator[Mapping[Expr, int]]:
    """All ones, all twos, then threes and mixtures; different symbols get independent values."""
    symbols = letters.dimensions
    if not symbols:
        while True:
            yield {}
    patterns: tuple[tuple[int, ...], ...] = ((1,), (2,), (3, 2, 1), (2, 3, 4), (4, 1, 3))
    for pattern in patterns:
        yield {symbol: pattern[k % len(pattern)] for k, symbol in enumerate(symbols)}
    source = Seeded(f"{seed}/sizes")
    while True:
        yield {symbol: source.integer(1, 4) for symbol in symbols}


def requests(statement: Statement, seed: int, count: int) -> Iterator[Request]:
    """The instances to try, in order."""
    letters = statement.letters
    made = 0
    if letters.randoms and letters.dimensions and statement.is_stochastic and not statement.is_open:
        count -= 1
    allowed = plans(statement.facts, letters.randoms) if letters.randoms else (Plan(),)
    for round_number, sizes in enumerate(_sizes(letters, str(seed))):
        repeats = 2 if letters.randoms else 3
        for plan in allowed:
            for repeat in range(repeats):
                early = round_number < 3
                source: Source = Simplest() if repeat == 0 and early else Seeded(f"{seed}/{made}")
                style: Style = "small" if early or letters.randoms else _STYLES[made % len(_STYLES)]
                yield Request(sizes, source, plan, style)
                made += 1
                if made >= count:
                    yield from _large(statement, seed)
                    return


def _large(statement: Statement, seed: int) -> Iterator[Request]:
    """One instance at a dimension too large to enumerate, for sums of independent terms known by their moments."""
    letters = statement.letters
    if not (letters.randoms and letters.dimensions and statement.is_stochastic and not statement.is_open):
        return
    for size in _LARGE:
        sizes: dict[Expr, int] = dict.fromkeys(letters.dimensions, size)
        if sum(size ** len(array.shape) for array in (*letters.randoms, *letters.arrays)) <= _MOST_CELLS:
            yield Request(sizes, Seeded(f"{seed}/large"), Plan(), "small", "continuous")
            return


@dataclass
class _Tally:
    """What one method has seen so far."""

    points: int = 0
    powered: int = 0
    error: float = 0.0
    unresolved: int = 0
    sizes: list[int] = field(default_factory=list)


def _method(statement: Statement, exactly: bool) -> Method:
    if exactly:
        return "exact"
    return "finite_differences" if statement.contains(Differential) else "high_precision"


def compare_at(statement: Statement, instance: Instance, route: Route) -> tuple[bool, Comparison]:
    """Compare at one instance; the first element says whether the arithmetic was exact.

    Raises :class:`NotEvaluated` where neither enumeration nor moments reach the sides.
    """
    joint = instance.joint
    differential = statement.contains(Differential)
    if joint is not None and (not joint.is_finite or joint.size > route.most_exact_outcomes):
        if statement.is_open or differential:
            raise TooLarge("an open statement about too many outcomes")
        return True, compare_exactly(statement, instance, by_moments(instance, readers=route.readers))
    if not differential:
        try:
            environment = enumerated(instance, route.exact, most=route.most_exact_outcomes, readers=route.readers)
            return True, compare_exactly(statement, instance, environment)
        except NotRational:
            pass

    def make(arithmetic: Arithmetic, step: Fraction) -> Environment:
        return enumerated(instance, arithmetic, most=route.most_outcomes, step=step, readers=route.readers)

    ladder = _LADDER_OF_DIFFERENCES if differential else _LADDER
    return False, compare_with_digits(statement, instance, make, route.high_precision, ladder)


def _powered_enough(tallies: Mapping[Method, _Tally]) -> bool:
    return any(tally.powered >= _ENOUGH for tally in tallies.values())


def check_points(
    statement: Statement, *, step: int, seed: int, count: int = 24, seconds: float = 0.6, route: Route | None = None
) -> tuple[Check, ...]:
    """Check a statement at up to ``count`` instances, within a budget of CPU time.

    Returns one check for each method used: refuted at the first difference, confirmed if some points had power, else
    inconclusive. After ``seconds`` it stops once enough points had power; after four times as long it stops in any
    case, and what has not been looked at is inconclusive.
    """
    route = route or Route()
    tallies: dict[Method, _Tally] = {}
    reasons: dict[str, int] = {}
    start = time.process_time()
    for request in requests(statement, seed, count):
        spent = time.process_time() - start
        if (spent > seconds and _powered_enough(tallies)) or spent > 4 * seconds:
            break
        try:
            instance = _drawn(statement, request, route)
            exactly, comparison = compare_at(statement, instance, route)
        except (NotEvaluated, ArithmeticError) as error:
            reason = str(error) or type(error).__name__
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        method = _method(statement, exactly)
        if comparison.verdict == "fails":
            return (_refuted(method, comparison, request, step, seed, tallies),)
        _count(tallies.setdefault(method, _Tally()), comparison, request)
    if not tallies:
        method = _method(statement, not statement.contains(Differential))
        reason = max(reasons, key=lambda one: reasons[one]) if reasons else "no instance was tried"
        return (Check(step, method, "inconclusive", seed=seed, detail=reason),)
    return tuple(_verdict(method, tally, step, seed) for method, tally in tallies.items())


def _drawn(statement: Statement, request: Request, route: Route) -> Instance:
    return route.draw(
        statement.letters,
        statement.facts,
        request.sizes,
        request.source,
        plan=request.plan,
        style=request.style,
        kind=request.kind,
    )


def _refuted(
    method: Method, comparison: Comparison, request: Request, step: int, seed: int, tallies: Mapping[Method, _Tally]
) -> Check:
    return Check(
        step,
        method,
        "refuted",
        samples=1 + sum(one.points for one in tallies.values()),
        seed=seed,
        detail=", ".join(f"{name} = {size}" for name, size in request.sizes.items()),
        counterexample=comparison.counterexample,
    )


def _count(tally: _Tally, comparison: Comparison, request: Request) -> None:
    if comparison.verdict == "unresolved":
        tally.unresolved += 1
    elif comparison.verdict == "holds":
        tally.points += 1
        tally.powered += comparison.powered
        tally.error = max(tally.error, comparison.error)
        tally.sizes += request.sizes.values()


def _verdict(method: Method, tally: _Tally, step: int, seed: int) -> Check:
    span = f", dimensions {min(tally.sizes)} to {max(tally.sizes)}" if tally.sizes else ""
    detail = f"{tally.powered} instances with power{span}"
    if tally.unresolved:
        detail += f", {tally.unresolved} unresolved"
    if not tally.points and not tally.unresolved:
        detail = "every instance is outside the domain"
    confirmed = tally.powered >= _ENOUGH
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
    )
