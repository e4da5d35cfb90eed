"""Nodes and weights for integrals over the law of an order statistic, on the scale of the distribution function.

The double exponential rule (Takahasi and Mori 1974) on [0, 1], taken to the variable by the quantiles of its law. For
the density of the k-th largest of n variables see David and Nagaraja 2003, Order Statistics, chapter 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb, log, sqrt
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import scipy.special
from numpy.typing import NDArray

from numerics.errors import Unsupported
from numerics.joint import AffineLaw
from numerics.laws import (
    EXPONENTIAL,
    INTERVAL,
    LAPLACE,
    NORMAL,
    STUDENT,
    STUDENT_FREEDOM,
    UNIFORM,
    StandardLaw,
)

Floats: TypeAlias = NDArray[np.float64]

_REACH = 6.1
"""The nodes go as far as 10**-300 in both tails."""

_REACH_OF_PAIRS = 5.4
"""And to 10**-150, so that products of two stay within the range of doubles."""

_STEPS = (1 / 16, 1 / 20, 1 / 24)
_STEPS_OF_PAIRS = (1 / 7, 1 / 8, 1 / 10)
_SHIFT = 1 / 3
"""Of a step: the third grid has no node in common with the others but at most one."""


# Each takes u and 1 - u, since near one the difference would lose the tail.
Quantile: TypeAlias = Callable[[Floats, Floats], Floats]


def _by_tails(lower: Callable[[Floats], Floats]) -> Quantile:
    """The quantiles of a symmetric law from those below the middle."""
    return lambda below, above: np.where(
        below < above, lower(np.minimum(below, above)), -lower(np.minimum(above, below))
    )


QUANTILES: Mapping[StandardLaw, Quantile] = MappingProxyType(
    {
        NORMAL: _by_tails(lambda tail: np.asarray(scipy.special.ndtri(tail))),
        INTERVAL: lambda below, above: below - above,
        UNIFORM: lambda below, above: sqrt(3) * (below - above),
        LAPLACE: _by_tails(lambda tail: np.log(2 * tail) / sqrt(2)),
        STUDENT: _by_tails(
            lambda tail: (
                np.asarray(scipy.special.stdtrit(STUDENT_FREEDOM, tail)) * sqrt((STUDENT_FREEDOM - 2) / STUDENT_FREEDOM)
            )
        ),
        EXPONENTIAL: lambda below, above: -np.log(above) - 1,
    }
)
"""The laws whose distribution function is known, by its inverse."""


@dataclass(frozen=True)
class Levels:
    """Nodes of the uniform law on [0, 1]: u, 1 - u, their logarithms, and the weights."""

    below: Floats
    above: Floats
    log_below: Floats
    log_above: Floats
    weights: Floats


@lru_cache(maxsize=16)
def _levels(step: float, shift: float, reach: float) -> Levels:
    """u = 1/(1 + exp(-pi sinh t))."""
    times = np.arange(-reach, reach, step) + shift * step
    inner = np.pi * np.sinh(times)
    below, above = scipy.special.expit(inner), scipy.special.expit(-inner)
    weights = step * np.pi * np.cosh(times) * below * above
    return Levels(below, above, scipy.special.log_expit(inner), scipy.special.log_expit(-inner), weights)


@lru_cache(maxsize=16)
def _halves(step: float, shift: float) -> Levels:
    """The same for each half by itself, so that a kink at the median lies on an edge."""
    plain = _levels(step, shift, _REACH)
    inner, outer = plain.below / 2, (1 + plain.above) / 2  # the lower half; the upper one is its mirror image
    small, large = np.concatenate([inner, outer[::-1]]), np.concatenate([outer, inner[::-1]])
    log_inner, log_outer = plain.log_below - log(2), np.log1p(-inner)
    log_small, log_large = np.concatenate([log_inner, log_outer[::-1]]), np.concatenate([log_outer, log_inner[::-1]])
    return Levels(small, large, log_small, log_large, np.concatenate([plain.weights, plain.weights[::-1]]) / 2)


@dataclass(frozen=True)
class Nodes:
    """Values of one or two variables at the nodes of a grid, with the weights and the shape of the grid."""

    columns: tuple[Floats, ...]
    weights: Floats
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Rule:
    """One of the grids."""

    step: float
    step_of_pairs: float
    shift: float = 0.0

    def ranked(self, law: AffineLaw, size: int, rank: int) -> Nodes:
        """The ``rank``-th largest of ``size`` independent variables."""
        levels = _halves(self.step, self.shift)
        exponents = (size - rank) * levels.log_below + (rank - 1) * levels.log_above
        weights = levels.weights * np.exp(log(rank * comb(size, rank)) + exponents)
        return Nodes((_values(law, levels.below, levels.above),), weights, weights.shape)

    def pair(self, law: AffineLaw) -> Nodes:
        """The larger and the smaller of two independent variables."""
        levels = _levels(self.step_of_pairs, self.shift, _REACH_OF_PAIRS)
        below, above = levels.below[:, np.newaxis], levels.above[:, np.newaxis]
        larger = np.broadcast_to(_values(law, below, above), (len(levels.below),) * 2)
        smaller = _values(law, below * levels.below, above + below * levels.above)
        weights = 2 * below * levels.weights[:, np.newaxis] * levels.weights
        return Nodes((larger.reshape(-1), smaller.reshape(-1)), weights.reshape(-1), weights.shape)


RULES = (
    Rule(_STEPS[0], _STEPS_OF_PAIRS[0]),
    Rule(_STEPS[1], _STEPS_OF_PAIRS[1]),
    Rule(_STEPS[2], _STEPS_OF_PAIRS[2], _SHIFT),
)
"""Coarse, fine, and a third that is finer and shifted."""


def _values(law: AffineLaw, below: Floats, above: Floats) -> Floats:
    quantile = QUANTILES.get(law.standard)
    if quantile is None:
        raise Unsupported(f"the quantiles of the law {law.standard.name} are not known")
    return float(law.location) + sqrt(law.square) * quantile(below, above)
