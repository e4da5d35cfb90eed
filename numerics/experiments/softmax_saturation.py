"""What softmax does with scores of small and of large variance: outputs, gaps, and how much gradient is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from numerics.experiments.normal_order import NormalOrder, normal_order
from numerics.experiments.saturated import descending, jacobian_bound, saturated
from numerics.experiments.spreads import Spread, spread

Floats = NDArray[np.float64]
_CELLS_A_CHUNK = 1 << 20
SCALES = (1.0, 8.0, 64.0, 512.0, 4096.0, 32768.0)
_MOST_SAMPLES, _MOST_CELLS = 200_000, 1 << 24


@dataclass(frozen=True)
class Draw:
    """One vector of scores: softmax outputs in the order drawn, and what the theorems speak of."""

    seed: int
    scores: tuple[float, ...]
    outputs: tuple[float, ...]
    range: float
    gap: float
    norm: float
    bound: float


@dataclass(frozen=True)
class Level:
    """One variance: a single draw, and what all seeds give. ``norms`` are the Jacobian norms, seed by seed.

    ``above_bound`` counts the draws whose norm exceeds the bound by more than rounding; the theorem says 0.
    """

    variance: float
    draw: Draw
    range: Spread
    gap: Spread
    largest: Spread
    norm: Spread
    norms: tuple[float, ...]
    above_bound: int

    @property
    def deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def share_of_largest_tenth(self) -> float:
        """How much of the sum of all norms the largest tenth of them makes up."""
        ordered = sorted(self.norms, reverse=True)
        return sum(ordered[: -(-len(ordered) // 10)]) / sum(ordered)


@dataclass(frozen=True)
class Scaling:
    """The norm of the Jacobian at one variance, over many independent draws."""

    variance: float
    samples: int
    norm: Spread

    @property
    def deviation(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    @property
    def mean_times_deviation(self) -> float:
        """Steady, if the mean falls like 1/deviation."""
        return self.norm.mean * self.deviation

    @property
    def error_times_deviation(self) -> float:
        """The standard error of :attr:`mean_times_deviation`."""
        return self.norm.standard_error * self.deviation


@dataclass(frozen=True)
class SoftmaxSaturation:
    """The whole experiment. ``order`` is what theory says of n standard normal scores."""

    n: int
    seeds: tuple[int, ...]
    levels: tuple[Level, ...]
    scaling: tuple[Scaling, ...]
    order: NormalOrder


def standard_scores(n: int, seed: int) -> Floats:
    """Standard normal scores; the same for every variance, so that only the scale differs."""
    return np.random.default_rng(np.random.SeedSequence(seed)).standard_normal(n)


def level(n: int, variance: float, seeds: Sequence[int]) -> Level:
    """Draw scores of one variance for each seed; memory for a chunk of seeds and for four numbers a seed."""
    scale = sqrt(variance)
    rows = max(1, _CELLS_A_CHUNK // n)
    parts = []
    for start in range(0, len(seeds), rows):
        scores = np.stack([standard_scores(n, seed) for seed in seeds[start : start + rows]])
        found = saturated(descending(scale * scores))
        parts.append(np.stack([found.range, found.gap, found.largest, found.norm]))
    ranges, gaps, largest, norms = np.concatenate(parts, axis=1)
    above = int(np.count_nonzero(norms > jacobian_bound(gaps, n) * (1 + 1e-9)))
    return Level(
        variance,
        _one_draw(n, scale, seeds[0]),
        spread(ranges),
        spread(gaps),
        spread(largest),
        spread(norms),
        tuple(norms.tolist()),
        above,
    )


def _one_draw(n: int, scale: float, seed: int) -> Draw:
    scores = scale * standard_scores(n, seed)
    found = saturated(descending(scores))
    return Draw(
        seed,
        tuple(scores.tolist()),
        tuple(np.asarray(softmax(scores)).tolist()),
        float(found.range),
        float(found.gap),
        float(found.norm),
        float(jacobian_bound(found.gap, n)),
    )


def _norms(n: int, scales: Sequence[float], samples: int, seed: int) -> Iterator[Floats]:
    """Jacobian norms of chunks of draws, one row for each scale; every scale sees the same standard scores."""
    size = max(1, _CELLS_A_CHUNK // n)
    for chunk, start in enumerate(range(0, samples, size)):
        generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(chunk,))))
        ordered = descending(generator.standard_normal((min(size, samples - start), n)))
        yield np.stack([saturated(scale * ordered).norm for scale in scales])


def scaling(n: int, variances: Sequence[float], samples: int, seed: int) -> tuple[Scaling, ...]:
    """The norm of the Jacobian for several variances, over ``samples`` draws."""
    scales = [sqrt(variance) for variance in variances]
    norms = np.concatenate(tuple(_norms(n, scales, samples, seed)), axis=1)
    return tuple(Scaling(variance, samples, spread(row)) for variance, row in zip(variances, norms, strict=True))


def softmax_saturation(
    n: int = 10,
    variances: Iterable[float] = (1.0, 512.0),
    seeds: Iterable[int] = range(200),
    *,
    scales: Sequence[float] = SCALES,
    samples: int | None = None,
) -> SoftmaxSaturation:
    """Scores of each variance, for each seed; then the mean norm at each variance in ``scales``.

    For that ``samples`` vectors are drawn, by default as many as take a second or two.

    Raises :class:`ValueError` for fewer than two scores, no seed, or a variance that is not positive.
    """
    chosen, sizes = tuple(seeds), tuple(float(one) for one in variances)
    if n < 2:
        raise ValueError("a gap needs at least two scores")
    if not chosen or not sizes:
        raise ValueError("there must be a seed and a variance")
    if not all(0 < one < float("inf") for one in (*sizes, *scales)):
        raise ValueError("a variance must be positive and finite")
    return SoftmaxSaturation(
        n,
        chosen,
        tuple(level(n, one, chosen) for one in sizes),
        scaling(n, scales, samples or max(2, min(_MOST_SAMPLES, _MOST_CELLS // n)), chosen[0]),
        normal_order(n),
    )
