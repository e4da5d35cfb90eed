"""From givens to facts the kernel can look up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sympy import Expr, Symbol
from sympy.core.basic import Basic

from derivations.kernel.arithmetic import subtract
from derivations.kernel.context import Facts, Marks, RandomFacts, Rule
from derivations.kernel.engine import make_context
from derivations.kernel.reading import EMPTY, read, read_at
from derivations.kernel.rules import orient, rewrite
from derivations.kernel.terms import FREE, Polynomial, Position
from derivations.language import givens as kinds
from derivations.language.arrays import Array, RandomArray
from derivations.language.distributions import Distribution, parameters
from derivations.language.givens import Given
from derivations.language.structure import parts
from derivations.language.symbols import Dimension
from derivations.language.written import shape_of

_SIGNS: Mapping[type, str] = MappingProxyType(
    {kinds.Positive: "positive", kinds.Nonnegative: "nonnegative", kinds.Nonzero: "nonzero"}
)
_STRENGTH = ("nonzero", "nonnegative", "positive")


def read_facts(givens: Iterable[Given], laws: Mapping[str, Rule]) -> Facts:
    """The facts that the givens state, their values in normal form under the laws."""
    known = tuple(givens)
    return replace(_plain_facts(known, laws), equations=_equations(known, laws))


def _plain_facts(givens: tuple[Given, ...], laws: Mapping[str, Rule]) -> Facts:
    random: dict[str, RandomFacts] = {}
    for given in givens:
        array = given.args[0] if given.args else None
        if isinstance(array, RandomArray) and type(given) in _RANDOM:
            random[array.name] = _with(random.get(array.name, RandomFacts()), given, array, laws)
    return Facts(
        random=random,
        mutually_independent=_arrays(givens, kinds.MutuallyIndependent),
        pairwise_independent=_arrays(givens, kinds.PairwiseIndependent),
        signs=_signs(givens),
        distinct=_distinct(givens, laws),
        constrained=_constrained(givens),
        maxima=_maxima(givens, laws),
        marks={given.args[1].name: given for given in givens if isinstance(given, kinds.MaximalEntries)},
        at_least={
            str(given.args[0]): (int(given.args[1]), given) for given in givens if isinstance(given, kinds.AtLeast)
        },
    )


def _value(array: RandomArray, value: Any, laws: Mapping[str, Rule]) -> Polynomial:
    context = make_context(laws)
    kinds.check_parameter(array, value)
    if not shape_of(value):
        return read(context, value)
    places = tuple(Position(FREE, place, "·", read(context, size)) for place, size in enumerate(array.shape))
    return read_at(context, value, EMPTY, places)


def _moment(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    order = int(given.args[1])
    return replace(facts, moments={**facts.moments, order: (_value(array, given.args[2], laws), given)})


def _variance(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    return replace(facts, variance=(_value(array, given.args[1], laws), given))


def _law(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    law: Distribution = given.args[1]
    values = tuple(_value(array, one, laws) for one in parameters(law))
    return replace(facts, law=(type(law).__name__.lower(), values, given))


def _independent(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    return replace(facts, independent_entries=given)


def _identical(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    return replace(facts, identically_distributed=given)


_RANDOM: Mapping[type, Any] = MappingProxyType(
    {
        kinds.HasMoment: _moment,
        kinds.HasVariance: _variance,
        kinds.HasLaw: _law,
        kinds.IndependentEntries: _independent,
        kinds.IdenticallyDistributed: _identical,
    }
)


def _with(facts: RandomFacts, given: Given, array: RandomArray, laws: Mapping[str, Rule]) -> RandomFacts:
    result: RandomFacts = _RANDOM[type(given)](facts, given, array, laws)
    return result


def _arrays(givens: tuple[Given, ...], kind: type[Given]) -> tuple[tuple[frozenset[str], Given], ...]:
    return tuple((frozenset(one.name for one in given.args), given) for given in givens if isinstance(given, kind))


def _signs(givens: tuple[Given, ...]) -> dict[tuple[str, str], tuple[str, Given]]:
    signs: dict[tuple[str, str], tuple[str, Given]] = {}
    for given in givens:
        sign = _SIGNS.get(type(given))
        if sign is None:
            continue
        value = given.args[0]
        if not isinstance(value, (Array, Symbol)):
            continue  # a sign of a whole expression, as in an instance of a theorem, is read off the written lines
        key = ("entry" if isinstance(value, Array) else "symbol", str(value.name))
        if key not in signs or _STRENGTH.index(signs[key][0]) < _STRENGTH.index(sign):
            signs[key] = (sign, given)
    return signs


def _distinct(givens: tuple[Given, ...], laws: Mapping[str, Rule]) -> tuple[tuple[Position, Position, Given], ...]:
    found = []
    for given in givens:
        if isinstance(given, kinds.Distinct):
            context = make_context(laws)
            first, second = (Position(FREE, 0, one.name, read(context, one.dimension)) for one in given.args)
            found.append((first, second, given))
    return tuple(found)


def _constrained(givens: tuple[Given, ...]) -> dict[str, Given]:
    """Names that an equation ties to other quantities, also through the law of a random array in it."""
    tied: dict[str, Given] = {}
    for given in givens:
        if isinstance(given, kinds.Equation):
            reached = set(_named(given))
            for law in givens:
                if type(law) in _RANDOM and law.args[0] in reached:
                    reached.update(part for value in law.args[1:] for part in _named(value))
            tied.update({str(part): given for part in reached})
        if isinstance(given, kinds.MaximalEntries):
            # Where the maximum is attained changes with the vector, and the marks jump.
            tied.update({str(part): given for part in _named(given)})
    return tied


def _named(value: Basic) -> Iterator[Expr]:
    return (part for part in parts(value) if isinstance(part, (Array, Symbol)) and not isinstance(part, Dimension))


def _maxima(givens: tuple[Given, ...], laws: Mapping[str, Rule]) -> dict[str, Marks]:
    """Where plain vectors are maximal, by the givens."""
    found: dict[str, Marks] = {}
    for given in givens:
        if isinstance(given, kinds.UniqueMaximum) and type(given.args[0]) is Array:
            index = given.args[1]
            peak = Position(FREE, 0, index.name, read(make_context(laws), index.dimension))
            found[given.args[0].name] = Marks(given.args[0].name, given, peak=peak)
        elif isinstance(given, kinds.MaximalEntries) and type(given.args[0]) is Array:
            found[given.args[0].name] = Marks(given.args[0].name, given, marks=given.args[1].name)
    return found


def _equations(givens: tuple[Given, ...], laws: Mapping[str, Rule]) -> tuple[tuple[Any, Given], ...]:
    found: list[tuple[Any, Given]] = []
    # An equation holds for every value of its indices, also where a given says that two of them differ.
    everywhere = replace(_plain_facts(givens, laws), distinct=())
    named = {one.name for one in kinds.pinned_indices(givens)}
    for given in givens:
        if isinstance(given, kinds.Equation):
            context = make_context(laws, replace(everywhere, equations=tuple(found)))
            left, right = given.args
            places: tuple[Position, ...] = tuple(
                Position(FREE, place, "·", read(context, size)) for place, size in enumerate(shape_of(left))
            )
            first, second = (read_at(context, side, EMPTY, places) for side in (left, right))
            if not rewrite(context, subtract(first, second)):
                continue  # it follows from those before it, and two rules that undo each other would never end
            rule = orient(context, first, second, given)
            if rule is not None:
                # An index that another given names, as the place of a maximum, is one index and not every one.
                variables = frozenset(one for one in rule.variables if one.letter not in named)
                found.append((replace(rule, variables=variables), given))
    return tuple(found)
