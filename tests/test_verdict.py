"""Every combination of proof and evidence, for a step and for a derivation of two steps."""

from __future__ import annotations

from itertools import product

import pytest

from derivations.kernel.record import Status
from derivations.verdict import VERDICTS, StepResult, passes, verdict
from derivations.writing.verdicts import VERDICTS as MEANINGS

TABLE = {
    ("closed", "agrees"): "proved",
    ("closed", "refutes"): "conflict",
    ("closed", "inconclusive"): "unconfirmed",
    ("closed", "not run"): "proved_symbolically",
    ("conditional", "agrees"): "conditional",
    ("conditional", "refutes"): "conflict",
    ("conditional", "inconclusive"): "unconfirmed",
    ("conditional", "not run"): "conditional",
    ("open", "agrees"): "supported",
    ("open", "refutes"): "refuted",
    ("open", "inconclusive"): "unknown",
    ("open", "not run"): "unknown",
}
PROOFS = ("closed", "conditional", "open")
EVIDENCE = ("agrees", "refutes", "inconclusive", "not run")


@pytest.mark.parametrize(("proof", "evidence"), TABLE)
def test_one_step(proof, evidence):
    assert StepResult(proof, evidence).verdict == TABLE[proof, evidence]
    assert verdict([StepResult(proof, evidence)]) == TABLE[proof, evidence]


def test_the_kernels_status_is_understood():
    assert {str(one) for one in Status} == set(PROOFS)
    assert StepResult(Status.CLOSED, "agrees").verdict == "proved"


def expected(first, second, contradiction):
    """The rules once more, written the other way round: by what must be there."""
    words = {TABLE[first], TABLE[second]}
    if "conflict" in words:
        return "conflict"
    if contradiction:
        return "conflict" if "refuted" in words else "vacuous"
    if "refuted" in words:
        return "refuted"
    proofs, evidence = {first[0], second[0]}, {first[1], second[1]}
    weakest = max(proofs, key=PROOFS.index)
    together = evidence.pop() if len(evidence) == 1 else "inconclusive"
    return TABLE[weakest, together]


@pytest.mark.parametrize("contradiction", [False, True])
@pytest.mark.parametrize("first", TABLE)
@pytest.mark.parametrize("second", TABLE)
def test_two_steps(first, second, contradiction):
    found = verdict([StepResult(*first), StepResult(*second)], contradiction=contradiction)
    assert found == expected(first, second, contradiction)


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        # An open step elsewhere does not hide that a closed one is refuted.
        (("open", "agrees"), ("closed", "refutes"), "conflict"),
        (("open", "refutes"), ("closed", "refutes"), "conflict"),
        (("open", "refutes"), ("closed", "agrees"), "refuted"),
        (("open", "refutes"), ("closed", "inconclusive"), "refuted"),
        (("open", "agrees"), ("closed", "inconclusive"), "unknown"),
        (("conditional", "agrees"), ("closed", "agrees"), "conditional"),
        (("closed", "agrees"), ("closed", "inconclusive"), "unconfirmed"),
        (("closed", "agrees"), ("closed", "not run"), "unconfirmed"),
    ],
)
def test_telling_combinations(first, second, word):
    assert verdict([StepResult(*first), StepResult(*second)]) == word


def test_without_steps_nothing_is_known():
    assert verdict([]) == "unknown"


def test_the_order_of_steps_does_not_matter():
    for first, second in product(TABLE, repeat=2):
        pair = [StepResult(*first), StepResult(*second)]
        assert verdict(pair) == verdict(pair[::-1])


@pytest.mark.parametrize("word", VERDICTS)
def test_what_passes(word):
    assert passes(word) == (word == "proved")
    assert passes(word, symbolic_only=True) == (word in {"proved", "proved_symbolically"})
    assert passes(word, allow_conditional=True) == (word in {"proved", "conditional"})


def test_every_verdict_has_words_in_both_languages():
    assert set(VERDICTS) == set(MEANINGS) == {*TABLE.values(), "vacuous"}
    assert all(one.en and one.zh for one in MEANINGS.values())
