"""What a derivation is, once it has been read: lines with reasons, and the assumptions they stand on.

The records are plain data about language objects. Prover, numerics and printers all read them; none of them
stands in here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from sympy import Expr

from derivations.language.givens import Given

Language: TypeAlias = Literal["en", "zh"]


class Relation(StrEnum):
    """How a line stands to the line before it."""

    EQUALS = "="
    AT_MOST = "<="
    AT_LEAST = ">="
    LESS = "<"
    GREATER = ">"


@dataclass(frozen=True)
class Title:
    """A title in both languages."""

    en: str
    zh: str

    def in_language(self, language: Language) -> str:
        """The title in English (``en``) or Chinese (``zh``)."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True)
class Line:
    """One line of a chain after the first: how it relates to the line before, and the author's reasons (theory names).

    Without reasons the prover looks for the smallest set that suffices.
    """

    relation: Relation
    expression: Expr
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """A chain of lines under givens. Step ``k`` (counted from 1) leads from line ``k - 1`` to line ``k``."""

    name: str
    title: Title
    start: Expr
    lines: tuple[Line, ...]
    givens: tuple[Given, ...]
    source: str = ""
    file: str = field(default="", compare=False)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All lines from the first to the last."""
        return (self.start, *(line.expression for line in self.lines))

    @property
    def relation(self) -> Relation:
        """How the first line stands to the last: the strictest relation that the chain of lines gives."""
        return combined_relation(tuple(line.relation for line in self.lines))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Each pair of consecutive lines."""
        before = self.expressions
        return tuple(Step(k, before[k - 1], line) for k, line in enumerate(self.lines, start=1))


@dataclass(frozen=True)
class Step:
    """One step: from ``left`` to the expression of ``line``."""

    number: int
    left: Expr
    line: Line

    @property
    def right(self) -> Expr:
        """The expression the step arrives at."""
        return self.line.expression

    @property
    def relation(self) -> Relation:
        """The relation claimed between left and right."""
        return self.line.relation


_RISING = frozenset({Relation.AT_MOST, Relation.LESS})
_FALLING = frozenset({Relation.AT_LEAST, Relation.GREATER})


class MixedRelations(ValueError):
    """A chain that goes up in one line and down in another, so that its ends are not related at all."""


def combined_relation(relations: tuple[Relation, ...]) -> Relation:
    """The relation between the ends of a chain. Raises :class:`MixedRelations` for directions that do not agree."""
    present = set(relations) - {Relation.EQUALS}
    if not present:
        return Relation.EQUALS
    if present & _RISING and present & _FALLING:
        raise MixedRelations(f"the chain mixes {' and '.join(sorted(present))}, so nothing follows about its ends")
    rising = bool(present & _RISING)
    strict = bool(present & {Relation.LESS, Relation.GREATER})
    return {
        (True, True): Relation.LESS,
        (True, False): Relation.AT_MOST,
        (False, True): Relation.GREATER,
        (False, False): Relation.AT_LEAST,
    }[rising, strict]
