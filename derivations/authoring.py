"""How a derivation is written: a function that declares its objects on a note and returns a chain of lines."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from sympy import Expr, Integer, Symbol

from derivations.kernel.theories import THEORIES
from derivations.language.arrays import Array, RandomArray, array, random_array
from derivations.language.distributions import Distribution
from derivations.language.errors import LanguageError
from derivations.language.givens import (
    Distinct,
    GapBelow,
    Given,
    UniqueMaximum,
    dimension_at_least,
    given_at,
    has_law,
    has_mean,
    has_moment,
    has_variance,
    identically_distributed,
    independent_entries,
    nonnegative,
    nonzero,
    positive,
)
from derivations.language.propositions import Proposition
from derivations.language.structure import clashing_indices, free_indices, parts, substitute
from derivations.language.symbols import Dimension, Index, Scalar, index
from derivations.language.written import Operand, exact, shape_of, shape_text
from derivations.records import (
    Case,
    Derivation,
    Line,
    MixedRelations,
    Relation,
    Title,
    combined_relation,
    line_at,
    taken_at,
)


class DerivationError(ValueError):
    """A derivation that is not well formed, with a message that names the line and what to change."""


class UnknownReason(DerivationError, AttributeError):
    """A reason that does not exist."""


class _Reasons:
    """The reasons an author can give, one attribute each: ``by.independence``."""

    def __getattr__(self, name: str) -> str:
        if name in THEORIES:
            return name
        if name.startswith("_"):
            raise AttributeError(name)  # what help() and inspect look for
        near = difflib.get_close_matches(name, THEORIES, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(THEORIES)}"
        raise UnknownReason(f"there is no reason by.{name}{hint}")

    def __dir__(self) -> list[str]:
        return list(THEORIES)


by = _Reasons()


def _line(
    relation: Relation,
    expression: Operand,
    reasons: tuple[str | Derivation, ...],
    certificate: Operand | None = None,
) -> Line:
    names = [reason for reason in reasons if not isinstance(reason, Derivation)]
    for reason in names:
        if reason not in THEORIES:
            raise DerivationError(f"{reason!r} is no reason; write by.independence and the like")
    cited = tuple(reason for reason in reasons if isinstance(reason, Derivation))
    shown = expression if isinstance(expression, Proposition) else exact(expression)
    return Line(
        relation,
        shown,
        tuple(dict.fromkeys(names)),
        None if certificate is None else exact(certificate),
        cited,
    )


def equals(expression: Operand, *reasons: str | Derivation) -> Line:
    """A line that equals the line before. A reason is a theory (``by.definition``) or a citation (``note.cite``)."""
    return _line(Relation.EQUALS, expression, reasons)


def at_most(expression: Operand, *reasons: str | Derivation, slack: Operand | None = None) -> Line:
    """A line that is at least as large as the line before. ``slack`` is the difference, visibly not negative."""
    return _line(Relation.AT_MOST, expression, reasons, slack)


def at_least(expression: Operand, *reasons: str | Derivation, slack: Operand | None = None) -> Line:
    """A line that is at most as large as the line before. ``slack`` is the difference, visibly not negative."""
    return _line(Relation.AT_LEAST, expression, reasons, slack)


def less_than(expression: Operand, *reasons: str | Derivation, slack: Operand | None = None) -> Line:
    """A line that is greater than the line before. ``slack`` is the difference, visibly positive."""
    return _line(Relation.LESS, expression, reasons, slack)


def greater_than(expression: Operand, *reasons: str | Derivation, slack: Operand | None = None) -> Line:
    """A line that is less than the line before. ``slack`` is the difference, visibly positive."""
    return _line(Relation.GREATER, expression, reasons, slack)


def iff(proposition: Expr, *reasons: str | Derivation, factor: Operand | None = None) -> Line:
    """A statement that holds if and only if the one before does.

    ``factor`` is what the difference of one statement's sides is multiplied by to give that of the other; it must be
    visibly not zero.
    """
    return _line(Relation.IFF, proposition, reasons, factor)


@dataclass(frozen=True)
class Chain:
    """The lines that a derivation's function returns."""

    start: Expr
    lines: tuple[Line, ...]
    cases: tuple[Case, ...] = ()
    parts: tuple[Derivation, ...] = ()


Resolver: TypeAlias = Callable[[str], Derivation]


def no_citations(name: str) -> Derivation:
    """The resolver of a note that stands alone."""
    raise DerivationError(f"cannot cite {name}: this derivation is not read from a library")


@dataclass
class Note:
    """What one derivation declares. A fresh note is handed to the function each time it is read; nothing is shared."""

    _names: dict[str, Expr] = field(default_factory=dict)
    _givens: list[Given] = field(default_factory=list)
    _resolve: Resolver = no_citations

    @property
    def givens(self) -> tuple[Given, ...]:
        """The assumptions so far, in order."""
        return tuple(self._givens)

    def _declare(self, name: str, value: Expr) -> None:
        if name in self._names and self._names[name] != value:
            raise DerivationError(f"the name {name} is declared twice with different meanings")
        self._names[name] = value

    def given(self, *givens: Given) -> None:
        """Assume each of these."""
        for one in givens:
            if not isinstance(one, Given):
                raise DerivationError(
                    f"{one} is no assumption; write note.given(positive(z)), note.given(independent(Q, K)) and the like"
                )
            if one not in self._givens:
                self._givens.append(one)

    def dimension(self, name: str) -> Dimension:
        """A positive integer that stays a symbol."""
        value = Dimension(name)
        self._declare(name, value)
        return value

    def index(self, name: str, dimension: Operand) -> Index:
        """An index that runs from 1 to the dimension."""
        value = index(name, dimension)
        self._declare(name, value)
        return value

    def scalar(self, name: str, *, positive: bool = False, nonnegative: bool = False, nonzero: bool = False) -> Scalar:
        """A real number, with its sign as a given where one is asked for."""
        value = Scalar(name)
        self._declare(name, value)
        self._signs(value, positive=positive, nonnegative=nonnegative, nonzero=nonzero)
        return value

    def vector(
        self, name: str, size: Operand, *, positive: bool = False, nonnegative: bool = False, nonzero: bool = False
    ) -> Array:
        """A vector of real numbers."""
        value = array(name, size)
        self._declare(name, value)
        self._signs(value, positive=positive, nonnegative=nonnegative, nonzero=nonzero)
        return value

    def matrix(self, name: str, rows: Operand, columns: Operand) -> Array:
        """A matrix of real numbers."""
        value = array(name, rows, columns)
        self._declare(name, value)
        return value

    def _signs(self, value: Expr, **signs: bool) -> None:
        makers = {"positive": positive, "nonnegative": nonnegative, "nonzero": nonzero}
        self.given(*(makers[sign](value) for sign, wanted in signs.items() if wanted))

    def random_scalar(self, name: str, **facts: Operand | Distribution | None) -> RandomArray:
        """One random variable. Keywords: ``mean``, ``variance``, ``fourth_moment``, ``law``."""
        return self._random(random_array(name), facts)

    def random_vector(
        self,
        name: str,
        size: Operand,
        *,
        independent: bool = True,
        identical: bool = True,
        **facts: Operand | Distribution | None,
    ) -> RandomArray:
        """A random vector, by default with independent, identically distributed entries. Keywords as for a scalar."""
        return self._random(random_array(name, size), facts, independent=independent, identical=identical)

    def random_matrix(
        self,
        name: str,
        rows: Operand,
        columns: Operand,
        *,
        independent: bool = True,
        identical: bool = True,
        **facts: Operand | Distribution | None,
    ) -> RandomArray:
        """A random matrix, by default with independent, identically distributed entries. Keywords as for a scalar."""
        return self._random(random_array(name, rows, columns), facts, independent=independent, identical=identical)

    def _random(
        self,
        value: RandomArray,
        facts: dict[str, Operand | Distribution | None],
        *,
        independent: bool = False,
        identical: bool = False,
    ) -> RandomArray:
        self._declare(value.name, value)
        if independent:
            self.given(independent_entries(value))
        if identical:
            self.given(identically_distributed(value))
        for name, fact in facts.items():
            if fact is not None:
                self.given(_fact(value, name, fact))
        return value

    def chain(self, start: Operand, *lines: Line) -> Chain:
        """A chain of lines: the first expression, then what follows from it.

        Raises :class:`DerivationError` for a chain without steps, with a stray or clashing index, with lines of
        different shapes, or with directions that do not agree.
        """
        chain = Chain(start if isinstance(start, Proposition) else exact(start), lines)
        check_form(chain, _fixed(self.givens))
        return chain

    def cases(self, dimension: Expr, *, one: Chain, more: Chain) -> Chain:
        """One statement proved in two cases: where the dimension is 1, and where it is at least 2.

        Both chains are written for the symbol; in the case of 1 every array has one entry. Raises
        :class:`DerivationError` where the chains have different ends.
        """
        if not isinstance(dimension, Dimension):
            raise DerivationError(f"cases are told apart by a dimension, not by {dimension}")
        if (one.start, one.lines[-1].expression) != (more.start, more.lines[-1].expression):
            raise DerivationError("the cases prove different statements: their first or last lines differ")
        relations = [combined_relation(tuple(line.relation for line in chain.lines)) for chain in (one, more)]
        statement = more if relations[0] is Relation.EQUALS else one
        relation = relations[1] if statement is more else relations[0]
        if Relation.EQUALS not in relations and relations[0] is not relations[1]:
            raise DerivationError("the cases prove different statements: their relations differ")
        at_one: dict[Expr, Expr] = {dimension: Integer(1)}
        cases = (
            Case(
                f"{dimension} = 1",
                substitute(one.start, at_one),
                tuple(line_at(line, at_one) for line in one.lines),
                tuple(given_at(given, at_one) for given in self.givens),
            ),
            Case(f"{dimension} >= 2", more.start, more.lines, (*self.givens, dimension_at_least(dimension, 2))),
        )
        return Chain(one.start, (Line(relation, one.lines[-1].expression),), cases=cases)

    def cite(self, name: str, **objects: Operand) -> Derivation:
        """The theorem of another derivation, its objects replaced by those given by name; the others keep theirs.

        Raises :class:`DerivationError` for an unknown name or object and for a derivation that cites itself.
        """
        theorem = self._resolve(name)
        return instantiate(theorem, {key: exact(value) for key, value in objects.items()})

    def conjunction(self, *parts: Derivation) -> Chain:
        """The statement that every part holds, each under its own assumptions."""
        if len(parts) < 2:
            raise DerivationError(
                "a conjunction has two or more parts: note.conjunction(note.cite(...), note.cite(...))"
            )
        return Chain(parts[0].start, parts[0].lines[-1:], parts=parts)


def instantiate(theorem: Derivation, objects: Mapping[str, Expr]) -> Derivation:
    """A theorem with objects replaced by name. Raises :class:`DerivationError` for a name that it does not have."""
    known = _objects(theorem)
    unknown = set(objects) - set(known)
    if unknown:
        raise DerivationError(
            f"{theorem.name} has no object called {', '.join(sorted(unknown))}; it has {', '.join(sorted(known))}"
        )
    replacements = {known[name]: value for name, value in objects.items()}
    return taken_at(theorem, replacements) if replacements else theorem


def _objects(theorem: Derivation) -> dict[str, Expr]:
    """The scalars, dimensions, arrays and free indices of a theorem, by name."""
    found: dict[str, Expr] = {}
    for whole in (theorem.start, *(line.expression for line in theorem.lines), *theorem.givens):
        for part in parts(whole):
            if isinstance(part, (Symbol, Array)):
                found.setdefault(str(part), part)
                if isinstance(part, Array):
                    found.update({str(size): size for size in part.shape if isinstance(size, Symbol)})
            elif isinstance(part, Index):
                found.setdefault(part.name, part)
                if isinstance(part.dimension, Symbol):
                    found.setdefault(str(part.dimension), part.dimension)
    return found


def _fact(value: RandomArray, name: str, fact: Operand | Distribution) -> Given:
    if isinstance(fact, Distribution):
        if name != "law":
            raise DerivationError(f"{name}= takes a number or an expression; a law is given as law=")
        return has_law(value, fact)
    moments: dict[str, Callable[[RandomArray, Operand], Given]] = {
        "mean": has_mean,
        "variance": has_variance,
        "second_moment": lambda one, moment: has_moment(one, 2, moment),
        "third_moment": lambda one, moment: has_moment(one, 3, moment),
        "fourth_moment": lambda one, moment: has_moment(one, 4, moment),
    }
    if name not in moments:
        raise DerivationError(f"{name}= is unknown for {value}; there are {', '.join(moments)} and law")
    return moments[name](value, fact)


def _fixed(givens: tuple[Given, ...]) -> frozenset[Index]:
    """Indices that an assumption fixes, as the place of a maximum or as two that differ; they need no other mention."""
    fixing = (Distinct, UniqueMaximum, GapBelow)
    found = (free_indices(part) for given in givens if isinstance(given, fixing) for part in given.args)
    return frozenset().union(*found)


def check_form(chain: Chain, fixed: frozenset[Index] = frozenset()) -> None:
    """Check what needs no mathematics; raises :class:`DerivationError` with the line and the reason.

    ``fixed`` are indices that may stand free in any line.
    """
    if not chain.lines:
        raise DerivationError("the chain has no steps: after its first line it needs at least one equals(...)")
    for line in chain.lines:
        if not isinstance(line, Line):
            raise DerivationError(f"{line} is not a line; write equals(...), at_most(...), at_least(...) or iff(...)")
        if (line.relation is Relation.IFF) != isinstance(line.expression, Proposition):
            raise DerivationError(
                f"{line.expression}: statements are lines of iff(...), numbers of the other relations"
            )
    allowed = free_indices(chain.start) | fixed
    if isinstance(chain.start, Proposition) != (chain.lines[0].relation is Relation.IFF):
        raise DerivationError("a chain of iff(...) begins with a statement, such as equal(Var(X), 1)")
    for number, expression in enumerate((chain.start, *(line.expression for line in chain.lines))):
        clashing = clashing_indices(expression)
        if clashing:
            raise DerivationError(
                f"line {number} uses the index {_names(clashing)} both free and under a sum, so a reader cannot tell "
                f"which is meant: {expression}; give the sum another letter"
            )
        stray = free_indices(expression) - allowed
        if stray:
            raise DerivationError(
                f"line {number} has the free index {_names(stray)}, which the first line does not have: {expression}; "
                "sum over it or write it in the first line too"
            )
        if shape_of(expression) != shape_of(chain.start):
            raise DerivationError(
                f"line {number} is {shape_text(shape_of(expression))} but the first line is "
                f"{shape_text(shape_of(chain.start))}: {expression}"
            )
    try:
        Derivation("", Title("", ""), chain.start, chain.lines, ()).relation  # noqa: B018  # computed for its error
    except MixedRelations as error:
        raise DerivationError(f"{error}; split the chain in two derivations") from None


def _names(indices: frozenset[Index]) -> str:
    return ", ".join(sorted(one.name for one in indices))


Author: TypeAlias = Callable[[Note], Chain]


@dataclass(frozen=True)
class Entry:
    """A derivation before it is read: its function and what stands in its decorator."""

    author: Author
    title: Title
    source: str
    name: str
    file: str
    line: int

    def read(self, prefix: str = "", resolve: Resolver = no_citations) -> Derivation:
        """Call the author's function on a fresh note. ``resolve`` finds the derivations that it cites.

        Raises :class:`DerivationError` with the derivation's name for whatever is not well formed.
        """
        note = Note(_resolve=resolve)
        name = f"{prefix}{self.name}"
        try:
            chain = self.author(note)
            if not isinstance(chain, Chain):
                raise DerivationError("the function must end with return note.chain(...)")
        except (DerivationError, LanguageError) as error:
            raise DerivationError(f"{name}: {error}") from error
        return Derivation(
            name,
            self.title,
            chain.start,
            chain.lines,
            note.givens,
            self.source,
            self.file,
            cases=chain.cases,
            parts=chain.parts,
        )


def derivation(*misplaced: object, title: tuple[str, str] = ("", ""), source: str = "") -> Callable[[Author], Entry]:
    """Mark a function as a derivation. ``title`` is in English and Chinese; both must be literals."""
    if misplaced or not all(title):
        raise DerivationError("write @derivation(title=(English, Chinese)) above the function")

    def mark(author: Author) -> Entry:
        code = inspect.unwrap(author).__code__
        return Entry(author, Title(*title), source, author.__name__, code.co_filename, code.co_firstlineno)

    return mark
