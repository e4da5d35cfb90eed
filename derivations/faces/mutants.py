"""Mutants of a derivation: what each of them is, caught or shown to be no mistake, and those that got away.

Kernel and numerics judge each by themselves. A mutant that the kernel proves and the numerics refutes is a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from sympy import Expr, Integer

from derivations.faces.facts import MutantFacts, MutantsFacts
from derivations.kernel.prove import attempt_step, prove_step
from derivations.kernel.record import Status
from derivations.kernel.theories import THEORIES
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.language.propositions import Proposition
from derivations.language.structure import parts, substitute
from derivations.language.written import Power
from derivations.records import Derivation, Line, Relation, Step, line_at, taken_at
from derivations.writing.unicode import RELATIONS, plain
from numerics.errors import NotEvaluated
from numerics.mutations import Claim, Mutant, mutants
from numerics.variants import Effort, Refutation, make_bench


class Refuter(Protocol):
    """What refutes variants of a claim."""

    def refutation(self, claim: Claim, effort: Effort = "all") -> Refutation | None:
        """How the variant fails, or None."""

    def impression(self, claim: Claim) -> str:
        """What is seen of a variant that nothing refutes."""


@dataclass(frozen=True)
class Idle:
    """Where nothing can be sampled nothing is refuted."""

    reason: str

    def refutation(self, claim: Claim, effort: Effort = "all") -> Refutation | None:
        """None."""
        return None

    def impression(self, claim: Claim) -> str:
        """Why there are no instances."""
        return self.reason


Prove: TypeAlias = Callable[[Step, tuple[Given, ...]], Status]

_HIGHEST_POWER = 6
"""The kernel is not asked about higher powers than this or the claim's own: moments of a high order take long."""


def refuter(givens: tuple[Given, ...], claim: Claim, seed: int) -> Refuter:
    """The instances of a claim under its givens."""
    try:
        return make_bench(givens, claim, seed=seed)
    except NotEvaluated as error:
        return Idle(str(error))


def proved(step: Step, givens: tuple[Given, ...]) -> Status:
    """How far the kernel gets with all its theories."""
    if not attempt_step(step, givens, tuple(THEORIES)).closed:
        return Status.OPEN
    return prove_step(replace(step, line=replace(step.line, reasons=tuple(THEORIES))), givens).status


@dataclass(frozen=True)
class Judges:
    """Kernel and numerics, passed in so that a test can replace one by a weak one."""

    refuter: Callable[[tuple[Given, ...], Claim, int], Refuter] = refuter
    proved: Prove = proved


@dataclass(frozen=True)
class Verdict:
    """What a mutant is, and by what this is shown."""

    word: str
    by: str = ""


@dataclass(frozen=True)
class Waypoint:
    """What is known to stand between the two sides of a claim, such as a line of its proof."""

    name: str
    expression: Expr


@dataclass(frozen=True)
class Trial:
    """A true claim whose mutants are judged: the statement (``number`` 0) or a step.

    ``between`` are its waypoints; ``rests`` are the theorems that it cites, from any of their lines on; ``sound`` says
    whether it is proved; ``cases`` are those in which a statement is proved: what to put for what, and the givens.
    """

    number: int
    step: Step
    givens: tuple[Given, ...]
    between: tuple[Waypoint, ...] = ()
    rests: tuple[Derivation, ...] = ()
    sound: bool = True
    cases: tuple[tuple[Mapping[Expr, Expr], tuple[Given, ...]], ...] = ()

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return Claim(self.step.left, self.step.relation, self.step.right)


def trials(derivation: Derivation, *, sound: bool = True) -> Iterator[Trial]:
    """The statement and then, if there are several, the steps. A conjunction has none: each part is judged where it
    stands as a derivation of its own. Only the lines of a ``sound`` derivation, proved step by step, certify."""
    if derivation.parts:
        return
    cited = tuple(dict.fromkeys(one for step in derivation.steps for one in step.line.cited))
    step = Step(0, derivation.start, Line(derivation.relation, derivation.end, cited=cited))
    between = tuple(_waypoints(derivation)) if sound else ()
    cases = tuple(_cases(derivation)) if sound else ()
    yield Trial(0, step, derivation.givens, between, tuple(_rests(step)), sound, cases)
    if len(derivation.steps) > 1:
        for step in derivation.steps:
            ends = tuple(Waypoint("the original bound", one) for one in (step.left, step.right)) if sound else ()
            yield Trial(step.number, step, step.givens, ends, tuple(_rests(step)), sound)


def _cases(derivation: Derivation) -> Iterator[tuple[Mapping[Expr, Expr], tuple[Given, ...]]]:
    """The cases of a dimension that is one and of one that is larger."""
    if derivation.cases:
        one, more = derivation.cases
        yield {more.givens[-1].args[0]: Integer(1)}, one.givens
        yield {}, more.givens


def _waypoints(derivation: Derivation) -> Iterator[Waypoint]:
    for end in (derivation.start, derivation.end):
        yield Waypoint("the original bound", end)
    for number, line in enumerate(() if derivation.cases else derivation.lines[:-1], start=1):
        yield Waypoint(f"line {number}", line.expression)


def _rests(step: Step) -> Iterator[Derivation]:
    """The theorems that a step cites, from each of their inner lines on: theorems too, which the kernel proves anew."""
    for theorem in step.line.cited:
        inner = theorem.original or theorem
        for number in range(1, len(inner.lines)):
            rest = replace(inner, start=inner.lines[number - 1].expression, lines=inner.lines[number:])
            if not inner.parts and not inner.cases and rest.relation in _WEAK:
                yield taken_at(rest, dict(theorem.objects)) if theorem.original is not None else rest


# -------------------------------------------------------------------------------------------- one mutant


_DIRECTLY = "the kernel, directly"


def judge(mutant: Mutant, trial: Trial, refuter: Refuter, prove: Prove) -> Verdict:
    """What one mutant is."""
    shown = _shown(mutant, trial, prove)
    found = refuter.refutation(mutant.claim, "few")
    if shown is None and found is None:
        # The few instances refute most of what is false; what the prover shows is then looked at more closely.
        shown = _other_bound(mutant, trial, prove)
        found = refuter.refutation(mutant.claim, "usual" if shown else "all")
    elif shown is None and _affordable(mutant, trial):
        shown = _directly(mutant, trial, prove)
    if found is None:
        return shown or Verdict("missed", refuter.impression(mutant.claim))
    example = found.counterexample
    text = f"{example.left} and {example.right} at {example.assignment}"
    # Equal to a side of a claim that is not proved, a mutant may well be false.
    if shown is not None and found.has_value and (trial.sound or shown.by == _DIRECTLY):
        return Verdict("conflict", f"{shown.by}, and yet {text}")
    return Verdict("caught", text)


def _holds(
    trial: Trial, relation: Relation, left: Expr, right: Expr, prove: Prove, cited: tuple[Derivation, ...] | None = None
) -> bool:
    """Whether the kernel proves a claim under the givens of the trial, at once or case by case."""
    step = Step(trial.number, left, Line(relation, right, cited=trial.step.line.cited if cited is None else cited))
    if prove(step, trial.givens) is Status.CLOSED:
        return True
    return bool(trial.cases) and all(_holds_at(step, at, givens, prove) for at, givens in trial.cases)


def _holds_at(step: Step, at: Mapping[Expr, Expr], givens: tuple[Given, ...], prove: Prove) -> bool:
    try:
        here = replace(step, left=substitute(step.left, at), line=line_at(step.line, at)) if at else step
    except LanguageError:
        return False
    return prove(here, givens) is Status.CLOSED


def _shown(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """The changed side is equal to the original one: then the mutant says what the claim says."""
    if mutant.kind == "relation" or not _affordable(mutant, trial):
        return None
    before, after = _changed_sides(mutant, trial)
    relation = Relation.IFF if isinstance(before, Proposition) else Relation.EQUALS
    return Verdict("equivalent", "the kernel") if _holds(trial, relation, before, after, prove) else None


def _changed_sides(mutant: Mutant, trial: Trial) -> tuple[Expr, Expr]:
    old, new = trial.claim, mutant.claim
    return (old.left, new.left) if new.left != old.left else (old.right, new.right)


def _directly(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    claim = mutant.claim
    shown = _holds(trial, claim.relation, claim.left, claim.right, prove)
    return Verdict("true_weaker", _DIRECTLY) if shown else None


def _other_bound(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """Another bound that is true: the kernel proves it, or that the original one is at least as good."""
    claim = mutant.claim
    if not _affordable(mutant, trial):
        return None
    direct = _directly(mutant, trial, prove)
    if direct is not None:
        return Verdict("equivalent", direct.by) if claim.relation in (Relation.EQUALS, Relation.IFF) else direct
    if claim.relation not in _WEAK or claim.relation is not trial.claim.relation:
        return None
    return _by_waypoint(mutant, trial, prove) or _by_rest(mutant, trial, prove)


_WEAK = (Relation.AT_MOST, Relation.AT_LEAST)


def _by_waypoint(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """left <= w <= right, where the one is known of the claim itself and the other is proved of the changed side."""
    claim = mutant.claim
    on_the_left = claim.left != trial.claim.left
    for point in trial.between:
        low, high = (claim.left, point.expression) if on_the_left else (point.expression, claim.right)
        if _holds(trial, claim.relation, low, high, prove):
            return Verdict("true_weaker", f"the kernel, from {point.name}")
    return None


def _by_rest(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """With the later part of a theorem that the claim cites."""
    claim = mutant.claim
    for rest in trial.rests:
        if _holds(trial, claim.relation, claim.left, claim.right, prove, (*trial.step.line.cited, rest)):
            return Verdict("true_weaker", f"the kernel, from the later lines of {rest.name}")
    return None


def _affordable(mutant: Mutant, trial: Trial) -> bool:
    return _power(mutant.claim) <= max(_power(trial.claim), _HIGHEST_POWER)


def _power(claim: Claim) -> int:
    found = (
        abs(int(part.args[1]))
        for side in (claim.left, claim.right)
        for part in parts(side)
        if isinstance(part, Power) and isinstance(part.args[1], Integer)
    )
    return max(found, default=1)


# ------------------------------------------------------------------------------------------- all of them


def judge_all(trial: Trial, judges: Judges, seed: int = 0) -> Iterator[tuple[Mutant, Verdict]]:
    """Every mutant of a claim with what it is."""
    instances = judges.refuter(trial.givens, trial.claim, seed)
    for mutant in mutants(trial.claim, trial.givens, left=trial.number == 0):
        yield mutant, judge(mutant, trial, instances, judges.proved)


def mutant_facts(trial: Trial, judges: Judges, seed: int = 0) -> MutantsFacts:
    """The mutants of a claim, counted; those that were missed or are true are listed."""
    judged = list(judge_all(trial, judges, seed))

    def count(word: str) -> int:
        return sum(verdict.word == word for _, verdict in judged)

    def listed(*words: str) -> list[MutantFacts]:
        return [_facts(mutant, verdict) for mutant, verdict in judged if verdict.word in words]

    return {
        "made": len(judged),
        "caught": count("caught"),
        "equivalent": count("equivalent"),
        "true_weaker": count("true_weaker"),
        "missed": listed("missed"),
        "conflicts": listed("conflict"),
        "shown": listed("equivalent", "true_weaker"),
    }


def _facts(mutant: Mutant, verdict: Verdict) -> MutantFacts:
    claim = mutant.claim
    return {
        "kind": mutant.kind,
        "change": mutant.text,
        "claim": f"{plain(claim.left)} {RELATIONS[claim.relation]} {plain(claim.right)}",
        "word": verdict.word,
        "by": verdict.by,
    }
