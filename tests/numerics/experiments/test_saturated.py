"""The norm of the softmax Jacobian, also where doubles of the outputs are 0 and 1."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from numerics.experiments.saturated import descending, jacobian_bound, saturated


def norm_in_many_digits(scores):
    with mpmath.workdps(400):
        powers = [mpmath.exp(mpmath.mpf(float(one))) for one in scores]
        outputs = [one / mpmath.fsum(powers) for one in powers]
        size = range(len(outputs))
        entries = (outputs[i] * ((i == j) - outputs[j]) for i in size for j in size)
        return float(mpmath.log(mpmath.sqrt(mpmath.fsum(one**2 for one in entries))))


@pytest.mark.parametrize(
    "scores",
    [
        [0.0, 0.0],
        [3.0, -1.0],
        [40.0, 0.0, 0.0],
        [300.0, 0.0, -5.0, -400.0],
        [0.3, 0.1, -0.2, 0.3, 0.0],
        [50.0, 50.0, 0.0],
        [50.0, 50.0 - 1e-9, 50.0, -7.0],
    ],
)
def test_the_norm_agrees_with_many_digits(scores):
    found = saturated(descending(np.array(scores)))
    assert float(found.log_norm) == pytest.approx(norm_in_many_digits(scores), rel=1e-12, abs=1e-12)


def test_ties_keep_the_norm():
    for r in range(2, 8):
        scores = np.repeat([80.0, 0.0], [r, 3])
        assert float(saturated(scores).norm) == pytest.approx(np.sqrt(r - 1) / r, rel=1e-12)


def test_a_gap_beyond_all_doubles_still_has_a_logarithm():
    assert float(saturated(np.array([5000.0, 0.0])).log_norm) == pytest.approx(np.log(2) - 5000)


def test_rows_are_independent_and_bounded():
    scores = 9 * np.random.default_rng(3).standard_normal((200, 6))
    found = saturated(descending(scores))
    alone = [float(saturated(descending(row)).log_norm) for row in scores]
    assert np.allclose(found.log_norm, alone, rtol=1e-13)
    assert np.all(found.norm <= jacobian_bound(found.gap, 6) * (1 + 1e-12))
    assert np.allclose(found.range, np.ptp(scores, axis=1))
