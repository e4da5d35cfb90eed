"""The square of a dot product over all pairs of a block: m draws of Q and of K give m² products.

||Q K^T||² = <Q^T Q, K^T K> costs no more than m single products, and its mean over the m² pairs has the variance of a
two-sample U-statistic, ((m - 1)(a + b) + c)/m² with a = Var E[(q·k)² | q], b = Var E[(q·k)² | k], c = Var (q·k)².
For independent entries of mean 0, E[(q·k)² | q] = sum q_i² E[k_i²], so a and b follow from moments of the entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Integer

from derivations.language.arrays import Entry, RandomArray
from derivations.language.functions import Dot
from derivations.language.operators import Expectation, Summation, Variance
from derivations.language.written import Power, Times
from numerics.joint import JointLaw

Floats = NDArray[np.float64]

_MOST_DRAWS = 512


@dataclass(frozen=True)
class AllPairs:
    """How to compute the statistic: ``block`` draws of each of the two arrays make one sample."""

    first: RandomArray
    second: RandomArray
    block: int

    def statistic(self, first: Floats, second: Floats) -> Floats:
        """The mean of (q·k)² over the pairs of each block; both arguments have shape (samples * block, d)."""
        size = first.shape[-1]
        rows, columns = (one.reshape(-1, self.block, size) for one in (first, second))
        if size < self.block:
            left, right = (np.matmul(one.swapaxes(1, 2), one) for one in (rows, columns))
            total = np.einsum("nij,nij->n", left, right)
        else:
            products = np.matmul(rows, columns.swapaxes(1, 2))
            total = np.einsum("nij,nij->n", products, products)
        return np.asarray(total / self.block**2)


def dot_product(side: Expr) -> tuple[RandomArray, RandomArray] | None:
    """Q and K where the side is Var(Q·K) or E[(Q·K)²], however the product is written."""
    match side:
        case Variance():
            inner = side.args[0]
        case Expectation() if isinstance(side.args[0], Power) and side.args[0].args[1] == Integer(2):
            inner = side.args[0].args[0]
        case _:
            return None
    match inner:
        case Dot():
            factors = tuple(inner.args)
        case Summation() if isinstance(inner.body, Times) and len(inner.indices) == 1:
            entries = [one for one in inner.body.args if isinstance(one, Entry) and one.indices == inner.indices]
            factors = tuple(one.array for one in entries) if len(entries) == len(inner.body.args) else ()
        case _:
            return None
    if len(factors) != 2 or factors[0] == factors[1] or not all(isinstance(one, RandomArray) for one in factors):
        return None
    return factors[0], factors[1]


def _moments(joint: JointLaw, array: RandomArray) -> list[tuple[Fraction, Fraction, Fraction]]:
    """First, second and fourth moment of each entry."""
    moment = joint.variables.moment
    return [
        (moment(((int(cell), 1),)), moment(((int(cell), 2),)), moment(((int(cell), 4),)))
        for cell in joint.cells[array].reshape(-1)
    ]


def plan_pairs(side: Expr, joint: JointLaw, variance: Fraction, delta: float) -> tuple[AllPairs, Fraction] | None:
    """The block size that needs the fewest draws, with the exact variance of a block's mean.

    ``variance`` is that of one (q·k)², ``delta`` the distance to be seen. None where the side is no dot product, or the
    entries are not all independent with mean 0.
    """
    pair = dot_product(side)
    if pair is None or any(len(block.cells) > 1 for block in joint.blocks):
        return None
    first, second = (_moments(joint, one) for one in pair)
    if any(mean for mean, _, _ in (*first, *second)):
        return None
    given_one = sum(
        ((q4 - q2**2) * k2**2 + (k4 - k2**2) * q2**2 for (_, q2, q4), (_, k2, k4) in zip(first, second, strict=True)),
        Fraction(0),
    )
    # The draws needed grow with 2 (m v) + m delta², and m v is about given_one + variance/m.
    block = max(1, min(_MOST_DRAWS, round(sqrt(2 * float(variance)) / delta)))
    return AllPairs(*pair, block), ((block - 1) * given_one + variance) / block**2
