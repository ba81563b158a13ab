"""What of the watches and their news is shown: rows and words. No clock and no terminal."""

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
    """A watch in the table, and how it stands."""

    watch: Watch
    glyph: Cell
    status: Cell


COLUMNS: tuple[Column[WatchRow], ...] = (
    Column("", 1, lambda one: one.glyph),
    Column("Watch", 16, lambda one: Cell(one.watch.name, "strong")),
    Column("Of a", 8, lambda one: Cell(_kind(one.watch)), 96),
    Column("It follows", 0, lambda one: Cell(one.watch.question, "plain"), 56),
    Column("Last asked", 12, lambda one: Cell(moment(one.watch.last_asked) if one.watch.last_asked else "never")),
    Column("New", 20, lambda one: one.status),
)


def _kind(watch: Watch) -> str:
    kind = kind_of(watch.parameters)
    return _KINDS.get(kind, kind)


def watch_rows(watches: Sequence[Watch], desk: WatchDesk, so_far: int) -> list[WatchRow]:
    """A row for each watch; `so_far` are the papers that the one being asked has found so far."""
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
    """Who could not tell, and why; "" if everybody did."""
    if isinstance(outcome, News):
        return "  ".join(f"{source} {why}" for source, why in outcome.failed.items())
    return outcome.why if outcome else ""


def asked_text(outcomes: Sequence[Outcome]) -> str:
    """What asking some watches came to; that nothing is new only where all of it is known."""
    new = sum(len(outcome.papers) for outcome in outcomes if isinstance(outcome, News))
    whole = all(isinstance(outcome, News) and outcome.answered and not outcome.failed for outcome in outcomes)
    parts = [f"{papers_text(new)} new"] if new else ["nothing new"] if whole else []
    parts += [] if whole else ["not all told"]
    return f"{counted(len(outcomes), 'watch', 'watches')} asked: {', '.join(parts)}."


def title_text(watch: Watch, outcome: Outcome | None) -> str:
    """What stands above the papers of a watch."""
    if isinstance(outcome, News):
        return sentence(shown_text(outcome))
    return f"What is new in “{watch.name}”"


def nothing_page(watch: Watch, outcome: Outcome | None, pending: bool, ask: str) -> str:
    """What stands where no papers are; `ask` is the key that asks."""
    if pending:
        return "Asking…"
    if isinstance(outcome, News):
        text = f"{sentence(nothing_text(outcome))}."
        return f"{text} All sources answered." if outcome.answered and not outcome.failed else text
    if outcome:
        return f"{outcome.why} {ask} asks again."
    return f"Not asked yet; {ask} looks for new papers."


def paper_rows(news: News) -> list[PaperRow]:
    """The new papers, each by its place; with its score where a search has found it."""
    search = news.search
    if search is None:
        return [row_of(index, paper) for index, paper in enumerate(news.papers)]
    return [replace(row(search.state, ranked.work), key=index) for index, ranked in enumerate(search.ranked)]


def ordered(papers: Sequence[Paper], order: str) -> list[int]:
    """The places of `papers` by `order`; of equals and of those of which it is not known the first told comes first."""
    places = list(range(len(papers)))
    return places if order == "as told" else orders.ordered(places, order, lambda index: sortable(papers[index]))


def order_text(news: News, order: str) -> str:
    """By what they are ordered."""
    if order != "as told":
        return orders.ORDERS[order].first
    return f"by {ORDER_TITLES[news.search.by]}" if news.search else "the newest first"
