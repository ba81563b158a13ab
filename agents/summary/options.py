"""How large a summary is to be, and what it may cost."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.resources import SOURCE_SECONDS

CorpusKind = Literal["sources", "run", "tag", "shelf", "papers", "library"]
MOST_DEPTH = 3
MOST_BRANCH = 8
CALLS = 60
"""Questions to the model unless the person set another bound; 1,000 words need about 10."""


USUAL_COLUMNS = ("method", "data", "result")
"""The columns of tables unless the person names others; a model may choose better ones for a section."""


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """Size and budgets of a summary; None means no bound.

    `depth` is how many levels of facets lie below the topic, `branch` how many facets a node may have, `papers` how
    many papers a node is written from, `words` about how long the text is. With `outline` no text is written;
    `table` names the columns of a comparison table. `corpus` says where papers are from: the live sources (those in
    `sources`, all of them without `choose_sources`), the library, or papers at hand, then `corpus_name` is the run, the
    tag, or the papers by their numbers in the library, with commas between them; only those published between `since`
    and `until` are used, whatever the topic says of dates. What `asked`, the question of such a run, means is
    `meaning`, where a model has said it there.
    Without `model` no language model is asked, though the person has one. An `unasked` one, such as the answer above a
    search for a question, was begun by the program, and stands in no history before somebody opens it.
    """

    depth: int = 2
    branch: int = 4
    words: int = 1_000
    papers: int = 8
    outline: bool = False
    table: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    corpus: CorpusKind = "sources"
    corpus_name: str = ""
    asked: str = ""
    meaning: str = ""
    sources: tuple[str, ...] | None = None
    choose_sources: bool = True
    source_seconds: float = SOURCE_SECONDS
    seed: int = 0
    model: bool = True
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None
    unasked: bool = False
