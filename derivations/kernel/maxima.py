"""What the givens say about where a vector is maximal."""

from __future__ import annotations

from derivations.kernel.context import Context, Marks
from derivations.kernel.sums import delta
from derivations.kernel.terms import Atom, Entry, KernelLimit, Number, Ordered, Polynomial, Position, single


def mark(context: Context, marks: Marks, index: Position) -> Polynomial:
    """One where the vector is maximal, zero elsewhere."""
    if marks.peak is not None:
        return delta(context, index, marks.peak)
    return single(Entry("entry", marks.marks, (index,)))


def is_maximum(marks: Marks, atom: Atom) -> bool:
    """Whether an atom is the maximum of the vector: its largest order statistic, or its entry at the peak."""
    if isinstance(atom, Entry):
        return atom.array == marks.array and atom.indices == (marks.peak,)
    if not isinstance(atom, Ordered) or atom.rank != 1:
        return False
    (bound,) = atom.vector.bound
    return atom.vector.entry == single(Entry("entry", marks.array, (bound,)))


def settle_entry(context: Context, atom: Entry, exponent: Number) -> Polynomial | None:
    """A mark is zero or one, so it is its own square."""
    given = context.facts.marks.get(atom.array) if context.facts.marks and atom.kind == "entry" else None
    if given is None or exponent == 1:
        return None
    rule = context.law("order.marks")
    if rule is None:
        return None
    if exponent < 0:
        raise KernelLimit(f"division by {atom.array}, which may be zero")
    context.use(given)
    result: Polynomial = rule(single(atom))
    return result
