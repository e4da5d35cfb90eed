"""``why``: what one step rests on, or where it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from derivations.faces.conditions import condition_text
from derivations.faces.examine import needs, real_engines
from derivations.faces.listing import report_faults
from derivations.faces.phrases import theory_phrases
from derivations.faces.report import difference
from derivations.faces.supply import conditions_with_help, reasons_to_add
from derivations.kernel.record import Obligation, Proof, StepProof
from derivations.language.givens import Given
from derivations.loading import LoadError, load
from derivations.records import Derivation, Step
from derivations.registry import read_registry, unknown
from derivations.writing.reasons import certificate, citation, reason_words, step_label
from derivations.writing.unicode import RELATIONS, plain
from derivations.writing.words import given_words


def why(name: str, number: int, folders: Iterable[Path], prove: Callable[[Derivation], Proof] | None = None) -> int:
    """Print one step with its normal forms, laws, givens and obligations. Returns 2 if there is no such step."""
    registry = read_registry(folders)
    report_faults(registry)
    listing = registry.by_name.get(name)
    family = [one for one in registry.listings if one.family == name]
    if listing is None and family:
        functions = ", ".join(one.name for one in family)
        print(f"derivations: {name} is a family; name one of {functions}", file=sys.stderr)
        return 2
    if listing is None:
        raise unknown(registry, name)
    try:
        derivation = load(listing)
    except LoadError as error:
        print(f"derivations: {name}: {error}", file=sys.stderr)
        return 2
    steps = derivation.steps
    if number > len(steps):
        have = "one step" if len(steps) == 1 else f"steps 1 to {len(steps)}"
        print(f"derivations: {name} has {have}, not {number}", file=sys.stderr)
        return 2
    proof = (prove or real_engines(symbolic_only=True).prove)(derivation)
    found = next((one for one in proof.steps if one.number == number), None)
    if found is None:
        print(f"derivations: the prover says nothing about step {number} of {name}", file=sys.stderr)
        return 1
    if proof.contradiction:
        print(f"The givens contradict each other: {proof.contradiction}\n")
    print(step_text(name, steps[number - 1], found))
    return 0


def step_text(name: str, step: Step, proof: StepProof) -> str:
    """All that is known of one step."""
    phrases = theory_phrases()
    how = " (found; the author gives none)" if proof.reasons_found else ""
    reasons = reason_words(proof.reasons, phrases) or "none"
    lines = [
        f"{name}, step {step.number}{step_label(step).en}: {proof.status}",
        "",
        f"    {plain(step.left)}",
        f"  {RELATIONS[step.relation]} {plain(step.right)}",
        "",
        *_row("left side", [proof.left_form]),
        *_row("right side", [proof.right_form]),
        *_row("difference", [difference(step.relation, proof.left_form, proof.right_form, proof.residual)]),
        *_row("reasons", [f"{reasons}{how}"]),
        *_row("not needed", [f"{reason_words(proof.unused, phrases)}: no law of it is used"] if proof.unused else []),
        *_row("cites", [f"{one.name}: {citation(one).en}" for one in step.line.cited]),
        *_row("certificate", [one.en for one in certificate(step.line)]),
        *_row("laws", proof.laws),
        *_row("givens", _sentences(proof.givens)),
        *_row("obligations", _obligations(proof.obligations)),
        *_row("missing", [needs(proof), reasons_to_add(proof.missing)] if proof.missing else []),
        *_row("message", [proof.message] if proof.message else []),
    ]
    return "\n".join(lines)


def _row(label: str, values: Sequence[str]) -> list[str]:
    """A label with its values one below the other; nothing where there are none."""
    return [f"  {label if not position else '':<12} {value}".rstrip() for position, value in enumerate(values) if value]


def _sentences(givens: Iterable[Given]) -> list[str]:
    return [given_words(one).en for one in givens]


def _obligations(obligations: Iterable[Obligation]) -> list[str]:
    lines: list[str] = []
    still_open = []
    for one in obligations:
        givens = "; ".join(_sentences(one.givens))
        if one.open:
            still_open.append((one.kind, condition_text(one)))
        else:
            lines.append(f"{condition_text(one)}: {one.discharged_by}" + (f" ({givens})" if givens else ""))
    for text, how in conditions_with_help(still_open):
        lines += [f"{text}: open, so the step holds only under this condition", *([f"  {how}"] if how else [])]
    return lines
