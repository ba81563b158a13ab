"""What a conversation is at any moment: the fold of its events, nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agents.assistant.events import (
    AnswerDrafted,
    ChangeDecided,
    ChangeProposed,
    ConversationEvent,
    ConversationFinished,
    ConversationStarted,
    MessageReceived,
    Offer,
    ProfileNoted,
    Row,
    Step,
    StepDone,
    TurnAnswered,
    TurnCriticized,
    TurnPlanned,
)
from agents.run.findings import Findings
from cache.store import PaperId

Candidates = tuple[PaperId, ...] | None
"""The papers under consideration; None is the whole library."""
LOOKING = frozenset({"paper", "note", "export", "check"})
"""Tools that look at papers: the list that was shown before stays the one that "the second" is of."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A message and what was done for it. `began` are the candidates, `shown_before` the papers shown, `earlier_before`
    and `focus_before` the earlier candidates and the paper looked at when it came;
    `plans` counts the plans that were made, of which `plan` is the last. `proposed` are changes that wait for the
    person's word, `decided` is their word on those of the turn before. `draft` is what a model is writing."""

    message: str
    began: Candidates = None
    shown_before: tuple[PaperId, ...] = ()
    plan: TurnPlanned | None = None
    plans: int = 0
    done: Mapping[int, StepDone] = field(default_factory=dict)
    proposed: ChangeProposed | None = None
    decided: ChangeDecided | None = None
    criticized: tuple[TurnCriticized, ...] = ()
    draft: tuple[str, ...] = ()
    answer: TurnAnswered | None = None
    earlier_before: tuple[Candidates, ...] = ()
    focus_before: PaperId | None = None

    @property
    def next_step(self) -> int | None:
        """The first step of the plan that nothing was done about, None if there is none."""
        steps = self.plan.steps if self.plan else ()
        return next((number for number in range(len(steps)) if number not in self.done), None)

    def step(self, number: int) -> Step:
        assert self.plan is not None
        return self.plan.steps[number]

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Other readings of the message; none where the person took one of them."""
        return self.plan.offers if self.plan and not self.plan.instead else ()

    @property
    def outcomes(self) -> list[StepDone]:
        """What the steps of the plan came to, in their order."""
        return [self.done[number] for number in sorted(self.done)]


@dataclass(frozen=True, slots=True)
class ConversationState:
    """A conversation so far. `candidates` are the papers under consideration, `earlier` those before each turn that
    changed them, the last at the end; `shown` are the papers of the last list, as `listed`; `focus` is the one that was
    looked at last. `noted` is what they said of their taste, each thing once. `findings` hold the shown papers and what
    it all cost."""

    started: ConversationStarted | None = None
    findings: Findings = field(default_factory=Findings)
    turns: tuple[Turn, ...] = ()
    candidates: Candidates = None
    earlier: tuple[Candidates, ...] = ()
    shown: tuple[PaperId, ...] = ()
    listed: tuple[Row, ...] = ()
    focus: PaperId | None = None
    noted: tuple[ProfileNoted, ...] = ()
    finished: ConversationFinished | None = None

    def apply(self, event: ConversationEvent) -> "ConversationState":
        match event:
            case ConversationStarted():
                return replace(self, started=event)
            case MessageReceived(text):
                began = self.candidates_to_go_on_with
                turn = Turn(text, began, self.shown, earlier_before=self.earlier, focus_before=self.focus)
                return replace(self, turns=(*self.turns, turn), candidates=began, finished=None)
            case ConversationFinished():
                return replace(self, finished=event)
            case TurnPlanned():
                return self._planned(event)
            case ProfileNoted():
                return self if event in self.noted else replace(self, noted=(*self.noted, event))
            case StepDone():
                return self._stepped(event)
            case ChangeProposed(changes):
                numbers = {number for change in changes for number in change.papers}
                state = replace(self, focus=PaperId(min(numbers))) if len(numbers) == 1 else self
                return state._turn(proposed=event)
            case ChangeDecided():
                return self._turn(decided=event)
            case TurnCriticized():
                return self._turn(criticized=(*self.turns[-1].criticized, event))
            case AnswerDrafted(sentences):
                return self._turn(draft=sentences)
            case TurnAnswered(_, rows):
                is_list = {row.number for row in rows} == set(self.shown)
                return replace(self._turn(answer=event, draft=()), listed=rows if is_list else self.listed)
            case _:
                return replace(self, findings=self.findings.apply(event))

    @property
    def candidates_to_go_on_with(self) -> Candidates:
        """The papers that "those" means: the last candidates, or those before them where a choice left none."""
        if self.candidates != ():
            return self.candidates
        return next((papers for papers in reversed(self.earlier) if papers), ())

    @property
    def turn(self) -> Turn | None:
        """The turn that is not answered yet, or waits for the person's word."""
        return self.turns[-1] if self.turns and self.turns[-1].answer is None else None

    @property
    def proposal(self) -> ChangeProposed | None:
        """What was proposed in the last turn, and waits for the person's word: they have been told of it."""
        return self.turns[-1].proposed if self.turns and self.turns[-1].answer else None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Other readings of the last message that was answered, of which the person may take one."""
        last = self.turns[-1] if self.turns and self.turns[-1].answer else None
        return last.plan.offers if last and last.plan else ()

    def _planned(self, event: TurnPlanned) -> "ConversationState":
        """A turn begins with the candidates that there were, or with the whole library; so does a second plan, but for
        one that continues the first. What is done instead of the turn before begins where that began."""
        if event.continues:
            return self._turn(plan=event)
        turn = self.turns[-1]
        if event.instead:
            other = self.turns[-2]
            turn = replace(
                turn,
                began=other.began,
                shown_before=other.shown_before,
                earlier_before=other.earlier_before,
                focus_before=other.focus_before,
            )
        began = turn.began if event.onward else None
        turn = replace(turn, plan=event, plans=turn.plans + 1, done={}, proposed=None)
        state = replace(self, turns=(*self.turns[:-1], turn))
        focus = turn.focus_before if event.focus is None else PaperId(event.focus)
        return replace(state, candidates=began, shown=turn.shown_before, earlier=turn.earlier_before, focus=focus)

    def _stepped(self, event: StepDone) -> "ConversationState":
        state = self._turn(done={**self.turns[-1].done, event.step: event})
        shown = tuple(map(PaperId, event.shown))
        if len(shown) == 1:
            state = replace(state, focus=shown[0])
        if shown and event.tool not in LOOKING:
            state = replace(state, shown=shown)
        if event.papers is None:
            return state
        papers = tuple(map(PaperId, event.papers))
        if event.tool == "undo":
            return replace(state, candidates=papers, earlier=self.earlier[:-1])
        first = all(done.papers is None for done in self.turns[-1].done.values())
        earlier = (*self.earlier, self.turns[-1].began) if first else self.earlier
        return replace(state, candidates=papers, earlier=earlier)

    def _turn(self, **changes: object) -> "ConversationState":
        """The state with a change of the last turn."""
        turn: Turn = replace(self.turns[-1], **changes)  # type: ignore[arg-type]  # fields of `Turn` by name
        return replace(self, turns=(*self.turns[:-1], turn))
