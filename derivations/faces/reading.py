"""``show`` and ``latex``: a derivation as it is read."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from derivations.faces.listing import report_faults
from derivations.faces.phrases import theory_phrases
from derivations.faces.report import library_options
from derivations.loading import LoadError, load
from derivations.records import Derivation, Language
from derivations.registry import read_registry, select
from derivations.writing.document import document, standalone
from derivations.writing.phrase import Phrase
from derivations.writing.text import derivation_text

# Showing verifies nothing.
_TO_VERIFY = Phrase("Not verified here; to verify: {}", "此处未作检验；检验用命令：{}")


def read(names: Iterable[str], folders: Iterable[Path]) -> tuple[tuple[Derivation, ...], bool]:
    """The derivations asked for, and whether all could be read; what is wrong is said on standard error."""
    registry = read_registry(folders)
    report_faults(registry)
    found: list[Derivation] = []
    whole = True
    for listing in select(registry, names):
        try:
            found.append(load(listing))
        except LoadError as error:
            whole = False
            print(f"derivations: {listing.name}: {error}", file=sys.stderr)
    return tuple(found), whole


def show(names: Iterable[str], folders: Iterable[Path], language: Language) -> int:
    """Print derivations for a terminal. Returns 2 if one cannot be read."""
    wanted, given = tuple(names), tuple(folders)
    derivations, whole = read(wanted, given)
    phrases = theory_phrases()
    print("\n".join(derivation_text(one, phrases, language) for one in derivations), end="")
    if derivations:
        asked = " ".join(map(shlex.quote, wanted))
        command = f"python -m derivations verify {asked}{library_options([str(one) for one in given])}"
        print(f"\n{_TO_VERIFY.in_language(language).format(command)}")
    return 0 if whole else 2


def write_latex(
    names: Iterable[str], folders: Iterable[Path], language: Language, output: Path | None, *, whole_file: bool
) -> int:
    """Print derivations as LaTeX, or write them to a file; ``whole_file`` adds what makes it a document by itself.

    Returns 2 if one cannot be read or the file not written.
    """
    derivations, whole = read(names, folders)
    phrases = theory_phrases()
    if whole_file and derivations:
        text = standalone(derivations, phrases, language)
    else:
        text = "\n".join(document(one, phrases, language) for one in derivations)
    if output is None or not derivations:
        print(text, end="")
        return 0 if whole else 2
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"derivations: cannot write {output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0 if whole else 2
