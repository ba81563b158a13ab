"""A conversation: candidates flow from turn to turn, nothing changes without a yes, and it resumes where it stopped."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.assistant.events import ConversationEvent, MessageReceived, Step, TurnPlanned
from agents.assistant.kind import CONVERSATION
from agents.assistant.loop import NEITHER
from agents.assistant.options import ConversationOptions
from agents.tools import shelf_actions
from cache import papers, runs, shelf
from cache.conditions.filters import filter_by
from cache.conditions.library import matching
from cache.reading_history import forget_changes
from cache.store import Store
from tests.agents.assistant.talking import filled, ids, said, talk
from tests.requests import world


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with filled(tmp_path) as library:
        yield library


def test_a_request_about_these_goes_on_with_them_and_any_other_begins_anew(store: Store) -> None:
    first = asyncio.run(talk(store, "papers on query expansion"))
    onward = asyncio.run(talk(store, "papers on query expansion", "which of these are from before 2010?"))
    anew = asyncio.run(talk(store, "papers on query expansion", "papers from before 2010"))
    assert onward.candidates is not None
    assert anew.candidates is not None
    assert set(onward.candidates) < set(first.candidates or ())
    assert set(onward.candidates) < set(anew.candidates)


def test_papers_that_were_refused_are_not_shown_again_at_once(store: Store) -> None:
    first = asyncio.run(talk(store, "papers on language models"))
    others = asyncio.run(talk(store, "papers on language models", "none of these, something else"))
    about = asyncio.run(talk(store, "papers on language models", "Not these. Show me papers about retrieval"))
    assert others.shown
    assert about.shown
    assert not set(others.shown) & set(first.shown)
    assert not set(about.shown) & set(first.shown)


def test_undo_goes_back_to_what_was_looked_at_before_the_last_turn_that_chose(store: Store) -> None:
    first = asyncio.run(talk(store, "papers on query expansion"))
    undone = asyncio.run(
        talk(store, "papers on query expansion", "only those since 2015", "show the first's abstract", "undo")
    )
    assert undone.candidates == first.candidates


def test_undo_takes_back_the_last_change_of_papers_as_a_whole_after_a_yes(store: Store) -> None:
    before = world.state(store)
    asyncio.run(talk(store, "papers on query expansion", "tag the first two as later", "yes"))
    changed = world.state(store)
    assert changed != before
    proposed = asyncio.run(talk(store, "undo"))
    assert "This would undo this: " in said(proposed)
    assert "tagged later “" in said(proposed)
    assert world.state(store) == changed
    undone = asyncio.run(talk(store, "undo", "yes"))
    assert "Undone: " in said(undone)
    assert "tagged later “" in said(undone)
    assert world.state(store) == before


def test_undo_in_a_new_chat_takes_back_what_a_verb_did(store: Store) -> None:
    saved = shelf.numbers_on_shelf(store)
    [gone, *_] = saved
    shelf_actions.unsave(store, papers.by_ids(store, [gone]))
    state = asyncio.run(talk(store, "undo", "yes"))
    assert "Undone: removed “" in said(state)
    assert shelf.numbers_on_shelf(store) == saved


def test_undo_without_a_change_that_is_kept_says_so(store: Store) -> None:
    with store.writing() as db:
        forget_changes(db)
    assert "There is nothing to undo." in said(asyncio.run(talk(store, "undo")))


def test_places_are_of_the_list_that_was_shown_last_also_after_one_paper_was_looked_at(store: Store) -> None:
    state = asyncio.run(talk(store, "papers on query expansion", "the abstract of the third", "who wrote the second?"))
    first = asyncio.run(talk(store, "papers on query expansion"))
    assert state.shown == first.shown
    second = papers.by_ids(store, [first.shown[1]])[0]
    assert second.authors[0].name in said(state)


def test_it_is_the_paper_that_was_looked_at_last(store: Store) -> None:
    state = asyncio.run(talk(store, "papers on query expansion", "the abstract of the third", "who wrote it?"))
    third = papers.by_ids(store, [state.shown[2]])[0]
    assert third.authors[0].name in said(state)


def test_a_yes_changes_just_the_papers_that_were_named(store: Store) -> None:
    before = world.state(store)
    state = asyncio.run(talk(store, "papers on query expansion", "save the second and tag it later"))
    assert world.state(store) == before
    proposal = state.proposal
    assert proposal is not None
    [change] = proposal.changes
    assert list(change.papers) == [state.shown[1]]
    assert papers.by_ids(store, change.papers)[0].title in said(state)
    asyncio.run(talk(store, "papers on query expansion", "save the second and tag it later", "yes"))
    after = world.state(store)
    changed = [paper for paper in {*before, *after} if before.get(paper) != after.get(paper)]
    assert changed == ids(store, change.papers)
    assert "later" in after[changed[0]]["tags"]


@pytest.mark.parametrize("word", ["yes and no", "maybe", "remove it", "I am not sure"])
def test_a_doubtful_answer_changes_nothing_and_is_asked_again(store: Store, word: str) -> None:
    before = world.state(store)
    wish = ("papers on query expansion", "save the second and tag it later")
    asked = asyncio.run(talk(store, *wish)).proposal
    state = asyncio.run(talk(store, *wish, word))
    assert world.state(store) == before
    assert said(state).startswith(NEITHER)
    assert asked is not None
    assert state.proposal is not None
    assert state.proposal.sentence == asked.sentence
    asyncio.run(talk(store, *wish, word, "yes"))
    after = world.state(store)
    changed = [paper for paper in {*before, *after} if before.get(paper) != after.get(paper)]
    assert changed == ids(store, asked.changes[0].papers)


@pytest.mark.parametrize("word", ["no", "thanks", "hm", "yes but only the first", "papers since 2020"])
def test_whatever_is_no_plain_yes_changes_nothing(store: Store, word: str) -> None:
    before = world.state(store)
    asyncio.run(talk(store, "papers on query expansion", "save these", word, "ok then"))
    assert world.state(store) == before


def test_a_title_that_no_paper_has_is_said_to_be_unknown_and_no_other_takes_its_place(store: Store) -> None:
    state = asyncio.run(talk(store, "who wrote “The wholly invented theory of nothing at all”?"))
    assert "The wholly invented theory of nothing at all" in said(state)
    assert not state.turns[-1].outcomes[0].shown
    assert state.turns[-1].outcomes[0].unknown


def test_conditions_that_leave_nothing_are_given_up_one_at_a_time_and_told(store: Store) -> None:
    state = asyncio.run(talk(store, "papers on query expansion with more than 9000000 citations"))
    [filtered, *_] = state.turns[-1].outcomes
    assert filtered.relaxed == ("min_citations",)
    assert "9,000,001" in said(state)
    assert state.candidates
    counted = asyncio.run(talk(store, "how many papers on query expansion have more than 9000000 citations?"))
    assert counted.candidates == ()


def test_a_tag_that_a_paper_does_not_have_is_not_proposed_to_be_removed(store: Store) -> None:
    state = asyncio.run(talk(store, "remove the tag rag from DeepWalk"))
    assert said(state) == "No such paper is tagged “rag”. Nothing was changed."
    assert state.turns[-1].proposed is None


def test_what_is_not_on_the_shelf_is_said_not_to_be_and_nothing_is_proposed(store: Store) -> None:
    state = asyncio.run(talk(store, "remove DeepWalk from my shelf"))
    assert said(state) == (
        "“DeepWalk: Online Learning of Social Representations” is not on your shelf, so there is nothing to remove."
    )
    assert state.proposal is None
    assert asyncio.run(talk(store, "remove BEIR from my shelf")).proposal is not None


def test_a_time_in_which_no_paper_was_read_is_named(store: Store) -> None:
    assert said(asyncio.run(talk(store, "papers I read in 1999"))).startswith(
        "Your library has no paper that you marked as read “in 1999”. Nothing was done."
    )


def test_of_papers_to_take_off_the_shelf_only_those_on_it_are_counted(store: Store) -> None:
    state = asyncio.run(talk(store, "remove DeepWalk and BEIR from my shelf"))
    assert state.proposal is not None
    [change] = state.proposal.changes
    [paper] = papers.by_ids(store, change.papers)
    assert paper.title.startswith("BEIR")


def test_a_title_with_a_colon_behind_another_name_is_a_paper_of_its_own(store: Store) -> None:
    state = asyncio.run(talk(store, "save SMOTE and XGBoost: A Scalable Tree Boosting System"))
    assert state.proposal is not None
    assert len(state.proposal.changes[0].papers) == 2


def test_of_many_phrases_those_are_given_up_that_leave_nothing_and_all_of_them_are_told(store: Store) -> None:
    message = "papers on query expansion and zyzzyva and feedback and abracadabra"
    [filtered, *_] = asyncio.run(talk(store, message)).turns[-1].outcomes
    assert filtered.relaxed == ("words: zyzzyva", "words: abracadabra")
    state = asyncio.run(talk(store, message))
    assert "zyzzyva" in said(state)
    assert "abracadabra" in said(state)
    both = matching(store, filter_by(words=("query expansion", "feedback")))
    assert list(state.candidates or ()) == both
    [nothing, *_] = asyncio.run(talk(store, "papers on zyzzyva and abracadabra")).turns[-1].outcomes
    assert nothing.papers == ()
    assert not nothing.relaxed


def test_after_a_no_what_else_it_is_about_is_looked_for_in_the_whole_library(store: Store) -> None:
    state = asyncio.run(talk(store, "papers before 2000", "No, something about pretraining."))
    assert state.candidates == asyncio.run(talk(store, "papers on pretraining")).candidates


def test_nothing_is_given_up_where_papers_are_to_be_changed(store: Store) -> None:
    before = world.state(store)
    asyncio.run(talk(store, "save all papers on query expansion with more than 9000000 citations", "yes"))
    assert world.state(store) == before


def test_a_run_that_a_tool_begins_is_a_run_of_its_own(store: Store) -> None:
    known = {run.id for run in runs.recent(store, 1_000)}
    state = asyncio.run(talk(store, "what should I read next?"))
    [begun] = [run for run in runs.recent(store, 1_000) if run.id not in known]
    assert begun.kind == "recommendation"
    assert begun.parameters["source_seconds"] == ConversationOptions().source_seconds
    assert state.turns[-1].outcomes[0].run == begun.id
    assert ids(store, state.shown) == [entry.paper.id for entry in runs.result(store, begun.id)]


def test_an_unknown_tool_and_wrong_arguments_are_told_and_nothing_more_is_done(store: Store) -> None:
    for step in (Step("drop_tables"), Step("filter", {"sql": "DROP TABLE papers"}), Step("filter", {"since": "soon"})):
        board = CONVERSATION.board()
        for event in asyncio.run(_begun(store)):
            board.post(event)
        board.post(MessageReceived("do it"))
        board.post(TurnPlanned((step, Step("save", {"papers": ["@all"]}))))
        state = asyncio.run(talk(store, "papers on query expansion", board=board, going_on=True))
        assert state.turns[-1].outcomes[0].error
        assert len(state.turns[-1].outcomes) == 1
        assert state.proposal is None


async def _begun(store: Store) -> list[ConversationEvent]:
    told: list[ConversationEvent] = []
    await talk(store, "papers on query expansion", board=CONVERSATION.board(told.append))
    return told


def test_a_conversation_that_was_cut_off_anywhere_comes_to_the_same_answer(store: Store) -> None:
    told: list[ConversationEvent] = []
    message = "papers like BERT since 2018, newest first"
    whole = asyncio.run(talk(store, message, board=CONVERSATION.board(told.append)))
    for cut in range(1, len(told)):
        board = CONVERSATION.board(so_far=told[:cut])
        state = asyncio.run(talk(store, message, board=board, going_on=True))
        # Works may have other numbers, because no number is used twice.
        assert said(state) == said(whole)
        assert (state.candidates, state.shown) == (whole.candidates, whole.shown)
        assert [row.number for row in state.listed] == [row.number for row in whole.listed]
        assert state.turns[-1].outcomes == whole.turns[-1].outcomes


def test_events_are_kept_and_read_back_without_loss(store: Store) -> None:
    told: list[ConversationEvent] = []
    messages = ("papers on query expansion", "save the first", "yes", "how many papers per year?", "write its bibtex")
    asyncio.run(talk(store, *messages, board=CONVERSATION.board(told.append), options=ConversationOptions()))
    for event in told:
        row = CONVERSATION.codec.encode(event)
        assert CONVERSATION.codec.encode(CONVERSATION.codec.decode(row.kind, row.content)) == row  # type: ignore[arg-type]
    replayed = CONVERSATION.folded(told)
    assert len(replayed.turns) == 5


def test_with_changes_allowed_nobody_is_asked(store: Store) -> None:
    options = ConversationOptions(allow_changes=True)
    before = {row.number for row in shelf.rows(store)}
    state = asyncio.run(talk(store, "papers on query expansion", "save the fourth", options=options))
    assert state.proposal is None
    assert {row.number for row in shelf.rows(store)} - before <= {state.shown[3]}


def test_a_time_that_begins_within_its_last_year_is_no_contradiction(store: Store) -> None:
    state = asyncio.run(talk(store, "papers from July 2016 to December 2016"))
    assert "at once" not in said(state)
    assert state.candidates
    assert "at once" in said(asyncio.run(talk(store, "papers from July 2017 to December 2016")))


def test_of_an_order_the_first_alone_is_changed_after_a_yes(store: Store) -> None:
    asyncio.run(talk(store, "papers by Rubin", "save the oldest of those", "yes"))
    fresh = [entry.paper.title for entry in shelf.shelf(store)][: -len(world.SHELF)]
    assert fresh == ["Estimating causal effects of treatments in randomized and nonrandomized studies"]


def test_it_means_the_paper_changed_last_and_the_list_stays(store: Store) -> None:
    options = ConversationOptions(allow_changes=True)
    messages = ("papers on query expansion", "save the second", "who wrote it?")
    state = asyncio.run(talk(store, *messages, options=options))
    assert state.focus == state.shown[1]
    assert papers.by_id(store, state.shown[1]).title in said(state)
