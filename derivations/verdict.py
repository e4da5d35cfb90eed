"""From two results to one word. How far the proof got and what the numerics found are kept apart until here.

Words are plain strings, so that a program that only reads results needs none of the mathematics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

AGREES, REFUTES, INCONCLUSIVE, NOT_RUN = "agrees", "refutes", "inconclusive", "not run"
CLOSED, CONDITIONAL, OPEN = "closed", "conditional", "open"
VACUOUS = "vacuous"

# A step that is conditional and yet refuted is a conflict unless its condition fails at the counterexample; whoever
# reads the message is told the condition.
_TABLE: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (CLOSED, AGREES): "proved",
        (CLOSED, REFUTES): "conflict",
        (CLOSED, INCONCLUSIVE): "unconfirmed",
        (CLOSED, NOT_RUN): "proved_symbolically",
        (CONDITIONAL, AGREES): "conditional",
        (CONDITIONAL, REFUTES): "conflict",
        (CONDITIONAL, INCONCLUSIVE): "unconfirmed",
        (CONDITIONAL, NOT_RUN): "conditional",
        (OPEN, AGREES): "supported",
        (OPEN, REFUTES): "refuted",
        (OPEN, INCONCLUSIVE): "unknown",
        (OPEN, NOT_RUN): "unknown",
    }
)
# The worst news first; summaries are printed in this order reversed.
VERDICTS = (
    "conflict",
    "refuted",
    "vacuous",
    "unknown",
    "supported",
    "unconfirmed",
    "conditional",
    "proved_symbolically",
    "proved",
)


@dataclass(frozen=True)
class StepResult:
    """How far the proof of one step got, and what the numerics say of it."""

    proof: str
    evidence: str

    @property
    def verdict(self) -> str:
        """The word for this step alone."""
        return _TABLE[self.proof, self.evidence]


def derivation_evidence(evidence: Iterable[str]) -> str:
    """The evidence on a whole derivation: one refuted step refutes it, and only if every step agrees, it agrees."""
    present = set(evidence)
    if REFUTES in present:
        return REFUTES
    return present.pop() if len(present) == 1 else INCONCLUSIVE


def derivation_proof(proofs: Iterable[str]) -> str:
    """The weakest status among the steps; open when there is none."""
    present = set(proofs)
    if not present or OPEN in present:
        return OPEN
    return CONDITIONAL if CONDITIONAL in present else CLOSED


def verdict(steps: Iterable[StepResult], *, contradiction: bool = False) -> str:
    """The word for a derivation.

    A step that is closed and refuted is a conflict whatever the others are, for it shows a bug of this program. From
    givens that contradict each other everything follows; then a counterexample, which satisfies them, is a conflict
    too. Otherwise a refuted step makes the derivation refuted. What is left goes by the weakest proof and the
    evidence on all steps together.
    """
    results = tuple(steps)
    words = {step.verdict for step in results}
    if "conflict" in words or (contradiction and "refuted" in words):
        return "conflict"
    if contradiction:
        return VACUOUS
    if "refuted" in words:
        return "refuted"
    return _TABLE[
        derivation_proof(step.proof for step in results), derivation_evidence(step.evidence for step in results)
    ]


def passes(word: str, *, symbolic_only: bool = False, allow_conditional: bool = False) -> bool:
    """Whether a verdict is what the caller asked for."""
    return (
        word == "proved"
        or (symbolic_only and word == "proved_symbolically")
        or (allow_conditional and word == "conditional")
    )
