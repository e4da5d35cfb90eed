"""``list``: names and titles. Imports nothing that imports SymPy."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from derivations.registry import Registry, read_registry, select


def report_faults(registry: Registry) -> bool:
    """Say on standard error what is wrong with the library files; return whether anything is."""
    for fault in registry.faults:
        print(f"derivations: {fault}", file=sys.stderr)
    return bool(registry.faults)


def list_derivations(names: Iterable[str], folders: Iterable[Path], language: str) -> int:
    """Print each name with its title. Returns 1 if a library file cannot be read, else 0."""
    registry = read_registry(folders)
    faulty = report_faults(registry)
    chosen = select(registry, names)
    column = max((len(one.name) for one in chosen), default=0)
    for one in chosen:
        print(f"{one.name:<{column}}  {one.title_zh if language == 'zh' else one.title_en}")
    return 1 if faulty else 0
