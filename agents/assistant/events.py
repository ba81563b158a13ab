"""The events of a conversation, as small frozen records.

A turn is a message of the person and everything done for it: the plan, its steps one by one, and the answer. Papers
have their numbers in the library; papers that were shown also have numbers in the run, so that the conversation stays
complete whatever happens to the library.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from agents.run.events import Ending, JudgedBy, RunEvent
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class ConversationStarted:
    """The first event. `today` is the day from which "last year" is counted."""

    sources: tuple[str, ...]
    seed: int = 0
    today: date = date(1, 1, 1)
    model: str | None = None


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A message of the person, which begins a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a plan: a tool and its arguments."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """Another reading of a message: a label that says what it would do, and its whole plan, like that of a turn."""

    label: str
    steps: tuple[Step, ...]
    onward: bool = False


@dataclass(frozen=True, slots=True)
class TurnPlanned:
    """The whole plan of a turn, made before any step is done (InteRecAgent §3.3). A plan without steps has a `reply`:
    the message was not `understood` or needs no tool. `onward` plans continue with the current candidates, others begin
    with the whole library. `in_words` plans answer a question about what papers say. A later plan of a turn replaces an
    earlier one and its results; a plan that `continues` it has the same steps, which stay done, and more. A `corrected`
    plan could not be run as the model first wrote it. `offers` are other readings that the person may choose; the plan
    of a chosen offer is done `instead` of the plan of the turn before, from the same beginning. `focus` is the
    library's one paper that a message without steps is about."""

    steps: tuple[Step, ...]
    by: JudgedBy = "built-in"
    onward: bool = False
    reply: str = ""
    understood: bool = True
    in_words: bool = False
    continues: bool = False
    corrected: bool = False
    offers: tuple[Offer, ...] = ()
    instead: bool = False
    focus: int | None = None


@dataclass(frozen=True, slots=True)
class ProfileNoted:
    """Something that the person likes, dislikes or expects, in their own words, for this conversation; `papers` are
    those that they named. `text` is "" if they only pointed at papers."""

    facet: Literal["like", "dislike", "expect"]
    text: str = ""
    papers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepDone:
    """The result of a step: the tracker of the candidate bus (InteRecAgent §3.2). `papers` are the new candidates, None
    if they did not change; `error` says why the step failed. `relaxed` are the conditions that were given up because no
    paper met all."""

    step: int
    tool: str
    papers: tuple[int, ...] | None = None
    shown: tuple[int, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    notes: tuple[str, ...] = ()
    run: str | None = None
    error: str = ""
    unknown: str = ""
    relaxed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A step that changes something, and the papers that it was proposed to change."""

    step: int
    papers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeProposed:
    """The next steps would change the person's data and need a yes; `sentence` says what they would do."""

    changes: tuple[ProposedChange, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class ChangeDecided:
    """The person's answer to the proposal of the turn before; a yes allows the first `steps` steps of this turn's
    plan."""

    allowed: bool
    steps: int = 0


@dataclass(frozen=True, slots=True)
class TurnCriticized:
    """The critic's judgement of a turn (InteRecAgent §3.4): the faults of the plan, from a fixed list."""

    faults: tuple[str, ...] = ()
    by: JudgedBy = "model"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A paper in an answer: its numbers in the run and in the library, its position among the candidates, and the
    reason and quote given by a search of this turn."""

    work: WorkId
    number: int
    place: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class AnswerDrafted:
    """The answer that the model has written so far, which replaces the draft before. Shown but not stored: the answer
    counts only when it is complete and every sentence was checked."""

    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAnswered:
    """The answer that ends a turn: sentences, the papers shown, and a document if one was made."""

    text: str
    rows: tuple[AnswerRow, ...] = ()
    document: str = ""
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class ConversationFinished:
    """All messages are answered; `seconds` counts this session only."""

    seconds: float = 0.0
    ending: Ending = "complete"


ConversationEvent = (
    ConversationStarted
    | MessageReceived
    | TurnPlanned
    | ProfileNoted
    | StepDone
    | ChangeProposed
    | ChangeDecided
    | TurnCriticized
    | AnswerDrafted
    | TurnAnswered
    | ConversationFinished
    | RunEvent
)
