"""A table that compares the papers of a facet; a cell has words of the paper or of spar's note on it, or is empty."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from pydantic import BaseModel

from agents.builtin.text.pages import Pages
from agents.builtin.text.remarks import remark
from agents.builtin.text.words import letters_of
from agents.evidence.cells import cells
from agents.evidence.quotes import noted_words, quoted
from agents.run.events import JudgedBy
from agents.summary.events import ROOT, Cell, Citation, TableFilled, TableRow
from agents.summary.options import USUAL_COLUMNS
from agents.summary.session import SummarySession
from agents.summary.state import SummaryState
from cache.passages import Passage
from connectors.paper import Paper, WorkId

LEAST_ROWS, MOST_ROWS = 2, 10
_LONGEST_COLUMN = 30


def compare(session: SummarySession) -> None:
    """Post a table for each facet of the topic that lacks one, if the options ask for tables."""
    state = session.state
    nodes = [node for node in state.children(ROOT) or [ROOT] if node not in state.tables]
    if not session.options.table or session.control.stopping:
        return
    for node in nodes:
        session.post(_table(session, node))


def _works_to_compare(session: SummarySession, node: str) -> list[WorkId]:
    """Return the papers in the table of a node: those that its text cites and that belong to it; if the summary cites
    none, all papers below it."""
    state = session.state
    works = (
        [work for work in dict.fromkeys(_citing(state, node)) if _belongs_to(state, work) == node]
        if state.cited
        else (state.works_below(node))
    )
    return [work for work in works if session.paper(work).about or _passages(session, node, work)][:MOST_ROWS]


def _belongs_to(state: SummaryState, work: WorkId) -> str:
    """Choose among the nodes whose texts cite a work: the one that lists it highest, then the one that cites it most
    often."""

    def rank_in(node: str) -> tuple[float, int]:
        works = state.works_below(node)
        return (works.index(work) if work in works else inf, -_citing(state, node).count(work))

    nodes = [node for node in state.children(ROOT) or [ROOT] if work in _citing(state, node)]
    return min(nodes, key=rank_in, default=ROOT)


def _passages(session: SummarySession, node: str, work: WorkId, columns: Sequence[str] = ()) -> Sequence[Passage]:
    """Return the passages of a work that are nearest to the question of a node and to the columns."""
    return session.passages(work, " ".join((session.state.question(node), *(columns or session.options.table))))


def _citing(state: SummaryState, node: str) -> list[WorkId]:
    """Return the work of each citation in the texts of a node and of the facets below it."""
    return [work for child in state.below(node) for work in state.cited_in(child)]


def _table(session: SummarySession, node: str) -> TableFilled:
    """Return the table of a node, with rows that the model copied for it or for another node, or if there are none for
    it, rows by rule. Empty rows are left out, and so are a single row, which adds nothing to the text, and columns that
    are empty in every row, unless the person named them."""
    state, works = session.state, _works_to_compare(session, node)
    own_rows = [row for child in state.below(node) if child in state.written for row in state.written[child].rows]
    columns = _columns(own_rows[0]) if own_rows else session.options.table
    rows = [*(row for text in state.written.values() for row in text.rows), *own_rows]
    copied = {state.findings.work(row.work): row for row in rows if own_rows and _columns(row) == columns}
    used = _used(state)
    table_rows = [copied[work] if copied else _row_by_rule(session, node, work, columns, used)
                  for work in works if work in copied or not copied]  # fmt: skip
    table_rows = [row for row in table_rows if any(cell.quote or cell.described for cell in row.cells)]
    if session.options.table == USUAL_COLUMNS:
        filled = {cell.column for row in table_rows for cell in row.cells if cell.quote or cell.described}
        table_rows = [replace(row, cells=tuple(cell for cell in row.cells if cell.column in filled))
                      for row in table_rows]  # fmt: skip
    by: JudgedBy = "model" if copied.keys() & {row.work for row in table_rows} else "built-in"
    return TableFilled(node, tuple(table_rows) if len(table_rows) >= LEAST_ROWS else (), by)


def _columns(row: TableRow) -> tuple[str, ...]:
    return tuple(cell.column for cell in row.cells)


def _row_by_rule(session: SummarySession, node: str, work: WorkId, columns: Sequence[str], used: set[str]) -> TableRow:
    """Return a row with words of the abstract, else of a page, else of spar's note, each once in the document: `used`
    are the letters of its quotes, to which those of the row are added."""
    paper, passages = session.paper(work), _passages(session, node, work, columns)
    quotes: list[Cell] = []
    for column, words in zip(columns, cells(columns, paper.about, used), strict=True):
        used.add(letters_of(words))
        cell = Cell(column, words) if paper.abstract else Cell(column, "", words)
        quotes.append(cell if words else _on_page(cell, passages, used))
    return TableRow(work, tuple(quotes))


def _used(state: SummaryState) -> set[str]:
    """Return the letters of what extracts in the text, and tables, quote."""
    extracts = [sentence for text in state.written.values() if text.by != "model" for sentence in text.sentences]
    supports: list[Citation | Cell] = [citation for sentence in extracts for citation in sentence.citations]
    supports += [cell for table in state.tables.values() for row in table.rows for cell in row.cells]
    return {letters_of(support.quote or support.described) for support in supports}


def _on_page(cell: Cell, passages: Sequence[Passage], used: set[str]) -> Cell:
    """Return the cell with words of a page that fit its column and are not `used`, unchanged if there are none."""
    for passage in passages:
        if words := cells([cell.column], passage.text, used)[0]:
            used.add(letters_of(words))
            return Cell(cell.column, words, page=passage.page)
    return cell


# By the model


class Filled(BaseModel):
    """One cell."""

    column: str
    quote: str = ""


class ComparisonRow(BaseModel):
    """What one paper says."""

    id: str
    cells: list[Filled]


def columns_of(session: SummarySession, columns: Sequence[str]) -> Sequence[str]:
    """Return the columns of a section's table: the person's, else those `columns` by the model, else the usual ones."""
    if session.options.table != USUAL_COLUMNS:
        return session.options.table
    names = dict.fromkeys(name for column in columns if any(map(str.isalnum, name := remark(column, _LONGEST_COLUMN))))
    return list(names)[: len(USUAL_COLUMNS)] or USUAL_COLUMNS


def checked_row(session: SummarySession, work: WorkId, row: ComparisonRow, columns: Sequence[str]) -> TableRow:
    """Return the model's row with only the quotes found in the paper or in spar's note on it."""
    paper = session.paper(work)
    pages = session.full_texts.pages(paper)
    copied = {remark(filled.column, _LONGEST_COLUMN).casefold(): filled.quote for filled in row.cells}
    return TableRow(work, tuple(_cell(column, copied.get(column.casefold(), ""), paper, pages) for column in columns))


def _cell(column: str, copied: str, paper: Paper, pages: Pages) -> Cell:
    quote, page = quoted(copied, paper, pages)
    return Cell(column, quote, "" if quote else noted_words(copied, paper), page)
