"""Conversations as a kind of run."""

from collections.abc import AsyncGenerator
from dataclasses import replace

from agents.assistant.events import (
    ChangeDecided,
    ChangeProposed,
    ConversationEvent,
    ConversationFinished,
    ConversationStarted,
    MessageReceived,
    ProfileNoted,
    StepDone,
    TurnAnswered,
    TurnCriticized,
    TurnPlanned,
)
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState
from agents.run.board import Board
from agents.run.codec import EventCodec
from agents.run.control import Control
from agents.run.kinds import Result, RunKind
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.taste.context import UserContext
from agents.taste.reader import Reader
from cache import runs
from cache.store import Store
from cache.timestamps import utc_now
from connectors.paper import Paper

NAME = "conversation"
_ROLES = {
    MessageReceived: "person",
    ChangeDecided: "person",
    TurnPlanned: "planner",
    ProfileNoted: "planner",
    StepDone: "tool",
    ChangeProposed: "planner",
    TurnCriticized: "critic",
}
EVENTS: EventCodec[ConversationEvent] = EventCodec(
    "assistant",
    {
        "ConversationStarted": ConversationStarted,
        "MessageReceived": MessageReceived,
        "TurnPlanned": TurnPlanned,
        "ProfileNoted": ProfileNoted,
        "StepDone": StepDone,
        "ChangeProposed": ChangeProposed,
        "ChangeDecided": ChangeDecided,
        "TurnCriticized": TurnCriticized,
        "TurnAnswered": TurnAnswered,
        "ConversationFinished": ConversationFinished,
    },
    roles=_ROLES,
)
"""The events of a conversation by the names under which they are stored, each said by one who takes part in it."""


def _carry_on(
    message: str,
    resources: Resources,
    options: ConversationOptions,
    board: Board[ConversationState, ConversationEvent],
    control: Control,
) -> AsyncGenerator[ConversationEvent, None]:
    from agents.assistant.loop import converse  # which whoever only looks at runs need not wait for

    return converse(message, resources, options, board, control)


def with_reader(resources: Resources, store: Store, options: ConversationOptions) -> Resources:
    """`resources` with the library that is spoken of. What the person likes is read by the tools that need it."""
    return replace(resources, reader=Reader(store, UserContext(), utc_now()))


def papers_shown(state: ConversationState) -> list[Paper]:
    """The papers of the last list, in its order."""
    return [state.findings.papers[state.findings.work(row.work)] for row in state.listed]


def _result(state: ConversationState) -> Result:
    return Result({"turns": len(state.turns)}, [runs.Ranked(paper, {}) for paper in papers_shown(state)])


ConversationRun = Runner[ConversationState, ConversationEvent, ConversationOptions]
CONVERSATION: RunKind[ConversationState, ConversationEvent, ConversationOptions] = RunKind(
    name=NAME,
    verb="chat",
    codec=EVENTS,
    blank=ConversationState,
    options=ConversationOptions,
    finishing=ConversationFinished,
    carry_on=_carry_on,
    result=_result,
    passed_on=papers_shown,
    prepared=with_reader,
)
