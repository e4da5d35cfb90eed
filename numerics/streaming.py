"""Sampling in chunks: constant memory, and the same bits whether chunks run one by one, in threads or elsewhere.

Chunk ``k`` of check ``c`` draws from ``SeedSequence(seed, spawn_key=(c, k))``; partial sums are merged in the order of
the chunks, and the decision to stop looks at merged chunks only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from numerics.all_pairs import AllPairs
from numerics.arithmetic import DOUBLES, Arithmetic
from numerics.catoni import LogEvidence, Test
from numerics.checks import Outcome
from numerics.errors import Unsupported
from numerics.evaluation import Environment, evaluate
from numerics.sampling import Sampler
from numerics.values import OUTCOME, Label, Value, arranged

Floats = NDArray[np.float64]
Workspace = tuple[Floats, ...]

_CELLS_A_CHUNK = 1 << 18
_WINDOW = 8


@dataclass(frozen=True, eq=False)
class Job:
    """Everything a chunk needs, so that it can be sent to another process.

    ``statistic`` is an expression in the random arrays whose mean is claimed to be ``claim`` (one number for each value
    of the free indices ``labels``), where ``active``. ``known`` are expectations inside the statistic, computed exactly
    before. ``arithmetic`` None stands for the doubles of this package. With ``pairs`` the statistic is instead that of
    all pairs in a block of draws. ``coarse`` says that the distance of the test is too large to confirm an equality.
    """

    statistic: Expr
    sampler: Sampler
    sizes: Mapping[Expr, int]
    numbers: Mapping[Expr, Floats]
    known: Mapping[Expr, Value]
    labels: tuple[Label, ...]
    claim: Floats
    active: NDArray[np.bool_]
    test: Test
    seed: int
    check: int
    arithmetic: Arithmetic | None = None
    limit: int | None = None
    bound_from: str = "exact moments"
    pairs: AllPairs | None = None
    coarse: bool = False

    @property
    def draws(self) -> int:
        """Draws of the random arrays for one sample."""
        return 1 if self.pairs is None else self.pairs.block

    @property
    def chunk_size(self) -> int:
        """Samples in a chunk: few enough that a chunk stays in the cache."""
        least = 256 if self.pairs is None else 4
        return max(least, min(1 << 16, _CELLS_A_CHUNK // max(self.sampler.cells * self.draws, 1)))

    @property
    def samples(self) -> int:
        """How many samples are drawn at most."""
        return self.test.samples if self.limit is None else min(self.limit, self.test.samples)


def generator_of(seed: int, check: int, chunk: int) -> np.random.Generator:
    """The generator of one chunk."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(check, chunk))))


def _quiet_expectation(value: Value) -> Value:
    raise Unsupported("an expectation that was not computed before sampling")


def sampled(job: Job, chunk: int, count: int, workspace: Workspace | None = None) -> Floats:
    """The statistic at ``count`` samples of one chunk, shape (count, *shape of the claim)."""
    draws = count * job.draws
    memory = job.sampler.workspace(draws) if workspace is None else workspace
    drawn = job.sampler.draw(generator_of(job.seed, job.check, chunk), draws, memory)
    if job.pairs is not None:
        return job.pairs.statistic(drawn[job.pairs.first].data, drawn[job.pairs.second].data)
    values: dict[Expr, Value] = {letter: Value(data, (), data.ndim) for letter, data in job.numbers.items()}
    values.update(drawn)
    environment = Environment(job.arithmetic or DOUBLES, job.sizes, values, expect=_quiet_expectation, known=job.known)
    value = evaluate(job.statistic, environment)
    data = arranged(value, (OUTCOME, *job.labels), 0)
    if data.shape != (count, *job.claim.shape):
        data = np.broadcast_to(data, (count, *job.claim.shape))
    return np.asarray(data, dtype=float)


def run_chunk(job: Job, chunk: int, count: int, workspace: Workspace | None = None) -> Floats:
    """The three sums of psi over one chunk, shape (3, *shape of the claim)."""
    return job.test.evidence(sampled(job, chunk, count, workspace) - job.claim)


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome, with the number of samples merged and the sums (for comparing runs bit by bit).

    ``evidence`` is the largest seen at any merged sample size: against the claim that of the entry with the most,
    against its rivals that of the entry with the least.
    """

    outcome: Outcome
    samples: int
    sums: Floats
    evidence: LogEvidence


def _chunks(job: Job) -> list[int]:
    whole, rest = divmod(job.samples, job.chunk_size)
    return [job.chunk_size] * whole + ([rest] if rest else [])


def _in_order(job: Job, executor: Executor | None) -> Iterator[tuple[int, Floats]]:
    counts = _chunks(job)
    if executor is None:
        workspace = job.sampler.workspace(max(counts, default=0) * job.draws)
        for chunk, count in enumerate(counts):
            yield count, run_chunk(job, chunk, count, workspace)
        return
    for start in range(0, len(counts), _WINDOW):
        window = range(start, min(start + _WINDOW, len(counts)))
        waiting = [executor.submit(run_chunk, job, chunk, counts[chunk]) for chunk in window]
        for chunk, future in zip(window, waiting, strict=True):
            yield counts[chunk], future.result()


def _overall(outcomes: set[Outcome]) -> Outcome:
    if "refuted" in outcomes:
        return "refuted"
    return "confirmed" if outcomes == {"confirmed"} else "inconclusive"


def run(job: Job, executor: Executor | None = None) -> Result:
    """Sample until the claim is refuted or confirmed, or the samples are used up.

    Each entry of the claim is tested by itself, so ``job.test.alpha`` is to be the level for one entry. An entry once
    rejected or confirmed stays so, since the test is valid at every sample size.
    """
    sums = np.zeros((3, *job.claim.shape))
    total = 0
    entries = [entry for entry in np.ndindex(*job.claim.shape) if job.active[entry]]
    settled: dict[tuple[int, ...], Outcome] = {}
    seen = dict.fromkeys(entries, LogEvidence(-inf, -inf))
    for count, part in _in_order(job, executor):
        sums += part
        total += count
        for entry in entries:
            found = job.test.weigh(sums[(slice(None), *entry)], total)
            seen[entry] = _larger(seen[entry], found)
            if settled.get(entry, "inconclusive") != "refuted":
                new = job.test.outcome(found)
                if new == "refuted" or settled.get(entry) != "confirmed":
                    settled[entry] = new
        overall = _overall(set(settled.values()))
        if overall != "inconclusive":
            return Result(overall, total, sums, _together(seen.values()))
    return Result("inconclusive", total, sums, _together(seen.values()))


def _larger(one: LogEvidence, other: LogEvidence) -> LogEvidence:
    return LogEvidence(max(one.against, other.against), max(one.rivals, other.rivals))


def _together(entries: Iterable[LogEvidence]) -> LogEvidence:
    entries = list(entries)
    return LogEvidence(max(one.against for one in entries), min(one.rivals for one in entries))
