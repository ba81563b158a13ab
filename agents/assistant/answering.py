"""The answer to a turn: templates state the results of its steps; if the question is about what papers say, the model
words the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from agents.assistant.disclosure import PERSONAL, ROWS, paper_told, row_told, under_headings, wishes
from agents.assistant.events import AnswerDrafted, StepDone, TurnAnswered
from agents.assistant.execution import ConversationSession
from agents.assistant.grounding import MOST_SENTENCES, GroundingSource, beginning, checked
from agents.assistant.wording.outcomes import sentences_of
from agents.llm.answers.replies import without_thoughts
from agents.llm.prompt import AssessedItems, Prompt, data
from agents.run.step import Ids, numbered, read_ids
from cache import papers, profile
from cache.store import PaperId
from connectors.paper import Paper

UNCHANGED = "The earlier proposal was not carried out."
LIBRARY_EMPTY = "Your library is empty; searches and imports fill it."
_IN_LIBRARY = frozenset({"filter", "resemble", "rank", "query", "list"})
BY_MODEL = "The model's answer from these papers:"
"""Heading above the sentences that a model wrote."""


async def answer(session: ConversationSession) -> None:
    """Post the answer to the current turn; nothing if the run stops before the answer is complete."""
    turn = session.turn
    assert turn.plan is not None
    worded, left_out = await _by_model(session) if turn.plan.in_words else ([], 0)
    if session.control.stopping and turn.plan.in_words:
        _show(session, ())
        return
    lines = [UNCHANGED] if turn.decided and not turn.decided.allowed and turn.plan.by != "person" else []
    lines += [turn.plan.reply] if turn.plan.reply else []
    for done in turn.outcomes:
        if not (worded and done.tool == "paper" and not done.error):  # the model's sentences cover it
            lines += sentences_of(turn.step(done.step), done)
    if worded:
        lines += [BY_MODEL, *(f"- {sentence}" for sentence in worded)]
        lines += [_left_out(left_out)] if left_out else []
    if turn.proposed:
        lines.append(turn.proposed.sentence)
    shown = next((done.shown for done in reversed(turn.outcomes) if done.shown), ())
    if not lines and not shown and any(done.tool == "list" and not done.values.get("of") for done in turn.outcomes):
        lines.append("There is no paper to answer from.")
    if not shown and any(done.tool in _IN_LIBRARY for done in turn.outcomes) and not papers.any_known(session.store):
        lines.append(LIBRARY_EMPTY)
    document = "\n\n".join(done.text for done in turn.outcomes if done.text)
    rows, events = session.shown(map(PaperId, shown))
    session.post(*events, TurnAnswered("\n".join(lines), rows, document, "model" if worded else "built-in"))


def _left_out(sentences: int) -> str:
    if sentences == 1:
        return "1 more sentence is left out, because no paper supports it."
    return f"{sentences} more sentences are left out, because no paper supports them."


# By the model


class AnswerSentence(BaseModel):
    """A sentence, and the ids of the papers or rows that it rests on."""

    text: str
    rests_on: Ids


class Worded(BaseModel):
    """What the model is asked for."""

    sentences: list[AnswerSentence]


_SYSTEM = f"""\
You answer a question about papers of a person's library, from what is listed and from nothing else.
sentences: at most {MOST_SENTENCES}, each one sentence of at most 40 words that answers the question, with "rests_on": \
the ids of the papers or rows that it rests on, P…; a sentence without them is thrown away. In the text put \
the ids after what they say, as [P…]. Put into quotation marks only what stands so in a paper, write only numbers that \
stand there, no links. \
Where the papers do not say what is asked, say so of them.
Suits: what the person likes, dislikes and expects, where the question is what suits them.
Answer with one JSON object that has "sentences"."""


async def _by_model(session: ConversationSession) -> tuple[list[str], int]:
    """Return the model's supported sentences and the number of others; [] if it is not asked or supports none."""
    turn = session.turn
    assert turn.plan is not None
    if turn.proposed or any(done.error for done in turn.outcomes) or session.resources.model is None:
        return [], 0
    sources = _sources(session, turn.outcomes)
    if not sources:
        return [], 0
    suits = any(step.tool == "profile" or step.arguments.get("by") == "preference" for step in turn.plan.steps)
    own = [(line.facet, line.text) for line in profile.own_lines(session.store)] if suits else []
    parts = {"Question": turn.message, **({"Suits": wishes(session.state.noted, own)} if suits else {})}
    listed = data([dict(source.told) for source in sources.values()])
    prompt = Prompt("assistant-answer", 3, _SYSTEM, f"{under_headings(parts)}\n\nPapers:\n{listed}", 900)
    _show(session, ())  # remove what an earlier session showed of its answer
    about: AssessedItems[Worded] = AssessedItems((), lambda answer: bool(answer.sentences))
    reply = await session.ask(prompt, Worded, lambda written: _show(session, draft_of(written, sources)), about)
    if reply is None:
        return [], 0
    written = [
        (sentence.text, sentence.rests_on) for sentence in reply.sentences[:MOST_SENTENCES] if sentence.text.strip()
    ]
    supported = checked(written, sources)
    if not supported and not session.control.stopping:
        session.warn("No paper supports the model's answer, so it is not shown.")
    return supported, sum(not checked([written_sentence], sources) for written_sentence in written)


def _show(session: ConversationSession, draft: tuple[str, ...] | None) -> None:
    """Show the draft to the person if it has changed."""
    if draft is not None and draft != session.turn.draft:
        session.tell(AnswerDrafted(draft))


def _sources(session: ConversationSession, outcomes: Sequence[StepDone]) -> dict[str, GroundingSource]:
    """Return the sources by the ids that the model cites: the papers shown last, called by their numbers in that list,
    and the rows of queries."""
    shown = next((done.shown for done in reversed(outcomes) if done.shown), ())[:ROWS]
    rows = (("(the library)", row) for done in outcomes if _asked_of_papers(session, done) for row in _rows(done))
    listed = ((f"[{rank}]", paper) for rank, paper in enumerate(papers.by_ids(session.store, list(shown)), start=1))
    materials: list[tuple[str, Paper | Mapping[str, Any]]] = [*listed, *rows]
    return {
        name: GroundingSource(called, paper_told(name, value) if isinstance(value, Paper) else row_told(name, value))
        for name, (called, value) in numbered(materials[:ROWS], "P", session.secret).items()
    }


def _asked_of_papers(session: ConversationSession, done: StepDone) -> bool:
    """Whether a step queried facts of papers, and nothing that the person did or wrote."""
    sql = str(session.turn.step(done.step).arguments.get("sql", ""))
    return done.tool == "query" and not PERSONAL.search(sql)


def _rows(done: StepDone) -> list[Mapping[str, Any]]:
    """Return the rows of a query's result, each as a mapping by column."""
    columns = [str(column) for column in done.values.get("columns", ())]
    rows = done.values.get("rows", ())
    return [row if isinstance(row, Mapping) else dict(zip(columns, row, strict=False)) for row in rows]


LONGEST = 20_000
"""Maximum number of characters of an unfinished answer to read; a good one has a tenth of that."""


def draft_of(written: str, sources: Mapping[str, GroundingSource]) -> tuple[str, ...] | None:
    """Return the supported sentences of an unfinished answer; None if none can be read yet. The last sentence may be
    incomplete and its sources come after it, so it is checked against all sources."""
    rows = _numbered_rows(written)
    if rows is None:
        return None
    rows = rows[:MOST_SENTENCES]
    last = [shown for text, _ in rows[-1:] if (shown := beginning(text, sources))]
    return (*checked(rows[:-1], sources), *last)


def _numbered_rows(written: str) -> list[tuple[str, list[str]]] | None:
    """Return the sentences so far, each with the ids of its sources; None if the text has no object yet."""
    from json_repair import repair_json

    spoken = without_thoughts(written[:LONGEST])
    start = spoken.find("{")
    if start < 0:
        return None
    try:
        value: Any = repair_json(spoken[start:], return_objects=True, stream_stable=True)
    except (ValueError, RecursionError, TypeError, IndexError):
        return None  # the complete answer may still be repaired
    sentences = value.get("sentences") if isinstance(value, dict) else None
    rows = [row for row in sentences if isinstance(row, dict)] if isinstance(sentences, list) else []
    return [(text, read_ids(row.get("rests_on"))) for row in rows if isinstance(text := row.get("text"), str)]
