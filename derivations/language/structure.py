"""What an expression is made of: its parts, its free and bound indices; and substitution that cannot capture."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sympy import Expr
from sympy.core.basic import Basic
from sympy.core.symbol import Str

from derivations.language.errors import LanguageError
from derivations.language.symbols import Index
from derivations.language.written import Written


def parts(expression: Basic) -> Iterator[Basic]:
    """The expression and everything inside it, outermost first; indices are leaves."""
    yield expression
    if isinstance(expression, Index):
        return
    for argument in expression.args:
        yield from parts(argument)


def bound_by(expression: Basic) -> tuple[Index, ...]:
    """The indices that this very node binds."""
    bound = expression.binds if isinstance(expression, Written) else ()
    return tuple(one for one in bound if isinstance(one, Index))


def bound_indices(expression: Basic) -> frozenset[Index]:
    """The indices that some sum inside the expression binds."""
    return frozenset(one for part in parts(expression) for one in bound_by(part))


def free_indices(expression: Basic) -> frozenset[Index]:
    """The indices on which the value of the expression depends."""
    if isinstance(expression, Index):
        return frozenset((expression,))
    inner: frozenset[Index] = frozenset().union(*(free_indices(argument) for argument in expression.args))
    return inner - frozenset(bound_by(expression))


def check_binding(body: Expr, indices: Sequence[Expr], what: str) -> None:
    """Raise :class:`LanguageError` unless the indices are indices, different ones, and not bound inside the body."""
    if not indices:
        raise LanguageError(f"{what} of {body} names no index")
    bound = bound_indices(body)
    for position, one in enumerate(indices):
        if not isinstance(one, Index):
            raise LanguageError(f"{what} runs over an index made by note.index; {one} is none")
        if one in bound or one in indices[:position]:
            raise LanguageError(
                f"the index {one.name} is already bound inside {body}; use another letter for the outer sum"
            )


def clashing_indices(expression: Basic) -> frozenset[Index]:
    """Indices that one line uses both free and bound: an error, since a reader cannot tell which is meant."""
    return free_indices(expression) & bound_indices(expression)


def with_fresh_letters(expression: Expr, taken: Collection[str]) -> Expr:
    """The expression with bound indices renamed where their letter is taken: what is said of a free index called i says
    nothing of a bound one."""
    if not {one.name for one in bound_indices(expression)} & set(taken):
        return expression
    changed = _with_fresh_letters(expression, {*taken, *(one.name for one in _all_indices(expression))})
    return changed if isinstance(changed, Expr) else expression


def with_letters_of_their_own(expressions: tuple[Expr, ...], taken: Collection[str]) -> tuple[Expr, ...]:
    """The expressions with bound indices renamed so that no two sums share a letter, nor one of those taken."""
    used = {*taken, *(one.name for expression in expressions for one in _all_indices(expression))}
    changed = (_with_fresh_letters(expression, used) for expression in expressions)
    return tuple(new if isinstance(new, Expr) else old for new, old in zip(changed, expressions, strict=True))


def _all_indices(expression: Basic) -> Iterator[Index]:
    return (part for part in parts(expression) if isinstance(part, Index))


def _with_fresh_letters(expression: Basic, taken: set[str]) -> Basic:
    if isinstance(expression, (Str, Index)) or not expression.args:
        return expression
    binds = bound_by(expression)
    if not binds:
        return expression.func(*(_with_fresh_letters(argument, taken) for argument in expression.args))
    renamed: list[Index] = []
    for one in binds:
        renamed.append(Index(Str(_fresh(taken, one.name)), one.dimension))
        taken.add(renamed[-1].name)
    body = _with_fresh_letters(expression.args[0], taken)
    return expression.func(_substitute(body, dict(zip(binds, renamed, strict=True))), *renamed)


def _fresh(taken: set[str], name: str) -> str:
    while name in taken:
        name += "'"
    return name


def substitute(expression: Expr, replacements: Mapping[Expr, Expr]) -> Expr:
    """Replace parts of an expression, renaming bound indices where a replacement would be captured.

    A bound index is never replaced. Raises :class:`LanguageError` where the result has no meaning, for example
    where an index gets another dimension than its array, and where an operator would capture a replacement: a random
    one under an expectation, one that depends on the variable under a derivative or a limit.
    """
    result = _substitute(expression, dict(replacements))
    if not isinstance(result, Expr):
        raise LanguageError(f"substituting in {expression} gives {result}, which is no expression")
    return result


def _substitute(expression: Basic, replacements: dict[Expr, Expr]) -> Basic:
    if isinstance(expression, Expr) and expression in replacements:
        return replacements[expression]
    if isinstance(expression, Str) or not expression.args:
        return expression
    if bound_by(expression):
        return _substitute_in_binder(expression, replacements)
    if isinstance(expression, Written):
        replacements = dict(expression.replaced_within(replacements))
    return expression.func(*(_substitute(argument, replacements) for argument in expression.args))


def _substitute_in_binder(expression: Basic, replacements: dict[Expr, Expr]) -> Basic:
    binds = bound_by(expression)
    inner = {old: new for old, new in replacements.items() if not free_indices(old) & frozenset(binds)}
    taken = {one.name for new in inner.values() for one in free_indices(new) | bound_indices(new)}
    taken |= {one.name for one in free_indices(expression)}
    renamed: list[Index] = []
    for one in binds:
        replacement = Index(Str(_fresh(taken, one.name)), substitute(one.dimension, inner))
        taken.add(replacement.name)
        renamed.append(replacement)
    body = _substitute(expression.args[0], {**inner, **dict(zip(binds, renamed, strict=True))})
    return expression.func(body, *renamed)
