"""Context Summary (ARAG §2.2.3): sum up the accepted candidates by the person's interests and by their alignment.

Whatever all accepted candidates share sets none of them apart. So each gets the share of it (`common`), which the
ranker subtracts. That helps a little on libraries whose next papers are known (`docs/recommendations.md`).
"""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.builtin.taste.catalogue import Catalogue
from agents.builtin.taste.tokens import subjects_of
from agents.builtin.text.excerpts import excerpt
from agents.builtin.text.loose_words import loose_words
from agents.builtin.text.remarks import checked_remark
from agents.llm.prompt import Prompt, data
from agents.recommendation.events import ContextRead, ContextSummarized, InterestsUnderstood, ProfileLine, Theme
from agents.recommendation.options import THRESHOLD
from agents.recommendation.recall import RecommendationSession
from agents.run.step import Ids, known_ids, numbered, text_of
from agents.taste.records import HistoryPaper
from agents.taste.whole_profile import name_of
from connectors.paper import Paper, WorkId

HISTORY, UNWANTED, LINES, CANDIDATES = 40, 20, 30, 30
"""Number of papers of the history, unwanted papers, lines of the person and candidates in a prompt."""
ABSTRACT, BRIEF = 600, 300
DISCLOSED = (
    (
        f"the titles of the {HISTORY} papers with the most weight in your history, by subject, with what you did with"
        " each (saved, liked, noted, cited, exported, read, opened, viewed), and which of these in this session"
    ),
    f"the titles of up to {UNWANTED} papers that you do not want",
    f"up to {LINES} lines that you wrote in your profile",
    "a description of your interests: a few words from the titles of each subject, or the model's own",
    (
        f"for the best candidates, {CANDIDATES} at each step: the title, the year and the first {ABSTRACT} letters of"
        " the abstract (of spar's note if there is none); how well each fits; and a few words about their common"
        " subjects"
    ),
)
"""What is sent to the language model for a recommendation."""
NOT_DISCLOSED = "your notes, tags, files, searches or name, or any other paper of the library"
_TITLE = 300
_LINE = 300


@dataclass(frozen=True)
class ReaderFacts:
    """The data about the person in a prompt: papers of the history, unwanted papers and their own lines, by
    id."""

    history: Mapping[str, HistoryPaper]
    unwanted: Mapping[str, HistoryPaper]
    lines: Mapping[str, ProfileLine]
    subjects: Sequence[Sequence[str]]
    session: frozenset[str]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the papers, by id."""
        return {name: paper.title for name, paper in (*self.history.items(), *self.unwanted.items())}

    @property
    def ids(self) -> Collection[str]:
        return {*self.history, *self.unwanted, *self.lines}

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the library numbers of the papers with these ids, without duplicates; other ids are skipped."""
        papers = (self.history.get(name) or self.unwanted.get(name) for name in names)
        return tuple(dict.fromkeys(paper.number for paper in papers if paper))

    def names(self, numbers: Iterable[int]) -> list[str]:
        """Return the ids of the papers with these numbers; papers that the model does not get are skipped."""
        ids = {paper.number: name for name, paper in (*self.unwanted.items(), *self.history.items())}
        return [ids[number] for number in numbers if number in ids]

    @property
    def texts(self) -> list[str]:
        """The texts that the model may quote."""
        return [*self.titles.values(), *(line.text for line in self.lines.values())]

    @property
    def listed(self) -> str:
        """The data as text for the prompts."""
        papers = {
            name: {"id": name, "title": paper.title[:_TITLE], "acts": list(paper.acts)}
            | ({"now": True} if name in self.session else {})
            for name, paper in self.history.items()
        }
        history = [{"subject": [papers[name] for name in subject]} for subject in self.subjects]
        unwanted = [{"id": name, "title": paper.title[:_TITLE]} for name, paper in self.unwanted.items()]
        lines = [{"id": name, "facet": line.facet, "text": line.text[:_LINE]} for name, line in self.lines.items()]
        own = json.dumps(lines, ensure_ascii=False)
        return f"History:\n{data(history)}\n\nUnwanted:\n{data(unwanted)}\n\nOwn lines:\n{own}"


def facts_about(context: ContextRead, secret: str) -> ReaderFacts:
    """Return the data about a person that the model gets: the papers with the most weight, and the latest lines."""
    papers = {paper.number: paper for paper in context.history[:HISTORY]}
    groups = [[number for number in group if number in papers] for group in context.groups]
    grouped = {number for group in groups for number in group}
    groups.append([number for number in papers if number not in grouped])
    history = numbered([papers[number] for group in groups for number in group], "h", secret)
    ids = {paper.number: name for name, paper in history.items()}
    return ReaderFacts(
        history,
        numbered(context.unwanted[:UNWANTED], "n", secret),
        numbered(context.lines[-LINES:], "l", secret),
        [[ids[number] for number in group] for group in groups if group],
        frozenset(ids[number] for number in context.session if number in ids),
    )


def interests(context: ReaderFacts, interests_found: InterestsUnderstood) -> str:
    """Return m_user as text for the prompts: the understood lines whose first paper the model gets."""
    lines = [
        {"facet": line.facet, "text": line.text[:_LINE], "papers": context.names(line.papers)}
        for line in interests_found.lines
        if line.by != "person" and context.names(line.papers[:1])
    ]
    return f"Interests:\n{data(lines)}\n\nAfter now:\n{data(interests_found.now)}"


def described(paper: Paper) -> dict[str, Any]:
    """Return a candidate as data for a prompt about it alone."""
    return {"title": paper.title[:_TITLE], "year": paper.year, **text_of(paper, ABSTRACT)}


def in_words(name: str, paper: Paper, secret: str) -> dict[str, Any]:
    """Return a candidate as data for a prompt about several: as loose words, which cannot speak of the others."""
    texts = {"title": paper.title[:_TITLE], "abstract": excerpt(paper.about, BRIEF)}
    return {"id": name, "year": paper.year, **{part: loose_words(text, secret) for part, text in texts.items()}}


Key = TypeVar("Key", bound=int)
LEAST_ACCEPTED = 10
"""Number of candidates that are accepted if fewer reach the threshold."""
MOST_THEMES = 5


async def sum_up(session: RecommendationSession) -> None:
    """Post S_ctx: the model's, or else the rule's."""
    accepted = accepted_works(session)
    common = await _common(session, accepted)
    by_rule = ContextSummarized(tuple(accepted), THRESHOLD, _themes(session, accepted), common)
    by_model = await _by_model(session, by_rule) if session.by_model and accepted else None
    session.post(by_model or by_rule)


def accepted_works(session: RecommendationSession) -> list[WorkId]:
    """Return I⁺: the candidates whose alignment reaches θ, best first; if that is too few, the `LEAST_ACCEPTED`
    best."""
    aligned = session.state.aligned
    scores = {
        work: aligned[work].score for work in session.state.candidates if aligned[work].alignment != "contradicts"
    }
    return accepted(scores)


def accepted(scores: Mapping[Key, float]) -> list[Key]:
    """Return the keys whose score reaches θ, best first; if that is too few, the `LEAST_ACCEPTED` best."""
    order = sorted(scores, key=lambda candidate: (-scores[candidate], candidate))
    reached = [candidate for candidate in order if scores[candidate] >= THRESHOLD]
    return reached if len(reached) >= LEAST_ACCEPTED else order[:LEAST_ACCEPTED]


# By rule


async def _common(session: RecommendationSession, accepted: Sequence[WorkId]) -> tuple[tuple[WorkId, float], ...]:
    comparison, place_of = await session.comparison(), await session.places()
    works = [work for work in session.state.candidates if work in place_of]
    saliences = {place_of[work]: session.state.aligned[work].score for work in accepted if work in place_of}
    positions = [place_of[work] for work in works]
    shared = await asyncio.to_thread(in_common, comparison.catalogue, positions, saliences)
    return tuple((work, round(share, 6)) for work, share in zip(works, shared, strict=True))


def in_common(catalogue: Catalogue, candidates: Sequence[int], saliences: Mapping[int, float]) -> list[float]:
    """Return the mean support of each of `candidates` by the other accepted ones, weighted by `saliences`."""
    support = catalogue.support(list(saliences), candidates)
    column_of = {position: column for column, position in enumerate(candidates)}
    for row, (position, salience) in enumerate(saliences.items()):
        support[row] *= salience
        if position in column_of:
            support[row, column_of[position]] = 0.0
    return [float(share) for share in support.sum(axis=0) / max(sum(saliences.values()), 1e-9)]


def _themes(session: RecommendationSession, accepted: Sequence[WorkId]) -> tuple[Theme, ...]:
    """Group the accepted candidates by the person's interest that each rests on; the most salient group first."""
    assert session.state.context is not None
    subjects = subjects_of(session.state.supports, session.state.context.groups)
    by_interest: dict[int, list[WorkId]] = {}
    for work in accepted:
        by_interest.setdefault(subjects.get(work, -1), []).append(work)
    papers = session.papers
    everyone = [papers[work] for work in session.state.candidates]
    themes = [(name_of([papers[work] for work in works], everyone), works) for works in by_interest.values()]
    return _salient(session, accepted, themes)


def _salient(
    session: RecommendationSession, accepted: Sequence[WorkId], themes: Sequence[tuple[str, Sequence[WorkId]]]
) -> tuple[Theme, ...]:
    """Return the `themes` with their salience, computed from the alignment of their works; the most salient first."""
    aligned = session.state.aligned
    total = sum(aligned[work].score for work in accepted) or 1.0
    weighted = [
        Theme(name, tuple(works), round(sum(aligned[work].score for work in works) / total, 4))
        for name, works in themes
    ]
    return tuple(sorted(weighted, key=lambda theme: -theme.salience)[:MOST_THEMES])


# By the model


class NamedTheme(BaseModel):
    """A theme, and the candidates that it is of."""

    name: str
    candidates: Ids


class Summary(BaseModel):
    """The requested answer of the model."""

    summary: str
    themes: list[NamedTheme]


_SYSTEM = f"""\
You are the Context Summary agent of a paper recommender. Other agents told what a researcher is interested in \
("Interests", what they are "After now") and how well each candidate paper fits that ("salience", from 0 to 1); each \
comes as the words of its title and abstract, in no order. Sum up what the candidates offer this person: let the \
interests say what matters, and give a candidate room by its salience.
summary: 2 to 4 English sentences on what the candidates bring to these interests, what is new in them, and what sets \
them apart from each other, without ids.
themes: at most {MOST_THEMES}, each with a name of 2 to 6 words and the ids of its candidates, c…; no candidate is in \
two themes.
Name no paper that is not listed. Answer with one JSON object that has "summary" and "themes"."""
_LONGEST_NAME = 80
_LONGEST_SUMMARY = 700


async def _by_model(session: RecommendationSession, by_rule: ContextSummarized) -> ContextSummarized | None:
    """Return the model's summary; None if it cannot be used."""
    works = numbered(by_rule.accepted[:CANDIDATES], "c", session.secret)
    answer = await session.ask(_prompt(session, by_rule, works), Summary) if works else None
    if answer is None:
        return None
    titles = {name: session.papers[work].title for name, work in works.items()}
    texts = [text for work in works.values() for text in (session.papers[work].title, session.papers[work].about)]
    text = checked_remark(answer.summary, _LONGEST_SUMMARY, titles, texts)
    themes, unassigned = list[tuple[str, Sequence[WorkId]]](), dict.fromkeys(by_rule.accepted)
    for row in answer.themes:
        work_ids = [works[name] for name in known_ids(row.candidates, works) if works[name] in unassigned]
        name = checked_remark(row.name, _LONGEST_NAME, titles, texts)
        if work_ids and name:
            themes.append((name, work_ids))
            unassigned = {work: None for work in unassigned if work not in work_ids}
    if not text and not themes:
        session.warn("What the model said about the candidates cannot be used, so built-in rules summarize them.")
        return None
    rest = [
        (theme.name, ids) for theme in by_rule.themes if (ids := [work for work in theme.works if work in unassigned])
    ]
    return replace(by_rule, themes=_salient(session, by_rule.accepted, [*themes, *rest]), by="model", text=text)


def _prompt(session: RecommendationSession, by_rule: ContextSummarized, works: Mapping[str, WorkId]) -> Prompt:
    state = session.state
    assert state.context is not None
    assert state.understood is not None
    rows = [
        {**in_words(name, session.papers[work], session.secret), "salience": round(state.aligned[work].score, 2)}
        for name, work in works.items()
    ]
    what_person_likes = interests(facts_about(state.context, session.secret), state.understood)
    user = f"{what_person_likes}\n\nThreshold:\n{by_rule.threshold}\n\nCandidates:\n{data(rows)}"
    return Prompt("context-summary", 3, _SYSTEM, user, 1_200)
