"""The same bits however chunks are run, and constant memory."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from known_statements import APART, STANDARD, VARIANCE, d_k

from derivations.records import Relation
from numerics.instances import draw_instance
from numerics.monte_carlo import MonteCarloRoute, plan_job
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.streaming import Job, generator_of, run


def job(dimension: int = 6, samples: int = 400_000, pairs: bool = False) -> Job:
    statement = make_statement((*STANDARD, *APART), VARIANCE, Relation.EQUALS, d_k)
    instance = draw_instance(
        statement.letters, statement.facts, {d_k: dimension}, Seeded("streaming"), kind="continuous"
    )
    route = MonteCarloRoute() if pairs else MonteCarloRoute(pairs=lambda *_: None)
    planned = plan_job(statement, *statement.sides, instance, seed=3, check=1, route=route)
    return replace(planned, test=replace(planned.test, alpha=1e-300), limit=samples)


@pytest.mark.parametrize(("pairs", "samples"), [(False, 400_000), (True, 5_000)], ids=["single", "all pairs"])
def test_threads_and_processes_give_the_bits_of_the_serial_run(pairs: bool, samples: int):
    planned = job(samples=samples, pairs=pairs)
    serial = run(planned)
    assert serial.samples == samples
    executors: list[Executor] = [
        ThreadPoolExecutor(3),
        ProcessPoolExecutor(2, mp_context=get_context("spawn")),
    ]
    for executor in executors:
        with executor:
            other = run(planned, executor)
        assert other.samples == serial.samples
        assert other.sums.tobytes() == serial.sums.tobytes()


def test_stopping_early_does_not_depend_on_the_executor():
    early = replace(job(), test=replace(job().test, alpha=0.1))
    serial = run(early)
    with ThreadPoolExecutor(4) as executor:
        threaded = run(early, executor)
    assert serial.outcome != "inconclusive"
    assert (serial.samples, serial.sums.tobytes()) == (threaded.samples, threaded.sums.tobytes())


def test_chunks_and_checks_draw_different_numbers():
    draws = [generator_of(0, check, chunk).random() for check in range(3) for chunk in range(3)]
    assert len(set(draws)) == 9


def test_another_seed_gives_other_sums():
    assert run(job()).sums.tobytes() != run(replace(job(), seed=4)).sums.tobytes()


def test_the_sampled_statistic_has_the_claimed_mean_and_variance():
    from numerics.streaming import sampled

    small = job(samples=100_000)
    values = sampled(small, 0, 100_000)
    assert values.mean() == pytest.approx(6, abs=6 * np.sqrt(small.test.variance_bound / 100_000))


# The peak of the process itself: ru_maxrss would begin with that of the process that started it.
MEASURE = """
import sys
sys.path.insert(0, "tests/numerics")
from test_streaming import job, run
run(job(64, int(sys.argv[1])))
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_number_of_samples():
    peaks = [
        int(subprocess.run([sys.executable, "-c", MEASURE, str(n)], check=True, capture_output=True, text=True).stdout)
        for n in (50_000, 800_000)
    ]
    assert max(peaks) < 200 * 1024
    assert peaks[1] - peaks[0] < 10 * 1024
