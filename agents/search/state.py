"""What a search is at any moment: the fold of its events, nothing else."""

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
"""From this judgement on a paper counts as relevant (SPAR's runs use it; its paper names none)."""
UNREAD = "the model was not asked, for it had found nothing in the papers before this one; "
"""Beginning of the reason of a paper that was chosen for the model but not shown to it."""
_OF_UNREAD = 0.98 * THRESHOLD
"""Factor on the built-in assessment of papers that the model did not read: it keeps their order, below the threshold.
What the model calls useless must not stand below what it was never shown."""
SHOWN_DIGITS = 2
"""Decimal places with which a relevance is shown; the shown number decides on which side of the threshold it is."""


def is_relevant(relevance: float) -> bool:
    """Whether a paper of this relevance counts as relevant."""
    return round(relevance, SHOWN_DIGITS) >= THRESHOLD


@dataclass(frozen=True, slots=True)
class SearchState(Findings):
    """A search so far: its findings, and what was made of them. No clock, no input or output.

    What the person says of a paper (`feedback`) is kept beside what the judge says of it (`judged`): it goes before
    while it holds, and taken back it leaves no trace.
    """

    started: RunStarted | None = None
    stage: StageChanged | None = None
    understood: QuestionUnderstood | None = None
    assessed: "HashTrieMap[WorkId, float]" = field(default_factory=HashTrieMap)
    compared: int = 0
    """How many works the last assessment has compared with the question by meaning, `compared_by` whom."""
    compared_by: str = ""
    candidates: tuple[CandidatesChosen, ...] = ()
    judged: "HashTrieMap[WorkId, PaperJudged]" = field(default_factory=HashTrieMap)
    model_has_judged: bool = False
    feedback: "HashTrieMap[WorkId, PaperJudged]" = field(default_factory=HashTrieMap)
    screened: "HashTrieMap[WorkId, PaperScreened]" = field(default_factory=HashTrieMap)
    """What the person decided of works, one by one; it is feedback too, unless they said something else since."""
    followed: tuple[ReferencesFollowed, ...] = ()
    evolved: tuple[QueriesEvolved, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    moved_by_model: frozenset[WorkId] = frozenset()
    """The works whose place in the ranking is the model's, and so is the reason for it."""
    personal: PersonallyRanked | None = None
    """What the person's taste made of the ranking, if it was asked to."""
    finished: Finished | None = None
    report: Mapping[int, str] = field(default_factory=dict)
    """What a person adds to the report of the search, by the items of PRISMA-S."""

    @property
    def findings(self) -> Findings:
        """What was found, as every kind of run has it."""
        return self

    def apply(self, event: Event) -> "SearchState":
        match event:
            case RunStarted():
                return replace(self, started=event)
            case StageChanged():
                return replace(self, stage=event, finished=None)  # a person may ask more of a search that had ended
            case QuestionUnderstood():
                return replace(self, understood=event)
            case PapersAssessed(scores, compared, by):
                return replace(self, assessed=HashTrieMap(scores), compared=compared, compared_by=by)
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
                # The model reorders the top of a ranking by rule; the entries that it left alone are those of before.
                moved = (
                    frozenset(candidate.work for candidate in set(ranking).difference(self.ranking))
                    if by == "model"
                    else ()
                )
                return replace(self, ranking=ranking, moved_by_model=frozenset(moved), personal=None)
            case PersonallyRanked(ranking):
                moving, order = {entry.work for entry in ranking}, iter(ranking)
                placed = (next(order) if entry.work in moving else entry for entry in self.ranking)
                return replace(self, ranking=tuple(placed), personal=event)
            case Finished():
                return replace(self, finished=event)
            case WorksJoined(kept, gone):
                return Findings.apply(self, event)._judged_as_one(kept, gone)
            case _:
                return Findings.apply(self, event)

    def judgement(self, work: WorkId) -> PaperJudged | None:
        """What is said of `work`: by the person, else by the judge; None if nobody has said anything."""
        return self.feedback.get(work) or self.judged.get(work)

    def relevance(self, work: WorkId) -> float:
        """The judgement of `work`, else its built-in assessment as it stands now."""
        judgement = self.feedback.get(work)
        return judgement.score if judgement else self.relevance_by_program(work)

    def relevance_by_program(self, work: WorkId) -> float:
        """The relevance of `work` as the program judged it, whatever the person says."""
        judged = self.judged.get(work)
        if judged and (judged.by != "built-in" or work not in self.assessed):
            return judged.score
        assessment = self.assessed.get(work, 0.0)
        return _OF_UNREAD * assessment if self.unread(work) else assessment

    def read_by_model(self, work: WorkId) -> bool:
        """Whether the model has judged `work`."""
        return work in self.judged and self.judged[work].by == "model"

    def unread(self, work: WorkId) -> bool:
        """Whether the model judged papers of this search and was not asked about `work`, nor was a person."""
        judged = self.judgement(work)
        return self.model_has_judged and (judged is None or judged.reason.startswith(UNREAD))

    @property
    def called_relevant(self) -> dict[WorkId, bool]:
        """The works that the person has called relevant (True) or not relevant (False)."""
        return {work: is_relevant(self.feedback[work].score) for work in sorted(self.feedback)}

    def ranked(self, work: WorkId) -> Ranked | None:
        """The entry of `work` in the ranking."""
        return next((entry for entry in self.ranking if entry.work == work), None)

    def personal_place(self, work: WorkId) -> PersonalPlace | None:
        """What the person's taste did to `work`; None if it was not asked."""
        return next((rank for rank in self.personal.places if rank.work == work), None) if self.personal else None

    @property
    def included(self) -> tuple[Ranked, ...]:
        """The works of the ranking that count as relevant; what the person said since holds though it was not ranked
        anew."""
        return tuple(entry for entry in self.ranking if self._counts(entry))

    @property
    def shown(self) -> tuple[Ranked, ...]:
        """What the answer shows: the relevant works, then the next best, as many as were asked for."""
        rest = tuple(entry for entry in self.ranking if not self._counts(entry))
        return (*self.included, *rest)[: self.started.limit if self.started else None]

    @property
    def counts(self) -> Counts:
        """PRISMA's numbers as they stand."""
        identified = sum(record.distinct for record in self.records.values())
        return Counts(identified, identified - len(self.found), len(self.found), len(self.included))

    def _counts(self, entry: Ranked) -> bool:
        decided, judgement = self.screened.get(entry.work), self.feedback.get(entry.work)
        if decided and decided.judgement:
            return decided.decision == "included"
        return is_relevant(judgement.score if judgement else entry.relevance)

    def _decided(self, event: PaperScreened) -> "SearchState":
        """The state after a decision. What the one before it said of the work goes with it."""
        work, before, feedback = event.work, self.screened.get(event.work), self.feedback
        if before and before.judgement and feedback.get(work) == before.judgement:
            feedback = feedback.discard(work)
        if event.judgement:
            feedback = feedback.insert(work, event.judgement)
        screened = self.screened.insert(work, event) if event.decision else self.screened.discard(work)
        return replace(self, feedback=feedback, screened=screened)

    def _judged_as_one(self, kept: WorkId, gone: WorkId) -> "SearchState":
        """The state after two works were joined: what was said of either holds for both, of `kept` first."""
        return replace(
            self,
            judged=_passed_on(self.judged, kept, gone),
            feedback=_passed_on(self.feedback, kept, gone),
            screened=_passed_on(self.screened, kept, gone),
            assessed=self.assessed.discard(gone),
        )


def _passed_on(by_work: "HashTrieMap[WorkId, T]", kept: WorkId, gone: WorkId) -> "HashTrieMap[WorkId, T]":
    if gone not in by_work:
        return by_work
    value = by_work[gone]
    by_work = by_work.remove(gone)
    return by_work if kept in by_work else by_work.insert(kept, replace(value, work=kept))
