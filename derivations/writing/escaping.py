"""Words as LaTeX text: signs that LaTeX reserves, and the mathematics that stands in a title without dollar signs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from derivations.writing.names import GREEK, latex_name

_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "−": "$-$",
        "–": "--",
        "±": r"$\pm$",
        "·": r"$\cdot$",
        "×": r"$\times$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        "≠": r"$\ne$",
        "<": "$<$",
        ">": "$>$",
        "→": r"$\to$",
        "⇔": r"$\iff$",
        "∞": r"$\infty$",
        "∂": r"$\partial$",
        "√": r"$\surd$",
        "‖": r"$\Vert$",
        "“": "``",
        "”": "''",
        **{sign: f"${{}}^{digit}$" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{sign: f"${{}}_{digit}$" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
        **{letter: f"$\\{name}$" for name, letter in GREEK.items()},
    }
)
# A letter with a subscript, perhaps under a root: d_k, √d_k, √n.
_NAME = re.compile(r"√\(?(?P<root>[^\W\d_](?:_\w+)?)\)?|(?<!\w)(?P<name>[^\W\d_]_[^\W_]+)(?!\w)")


def escaped(text: str) -> str:
    """Words as LaTeX text."""
    written, position = "", 0
    for found in _NAME.finditer(text):
        name = found["root"] or found["name"]
        shown = rf"\sqrt{{{latex_name(name)}}}" if found["root"] else latex_name(name)
        written += _signs(text[position : found.start()]) + f"${shown}$"
        position = found.end()
    return written + _signs(text[position:])


def _signs(text: str) -> str:
    return "".join(_SIGNS.get(one, one) for one in text)
