"""User Understanding (ARAG §2.2.4): what the person likes, dislikes and expects, and what they are after now."""

import asyncio

from pydantic import BaseModel

from agents.builtin.text.remarks import checked_remark
from agents.llm.prompt import Prompt
from agents.recommendation.context_summary import ReaderFacts, facts_about
from agents.recommendation.events import InterestsUnderstood, ProfileLine
from agents.recommendation.recall import RecommendationSession
from agents.run.step import Ids, known_ids
from agents.taste.comparison import TasteComparison
from agents.taste.whole_profile import name_of, understood_lines
from cache import papers
from cache.profile import FACETS

MOST_LINES = 8
"""Maximum number of lines from the model."""
LONGEST_LINE = 160


async def understand(session: RecommendationSession) -> None:
    """Post S_user, unless the board has it."""
    if session.state.understood is not None:
        return
    comparison = await session.comparison()
    by_rule = await asyncio.to_thread(_by_rule, session, comparison)
    by_model = await _by_model(session, by_rule) if asks_model(session) else None
    session.post(by_model or by_rule)


def asks_model(session: RecommendationSession) -> bool:
    """Whether the model still has to find the interests: there is one, and papers to base them on."""
    context = session.state.context
    return session.by_model and session.state.understood is None and bool(context and context.history)


# By rule


def _by_rule(session: RecommendationSession, comparison: TasteComparison) -> InterestsUnderstood:
    context = session.state.context
    assert context is not None
    store = session.reader.store
    lines = tuple(
        ProfileLine(line.facet, line.text, line.papers)
        for line in understood_lines(store, comparison, context.groups, session.context.claimed)
    )
    now = papers.by_ids(store, context.session)
    rest = papers.by_ids(store, [paper.number for paper in context.history])
    return InterestsUnderstood((*context.lines, *lines), name_of(now, rest) if now and len(now) < len(rest) else "")


# By the model


class Interest(BaseModel):
    """A line of the profile, and the papers that it rests on."""

    facet: str
    text: str
    papers: Ids


class Interests(BaseModel):
    """The requested answer of the model."""

    lines: list[Interest]
    now: str = ""


_SYSTEM = f"""\
You are the User Understanding agent of a paper recommender. From a researcher's reading history, grouped by subject, \
tell what this person likes, dislikes and expects of papers.
lines: first the lasting interests, at most {MOST_LINES} lines in all, each on one thing and precise enough to tell \
papers apart. facet "like": what papers of the history are about. facet "expect": what they have in common besides \
their subject, such as a kind of method, of evidence or of study. facet "dislike": what unwanted papers are about. \
text: 3 to 20 words. papers: the ids of the papers that the line rests on, h… for what is liked or expected, n… for \
what is disliked; a line without them is thrown away. Do not repeat the person's own lines.
now: one sentence on what the person is after in this session, from the papers marked "now"; empty if none is.
Write English, name no paper, person or id in the texts. Answer with one JSON object that has "lines" and "now"."""


async def _by_model(session: RecommendationSession, by_rule: InterestsUnderstood) -> InterestsUnderstood | None:
    """Return the model's lines, plus built-in lines on papers without one; None if no line can be used."""
    context = session.state.context
    assert context is not None
    reader_facts = facts_about(context, session.secret)
    answer = await session.ask(Prompt("user-understanding", 2, _SYSTEM, reader_facts.listed, 1_200), Interests)
    if answer is None:
        return None
    lines_by_text = {line.text.casefold(): line for row in answer.lines if (line := _line(row, reader_facts))}
    lines = tuple(lines_by_text.values())[:MOST_LINES]
    if not lines:
        session.warn(
            "The model described your interests without papers of your history, so built-in rules describe them."
        )
        return None
    covered = {number for line in lines for number in line.papers}
    own = tuple(line for line in by_rule.lines if line.by == "person")
    rest = tuple(line for line in by_rule.lines if line.by != "person" and not covered & {*line.papers})
    now = checked_remark(answer.now, 300, reader_facts.titles, reader_facts.texts) if reader_facts.session else ""
    return InterestsUnderstood((*own, *lines, *rest), now or by_rule.now, "model")


def _line(row: Interest, context: ReaderFacts) -> ProfileLine | None:
    """Return a line of the model, checked; None if it rests on no paper of the kind that its facet needs."""
    facet = next((facet for facet in FACETS if facet == row.facet.strip().lower()), None)
    papers_by_id = context.unwanted if facet == "dislike" else context.history
    numbers = context.numbers(known_ids(row.papers, papers_by_id))
    text = checked_remark(row.text, LONGEST_LINE, context.titles, context.texts)
    return ProfileLine(facet, text, numbers, "model") if facet and numbers and text else None
