"""NLI alignment (ARAG §2.2.2): does a candidate support what the person cares for, or contradict it?"""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from pydantic import BaseModel

from agents.builtin.text.remarks import checked_remark
from agents.evidence.quotes import noted_words, verbatim_quote
from agents.llm.prompt import Prompt, data
from agents.meaning.kept import text_for
from agents.recommendation.context_summary import CANDIDATES, ReaderFacts, described, facts_about
from agents.recommendation.events import Alignment, CandidateAligned
from agents.recommendation.options import THRESHOLD
from agents.recommendation.recall import RecommendationSession
from agents.recommendation.user_understanding import asks_model
from agents.run.retrieval.queries import within
from agents.run.step import Ids, Score, ask_about, in_batches, known_ids, numbered, read_id, reason
from agents.taste.comparison import TasteComparison
from agents.taste.context import history_papers
from agents.taste.fit import ground_of
from agents.taste.records import Ground, HistoryPaper
from agents.taste.scoring import AGAINST, Scored, by_vectors, nearness, scored
from cache.store import PaperId
from connectors.paper import Paper, WorkId

if TYPE_CHECKING:
    from agents.builtin.question_parsing.parsed_question import ParsedQuestion


async def nearness_of(
    session: RecommendationSession, comparison: TasteComparison, positions: Mapping[WorkId, int]
) -> dict[WorkId, float] | None:
    """Return how near the works at `positions` are to the history by vectors; None if these are unused or failed."""
    history = [index for index in comparison.wanted if comparison.number(index) is not None]
    if not history or not positions or not by_vectors(len(comparison.wanted)):
        return None
    texts = {index: text_for(comparison.paper(index)) for index in dict.fromkeys((*history, *positions.values()))}
    vectors = await session.vectors(list(texts.values()))
    if len(vectors) < len(set(texts.values())):
        return None
    near = nearness({index: vectors[text] for index, text in texts.items()}, list(positions.values()), history)
    return dict(zip(positions, near, strict=True))


BATCH = 10
"""Candidates that the model weighs at once."""
ALONE, JUMP = 2, 0.5
"""At most `ALONE` candidates of a batch are weighed again alone: those whose rise over the rule's score differs most,
by at least `JUMP`, from the batch's median rise. Another candidate's text may have swayed the model."""
_GROUNDS = 3


async def align(session: RecommendationSession) -> None:
    """Post s(i, u) for each candidate that lacks it on the board: the model weighs the best, rules the others."""
    due = [work for work in session.state.candidates if work not in session.state.aligned]
    if not due:
        return
    comparison, positions = await session.comparison(), await session.places()
    near = await nearness_of(session, comparison, positions)
    by_rule = await asyncio.to_thread(_by_rule, session, comparison, positions, session.state.candidates, near)
    batches = _batches(session, by_rule) if session.by_model else []
    work_ids = [work for batch in batches for work in batch]
    session.post(*(by_rule[work] for work in due if work not in work_ids))
    if batches:
        weighing = _Weighing(session, by_rule)
        await reason(session, batches, weighing.ask, lambda work: by_rule[work])
        # candidates without an answer when the run must end
        session.post(*(by_rule[work] for work in work_ids if work not in session.state.aligned))


def _batches(session: RecommendationSession, by_rule: Mapping[WorkId, CandidateAligned]) -> list[Sequence[WorkId]]:
    """Return the batches for the model: the best candidates that do not contradict the history, within the budget. One
    request is reserved for `asks_model`, which runs at the same time.

    Results already on the board do not change the choice.
    """
    fitting = [work for work, aligned in by_rule.items() if aligned.alignment != "contradicts"]
    best = sorted(fitting, key=lambda work: (-by_rule[work].score, work))[:CANDIDATES]
    due = [[work for work in batch if work not in session.state.aligned] for batch in in_batches(best, BATCH)]
    batches: list[Sequence[WorkId]] = [batch for batch in due if batch]
    capacity = max(session.questions_left - asks_model(session), 0)
    if capacity < len(batches):
        share = f"{capacity} of {len(batches)} batches of candidates"
        session.warn(f"The budget lets the model judge {share}; built-in rules judge the others.")
    return batches[:capacity]


# By rule


def _by_rule(
    session: RecommendationSession,
    comparison: TasteComparison,
    positions: Mapping[WorkId, int],
    due: Sequence[WorkId],
    near: Mapping[WorkId, float] | None,
) -> dict[WorkId, CandidateAligned]:
    works = [work for work in due if work in positions]
    by_vectors = None if near is None else [near[work] for work in works]
    by_work = dict(
        zip(works, scored(comparison, [positions[work] for work in works], _GROUNDS, by_vectors), strict=True)
    )
    expectations = _expected(session)
    context = session.state.context
    named_numbers = {paper.number for paper in (*context.history, *context.unwanted)} if context else set()
    nothing = Scored(0.0, ())
    return {
        work: _aligned(session, comparison, work, by_work.get(work, nothing), expectations, named_numbers)
        for work in due
    }


def _expected(session: RecommendationSession) -> "list[ParsedQuestion]":
    """Parse the person's own lines about what they expect of papers."""
    lines = [line.text for line in session.context.lines if line.facet == "expect"]
    if not lines:
        return []
    from agents.builtin.question_parsing.question import read  # imported late: few people have such lines

    return [read(text, session.started.today) for text in lines]


def _aligned(
    session: RecommendationSession,
    comparison: TasteComparison,
    work: WorkId,
    score: Scored,
    expectations: "Sequence[ParsedQuestion]",
    named_numbers: Set[int],
) -> CandidateAligned:
    paper = session.papers[work]
    grounds = tuple(_ground(comparison, index, share) for index, share in score.shares)
    against = None if score.against is None else _ground(comparison, score.against, 0.0)
    unmet = next((sentence for bounds in expectations if (sentence := _unmet(paper, bounds))), "")
    value = score.score * (AGAINST if unmet else 1.0)
    alignment: Alignment = "neutral"
    if score.against is not None:
        alignment = "contradicts"
    elif value >= THRESHOLD and grounds:
        alignment = "supports"
    new_names = _not_named_yet(session, named_numbers, [*grounds, against] if against else grounds)
    return CandidateAligned(work, round(value, 6), alignment, grounds, against, unmet, named=new_names)


def _ground(comparison: TasteComparison, index: int, share: float) -> Ground:
    """Return a paper of the history, or a line of the person, as a ground. What it shares with the candidate is looked
    up only for shown candidates (`agents.recommendation.loop`)."""
    number = comparison.number(index)
    if number is not None:
        return Ground(number, round(share, 4), looked_up=False)
    return Ground(0, round(share, 4), line=comparison.line(index), looked_up=False)


def _not_named_yet(
    session: RecommendationSession, named_numbers: Set[int], grounds: Sequence[Ground]
) -> tuple[HistoryPaper, ...]:
    """Return the papers of `grounds` without those in `named_numbers`, which the user context names."""
    context = session.context
    numbers = [PaperId(ground.number) for ground in grounds if ground.number and ground.number not in named_numbers]
    weights = {number: context.wanted.get(number) or context.unwanted.get(number, 0.0) for number in numbers}
    return tuple(history_papers(session.reader.store, numbers, weights, context.acts))


def _unmet(paper: Paper, bounds: "ParsedQuestion") -> str:
    """Return the expectation that a paper fails, "" if none. Unknown dates and citation counts fail nothing."""
    if paper.date and not within(paper, bounds.since, bounds.until):
        return f"it is from {paper.year}, and you expect other years"
    if bounds.min_citations and paper.citation_count is not None and paper.citation_count < bounds.min_citations:
        return f"it is cited {paper.citation_count:,} times so far, and you expect at least {bounds.min_citations:,}"
    return ""


# By the model


class Weighed(BaseModel):
    """The model's judgement of one candidate."""

    id: str
    score: Score = None
    alignment: str = ""
    rests_on: Ids = []
    reason: str = ""
    quote: str = ""


class AllWeighed(BaseModel):
    """The model's judgements of a batch of candidates."""

    candidates: list[Weighed]


_SYSTEM = """\
You are the NLI agent of a paper recommender. Judge for each candidate paper whether it supports what the researcher's \
history and own lines say that they want to read, or contradicts it.
score: from 0 to 1 how likely the person wants to read it next: 1 certainly, 0.5 it fits their history as well as an \
ordinary paper of it does, 0 it has nothing to do with it. Lasting interests count, papers marked "now" count double; \
sharing a field or a fashionable word is not enough.
alignment: "supports", "neutral", or "contradicts" if it is what an unwanted paper or an own line speaks against.
rests_on: ids of at most three papers of the history that it goes on from, h…; if it contradicts, of the unwanted \
papers or own lines that it contradicts, n… or l….
reason: one English sentence on why this person would or would not read it, without ids.
quote: at most 25 words copied exactly from the candidate's title or abstract that bear the reason out.
Name no paper that is not listed. Answer with one JSON object whose "candidates" hold for every candidate its id, \
score, alignment, rests_on, reason and quote."""


class _Weighing:
    """The model's weighing of candidates, next to the rule's."""

    def __init__(self, session: RecommendationSession, by_rule: Mapping[WorkId, CandidateAligned]) -> None:
        assert session.state.context is not None
        self.session, self.by_rule = session, by_rule
        self.reader_facts: ReaderFacts = facts_about(session.state.context, session.secret)

    async def ask(self, batch: Sequence[WorkId]) -> dict[WorkId, CandidateAligned] | None:
        """Return the model's weighing of a batch; None if no answer came."""
        rows = await self._weighed(batch)
        if rows is None:
            return None
        if any(work not in rows for work in batch):
            self.session.warn("The model left out candidates it was asked to judge; built-in rules judged those.")
        for work in self._jumping(rows) if len(batch) > 1 else []:
            rows |= await self._weighed([work]) or {}
        return {work: self._aligned(work, row) for work, row in rows.items()}

    def _jumping(self, rows: Mapping[WorkId, Weighed]) -> list[WorkId]:
        """Return the candidates to weigh again alone."""
        rises = {work: (row.score or 0.0) - self.by_rule[work].score for work, row in rows.items()}
        usual = median(rises.values()) if rises else 0.0
        far = [work for work, rise in rises.items() if abs(rise - usual) >= JUMP]
        return sorted(far, key=lambda work: (-abs(rises[work] - usual), work))[:ALONE]

    async def _weighed(self, works: Sequence[WorkId]) -> dict[WorkId, Weighed] | None:
        return await ask_about(
            self.session,
            numbered(works, "c", self.session.secret),
            self._prompt,
            AllWeighed,
            lambda answer: (row for row in answer.candidates if row.score is not None),
        )

    def _prompt(self, works: Mapping[str, WorkId]) -> Prompt:
        rows = [{"id": name, **described(self.session.papers[work])} for name, work in works.items()]
        user = f"{self.reader_facts.listed}\n\nCandidates:\n{data(rows)}"
        return Prompt("nli", 2, _SYSTEM, user, 180 * len(works) + 200)

    def _aligned(self, work: WorkId, row: Weighed) -> CandidateAligned:
        """Return the rule's result, updated by the model's answer as far as that can be checked. `unmet` and `against`
        stay the rule's."""
        assert row.score is not None
        named_numbers, paper, rule = self.reader_facts, self.session.papers[work], self.by_rule[work]
        quote = verbatim_quote(row.quote, paper)
        proven = bool(quote or noted_words(row.quote, paper))
        ids = known_ids(row.rests_on, named_numbers.ids)
        invented = any(read_id(name, named_numbers.ids) is None for name in row.rests_on)
        texts = [paper.title, paper.about, *named_numbers.texts]
        reason = "" if invented else checked_remark(row.reason, 300, named_numbers.titles, texts)
        score = round(row.score * (AGAINST if rule.unmet else 1.0), 6)
        rests_on = named_numbers.numbers(ids)
        grounds = self._grounds(work, rests_on)
        alignment: Alignment = "neutral"
        lines = {name for name, line in self.reader_facts.lines.items() if line.facet != "like"}
        of_unwanted = any(name in self.reader_facts.unwanted or name in lines for name in ids)
        if proven and row.alignment.strip().lower() == "contradicts" and of_unwanted:
            alignment = "contradicts"
        elif score >= THRESHOLD and (grounds or (proven and reason)):
            alignment = "supports"
        return replace(
            rule,
            score=score,
            alignment=alignment,
            grounds=grounds,
            reason=reason,
            quote=quote,
            unproven=bool(reason) and not proven,
            by="model",
            rests_on=rests_on,
        )

    def _grounds(self, work: WorkId, numbers_named: Sequence[int]) -> tuple[Ground, ...]:
        """Return the papers that the model names and with which the candidate shares something, then the rule's
        grounds."""
        history = {paper.number for paper in self.reader_facts.history.values()}
        by_rule = self.by_rule[work].grounds
        shares = {ground.number: ground.support for ground in by_rule}
        session, paper = self.session, self.session.papers[work]
        first = [
            ground_of(session.compared, number, shares.get(number, 0.0), paper, session.number(work))
            for number in numbers_named
            if number in history
        ]
        grounds = [
            shared
            for shared in first
            if shared and (shared.words or shared.link or shared.shared_references or shared.keywords)
        ]
        grounds = grounds[: _GROUNDS - 1]
        numbers = {ground.number for ground in grounds}
        return (*grounds, *(ground for ground in by_rule if ground.number not in numbers))[:_GROUNDS]
