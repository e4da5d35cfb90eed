from __future__ import annotations

import pytest

TRIALS = (
    "fine open false conditional conditional_false conditions_false vacuous conflict inconclusive hang crash error "
    "prints crash_in_prover hang_in_prover error_in_prover"
)
HEAD = "from derivations import at_least, at_most, derivation, equal, equals, iff\n"
TRIAL = """
@derivation(title=("Title of {0}", "标题"))
def {0}(note):
    s = note.scalar("s", positive=True)
    return note.chain(s, equals(s + 0), equals(s * 1))
"""
STRUCTURED = """
@derivation(title=("Square", "平方"))
def square(note):
    a, b = note.scalar("a"), note.scalar("b")
    return note.chain(a**2 + b**2, at_least(2*a*b, slack=(a - b)**2))

@derivation(title=("Solved", "解"))
def solved(note):
    a, c = note.scalar("a"), note.scalar("c", positive=True)
    return note.chain(equal(c*a, c), iff(equal(a, 1), factor=c))

@derivation(title=("Cited", "引用"))
def cited(note):
    s, t = note.scalar("s"), note.scalar("t")
    return note.chain(s**2 + t**2 + 1, at_least(2*s*t + 1, note.cite("structured.square", a=s, b=t)))

@derivation(title=("Both", "两条"))
def both(note):
    return note.conjunction(note.cite("structured.square"), note.cite("structured.solved"))

@derivation(title=("Cases", "分情形"))
def cases(note):
    n = note.dimension("n")
    return note.cases(n, one=note.chain(n + n, equals(2*n)), more=note.chain(n + n, equals(n*2), equals(2*n)))

@derivation(title=("Cases, one of them false", "分情形，其一不成立"))
def cases_false(note):
    n = note.dimension("n")
    return note.cases(n, one=note.chain(n, equals(1)), more=note.chain(n, equals(1)))

@derivation(title=("A condition", "条件"))
def condition(note):
    sigma = note.scalar("sigma")
    return note.chain(sigma/sigma, equals(1))
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
def structured(tmp_path):
    """A folder with cases, a conjunction, an equivalence, a certificate and a citation."""
    folder = tmp_path / "structured"
    folder.mkdir()
    (folder / "structured.py").write_text(HEAD + STRUCTURED, encoding="utf-8")
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
