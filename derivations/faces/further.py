"""What takes longer than a verdict: the mutants of a derivation and which of its givens it needs."""

from __future__ import annotations

from derivations.faces.facts import Facts, MutantsFacts
from derivations.faces.mutants import Judges, mutant_facts, trials
from derivations.faces.necessity import Means, necessity
from derivations.records import Derivation


def add_further(
    derivation: Derivation, facts: Facts, seed: int, judges: Judges | None = None, means: Means | None = None
) -> Facts:
    """The facts with the mutants of the statement and of each step, and the necessity of each given.

    The only step of a derivation has the mutants of the statement. What raises is an error among the facts.
    """
    found: Facts = {**facts}
    try:
        sound = all(step["proof"] == "closed" for step in facts["steps"])
        tried = trials(derivation, sound=sound)
        by_number = {one.number: mutant_facts(one, judges or Judges(), seed) for one in tried}
        found["mutants"] = by_number.get(0) or no_mutants()
        found["steps"] = [
            {**step, "mutants": by_number.get(step["number"]) or found["mutants"]} for step in facts["steps"]
        ]
        found["necessity"], found["sufficient"] = necessity(derivation, means or Means(), seed)
    except Exception as raised:
        message = f"the mutants raised {type(raised).__name__}: {raised}"
        found["error"] = "; ".join(filter(None, [facts.get("error", ""), message]))
    return found


def no_mutants() -> MutantsFacts:
    """The counts of a conjunction, whose parts are judged as derivations of their own."""
    return {
        "made": 0, "caught": 0, "equivalent": 0, "true_weaker": 0, "missed": [], "conflicts": [], "shown": [],
    }  # fmt: skip
