"""Mutants of a derivation: what each of them is, caught or shown to be no mistake, and those that got away.

Kernel and numerics judge each by themselves. A mutant that the kernel proves and the numerics refutes is a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from sympy import Expr, Integer

from derivations.faces.facts import MutantFacts, MutantsFacts
from derivations.kernel.prove import attempt_step, prove_step
from derivations.kernel.record import Status
from derivations.kernel.theories import THEORIES
from derivations.language.givens import Given
from derivations.language.propositions import Proposition
from derivations.language.structure import parts
from derivations.language.written import Power
from derivations.records import Derivation, Line, Relation, Step, taken_at
from derivations.writing.unicode import RELATIONS, plain
from numerics.errors import NotEvaluated
from numerics.mutations import Claim, Mutant, mutants
from numerics.variants import Refutation, make_bench


class Refuter(Protocol):
    """What refutes variants of a claim; ``few`` asks for a few instances only."""

    def refutation(self, claim: Claim, *, few: bool = False) -> Refutation | None:
        """How the variant fails, or None."""

    def impression(self, claim: Claim) -> str:
        """What is seen of a variant that nothing refutes."""


@dataclass(frozen=True)
class Idle:
    """Where nothing can be sampled nothing is refuted."""

    reason: str

    def refutation(self, claim: Claim, *, few: bool = False) -> Refutation | None:
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
    """What is known to stand between the two sides of a claim. Where that is known from a line of a theorem, ``rest``
    is the theorem from that line on."""

    name: str
    expression: Expr
    rest: Derivation | None = None


@dataclass(frozen=True)
class Trial:
    """A true claim whose mutants are judged: the statement (``number`` 0) or a step. ``between`` are its waypoints."""

    number: int
    step: Step
    givens: tuple[Given, ...]
    between: tuple[Waypoint, ...] = ()

    @property
    def claim(self) -> Claim:
        """The claim itself."""
        return Claim(self.step.left, self.step.relation, self.step.right)


def trials(derivation: Derivation, *, sound: bool = True) -> Iterator[Trial]:
    """The statement and then, if there are several, the steps. A conjunction has none: each part is judged where it
    stands as a derivation of its own. Only where the derivation is ``sound``, proved step by step, its lines certify."""
    if derivation.parts:
        return
    cited = tuple(dict.fromkeys(one for step in derivation.steps for one in step.line.cited))
    line = Line(derivation.relation, derivation.end, cited=cited)
    own = _own_waypoints(derivation) if sound else ()
    step = Step(0, derivation.start, line)
    yield Trial(0, step, derivation.givens, (*own, *_cited_waypoints(step)) if sound else ())
    if len(derivation.steps) > 1:
        for step in derivation.steps:
            original = (Waypoint("the original bound", step.left), Waypoint("the original bound", step.right))
            yield Trial(step.number, step, step.givens, (*original, *_cited_waypoints(step)) if sound else ())


def _own_waypoints(derivation: Derivation) -> tuple[Waypoint, ...]:
    lines = () if derivation.cases else derivation.lines[:-1]
    between = [Waypoint(f"line {number}", line.expression) for number, line in enumerate(lines, start=1)]
    ends = [Waypoint("the original bound", one) for one in (derivation.start, derivation.end)]
    return (*ends, *between)


def _cited_waypoints(step: Step) -> tuple[Waypoint, ...]:
    """The lines of the theorems that are cited: a side may be compared with one of them."""
    found = []
    for theorem in step.line.cited:
        inner = theorem.original or theorem
        if inner.parts or inner.cases:
            continue
        for number in range(1, len(inner.lines)):
            rest = replace(inner, start=inner.lines[number - 1].expression, lines=inner.lines[number:])
            if theorem.original is not None:
                rest = taken_at(rest, dict(theorem.objects))
            found.append(Waypoint(f"line {number} of {theorem.name}", rest.start, rest))
    return tuple(found)


# -------------------------------------------------------------------------------------------- one mutant


def judge(mutant: Mutant, trial: Trial, refuter: Refuter, prove: Prove) -> Verdict:
    """What one mutant is."""
    shown = _shown(mutant, trial, prove)
    found = refuter.refutation(mutant.claim, few=shown is not None)
    if found is None:
        return shown or _other_bound(mutant, trial, prove) or Verdict("missed", refuter.impression(mutant.claim))
    if shown is None and _affordable(mutant, trial):
        shown = _directly(mutant, trial, prove)
    example = found.counterexample
    text = f"{example.left} and {example.right} at {example.assignment}"
    if shown is not None and found.has_value:
        return Verdict("conflict", f"{shown.by}, and yet {text}")
    return Verdict("caught", text)


def _shown(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """The changed side is equal to the original one: then the mutant says what the claim says."""
    if mutant.kind == "relation" or not _affordable(mutant, trial):
        return None
    before, after = _changed_sides(mutant, trial)
    relation = Relation.IFF if isinstance(before, Proposition) else Relation.EQUALS
    step = Step(trial.number, before, Line(relation, after, cited=trial.step.line.cited))
    return Verdict("equivalent", "the kernel") if prove(step, trial.givens) is Status.CLOSED else None


def _changed_sides(mutant: Mutant, trial: Trial) -> tuple[Expr, Expr]:
    old, new = trial.claim, mutant.claim
    return (old.left, new.left) if new.left != old.left else (old.right, new.right)


def _directly(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    claim = mutant.claim
    step = Step(trial.number, claim.left, Line(claim.relation, claim.right, cited=trial.step.line.cited))
    return Verdict("true_weaker", "the kernel, directly") if prove(step, trial.givens) is Status.CLOSED else None


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
    return _by_waypoint(mutant, trial, prove)


_WEAK = (Relation.AT_MOST, Relation.AT_LEAST)


def _by_waypoint(mutant: Mutant, trial: Trial, prove: Prove) -> Verdict | None:
    """left <= w <= right, where the one is known of the claim itself and the other is proved of the changed side."""
    claim = mutant.claim
    on_the_left = claim.left != trial.claim.left
    for point in trial.between:
        pair = (claim.left, point.expression) if on_the_left else (point.expression, claim.right)
        if not _bounded(trial, claim.relation, pair, prove):
            continue
        if point.rest is None or (on_the_left and _reaches(trial, claim, point, prove)):
            return Verdict("true_weaker", f"the kernel, from {point.name}")
    return None


def _bounded(
    trial: Trial, relation: Relation, pair: tuple[Expr, Expr], prove: Prove, cited: tuple[Derivation, ...] | None = None
) -> bool:
    line = Line(relation, pair[1], cited=trial.step.line.cited if cited is None else cited)
    return prove(Step(trial.number, pair[0], line), trial.givens) is Status.CLOSED


def _reaches(trial: Trial, claim: Claim, point: Waypoint, prove: Prove) -> bool:
    """Whether the rest of a theorem leads from its line to the right side."""
    assert point.rest is not None
    return _bounded(trial, claim.relation, (point.expression, claim.right), prove, (point.rest,))


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
