"""The model's draft of a section, and the check of each sentence against the papers that it cites."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.pages import Pages
from agents.builtin.text.remarks import remark
from agents.builtin.text.terms import terms
from agents.evidence.extracts import leans
from agents.run.step import read_id
from agents.summary.events import NodeWritten, Sentence
from agents.summary.session import SummarySession
from agents.summary.writing.comparison import ComparisonRow
from agents.summary.writing.grounding import Grounded, grounded
from agents.summary.writing.sections import most_sentences
from connectors.paper import Paper, WorkId

Shown = Mapping[str, tuple[WorkId, Paper]]
"""The papers that a section may cite, by id in the prompt."""

NOT_SAID = "The literature found does not say:"
SEVERAL = 3
"""One in so many sentences of a section is to cite two papers or more, if it has as many."""


class CopiedWords(BaseModel):
    """A paper and words copied from it."""

    paper: str
    quote: str = ""


class WrittenSentence(BaseModel):
    """One sentence with what supports it."""

    text: str
    citations: list[CopiedWords] = []


class Section(BaseModel):
    """The text of one section; `missing` is what its papers do not say, `columns` and `rows` are those of a table of
    its papers."""

    id: str
    sentences: list[WrittenSentence]
    missing: str = ""
    columns: list[str] = []
    rows: list[ComparisonRow] = []


@dataclass(slots=True)
class SectionDraft:
    """A section under way: its sentences as the model wrote them, and what remains of each. `pages` returns the full
    text of a paper, `parts` are the citations of the sentences in its parts, by id in the prompt."""

    section: Section
    shown: Shown
    pages: Callable[[Paper], Pages]
    parts: Mapping[str, Sequence[CopiedWords]] = field(default_factory=dict)
    checked: list[Grounded] = field(default_factory=list)
    opposed: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of indexes of sentences with opposite findings, according to the model."""
    partly: set[int] = field(default_factory=set)
    unchecked: set[int] = field(default_factory=set)
    """Indexes of sentences of which quotes support only a part, or of which the model did not say whether they do."""
    asked_of_gap: bool = False
    """Whether the model was asked if the papers say what the section misses."""
    related: dict[int, str] = field(default_factory=dict)
    """A further paper to which a sentence is to be related, by id in the prompt."""
    _before: dict[int, tuple[WrittenSentence, Grounded, bool]] = field(default_factory=dict)
    """The sentences that passed before they were replaced, and whether only a part of each is supported."""

    def __post_init__(self) -> None:
        self.section.sentences = [self._with_quotes(written) for written in self.section.sentences]
        self.checked = [self._check(written) for written in self.section.sentences]

    @property
    def faulty(self) -> dict[int, Grounded]:
        """The sentences with faults, by index."""
        return {index: checked for index, checked in enumerate(self.checked) if checked.faults}

    @property
    def standing(self) -> list[int]:
        """The indexes of the sentences that passed."""
        return [index for index, checked in enumerate(self.checked) if checked.sentence is not None]

    def mend(self, index: int, written: WrittenSentence) -> bool:
        """Replace a sentence by `written` if the new one passes or the old one does not; return whether it was
        replaced."""
        again = self._check(written)
        is_alone = again.sentence is not None and len({citation.work for citation in again.sentence.citations}) < 2
        better = self.checked[index].sentence is None or (
            again.sentence is not None and not (is_alone and index in self.related)
        )
        if better:
            if self.checked[index].sentence:
                self._before[index] = self.section.sentences[index], self.checked[index], index in self.partly
            self.opposed = [pair for pair in self.opposed if index not in pair]  # these were about the old words
            self.partly.discard(index)
            self.unchecked.discard(index)
            self.section.sentences[index], self.checked[index] = written, again
        return better

    def doubt(self, index: int, fault: str, *, falls: bool) -> None:
        """Add a fault to a sentence; if it `falls`, the sentence before it stands again, or it is lost with its
        citations."""
        if falls and index in self._before:
            self.section.sentences[index], self.checked[index], is_partly = self._before.pop(index)
            (self.partly.add if is_partly else self.partly.discard)(index)
            return
        before = self.checked[index]
        lost = len(before.sentence.citations) if falls and before.sentence else 0
        self.checked[index] = Grounded(None if falls else before.sentence, (*before.faults, fault), before.lost + lost)

    def relate(self) -> None:
        """Let as many sentences on one paper be related to the nearest other one as lack for enough on several."""
        works = {index: frozenset(citation.work for citation in sentence.citations)
                 for index, checked in enumerate(self.checked) if (sentence := checked.sentence)}  # fmt: skip
        texts = {name: frozenset(terms(f"{paper.title} {paper.about}")) for name, (_, paper) in self.shown.items()}
        near: dict[frozenset[WorkId], tuple[float, int, str]] = {}
        for index, some in works.items():
            words = TopicTerms(self.section.sentences[index].text)
            others = {name: words.share(texts[name]) for name, (work, _) in self.shown.items() if work not in some}
            if len(some) == 1 and others:
                other = max(others, key=others.__getitem__)
                near.setdefault(some | {self.shown[other][0]}, (-others[other], index, other))
        wanted = -(-len(works) // SEVERAL) if len(works) >= SEVERAL else 0
        lacking = wanted - sum(len(some) > 1 for some in works.values())
        for _, index, other in sorted(near.values())[: max(lacking, 0)]:
            self.related[index] = other
            self.doubt(index, f"it rests on one paper alone: relate it to {other}", falls=False)

    def _check(self, written: WrittenSentence) -> Grounded:
        cited = [(citation.paper, citation.quote) for citation in written.citations]
        return grounded(written.text, cited, self.shown, self.pages, self.parts.keys())

    def _with_quotes(self, written: WrittenSentence) -> WrittenSentence:
        """Return the sentence with each citation of a part's sentence replaced by the citations of that sentence."""
        named = [(cited, read_id(cited.paper, self.parts.keys())) for cited in written.citations]
        quotes = [quote for cited, name in named for quote in (self.parts[name] if name else [cited])]
        return WrittenSentence(text=written.text, citations=quotes)


Place = tuple[SectionDraft, int]
"""A draft and the index of a sentence in it."""


def text_of_draft(session: SummarySession, node: str, draft: SectionDraft) -> NodeWritten | None:
    """Return the sentences of a draft that passed; None if none did, or if they are not in the topic's language."""
    kept: dict[int, Sentence] = {}
    for index, checked in enumerate(draft.checked):
        if checked.sentence is not None and checked.sentence not in kept.values():
            kept[index] = checked.sentence
    if not kept:
        return None
    if not session.in_its_language(" ".join(sentence.text for sentence in kept.values())):
        session.warn("The model wrote in another language than the topic's, so the text quotes the papers instead.")
        return None
    missing = remark(draft.section.missing, ids=(*draft.shown, *draft.parts))
    gap = f"{NOT_SAID} {missing}" if missing and session.in_its_language(missing) else ""
    most = most_sentences(session.state, node)
    now_at = {index: number for number, index in enumerate(kept)}
    opposed = [(now_at[one], now_at[other]) for one, other in draft.opposed if {one, other} <= kept.keys()]
    sentences = [sentence for number, sentence in enumerate(paired(list(kept.values()), opposed)) if number < most]
    lost = sum(checked.lost for checked in draft.checked)
    partly, unchecked = (len(some & kept.keys()) for some in (draft.partly, draft.unchecked))
    cut = len(draft.checked) - len(draft.standing)
    return NodeWritten(node, tuple(sentences), gap, "model", cut, lost, partly=partly, unchecked=unchecked)


def paired(sentences: Sequence[Sentence], opposed: Iterable[tuple[int, int]]) -> list[Sentence]:
    """Return `sentences` with the `opposed` ones (pairs of indexes) joined into one that cites both, each at most once.

    A sentence that needs the one before it stays behind that one, so neither is joined.
    """
    works = [{citation.work for citation in sentence.citations} for sentence in sentences]
    leaning = {number for number, sentence in enumerate(sentences) if leans(sentence.text)}
    held = leaning | {number - 1 for number in leaning}
    pairs: dict[int, int] = {}
    for first, second in map(sorted, opposed):
        if first != second and not works[first] & works[second] and not {first, second} & held:
            pairs[first] = second
            held |= {first, second}
    later = set(pairs.values())
    joined = []
    for number, sentence in enumerate(sentences):
        if number in pairs:
            other = sentences[pairs[number]]
            joined.append(
                Sentence(f"{sentence.text} {other.text}", (*sentence.citations, *other.citations), contested=True)
            )
        elif number not in later:
            joined.append(sentence)
    return joined
