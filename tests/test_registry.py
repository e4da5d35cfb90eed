"""Finding derivations without running their files, and running them so that one bad file hides no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from derivations.loading import LoadError, load
from derivations.registry import UnknownName, nearest, read_registry, select

ISSUE = {
    "attention.dot_product_mean",
    "attention.dot_product_variance",
    "attention.dot_product_variance_general",
    "attention.scaled_dot_product_variance",
    "softmax.sums_to_one",
    "softmax.jacobian",
    "softmax.jacobian_symmetric",
    "softmax.jacobian_rows_sum_to_zero",
    "softmax.logsumexp_gradient",
    "softmax.cross_entropy_gradient",
}
GOOD = """
from derivations import Chain, Note, derivation, equals

BOOK = "A book"

@derivation(title=("Good", "好"), source=BOOK)
def good(note: Note) -> Chain:
    s = note.scalar("s")
    return note.chain(s, equals(s + 0))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fine.py").write_text(GOOD, encoding="utf-8")
    return tmp_path


def found_in(folder):
    registry = read_registry([folder])
    return registry, [one for one in registry.listings if one.file.startswith(str(folder))]


def test_the_library_is_found():
    registry = read_registry()
    assert set(registry.by_name) >= ISSUE
    assert not registry.faults
    assert all(one.title_en and one.title_zh and one.source for one in registry.listings)


@pytest.mark.parametrize("listing", read_registry().listings, ids=lambda one: one.name)
def test_what_is_listed_is_what_is_read(listing):
    derivation = load(listing)
    assert derivation.name == listing.name
    assert (derivation.title.en, derivation.title.zh) == (listing.title_en, listing.title_zh)
    assert derivation.source == listing.source
    assert derivation.file == listing.file


def test_finding_imports_no_sympy():
    program = (
        "import sys; from derivations.registry import read_registry; read_registry(); print('sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_folder_of_ones_own(folder):
    _, own = found_in(folder)
    assert [(one.name, one.title_zh, one.source) for one in own] == [("fine.good", "好", "A book")]
    assert load(own[0]).name == "fine.good"


def test_a_missing_folder_is_said(tmp_path):
    (fault,) = read_registry([tmp_path / "nowhere"]).faults
    assert "no such folder" in str(fault)


def test_a_syntax_error_is_named_with_its_line_and_hides_nothing(folder):
    (folder / "broken.py").write_text("x = 1\ndef f(:\n")
    registry, own = found_in(folder)
    assert [one.name for one in own] == ["fine.good"]
    (fault,) = registry.faults
    assert "broken.py, line 2: SyntaxError" in str(fault)


@pytest.mark.parametrize("text", [b"\xff\xfe\x00", b"x = '\x00'", b"# coding: nonsense\n"])
def test_a_file_that_is_no_python_is_named(folder, text):
    (folder / "broken.py").write_bytes(text)
    registry, own = found_in(folder)
    assert [one.name for one in own] == ["fine.good"]
    assert "broken.py" in str(registry.faults[0])


@pytest.mark.parametrize(
    ("decorator", "message"),
    [
        ("@derivation(title=make())", "two literal strings"),
        ("@derivation(title=('only one',))", "two literal strings"),
        ("@derivation()", "two literal strings"),
        ("@derivation(title=('a', 'b'), source=make())", "literal string"),
    ],
)
def test_a_decorator_that_cannot_be_read_is_named(folder, decorator, message):
    (folder / "odd.py").write_text(f"\n{decorator}\ndef f(note): ...\n")
    registry, _ = found_in(folder)
    assert "odd.py, line 2" in str(registry.faults[0])
    assert message in str(registry.faults[0])


def test_a_name_defined_twice_is_named(folder):
    (folder / "twice.py").write_text(GOOD + GOOD, encoding="utf-8")
    registry, _ = found_in(folder)
    assert "twice.good is already defined" in str(registry.faults[0])


def test_a_file_that_raises_is_named_with_its_line(folder):
    (folder / "raising.py").write_text(GOOD + "\n1 / 0\n", encoding="utf-8")
    _, own = found_in(folder)
    with pytest.raises(LoadError, match=r"raising.py, line 11: ZeroDivisionError") as caught:
        load(next(one for one in own if one.family == "raising"))
    assert caught.value.whole_file


def test_a_function_that_raises_is_named_with_its_line(folder):
    (folder / "raising.py").write_text(GOOD.replace("s + 0", "s + t"), encoding="utf-8")
    _, own = found_in(folder)
    with pytest.raises(LoadError, match=r"raising.py, line 9: NameError") as caught:
        load(next(one for one in own if one.family == "raising"))
    assert not caught.value.whole_file


BODIES = {
    "no steps": ("return note.chain(s)", "no steps"),
    "mixed": ("return note.chain(s, at_most(s + 1), at_least(s))", "mixes"),
    "stray": ("return note.chain(s, equals(x[i]))", "free index i"),
    "captured": ("return note.chain(x[i], equals(x[i] * Sum(x[i], i)))", "both free and under a sum"),
    "float": ("return note.chain(s, equals(0.5 * s))", "floating-point"),
    "no chain": ("return None", "return note.chain"),
    "reason": ("return note.chain(s, equals(s, by.independance))", "did you mean independence"),
}


@pytest.mark.parametrize("body", BODIES)
def test_a_malformed_derivation_says_which_and_why(tmp_path, body):
    text, message = BODIES[body]
    (tmp_path / "odd.py").write_text(
        "from derivations import Sum, at_least, at_most, by, derivation, equals\n"
        "@derivation(title=('a', 'b'))\n"
        "def f(note):\n"
        "    n = note.dimension('n')\n"
        "    i, x, s = note.index('i', n), note.vector('x', n), note.scalar('s')\n"
        f"    {text}\n"
    )
    _, own = found_in(tmp_path)
    with pytest.raises(LoadError, match=message) as caught:
        load(own[0])
    assert "odd.py, line " in str(caught.value)


def test_selection():
    registry = read_registry()
    everything = select(registry, [])
    assert {one.name for one in everything} >= ISSUE
    assert {one.family for one in select(registry, ["attention"])} == {"attention"}
    assert select(registry, ["attention.*"]) == select(registry, ["attention"])
    order = ["softmax.jacobian", "attention.dot_product_mean"]
    assert [one.name for one in select(registry, [*order, "softmax.jacobian"])] == order


def test_an_unknown_name_gets_its_neighbours():
    registry = read_registry()
    with pytest.raises(UnknownName, match=r"did you mean softmax.jacobian"):
        select(registry, ["softmax.jacobean"])
    assert "softmax.jacobian" in nearest(registry, "jacobian")
    assert "attention" in nearest(registry, "atention")
    with pytest.raises(UnknownName, match="list"):
        select(registry, ["zzzzzzzz"])


def test_a_decorator_without_its_title_is_named_with_its_line(tmp_path: Path):
    (tmp_path / "bare.py").write_text(
        "from derivations import derivation\n\n\n@derivation\ndef one(note):\n    return None\n", encoding="utf-8"
    )
    (fault,) = read_registry((tmp_path,)).faults
    assert fault.line == 5
    assert "title" in fault.message


def test_the_line_of_a_mistake_is_found_by_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("wrong.py").write_text(
        "from derivations import derivation\n\n\n@derivation(title=('a', '一'))\n"
        "def one(note):\n    note.chain(\n        z\n    )\n",
        encoding="utf-8",
    )
    registry = read_registry((Path(),))
    with pytest.raises(LoadError) as caught:
        load(registry.by_name["wrong.one"], registry)
    assert caught.value.fault.line == 7
