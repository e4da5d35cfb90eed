"""What takes longer than a verdict: the mutants of a derivation and which of its givens it needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from derivations.faces.facts import Facts, MutantFacts, MutantsFacts
from derivations.faces.mutants import Judges, mutant_facts, trials
from derivations.faces.necessity import Means, necessity, needed_by_statement
from derivations.records import Derivation
from derivations.verdict import CLOSED


def add_further(
    derivation: Derivation, facts: Facts, seed: int, judges: Judges | None = None, means: Means | None = None
) -> Facts:
    """The facts with the mutants of the statement and of each step, and the necessity of each given.

    The only step of a derivation has the mutants of the statement. What raises is an error among the facts.
    """
    add = _add_of_parts if derivation.parts else _add
    try:
        return add(derivation, facts, seed, judges or Judges(), means or Means())
    except Exception as raised:
        message = f"the mutants raised {type(raised).__name__}: {raised}"
        return {**facts, "error": "; ".join(filter(None, [facts.get("error", ""), message]))}


def _add(derivation: Derivation, facts: Facts, seed: int, judges: Judges, means: Means) -> Facts:
    sound = all(step["proof"] == CLOSED for step in facts["steps"])
    by_number = {one.number: mutant_facts(one, judges, seed) for one in trials(derivation, sound=sound)}
    found: Facts = {**facts, "mutants": by_number[0]}
    found["steps"] = [{**step, "mutants": by_number.get(step["number"], by_number[0])} for step in facts["steps"]]
    found["necessity"], found["sufficient"] = necessity(derivation, means, seed)
    return found


def _add_of_parts(derivation: Derivation, facts: Facts, seed: int, judges: Judges, means: Means) -> Facts:
    """A conjunction is false where one of its parts is: each mutant of the statement of a part, at the objects at which
    the part is taken, is one of the conjunction; and what a part needs, the conjunction needs."""
    by_part = [
        (part.name, _of_statement(part, step["proof"] == CLOSED, judges, seed))
        for part, step in zip(derivation.parts, facts["steps"], strict=True)
    ]
    found: Facts = {**facts, "mutants": together(by_part)}
    found["steps"] = [{**step, "mutants": one} for step, (_, one) in zip(facts["steps"], by_part, strict=True)]
    found["necessity"] = [
        {**one, "part": part.name} for part in derivation.parts for one in needed_by_statement(part, means, seed)
    ]
    found["sufficient"] = []
    return found


def _of_statement(derivation: Derivation, sound: bool, judges: Judges, seed: int) -> MutantsFacts:
    return mutant_facts(next(iter(trials(derivation, sound=sound))), judges, seed)


def together(by_part: Iterable[tuple[str, MutantsFacts]]) -> MutantsFacts:
    """The mutants of all parts as those of one statement, each with the name of its part."""
    named = tuple(by_part)

    def listed(key: Literal["missed", "conflicts", "shown"]) -> list[MutantFacts]:
        return [{**one, "part": name} for name, part in named for one in part[key]]

    return {
        "made": sum(one["made"] for _, one in named),
        "caught": sum(one["caught"] for _, one in named),
        "equivalent": sum(one["equivalent"] for _, one in named),
        "true_weaker": sum(one["true_weaker"] for _, one in named),
        "missed": listed("missed"),
        "conflicts": listed("conflicts"),
        "shown": listed("shown"),
    }
