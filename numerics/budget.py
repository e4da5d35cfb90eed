"""An error rate that many tests share, so that all of them together err at most that often.

The shares add up to at most the whole, and so does the probability that any of the tests errs: the union bound
(C. E. Bonferroni, Teoria statistica delle classi e calcolo delle probabilità, 1936). It asks for no independence.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nextafter


@dataclass(frozen=True)
class ErrorBudget:
    """An error rate ``alpha`` for ``examples`` examples together, with ``checks`` sampled checks in each."""

    alpha: float
    examples: int
    checks: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ValueError(f"alpha is a probability between 0 and 1, not {self.alpha}")
        if self.examples < 1 or self.checks < 1:
            raise ValueError("a budget is for one example or more, with one check or more in each")

    @property
    def share(self) -> float:
        """The error rate of one check, rounded down: all shares add up to at most ``alpha``."""
        parts = self.examples * self.checks
        nearest = self.alpha / parts
        return nearest if Fraction(nearest) * parts <= Fraction(self.alpha) else nextafter(nearest, 0.0)
