"""Pieces of the pages, made from the library, from what ``verify`` reports, and from the experiments.

Pure functions from records to HTML; they know nothing of Sphinx. ``Maths`` turns LaTeX into HTML.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any, Protocol

from derivations.faces.phrases import theory_phrases
from derivations.faces.tables import Table
from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.theories import THEORIES
from derivations.language.givens import Given
from derivations.records import Derivation, Language, Line
from derivations.writing.document import statement
from derivations.writing.latex import RELATIONS, latex, latex_relation
from derivations.writing.phrase import Phrase
from derivations.writing.reasons import case_words, certificate, citation, reason_words
from derivations.writing.verdicts import IN_CHINESE, VERDICTS
from derivations.writing.words import LATEX, Medium, assumptions, claim, declarations, declared_objects, joined

_NAME = re.compile(r"√\(?(?P<root>[^\W\d_](?:_\w+)?)\)?|(?<!\w)(?P<name>[^\W\d_]_[^\W_]+)(?!\w)")
_WORDS: Mapping[str, Phrase] = MappingProxyType(
    {
        "let": Phrase("Here {}. ", "{}。"),
        "suppose": Phrase("Suppose that {}. ", "{}。"),
        "then": Phrase("Then", "则"),
        "source": Phrase("Source: {}.", "出处：{}。"),
        "steps": Phrase(
            "{count}: {proofs}; numerics: {evidence}. Checked by {methods}.",
            "{count}：{proofs}；数值检验：{evidence}。检验方法：{methods}。",
        ),
        "one": Phrase("1 step", "1 步"),
        "many": Phrase("{} steps", "{} 步"),
        "closed": Phrase("{} proved", "{} 步已证"),
        "conditional": Phrase("{} conditional", "{} 步有附加条件"),
        "open": Phrase("{} open", "{} 步未证"),
        "agrees": Phrase("{} agree", "{} 步一致"),
        "refutes": Phrase("{} refuted", "{} 步被推翻"),
        "inconclusive": Phrase("{} inconclusive", "{} 步无定论"),
        "not run": Phrase("{} not run", "{} 步未检验"),
        "exact": Phrase("exact arithmetic", "精确算术"),
        "high_precision": Phrase("high precision", "高精度计算"),
        "finite_differences": Phrase("finite differences", "有限差分"),
        "monte_carlo": Phrase("Monte Carlo ({} samples)", "蒙特卡罗（{} 个样本）"),
        "law": Phrase("law", "法则"),
        "says": Phrase("what it says", "内容"),
        "false": Phrase("not to be proved", "不可证明的式子"),
        "condition": Phrase("unless", "除非"),
        "part": Phrase("what holds", "结论"),
        "verdict": Phrase("verdict", "结果"),
    }
)


class Maths(Protocol):
    """LaTeX to HTML."""

    def __call__(self, latex: str, *, display: bool = False) -> str:
        """The formula as HTML."""
        ...


@dataclass(frozen=True)
class Writer:
    """Writes fragments in one language."""

    maths: Maths
    language: Language

    def say(self, key: str, *parts: object, **named: object) -> str:
        """Words of the page itself."""
        return _WORDS[key].in_language(self.language).format(*parts, **named)

    def mixed(self, text: str) -> str:
        """Words with mathematics between dollar signs."""
        pieces = text.split("$")
        return "".join(self.maths(one) if k % 2 else escape(one, quote=False) for k, one in enumerate(pieces))


def _prose(text: str) -> str:
    """Words in which letters with subscripts, and roots, become mathematics."""
    return _NAME.sub(lambda found: f"$\\sqrt{{{found['root']}}}$" if found["root"] else f"${found['name']}$", text)


_MEDIUM = Medium(latex, LATEX.signs, "${}$", _prose)


def verdict_badge(word: str, language: Language) -> str:
    """A verdict, with its meaning as a tooltip."""
    meaning = escape(VERDICTS[word].in_language(language))
    shown = word.replace("_", " ")
    if language == "zh":
        shown = f"{IN_CHINESE[word]} {shown}"
    return f'<span class="verdict {word}" title="{meaning}">{shown}</span>'


def _claimed(derivation: Derivation, writer: Writer) -> str:
    return f'<div class="claim">{writer.maths(statement(derivation), display=True)}</div>'


def _opening(derivation: Derivation, writer: Writer) -> str:
    stop = "；" if writer.language == "zh" else "; "
    comma = "，" if writer.language == "zh" else "; "
    declared = [one.in_language(writer.language) for one in declarations(declared_objects(derivation), _MEDIUM)]
    assumed = [one.in_language(writer.language) for one in assumptions(derivation.givens, _MEDIUM)]
    let, suppose = comma.join(declared), stop.join(assumed)
    if writer.language == "zh":
        let, suppose = (joined(verb, rest) if rest else "" for verb, rest in (("设", let), ("假设", suppose)))
    text = writer.say("let", let) if let else ""
    text += writer.say("suppose", suppose) if suppose else ""
    return f'<p class="given">{writer.mixed(text)}{writer.say("then")}</p>'


def _chain(start: str, lines: Iterable[Line], writer: Writer) -> str:
    rows = [f'<div class="start">{writer.maths(start, display=True)}</div>']
    parted = "；" if writer.language == "zh" else "; "
    for line in lines:
        told = [reason_words(line.reasons, theory_phrases(), writer.language)]
        told += [citation(one, _MEDIUM).in_language(writer.language) for one in line.cited]
        reasons = parted.join(one for one in told if one)
        rows.append(
            f'<div class="relation">{writer.maths(RELATIONS[line.relation])}</div>'
            f'<div class="line">{writer.maths(latex(line.expression), display=True)}</div>'
            f'<div class="reason">{writer.mixed(reasons)}</div>'
        )
        shown = "".join(one.in_language(writer.language) for one in certificate(line, _MEDIUM))
        if shown:
            rows.append(f'<div class="certificate">{writer.mixed(shown)}</div>')
    return f'<div class="chain">{"".join(rows)}</div>'


def derivation_html(derivation: Derivation, facts: Mapping[str, Any], writer: Writer, *, whole: bool = True) -> str:
    """A derivation with its verdict: all its lines, or (``whole=False``) only what it shows."""
    if whole and derivation.cases:
        body = _opening(derivation, writer) + _claimed(derivation, writer)
        for case in derivation.cases:
            words = writer.mixed(case_words(case.text, _MEDIUM).in_language(writer.language))
            body += f'<p class="case">{words[:1].upper()}{words[1:]}</p>{_chain(latex(case.start), case.lines, writer)}'
    elif whole:
        body = _opening(derivation, writer) + _chain(latex(derivation.start), derivation.lines, writer)
    else:
        body = _opening(claim(derivation), writer) + _claimed(derivation, writer)
    title = writer.mixed(_prose(derivation.title.in_language(writer.language)))
    source = writer.say("source", escape(derivation.source, quote=False)) if whole and derivation.source else ""
    return (
        f'<div class="derivation" id="{derivation.name}">'
        f'<p class="head"><strong>{title}</strong> <code>{derivation.name}</code> '
        f"{verdict_badge(facts['verdict'], writer.language)}</p>{body}"
        f'<p class="checked">{_checked(facts, writer)} {source}</p></div>'
    )


def _checked(facts: Mapping[str, Any], writer: Writer) -> str:
    """How many steps are proved and confirmed, and by which methods."""
    steps = facts["steps"]
    comma = "，" if writer.language == "zh" else ", "
    proofs = Counter(one["proof"] for one in steps)
    evidence = Counter(one["evidence"] for one in steps)
    confirmed = [one for one in facts["numerics"] if one["outcome"] == "confirmed"]
    samples = sum(one["samples"] or 0 for one in confirmed if one["method"] == "monte_carlo")
    methods = dict.fromkeys(one["method"] for one in confirmed)
    return writer.say(
        "steps",
        count=writer.say("one") if len(steps) == 1 else writer.say("many", len(steps)),
        proofs=comma.join(writer.say(key, count) for key, count in proofs.items()),
        evidence=comma.join(writer.say(key, count) for key, count in evidence.items()),
        methods=comma.join(writer.say(key, f"{samples:,}") for key in methods) or "–",
    )


def conjunction_html(
    derivation: Derivation, facts: Mapping[str, Any], all_facts: Mapping[str, Any], writer: Writer
) -> str:
    """The parts of a conjunction, each with its own verdict, and the verdict of the whole."""
    rows = "".join(
        f"<tr><td>{k}</td><td>{writer.maths(statement(part), display=True)}"
        f'<span class="name">{writer.mixed(_prose(part.title.in_language(writer.language)))}</span></td>'
        f"<td>{verdict_badge(all_facts[part.name]['verdict'], writer.language)}</td></tr>"
        for k, part in enumerate(derivation.parts, start=1)
    )
    title = writer.mixed(_prose(derivation.title.in_language(writer.language)))
    return (
        f'<div class="derivation" id="{derivation.name}"><p class="head"><strong>{title}</strong> '
        f"<code>{derivation.name}</code> {verdict_badge(facts['verdict'], writer.language)}</p>"
        f'<div class="wide"><table class="parts"><thead><tr><th></th><th>{writer.say("part")}</th>'
        f"<th>{writer.say('verdict')}</th></tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def laws_html(laws: Iterable[Law], writer: Writer) -> str:
    """All laws, a table for each theory: name, the law itself, its phrase in both languages, its condition."""
    by_theory: dict[str, list[Law]] = {}
    for law in laws:
        by_theory.setdefault(law.theory, []).append(law)
    heads = "".join(f"<th>{writer.say(key)}</th>" for key in ("law", "says", "false", "condition"))
    tables = []
    for theory, rows in by_theory.items():
        body = "".join(_law_row(law, writer) for law in rows)
        words = THEORIES[theory]
        name = f"<code>by.{theory}</code> <small>{escape(words.en)} · <span lang='zh'>{escape(words.zh)}</span></small>"
        table = f'<table class="laws"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'
        tables.append(f'<section id="laws-{theory}"><h2>{name}</h2><div class="wide">{table}</div></section>')
    return "".join(tables)


def _law_row(law: Law, writer: Writer) -> str:
    true, false = law.positive(), law.negative()
    needed = _told(law.condition(), writer) if law.condition is not None else ""
    return (
        f'<tr><td><code>{law.name}</code><span class="name">{escape(law.en)}</span>'
        f'<span class="name" lang="zh">{escape(law.zh)}</span></td>'
        f"<td>{_example(true, writer)}"
        f'<span class="name">{_told(true.givens, writer)}</span></td>'
        f"<td>{_example(false, writer)}</td><td>{needed}</td></tr>"
    )


def _example(example: Statement, writer: Writer) -> str:
    return writer.maths(latex_relation(example.left, example.relation, example.right), display=True)


def _told(givens: tuple[Given, ...], writer: Writer) -> str:
    stop = "；" if writer.language == "zh" else "; "
    return writer.mixed(stop.join(one.in_language(writer.language) for one in assumptions(givens, _MEDIUM)))


_LOWERED = re.compile(r"(?<=[A-Za-z])_([A-Za-z])\b")
_RAISED = re.compile(r"\^\(([^()]*)\)")


def _simple(text: str, maths: Maths) -> str:
    """Words from the command line, with their subscripts, exponents and norms as such."""
    shown = _RAISED.sub(r"<sup>\1</sup>", escape(text, quote=False))
    shown = shown.replace("‖J‖_F", maths(r"\left\lVert J \right\rVert_F"))
    return _LOWERED.sub(r"<sub>\1</sub>", shown)


def table_html(table: Table, writer: Writer) -> str:
    """A table of measurements."""
    heads = "".join(f"<th>{_simple(one, writer.maths)}</th>" for one in table.head)
    rows = ("".join(f"<td>{_simple(one, writer.maths)}</td>" for one in row) for row in table.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="wide"><table class="measured"><caption>{_simple(table.title, writer.maths)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def list_html(sentences: Iterable[str], writer: Writer) -> str:
    """Sentences as a list."""
    return f"<ul>{''.join(f'<li>{_simple(one, writer.maths)}</li>' for one in sentences)}</ul>"
