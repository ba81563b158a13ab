"""One summary under way: the session that every step reads and posts to."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from agents.builtin.question_parsing.parsed_question import ParsedQuestion
from agents.builtin.question_parsing.question import read
from agents.builtin.text.languages import in_language_of, language
from agents.builtin.text.terms import terms
from agents.evidence.extracts import Extract
from agents.llm.prompt import Prompt, data
from agents.run.control import Control
from agents.run.findings import Board, Findings
from agents.run.resources import Resources
from agents.run.retrieval.full_texts import QUOTABLE, listed
from agents.run.session import RunSession
from agents.run.step import text_of
from agents.summary.events import ROOT, SummaryEvent, SummaryStarted
from agents.summary.options import CALLS, SummaryOptions
from agents.summary.state import SummaryState
from cache.passages import Passage
from connectors.paper import Paper, WorkId

_TOKENS, _TOKENS_PER_WORD, _LEAST_WORDS = 4_000, 18, 1_000
"""Tokens sent to the model for a text, and for each of its words besides, as if it had at least so many words: the
instructions take most of a smaller share, so that the results in abstracts would be cut."""
_SHARES = {"plan": 0.06, "relevant": 0.13, "write": 0.25, "support": 0.37}
"""Share of the tokens for the questions of each name. A tenth is left for the topic's own text, which is written from
the texts of all sections."""
_TO_COME = 0.24
"""Share of the tokens kept, while sections are mended, for the texts that are written from them."""
_CALLS, _WORDS_PER_CALL = 10, 100
"""Questions to the model in which sentences are mended: so many, or one for so many words of a long summary."""


def longest(rooms: range, tokens: float, prompt: Callable[[int], Prompt]) -> Prompt:
    """Return the prompt for the last of `rooms` that has at most so many `tokens`, for the first if none has."""
    fitting = bisect_right(rooms, tokens, key=lambda room: prompt(room).tokens)
    return prompt(rooms[max(fitting - 1, 0)])


def paper_item(name: str, paper: Paper, letters: int, passages: Sequence[Passage]) -> dict[str, Any]:
    """Return a paper in the form in which prompts list it, with at most so many `letters` of its abstract and of its
    passages."""
    item = {"id": name, "title": paper.title[:300], "year": paper.year, **text_of(paper, letters)}
    return item | listed(passages, letters)


def papers_part(items: Sequence[Mapping[str, Any]]) -> str:
    """Return the part of a prompt that lists papers."""
    quotable = QUOTABLE if any("passages" in item for item in items) else ""
    return f"{quotable}Papers:\n{data(items)}"


class DateBounds(NamedTuple):
    """The first and the last day on which papers appeared; None means no bound."""

    since: date | None = None
    until: date | None = None


def bounds_of(topic: str, options: SummaryOptions, today: date) -> DateBounds:
    """Return the person's date bounds, completed by those in the topic unless the two contradict."""
    options_bounds, topic_reading = DateBounds(options.since, options.until), read(topic, today)
    both = DateBounds(options_bounds.since or topic_reading.since, options_bounds.until or topic_reading.until)
    return options_bounds if both.since and both.until and both.since > both.until else both


class SummarySession(RunSession[SummaryState, SummaryEvent]):
    """A summary under way."""

    def __init__(
        self,
        topic: str,
        resources: Resources,
        options: SummaryOptions,
        board: Board[SummaryState, SummaryEvent],
        control: Control,
    ) -> None:
        super().__init__(resources, board, control, options, CALLS)
        self.topic, self.options = topic, options
        self.relevance: dict[int, Mapping[WorkId, float]] = {}
        """Relevance to the topic, by level of the tree; computed from the findings."""
        self.extract: Mapping[str, Sequence[Extract]] | None = None
        """The sentences of all sections by rule, once chosen; computed from the tree."""
        self._lists: tuple[Findings, dict[str, list[WorkId]]] = self.findings, {}

    @property
    def started(self) -> SummaryStarted:
        assert self.state.started is not None
        return self.state.started

    @cached_property
    def reading(self) -> ParsedQuestion:
        """The topic as rules parse it: its bounds, its field, and its words without those of asking."""
        return read(self.topic, self.started.today)

    @cached_property
    def bounds(self) -> DateBounds:
        """The days between which papers of this summary appeared."""
        return bounds_of(self.topic, self.options, self.started.today)

    @property
    def meaning(self) -> str:
        """The meaning of the topic, if the papers are from a search with this question and a known meaning; else ""."""
        return self.options.meaning if self.topic == self.options.asked else ""

    @property
    def lists(self) -> dict[str, list[WorkId]]:
        """The list of works for each node so far; emptied when the findings change."""
        if self._lists[0] is not self.findings:
            self._lists = self.findings, {}
        return self._lists[1]

    def paper(self, work: WorkId) -> Paper:
        """Return the paper of a work."""
        return self.findings.found[work].paper

    def passages(self, work: WorkId, question: str) -> Sequence[Passage]:
        """Return the passages of a work's full text that are nearest to `question`; empty if no text is stored."""
        return self.full_texts.passages(self.paper(work), question)

    def fitted(self, rooms: range, part: float, prompt: Callable[[int], Prompt], *, last: bool = False) -> Prompt:
        """Return the longest prompt that fits into `part` of its share of the tokens, the shortest one if none fits;
        `rooms` are what its length depends on, such as the letters of each paper. The prompt for the `last` text may
        take half of the tokens that are left, the other half is for the check of that text."""
        share = _SHARES[prompt(rooms[0]).name] * part * self._tokens
        return longest(rooms, max(share, last * self._tokens_left / 2), prompt)

    @property
    def _tokens(self) -> int:
        """The tokens to send for the whole text."""
        return _TOKENS + _TOKENS_PER_WORD * max(self.options.words, _LEAST_WORDS)

    @property
    def _tokens_left(self) -> int:
        return self._tokens - sum(request.input_tokens for request in self.findings.spent)

    def tokens_to_mend(self, rounds: int) -> float:
        """Return the tokens left to mend sentences and check them again, before `rounds` of writing and checking other
        texts; 0 if these need the rest of the questions."""
        questions = max(_CALLS, self.options.words // _WORDS_PER_CALL)
        enough = self.questions_asked + 2 * (rounds + 1) <= questions
        return enough * (self._tokens_left - _TO_COME * bool(rounds) * self._tokens)

    def in_its_language(self, text: str) -> bool:
        """Whether `text` is in the language of the topic, or, if the topic is too short to tell, of the papers that
        have its words."""
        topic = self.topic
        if language(topic) is None:
            texts = " ".join(self.paper(work).about for work in self.state.works(ROOT))
            if set(terms(topic)) <= set(terms(texts)):
                topic = texts
        return in_language_of(text, topic)
