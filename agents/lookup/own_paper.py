"""Identify the paper of a document by an identifier on its first page or by its title, and only with proof.

A record counts only if its title occurs on the first page. An identifier there may belong to a cited paper or a data
set, and a search also returns similar papers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from agents.lookup.links import looked_up, tallied_answer
from agents.run.findings import failures
from agents.run.resources import Resources
from connectors.capability import Capability
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.pdf.child import PageLines
from connectors.pdf.layout import lines_by_page
from connectors.pdf.own_title import shows_title
from connectors.pdf.parsing import identifiers_in
from connectors.pdf.sections import is_heading
from connectors.records.build import build_paper
from connectors.records.letters import folded
from connectors.records.matching import BIBLIOGRAPHY, title_key
from connectors.source import Query

MOST_NAMES = 4
"""Number of identifiers of a first page to look up."""
_HEAD = 40
"""Number of lines that hold the title and the authors."""
_FIRST_LINES = 150
"""Number of lines that count as the first page; a document of paragraphs has no pages."""
_HITS = 5
_WORDS = 4
"""Minimum number of words of a title to search for; many works share shorter titles."""
_BODY = re.compile(r"(?:\d+\.?\s*)?(?:abstract|summary|introduction)\b", re.IGNORECASE)


@dataclass(slots=True)
class OwnPaper:
    """The paper of a document, None without proof; `title` is the document's certain title, and `failed` are the
    sources that could not be asked, with the reasons."""

    paper: Paper | None = None
    title: str = ""
    failed: dict[str, str] = field(default_factory=dict)


async def own_paper(
    pages: Sequence[PageLines],
    declared: str,
    resources: Resources,
    remembered: Callable[[Identifier], Paper | None] = lambda name: None,
) -> OwnPaper:
    """Return the paper whose text is `pages`. `declared` is the title in the file's properties or styles;
    `remembered` returns papers seen before, for which no source is asked."""
    head = _head(pages)
    result = OwnPaper(title=declared if _is_surely_title(declared, head) else "")
    for name in _printed(pages):
        if (stored := remembered(name)) and shows_title([head], stored):
            result.paper = stored
            return result
        answer = await looked_up(name, resources)
        result.failed |= failures(answer.sources)
        if paper := next((candidate for candidate in answer.papers if shows_title([head], candidate)), None):
            result.paper = paper
            return result
    for title in _titles(head, result.title):
        if paper := await _by_title(title, head, resources, result.failed):
            result.paper = paper
            return result
    return result


def _head(pages: Sequence[PageLines]) -> PageLines:
    """Return the beginning of the first page that holds text, up to the abstract."""
    first = next((page for page in pages if any(text.strip() for _, _, text in page)), [])
    end = next((index for index, (_, _, text) in enumerate(first) if index and _BODY.match(text.strip())), _HEAD)
    return list(first[: min(end, _HEAD)])


def _is_surely_title(declared: str, head: PageLines) -> bool:
    """Whether the title that the file declares also occurs at the top of its first page."""
    words = title_key(declared).split()
    return len(words) >= _WORDS and shows_title([head], build_paper(BIBLIOGRAPHY, title=declared))


def _printed(pages: Sequence[PageLines]) -> list[Identifier]:
    """Return the identifiers on the first page, arXiv's first, because its stamp marks the paper itself."""
    lines = [text for _, _, text in next(iter(pages), [])[:_FIRST_LINES]]
    end = next((index for index, line in enumerate(lines) if is_heading(line)), len(lines))
    text = " ".join(lines[:end])
    return sorted(identifiers_in(text), key=lambda name: name.scheme != "arxiv")[:MOST_NAMES]


def _titles(head: PageLines, declared: str) -> list[str]:
    """Return possible titles: the declared one, else the first lines up to a gap, and the first line alone."""
    blocks = list(_blocks(next(iter(lines_by_page([head])), [])))
    likely = [declared] if declared else [" ".join(block) for block in blocks[:2]] + [block[0] for block in blocks[:1]]
    return [title for title in dict.fromkeys(likely) if len(title_key(title).split()) >= _WORDS]


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line.strip())
        elif block:
            yield block
            block = []


async def _by_title(title: str, head: PageLines, resources: Resources, failed: dict[str, str]) -> Paper | None:
    """Return the paper that a search for `title` finds, if the head shows its title and one of its authors."""
    query = Query(title, limit=_HITS)
    for source in {**resources.local, **resources.live}.values():
        if Capability.SEARCH not in source.capabilities:
            continue
        tally, answer = await tallied_answer(source, partial(source.search, query))
        failed |= failures({source.name: tally})
        if paper := next(
            (
                candidate
                for candidate in answer.papers
                if shows_title([head], candidate) and _names_author(head, candidate)
            ),
            None,
        ):
            names = paper.identifiers[:1]
            united = (await looked_up(names[0], resources)).papers if names else ()
            return next((candidate for candidate in united if shows_title([head], candidate)), paper)
    return None


def _names_author(head: PageLines, paper: Paper) -> bool:
    words = set(re.findall(r"\w+", folded(" ".join(text for _, _, text in head))))
    families = (set(re.findall(r"\w+", folded(author.family))) for author in paper.authors)
    return any(family and family <= words for family in families)
