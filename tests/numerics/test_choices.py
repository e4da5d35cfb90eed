"""The choices of a draw: recorded, made again, and made simpler."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from known_statements import APART, STANDARD, VARIANCE, d_k

from derivations.records import Relation
from numerics.choices import Exhausted, Found, Prefixed, Recorded, Replayed, Shrinker, simpler
from numerics.examples import space_of
from numerics.sources import Seeded, Simplest
from numerics.statements import make_statement
from numerics.strategies import Drawn

STATEMENT = make_statement((*STANDARD, *APART), VARIANCE, Relation.EQUALS, d_k + 1)
QUICK = settings(
    max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def draw(source) -> list[int]:
    """So many numbers as the first choice says."""
    return [source.choose(range(10)) for _ in range(source.integer(1, 6))]


@given(st.integers(0, 10**6))
def test_what_was_recorded_can_be_drawn_again(seed):
    recorded = Recorded(Seeded(str(seed)))
    drawn = draw(recorded)
    assert drawn == draw(Seeded(str(seed)))
    again = Replayed(recorded.made)
    assert draw(again) == drawn
    assert again.made == recorded.made


def test_an_instance_is_drawn_again_from_its_choices():
    space = space_of(STATEMENT)
    for seed in range(10):
        recorded = Recorded(Seeded(str(seed)))
        text = space.draw(recorded).text
        assert space.draw(Replayed(recorded.made)).text == text


def test_what_is_not_offered_becomes_the_simplest_and_the_end_is_an_error():
    assert draw(Replayed((1, 12, 3))) == [0, 3]
    with pytest.raises(Exhausted):
        draw(Replayed((3, 1)))


def test_a_prefix_is_continued_by_another_source():
    assert draw(Prefixed(iter((2, 5)), Simplest(3))) == [5, 3, 3]


def test_the_order_is_that_of_hypothesis():
    assert simpler((9,), (0, 0))
    assert simpler((0, 9), (1, 0))
    assert not simpler((1, 0), (1, 0))


PREDICATES = {
    "large sum": lambda one: sum(one) >= 13,
    "two alike": lambda one: len(one) > len(set(one)),
    "two alike, not small": lambda one: any(one.count(k) > 1 for k in range(4, 10)),
    "rises": lambda one: any(a + 3 < b for a, b in pairwise(one)),
    "contains 7 after 5": lambda one: 5 in one and 7 in one[one.index(5) :],
}


def shrunk(predicate, seed: str, most: int = 2000) -> Found:
    def attempt(source):
        drawn = draw(source)
        return drawn if predicate(drawn) else None

    for number in range(1000):
        start = Recorded(Seeded(f"{seed}/{number}"))
        found = attempt(start)
        if found is not None:
            return Shrinker(attempt, Found(start.made, found), most).run()
    raise AssertionError("no start")


@pytest.mark.parametrize("predicate", PREDICATES.values(), ids=PREDICATES)
def test_every_start_ends_where_hypothesis_does(predicate):
    @st.composite
    def lists(draw_one):
        return draw(Drawn(draw_one))

    expected = find(lists(), predicate, settings=QUICK)
    for seed in range(8):
        found = shrunk(predicate, str(seed))
        assert predicate(found.value)
        assert found.value == expected


def test_the_budget_is_kept_and_what_is_returned_fails():
    predicate = PREDICATES["large sum"]
    spent = 0

    def attempt(source):
        nonlocal spent
        drawn = draw(source)
        spent += 1
        return drawn if predicate(drawn) else None

    start = Recorded(Prefixed(iter((5, 9, 9, 9, 9, 9, 9)), Simplest()))
    first = attempt(start)
    found = Shrinker(attempt, Found(start.made, first), 12).run()
    assert spent <= 13
    assert predicate(found.value)
    assert simpler(found.choices, start.made)


def test_the_first_choice_of_an_example_says_among_how_many_the_others_are():
    space = space_of(STATEMENT)
    chance = random.Random(0)
    for _ in range(20):
        choices = (0, *(chance.randrange(2) for _ in range(60)))
        drawn = Replayed(choices)
        space.draw(drawn)
        assert max(drawn.made) <= 1
