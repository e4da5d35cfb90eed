"""One step proved at a time, for the tests of the kernel."""

from derivations.kernel.laws.table import LAWS
from derivations.kernel.prove import prove_step
from derivations.kernel.record import Status
from derivations.language.written import exact
from derivations.records import Line, Relation, Step


def step(left, right, *reasons, relation=Relation.EQUALS):
    return Step(1, exact(left), Line(relation, exact(right), reasons))


def proof(left, right, *reasons, given=(), relation=Relation.EQUALS, laws=LAWS):
    return prove_step(step(left, right, *reasons, relation=relation), tuple(given), laws)


def proved(left, right, *reasons, given=(), relation=Relation.EQUALS, laws=LAWS):
    """Whether the step is closed or conditional, with these reasons or with any."""
    return proof(left, right, *reasons, given=given, relation=relation, laws=laws).status is not Status.OPEN
