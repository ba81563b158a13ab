"""The full texts of a run's papers, read once, so that quotes come from the text that was shown."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Protocol

from agents.builtin.text.pages import Pages
from cache.passages import Passage
from connectors.paper import Paper

QUOTABLE = (
    "Some papers come with passages of their pages, each with its page: a quote may be copied from a passage as well."
    "\n\n"
)
"""Instruction about quotes, for prompts in which some papers have passages."""


class PageReader(Protocol):
    """Reads stored full texts of papers."""

    def pages(self, paper: Paper) -> Mapping[int, str]:
        """Return the text of each page of the PDF of `paper`, from page 1; pages without text are left out."""


class FullTexts:
    """The page texts of papers, as the run first read them."""

    def __init__(self, reader: PageReader | None) -> None:
        self._reader = reader
        self._pages: dict[str, Pages] = {}
        self._near: dict[tuple[Paper, str], Sequence[Passage]] = {}

    def pages(self, paper: Paper) -> Pages:
        """Return the page texts of `paper`; empty if no full text is stored. Raises `CacheError`."""
        if self._reader is None:
            return {}
        if paper.id not in self._pages:
            self._pages[paper.id] = self._reader.pages(paper)
        return self._pages[paper.id]

    def passages(self, paper: Paper, question: str) -> Sequence[Passage]:
        """Return the sentences in the full text of `paper` that are closest to `question`. Raises `CacheError`."""
        pages = self.pages(paper)
        if not pages:
            return ()
        if (paper, question) not in self._near:
            from agents.evidence.choosing import near_passages  # imported here, for runs with full texts only

            self._near[paper, question] = near_passages(question, pages, paper)
        return self._near[paper, question]


def listed(passages: Sequence[Passage], letters: int = 10**9) -> dict[str, object]:
    """Return the first `passages` with at most `letters` in all, in the form in which a prompt adds them to an
    abstract; empty if there are none."""
    ends = accumulate(len(passage.text) for passage in passages)
    fitting = [passage for passage, end in zip(passages, ends, strict=True) if end <= letters]
    return {"passages": [{"page": passage.page, "text": passage.text} for passage in fitting]} if fitting else {}
