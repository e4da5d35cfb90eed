"""The simplest counterexample among the examples that Hypothesis draws, in the order in which it shrinks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from numerics.choices import Exhausted, Found, Recorded, Shrinker, simpler
from numerics.errors import NotEvaluated
from numerics.examples import DrawInstance, Space
from numerics.instances import Instance
from numerics.sources import Seeded, Simplest, Source

T = TypeVar("T")

_STARTS = 32
_MOST = 150
_STARTS_OF_QUADRATURES = 4
_MOST_QUADRATURES = 16
"""Instances with continuous laws, which take longer."""

_SECONDS = 3.0
"""CPU time after which the simplest one so far will do."""


def _start(number: int, known: Source, seed: str) -> Source:
    if number == 1:
        return known
    return Simplest(max(0, number - 1)) if number < 4 else Seeded(f"{seed}/simplest/{number}")


@dataclass(frozen=True)
class Search(Generic[T]):
    """Where to look for the simplest counterexample. ``fails`` says what shows that an instance is one, or None."""

    space: Space
    fails: Callable[[Instance], T | None]
    draw: DrawInstance

    def attempt(self, source: Source) -> T | None:
        """What the example drawn from a source shows."""
        try:
            return self.fails(self.space.draw(source, self.draw))
        except Exhausted:
            raise
        except (NotEvaluated, ArithmeticError):
            return None

    def simplest(self, known: Source, seed: str, *, quickly: bool) -> T | None:
        """The simplest counterexample, or None if no start leads to one; ``known`` may. ``quickly`` tries fewer."""
        begun = time.process_time()

        def goes_on() -> bool:
            return time.process_time() - begun < _SECONDS

        best: Found[T] | None = None
        for start in range(_STARTS_OF_QUADRATURES if quickly else _STARTS):
            if not goes_on():
                break
            source = Recorded(_start(start, known, seed))
            value = self.attempt(source)
            if value is not None and (best is None or simpler(source.made, best.choices)):
                best = Found(source.made, value)
                if not any(best.choices):  # nothing is simpler
                    break
        most = _MOST_QUADRATURES if quickly else _MOST
        return None if best is None else Shrinker(self.attempt, best, most, goes_on).run().value
