"""The variance of a dot product, measured for several laws and dimensions, with and without the scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from numerics.laws import LAPLACE, NORMAL, UNIFORM, StandardLaw, finite_standard, two_points
from numerics.streaming import generator_of

Floats = NDArray[np.float64]
_CELLS_A_CHUNK = 1 << 18
RADEMACHER = replace(finite_standard(two_points(Fraction(0), Fraction(1), Fraction(1))), name="Rademacher")
LAWS: Sequence[StandardLaw] = (NORMAL, UNIFORM, RADEMACHER, LAPLACE)
"""Laws of mean 0 and variance 1."""
DIMENSIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SAMPLES = 40_000


@dataclass(frozen=True)
class Measured:
    """The variance of q . k for one law and one dimension, and of q . k / sqrt(d_k), from the same draws.

    ``fourth_moment`` is measured too; ``exact_fourth_moment`` is d_k kappa^2 + 3 d_k (d_k - 1).
    """

    law: str
    dimension: int
    samples: int
    variance: float
    standard_error: float
    fourth_moment: float
    exact_fourth_moment: float

    @property
    def scaled_variance(self) -> float:
        """The variance after division by the square root of the dimension."""
        return self.variance / self.dimension

    @property
    def scaled_error(self) -> float:
        """The standard error of :attr:`scaled_variance`."""
        return self.standard_error / self.dimension

    @property
    def exact_error(self) -> float:
        """The standard error that the exact fourth moment gives."""
        return sqrt(max(self.exact_fourth_moment - self.dimension**2, 0) / self.samples)

    @property
    def deviations(self) -> float:
        """How many exact standard errors the measured variance lies off d_k; 0 where every draw is the same."""
        error = self.exact_error
        return (self.variance - self.dimension) / error if error else 0.0


@dataclass(frozen=True)
class DotProductVariance:
    """One row for each law and dimension."""

    seed: int
    rows: tuple[Measured, ...]

    def of_law(self, law: str) -> tuple[Measured, ...]:
        """The rows of one law."""
        return tuple(one for one in self.rows if one.law == law)

    @property
    def laws(self) -> tuple[str, ...]:
        """The laws, in order."""
        return tuple(dict.fromkeys(one.law for one in self.rows))

    @property
    def farthest(self) -> Measured:
        """The row farthest off its line, in standard errors."""
        return max(self.rows, key=lambda one: abs(one.deviations))


def _powers(law: StandardLaw, dimension: int, samples: int, seed: int, check: int) -> Iterator[Floats]:
    """Sums of the first four powers of q . k over chunks of draws."""
    size = max(1, min(samples, _CELLS_A_CHUNK // dimension))
    memory = np.empty(2 * size * dimension)
    for chunk, start in enumerate(range(0, samples, size)):
        count = min(size, samples - start)
        drawn = memory[: 2 * count * dimension].reshape(2, count, dimension)
        law.draw(generator_of(seed, check, chunk), drawn)
        scores = np.einsum("si,si->s", drawn[0], drawn[1])
        squares = scores * scores
        yield np.array([scores.sum(), squares.sum(), (scores * squares).sum(), (squares * squares).sum()])


def measure(law: StandardLaw, dimension: int, samples: int, seed: int, check: int) -> Measured:
    """Draw queries and keys, and measure. ``check`` tells measurements of one seed apart."""
    sums = np.zeros(4)
    for part in _powers(law, dimension, samples, seed, check):
        sums += part
    mean, second, third, fourth = sums / samples
    variance = (second - mean**2) * samples / (samples - 1)
    central = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * mean**4
    error = sqrt(max(central - variance**2, 0) / samples)
    kurtosis = float(law.moment(4))
    exact = dimension * kurtosis**2 + 3 * dimension * (dimension - 1)
    return Measured(law.name, dimension, samples, float(variance), error, float(fourth), exact)


def dot_product_variance(
    dimensions: Iterable[int] = DIMENSIONS,
    laws: Sequence[StandardLaw] = LAWS,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> DotProductVariance:
    """Measure each law in each dimension. Raises :class:`ValueError` for a dimension below 1 or under two samples."""
    sizes = tuple(dimensions)
    if not sizes or min(sizes) < 1:
        raise ValueError("a dimension must be at least 1")
    if samples < 2:
        raise ValueError("a variance needs at least two samples")
    pairs = [(law, dimension) for law in laws for dimension in sizes]
    return DotProductVariance(
        seed, tuple(measure(law, dimension, samples, seed, k) for k, (law, dimension) in enumerate(pairs))
    )
