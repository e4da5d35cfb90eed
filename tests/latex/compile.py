"""Compile every derivation of the library as a document of its own, in English with pdflatex and in Chinese with
xelatex, and report what TeX complains of.

    python tests/latex/compile.py [NAME ...] [--lang en|zh] [--output DIR] [--png]

Needs a TeX installation with ctex; on Debian: apt-get install texlive-latex-recommended texlive-xetex
texlive-lang-chinese poppler-utils.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from derivations.faces.phrases import theory_phrases
from derivations.loading import load
from derivations.records import Derivation
from derivations.registry import read_registry, select
from derivations.writing.document import standalone

PROGRAMS = {"en": "pdflatex", "zh": "xelatex"}
# An overfull box of less than this many points is not seen.
TOLERANCE = 1.0
_COMPLAINTS = re.compile(r"^(?:!.*|Missing character.*|LaTeX Warning.*)$", re.MULTILINE)
_OVERFULL = re.compile(r"^Overfull \\[hv]box \(([\d.]+)pt too (?:wide|high)\).*$", re.MULTILINE)


def compile_one(derivation: Derivation, language: str, folder: Path, *, png: bool) -> list[str]:
    """What TeX complains of; the files stay in the folder."""
    stem = f"{derivation.name}-{language}"
    source = folder / f"{stem}.tex"
    source.write_text(standalone([derivation], theory_phrases(), language), encoding="utf-8")
    command = [PROGRAMS[language], "-interaction=nonstopmode", "-halt-on-error", source.name]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, check=False, env={**os.environ, "max_print_line": "1000"}
    )
    log = (folder / f"{stem}.log").read_text(encoding="utf-8", errors="replace")
    found = [one[0] for one in _COMPLAINTS.finditer(log)]
    found += [one[0] for one in _OVERFULL.finditer(log) if float(one[1]) > TOLERANCE]
    if done.returncode and not found:
        found.append(f"{PROGRAMS[language]} ended with exit code {done.returncode}")
    if png and not done.returncode:
        subprocess.run(["pdftoppm", "-r", "80", "-png", f"{stem}.pdf", stem], cwd=folder, check=True)
    return found


def main() -> int:
    """Compile, report, return 1 if TeX complains of anything."""
    parser = argparse.ArgumentParser(description="Compile the library's derivations as LaTeX documents.")
    parser.add_argument("names", nargs="*", help="names or patterns (default: everything)")
    parser.add_argument("--lang", choices=tuple(PROGRAMS), action="append", help="language (default: both)")
    parser.add_argument("--output", type=Path, help="keep the documents here")
    parser.add_argument("--png", action="store_true", help="also render the pages")
    arguments = parser.parse_args()
    languages = arguments.lang or list(PROGRAMS)
    absent = [PROGRAMS[one] for one in languages if not shutil.which(PROGRAMS[one])]
    if absent:
        print(f"not installed: {', '.join(absent)}", file=sys.stderr)
        return 2
    folder = arguments.output or Path(tempfile.mkdtemp(prefix="latex-"))
    folder.mkdir(parents=True, exist_ok=True)
    derivations = [load(one) for one in select(read_registry(), arguments.names)]
    jobs = [(derivation, language) for derivation in derivations for language in languages]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compile_one(*job, folder, png=arguments.png), jobs))
    bad = 0
    for (derivation, language), found in zip(jobs, results, strict=True):
        bad += bool(found)
        for one in found:
            print(f"{derivation.name} ({language}): {one}")
    print(f"{len(jobs)} documents, {bad} with complaints, in {folder}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
