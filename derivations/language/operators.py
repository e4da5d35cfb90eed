"""Operators that bind or act: sums over an index, expectation, covariance, derivatives."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Symbol
from sympy.printing.str import StrPrinter

from derivations.language.arrays import Array, Entry, RandomArray
from derivations.language.errors import LanguageError
from derivations.language.structure import check_binding, parts, substitute
from derivations.language.symbols import Dimension, Index
from derivations.language.written import Operand, Written, exact, shape_of, shape_text


def _scalar(expression: Expr, where: str) -> Expr:
    if shape_of(expression):
        raise LanguageError(f"{where} takes a scalar; {expression} is {shape_text(shape_of(expression))}")
    return expression


class Summation(Written):
    """The sum of a scalar body over one or more indices. Arguments: the body, then the indices it binds."""

    __slots__ = ()

    def __new__(cls, body: Expr, *indices: Expr) -> Summation:
        _scalar(body, "a sum")
        check_binding(body, indices, "a sum")
        return Expr.__new__(cls, body, *indices)

    @property
    def body(self) -> Expr:
        """What is summed."""
        value: Expr = self.args[0]
        return value

    @property
    def indices(self) -> tuple[Index, ...]:
        """The indices that the sum binds."""
        return tuple(self.args[1:])

    @property
    def binds(self) -> tuple[Expr, ...]:
        """The same indices."""
        return self.indices

    @property
    def free_symbols(self) -> set[Expr]:
        """Those of the body and of the dimensions, without the bound indices."""
        inner: set[Expr] = set(self.body.free_symbols) - set(self.indices)
        return inner.union(*(one.dimension.free_symbols for one in self.indices))

    def _eval_subs(self, old: Expr, new: Expr) -> Expr:
        return substitute(self, {old: exact(new)})

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"Sum({', '.join(printer.doprint(one) for one in self.args)})"


class DistinctSummation(Summation):
    """The sum over index values that are pairwise different."""

    __slots__ = ()

    def __new__(cls, body: Expr, *indices: Expr) -> DistinctSummation:
        _scalar(body, "a sum")
        check_binding(body, indices, "a sum")
        sizes = {one.dimension for one in indices if isinstance(one, Index)}
        if len(indices) < 2 or len(sizes) > 1:
            raise LanguageError("a sum over distinct values takes two or more indices of one dimension")
        return Expr.__new__(cls, body, *indices)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"DistinctSum({', '.join(printer.doprint(one) for one in self.args)})"


def Sum(body: Operand, *indices: Expr) -> Expr:
    """The sum of ``body`` over the indices, each from 1 to its dimension."""
    return Summation(exact(body), *indices)


def DistinctSum(body: Operand, *indices: Expr) -> Expr:
    """The sum of ``body`` over pairwise different values of the indices."""
    return DistinctSummation(exact(body), *indices)


def _occurs(part: Expr, expression: Expr) -> bool:
    return any(one == part for one in parts(expression))


class Averaging(Written):
    """Base of the operators that average over every random array in them."""

    __slots__ = ()

    def replaced_within(self, replacements: Mapping[Expr, Expr]) -> Mapping[Expr, Expr]:
        """Something that is not random cannot become random under an average."""
        for old, new in replacements.items():
            fixed = not any(isinstance(one, RandomArray) for one in parts(old))
            if fixed and _occurs(old, self) and any(isinstance(one, RandomArray) for one in parts(new)):
                raise LanguageError(f"{old} stands inside {self}, which would average over what is random in {new}")
        return replacements

    def _eval_subs(self, old: Expr, new: Expr) -> Expr:
        return substitute(self, {old: exact(new)})


class Expectation(Averaging):
    """The expectation over every random array that occurs."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Expectation:
        return Expr.__new__(cls, _scalar(operand, "an expectation"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"E({', '.join(printer.doprint(one) for one in self.args)})"


class Variance(Averaging):
    """The variance over every random array that occurs."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Variance:
        return Expr.__new__(cls, _scalar(operand, "a variance"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"Var({', '.join(printer.doprint(one) for one in self.args)})"


class Covariance(Averaging):
    """The covariance of two scalars over every random array that occurs."""

    __slots__ = ()

    def __new__(cls, first: Expr, second: Expr) -> Covariance:
        return Expr.__new__(cls, _scalar(first, "a covariance"), _scalar(second, "a covariance"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"Cov({', '.join(printer.doprint(one) for one in self.args)})"


def E(operand: Operand) -> Expr:
    """The expectation of a scalar."""
    return Expectation(exact(operand))


def Var(operand: Operand) -> Expr:
    """The variance of a scalar."""
    return Variance(exact(operand))


def Cov(first: Operand, second: Operand) -> Expr:
    """The covariance of two scalars."""
    return Covariance(exact(first), exact(second))


def _check_held_fixed(whole: Expr, operand: Expr, before: Expr, after: Expr, replacements: Mapping[Expr, Expr]) -> None:
    """Raise :class:`LanguageError` where something else in the operand would become dependent on the variable."""
    for old, new in replacements.items():
        if old != before and not isinstance(old, Index) and _occurs(old, operand) and _occurs(after, new):
            raise LanguageError(f"{old} is held fixed in {whole}, but {new} depends on {after}")
    if after != before and after not in replacements and _occurs(after, operand):
        raise LanguageError(f"{after} is held fixed in {whole}, so {before} cannot become {after}")


class Differential(Written):
    """The partial derivative of a scalar by a scalar symbol or by an entry of an array."""

    __slots__ = ()

    def __new__(cls, operand: Expr, variable: Expr) -> Differential:
        _scalar(operand, "a derivative")
        entry_of_array = isinstance(variable, Entry) and isinstance(variable.array, Array)
        scalar_symbol = isinstance(variable, Symbol) and not isinstance(variable, Dimension)
        if not (entry_of_array or scalar_symbol):
            raise LanguageError(
                f"cannot differentiate by {variable}: it is neither a scalar symbol nor an entry of a declared array"
            )
        return Expr.__new__(cls, operand, variable)

    def replaced_within(self, replacements: Mapping[Expr, Expr]) -> Mapping[Expr, Expr]:
        """What is held fixed cannot become something that depends on the variable."""
        operand, variable = self.args
        before = variable.array if isinstance(variable, Entry) else variable
        after = replacements.get(before, before)
        _check_held_fixed(self, operand, before, after, replacements)
        return replacements

    def _eval_subs(self, old: Expr, new: Expr) -> Expr:
        return substitute(self, {old: exact(new)})

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"Derivative({', '.join(printer.doprint(one) for one in self.args)})"


def Derivative(operand: Operand, *variables: Expr) -> Expr:
    """The partial derivative by each variable in turn, e.g. ``Derivative(y[i], x[j])``."""
    if not variables:
        raise LanguageError(
            f"the derivative of {operand} names no variable; write Derivative(f, x) or Derivative(f, x[i])"
        )
    result = exact(operand)
    for variable in variables:
        result = Differential(result, variable)
    return result


class Limit(Written):
    """The limit of a scalar as a scalar symbol tends to infinity. Arguments: the operand, the symbol."""

    __slots__ = ()

    def __new__(cls, operand: Expr, variable: Expr) -> Limit:
        if not isinstance(variable, Symbol) or isinstance(variable, Dimension):
            raise LanguageError(f"a limit is taken in a scalar symbol, not in {variable}")
        return Expr.__new__(cls, _scalar(operand, "a limit"), variable)

    @property
    def free_symbols(self) -> set[Expr]:
        """Those of the operand without the variable."""
        inner: set[Expr] = self.args[0].free_symbols
        return inner - {self.args[1]}

    def replaced_within(self, replacements: Mapping[Expr, Expr]) -> Mapping[Expr, Expr]:
        """The variable is bound; nothing else can become dependent on it."""
        operand, variable = self.args
        inner = {old: new for old, new in replacements.items() if not _occurs(variable, old)}
        _check_held_fixed(self, operand, variable, variable, inner)
        return inner

    def _eval_subs(self, old: Expr, new: Expr) -> Expr:
        return substitute(self, {old: exact(new)})

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"Limit({', '.join(printer.doprint(one) for one in self.args)})"


def limit(operand: Operand, variable: Expr) -> Expr:
    """The limit of ``operand`` as ``variable`` tends to infinity."""
    return Limit(exact(operand), variable)
