"""All laws in one table, and the rules that a set of theories switches on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from derivations.kernel.context import Rule
from derivations.kernel.laws import calculus, definitions, inequalities, order, probability
from derivations.kernel.laws.law import Law
from derivations.kernel.theories import closure

LAWS: Mapping[str, Law] = MappingProxyType(
    {law.name: law for law in (*definitions.ROWS, *probability.ROWS, *calculus.ROWS, *order.ROWS, *inequalities.ROWS)}
)


def rules(theories: Iterable[str], laws: Mapping[str, Law] = LAWS) -> dict[str, Rule]:
    """The rules of the theories and of those that come with them."""
    wanted = closure(frozenset(theories))
    return {name: law.rule for name, law in laws.items() if law.theory in wanted}


def theories_of(law_names: Iterable[str], laws: Mapping[str, Law] = LAWS) -> frozenset[str]:
    """The theories to which laws belong."""
    return frozenset(laws[name].theory for name in law_names if name in laws)
