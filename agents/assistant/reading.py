"""The plan of a turn by rules: the message is read, and what was understood becomes steps, offers and a reply."""

import re
from collections.abc import Iterable, Sequence

from agents.assistant.events import Offer, Step, TurnPlanned
from agents.assistant.session import ConversationSession
from agents.assistant.wording.readings import plan_text
from agents.reading.choosing import Turn
from agents.reading.message import read_message, turn_of
from agents.reading.reading import Call, Option, Reading
from cache.store import PaperId

_NUMBER = re.compile(r"“#(\d+)”")
CHOOSING = frozenset({"filter", "resemble", "rank", "list"})
"""Tools that begin with the whole library, unless the request is about the papers that were spoken of before."""


def planned_by_reading(session: ConversationSession) -> TurnPlanned:
    """The plan of what the message asks for; blocks on the disk."""
    assert session.state.started is not None
    before = next((turn.plan for turn in reversed(session.state.turns[:-1]) if turn.plan and turn.plan.steps), None)
    calls = [Call(step.tool, step.arguments) for step in before.steps] if before else []
    turn = turn_of(
        session.turn.message, session.context(), session.state.started.today, calls,
        before_onward=bool(before and before.onward),
    )  # fmt: skip
    reading = read_message(turn)
    offers = tuple(offer for option in reading.options if (offer := _offer(option, turn)) is not None)
    if not reading.understood:
        return TurnPlanned((), "built-in", True, reading.reply, understood=False, offers=offers)
    steps = _steps(reading.calls)
    taken = f"I took {', '.join(reading.taken)}." if reading.taken else ""
    reply = "\n".join(filter(None, (reading.reply, taken)))
    return TurnPlanned(steps, "built-in", _goes_on(reading, steps), reply, offers=offers)


def _steps(calls: Iterable[Call]) -> tuple[Step, ...]:
    return tuple(Step(call.tool, dict(call.arguments)) for call in calls)


def _goes_on(reading: Reading | Option, steps: Sequence[Step]) -> bool:
    return reading.onward or not any(step.tool in CHOOSING for step in steps)


def _offer(option: Option, turn: Turn) -> Offer | None:
    """An option as it is shown; None where its steps cannot be told in words."""
    steps = _steps(option.calls)
    label = option.label
    if "{}" in label:
        text = plan_text(steps, option.onward)
        label = label.replace("{}", text) if text else ""
    label = _NUMBER.sub(lambda match: f"“{''.join(turn.names.titles([PaperId(int(match[1]))]))}”", label)
    return Offer(label, steps, _goes_on(option, steps)) if label else None
