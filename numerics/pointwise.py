"""Checks at many instances: exact where both sides are rational, else with many digits.

Small dimensions and simple numbers come first, so that the first difference found is one that a person can read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log10, prod

from sympy import Expr, Integer, Rational

from derivations.language.functions import Elementary
from derivations.language.givens import AtLeast, Equation
from derivations.language.operators import Differential, Limit
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Dimension, Index
from derivations.language.written import Power
from derivations.records import Relation
from numerics.arithmetic import DOUBLES, EXACT, Arithmetic, high_precision
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
from numerics.conditions import pinned_indices
from numerics.environments import Readers, by_moments, enumerated
from numerics.errors import NotEvaluated, NotPolynomial, NotRational, TooLarge
from numerics.evaluation import READERS, Environment, size_of
from numerics.examples import SMALL, space_of
from numerics.extremes import Means, reaches
from numerics.instances import Instance, LawKind, Letters, Style, draw_instance
from numerics.joint import ContinuousBlock, Plan, plans
from numerics.limits import digits_for, far_points
from numerics.quadrature import COARSE_AND_FINE, WITH_KINKS, Rule, continuous_cells
from numerics.resolution import Grid, grid, resolved
from numerics.search import violations
from numerics.shrinking import Search
from numerics.sources import Seeded, Simplest, Source
from numerics.statements import Statement

DrawInstance = Callable[..., Instance]

_STYLES: tuple[Style, ...] = ("small", "small", "ties", "small", "saturated", "near_ties")

_ENOUGH = 3
"""So many instances with power are needed to confirm."""

_ENOUGH_ZEROS = 6
"""More than there are instances of dimension 1, where many a derivative is zero."""

_SHRINKING = 8
_LARGEST_LEAST = 40
_SQUARES = (1, 4, 2)
_SIZES_OF_SCALES = (1, 4, 9)
_SIMPLEST = 6
_LARGE_RANDOM = (64, 16, 8)
_LARGE_DETERMINISTIC = (100, 40, 16, 7, 6, 5)
_LARGE_SUM = (1000, 100, 30, 12, 7, 6, 5)
_LARGE_NUMBER = (10**6, 1000)
_MOST_ENTRIES = 300
_MOST_ENTRIES_OF_BOUNDS = 1200
_MANY_PLANS = 5
_MOST_CELLS = 300

_FURTHEST_PEAK = 10
"""Standard deviations; the nodes of a quadrature reach a few further."""

_ORDERS_OF_DOUBLES = 6
_LADDER = ((50, 80), (150, 200))
_LADDER_OF_DIFFERENCES = ((80, 120), (260, 320), (900, 1100), (1400, 1600))


@dataclass(frozen=True)
class Route:
    """The instruments of the pointwise checks; a test replaces one by a faulty one."""

    draw: DrawInstance = draw_instance
    exact: Arithmetic = EXACT
    high_precision: Callable[[int], Arithmetic] = high_precision
    doubles: Arithmetic = DOUBLES
    readers: Readers = field(default_factory=lambda: READERS)
    most_exact_outcomes: int = 800
    most_outcomes: int = 300
    most_nodes: int = 4000


@dataclass(frozen=True)
class Request:
    """What instance to draw; ``equation`` is to hold besides the givens."""

    sizes: Mapping[Expr, int]
    source: Source
    plan: Plan
    style: Style = "small"
    kind: LawKind = "finite"
    equation: tuple[Expr, Expr] | None = None


def _sizes(letters: Letters, least: Mapping[Expr, int], seed: str) -> Iterator[Mapping[Expr, int]]:
    """All ones, all twos, then threes and mixtures; different symbols get independent values."""
    symbols = letters.dimensions
    if not symbols:
        while True:
            yield {}
    patterns: tuple[tuple[int, ...], ...] = ((1,), (2,), (3, 2, 1), (2, 3, 4), (4, 1, 3))
    for pattern in patterns:
        sizes: dict[Expr, int] = {symbol: pattern[k % len(pattern)] for k, symbol in enumerate(symbols)}
        if all(sizes[symbol] >= least.get(symbol, 1) for symbol in symbols):
            yield sizes
    source = Seeded(f"{seed}/sizes")
    while True:
        yield {symbol: least.get(symbol, 1) - 1 + source.integer(1, 4) for symbol in symbols}


def _least_sizes(statement: Statement) -> Mapping[Expr, int]:
    """The smallest sizes; where a given bounds an expression in dimensions from below, all of these grow together."""
    least = dict(statement.facts.least)
    for given in statement.facts.givens:
        if isinstance(given, AtLeast) and not isinstance(given.args[0], Dimension):
            dimensions = [one for one in statement.letters.dimensions if one in given.args[0].free_symbols]
            for size in range(1, _LARGEST_LEAST):
                if _at_least(given, {one: max(size, least.get(one, 1)) for one in statement.letters.dimensions}):
                    least |= {one: max(size, least.get(one, 1)) for one in dimensions}
                    break
    return least


def _at_least(given: AtLeast, sizes: Mapping[Expr, int]) -> bool:
    try:
        return size_of(given.args[0], sizes) >= int(given.args[1])
    except NotEvaluated:
        return False


def _style(letters: Letters, early: bool, repeat: int, made: int) -> Style:
    """Simple numbers first, but ties early on; beside random arrays only simple ones."""
    if letters.randoms or (early and repeat < 2):
        return "small"
    return "ties" if early else _STYLES[made % len(_STYLES)]


def _making_true(statement: Statement, seed: int) -> Iterator[Request]:
    """Instances in which one side of an equivalence is made true: drawn freely it hardly ever is.

    Squares among the dimensions keep square roots rational; the third of the simplest numbers is negative, for roots
    that were forgotten.
    """
    letters = statement.letters
    for side in statement.propositions or ():
        if side.is_stochastic:  # nothing to solve, so the simplest numbers are tried in turn
            for size in _SIZES_OF_SCALES:
                squares: dict[Expr, int] = dict.fromkeys(letters.dimensions, size)
                yield from (Request(squares, Simplest(place), Plan()) for place in range(_SIMPLEST))
        elif side.relation is Relation.EQUALS:
            for size in _SQUARES:
                sizes: dict[Expr, int] = dict.fromkeys(letters.dimensions, size)
                for source in (Seeded(f"{seed}/true/{size}"), Simplest(2)):
                    yield Request(sizes, source, Plan(), equation=(side.left, side.right))


def requests(statement: Statement, seed: int, count: int) -> Iterator[Request]:
    """The instances to try, in order."""
    letters = statement.letters
    made = 0
    if statement.propositions:
        yield from _making_true(statement, seed)
    if letters.dimensions:
        count -= 1
    allowed = plans(statement.facts, letters.randoms) if letters.randoms else (Plan(),)
    least = _least_sizes(statement)
    for round_number, sizes in enumerate(_sizes(letters, least, str(seed))):
        for plan, repeat in _in_turn(allowed, round_number, max(sizes.values(), default=1)):
            early = round_number < 3
            simple = early and repeat < (2 if letters.scalars else 1)
            source: Source = Simplest(repeat) if simple else Seeded(f"{seed}/{made}")
            style = _style(letters, early, repeat, made)
            yield Request(sizes, source, plan, style)
            made += 1
            if made >= count:
                yield from _wide(statement, least, seed)
                yield from _large(statement, least, seed)
                return


def _in_turn(allowed: Sequence[Plan], round_number: int, largest: int) -> Iterator[tuple[Plan, int]]:
    """The plans of a round with the number of the repetition; where there are many, each comes once, first with the
    simplest choices and in the next round with others. A plan about the entries of an array needs two entries."""
    fitting = [plan for plan in allowed if largest > 1 or not (plan.inside or plan.equal_entries)]
    if len(fitting) > _MANY_PLANS:
        yield from ((plan, round_number % 2) for plan in fitting)
    else:
        yield from ((plan, repeat) for plan in fitting for repeat in range(2 if len(fitting) > 2 else 3))


def _wide(statement: Statement, least: Mapping[Expr, int], seed: int) -> Iterator[Request]:
    """A few instances with large and small numbers, and with laws that have rare events far away."""
    letters = statement.letters
    sizes: dict[Expr, int] = {one: max(2, least.get(one, 1)) for one in letters.dimensions}
    if letters.scalars or letters.arrays:
        sources: list[Source] = [*(Simplest(place) for place in range(4)), Seeded(f"{seed}/wide")]
        yield from (Request(sizes, source, Plan(), "wide") for source in sources)
    elif letters.randoms:
        yield Request(sizes, Seeded(f"{seed}/wide"), Plan(), "wide")


def _large_sizes(statement: Statement) -> tuple[int, ...]:
    """Larger dimensions, largest first: what is only a number may be a million; else what the sums can afford."""
    letters = statement.letters
    if letters.randoms:
        return _LARGE_RANDOM
    if letters.arrays or statement.needs_digits:
        return _LARGE_DETERMINISTIC
    found = list(dict.fromkeys(part for side in statement.sides for part in parts(side)))
    facts = statement.facts
    if any(isinstance(part, Index) for part in found) or facts.distinct or facts.equations:
        return _LARGE_SUM
    exponents = [part.args[1] for part in found if isinstance(part, Power)]
    return _LARGE_NUMBER[1:] if any(exponent.free_symbols for exponent in exponents) else _LARGE_NUMBER


def _depth(statement: Statement) -> int:
    """How many axes a side may have while it is computed."""
    indices = {part for side in statement.sides for part in parts(side) if isinstance(part, Index)}
    indices |= pinned_indices(statement.facts.givens)
    derivatives = sum(isinstance(part, Differential) for side in statement.sides for part in parts(side))
    return max(1, len(indices) + derivatives)


def _large(statement: Statement, least: Mapping[Expr, int], seed: int) -> Iterator[Request]:
    """One instance at a larger dimension: for sums of independent terms known by their moments one too large to
    enumerate, without random arrays one that a formula for n = 2, 3, 4 would not fit."""
    letters = statement.letters
    if not letters.dimensions or (letters.randoms and (statement.is_open or not statement.is_stochastic)):
        return
    depth = 0 if letters.randoms else _depth(statement)
    affordable = _MOST_ENTRIES if statement.relation is Relation.EQUALS else _MOST_ENTRIES_OF_BOUNDS
    for size in _large_sizes(statement):
        sizes: dict[Expr, int] = {one: max(size, least.get(one, 1)) for one in letters.dimensions}
        cells = sum(size ** len(array.shape) for array in (*letters.randoms, *letters.arrays))
        entries = size ** max(len(free_indices(side)) for side in statement.sides)
        small = size <= _LARGE_DETERMINISTIC[-1]
        if size > _LARGE_SUM[0] or (max(cells, entries) <= _MOST_CELLS and (small or size**depth <= affordable)):
            kind: LawKind = "continuous" if letters.randoms else "finite"
            yield Request(sizes, Seeded(f"{seed}/large"), Plan(), "small", kind)
            return


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
        float(block.law.square) ** 0.5
        for block in (instance.joint.blocks if instance.joint else ())
        if isinstance(block, ContinuousBlock)
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
        return False, _compare_extremes(statement, instance, route) or _compare_by_quadrature(
            statement, instance, route
        )
    if not approximate:
        try:
            environment = enumerated(instance, route.exact, most=route.most_exact_outcomes, readers=route.readers)
            return True, compare_exactly(statement, instance, environment)
        except NotRational:
            pass
    if statement.contains(Limit):
        return False, _compare_far_out(statement, instance, route)
    return False, compare_with_digits(statement, instance, _pairs(statement, instance, route))


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
    return tuple(_verdict(method, tally, step, seed) for method, tally in tallies.items())


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


def drawn_instance(statement: Statement, request: Request, route: Route) -> Instance:
    """The instance of a request. Raises :class:`NothingFound`."""
    facts = statement.facts
    if request.equation is not None:
        facts = replace(
            facts,
            equations=(*facts.equations, request.equation),
            givens=(*facts.givens, Equation(*request.equation)),
        )
    return route.draw(
        statement.letters,
        facts,
        request.sizes,
        request.source,
        plan=request.plan,
        style=request.style,
        kind=request.kind,
    )


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


def _verdict(method: Method, tally: _Tally, step: int, seed: int) -> Check:
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
        slack=tally.slack,
    )
