"""A derivation in a terminal: the givens, then the lines with their reasons beside them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.givens import Given
from derivations.records import Derivation, Language, Line
from derivations.writing.phrase import Phrase
from derivations.writing.reasons import beside, case_words
from derivations.writing.unicode import RELATIONS, plain, plain_relation
from derivations.writing.words import PLAIN, Told, assumptions, claim, declarations, declared_objects

# A line longer than this does not push the reasons of all the others to the right.
_WIDEST = 76
# Where a row would be wider than this, the reasons stand below the line.
_PAGE = 130
_HEADINGS: Mapping[str, Phrase] = {
    "source": Phrase("Source: {}", "出处：{}"),
    "given": Phrase("Given", "假设"),
    "then": Phrase("Then", "则"),
    "all": Phrase("All of these hold", "以下各条均成立"),
    "part": Phrase("{} ({})", "{}（{}）"),
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
    return "\n".join([*heading, "", *_body(derivation, phrases, language)]) + "\n"


def _body(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language) -> list[str]:
    if derivation.parts:
        return _conjunction(derivation, language, Told())
    then = [*_given(derivation, language), _HEADINGS["then"].in_language(language)]
    if not derivation.cases:
        return [*then, *_lines(derivation.start, derivation.lines, phrases, language)]
    then.append(f"  {_statement(derivation)}")
    for case in derivation.cases:
        words = case_words(case.text).in_language(language)
        heading = f"{words[:1].upper()}{words[1:]}"
        then += ["", heading, *_lines(case.start, case.lines, phrases, language)]
    return then


def _conjunction(derivation: Derivation, language: Language, told: Told) -> list[str]:
    """What all parts assume; then the parts numbered, each with what it assumes besides, and without its proof, which
    stands under its name."""
    shared = told.shared_by(derivation)
    rows = _assumed(shared.objects, shared.givens, language)
    rows.append(_HEADINGS["all"].in_language(language))
    told = told.and_also(shared)
    for number, part in enumerate(derivation.parts, start=1):
        title = _HEADINGS["part"].in_language(language).format(part.title.in_language(language), part.name)
        inner = _conjunction(part, language, told) if part.parts else _claim(claim(part), language, told)
        margin = " " * (len(str(number)) + 2)
        rows += ["", f"{number}. {title}", *(f"{margin}{one}".rstrip() for one in inner)]
    return rows


def _claim(part: Derivation, language: Language, told: Told) -> list[str]:
    return [*_given(part, language, told), _HEADINGS["then"].in_language(language), f"  {_statement(part)}"]


def _statement(derivation: Derivation) -> str:
    return plain_relation(derivation.start, derivation.relation, derivation.end)


def _given(derivation: Derivation, language: Language, told: Told | None = None) -> list[str]:
    objects = declared_objects(derivation, bound=True)
    if told is None:
        return _assumed(objects, derivation.givens, language)
    return _assumed(told.new(objects), told.new(derivation.givens), language)


def _assumed(objects: Iterable[Basic], givens: Iterable[Given], language: Language) -> list[str]:
    sentences = [
        *(phrase.in_language(language) for phrase in declarations(objects, PLAIN)),
        *(phrase.in_language(language) for phrase in assumptions(givens, PLAIN)),
    ]
    return [_HEADINGS["given"].in_language(language), *(f"  {one}" for one in sentences), ""] if sentences else []


def _lines(start: Expr, lines: Iterable[Line], phrases: Mapping[str, Phrase], language: Language) -> list[str]:
    parted = "；" if language == "zh" else "; "
    rows = [
        (f"    {RELATIONS[line.relation]} {plain(line.expression)}", parted.join(beside(line, phrases, language)))
        for line in lines
    ]
    column = max((width(line) for line, _ in rows if width(line) <= _WIDEST), default=0) + 3
    shown = [f"  {plain(start)}"]
    for line, reasons in rows:
        if reasons and column + width(reasons) > _PAGE:
            shown += [line, f"        {reasons}"]
        else:
            shown.append(f"{padded(line, column)} {reasons}" if reasons else line)
    return shown
