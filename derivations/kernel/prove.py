"""Proving a derivation step by step, and finding what a step needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sympy import Expr, Symbol
from sympy.core.basic import Basic

from derivations.kernel.arithmetic import subtract
from derivations.kernel.comparison import Comparison
from derivations.kernel.context import Context
from derivations.kernel.contradictions import contradiction
from derivations.kernel.engine import make_context
from derivations.kernel.facts import read_facts
from derivations.kernel.inequalities import holds
from derivations.kernel.laws.law import Law
from derivations.kernel.laws.table import LAWS, rules, theories_of
from derivations.kernel.obligations import obligations
from derivations.kernel.reading import EMPTY, read, read_at
from derivations.kernel.record import Obligation, Proof, Status, StepProof
from derivations.kernel.rules import rewrite
from derivations.kernel.show import show
from derivations.kernel.terms import FREE, KernelLimit, Polynomial, Position
from derivations.kernel.theories import THEORIES
from derivations.kernel.zero import assert_closed, reduced
from derivations.language.arrays import Array
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.language.structure import parts
from derivations.language.written import Negative, Plus, shape_of
from derivations.records import Derivation, Relation, Step


@dataclass(frozen=True)
class Attempt:
    """One try at a step with one set of theories."""

    closed: bool
    laws: tuple[str, ...] = ()
    givens: tuple[Given, ...] = ()
    left: str = ""
    right: str = ""
    residual: str = ""
    problem: str = ""


def prove(derivation: Derivation, laws: Mapping[str, Law] = LAWS) -> Proof:
    """Prove every step of a derivation.

    A step that does not close is recorded as open with what is missing; nothing is raised for it.
    """
    steps = tuple(prove_step(step, derivation.givens, laws) for step in derivation.steps)
    return Proof(derivation, steps, find_contradiction(derivation.givens, laws))


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
        missing_givens=missing_givens,
        message=attempt.problem or problem,
    )


def _conditions(step: Step, givens: tuple[Given, ...], laws: Mapping[str, Law]) -> tuple[tuple[Obligation, ...], str]:
    """The obligations of a step, and what makes the step meaningless whatever holds."""
    switched_on = rules(THEORIES, laws)

    def vanishes(expression: Expr) -> bool:
        try:
            context = make_context(switched_on, read_facts(givens, switched_on))
            return not reduced(context, read(context, expression))
        except (KernelLimit, LanguageError):
            return False

    try:
        found = obligations((step.left, step.right), givens, vanishes)
    except (KernelLimit, LanguageError) as error:
        return (), str(error)
    except RecursionError:
        return (), "the expression is nested too deeply"
    impossible = next((one.text for one in found if one.kind == "impossible"), "")
    return found, f"this line has no meaning: {impossible}" if impossible else ""


def attempt_step(step: Step, givens: tuple[Given, ...], theories: Iterable[str], laws: Mapping[str, Law]) -> Attempt:
    """Try a step with exactly these theories."""
    switched_on = rules(theories, laws)
    try:
        refuse_shared_names(step, givens)
        context = make_context(switched_on, read_facts(givens, switched_on))
        left, right = _forms(context, step)
        for form in (left, right):
            assert_closed(form)
        closed, residual = _compare(context, step, givens, left, right)
    except (KernelLimit, LanguageError) as error:
        return Attempt(closed=False, problem=str(error))
    except RecursionError:
        return Attempt(closed=False, problem="the expression is nested too deeply")
    used = tuple(given for given in givens if given in context.used_givens)
    return Attempt(closed, tuple(context.used_laws), used, show(left), show(right), show(residual))


def refuse_shared_names(step: Step, givens: tuple[Given, ...]) -> None:
    """Raise :class:`LanguageError` if two objects have one name: a given of the one would be used for the other."""
    seen: dict[str, Basic] = {}
    for whole in (step.left, step.right, *givens):
        for part in parts(whole):
            if isinstance(part, (Symbol, Array)) and seen.setdefault(str(part), part) != part:
                raise LanguageError(f"two different objects are called {part}; give one of them another name")


def _forms(context: Context, step: Step) -> tuple[Polynomial, Polynomial]:
    shape = shape_of(step.left)
    at = tuple(Position(FREE, place, "·", read(context, size)) for place, size in enumerate(shape))
    return read_at(context, step.left, EMPTY, at), read_at(context, step.right, EMPTY, at)


def _compare(
    context: Context, step: Step, givens: tuple[Given, ...], left: Polynomial, right: Polynomial
) -> tuple[bool, Polynomial]:
    difference = subtract(left, right)
    residual = reduced(context, difference)
    if step.relation is Relation.EQUALS or not residual:
        return holds(context, step.relation, residual), residual
    # Clearing denominators may turn a sign round, so what is left of an inequality is the difference itself.
    difference = rewrite(context, difference)
    closed = holds(context, step.relation, difference) or _compared(context, step, givens)
    return closed, difference


def _compared(context: Context, step: Step, givens: tuple[Given, ...]) -> bool:
    """Whether the author's trees show the inequality."""

    def equal(first: Expr, second: Expr) -> bool:
        try:
            return not reduced(context, subtract(read(context, first), read(context, second)))
        except (KernelLimit, LanguageError):
            return False

    comparison = Comparison(context, givens, equal)
    if step.relation is Relation.AT_MOST:
        return comparison.at_most(step.left, step.right)
    if step.relation is Relation.AT_LEAST:
        return comparison.at_most(step.right, step.left)
    rising = step.relation is Relation.LESS
    low, high = (step.left, step.right) if rising else (step.right, step.left)
    return comparison.positive(Plus(high, Negative(low)))


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


def normal_form(expression: Expr, givens: tuple[Given, ...] = (), theories: Iterable[str] = THEORIES) -> Polynomial:
    """The normal form of a scalar expression. Raises :class:`KernelLimit` or :class:`LanguageError`."""
    switched_on = rules(theories)
    return read(make_context(switched_on, read_facts(givens, switched_on)), expression)
