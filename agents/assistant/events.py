"""What happens in a conversation, told as small frozen records.

A turn is a message of the person's and all that was done for it: the plan, its steps one by one, and the answer. Papers
go by their numbers in the library; those that were shown go by their numbers in the run as well, so that the
conversation is whole whatever becomes of the library.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from agents.run.events import Ending, JudgedBy, RunEvent
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class ConversationStarted:
    """The first event. `today` is the day that "last year" is counted from."""

    sources: tuple[str, ...]
    seed: int = 0
    today: date = date(1, 1, 1)
    model: str | None = None


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """What the person said; it begins a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: a tool, and what it is given."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """Another reading of a message: what it would do, in words, and its whole plan, as that of a turn."""

    label: str
    steps: tuple[Step, ...]
    onward: bool = False


@dataclass(frozen=True, slots=True)
class TurnPlanned:
    """The whole plan of a turn, made before any of it is done (InteRecAgent §3.3). Without steps the message was not
    understood, or needs no tool: then `reply` says what there is to say. `onward` plans go on with the candidates that
    there are, others begin with the whole library. `in_words` plans answer a question about what papers say. A later
    plan of a turn replaces what an earlier one came to; one that `continues` it has its steps, which stay done, and
    more. A `corrected` plan could not be run as the model first wrote it. `offers` are other readings of the message,
    of which the person may take one; a plan that is taken so is done `instead` of that of the turn before, and begins
    where that began. `focus` is the one paper of the library that a
    message without steps is about."""

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
    """What the person said that they like, dislike or expect, in their own words, for the time of this conversation;
    `papers` are those that they named. Without `text` they pointed at them."""

    facet: Literal["like", "dislike", "expect"]
    text: str = ""
    papers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepDone:
    """What a step came to: the tracker of the candidate bus (InteRecAgent §3.2). `papers` are the candidates from now
    on, None if they are as they were; `error` says why it could not be done. `relaxed` are the conditions that were
    given up because they left nothing."""

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
class Change:
    """A step that changes something, and the papers that it changes, as they were found when it was proposed."""

    step: int
    papers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeProposed:
    """The next steps would change what the person keeps, and wait for their yes; `sentence` says what they would do."""

    changes: tuple[Change, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class ChangeDecided:
    """The person's word on what was proposed in the turn before; with their yes the first `steps` of this turn's plan
    may be done."""

    allowed: bool
    steps: int = 0


@dataclass(frozen=True, slots=True)
class TurnCriticized:
    """The critic's judgement of a turn (InteRecAgent §3.4): what is wrong with the plan, by a fixed list of faults."""

    faults: tuple[str, ...] = ()
    by: JudgedBy = "model"


@dataclass(frozen=True, slots=True)
class Row:
    """A paper that an answer shows: its numbers in the run and in the library, its place in the candidates, and the
    reason and quote with which a search of this turn lists it."""

    work: WorkId
    number: int
    place: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class AnswerDrafted:
    """What the model has written of the answer so far, in place of what it had before. Told while it is written, and
    kept nowhere: it is the answer only when that is whole and every sentence of it was checked."""

    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnAnswered:
    """The answer, which ends a turn: sentences, the papers that it shows, and a document if one was made."""

    text: str
    rows: tuple[Row, ...] = ()
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
