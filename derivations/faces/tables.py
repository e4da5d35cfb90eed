"""Small tables of measurements, for a terminal and for a page."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10

from derivations.writing.text import padded, width

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Table:
    """A title, column heads and rows; the first column names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_text(table: Table) -> str:
    """The table for a terminal: the first column to the left, numbers to the right."""
    rows = (table.head, *table.rows)
    widths = [max(width(row[column]) for row in rows) for column in range(len(table.head))]
    lines = [
        "  ".join(_cell(one, columns, first=not k) for k, (one, columns) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]
    return "\n".join([table.title, *(f"  {line}".rstrip() for line in lines)])


def _cell(text: str, columns: int, *, first: bool) -> str:
    return padded(text, columns) if first else " " * (columns - width(text)) + text


def number(value: float, digits: int = 3) -> str:
    """A number with so many significant digits; very small and very large ones with a power of ten."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "–"
    mantissa = f"{value:.{digits - 1}e}"
    exponent = int(mantissa.partition("e")[2])
    if -3 <= exponent < 6:
        return f"{value:.{max(digits - 1 - exponent, 0)}f}"
    return f"{mantissa.partition('e')[0]}×10{str(exponent).translate(_RAISED)}"


def with_error(value: float, error: float) -> str:
    """A measured value and its standard error, both to the error's second digit."""
    if not (isfinite(error) and error > 0):
        return number(value, 4)
    place = 1 - floor(log10(error))
    if -3 < place < 7:
        return f"{value:.{max(place, 0)}f} ± {error:.{max(place, 0)}f}"
    return f"{number(value)} ± {number(error, 2)}"
