"""``check``: one step, proved and cross-checked, without any file."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from derivations.authoring import (
    Chain,
    DerivationError,
    at_least,
    at_most,
    check_form,
    equals,
    greater_than,
    iff,
    less_than,
)
from derivations.faces.examine import Engines, examine, real_engines
from derivations.faces.facts import Facts
from derivations.faces.report import blame, counterexample, forms, holds_only_if, lacks, meaning
from derivations.language.givens import Given
from derivations.language.propositions import Proposition
from derivations.language.randomness import random_arrays
from derivations.language.written import Operand, exact
from derivations.records import Derivation, Line, Relation, Title
from derivations.verdict import StepResult, verdict
from derivations.writing.latex import latex_relation
from derivations.writing.unicode import plain_relation

_LINES: Mapping[Relation, Callable[..., Line]] = MappingProxyType(
    {
        Relation.EQUALS: equals,
        Relation.AT_MOST: at_most,
        Relation.AT_LEAST: at_least,
        Relation.LESS: less_than,
        Relation.GREATER: greater_than,
        Relation.IFF: iff,
    }
)


@dataclass(frozen=True)
class CheckResult:
    """What came of one step. Its truth value is no verdict; ask for ``verdict``."""

    statement: str
    latex: str
    verdict: str
    details: tuple[str, ...] = ()
    facts: Facts | None = field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        raise TypeError("a result is not true or false; compare its verdict, as in result.verdict == 'proved'")

    def __repr__(self) -> str:
        return "\n".join([f"{self.verdict}: {self.statement}", *self.details])

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex} \qquad \text{{{self.verdict.replace('_', ' ')}}}$"

    def _repr_html_(self) -> str:
        said = meaning(self.verdict, self.facts["steps"] if self.facts else ())
        details = f"<pre>{html.escape(chr(10).join(self.details))}</pre>" if self.details else ""
        return f"<div>$$ {html.escape(self.latex)} $$<p><b>{self.verdict}</b>: {html.escape(said)}</p>{details}</div>"


def check(
    lhs: Operand,
    rhs: Operand | Line,
    *,
    given: Given | Iterable[Given] = (),
    by: str | Derivation | Iterable[str | Derivation] = (),
    relation: str = "=",
    seed: int = 0,
    symbolic_only: bool = False,
    engines: Engines | None = None,
) -> CheckResult:
    """Prove and cross-check that ``lhs`` stands in ``relation`` to ``rhs`` under the givens.

    ``given`` is one assumption or several; what a note declares is ``note.givens``. ``by`` is one reason or several
    (``by.independence``); without reasons a smallest set is looked for. ``rhs`` may be
    a whole line of a chain, ``at_most(b, by.convexity, slack=c)`` or ``iff(equal(a, b), factor=c)``. Raises
    :class:`derivations.LanguageError` or :class:`derivations.authoring.DerivationError` for a statement without
    meaning. ``engines`` replaces the prover and the numerics, for tests.
    """
    givens = (given,) if isinstance(given, Given) else tuple(given)
    reasons = (by,) if isinstance(by, (str, Derivation)) else tuple(by)
    derivation = _one_step(lhs, givens, _line(rhs, reasons, relation))
    *_, facts = examine(derivation, engines or real_engines(symbolic_only=symbolic_only), seed)
    step = facts["steps"][0]
    word = verdict([StepResult(step["proof"], step["evidence"])], contradiction=bool(facts["contradiction"]))
    arguments = (derivation.start, derivation.relation, derivation.expressions[-1])
    details = (*_details(facts), *_unsaid(derivation, word))
    return CheckResult(plain_relation(*arguments), latex_relation(*arguments), word, details, facts)


def _unsaid(derivation: Derivation, word: str) -> tuple[str, ...]:
    """A hint where a random array occurs of which nothing is assumed: what is declared on a note is a given of it."""
    known = {array for one in derivation.givens for array in random_arrays(one)}
    found = dict.fromkeys(array for side in derivation.expressions for array in random_arrays(side))
    bare = [str(array) for array in found if array not in known]
    if word in ("proved", "proved_symbolically") or not bare:
        return ()
    return (f"  nothing is assumed of {', '.join(bare)}; what a note declares is passed as given=note.givens",)


def _line(rhs: Operand | Line, by: tuple[str | Derivation, ...], relation: str) -> Line:
    if isinstance(rhs, Line):
        if by or relation != Relation.EQUALS:
            raise DerivationError("a line such as at_most(...) says its relation and reasons itself")
        return rhs
    if relation not in set(Relation):
        raise DerivationError(f"{relation!r} is no relation; there are {', '.join(Relation)}")
    return _LINES[Relation(relation)](rhs, *by)


def _one_step(lhs: Operand, given: tuple[Given, ...], line: Line) -> Derivation:
    for one in given:
        if not isinstance(one, Given):
            raise DerivationError(f"{one} is no assumption; write given=[independent(Q, K)] and the like")
    chain = Chain(lhs if isinstance(lhs, Proposition) else exact(lhs), (line,))
    check_form(chain)
    return Derivation("check", Title("check", "检验"), chain.start, chain.lines, given)


def _details(facts: Facts) -> tuple[str, ...]:
    """What a person needs beside the verdict: the reasons of a proof, or where it fails."""
    step = facts["steps"][0]
    closed = step["proof"] == "closed"
    lines = [f"  by {', '.join(step['reasons'])}"] if closed and step["reasons"] else []
    lines += [f"  by {one}" for one in step["cited"]] if closed else []
    lines += [f"  given {one}" for one in step["givens"]] if closed else []
    lines += forms(step, "  ")
    lines += [
        f"  {one}" for one in (lacks(step), step["message"], facts["contradiction"], facts.get("error", "")) if one
    ]
    lines += holds_only_if(step, "  ")
    lines += counterexample(step["counterexample"], "  ") if step["counterexample"] else []
    return (*lines, *(f"  {one}" for one in blame(step)))
