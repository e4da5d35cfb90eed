"""Softmax and the norm of its Jacobian, accurate where nearly all weight lies on one entry.

There 1 - y_m is far below the spacing of doubles near 1, so it is added up from the other entries, never subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Saturated:
    """For each row of scores: range, top gap, largest output, logarithm of the Frobenius norm of the Jacobian."""

    range: Floats
    gap: Floats
    largest: Floats
    log_norm: Floats

    @property
    def norm(self) -> Floats:
        """The Frobenius norm of the Jacobian."""
        return np.asarray(np.exp(self.log_norm))


def descending(scores: Floats) -> Floats:
    """Each row from the largest score to the smallest."""
    return np.asarray(-np.sort(-scores, axis=-1))


def saturated(ordered: Floats) -> Saturated:
    """What softmax does with rows of at least two scores, each in descending order.

    With m the first entry, 1 - y_m = tail and y_i = tail r_i for the others,
    ||J||_F^2 = tail^2 (y_m^2 + sum_i r_i^2 (1 - y_i)^2 + 2 y_m^2 sum_i r_i^2 + sum_{i != j} r_i^2 y_j^2).
    """
    gap = ordered[..., 0] - ordered[..., 1]
    below_second = np.exp(ordered[..., 1:] - ordered[..., 1:2])
    total = below_second.sum(axis=-1)
    log_odds = np.log(total) - gap
    tail, top = expit(log_odds), expit(-log_odds)
    squares = (below_second / total[..., None]) ** 2
    others = tail[..., None] ** 2 * squares
    among = np.maximum(squares.sum(axis=-1) * others.sum(axis=-1) - (squares * others).sum(axis=-1), 0)
    own = (squares * (1 - np.sqrt(others)) ** 2).sum(axis=-1)
    inside = top**2 + own + 2 * top**2 * squares.sum(axis=-1) + among
    log_tail = -np.logaddexp(0, -log_odds)
    return Saturated(ordered[..., 0] - ordered[..., -1], gap, top, log_tail + np.log(inside) / 2)


def jacobian_bound(gap: Floats | float, n: int) -> Floats:
    """The bound 2 (n - 1) exp(-gap) on the Frobenius norm of the Jacobian."""
    return np.asarray(2 * (n - 1) * np.exp(-np.asarray(gap)))
