"""Each given is dropped by itself: a witness shows that it is needed, a proof that it is not."""

from __future__ import annotations

import re

import pytest

from derivations.faces.necessity import Means, Proved, necessity, without
from derivations.kernel.prove import prove
from derivations.kernel.record import Status
from derivations.loading import load
from derivations.registry import read_registry

REGISTRY = read_registry()


def library(name: str):
    return load(REGISTRY.by_name[name])


@pytest.fixture(scope="module")
def mean():
    return necessity(library("attention.dot_product_mean"), Means())


@pytest.fixture(scope="module")
def variance():
    return necessity(library("attention.dot_product_variance"), Means())


def status(found) -> dict[str, str]:
    return {one["given"]: one["status"] for one in found[0]}


def test_entries_need_not_be_identically_distributed_for_the_variance_of_a_dot_product(variance):
    assert status(variance)["the entries of Q are identically distributed"] == "not_needed"
    assert status(variance)["the entries of K are identically distributed"] == "not_needed"


def test_moments_and_independence_are_needed_with_a_small_witness(variance):
    found = {one["given"]: one for one in variance[0]}
    for given in ("each entry of Q has mean 0", "each entry of K has variance 1", "Q and K are independent"):
        assert found[given]["status"] == "needed"
        assert found[given]["fails"] == "the statement"
    assert found["Q and K are independent"]["witness"] == "d_k = 1, Q = ±1, K = Q: 0 instead of 1"


def test_entries_of_one_vector_may_depend_on_each_other_but_not_those_of_both(variance):
    _, sets = variance
    names = ("the entries of Q are mutually independent", "the entries of K are mutually independent")
    assert [status(variance)[name] for name in names] == ["not_needed", "not_needed"]
    assert len(sets) == 2
    assert sorted(name for chosen in sets for name in chosen if name in names) == sorted(names)


def test_either_mean_gives_the_mean_of_a_dot_product(mean):
    """Both means are dispensable, each by itself; where one goes, the other one and a finite variance stay."""
    _, sets = mean
    assert status(mean)["each entry of Q has mean 0"] == "not_needed"
    assert status(mean)["each entry of K has mean 0"] == "not_needed"
    assert all("Q and K are independent" in chosen for chosen in sets)
    assert ["each entry of Q has variance 1", "each entry of K has mean 0", "Q and K are independent"] in sets
    assert all(any("mean" in name for name in chosen) for chosen in sets)


def test_a_negative_deviation_is_the_witness_for_the_range():
    facts, sets = necessity(library("spread.range_scales_with_deviation"), Means())
    sign, existence = facts
    assert sign["status"] == "needed"
    assert re.search(r"sigma = -\d", sign["witness"])
    assert existence["status"] == "undetermined"
    assert "existence" in existence["witness"]
    assert sets == [[sign["given"], existence["given"]]]


def test_a_dimension_that_is_too_small_leaves_no_value():
    facts, _ = necessity(library("spread.gap_scales_with_deviation"), Means())
    least = next(one for one in facts if "≥ 2" in one["given"])
    assert least["status"] == "needed"
    assert "n = 1" in least["witness"]
    assert "no value" in least["witness"]


def test_ties_are_the_witness_for_a_unique_maximum():
    facts, _ = necessity(library("softmax.limit_unique_maximum"), Means())
    assert [one["status"] for one in facts] == ["needed"]


def test_what_is_cited_does_without_the_given_too():
    derivation = library("attention.scale_is_unique")
    gone = [one for one in derivation.givens if "IdenticallyDistributed" in type(one).__name__]
    reduced = without(derivation, gone)
    cited = [one for line in reduced.lines for one in line.cited]
    assert cited
    assert not any(given in gone for theorem in cited for given in theorem.givens)
    assert prove(reduced).status is Status.CLOSED


def test_a_case_loses_the_given_that_the_derivation_loses():
    derivation = library("spread.expected_maximum_of_normals")
    for given in derivation.givens:
        reduced = without(derivation, (given,))
        assert [len(case.givens) for case in reduced.cases] == [len(case.givens) - 1 for case in derivation.cases]


def test_a_conjunction_has_no_givens_of_its_own():
    assert necessity(library("attention.why_sqrt_d"), Means()) == ([], [])


def test_without_proofs_and_without_instances_nothing_is_known():
    means = Means(proved=lambda step: Proved(Status.OPEN), refuted=lambda step, seed: None)
    facts, sets = necessity(library("attention.dot_product_mean"), means)
    assert {one["status"] for one in facts} == {"undetermined"}
    assert sets == []
