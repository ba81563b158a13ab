"""The paper whose identifier or address was typed where a question is asked."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from cache import papers
from cache.store import Store
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Paper
from spar_tui.errors import Failure

if TYPE_CHECKING:
    from agents.run.resources import Resources


def name_of(question: str) -> Identifier | None:
    """The identifier that a question is: a DOI, an arXiv id, an address of a paper. A number alone may be a year."""
    return None if " " in question or question.isdigit() else parse_identifier(question)


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
