"""An expression in one line of Unicode, in the author's order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from sympy import Expr, oo, pi
from sympy.core.basic import Basic
from sympy.printing.precedence import precedence

from derivations.language.symbols import Index
from derivations.language.written import Written
from derivations.records import Relation
from derivations.writing.names import text_name
from derivations.writing.notation import RANKS, Level, Notation, Piece

RELATIONS: Mapping[Relation, str] = MappingProxyType(
    {
        Relation.EQUALS: "=",
        Relation.AT_MOST: "≤",
        Relation.AT_LEAST: "≥",
        Relation.LESS: "<",
        Relation.GREATER: ">",
        Relation.IFF: "⇔",
    }
)
_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "E": "E[*]",
        "abs": "|*|",
        "sigmoid": "σ(*)",
        "normal": "N(*)",
        "uniform": "U(*)",
        "bernoulli": "Bernoulli(*)",
        "rademacher": "Rademacher",
    }
)
_CONSTANTS: Mapping[Basic, str] = MappingProxyType({pi: "π", oo: "∞"})
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LETTER = re.compile(r"[^\W\d_]")
_RANK = re.compile(r"max|min|\(\d+\)")


class _Unicode(Notation):
    def name(self, name: str, indices: tuple[str, ...] = ()) -> str:
        base = text_name(name)
        if not indices:
            return base
        return self.subscript(base, indices) if "_" not in base else f"{base}[{', '.join(map(text_name, indices))}]"

    def subscript(self, base: str, indices: tuple[str, ...]) -> str:
        names = tuple(map(text_name, indices))
        if all(_LETTER.fullmatch(one) for one in names) or _RANK.fullmatch(",".join(names)):
            return f"{base}_{''.join(names)}"
        return f"{base}[{', '.join(names)}]"

    def grouped(self, text: str) -> str:
        return f"({text})"

    def ratio(self, top: Piece, bottom: Piece) -> Piece:
        above = top.text if top.level >= Level.PRODUCT and not top.reaches else self.grouped(top.text)
        below = bottom.text if bottom.level >= Level.POWER else self.grouped(bottom.text)
        return Piece(f"{above}/{below}", Level.RATIO, reaches=True)

    def times(self, left: str, right: str) -> str:
        return f"{left}·{right}" if right[0].isdigit() else f"{left} {right}"

    def dot(self, left: str, right: str) -> str:
        return f"{left} · {right}"

    def power(self, base: str, exponent: Piece) -> str:
        if re.fullmatch(r"-?\d+", exponent.text):
            return base + exponent.text.translate(_SUPERSCRIPTS)
        return f"{base}^{self.held(Level.ATOM, exponent)}"

    def root(self, operand: Piece) -> Piece:
        return Piece(f"√{self.held(Level.ATOM, operand)}", Level.POWER)

    def sum_sign(self, index: Index) -> str:
        return self.subscript("Σ", (index.name,))

    def distinct_sum_sign(self, indices: tuple[Index, ...]) -> str:
        names = [text_name(one.name) for one in indices]
        if len(names) <= 3:
            return f"Σ_{{{'≠'.join([*names, *names[:1]] if len(names) == 3 else names)}}}"
        return f"Σ_{{{','.join(names)} distinct}}"

    def limit_sign(self, variable: str) -> str:
        return f"lim_{{{variable}→∞}}"

    def extreme_sign(self, rank: int, index: str) -> str:
        sign = RANKS.get(rank, f"max⁽{str(rank).translate(_SUPERSCRIPTS)}⁾")
        return self.subscript(sign, (index,))

    def relation(self, relation: Relation) -> str:
        return RELATIONS[relation]

    def word(self, text: str) -> str:
        return text

    def derivative(self, variables: tuple[str, ...], *, partial: bool) -> str:
        d = "∂" if partial else "d"
        return " ".join(f"{d}/{d}{one}" for one in variables)

    def function(self, name: str, arguments: str) -> str:
        return _FUNCTIONS.get(name, f"{name}(*)").replace("*", arguments)

    def delta(self, indices: tuple[str, ...]) -> str:
        return self.subscript("δ", indices)

    def norm(self, operand: str, *, of_matrix: bool) -> str:
        return f"‖{operand}‖" + ("_F" if of_matrix else "")

    def transpose(self, operand: str) -> str:
        return f"{operand}ᵀ"

    def foreign(self, node: Basic) -> Piece:
        if isinstance(node, Written) or not isinstance(node, Expr):
            arguments = ", ".join(self.write(one) for one in node.args)
            return Piece(self.function(type(node).__name__.lower(), arguments))
        if node in _CONSTANTS:
            return Piece(_CONSTANTS[node])
        atomic = precedence(node) >= 1000  # SymPy's level of what needs no parentheses anywhere
        return Piece(str(node), Level.ATOM if atomic else Level.SUM)


_UNICODE = _Unicode()


def plain(node: Basic) -> str:
    """The expression or law in one line."""
    return _UNICODE.write(node)


def plain_relation(left: Expr, relation: Relation, right: Expr) -> str:
    """A statement: left, relation, right."""
    return f"{plain(left)} {RELATIONS[relation]} {plain(right)}"
