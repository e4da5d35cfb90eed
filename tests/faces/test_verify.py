"""`verify` with stand-in engines: verdicts, exit codes, what is kept when something hangs, crashes or is stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from derivations.faces.report import difference
from derivations.faces.supply import conditions_with_help, to_assume
from derivations.faces.verify import Options, verify

WORKER = (sys.executable, str(Path(__file__).with_name("stand_in_worker.py")))
KEYS = {"name", "title", "verdict", "statement", "steps", "numerics", "seconds"}
STEP_KEYS = {"relation", "line", "proof", "evidence", "reasons", "givens", "obligations", "counterexample"}
CHECK_KEYS = {"step", "method", "outcome", "alpha", "beta", "delta", "samples", "error", "seed"} | {
    "variance_bound",
    "variance_bound_from",
    "log_evidence",
    "rival_log_evidence",
    "threshold",
}


def run(capfd, names, *folders, **options):
    code = verify(names, Options(library=folders, **options), WORKER)
    captured = capfd.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("name", "word", "code"),
    [
        ("fine", "proved", 0),
        ("open", "supported", 1),
        ("false", "refuted", 1),
        ("conditional", "conditional", 1),
        ("conditional_false", "conflict", 3),
        ("conditions_false", "conflict", 3),
        ("vacuous", "vacuous", 1),
        ("conflict", "conflict", 3),
        ("inconclusive", "unconfirmed", 1),
        ("error", "unconfirmed", 1),
        ("crash", "unconfirmed", 1),
        ("crash_in_prover", "unknown", 1),
        ("error_in_prover", "supported", 1),
    ],
)
def test_verdicts_and_exit_codes(capfd, trials, name, word, code):
    found, out, _ = run(capfd, [f"trial.{name}"], trials)
    assert found == code
    assert re.search(rf"^trial\.{name} +{word} ", out, re.MULTILINE)
    assert f"1 derivation: 1 {word} (seed 0" in out.splitlines()[-1]


def test_options_let_more_pass(capfd, trials):
    assert run(capfd, ["trial.conditional"], trials, allow_conditional=True)[0] == 0
    assert run(capfd, ["trial.conditional"], trials, symbolic_only=True)[0] == 1
    code, out, _ = run(capfd, ["trial.fine"], trials, symbolic_only=True)
    assert code == 0
    assert "proved_symbolically" in out
    assert "not run" in out


def test_a_refuted_step_is_shown_whole(capfd, trials):
    _, out, _ = run(capfd, ["trial.false"], trials, seed=5)
    for text in (
        "trial.false: refuted",
        "step 2: refuted",
        "      s + 0\n    = s·1",
        "left side  d\n",
        "right side d^2",
        "difference d - d^2\n",
        "step 2 also needs independence: s > 0; add by.independence",
        "counterexample: d = 2",
        f"python -m derivations why trial.false --step 2 --library {trials}",
        f"python -m derivations verify trial.false --seed 5 --library {trials}",
    ):
        assert text in out
    assert "step 1" not in out


def test_an_open_condition_is_named_and_both_sides_are_not_where_they_agree(capfd, trials):
    out = run(capfd, ["trial.conditional"], trials)[1]
    assert "holds only if s ≠ 0" in out
    assert "left side" not in out


@pytest.mark.parametrize(
    ("kind", "text", "how"),
    [
        ("nonzero", "a is not zero", 'note.scalar("a", nonzero=True) or positive=True'),
        ("positive", "σ_Q is positive", 'note.scalar("sigma_Q", positive=True)'),
        ("nonzero", "σ² is not zero", 'note.scalar("sigma", nonzero=True) or positive=True'),
        ("nonzero", "x_i is not zero", "give the scalars and vectors in it a sign"),
        ("nonnegative", "a b is not negative", "such as nonnegative=True"),
        ("nonzero", "x_i - x_j is not zero, but it is zero at i = j", "note.given(distinct(i, j))"),
        ("exists", "Var(X) exists", "variance=… or note.given(has_moment(X, 2, …))"),
        ("rank", "x_(2) exists: there are enough entries", "dimension_at_least(n, …)"),
    ],
)
def test_how_to_assume_a_condition(kind, text, how):
    assert how in to_assume(kind, text)


def test_what_helps_against_several_conditions_is_said_once():
    told = conditions_with_help([("nonzero", "a is not zero"), ("exists", "E[X] exists"), ("exists", "E[Y] exists")])
    assert [bool(how) for _, how in told] == [True, False, True]


def test_nothing_helps_against_what_is_impossible():
    assert not to_assume("impossible", "x_i - x_j is not zero, but it is zero at i = j")


def test_what_a_difference_is():
    assert difference("=", "a*(b + 1)^(-1)", "c", "a - c - b*c") == "a - c - b*c (denominators cleared)"
    assert difference("=", "a*b^(-1)", "c", "a*b^(-1) - c") == "a*b^(-1) - c"
    assert difference("=", "a", "c", "a - c") == "a - c"
    assert difference("<=", "a*b^(-1)", "c", "a*b^(-1) - c") == "a*b^(-1) - c"
    assert difference("<=>", "a", "c", "a") == ""


def test_a_condition_that_may_fail_is_named_where_a_conditional_step_is_refuted(capfd, trials):
    _, out, _ = run(capfd, ["trial.conditional_false"], trials)
    assert "trial.conditional_false: conflict (proved under a condition and yet refuted by the numerics)" in out
    assert "either it fails at the counterexample that s ≠ 0, or this program has a bug" in out
    _, out, _ = run(capfd, ["trial.conditions_false"], trials)
    assert "either one of these fails at the counterexample, or this program has a bug: s ≠ 0; s is odd" in out
    _, out, _ = run(capfd, ["trial.conflict"], trials)
    assert "which is a bug of this program" in out
    assert "either" not in out


def test_cases_and_parts_are_named_beside_their_steps(capfd, structured):
    _, out, _ = run(capfd, ["structured.cases_false"], structured)
    assert "  step 2 (case n ≥ 2): conflict" in out
    _, out, _ = run(capfd, ["structured.both", "structured.cases", "structured.solved"], structured, json=True)
    both, cases, solved = json.loads(out)["derivations"]
    assert [step["label"] for step in both["steps"]] == [" (structured.square)", " (structured.solved)"]
    assert [step["label"] for step in cases["steps"]] == [" (case n = 1)", *[" (case n ≥ 2)"] * 2]
    assert solved["steps"][0]["relation"] == "<=>"
    assert solved["steps"][0]["label"] == ""
    assert solved["steps"][0]["certificate"] == "factor c ≠ 0"


def test_a_conjunction_in_json(capfd, structured):
    _, out, _ = run(capfd, ["structured.both", "structured.square"], structured, json=True)
    both, square = json.loads(out)["derivations"]
    assert both["statement"] == (
        r"\left\{\begin{aligned} &a^{2} + b^{2} \ge 2 a b, \\ &c a = c \iff a = 1 \end{aligned}\right."
    )
    assert [part["name"] for part in both["parts"]] == ["structured.square", "structured.solved"]
    assert both["parts"][1]["givens"] == ["c > 0"]
    assert both["parts"][0]["title"] == {"en": "Square", "zh": "平方"}
    assert "parts" not in square


def test_a_citation_in_json(capfd, structured):
    _, out, _ = run(capfd, ["structured.cited"], structured, json=True)
    assert json.loads(out)["derivations"][0]["steps"][0]["cited"] == ["structured.square"]


def test_a_time_out_keeps_the_proof(capfd, trials):
    code, out, _ = run(capfd, ["trial.hang", "trial.hang_in_prover", "trial.fine"], trials, timeout=3.0, jobs=2)
    assert code == 1
    assert re.search(r"^trial\.hang +unconfirmed +2 +2 inconclusive \(timed out\)", out, re.MULTILINE)
    assert re.search(r"^trial\.hang_in_prover +unknown +0 +timed out after 3 s", out, re.MULTILINE)
    assert re.search(r"^trial\.fine +proved", out, re.MULTILINE)
    assert "timed out after 3 s during the numerics" in out
    for name in ("trial.hang", "trial.hang_in_prover"):
        assert f"verify {name} --seed 0 --timeout 3 --library {trials}" in out


def test_a_crash_takes_nothing_with_it(capfd, trials):
    _, out, _ = run(capfd, ["trial.crash", "trial.crash_in_prover", "trial.fine"], trials, jobs=1)
    assert "its process ended by SIGABRT during the numerics" in out
    assert "its process ended with exit code 7" in out
    assert re.search(r"^trial\.fine +proved", out, re.MULTILINE)


def test_malformed_derivations_say_which_and_why(capfd, malformed):
    code, out, err = run(capfd, [], malformed)
    assert code == 1
    for text in ("no steps", "mixes <= and >=", "free index i", "NameError: name 'undefined'"):
        assert re.search(rf"odd\.\w+: unknown \(.*odd\.py, line \d+: .*{text}", out)
    assert re.search(r"^odd\.fine +proved", out, re.MULTILINE)
    assert "Traceback" not in out + err


def test_broken_files_are_named_with_their_line(capfd, broken):
    code, out, err = run(capfd, [], broken)
    assert code == 1
    line = (broken / "raising.py").read_text().splitlines().index("1 / 0") + 1
    assert f"raising.py, line {line}: ZeroDivisionError" in out
    assert "not examined: raising.one, raising.two" in out
    assert "syntax.py, line 1: SyntaxError" in err
    assert re.search(r"^softmax\.jacobian +proved", out, re.MULTILINE)
    assert "Traceback" not in out + err


def test_of_two_derivations_with_one_name_the_other_may_be_meant(capfd, tmp_path):
    (tmp_path / "softmax.py").write_text(
        "from derivations import derivation, equals\n\n"
        '@derivation(title=("Mine", "我的"))\n'
        "def sums_to_one(note):\n"
        '    z = note.scalar("z")\n'
        "    return note.chain(z, equals(z + 1))\n",
        encoding="utf-8",
    )
    code, _, err = run(capfd, ["softmax.sums_to_one"], tmp_path, symbolic_only=True)
    assert code == 1
    assert "softmax.sums_to_one is already defined in" in err
    assert run(capfd, ["softmax.jacobian"], tmp_path, symbolic_only=True)[0] == 0


def test_json_keys_and_order(capfd, trials):
    names = ["trial.false", "softmax.jacobian", "trial.fine", "trial.hang_in_prover"]
    code, out, _ = run(capfd, names, trials, json=True, jobs=2, timeout=3.0)
    assert code == 1
    whole = json.loads(out)
    assert {"seed", "summary", "derivations"} <= set(whole)
    assert whole["summary"] == {"proved": 2, "unknown": 1, "refuted": 1}
    assert [one["name"] for one in whole["derivations"]] == names
    for one in whole["derivations"]:
        assert set(one) >= KEYS
        assert set(one["title"]) == {"en", "zh"}
        assert set(one["seconds"]) == {"symbolic", "numeric"}
        assert all(set(step) >= STEP_KEYS for step in one["steps"])
        assert all(set(check) >= CHECK_KEYS for check in one["numerics"])
    refuted = whole["derivations"][0]
    assert refuted["steps"][1]["counterexample"] == {"assignment": "d = 2", "left": "2", "right": "4"}
    assert refuted["numerics"][0]["variance_bound"] == "inf"
    assert whole["derivations"][3]["error"] == "timed out after 3 s"
    assert "NaN" not in out


def test_json_holds_nothing_but_json(capfd, trials):
    _, out, err = run(capfd, ["trial.prints"], trials, json=True)
    assert json.loads(out)["summary"] == {"proved": 1}
    assert "a library prints" in err


def test_one_job_and_several_agree(capfd, trials):
    names = ["attention", "softmax", "trial.false", "trial.open"]
    reports = []
    for jobs in (1, 3):
        whole = json.loads(run(capfd, names, trials, json=True, jobs=jobs)[1])
        for one in whole["derivations"]:
            del one["seconds"]
        reports.append(whole)
    assert reports[0] == reports[1]


def test_nothing_to_verify(capfd, trials):
    assert "name" in run(capfd, ["trial.fine"], trials)[1]
    missing, _, err = run(capfd, ["trial.fine"], trials, trials / "nowhere")
    assert missing == 0
    assert "no such folder" in err


PROGRAM = """
import sys
from pathlib import Path
from derivations.faces.verify import Options, verify
options = Options(library=(Path(sys.argv[1]),), jobs=1, json=bool(sys.argv[2]))
sys.exit(verify(["trial.fine", "trial.hang", "trial.open"], options, sys.argv[3:]))
"""


@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_loses_nothing(trials, as_json):
    command = [sys.executable, "-c", PROGRAM, str(trials), "yes" if as_json else "", *WORKER]
    # A group of its own, as a shell gives one: the signal goes to the whole of it.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    ) as process:
        assert process.stderr is not None
        assert "hanging" in process.stderr.readline()
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - begun < 5
    assert "Traceback" not in err
    if as_json:
        whole = json.loads(out)
        assert [one["verdict"] for one in whole["derivations"]] == ["proved", "unconfirmed"]
        assert whole["interrupted"] == {"not_reached": 1}
    else:
        assert re.search(r"^trial\.fine +proved", out, re.MULTILINE)
        assert "interrupted during the numerics" in out
        assert "interrupted; 2 of 3 derivations: 1 proved, 1 unconfirmed" in out


def children() -> set[str]:
    """The processes that this one has started, where the system lists them."""
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(listed.read_text().split()) if listed.exists() else set()


def test_no_worker_survives(capfd, trials):
    before = children()  # another test may have left the helper of a process pool
    run(capfd, ["trial.hang", "trial.fine"], trials, timeout=2.0, jobs=2)
    assert children() <= before
