"""Several replies as one answer, without asking for a page more than is needed."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from connectors.errors import BadResponse, SourceError
from connectors.paper import Paper
from connectors.source import Answer

WIDENED = "no paper matches all of the words; asked for papers that match any of them"
"""What is noted of an answer to fewer words than were given."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one request brought. `counts` are things to note with how often they occur, summed over all pages."""

    papers: tuple[Paper, ...] = ()
    sent: str = ""
    total: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Listed(NamedTuple):
    """What a reply of a service that pages by cursor lists. `total` counts all hits; `cursor` leads to the next page,
    None at the end; `counts` as in `Page`."""

    papers: tuple[Paper, ...]
    total: int | None
    cursor: str | None
    counts: Counter[str]


def read_rows(
    source: str, rows: object, total: int | None, read: Callable[[object], Paper | None], following: bool,
    cursor: object = None,
) -> Listed:  # fmt: skip
    """A list of records as `read` reads each; `following` says that it is not the first page. Raises `BadResponse` for
    what is none.

    An empty list is believed only from a reply that says zero, or after other pages.
    """
    if not isinstance(rows, list) or (not rows and total != 0 and not following):
        raise BadResponse(source, "sent a list without results or count; try again later.")
    papers = tuple(paper for row in rows if (paper := read(row)))
    if rows and not papers:
        raise BadResponse(source, "sent a list of something that is no paper; try again later.")
    counts = Counter({"damaged results were left out": len(rows) - len(papers)})
    return Listed(papers, total, cursor if isinstance(cursor, str) and cursor else None, counts)


async def gathered(pages: AsyncGenerator[Page], limit: int) -> Answer:
    """The pages as one answer of at most `limit` papers.

    The first page's failure is raised. When a later one fails, what came before is kept and the answer is `partial`.
    """
    answers: list[Page] = []
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


async def widened(pages: Callable[[str], AsyncGenerator[Page]], narrow: str, wide: str, limit: int) -> Answer:
    """The pages for the query `narrow`; where it finds nothing, those for `wide`, with a note that says so."""
    answer = await gathered(pages(narrow), limit)
    if answer.total or answer.papers or narrow == wide:
        return answer
    any_word = await gathered(pages(wide), limit)
    return replace(any_word, sent=answer.sent + any_word.sent, notes=(WIDENED, *any_word.notes))


def _distinct(pages: list[Page]) -> tuple[Paper, ...]:
    return tuple(dict.fromkeys(paper for page in pages for paper in page.papers))


def _notes(pages: list[Page]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update(page.counts)
    counted = (f"{number} {what}" for what, number in counts.items() if number)
    return tuple(dict.fromkeys([*(note for page in pages for note in page.notes), *counted]))
