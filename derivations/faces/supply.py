"""How to supply what a step is open for: what to type. Imports nothing that imports SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from derivations.writing.names import GREEK

_NAMES: Mapping[str, str] = MappingProxyType({letter: name for name, letter in GREEK.items()})
_SIGNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "nonzero": ("nonzero", "positive"),
        "smooth": ("nonzero", "positive"),
        "positive": ("positive",),
        "nonnegative": ("nonnegative", "positive"),
    }
)
# A letter, or a letter with a capital, a number or a word below it, perhaps raised to a power; x_i is rather an entry
# of a vector.
_SCALAR = re.compile(r"([A-Za-z\u0370-\u03ff]+\d*(?:_(?:[A-Z][A-Za-z\d]*|\d+|[A-Za-z\d]{2,}))*)[⁰¹²³⁴⁵⁶⁷⁸⁹]* is ")
_COINCIDE = re.compile(r"zero at (\w+) = (\w+)$")


def reasons_to_add(missing: Iterable[str]) -> str:
    """The reasons that a step lacks, as they are typed; nothing where none is missing."""
    typed = [f"by.{one}" for one in missing]
    return f"add {' and '.join([', '.join(typed[:-1]), typed[-1]] if typed[1:] else typed)}" if typed else ""


def conditions_with_help(conditions: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs of kind and words as pairs of words and how to assume them; what helps against several is said last."""
    told = [(text, to_assume(kind, text)) for kind, text in conditions]
    later = [{how for _, how in told[position + 1 :]} for position in range(len(told))]
    return [(text, "" if how in after else how) for (text, how), after in zip(told, later, strict=True)]


def to_assume(kind: str, text: str) -> str:
    """How to assume a condition, by its kind and its words ("σ is not zero"); nothing where it cannot be assumed."""
    if kind == "exists":
        return "to assume it: declare moments of what is random in it, variance=… or note.given(has_moment(X, 2, …))"
    if kind == "rank":
        return "to assume it: note.given(dimension_at_least(n, …))"
    together = _COINCIDE.search(text)
    if together and kind != "impossible":
        return f"to assume it: note.given(distinct({together[1]}, {together[2]}))"
    if kind not in _SIGNS:
        return ""
    first, *others = (f"{sign}=True" for sign in _SIGNS[kind])
    found = _SCALAR.match(text)
    if not found:
        return f"to assume it: give the scalars and vectors in it a sign where they are declared, such as {first}"
    name = "_".join(_NAMES.get(part, part) for part in found[1].split("_"))
    return " or ".join([f'to assume it: note.scalar("{name}", {first})', *others])
