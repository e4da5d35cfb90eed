"""The test of a mean keeps its promises: few false alarms, few misses, for light and heavy tails."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from numerics.catoni import Test, influence
from numerics.laws import EXPONENTIAL, LAPLACE, NORMAL, STUDENT, UNIFORM, FiniteLaw, StandardLaw, finite_standard

SKEWED = finite_standard(FiniteLaw((Fraction(3), Fraction(-1, 3)), (Fraction(1, 10), Fraction(9, 10))))
LAWS = (NORMAL, UNIFORM, LAPLACE, STUDENT, EXPONENTIAL, SKEWED)
REPEATS = 400


def outcomes(law: StandardLaw, test: Test, off: float) -> list[str]:
    """The outcomes of repeated tests of the claim ``off`` for a law of mean 0."""
    generator = np.random.default_rng(7)
    data = np.empty((test.samples, REPEATS))
    law.draw(generator, data)
    sums = test.evidence(data - off)
    return [test.outcome(test.weigh(sums[:, k], test.samples)) for k in range(REPEATS)]


def at_most(rate: float) -> int:
    """A count that a rate exceeds with probability below 1e-6."""
    return int(binom.ppf(1 - 1e-6, REPEATS, rate))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("alpha", [0.5, 0.1])
def test_a_true_claim_is_seldom_refuted_and_mostly_confirmed(law: StandardLaw, alpha: float):
    test = Test(variance_bound=1, delta=0.5, alpha=alpha, beta=0.05)
    seen = outcomes(law, test, 0.0)
    assert seen.count("refuted") <= at_most(alpha)
    assert REPEATS - seen.count("confirmed") <= at_most(2 * test.beta + alpha)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("alpha", [0.5, 0.1])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_claim_off_by_delta_is_seldom_confirmed(law: StandardLaw, alpha: float, sign: int):
    test = Test(variance_bound=1, delta=0.5, alpha=alpha, beta=0.05)
    assert outcomes(law, test, sign * test.delta).count("confirmed") <= at_most(alpha / 2)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_claim_off_by_twice_delta_is_refuted(law: StandardLaw):
    """Where delta is half the distance to a wrong variant, that variant is refuted, not just unconfirmed."""
    test = Test(variance_bound=1, delta=0.5, alpha=1e-9, beta=1e-6)
    assert outcomes(law, test, 1.0).count("refuted") == REPEATS


def test_the_calibration_can_fail():
    """With a law sixteen times as wide as the variance bound says, true claims are refuted too often."""

    def draw_wide(generator: np.random.Generator, out: np.ndarray) -> None:
        NORMAL.draw(generator, out)
        out *= 4

    wide = StandardLaw("wide", NORMAL.moment, draw_wide)
    test = Test(variance_bound=1, delta=0.5, alpha=0.1, beta=0.05)
    assert outcomes(wide, test, 0.0).count("refuted") > at_most(test.alpha)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("direction", [-1, 1])
@pytest.mark.parametrize("slack", [0.0, 0.3, 50.0])
def test_a_true_inequality_is_seldom_refuted(law: StandardLaw, direction: int, slack: float):
    """The mean 0 is at most ``slack`` (or at least minus it); a far claim must not turn the test around."""
    test = Test(variance_bound=1, delta=0.5, alpha=0.1, beta=0.05, direction=direction)
    seen = outcomes(law, test, direction * slack)
    assert seen.count("refuted") <= at_most(test.alpha / 2)
    assert seen.count("confirmed") >= REPEATS - at_most(test.beta + test.alpha)


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_false_inequality_is_refuted(direction: int):
    test = Test(variance_bound=1, delta=0.5, alpha=1e-9, beta=1e-6, direction=direction)
    assert outcomes(NORMAL, test, -direction * 1.0).count("refuted") == REPEATS


def test_the_influence_is_the_function_of_catoni():
    y = np.array([-3.0, -1e-3, 0.0, 0.5, 100.0])
    expected = np.sign(y) * np.log1p(np.abs(y) + y**2 / 2)
    np.testing.assert_allclose(influence(y), expected, rtol=1e-12)


def test_the_samples_follow_the_formula():
    test = Test(variance_bound=3, delta=0.5, alpha=1e-9, beta=1e-6)
    spread = 2 * 3 + 0.25
    assert test.rate == pytest.approx(0.5 / spread)
    assert test.samples == int(np.ceil(2 * spread * (np.log(2e9) + np.log(1e6)) / 0.25))
