"""``verify --mutants`` fills in every key, and ``--explain`` prints all of it on one page."""

from __future__ import annotations

import json
import math

import pytest

from derivations.faces.examine import Engines, examine, real_engines
from derivations.faces.explain import explanation
from derivations.faces.further import add_further
from derivations.faces.mutants import Judges
from derivations.faces.report import Outcome, conflicts, further_table
from derivations.faces.verify import Options, verify
from derivations.faces.worker import answer
from derivations.kernel.record import Status
from derivations.loading import load
from derivations.registry import read_registry

REGISTRY = read_registry()
NAME = "attention.dot_product_variance"


def request(name: str, **more):
    one = REGISTRY.by_name[name]
    return {
        "family": one.family,
        "function": one.function,
        "title_en": one.title_en,
        "title_zh": one.title_zh,
        "source": one.source,
        "file": one.file,
        "line": one.line,
        "seed": 0,
        "symbolic_only": True,
        **more,
    }


def engines(symbolic_only: bool) -> Engines:
    return real_engines(symbolic_only=symbolic_only)


@pytest.fixture(scope="module")
def facts():
    *_, found = examine(load(REGISTRY.by_name[NAME]), engines(False), 0)
    return add_further(load(REGISTRY.by_name[NAME]), {**found, "verdict": "proved"}, 0)


def test_all_keys_are_there_and_fit_in_json(facts):
    assert json.loads(json.dumps(facts)) == facts
    for mutants in (facts["mutants"], *(step["mutants"] for step in facts["steps"])):
        listed = len(mutants["missed"]) + len(mutants["conflicts"])
        assert mutants["made"] == mutants["caught"] + mutants["equivalent"] + mutants["true_weaker"] + listed
    assert {one["status"] for one in facts["necessity"]} == {"needed", "not_needed"}
    assert all(one["witness"] for one in facts["necessity"] if one["status"] == "needed")
    assert len(facts["sufficient"]) == 2


def test_a_sampled_check_says_how_much_evidence_it_saw(facts):
    sampled = [one for one in facts["numerics"] if one["method"] == "monte_carlo"]
    assert len(sampled) == 3
    for check in sampled:
        assert check["alpha"] == 1e-9
        assert check["beta"] == 1e-6
        if check["samples"]:
            assert 0 < check["delta"] <= 0.5  # half the distance from d_k to d_k + 1
            assert check["variance_bound"] > 0
            assert check["variance_bound_from"].startswith("exact moments")
            assert check["threshold"] == pytest.approx(math.log(2 / 1e-9))
            assert check["log_evidence"] < check["threshold"] <= check["rival_log_evidence"]
    assert any(check["samples"] for check in sampled)
    assert all(one["threshold"] is None for one in facts["numerics"] if one["method"] != "monte_carlo")


def test_the_page_says_what_is_known(facts):
    page = explanation(facts)
    for part in (
        "attention.dot_product_variance: proved",
        "closed (by variance, independence, moments)",
        "alpha 1e-09, beta 1e-06",
        "from exact moments",
        "against the claim,",
        "against its rivals, threshold 21.4",
        "6 made: 5 caught, 1 equivalent",
        "equivalent, by the kernel: E[(Q · K)²] = d_k",
        "needed        Q and K are independent\n",
        "without it the statement fails: d_k = 1, Q = ±1, K = Q: 0 instead of 1",
        "not needed    the entries of Q are identically distributed",
        "Smallest sets that suffice",
    ):
        assert part in page


def test_the_table_counts_each_mutant_once(facts):
    rows = further_table([Outcome(REGISTRY.by_name[NAME], facts)]).splitlines()
    assert rows[1].split()[1:] == rows[2].split()[1:]
    assert rows[1].split()[1:5] == ["21", "14", "7", "0"]


def test_a_worker_reports_once_more_for_mutants():
    events = list(answer(request("softmax.sums_to_one"), engines))
    assert [event["final"] for event in events] == [True]
    assert "mutants" not in events[-1]["facts"]
    events = list(answer(request("softmax.sums_to_one", mutants=True), engines))
    assert [event["final"] for event in events] == [False, True]
    assert events[-1]["facts"]["mutants"]["made"] == 6


def test_a_mutant_that_is_proved_and_refuted_is_a_conflict():
    derivation = load(REGISTRY.by_name["softmax.sums_to_one"])
    *_, found = examine(derivation, engines(True), 0)
    found = add_further(derivation, found, 0, Judges(proved=lambda step, givens: Status.CLOSED))
    assert len(conflicts(found)) == sum(
        len(one["conflicts"]) for one in (found["mutants"], *(step["mutants"] for step in found["steps"]))
    )
    assert conflicts(found)


def test_what_raises_is_an_error_among_the_facts():
    def fails(step, givens):
        raise RuntimeError("no proof today")

    derivation = load(REGISTRY.by_name["softmax.sums_to_one"])
    *_, found = examine(derivation, engines(True), 0)
    assert "no proof today" in add_further(derivation, found, 0, Judges(proved=fails))["error"]


def test_the_command_prints_the_page(capsys):
    assert verify(["softmax.sums_to_one"], Options(jobs=1, explain=True)) == 0
    page = capsys.readouterr().out
    assert page.startswith("softmax.sums_to_one: proved")
    assert "Mutants of the statement" in page
