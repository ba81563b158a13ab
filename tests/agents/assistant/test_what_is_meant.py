"""The meaning of "it", "those", a date, a name and "the two" after earlier messages."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.assistant.state import ConversationState
from cache import papers, shelf
from cache.store import Store
from connectors.identifiers import parse_identifier
from connectors.paper import Paper
from connectors.records.build import author, author_from_name
from tests.agents.assistant.talking import said, talk
from tests.library import copied

WORKS: tuple[tuple[str, tuple[str, ...], str, str, list[str], str, int], ...] = (
    ("Foraging of bumblebees in orchards", ("Xin Li", "Ana Sousa"), "2017", "Science", ["bees"], "2026-04-02", 1),
    ("Sleep in honey bees", ("Bo Xin",), "2020", "Current Biology", ["bees"], "2026-05-03", 0),
    ("Reef corals after heat: a review", ("Mia Holm",), "2019", "Nature", [], "2026-05-09", -1),
    ("Power drawn by trained networks", ("Otani Kenji",), "2023", "Nature", ["energy"], "2026-06-01", 0),
    ("Plastics in the blood of seals", ("Ida Berg",), "2012", "Blood Research", [], "", 0),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db", fill)) as library:
        yield library


def fill(library: Store) -> None:
    for place, (title, names, year, venue, tags, day, rating) in enumerate(WORKS):
        paper = Paper(
            title, "", tuple(filter(None, map(author_from_name, names))), year, venue=venue,
            type="review" if "review" in title else "article",
            identifiers=tuple(filter(None, [parse_identifier(f"doi:10.5555/meant.{place}")])),
        )  # fmt: skip
        [number] = papers.remember(library, [paper])
        if day:
            shelf.save(library, [paper], tags, datetime.fromisoformat(day).replace(tzinfo=UTC))
        if rating:
            shelf.rate(library, number, 1 if rating > 0 else -1)


def after(store: Store, *messages: str) -> ConversationState:
    return asyncio.run(talk(store, *messages))


def titles(store: Store, state: ConversationState) -> list[str]:
    return [paper.title.split()[0] for paper in papers.by_ids(store, list(state.shown))]


def test_a_question_back_about_one_paper_makes_it_the_one_that_it_means(store: Store) -> None:
    assert "You disliked it." in said(after(store, "whats the sample size in the coral paper", "did I like it?"))


def test_it_is_asked_back_where_several_papers_were_shown(store: Store) -> None:
    state = after(store, "papers about bees", "who wrote it?")
    labels = [offer.label for offer in state.offers]
    assert not state.turns[-1].outcomes
    assert labels == ["“Sleep in honey bees”", "“Foraging of bumblebees in orchards”"]


def test_a_change_that_was_proposed_is_about_the_paper_that_it_means(store: Store) -> None:
    state = after(store, "note on the coral review: check table 2", "no", "what year is it from?")
    assert "2019" in said(state)


def test_those_are_the_papers_before_where_the_last_request_left_none(store: Store) -> None:
    state = after(store, "papers about bees", "only those since 2025", "which of those are liked?")
    assert "this is about the 2 papers before it" in said(state)
    assert titles(store, state) == ["Foraging"]


def test_a_date_is_meant_as_that_of_the_request_before(store: Store) -> None:
    state = after(store, "what did I save in April 2026?", "and in May 2026?")
    assert set(titles(store, state)) == {"Sleep", "Reef"}


def test_a_name_that_is_a_family_and_a_given_name_is_the_family_name_and_the_other_is_offered(store: Store) -> None:
    state = after(store, "papers by Xin")
    assert titles(store, state) == ["Sleep"]
    assert "I took “Xin” as a family name." in said(state)
    assert titles(store, after(store, "papers by Xin", "1")) == ["Foraging"]


def test_a_name_may_stand_with_the_family_name_first(store: Store) -> None:
    assert titles(store, after(store, "papers by Berg Ida")) == ["Plastics"]


def test_a_tag_is_a_word_of_the_papers_that_have_it(store: Store) -> None:
    assert set(titles(store, after(store, "papers about bees"))) == {"Foraging", "Sleep"}


def test_two_papers_are_compared_with_both_in_the_text(store: Store) -> None:
    state = after(store, "compare the two bee papers")
    assert len(state.candidates or ()) == 2


def test_that_fewer_papers_match_than_were_named_is_told(store: Store) -> None:
    assert "I took “the 2” as the 1 paper that matches." in said(after(store, "the two papers about corals"))


def test_each_paper_of_a_list_is_changed(store: Store) -> None:
    state = after(store, "mark the coral review and the energy one as read")
    assert state.proposal is not None
    assert len(state.proposal.changes[0].papers) == 2


def test_a_word_of_a_field_is_no_journal_unless_papers_here_appeared_there(store: Store) -> None:
    [step, *_] = after(store, "show me something on plastics in blood").turns[-1].plan.steps  # type: ignore[union-attr]
    assert "venues" not in step.arguments


def test_what_the_library_has_nothing_about_may_be_searched_at_the_sources(store: Store) -> None:
    state = after(store, "papers about quarks since 2020")
    assert "titles, abstracts, keywords and tags" in said(state)
    [offer] = [offer for offer in state.offers if offer.steps[0].tool == "search"]
    assert offer.steps[0].arguments == {"question": "quarks", "since": "2020"}


def test_counts_name_the_papers_that_were_counted(store: Store) -> None:
    assert "Counted over all 5 papers of your library, saved or not." in said(after(store, "how many papers per year?"))


def test_what_is_saved_already_is_not_proposed_to_be_saved(store: Store) -> None:
    state = after(store, "save the coral review")
    assert state.proposal is None
    assert "already on your shelf" in said(state)


def test_a_word_that_is_a_tag_means_the_papers_about_it_too(store: Store) -> None:
    [coral] = [paper for paper in papers.by_ids(store, [3, 4]) if "corals" in paper.title]
    shelf.save(store, [coral], ["seals"])
    shelf.put(store, after(store, "papers on plastics").candidates or ())
    assert set(titles(store, after(store, "seals stuff"))) == {"Reef", "Plastics"}


def test_what_is_not_liked_is_proposed_as_disliked(store: Store) -> None:
    state = after(store, "i really didn't like the energy paper")
    assert state.turns[-1].plan is not None
    assert [step.arguments.get("as") for step in state.turns[-1].plan.steps if step.tool == "mark"] == ["dislike"]


def test_a_list_that_is_called_something_is_a_tag(store: Store) -> None:
    state = after(store, "papers about bees", "add those to a reading list called december")
    assert state.turns[-1].plan is not None
    assert state.turns[-1].plan.steps[-1].arguments["add"] == ["december"]


def test_a_name_in_another_alphabet_is_found_in_latin_letters(store: Store) -> None:
    papers.remember(store, [Paper("Bread and riots", "", tuple(filter(None, [author("Иванова", "Анна")])), "2006")])
    assert titles(store, after(store, "papers by ivanova")) == ["Bread"]


def test_who_was_asked_which_paper_is_meant_may_name_it(store: Store) -> None:
    state = after(store, "tag the bees paper as urgent", "the sleep one")
    assert "the tag “urgent” to “Sleep in honey bees”" in said(state)
    assert "from 2017" not in said(after(store, "tag the bees paper as urgent", "papers about corals"))


@pytest.mark.parametrize("request_", ["mark both as read", "tag them as urgent", "open the paper", "save those papers"])
def test_no_papers_are_meant_by_words_for_those_before_where_there_are_none(store: Store, request_: str) -> None:
    state = after(store, request_)
    assert "Which papers do you mean?" in said(state)
    assert not state.turns[-1].outcomes


def test_an_or_with_nothing_behind_it_is_asked_back(store: Store) -> None:
    assert "I did not understand “or”." in said(after(store, "what Holm wrote, alone or with others"))


def test_a_journal_is_the_one_named_and_never_one_whose_name_holds_it(store: Store) -> None:
    assert titles(store, after(store, "papers in Current Biology")) == ["Sleep"]
    assert "whose names begin with “Current”" in said(after(store, "papers in the journal Current"))
    assert titles(store, after(store, "papers in Current Biology", "then Nature")) == ["Power", "Reef"]


def test_a_tag_may_be_in_the_plural_and_goes_before_a_type_that_fewer_papers_have(store: Store) -> None:
    shelf.put(store, after(store, "papers on plastics").candidates or (), ["survey"])
    assert "tagged “survey”" in said(after(store, "surveys"))


def test_what_a_verb_asks_is_put_to_the_papers_though_its_words_are_names_here(store: Store) -> None:
    steps = after(store, "does the sleep of bees cost energy?").turns[-1].plan
    assert steps is not None
    assert [step.tool for step in steps.steps] == ["ask_papers"]


def test_a_given_name_with_a_capital_means_those_who_have_it(store: Store) -> None:
    assert titles(store, after(store, "papers by Ana")) == ["Foraging"]
    assert titles(store, after(store, "papers by Xin", "i meant Ana")) == ["Foraging"]


def test_a_sentence_that_alone_is_understood_is_answered_and_the_other_told(store: Store) -> None:
    state = after(store, "Which papers are about bees? My student wants to glorp.")
    assert titles(store, state) == titles(store, after(store, "Which papers are about bees?"))
    assert "“My student wants to glorp .” as no part of the request" in said(state)


def test_the_levels_above_a_tag_are_tags_too(store: Store) -> None:
    shelf.put(store, after(store, "papers on plastics").candidates or (), ["course/week2"])
    assert "tagged “course”" in said(after(store, "what is under course?"))


def test_a_year_says_what_recent_means(store: Store) -> None:
    assert "I took" in said(after(store, "recent papers about bees"))
    assert "I took" not in said(after(store, "recent papers about bees, 2018 and later"))


def test_what_is_left_out_of_a_list_may_follow_an_interjection(store: Store) -> None:
    assert titles(store, after(store, "papers about bees", "hmm, minus those on sleep")) == ["Foraging"]


def test_two_people_are_two_names(store: Store) -> None:
    state = after(store, "did Xin Li and Bo Xin ever publish together?")
    assert "No paper in your library is by Xin Li and Bo Xin." in said(state)


def test_a_type_that_no_paper_has_is_a_word_of_their_titles(store: Store) -> None:
    shelf.put(store, after(store, "papers on plastics").candidates or ())
    assert "about “report”" not in said(after(store, "reports"))
    assert titles(store, after(store, "papers on corals", "only the reviews")) == ["Reef"]


def test_what_a_change_should_leave_out_is_left_out(store: Store) -> None:
    state = after(store, "papers about bees", "tag them as urgent", "wait, not the sleep one")
    assert "the tag “urgent” to “Foraging of bumblebees in orchards”" in said(state)


def test_a_yes_to_nothing_changes_nothing(store: Store) -> None:
    assert "No change is waiting for a yes." in said(after(store, "papers about bees", "ok do it"))


def test_a_fact_of_the_paper_looked_at_may_be_asked_by_its_name_alone(store: Store) -> None:
    assert "2019" in said(after(store, "who wrote the coral paper?", "year and journal?"))


def test_those_of_a_list_are_counted(store: Store) -> None:
    assert "1 of those" in said(after(store, "papers about bees", "how many of those came out after 2018?"))


def test_what_is_by_one_and_by_another_is_by_either(store: Store) -> None:
    assert set(titles(store, after(store, "all papers by Holm and by Berg"))) == {"Reef", "Plastics"}


def test_a_year_and_later_may_follow_an_and(store: Store) -> None:
    assert set(titles(store, after(store, "papers by Holm or Sousa, and from 2018 on"))) == {"Reef"}


def test_neither_liked_nor_disliked_is_without_a_rating(store: Store) -> None:
    assert set(titles(store, after(store, "saved, but neither liked nor disliked"))) == {"Sleep", "Power"}


def test_where_a_paper_is_printed_is_told(store: Store) -> None:
    assert "Pages: not known." in said(after(store, "on which pages is the coral paper?"))


@pytest.mark.parametrize("words", ["rely on", "that draw on", "touching on"])
def test_a_verb_between_papers_and_their_subject_says_nothing(store: Store, words: str) -> None:
    assert titles(store, after(store, f"papers {words} plastics")) == ["Plastics"]


def test_a_place_means_the_papers_offered_where_it_was_asked_which(store: Store) -> None:
    after_first = after(store, "papers about corals", "tag the bees paper as urgent", "the second one")
    assert "the tag “urgent” to “Foraging of bumblebees in orchards”" in said(after_first)
    assert "Nothing was done." in said(after(store, "tag the bees paper as urgent", "forget it"))


def test_the_last_one_is_the_last_of_those_offered(store: Store) -> None:
    state = after(store, "papers about corals", "tag the bees paper as urgent", "the last one")
    assert "the tag “urgent” to “Foraging of bumblebees in orchards”" in said(state)


@pytest.mark.parametrize(
    "follow_up", ["only the ones in Science", "of which liked?", "oldest first", "minus what I liked"]
)
def test_a_request_that_was_not_understood_leaves_no_list_to_narrow(store: Store, follow_up: str) -> None:
    state = after(store, "papers tagged bees with frobnicated wings", follow_up)
    assert state.turns[-1].plan is not None
    assert not state.turns[-1].plan.understood
    assert all("frob" not in offer.label for offer in state.offers)
    assert "tagged “bees”" in state.offers[0].label


def test_words_of_subjects_are_no_small_words(store: Store) -> None:
    papers.remember(store, [Paper("Exercise for low back pain", date="2003"), Paper("Pain in horses", date="2004")])
    assert titles(store, after(store, "papers about back pain")) == ["Exercise"]


def test_a_title_with_a_word_of_emphasis_is_found(store: Store) -> None:
    papers.remember(store, [Paper("What plants really know", date="2001")])
    assert "2001" in said(after(store, "when was What plants really know published?"))


def test_only_a_tag_that_papers_have_is_renamed(store: Store) -> None:
    shelf.put(store, after(store, "papers on plastics").candidates or (), ["course/week2"])
    assert "Your library has no tag “course”." in said(after(store, "rename the tag course to lessons"))


def test_a_letter_beside_a_word_of_a_title_is_part_of_the_subject(store: Store) -> None:
    for title in ("Vitamin D and colds", "Vitamin B and colds"):
        papers.remember(store, [Paper(title, "", (), "2011")])
    assert titles(store, after(store, "papers on vitamin D")) == ["Vitamin"]


def test_a_name_of_several_words_needs_no_cue(store: Store) -> None:
    papers.remember(store, [Paper("Dunes", "", tuple(filter(None, [author_from_name("Joost van der Meer")])), "2011")])
    assert titles(store, after(store, "van der Meer 2011")) == ["Dunes"]
    assert titles(store, after(store, "papers since 2020 without van der Meer")) == ["Power", "Sleep"]


@pytest.mark.parametrize(
    "message", ["did I forget to rate anything?", "what have I saved but never got round to rating"]
)
def test_what_the_person_has_not_come_to_do_is_a_state(message: str, store: Store) -> None:
    assert set(titles(store, after(store, message))) == {"Sleep", "Power"}


def test_what_stands_behind_a_top_is_its_order(store: Store) -> None:
    plan = after(store, "top 2 cited").turns[-1].plan
    assert plan is not None
    assert [step.arguments for step in plan.steps][1:] == [{"by": "citations"}, {"limit": 2}]
