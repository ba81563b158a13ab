"""The answer to a turn, from what its steps came to: without a model by templates."""

from agents.assistant.events import TurnAnswered
from agents.assistant.session import ConversationSession
from agents.assistant.wording.outcomes import sentences_of
from cache.store import PaperId

UNCHANGED = "What was proposed before was not done."


def answer(session: ConversationSession) -> None:
    """Post the answer to the turn that is being answered."""
    turn = session.turn
    assert turn.plan is not None
    told = [UNCHANGED] if turn.decided and not turn.decided.allowed and turn.plan.by != "person" else []
    told += [turn.plan.reply] if turn.plan.reply else []
    for done in turn.outcomes:
        told += sentences_of(turn.step(done.step), done)
    if turn.proposed:
        told.append(turn.proposed.sentence)
    shown = next((done.shown for done in reversed(turn.outcomes) if done.shown), ())
    document = "\n\n".join(done.text for done in turn.outcomes if done.text)
    rows, events = session.shown(map(PaperId, shown))
    session.post(*events, TurnAnswered("\n".join(told), rows, document))
