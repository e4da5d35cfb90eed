"""Defined notions such as softmax: their definition where it is in use, an opaque atom where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from derivations.kernel.context import Context
from derivations.kernel.labelling import relabel
from derivations.kernel.terms import Closure, Defined, Polynomial, Position, level_of, single


@dataclass(frozen=True)
class View:
    """An array as the kernel sees it: its sizes, and its entry at given indices."""

    shape: tuple[Polynomial, ...]
    entry: Callable[[tuple[Position, ...]], Polynomial]


def defined(context: Context, name: str, arguments: Sequence[View], at: tuple[Position, ...]) -> Polynomial:
    """The notion ``name`` of array arguments, at the indices ``at`` if it is itself an array."""
    rule = context.law(f"definition.{name}")
    if rule is not None:
        result: Polynomial = rule(context, *arguments, *at)
        return result
    return single(Defined("defined", name, tuple(close(context, view) for view in arguments), at))


def close(context: Context, view: View) -> Closure:
    """An array as a closed term."""
    tokens = tuple(context.fresh(size) for size in view.shape)
    entry = view.entry(tokens)
    level = 1 + level_of(entry)
    labels = tuple(Position(level, place, "", token.dimension) for place, token in enumerate(tokens))
    return Closure(labels, relabel(entry, dict(zip(tokens, labels, strict=True))))


def rebuild_defined(
    context: Context,
    atom: Defined,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    """The notion of changed arguments."""

    def changed(closure: Closure) -> View:
        tokens = tuple(context.fresh(one.dimension) for one in closure.bound)
        body = polynomial(relabel(closure.entry, dict(zip(closure.bound, tokens, strict=True))))
        return View(
            tuple(one.dimension for one in closure.bound),
            lambda at: relabel(body, dict(zip(tokens, at, strict=True))),
        )

    views = [changed(closure) for closure in atom.arguments]
    closures = tuple(close(context, view) for view in views)
    return single(Defined("defined", atom.name, closures, tuple(position(one) for one in atom.at)))
