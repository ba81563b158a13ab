"""Combine several pages into one answer, requesting no more pages than needed, and split identifiers into batches."""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from connectors.errors import BadResponse, NotFound, SourceError
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.source import Answer, Source

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

WIDENED = "no paper matches all of the words; asked for papers that match any of them"
"""Note on an answer to a query with fewer required words."""


class HttpSource(Source):
    """A source behind an HTTP service, asked through `http`; `email` is the person's, for services that take one."""

    def __init__(self, http: "HttpClient", email: str | None = None) -> None:
        self._http = http
        self._email = email

    async def _single(self, target: str, request: Awaitable[Paper]) -> "ResultPage":
        """Return the page of the `request` for one work, sent to `target`; a page without papers if it is unknown."""
        try:
            return ResultPage((await request,), target)
        except NotFound:
            return ResultPage(sent=target)


@dataclass(frozen=True, slots=True)
class ResultPage:
    """The result of one request. `total` counts all hits; `counts` are notes with their number of occurrences, summed
    over all pages. The next page begins at the `cursor` or, in other services, at the number `following`; None at the
    end."""

    papers: tuple[Paper, ...] = ()
    sent: str = ""
    total: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cursor: str | None = None
    following: int | None = None


def read_rows(
    source: str, rows: object, total: int | None, read: Callable[[object], Paper | None], following: bool,
    cursor: object = None,
) -> ResultPage:  # fmt: skip
    """Parse a list of records with `read`; `following` means that it is not the first page. Raises `BadResponse` for
    anything else.

    An empty list is accepted only if the reply reports zero, or after other pages.
    """
    if not isinstance(rows, list) or (not rows and total != 0 and not following):
        raise BadResponse(source, "sent a list without results or count; try again later.")
    papers = tuple(paper for row in rows if (paper := read(row)))
    if rows and not papers:
        raise BadResponse(source, "sent a list with something other than papers; try again later.")
    counts = {"damaged results were left out": len(rows) - len(papers)}
    return ResultPage(papers, total=total, counts=counts, cursor=cursor if isinstance(cursor, str) and cursor else None)


async def gathered(pages: AsyncGenerator[ResultPage], limit: int) -> Answer:
    """Combine the pages into one answer of at most `limit` papers. A failure of the first page is raised. After a
    failure of a later page, the answer has the earlier pages and is `partial`."""
    answers: list[ResultPage] = []
    cut_short: tuple[str, ...] = ()
    async with aclosing(pages):
        try:
            async for page in pages:
                answers.append(page)
                if len(_distinct(answers)) >= limit:
                    break
        except SourceError as error:
            if not answers:
                raise
            cut_short = (f"cut short after {len(_distinct(answers))} papers: {error.source} {error.sentence}",)
    return Answer(
        papers=_distinct(answers)[:limit],
        total=next((page.total for page in answers if page.total is not None), None),
        sent=tuple(page.sent for page in answers if page.sent),
        notes=_notes(answers) + cut_short,
        partial=bool(cut_short),
    )


async def widened(pages: Callable[[str], AsyncGenerator[ResultPage]], narrow: str, wide: str, limit: int) -> Answer:
    """Return the pages for the query `narrow` or, if it finds nothing, those for `wide`, with a note."""
    answer = await gathered(pages(narrow), limit)
    if answer.total or answer.papers or narrow == wide:
        return answer
    any_word = await gathered(pages(wide), limit)
    return replace(any_word, sent=answer.sent + any_word.sent, notes=(WIDENED, *any_word.notes))


def _distinct(pages: list[ResultPage]) -> tuple[Paper, ...]:
    return tuple(dict.fromkeys(paper for page in pages for paper in page.papers))


def _notes(pages: list[ResultPage]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update(page.counts)
    sentences = (f"{number} {event}" for event, number in counts.items() if number)
    return tuple(dict.fromkeys([*(note for page in pages for note in page.notes), *sentences]))


def batched(
    names: Iterable[Identifier],
    *,
    most: int,
    capacity: int,
    size: Callable[[Identifier], int],
    alone: Callable[[Identifier], bool] = lambda name: False,
) -> Iterator[list[Identifier]]:
    """Split `names` into batches of at most `most`, with at most `capacity` characters by `size`; one that would break
    the request, `alone`, gets its own batch."""
    batch: list[Identifier] = []
    length = 0
    for name in names:
        if alone(name):
            yield [name]
            continue
        length_of_name = size(name)
        if batch and (len(batch) == most or length + length_of_name > capacity):
            yield batch
            batch, length = [], 0
        batch.append(name)
        length += length_of_name
    if batch:
        yield batch
