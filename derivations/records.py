"""What a derivation is, once it has been read: lines with reasons, and the assumptions they stand on.

The records are plain data about language objects. Prover, numerics and printers all read them; none of them
stands in here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, TypeAlias

from sympy import Expr

from derivations.language.errors import LanguageError
from derivations.language.givens import Given, given_at
from derivations.language.structure import substitute
from derivations.language.symbols import Dimension, Index, check_size
from derivations.language.written import shape_of, shape_text

Language: TypeAlias = Literal["en", "zh"]


class Relation(StrEnum):
    """How a line stands to the line before it."""

    EQUALS = "="
    AT_MOST = "<="
    AT_LEAST = ">="
    LESS = "<"
    GREATER = ">"
    IFF = "<=>"


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

    Without reasons the prover looks for the smallest set that suffices. ``certificate`` is the slack of an inequality
    (right minus left, visibly not negative) or the factor of an equivalence (visibly not zero). ``cited`` are theorems
    that the step may use, already taken at the objects of this derivation.
    """

    relation: Relation
    expression: Expr
    reasons: tuple[str, ...] = ()
    certificate: Expr | None = None
    cited: tuple[Derivation, ...] = ()


@dataclass(frozen=True)
class Case:
    """A proof of the statement in one of several cases that exclude no possibility.

    ``text`` says the case (``n = 1``); the lines and ``givens`` are already those of the case.
    """

    text: str
    start: Expr
    lines: tuple[Line, ...]
    givens: tuple[Given, ...]


@dataclass(frozen=True)
class Derivation:
    """A chain of lines under givens. Step ``k`` (counted from 1) leads from line ``k - 1`` to line ``k``.

    With ``cases`` the one line is the statement and the steps are those of the cases, numbered through. With
    ``parts`` the statement is that all parts hold, and each part is one step. ``original`` is the theorem of which
    this is an instance, where it is cited with other objects, and ``objects`` says what replaces what.
    """

    name: str
    title: Title
    start: Expr
    lines: tuple[Line, ...]
    givens: tuple[Given, ...]
    source: str = ""
    file: str = field(default="", compare=False)
    cases: tuple[Case, ...] = ()
    parts: tuple[Derivation, ...] = ()
    original: Derivation | None = None
    objects: tuple[tuple[Expr, Expr], ...] = ()

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All lines from the first to the last."""
        return (self.start, *(line.expression for line in self.lines))

    @property
    def end(self) -> Expr:
        """The last line."""
        return self.lines[-1].expression

    @property
    def relation(self) -> Relation:
        """How the first line stands to the last: the strictest relation that the chain of lines gives."""
        return combined_relation(tuple(line.relation for line in self.lines))

    @property
    def steps(self) -> tuple[Step, ...]:
        """Each pair of consecutive lines; of all cases where there are cases; each part where there are parts."""
        if self.parts:
            return tuple(
                Step(k, part.start, Line(part.relation, part.end), part.givens, part.name)
                for k, part in enumerate(self.parts, start=1)
            )
        if self.cases:
            pairs = [
                (before, line, case.givens, case.text)
                for case in self.cases
                for before, line in _pairs(case.start, case.lines)
            ]
        else:
            pairs = [(before, line, self.givens, "") for before, line in _pairs(self.start, self.lines)]
        return tuple(Step(k, *pair) for k, pair in enumerate(pairs, start=1))


def line_at(line: Line, replacements: Mapping[Expr, Expr]) -> Line:
    """A line with parts of its expressions replaced."""
    certificate = None if line.certificate is None else substitute(line.certificate, replacements)
    return replace(line, expression=substitute(line.expression, replacements), certificate=certificate)


def taken_at(theorem: Derivation, replacements: Mapping[Expr, Expr]) -> Derivation:
    """The statement of a theorem, with its assumptions, at other objects.

    Raises ``LanguageError`` for a capture and for an object of another kind or size than the one it replaces.
    """
    for old, new in replacements.items():
        _check_kind(old, new, replacements)
    return replace(
        theorem,
        start=substitute(theorem.start, replacements),
        lines=tuple(line_at(one, replacements) for one in theorem.lines),
        givens=tuple(given_at(one, replacements) for one in theorem.givens),
        original=theorem,
        objects=tuple(replacements.items()),
    )


def _check_kind(old: Expr, new: Expr, replacements: Mapping[Expr, Expr]) -> None:
    """A dimension becomes a dimension, an index an index, an array one of the same sizes, a scalar a scalar."""
    if isinstance(old, Dimension):
        check_size(new, f"what is put for {old}")
        return
    if isinstance(old, Index):
        size = substitute(old.dimension, replacements)
        if not isinstance(new, Index) or new.dimension != size:
            raise LanguageError(f"what is put for the index {old} is an index that runs to {size}, not {new}")
        return
    wanted = tuple(substitute(size, replacements) for size in shape_of(old))
    if shape_of(new) != wanted:
        raise LanguageError(f"what is put for {old} is {shape_text(wanted)}; {new} is {shape_text(shape_of(new))}")


def _pairs(start: Expr, lines: tuple[Line, ...]) -> list[tuple[Expr, Line]]:
    before = (start, *(line.expression for line in lines))
    return list(zip(before, lines, strict=False))


@dataclass(frozen=True)
class Step:
    """One step: from ``left`` to the expression of ``line``, under ``givens``. ``label`` names its case or part."""

    number: int
    left: Expr
    line: Line
    givens: tuple[Given, ...] = ()
    label: str = ""

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
    if Relation.IFF in relations:
        if set(relations) == {Relation.IFF}:
            return Relation.IFF
        raise MixedRelations("the chain mixes equivalences of statements with relations of numbers")
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
