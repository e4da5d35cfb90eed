"""What is checked of a random expression: its normal form against its value, its shape, and what is proved of it."""

from collections import Counter

from derivations.kernel.arithmetic import transform
from derivations.kernel.context import rebuild_atom
from derivations.kernel.engine import make_context
from derivations.kernel.facts import read_facts
from derivations.kernel.laws.table import rules
from derivations.kernel.reading import read
from derivations.kernel.terms import KernelLimit
from derivations.kernel.theories import THEORIES
from derivations.kernel.zero import assert_closed
from derivations.language.errors import LanguageError
from derivations.language.structure import free_indices
from derivations.language.written import exact

from . import direct, expressions, forms, worlds
from .expressions import SIGNS, Randomness, Writer, disguised, i, j, mutated, r, world_of
from .steps import proved

SIZES = (1, 2, 3)


class Disagreement(AssertionError):
    """The kernel and the meaning of an expression disagree."""


def some_theories(rng):
    return tuple(THEORIES) if rng.randrange(3) == 0 else tuple(name for name in THEORIES if rng.randrange(2))


def form_of(expression, givens, theories):
    """The context and the normal form, or None where the kernel declines."""
    switched_on = rules(theories)
    context = make_context(switched_on, read_facts(givens, switched_on))
    try:
        form = read(context, expression)
        assert_closed(form)
    except (KernelLimit, LanguageError, RecursionError):
        return None
    return context, form


def rebuilt(context, form):
    def again(polynomial):
        return transform(
            context, polynomial, lambda atom: rebuild_atom(context, atom, again, lambda position: position)
        )

    return again(form)


def _points(rng, makers, indices):
    """Worlds of each size, at every value of the free indices."""
    for size in SIZES:
        for world in makers(rng, size):
            yield from direct.assignments(indices, world)


def check_form(rng, expression, givens, worlds_of):
    """Check one expression under some theories; returns a word for what happened."""
    theories = some_theories(rng)
    found = form_of(expression, givens, theories)
    if found is None:
        return "declined"
    context, form = found
    again = rebuilt(context, form)
    if again != form:
        raise Disagreement(f"not idempotent: {expression}\n{theories}\n{form}\n{again}")
    other = disguised(expression, rng)
    moved = form_of(other, givens, theories)
    if moved is None or moved[1] != form:
        raise Disagreement(f"not invariant: {expression}\n{other}\n{theories}\n{form}\n{moved and moved[1]}")
    compared = 0
    for world in _points(rng, worlds_of, free_indices(expression)):
        expected = direct.defined_value(expression, world)
        if expected is None:
            continue
        compared += 1
        value = forms.defined_value(form, world)
        if value is None or not worlds.agree(expected, value):
            raise Disagreement(f"{expression}\nunder {givens}\nby {theories}\nis {expected}, not {value}, at {world}")
    return "agrees" if compared else "undefined"


def check_pair(rng, left, right, givens, worlds_of):
    """Check that what is proved is true; returns a word for what happened."""
    claimed = proved(left, right, given=givens)
    compared, differ = 0, None
    for world in _points(rng, worlds_of, free_indices(left) | free_indices(right)):
        values = direct.defined_value(left, world), direct.defined_value(right, world)
        if None in values:
            continue
        compared += 1
        if not worlds.agree(*values):
            differ = differ or (world, values)
            if not claimed:
                return "false, not proved"
    if claimed and differ:
        raise Disagreement(f"proved: {left} = {right}\nunder {givens}\nbut at {differ}")
    if not compared:
        return "undefined"
    return "true, proved" if claimed else "true here, not proved"


def _plain_worlds(rng, size):
    for _ in range(2):
        yield world_of(rng, size)


def one_example(rng, kind):
    """One random example of a kind."""
    writer = Writer(rng)
    depth = rng.choice([1, 2, 2, 3, 3])
    if kind in ("expectation", "expectation pair"):
        randomness = Randomness(rng)
        givens = randomness.givens
        expression = exact(writer.expected(depth, (i, r)))

        def worlds_of(rng, size):
            # At three, joint laws have many outcomes: now and then is enough.
            if size < SIZES[-1] or rng.randrange(4) == 0:
                yield randomness.world(rng, size)
    else:
        givens = SIGNS
        expression = exact(writer.scalar(depth, (i, j, r)))
        worlds_of = _plain_worlds
    if kind.endswith("pair"):
        other = expression
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            other = mutated(other, rng)
        return check_pair(rng, expression, disguised(other, rng), givens, worlds_of)
    return check_form(rng, expression, givens, worlds_of)


KINDS = ("form", "pair", "expectation", "expectation pair")


def many_examples(rng, count, report=None):
    """Count what happens; a disagreement is counted and handed to ``report``."""
    seen = Counter()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        try:
            seen[kind, one_example(rng, kind)] += 1
        except Disagreement as error:
            seen[kind, "DISAGREES"] += 1
            if report:
                report(kind, error)
    return seen


__all__ = ["KINDS", "Disagreement", "check_form", "check_pair", "expressions", "many_examples", "one_example"]
