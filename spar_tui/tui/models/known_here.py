"""What this machine knows about a paper: its links and the person's feedback; and what a lookup added."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from agents.search.state import SearchState
from agents.tools.shelf_actions import feedback_on
from cache import papers
from cache.reading_history import Feedback
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from connectors.records.merging import merge
from spar_tui.phrases import counted
from spar_tui.tui.models.search_rows import PaperRow, row, row_of

Linked = Literal["cited by this paper", "it cites this paper"]


@dataclass(frozen=True, slots=True)
class KnownHere:
    """`paper`, with the library's abstract if it had none; the papers in the library that it cites or that cite it; and
    the person's last feedback."""

    paper: Paper
    references: tuple[Paper, ...] = ()
    citing: tuple[Paper, ...] = ()
    feedback: Feedback = 0

    @property
    def linked(self) -> tuple[Paper, ...]:
        return (*self.references, *self.citing)

    @property
    def keys(self) -> list[tuple[Linked, str]]:
        """How each linked paper is linked, and its id; a paper linked both ways is there twice."""
        cited: list[tuple[Linked, str]] = [("cited by this paper", paper.id) for paper in self.references]
        return [*cited, *(("it cites this paper", paper.id) for paper in self.citing)]

    @property
    def told(self) -> str:
        """The number of links, such as `3 references, 1 citing paper`."""
        parts = [counted(len(self.references), "reference")] if self.references else []
        parts += [counted(len(self.citing), "citing paper")] if self.citing else []
        return ", ".join(parts)


def best_first(papers_found: Sequence[Paper], state: SearchState | None) -> tuple[Paper, ...]:
    """Return the papers in the order of the search's scores, then those without a score, newest first."""
    scores = [paper_row.score or 0.0 for paper_row in scored_rows(papers_found, state)]
    ranks = sorted(range(len(scores)), key=lambda at: (-scores[at], -(papers_found[at].year or 0)))
    return tuple(papers_found[at] for at in ranks)


def known_here(store: Store, paper: Paper, state: SearchState | None, most: int) -> KnownHere:
    """Return what the library knows about `paper`: the first `most` links of each kind, by score if there is a search.
    Blocks; raises `CacheError`."""
    number = papers.number_of(store, paper)
    if number is None:
        return KnownHere(paper)
    if not paper.abstract:
        for stored in papers.by_ids(store, [number]):
            paper = merge(paper, stored) if stored.abstract else paper
    references, citing = (best_first(get(store, number), state)[:most] for get in (papers.references_of, papers.citing))
    return KnownHere(paper, references, citing, feedback_on(store, paper))


def first_seen_since(store: Store, papers_found: Sequence[Paper], moment: datetime) -> int:
    """Return how many of `papers_found` were not in the library at `moment`. Blocks; raises `CacheError`."""
    fresh = papers.first_seen_after(store, moment)
    return sum(number is None or number in fresh for number in papers.numbers_of(store, papers_found))


def linked_rows(here: KnownHere, state: SearchState | None) -> list[PaperRow]:
    """Return a row for each linked paper, with its score if the search found it; a rule separates the references from
    the citing papers."""
    rows, first = scored_rows(here.linked, state), len(here.references)
    if here.references and here.citing:
        rows[first] = replace(rows[first], rule="Cited by")
    return rows


def scored_rows(papers_found: Sequence[Paper], state: SearchState | None) -> list[PaperRow]:
    """Return a row for each paper, with its score if the search found it."""
    if state is None:
        return [row_of(index, paper) for index, paper in enumerate(papers_found)]
    works: dict[Identifier, WorkId] = {
        name: work for work, candidate in state.found.items() for name in candidate.paper.identifiers
    }
    rows = []
    for index, paper in enumerate(papers_found):
        work = next((works[name] for name in paper.identifiers if name in works), None)
        paper_row = replace(row_of(index, paper), scored=True) if work is None else row(state, work)
        rows.append(replace(paper_row, key=index, reason=""))
    return rows
