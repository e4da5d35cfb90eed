"""Words in both languages. Imports nothing that imports SymPy, so that a report can be printed without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derivations.records import Language


@dataclass(frozen=True)
class Phrase:
    """The same words in both languages."""

    en: str
    zh: str

    def in_language(self, language: Language) -> str:
        """The words in English (``en``) or Chinese (``zh``)."""
        return self.zh if language == "zh" else self.en
