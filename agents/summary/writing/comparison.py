"""A table that compares the papers of a facet, each cell with words of the paper, of spar's note on it, or empty."""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.builtin.summarizing.table_cells import cells
from agents.builtin.text.pages import Pages, quoted
from agents.builtin.text.quotes import noted_words
from agents.summary.events import ROOT, Cell, TableFilled, TableRow
from agents.summary.session import SummarySession
from agents.summary.state import SummaryState
from agents.summary.tree import in_order
from cache.passages import Passage
from connectors.paper import Paper, WorkId

LEAST_ROWS, MOST_ROWS = 2, 10


def compare(session: SummarySession) -> None:
    """Post a table for each facet of the topic that has none yet, if columns are asked for."""
    state = session.state
    nodes = [node for node in state.children(ROOT) or [ROOT] if node not in state.tables]
    if not session.options.table or session.control.stopping:
        return
    for node in nodes:
        session.post(_table(session, node))


def _compared(session: SummarySession, node: str) -> list[WorkId]:
    """The papers that stand in the table of a node: those that its text cites and no text before it; all that it has
    if nothing is cited at all."""
    state = session.state
    before = [one for one in state.children(ROOT) if in_order(one) < in_order(node)]
    told = {work for one in before for work in _cited(state, one)}
    cited = [work for work in _cited(state, node) if work not in told] if state.cited else state.works_below(node)
    return [work for work in cited if session.paper(work).about or _passages(session, node, work)][:MOST_ROWS]


def _passages(session: SummarySession, node: str, work: WorkId) -> Sequence[Passage]:
    """What the pages of a work say of the topic of a table and of its columns."""
    return session.passages(work, " ".join((session.state.question(node), *session.options.table)))


def _cited(state: SummaryState, node: str) -> list[WorkId]:
    """The works that the text of a node, and of the facets below it, cites."""
    texts = [state.written[one] for one in state.below(node) if one in state.written]
    cited = (one.work for text in texts for sentence in text.sentences for one in sentence.citations)
    return list(dict.fromkeys(map(state.findings.work, cited)))


def _table(session: SummarySession, node: str) -> TableFilled:
    """The table of a node: rows that a model copied as it wrote, else by rule; none for one paper alone, which its text
    has told of."""
    state, works = session.state, _compared(session, node)
    if len(works) < LEAST_ROWS:
        return TableFilled(node, ())
    texts = [state.written[one] for one in state.below(node) if one in state.written]
    copied = {state.findings.work(row.work): row for text in texts for row in text.rows}
    rows = tuple(copied.get(work) or _row_by_rule(session, node, work) for work in works)
    return TableFilled(node, rows, "model" if copied.keys() & set(works) else "built-in")


def _row_by_rule(session: SummarySession, node: str, work: WorkId) -> TableRow:
    """A row with words of the abstract, where it has none for a column with those of a page, else of spar's note; none
    that an extract quotes already."""
    columns, paper = session.options.table, session.paper(work)
    words_of = cells(columns, paper.about, _quoted(session.state))
    quotes = [
        Cell(column, words) if paper.abstract else Cell(column, "", words)
        for column, words in zip(columns, words_of, strict=True)
    ]
    passages = _passages(session, node, work)
    return TableRow(work, tuple(cell if cell.quote else _on_page(cell, passages) for cell in quotes))


def _quoted(state: SummaryState) -> set[str]:
    """The sentences that stand in the text as their papers have them."""
    extracts = [sentence for text in state.written.values() if text.by != "model" for sentence in text.sentences]
    return {one.quote or one.described for sentence in extracts for one in sentence.citations}


def _on_page(cell: Cell, passages: Sequence[Passage]) -> Cell:
    """The cell with words of a page, if one says what belongs there."""
    found = ((words, one.page) for one in passages for words in cells([cell.column], one.text) if words)
    words, page = next(found, ("", None))
    return Cell(cell.column, words, page=page) if words else cell


# By the model


class Filled(BaseModel):
    """One cell."""

    column: str
    quote: str = ""


class Row(BaseModel):
    """What one paper says."""

    id: str
    cells: list[Filled]


def checked_row(session: SummarySession, work: WorkId, row: Row) -> TableRow:
    """The row with those of its quotes that stand in the paper, or in spar's note on it."""
    paper = session.paper(work)
    pages = session.full_texts.pages(paper)
    copied = {filled.column.casefold(): filled.quote for filled in row.cells}
    return TableRow(
        work, tuple(_cell(column, copied.get(column.casefold(), ""), paper, pages) for column in session.options.table)
    )


def _cell(column: str, copied: str, paper: Paper, pages: Pages) -> Cell:
    quote, page = quoted(copied, paper, pages)
    return Cell(column, quote, "" if quote else noted_words(copied, paper), page)
