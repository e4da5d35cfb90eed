"""The words beside a line and before the lines of a case: reasons, citations, certificates, labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sympy import Integer, Symbol

from derivations.records import Derivation, Language, Line, Relation, Step
from derivations.writing.phrase import Phrase
from derivations.writing.words import PLAIN, Medium


def beside(
    line: Line, phrases: Mapping[str, Phrase], language: Language = "en", medium: Medium = PLAIN
) -> tuple[str, ...]:
    """What stands beside a line: the reasons, the theorems it cites, and the certificate that shows it."""
    reasons = medium.prose(reason_words(line.reasons, phrases, language))
    told = (*(citation(one, medium) for one in line.cited), *certificate(line, medium))
    return tuple(one for one in (reasons, *(phrase.in_language(language) for phrase in told)) if one)


def citation(theorem: Derivation, medium: Medium = PLAIN) -> Phrase:
    """The title of a cited theorem, with what its objects stand for."""
    pairs = tuple(medium.inline(theirs, "=", ours) for theirs, ours in theorem.objects if theirs != ours)
    title_en, title_zh = medium.prose(f"“{theorem.title.en}”"), medium.prose(theorem.title.zh)
    with_en, with_zh = (f" with {', '.join(pairs)}", f"（取 {'，'.join(pairs)}）") if pairs else ("", "")
    return Phrase(f"by {title_en}{with_en}", f"由“{title_zh}”{with_zh}")


def certificate(line: Line, medium: Medium = PLAIN) -> tuple[Phrase, ...]:
    """What shows an inequality or an equivalence, and what is visible of it."""
    if line.certificate is None:
        return ()
    if line.relation is Relation.IFF:
        shown = medium.inline(line.certificate, "!=", Integer(0))
        return (Phrase(f"factor {shown}", f"两边同乘 {shown}"),)
    strict = line.relation in (Relation.LESS, Relation.GREATER)
    shown = medium.inline(line.certificate, ">" if strict else ">=", Integer(0))
    return (Phrase(f"difference {shown}", f"两边之差为 {shown}"),)


def step_label(step: Step, medium: Medium = PLAIN) -> Phrase:
    """The case or the part that a step belongs to, in brackets after its number; nothing for any other step."""
    if not step.label:
        return Phrase("", "")
    if _CASE.fullmatch(step.label):
        words = case_words(step.label, medium)
        return Phrase(f" ({words.en})", f"（{words.zh}）")
    name = medium.prose(step.label)
    return Phrase(f" ({name})", f"（{name}）")


_CASE = re.compile(r"(\w+) (=|<=|>=|<|>) (\d+)")


def case_words(text: str, medium: Medium = PLAIN) -> Phrase:
    """What a case assumes, such as ``n >= 2``."""
    found = _CASE.fullmatch(text)
    shown = medium.inline(Symbol(found[1]), found[2], Integer(int(found[3]))) if found else medium.prose(text)
    return Phrase(f"case {shown}", f"当 {shown} 时")


def reason_words(reasons: Iterable[str], phrases: Mapping[str, Phrase], language: Language = "en") -> str:
    """The reasons beside a line. ``phrases`` says how each theory is named."""
    words = (phrases[one].in_language(language) if one in phrases else one for one in reasons)
    return ("、" if language == "zh" else ", ").join(words)
