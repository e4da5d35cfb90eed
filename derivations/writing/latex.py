"""LaTeX of an expression, in the author's order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from types import MappingProxyType

from sympy import Expr
from sympy.core.basic import Basic
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE, precedence

from derivations.language.functions import ELEMENTARY
from derivations.language.symbols import Index
from derivations.language.written import Written
from derivations.records import Relation
from derivations.writing.names import braced, joined_indices, latex_name
from derivations.writing.notation import RANKS, Level, Notation, Piece

RELATIONS: Mapping[Relation, str] = MappingProxyType(
    {
        Relation.EQUALS: "=",
        Relation.AT_MOST: r"\le",
        Relation.AT_LEAST: r"\ge",
        Relation.LESS: "<",
        Relation.GREATER: ">",
        Relation.IFF: r"\iff",
    }
)

# Functions whose name is not set as an operator.
_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "softmax": r"\mathrm{softmax}",
        "normal": r"\mathcal{N}",
        "uniform": r"\mathcal{U}",
    }
)
_TALL = re.compile(r"\\(frac|sum|left|sqrt)")
_DIGIT_FIRST = re.compile(r"\d|\\frac\{-?\d")
_DIGIT_LAST = re.compile(r"\d$|^\\frac\{\d+\}\{\d+\}$")


class _Latex(Notation):
    def name(self, name: str, indices: tuple[str, ...] = ()) -> str:
        return latex_name(name, indices)

    def subscript(self, base: str, indices: tuple[str, ...]) -> str:
        return f"{base}_{braced(joined_indices(indices))}"

    def grouped(self, text: str) -> str:
        return rf"\left({text}\right)" if _TALL.search(text) else f"({text})"

    def ratio(self, top: Piece, bottom: Piece) -> Piece:
        above, below = (one.in_line or one.text for one in (top, bottom))
        in_line = f"{self.held(Level.PRODUCT, top)}/{self.held(Level.POWER, bottom)}"
        # A sum before the slash would seem to go on after it; a fraction on both sides is one too many.
        flat = not (top.reaches or top.in_line or bottom.in_line)
        return Piece(rf"\frac{{{above}}}{{{below}}}", Level.OPERATOR, in_line=in_line if flat else "")

    def times(self, left: str, right: str) -> str:
        # Two numbers side by side would be read as one, 2 1/2 as two and a half.
        number_second = right[0].isdigit() or (_DIGIT_FIRST.match(right) and _DIGIT_LAST.search(left))
        return rf"{left} \cdot {right}" if number_second else f"{left} {right}"

    def dot(self, left: str, right: str) -> str:
        return rf"{left} \cdot {right}"

    def power(self, base: str, exponent: Piece) -> str:
        return f"{base}^{{{_flat_fraction(exponent.text)}}}"

    def root(self, operand: Piece) -> Piece:
        return Piece(rf"\sqrt{{{operand.text}}}")

    def sum_sign(self, index: Index) -> str:
        return rf"\sum_{{{self.name(index.name)}=1}}^{{{self.write(index.dimension)}}}"

    def distinct_sum_sign(self, indices: tuple[Index, ...]) -> str:
        names = [self.name(one.name) for one in indices]
        if len(names) <= 3:
            # For three letters the chain has to close: i, j and k with i \ne j \ne k might still have i = k.
            apart = r" \ne ".join([*names, *names[:1]] if len(names) == 3 else names)
        else:
            apart = rf"|\{{{','.join(names)}\}}| = {len(names)}"
        upper = self.write(indices[0].dimension)
        return rf"\sum_{{\substack{{{','.join(names)}=1 \\ {apart}}}}}^{{{upper}}}"

    def limit_sign(self, variable: str) -> str:
        return rf"\lim_{{{variable} \to \infty}}"

    def extreme_sign(self, rank: int, index: str) -> str:
        sign = rf"\{RANKS[rank]}" if rank in RANKS else rf"\operatorname*{{max^{{({rank})}}}}"
        return f"{sign}_{braced(index)}"

    def relation(self, relation: Relation) -> str:
        return RELATIONS[relation]

    def word(self, text: str) -> str:
        return rf"\texttt{{{text.replace('_', chr(92) + '_')}}}"

    def derivative(self, variables: tuple[str, ...], *, partial: bool) -> str:
        count = len(variables)
        d, before = (r"\partial", r"\partial ") if partial else ("d", "d")
        powers = [(one, len(list(same))) for one, same in groupby(variables)]
        below = " ".join(f"{before}{one}" + (f"^{{{times}}}" if times > 1 else "") for one, times in powers)
        above = d + (f"^{{{count}}}" if count > 1 else "")
        return rf"\frac{{{above}}}{{{below}}}"

    def function(self, name: str, arguments: str) -> str:
        if name == "E":
            return r"\mathbb{E}" + (rf"\left[{arguments}\right]" if _TALL.search(arguments) else f"[{arguments}]")
        if name == "abs":
            return _between("|", "lvert", "rvert", arguments)
        if name == "rademacher":
            return r"\operatorname{Rademacher}"
        command = _FUNCTIONS.get(name) or ELEMENTARY.get(name, rf"\operatorname{{{name}}}")
        return command + self.grouped(arguments)

    def delta(self, indices: tuple[str, ...]) -> str:
        return rf"\delta_{{{joined_indices(indices)}}}"

    def norm(self, operand: str, *, of_matrix: bool) -> str:
        return _between(r"\Vert", "lVert", "rVert", operand) + ("_F" if of_matrix else "")

    def transpose(self, operand: str) -> str:
        return rf"{operand}^{{\top}}"

    def foreign(self, node: Basic) -> Piece:
        if isinstance(node, Written) or not isinstance(node, Expr):
            arguments = ", ".join(self.write(one) for one in node.args)
            return Piece(self.function(type(node).__name__.lower(), arguments))
        return Piece(_SympyLatex().doprint(node), _LEVELS.get(precedence(node), Level.DOT))


def _between(bar: str, left: str, right: str, text: str) -> str:
    """Text between bars, which grow only where it is tall."""
    return rf"\left{bar} {text} \right{bar}" if _TALL.search(text) else rf"\{left} {text} \{right}"


def _flat_fraction(text: str) -> str:
    """Numbers in an exponent stand in one line: 1/3."""
    return re.sub(r"^(-?)\\frac\{(\d+)\}\{(\d+)\}$", r"\1\2/\3", text)


_LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        PRECEDENCE["Add"]: Level.SUM,
        PRECEDENCE["Mul"]: Level.DOT,
        PRECEDENCE["Pow"]: Level.POWER,
        # A function may be written with a superscript of its own, as exp is.
        PRECEDENCE["Func"]: Level.POWER,
        PRECEDENCE["Atom"]: Level.ATOM,
    }
)


class _SympyLatex(LatexPrinter):
    """SymPy's printer, which hands back to this package whatever belongs to the language."""

    def _print(self, expr: Basic, **settings: object) -> str:
        return latex(expr) if isinstance(expr, Written) else super()._print(expr, **settings)


_LATEX = _Latex()


def latex(node: Basic) -> str:
    """The LaTeX of an expression or a law, without dollar signs."""
    return _LATEX.write(node)


def latex_relation(left: Expr, relation: Relation, right: Expr) -> str:
    """A statement: left, relation, right."""
    return f"{latex(left)} {RELATIONS[relation]} {latex(right)}"
