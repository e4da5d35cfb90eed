"""The words around the mathematics, in English and Chinese: what is declared and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from sympy import Integer
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
from derivations.language.structure import bound_indices, free_indices, parts
from derivations.language.symbols import Dimension, Index
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
        """Mathematics in a sentence. Strings are signs between the expressions: "=", "!=", "<=", ","."""
        written = (self.signs[one] if isinstance(one, str) else self.write(one) for one in pieces)
        return self.template.format(" ".join(written).replace(" ,", ","))


def _signs(relations: Mapping[Relation, str]) -> dict[str, str]:
    return {str(relation): sign for relation, sign in relations.items()}


LATEX = Medium(
    latex,
    MappingProxyType({**_signs(LATEX_RELATIONS), "!=": r"\ne", "x": r"\times", "...": r"\dots", ",": ","}),
    "${}$",
    escaped,
)
PLAIN = Medium(
    plain, MappingProxyType({**_signs(PLAIN_RELATIONS), "!=": "≠", "x": "×", "...": "…", ",": ","}), "{}", str
)

Show: TypeAlias = Callable[..., str]
Thing = TypeVar("Thing", bound=Basic)
_ORDINALS: Mapping[int, str] = MappingProxyType({2: "second", 3: "third", 4: "fourth"})
_CHINESE_NUMBERS = "零一二三四五六七八九十"


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
        return Phrase(f"each entry of {name}", f"{name} 的每个{_entry_word(array)}")
    return Phrase(name, f"{name} ")


def _entry_word(array: Array) -> str:
    return "元素" if len(array.shape) == 2 else "分量"


def _all(array: Array, show: Show) -> Phrase:
    return Phrase(f"the entries of {show(array)}", f"{show(array)} 的各{_entry_word(array)}")


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
    return Phrase(f"{named} {value}", f"{_chinese(order)}阶矩为 {value}")


def _chinese(number: int) -> str:
    """A number before a Chinese word: in characters up to ten."""
    return _CHINESE_NUMBERS[number] if number < len(_CHINESE_NUMBERS) else f" {number} "


def _variance(value: str) -> Phrase:
    return Phrase(f"variance {value}", f"方差为 {value}")


def joined(before: str, after: str) -> str:
    """Chinese words before others: a space parts them from other writing only."""
    return f"{before} {after}" if after[0].isascii() else f"{before}{after}"


def _said_of(subject: str, fact: str) -> str:
    """Subject and fact in Chinese, with the space that stands between Chinese and other writing."""
    if fact.startswith("服从"):
        return f"{subject}{fact}"
    return joined(f"{subject}的", fact)


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


def _sign(sign: str, en: str, zh: str) -> Callable[[Basic, Show], Phrase]:
    def sentence(given: Basic, show: Show) -> Phrase:
        if not _of_entries(given):
            return _signs_of((given.args[0],), sign, show)
        subject = _each(given.args[0], show)
        return Phrase(f"{subject.en} is {en}", f"{subject.zh}{zh}")

    return sentence


def _of_entries(given: Basic) -> bool:
    return isinstance(given.args[0], Array) and bool(given.args[0].shape)


def _signs_of(numbers: Iterable[Basic], sign: str, show: Show) -> Phrase:
    """What is said of several numbers at once: a, b > 0."""
    subjects = [piece for one in numbers for piece in (",", one)][1:]
    statement = show(*subjects, sign, Integer(0))
    return Phrase(statement, statement)


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
        Positive: _sign(">", "positive", "为正"),
        Nonnegative: _sign(">=", "nonnegative", "非负"),
        Nonzero: _sign("!=", "nonzero", "不为零"),
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
    """All assumptions as sentences. What is said of the entries of one array is said together, and so are the same
    facts of several arrays, and the same sign of several numbers."""
    all_givens = tuple(givens)
    sentences: list[Phrase] = []
    told: set[Basic] = set()
    for given in all_givens:
        if given in told:
            continue
        if isinstance(given, _ABOUT_ENTRIES):
            family = _family(given.args[0], all_givens)
            told.update(one for array in family for one in _told_of(array, all_givens))
            sentences.append(_about(family, _told_of(family[0], all_givens), medium.inline))
        elif type(given) in _SIGNS and not _of_entries(given):
            together = [one for one in all_givens if type(one) is type(given) and not _of_entries(one)]
            told.update(together)
            sentences.append(_signs_of([one.args[0] for one in together], _SIGNS[type(given)], medium.inline))
        else:
            told.add(given)
            sentences.append(given_words(given, medium))
    return tuple(sentences)


_ABOUT_ENTRIES = (IndependentEntries, IdenticallyDistributed, HasMoment, HasVariance, HasLaw)
_SIGNS: Mapping[type, str] = MappingProxyType({Positive: ">", Nonnegative: ">=", Nonzero: "!="})


def _told_of(array: Basic, givens: tuple[Given, ...]) -> tuple[Given, ...]:
    return tuple(one for one in givens if isinstance(one, _ABOUT_ENTRIES) and one.args[0] == array)


def _family(array: RandomArray, givens: tuple[Given, ...]) -> tuple[RandomArray, ...]:
    """The arrays of which the same is said as of this one, which is the first of them."""

    def said(one: RandomArray) -> tuple[int, frozenset[tuple[type, tuple[Basic, ...]]]]:
        return len(one.shape), frozenset((type(given), given.args[1:]) for given in _told_of(one, givens))

    arrays = dict.fromkeys(given.args[0] for given in givens if isinstance(given, _ABOUT_ENTRIES))
    return tuple(one for one in arrays if said(one) == said(array))


def _about(arrays: tuple[RandomArray, ...], givens: tuple[Given, ...], show: Show) -> Phrase:
    kinds = {type(given) for given in givens}
    facts = tuple(fact for given in givens for fact in _facts(given, show))
    with_en, with_zh = listed(fact.en for fact in facts).en, "，".join(fact.zh for fact in facts)
    both = {IndependentEntries, IdenticallyDistributed} <= kinds
    if IndependentEntries not in kinds and IdenticallyDistributed not in kinds:
        subject = _each_of(arrays, show)
        return Phrase(f"{subject.en} has {with_en}", _said_of(subject.zh, with_zh))
    entries = _all_of(arrays, show)
    how = {
        (True, True): Phrase("independent and identically distributed", "独立同分布"),
        (False, True): Phrase("mutually independent", "相互独立"),
        (False, False): Phrase("identically distributed", "同分布"),
    }[both, IndependentEntries in kinds]
    tail_en, tail_zh = (f", with {with_en}", f"，{with_zh}") if facts else ("", "")
    return Phrase(f"{entries.en} are {how.en}{tail_en}", f"{entries.zh}{how.zh}{tail_zh}")


def _each_of(arrays: tuple[RandomArray, ...], show: Show) -> Phrase:
    if len(arrays) == 1:
        return _each(arrays[0], show)
    names = listed(show(one) for one in arrays)
    if not arrays[0].shape:
        return Phrase(f"each of {names.en}", f"{names.zh} 各自")
    return Phrase(f"each entry of {names.en}", f"{names.zh} 的每个{_entry_word(arrays[0])}")


def _all_of(arrays: tuple[RandomArray, ...], show: Show) -> Phrase:
    """The entries of one array or of several; of several, what is said holds within each of them."""
    if len(arrays) == 1:
        return _all(arrays[0], show)
    names = listed(show(one) for one in arrays)
    return Phrase(f"the entries of each of {names.en}", f"{names.zh} 各自的{_entry_word(arrays[0])}")


def _facts(given: Given, show: Show) -> tuple[Phrase, ...]:
    match given:
        case HasMoment(args=(_, order, value)):
            return (_moment(int(order), show(value)),)
        case HasVariance(args=(_, value)):
            return (_variance(show(value)),)
        case HasLaw(args=(_, law)):
            return (Phrase(f"the law {show(law)}", f"服从 {show(law)}"),)
    return ()


def claim(derivation: Derivation) -> Derivation:
    """What a derivation shows, without its proof: what is declared for the proof alone is not told."""
    return replace(derivation, lines=(Line(derivation.relation, derivation.end),), cases=())


def written_lines(derivation: Derivation) -> tuple[Basic, ...]:
    """Every line and certificate that is written down, those of the cases last."""
    chains = [(derivation.start, derivation.lines), *((case.start, case.lines) for case in derivation.cases)]
    certificates = (line.certificate for _, lines in chains for line in lines)
    written = (one for start, lines in chains for one in (start, *(line.expression for line in lines)))
    return (*written, *(one for one in certificates if one is not None))


def declared_objects(derivation: Derivation, *, bound: bool = False) -> tuple[Basic, ...]:
    """What has to be introduced before the lines can be read: the arrays, in order of appearance; dimensions that no
    array or index introduces; free indices, and with ``bound`` the others too; and the entries named by their rank."""
    wholes = (*written_lines(derivation), *derivation.givens)
    # In the case n = 1 the arrays and indices have other sizes, but they are the same ones.
    arrays: dict[str, Array] = {}
    for part in (part for whole in wholes for part in parts(whole)):
        if isinstance(part, Array):
            arrays.setdefault(part.name, part)
    indices = _indices(derivation, bound=bound)
    sizes = (*(size for one in arrays.values() for size in shape_of(one)), *(one.dimension for one in indices))
    introduced = {size for one in sizes for size in _dimensions(one)}
    dimensions = dict.fromkeys(one for whole in wholes for one in _dimensions(whole) if one not in introduced)
    inside = (part for line in written_lines(derivation) for part in parts(line))
    ranked = dict.fromkeys(part for part in inside if isinstance(part, OrderStatistic) and part.rank > 1)
    named = (one for one in ranked if isinstance(one.args[0], Array))
    return (*arrays.values(), *dimensions, *indices, *named)


def _indices(derivation: Derivation, *, bound: bool) -> tuple[Index, ...]:
    """The indices by name. In an assumption that holds for all of them, an index stands for itself alone."""
    lines = written_lines(derivation)
    spoken = [one for one in derivation.givens if not isinstance(one, (Equation, Integrable))]
    found = {one for whole in (*lines, *spoken) for one in free_indices(whole)}
    if bound:
        found |= {one for whole in (*lines, *derivation.givens) for one in free_indices(whole) | bound_indices(whole)}
    general = {one.name for one in found if not isinstance(one.dimension, Integer)}
    chosen = (one for one in found if not isinstance(one.dimension, Integer) or one.name not in general)
    return tuple(sorted(chosen, key=lambda one: (one.name, str(one.dimension))))


def _dimensions(whole: Basic) -> tuple[Dimension, ...]:
    """The dimensions written in an expression, those to which its sums run included."""
    sizes = (one.dimension for one in sorted(bound_indices(whole), key=lambda one: one.name))
    return tuple(part for one in (whole, *sizes) for part in parts(one) if isinstance(part, Dimension))


def declarations(objects: Iterable[Basic], medium: Medium = PLAIN) -> tuple[Phrase, ...]:
    """What each object is, those of one kind and shape together."""
    all_objects = tuple(objects)
    groups: dict[tuple[bool, tuple[Basic, ...]], list[Array]] = {}
    for one in all_objects:
        if isinstance(one, Array):
            groups.setdefault((isinstance(one, RandomArray), shape_of(one)), []).append(one)
    ranges: dict[str, list[Index]] = {}
    for one in all_objects:
        if isinstance(one, Index):
            ranges.setdefault(plain(one.dimension), []).append(one)
    dimensions = tuple(one for one in all_objects if isinstance(one, Dimension))
    return (
        *(_declared(tuple(group), medium.inline, random) for (random, _), group in groups.items()),
        *([_whole_numbers(dimensions, medium.inline)] if dimensions else []),
        *(_range(ranges[size], medium.inline) for size in sorted(ranges)),
        *(_rank(one, medium.inline) for one in all_objects if isinstance(one, OrderStatistic)),
    )


def _whole_numbers(dimensions: tuple[Dimension, ...], show: Show) -> Phrase:
    names = listed(show(one) for one in dimensions)
    what = "is a positive integer" if len(dimensions) == 1 else "are positive integers"
    return Phrase(f"{names.en} {what}", f"{names.zh} 为正整数")


def _range(indices: Iterable[Index], show: Show) -> Phrase:
    """The values of some indices: i, j = 1, …, n."""
    names = tuple(dict.fromkeys(indices))
    subjects = [piece for one in names for piece in (",", one)][1:]
    statement = show(*subjects, "=", Integer(1), ",", "...", ",", names[0].dimension)
    return Phrase(statement, statement)


@dataclass(frozen=True)
class Told:
    """What has been said already around a conjunction: objects and assumptions."""

    objects: tuple[Basic, ...] = ()
    givens: tuple[Given, ...] = ()

    def new(self, things: Iterable[Thing]) -> tuple[Thing, ...]:
        """Those of which nothing has been said."""
        return tuple(one for one in things if one not in self.objects and one not in self.givens)

    def and_also(self, other: Told) -> Told:
        """Both together."""
        return Told((*self.objects, *other.objects), (*self.givens, *other.givens))

    def shared_by(self, conjunction: Derivation) -> Told:
        """What else the parts of a conjunction have in common, down to the innermost."""
        claims = tuple(claim(one) for one in _innermost(conjunction))
        if len(claims) < 2:
            return Told()
        first, *others = (declared_objects(one) for one in claims)
        objects = self.new(one for one in first if all(one in other for other in others))
        givens = self.new(one for one in claims[0].givens if all(one in other.givens for other in claims[1:]))
        known = {*self.objects, *objects}
        return Told(objects, tuple(one for one in givens if _arrays(one) <= known))


def _arrays(given: Given) -> set[Basic]:
    return {part for part in parts(given) if isinstance(part, Array)}


def _innermost(derivation: Derivation) -> tuple[Derivation, ...]:
    return tuple(leaf for part in derivation.parts for leaf in (_innermost(part) if part.parts else (part,)))


def _rank(node: OrderStatistic, show: Show) -> Phrase:
    vector, which = show(node.args[0]), _ORDINALS.get(node.rank, f"{node.rank}th")
    return Phrase(
        f"{show(node)} is the {which} largest entry of {vector}",
        f"{show(node)} 为 {vector} 的第{_chinese(node.rank)}大分量",
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
    sizes = show(*[piece for size in group[0].shape for piece in ("x", size)][1:])
    size_en = {0: "", 1: f" with {sizes} entries"}.get(len(group[0].shape), f" of size {sizes}")
    size_zh = {0: "", 1: f" {sizes} 维"}.get(len(group[0].shape), f" {sizes} ")
    adjective_en, adjective_zh = ("random ", "随机") if random else ("", "")
    noun_en = f"a {adjective_en}{kind_en}" if one else f"{adjective_en}{plural}"
    return Phrase(
        f"{names.en} {'is' if one else 'are'} {noun_en}{size_en}", f"{names.zh} 为{size_zh}{adjective_zh}{kind_zh}"
    )
