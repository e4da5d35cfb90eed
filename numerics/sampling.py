"""Drawing random arrays: independent entries, each array in one call where its entries share a law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from sympy import Expr

from derivations.language.arrays import RandomArray
from numerics.errors import Unsupported
from numerics.joint import AffineLaw, ContinuousBlock, JointLaw
from numerics.laws import FiniteLaw, StandardLaw, finite_standard
from numerics.values import OUTCOME, Value

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ArraySampler:
    """Entries location + scale * Z with Z from ``laws``: a single law for all entries, or one for each."""

    shape: tuple[int, ...]
    laws: tuple[StandardLaw, ...]
    location: Floats
    scale: Floats

    def draw(self, generator: np.random.Generator, out: Floats) -> None:
        """Fill ``out``, of shape (count, *shape), with draws."""
        if len(self.laws) == 1:
            self.laws[0].draw(generator, out)
        else:
            column = np.empty(len(out))
            flat = out.reshape(len(out), -1)
            for k, law in enumerate(self.laws):
                law.draw(generator, column)
                flat[:, k] = column
        if np.any(self.scale != 1):
            out *= self.scale
        if np.any(self.location != 0):
            out += self.location


@dataclass(frozen=True, eq=False)
class Sampler:
    """Draws all random arrays, independent of each other, always in the same order."""

    arrays: tuple[tuple[RandomArray, ArraySampler], ...]

    @property
    def cells(self) -> int:
        """How many numbers one sample takes."""
        return sum(int(np.prod(one.shape, dtype=int)) for _, one in self.arrays)

    def workspace(self, count: int) -> tuple[Floats, ...]:
        """Memory for ``count`` samples of each array, to be used again and again."""
        return tuple(np.empty((count, *sampler.shape)) for _, sampler in self.arrays)

    def draw(self, generator: np.random.Generator, count: int, workspace: tuple[Floats, ...]) -> dict[Expr, Value]:
        """``count`` samples of each array in the workspace, the outcome axis first."""
        drawn: dict[Expr, Value] = {}
        for (array, sampler), memory in zip(self.arrays, workspace, strict=True):
            out = memory[:count]
            sampler.draw(generator, out)
            drawn[array] = Value(out, (OUTCOME,), len(sampler.shape))
        return drawn


def sampler_of(joint: JointLaw) -> Sampler:
    """The sampler of a joint law with independent cells. Raises :class:`Unsupported` for dependent ones."""
    law_of: dict[int, AffineLaw] = {}
    for block in joint.blocks:
        if len(block.cells) != 1:
            raise Unsupported("dependent entries are enumerated, not sampled")
        if isinstance(block, ContinuousBlock):
            law_of[block.cells[0]] = block.law
        else:
            finite = FiniteLaw(tuple(outcome[0] for outcome in block.outcomes), block.weights)
            law_of[block.cells[0]] = AffineLaw(finite_standard(finite), Fraction(0), Fraction(1))
    return Sampler(tuple((array, _array_sampler(cells, law_of)) for array, cells in joint.cells.items()))


def _array_sampler(cells: NDArray[np.int_], law_of: Mapping[int, AffineLaw]) -> ArraySampler:
    laws = [law_of[int(cell)] for cell in cells.reshape(-1)]
    standards = tuple(law.standard for law in laws)
    if len({law.name for law in standards}) == 1:
        standards = standards[:1]
    location = np.array([float(law.location) for law in laws]).reshape(cells.shape)
    scale = np.sqrt(np.array([float(law.square) for law in laws])).reshape(cells.shape)
    return ArraySampler(cells.shape, standards, location, scale)
