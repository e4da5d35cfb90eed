"""What is checked of a random expression: its normal form against its value, its shape, and what is proved of it."""

import operator
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

from derivations.kernel.arithmetic import transform
from derivations.kernel.context import rebuild_atom
from derivations.kernel.engine import make_context
from derivations.kernel.facts import read_facts
from derivations.kernel.laws.table import LAWS, rules
from derivations.kernel.reading import read
from derivations.kernel.record import Status
from derivations.kernel.terms import KernelLimit
from derivations.kernel.theories import THEORIES
from derivations.kernel.zero import assert_closed
from derivations.language.errors import LanguageError
from derivations.language.functions import absolute, exp
from derivations.language.givens import distinct, equation
from derivations.language.operators import Sum
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Delta
from derivations.language.written import exact
from derivations.records import Relation

from . import direct, forms, worlds
from .expressions import SIGNS, Randomness, Writer, disguised, i, j, k, mutated, r, u, world_of
from .limiting import check_limit
from .steps import proof
from .summing import sides
from .worlds import Disagreement, Undefined, Unwieldy

SIZES = (1, 2, 3)
NOISE = worlds.mpf(10) ** -30
_COMPARE = {Relation.AT_MOST: operator.le, Relation.AT_LEAST: operator.ge, Relation.LESS: operator.lt}
_COMPARE[Relation.GREATER] = operator.gt


def some_theories(rng):
    return tuple(THEORIES) if rng.randrange(3) == 0 else tuple(name for name in THEORIES if rng.randrange(2))


def form_of(expression, givens, theories):
    """The context and the normal form, or None where the kernel declines."""
    switched_on = rules(theories, LAWS)
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


def _points(rng, setting, indices):
    """Worlds of each size, at every value of the free indices that the givens allow."""
    for size in SIZES:
        for world in setting.worlds(rng, size):
            for point in direct.assignments(indices, world):
                if all(point.indices.get(one) != point.indices.get(other) for one, other in setting.distinct):
                    yield point


@dataclass(frozen=True)
class Setting:
    """Givens, worlds in which they hold, and pairs of indices that differ."""

    givens: tuple
    worlds: object
    distinct: tuple = ()


def plain_setting(rng):
    """Signs, now and then a normalised vector and two indices that differ."""
    givens = [*SIGNS]
    normalised = rng.randrange(4) == 0
    apart = rng.randrange(4) == 0
    if normalised:
        givens.append(equation(Sum(u[k], k), 1))
    if apart:
        givens.append(distinct(i, j))

    def worlds_of(rng, size):
        for _ in range(2):
            world = world_of(rng, size)
            if normalised:
                total = sum(world.arrays["u"].values())
                shares = {place: value / total for place, value in world.arrays["u"].items()}
                world = replace(world, arrays={**world.arrays, "u": shares})
            yield world

    return Setting(tuple(givens), worlds_of, ((i, j),) if apart else ())


def random_setting(rng):
    """Random arrays with a random structure of dependence."""
    randomness = Randomness(rng)

    def worlds_of(rng, size):
        # At three, joint laws have many outcomes: now and then is enough.
        if size < SIZES[-1] or rng.randrange(4) == 0:
            yield randomness.world(rng, size)

    return Setting(randomness.givens, worlds_of)


def has_kink(expression, setting):
    """Whether a derivative may be taken where there is none: of a root or an absolute value at zero."""
    found = proof(expression, expression, given=setting.givens)
    return any(one.kind == "smooth" and one.open for one in found.obligations)


def check_form(rng, expression, setting):
    """Check one expression under some theories; returns a word for what happened."""
    theories = some_theories(rng)
    found = form_of(expression, setting.givens, theories)
    if found is None:
        return "declined"
    context, form = found
    again = rebuilt(context, form)
    if again != form:
        raise Disagreement(f"not idempotent: {expression}\n{theories}\n{form}\n{again}")
    other = disguised(expression, rng)
    moved = form_of(other, setting.givens, theories)
    if moved is None or moved[1] != form:
        raise Disagreement(f"not invariant: {expression}\n{other}\n{theories}\n{form}\n{moved and moved[1]}")
    compared = 0
    for world in _points(rng, setting, free_indices(expression) | set(sum(setting.distinct, ()))):
        expected = direct.defined_value(expression, world)
        if isinstance(expected, Undefined):
            continue
        compared += 1
        value = forms.defined_value(form, world)
        if isinstance(value, Unwieldy):
            continue
        if isinstance(value, Undefined) or not worlds.agree(expected, value):
            if has_kink(expression, setting):
                return "kink"
            if isinstance(value, Undefined) and any(isinstance(part, Delta) for part in parts(expression)):
                # F(d) is written as F(0) + d (F(1) - F(0)), where F(0) may be undefined and cancels.
                continue
            raise Disagreement(
                f"{expression}\nunder {setting.givens}\nby {theories}\nis {expected}, not {value!r}, at {world}"
            )
    return "agrees" if compared else "undefined"


def holds(relation, first, second):
    """Whether two values stand in a relation. Where two inexact values are as good as equal, that is not decided."""
    if relation is Relation.EQUALS:
        return worlds.agree(first, second)
    exactly = isinstance(first, Fraction) and isinstance(second, Fraction)
    one, other = (first, second) if exactly else (worlds.real(first), worlds.real(second))
    if not exactly and abs(one - other) <= NOISE * (1 + abs(one)):
        return True
    return _COMPARE[relation](one, other)


def check_pair(rng, left, right, setting, relation=Relation.EQUALS):
    """Check that what is proved is true, and where it is proved without conditions, that it has a meaning.

    Returns a word for what happened.
    """
    found = proof(left, right, given=setting.givens, relation=relation)
    claimed = found.status is not Status.OPEN
    compared, differ = 0, None
    for world in _points(rng, setting, free_indices(left) | free_indices(right) | set(sum(setting.distinct, ()))):
        values = direct.defined_value(left, world), direct.defined_value(right, world)
        undefined = [value for value in values if isinstance(value, Undefined)]
        if undefined:
            if found.status is Status.CLOSED and not any(isinstance(value, Unwieldy) for value in undefined):
                raise Disagreement(f"closed, but undefined: {left} {relation} {right}\n{undefined} at {world}")
            continue
        compared += 1
        if not holds(relation, *values):
            differ = differ or (world, values)
            if not claimed:
                return "false, not proved"
    if claimed and differ:
        if has_kink(left, setting) or has_kink(right, setting):
            return "kink"
        raise Disagreement(f"proved: {left} {relation} {right}\nunder {setting.givens}\nbut at {differ}")
    if not compared:
        return "undefined"
    return "true, proved" if claimed else "true here, not proved"


def one_example(rng, kind):
    """One random example of a kind."""
    if kind == "limit":
        return check_limit(rng, form_of)
    if kind == "sums":
        left, right, relation = sides(rng)
        return check_pair(rng, left, right, plain_setting(rng), relation)
    writer = Writer(rng)
    depth = rng.choice([1, 2, 2, 3, 3])
    if kind.startswith("expectation"):
        setting, write, scope = random_setting(rng), writer.expected, (i, r)
    else:
        setting, write, scope = plain_setting(rng), writer.scalar, (i, j, r)
    expression = exact(write(depth, scope))
    if kind.endswith("inequality"):
        return _one_inequality(rng, writer, expression, setting, scope)
    if not kind.endswith("pair"):
        return check_form(rng, expression, setting)
    other = expression
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        other = mutated(other, rng)
    return check_pair(rng, expression, disguised(other, rng), setting)


def _one_inequality(rng, writer, expression, setting, scope):
    """The expression against itself with something added, most often of a known sign."""
    other = exact(writer.scalar(rng.choice([0, 1, 2]), scope))
    added = rng.choice([lambda: other, lambda: other**2, lambda: absolute(other), lambda: 1 / (1 + exp(other))])()
    added = rng.choice([added, added, -added, added / writer.positive(1, scope), added / writer.scalar(1, scope)])
    relation = rng.choice([Relation.AT_MOST, Relation.AT_LEAST, Relation.LESS, Relation.GREATER])
    if rng.randrange(2):
        return check_pair(rng, added, exact(0), setting, relation)
    return check_pair(rng, expression, disguised(expression + added, rng), setting, relation)


KINDS = ("form", "pair", "expectation", "expectation pair", "inequality", "limit", "sums")


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
