"""The full texts of a run's papers: read once, so that what is quoted of one stands in what was shown of it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from agents.builtin.text.pages import Pages
from cache.passages import Passage
from connectors.paper import Paper

QUOTABLE = (
    "Some papers come with passages of their pages, each with its page: a quote may be copied from a passage as well."
    "\n\n"
)
"""What a model is told ahead of papers of which some come so."""


class PageReader(Protocol):
    """Who keeps full texts of papers."""

    def pages(self, paper: Paper) -> Mapping[int, str]:
        """What each page of the PDF of `paper` says, from 1, of those that hold text; nothing if no text is kept."""


class FullTexts:
    """What the pages of papers say, as a run first saw it."""

    def __init__(self, reader: PageReader | None) -> None:
        self._reader = reader
        self._pages: dict[str, Pages] = {}
        self._near: dict[tuple[Paper, str], Sequence[Passage]] = {}

    def pages(self, paper: Paper) -> Pages:
        """What each page of `paper` says; nothing if no full text of it is kept. Raises `CacheError`."""
        if self._reader is None:
            return {}
        if paper.id not in self._pages:
            self._pages[paper.id] = self._reader.pages(paper)
        return self._pages[paper.id]

    def passages(self, paper: Paper, question: str) -> Sequence[Passage]:
        """The sentences on the pages of `paper` that are nearest to what is `question`. Raises `CacheError`."""
        pages = self.pages(paper)
        if not pages:
            return ()
        if (paper, question) not in self._near:
            from agents.evidence.choosing import near_passages  # which no run without full texts needs

            self._near[paper, question] = near_passages(question, pages, paper)
        return self._near[paper, question]


def listed(passages: Sequence[Passage]) -> dict[str, object]:
    """`passages` as a model is given them beside the abstract of their paper; nothing if there are none."""
    return {"passages": [{"page": passage.page, "text": passage.text} for passage in passages]} if passages else {}
