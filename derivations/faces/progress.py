"""Progress on a terminal, and nothing where nobody watches."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Self


@dataclass
class Progress:
    """One line on standard error that is overwritten as derivations are done."""

    total: int
    count: int = 0

    def __enter__(self) -> Self:
        self._show(f"[0/{self.total}]")
        return self

    def __exit__(self, *exception: object) -> None:
        self._show("")

    def done(self, name: str) -> None:
        """One more is done."""
        self.count += 1
        self._show(f"[{self.count}/{self.total}] {name}")

    def _show(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
