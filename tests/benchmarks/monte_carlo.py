"""Time and memory of the sampling loop, against a bare loop that draws the same normals and contracts them.

Run ``python tests/benchmarks/monte_carlo.py``. Targets: at d = 64 at most 1.25 times the bare loop; at most 200 MB
whatever the number of samples.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from dataclasses import replace

import numpy as np

from derivations.language.arrays import random_array
from derivations.language.distributions import normal
from derivations.language.functions import dot
from derivations.language.givens import (
    Given,
    has_law,
    independent,
    independent_entries,
)
from derivations.language.operators import Var
from derivations.language.symbols import Dimension
from derivations.records import Relation
from numerics.instances import draw_instance
from numerics.monte_carlo import MonteCarloRoute, plan_job
from numerics.sources import Simplest
from numerics.statements import make_statement
from numerics.streaming import Job, generator_of, run


def attention_job(dimension: int, samples: int) -> Job:
    """The job that tests Var(Q·K) = d_k for normal entries; it always runs to the end of its samples."""
    d_k = Dimension("d_k")
    Q, K = random_array("Q", d_k), random_array("K", d_k)
    givens: list[Given] = [independent(Q, K)]
    for array in (Q, K):
        givens += [independent_entries(array), has_law(array, normal(0, 1))]
    statement = make_statement(givens, Var(dot(Q, K)), Relation.EQUALS, d_k)
    instance = draw_instance(statement.letters, statement.facts, {d_k: dimension}, Simplest(), kind="continuous")
    route = MonteCarloRoute(pairs=lambda *_: None)  # one product a draw, as for any other statistic
    job = plan_job(statement, *statement.sides, instance, seed=0, check=0, route=route)
    never = replace(job.test, delta=job.test.delta, alpha=1e-300)
    return replace(job, test=never, limit=samples)


def bare_loop(job: Job, dimension: int) -> float:
    """Draw the same normals in the same chunks, into memory used again, and contract them; nothing else."""
    total, done, chunk = 0.0, 0, 0
    memory = np.empty((2, job.chunk_size, dimension))
    while done < job.samples:
        count = min(job.chunk_size, job.samples - done)
        generator = generator_of(job.seed, job.check, chunk)
        first = generator.standard_normal(out=memory[0, :count])
        second = generator.standard_normal(out=memory[1, :count])
        total += float(np.einsum("ni,ni->n", first, second).sum())
        done, chunk = done + count, chunk + 1
    return total


def peak_megabytes() -> float:
    """The largest resident size of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def seconds_of(action: object) -> float:
    """CPU seconds of a call."""
    assert callable(action)
    start = time.process_time()
    action()
    return time.process_time() - start


def main() -> None:
    """Print both figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    job = attention_job(options.dimension, options.samples)
    pairs = [
        (seconds_of(lambda: bare_loop(job, options.dimension)), seconds_of(lambda: run(job)))
        for _ in range(options.repeats)
    ]
    bare, full = min(a for a, _ in pairs), min(b for _, b in pairs)
    result = run(job)
    print(f"d = {options.dimension}, {result.samples} samples")
    print(f"bare {bare:.3f} s, check {full:.3f} s, ratio {full / bare:.3f}")
    print(f"peak memory {peak_megabytes():.0f} MB")


if __name__ == "__main__":
    main()
