"""The plan of a turn: the whole of it before anything is done (InteRecAgent §3.3)."""

import asyncio
from functools import lru_cache

from agents.assistant.events import Step, TurnPlanned
from agents.assistant.session import ConversationSession
from agents.assistant.wording.abilities import nearest_abilities
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Scene
from agents.tools.paper_names import named_papers
from agents.tools.tool import ToolError
from cache import conditions, fulltext, papers, shelf
from cache.conditions import Conditions

CHOOSING = frozenset({"filter", "resemble", "rank", "list"})
"""Tools that begin with the whole library, unless the request is about the papers that were spoken of before."""


async def plan(session: ConversationSession) -> None:
    """Post the plan of the turn that is being answered."""
    session.post(await asyncio.to_thread(planned_by_rule, session))


def planned_by_rule(session: ConversationSession) -> TurnPlanned:
    """The plan by rules (`agents.builtin.requests`); blocks on the disk."""
    message = session.turn.message
    reading = read_request(message, scene_of(session))
    steps = tuple(Step(call.tool, dict(call.arguments)) for call in reading.calls)
    reply = reading.reply if reading.understood else nearest_abilities(message)
    onward = reading.onward or not any(step.tool in CHOOSING for step in steps)
    return TurnPlanned(steps, "built-in", onward, reply, reading.understood)


def scene_of(session: ConversationSession) -> Scene:
    """What the message is read against."""
    state, context = session.state, session.context()

    @lru_cache(maxsize=256)
    def title_of(name: str) -> str:
        try:
            found = named_papers([name], context) if name.strip() else ()
        except ToolError:
            return ""
        return papers.by_ids(context.store, found[:1])[0].title if found else ""

    @lru_cache(maxsize=256)
    def is_author(name: str) -> bool:
        return bool(conditions.matching(context.store, Conditions(authors=(name,)))) if len(name) > 2 else False

    @lru_cache(maxsize=256)
    def is_venue(name: str) -> bool:
        return conditions.is_venue(context.store, name)

    @lru_cache(maxsize=256)
    def is_word(word: str) -> bool:
        return bool(fulltext.search(context.store, word, limit=1))

    rows = next((turn.answer.rows for turn in reversed(state.turns) if turn.answer and len(turn.answer.rows)), ())
    assert state.started is not None
    return Scene(
        today=state.started.today,
        candidates=None if state.candidates is None else len(state.candidates),
        numbers=state.candidates or (),
        shown=len(state.shown),
        last_place=max((row.place for row in rows), default=0),
        looked=state.shown.index(state.focus) + 1 if state.focus in state.shown else 0,
        sources=state.started.sources,
        tags=tuple(name for name, _ in shelf.tags(context.store)),
        title_of=title_of,
        is_author=is_author,
        is_venue=is_venue,
        is_word=is_word,
    )
