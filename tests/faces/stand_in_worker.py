"""A worker whose engines do what the name of the derivation says, to try the command line without the real ones."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace

from derivations.faces.examine import Engines
from derivations.faces.worker import serve
from derivations.kernel.record import Obligation, Proof, Status, StepProof
from derivations.records import Derivation

CLOSED = StepProof(1, Status.CLOSED, ("algebra",), False, ("a law",), (), (), "x", "x", "0")


@dataclass(frozen=True)
class Counterexample:
    assignment: str
    left: str
    right: str


@dataclass(frozen=True)
class Check:
    step: int
    outcome: str = "confirmed"
    counterexample: Counterexample | None = None
    method: str = "exact"
    alpha: float | None = None
    beta: float | None = None
    delta: float | None = None
    samples: int = 7
    variance_bound: float | None = float("inf")
    variance_bound_from: str = ""
    error: float | None = None
    seed: int = 0
    detail: str = ""
    slack: float | None = None
    log_evidence: float | None = None
    rival_log_evidence: float | None = None
    threshold: float | None = None


def prove(derivation: Derivation) -> Proof:
    steps = tuple(replace(CLOSED, number=step.number) for step in derivation.steps)
    last = steps[-1]
    match derivation.name.partition(".")[2]:
        case "crash_in_prover":
            os._exit(7)
        case "hang_in_prover":
            time.sleep(60)
        case "error_in_prover":
            raise RecursionError("too deep")
        case "open" | "false":
            missing = tuple(derivation.givens[-1:])
            form = replace(last, status=Status.OPEN, left_form="d", right_form="d^2", residual="d - d^2")
            last = replace(form, missing=("independence",), missing_givens=missing, message="")
        case "conditional" | "conditional_false":
            condition = Obligation("denominator", derivation.start, "s ≠ 0")
            last = replace(last, status=Status.CONDITIONAL, obligations=(condition,))
        case "conditions_false":
            conditions = tuple(Obligation("nonzero", derivation.start, f"s {word}") for word in ("≠ 0", "is odd"))
            last = replace(last, status=Status.CONDITIONAL, obligations=conditions)
        case "vacuous":
            return Proof(derivation, steps, "0 = 1")
    return Proof(derivation, (*steps[:-1], last))


def check(derivation: Derivation, seed: int) -> tuple[Check, ...]:
    checks = [Check(step.number, seed=seed) for step in derivation.steps]
    match derivation.name.partition(".")[2]:
        case "hang":
            print("hanging", flush=True)
            time.sleep(60)
        case "crash":
            os.abort()
        case "error":
            raise ZeroDivisionError("in the numerics")
        case "prints":
            print("a library prints", flush=True)
        case "false" | "conflict" | "conditional_false" | "conditions_false" | "cases_false":
            checks[-1] = Check(len(checks), "refuted", Counterexample("d = 2", "2", "4"), seed=seed)
        case "inconclusive":
            checks[-1] = Check(len(checks), "inconclusive", detail="too few samples")
    return tuple(checks)


def evidence(checks: tuple[Check, ...], step: int) -> str:
    words = {"confirmed": "agrees", "refuted": "refutes", "inconclusive": "inconclusive"}
    return words[next(one.outcome for one in checks if one.step == step)]


def engines(symbolic_only: bool) -> Engines:
    if symbolic_only:
        return Engines(prove, None, lambda checks, step: "not run")
    return Engines(prove, check, evidence)


if __name__ == "__main__":
    serve(engines)
