"""Citing a derivation of the library: circles are refused, assumptions must hold, the weakest status is inherited."""

from pathlib import Path

import pytest

from derivations.kernel.prove import prove
from derivations.kernel.record import Status
from derivations.loading import LoadError, load
from derivations.registry import read_registry

HEAD = "from derivations import *\n\n\n"

CIRCLE = """@derivation(title=("one", "一"))
def one(note):
    x = note.scalar("x")
    return note.chain(x + x, equals(2 * x, note.cite("circle.two")))


@derivation(title=("two", "二"))
def two(note):
    x = note.scalar("x")
    return note.chain(2 * x, equals(x + x, note.cite("circle.one")))
"""

UNMET = """@derivation(title=("root", "根"))
def root(note):
    a = note.scalar("a", nonnegative=True)
    return note.chain(sqrt(a**2), equals(a, by.nonnegativity))


@derivation(title=("holds", "成立"))
def holds(note):
    b = note.scalar("b")
    return note.chain(sqrt(exp(b) ** 2), equals(exp(b), by.algebra, note.cite("unmet.root", a=exp(b))))


@derivation(title=("fails", "不成立"))
def fails(note):
    b = note.scalar("b")
    return note.chain(sqrt(b**2), equals(b, note.cite("unmet.root", a=b)))
"""

WEAK = """@derivation(title=("ratio", "比值"))
def ratio(note):
    a = note.scalar("a")
    return note.chain(a / a, equals(1, by.algebra))


@derivation(title=("false", "错误"))
def false(note):
    a = note.scalar("a")
    return note.chain(a + a, equals(3 * a, by.algebra))


@derivation(title=("resting on a condition", "依赖条件"))
def resting(note):
    a = note.scalar("a")
    return note.chain(a + a / a, equals(a + 1, by.algebra, note.cite("weak.ratio")))


@derivation(title=("resting on a falsehood", "依赖错误"))
def misled(note):
    a = note.scalar("a")
    return note.chain(a + a + 1, equals(3 * a + 1, note.cite("weak.false")))
"""


def derivation(folder: Path, name: str, text: str):
    (folder / f"{name.split('.', maxsplit=1)[0]}.py").write_text(HEAD + text, encoding="utf-8")
    registry = read_registry((folder,))
    return load(registry.by_name[name], registry)


def test_a_circle_of_citations_is_refused_and_told(tmp_path: Path):
    with pytest.raises(LoadError, match=r"circle\.one cites circle\.two cites circle\.one"):
        derivation(tmp_path, "circle.one", CIRCLE)


def test_a_name_that_is_not_in_the_library_is_told_with_near_ones(tmp_path: Path):
    text = UNMET.replace("unmet.root", "unmet.rot")
    with pytest.raises(LoadError, match=r"unmet\.root"):
        derivation(tmp_path, "unmet.fails", text)


def test_the_assumptions_of_a_theorem_are_proved_for_the_objects_at_hand(tmp_path: Path):
    assert prove(derivation(tmp_path, "unmet.holds", UNMET)).status is Status.CLOSED


def test_a_theorem_whose_assumptions_do_not_hold_proves_nothing(tmp_path: Path):
    proof = prove(derivation(tmp_path, "unmet.fails", UNMET))
    assert proof.status is Status.OPEN
    assert "unmet.root" in proof.steps[0].message


def test_what_rests_on_a_conditional_theorem_is_conditional(tmp_path: Path):
    assert prove(derivation(tmp_path, "weak.resting", WEAK)).status is Status.CONDITIONAL


def test_what_rests_on_an_open_theorem_is_open(tmp_path: Path):
    assert prove(derivation(tmp_path, "weak.misled", WEAK)).status is Status.OPEN
