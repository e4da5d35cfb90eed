"""Probability laws of one real variable: laws on finitely many rationals that fit declared moments, and standard
continuous ones with exact moments and a sampler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from math import comb, factorial, lcm, prod, sqrt
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from numerics.arithmetic import EXACT
from numerics.errors import NothingFound, NotRational
from numerics.facts import VARIANCE
from numerics.sources import Source

Draw = Callable[[np.random.Generator, NDArray[np.float64]], None]
"""Fills an array: memory that is used again costs much less than memory that is asked for again."""


def root(number: Fraction) -> Fraction | None:
    """The exact square root of a rational, or None."""
    try:
        result = EXACT.power(np.asarray(number, dtype=object), np.asarray(Fraction(1, 2), dtype=object))[()]
    except NotRational:
        return None
    return result if isinstance(result, Fraction) else None


# -------------------------------------------------------------------------------------------- finite laws


@dataclass(frozen=True)
class FiniteLaw:
    """A law on finitely many rationals, each with its weight."""

    values: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]

    def moment(self, order: int) -> Fraction:
        """E[X**order]."""
        return sum((w * v**order for v, w in zip(self.values, self.weights, strict=True)), Fraction(0))

    @property
    def text(self) -> str:
        """The law as a person reads it."""
        if len(self.values) == 1:
            return str(self.values[0])
        if len(self.values) == 2 and self.values[0] == -self.values[1] and self.weights[0] == self.weights[1]:
            return f"±{max(self.values)}"
        parts = (f"{v} with probability {w}" for v, w in zip(self.values, self.weights, strict=True))
        return " or ".join(parts)


def finite(pairs: Mapping[Fraction, Fraction]) -> FiniteLaw:
    """A law from values and weights; values of weight zero are left out."""
    kept = {value: weight for value, weight in pairs.items() if weight}
    return FiniteLaw(tuple(kept), tuple(kept.values()))


def two_points(mean: Fraction, above: Fraction, below: Fraction) -> FiniteLaw:
    """The law on mean + above and mean - below with this mean; its variance is above * below."""
    return finite({mean + above: below / (above + below), mean - below: above / (above + below)})


_FREE_MEANS = tuple(Fraction(*p) for p in ((1, 2), (1, 1), (-1, 1), (0, 1), (2, 1), (-1, 2)))
_FREE_SPREADS = tuple(Fraction(*p) for p in ((1, 2), (1, 1), (2, 1), (3, 1)))
_SKEWS = tuple(Fraction(*p) for p in ((2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (3, 2)))
# Of two values every function is linear, and a constant has no variance: neither may be all that is drawn.
_SHAPES: Mapping[str, Callable[[FiniteLaw, Fraction], FiniteLaw]] = MappingProxyType(
    {
        "two": lambda law, mean: law,
        "three": lambda law, mean: finite({mean: Fraction(1, 2), **_halved(law)}),
        "constant": lambda law, mean: finite({mean: Fraction(1)}),
    }
)


def _halved(law: FiniteLaw) -> dict[Fraction, Fraction]:
    return {value: weight / 2 for value, weight in zip(law.values, law.weights, strict=True)}


_POINTS = tuple(Fraction(*p) for p in ((1, 1), (2, 1), (-1, 1), (-2, 1), (3, 2), (3, 1)))
_MOST_SUPPORTS = 20_000
_GRID = tuple(Fraction(k, 2) for k in (0, -2, 2, -1, 1, -3, 3, -4, 4, -6, 6, -8, 8, -10, 10))


def _rational_root(number: Fraction) -> Fraction:
    """The square root where it is rational, else a simple positive rational near it."""
    exact = root(number)
    return exact if exact else max(Fraction(round(4 * sqrt(number)), 4), Fraction(1, 8))


_RARE = Fraction(1000)
"""So many deviations away lies a rare event."""


def _three_points(mean: Fraction, variance: Fraction, source: Source, *, rare: bool = False) -> FiniteLaw:
    """Mean, and mean ± a with probability variance/(2 a²) each."""
    width = _rational_root(variance) * (_RARE if rare else source.choose((Fraction(2), Fraction(3, 2), Fraction(3))))
    side = variance / (2 * width**2)
    return finite({mean: 1 - 2 * side, mean - width: side, mean + width: side})


def _of_mean_and_variance(mean: Fraction, variance: Fraction, source: Source, *, rare: bool = False) -> FiniteLaw:
    if variance < 0:
        raise NothingFound(f"no law has variance {variance}")
    if variance == 0:
        return finite({mean: Fraction(1)})
    if rare:
        return _three_points(mean, variance, source, rare=True)
    deviation = root(variance)
    kinds = ("two", "skewed", "three") if deviation else ("skewed", "three")
    kind = source.choose(kinds)
    if kind == "two" and deviation:
        return two_points(mean, deviation, deviation)
    if kind == "three":
        return _three_points(mean, variance, source)
    above = _rational_root(variance) * source.choose(_SKEWS)
    return two_points(mean, above, variance / above)


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Solve a small square system exactly; None if it is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [one / rows[k][k] for one in rows[k]]
        for r, row in enumerate(rows):
            if r != k and row[k]:
                rows[r] = [a - row[k] * b for a, b in zip(row, rows[k], strict=True)]
    return [row[-1] for row in rows]


@lru_cache(maxsize=256)
def _supports(spec: tuple[tuple[int, Fraction], ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Sets of grid points on which a law has these raw moments, one point for each condition.

    All choices of points are solved in doubles at once; weights that look non-negative are solved again exactly later.
    """
    declared = dict(spec)
    orders = (0, *sorted(declared))
    values = np.array([[1.0], *([float(declared[order])] for order in orders[1:])])
    points = _grid(declared)
    choices = np.array(list(combinations(range(len(points)), len(orders))))
    if len(choices) > _MOST_SUPPORTS:
        choices = choices[:: len(choices) // _MOST_SUPPORTS + 1]
    table = np.array([[float(p) ** order for p in points] for order in orders])
    systems = np.moveaxis(table[:, choices], 1, 0)
    regular = np.abs(np.linalg.det(systems)) > 1e-9
    systems, choices = systems[regular], choices[regular]
    if not len(choices):
        return ()
    weights = np.linalg.solve(systems, values)[..., 0]
    feasible = choices[(weights >= -1e-9).all(axis=1)]
    return tuple(tuple(points[k] for k in chosen) for chosen in feasible)


def _grid(declared: Mapping[int, Fraction]) -> list[Fraction]:
    """Points around the mean, at multiples of the deviation and, for a fourth moment, of the outer points of the
    symmetric three-point law that has it."""
    mean, second = declared[1], declared.get(2)
    scale = _rational_root(second - mean**2) if second is not None and second > mean**2 else Fraction(1)
    ratios = {Fraction(1)}
    if 4 in declared and second:
        ratios.add(_rational_root(abs(declared[4] / second)) / scale)
    points = {mean + scale * one * ratio for one in _GRID for ratio in ratios}
    return sorted(points, key=lambda point: (abs(point - mean), point))[:19]


def _parts(weights: Iterable[Fraction]) -> int:
    """Into how many equal parts the weights cut the whole."""
    return lcm(*(weight.denominator for weight in weights))


def _of_moments(spec: Mapping[int, Fraction], source: Source, most_parts: int | None = None) -> FiniteLaw:
    """A law with these raw moments. Raises :class:`NothingFound`."""
    supports = _supports(tuple(sorted(spec.items())))
    orders = (0, *sorted(spec))
    values = [Fraction(1), *(spec[order] for order in orders[1:])]
    for _ in range((8 if most_parts is None else 40) if supports else 0):
        chosen = source.choose(supports)
        solved = _solve([[point**order for point in chosen] for order in orders], values)
        if solved is not None and min(solved) >= 0 and (most_parts is None or _parts(solved) <= most_parts):
            return finite(dict(zip(chosen, solved, strict=True)))
    raise NothingFound("no law found with the declared moments")


def _of_one_even_moment(raw: Mapping[int, Fraction], source: Source, most_parts: int | None) -> FiniteLaw | None:
    """A law on zero and one other point with one declared moment of an even order beyond the second, else None."""
    ((order, value),) = raw.items() if len(raw) == 1 else ((0, Fraction(0)),)
    if order <= 2 or order % 2 or value <= 0:
        return None
    chances = {point: value / point**order for point in _POINTS}
    fitting = [
        point
        for point, chance in chances.items()
        if chance < 1 and (most_parts is None or chance.denominator <= most_parts)
    ]
    if not fitting:
        return None
    point = source.choose(fitting)
    return finite({point: chances[point], Fraction(0): 1 - chances[point]})


def fitted(
    spec: Mapping[int, Fraction], source: Source, *, rare: bool = False, most_parts: int | None = None
) -> FiniteLaw:
    """A finite law with the declared moments; what is not declared is free, and drawn skewed with a non-zero mean.

    ``spec`` maps an order to a raw moment, :data:`~numerics.facts.VARIANCE` to the variance. With ``rare`` most of the
    variance comes from a rare event far away; with ``most_parts`` the weights have a common denominator up to it.
    Raises :class:`NothingFound` where no such law exists or the search finds none.
    """
    raw = {order: value for order, value in spec.items() if order != VARIANCE}
    variance = spec.get(VARIANCE)
    mean = raw.get(1)
    if variance is not None:
        if mean is None:
            if 2 in raw:
                deviation = root(raw[2] - variance) if raw[2] >= variance else None
                if deviation is None:
                    raise NothingFound("no rational mean goes with the declared moments")
                mean = deviation * source.choose((1, -1))
            else:
                mean = source.choose(_FREE_MEANS)
        if raw.setdefault(2, variance + mean**2) != variance + mean**2:
            raise NothingFound("the declared variance and second moment contradict each other")
    if mean is None and variance is None and (most_parts is not None or source.choose((False, True))):
        alone = _of_one_even_moment(raw, source, most_parts)
        if alone is not None:
            return alone
    if mean is None:
        allowed = [one for one in _FREE_MEANS if one**2 <= raw.get(2, one**2)] or [Fraction(0)]
        mean = source.choose(allowed)
    raw[1] = mean
    if set(raw) == {1}:
        width = source.choose(_FREE_SPREADS)
        law = two_points(mean, width * (_RARE if rare else source.choose(_SKEWS)), width)
        return law if rare else _SHAPES[source.choose(tuple(_SHAPES))](law, mean)
    if set(raw) == {1, 2}:
        return _of_mean_and_variance(mean, raw[2] - mean**2, source, rare=rare)
    return _of_moments(raw, source, most_parts)


# ---------------------------------------------------------------------------------------- continuous laws


@dataclass(frozen=True)
class StandardLaw:
    """A law with exact rational moments and a sampler. ``symmetric`` about zero; ``moment`` raises
    :class:`NotRational` for a moment that does not exist."""

    name: str
    moment: Callable[[int], Fraction]
    draw: Draw
    symmetric: bool = True


def _normal_moment(order: int) -> Fraction:
    return Fraction(prod(range(1, order, 2))) if order % 2 == 0 else Fraction(0)


def _uniform_moment(order: int) -> Fraction:
    """Of the uniform law on [-sqrt(3), sqrt(3)]."""
    return Fraction(3 ** (order // 2), order + 1) if order % 2 == 0 else Fraction(0)


def _interval_moment(order: int) -> Fraction:
    """Of the uniform law on [-1, 1]."""
    return Fraction(1, order + 1) if order % 2 == 0 else Fraction(0)


def _laplace_moment(order: int) -> Fraction:
    return Fraction(factorial(order), 2 ** (order // 2)) if order % 2 == 0 else Fraction(0)


STUDENT_FREEDOM = 20


def _student_moment(order: int) -> Fraction:
    """Of Student's t scaled to variance 1: E T^(2k) = f^k prod (2i - 1)/(f - 2i), for 2k < f."""
    if order % 2:
        return Fraction(0)
    if order >= STUDENT_FREEDOM:
        raise NotRational(f"Student's t with {STUDENT_FREEDOM} degrees of freedom has no moment of order {order}")
    half = order // 2
    ratio = prod((Fraction(2 * i - 1, STUDENT_FREEDOM - 2 * i) for i in range(1, half + 1)), start=Fraction(1))
    return Fraction(STUDENT_FREEDOM - 2) ** half * ratio


def _exponential_moment(order: int) -> Fraction:
    """Of an exponential variable minus its mean: the number of derangements."""
    return Fraction(sum((-1) ** (order - k) * comb(order, k) * factorial(k) for k in range(order + 1)))


_STUDENT_SCALE = sqrt((STUDENT_FREEDOM - 2) / STUDENT_FREEDOM)


# Samplers are functions of the module, not lambdas, so that they can be sent to other processes.
def _draw_normal(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    generator.standard_normal(out=out)


def _draw_interval(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    generator.random(out=out)
    out *= 2
    out -= 1


def _draw_uniform(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    _draw_interval(generator, out)
    out *= sqrt(3)


def _draw_laplace(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    out[...] = generator.laplace(0, sqrt(1 / 2), out.shape)


def _draw_student(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    out[...] = generator.standard_t(STUDENT_FREEDOM, out.shape)
    out *= _STUDENT_SCALE


def _draw_exponential(generator: np.random.Generator, out: NDArray[np.float64]) -> None:
    generator.standard_exponential(out=out)
    out -= 1


NORMAL = StandardLaw("normal", _normal_moment, _draw_normal)
UNIFORM = StandardLaw("uniform", _uniform_moment, _draw_uniform)
INTERVAL = StandardLaw("uniform on [-1, 1]", _interval_moment, _draw_interval)
LAPLACE = StandardLaw("Laplace", _laplace_moment, _draw_laplace)
STUDENT = StandardLaw("Student t", _student_moment, _draw_student)
EXPONENTIAL = StandardLaw("exponential", _exponential_moment, _draw_exponential, symmetric=False)

UNIT_VARIANCE: Sequence[StandardLaw] = (NORMAL, UNIFORM, LAPLACE, STUDENT, EXPONENTIAL)
"""Laws of mean 0 and variance 1."""


def _draw_finite(
    generator: np.random.Generator,
    out: NDArray[np.float64],
    values: NDArray[np.float64],
    edges: NDArray[np.float64],
) -> None:
    generator.random(out=out)
    out[...] = values[np.searchsorted(edges, out, side="right")]


def finite_standard(law: FiniteLaw) -> StandardLaw:
    """A finite law as one to sample from."""
    values = np.array([float(v) for v in law.values])
    edges = np.cumsum([float(w) for w in law.weights])[:-1]
    return StandardLaw(law.text, law.moment, partial(_draw_finite, values=values, edges=edges), symmetric=False)
