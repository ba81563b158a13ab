"""Grounding what a model wrote: each sentence in papers it was shown, each paper in words that stand there."""

import re
from collections.abc import Iterable, Mapping

from agents.builtin.text.prompt_injection import looks_injected
from agents.builtin.text.quotes import noted_words, verbatim_quote
from agents.builtin.text.remarks import without_marks
from agents.builtin.text.terms import terms
from agents.run.step import read_id
from agents.summary.events import Citation, Sentence
from connectors.paper import Paper, WorkId
from connectors.records.clean import clean_text

LONGEST_SENTENCE = 600
SHARED_TERMS = 2
"""A quote that has fewer terms in common with its sentence supports something else."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def supported_sentence(
    text: str, cited: Iterable[tuple[str, str]], papers: Mapping[str, tuple[WorkId, Paper]]
) -> Sentence | None:
    """The sentence with those of its citations that hold; None if none does.

    `cited` are a paper's id in the prompt and a quote, `papers` the papers that may be cited, by that id. Links,
    reference marks and keys in the text are taken out: those come from records only. A number that no cited paper
    has, and an order to a model, cut the sentence.
    """
    sentence = without_marks(clean_text(text, LONGEST_SENTENCE))
    words = set(terms(sentence))
    if not words or looks_injected(sentence):
        return None
    citations: dict[Citation, None] = {}
    for written, copied in cited:
        name = read_id(written, papers.keys())
        if name is not None:
            work, paper = papers[name]
            quote = verbatim_quote(copied, paper)
            described = "" if quote else noted_words(copied, paper)
            shared = words & set(terms(quote or described))
            if len(shared) >= min(SHARED_TERMS, len(words)):
                citations[Citation(work, quote, described)] = None
    if not citations:
        return None
    works = {citation.work for citation in citations}
    cited_papers = [paper for work, paper in papers.values() if work in works]
    numbers = {number for paper in cited_papers for number in _NUMBER.findall(f"{paper.title} {paper.about}")}
    if not set(_NUMBER.findall(sentence)) <= numbers | {str(paper.year) for paper in cited_papers}:
        return None
    return Sentence(sentence, tuple(citations))
