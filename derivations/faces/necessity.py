"""Which givens a derivation needs. Each is dropped by itself: a witness shows that something fails without it, a proof
that nothing does. As givens can stand in for each other, the smallest sets that suffice are found too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from derivations.faces.conditions import condition_text
from derivations.faces.facts import NecessityFacts
from derivations.kernel.prove import attempt_step, prove_step
from derivations.kernel.record import Status
from derivations.kernel.theories import THEORIES
from derivations.language.givens import Given, MutuallyIndependent, PairwiseIndependent
from derivations.records import Derivation, Line, Relation, Step, taken_at
from derivations.writing.unicode import RELATIONS
from derivations.writing.words import given_words
from numerics.checks import Check
from numerics.errors import NotEvaluated
from numerics.mutations import Claim
from numerics.pointwise import check_points
from numerics.statements import make_statement
from numerics.variants import place_without_value

_TINY = re.compile(r"-?[0-9.]+e-[0-9]{3,}$")
"""What a limit has come down to far out."""

_MOST_SETS = 12
_MOST_PROOFS = 240
_SECONDS = 0.4


@dataclass(frozen=True)
class Proved:
    """How far a step gets with some givens; ``conditions`` are what it then still rests on."""

    status: Status
    conditions: tuple[str, ...] = ()


def proved(step: Step) -> Proved:
    """How far the kernel gets with a step under its own givens and all theories."""
    if not attempt_step(step, step.givens, tuple(THEORIES)).closed:
        return Proved(Status.OPEN)
    proof = prove_step(replace(step, line=replace(step.line, reasons=tuple(THEORIES))), step.givens)
    return Proved(proof.status, tuple(condition_text(one) for one in proof.obligations if one.open))


def refuted(step: Step, seed: int) -> Check | None:
    """A counterexample to a step under its own givens, or None."""
    try:
        statement = make_statement(step.givens, step.left, step.relation, step.right)
    except NotEvaluated:
        return None
    checks = check_points(statement, step=step.number, seed=seed, seconds=_SECONDS)
    return next((check for check in checks if check.outcome == "refuted" and check.counterexample), None)


def valueless(step: Step, givens: tuple[Given, ...], seed: int) -> str:
    """An assignment at which a side has no value, while it has one wherever all givens hold; or ""."""
    for side in (step.left, step.right):
        claim = Claim(side, Relation.EQUALS, side)
        try:
            missing = place_without_value(step.givens, claim, seed)
            if missing and not place_without_value(givens, claim, seed):
                return missing
        except NotEvaluated:
            continue
    return ""


@dataclass(frozen=True)
class Means:
    """Kernel and numerics, passed in so that a test can replace one."""

    proved: Callable[[Step], Proved] = proved
    refuted: Callable[[Step, int], Check | None] = refuted
    valueless: Callable[[Step, tuple[Given, ...], int], str] = valueless


# ------------------------------------------------------------------------------------------ dropping givens


def without(derivation: Derivation, dropped: Iterable[Given]) -> Derivation:
    """The same derivation with fewer givens; what it cites does without them too."""
    gone = frozenset(dropped)
    kept = [position for position, given in enumerate(derivation.givens) if given not in gone]

    def of(givens: Sequence[Given]) -> tuple[Given, ...]:
        """The givens of a case are those of the derivation, in their order, and perhaps one more."""
        return (*(givens[position] for position in kept), *givens[len(derivation.givens) :])

    return replace(
        derivation,
        lines=tuple(_citing(line, gone) for line in derivation.lines),
        givens=of(derivation.givens),
        cases=tuple(
            replace(case, lines=tuple(_citing(line, gone) for line in case.lines), givens=of(case.givens))
            for case in derivation.cases
        ),
    )


def _citing(line: Line, gone: frozenset[Given]) -> Line:
    return replace(line, cited=tuple(_theorem(one, gone) for one in line.cited)) if line.cited else line


def _theorem(theorem: Derivation, gone: frozenset[Given]) -> Derivation:
    """A cited theorem without these givens. Its proof may use every theory: other givens may need other reasons."""
    if theorem.original is not None:
        pairs = zip(theorem.givens, theorem.original.givens, strict=True)
        inner = _theorem(theorem.original, frozenset(old for new, old in pairs if new in gone))
        return taken_at(inner, dict(theorem.objects))
    reduced = without(theorem, gone)
    return replace(
        reduced,
        lines=_for_any_reason(reduced.lines),
        cases=tuple(replace(case, lines=_for_any_reason(case.lines)) for case in reduced.cases),
    )


def _for_any_reason(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return tuple(replace(line, reasons=tuple(THEORIES)) for line in lines)


# -------------------------------------------------------------------------------------------------- proofs

Known: TypeAlias = "dict[int, list[frozenset[Given]]]"


@dataclass
class Prover:
    """Proves the steps of one derivation under subsets of its givens, each only where the answer does not follow: what
    a set proves, a larger one proves, and what a set does not, a smaller one does not."""

    derivation: Derivation
    means: Means
    proofs: int = 0
    _enough: Known = field(default_factory=dict)
    _too_few: Known = field(default_factory=dict)

    def closed(self, kept: frozenset[Given]) -> bool:
        """Whether every step is proved."""
        return next(self.open_steps(kept), None) is None

    def open_steps(self, kept: frozenset[Given]) -> Iterator[tuple[Step, Proved]]:
        """The steps that are not proved, with the givens that are left."""
        steps: tuple[Step, ...] | None = None
        for position in range(len(self.derivation.steps)):
            if any(known <= kept for known in self._enough.get(position, ())):
                continue
            if steps is None:
                steps = without(self.derivation, (one for one in self.derivation.givens if one not in kept)).steps
            if any(kept <= known for known in self._too_few.get(position, ())):
                yield steps[position], Proved(Status.OPEN)
                continue
            found = self.means.proved(steps[position])
            self.proofs += 1
            table = self._enough if found.status is Status.CLOSED else self._too_few
            table.setdefault(position, []).append(kept)
            if found.status is not Status.CLOSED:
                yield steps[position], found


# ---------------------------------------------------------------------------------------------- one given


def necessity(derivation: Derivation, means: Means, seed: int = 0) -> tuple[list[NecessityFacts], list[list[str]]]:
    """The status of each given, and the smallest sufficient sets. A conjunction has no givens of its own."""
    prover = Prover(derivation, means)
    everything = frozenset(derivation.givens)
    facts = [_status(given, prover, everything, seed) for given in derivation.givens]
    needed = frozenset(given for given, one in zip(derivation.givens, facts, strict=True) if one["status"] == "needed")
    sets = sufficient(prover, everything, needed) if derivation.givens and prover.closed(everything) else []
    return facts, [[given_words(one).en for one in derivation.givens if one in chosen] for chosen in sets]


def needed_by_statement(derivation: Derivation, means: Means, seed: int = 0) -> list[NecessityFacts]:
    """The status of each given, by proofs of the whole derivation and counterexamples to its statement alone: quicker,
    and undetermined where only a look at the steps would tell."""
    prover = Prover(derivation, means)
    everything = frozenset(derivation.givens)
    return [_status_in_statement(given, prover, everything, seed) for given in derivation.givens]


def _status_in_statement(given: Given, prover: Prover, everything: frozenset[Given], seed: int) -> NecessityFacts:
    text = given_words(given).en
    if prover.closed(everything - {given}):
        return {"given": text, "status": "not_needed", "fails": "", "witness": ""}
    reduced = without(prover.derivation, (given,))
    statement = Step(0, reduced.start, Line(reduced.relation, reduced.end), reduced.givens)
    check = prover.means.refuted(statement, seed)
    if check is not None:
        found = witness(check, statement.relation)
        return {"given": text, "status": "needed", "fails": _named(statement), "witness": found}
    why = f"neither proved nor refuted without it; see {prover.derivation.name}"
    return {"given": text, "status": "undetermined", "fails": "", "witness": why}


def _status(given: Given, prover: Prover, everything: frozenset[Given], seed: int) -> NecessityFacts:
    derivation, means = prover.derivation, prover.means
    left = list(prover.open_steps(everything - {given}))
    text = given_words(given).en
    if not left:
        return {"given": text, "status": "not_needed", "fails": "", "witness": ""}
    for step in _suspects(without(derivation, (given,)), [step for step, _ in left]):
        check = means.refuted(step, seed)
        if check is not None:
            found = witness(check, step.relation) + _weakened(given, prover, seed)
            return {"given": text, "status": "needed", "fails": _named(step), "witness": found}
    open_ones = [step.number for step, found in left if found.status is Status.OPEN]
    if open_ones:
        why = f"step {open_ones[0]} is neither proved nor refuted without it"
        return {"given": text, "status": "undetermined", "fails": "", "witness": why}
    for step, proof in left:
        place = means.valueless(step, derivation.steps[step.number - 1].givens, seed)
        if place:
            found = f"{place}: no value; a condition fails there: {proof.conditions[0]}"
            return {"given": text, "status": "needed", "fails": _named(step), "witness": found}
    conditions = dict.fromkeys(one for _, found in left for one in found.conditions)
    why = f"without it the proof rests on existence: {'; '.join(conditions)}"
    return {"given": text, "status": "undetermined", "fails": "", "witness": why}


def _named(step: Step) -> str:
    return f"step {step.number}" if step.number else "the statement"


def _weakened(given: Given, prover: Prover, seed: int) -> str:
    """Of three or more arrays: whether it is enough that any two of them are independent."""
    if not isinstance(given, MutuallyIndependent) or len(given.args) < 3:
        return ""
    whole = prover.derivation
    givens = tuple(PairwiseIndependent(*one.args) if one == given else one for one in whole.givens)
    check = prover.means.refuted(Step(0, whole.start, Line(whole.relation, whole.end), givens), seed)
    return f"; nor is it enough that any two are independent: {witness(check, whole.relation)}" if check else ""


def _suspects(reduced: Derivation, steps: list[Step]) -> Iterator[Step]:
    """What may fail: the statement first, then the steps that are not proved."""
    statement = Step(0, reduced.start, Line(reduced.relation, reduced.end), reduced.givens)
    if not any((step.left, step.right, step.givens) == (reduced.start, reduced.end, reduced.givens) for step in steps):
        yield statement
    yield from steps


def witness(check: Check, relation: Relation) -> str:
    """Where a claim fails, as a person reads it: ``d_k = 1, Q = 1 or -1, K = Q: 0 instead of 1``."""
    example = check.counterexample
    if example is None:
        return ""
    left, right = (_TINY.sub("0", one) for one in (example.left, example.right))
    if relation is Relation.EQUALS:
        return f"{example.assignment}: {left} instead of {right}"
    if relation is Relation.IFF:
        return f"{example.assignment}: one side is {left}, the other {right}"
    return f"{example.assignment}: {left} {RELATIONS[relation]} {right} is false"


# ------------------------------------------------------------------------------------------ sufficient sets


def sufficient(prover: Prover, everything: frozenset[Given], needed: frozenset[Given]) -> list[frozenset[Given]]:
    """The smallest sets of givens with which every step is proved; no more than a dozen are looked for."""
    order = prover.derivation.givens
    found: list[frozenset[Given]] = []
    waiting, seen = [everything], {everything}
    while waiting and len(found) < _MOST_SETS and prover.proofs < _MOST_PROOFS:
        pool = waiting.pop(0)
        if not prover.closed(pool):
            continue
        smallest = next((one for one in found if one <= pool), None)
        if smallest is None:
            smallest = _shrunk(prover, pool, needed, order)
            found.append(smallest)
        for given in order:
            smaller = pool - {given}
            if given in smallest and given not in needed and smaller not in seen:
                seen.add(smaller)
                waiting.append(smaller)
    return sorted(found, key=len)


def _shrunk(
    prover: Prover, pool: frozenset[Given], needed: frozenset[Given], order: Sequence[Given]
) -> frozenset[Given]:
    for given in reversed(order):
        if given in pool and given not in needed and prover.closed(pool - {given}):
            pool -= {given}
    return pool
