"""Full texts of saved papers by page, as read from PDFs: stored, searched and quoted. A text is stored as long as
the shelf has its file; the schema enforces this."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from cache import papers
from cache.conditions import sql
from cache.conditions.filters import Filter
from cache.conditions.values import Words
from cache.errors import NotOnShelf
from cache.passages import Mark, Passage, passages_on
from cache.store import Store
from cache.timestamps import stamp, utc_now
from connectors.paper import Paper
from connectors.records.letters import plain_letters

MOST_PASSAGES = 3
"""Maximum number of passages shown per paper."""
_ON, _OFF = "\x02", "\x03"
"""Marks around matched words; stored texts have no control characters."""


class FullText(NamedTuple):
    """What was read of a file: its number of pages, the number of pages with text, and the reason if it has none."""

    file: str
    digest: bytes
    pages: int
    readable: int
    reason: str


class KeptPages(NamedTuple):
    """The pages of papers, for callers that have the papers' records."""

    store: Store

    def pages(self, paper: Paper) -> dict[int, str]:
        """Return the text of each page of the paper's PDF, without empty pages; empty if no PDF was read. Raises
        `CacheError`."""
        if not self.store.row("SELECT EXISTS (SELECT 1 FROM full_texts WHERE told > 0)")[0]:
            return {}
        [number] = papers.numbers_of(self.store, [paper])
        return {} if number is None else pages(self.store, number)


class Coverage(NamedTuple):
    """The number of papers with a full text, and of saved ones with an unread PDF."""

    papers: int
    unread: int


def keep(
    store: Store,
    number: int,
    file: str,
    digest: bytes,
    texts: Sequence[str],
    reason: str = "",
    now: datetime | None = None,
) -> FullText:
    """Store the page texts of `file`, which has the digest `digest`, replacing earlier texts of the paper.

    All is on the disk afterwards, or nothing is changed. Raises `NotOnShelf` if the shelf does not have the paper with
    this file, and `CacheError`.
    """
    pages = [(page, text) for page, text in enumerate(texts, start=1) if text]
    with store.writing() as db:
        row = db.execute("SELECT pdf FROM shelf WHERE paper = ?", (number,)).fetchone()
        if row is None or file not in (row[0] or "").split("\n"):
            raise NotOnShelf(number)
        db.execute("DELETE FROM full_texts WHERE paper = ?", (number,))
        cursor = db.execute(
            "INSERT INTO full_texts (paper, file, digest, pages, told, reason, read) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, file, digest, len(texts), len(pages), reason, stamp(now or utc_now())),
        )
        db.executemany(
            "INSERT INTO page_texts (full_text, page, text) VALUES (?, ?, ?)",
            [(cursor.lastrowid, page, text) for page, text in pages],
        )
    return FullText(file, digest, len(texts), len(pages), reason)


def kept(store: Store, number: int) -> FullText | None:
    """Return what was read of the paper's PDF; None if none was read."""
    row = store.row("SELECT file, digest, pages, told, reason FROM full_texts WHERE paper = ?", (number,))
    return FullText(*row) if row else None


def pages(store: Store, number: int) -> dict[int, str]:
    """Return the text of each page of the paper, without empty pages."""
    return dict(
        store.rows(
            "SELECT g.page, g.text FROM page_texts g JOIN full_texts t ON t.id = g.full_text WHERE t.paper = ?"
            " ORDER BY g.page",
            (number,),
        )
    )


def coverage(store: Store) -> Coverage:
    """Count the papers whose full text can be searched."""
    with store.reading() as db:
        [papers] = db.execute("SELECT count(*) FROM full_texts WHERE told > 0").fetchone()
        [unread] = db.execute(
            "SELECT count(*) FROM shelf s WHERE lower(s.pdf || char(10)) LIKE '%.pdf' || char(10) || '%'"
            " AND s.paper NOT IN (SELECT paper FROM full_texts)"
        ).fetchone()
    return Coverage(papers, unread)


def among(store: Store, numbers: Collection[int]) -> int:
    """Count the papers that have a full text."""
    papers = frozenset(numbers)
    return sum(number in papers for (number,) in store.rows("SELECT paper FROM full_texts WHERE told > 0"))


def passages(store: Store, number: int, filters: Filter, most: int = MOST_PASSAGES) -> list[Passage]:
    """Return the passages of the paper's full text with the words of `filters`: the fewest that show each word, at
    most `most`, in page order. Raises `CacheError`."""
    marks_by_page: dict[int, tuple[str, list[Mark]]] = {}
    for index, words in enumerate(filters.words):
        for page, text, spans in _matches(store, number, words):
            marks_by_page.setdefault(page, (text, []))[1].extend(Mark(start, end, index) for start, end in spans)
    return passages_on(marks_by_page, most)


def _matches(store: Store, number: int, words: Words) -> Iterator[tuple[int, str, list[tuple[int, int]]]]:
    """Yield the pages with matches, their text, and the positions of the matches."""
    if (match := sql.on_pages(words)) is None:
        return
    with store.reading() as db:
        sql.clause(Filter(), db)  # creates the functions that conditions call
        # The pages of a text have consecutive numbers: only these are searched, not all pages with a word.
        rows = db.execute(
            f"SELECT g.page, g.text, highlight(page_texts_fts, 0, ?, ?) {sql.PAGES}"
            f" WHERE {match.sql.replace('{}', '?')} AND t.paper = ?"
            " AND f.rowid BETWEEN (SELECT min(i.id) FROM page_texts i WHERE i.full_text ="
            " (SELECT id FROM full_texts WHERE paper = ?)) AND (SELECT max(i.id) FROM page_texts i WHERE i.full_text ="
            " (SELECT id FROM full_texts WHERE paper = ?)) ORDER BY g.page",
            (_ON, _OFF, *match.values, number, number, number),
        ).fetchall()
    for page, text, highlighted in rows:
        spans = _spans_in(text, highlighted)
        if words.exact:
            phrase = sql.plain_words(words.text)
            spans = [span for span in spans if sql.plain_words(text[slice(*span)]) == phrase]
        if spans:
            yield page, text, spans


def _spans_in(text: str, highlighted: str) -> list[tuple[int, int]]:
    """Return the positions in `text` of the highlighted words of its plain letters, of which one letter may become
    two."""
    positions = [index for index, letter in enumerate(text) for _ in plain_letters(letter)]
    positions.append(len(text))
    before, *pieces = highlighted.split(_ON)
    start, spans = len(before), list[tuple[int, int]]()
    for piece in pieces:
        inside, _, after = piece.partition(_OFF)
        spans.append((positions[start], positions[start + len(inside)]))
        start += len(inside) + len(after)
    return spans
