"""Prove one derivation and cross-check it, and say in plain data what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING

from derivations.faces.conditions import condition_text
from derivations.faces.facts import (
    CheckFacts,
    CounterexampleFacts,
    Facts,
    ObligationFacts,
    PartFacts,
    Plain,
    StepFacts,
)
from derivations.faces.phrases import theory_phrases
from derivations.kernel.record import Obligation, Proof, Status, StepProof
from derivations.language.givens import Given
from derivations.records import Derivation, Step
from derivations.verdict import AGREES, INCONCLUSIVE, NOT_RUN, REFUTES
from derivations.writing.document import statement
from derivations.writing.latex import latex
from derivations.writing.reasons import certificate, step_label
from derivations.writing.unicode import plain
from derivations.writing.words import given_words, listed

if TYPE_CHECKING:
    from numerics import Check


@dataclass(frozen=True)
class Engines:
    """The prover and the numerics, passed in so that each can be replaced by a planted fault in a test.

    Without ``check`` the numerics are not run.
    """

    prove: Callable[[Derivation], Proof]
    check: Callable[[Derivation, int], Sequence[Check]] | None
    evidence: Callable[[Sequence[Check], int], str]


def real_engines(*, symbolic_only: bool = False) -> Engines:
    """The kernel and, unless only proofs are wanted, the numerics; each is imported here, when it is needed."""
    from derivations.kernel.prove import prove

    if symbolic_only:
        return Engines(prove, None, lambda checks, step: NOT_RUN)
    import numerics

    return Engines(
        prove,
        lambda derivation, seed: numerics.check_derivation(derivation, seed=seed),
        numerics.evidence,
    )


def examine(derivation: Derivation, engines: Engines, seed: int) -> Iterator[Facts]:
    """Yield what is known after the proof, then, if the numerics run, what is known after them.

    An engine that raises proves nothing and confirms nothing; its error is among the facts.
    """
    begun = perf_counter()
    error = ""
    try:
        proof = engines.prove(derivation)
    except Exception as raised:  # whatever a half-built expression makes the prover do must not hide the numerics
        proof = Proof(derivation, ())
        error = f"the prover raised {type(raised).__name__}: {raised}"
    symbolic = perf_counter() - begun
    facts = _facts(derivation, proof, symbolic)
    if error:
        facts["error"] = error
    yield facts
    if engines.check is None:
        return

    begun = perf_counter()
    checks: Sequence[Check] = ()
    try:
        checks = engines.check(derivation, seed)
    except Exception as raised:
        error = "; ".join(filter(None, [error, f"the numerics raised {type(raised).__name__}: {raised}"]))
        facts["error"] = error
    facts["numerics"] = [check_facts(check) for check in checks]
    for step in facts["steps"]:
        step["evidence"] = _evidence(engines, checks, step["number"])
        step["counterexample"] = counterexample_of(checks, step["number"])
    facts["seconds"]["numeric"] = round(perf_counter() - begun, 4)
    yield facts


def _evidence(engines: Engines, checks: Sequence[Check], step: int) -> str:
    word = engines.evidence(checks, step) if checks else INCONCLUSIVE
    return word if word in (AGREES, REFUTES) else INCONCLUSIVE


def _facts(derivation: Derivation, proof: Proof, symbolic: float) -> Facts:
    proofs = {one.number: one for one in proof.steps}
    facts = _common_facts(derivation, proof, proofs, symbolic)
    if derivation.parts:
        facts["parts"] = [_part_facts(one) for one in derivation.parts]
    return facts


def _part_facts(part: Derivation) -> PartFacts:
    return {
        "name": part.name,
        "title": {"en": part.title.en, "zh": part.title.zh},
        "statement": statement(part),
        "givens": _sentences(part.givens),
    }


def _common_facts(derivation: Derivation, proof: Proof, proofs: dict[int, StepProof], symbolic: float) -> Facts:
    return {
        "name": derivation.name,
        "title": {"en": derivation.title.en, "zh": derivation.title.zh},
        "verdict": "unknown",
        "statement": statement(derivation),
        "steps": [step_facts(step, proofs.get(step.number) or _nothing(step)) for step in derivation.steps],
        "numerics": [],
        "seconds": {"symbolic": round(symbolic, 4), "numeric": 0.0},
        "contradiction": proof.contradiction,
    }


def _nothing(step: Step) -> StepProof:
    """The proof of a step of which the prover said nothing."""
    return StepProof(step.number, Status.OPEN, step.line.reasons, False, (), (), (), "", "", "")


def step_facts(step: Step, proof: StepProof) -> StepFacts:
    """What is known of a step after the proof."""
    return {
        "relation": str(step.relation),
        "line": latex(step.right),
        "proof": str(proof.status),
        "evidence": NOT_RUN,
        "reasons": list(proof.reasons),
        "givens": _sentences(proof.givens),
        "obligations": [_obligation_facts(one) for one in proof.obligations],
        "counterexample": None,
        "number": step.number,
        "left": plain(step.left),
        "right": plain(step.right),
        "reasons_found": proof.reasons_found,
        "laws": list(proof.laws),
        "left_form": proof.left_form,
        "right_form": proof.right_form,
        "residual": proof.residual,
        "missing": list(proof.missing),
        "missing_givens": _sentences(proof.missing_givens),
        "message": proof.message,
        "needs": needs(proof),
        "label": step_label(step).en,
        "cited": [one.name for one in step.line.cited],
        "certificate": next((one.en for one in certificate(step.line)), ""),
    }


def _sentences(givens: Iterable[Given]) -> list[str]:
    return [given_words(one).en for one in givens]


def needs(proof: StepProof) -> str:
    """What a step lacks, in words: ``step 3 also needs independence: Q and K are independent``."""
    if not proof.missing:
        return ""
    phrases = theory_phrases()
    theories = listed(phrases[one].en if one in phrases else one for one in proof.missing).en
    givens = "; ".join(_sentences(proof.missing_givens))
    return f"step {proof.number} also needs {theories}" + (f": {givens}" if givens else "")


def _obligation_facts(obligation: Obligation) -> ObligationFacts:
    return {
        "kind": obligation.kind,
        "text": condition_text(obligation),
        "latex": latex(obligation.expression),
        "discharged_by": obligation.discharged_by,
        "givens": _sentences(obligation.givens),
    }


def check_facts(check: Check) -> CheckFacts:
    """A check as plain data."""
    return {
        "step": int(check.step),
        "method": str(check.method),
        "outcome": str(check.outcome),
        "alpha": plain_value(check.alpha),
        "beta": plain_value(check.beta),
        "delta": plain_value(check.delta),
        "samples": plain_value(check.samples),
        "variance_bound": plain_value(check.variance_bound),
        "variance_bound_from": plain_value(check.variance_bound_from),
        "error": plain_value(check.error),
        "slack": plain_value(check.slack),
        "log_evidence": plain_value(check.log_evidence),
        "rival_log_evidence": plain_value(check.rival_log_evidence),
        "threshold": plain_value(check.threshold),
        "seed": plain_value(check.seed),
        "detail": check.detail,
    }


def counterexample_of(checks: Sequence[Check], step: int) -> CounterexampleFacts | None:
    """The first counterexample that refutes the step."""
    for check in checks:
        found = check.counterexample
        if check.step == step and found is not None:
            return {"assignment": str(found.assignment), "left": str(found.left), "right": str(found.right)}
    return None


def plain_value(value: object) -> Plain:
    """A number or a text that JSON can hold; infinities and everything else become text."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (float, Fraction)):
        return float(value) if isfinite(value) else str(value)
    item = getattr(value, "item", None)  # NumPy's scalars
    return plain_value(item()) if callable(item) else str(value)
