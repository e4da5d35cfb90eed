"""The block statistic is the mean over all pairs, its variance is exact, and it is used only where both hold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from known_statements import APART, GENERAL, IID, STANDARD, VARIANCE, K, Q, d_k, i

from derivations.language.arrays import random_array
from derivations.language.functions import dot
from derivations.language.givens import (
    has_mean,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
)
from derivations.language.operators import E, Sum, Var
from derivations.language.symbols import Dimension, index
from derivations.records import Relation
from numerics.all_pairs import AllPairs, dot_product, plan_pairs
from numerics.environments import by_moments
from numerics.evaluation import evaluate
from numerics.instances import draw_instance
from numerics.joint import Plan
from numerics.monte_carlo import MonteCarloRoute, check_by_sampling, plan_job
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.streaming import sampled

STATED = make_statement((*STANDARD, *APART), VARIANCE, Relation.EQUALS, d_k)


@pytest.mark.parametrize("size", [3, 9])
def test_the_statistic_is_the_mean_over_all_pairs(size: int):
    generator = np.random.default_rng(0)
    first, second = generator.standard_normal((2, 5 * 4, size))
    values = AllPairs(Q, K, 4).statistic(first, second)
    for k in range(5):
        rows, columns = first[4 * k : 4 * k + 4], second[4 * k : 4 * k + 4]
        assert values[k] == pytest.approx(np.mean([(q @ c) ** 2 for q in rows for c in columns]))


m = Dimension("m")
a, b = index("a", m), index("b", m)
W, V = random_array("W", m, d_k), random_array("V", m, d_k)
BLOCK_GIVENS = (
    independent(W, V),
    *(
        given
        for one in (W, V)
        for given in (independent_entries(one), identically_distributed(one), has_mean(one, 0), has_variance(one, 2))
    ),
)


@pytest.mark.parametrize(("draws", "size", "seed"), [(2, 2, "x"), (2, 2, "y"), (3, 1, "z"), (2, 1, "v")])
def test_the_variance_of_a_block_is_exact(draws: int, size: int, seed: str):
    """Against the variance of the written-out double sum, by exact moments."""
    mean = Sum(Sum(W[a, i] * V[b, i], i) ** 2, a, b) / m**2
    statement = make_statement(BLOCK_GIVENS, Var(mean), Relation.EQUALS, d_k)
    block = draw_instance(statement.letters, statement.facts, {m: draws, d_k: size}, Seeded(seed))
    expected = evaluate(statement.left, by_moments(block)).data[()]

    givens = (*IID, has_mean(Q, 0), has_mean(K, 0), has_variance(Q, 2), has_variance(K, 2), *APART)
    single = make_statement(givens, VARIANCE, Relation.EQUALS, d_k)
    instance = draw_instance(single.letters, single.facts, {d_k: size}, Seeded(seed))
    assert instance.joint is not None
    laws = [{one.kind for one in joint.blocks} for joint in (instance.joint, block.joint)]
    assert laws[0] == laws[1], "the two instances have the same laws"
    variance = evaluate(Var(dot(Q, K) ** 2), by_moments(instance)).data[()]
    delta = float(2 * variance) ** 0.5 / draws
    planned = plan_pairs(VARIANCE, instance.joint, variance, delta)
    assert planned is not None
    assert planned == (AllPairs(Q, K, draws), expected)


@pytest.mark.parametrize(
    ("side", "found"),
    [
        (VARIANCE, True),
        (Var(Sum(Q[i] * K[i], i)), True),
        (E(dot(Q, K) ** 2), True),
        (Var(dot(Q, Q)), False),
        (E(dot(Q, K)), False),
        (Var(2 * dot(Q, K)), False),
        (Var(Sum(Q[i] * K[i] * K[i], i)), False),
    ],
    ids=str,
)
def test_only_a_dot_product_is_recognised(side, found: bool):
    assert (dot_product(side) is not None) == found


def test_means_and_dependence_are_left_to_single_products():
    for givens, plan in (((*GENERAL, *APART), Plan()), (STANDARD, Plan(follow="copy"))):
        statement = make_statement(givens, VARIANCE, Relation.EQUALS, d_k)
        instance = draw_instance(statement.letters, statement.facts, {d_k: 3}, Seeded("means"), plan=plan)
        assert plan_pairs(VARIANCE, instance.joint, Fraction(10), 0.5) is None


def test_far_fewer_draws_are_needed():
    instance = draw_instance(STATED.letters, STATED.facts, {d_k: 36}, Seeded("few"), kind="continuous")
    plans = [
        plan_job(STATED, *STATED.sides, instance, seed=0, check=0, route=route)
        for route in (MonteCarloRoute(), MonteCarloRoute(pairs=lambda *_: None))
    ]
    draws = [job.test.samples * job.draws for job in plans]
    assert 5 * draws[0] < draws[1]
    values = [np.concatenate([sampled(job, k, 64) for k in range(40)]) for job in plans]
    assert abs(values[0].mean() - 36) < 6 * float(np.sqrt(plans[0].test.variance_bound / 2560))
    assert values[0].var() == pytest.approx(plans[0].test.variance_bound, rel=0.5)


@dataclass(frozen=True)
class SamePairs(AllPairs):
    """A fault: only the diagonal, and one product forgotten."""

    def statistic(self, first, second):
        return np.asarray(super().statistic(first[:, 1:], second[:, 1:]))


def test_a_block_statistic_that_forgets_an_entry_is_refuted():
    def wrong(*arguments):
        pairs, variance = plan_pairs(*arguments)
        return SamePairs(pairs.first, pairs.second, pairs.block), variance

    check = check_by_sampling(STATED, VARIANCE, d_k, step=1, seed=0, check=1, route=MonteCarloRoute(pairs=wrong))
    assert check.outcome == "refuted"
