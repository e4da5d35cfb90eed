"""What a numerical check says, and what several of them say together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Method: TypeAlias = Literal["exact", "high_precision", "finite_differences", "monte_carlo"]
Outcome: TypeAlias = Literal["confirmed", "refuted", "inconclusive"]
Evidence: TypeAlias = Literal["agrees", "refutes", "inconclusive"]


@dataclass(frozen=True)
class Counterexample:
    """An assignment under which the two sides differ, with their values."""

    assignment: str
    left: str
    right: str


@dataclass(frozen=True)
class Check:
    """One check of one step.

    ``delta`` is how far off a claim may be and still be confirmed (where something is sampled: by the samples that are
    planned): 0 for exact arithmetic. ``alpha`` bounds the
    probability that a true claim is refuted, ``beta`` that of a true claim staying unconfirmed (on each side); both are
    None where nothing is sampled. ``error`` is the largest relative difference seen between equal sides; where
    something is sampled, the standard error that the variance bound allows.
    ``slack`` is the smallest relative distance seen between the sides of an inequality: near zero it is sharp.
    ``variance_bound`` is that of the sampled statistic and ``variance_bound_from`` says where it comes from.
    ``log_evidence`` is the logarithm of the largest evidence seen against the claim; at ``threshold`` it refutes.
    ``rival_log_evidence`` is the least against the wrong claims that are ``delta`` off; at ``threshold`` it confirms.
    """

    step: int
    method: Method
    outcome: Outcome
    alpha: float | None = None
    beta: float | None = None
    delta: float | None = None
    samples: int = 0
    variance_bound: float | None = None
    variance_bound_from: str | None = None
    error: float | None = None
    seed: int = 0
    detail: str = ""
    counterexample: Counterexample | None = None
    slack: float | None = None
    log_evidence: float | None = None
    rival_log_evidence: float | None = None
    threshold: float | None = None


def evidence(checks: Iterable[Check], step: int) -> Evidence:
    """What the checks of one step say together.

    One refutation refutes. Otherwise they agree if at least one check confirmed the step: a check confirms only what it
    compared on both sides, and only where it could have told a wrong statement apart. All else is inconclusive.
    """
    outcomes = {check.outcome for check in checks if check.step == step}
    if "refuted" in outcomes:
        return "refutes"
    return "agrees" if "confirmed" in outcomes else "inconclusive"
