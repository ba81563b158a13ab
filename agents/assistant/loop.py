"""The conversation: messages in, a stream of events out (InteRecAgent §3).

Each turn is planned as a whole, its plan is run strictly, and then it is answered. Changes of the person's data are
proposed and wait for a yes. Every step reads the board and adds only what it lacks, so an interrupted turn resumes
where it stopped.
"""

from collections.abc import AsyncGenerator
from functools import partial

from agents.assistant.answering import answer
from agents.assistant.events import (
    ChangeDecided,
    ConversationEvent,
    ConversationFinished,
    ConversationStarted,
    MessageReceived,
    Step,
    TurnPlanned,
)
from agents.assistant.execution import ConversationSession, execute, settled
from agents.assistant.options import LONGEST, ConversationOptions
from agents.assistant.planning import next_step, plan, plan_again
from agents.assistant.reflection import found_bad
from agents.assistant.state import ConversationState
from agents.assistant.wording.outcomes import papers_text
from agents.reading.follow_ups import consent, is_doubtful, taken
from agents.run.control import Control, Say
from agents.run.findings import Board
from agents.run.resources import Resources
from connectors.records.clean import clean_text

NEITHER = "Please answer yes or no. Nothing was changed yet."


def converse(
    message: str,
    resources: Resources,
    options: ConversationOptions,
    board: Board[ConversationState, ConversationEvent] | None = None,
    control: Control | None = None,
) -> AsyncGenerator[ConversationEvent, None]:
    """Yield the events of a conversation that begins with `message`, or of the requests to the one on `board`; closing
    the iterator stops it at once. Raises `CacheError`."""
    board = board or Board(ConversationState())
    session = ConversationSession(resources, options, board, control or Control(options.seconds))
    return session.stream(partial(_run, first=message))


async def _run(session: ConversationSession, first: str) -> None:
    if not session.state.started:
        today = session.now.astimezone().date()
        session.post(
            ConversationStarted(tuple(session.resources.live), session.options.seed, today, session.model_name)
        )
    requests = session.control.requests
    if session.options.papers and not session.state.turns:
        _take_papers(session)
    opening = len(session.state.turns) == 1 and session.options.papers and session.state.turns[0].message != first
    if session.state.turn is not None and (opening or not requests.open):  # a new message abandons the open turn
        await _answer(session)
    if (opening or not session.state.turns) and not session.control.stopping:
        await _take(session, first)
    while requests.open and not session.control.stopping:
        request = await requests.next()
        try:
            if isinstance(request, Say):
                await _take(session, request.text)
        finally:
            requests.met()
    session.count_broken_off()
    if session.state.finished is None:
        session.post(ConversationFinished(session.seconds, session.ending))


def _take_papers(session: ConversationSession) -> None:
    """Open a conversation about given papers with a turn that takes these papers."""
    papers = session.options.papers
    session.post(MessageReceived(f"About {papers_text(len(papers))}"))
    session.post(TurnPlanned((Step("take", {"papers": [f"#{number}" for number in papers]}), Step("list")), "person"))


async def _take(session: ConversationSession, text: str) -> None:
    """Post a message and answer it. After a proposal, a yes confirms the change, a doubtful answer repeats the
    question, and any other message cancels it. A message can also choose one of the readings offered before."""
    proposal, before, offers = session.state.proposal, session.state.turns[-1:], session.state.offers
    choice = taken(text, [offer.label for offer in offers])
    session.post(MessageReceived(_read(session, text)))
    if proposal is not None and (plan := before[0].plan) is not None:
        settle = {change.step: change for change in proposal.changes}
        tools = {plan.steps[number].tool for number in settle}
        word = consent(text, tools) if choice is None else None
        first = proposal.changes[0].step
        steps = [settled(step, settle[number]) if number in settle else step
                 for number, step in enumerate(plan.steps) if number >= first]  # fmt: skip
        if word is True:
            session.post(TurnPlanned(tuple(steps), "person", onward=True), ChangeDecided(True, len(settle)))
        elif word is False:
            session.post(TurnPlanned((), "person", onward=True, reply="Nothing was changed."), ChangeDecided(False))
        elif choice is None and is_doubtful(text, tools):
            session.post(TurnPlanned(tuple(steps), "person", onward=True, reply=NEITHER))
        else:
            session.post(ChangeDecided(False))
    if choice is not None:
        offer = offers[choice]
        session.post(TurnPlanned(offer.steps, "person", offer.onward, offers=offers, instead=True))
    await _answer(session)


async def _answer(session: ConversationSession) -> None:
    if session.turn.plan is None:
        await plan(session)
    await _carry_out(session)
    while await found_bad(session) and await plan_again(session):
        await _carry_out(session)
    if not session.control.stopping:
        await answer(session)


async def _carry_out(session: ConversationSession) -> None:
    await execute(session)
    while await next_step(session):
        await execute(session)


def _read(session: ConversationSession, text: str) -> str:
    whole = clean_text(text, max(len(text), 1))
    if len(whole) > LONGEST:
        session.warn(f"Only the first {LONGEST:,} of the {len(whole):,} characters of your message were read.")
    return clean_text(text, LONGEST)
