"""The page on writing an identity names every reason and every public name that an author needs."""

from pathlib import Path

import derivations
from derivations.kernel.theories import THEORIES

PAGE = (Path(__file__).parents[2] / "docs" / "identity.md").read_text(encoding="utf-8")

# Not for an author's page: types for annotations, errors, and what the page explains in its text.
ELSEWHERE = {"Chain", "Note", "LanguageError", "by", "check", "derivation", "entry"}


def test_every_reason_is_on_the_page():
    assert [name for name in THEORIES if f"| `{name}` |" not in PAGE] == []


def test_every_public_name_is_on_the_page():
    assert [name for name in derivations.__all__ if name not in PAGE and name not in ELSEWHERE] == []
