"""What happens while a summary grows, told as small frozen records.

A summary is a tree: its root "" is the topic, "2" the topic's second facet, "2.1" that one's first. What sources find,
what it costs and what the person should know are the events that a search has too.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.events import Ending, JudgedBy, RunEvent
from connectors.paper import WorkId

ROOT = ""
Verdict = Literal["yes", "no", "mixed", "unsettled", "silent", "other"]
"""What papers say to a question. They find opposite things, speak of it without settling it, do not speak of it, or
answer one that asks for something else than yes or no."""
Check = Literal["needed", "relevant", "different"]
"""What a facet must be: needed to understand the topic, with papers relevant to it, and no other facet again."""


@dataclass(frozen=True, slots=True)
class SummaryStarted:
    """The first event: the person's topic and options. `today` is what "last year" is counted from; `since` and `until`
    are the days between which its papers were published, be they the person's own bounds or those of the topic."""

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
    """The papers of a node, the most telling first: what it is planned and written from."""

    node: str
    works: tuple[WorkId, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One aspect of a node: a heading, the sub-question behind it, and the query that finds papers on it."""

    title: str
    question: str
    query: str


@dataclass(frozen=True, slots=True)
class FacetsPlanned:
    """The facets of a node (ConTReGen §2.1), by their place in the tree from 1; none where no plan is needed."""

    node: str
    facets: tuple[Facet, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetVerified:
    """A facet passed a check. Needed, it has a query that stands alone; relevant, it keeps the papers that are."""

    node: str
    check: Check
    query: str = ""
    works: tuple[WorkId, ...] = ()
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetDropped:
    """A facet did not pass a check."""

    node: str
    check: Check
    reason: str
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class FacetsMerged:
    """A facet asked for the same as another one, which goes on for both with the papers of both."""

    kept: str
    gone: str
    reason: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A paper, and words that stand so in its title or abstract, or on the `page` of its PDF.

    In want of an abstract they may stand in spar's note on it: then they are `described`, and nothing is quoted.
    """

    work: WorkId
    quote: str
    described: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what supports it; `contested` if it is two whose findings a check found to be opposite, `alike` if
    it is a quote that shares rare words with the one of another paper that it stands below."""

    text: str
    citations: tuple[Citation, ...]
    contested: bool = False
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a comparison table: words that stand so in the paper, on the `page` of its PDF if they are from there,
    or else in spar's note on it, or none."""

    column: str
    quote: str
    described: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """What one paper says in each column."""

    work: WorkId
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class NodeWritten:
    """The text of a node. `gap` says what the papers found do not say; `cut` counts sentences that were left out for
    want of support, `lost` the citations that did not hold; `rows` are what a model copied for tables."""

    node: str
    sentences: tuple[Sentence, ...]
    gap: str = ""
    by: JudgedBy = "built-in"
    cut: int = 0
    lost: int = 0
    rows: tuple[TableRow, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFilled:
    """The comparison of a node's papers."""

    node: str
    rows: tuple[TableRow, ...]
    by: JudgedBy = "built-in"


@dataclass(frozen=True, slots=True)
class EvidenceChosen:
    """The quotes that bear on the question that is answered, the most telling first; `read` is how many of the papers
    could be quoted, for an abstract or a full text of them is known."""

    quotes: tuple[Citation, ...]
    read: int = 0


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """What papers say to the question, None if nobody judged it or the judgement did not hold; the text of the root
    says why. `yes` and `no` are the papers that speak for that answer."""

    verdict: Verdict | None
    by: JudgedBy = "built-in"
    yes: tuple[WorkId, ...] = ()
    no: tuple[WorkId, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryFinished:
    """The last event; `seconds` are those since the summary began, or since it was taken up again."""

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
