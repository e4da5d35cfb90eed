"""What is found out about one derivation, as plain data that can be sent from a worker and printed as JSON."""

from __future__ import annotations

from typing import NotRequired, TypeAlias, TypedDict

Plain: TypeAlias = "str | int | float | bool | None"


class TitleFacts(TypedDict):
    """The title in both languages."""

    en: str
    zh: str


class ObligationFacts(TypedDict):
    """What must hold for a line to have a meaning; ``discharged_by`` is empty while it stands open.

    ``latex`` is the expression of which it speaks.
    """

    kind: str
    text: str
    latex: str
    discharged_by: str
    givens: list[str]


class CounterexampleFacts(TypedDict):
    """Where the two sides of a step differ."""

    assignment: str
    left: str
    right: str


class MutantFacts(TypedDict):
    """One mutant: its kind, what became what, the claim it makes, what it is, and what shows that. ``part`` names the
    part of a conjunction that it is a mutant of."""

    kind: str
    change: str
    claim: str
    word: str
    by: str
    part: NotRequired[str]


class MutantsFacts(TypedDict):
    """The mutants of a claim. ``shown`` are the equivalent and the weaker ones, with what shows them to be so."""

    made: int
    caught: int
    equivalent: int
    true_weaker: int
    missed: list[MutantFacts]
    conflicts: list[MutantFacts]
    shown: list[MutantFacts]


class NecessityFacts(TypedDict):
    """Whether a derivation needs a given: ``needed``, ``not_needed`` or ``undetermined``.

    ``witness`` is where it fails without, or why nothing is known; ``fails`` says what fails there. ``part`` names the
    part of a conjunction that assumes it.
    """

    given: str
    status: str
    fails: str
    witness: str
    part: NotRequired[str]


class StepFacts(TypedDict):
    """One step. ``line`` is LaTeX; ``left``, ``right``, ``certificate`` and the three forms are text.

    ``label`` says in brackets to which case or part the step belongs, with a space before it; else it is empty.
    """

    relation: str
    line: str
    proof: str
    evidence: str
    reasons: list[str]
    givens: list[str]
    obligations: list[ObligationFacts]
    counterexample: CounterexampleFacts | None
    number: int
    left: str
    right: str
    reasons_found: bool
    laws: list[str]
    left_form: str
    right_form: str
    residual: str
    missing: list[str]
    missing_givens: list[str]
    message: str
    needs: str
    label: str
    cited: list[str]
    certificate: str
    mutants: NotRequired[MutantsFacts]


class CheckFacts(TypedDict):
    """One numerical check of one step."""

    step: int
    method: str
    outcome: str
    alpha: Plain
    beta: Plain
    delta: Plain
    samples: Plain
    variance_bound: Plain
    variance_bound_from: Plain
    error: Plain
    slack: Plain
    log_evidence: Plain
    rival_log_evidence: Plain
    threshold: Plain
    seed: Plain
    detail: str


class SecondsFacts(TypedDict):
    """How long the two halves took."""

    symbolic: float
    numeric: float


class PartFacts(TypedDict):
    """One part of a conjunction: a theorem with its own assumptions. ``statement`` is LaTeX."""

    name: str
    title: TitleFacts
    statement: str
    givens: list[str]


class Facts(TypedDict):
    """One derivation. ``error`` says what went wrong, if anything did; ``contradiction`` is one of the givens.

    A conjunction has ``parts``, each of them one step; the mutants of its statement are those of all its parts, and its
    givens are theirs. ``mutants`` (those of the statement), ``necessity`` and ``sufficient``, the smallest sets of
    givens that suffice, are there only where they were asked for.
    """

    name: str
    title: TitleFacts
    verdict: str
    statement: str
    steps: list[StepFacts]
    numerics: list[CheckFacts]
    seconds: SecondsFacts
    contradiction: str
    parts: NotRequired[list[PartFacts]]
    mutants: NotRequired[MutantsFacts]
    necessity: NotRequired[list[NecessityFacts]]
    sufficient: NotRequired[list[list[str]]]
    error: NotRequired[str]


class FaultFacts(TypedDict):
    """What is wrong with a library file, and where."""

    file: str
    line: int
    message: str
    whole_file: bool


class Event(TypedDict):
    """What a worker reports: facts, more than once for one derivation until they are final, or a fault."""

    final: bool
    facts: NotRequired[Facts]
    fault: NotRequired[FaultFacts]


class Request(TypedDict):
    """What a worker is asked: one derivation as the registry lists it."""

    family: str
    function: str
    title_en: str
    title_zh: str
    source: str
    file: str
    line: int
    seed: int
    symbolic_only: bool
    mutants: NotRequired[bool]
