"""A derivation that is not well formed is refused with the line and what to change."""

import pytest

from derivations import (
    Derivative,
    E,
    LanguageError,
    Note,
    Sum,
    Var,
    at_least,
    at_most,
    by,
    derivation,
    dot,
    equals,
    greater_than,
    independent,
    less_than,
    normal,
    softmax,
)
from derivations.authoring import Chain, DerivationError, iff, instantiate
from derivations.language.arrays import array
from derivations.language.givens import has_mean, has_moment, has_variance, identically_distributed, independent_entries
from derivations.records import Line, Relation


def read(author):
    return derivation(title=("A title", "标题"), source="A book")(author).read("family.")


def refused(author):
    with pytest.raises(DerivationError) as caught:
        read(author)
    return str(caught.value)


def test_a_derivation_is_read_with_its_lines_givens_and_titles():
    def mean(note: Note):
        n = note.dimension("n")
        i = note.index("i", n)
        X = note.random_vector("X", n, mean=0, variance=1)
        return note.chain(E(Sum(X[i], i)), equals(Sum(E(X[i]), i), by.linearity), equals(0, by.moments))

    found = read(mean)
    X = found.givens[0].args[0]
    assert found.name == "family.mean"
    assert (found.title.en, found.title.zh, found.source) == ("A title", "标题", "A book")
    assert [line.reasons for line in found.lines] == [("linearity",), ("moments",)]
    assert set(found.givens) == {
        independent_entries(X),
        identically_distributed(X),
        has_mean(X, 0),
        has_variance(X, 1),
    }
    assert found.relation is Relation.EQUALS
    assert [step.number for step in found.steps] == [1, 2]
    assert found.file.endswith("test_authoring.py")


def test_each_reading_has_a_note_of_its_own():
    def declared(note: Note):
        a = note.scalar("a", positive=True)
        return note.chain(a, equals(a))

    entry = derivation(title=("A", "甲"))(declared)
    assert entry.read() == entry.read()
    assert len(entry.read().givens) == 1


def test_a_chain_without_steps_is_refused():
    assert "no steps" in refused(lambda note: note.chain(note.scalar("a")))


def test_a_function_that_returns_no_chain_is_refused():
    assert "return note.chain" in refused(lambda note: note.scalar("a"))
    assert "return note.chain" in refused(lambda note: None)


def test_a_line_that_is_none_is_refused():
    message = refused(lambda note: note.chain(note.scalar("a"), note.scalar("a")))
    assert "a is not a line; write equals(...)" in message


def test_a_stray_index_is_named_with_its_line():
    def stray(note: Note):
        n = note.dimension("n")
        i, j = note.index("i", n), note.index("j", n)
        x = note.vector("x", n)
        return note.chain(Sum(x[i], i), equals(Sum(x[j], j)), equals(x[j]))

    message = refused(stray)
    assert "line 2 has the free index j" in message
    assert message.startswith("family.stray")


def test_an_index_both_free_and_bound_is_named_with_its_line():
    def clash(note: Note):
        n = note.dimension("n")
        i = note.index("i", n)
        x = note.vector("x", n)
        return note.chain(x[i], equals(x[i] * Sum(x[i], i)))

    assert "line 1 uses the index i both free and under a sum" in refused(clash)


def test_a_clash_made_by_a_helper_is_found_too():
    def helped(note: Note):
        n = note.dimension("n")
        i = note.index("i", n)
        x = note.vector("x", n)

        def total(vector):
            return Sum(vector[i], i)

        return note.chain(x[i] / total(x), equals(x[i] / total(x)))

    assert "line 0 uses the index i" in refused(helped)


def test_the_index_of_a_derivative_counts_as_free():
    def gradient(note: Note):
        n = note.dimension("n")
        i, j = note.index("i", n), note.index("j", n)
        x = note.vector("x", n)
        return note.chain(Derivative(softmax(x)[i], x[i]), equals(Derivative(softmax(x)[i], x[j])))

    assert "free index j" in refused(gradient)


@pytest.mark.parametrize(
    ("first", "second"),
    [(at_most, at_least), (at_most, greater_than), (less_than, at_least), (greater_than, less_than)],
)
def test_mixed_directions_are_refused(first, second):
    def mixed(note: Note):
        a = note.scalar("a")
        return note.chain(a, first(a), second(a))

    message = refused(mixed)
    assert "mixes" in message
    assert "split the chain" in message


@pytest.mark.parametrize(
    ("lines", "relation"),
    [
        ((equals, equals), "="),
        ((equals, at_most), "<="),
        ((at_most, less_than), "<"),
        ((at_least, equals), ">="),
        ((at_least, greater_than, equals), ">"),
    ],
)
def test_the_relation_of_a_chain_is_computed(lines, relation):
    def chained(note: Note):
        a = note.scalar("a")
        return note.chain(a, *(line(a) for line in lines))

    assert read(chained).relation == relation


def test_lines_of_different_shapes_are_refused():
    def shapes(note: Note):
        n = note.dimension("n")
        x = note.vector("x", n)
        return note.chain(x, equals(2 * x), equals(dot(x, x)))

    assert "line 2 is a scalar but the first line is n" in refused(shapes)


def test_a_language_error_is_told_with_the_derivation():
    def wrong(note: Note):
        n, m = note.dimension("n"), note.dimension("m")
        return note.chain(dot(note.vector("x", n), note.vector("y", m)), equals(0))

    message = refused(wrong)
    assert message.startswith("family.wrong: ")
    assert "the first vector has n entries and the second m" in message
    with pytest.raises(DerivationError) as caught:
        read(wrong)
    assert isinstance(caught.value.__cause__, LanguageError)


def test_a_float_in_a_line_is_refused():
    assert "floating-point" in refused(lambda note: note.chain(note.scalar("a"), equals(0.5)))


def test_an_unknown_reason_names_near_ones():
    for wrong, right in (("independance", "independence"), ("defintion", "definition"), ("moment", "moments")):
        with pytest.raises(DerivationError, match=f"no reason by.{wrong}; did you mean .*{right}"):
            getattr(by, wrong)


def test_an_unknown_reason_without_a_near_one_lists_all():
    with pytest.raises(DerivationError, match="there are algebra, definition"):
        _ = by.magic


def test_a_reason_that_is_no_theory_is_refused():
    with pytest.raises(DerivationError, match="'because' is no reason"):
        equals(1, "because")


def test_reasons_are_kept_in_order_and_once():
    line = equals(1, by.moments, by.independence, by.moments)
    assert isinstance(line, Line)
    assert line.reasons == ("moments", "independence")
    assert set(dir(by)) >= {"independence", "moments", "definition"}


@pytest.mark.parametrize(
    "declare",
    [
        lambda note: (note.scalar("a"), note.dimension("a")),
        lambda note: (note.vector("x", note.dimension("n")), note.scalar("x")),
        lambda note: (note.vector("x", note.dimension("n")), note.vector("x", note.dimension("m"))),
        lambda note: (note.index("i", note.dimension("n")), note.index("i", note.dimension("m"))),
        lambda note: (note.random_scalar("X"), note.vector("X", note.dimension("n"))),
    ],
)
def test_a_name_declared_twice_with_different_meanings_is_refused(declare):
    with pytest.raises(DerivationError, match="is declared twice with different meanings"):
        declare(Note())


def test_a_name_declared_twice_with_one_meaning_is_one_object():
    note = Note()
    n = note.dimension("n")
    assert note.dimension("n") == n
    assert note.index("i", n) == note.index("i", n)
    assert note.scalar("a") == note.scalar("a", positive=True)
    assert len(note.givens) == 1


def test_givens_are_recorded_once_and_nothing_else_is_one():
    note = Note()
    X, Y = note.random_scalar("X"), note.random_scalar("Y")
    note.given(independent(X, Y), independent(X, Y))
    assert note.givens == (independent(X, Y),)
    with pytest.raises(DerivationError, match="is no assumption"):
        note.given(X)


def test_the_keywords_of_a_random_object_become_givens():
    note = Note()
    X = note.random_scalar("X", mean=1, fourth_moment=5)
    assert note.givens == (has_mean(X, 1), has_moment(X, 4, 5))
    with pytest.raises(DerivationError, match="kurtosis= is unknown for Y; there are mean, variance"):
        note.random_scalar("Y", kurtosis=3)
    with pytest.raises(DerivationError, match="a law is given as law="):
        note.random_scalar("Z", mean=normal(0, 1))


def test_independence_inside_a_vector_can_be_left_out():
    note = Note()
    X = note.random_vector("X", note.dimension("n"), independent=False, identical=False, mean=0)
    assert note.givens == (has_mean(X, 0),)


def test_a_line_of_numbers_is_no_statement():
    note = Note()
    a = note.scalar("a")
    with pytest.raises(DerivationError, match="statements are lines of iff"):
        note.chain(a, iff(a))
    assert isinstance(note.chain(Var(a), equals(0)), Chain)


def test_a_citation_cannot_capture():
    def gradient(note: Note):
        n = note.dimension("n")
        j = note.index("j", n)
        x, y = note.vector("x", n), note.vector("y", n)
        return note.chain(Derivative(dot(x, y), x[j]), equals(y[j], by.definition, by.derivative))

    theorem = read(gradient)
    x = theorem.start.args[0].args[0]
    with pytest.raises(LanguageError, match="y is held fixed"):
        instantiate(theorem, {"y": x})
    z = array("z", *x.shape)
    assert instantiate(theorem, {"y": z}).end == z[theorem.end.indices[0]]
