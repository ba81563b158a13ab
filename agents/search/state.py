"""The state of a search: the fold of its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rpds import HashTrieMap

from agents.run.events import WorksJoined
from agents.run.findings import Findings
from agents.search.events import (
    CandidatesChosen,
    Counts,
    Event,
    FeedbackWithdrawn,
    Finished,
    PaperJudged,
    PapersAssessed,
    PaperScreened,
    PapersRanked,
    PersonallyRanked,
    PersonalPlace,
    QueriesEvolved,
    QuestionUnderstood,
    Ranked,
    ReferencesFollowed,
    ReportEdited,
    RunStarted,
    StageChanged,
)
from connectors.paper import WorkId

T = TypeVar("T", PaperJudged, PaperScreened)
THRESHOLD = 0.5
"""Least score of a relevant paper (SPAR's runs use it; its paper names none)."""
UNREAD = "the model was not asked, because it found nothing in the papers before this one; "
"""Beginning of the reason of a paper that was chosen for the model but not shown to it."""
_OF_UNREAD = 0.98 * THRESHOLD
"""Factor on the built-in assessment of papers that the model was not asked about: they keep their order, below the
threshold. A paper that the model judged useless must not rank below papers it never saw."""
SHOWN_DIGITS = 2
"""Decimal places of a shown relevance; the rounded number is compared with the threshold."""


def is_relevant(relevance: float) -> bool:
    """Whether this relevance reaches the threshold."""
    return round(relevance, SHOWN_DIGITS) >= THRESHOLD


@dataclass(frozen=True, slots=True)
class SearchState(Findings):
    """A search so far: its findings and their judgement, without clock, input or output.

    The person's judgements (`feedback`) are kept beside the judge's (`judged`): they override them, and a withdrawn one
    leaves no trace.
    """

    started: RunStarted | None = None
    stage: StageChanged | None = None
    understood: QuestionUnderstood | None = None
    assessed: "HashTrieMap[WorkId, float]" = field(default_factory=HashTrieMap)
    compared: int = 0
    """Number of works that the last assessment compared by meaning; `compared_by` names the encoder."""
    compared_by: str = ""
    candidates: tuple[CandidatesChosen, ...] = ()
    judged: "HashTrieMap[WorkId, PaperJudged]" = field(default_factory=HashTrieMap)
    model_has_judged: bool = False
    feedback: "HashTrieMap[WorkId, PaperJudged]" = field(default_factory=HashTrieMap)
    screened: "HashTrieMap[WorkId, PaperScreened]" = field(default_factory=HashTrieMap)
    """The person's screening decisions; each is feedback too, unless later feedback replaced it."""
    followed: tuple[ReferencesFollowed, ...] = ()
    evolved: tuple[QueriesEvolved, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    moved_by_model: frozenset[WorkId] = frozenset()
    """The works whose rank, and its reason, is from the model."""
    personal: PersonallyRanked | None = None
    """The order by the person's taste, if requested."""
    finished: Finished | None = None
    report: Mapping[int, str] = field(default_factory=dict)
    """A person's additions to the report of the search, by PRISMA-S item."""

    @property
    def findings(self) -> Findings:
        """The findings, as every kind of run has them."""
        return self

    def apply(self, event: Event) -> "SearchState":
        match event:
            case RunStarted():
                return replace(self, started=event)
            case StageChanged():
                return replace(self, stage=event, finished=None)  # a person may add a request to a finished search
            case QuestionUnderstood():
                return replace(self, understood=event)
            case PapersAssessed(scores, count, by):
                return replace(self, assessed=HashTrieMap(scores), compared=count, compared_by=by)
            case CandidatesChosen():
                return replace(self, candidates=(*self.candidates, event))
            case PaperJudged(work, by="person"):
                return replace(self, feedback=self.feedback.insert(work, event))
            case PaperJudged(work):
                by_model = self.model_has_judged or event.by == "model"
                return replace(self, judged=self.judged.insert(work, event), model_has_judged=by_model)
            case FeedbackWithdrawn(work):
                return replace(self, feedback=self.feedback.discard(work))
            case PaperScreened():
                return self._decided(event)
            case ReportEdited(answers):
                return replace(self, report=dict(answers))
            case ReferencesFollowed():
                return self if event in self.followed else replace(self, followed=(*self.followed, event))
            case QueriesEvolved():
                return replace(self, evolved=(*self.evolved, event))
            case PapersRanked(ranking, by):
                # Earlier versions let the model reorder the top of a ranking by rule; changed entries are the model's.
                moved = (
                    frozenset(candidate.work for candidate in set(ranking).difference(self.ranking))
                    if by == "model"
                    else ()
                )
                return replace(self, ranking=ranking, moved_by_model=frozenset(moved), personal=None)
            case PersonallyRanked(ranking):
                moving, order = {entry.work for entry in ranking}, iter(ranking)
                entries = (next(order) if entry.work in moving else entry for entry in self.ranking)
                return replace(self, ranking=tuple(entries), personal=event)
            case Finished():
                return replace(self, finished=event)
            case WorksJoined(survivor, duplicate):
                return Findings.apply(self, event)._judged_as_one(survivor, duplicate)
            case _:
                return Findings.apply(self, event)

    def judgement(self, work: WorkId) -> PaperJudged | None:
        """Return the judgement of `work`: the person's, else the judge's, else None."""
        return self.feedback.get(work) or self.judged.get(work)

    def relevance(self, work: WorkId) -> float:
        """Return the score of the person's judgement, else the relevance by the program."""
        judgement = self.feedback.get(work)
        return judgement.score if judgement else self.relevance_by_program(work)

    def relevance_by_program(self, work: WorkId) -> float:
        """Return the relevance of `work` according to the program, ignoring the person's feedback."""
        judgement = self.judged.get(work)
        if judgement and (judgement.by != "built-in" or work not in self.assessed):
            return judgement.score
        assessment = self.assessed.get(work, 0.0)
        return _OF_UNREAD * assessment if self.unread(work) else assessment

    def read_by_model(self, work: WorkId) -> bool:
        """Whether the model has judged `work`."""
        return work in self.judged and self.judged[work].by == "model"

    def unread(self, work: WorkId) -> bool:
        """Whether the model judged papers, but was not asked about `work`, and the person did not judge it."""
        judgement = self.judgement(work)
        return self.model_has_judged and (judgement is None or judgement.reason.startswith(UNREAD))

    @property
    def called_relevant(self) -> dict[WorkId, bool]:
        """The works that the person judged: relevant (True) or not (False)."""
        return {work: is_relevant(self.feedback[work].score) for work in sorted(self.feedback)}

    def ranked(self, work: WorkId) -> Ranked | None:
        """Return the entry of `work` in the ranking, if any."""
        return next((entry for entry in self.ranking if entry.work == work), None)

    def personal_place(self, work: WorkId) -> PersonalPlace | None:
        """Return how the person's taste moved `work`; None if it was not used."""
        return next((rank for rank in self.personal.places if rank.work == work), None) if self.personal else None

    @property
    def included(self) -> tuple[Ranked, ...]:
        """The works of the ranking that count as relevant, including the person's feedback since the ranking."""
        return tuple(entry for entry in self.ranking if self._counts(entry))

    @property
    def shown(self) -> tuple[Ranked, ...]:
        """The works to show: the relevant ones, then the next best, up to the limit."""
        rest = tuple(entry for entry in self.ranking if not self._counts(entry))
        return (*self.included, *rest)[: self.started.limit if self.started else None]

    @property
    def counts(self) -> Counts:
        """PRISMA's counts so far."""
        identified = sum(record.distinct for record in self.records.values())
        return Counts(identified, identified - len(self.found), len(self.found), len(self.included))

    def _counts(self, entry: Ranked) -> bool:
        decided, judgement = self.screened.get(entry.work), self.feedback.get(entry.work)
        if decided and decided.judgement:
            return decided.decision == "included"
        return is_relevant(judgement.score if judgement else entry.relevance)

    def _decided(self, event: PaperScreened) -> "SearchState":
        """Return the state after a screening decision, without the feedback implied by the earlier one."""
        work, before, feedback = event.work, self.screened.get(event.work), self.feedback
        if before and before.judgement and feedback.get(work) == before.judgement:
            feedback = feedback.discard(work)
        if event.judgement:
            feedback = feedback.insert(work, event.judgement)
        screened = self.screened.insert(work, event) if event.decision else self.screened.discard(work)
        return replace(self, feedback=feedback, screened=screened)

    def _judged_as_one(self, survivor: WorkId, duplicate: WorkId) -> "SearchState":
        """Return the state after two works were joined: judgements of both apply, those of `survivor` first."""
        return replace(
            self,
            judged=_passed_on(self.judged, survivor, duplicate),
            feedback=_passed_on(self.feedback, survivor, duplicate),
            screened=_passed_on(self.screened, survivor, duplicate),
            assessed=self.assessed.discard(duplicate),
        )


def _passed_on(by_work: "HashTrieMap[WorkId, T]", survivor: WorkId, duplicate: WorkId) -> "HashTrieMap[WorkId, T]":
    if duplicate not in by_work:
        return by_work
    value = by_work[duplicate]
    by_work = by_work.remove(duplicate)
    return by_work if survivor in by_work else by_work.insert(survivor, replace(value, work=survivor))
