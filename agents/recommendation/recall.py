"""The user context and the recall set I⁰ (ARAG §2.1, §2.2.1): papers near each subject of the history, linked to the
history, found by watches, on the starter shelf, or named by live sources."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from agents.recommendation.events import (
    CandidatesRecalled,
    ContextRead,
    ProfileLine,
    Recalled,
    RecommendationEvent,
    RecommendationStarted,
    RecommendationState,
    Way,
)
from agents.recommendation.options import CALLS, RecommendOptions
from agents.run.control import Control
from agents.run.events import FoundBy, PaperFound, QueryPlanned
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.run.retrieval.fetching import answered, fetched, records_of, taken_in
from agents.run.session import RunSession
from agents.taste.comparison import Compared, TasteComparison, groups, heaviest, strangers
from agents.taste.context import ReaderContext, UserContext, contradictions, history_papers
from cache import papers, watches
from connectors.capability import Capability
from connectors.errors import NotFound
from connectors.paper import Paper, WorkId
from connectors.source import usable_names
from connectors.starter.shelf import StarterShelf


class RecommendationSession(RunSession[RecommendationState, RecommendationEvent]):
    """A recommendation under way, for the person in the resources."""

    def __init__(
        self,
        resources: Resources,
        options: RecommendOptions,
        board: Board[RecommendationState, RecommendationEvent],
        control: Control,
    ) -> None:
        super().__init__(resources, board, control, options, CALLS)
        assert isinstance(resources.reader, ReaderContext)
        self.reader = resources.reader
        self.options = options
        self._comparison: TasteComparison | None = None
        self._numbers: dict[WorkId, int] | None = None

    @property
    def started(self) -> RecommendationStarted:
        assert self.state.started is not None
        return self.state.started

    @property
    def context(self) -> UserContext:
        return self.reader.context

    @property
    def now(self) -> datetime:
        return self.reader.now

    @property
    def by_model(self) -> bool:
        """Whether the model is used: there is one, and something says what the person likes."""
        return self.resources.model is not None and not self.context.empty

    async def compare(self) -> TasteComparison:
        """Compare the library, the starter shelf and the papers on the board with the person's context. A resumed run
        gets the same comparison."""
        shelves = [source for source in self.resources.fallback.values() if isinstance(source, StarterShelf)]
        starter = [paper for source in shelves for paper in source.papers()]
        others = [] if self.context.empty else [*starter, *self.papers.values()]
        fresh = await asyncio.to_thread(strangers, self.reader.store, others)
        self._comparison = await asyncio.to_thread(TasteComparison, self.reader.store, self.context, fresh)
        return self._comparison

    def number(self, work: WorkId) -> int | None:
        """Return a candidate's number in the library; None if it was not there when it was recalled."""
        if self._numbers is None:
            candidates = self.state.recalled.candidates if self.state.recalled else ()
            self._numbers = {
                self.findings.work(candidate.work): candidate.number
                for candidate in candidates
                if candidate.number is not None
            }
        return self._numbers.get(work)

    @property
    def compared(self) -> TasteComparison:
        """The existing comparison."""
        assert self._comparison is not None
        return self._comparison

    async def comparison(self) -> TasteComparison:
        """Return the existing comparison, or make it."""
        return self._comparison or await self.compare()

    async def places(self) -> Mapping[WorkId, int]:
        """Return the candidates' positions in the comparison; a paper that left the library meanwhile has none."""
        comparison = await self.comparison()
        others = {paper.id: comparison.place_of_other(index) for index, paper in enumerate(comparison.others)}
        by_work: dict[WorkId, int] = {}
        for candidate in self.state.recalled.candidates if self.state.recalled else ():
            work = self.findings.work(candidate.work)
            position = comparison.index.get(candidate.number) if candidate.number is not None else None
            if position is None:
                position = others.get(self.papers[work].id)
            if position is None and (number := papers.number_of(self.reader.store, self.papers[work])) is not None:
                position = comparison.index.get(number)  # added to the library meanwhile
            if position is not None:
                by_work[work] = position
        return by_work


SEEDS = 3
"""Number of papers for which sources are asked for similar ones, the heaviest of the history; one request each."""
EACH = 20


async def ask_live(session: RecommendationSession) -> None:
    """Ask sources for papers similar to the heaviest of the history; post the papers and each answer. A source that has
    answered is not asked again."""
    sources = [source for source in session.resources.live.values() if Capability.SIMILAR in source.capabilities]
    cared_for = heaviest(session.context.wanted, SEEDS) if sources else []
    seeds = papers.by_ids(session.reader.store, cared_for)
    requests = {
        QueryPlanned(source.name, f"papers like {seed.id}"): partial(source.similar, seed, EACH)
        for source in sources
        for seed in seeds
        if usable_names(seed.identifiers, source.schemes)
    }
    session.post(*(plan for plan in requests if plan not in session.findings.planned))
    due = [plan for plan in requests if (plan.source, plan.query) not in session.findings.answered]
    if due and await session.control.ready():
        seconds = session.options.source_seconds
        tasks = [asyncio.create_task(fetched(plan, requests[plan], seconds)) for plan in due]
        async for outcome in session.control.as_done(tasks):
            event = answered(outcome)
            if isinstance(outcome.error, NotFound):  # an answer too: the source has no such paper
                event = replace(event, state="ok", error=None, notes=(outcome.error.sentence,), asked=True)
            session.post(*taken_in(session.works, records_of(outcome)), event)


NEAR, LINKED = 100, 40
MOST: Mapping[Way, int] = {"watched": 20, "source": 40, "starter": 20}
"""Maximum number of candidates, by way of recall."""
LINKING = 50
"""Number of papers of the history whose links are followed, heaviest first."""
WATCHED_DAYS = timedelta(days=14)
TOLD = 200
"""Number of papers of the history that are named on the board, heaviest first."""


async def read_history(session: RecommendationSession) -> None:
    """Post the user context, and a warning for each contradiction in the profile."""
    for contradiction in contradictions(session.context.contradicting, session.started.today):
        session.warn(
            f"Your profile contradicts itself ({contradiction.why}): none of those lines counts; see `spar profile`."
        )
    comparison = await session.compare()
    session.post(await asyncio.to_thread(_context, session, comparison))


async def recall(session: RecommendationSession) -> None:
    """Choose the candidates and post them."""
    assert session.state.context is not None
    if session.context.empty:
        _recall_landmarks(session)
        return
    await ask_live(session)
    # Papers with a `query` are from sources; the others were recalled here before the run was interrupted.
    origins = {
        candidate.paper.id: method
        for candidate in session.findings.found.values()
        for method in candidate.found_by
        if method.query
    }
    live = [paper for paper in session.papers.values() if paper.id in origins]
    comparison = await (session.compare() if live else session.comparison())
    candidates, library_size = await asyncio.to_thread(_candidates, session, comparison, live)
    recalled = [
        (comparison.paper(index), "starter" if methods[0] == "starter" else "library")
        for index, _, methods in candidates
    ]
    events = taken_in(
        session.works,
        (
            (paper, origins.get(paper.id) or FoundBy(source, "", rank))
            for rank, (paper, source) in enumerate(recalled, start=1)
        ),
    )
    works = [event.work for event in events if isinstance(event, PaperFound)]
    session.post(
        *events,
        CandidatesRecalled(
            tuple(
                Recalled(work, round(similarity, 6), methods, comparison.number(index))
                for work, (index, similarity, methods) in zip(works, candidates, strict=True)
            ),
            library_size,
        ),
    )


def _context(session: RecommendationSession, comparison: TasteComparison) -> ContextRead:
    context, store = session.context, session.reader.store
    paper_ids = heaviest(context.wanted, TOLD)
    by_subject = groups(comparison, comparison.history)
    lines = tuple(ProfileLine(line.facet, line.text, line.papers, "person", line.number) for line in context.lines)
    return ContextRead(
        tuple(history_papers(store, paper_ids, context.wanted, context.acts)),
        len(context.wanted),
        tuple(number for number in paper_ids if number in context.session),
        tuple(history_papers(store, heaviest(context.unwanted, TOLD), context.unwanted, context.acts)),
        lines,
        tuple(
            numbers
            for group in by_subject
            if (numbers := tuple(number for index in group if (number := comparison.number(index)) is not None))
        ),
    )


_Chosen = tuple[int, float, tuple[Way, ...]]
"""Position, similarity, and ways of recall."""


def _candidates(
    session: RecommendationSession, comparison: TasteComparison, live: Sequence[Paper]
) -> tuple[list[_Chosen], int]:
    library = set(range(len(comparison.numbers)))
    fresh = _first_seen_since_last(session, comparison)
    if fresh is not None:
        library &= fresh
    live_ids = {paper.id for paper in live}
    others = {comparison.place_of_other(index): paper for index, paper in enumerate(comparison.others)}
    from_live = {position for position, paper in others.items() if paper.id in live_ids}
    store, positions = session.reader.store, comparison.index
    stored = [number for paper in live if (number := papers.number_of(store, paper)) is not None]
    watched = watches.found_since(store, session.now - WATCHED_DAYS)
    from_live |= {positions[number] for number in stored if number in positions} & library
    more: dict[Way, Collection[int]] = {
        "watched": {positions[number] for number in watched if number in positions} & library,
        "source": from_live,
    }
    if fresh is None:
        more["starter"] = others.keys() - from_live
    assert session.state.context is not None
    subjects = [
        [positions[number] for number in group if number in positions] for group in session.state.context.groups
    ]
    lines = [position for position in comparison.wanted if comparison.number(position) is None]
    candidates = recalled(comparison, [*subjects, lines], library, more)
    return candidates, comparison.catalogue.size - len(comparison.lines)


def recalled(
    comparison: Compared, subjects: Sequence[Sequence[int]], among: Set[int], more: Mapping[Way, Collection[int]]
) -> list[_Chosen]:
    """Return the recall set, the nearest first: papers `among` these positions that are near to one of the `subjects`
    of the history or linked to the history, and the nearest papers of each way in `more`."""
    scores = comparison.similarity(comparison.wanted)
    methods: defaultdict[int, list[Way]] = defaultdict(list)

    def bring(method: Way, positions: Iterable[int]) -> None:
        for index in positions:
            methods[index].append(method)

    for positions in _near(comparison, subjects, among):
        bring("near", positions)
    history = heaviest(comparison.wanted, LINKING)
    linked = {other for index in history for other in comparison.catalogue.linked_to(index).tolist()}
    bring("linked", comparison.nearest(scores, LINKED, linked & among))
    for recall_name, extra in more.items():
        bring(recall_name, comparison.nearest(scores, MOST[recall_name], extra))
    best = comparison.nearest(scores, len(methods), methods)
    return [(index, float(scores[index]), tuple(dict.fromkeys(methods[index]))) for index in best]


def _near(comparison: Compared, subjects: Sequence[Sequence[int]], among: Set[int]) -> Iterable[list[int]]:
    """Yield the nearest papers to each subject of the history: as many as its weight earns, at least a fifth of
    `NEAR`."""
    history = comparison.wanted
    total = sum(history.values())
    for subject in subjects:
        weights = {index: history[index] for index in subject if index in history}
        if weights:
            capacity = max(round(NEAR * sum(weights.values()) / total), NEAR // 5)
            yield comparison.nearest(comparison.similarity(weights), capacity, among)


def _first_seen_since_last(session: RecommendationSession, comparison: TasteComparison) -> set[int] | None:
    """Return the positions of papers added since the last recommendation; None if all may be recommended."""
    last = session.started.new_since
    if last is None:
        return None
    paper_ids = papers.first_seen_after(session.reader.store, last)
    return {comparison.index[number] for number in paper_ids if number in comparison.index}


def _recall_landmarks(session: RecommendationSession) -> None:
    """Recall the most cited papers of a field of the starter shelf, for a person without a history."""
    shelf = next(source for source in session.resources.fallback.values() if isinstance(source, StarterShelf))
    landmarks = [] if session.started.new_since else shelf.landmarks(session.started.field or "")
    store, excluded = session.reader.store, session.context.closed
    landmark_papers = [paper for paper, _ in landmarks if papers.number_of(store, paper) not in excluded][:NEAR]
    found_by = (FoundBy(shelf.name, "", rank) for rank in range(1, len(landmark_papers) + 1))
    events = taken_in(session.works, zip(landmark_papers, found_by, strict=True))
    works = [event.work for event in events if isinstance(event, PaperFound)]
    candidates = tuple(Recalled(work, 0.0, ("starter",)) for work in works)
    session.post(*events, CandidatesRecalled(candidates, len(landmarks)))
