"""How each theory is said, for the writers, which know no theory."""

from __future__ import annotations

from collections.abc import Mapping

from derivations.kernel.theories import THEORIES
from derivations.writing.phrase import Phrase


def theory_phrases() -> Mapping[str, Phrase]:
    """The phrase for each theory."""
    return {name: Phrase(theory.en, theory.zh) for name, theory in THEORIES.items()}
