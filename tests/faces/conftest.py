from __future__ import annotations

import pytest

TRIALS = (
    "fine open false conditional conditional_false vacuous conflict inconclusive hang crash error prints "
    "crash_in_prover hang_in_prover error_in_prover"
)
HEAD = "from derivations import at_least, at_most, derivation, equals\n"
TRIAL = """
@derivation(title=("Title of {0}", "标题"))
def {0}(note):
    s = note.scalar("s", positive=True)
    return note.chain(s, equals(s + 0), equals(s * 1))
"""
MALFORMED = """
@derivation(title=("No steps", "没有步骤"))
def no_steps(note):
    return note.chain(note.scalar("s"))

@derivation(title=("Mixed", "方向不一致"))
def mixed(note):
    s = note.scalar("s")
    return note.chain(s, at_most(s + 1), at_least(s))

@derivation(title=("Stray", "多余的指标"))
def stray(note):
    n = note.dimension("n")
    i, x = note.index("i", n), note.vector("x", n)
    return note.chain(n, equals(x[i]))

@derivation(title=("Raises", "出错"))
def raises(note):
    return note.chain(undefined)
"""


@pytest.fixture
def trials(tmp_path):
    """A folder with one derivation for each thing that the stand-in engines can do."""
    folder = tmp_path / "trials"
    folder.mkdir()
    text = HEAD + "".join(TRIAL.format(name) for name in TRIALS.split())
    (folder / "trial.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def malformed(tmp_path):
    """A folder with derivations that are not well formed, beside one that is."""
    folder = tmp_path / "malformed"
    folder.mkdir()
    (folder / "odd.py").write_text(HEAD + MALFORMED + TRIAL.format("fine"), encoding="utf-8")
    return folder


@pytest.fixture
def broken(tmp_path):
    """A folder with a file that raises and one that is no Python."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "raising.py").write_text(HEAD + TRIAL.format("one") + TRIAL.format("two") + "1 / 0\n", encoding="utf-8")
    (folder / "syntax.py").write_text("def f(:\n", encoding="utf-8")
    return folder
