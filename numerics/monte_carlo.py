"""Monte Carlo checks of expectations: what is sampled, against which exact number, with how many samples.

A side that is linear in its expectations is the mean of one statistic: E f of f, Var f of (f - E f)², Cov likewise. Its
mean is tested against the exact value of the other side, computed from moments. The bound on the variance of the
statistic comes from exact moments too; where there are none, nothing is confirmed or refuted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, sqrt
from typing import cast

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer
from sympy.core.basic import Basic

from derivations.language.operators import Covariance, DistinctSummation, Expectation, Summation, Variance
from derivations.language.order import OrderStatistic
from derivations.language.randomness import random_arrays
from derivations.language.structure import parts
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from derivations.records import Relation
from numerics.all_pairs import AllPairs, dot_product, plan_pairs
from numerics.arithmetic import DOUBLES, Arithmetic
from numerics.bounds import square_bound
from numerics.catoni import Test
from numerics.checks import Check, Counterexample
from numerics.conditions import somewhere
from numerics.environments import Readers, by_moments
from numerics.equations import value_of
from numerics.errors import NotEvaluated, NothingFound, NotPolynomial, NotRational, TooLarge, Unsupported
from numerics.evaluation import READERS, Environment, covariance, evaluate
from numerics.instances import Instance, draw_instance
from numerics.joint import JointLaw, Plan
from numerics.mutations import Claim, mutants
from numerics.sampling import Sampler, sampler_of
from numerics.sources import Seeded
from numerics.statements import MEANS, Statement
from numerics.streaming import Job, run
from numerics.values import Label, Number, Value, arranged, union

ALPHA = 1e-9
BETA = 1e-6
_MOST_CELLS = 10_000_000
_MOST_ENTRIES = 64
# Squares, so that square roots of dimensions stay rational; small ones with more draws, which are the cheapest.
_DIMENSIONS = ((9, 2), (5, 2), (4, 3), (3, 2), (2, 6), (1, 6))
_SECONDS = 0.5
_LARGE_DOT_PRODUCT = 36
_LARGE_VECTOR = 64  # the largest of a few normal variables grows too slowly to tell its bounds apart


class TooManySamples(TooLarge):
    """A plan that is not affordable."""


@dataclass(frozen=True)
class MonteCarloRoute:
    """The instruments of the sampling checks; a test replaces one by a faulty one."""

    draw: Callable[..., Instance] = draw_instance
    sampler: Callable[[JointLaw], Sampler] = sampler_of
    doubles: Arithmetic = DOUBLES
    readers: Readers = field(default_factory=lambda: READERS)
    pairs: Callable[[Expr, JointLaw, Fraction, float], tuple[AllPairs, Fraction] | None] = plan_pairs


# ------------------------------------------------------------------------------------------ the statistic


def _has_means(expression: Basic) -> bool:
    return any(isinstance(part, MEANS) for part in parts(expression))


def statistic(side: Expr) -> Expr:
    """An expression whose expectation is the side. Raises :class:`Unsupported` where the side is not linear in its
    expectations. Expectations that stay inside are constants."""
    if not _has_means(side):
        return side
    match side:
        case Expectation():
            return cast(Expr, side.args[0])
        case Variance():
            return Power(_centred(side.args[0]), Integer(2))
        case Covariance():
            return Times(*(_centred(part) for part in side.args))
        case Plus():
            return Plus(*(statistic(term) for term in side.args))
        case Negative():
            return Negative(statistic(side.args[0]))
        case Quotient():
            return Quotient(statistic(side.args[0]), side.args[1])
        case DistinctSummation():
            return DistinctSummation(statistic(side.body), *side.indices)
        case Summation():
            return Summation(statistic(side.body), *side.indices)
        case Times():
            chosen = next(k for k, factor in enumerate(side.args) if _has_means(factor))
            return Times(*(statistic(one) if k == chosen else one for k, one in enumerate(side.args)))
        case _:
            raise Unsupported(f"{side} is not linear in its expectations")


def _centred(expression: Expr) -> Expr:
    return Plus(expression, Negative(Expectation(expression)))


def _constants(expression: Basic) -> Iterator[Expr]:
    """The outermost expectations inside a statistic."""
    if isinstance(expression, MEANS):
        yield expression
        return
    for argument in expression.args:
        yield from _constants(argument)


# ----------------------------------------------------------------------------------------------- the plan


def _distances(claim: Fraction, claimed: Expr, environment: Environment) -> Iterator[Fraction]:
    """How far the simplest wrong variants of a claimed value are from it: zero, twice, one more, a dimension too many,
    and each term dropped."""
    yield Fraction(1)
    yield abs(claim)
    yield from (abs(claim) / size for size in environment.sizes.values())
    for part in parts(claimed):
        if isinstance(part, Plus):
            for k in range(len(part.args)):
                shorter = part.args[:k] + part.args[k + 1 :]
                variant = claimed.xreplace({part: Plus(*shorter) if len(shorter) > 1 else shorter[0]})
                try:
                    value = evaluate(variant, environment).data.reshape(-1)
                except NotEvaluated:
                    continue
                if len(value) == 1 and isinstance(value[0], Fraction):
                    yield abs(value[0] - claim)


def _mutant_distances(mistaken: Iterable[Expr], entries: _Entries, environment: Environment) -> Iterator[Fraction]:
    """How far each mutant of a claimed value is from it, in the entry where it is furthest: any entry refutes."""
    for mutant in mistaken:
        try:
            value = evaluate(mutant, environment)
        except (NotEvaluated, ArithmeticError):
            continue
        if not set(value.labels) <= set(entries.labels):
            continue
        items = np.broadcast_to(arranged(value, entries.labels, 0), entries.active.shape)[entries.active]
        if all(isinstance(item, Fraction) for item in items):
            yield max(abs(item - claim) for item, claim in zip(items, entries.claims, strict=True))


def _simple_distances(entries: _Entries, claimed: Expr, environment: Environment) -> Iterator[Fraction]:
    for claim in entries.claims:
        yield from _distances(claim, claimed, environment)


def _nearest(distances: Iterable[Fraction]) -> float:
    """Half the smallest distance. A variant that is no distance away is equivalent at these sizes."""
    return min((float(one) / 2 for one in distances if one), default=inf)


def _active(instance: Instance, labels: tuple[Label, ...], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The entries that count: not those at which two indices coincide that a given says are different."""
    allowed = arranged(somewhere(instance.positions, labels), labels, 0)
    return np.array(np.broadcast_to(allowed, shape), dtype=bool)


def _doubles(value: Value) -> Value:
    return Value(np.asarray(value.data.astype(float)), value.labels, value.rank)


@dataclass(frozen=True, eq=False)
class _Entries:
    """The rational values of a claim at the entries that are ``active``, and the indices that count the entries."""

    claims: list[Fraction]
    labels: tuple[Label, ...]
    active: NDArray[np.bool_]


@dataclass(frozen=True)
class _Target:
    """What is claimed and how much the statistic varies. ``exact`` says that both are exact rationals."""

    claim: Value
    variance: Value
    exact: bool
    source: str


def _claimed_value(claimed: Expr, instance: Instance, exact: Environment) -> Value:
    """The claim, exact where it is rational, else with many digits where nothing in it is random."""
    try:
        return evaluate(claimed, exact)
    except NotRational:
        if random_arrays(claimed):
            raise
        return value_of(claimed, instance.sizes, instance.numbers)


def _target(sampled: Expr, claimed: Expr, instance: Instance, exact: Environment) -> _Target:
    claim = _claimed_value(claimed, instance, exact)
    rational = all(isinstance(item, Fraction) for item in claim.data.reshape(-1))
    try:
        value = evaluate(sampled, exact)
        return _Target(claim, covariance(value, value, exact.expect), rational, "exact moments")
    except (NotPolynomial, NotRational):
        bound = exact.expect(evaluate(square_bound(sampled), exact))
        return _Target(claim, bound, False, "exact moments of a bound on its square")


def _direction(statement: Statement, side: Expr) -> int:
    """1 if the sampled side is claimed to be at most the other, -1 if at least, 0 if equal."""
    if statement.relation is Relation.EQUALS:
        return 0
    rising = statement.relation in (Relation.AT_MOST, Relation.LESS)
    return 1 if rising == (side == statement.left) else -1


def plan_job(  # noqa: PLR0913 - two sides of a statement at an instance; the rest is keyword-only
    statement: Statement,
    side: Expr,
    claimed: Expr,
    instance: Instance,
    *,
    seed: int,
    check: int,
    route: MonteCarloRoute,
    alpha: float = ALPHA,
    precision: float | None = None,
    most_cells: int | None = None,
) -> Job:
    """The sampling job that tests the mean of a side against the value of the claimed one, all entries together at the
    error rate ``alpha``. With ``precision`` also a relative error of that size is to be seen.

    Raises :class:`NotEvaluated` where no exact moments give the claim or a variance bound, and
    :class:`TooManySamples` for a job that draws and computes more than ``most_cells`` numbers.
    """
    joint = instance.joint
    if joint is None or shape_of(side) or shape_of(claimed):
        raise Unsupported("nothing to sample")
    sampled = statistic(side)
    exact = by_moments(instance, readers=route.readers)
    target = _target(sampled, claimed, instance, exact)
    labels = union([target.claim, target.variance])
    claim, variance = np.broadcast_arrays(*(arranged(one, labels, 0) for one in (target.claim, target.variance)))
    active = _active(instance, labels, claim.shape)
    if not active.any():
        raise Unsupported("every entry is excluded by a given")
    if active.sum() > _MOST_ENTRIES:
        raise TooLarge("too many entries to sample")
    claims, bound = list(claim[active]), float(max(variance[active]))
    if bound <= 0:
        raise Unsupported("the statistic does not vary")
    level = Test(bound, 1.0, alpha / len(claims), BETA / len(claims), _direction(statement, side), not target.exact)
    job = Job(
        statistic=sampled,
        sampler=route.sampler(joint),
        sizes=instance.sizes,
        numbers={letter: np.asarray(data).astype(float) for letter, data in instance.numbers.items()},
        known={one: _doubles(evaluate(one, exact)) for one in dict.fromkeys(_constants(sampled))},
        labels=labels,
        claim=np.asarray(claim.astype(float)),
        active=active,
        test=level,
        seed=seed,
        check=check,
        arithmetic=None if route.doubles is DOUBLES else route.doubles,
        bound_from=target.source,
        coarse=not target.exact,
    )
    pairs = route.pairs if target.exact and not labels and route.doubles is DOUBLES else None

    def seeing(delta: float) -> Job:
        planned = replace(job, test=replace(level, delta=delta))
        if pairs is not None:
            planned = _in_pairs(planned, pairs(side, joint, variance.item(), delta))
        if most_cells is not None and _cells(planned) > most_cells:
            raise TooManySamples(f"{planned.test.samples * planned.draws} samples are too many")
        return planned

    wanted = [precision * abs(float(one)) for one in claims if one] if precision is not None else []
    if not target.exact:
        return seeing(min([_coarse_distance(claims), *wanted]))
    rational = [one for one in claims if isinstance(one, Fraction)]
    entries = _Entries(rational, labels, active)
    simple = min([_nearest(_simple_distances(entries, claimed, exact)), *wanted])
    first = seeing(simple)  # where this is too large already, the mutants are not looked at, which takes longer
    nearest = _nearest(_mutant_distances(_mistaken(statement, side, claimed), entries, exact))
    return first if nearest >= simple else seeing(nearest)


def _mistaken(statement: Statement, side: Expr, claimed: Expr) -> Iterator[Expr]:
    """The claimed side with one mistake each."""
    claim = Claim(side, Relation.EQUALS, claimed)
    yield from (one.claim.right for one in mutants(claim, statement.facts.givens) if one.kind != "relation")


def _in_pairs(job: Job, plan: tuple[AllPairs, Fraction] | None) -> Job:
    """The job with the statistic of all pairs, which needs many fewer draws, where there is one."""
    if plan is None:
        return job
    pairs, variance = plan
    test = replace(job.test, variance_bound=float(variance))
    return replace(job, test=test, pairs=pairs, bound_from="exact moments of the mean over all pairs of a block")


def _coarse_distance(claims: list[Number]) -> float:
    """An eighth of the claim, where its value or the variance is not exact: enough to refute 0 and twice the claim, and
    a constant such as the 2 under a root. A claim that is so near is not confirmed thereby."""
    sizes = [abs(float(one)) for one in claims]
    return min(size or 1.0 for size in sizes) / 8


def _trials(statement: Statement, side: Expr) -> Iterator[tuple[Mapping[Expr, int], int]]:
    """Sizes, largest first, with the numbers of the draws to try with them."""
    large = ((_LARGE_VECTOR, 1),) if statement.contains(OrderStatistic) else ()
    if dot_product(side) is not None:
        large = ((_LARGE_DOT_PRODUCT, 1),)
    for size, attempts in (*large, *_DIMENSIONS):
        sizes: dict[Expr, int] = {symbol: max(1, size - k) for k, symbol in enumerate(statement.letters.dimensions)}
        yield from ((sizes, attempt) for attempt in range(attempts))


def _cells(job: Job) -> int:
    """How many numbers the whole planned run draws and computes."""
    return job.test.samples * (job.sampler.cells * job.draws + 4 * job.claim.size)


def _affordable(
    side: Expr, claimed: Expr, statement: Statement, *, seed: int, check: int, route: MonteCarloRoute, alpha: float
) -> tuple[Job, Instance]:
    """The largest dimension whose job fits in the budget, for a few draws of everything else."""
    failure: NotEvaluated = TooLarge("no draw is affordable")
    start = time.process_time()
    for sizes, attempt in _trials(statement, side):
        if any(size < statement.facts.least.get(dimension, 1) for dimension, size in sizes.items()):
            continue
        source = Seeded(f"{seed}/{check}/{attempt}/monte carlo")
        try:
            instance = route.draw(
                statement.letters, statement.facts, sizes, source, plan=Plan(), style="moderate", kind="continuous"
            )
            job = plan_job(
                statement,
                side,
                claimed,
                instance,
                seed=seed,
                check=check,
                route=route,
                alpha=alpha,
                most_cells=_MOST_CELLS,
            )
        except (NothingFound, NotRational, TooLarge) as error:
            failure = error
            if isinstance(error, TooManySamples) and time.process_time() - start > _SECONDS:
                break
        else:
            return job, instance
    raise failure


_TOO_COARSE = "no further off than an eighth of the claim, which confirms no equality"


def check_by_sampling(  # noqa: PLR0913 - two sides of a statement; the rest is keyword-only
    statement: Statement,
    side: Expr,
    claimed: Expr,
    *,
    step: int,
    seed: int,
    check: int,
    alpha: float = ALPHA,
    route: MonteCarloRoute | None = None,
    executor: Executor | None = None,
) -> Check:
    """Test the mean of one side against the value of the other, with one side of the test for inequalities.

    A true statement is refuted with probability at most ``alpha``. The instance is drawn here.
    """
    route = route or MonteCarloRoute()
    try:
        _reject_what_is_not_sampled(statement)
        job, instance = _affordable(side, claimed, statement, seed=seed, check=check, route=route, alpha=alpha)
        return _checked(job, instance, is_left=side == statement.left, step=step, alpha=alpha, executor=executor)
    except NotEvaluated as error:
        return Check(step, "monte_carlo", "inconclusive", alpha, BETA, seed=seed, detail=str(error))


def check_instance(  # noqa: PLR0913 - a statement at an instance; the rest is keyword-only
    statement: Statement,
    instance: Instance,
    *,
    seed: int,
    alpha: float = ALPHA,
    step: int = 1,
    precision: float | None = None,
    most_cells: int = _MOST_CELLS,
    route: MonteCarloRoute | None = None,
    executor: Executor | None = None,
) -> Check:
    """Test a statement at an instance drawn elsewhere: one side that has expectations is sampled.

    A true statement is refuted with probability at most ``alpha`` over the seeds, whatever the instance. With
    ``precision`` a relative error of that size is to be seen too. A plan that draws and computes more than
    ``most_cells`` numbers is not run.
    """
    inconclusive = Check(step, "monte_carlo", "inconclusive", alpha, BETA, seed=seed)
    try:
        _reject_what_is_not_sampled(statement)
        sides = sampled_sides(statement, both=False)
        if not sides:
            raise Unsupported("nothing to sample")
        ((side, claimed),) = sides
        job = plan_job(
            statement,
            side,
            claimed,
            instance,
            seed=seed,
            check=0,
            route=route or MonteCarloRoute(),
            alpha=alpha,
            precision=precision,
            most_cells=most_cells,
        )
        return _checked(job, instance, is_left=side == statement.left, step=step, alpha=alpha, executor=executor)
    except NotEvaluated as error:
        return replace(inconclusive, detail=str(error))


def _reject_what_is_not_sampled(statement: Statement) -> None:
    if statement.relation is Relation.IFF or statement.is_open:
        raise Unsupported("only relations of numbers are sampled")
    if statement.needs_digits or statement.facts.above:
        raise Unsupported("derivatives, limits and marked maxima are not sampled")


def _checked(
    job: Job, instance: Instance, *, is_left: bool, step: int, alpha: float, executor: Executor | None
) -> Check:
    """Run a job whose entries share the error rate ``alpha``, and say what came out."""
    result = run(job, executor)
    coarse = job.coarse and job.test.direction == 0 and result.outcome == "confirmed"
    outcome = "inconclusive" if coarse else result.outcome
    example = None
    if outcome == "refuted":
        claims = ", ".join(f"{one:.6g}" for one in job.claim.reshape(-1))
        found = {0: "not", 1: "more than", -1: "less than"}[job.test.direction]
        sides = (f"{found} {claims} (error rate {alpha:g})", claims)
        example = Counterexample(instance.text, *(sides if is_left else reversed(sides)))
    return Check(
        step,
        "monte_carlo",
        outcome,
        alpha=alpha,
        beta=BETA,
        delta=job.test.delta,
        samples=result.samples * job.draws,
        variance_bound=job.test.variance_bound,
        variance_bound_from=job.bound_from,
        log_evidence=result.evidence.against,
        rival_log_evidence=result.evidence.rivals,
        threshold=job.test.threshold,
        error=sqrt(job.test.variance_bound / result.samples),
        seed=job.seed,
        detail=f"{_TOO_COARSE}; {instance.text}" if coarse else instance.text,
        counterexample=example,
    )


def sampled_sides(statement: Statement, both: bool) -> tuple[tuple[Expr, Expr], ...]:
    """Which side is sampled against which: the left one if it has expectations, the right one if asked or needed."""
    left, right = statement.sides
    pairs: list[tuple[Expr, Expr]] = [(left, right)] if _has_means(left) else []
    if _has_means(right) and (both or not pairs):
        pairs.append((right, left))
    return tuple(pairs)
