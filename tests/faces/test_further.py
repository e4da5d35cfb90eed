"""The mutants and the givens of a conjunction are those of its parts, at the objects at which they are taken."""

from __future__ import annotations

import json

import pytest

from derivations.authoring import Note, instantiate
from derivations.faces.examine import examine, real_engines
from derivations.faces.explain import explanation
from derivations.faces.facts import Facts
from derivations.faces.further import add_further, together
from derivations.faces.mutants import Idle, Judges, mutant_facts, trials
from derivations.faces.report import Outcome, conflicts, further_table
from derivations.kernel.record import Status
from derivations.loading import load
from derivations.records import Derivation, Title
from derivations.registry import read_registry

REGISTRY = read_registry()
MEAN, VARIANCE = "attention.dot_product_mean", "attention.dot_product_variance"


def library(name: str) -> Derivation:
    return load(REGISTRY.by_name[name], REGISTRY)


def conjunction(*parts: Derivation) -> Derivation:
    chain = Note().conjunction(*parts)
    return Derivation("trial.both", Title("Both", "两者"), chain.start, chain.lines, (), parts=chain.parts)


def further(derivation: Derivation, judges: Judges | None = None) -> Facts:
    *_, facts = examine(derivation, real_engines(symbolic_only=True), 0)
    return add_further(derivation, {**facts, "verdict": "proved_symbolically"}, 0, judges)


BOTH = conjunction(library(MEAN), library(VARIANCE))


@pytest.fixture(scope="module")
def facts() -> Facts:
    return further(BOTH)


def test_the_mutants_of_a_conjunction_are_those_of_its_parts(facts):
    alone = [mutant_facts(next(iter(trials(library(name)))), Judges()) for name in (MEAN, VARIANCE)]
    assert [step["mutants"] for step in facts["steps"]] == alone
    for count in ("made", "caught", "equivalent", "true_weaker"):
        assert facts["mutants"][count] == sum(one[count] for one in alone)
    assert facts["mutants"]["made"] == 9
    assert [one["part"] for one in facts["mutants"]["shown"]] == [MEAN, VARIANCE]
    assert json.loads(json.dumps(facts)) == facts


def test_the_givens_of_a_conjunction_are_those_of_its_parts(facts):
    givens = [(one["part"], one["given"], one["status"]) for one in facts["necessity"]]
    assert len(givens) == sum(len(part.givens) for part in BOTH.parts)
    assert (VARIANCE, "each entry of K has variance 1", "needed") in givens
    assert (MEAN, "each entry of K has variance 1", "not_needed") in givens
    assert all(one["witness"] for one in facts["necessity"] if one["status"] != "not_needed")


def test_the_page_and_the_table_show_them_once(facts):
    page = explanation(facts)
    for line in (
        "  mutants   6 made: 5 caught, 1 equivalent",
        "Mutants of the statement\n  9 made: 7 caught, 2 equivalent",
        f"What is assumed by {MEAN}",
        f"What is assumed by {VARIANCE}",
    ):
        assert line in page
    assert page.count("equivalent, by the kernel") == 2
    row = further_table([Outcome(REGISTRY.by_name[MEAN], facts)]).splitlines()[1]
    assert row.split()[1:4] == ["9", "7", "2"]


def test_a_part_at_other_objects_has_mutants_about_these():
    note = Note()
    d = note.dimension("d")
    first, second = note.random_vector("u", d), note.random_vector("v", d)
    moved = instantiate(library(VARIANCE), {"d_k": d, "Q": first, "K": second})
    found = further(conjunction(library(MEAN), moved))
    (claim,) = (one["claim"] for one in found["steps"][1]["mutants"]["shown"])
    assert claim == "E[(u · v)²] = d"
    givens = [one["given"] for one in found["necessity"] if one["part"] == VARIANCE]
    assert "u and v are independent" in givens


def test_what_gets_away_is_listed_with_the_name_of_its_part():
    blind = further(BOTH, Judges(refuter=lambda givens, claim, seed: Idle("looks at nothing")))
    assert blind["mutants"]["caught"] == 0
    missed = blind["mutants"]["missed"]
    assert {one["part"] for one in missed} == {MEAN, VARIANCE}
    assert len(missed) == sum(len(step["mutants"]["missed"]) for step in blind["steps"]) == 7


def test_a_conflict_in_a_part_is_one_conflict_of_the_conjunction():
    gullible = further(BOTH, Judges(proved=lambda step, givens: Status.CLOSED))
    assert len(conflicts(gullible)) == sum(len(step["mutants"]["conflicts"]) for step in gullible["steps"]) > 0


def test_the_counts_of_no_parts_are_zero():
    assert together(()) == {
        "made": 0, "caught": 0, "equivalent": 0, "true_weaker": 0, "missed": [], "conflicts": [], "shown": [],
    }  # fmt: skip
