"""Conversations as a kind of run."""

from dataclasses import replace

from agents.assistant.events import (
    AnswerDrafted,
    ChangeDecided,
    ChangeProposed,
    ConversationEvent,
    ConversationFinished,
    MessageReceived,
    ProfileNoted,
    StepDone,
    TurnCriticized,
    TurnPlanned,
)
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState
from agents.run.events import EventCodec, stored_events
from agents.run.kinds import Result, RunKind, later
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.taste.context import ReaderContext, UserContext
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
_KEPT = {name: kind for name, kind in stored_events(ConversationEvent).items() if kind is not AnswerDrafted}
EVENTS: EventCodec[ConversationEvent] = EventCodec("assistant", _KEPT, roles=_ROLES)
"""The events of a conversation by their stored names, with the participant who posts each."""


def with_reader(resources: Resources, store: Store, options: ConversationOptions) -> Resources:
    """Return `resources` with the library of the conversation. Tools that need the profile read it themselves."""
    return replace(resources, reader=ReaderContext(store, UserContext(), utc_now()))


def papers_shown(state: ConversationState) -> list[Paper]:
    """Return the papers of the last list, in order."""
    return [state.findings.papers[state.findings.work(row.work)] for row in state.listed]


def _result(state: ConversationState) -> Result:
    return Result({"turns": state.messages}, [runs.StoredRank(paper, {}) for paper in papers_shown(state)])


ConversationRun = Runner[ConversationState, ConversationEvent, ConversationOptions]
CONVERSATION: RunKind[ConversationState, ConversationEvent, ConversationOptions] = RunKind(
    name=NAME,
    verb="chat",
    codec=EVENTS,
    blank=ConversationState,
    options=ConversationOptions,
    finishing=ConversationFinished,
    carry_on=later("agents.assistant.loop:converse"),
    result=_result,
    passed_on=papers_shown,
    prepared=with_reader,
)
