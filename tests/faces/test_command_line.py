"""The command line: what is printed, where, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time

import pytest

from derivations.faces.command_line import main


def run(capsys, *arguments):
    code = main(list(map(str, arguments)))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_list(capsys):
    code, out, err = run(capsys, "list")
    assert (code, err) == (0, "")
    assert re.search(r"^attention\.dot_product_variance +Variance of a dot product$", out, re.MULTILINE)
    assert re.search(r"^softmax\.jacobian +softmax 的雅可比矩阵$", run(capsys, "list", "--lang", "zh")[1], re.MULTILINE)
    assert {line.split(".")[0] for line in run(capsys, "list", "softmax.*")[1].splitlines()} == {"softmax"}


def test_list_names_a_broken_file_and_lists_the_rest(capsys, broken):
    code, out, err = run(capsys, "list", "--library", broken)
    assert code == 1
    assert "raising.one" in out
    assert "softmax.jacobian" in out
    assert "syntax.py, line 1: SyntaxError" in err


def test_show(capsys):
    code, out, _ = run(capsys, "show", "softmax.jacobian")
    assert code == 0
    assert "= softmax(x)_i (δ_ij - softmax(x)_j)" in out
    assert "求导法则" in run(capsys, "show", "softmax.jacobian", "--lang", "zh")[1]


def test_showing_says_how_to_verify(capsys, structured):
    out = run(capsys, "show", "structured.*", "--library", structured)[1]
    asked = f"python -m derivations verify 'structured.*' --library {structured}"
    assert out.endswith(f"\n\nNot verified here; to verify: {asked}\n")
    assert "检验用命令：python" in run(capsys, "show", "softmax.jacobian", "--lang", "zh")[1].splitlines()[-1]


def test_latex(capsys):
    code, out, _ = run(capsys, "latex", "attention.dot_product_variance")
    assert code == 0
    assert r"\operatorname{Var}(Q \cdot K)" in out


def test_latex_as_a_document(capsys):
    code, out, _ = run(capsys, "latex", "softmax.jacobian", "softmax.sums_to_one", "--standalone")
    assert code == 0
    assert out.startswith("% Compile with pdflatex.")
    assert out.count(r"\begin{align*}") == 2
    assert out.endswith("\\end{document}\n")
    assert "xelatex" in run(capsys, "latex", "softmax.jacobian", "--standalone", "--lang", "zh")[1]


def test_latex_to_a_file(capsys, tmp_path):
    file = tmp_path / "out.tex"
    code, out, _ = run(capsys, "latex", "softmax.jacobian", "--lang", "zh", "-o", file)
    assert (code, out) == (0, "")
    assert "由定义" in file.read_text(encoding="utf-8")
    code, _, err = run(capsys, "latex", "softmax.jacobian", "-o", tmp_path / "no" / "out.tex")
    assert code == 2
    assert "cannot write" in err


@pytest.mark.parametrize("command", [["show"], ["latex"], ["verify"], ["list"], ["why", "--step", "1"]])
def test_an_unknown_name(capsys, command):
    code, out, err = run(capsys, *command, "softmax.jacobean")
    assert (code, out) == (2, "")
    assert "did you mean softmax.jacobian" in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["prove"],
        ["show"],
        ["why", "softmax.jacobian"],
        ["why", "softmax.jacobian", "--step", "0"],
        ["verify", "--jobs", "0"],
        ["verify", "--seed", "x"],
        ["verify", "--seed", "-1"],
        ["verify", "--timeout", "nan"],
        ["latex", "softmax.jacobian", "--lang", "fr"],
    ],
)
def test_bad_usage(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["show"], ["latex"], ["why", "--step", "1"]])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("odd.no_steps", "no steps"),
        ("odd.mixed", "mixes <= and >="),
        ("odd.stray", "free index i"),
        ("odd.raises", "NameError"),
    ],
)
def test_a_malformed_derivation(capsys, malformed, command, name, message):
    code, out, err = run(capsys, *command, name, "--library", malformed)
    assert (code, out) == (2, "")
    assert name in err
    assert message in err
    assert re.search(r"odd\.py, line \d+", err)


UNTITLED = """
from derivations import derivation

@derivation(title="one")
def fine(note):
    return note.chain(1, 1)
"""


@pytest.mark.parametrize("command", [["show"], ["verify"], ["why", "--step", "1"]])
@pytest.mark.parametrize("text", ["def f(:\n", UNTITLED])
def test_a_file_that_cannot_be_read_is_told_once(capsys, tmp_path, command, text):
    (tmp_path / "notes.py").write_text(text, encoding="utf-8")
    code, out, err = run(capsys, *command, "notes.fine", "--library", tmp_path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "notes.py, line" in err
    assert "there is no derivation other" in run(capsys, *command, "other", "--library", tmp_path)[2]


def test_a_library_is_a_folder(capsys, structured):
    _, _, err = run(capsys, "show", "structured.square", "--library", structured / "structured.py")
    assert err == f"derivations: {structured / 'structured.py'}: is a file; give its folder\n"


def test_why_of_a_family(capsys):
    code, _, err = run(capsys, "why", "spread", "--step", "1")
    assert code == 2
    assert "spread is a family; name one of spread.range_scales_with_deviation, " in err
    assert "there is no derivation" not in err


def test_the_good_ones_are_still_shown(capsys, malformed):
    code, out, err = run(capsys, "show", "odd", "--library", malformed)
    assert code == 2
    assert "Title of fine" in out
    assert err.count("odd.py, line") == 4


def test_why(capsys):
    code, out, _ = run(capsys, "why", "attention.dot_product_variance", "--step", 2)
    assert code == 0
    for text in ("step 2: closed", "Var(Σ_i Q_i K_i)", "difference   0", "independence", "Q and K are independent"):
        assert text in out


def test_why_with_cases_parts_and_citations(capsys, structured):
    def why(name, step):
        return run(capsys, "why", f"structured.{name}", "--step", step, "--library", structured)[1]

    assert "structured.cases, step 3 (case n ≥ 2): closed" in why("cases", 3)
    assert "structured.both, step 2 (structured.solved): closed" in why("both", 2)
    assert "  ⇔ a = 1" in why("solved", 1)
    assert "certificate  factor c ≠ 0" in why("solved", 1)
    assert "certificate  difference (a - b)² ≥ 0" in why("square", 1)
    assert "cites        structured.square: by “Square” with a = s, b = t" in why("cited", 1)


def test_obligations_are_told_in_the_authors_notation(capsys, structured):
    out = run(capsys, "why", "structured.condition", "--step", "1", "--library", structured)[1]
    assert "σ is not zero: open, so the step holds only under this condition" in out
    assert 'to assume it: note.scalar("sigma", nonzero=True) or positive=True' in out
    out = run(capsys, "why", "attention.scaled_dot_product_variance", "--step", 1)[1]
    assert "√d_k is not zero: its sign" in out
    assert "Var((Q · K)/√d_k) exists: the moments that are given" in out
    assert "sqrt(" not in out


def test_show_with_cases_and_parts(capsys, structured):
    out = run(capsys, "show", "structured", "--library", structured)[1]
    for text in ("Case n = 1\n", "All of these hold\n", "2. Solved (structured.solved)\n", "    ⇔ a = 1"):
        assert text in out


def test_why_a_step_that_is_not_there(capsys):
    code, _, err = run(capsys, "why", "softmax.jacobian", "--step", 9)
    assert code == 2
    assert "has steps 1 to 4, not 9" in err


def python(*arguments):
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    return done, time.perf_counter() - begun


def test_the_module_runs():
    done, seconds = python("-m", "derivations", "list")
    assert done.returncode == 0
    assert not done.stderr
    assert seconds < 1  # 0.25 s are asked for; a loaded machine is given more


def test_listing_imports_no_sympy():
    done, _ = python("-X", "importtime", "-m", "derivations", "list")
    assert "sympy" not in done.stderr


def test_verifying_keeps_sympy_out_of_the_parent():
    program = "import sys; from derivations.faces.command_line import main; main(['verify', 'softmax.jacobian', " \
        "'--symbolic-only']); print('sympy' in sys.modules)"  # fmt: skip
    done, _ = python("-c", program)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_reader_that_stops_early_is_no_error():
    command = f"{sys.executable} -m derivations latex attention softmax | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert not done.stderr


def test_a_terminal_without_unicode_gets_escapes():
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "derivations", "show", "softmax.jacobian"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert r"\u03b4_ij" in done.stdout


def test_verify_for_real(capfd):
    code = main(["verify", "attention.dot_product_mean", "softmax.jacobian", "--json", "--seed", "4"])
    whole = json.loads(capfd.readouterr().out)
    assert code == 0
    assert whole["seed"] == 4
    assert whole["summary"] == {"proved": 2}
