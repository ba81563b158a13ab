"""The state of a conversation, folded from its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agents.assistant.events import (
    AnswerDrafted,
    AnswerRow,
    ChangeDecided,
    ChangeProposed,
    ConversationEvent,
    ConversationFinished,
    ConversationStarted,
    MessageReceived,
    Offer,
    ProfileNoted,
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
LOOKING = frozenset({"paper", "note", "export", "check", "save", "unsave", "tag", "mark"})
"""Tools that leave the list shown unchanged: "the second" still counts in it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A message and its results. `began` are the candidates when it came, `shown_before` the papers shown,
    `earlier_before` the earlier candidates and `focus_before` the paper looked at; `plans` counts the plans, of which
    `plan` is the last. `proposed` are changes that wait for a yes, `decided` is the answer to those of the turn before.
    `draft` is the answer that the model is writing."""

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
        """The number of the first step of the plan without a result; None if all have one."""
        steps = self.plan.steps if self.plan else ()
        return next((number for number in range(len(steps)) if number not in self.done), None)

    def step(self, number: int) -> Step:
        assert self.plan is not None
        return self.plan.steps[number]

    @property
    def is_opening(self) -> bool:
        """Whether the turn only takes the papers that the conversation is about. Every other turn that the person
        plans settles an earlier one."""
        return self.plan is not None and self.plan.by == "person" and not (self.plan.onward or self.plan.instead)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Other readings of the message; () if the person chose one of them."""
        return self.plan.offers if self.plan and not self.plan.instead else ()

    @property
    def outcomes(self) -> list[StepDone]:
        """The results of the plan's steps, in order."""
        return [self.done[number] for number in sorted(self.done)]


@dataclass(frozen=True, slots=True)
class ConversationState:
    """A conversation so far. `candidates` are the papers under consideration, `earlier` the candidates before each turn
    that changed them, the latest last; `shown` are the papers of the last list, with their rows in `listed`; `focus` is
    the paper looked at last. `noted` is the person's stated taste, without duplicates. `findings` hold the papers shown
    and the costs."""

    started: ConversationStarted | None = None
    findings: Findings = field(default_factory=Findings)
    turns: tuple[Turn, ...] = ()
    candidates: Candidates = None
    earlier: tuple[Candidates, ...] = ()
    shown: tuple[PaperId, ...] = ()
    listed: tuple[AnswerRow, ...] = ()
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
        """The papers that "those" means: the last candidates or, if none were left, the ones before them."""
        if self.candidates != ():
            return self.candidates
        return next((papers for papers in reversed(self.earlier) if papers), ())

    @property
    def turn(self) -> Turn | None:
        """The turn without an answer so far; None if all turns have one."""
        return self.turns[-1] if self.turns and self.turns[-1].answer is None else None

    @property
    def messages(self) -> int:
        """Number of the person's messages."""
        return sum(not turn.is_opening for turn in self.turns)

    @property
    def proposal(self) -> ChangeProposed | None:
        """The proposal of the last turn that the person has seen and not answered."""
        return self.turns[-1].proposed if self.turns and self.turns[-1].answer else None

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Other readings of the last answered message, for the person to choose from."""
        last = self.turns[-1] if self.turns and self.turns[-1].answer else None
        return last.plan.offers if last and last.plan else ()

    def _planned(self, event: TurnPlanned) -> "ConversationState":
        """A plan begins with the candidates of its turn or, unless `onward`, with the whole library; a plan that
        continues another keeps its state. A plan done instead of the last turn's begins where that turn began."""
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
        """Return the state with changed fields of the last turn."""
        turn: Turn = replace(self.turns[-1], **changes)  # type: ignore[arg-type]  # fields of `Turn` by name
        return replace(self, turns=(*self.turns[:-1], turn))
