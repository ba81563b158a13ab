"""Check the citing sentences of a document against the cited papers: does the source support the sentence?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.builtin.text.pages import Pages
from agents.evidence.source_check import SourceJudgement, judged_by_words, numbers_lacking, source_text
from agents.llm.budget import Budget
from agents.llm.model import Model
from agents.lookup.abstracts import abstracts_of
from agents.summary.writing.source_support import CitedSentence, ModelJudging, judged_by_model
from cache import page_texts, papers
from connectors.paper import Paper
from spar_tui.bibliography.citing_sentences import CitingSentence
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.reports.source_report import NumbersFinding, SourceFinding
from spar_tui.source_phrases import abstract_sentence
from spar_tui.workspace import Workspace


@dataclass(frozen=True, slots=True)
class CitedText:
    """A cited paper and its pages by number. `missing` is the reason for a missing text, "" otherwise."""

    paper: Paper
    pages: Pages = field(default_factory=dict)
    missing: str = ""


async def cited_texts(
    workspace: Workspace,
    entries: Mapping[str, FoundEntry],
    offline: bool,
    progress: Callable[[int], None],
    found: Callable[[Mapping[str, CitedText]], None],
) -> dict[str, CitedText]:
    """Return the texts of `entries`, by key: from the library, with the bibliography's abstract, or else from a source.
    `progress` is called with the number of entries newly done, `found` with the texts as they arrive. Raises
    `CacheError`."""
    numbers = papers.numbers_of(workspace.store, [entry.paper for entry in entries.values()])
    by_key = {key: _stored(workspace, entry.paper, number)
             for (key, entry), number in zip(entries.items(), numbers, strict=True)}  # fmt: skip
    missing = [key for key, cited_text in by_key.items() if not (cited_text.paper.abstract or cited_text.pages)]
    progress(len(by_key) - len(missing))
    found({key: cited_text for key, cited_text in by_key.items() if key not in missing})
    if offline and not workspace.resources.live:
        reason = "The library has neither its abstract nor its full text, and spar is offline."
        return by_key | {key: CitedText(by_key[key].paper, missing=reason) for key in missing}
    answers = await abstracts_of(
        [by_key[key].paper for key in missing], workspace.resources, progress,
        lambda index, paper: found({missing[index]: CitedText(paper)}),
    )  # fmt: skip
    return by_key | {
        key: CitedText(answer.paper, missing="" if answer.paper.abstract else abstract_sentence(answer))
        for key, answer in zip(missing, answers, strict=True)
    }


def _stored(workspace: Workspace, paper: Paper, number: int | None) -> CitedText:
    if number is None:
        return CitedText(paper)
    stored = papers.by_ids(workspace.store, [number])
    pages = page_texts.pages(workspace.store, number)
    return CitedText(replace(stored[0], abstract=stored[0].abstract or paper.abstract) if stored else paper, pages)


_NO_ENTRY = SourceJudgement("no text here", reason="No bibliography has a readable entry with this key.")


@dataclass(frozen=True, slots=True)
class LintOutcome:
    """The findings, and the model's answers and cost, if one was used."""

    findings: Sequence[SourceFinding]
    numbers: Sequence[NumbersFinding]
    judging: ModelJudging | None


def cited_entries(document: FileEntries, sentences: Sequence[CitingSentence]) -> dict[str, FoundEntry]:
    """Return the entries that `sentences` cite, by the keys as written there; case is ignored."""
    by_folded = {
        key.casefold(): entry for entry in reversed(document.entries) for key in (entry.key, *entry.aliases) if key
    }
    keys = dict.fromkeys(key for sentence in sentences for key in sentence.keys)
    return {key: by_folded[key.casefold()] for key in keys if key.casefold() in by_folded}


async def lint_sentences(
    workspace: Workspace, sentences: Sequence[CitingSentence], entries: Mapping[str, FoundEntry], offline: bool,
    budget: Budget, progress: Callable[[int], None], name: Callable[[Path], str], swap: bool = False,
    done: Callable[[Sequence[SourceFinding]], None] = lambda findings: None,
) -> LintOutcome:  # fmt: skip
    """Judge each sentence against each paper that it cites; with `swap`, against another cited paper instead. `name`
    gives a file's display name. `done` is called with the findings by words on each text that arrives; not with `swap`.
    Raises `CacheError`."""
    cited = [(sentence, key) for sentence in sentences for key in sentence.keys]

    def finding(sentence: CitingSentence, key: str, text: CitedText | None, judged: SourceJudgement) -> SourceFinding:
        return SourceFinding(name(sentence.file), sentence, key, text.paper.title if text else "", judged)

    def found(arrived: Mapping[str, CitedText]) -> None:
        done([finding(sentence, key, arrived[key], _by_words(sentence, arrived[key]))
              for sentence, key in cited if key in arrived])  # fmt: skip

    texts = await cited_texts(workspace, entries, offline, progress, (lambda arrived: None) if swap else found)
    if swap:
        texts = _swapped(texts)
    by_words = [_by_words(sentence, texts.get(key)) for sentence, key in cited]
    judging = await _by_model(workspace.resources.model, cited, texts, by_words, budget)
    findings = [
        finding(sentence, key, texts.get(key), judgement)
        for (sentence, key), judgement in zip(cited, judging.judgements if judging else by_words, strict=True)
    ]
    lacking = ((sentence, _numbers(sentence, texts)) for sentence in sentences)
    numbers = [NumbersFinding(name(sentence.file), sentence, those) for sentence, those in lacking if those]
    return LintOutcome(findings, numbers, judging)


def _swapped(texts: Mapping[str, CitedText]) -> dict[str, CitedText]:
    """Exchange the texts of papers: each paper gets that of another one, cited half the document away."""
    keys = [key for key, cited_text in texts.items() if source_text(cited_text.paper, cited_text.pages)]
    moved = keys[len(keys) // 2 :] + keys[: len(keys) // 2]
    return {**texts, **{key: texts[other] for key, other in zip(keys, moved, strict=True)}}


def _by_words(sentence: CitingSentence, text: CitedText | None) -> SourceJudgement:
    if text is None:
        return _NO_ENTRY
    judgement = judged_by_words(sentence.words, text.paper, text.pages)
    return replace(judgement, reason=text.missing) if judgement.grade == "no text here" and text.missing else judgement


async def _by_model(
    model: Model | None, cited: Sequence[tuple[CitingSentence, str]], texts: Mapping[str, CitedText],
    by_words: Sequence[SourceJudgement], budget: Budget,
) -> ModelJudging | None:  # fmt: skip
    if model is None:
        return None
    cited_sentences = list[CitedSentence]()
    for (sentence, key), judgement in zip(cited, by_words, strict=True):
        if judgement.passages:
            paper, pages = texts[key].paper, texts[key].pages
            cited_sentences.append(CitedSentence(sentence.text, paper, (paper.abstract, *pages.values()), judgement))
    judging = await judged_by_model(model, cited_sentences, budget)
    answered = iter(judging.judgements)
    judging.judgements = [next(answered) if judgement.passages else judgement for judgement in by_words]
    return judging


def _numbers(sentence: CitingSentence, texts: Mapping[str, CitedText]) -> tuple[str, ...]:
    """Return the sentence's numbers that no cited text contains; empty if the text of a cited paper is missing."""
    cited = [texts[key] for key in sentence.keys if key in texts]
    cited_texts_read = [source_text(cited_text.paper, cited_text.pages) for cited_text in cited]
    if len(cited) < len(sentence.keys) or not all(cited_texts_read):
        return ()
    besides = frozenset({len(cited), *(cited_text.paper.year for cited_text in cited if cited_text.paper.year)})
    return numbers_lacking(
        sentence.words, [*cited_texts_read, *(cited_text.paper.title for cited_text in cited)], besides
    )
