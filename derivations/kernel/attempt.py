"""One try at a step with one set of theories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sympy import Expr, Symbol
from sympy.core.basic import Basic

from derivations.kernel.arithmetic import subtract
from derivations.kernel.citations import cited_equations
from derivations.kernel.comparison import Comparison, Rules
from derivations.kernel.context import Context
from derivations.kernel.engine import make_context
from derivations.kernel.equivalence import equivalent
from derivations.kernel.facts import read_facts
from derivations.kernel.inequalities import holds
from derivations.kernel.laws.law import Law
from derivations.kernel.laws.table import LAWS, rules
from derivations.kernel.monotonicity import MONOTONE, STRICT
from derivations.kernel.named_inequalities import NAMED
from derivations.kernel.reading import EMPTY, read, read_at
from derivations.kernel.rules import rewrite
from derivations.kernel.show import show
from derivations.kernel.terms import FREE, ZERO, KernelLimit, Polynomial, Position
from derivations.kernel.theories import THEORIES
from derivations.kernel.zero import assert_closed, reduced
from derivations.language.arrays import Array
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.language.propositions import Proposition
from derivations.language.structure import parts
from derivations.language.written import Negative, Plus, shape_of
from derivations.records import Relation, Step


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


def attempt_step(
    step: Step, givens: tuple[Given, ...], theories: Iterable[str], laws: Mapping[str, Law] = LAWS
) -> Attempt:
    """Try a step with exactly these theories. A citation brings the use of equations with it."""
    wanted = (*theories, "given") if step.line.cited else tuple(theories)
    switched_on = rules(wanted, laws)
    try:
        refuse_shared_names(step, givens)
        facts = read_facts(givens, switched_on)
        facts = replace(facts, equations=(*facts.equations, *cited_equations(step.line.cited, facts, switched_on)))
        context = make_context(switched_on, facts)
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
    certificate = () if step.line.certificate is None else (step.line.certificate,)
    for whole in (step.left, step.right, *certificate, *givens):
        for part in parts(whole):
            if isinstance(part, (Symbol, Array)) and seen.setdefault(str(part), part) != part:
                raise LanguageError(f"two different objects are called {part}; give one of them another name")


def _forms(context: Context, step: Step) -> tuple[Polynomial, Polynomial]:
    """The normal forms of both sides; of a statement, that of the difference of its sides."""
    if isinstance(step.left, Proposition) and isinstance(step.right, Proposition):
        first, second = (subtract(read(context, one.left), read(context, one.right)) for one in (step.left, step.right))
        return first, second
    shape = shape_of(step.left)
    at = tuple(Position(FREE, place, "·", read(context, size)) for place, size in enumerate(shape))
    return read_at(context, step.left, EMPTY, at), read_at(context, step.right, EMPTY, at)


def _compare(
    context: Context, step: Step, givens: tuple[Given, ...], left: Polynomial, right: Polynomial
) -> tuple[bool, Polynomial]:
    if step.relation is Relation.IFF:
        closed = equivalent(context, step, givens, left, right)
        return closed, ZERO if closed else left
    difference = subtract(left, right)
    residual = reduced(context, difference)
    if step.relation is Relation.EQUALS or not residual:
        return holds(context, step.relation, residual), residual
    # Clearing denominators may turn a sign round, so what is left of an inequality is the difference itself.
    difference = rewrite(context, difference)
    closed = holds(context, step.relation, difference) or _compared(context, step, givens)
    return closed, difference


def _compared(context: Context, step: Step, givens: tuple[Given, ...]) -> bool:
    """Whether the author's certificate or the author's trees show the inequality."""
    forms: dict[Expr, Polynomial] = {}  # the same parts are compared again and again

    def form(expression: Expr) -> Polynomial:
        if expression not in forms:
            forms[expression] = read(context, expression)
        return forms[expression]

    def equal(first: Expr, second: Expr) -> bool:
        try:
            return not reduced(context, subtract(form(first), form(second)))
        except (KernelLimit, LanguageError):
            return False

    def visible(high: Expr, low: Expr) -> bool:
        try:
            difference = rewrite(context, subtract(form(high), form(low)))
            return holds(context, Relation.AT_LEAST, difference)
        except (KernelLimit, LanguageError):
            return False

    rules_of_order = Rules(NAMED, MONOTONE, STRICT)
    comparison = Comparison(context, givens, equal, theorems=step.line.cited, visible=visible, rules=rules_of_order)
    rising = step.relation in (Relation.AT_MOST, Relation.LESS)
    strict = step.relation in (Relation.LESS, Relation.GREATER)
    low, high = (step.left, step.right) if rising else (step.right, step.left)
    difference = Plus(high, Negative(low))
    slack = step.line.certificate
    if slack is not None:
        signed = comparison.positive(slack) if strict else comparison.not_negative(slack)
        return signed and equal(difference, slack)
    return comparison.less(low, high) if strict else comparison.at_most(low, high)


def normal_form(expression: Expr, givens: tuple[Given, ...] = (), theories: Iterable[str] = THEORIES) -> Polynomial:
    """The normal form of a scalar expression. Raises :class:`KernelLimit` or :class:`LanguageError`."""
    switched_on = rules(theories)
    return read(make_context(switched_on, read_facts(givens, switched_on)), expression)
