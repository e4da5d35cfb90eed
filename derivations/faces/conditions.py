"""What must hold for a step, as a person reads it: the kernel's words around an expression in the author's notation."""

from __future__ import annotations

from derivations.kernel.record import Obligation
from derivations.writing.unicode import plain


def condition_text(obligation: Obligation) -> str:
    """The obligation in words, its expression in Unicode."""
    raw = str(obligation.expression)
    if not obligation.text.startswith(f"{raw} "):
        return obligation.text
    return plain(obligation.expression) + obligation.text.removeprefix(raw)
