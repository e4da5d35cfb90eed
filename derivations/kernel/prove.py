"""Proving a derivation step by step, and finding what a step needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sympy import Expr

from derivations.kernel.attempt import Attempt, attempt_step, normal_form
from derivations.kernel.citations import given_holds
from derivations.kernel.contradictions import contradiction
from derivations.kernel.engine import make_context
from derivations.kernel.facts import read_facts
from derivations.kernel.laws.law import Law
from derivations.kernel.laws.table import LAWS, rules, theories_of
from derivations.kernel.obligations import obligations
from derivations.kernel.reading import read
from derivations.kernel.record import Obligation, Proof, Status, StepProof
from derivations.kernel.rules import rewrite
from derivations.kernel.signs import Sign, sign_of_polynomial
from derivations.kernel.terms import KernelLimit
from derivations.kernel.theories import THEORIES, closure
from derivations.kernel.wellformed import case_problem, is_instance
from derivations.kernel.written_signs import ANY, NONNEGATIVE, Range, Signed
from derivations.kernel.zero import reduced
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.records import Derivation, Relation, Step

__all__ = ["attempt_step", "find_contradiction", "normal_form", "prove", "prove_step"]


def prove(derivation: Derivation, laws: Mapping[str, Law] = LAWS) -> Proof:
    """Prove every step of a derivation.

    A step that does not close is recorded as open with what is missing; nothing is raised for it.
    """
    if derivation.parts:
        return _prove_parts(derivation, laws)
    steps = tuple(prove_step(step, step.givens, laws) for step in derivation.steps)
    problem = case_problem(derivation)
    if problem:
        steps = tuple(replace(step, status=Status.OPEN, message=problem) for step in steps)
    return Proof(derivation, steps, find_contradiction(derivation.givens, laws))


def _prove_parts(derivation: Derivation, laws: Mapping[str, Law]) -> Proof:
    """A conjunction holds as far as its weakest part does."""
    proofs = [prove(part.original or part, laws) for part in derivation.parts]
    steps = tuple(_part(step, proof) for step, proof in zip(derivation.steps, proofs, strict=True))
    steps = tuple(
        step if is_instance(part) else replace(step, status=Status.OPEN, message=_NO_INSTANCE.format(part.name))
        for step, part in zip(steps, derivation.parts, strict=True)
    )
    # An instance may have givens that contradict each other although those of the theorem do not.
    pairs = zip(proofs, derivation.parts, strict=True)
    found = (proof.contradiction or find_contradiction(part.givens, laws) for proof, part in pairs)
    return Proof(derivation, steps, next(filter(None, found), ""))


def _part(step: Step, proof: Proof) -> StepProof:
    """The proof of a part, told as one step: it is as good as the weakest step of the theorem."""
    used = {given: None for one in proof.steps for given in one.givens}
    conditions = {one: None for inner in proof.steps for one in inner.obligations if one.open}
    reasons = tuple(name for name in THEORIES if any(name in one.reasons for one in proof.steps))
    return StepProof(
        number=step.number,
        status=proof.status,
        reasons=reasons,
        reasons_found=False,
        laws=tuple(dict.fromkeys(law for one in proof.steps for law in one.laws)),
        givens=tuple(used),
        obligations=tuple(conditions),
        left_form=proof.steps[0].left_form,
        right_form=proof.steps[-1].right_form,
        residual="0" if proof.status is not Status.OPEN else "not proved",
        message="" if proof.status is Status.CLOSED else f"{step.label} is {proof.status}",
    )


def find_contradiction(givens: tuple[Given, ...], laws: Mapping[str, Law] = LAWS) -> str:
    """A contradiction among the givens, in words, or ""."""
    everything = rules(THEORIES, laws)
    try:
        return contradiction(givens, read_facts(givens, everything), everything)
    except (KernelLimit, LanguageError):
        return ""


def prove_step(step: Step, givens: tuple[Given, ...], laws: Mapping[str, Law] = LAWS) -> StepProof:
    """Prove one step with the author's reasons, or with the smallest set found where none is given."""
    stated = step.line.reasons
    attempt = attempt_step(step, givens, stated or tuple(THEORIES), laws)
    reasons = stated
    missing: tuple[str, ...] = ()
    missing_givens: tuple[Given, ...] = ()
    if not stated and attempt.closed:
        reasons = _smallest(step, givens, (), attempt, laws)
        attempt = attempt_step(step, givens, reasons, laws)
    elif stated and not attempt.closed:
        missing, missing_givens = _missing(step, givens, stated, attempt, laws)
    conditions, problem = _conditions(step, givens, laws)
    borrowed, unmet = _citations(step, givens, laws)
    conditions += borrowed
    problem = problem or unmet
    status = Status.OPEN
    if attempt.closed and not problem:
        status = Status.CONDITIONAL if any(one.open for one in conditions) else Status.CLOSED
    return StepProof(
        number=step.number,
        status=status,
        reasons=reasons,
        reasons_found=not stated and attempt.closed,
        laws=attempt.laws,
        givens=attempt.givens,
        obligations=conditions,
        left_form=attempt.left,
        right_form=attempt.right,
        residual=attempt.residual,
        missing=missing,
        unused=_unused(step, attempt, laws) if attempt.closed else (),
        missing_givens=missing_givens,
        message=attempt.problem or problem,
    )


def _unused(step: Step, attempt: Attempt, laws: Mapping[str, Law]) -> tuple[str, ...]:
    """Stated theories of which no law was used, neither their own nor one that comes with them.

    Signs that are visible need no law, so they are a reason for any inequality.
    """
    used = theories_of(attempt.laws, laws) | {"algebra"}
    if step.relation is not Relation.EQUALS:
        used |= {"nonnegativity"}
    return tuple(name for name in step.line.reasons if not closure(frozenset((name,))) & used)


_NO_INSTANCE = "what is cited as {} is not that theorem at other objects"


def _citations(step: Step, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> tuple[tuple[Obligation, ...], str]:
    """What a step inherits from the theorems it cites: their open conditions; and why one cannot be cited here."""
    inherited: list[Obligation] = []
    for theorem in step.line.cited:
        if not is_instance(theorem):
            return (), _NO_INSTANCE.format(theorem.name)
        if theorem.parts:
            return (), f"it cites {theorem.name}, whose parts each have assumptions of their own: cite the part"
        proof = prove(theorem.original or theorem, laws)
        if proof.status is Status.OPEN or proof.contradiction:
            return (), f"it cites {theorem.name}, which is not proved"
        unmet = next((given for given in theorem.givens if not given_holds(given, theorem, givens, laws)), None)
        if unmet is not None:
            return (), f"it cites {theorem.name}, whose assumption does not hold here: {unmet}"
        if proof.status is Status.CONDITIONAL:
            text = f"{theorem.name} holds, which is proved under a condition"
            inherited.append(Obligation("cited", theorem.start, text))
    return tuple(inherited), ""


_RANGES = {Sign.POSITIVE: Range.POSITIVE, Sign.NONNEGATIVE: NONNEGATIVE, Sign.UNKNOWN: ANY}


def _conditions(step: Step, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> tuple[tuple[Obligation, ...], str]:
    """The obligations of a step, and what makes the step meaningless whatever holds."""
    switched_on = rules(THEORIES, laws)

    def normal_sign(expression: Expr) -> Signed | None:
        try:
            context = make_context(switched_on, read_facts(givens, switched_on))
            form = rewrite(context, read(context, expression))
            # Clearing denominators keeps a zero, but not a sign.
            zero = not reduced(context, form)
            shown = Range.ZERO if zero else _RANGES[sign_of_polynomial(context, form)]
        except (KernelLimit, LanguageError):
            return None
        return Signed(shown, tuple(given for given in givens if given in context.used_givens))

    try:
        found = obligations(_meant(step), givens, normal_sign)
    except (KernelLimit, LanguageError) as error:
        return (), str(error)
    except RecursionError:
        return (), "the expression is nested too deeply"
    impossible = next((one.text for one in found if one.kind == "impossible"), "")
    return found, f"this line has no meaning: {impossible}" if impossible else ""


def _meant(step: Step) -> tuple[Expr, ...]:
    """All that must have a meaning: both lines, the certificate, and what is cited, at the objects of this step."""
    certificate = () if step.line.certificate is None else (step.line.certificate,)
    cited = (
        part
        for theorem in step.line.cited
        for part in (theorem.start, theorem.end, *(value for _, value in theorem.objects))
    )
    return (step.left, step.right, *certificate, *cited)


def _smallest(
    step: Step, givens: tuple[Given, ...], fixed: tuple[str, ...], attempt: Attempt, laws: Mapping[str, Law]
) -> tuple[str, ...]:
    """A smallest set of theories that contains the fixed ones and closes the step: what was used, less what can go."""
    used = theories_of(attempt.laws, laws)
    chosen = [name for name in THEORIES if name in used or name in fixed]
    if not attempt_step(step, givens, chosen, laws).closed:
        chosen = list(THEORIES)
    for name in tuple(reversed(chosen)):
        fewer = [other for other in chosen if other != name]
        if name not in fixed and attempt_step(step, givens, fewer, laws).closed:
            chosen = fewer
    return tuple(chosen) or ("algebra",)


def _missing(
    step: Step, givens: tuple[Given, ...], stated: tuple[str, ...], attempt: Attempt, laws: Mapping[str, Law]
) -> tuple[tuple[str, ...], tuple[Given, ...]]:
    everything = attempt_step(step, givens, THEORIES, laws)
    if not everything.closed:
        return (), ()
    needed = _smallest(step, givens, stated, everything, laws)
    final = attempt_step(step, givens, needed, laws)
    return (
        tuple(name for name in needed if name not in stated),
        tuple(given for given in final.givens if given not in attempt.givens),
    )
