"""The events of a summary, as small frozen records.

A summary is a tree: the root "" is the topic, "2" the topic's second facet, "2.1" the first facet of that one. Results
of sources, costs and warnings are the events of every run.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.events import Ending, JudgedBy, RunEvent
from connectors.paper import WorkId

ROOT = ""
Verdict = Literal["yes", "no", "mixed", "unsettled", "silent", "other"]
"""The answer of papers to a question. "mixed": they find opposite things; "unsettled": they do not settle it; "silent":
none speaks of it; "other": they answer a question that asks for more than yes or no."""
Side = Literal["yes", "no"]
"""The answer that a paper's findings speak for."""
Check = Literal["needed", "relevant", "different"]
"""The checks of a facet: the topic needs it, its papers are relevant to the topic, and it differs from the others."""


@dataclass(frozen=True, slots=True)
class SummaryStarted:
    """The first event: the person's topic and options. `today` is the day when it was asked; `since` and `until` bound
    the publication dates of its papers, by the person's options or by the topic."""

    topic: str
    sources: tuple[str, ...]
    depth: int
    branch: int
    words: int
    seed: int = 0
    today: date = date(1, 1, 1)
    model: str | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class NodeRetrieved:
    """The papers of a node, best first, from which it is planned and written."""

    node: str
    works: tuple[WorkId, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One aspect of a node: a heading, its sub-question, and the query that finds papers on it."""

    title: str
    question: str
    query: str


@dataclass(frozen=True, slots=True)
class FacetsPlanned:
    """The facets of a node (ConTReGen §2.1), numbered from 1 in the tree; empty if it needs no plan."""

    node: str
    facets: tuple[Facet, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetVerified:
    """A facet passed a check. "needed" gives it a query that stands alone; "relevant" keeps its relevant papers."""

    node: str
    check: Check
    query: str = ""
    works: tuple[WorkId, ...] = ()
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetDropped:
    """A facet failed a check."""

    node: str
    check: Check
    reason: str
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetsMerged:
    """A facet asked for the same as another one, which is kept with the papers of both."""

    kept: str
    gone: str
    reason: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A paper, and words from its title or abstract, or from the `page` of its PDF, verbatim.

    If it has no abstract, the words may be from spar's note on it: then they are `described`, and `quote` is "".
    """

    work: WorkId
    quote: str
    described: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its citations; `contested` if it joins two sentences whose findings are opposite, `alike` if it is
    a quote that shares rare words with a quote of another paper above it."""

    text: str
    citations: tuple[Citation, ...]
    contested: bool = False
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a comparison table: words of the paper, verbatim, with the `page` of its PDF if they are from there; or
    words of spar's note on it; or none."""

    column: str
    quote: str
    described: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One paper's row of a comparison table."""

    work: WorkId
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class NodeWritten:
    """The text of a node. `gap` says what the papers found do not say; `cut` is the number of sentences left out for
    want of support, `lost` the number of citations that did not hold; `rows` are the model's rows for tables; `partly`
    and `unchecked` are the numbers of sentences of which quotes support only a part, and that the model did not judge;
    `omitted` is the number of supported sentences that repeat another or exceed the length of the text.
    """

    node: str
    sentences: tuple[Sentence, ...]
    gap: str = ""
    by: JudgedBy = "built-in"
    cut: int = 0
    lost: int = 0
    rows: tuple[TableRow, ...] = ()
    partly: int = 0
    unchecked: int = 0
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class TableFilled:
    """The comparison table of a node's papers."""

    node: str
    rows: tuple[TableRow, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class EvidenceChosen:
    """The quotes that bear on the question, best first; `read` is the number of papers with a known abstract or full
    text. With `far`, no paper bears on the question, and the quotes are merely the nearest."""

    quotes: tuple[Citation, ...]
    read: int = 0
    far: bool = False


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The papers' answer to the question, None if nobody judged it or the judgement did not hold; the text of the root
    gives the reasons. `yes` and `no` are the papers for that answer."""

    verdict: Verdict | None
    by: JudgedBy = "built-in"
    yes: tuple[WorkId, ...] = ()
    no: tuple[WorkId, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryFinished:
    """The last event; `seconds` is the time since the summary began or was resumed."""

    seconds: float = 0.0
    ending: Ending = "complete"


SummaryEvent = (
    SummaryStarted
    | NodeRetrieved
    | FacetsPlanned
    | FacetVerified
    | FacetDropped
    | FacetsMerged
    | NodeWritten
    | TableFilled
    | EvidenceChosen
    | QuestionAnswered
    | SummaryFinished
    | RunEvent
)
