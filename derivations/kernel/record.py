"""What a proof records. A record is evidence of nothing: whoever wants to rely on one replays it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sympy import Expr

from derivations.language.givens import Given
from derivations.records import Derivation


class Status(StrEnum):
    """How far a proof got."""

    CLOSED = "closed"
    CONDITIONAL = "conditional"
    OPEN = "open"


@dataclass(frozen=True)
class Obligation:
    """Something that must hold for a line to have a meaning, such as a denominator that is not zero.

    ``discharged_by`` says what settles it ("" while it stands open as a condition of the theorem).
    """

    kind: str
    expression: Expr
    text: str
    discharged_by: str = ""
    givens: tuple[Given, ...] = ()

    @property
    def open(self) -> bool:
        """Whether nothing settles it, so that it stands in the theorem as a condition."""
        return not self.discharged_by


@dataclass(frozen=True)
class StepProof:
    """The proof of one step, or how far it got.

    ``reasons`` are theory names, as stated by the author or, where ``reasons_found`` is true, the smallest set
    found. ``laws`` and ``givens`` are those that were used. ``missing`` names the theories that would close the
    step in addition to the stated ones, ``missing_givens`` the givens that those would use, ``unused`` the stated
    theories of which no law was used. The three forms are the normal forms of both sides and of what is left of
    their difference, as text.
    """

    number: int
    status: Status
    reasons: tuple[str, ...]
    reasons_found: bool
    laws: tuple[str, ...]
    givens: tuple[Given, ...]
    obligations: tuple[Obligation, ...]
    left_form: str
    right_form: str
    residual: str
    missing: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    missing_givens: tuple[Given, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class Proof:
    """The proof of a derivation, step by step. ``contradiction`` is the text of one derived from the givens, or ""."""

    derivation: Derivation
    steps: tuple[StepProof, ...]
    contradiction: str = ""

    @property
    def status(self) -> Status:
        """The weakest status among the steps; open when there is none."""
        present = {step.status for step in self.steps}
        if not present or Status.OPEN in present:
            return Status.OPEN
        return Status.CONDITIONAL if Status.CONDITIONAL in present else Status.CLOSED
