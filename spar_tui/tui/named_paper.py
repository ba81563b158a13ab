"""What was typed or pasted instead of a question: a paper's identifier, address or title, or the path of a file."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cache import papers
from cache.errors import CacheError
from cache.paths import expanded
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import TELLING_TITLE, title_key
from spar_tui.errors import Failure

if TYPE_CHECKING:
    from agents.run.resources import Resources

MOST_OF_PATH, MOST_OF_PATHS = 4096, 40_960
MOST_OF_TITLE = 300
_LIKE_IT = 3
"""Number of similar titles in the library or of a source to compare with the typed title."""
_TITLE_SECONDS = 5.0
"""Seconds that a source has to find a title; the search for it has to wait as long."""


def paths_in(pasted: str) -> list[str]:
    """Return the paths if only existing files or folders are pasted, in the forms of dropped files; [] if not."""
    text = pasted.strip()
    if len(text) > MOST_OF_PATHS or not text.lstrip("'\"").startswith(("/", "~", "file://")):
        return []
    try:
        words = shlex.split(text)
    except ValueError:  # an open quotation mark
        words = []
    forms = ([text.strip("'\"").replace("\\ ", " ")], text.splitlines(), words)
    return next((paths for form in forms if (paths := [*map(_path, form)]) and all(paths)), [])


def _path(word: str) -> str:
    path = unquote(word.removeprefix("file://")) if word.startswith("file://") else word.strip()
    is_path = len(path) < MOST_OF_PATH and path.startswith(("/", "~")) and expanded(path).exists()
    return path if is_path else ""


def is_reference_list(pasted: str) -> bool:
    """Whether a pasted text is a bibliography or a list of references, and no question."""
    from spar_tui.bibliography.documents.text_lines import found_in_text  # imported late, so that the app opens sooner
    from spar_tui.bibliography.reading.files import kind_of

    return "\n" in pasted and (bool(kind_of(pasted, "")) or len(found_in_text(pasted).entries) > 1)


def titled(store: Store, typed: str, most: int) -> list[tuple[int, Paper]]:
    """Return library papers whose titles have the typed words, with their numbers. Raises `CacheError`."""
    from cache.conditions.library import titled_so_far

    numbers = titled_so_far(store, typed, most)
    return [(number, paper) for number in numbers for paper in papers.by_ids(store, [number])]


def paper_titled(question: str, store: Store) -> Paper | None:
    """Return the library paper with exactly this title, if the title is too long to be a topic."""
    if may_be_title(question):
        with suppress(CacheError):  # other readers of the library report the error
            return _with_title(question, [paper for _, paper in titled(store, question, _LIKE_IT)])
    return None


def _with_title(title: str, among: Iterable[Paper]) -> Paper | None:
    return next((paper for paper in among if title_key(paper.title) == title_key(title)), None)


def may_be_title(text: str) -> bool:
    """Whether a text may be the title of one paper."""
    return len(text) <= MOST_OF_TITLE and len(title_key(text).split()) >= TELLING_TITLE


def reads_as_title(question: str) -> bool:
    """Whether a question may be a title, and so is looked up: it has no words of asking and no conditions."""
    from agents.builtin.question_parsing.question import read  # imported late, so that the app opens sooner

    reading = read(question, date.today())
    is_plain = reading.intent == "named-paper" or title_key(reading.subject) == title_key(question)
    return is_plain and may_be_title(question)


async def paper_found(title: str, store: Store, resources: "Resources") -> Paper | None:
    """Return the paper with exactly this title, by one request to one source, and add it to the library. Return None if
    the source finds none or fails. Raises `CacheError`."""
    from agents.lookup.links import tallied_answer
    from connectors.capability import Capability
    from connectors.registry import SOURCES
    from connectors.source import Query

    able = [SOURCES[name] for name, source in resources.live.items() if Capability.SEARCH in source.capabilities]
    if not able:
        return None
    source = resources.live[min(able, key=lambda spec: (not spec.covers_all_fields, spec.rate_limit.gap)).name]
    _, answer = await tallied_answer(source, lambda: source.search(Query(title, limit=_LIKE_IT)), _TITLE_SECONDS)
    paper = _with_title(title, answer.papers)
    if paper is not None:
        await asyncio.to_thread(papers.remember, store, [paper])
    return paper


async def named_paper(name: Identifier, store: Store, resources: Callable[[], Awaitable["Resources"]]) -> Paper:
    """Return the paper from the library, else from the source that owns the identifier, else from the others, and add
    it to the library.

    Raises `Failure` if no source knows it, `CacheError`, and the errors of `resources`.
    """
    if paper := await asyncio.to_thread(papers.find, store, [name]):
        return paper
    from agents.lookup.links import looked_up_at_owner
    from agents.run.findings import failures
    from spar_tui.source_phrases import failed_sources_text

    answer = await looked_up_at_owner(name, await resources())
    if answer.papers:
        await asyncio.to_thread(papers.remember, store, answer.papers[:1])
        return answer.papers[0]
    if failed := failures(answer.sources):
        raise Failure(f"{name} is not in your library. {failed_sources_text(failed)}")
    if not any(tally.asked for tally in answer.sources.values()):
        raise Failure(f"{name} is not in your library, and no source was asked.")
    raise Failure(f"No source knows {name}. Check it for a typo.")
