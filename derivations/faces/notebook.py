"""``check``: one step, proved and cross-checked, without any file."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field

from derivations.authoring import Chain, DerivationError, check_form
from derivations.faces.examine import Engines, examine, real_engines
from derivations.faces.facts import Facts
from derivations.faces.report import counterexample, forms
from derivations.kernel.theories import THEORIES
from derivations.language.givens import Given
from derivations.language.written import Operand, exact
from derivations.records import Derivation, Line, Relation, Title
from derivations.verdict import StepResult, verdict
from derivations.writing.latex import latex_relation
from derivations.writing.unicode import plain_relation
from derivations.writing.verdicts import VERDICTS


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
        meaning = VERDICTS[self.verdict].en
        details = f"<pre>{html.escape(chr(10).join(self.details))}</pre>" if self.details else ""
        return (
            f"<div>$$ {html.escape(self.latex)} $$<p><b>{self.verdict}</b>: {html.escape(meaning)}</p>{details}</div>"
        )


def check(
    lhs: Operand,
    rhs: Operand,
    *,
    given: Iterable[Given] = (),
    by: Iterable[str] = (),
    relation: str = "=",
    seed: int = 0,
    symbolic_only: bool = False,
    engines: Engines | None = None,
) -> CheckResult:
    """Prove and cross-check that ``lhs`` stands in ``relation`` to ``rhs`` under the givens.

    ``by`` lists the reasons (``by.independence``); without reasons a smallest set is looked for. Raises
    :class:`derivations.LanguageError` or :class:`derivations.authoring.DerivationError` for a statement without
    meaning. ``engines`` replaces the prover and the numerics, for tests.
    """
    derivation = _one_step(lhs, rhs, tuple(given), tuple(by), relation)
    *_, facts = examine(derivation, engines or real_engines(symbolic_only=symbolic_only), seed)
    step = facts["steps"][0]
    word = verdict([StepResult(step["proof"], step["evidence"])], contradiction=bool(facts["contradiction"]))
    arguments = (derivation.start, derivation.relation, derivation.expressions[-1])
    return CheckResult(plain_relation(*arguments), latex_relation(*arguments), word, _details(facts), facts)


def _one_step(lhs: Operand, rhs: Operand, given: tuple[Given, ...], by: tuple[str, ...], relation: str) -> Derivation:
    for one in given:
        if not isinstance(one, Given):
            raise DerivationError(f"{one} is no assumption; write given=[independent(Q, K)] and the like")
    for reason in by:
        if reason not in THEORIES:
            raise DerivationError(f"{reason!r} is no reason; write by=[by.independence] and the like")
    if relation not in set(Relation):
        raise DerivationError(f"{relation!r} is no relation; there are {', '.join(Relation)}")
    chain = Chain(exact(lhs), (Line(Relation(relation), exact(rhs), by),))
    check_form(chain)
    return Derivation("check", Title("check", "检验"), chain.start, chain.lines, given)


def _details(facts: Facts) -> tuple[str, ...]:
    """What a person needs beside the verdict: the reasons of a proof, or where it fails."""
    step = facts["steps"][0]
    closed = step["proof"] == "closed"
    lines = [f"  by {', '.join(step['reasons'])}"] if closed and step["reasons"] else []
    lines += [f"  given {one}" for one in step["givens"]] if closed else []
    lines += forms(step, "  ") if not closed and step["residual"] else []
    lines += [
        f"  {one}" for one in (step["needs"], step["message"], facts["contradiction"], facts.get("error", "")) if one
    ]
    lines += [f"  holds only if {one['text']}" for one in step["obligations"] if not one["discharged_by"]]
    lines += counterexample(step["counterexample"], "  ") if step["counterexample"] else []
    return tuple(lines)
