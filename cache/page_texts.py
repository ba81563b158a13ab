"""Full texts of saved papers, page by page, as they were read from PDFs: kept, searched and quoted.

A text stays as long as the shelf knows the file that it is of; the schema sees to that.
"""

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
"""Passages that are told of a paper at most."""
_ON, _OFF = "\x02", "\x03"
"""Around words that are looked for; no text that is kept has control characters."""


class FullText(NamedTuple):
    """What was read of a file: how many pages it has, how many of them hold text, and why it has none if so."""

    file: str
    digest: bytes
    pages: int
    readable: int
    reason: str


class KeptPages(NamedTuple):
    """The pages of papers, for who knows papers by their records."""

    store: Store

    def pages(self, paper: Paper) -> dict[int, str]:
        """What each page of the paper's PDF says, of those that hold text; nothing where none was read. Raises
        `CacheError`."""
        with self.store.reading() as db:
            if not db.execute("SELECT EXISTS (SELECT 1 FROM full_texts WHERE told > 0)").fetchone()[0]:
                return {}
        [number] = papers.numbers_of(self.store, [paper])
        return {} if number is None else pages(self.store, number)


class Coverage(NamedTuple):
    """How many papers have a full text, and how many saved ones a PDF that nobody has read."""

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
    """Keep what the pages of `file` say, of which `digest` is the digest, in place of what was kept of the paper.

    All of it is on the disk afterwards, or nothing is changed. Raises `NotOnShelf` if the shelf does not know the
    paper with this file, `CacheError`.
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
    """What was read of the paper's PDF; None if nobody has read one."""
    with store.reading() as db:
        row = db.execute(
            "SELECT file, digest, pages, told, reason FROM full_texts WHERE paper = ?", (number,)
        ).fetchone()
    return FullText(*row) if row else None


def pages(store: Store, number: int) -> dict[int, str]:
    """What each page of the paper says, of those that hold text."""
    with store.reading() as db:
        return dict(
            db.execute(
                "SELECT g.page, g.text FROM page_texts g JOIN full_texts t ON t.id = g.full_text WHERE t.paper = ?"
                " ORDER BY g.page",
                (number,),
            )
        )


def coverage(store: Store) -> Coverage:
    """Of how many papers the full text can be searched."""
    with store.reading() as db:
        [papers] = db.execute("SELECT count(*) FROM full_texts WHERE told > 0").fetchone()
        [unread] = db.execute(
            "SELECT count(*) FROM shelf s WHERE lower(s.pdf || char(10)) LIKE '%.pdf' || char(10) || '%'"
            " AND s.paper NOT IN (SELECT paper FROM full_texts)"
        ).fetchone()
    return Coverage(papers, unread)


def among(store: Store, numbers: Collection[int]) -> int:
    """How many of the papers have a full text."""
    wanted = frozenset(numbers)
    with store.reading() as db:
        return sum(number in wanted for (number,) in db.execute("SELECT paper FROM full_texts WHERE told > 0"))


def passages(store: Store, number: int, wanted: Filter, most: int = MOST_PASSAGES) -> list[Passage]:
    """Where in the paper's full text the words of `wanted` stand: the fewest passages that show each of them, `most` at
    most, in the order of their pages. Raises `CacheError`."""
    marked: dict[int, tuple[str, list[Mark]]] = {}
    for index, words in enumerate(wanted.words):
        for page, text, spans in _found(store, number, words):
            marked.setdefault(page, (text, []))[1].extend(Mark(start, end, index) for start, end in spans)
    return passages_on(marked, most)


def _found(store: Store, number: int, words: Words) -> Iterator[tuple[int, str, list[tuple[int, int]]]]:
    """The pages on which words stand, with their text and where in it."""
    if (match := sql.on_pages(words)) is None:
        return
    with store.reading() as db:
        sql.clause(Filter(), db)  # which makes the functions that conditions call
        # The pages of a text were numbered together: of all pages that have a word, only these are looked at.
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
    """The places in `text` of what is marked in its plain letters, of which one letter may be two."""
    places = [index for index, letter in enumerate(text) for _ in plain_letters(letter)]
    places.append(len(text))
    before, *marked = highlighted.split(_ON)
    start, spans = len(before), list[tuple[int, int]]()
    for piece in marked:
        inside, _, after = piece.partition(_OFF)
        spans.append((places[start], places[start + len(inside)]))
        start += len(inside) + len(after)
    return spans
