"""Hypothesis strategies for what the checks draw: dimensions, variances, laws, vectors, instances of givens.

Needs Hypothesis (extra ``test``); nothing else of this package imports this module. The generator is the one of the
checks, its choices are Hypothesis's. They are offered simplest first, so a failing example shrinks to the simplest one.

A test of a step of one's own::

    @given(instances(my_derivation.givens, *my_derivation.expressions))
    def test_my_claim(instance): ...

``instance.sizes`` then has the dimensions, ``instance.numbers`` the scalars and arrays, ``instance.joint`` the law of
the random arrays. :func:`instances_of` draws where a statement lives and :func:`numerics.pointwise.compare_at` compares
its sides there.

A test that samples at each example shares out one error rate, and takes the seed of the sampling from the example::

    BUDGET = error_budget(examples=100)

    @settings(max_examples=BUDGET.examples)
    @given(instances_of(STATEMENT, law="continuous"), seeds())
    def test_my_claim(instance, seed):
        check = check_instance(STATEMENT, instance, seed=seed, alpha=BUDGET.share)
        assert check.outcome != "refuted", check.counterexample

If the statement is true, this test fails with probability at most ``BUDGET.alpha`` over the seeds, however the
instances are chosen. They must not be chosen by what was sampled, so such a test calls no ``target`` with it; and it
discards no example after sampling. More examples are run only once one has failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from hypothesis import reject, settings
from hypothesis import strategies as st
from sympy import Expr

from derivations.language.givens import Given
from numerics.budget import ErrorBudget
from numerics.errors import NotEvaluated
from numerics.examples import MODERATE_STYLES, SMALL, STYLES, Space, space_of
from numerics.facts import VARIANCE, read_givens
from numerics.instances import ENTRIES, SCALARS, Instance, LawKind, Style, draw_entries
from numerics.instances import letters_of as _letters_of
from numerics.joint import AffineLaw
from numerics.laws import UNIT_VARIANCE, FiniteLaw, StandardLaw, fitted
from numerics.monte_carlo import ALPHA, check_instance
from numerics.statements import Statement

__all__ = [
    "STYLES",
    "Drawn",
    "ErrorBudget",
    "affine_laws",
    "check_instance",
    "dimensions",
    "error_budget",
    "instances",
    "instances_of",
    "laws",
    "scalars",
    "seeds",
    "standard_laws",
    "variances",
    "vectors",
]

T = TypeVar("T")

_LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Drawn:
    """A source whose choices Hypothesis makes, for any generator of this package that takes a source.

    ``draw`` is that of a composite strategy, or ``data.draw`` of ``st.data()``.
    """

    draw: st.DrawFn

    def choose(self, sequence: Sequence[T]) -> T:
        """One element; shrinks towards the first."""
        return self.draw(st.sampled_from(list(sequence)))

    def integer(self, lowest: int, highest: int) -> int:
        """One integer; shrinks towards the lowest."""
        return self.draw(st.integers(lowest, highest))


def error_budget(alpha: float = ALPHA, *, examples: int | settings | None = None, checks: int = 1) -> ErrorBudget:
    """An error rate for all examples of a test: so many, or those that the settings allow (those in force if None).

    ``checks`` is how many checks by sampling each example makes.
    """
    chosen = settings() if examples is None else examples
    return ErrorBudget(alpha, chosen if isinstance(chosen, int) else chosen.max_examples, checks)


def seeds() -> st.SearchStrategy[int]:
    """The seed of the sampling at one example, so that the example says all there is to repeat."""
    return st.integers(0, _LARGEST_SEED)


def dimensions(least: int = 1, most: int = 8) -> st.SearchStrategy[int]:
    """A dimension; 1 and 2 included unless ``least`` forbids."""
    return st.integers(least, most)


def scalars() -> st.SearchStrategy[Fraction]:
    """A rational of either sign, or zero; squares are frequent, so that roots stay rational."""
    return st.sampled_from(SCALARS)


def variances(*, allow_zero: bool = False) -> st.SearchStrategy[Fraction]:
    """A variance: positive, or zero where that is allowed."""
    return st.sampled_from([one for one in SCALARS if one > 0 or (allow_zero and one == 0)])


@st.composite
def laws(
    draw: st.DrawFn,
    /,
    mean: Fraction | int | None = None,
    variance: Fraction | int | None = None,
    moments: Mapping[int, Fraction | int] | None = None,
) -> FiniteLaw:
    """A law on finitely many rationals, often skewed, with this mean and this variance where they are given.

    ``moments`` are further raw moments by order: ``laws(0, 1, {4: 3})``. What is not given varies from law to law.
    """
    spec = {order: Fraction(value) for order, value in (moments or {}).items()}
    if mean is not None:
        spec[1] = Fraction(mean)
    if variance is not None:
        spec[VARIANCE] = Fraction(variance)
    try:
        return fitted(spec, Drawn(draw))
    except NotEvaluated:
        reject()


def standard_laws() -> st.SearchStrategy[StandardLaw]:
    """A continuous law of mean 0 and variance 1: normal, uniform, Laplace, Student t, exponential."""
    return st.sampled_from(list(UNIT_VARIANCE))


def affine_laws() -> st.SearchStrategy[AffineLaw]:
    """A continuous law moved to a mean and stretched to a variance."""
    return st.builds(AffineLaw, standard_laws(), scalars(), variances())


@st.composite
def vectors(draw: st.DrawFn, size: int | None = None, *, styles: Sequence[Style] = STYLES) -> tuple[Fraction, ...]:
    """A vector of rationals in one of the :data:`STYLES`: with ties, near ties, negative, saturated, huge, tiny."""
    source = Drawn(draw)
    count = draw(dimensions()) if size is None else size
    return tuple(draw_entries(ENTRIES[source.choose(styles)], count, source))


@st.composite
def _drawn(draw: st.DrawFn, space: Space) -> Instance:
    try:
        return space.draw(Drawn(draw))
    except NotEvaluated:
        reject()


def instances(
    givens: Iterable[Given], *expressions: Expr, most: int = SMALL, styles: Sequence[Style] = MODERATE_STYLES
) -> st.SearchStrategy[Instance]:
    """An instance for every letter of the expressions and the givens, which satisfies the givens.

    Dimensions are at most ``most`` (unless a given asks for more). Where independence is not given, dependence is drawn
    too. Beside random arrays the numbers are simple.
    """
    givens = tuple(givens)
    return _drawn(Space(_letters_of([*expressions, *givens]), read_givens(givens), most, tuple(styles)))


def instances_of(
    statement: Statement, *, most: int = SMALL, styles: Sequence[Style] = MODERATE_STYLES, law: LawKind = "finite"
) -> st.SearchStrategy[Instance]:
    """An instance of a statement; ``law`` says whether undeclared laws are finite or continuous.

    For an equivalence one of its equations is made true now and then. A failing example shrinks to the one that
    ``verify`` prints, or near to it.
    """
    return _drawn(space_of(statement, most=most, styles=tuple(styles), kind=law))
