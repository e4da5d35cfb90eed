"""The command ``experiment``: what it prints in both languages, its figures, and what it refuses."""

from __future__ import annotations

import re

import pytest

from derivations.faces import experiment
from derivations.faces.command_line import main
from derivations.faces.tables import Table, number, table_text, with_error

SATURATION = ["experiment", "softmax-saturation", "--n", "6", "--seeds", "0:40"]
VARIANCE = ["experiment", "dot-product-variance", "--dimensions", "1,8", "--samples", "2000"]


@pytest.fixture(scope="module", autouse=True)
def _fewer_draws():
    import numerics.experiments.softmax_saturation as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_SAMPLES", 2000)
        yield


def run(capsys, *arguments):
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_saturation(capsys):
    code, out, err = run(capsys, *SATURATION)
    assert (code, err) == (0, "")
    assert "variance 1  variance 512" in out
    assert re.search(r"^  limit +∞ +0 +1\.\d+ ", out, re.MULTILINE)
    assert "The typical norm collapses: from variance 1 to 512" in out
    assert "No draw exceeds the bound" in out


def test_saturation_says_nothing_that_the_numbers_do_not_show(capsys):
    _, out, _ = run(capsys, *SATURATION, "--variances", "1,2")
    assert "collapses" not in out
    assert "Near-ties" not in out


def test_one_seed_and_many_scores(capsys):
    code, out, _ = run(capsys, "experiment", "softmax-saturation", "--n", "40", "--seeds", "7", "--variances", "3")
    assert code == 0
    assert "One draw, seed 7" in out
    assert "largest outputs: 12" in out


def test_variance(capsys):
    code, out, err = run(capsys, *VARIANCE)
    assert (code, err) == (0, "")
    assert re.search(r"^  d_k = theory +normal +uniform +Rademacher +Laplace$", out, re.MULTILINE)
    assert "Of 8 measured variances" in out


def test_chinese(capsys):
    assert "中位数" in run(capsys, *SATURATION, "--lang", "zh")[1]
    assert "拉普拉斯分布" in run(capsys, *VARIANCE, "--lang", "zh")[1]


@pytest.mark.parametrize("command", [SATURATION, VARIANCE])
@pytest.mark.parametrize(("name", "begins"), [("figure.svg", b"<?xml"), ("figure.PNG", b"\x89PNG")])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_figure(capsys, tmp_path, command, name, begins, language):
    file = tmp_path / name
    code, _, err = run(capsys, *command, "--lang", language, "--plot", file)
    assert (code, err) == (0, "")
    assert file.read_bytes().startswith(begins)


def test_the_same_figure_twice(capsys, tmp_path):
    files = [tmp_path / name for name in ("a.svg", "b.svg")]
    for file in files:
        run(capsys, *VARIANCE, "--plot", file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_matplotlib(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "find_spec", lambda name: None)
    code, out, err = run(capsys, *SATURATION, "--plot", tmp_path / "figure.svg")
    assert (code, out) == (2, "")
    assert "pip install 'derivations[plot]'" in err
    assert run(capsys, *SATURATION)[0] == 0


def test_a_figure_that_cannot_be_written(capsys, tmp_path):
    code, out, err = run(capsys, *SATURATION, "--plot", tmp_path / "none" / "figure.svg")
    assert (code, out) == (2, "")
    assert "no such folder" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "NAME"),
        (["softmax"], "invalid choice"),
        (["softmax-saturation", "--n", "1"], "not between 2"),
        (["softmax-saturation", "--n", "x"], "whole number"),
        (["softmax-saturation", "--variances", "1,,2"], "list of numbers"),
        (["softmax-saturation", "--variances", "-1"], "positive"),
        (["softmax-saturation", "--variances", "nan"], "positive"),
        (["softmax-saturation", "--seeds", "5:5"], "seeds run"),
        (["softmax-saturation", "--seeds=-3:5"], "seeds run"),
        (["softmax-saturation", "--seeds", "a:b"], "range of seeds"),
        (["softmax-saturation", "--plot", "figure.pdf"], "does not end in"),
        (["dot-product-variance", "--dimensions", "0,1"], "not between 1"),
        (["dot-product-variance", "--dimensions", "two"], "list of dimensions"),
        (["dot-product-variance", "--samples", "1"], "not between 2"),
        (["dot-product-variance", "--seed", "-1"], "not between 0"),
    ],
)
def test_bad_arguments(capsys, arguments, message):
    with pytest.raises(SystemExit) as stopped:
        main(["experiment", *arguments])
    captured = capsys.readouterr()
    assert (stopped.value.code, captured.out) == (2, "")
    assert message in captured.err


def test_numbers():
    assert [number(one) for one in (0, 1, 0.5, 12.34, 4096, 0.00123, 3.5e-4, -2.5e-15, 7e9)] == [
        "0", "1.00", "0.500", "12.3", "4096", "0.00123", "3.50×10⁻⁴", "-2.50×10⁻¹⁵", "7.00×10⁹",
    ]  # fmt: skip
    assert number(0.9999) == "1.00"
    assert with_error(1.5303, 0.0212) == "1.530 ± 0.021"
    assert with_error(517.6, 5.13) == "517.6 ± 5.1"
    assert with_error(1.0, 0.0) == "1.000"
    assert with_error(1.0, float("nan")) == "1.000"


def test_columns_of_chinese_line_up():
    text = table_text(Table("t", ("", "均值"), (("极差", "1"), ("x", "22"))))
    assert text.splitlines()[1:] == ["        均值", "  极差     1", "  x       22"]
