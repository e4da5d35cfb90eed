"""Order-keeping arithmetic: what an author writes stays as it was written.

SymPy's own ``Add`` and ``Mul`` sort and combine their arguments, so ``y*(d - y)`` would be printed in
another order than the author chose, and an obligation such as the denominator of ``x/x`` would be lost.
Every object of the language therefore inherits from :class:`Written`, whose operators build the nodes of
this file. The nodes are ordinary ``Expr`` subclasses: ``pickle``, ``xreplace`` and ``subs`` keep them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Float, Integer, Rational
from sympy.core.basic import Basic
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pretty.stringpict import prettyForm
from sympy.printing.str import StrPrinter

from derivations.language.errors import LanguageError

Shape: TypeAlias = tuple[Expr, ...]
Operand: TypeAlias = "Expr | int | Fraction"


def exact(value: object) -> Expr:
    """Return ``value`` as an exact expression.

    Accepts integers, fractions and expressions. Raises :class:`LanguageError` for floats (``1/2`` in Python is one)
    and for anything that is not an expression.
    """
    if isinstance(value, bool):
        raise LanguageError(f"{value!r} is a truth value, not a number")
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, float) or (isinstance(value, Basic) and value.has(Float)):
        raise LanguageError(
            f"{value!r} is a floating-point number; write an exact one: Rational(1, 10) for 0.1, x/2 for 1/2*x"
        )
    if isinstance(value, Expr):
        if getattr(value, "is_proposition", False):
            raise LanguageError(f"{value} is a statement, not a number")
        return value
    raise LanguageError(f"{value!r} is not an expression, an integer or a fraction")


def shape_of(expression: Expr) -> Shape:
    """The dimensions of an expression: ``()`` for a scalar, ``(n,)`` for a vector, ``(m, n)`` for a matrix."""
    return expression.shape if isinstance(expression, Written) else ()


def shape_text(shape: Shape) -> str:
    """A shape as a person reads it."""
    return "a scalar" if not shape else " x ".join(str(size) for size in shape)


def _same_shape(operands: tuple[Expr, ...], what: str) -> Shape:
    shapes = [shape_of(operand) for operand in operands]
    for operand, shape in zip(operands[1:], shapes[1:], strict=True):
        if shape != shapes[0]:
            raise LanguageError(
                f"{what}: {operands[0]} is {shape_text(shapes[0])} but {operand} is {shape_text(shape)}"
            )
    return shapes[0]


class Written(Expr):
    """Base of every object of the language; its operators keep order and structure."""

    __slots__ = ()
    _op_priority = 1000.0
    is_commutative = True
    is_real = True

    @property
    def shape(self) -> Shape:
        """``()`` unless a subclass says otherwise."""
        return ()

    @property
    def binds(self) -> tuple[Expr, ...]:
        """The indices that this node binds in its first argument; none unless a subclass says otherwise."""
        return ()

    def replaced_within(self, replacements: Mapping[Expr, Expr]) -> Mapping[Expr, Expr]:
        """Which of these replacements are made inside this node: all, unless it binds a symbol.

        An operator that would capture a replacement raises :class:`LanguageError`.
        """
        return replacements

    def _latex(self, printer: LatexPrinter) -> str:
        # SymPy's printers know other objects by the same class names; the LaTeX for notes is written by `writing`.
        return rf"\mathtt{{\text{{{self}}}}}"

    def _pretty(self, printer: object) -> prettyForm:
        return prettyForm(str(self))

    def __add__(self, other: object) -> Expr:
        return Plus(*_flat(Plus, self), exact(other))

    def __radd__(self, other: object) -> Expr:
        return Plus(exact(other), self)

    def __sub__(self, other: object) -> Expr:
        return Plus(*_flat(Plus, self), Negative(exact(other)))

    def __rsub__(self, other: object) -> Expr:
        return Plus(exact(other), Negative(self))

    def __mul__(self, other: object) -> Expr:
        return Times(*_flat(Times, self), exact(other))

    def __rmul__(self, other: object) -> Expr:
        return Times(exact(other), self)

    def __truediv__(self, other: object) -> Expr:
        return Quotient(self, exact(other))

    def __rtruediv__(self, other: object) -> Expr:
        return Quotient(exact(other), self)

    def __pow__(self, other: object, mod: object = None) -> Expr:
        return Power(self, exact(other))

    def __rpow__(self, other: object) -> Expr:
        return Power(exact(other), self)

    def __neg__(self) -> Expr:
        return Negative(self)

    def __pos__(self) -> Expr:
        return self


def _flat(kind: type[Written], expression: Expr) -> tuple[Expr, ...]:
    """Python reads ``a + b + c`` as ``(a + b) + c``; the author meant one sum."""
    return tuple(expression.args) if isinstance(expression, kind) else (expression,)


class Plus(Written):
    """A sum of terms of one shape, in the author's order."""

    __slots__ = ()
    precedence = PRECEDENCE["Add"]

    def __new__(cls, *terms: Expr) -> Plus:
        _same_shape(terms, "cannot add")
        return Expr.__new__(cls, *terms)

    @property
    def shape(self) -> Shape:
        """The common shape of the terms."""
        return shape_of(self.args[0])

    def _sympystr(self, printer: StrPrinter) -> str:
        text = printer.parenthesize(self.args[0], PRECEDENCE["Add"], strict=True)
        for term in self.args[1:]:
            sign, shown = ("-", term.args[0]) if isinstance(term, Negative) else ("+", term)
            text += f" {sign} {printer.parenthesize(shown, PRECEDENCE['Mul'], strict=True)}"
        return str(text)


class Times(Written):
    """A product of scalars with at most one array, in the author's order."""

    __slots__ = ()
    precedence = PRECEDENCE["Mul"]

    def __new__(cls, *factors: Expr) -> Times:
        arrays = [factor for factor in factors if shape_of(factor)]
        if len(arrays) > 1:
            raise LanguageError(
                f"{arrays[0]}*{arrays[1]} multiplies two arrays; write dot(a, b), A @ B or entries with an index"
            )
        return Expr.__new__(cls, *factors)

    @property
    def shape(self) -> Shape:
        """The shape of the one array among the factors."""
        return next((shape_of(factor) for factor in self.args if shape_of(factor)), ())

    def _sympystr(self, printer: StrPrinter) -> str:
        return "*".join(printer.parenthesize(factor, PRECEDENCE["Mul"] + 1, strict=True) for factor in self.args)


class Negative(Written):
    """The negative of an expression of any shape."""

    __slots__ = ()
    precedence = PRECEDENCE["Add"]

    def __new__(cls, operand: Expr) -> Negative:
        return Expr.__new__(cls, operand)

    @property
    def shape(self) -> Shape:
        """The shape of the operand."""
        return shape_of(self.args[0])

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"-{printer.parenthesize(self.args[0], PRECEDENCE['Mul'], strict=True)}"


class Quotient(Written):
    """A fraction; the denominator is a scalar and carries the obligation that it is not zero."""

    __slots__ = ()
    precedence = PRECEDENCE["Mul"]

    def __new__(cls, numerator: Expr, denominator: Expr) -> Quotient:
        if shape_of(denominator):
            raise LanguageError(f"cannot divide by {denominator}: it is {shape_text(shape_of(denominator))}")
        return Expr.__new__(cls, numerator, denominator)

    @property
    def shape(self) -> Shape:
        """The shape of the numerator."""
        return shape_of(self.args[0])

    def _sympystr(self, printer: StrPrinter) -> str:
        top, bottom = self.args
        shown = printer.parenthesize(top, PRECEDENCE["Mul"], strict=True)
        return f"{shown}/{printer.parenthesize(bottom, PRECEDENCE['Pow'], strict=True)}"


class Power(Written):
    """A scalar to a scalar power."""

    __slots__ = ()
    precedence = PRECEDENCE["Pow"]

    def __new__(cls, base: Expr, exponent: Expr) -> Power:
        for part in (base, exponent):
            if shape_of(part):
                raise LanguageError(f"cannot take a power with {part}: it is {shape_text(shape_of(part))}")
        return Expr.__new__(cls, base, exponent)

    def _sympystr(self, printer: StrPrinter) -> str:
        base, exponent = self.args
        if exponent == Rational(1, 2):
            return f"sqrt({printer.doprint(base)})"
        level = PRECEDENCE["Pow"]
        shown = printer.parenthesize(base, level + 1, strict=True)
        return f"{shown}**{printer.parenthesize(exponent, level, strict=True)}"


def sqrt(operand: Operand) -> Expr:
    """The square root of a scalar: its power 1/2, kept as written."""
    return Power(exact(operand), Rational(1, 2))
