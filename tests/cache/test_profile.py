"""What the person writes of their taste is kept as they wrote it, until they forget it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import papers, profile, reading_history, shelf
from cache.errors import NoSuchLine
from cache.profile import FACETS, LINE_CAP, Facet
from cache.store import Store
from connectors.records.clean import clean_text
from tests.cache.conftest import make_paper

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
ENGINES = make_paper("Engines", "10.1000/a")
WHALES = make_paper("Whales", "pmid:2", author="Melville")


def test_a_line_is_kept_with_the_papers_that_it_rests_on(store: Store) -> None:
    engines, whales = papers.remember(store, [ENGINES, WHALES])
    number = profile.add_line(store, "like", "machines", [whales, engines, engines, 99], NOON)
    assert profile.own_lines(store) == [profile.WrittenLine(number, "like", "machines", NOON, (engines, whales))]


def test_a_changed_line_keeps_its_papers_and_its_number(store: Store) -> None:
    [engines] = papers.remember(store, [ENGINES])
    number = profile.add_line(store, "like", "machines", [engines], NOON)
    profile.change_line(store, number, "old machines")
    assert profile.own_lines(store) == [profile.WrittenLine(number, "like", "old machines", NOON, (engines,))]


def test_the_number_of_a_forgotten_line_is_not_used_again(store: Store) -> None:
    first = profile.add_line(store, "like", "machines")
    profile.forget_line(store, first)
    assert profile.add_line(store, "like", "whales") > first


def test_a_line_that_is_not_there_cannot_be_changed_or_forgotten(store: Store) -> None:
    with pytest.raises(NoSuchLine, match="no line '7'"):
        profile.change_line(store, 7, "whales")
    with pytest.raises(NoSuchLine):
        profile.forget_line(store, 7)


@pytest.mark.parametrize("text", ["", "  ", "?!", "\x1b[31m", "<b></b>", "\u202e\u200b"])
def test_a_line_without_words_is_refused(store: Store, text: str) -> None:
    with pytest.raises(ValueError, match="words"):
        profile.add_line(store, "like", text)
    assert profile.own_lines(store) == []


@given(st.sampled_from(FACETS), st.text(max_size=2 * LINE_CAP).filter(lambda text: any(map(str.isalnum, text))))
def test_whatever_is_written_is_kept_clean_and_short(tmp_path: Path, facet: Facet, text: str) -> None:
    with Store.open(tmp_path / "library.db") as store:
        if not any(map(str.isalnum, clean_text(text, LINE_CAP))):
            return
        number = profile.add_line(store, facet, text)
        [kept] = [line for line in profile.own_lines(store) if line.number == number]
    assert kept.text == clean_text(text, LINE_CAP)
    assert len(kept.text) <= LINE_CAP


def test_papers_are_set_aside_as_of_a_moment_and_the_last_holds(store: Store) -> None:
    [engines] = papers.remember(store, [ENGINES])
    profile.set_aside(store, [engines, 99], NOON)
    profile.set_aside(store, [engines], NOON + timedelta(days=1))
    assert profile.papers_set_aside(store) == {engines: NOON + timedelta(days=1)}


def test_forgetting_all_takes_every_line_and_sets_everything_aside_that_was_done(store: Store) -> None:
    [saved] = shelf.save(store, [ENGINES], now=NOON)
    [viewed, unseen] = papers.remember(store, [WHALES, make_paper("Unseen", "10.1000/u")])
    reading_history.note_interaction(store, viewed, "viewed", now=NOON)
    profile.add_line(store, "like", "machines", [saved])
    profile.forget_profile(store, NOON)
    assert profile.own_lines(store) == []
    assert set(profile.papers_set_aside(store)) == {saved, viewed}
    assert shelf.numbers_on_shelf(store) == {saved}
    assert unseen not in profile.papers_set_aside(store)


def test_of_two_papers_that_turn_out_to_be_one_the_line_rests_on_that_one(store: Store) -> None:
    first, second = papers.remember(store, [make_paper("Engines", "10.1000/a"), make_paper("On engines", "pmid:7")])
    profile.add_line(store, "like", "machines", [first, second])
    profile.set_aside(store, [second], NOON)
    [joined] = papers.remember(store, [make_paper("Engines", "10.1000/a", "pmid:7")])
    assert joined == first
    assert [line.papers for line in profile.own_lines(store)] == [(first,)]
    assert set(profile.papers_set_aside(store)) == {first}
