"""A derivation in a terminal: the givens, then the lines with their reasons beside them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from derivations.language.structure import bound_indices, free_indices
from derivations.records import Derivation, Language
from derivations.writing.phrase import Phrase
from derivations.writing.unicode import RELATIONS, plain
from derivations.writing.words import PLAIN, assumptions, declarations, reason_words

# A line longer than this does not push the reasons of all the others to the right.
_WIDEST = 76
_HEADINGS: Mapping[str, Phrase] = {
    "source": Phrase("Source: {}", "出处：{}"),
    "given": Phrase("Given", "假设"),
    "then": Phrase("Then", "则"),
    "index": Phrase("{0} = 1, …, {1}", "{0} = 1, …, {1}"),
}


def width(text: str) -> int:
    """How many columns a text takes; Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text if not unicodedata.combining(one))


def padded(text: str, columns: int) -> str:
    """The text filled with spaces to a number of columns."""
    return text + " " * (columns - width(text))


def derivation_text(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language = "en") -> str:
    """The whole derivation. ``phrases`` says how each theory is named."""
    heading = [derivation.name, derivation.title.in_language(language)]
    if derivation.source:
        heading.append(_HEADINGS["source"].in_language(language).format(derivation.source))
    givens = [
        *(phrase.in_language(language) for phrase in declarations(derivation, PLAIN)),
        *_index_ranges(derivation),
        *(phrase.in_language(language) for phrase in assumptions(derivation.givens, PLAIN)),
    ]
    given = [_HEADINGS["given"].in_language(language), *(f"  {one}" for one in givens), ""] if givens else []
    then = [_HEADINGS["then"].in_language(language), *_lines(derivation, phrases, language)]
    return "\n".join([*heading, "", *given, *then]) + "\n"


def _index_ranges(derivation: Derivation) -> list[str]:
    """One line for each dimension, with the indices that run to it."""
    indices = {one for line in derivation.expressions for one in free_indices(line) | bound_indices(line)}
    ranges: dict[str, list[str]] = {}
    for one in sorted(indices, key=lambda one: one.name):
        ranges.setdefault(plain(one.dimension), []).append(plain(one))
    return [f"{', '.join(names)} = 1, …, {dimension}" for dimension, names in sorted(ranges.items())]


def _lines(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language) -> list[str]:
    rows = [
        (f"    {RELATIONS[line.relation]} {plain(line.expression)}", reason_words(line.reasons, phrases, language))
        for line in derivation.lines
    ]
    column = max((width(line) for line, _ in rows if width(line) <= _WIDEST), default=0) + 3
    shown = [f"{padded(line, column)} {reasons}".rstrip() if reasons else line for line, reasons in rows]
    return [f"  {plain(derivation.start)}", *shown]
