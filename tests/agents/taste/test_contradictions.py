"""Lines that cannot all hold are found, and no others."""

from datetime import UTC, date, datetime

import pytest

from agents.taste.context import contradictions
from cache.profile import Facet, Line

TODAY = date(2026, 11, 22)


def lines(*said: tuple[Facet, str]) -> list[Line]:
    made = datetime(2026, 11, 1, tzinfo=UTC)
    return [Line(number, facet, text, made) for number, (facet, text) in enumerate(said, start=1)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("like", "whales"), ("dislike", "whales")),
        (("dislike", "Whale songs"), ("like", "songs of whales")),
        (("like", "papers about whales"), ("dislike", "the whale")),
        (("expect", "open access"), ("dislike", "open access")),
        (("like", "鯨の歌"), ("dislike", "鯨の歌")),
        (("expect", "since 2020"), ("expect", "before 2010")),
        (("expect", "papers of 2019"), ("expect", "published since 2021")),
        (("expect", "until 2015"), ("expect", "the last five years")),
    ],
)
def test_what_cannot_both_hold_contradicts(first: tuple[Facet, str], second: tuple[Facet, str]) -> None:
    both = lines(first, second)
    [found] = contradictions(both, TODAY)
    assert set(found.lines) == set(both)
    assert all(text in found.why for _, text in (first, second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("like", "whales"), ("like", "whales")),
        (("like", "whales"), ("expect", "whales")),
        (("like", "neural networks"), ("dislike", "graph neural networks")),
        (("like", "whales"), ("dislike", "ships")),
        (("expect", "since 2010"), ("expect", "before 2020")),
        (("expect", "since 2020"), ("expect", "at least 100 citations")),
        (("like", "since 2020"), ("like", "before 2010")),
    ],
)
def test_what_can_both_hold_does_not(first: tuple[Facet, str], second: tuple[Facet, str]) -> None:
    assert contradictions(lines(first, second), TODAY) == []


def test_every_pair_is_told_and_lines_beside_them_are_left_alone() -> None:
    found = contradictions(
        lines(("like", "whales"), ("dislike", "whales"), ("expect", "whales"), ("like", "ships")), TODAY
    )
    assert [[line.number for line in one.lines] for one in found] == [[1, 2], [2, 3]]
