"""``verify NAME --explain``: all that is known of one derivation, as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from derivations.faces.facts import CheckFacts, Facts, MutantsFacts, StepFacts
from derivations.faces.report import SIGNS, blame, counterexample, meaning, open_conditions

_STATUS: Mapping[str, str] = MappingProxyType(
    {"needed": "needed", "not_needed": "not needed", "undetermined": "undetermined"}
)


def explanation(facts: Facts) -> str:
    """The page of one derivation."""
    name, word = facts["name"], facts["verdict"]
    lines = [f"{name}: {word} ({meaning(word, facts['steps'])})", facts["title"]["en"]]
    if facts.get("error"):
        lines += ["", facts.get("error", "")]
    if facts["contradiction"]:
        lines += ["", f"The givens give {facts['contradiction']}"]
    for step in facts["steps"]:
        lines += ["", *_step(step, facts)]
    if facts.get("parts"):
        lines += ["", "Each part is a derivation of its own; its steps are explained there."]
    if "mutants" in facts:
        listed = _mutants(facts["mutants"])
        lines += ["", "Mutants of the statement", *([next(listed)] if facts.get("parts") else listed)]
    lines += _necessity(facts)
    return "\n".join(lines)


# ----------------------------------------------------------------------------------------------- the steps


def _step(step: StepFacts, facts: Facts) -> Iterator[str]:
    sign = SIGNS.get(step["relation"], step["relation"])
    yield f"Step {step['number']}{step['label']}"
    yield f"    {' ' * len(sign)} {step['left']}"
    yield f"    {sign} {step['right']}"
    yield f"  proof     {step['proof']}{_by(step)}"
    for given in step["givens"]:
        yield f"            uses: {given}"
    for name in step["cited"]:
        yield f"            cites {name}"
    for condition in open_conditions(step):
        yield f"            holds only if {condition}"
    yield f"  evidence  {step['evidence']}"
    for check in facts["numerics"]:
        if check["step"] == step["number"]:
            yield from _check(check)
    if step["counterexample"]:
        yield from counterexample(step["counterexample"], "            ")
    yield from (f"            {one}" for one in blame(step))
    if "mutants" in step and len(facts["steps"]) > 1:
        counts, *rest = _mutants(step["mutants"])
        yield f"  mutants {counts}"
        yield from (f"          {one}" for one in rest)


def _by(step: StepFacts) -> str:
    if not step["reasons"]:
        return ""
    how = ", found" if step["reasons_found"] else ""
    return f" (by {', '.join(step['reasons'])}{how})"


def _check(check: CheckFacts) -> Iterator[str]:
    detail = f": {check['detail']}" if check["detail"] else ""
    yield f"            {check['method']} {check['outcome']}{detail}"
    power = list(_power(check))
    if power:
        yield f"              {', '.join(power)}"


def _power(check: CheckFacts) -> Iterator[str]:
    """What the check could have told apart, and how surely."""
    sampled = check["alpha"] is not None
    if check["delta"] is not None and sampled and check["outcome"] == "confirmed":
        yield f"a claim off by {_short(check['delta'])} would have been rejected"
    elif check["error"]:
        yield f"largest relative difference {_short(check['error'])}"
    if sampled:
        yield f"alpha {_short(check['alpha'])}"
        yield f"beta {_short(check['beta'])}"
        yield f"{check['samples']} samples"
    if check["variance_bound"] is not None:
        yield f"variance at most {_short(check['variance_bound'])} from {check['variance_bound_from']}"
    if check["threshold"] is not None:
        yield (
            f"log-evidence {_short(check['log_evidence'])} against the claim, {_short(check['rival_log_evidence'])} "
            f"against its rivals, threshold {_short(check['threshold'])}"
        )


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


# ----------------------------------------------------------------------------------------------- mutants


def counts(mutants: MutantsFacts) -> str:
    """The counts in one line."""
    shown = [f"{mutants['caught']} caught"]
    shown += [
        f"{number} {word}"
        for number, word in (
            (mutants["equivalent"], "equivalent"),
            (mutants["true_weaker"], "true but weaker"),
            (len(mutants["missed"]), "missed"),
            (len(mutants["conflicts"]), "in conflict"),
        )
        if number
    ]
    return f"{mutants['made']} made: {', '.join(shown)}"


def _mutants(mutants: MutantsFacts) -> Iterator[str]:
    yield f"  {counts(mutants)}"
    for word, listed in (("conflict", mutants["conflicts"]), ("missed", mutants["missed"])):
        for one in listed:
            yield f"    {word} ({one['kind']}): {one['claim']}"
            if one["by"]:
                yield f"      {one['by']}"
    for one in mutants["shown"]:
        word = "equivalent" if one["word"] == "equivalent" else "true but weaker"
        yield f"    {word}, by {one['by']}: {one['claim']}"


# --------------------------------------------------------------------------------------------- necessity


def _necessity(facts: Facts) -> Iterator[str]:
    found = facts.get("necessity")
    if not found:
        return
    part: str | None = None
    for one in found:
        if one.get("part", "") != part:
            part = one.get("part", "")
            yield from ("", f"What is assumed by {part}" if part else "What is assumed")
        yield f"  {_STATUS[one['status']]:<12}  {one['given']}"
        if one["fails"]:
            yield f"                without it {one['fails']} fails: {one['witness']}"
        elif one["witness"]:
            yield f"                {one['witness']}"
    sets = facts.get("sufficient") or []
    if sets:
        yield from ("", "Smallest sets that suffice" if len(sets) > 1 else "What suffices")
        for number, chosen in enumerate(sets, start=1):
            yield from _numbered(number, chosen)


def _numbered(number: int, chosen: Iterable[str]) -> Iterator[str]:
    for position, given in enumerate(chosen):
        yield f"  {f'{number}.' if not position else '':<4}{given}"
