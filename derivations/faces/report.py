"""What ``verify`` prints: one JSON object, or a table, a paragraph for whatever does not pass, and a summary."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from derivations.faces.facts import CounterexampleFacts, Facts, FaultFacts, MutantFacts, MutantsFacts, StepFacts
from derivations.faces.supply import conditions_with_help, reasons_to_add
from derivations.registry import Fault, Listing
from derivations.verdict import AGREES, CONDITIONAL, INCONCLUSIVE, NOT_RUN, REFUTES, VERDICTS, StepResult
from derivations.writing.verdicts import VERDICTS as MEANINGS

_EVIDENCE: Mapping[str, str] = MappingProxyType(
    {REFUTES: "refuted", AGREES: "agree", INCONCLUSIVE: "inconclusive", NOT_RUN: "not run"}
)
SIGNS: Mapping[str, str] = MappingProxyType({"=": "=", "<=": "≤", ">=": "≥", "<": "<", ">": ">", "<=>": "⇔"})
_DONE = frozenset({"proved", "proved_symbolically"})


@dataclass(frozen=True)
class Outcome:
    """What was found out about one derivation; ``fault`` if its file or function could not be read."""

    listing: Listing
    facts: Facts
    fault: FaultFacts | None = None


def summary(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many derivations have each verdict, the best first."""
    counts = Counter(one.facts["verdict"] for one in outcomes)
    return {word: counts[word] for word in reversed(VERDICTS) if counts[word]}


def json_report(
    outcomes: Sequence[Outcome],
    seed: int,
    folders: Sequence[str],
    faults: Sequence[Fault],
    *,
    interrupted: int | None,
) -> str:
    """Everything as one JSON object. ``interrupted`` counts the derivations that were not reached."""
    whole: dict[str, object] = {
        "seed": seed,
        "summary": summary(outcomes),
        "derivations": [one.facts for one in outcomes],
        "library": list(folders),
        "errors": [{"file": one.file, "line": one.line, "message": one.message} for one in faults],
    }
    if interrupted is not None:
        whole["interrupted"] = {"not_reached": interrupted}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def text_report(
    outcomes: Sequence[Outcome],
    seed: int,
    folders: Sequence[str],
    failing: Sequence[Outcome],
    *,
    seconds: float,
    interrupted_of: int | None,
    timeout: float | None = None,
) -> str:
    """The table, the paragraphs and the summary line. ``timeout`` is that of each derivation, in seconds."""
    again = Again(seed, tuple(folders), timeout)
    paragraphs = [*_broken_files(failing), *(_paragraph(one, again) for one in failing if not _file_fault(one))]
    counts = ", ".join(f"{count} {word}" for word, count in summary(outcomes).items()) or "none"
    number = f"{len(outcomes)} of {interrupted_of}" if interrupted_of is not None else str(len(outcomes))
    noun = "derivation" if number == "1" else "derivations"
    cut = "interrupted; " if interrupted_of is not None else ""
    last = f"{cut}{number} {noun}: {counts} (seed {seed}, {seconds:.1f} s)"
    further = [further_table(outcomes)] if any("mutants" in one.facts for one in outcomes) else []
    return "\n\n".join([table(outcomes), *further, *paragraphs, last])


def table(outcomes: Sequence[Outcome]) -> str:
    """One row for each derivation: name, verdict, steps, numerics in a few words, seconds."""
    rows = [("name", "verdict", "steps", "numerics", "seconds"), *(_row(one.facts) for one in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        f"{name:<{widths[0]}}  {word:<{widths[1]}}  {steps:>{widths[2]}}  {numerics:<{widths[3]}}  {time:>{widths[4]}}"
        for name, word, steps, numerics, time in rows
    )


def _row(facts: Facts) -> tuple[str, str, str, str, str]:
    time = facts["seconds"]["symbolic"] + facts["seconds"]["numeric"]
    return (facts["name"], facts["verdict"], str(len(facts["steps"])), _numerics(facts), f"{time:.2f}")


def _numerics(facts: Facts) -> str:
    error = facts.get("error", "")
    if not facts["steps"]:
        return error if len(error) <= 24 else "not read"
    counts = Counter(step["evidence"] for step in facts["steps"])
    if set(counts) == {NOT_RUN}:
        return "not run"
    words = ", ".join(f"{counts[word]} {said}" for word, said in _EVIDENCE.items() if counts[word])
    return f"{words} ({error.split(' after')[0].split(' during')[0]})" if error and len(error) <= 48 else words


def _file_fault(outcome: Outcome) -> bool:
    return outcome.fault is not None and outcome.fault["whole_file"]


def _broken_files(failing: Sequence[Outcome]) -> list[str]:
    """One paragraph for each library file that could not be run, whatever the number of its derivations."""
    files: dict[str, list[str]] = {}
    for one in failing:
        if _file_fault(one):
            files.setdefault(one.facts.get("error", ""), []).append(one.facts["name"])
    return [f"{error}\n  not examined: {', '.join(names)}" for error, names in files.items()]


def _paragraph(outcome: Outcome, again: Again) -> str:
    facts = outcome.facts
    name, word = facts["name"], facts["verdict"]
    if not facts["steps"]:
        return f"{name}: {word} ({facts.get('error', 'nothing is known of it')}){again.lines(facts, None)}"
    lines = [f"{name}: {word} ({meaning(word, facts['steps'])})"]
    if facts["contradiction"]:
        lines.append(f"  the assumptions contradict each other: {facts['contradiction']}")
    if facts.get("error"):
        lines.append(f"  {facts.get('error')}")
    lines += [f"  a mutant is proved and refuted: {one['claim']} ({one['by']})" for one in conflicts(facts)]
    shown = [step for step in facts["steps"] if _step_verdict(step) not in _DONE]
    for step in shown:
        lines += _step_lines(step)
        lines += [
            f"    {check['method']}: {check['outcome']}" + (f" ({check['detail']})" if check["detail"] else "")
            for check in facts["numerics"]
            if check["step"] == step["number"] and step["evidence"] in (INCONCLUSIVE, REFUTES)
        ]
    return "\n".join(lines) + again.lines(facts, shown[0]["number"] if shown else None)


def conflicts(facts: Facts) -> list[MutantFacts]:
    """The mutants that were both proved and refuted."""
    return [conflict for one in _mutants_once(facts) for conflict in one["conflicts"]]


def _mutants_once(facts: Facts) -> list[MutantsFacts]:
    """The mutants of the statement and of the steps. Those of a single step, and of the parts of a conjunction, are
    among those of the statement."""
    apart = len(facts["steps"]) > 1 and not facts.get("parts")
    steps = [step["mutants"] for step in facts["steps"] if "mutants" in step] if apart else []
    return [one for one in (facts.get("mutants"), *steps) if one]


def further_table(outcomes: Sequence[Outcome]) -> str:
    """One row for each derivation: its mutants and its givens, counted; the last row is the sum."""
    counted = [(one.facts["name"], _further_counts(one.facts)) for one in outcomes if "mutants" in one.facts]
    sums = tuple(sum(column) for column in zip(*(numbers for _, numbers in counted), strict=True))
    rows = [_FURTHER, *((name, *map(str, numbers)) for name, numbers in [*counted, ("all", sums)])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_FURTHER))]
    return "\n".join(
        "  ".join(
            [f"{row[0]:<{widths[0]}}", *(f"{one:>{width}}" for one, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


_FURTHER = ("name", "mutants", "caught", "equivalent", "weaker", "missed", "conflicts", "needed", "not needed", "open")


def _further_counts(facts: Facts) -> tuple[int, ...]:
    all_of_them = _mutants_once(facts)
    statuses = Counter(one["status"] for one in facts.get("necessity", ()))
    return (
        sum(one["made"] for one in all_of_them),
        sum(one["caught"] for one in all_of_them),
        sum(one["equivalent"] for one in all_of_them),
        sum(one["true_weaker"] for one in all_of_them),
        sum(len(one["missed"]) for one in all_of_them),
        sum(len(one["conflicts"]) for one in all_of_them),
        statuses["needed"],
        statuses["not_needed"],
        statuses["undetermined"],
    )


def meaning(word: str, steps: Sequence[StepFacts]) -> str:
    """What the verdict means; a conflict that a failing condition may explain is not yet a bug."""
    conflicts = [step for step in steps if _step_verdict(step) == "conflict"]
    if word == "conflict" and conflicts and all(step["proof"] == CONDITIONAL for step in conflicts):
        return "proved under a condition and yet refuted by the numerics"
    return MEANINGS[word].en


def _step_verdict(step: StepFacts) -> str:
    return StepResult(step["proof"], step["evidence"]).verdict


def _step_lines(step: StepFacts) -> list[str]:
    """What is wrong with a step: the claim, what was expected and found, what is missing, where it fails."""
    number, word = step["number"], _step_verdict(step)
    sign = SIGNS.get(step["relation"], step["relation"])
    margin = " " * (len(sign) + 1)
    lines = [
        f"  step {number}{step['label']}: {word}",
        f"    {margin}{step['left']}",
        f"    {sign} {step['right']}",
    ]
    lines += forms(step, "    ")
    lines += [f"    {one}" for one in (lacks(step), step["message"]) if one]
    lines += holds_only_if(step, "    ")
    if step["counterexample"]:
        lines += counterexample(step["counterexample"], "    ")
    return lines + [f"    {one}" for one in blame(step)]


def open_conditions(step: StepFacts) -> list[str]:
    """The conditions under which a step holds that nothing settles."""
    return [one["text"] for one in step["obligations"] if not one["discharged_by"]]


def holds_only_if(step: StepFacts, indent: str) -> list[str]:
    """Each open condition of a step, and how to assume it."""
    lines: list[str] = []
    still_open = [(one["kind"], one["text"]) for one in step["obligations"] if not one["discharged_by"]]
    for text, how in conditions_with_help(still_open):
        lines += [f"{indent}holds only if {text}", *([f"{indent}  {how}"] if how else [])]
    return lines


def lacks(step: StepFacts) -> str:
    """What a step lacks, in words and as it is typed; nothing where it lacks nothing."""
    return "; ".join(one for one in (step["needs"], reasons_to_add(step["missing"])) if one)


def blame(step: StepFacts) -> list[str]:
    """For a step that is proved under a condition and yet refuted: that the condition fails there, or the bug."""
    conditions = open_conditions(step)
    if _step_verdict(step) != "conflict" or not conditions:
        return []
    if len(conditions) == 1:
        return [f"either it fails at the counterexample that {conditions[0]}, or this program has a bug"]
    which = "; ".join(conditions)
    return [f"either one of these fails at the counterexample, or this program has a bug: {which}"]


def forms(step: StepFacts, indent: str) -> list[str]:
    """The normal forms of both sides of an open step and of their difference; nothing where the sides agree."""
    if step["proof"] == "closed" or step["residual"] == "0" or step["left_form"] == step["right_form"]:
        return []
    shown = difference(step["relation"], step["left_form"], step["right_form"], step["residual"])
    return [
        f"{indent}left side  {step['left_form']}",
        f"{indent}right side {step['right_form']}",
        *([f"{indent}difference {shown}"] if shown else []),
    ]


def difference(relation: str, left: str, right: str, residual: str) -> str:
    """What is left of the difference of the sides, said to be without its denominators where they were cleared. The
    two sides of an equivalence are differences themselves, so there is none."""
    if relation == "<=>" and residual != "0":
        return ""
    # The kernel multiplies by denominators that are sums; powers of single atoms stay.
    cleared = relation == "=" and residual != "0" and ")^(-" in left + right and ")^(-" not in residual
    return f"{residual} (denominators cleared)" if cleared else residual


def counterexample(found: CounterexampleFacts, indent: str) -> list[str]:
    """Where the two sides of a step differ, and their values there."""
    return [
        f"{indent}counterexample: {found['assignment']}",
        f"{indent}  left side  {found['left']}",
        f"{indent}  right side {found['right']}",
    ]


@dataclass(frozen=True)
class Again:
    """The command lines that reproduce a result."""

    seed: int
    folders: tuple[str, ...]
    timeout: float | None

    def lines(self, facts: Facts, step: int | None) -> str:
        """Those for one derivation, and for one of its steps."""
        name, library = facts["name"], library_options(self.folders)
        why = f"\n  python -m derivations why {name} --step {step}{library}" if step is not None else ""
        late = self.timeout is not None and "timed out" in facts.get("error", "")
        limit = f" --timeout {self.timeout:g}" if late else ""
        return f"{why}\n  python -m derivations verify {name} --seed {self.seed}{limit}{library}"


def library_options(folders: Sequence[str]) -> str:
    """The options that name the folders, with a space before each."""
    return "".join(f" --library {shlex.quote(one)}" for one in folders)
