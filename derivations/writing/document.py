"""A derivation as LaTeX: its assumptions as a sentence, then the lines with their reasons beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.givens import Given
from derivations.records import Derivation, Language, Line
from derivations.writing.escaping import escaped
from derivations.writing.latex import RELATIONS, latex, latex_relation
from derivations.writing.phrase import Phrase
from derivations.writing.reasons import beside, case_words
from derivations.writing.unicode import plain
from derivations.writing.words import LATEX, Told, assumptions, claim, declarations, declared_objects, joined

__all__ = ["document", "escaped", "standalone", "statement"]

# With a first line longer than this, in columns of plain text, the lines after it begin further left.
_LONG = 32
# Reasons longer than this stand in rows of their own, one below the other.
_WIDEST_TAG = 80
_PREAMBLES: Mapping[Language, str] = MappingProxyType(
    {
        "en": "% Compile with pdflatex.\n\\documentclass[11pt,a4paper]{article}\n",
        "zh": "% Compile with xelatex.\n\\documentclass[11pt,a4paper]{ctexart}\n",
    }
)
_PACKAGES = """\\usepackage{amsmath,amssymb}
\\usepackage[margin=2.2cm]{geometry}
\\allowdisplaybreaks
\\emergencystretch=3em
"""


def statement(derivation: Derivation) -> str:
    """What the derivation shows: its first line, the relation, its last line; of a conjunction, each part's."""
    if derivation.parts:
        rows = r", \\ ".join(f"&{statement(part)}" for part in derivation.parts)
        return rf"\left\{{\begin{{aligned}} {rows} \end{{aligned}}\right."
    return latex_relation(derivation.start, derivation.relation, derivation.end)


def standalone(derivations: Iterable[Derivation], phrases: Mapping[str, Phrase], language: Language = "en") -> str:
    """A whole LaTeX file, for pdflatex or, in Chinese, for xelatex."""
    paragraphs = "\n".join(document(one, phrases, language) for one in derivations)
    return f"{_PREAMBLES[language]}{_PACKAGES}\\begin{{document}}\n\n{paragraphs}\n\\end{{document}}\n"


def document(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language = "en") -> str:
    """A paragraph for a LaTeX file that loads ``amsmath`` (and, for Chinese, ``ctex``).

    ``phrases`` says how each theory is named.
    """
    title = escaped(derivation.title.in_language(language))
    stop = "。" if language == "zh" else "."
    body = _body(derivation, phrases, language)
    return f"% {derivation.name}\n\\paragraph{{{title}{stop}}}\n{body}{_source(derivation.source, language)}"


def _source(source: str, language: Language) -> str:
    if not source:
        return ""
    said = escaped(" ".join(source.split()))
    words = f"出处：{said}。" if language == "zh" else f"Source: {said}."
    return f"\\noindent{{\\small {words}\\par}}\n"


def _body(derivation: Derivation, phrases: Mapping[str, Phrase], language: Language) -> str:
    if derivation.parts:
        return _conjunction(derivation, language, Told())
    opening = _opening(derivation, language)
    if not derivation.cases:
        return f"{opening}\n{_aligned(derivation.start, derivation.lines, phrases, language)}"
    cases = (
        f"\\emph{{{_case_heading(case.text, language)}}}\n{_aligned(case.start, case.lines, phrases, language)}"
        for case in derivation.cases
    )
    return "".join([f"{opening}\n\\[ {statement(derivation)} \\]\n", *cases])


def _case_heading(text: str, language: Language) -> str:
    """The words before the lines of a case."""
    words = case_words(text, LATEX).in_language(language)
    return f"{words}：" if language == "zh" else f"{words[:1].upper()}{words[1:]}:"


def _conjunction(derivation: Derivation, language: Language, told: Told) -> str:
    shared = told.shared_by(derivation)
    items = "".join(f"\\item {_item(part, language, told.and_also(shared))}" for part in derivation.parts)
    assumed = _assumed(shared.objects, shared.givens, language)
    if language == "zh":
        lead = f"{assumed}则以下各条均成立。" if assumed else "以下各条均成立。"
    else:
        lead = f"{assumed} Then all of the following hold." if assumed else "All of the following hold."
    return f"{lead}\n\\begin{{enumerate}}\n{items}\\end{{enumerate}}\n"


def _item(part: Derivation, language: Language, told: Told) -> str:
    title = escaped(part.title.in_language(language))
    head = f"\\emph{{{title}}}（\\texttt{{{_typewriter(part.name)}}}）。" if language == "zh" else ""
    head = head or f"\\emph{{{title}}} (\\texttt{{{_typewriter(part.name)}}}). "
    if part.parts:
        return f"{head}{_conjunction(part, language, told)}"
    return f"{head}{_opening(claim(part), language, told)}\n\\[ {statement(part)} \\]\n"


def _opening(derivation: Derivation, language: Language, told: Told | None = None) -> str:
    told = told or Told()
    assumed = _assumed(told.new(declared_objects(derivation)), told.new(derivation.givens), language)
    if language == "zh":
        return f"{assumed}则" if assumed else "有"
    return f"{assumed} Then" if assumed else "We have"


def _assumed(objects: Iterable[Basic], givens: Iterable[Given], language: Language) -> str:
    """What is declared and what is assumed, as sentences; nothing where there is neither."""
    declared = [phrase.in_language(language) for phrase in declarations(objects, LATEX)]
    assumed = [phrase.in_language(language) for phrase in assumptions(givens, LATEX)]
    if language == "zh":
        parts = [("设", "，".join(declared)), ("假设", "；".join(assumed))]
        return "".join(f"{joined(verb, rest)}。" for verb, rest in parts if rest)
    let = f"Here {'; '.join(declared)}." if declared else ""
    suppose = f"Suppose that {'; '.join(assumed)}." if assumed else ""
    return " ".join(part for part in (let, suppose) if part)


def _aligned(start: Expr, lines: Iterable[Line], phrases: Mapping[str, Phrase], language: Language) -> str:
    """The lines one below the other. A reason is a tag, which steps below its line where there is no room beside it."""
    parted = "；" if language == "zh" else "; "
    rows = []
    for line in lines:
        shown = f"  &{RELATIONS[line.relation]} {latex(line.expression)}"
        reasons = beside(line, phrases, language, LATEX)
        if sum(map(len, beside(line, phrases, language))) > _WIDEST_TAG:
            rows += [f"{shown} \\tag*{{{reasons[0]}}}", *(f"  & \\tag*{{{one}}}" for one in reasons[1:])]
        else:
            rows.append(f"{shown} \\tag*{{{parted.join(reasons)}}}" if reasons else shown)
    first = f"&{latex(start)} \\\\" if len(plain(start)) > _LONG else latex(start)
    body = " \\\\\n".join(rows)
    return f"\\begin{{align*}}\n{first}\n{body}\n\\end{{align*}}\n"


def _typewriter(name: str) -> str:
    """A name in typewriter letters, which TeX may break after a stop or an underscore."""
    return name.replace("_", r"\_\allowbreak ").replace(".", r".\allowbreak ")
