"""The experiments: what they measure lies where theory puts it, and the same seed gives the same record."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from numerics.experiments.dot_product_variance import LAWS, dot_product_variance
from numerics.experiments.normal_order import normal_order
from numerics.experiments.softmax_saturation import softmax_saturation


def test_order_statistics_of_normals():
    two = normal_order(2)
    assert two.expected_range == pytest.approx(2 / sqrt(pi), rel=1e-12)
    assert two.expected_gap == pytest.approx(2 / sqrt(pi), rel=1e-12)
    assert two.gap_density_at_zero == pytest.approx(1 / sqrt(pi), rel=1e-12)
    assert normal_order(10).expected_range == pytest.approx(3.07751, abs=1e-5)  # David and Nagaraja, table of E[W_n]
    ordered = -np.sort(-np.random.default_rng(1).standard_normal((200_000, 10)), axis=1)
    gaps = ordered[:, 0] - ordered[:, 1]
    assert np.median(gaps) == pytest.approx(normal_order(10).median_gap, rel=0.01)
    assert gaps.mean() == pytest.approx(normal_order(10).expected_gap, rel=0.01)


def test_the_typical_norm_collapses_and_the_mean_falls_like_one_over_sigma():
    found = softmax_saturation(samples=40_000)
    low, high = found.levels
    assert low.above_bound == high.above_bound == 0
    assert low.norm.median / high.norm.median > 100
    assert low.norm.mean / high.norm.mean < 10
    assert high.share_of_largest_tenth > 0.5
    last = found.scaling[-1]
    assert abs(last.mean_times_deviation - found.order.gap_density_at_zero) < 6 * last.error_times_deviation
    assert last.norm.median < 1e-20


def test_the_same_seeds_give_the_same_record():
    arguments = {"n": 4, "variances": (1.0, 30.0), "seeds": range(3, 9), "samples": 100}
    assert softmax_saturation(**arguments) == softmax_saturation(**arguments)
    again = [dot_product_variance((1, 3), samples=50, seed=7) for _ in range(2)]
    assert again[0] == again[1]


def test_more_seeds_only_add_norms():
    few, many = (softmax_saturation(5, (4.0,), range(count), samples=10) for count in (3, 6))
    assert many.levels[0].norms[:3] == few.levels[0].norms
    assert few.levels[0].draw == many.levels[0].draw


@pytest.mark.parametrize(
    "arguments",
    [{"n": 1}, {"seeds": ()}, {"variances": ()}, {"variances": (0.0,)}, {"variances": (float("inf"),)}],
)
def test_a_question_without_meaning(arguments):
    with pytest.raises(ValueError, match=r"at least two scores|a seed and a variance|positive and finite"):
        softmax_saturation(**arguments)


def test_the_variance_of_a_dot_product_is_its_dimension():
    found = dot_product_variance((1, 5, 40), samples=20_000, seed=1)
    assert len(found.rows) == 3 * len(LAWS)
    for row in found.rows:
        # A right value lies that far off with probability below 1e-9 for each row.
        assert abs(row.variance - row.dimension) <= 6.5 * max(row.standard_error, row.exact_error)
        assert row.scaled_variance == pytest.approx(row.variance / row.dimension)
    assert abs(found.farthest.deviations) == max(abs(one.deviations) for one in found.rows)


def test_dimensions_and_samples_that_make_no_sense():
    with pytest.raises(ValueError, match="dimension"):
        dot_product_variance((0,))
    with pytest.raises(ValueError, match="samples"):
        dot_product_variance((1,), samples=1)
