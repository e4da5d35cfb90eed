"""Statements that are lines themselves, for chains of equivalences: ``Var(X/c) = 1`` if and only if ``c = 2``."""

from __future__ import annotations

from sympy import Expr
from sympy.core.symbol import Str
from sympy.printing.str import StrPrinter

from derivations.language.errors import LanguageError
from derivations.language.written import Operand, Written, exact, shape_of


class Proposition(Written):
    """Two scalars and how they compare. Arguments: the relation's sign (``=``, ``<=``, …), left side, right side."""

    __slots__ = ()
    is_proposition = True

    def __new__(cls, sign: Str, left: Expr, right: Expr) -> Proposition:
        if shape_of(left) or shape_of(right):
            raise LanguageError(f"a statement compares two scalars, not {left} and {right}")
        return Expr.__new__(cls, sign, left, right)

    @property
    def sign(self) -> str:
        """The sign of the relation."""
        return str(self.args[0].name)

    @property
    def left(self) -> Expr:
        """The left side."""
        value: Expr = self.args[1]
        return value

    @property
    def right(self) -> Expr:
        """The right side."""
        value: Expr = self.args[2]
        return value

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"{printer.doprint(self.left)} {self.sign} {printer.doprint(self.right)}"


def equal(left: Operand, right: Operand) -> Expr:
    """The statement that two scalars are equal."""
    return Proposition(Str("="), exact(left), exact(right))
