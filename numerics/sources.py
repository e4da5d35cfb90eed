"""Where choices come from: a plain seed, or anything else that can choose (Hypothesis, the simplest choice)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

T = TypeVar("T")


class Source(Protocol):
    """Something that makes choices. Sequences are offered simplest first."""

    def choose(self, sequence: Sequence[T]) -> T:
        """One element of a non-empty sequence."""

    def integer(self, lowest: int, highest: int) -> int:
        """An integer between the two, both included."""


@dataclass(frozen=True)
class Simplest:
    """Always the first choice (or, for another ``place``, that one): for counterexamples that a person can read."""

    place: int = 0

    def choose(self, sequence: Sequence[T]) -> T:
        """The element at the place, or the last."""
        return sequence[min(self.place, len(sequence) - 1)]

    def integer(self, lowest: int, highest: int) -> int:
        """The lowest."""
        return lowest


@dataclass(frozen=True)
class Seeded:
    """Choices that are a function of the seed (and of nothing else, on any machine)."""

    seed: str
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_random", random.Random(self.seed))

    def choose(self, sequence: Sequence[T]) -> T:
        """One element, all equally likely."""
        return sequence[self._random.randrange(len(sequence))]

    def integer(self, lowest: int, highest: int) -> int:
        """One integer, all equally likely."""
        return self._random.randint(lowest, highest)
