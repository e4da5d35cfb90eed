"""Why an expression could not be evaluated. None of these is evidence for or against a statement."""

from __future__ import annotations


class NotEvaluated(Exception):
    """Base of all reasons why there is no value."""


class NotRational(NotEvaluated):
    """The value is no rational number, so exact arithmetic cannot give it."""


class NotPolynomial(NotEvaluated):
    """An expectation needs more than the moments of the random variables."""


class TooLarge(NotEvaluated):
    """The expansion or enumeration would not fit in the budget."""


class Unsupported(NotEvaluated):
    """The evaluator does not know this kind of expression, or the question has no unique meaning for it."""


class NothingFound(NotEvaluated):
    """No instance satisfies the givens, as far as the search went."""
