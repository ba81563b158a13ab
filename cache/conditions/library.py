"""Papers of the library that meet hard conditions: each either holds or does not (InteRecAgent §3.1)."""

from collections.abc import Sequence

from cache.conditions import orders, sql
from cache.conditions.content import quoted, words_in
from cache.conditions.filters import Filter
from cache.conditions.names import words_of_name
from cache.conditions.values import Interval
from cache.store import PaperId, Store

LEAST_BEGUN = 3
"""Minimum number of letters typed before titles are searched."""
LONGEST_BEGUN = 300
"""A text of more characters is no title; `words_in` reads no further."""


def matching(store: Store, filters: Filter, among: Sequence[PaperId] | None = None) -> list[PaperId]:
    """Return the papers that meet `filters`.

    With `among`, only those of `among`, in its order. Otherwise those of the whole library: the most relevant to the
    filter's `about` and `title` words first or, without such words, the last added first. Raises `CacheError`.
    """
    sql.prepare(store, filters)
    words = [word for name in ("about", "title") for term in filters.of(name) if not term.negated
             for value in term.values for word in words_in(str(value))]  # fmt: skip
    with store.reading() as db:
        condition, values = sql.clause(filters, db, indexed=True)
        papers = f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id WHERE {condition} ORDER BY p.id DESC"
        numbers = [number for (number,) in db.execute(papers, values)]
        if among is not None:
            meeting = set(numbers)
            return [number for number in among if number in meeting]
        if not words:
            return numbers
        ranked = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? AND rank MATCH 'bm25(4, 1, 2, 1)' ORDER BY rank"
        expression = " OR ".join(dict.fromkeys(map(quoted, words)))
        ranks = {number: rank for rank, (number,) in enumerate(db.execute(ranked, (expression,)))}
    return sorted(numbers, key=lambda number: ranks.get(number, len(ranks)))


def titled_so_far(store: Store, beginning: str, most: int) -> list[PaperId]:
    """Return at most `most` papers whose title has every word of `beginning`, the last of which may be unfinished; the
    most relevant first. Raises `CacheError`."""
    words = words_in(beginning)
    if len("".join(words)) < LEAST_BEGUN or len(beginning) > LONGEST_BEGUN:
        return []
    title = f"{{title}} : ({' AND '.join(map(quoted, words))} *)"
    rows = store.rows("SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? ORDER BY rank LIMIT ?", (title, most))
    return [number for (number,) in rows]


def perhaps_outside(store: Store, filters: Filter, numbers: Sequence[PaperId]) -> int:
    """Count the papers in `numbers` that may have appeared outside the dates of `filters`: only their year or month is
    known, and it reaches beyond those dates."""
    times = [value for term in filters.of("year") if not term.negated for value in term.values[:1]]
    bounds = [(str(time.least or ""), str(time.most or "")) for time in times if isinstance(time, Interval)]
    if max((len(bound) for bound_pair in bounds for bound in bound_pair), default=0) <= len("2020"):
        return 0  # every known date has a year
    coarse = dict(store.rows("SELECT id, date FROM papers WHERE length(date) < 10"))
    dates = [date for number in numbers if (date := coarse.get(number))]
    return sum(
        any(
            _first_day(date) < _first_day(since or "0000") or _last_day(date) > _last_day(until or "9999")
            for since, until in bounds
        )
        for date in dates
    )


def _first_day(date: str) -> str:
    return f"{date}-01-01"[:10]  # a month ("2020-05") uses only the first "-01"


def _last_day(date: str) -> str:
    return f"{date}{'-12-31'[len(date) - 4 :]}"


def ordered(store: Store, numbers: Sequence[PaperId], by: str, reverse: bool = False) -> list[PaperId]:
    """Sort papers by the order `by`, those without a value for it last; omit papers that are no longer in the library.
    Raises `CacheError`, and `KeyError` for an unknown order."""
    among = set(numbers)
    order = orders.named(by, reverse)
    rows = store.rows(f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id ORDER BY {order.sql}, p.id")
    return [number for (number,) in rows if number in among]


_CITED = "CASE WHEN json_valid(record) THEN json_extract(record, '$.citation_count') END"


def uncounted(store: Store, numbers: Sequence[PaperId]) -> int:
    """Count the papers whose number of citations is unknown. Raises `CacheError`."""
    paper_numbers = set(numbers)
    rows = store.rows(f"SELECT id FROM papers WHERE {_CITED} IS NULL")
    return sum(number in paper_numbers for (number,) in rows)


def is_venue(store: Store, name: str) -> bool:
    """Whether a paper of the library appeared at a venue whose name is `name` or begins with its words. Raises
    `CacheError`."""
    words = words_in(name)
    if not words:
        return False
    expression = f"{{venue}} : {' + '.join(map(quoted, words))}"
    sql = "SELECT p.venue FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH ? LIMIT 200"
    venues = {venue for (venue,) in store.rows(sql, (expression,))}
    name_words = words_of_name(name)
    venue_words = (words_of_name(venue) for venue in venues)
    return any(
        name_words in (other[: len(name_words)], other[1 : len(name_words) + 1] if other[:1] == ["the"] else [])
        for other in venue_words
    )
