"""How often the sampling test errs, measured: e-values and refutations of true claims, detection of a wrong one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

import numpy as np
from scipy.stats import beta, norm

from derivations.language.arrays import random_array
from derivations.language.distributions import normal
from derivations.language.functions import dot
from derivations.language.givens import (
    Given,
    has_law,
    has_mean,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
)
from derivations.language.operators import Var
from derivations.language.symbols import Dimension
from derivations.records import Relation
from numerics.catoni import Test, influence
from numerics.instances import draw_instance
from numerics.laws import EXPONENTIAL, LAPLACE, NORMAL, STUDENT, UNIFORM, StandardLaw, finite_standard, two_points
from numerics.monte_carlo import MonteCarloRoute, check_by_sampling, plan_job
from numerics.sources import Seeded
from numerics.statements import Statement, make_statement
from numerics.streaming import Job, generator_of, run

SKEWED = finite_standard(two_points(Fraction(0), Fraction(4), Fraction(1, 4)))
LAWS: Mapping[str, StandardLaw] = {
    "normal": NORMAL,
    "uniform": UNIFORM,
    "Laplace": LAPLACE,
    "Student t": STUDENT,
    "exponential": EXPONENTIAL,
    "two points, skewed": SKEWED,
}
"""All of mean 0 and variance 1; the last two are skewed."""

LEVELS = (0.5, 0.1, 0.01)
CONFIDENCE = 0.999
_BATCH = 4000

d_k = Dimension("d_k")
Q, K = random_array("Q", d_k), random_array("K", d_k)
VARIANCE = Var(dot(Q, K))


@dataclass(frozen=True)
class EValue:
    """The mean e-value of a true claim with its confidence interval; valid if it can be at most 1."""

    law: str
    statistic: str
    sign: int
    runs: int
    mean: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether a mean of at most 1 lies in the interval."""
        return self.low <= 1


@dataclass(frozen=True)
class Rate:
    """How often a true claim was refuted at level ``alpha``, and the least rate that this is compatible with."""

    law: str
    statistic: str
    alpha: float
    runs: int
    refuted: int
    least: float

    @property
    def holds(self) -> bool:
        """Whether the level lies within the binomial bounds."""
        return self.least <= self.alpha


@dataclass(frozen=True)
class Detection:
    """Of ``runs`` seeds, how many caught d_k + 1 for d_k; and what the full planned run costs beside drawing alone."""

    dimension: int
    runs: int
    caught: int
    planned_draws: int
    mean_draws: float
    time_ratio: float


def _statistic(law: StandardLaw, name: str, generator: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Deviations from the mean of X, of X² or of XY."""
    first = np.empty(shape)
    law.draw(generator, first)
    if name == "X":
        return first
    if name == "X^2":
        return first * first - 1
    second = np.empty(shape)
    law.draw(generator, second)
    return first * second


def _variance(law: StandardLaw, name: str) -> float:
    return float(law.moment(4) - 1) if name == "X^2" else 1.0


def planned(law: StandardLaw, name: str, alpha: float) -> Test:
    """A test with the same shape for every statistic: half a standard deviation is to be seen."""
    variance = _variance(law, name)
    return Test(variance, variance**0.5 / 2, alpha, beta=0.1)


def e_values(name: str, statistic: str, runs: int, seed: int) -> tuple[EValue, ...]:
    """The mean of both e-values at a third of the planned sample size, where they vary less than at its end."""
    law = LAWS[name]
    test = planned(law, statistic, 0.1)
    count = test.samples // 3
    generator = np.random.default_rng([seed, list(LAWS).index(name)])
    found: dict[int, list[np.ndarray]] = {1: [], -1: []}
    for start in range(0, runs, _BATCH):
        shape = (min(_BATCH, runs - start), count)
        sums = influence(_statistic(law, statistic, generator, shape) * test.rate).sum(axis=1)
        for sign, values in found.items():
            values.append(np.exp(sign * sums - test.penalty(count)))
    results = []
    for sign, parts in found.items():
        values = np.concatenate(parts)
        half = norm.ppf((1 + CONFIDENCE) / 2) * values.std() / len(values) ** 0.5
        mean = float(values.mean())
        results.append(EValue(name, statistic, sign, runs, mean, mean - float(half), mean + float(half)))
    return tuple(results)


def _rate(law: str, statistic: str, alpha: float, runs: int, refuted: int) -> Rate:
    least = float(beta.ppf((1 - CONFIDENCE) / 2, refuted, runs - refuted + 1)) if refuted else 0.0
    return Rate(law, statistic, alpha, runs, refuted, least)


def refutation_rate(name: str, statistic: str, alpha: float, runs: int, seed: int) -> Rate:
    """How often the test refutes a true claim at any sample size up to the planned one."""
    law = LAWS[name]
    test = planned(law, statistic, alpha)
    generator = np.random.default_rng([seed, list(LAWS).index(name)])
    needed = test.threshold + np.array([test.penalty(count + 1) for count in range(test.samples)])
    refuted = 0
    for start in range(0, runs, _BATCH):
        shape = (min(_BATCH, runs - start), test.samples)
        sums = np.cumsum(influence(_statistic(law, statistic, generator, shape) * test.rate), axis=1)
        refuted += int((np.abs(sums) >= needed).any(axis=1).sum())
    return _rate(name, statistic, alpha, runs, refuted)


def _givens(*more: Given) -> tuple[Given, ...]:
    entries = (given(one) for one in (Q, K) for given in (independent_entries, identically_distributed))
    return (independent(Q, K), *entries, *more)


DECLARED = _givens(has_mean(Q, 0), has_mean(K, 0), has_variance(Q, 1), has_variance(K, 1))
TRUE = make_statement(DECLARED, VARIANCE, Relation.EQUALS, d_k)
SINGLE = MonteCarloRoute(pairs=lambda *_: None)


def job_at(statement: Statement, size: int, seed: int, route: MonteCarloRoute) -> Job:
    """The sampling job at one dimension, with laws drawn from the seed."""
    source = Seeded(f"{seed}/calibration")
    instance = draw_instance(statement.letters, statement.facts, {d_k: size}, source, kind="continuous")
    return plan_job(statement, *statement.sides, instance, seed=seed, check=0, route=route)


def pipeline_rate(alpha: float, runs: int, *, pairs: bool) -> Rate:
    """The whole sampling loop, with chunks and early stopping, on Var(Q·K) = d_k under laws drawn anew each time."""
    refuted = 0
    for seed in range(runs):
        job = job_at(TRUE, 2, seed, MonteCarloRoute() if pairs else SINGLE)
        level = replace(job, test=replace(job.test, alpha=alpha, beta=0.1, delta=2.0))
        refuted += run(level).outcome == "refuted"
    return _rate("drawn anew", "all pairs" if pairs else "(Q·K)^2", alpha, runs, refuted)


def full_runs(runs: int) -> dict[str, int]:
    """Outcomes of the check as ``verify`` runs it, at its default error rates, on a true statement."""
    outcomes: dict[str, int] = {"refuted": 0, "confirmed": 0, "inconclusive": 0}
    for seed in range(runs):
        outcomes[check_by_sampling(TRUE, *TRUE.sides, step=1, seed=seed, check=0).outcome] += 1
    return outcomes


def draw_alone(job: Job) -> None:
    """Draw the numbers of a job, in its chunks and into memory used again, and do nothing else."""
    memory = job.sampler.workspace(job.chunk_size * job.draws)
    done, chunk = 0, 0
    while done < job.samples:
        count = min(job.chunk_size, job.samples - done)
        job.sampler.draw(generator_of(job.seed, job.check, chunk), count * job.draws, memory)
        done, chunk = done + count, chunk + 1


def _seconds(action: object) -> float:
    assert callable(action)
    start = time.process_time()
    action()
    return time.process_time() - start


def detection(runs: int, dimension: int = 64, repeats: int = 5) -> Detection:
    """d_k + 1 claimed for d_k, with normal entries and the default error rates."""
    givens = _givens(has_law(Q, normal(0, 1)), has_law(K, normal(0, 1)))
    wrong = make_statement(givens, VARIANCE, Relation.EQUALS, d_k + 1)
    job = job_at(wrong, dimension, 0, MonteCarloRoute())
    results = [run(replace(job, seed=seed)) for seed in range(runs)]
    to_the_end = replace(job, test=replace(job.test, alpha=1e-300), limit=job.test.samples)
    times = [(_seconds(lambda: run(to_the_end)), _seconds(lambda: draw_alone(to_the_end))) for _ in range(repeats)]
    return Detection(
        dimension,
        runs,
        sum(one.outcome == "refuted" for one in results),
        job.test.samples * job.draws,
        float(np.mean([one.samples for one in results])) * job.draws,
        min(full for full, _ in times) / min(bare for _, bare in times),
    )


def plain(result: EValue | Rate | Detection) -> dict[str, object]:
    """A result as plain data."""
    return asdict(result)
