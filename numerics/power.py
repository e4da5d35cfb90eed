"""Whether a point could have shown that a statement is wrong: the simplest wrong versions are tried at that point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sympy import Expr, Integer, Rational

from derivations.language.operators import Differential
from derivations.language.structure import parts
from derivations.language.written import Negative, Plus, Times
from numerics.values import Number


@dataclass(frozen=True)
class Wrong:
    """A wrong version of a claim, with a name for a person."""

    name: str
    claim: Expr


def _replaced(claim: Expr, old: Plus, terms: Sequence[Expr]) -> Expr:
    new = terms[0] if len(terms) == 1 else Plus(*terms)
    result: Expr = claim.xreplace({old: new})
    return result


def _terms(claim: Expr) -> Iterator[Wrong]:
    """Each sum with one term dropped, or with the sign of one term flipped."""
    for part in dict.fromkeys(one for one in parts(claim) if isinstance(one, Plus)):
        terms = tuple(part.args)
        for k, term in enumerate(terms):
            before, after = terms[:k], terms[k + 1 :]
            flipped = term.args[0] if isinstance(term, Negative) else Negative(term)
            yield Wrong(f"{term} dropped", _replaced(claim, part, (*before, *after)))
            yield Wrong(f"sign of {term} flipped", _replaced(claim, part, (*before, flipped, *after)))


def scaled_versions(claim: Expr) -> tuple[Wrong, ...]:
    """0, 2, 1.001 and -1 times the claim."""
    return (
        Wrong("0", Times(Integer(0), claim)),
        Wrong("twice", Times(Integer(2), claim)),
        Wrong("1.001 times", Times(Rational(1001, 1000), claim)),
        Wrong("the negative", Negative(claim)),
    )


def shortened_versions(claim: Expr) -> tuple[Wrong, ...]:
    """Each term dropped and each sign flipped; none where the claim has a derivative, which is costly to repeat."""
    if any(isinstance(part, Differential) for part in parts(claim)):
        return ()
    return tuple(_terms(claim))


def told_apart(
    value: Sequence[Number], variants: Sequence[Sequence[Number]], error: Sequence[Number], *, times: int = 1000
) -> tuple[bool, ...]:
    """For each variant, whether it differs from the value in some entry by more than so many times the error.

    An entry counts only if its own error is a small part of it: below a value that has not settled anything can hide.
    """
    return tuple(
        any(
            abs(one - other) > times * noise and times * noise <= max(abs(one), abs(other))
            for one, other, noise in zip(value, variant, error, strict=True)
        )
        for variant in variants
    )
