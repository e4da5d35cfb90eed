"""A derivation as LaTeX: its assumptions as a sentence, then the lines with their reasons beside them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from derivations.records import Derivation, Language
from derivations.writing.latex import RELATIONS, latex, latex_relation
from derivations.writing.phrase import Phrase
from derivations.writing.words import LATEX, assumptions, declarations, reason_words

_ESCAPES: Mapping[str, str] = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "²": "${}^2$",
        "−": "$-$",
    }
)


def escaped(text: str) -> str:
    """Words as LaTeX text."""
    return "".join(_ESCAPES.get(one, one) for one in text)


def statement(derivation: Derivation) -> str:
    """What the derivation shows: its first line, the relation, its last line."""
    return latex_relation(derivation.start, derivation.relation, derivation.expressions[-1])


def document(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language = "en") -> str:
    """A paragraph for a LaTeX file that loads ``amsmath`` (and, for Chinese, ``ctex``).

    ``phrases`` says how each theory is named.
    """
    title = escaped(derivation.title.in_language(language))
    opening = _opening(derivation, language)
    stop = "。" if language == "zh" else "."
    source = f"% {' '.join(derivation.source.split())}\n" if derivation.source else ""
    return (
        f"% {derivation.name}\n{source}\\paragraph{{{title}{stop}}}\n{opening}\n"
        f"\\begin{{align*}}\n{_lines(derivation, phrases, language)}\n\\end{{align*}}\n"
    )


def _opening(derivation: Derivation, language: Language) -> str:
    declared = [phrase.in_language(language) for phrase in declarations(derivation, LATEX)]
    assumed = [phrase.in_language(language) for phrase in assumptions(derivation.givens, LATEX)]
    if language == "zh":
        parts = [
            f"设 {'，'.join(declared)}。" if declared else "",
            f"假设 {'；'.join(assumed)}。" if assumed else "",
            "则",
        ]
        return "".join(parts)
    let = f"Here {'; '.join(declared)}." if declared else ""
    suppose = f"Suppose that {'; '.join(assumed)}." if assumed else ""
    return " ".join(part for part in (let, suppose, "Then") if part)


def _lines(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language) -> str:
    rows = []
    for line in derivation.lines:
        reasons = escaped(reason_words(line.reasons, phrases, language))
        beside = f" && \\text{{{reasons}}}" if reasons else ""
        rows.append(f"  &{RELATIONS[line.relation]} {latex(line.expression)}{beside}")
    return f"{latex(derivation.start)}\n" + " \\\\\n".join(rows)
