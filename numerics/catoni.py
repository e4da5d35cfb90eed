"""A test of a mean that needs nothing but a bound on the variance.

With psi(y) = sign(y) log(1 + |y| + y²/2) one has exp(psi(y)) <= 1 + y + y²/2, so for a statistic X of mean m and
variance at most v, exp(sum psi(lambda (X_i - m)) - n lambda² v/2) is a supermartingale that starts at 1. By Ville's
inequality it ever exceeds 2/alpha with probability at most alpha/2: the test is valid at every sample size, for every
law with that variance, and may be stopped at any time.

Sources: O. Catoni, Challenging the empirical mean and empirical variance, 2012; H. Wang and A. Ramdas, Catoni-style
confidence sequences for heavy-tailed mean estimation, arXiv 2202.01250.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LogEvidence:
    """Logarithms of the supermartingales: at least the threshold rejects a mean.

    ``against`` is that against the claim. ``rivals`` is the smallest against the wrong claims that a confirmation rules
    out, those off by ``delta`` (with ``beyond`` the claimed number itself).
    """

    against: float
    rivals: float


@dataclass(frozen=True)
class Test:
    """A two-sided test of one mean: scale ``rate`` of the statistic and the number of samples that suffices.

    A true claim is refuted with probability at most ``alpha``; a claim off by ``delta`` or more is confirmed with
    probability at most ``alpha``/2; a true claim stays unconfirmed with probability at most 2 ``beta``.

    With ``direction`` 1 the claim is that the mean is at most a number, with -1 that it is at least that: psi rises, so
    the supermartingale for the true mean bounds the evidence against every claim on its far side. With ``beyond`` such
    a claim is confirmed only where the claimed number itself is rejected as the mean: the mean lies beyond it.
    """

    variance_bound: float
    delta: float
    alpha: float = 1e-9
    beta: float = 1e-6
    direction: int = 0
    beyond: bool = False

    __test__ = False

    @property
    def rate(self) -> float:
        """The factor lambda on the statistic, delta/(2v + delta²)."""
        return self.delta / (2 * self.variance_bound + self.delta**2)

    @property
    def threshold(self) -> float:
        """The evidence that rejects, ln(2/alpha)."""
        return log(2 / self.alpha)

    @property
    def samples(self) -> int:
        """2 (2v + delta²) (ln(2/alpha) + ln(1/beta))/delta²."""
        spread = 2 * self.variance_bound + self.delta**2
        return ceil(2 * spread * (self.threshold + log(1 / self.beta)) / self.delta**2)

    def penalty(self, count: int) -> float:
        """What chance may contribute to the evidence of ``count`` samples, n lambda² v/2."""
        return count * self.rate**2 * self.variance_bound / 2

    def shifts(self) -> Floats:
        """The three means under test, relative to the claim."""
        return np.array([0.0, self.delta, -self.delta])

    def evidence(self, deviations: Floats) -> Floats:
        """Sums of psi over the first axis of X - claim, for each of the three means: shape (3, ...)."""
        return np.stack([influence((deviations - shift) * self.rate).sum(axis=0) for shift in self.shifts()])

    def weigh(self, sums: Floats, count: int) -> LogEvidence:
        """The evidence of ``count`` samples on one statistic, from its three sums."""
        penalty = self.penalty(count)
        at_claim, above, below = (float(one) for one in sums)
        higher, lower = at_claim - penalty, -at_claim - penalty
        not_above, not_below = -above - penalty, below - penalty
        if self.direction == 0:
            return LogEvidence(max(higher, lower), min(not_above, not_below))
        against, beyond, rival = (higher, lower, not_above) if self.direction > 0 else (lower, higher, not_below)
        return LogEvidence(against, beyond if self.beyond else rival)

    def outcome(self, found: LogEvidence) -> Literal["confirmed", "refuted", "inconclusive"]:
        """What the evidence on one statistic comes to."""
        if found.against >= self.threshold:
            return "refuted"
        return "confirmed" if found.rivals >= self.threshold else "inconclusive"


def influence(scaled: Floats) -> Floats:
    """psi(y) = sign(y) log(1 + |y| + y²/2)."""
    size = np.abs(scaled)
    growth = 0.5 * size
    growth += 1
    growth *= size
    growth += 1
    np.log(growth, out=growth)  # many times faster than log1p, and the rounding of 1 + |y| is far below the threshold
    return np.copysign(growth, scaled, out=growth)
