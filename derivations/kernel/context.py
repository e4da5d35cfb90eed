"""What one normalisation may use: laws and givens that are switched on, and a record of those it did use.

A context lives for one question. Its caches depend on its laws and givens and are never shared with another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from derivations.kernel.terms import FRESH, ONE, ONLY, Atom, KernelLimit, Polynomial, Position
from derivations.language.givens import Given

Rule: TypeAlias = Callable[..., Any]
MAXIMUM_TERMS = 4000
MAXIMUM_OPERATIONS = 400_000


class Rebuild(Protocol):
    """Make an atom anew from changed parts; the result may be any polynomial."""

    def __call__(
        self,
        context: Context,
        atom: Any,
        polynomial: Callable[[Polynomial], Polynomial],
        position: Callable[[Position], Position],
    ) -> Polynomial:
        """Return the atom with ``polynomial`` and ``position`` applied to its parts."""
        ...


@dataclass(frozen=True)
class Operations:
    """What the arithmetic needs to know of atoms that are defined in later files, so that imports go one way only."""

    rebuild: Mapping[str, Rebuild]
    settle: Mapping[str, Callable[[Context, Any, Any], Polynomial | None]]
    raise_to: Callable[[Context, Polynomial, Any], Polynomial]
    special_expectations: tuple[Callable[[Context, Any], Polynomial | None], ...] = ()


@dataclass(frozen=True)
class RandomFacts:
    """What the givens say of one random array, each fact beside the given that says it."""

    independent_entries: Given | None = None
    identically_distributed: Given | None = None
    law: tuple[str, tuple[Polynomial, ...], Given] | None = None
    moments: Mapping[int, tuple[Polynomial, Given]] = field(default_factory=dict)
    variance: tuple[Polynomial, Given] | None = None


@dataclass(frozen=True)
class Marks:
    """Where a vector is maximal: at the one index ``peak``, or where the vector called ``marks`` is one."""

    array: str
    given: Given
    peak: Position | None = None
    marks: str = ""


@dataclass(frozen=True)
class Facts:
    """The givens, read: each entry carries the given it comes from."""

    random: Mapping[str, RandomFacts] = field(default_factory=dict)
    mutually_independent: tuple[tuple[frozenset[str], Given], ...] = ()
    pairwise_independent: tuple[tuple[frozenset[str], Given], ...] = ()
    signs: Mapping[tuple[str, str], tuple[str, Given]] = field(default_factory=dict)
    equations: tuple[tuple[Any, Given], ...] = ()
    constrained: Mapping[str, Given] = field(default_factory=dict)
    maxima: Mapping[str, Marks] = field(default_factory=dict)
    marks: Mapping[str, Given] = field(default_factory=dict)
    at_least: Mapping[str, tuple[int, Given]] = field(default_factory=dict)
    distinct: tuple[tuple[Position, Position, Given], ...] = ()


@dataclass
class Context:
    """The state of one normalisation. Mutable by design: it is a work sheet, made for one question and dropped."""

    laws: Mapping[str, Rule]
    operations: Operations
    facts: Facts = field(default_factory=Facts)
    used_laws: dict[str, None] = field(default_factory=dict)
    used_givens: dict[Given, None] = field(default_factory=dict)
    cache: dict[Any, Polynomial] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    _tokens: int = 0
    _operations: int = 0

    def law(self, name: str) -> Rule | None:
        """The rule of a law that is switched on, noting that it is used; None for one that is not."""
        rule = self.laws.get(name)
        if rule is not None:
            self.used_laws[name] = None
        return rule

    def allows(self, name: str) -> bool:
        """Whether a law is switched on, without noting a use."""
        return name in self.laws

    def use(self, given: Given) -> None:
        """Note that a given is used."""
        self.used_givens[given] = None

    def fresh(self, dimension: Polynomial) -> Position:
        """A new token for an index of an opened sum; an index with one value is that value."""
        if dimension == ONE:
            return ONLY
        self._tokens += 1
        return Position(FRESH, self._tokens, "", dimension)

    def spend(self, terms: int) -> None:
        """Count work; raises :class:`KernelLimit` where a normal form grows out of hand."""
        self._operations += terms
        if terms > MAXIMUM_TERMS or self._operations > MAXIMUM_OPERATIONS:
            raise KernelLimit("the normal form grows too large; write the step in smaller pieces")


def rebuild_atom(
    context: Context,
    atom: Atom,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The atom with its parts changed, in normal form again."""
    return context.operations.rebuild[atom.kind](context, atom, polynomial, position)
