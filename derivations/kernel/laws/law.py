"""What a row of the law table holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Expr

from derivations.language.givens import Given
from derivations.records import Relation


@dataclass(frozen=True)
class Statement:
    """An equation, or another relation, between two written expressions under givens."""

    left: Expr
    right: Expr
    givens: tuple[Given, ...] = ()
    relation: Relation = Relation.EQUALS


@dataclass(frozen=True)
class Law:
    """One law.

    ``rule`` is what the kernel applies. ``positive`` is the law as an expression, proved by the theories in
    ``reasons`` with this row and not without it; ``negative`` is a falsehood next to it. Where the law has a side
    condition, ``condition`` is the given that makes the negative example true.
    """

    name: str
    en: str
    zh: str
    rule: Callable[..., Any]
    positive: Callable[[], Statement]
    negative: Callable[[], Statement]
    reasons: tuple[str, ...] = ()
    condition: Callable[[], tuple[Given, ...]] | None = None

    @property
    def theory(self) -> str:
        """The theory the law belongs to: the first part of its name."""
        return self.name.split(".", maxsplit=1)[0]

    @property
    def theories(self) -> tuple[str, ...]:
        """The theories that prove the positive example."""
        return self.reasons or (self.theory,)
