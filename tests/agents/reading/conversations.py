"""Conversations with the reader alone: each message is read and its steps are done, except changes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.reading.message import read_message, turn_of
from agents.reading.reading import MessagePlan, ToolCall
from agents.run.resources import Resources
from agents.tools.table import by_name
from agents.tools.tool import ToolContext, ToolError
from cache.local_source import Library
from cache.store import PaperId, Store
from connectors.starter.shelf import StarterShelf
from spar_tui.interface import TextInterface
from tests.agents.reading import shelves

LOOKING = frozenset({"paper", "note", "export", "check"})
BEGINS = frozenset({"search", "summarize", "recommend", "references", "citations", "similar"})


@dataclass
class Outcome:
    """The outcome of the last message of a conversation."""

    reading: MessagePlan
    shown: tuple[PaperId, ...] = ()
    text: str = ""


def outcome_of(store: Store, messages: Sequence[str]) -> Outcome:
    """Return the outcome of the last of `messages`, each of which continues the conversation before it."""
    interface = TextInterface(noting=False)
    resources = Resources({}, {"library": Library(store)}, {"starter": StarterShelf()}, interface=interface)
    context = ToolContext(store, resources, shelves.NOW, interface=interface)
    tools, before = by_name(interface.tools), (False, list[ToolCall]())
    outcome = Outcome(MessagePlan())
    for message in messages:
        turn = turn_of(message, context, shelves.NOW.date(), before[1], before_onward=before[0])
        outcome = Outcome(reading := read_message(turn), text=turn.message)
        outcome.text = reading.reply
        if not (reading.understood and reading.calls):
            continue
        before = (reading.onward, list(reading.calls))
        earlier = context.candidates
        context = context if reading.onward else replace(context, candidates=None)
        for call in reading.calls:
            tool = tools[call.tool]
            if tool.changes or call.tool in BEGINS:
                tool.read(call.arguments)
                continue
            try:
                done = asyncio.run(tool.run(call.arguments, context))
            except ToolError as error:
                outcome.text += f"\n{error}"
                break
            if len(done.shown) == 1:
                context = replace(context, focus=done.shown[0])
            if done.shown and call.tool not in LOOKING:
                context = replace(context, shown=done.shown)
            if done.papers is not None:
                context = replace(context, candidates=done.papers, earlier=(*context.earlier, earlier))
            outcome.shown = done.shown or outcome.shown
            outcome.text += f"\n{dict(done.values)} {done.text}"
    return outcome
