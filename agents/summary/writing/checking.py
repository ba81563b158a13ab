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
        self.section.sentences = [self._with_quotes(sentence) for sentence in self.section.sentences]
        self.checked = [self._check(sentence) for sentence in self.section.sentences]

    @property
    def faulty(self) -> dict[int, Grounded]:
        """The sentences with faults, by index."""
        return {index: checked for index, checked in enumerate(self.checked) if checked.faults}

    @property
    def standing(self) -> list[int]:
        """The indexes of the sentences that passed."""
        return [index for index, checked in enumerate(self.checked) if checked.sentence is not None]

    def mend(self, index: int, sentence: WrittenSentence) -> bool:
        """Replace a sentence by `sentence` if the new one passes or the old one does not; return whether it was
        replaced."""
        again = self._check(sentence)
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
            self.section.sentences[index], self.checked[index] = sentence, again
        return better

    def doubt(self, index: int, fault: str, *, falls: bool) -> None:
        """Add a fault to a sentence; if it `falls`, the sentence before it stands again, or it is lost with its
        citations."""
        if falls and index in self._before:
            self.section.sentences[index], self.checked[index], is_partly = self._before.pop(index)
            (self.partly.add if is_partly else self.partly.discard)(index)
            return
        before = self.checked[index]
        lost_citations = len(before.sentence.citations) if falls and before.sentence else 0
        self.checked[index] = Grounded(
            None if falls else before.sentence, (*before.faults, fault), before.lost + lost_citations
        )

    def relate(self) -> None:
        """Let as many sentences on one paper be related to the nearest other one as lack for enough on several."""
        works = {index: frozenset(citation.work for citation in sentence.citations)
                 for index, checked in enumerate(self.checked) if (sentence := checked.sentence)}  # fmt: skip
        texts = {name: frozenset(terms(f"{paper.title} {paper.about}")) for name, (_, paper) in self.shown.items()}
        near: dict[frozenset[WorkId], tuple[float, int, str]] = {}
        for index, cited_works in works.items():
            words = TopicTerms(self.section.sentences[index].text)
            share_by_paper = {
                name: words.share(texts[name]) for name, (work, _) in self.shown.items() if work not in cited_works
            }
            if len(cited_works) == 1 and share_by_paper:
                neighbor = max(share_by_paper, key=share_by_paper.__getitem__)
                near.setdefault(cited_works | {self.shown[neighbor][0]}, (-share_by_paper[neighbor], index, neighbor))
        needed_count = -(-len(works) // SEVERAL) if len(works) >= SEVERAL else 0
        lacking = needed_count - sum(len(cited_works) > 1 for cited_works in works.values())
        for _, index, neighbor in sorted(near.values())[: max(lacking, 0)]:
            self.related[index] = neighbor
            self.doubt(index, f"it rests on one paper alone: relate it to {neighbor}", falls=False)

    def _check(self, sentence: WrittenSentence) -> Grounded:
        citations = [(citation.paper, citation.quote) for citation in sentence.citations]
        return grounded(sentence.text, citations, self.shown, self.pages, self.parts.keys())

    def _with_quotes(self, sentence: WrittenSentence) -> WrittenSentence:
        """Return the sentence with each citation of a part's sentence replaced by the citations of that sentence."""
        pairs = [(citation, read_id(citation.paper, self.parts.keys())) for citation in sentence.citations]
        quotes = [quote for citation, name in pairs for quote in (self.parts[name] if name else [citation])]
        return WrittenSentence(text=sentence.text, citations=quotes)


Place = tuple[SectionDraft, int]
"""A draft and the index of a sentence in it."""


def text_of_draft(session: SummarySession, node: str, draft: SectionDraft) -> NodeWritten | None:
    """Return the sentences of a draft that passed, each once; None if none did, or if they are not in the topic's
    language."""
    sentences_by_index: dict[int, Sentence] = {}
    for index, checked in enumerate(draft.checked):
        if checked.sentence is not None and checked.sentence not in sentences_by_index.values():
            sentences_by_index[index] = checked.sentence
    if not sentences_by_index:
        return None
    if not session.in_its_language(" ".join(sentence.text for sentence in sentences_by_index.values())):
        session.warn("The model wrote in another language than the topic's, so the text quotes the papers instead.")
        return None
    gap_text = remark(draft.section.missing, ids=(*draft.shown, *draft.parts))
    stop = "." if gap_text[-1:].isalnum() else ""
    gap = f"{NOT_SAID} {gap_text}{stop}" if gap_text and session.in_its_language(gap_text) else ""
    now_at = {index: number for number, index in enumerate(sentences_by_index)}
    opposed = [
        (now_at[first], now_at[second])
        for first, second in draft.opposed
        if {first, second} <= sentences_by_index.keys()
    ]
    sentences = paired(list(sentences_by_index.values()), opposed)
    shown_sentences = tuple(sentences[: most_sentences(session.state, node)])
    repeated = len(draft.standing) - len(sentences_by_index)
    omitted = repeated + len(sentences) - len(shown_sentences)
    lost_citations = sum(checked.lost for checked in draft.checked)
    partly, unchecked = (len(group & sentences_by_index.keys()) for group in (draft.partly, draft.unchecked))
    removed_count = len(draft.checked) - len(draft.standing)
    return NodeWritten(
        node, shown_sentences, gap, "model", removed_count, lost_citations, (), partly, unchecked, omitted
    )


def paired(sentences: Sequence[Sentence], opposed: Iterable[tuple[int, int]]) -> list[Sentence]:
    """Join opposed sentences into one that cites both, each sentence at most once; `opposed` are pairs of indexes. A
    sentence that needs the one before it stays after it, so neither is joined."""
    works = [{citation.work for citation in sentence.citations} for sentence in sentences]
    leaning = {number for number, sentence in enumerate(sentences) if leans(sentence.text)}
    unpairable = leaning | {number - 1 for number in leaning}
    pairs: dict[int, int] = {}
    for first, second in map(sorted, opposed):
        if first != second and not works[first] & works[second] and not {first, second} & unpairable:
            pairs[first] = second
            unpairable |= {first, second}
    later = set(pairs.values())
    results = []
    for number, sentence in enumerate(sentences):
        if number in pairs:
            partner = sentences[pairs[number]]
            results.append(
                Sentence(f"{sentence.text} {partner.text}", (*sentence.citations, *partner.citations), contested=True)
            )
        elif number not in later:
            results.append(sentence)
    return results
