"""The words around the mathematics, in English and Chinese: what is declared and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from sympy.core.basic import Basic

from derivations.language.arrays import Array, Entry, RandomArray
from derivations.language.givens import (
    AtLeast,
    Distinct,
    Equation,
    GapBelow,
    Given,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MaximalEntries,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
    Theorem,
    UniqueMaximum,
)
from derivations.language.operators import Expectation
from derivations.language.order import OrderStatistic
from derivations.language.structure import free_indices, parts
from derivations.language.written import shape_of
from derivations.records import Derivation, Line, Relation
from derivations.writing.escaping import escaped
from derivations.writing.latex import RELATIONS as LATEX_RELATIONS
from derivations.writing.latex import latex
from derivations.writing.phrase import Phrase
from derivations.writing.unicode import RELATIONS as PLAIN_RELATIONS
from derivations.writing.unicode import plain


@dataclass(frozen=True)
class Medium:
    """How mathematics stands inside a sentence: in dollar signs for LaTeX, bare for a terminal."""

    write: Callable[[Basic], str]
    signs: Mapping[str, str]
    template: str
    prose: Callable[[str], str]

    def inline(self, *pieces: Basic | str) -> str:
        """Mathematics in a sentence. Strings are signs between the expressions: "=", "!=", "<="."""
        written = (self.signs[one] if isinstance(one, str) else self.write(one) for one in pieces)
        return self.template.format(" ".join(written))


def _signs(relations: Mapping[Relation, str]) -> dict[str, str]:
    return {str(relation): sign for relation, sign in relations.items()}


LATEX = Medium(latex, MappingProxyType({**_signs(LATEX_RELATIONS), "!=": r"\ne"}), "${}$", escaped)
PLAIN = Medium(plain, MappingProxyType({**_signs(PLAIN_RELATIONS), "!=": "≠"}), "{}", str)

Show: TypeAlias = Callable[..., str]
_ORDINALS: Mapping[int, str] = MappingProxyType({2: "second", 3: "third", 4: "fourth"})


def listed(items: Iterable[str]) -> Phrase:
    """A list in a sentence: ``Q, K and V``."""
    words = tuple(items)
    if len(words) < 2:
        return Phrase("".join(words), "".join(words))
    together = "、".join(words) if len(words) > 2 else f"{words[0]} 与 {words[1]}"
    return Phrase(f"{', '.join(words[:-1])} and {words[-1]}", together)


def _each(array: Basic, show: Show) -> Phrase:
    """The entries of an array one by one, or a single variable itself."""
    name = show(array)
    if isinstance(array, Array) and array.shape:
        entry = "分量" if len(array.shape) == 1 else "元素"
        return Phrase(f"each entry of {name}", f"{name} 的每个{entry}")
    return Phrase(name, f"{name} ")


def _all(array: Array, show: Show) -> Phrase:
    entry = "元素" if len(array.shape) == 2 else "分量"
    return Phrase(f"the entries of {show(array)}", f"{show(array)} 的各{entry}")


def _independent_entries(given: Basic, show: Show) -> Phrase:
    entries = _all(given.args[0], show)
    return Phrase(f"{entries.en} are mutually independent", f"{entries.zh}相互独立")


def _identical(given: Basic, show: Show) -> Phrase:
    entries = _all(given.args[0], show)
    return Phrase(f"{entries.en} are identically distributed", f"{entries.zh}同分布")


def _moment(order: int, value: str) -> Phrase:
    if order == 1:
        return Phrase(f"mean {value}", f"均值为 {value}")
    named = f"{_ORDINALS[order]} moment" if order in _ORDINALS else f"moment of order {order} equal to"
    return Phrase(f"{named} {value}", f"{order} 阶矩为 {value}")


def _variance(value: str) -> Phrase:
    return Phrase(f"variance {value}", f"方差为 {value}")


def _said_of(subject: str, fact: str) -> str:
    """Subject and fact in Chinese, with the space that stands between Chinese and other writing."""
    if fact.startswith("服从"):
        return f"{subject}{fact}"
    return f"{subject}的{' ' if fact[0].isascii() else ''}{fact}"


def _has_moment(given: Basic, show: Show) -> Phrase:
    array, order, value = given.args
    subject, fact = _each(array, show), _moment(int(order), show(value))
    return Phrase(f"{subject.en} has {fact.en}", _said_of(subject.zh, fact.zh))


def _has_variance(given: Basic, show: Show) -> Phrase:
    subject, fact = _each(given.args[0], show), _variance(show(given.args[1]))
    return Phrase(f"{subject.en} has {fact.en}", _said_of(subject.zh, fact.zh))


def _has_law(given: Basic, show: Show) -> Phrase:
    subject, law = _each(given.args[0], show), show(given.args[1])
    return Phrase(f"{subject.en} has the law {law}", f"{subject.zh}服从 {law}")


def _mutually(given: Basic, show: Show) -> Phrase:
    names = listed(show(one) for one in given.args)
    mutually = "mutually " if len(given.args) > 2 else ""
    return Phrase(f"{names.en} are {mutually}independent", f"{names.zh} 相互独立")


def _pairwise(given: Basic, show: Show) -> Phrase:
    names = listed(show(one) for one in given.args)
    return Phrase(f"any two of {names.en} are independent", f"{names.zh} 两两独立")


def _sign(en: str, zh: str) -> Callable[[Basic, Show], Phrase]:
    def sentence(given: Basic, show: Show) -> Phrase:
        subject = _each(given.args[0], show)
        return Phrase(f"{subject.en} is {en}", f"{subject.zh}{zh}")

    return sentence


def _equation(given: Basic, show: Show) -> Phrase:
    left, right = given.args
    statement = show(left, "=", right)
    free = sorted(free_indices(left) | free_indices(right), key=lambda one: one.name)
    if not free:
        return Phrase(statement, statement)
    names = listed(show(one) for one in free)
    return Phrase(f"{statement} for all {names.en}", f"对一切 {names.zh} 有 {statement}")


def _distinct(given: Basic, show: Show) -> Phrase:
    statement = show(given.args[0], "!=", given.args[1])
    return Phrase(statement, statement)


def _unique_maximum(given: Basic, show: Show) -> Phrase:
    vector, peak = show(given.args[0]), show(Entry(*given.args))
    return Phrase(f"{peak} is larger than every other entry of {vector}", f"{peak} 大于 {vector} 的其余各分量")


def _gap_below(given: Basic, show: Show) -> Phrase:
    vector, peak, distance = show(given.args[0]), show(Entry(*given.args[:2])), show(given.args[2])
    return Phrase(
        f"every other entry of {vector} lies at least {distance} below {peak}",
        f"{vector} 的其余各分量都比 {peak} 至少小 {distance}",
    )


def _maximal_entries(given: Basic, show: Show) -> Phrase:
    vector, marks = (show(one) for one in given.args)
    return Phrase(
        f"each entry of {marks} is 1 where {vector} is largest and 0 elsewhere",
        f"{marks} 的分量在 {vector} 取最大值处为 1，其余为 0",
    )


def _at_least(given: Basic, show: Show) -> Phrase:
    statement = show(given.args[0], ">=", given.args[1])
    return Phrase(statement, statement)


def _integrable(given: Basic, show: Show) -> Phrase:
    mean = show(Expectation(given.args[0]))
    names = listed(show(one) for one in sorted(free_indices(given), key=lambda one: one.name))
    every_en, every_zh = (f" for all {names.en}", f"对一切 {names.zh}，") if names.en else ("", "")
    return Phrase(f"{mean} exists{every_en}", f"{every_zh}{mean} 存在")


def _theorem(given: Basic, show: Show) -> Phrase:
    name = show(given.args[0])
    return Phrase(f"the theorem {name}", f"定理 {name}")


_SENTENCES: Mapping[type, Callable[[Any, Show], Phrase]] = MappingProxyType(
    {
        IndependentEntries: _independent_entries,
        IdenticallyDistributed: _identical,
        HasMoment: _has_moment,
        HasVariance: _has_variance,
        HasLaw: _has_law,
        MutuallyIndependent: _mutually,
        PairwiseIndependent: _pairwise,
        Positive: _sign("positive", "为正"),
        Nonnegative: _sign("nonnegative", "非负"),
        Nonzero: _sign("nonzero", "不为零"),
        Equation: _equation,
        Distinct: _distinct,
        UniqueMaximum: _unique_maximum,
        GapBelow: _gap_below,
        MaximalEntries: _maximal_entries,
        AtLeast: _at_least,
        Integrable: _integrable,
        Theorem: _theorem,
    }
)


def given_words(given: Given, medium: Medium = PLAIN) -> Phrase:
    """One assumption as a sentence without its full stop."""
    rule = _SENTENCES.get(type(given))
    if rule is None:
        return Phrase(str(given), str(given))
    return rule(given, medium.inline)


def assumptions(givens: Iterable[Given], medium: Medium = PLAIN) -> tuple[Phrase, ...]:
    """All assumptions as sentences; what is said of the entries of one array is said together."""
    all_givens = tuple(givens)
    sentences: list[Phrase] = []
    told: set[Basic] = set()
    for given in all_givens:
        if not isinstance(given, _ABOUT_ENTRIES):
            sentences.append(given_words(given, medium))
        elif given.args[0] not in told:
            array = given.args[0]
            told.add(array)
            same = tuple(one for one in all_givens if isinstance(one, _ABOUT_ENTRIES) and one.args[0] == array)
            sentences.append(_about(array, same, medium.inline))
    return tuple(sentences)


_ABOUT_ENTRIES = (IndependentEntries, IdenticallyDistributed, HasMoment, HasVariance, HasLaw)


def _about(array: RandomArray, givens: tuple[Given, ...], show: Show) -> Phrase:
    kinds = {type(given) for given in givens}
    facts = tuple(fact for given in givens for fact in _facts(given, show))
    with_en, with_zh = listed(fact.en for fact in facts).en, "，".join(fact.zh for fact in facts)
    both = {IndependentEntries, IdenticallyDistributed} <= kinds
    if IndependentEntries not in kinds and IdenticallyDistributed not in kinds:
        subject = _each(array, show)
        return Phrase(f"{subject.en} has {with_en}", _said_of(subject.zh, with_zh))
    entries = _all(array, show)
    how = {
        (True, True): Phrase("independent and identically distributed", "独立同分布"),
        (False, True): Phrase("mutually independent", "相互独立"),
        (False, False): Phrase("identically distributed", "同分布"),
    }[both, IndependentEntries in kinds]
    tail_en, tail_zh = (f", with {with_en}", f"，{with_zh}") if facts else ("", "")
    return Phrase(f"{entries.en} are {how.en}{tail_en}", f"{entries.zh}{how.zh}{tail_zh}")


def _facts(given: Given, show: Show) -> tuple[Phrase, ...]:
    match given:
        case HasMoment(args=(_, order, value)):
            return (_moment(int(order), show(value)),)
        case HasVariance(args=(_, value)):
            return (_variance(show(value)),)
        case HasLaw(args=(_, law)):
            return (Phrase(f"the law {show(law)}", f"服从 {show(law)}"),)
    return ()


def arrays_of(derivation: Derivation) -> tuple[Array, ...]:
    """The arrays that a derivation speaks of, in order of appearance."""
    # In the case n = 1 the arrays have other sizes, but they are the same ones.
    found: dict[str, Array] = {}
    for whole in (*written_lines(derivation), *derivation.givens):
        for part in parts(whole):
            if isinstance(part, Array):
                found.setdefault(part.name, part)
    return tuple(found.values())


def claim(derivation: Derivation) -> Derivation:
    """What a derivation shows, without its proof: what is declared for the proof alone is not told."""
    return replace(derivation, lines=(Line(derivation.relation, derivation.end),), cases=())


def written_lines(derivation: Derivation) -> tuple[Basic, ...]:
    """Every line and certificate that is written down, those of the cases last."""
    chains = [(derivation.start, derivation.lines), *((case.start, case.lines) for case in derivation.cases)]
    certificates = (line.certificate for _, lines in chains for line in lines)
    written = (one for start, lines in chains for one in (start, *(line.expression for line in lines)))
    return (*written, *(one for one in certificates if one is not None))


def declarations(derivation: Derivation, medium: Medium = PLAIN) -> tuple[Phrase, ...]:
    """What the arrays of a derivation are, those of one kind and shape together."""
    groups: dict[tuple[bool, tuple[Basic, ...]], list[Array]] = {}
    for one in arrays_of(derivation):
        groups.setdefault((isinstance(one, RandomArray), shape_of(one)), []).append(one)
    declared = tuple(_declared(tuple(group), medium.inline, random) for (random, _), group in groups.items())
    return declared + _ranks(derivation, medium.inline)


def _ranks(derivation: Derivation, show: Show) -> tuple[Phrase, ...]:
    """What x_(2) means, since some count from the smallest entry."""
    inside = (part for line in written_lines(derivation) for part in parts(line))
    ranked = dict.fromkeys(part for part in inside if isinstance(part, OrderStatistic) and part.rank > 1)
    return tuple(_rank(one, show) for one in ranked if isinstance(one.args[0], Array))


def _rank(node: OrderStatistic, show: Show) -> Phrase:
    vector, which = show(node.args[0]), _ORDINALS.get(node.rank, f"{node.rank}th")
    return Phrase(
        f"{show(node)} is the {which} largest entry of {vector}", f"{show(node)} 为 {vector} 的第 {node.rank} 大分量"
    )


def _declared(group: tuple[Array, ...], show: Show, random: bool) -> Phrase:
    names = listed(show(one) for one in group)
    one = len(group) == 1
    kind_en, kind_zh = {
        0: ("variable", "变量"),
        1: ("vector", "向量"),
        2: ("matrix", "矩阵"),
    }.get(len(group[0].shape), ("array", "数组"))
    plural = {"matrix": "matrices"}.get(kind_en, f"{kind_en}s")
    sizes = " × ".join(show(size) for size in group[0].shape)
    size_en = {0: "", 1: f" with {sizes} entries"}.get(len(group[0].shape), f" of size {sizes}")
    size_zh = {0: "", 1: f" {sizes} 维"}.get(len(group[0].shape), f" {sizes} ")
    adjective_en, adjective_zh = ("random ", "随机") if random else ("", "")
    noun_en = f"a {adjective_en}{kind_en}" if one else f"{adjective_en}{plural}"
    return Phrase(
        f"{names.en} {'is' if one else 'are'} {noun_en}{size_en}", f"{names.zh} 为{size_zh}{adjective_zh}{kind_zh}"
    )
