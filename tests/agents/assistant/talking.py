"""Conversations over the examination's library, without a model and without sources."""

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from agents.assistant.events import ConversationEvent
from agents.assistant.kind import CONVERSATION
from agents.assistant.loop import converse
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState
from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, UserContext
from cache import papers
from cache.local_source import Library
from cache.store import Store
from connectors.source import Source
from connectors.starter.shelf import StarterShelf
from spar_tui.interface import TextInterface
from tests.library import copied
from tests.requests import world


def filled(folder: Path) -> Store:
    """Return a library with everything that the examination's person has."""
    return Store.open(copied(folder / "library.db", world.fill))


def resources_of(store: Store, live: Mapping[str, Source] | None = None) -> Resources:
    """Return the resources of a conversation; without `live` sources there is no network."""
    reader = ReaderContext(store, UserContext(), world.NOW)
    local, fallback = {"library": Library(store)}, {"starter": StarterShelf()}
    return Resources(live or {}, local, fallback, reader=reader, interface=TextInterface(noting=False))


async def talk(
    store: Store,
    *messages: str,
    board: Board[ConversationState, ConversationEvent] | None = None,
    options: ConversationOptions | None = None,
    going_on: bool = False,
    live: Mapping[str, Source] | None = None,
) -> ConversationState:
    """Return the conversation on the `board` after `messages`; with `going_on`, first finish what is left of it,
    without a new message."""
    board = board or CONVERSATION.board()
    for message in messages:
        control = Control()
        if board.state.turns and not going_on:
            control.say(message)
        async with aclosing(
            converse(message, resources_of(store, live), options or ConversationOptions(), board, control)
        ) as events:
            async for _ in events:
                pass
    return board.state


def ids(store: Store, numbers: Sequence[int] | None) -> list[str]:
    """Return the ids of papers by their numbers."""
    return [paper.id for paper in papers.by_ids(store, list(numbers or ()))]


def said(state: ConversationState) -> str:
    """Return the last answer."""
    answer = state.turns[-1].answer
    assert answer is not None
    return answer.text
