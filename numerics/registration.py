"""What Hypothesis calls through its entry point: how to make laws from their types.

Hypothesis calls it while it is itself being imported, perhaps by :mod:`numerics.strategies`; so the strategies are
looked up only when a test draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numerics.joint import AffineLaw
from numerics.laws import FiniteLaw, StandardLaw

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Tell Hypothesis of the strategies for laws."""
    from hypothesis import strategies

    strategies.register_type_strategy(FiniteLaw, _finite)
    strategies.register_type_strategy(StandardLaw, _standard)
    strategies.register_type_strategy(AffineLaw, _affine)


def _finite(_: type[FiniteLaw]) -> SearchStrategy[FiniteLaw]:
    from numerics.strategies import laws

    return laws()


def _standard(_: type[StandardLaw]) -> SearchStrategy[StandardLaw]:
    from numerics.strategies import standard_laws

    return standard_laws()


def _affine(_: type[AffineLaw]) -> SearchStrategy[AffineLaw]:
    from numerics.strategies import affine_laws

    return affine_laws()
