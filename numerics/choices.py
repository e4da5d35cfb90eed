"""The choices of a draw as a sequence of numbers, and the smallest sequence for which something holds.

Every draw of this package asks a source for one choice after the other; the place of the chosen element among those
offered, simplest first, is a number. So a draw is a sequence of numbers, and of two draws that one is simpler which
has fewer choices or, with as many, the smaller number at the first difference: Hypothesis shrinks in this order.

Source: D. R. MacIver and A. F. Donaldson, Test-case reduction via test-case generation, ECOOP 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from numerics.errors import NothingFound
from numerics.sources import Source

T = TypeVar("T")
Choices: TypeAlias = tuple[int, ...]

_LONGEST_DELETION = 8


class Exhausted(NothingFound):
    """A draw asks for more choices than there are."""


@dataclass(frozen=True)
class Recorded:
    """A source that passes on what another one chooses, and keeps it."""

    source: Source
    _made: list[int] = field(default_factory=list)

    @property
    def made(self) -> Choices:
        """The choices up to now."""
        return tuple(self._made)

    def choose(self, sequence: Sequence[T]) -> T:
        """The element that the other source chooses."""
        self._made.append(self.source.choose(range(len(sequence))))
        return sequence[self._made[-1]]

    def integer(self, lowest: int, highest: int) -> int:
        """The integer that the other source chooses."""
        self._made.append(self.source.integer(lowest, highest) - lowest)
        return lowest + self._made[-1]


@dataclass(frozen=True)
class Replayed:
    """Makes the choices of a sequence again. One that is not offered here becomes the simplest.

    Raises :class:`Exhausted` at the end of the sequence.
    """

    choices: Choices
    _made: list[int] = field(default_factory=list)

    @property
    def made(self) -> Choices:
        """The choices up to now."""
        return tuple(self._made)

    def choose(self, sequence: Sequence[T]) -> T:
        """The element at the place that comes next."""
        return sequence[self._next(len(sequence))]

    def integer(self, lowest: int, highest: int) -> int:
        """The integer at the place that comes next."""
        return lowest + self._next(highest - lowest + 1)

    def _next(self, count: int) -> int:
        if len(self._made) == len(self.choices):
            raise Exhausted("no choice is left")
        chosen = self.choices[len(self._made)]
        self._made.append(chosen if chosen < count else 0)
        return self._made[-1]


@dataclass(frozen=True)
class Prefixed:
    """Makes the choices of a sequence again and leaves those after it to another source."""

    choices: Iterator[int]
    source: Source

    def choose(self, sequence: Sequence[T]) -> T:
        """The element at the place that comes next."""
        place = next(self.choices, None)
        return self.source.choose(sequence) if place is None else sequence[place]

    def integer(self, lowest: int, highest: int) -> int:
        """The integer at the place that comes next."""
        place = next(self.choices, None)
        return self.source.integer(lowest, highest) if place is None else lowest + place


def simpler(first: Choices, second: Choices) -> bool:
    """Whether the first sequence is the simpler one."""
    return (len(first), first) < (len(second), second)


@dataclass(frozen=True)
class Found(Generic[T]):
    """What was found with the choices that lead to it."""

    choices: Choices
    value: T


@dataclass
class Shrinker(Generic[T]):
    """Makes a sequence simpler as long as ``attempt`` still finds something with it.

    ``attempt`` draws from a source and returns what it found, or None; it may raise :class:`Exhausted`. At most
    ``most`` draws are made, as long as ``goes_on`` says so.
    """

    attempt: Callable[[Source], T | None]
    best: Found[T]
    most: int
    goes_on: Callable[[], bool] = lambda: True
    _tried: set[Choices] = field(default_factory=set)
    _spent: int = 0

    def run(self) -> Found[T]:
        """Try what is simpler until nothing changes."""
        before = None
        while before != self.best.choices and self._left:
            before = self.best.choices
            for variants in (self._shorter, self._lower, self._lower_and_shorter, self._lower_together):
                self._improve(variants)
        return self.best

    @property
    def _left(self) -> bool:
        return self._spent < self.most and self.goes_on()

    def _improve(self, variants: Callable[[Choices], Iterator[Choices]]) -> None:
        """Take the first variant that is simpler and still finds something, and begin anew."""
        improved = True
        while improved and self._left:
            improved = any(self._accept(one) for one in variants(self.best.choices))

    def _accept(self, choices: Choices) -> bool:
        if choices in self._tried or not self._left or not simpler(choices, self.best.choices):
            return False
        self._tried.add(choices)
        source = Replayed(choices)
        try:
            value = self.attempt(source)
        except Exhausted:
            return False
        self._spent += 1
        if value is None or not simpler(source.made, self.best.choices):
            return False
        self.best = Found(source.made, value)
        return True

    def _shorter(self, choices: Choices) -> Iterator[Choices]:
        """Some choices in a row left out."""
        for length in range(min(_LONGEST_DELETION, len(choices)), 0, -1):
            for start in range(len(choices) - length, -1, -1):
                yield choices[:start] + choices[start + length :]

    def _lower(self, choices: Choices) -> Iterator[Choices]:
        """One choice lowered, the smallest first."""
        for place, old in enumerate(choices):
            for new in _smaller_numbers(old):
                yield (*choices[:place], new, *choices[place + 1 :])

    def _lower_and_shorter(self, choices: Choices) -> Iterator[Choices]:
        """One choice lowered and some choices in a row after it left out: a smaller dimension needs fewer entries."""
        for lowered in self._lower(choices):
            place = next(k for k, old in enumerate(choices) if lowered[k] != old)
            for length in range(min(_LONGEST_DELETION, len(choices) - place - 1), 0, -1):
                for start in range(place + 1, len(choices) - length + 1):
                    yield lowered[:start] + lowered[start + length :]

    def _lower_together(self, choices: Choices) -> Iterator[Choices]:
        """One choice lowered and a later one changed in exchange."""
        for lowered in self._lower(choices):
            place = next(k for k, old in enumerate(choices) if lowered[k] != old)
            for other in range(place + 1, len(choices)):
                for new in range(_MOST_OFFERED):
                    yield (*lowered[:other], new, *lowered[other + 1 :])


_MOST_OFFERED = 16


def _smaller_numbers(old: int) -> Iterator[int]:
    """All small ones, and steps between for a large one."""
    yield from range(min(old, 16))
    step = 16
    while step < old:
        yield step
        step *= 2
    if old > 16:
        yield from (old - 8, old - 1)
