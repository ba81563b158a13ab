"""The paper whose identifier, address or title was typed where a question is asked."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from cache import papers
from cache.errors import CacheError
from cache.store import Store
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from connectors.records.matching import TELLING_TITLE, title_key
from spar_tui.errors import Failure

if TYPE_CHECKING:
    from agents.run.resources import Resources

_LIKE_IT = 3
"""Papers of the library among which one of exactly a title is looked for."""


def name_of(question: str) -> Identifier | None:
    """The identifier that a question is: a DOI, an arXiv id, an address of a paper. A number alone may be a year."""
    return None if " " in question or question.isdigit() else parse_identifier(question)


def titled(store: Store, typed: str, most: int) -> list[tuple[int, Paper]]:
    """Papers of the library whose title has the words that are typed, with their numbers. Raises `CacheError`."""
    from cache.conditions.library import titled_so_far

    numbers = titled_so_far(store, typed, most)
    return [(number, paper) for number in numbers for paper in papers.by_ids(store, [number])]


def paper_titled(question: str, store: Store) -> Paper | None:
    """The paper of the library with exactly this title, if the title is too long to be a subject."""
    key = title_key(question)
    if len(key.split()) >= TELLING_TITLE:
        with suppress(CacheError):  # whatever else reads the library says why
            return next(
                (paper for _, paper in titled(store, question, _LIKE_IT) if title_key(paper.title) == key), None
            )
    return None


async def named_paper(name: Identifier, store: Store, resources: Callable[[], Awaitable["Resources"]]) -> Paper:
    """The paper of the library, else what the sources know of it, which is remembered then.

    Raises `Failure` if nobody knows it, `CacheError`, and what `resources` raises.
    """
    if paper := await asyncio.to_thread(papers.find, store, [name]):
        return paper
    from agents.lookup.links import looked_up
    from agents.run.findings import failures

    answer = await looked_up(name, await resources())
    if answer.papers:
        await asyncio.to_thread(papers.remember, store, answer.papers[:1])
        return answer.papers[0]
    if failed := failures(answer.sources):
        reasons = " ".join(f"{source} {sentence}" for source, sentence in failed.items())
        raise Failure(f"{name} is not in your library, and the lookup failed: {reasons}")
    if not any(tally.asked for tally in answer.sources.values()):
        raise Failure(f"{name} is not in your library, and no source was asked.")
    raise Failure(f"No source knows {name}. Check it for a typo.")
