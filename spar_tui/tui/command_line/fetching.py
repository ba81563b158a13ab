"""Fetch the PDFs of papers with the verb, as a shell would, and read the text of their pages."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cache import page_texts
from cache import papers as library
from cache.store import Store
from connectors.paper import Paper
from spar_tui.math_text import title_text
from spar_tui.tui.command_line.running import preview_of, verb_command

if TYPE_CHECKING:
    from spar_tui.tui.research_app import Pages, ResearchApp


async def fetched_pages(app: "ResearchApp", chosen: Sequence[Paper]) -> "list[Pages]":
    """Return the pages of those papers whose text is here or could be fetched; show why others could not. Raises
    `CacheError`."""
    fetched = []
    for number, paper in enumerate(chosen, start=1):
        pages = await asyncio.to_thread(_pages, app.store, paper)
        if pages is None:
            await asyncio.to_thread(library.remember, app.store, [paper])  # where the verb looks the paper up
            text = f"fetch {number} of {len(chosen)}: {title_text(paper)}"
            if await preview_of(app, text, verb_command(["fetch", paper.id])) is not None:
                app.follower.refresh()
                pages = await asyncio.to_thread(_pages, app.store, paper)
        fetched += [pages] if pages is not None else []
    return fetched


def _pages(store: Store, paper: Paper) -> "Pages | None":
    [number] = library.numbers_of(store, [paper])
    kept = None if number is None else page_texts.kept(store, number)
    return (page_texts.pages(store, number), kept.pages) if number is not None and kept and kept.readable else None
