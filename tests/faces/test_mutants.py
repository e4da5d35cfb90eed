"""Mutants are judged by kernel and numerics, each by itself: caught, no mistake at all, a weaker bound, or missed."""

from __future__ import annotations

import pytest

from derivations.authoring import Derivation, Note, at_most, equals, less_than
from derivations.faces.mutants import Idle, Judges, judge_all, mutant_facts, trials
from derivations.kernel.record import Status
from derivations.language.functions import sigmoid, softmax
from derivations.language.operators import Sum
from derivations.language.symbols import delta
from derivations.loading import load
from derivations.records import Title
from derivations.registry import read_registry

REGISTRY = read_registry()


def library(name: str) -> Derivation:
    return load(REGISTRY.by_name[name])


def derived(note: Note, chain) -> Derivation:
    return Derivation("one", Title("", ""), chain.start, chain.lines, note.givens)


def swapped() -> Derivation:
    note = Note()
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    return derived(note, note.chain(delta(i, j) * x[i], equals(delta(i, j) * x[j])))


def bounded() -> Derivation:
    note = Note()
    a, b = note.scalar("a"), note.scalar("b")
    return derived(note, note.chain(2 * a * b, at_most(a**2 + b**2, slack=(a - b) ** 2)))


def words(derivation: Derivation, judges: Judges | None = None) -> dict[str, str]:
    (trial,) = trials(derivation)
    return {
        f"{one.claim.left} {one.claim.relation} {one.claim.right}": verdict.word
        for one, verdict in judge_all(trial, judges or Judges())
    }


def test_a_swap_that_changes_nothing_is_equivalent():
    found = words(swapped())
    assert found["delta(i, j)*x[i] = delta(i, j)*x[i]"] == "equivalent"
    assert found["delta(i, j)*x[i] = delta(j, j)*x[j]"] == "caught"


def test_a_weaker_bound_is_told_from_a_wrong_one():
    found = words(bounded())
    assert found["2*a*b <= a**2 - b**2"] == "caught"
    assert found["2*a*b >= a**2 + b**2"] == "caught"
    assert found["2*a*b < a**2 + b**2"] == "caught"
    (trial, *_) = trials(library("softmax.tail_bound"))
    weaker = [one.claim.right for one, verdict in judge_all(trial, Judges()) if verdict.word == "true_weaker"]
    assert "n*exp(-g)" in {str(side) for side in weaker}


def test_a_weak_checker_misses_mutants():
    """If the numerics looked at nothing, no mutant would be caught, and the counts would show it."""
    weak = Judges(refuter=lambda givens, claim, seed: Idle("looks at nothing"))
    (trial, *_) = trials(library("attention.dot_product_variance"))
    honest, blind = mutant_facts(trial, Judges()), mutant_facts(trial, weak)
    assert honest["caught"] == 5
    assert not honest["missed"]
    assert blind["caught"] == 0
    assert len(blind["missed"]) == 5
    assert {one["by"] for one in blind["missed"]} == {"looks at nothing"}


def test_a_prover_that_proves_everything_is_in_conflict_with_the_numerics():
    gullible = Judges(proved=lambda step, givens: Status.CLOSED)
    (trial, *_) = trials(library("attention.dot_product_variance"))
    found = mutant_facts(trial, gullible)
    assert found["caught"] == 0
    assert len(found["conflicts"]) == 5
    assert " at d_k = " in found["conflicts"][0]["by"]


@pytest.mark.parametrize(
    "name", ["attention.dot_product_variance", "softmax.sums_to_one", "softmax.jacobian_symmetric"]
)
def test_no_mutant_of_an_identity_gets_away(name):
    for trial in trials(library(name)):
        found = mutant_facts(trial, Judges())
        assert found["made"] == found["caught"] + found["equivalent"]
        assert not found["missed"]
        assert not found["conflicts"]


def test_the_statement_and_each_step_are_tried_but_a_single_step_only_once():
    assert [trial.number for trial in trials(library("softmax.sums_to_one"))] == [0, 1, 2, 3]
    assert [trial.number for trial in trials(library("softmax.jacobian_norm_at_scale"))] == [0]
    assert not list(trials(library("attention.why_sqrt_d")))


def test_a_sum_of_zeros_can_be_told_from_none():
    note = Note()
    n = note.dimension("n")
    i = note.index("i", n)
    found = words(derived(note, note.chain(Sum(1, i), equals(n))))
    assert set(found.values()) == {"caught"}


def verdicts(trial):
    """What each mutant of a trial is, by what it says."""
    return {str(one.claim.right): verdict for one, verdict in judge_all(trial, Judges())}


def test_a_bound_may_be_shown_by_a_line_of_the_proof():
    (trial, *_) = trials(library("softmax.jacobian_norm_bound"))
    by = {str(one.claim.left): verdict for one, verdict in judge_all(trial, Judges())}
    sharper = next(verdict for left, verdict in by.items() if "delta(m, j)" in left)
    assert (sharper.word, sharper.by) == ("true_weaker", "the kernel, from line 4")


def test_lines_that_are_not_proved_certify_nothing():
    derivation = library("softmax.jacobian_norm_bound")
    assert all(trial.between for trial in trials(derivation))
    assert not any(trial.between for trial in trials(derivation, sound=False))


def test_a_statement_proved_in_cases_has_mutants_shown_in_cases():
    (trial, *_) = trials(library("spread.expected_maximum_of_normals"))
    assert len(trial.cases) == 2
    found = verdicts(trial)["sigma*(2*log(n))"]
    assert found.word == "true_weaker"


def test_the_later_lines_of_a_cited_theorem_may_be_used():
    (trial, *_) = trials(library("softmax.jacobian_norm_at_scale"))
    assert [rest.start for rest in trial.rests]
    by = {str(one.claim.left): verdict.by for one, verdict in judge_all(trial, Judges())}
    assert "the kernel, from the later lines of softmax.jacobian_norm_bound" in by.values()


def test_a_number_nearer_to_the_bound_than_any_digits_reach_is_no_conflict():
    note = Note()
    z = note.scalar("z")
    found = words(derived(note, note.chain(sigmoid(z), less_than(1))))
    assert found["sigmoid(z + 1) < 1"] == "true_weaker"
    assert "conflict" not in found.values()


def test_what_is_equal_to_a_side_of_a_false_claim_is_caught():
    note = Note()
    n = note.dimension("n")
    i = note.index("i", n)
    x = note.vector("x", n)
    claim = derived(note, note.chain(Sum(softmax(x)[i], i), less_than(1)))
    (trial,) = trials(claim, sound=False)
    found = {str(one.claim.left): verdict.word for one, verdict in judge_all(trial, Judges())}
    assert found["Sum(softmax(2*x)[i], i)"] == "caught"
    assert "conflict" not in found.values()
