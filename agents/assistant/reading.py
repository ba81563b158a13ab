"""Plan a turn by rules: parse the message into steps, offers and a reply."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from agents.assistant.events import Offer, Step, TurnPlanned
from agents.assistant.execution import ConversationSession
from agents.assistant.state import Turn
from agents.assistant.wording.readings import plan_text
from agents.reading import message
from agents.reading.choosing import MessageContext
from agents.reading.message import turn_of
from agents.reading.reading import MessagePlan, Option, ToolCall, call, named, paper_named
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache.store import PaperId

_NUMBERED = re.compile(r"#[0-9]+")
_NUMBER = re.compile(r"“(#[0-9]+)”")
_TOLD = frozenset({("resemble", "papers"), ("resemble", "unlike"), ("filter", "except_papers")})
"""Arguments of tools that the answer repeats as given."""
MOST_OFFERS, MOST_PAPERS = 3, 5
"""Maximum number of readings offered at once, and of papers offered if one is meant."""
CHOOSING = frozenset({"filter", "resemble", "rank", "list"})
"""Tools that begin with the whole library, unless the request is about the papers mentioned before."""


def planned_by_rule(session: ConversationSession) -> TurnPlanned:
    """Return the plan for the message. Blocks on the disk."""
    turn = _turn(session)
    reading = message.read_message(turn)
    options = (*reading.options, *_wider(reading, turn), *_elsewhere(reading, turn))
    which = bool(reading.options) and all(paper_named(option.calls) for option in reading.options)
    most = MOST_PAPERS if which else MOST_OFFERS
    offers = tuple(islice(filter(None, (_offer(option, turn) for option in options)), most))
    if not reading.understood:
        return TurnPlanned((), "built-in", True, reading.reply, understood=False, offers=offers, focus=_one_of(offers))
    steps = _steps(_named(call, turn) for call in reading.calls)
    onward = _goes_on(reading, steps)
    taken = f"I took {', '.join(reading.taken)}." if reading.taken else ""
    reply = "\n".join(filter(None, (_goes_back(session) if onward else "", reading.reply, taken)))
    return TurnPlanned(steps, "built-in", onward, reply, offers=offers)


def _one_of(offers: Sequence[Offer]) -> int | None:
    """Return the number of the only paper in the offers; None if they name several or none."""
    given = [step.arguments for offer in offers for step in offer.steps]
    names = {name for arguments in given for name in (*arguments.get("papers", ()), arguments.get("paper", ""))}
    numbers = {int(name[1:]) for name in names if _NUMBERED.fullmatch(name)}
    return numbers.pop() if len(numbers) == 1 else None


def _goes_back(session: ConversationSession) -> str:
    """Return the sentence that this request is about papers before the last one, which left none; "" if it is not."""
    outcomes = session.state.turns[-2].outcomes if len(session.state.turns) > 1 else []
    chosen = [done.papers for done in outcomes if done.papers is not None]
    if not chosen or chosen[-1] or not (before := session.turn.began):
        return ""
    count = "the paper" if len(before) == 1 else f"the {len(before):,} papers"
    return f"The last request found no paper, so this is about {count} before it."


def small_talk(session: ConversationSession) -> str:
    """Return the reply to small talk, "" for any other message. Blocks on the disk."""
    reading = message.small_talk(_turn(session))
    return reading.reply if reading else ""


def _turn(session: ConversationSession) -> MessageContext:
    """Return the context for reading the message."""
    assert session.state.started is not None
    before = next((turn.plan for turn in reversed(session.state.turns[:-1]) if turn.plan and turn.plan.steps), None)
    pending, offered = _pending(session.state.turns[:-1])
    last = session.state.turns[-2].plan if len(session.state.turns) > 1 else None
    return turn_of(
        session.turn.message, session.context(), session.state.started.today, _calls(before.steps if before else ()),
        before_onward=bool(before and before.onward), pending=pending, offered=offered,
        failed=None if last is None or last.understood else _calls(last.offers[0].steps if last.offers else ()),
    )  # fmt: skip


def _calls(steps: Iterable[Step]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(step.tool, step.arguments) for step in steps)


def _pending(turns: Sequence[Turn]) -> tuple[Sequence[ToolCall], list[str]]:
    """Return the steps of the last request and the names of the papers offered for it, if the person was asked which of
    several papers they mean."""
    plan = turns[-1].plan if turns else None
    if plan is None or plan.understood or len(plan.offers) < 2:
        return [], []
    steps = [_calls(offer.steps) for offer in plan.offers]
    names = [paper_named(offered) for offered in steps]
    alike = [[named(call, "") for call in offered] for offered in steps]
    return (steps[0], names) if all(names) and all(calls == alike[0] for calls in alike) else ([], [])


def _wider(reading: MessagePlan, turn: MessageContext) -> Iterator[Option]:
    """Yield the same request for the whole library, if it matches none of the papers mentioned before."""
    first = next(iter(reading.calls), None)
    if not (reading.understood and reading.onward and first and first.tool == "filter" and first.arguments):
        return
    wanted = FILTER_ARGUMENTS.model_validate(first.arguments).wanted
    matching = turn.names.matching_among
    if not matching(wanted, turn.context.candidates) and matching(wanted, None):
        yield Option("{}", reading.calls, False)


def _elsewhere(reading: MessagePlan, turn: MessageContext) -> Iterator[Option]:
    """Yield a search of the sources for the subject of a request that matches nothing in the library."""
    first = next(iter(reading.calls), None)
    if not (reading.understood and first and first.tool == "filter") or reading.onward:
        return
    given = FILTER_ARGUMENTS.model_validate(first.arguments)
    if given.phrases and not turn.names.matching_among(given.wanted, None):
        dates = {name: first.arguments.get(name) for name in ("since", "until")}
        yield Option("{}", (call("search", question=" ".join(given.phrases), **dates),))


def _steps(calls: Iterable[ToolCall]) -> tuple[Step, ...]:
    return tuple(Step(call.tool, dict(call.arguments)) for call in calls)


def _named(call: ToolCall, turn: MessageContext) -> ToolCall:
    """Replace paper numbers by titles in arguments that the answer repeats."""
    given = {
        name: [_title(paper, turn) for paper in value] if (call.tool, name) in _TOLD else value
        for name, value in call.arguments.items()
    }
    return ToolCall(call.tool, given)


def _title(name: str, turn: MessageContext) -> str:
    if name == "@it":
        return "".join(turn.titles([name])) or name
    return "".join(turn.names.titles([PaperId(int(name[1:]))])) if _NUMBERED.fullmatch(name) else name


def _goes_on(reading: MessagePlan | Option, steps: Sequence[Step]) -> bool:
    return reading.onward or not any(step.tool in CHOOSING for step in steps)


def _offer(option: Option, turn: MessageContext) -> Offer | None:
    """Return an option as shown to the person; None if its steps have no wording."""
    steps = _steps(_named(call, turn) for call in option.calls)
    label = option.label
    if "{}" in label:
        text = plan_text(_steps(option.told or option.calls), option.onward)
        label = label.replace("{}", text) if text else ""
    label = _NUMBER.sub(lambda match: f"“{_title(match[1], turn)}”", label)
    return Offer(label, steps, _goes_on(option, steps)) if label else None
