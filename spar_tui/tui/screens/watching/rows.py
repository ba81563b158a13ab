"""The rows and texts that show watches and their new papers. No clock and no terminal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.lookup.following import kind_of
from cache.conditions import orders
from cache.conditions.orders import sortable
from cache.watches import Watch
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text, sentence
from spar_tui.tui.models.search_rows import PaperRow, row, row_of
from spar_tui.tui.screens.watching.desk import Outcome, Unasked, WatchDesk
from spar_tui.tui.widgets.table import Cell, Column
from spar_tui.watching.news import News, nothing_text, shown_text
from spar_tui.watching.when import ORDER_TITLES, moment

ORDERS = ("as told", "year", "citations")
_KINDS = {"author": "person", "cites": "paper"}


@dataclass(frozen=True, slots=True)
class WatchRow:
    """A watch in the table, with its status."""

    watch: Watch
    glyph: Cell
    status: Cell


COLUMNS: tuple[Column[WatchRow], ...] = (
    Column("", 1, lambda row: row.glyph),
    Column("Watch", 16, lambda row: Cell(row.watch.name, "strong")),
    Column("Of a", 8, lambda row: Cell(_kind(row.watch)), 96),
    Column("It follows", 0, lambda row: Cell(row.watch.question, "plain"), 56),
    Column("Last asked", 12, lambda row: Cell(moment(row.watch.last_asked) if row.watch.last_asked else "never")),
    Column("New", 20, lambda row: row.status),
)


def _kind(watch: Watch) -> str:
    kind = kind_of(watch.parameters)
    return _KINDS.get(kind, kind)


def watch_rows(watches: Sequence[Watch], desk: WatchDesk, so_far: int) -> list[WatchRow]:
    """Return a row for each watch; `so_far` is the number of papers found for the watch being asked."""
    return [_row(watch, desk, so_far) for watch in watches]


def _row(watch: Watch, desk: WatchDesk, so_far: int) -> WatchRow:
    if desk.asking and desk.asking.name == watch.name:
        state_text = f"asking, {papers_text(so_far)}" if so_far else "asking…"
        return WatchRow(watch, Cell("●", "accent"), Cell(state_text, "accent"))
    if desk.is_pending(watch.name):
        return WatchRow(watch, Cell("◌"), Cell("waiting"))
    match desk.outcomes.get(watch.name):
        case News() as news:
            return _answered(watch, news)
        case Unasked():
            return WatchRow(watch, Cell("▲", "warned"), Cell("not told, see below", "warned"))
    then = f"{watch.shown_then:,} shown then" if watch.shown_then else "none shown then"
    return WatchRow(watch, Cell(" "), Cell(then if watch.last_asked else ""))


def _answered(watch: Watch, news: News) -> WatchRow:
    if news.failed:
        outcome = f"{len(news.papers):,} new, not all told" if news.papers else "not all told"
        return WatchRow(watch, Cell("▲", "warned"), Cell(outcome, "warned"))
    outcome = f"{len(news.papers):,} new" if news.papers else "nothing new"
    if not news.answered:
        return WatchRow(watch, Cell("▲", "warned"), Cell("not asked", "warned"))
    return WatchRow(watch, Cell("✔", "good"), Cell(outcome, "strong" if news.papers else "quiet"))


def failed_text(outcome: Outcome | None) -> str:
    """Return which sources failed and why, or why the watch was not asked; "" if nothing failed."""
    if isinstance(outcome, News):
        return "  ".join(f"{source} {why}" for source, why in outcome.failed.items())
    return outcome.why if outcome else ""


def asked_text(outcomes: Sequence[Outcome]) -> str:
    """Return the result of asking some watches; it says that nothing is new only if all sources answered."""
    new = sum(len(outcome.papers) for outcome in outcomes if isinstance(outcome, News))
    whole = all(isinstance(outcome, News) and outcome.answered and not outcome.failed for outcome in outcomes)
    parts = [f"{papers_text(new)} new"] if new else ["nothing new"] if whole else []
    parts += [] if whole else ["not all told"]
    return f"{counted(len(outcomes), 'watch', 'watches')} asked: {', '.join(parts)}."


def title_text(watch: Watch, outcome: Outcome | None) -> str:
    """Return the title above the papers of a watch."""
    if isinstance(outcome, News):
        return sentence(shown_text(outcome))
    return f"What is new in “{watch.name}”"


def nothing_page(watch: Watch, outcome: Outcome | None, pending: bool, ask: str) -> str:
    """Return the text for an empty list of papers; `ask` is the key that asks the watch."""
    if pending:
        return "Asking…"
    if isinstance(outcome, News):
        text = f"{sentence(nothing_text(outcome))}."
        return f"{text} All sources answered." if outcome.answered and not outcome.failed else text
    if outcome:
        return f"{outcome.why} {ask} asks again."
    return f"Not asked yet; {ask} looks for new papers."


def paper_rows(news: News) -> list[PaperRow]:
    """Return rows of the new papers, by index, with scores if a search found them."""
    search = news.search
    if search is None:
        return [row_of(index, paper) for index, paper in enumerate(news.papers)]
    return [replace(row(search.state, ranked.work), key=index) for index, ranked in enumerate(search.ranked)]


def ordered(papers: Sequence[Paper], order: str) -> list[int]:
    """Return the indexes of `papers` sorted by `order`; equal papers and papers without a value keep their order."""
    places = list(range(len(papers)))
    return places if order == "as told" else orders.ordered(places, order, lambda index: sortable(papers[index]))


def order_text(news: News, order: str) -> str:
    """Return the name of the order."""
    if order != "as told":
        return orders.ORDERS[order].first
    return f"by {ORDER_TITLES[news.search.by]}" if news.search else "the newest first"
