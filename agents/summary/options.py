"""The options of a summary: its size and its budgets."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.resources import RunOptions

CorpusKind = Literal["sources", "run", "tag", "shelf", "papers", "library"]
MOST_DEPTH = 3
MOST_BRANCH = 8
CALLS = 60
"""Default bound of model steps; 1,000 words need about 10."""


USUAL_COLUMNS = ("method", "data", "result")
"""Default columns of tables; a model may choose better ones for a section."""


@dataclass(frozen=True, slots=True)
class SummaryOptions(RunOptions):
    """Size and budgets of a summary; None means no bound.

    `depth` is the number of levels of facets below the topic, `branch` the maximum number of facets of a node, `papers`
    that of papers, `words` the approximate length. `outline` writes no text; `table` names the columns of a comparison
    table. `corpus` is where papers are from: the live sources in `sources` (with `choose_sources` only those that suit
    the topic), the library, or papers at hand: `corpus_name` is then the run, the tag, or the library numbers of
    papers, separated by commas. `since` and `until` override dates in the topic. `asked` is the question of such a run,
    and `meaning` its meaning according to a model, if any.

    `model`: False asks no language model even if there is one. `unasked`: the program started the run by itself, such
    as the answer above a search; no history lists it before somebody opens it.
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
    choose_sources: bool = True
    unasked: bool = False
