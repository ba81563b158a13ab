"""An interrupted turn: it resumes, unless the person says something else first."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from agents.assistant.events import ConversationEvent, MessageReceived, Step, StepDone, TurnPlanned
from agents.assistant.kind import CONVERSATION, ConversationRun
from agents.assistant.options import ConversationOptions
from agents.run.resources import Resources
from agents.run.runner import Runner
from cache import papers, shelf
from cache.store import Store
from spar_tui.interface import TextInterface
from tests.agents.scripted import paper
from tests.library import copied

QUESTION = "papers on rivers"
PAPERS = [paper(f"A study of rivers, part {number}", f"10.1000/r{number}") for number in range(3)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "spar.db")) as opened:
        papers.remember(opened, PAPERS)
        yield opened


async def resources_for(sources: Sequence[str] | None) -> Resources:
    return Resources(interface=TextInterface())


def begun(store: Store, question: str = QUESTION, options: ConversationOptions | None = None) -> ConversationRun:
    run: ConversationRun = Runner.begun(CONVERSATION, store, question, options or ConversationOptions())
    return run


async def said(run: ConversationRun, message: str) -> list[ConversationEvent]:
    """Return the events after the person says `message`."""
    happened: list[ConversationEvent] = []
    post = run.board.post

    def heard(event: ConversationEvent) -> ConversationEvent:
        happened.append(event)
        return post(event)

    run.board.post = heard  # type: ignore[method-assign]
    run.request(resources_for, lambda control: control.say(message))
    await run.ended()
    run.board.post = post  # type: ignore[method-assign]
    return happened


def test_a_turn_that_was_cut_off_is_answered_when_the_conversation_goes_on(store: Store) -> None:
    async def scene() -> None:
        run = begun(store)
        run.board.post(MessageReceived(QUESTION))  # interrupted here
        run.start(resources_for)
        await run.ended()
        assert [turn.answer is not None for turn in run.state.turns] == [True]

    asyncio.run(scene())


def test_who_says_something_else_has_let_the_turn_be_that_was_cut_off(store: Store) -> None:
    async def scene() -> None:
        run = begun(store)
        run.board.post(MessageReceived(QUESTION))  # interrupted here
        happened = await said(run, "what is on my shelf?")
        assert [event.tool for event in happened if isinstance(event, StepDone)] == ["filter", "list"]
        assert [turn.answer is not None for turn in run.state.turns] == [False, True]

    asyncio.run(scene())


def test_a_change_that_was_stopped_before_it_was_told_of_is_not_done_by_a_yes(store: Store) -> None:
    async def scene() -> None:
        run = begun(store)
        run.start(resources_for)
        await run.ended()
        post = run.board.post

        def stopped_at_the_proposal(event: ConversationEvent) -> ConversationEvent:
            told = post(event)
            if type(event).__name__ == "ChangeProposed":
                run.control.stop()
            return told

        run.board.post = stopped_at_the_proposal  # type: ignore[method-assign]
        await said(run, "save the first")
        run.board.post = post  # type: ignore[method-assign]
        assert run.state.turns[-1].proposed is not None
        assert run.state.turns[-1].answer is None
        await said(run, "yes")
        assert shelf.shelf(store) == []

    asyncio.run(scene())


def test_a_conversation_about_papers_looks_at_them_and_answers_the_first_message(store: Store) -> None:
    async def scene() -> None:
        numbers = papers.remember(store, PAPERS)
        run = begun(store, "save the first", ConversationOptions(papers=(numbers[2], numbers[0])))
        run.start(resources_for)
        await run.ended()
        opening, first = run.state.turns
        assert opening.message == "About 2 papers"
        assert run.state.candidates == (numbers[2], numbers[0])
        assert first.message == "save the first"
        assert first.proposed is not None
        assert [change.papers for change in first.proposed.changes] == [(numbers[2],)]

    asyncio.run(scene())


def test_the_first_message_about_papers_is_answered_after_an_interruption_of_the_opening(store: Store) -> None:
    async def scene() -> None:
        numbers = papers.remember(store, PAPERS)
        run = begun(store, "which of these is the newest?", ConversationOptions(papers=(numbers[2], numbers[0])))
        run.board.post(MessageReceived("About 2 papers"))
        run.board.post(TurnPlanned((Step("take", {"papers": [f"#{numbers[2]}"]}), Step("list")), "person"))  # stopped
        run.start(resources_for)
        await run.ended()
        assert [turn.answer is not None for turn in run.state.turns] == [True, True]
        assert set(run.state.shown) == {numbers[2]}

    asyncio.run(scene())
