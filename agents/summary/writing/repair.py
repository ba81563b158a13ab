"""Ask the model once more for sentences that failed a check, with their faults."""

from collections.abc import Mapping
from math import inf
from typing import Any

from pydantic import BaseModel

from agents.llm.prompt import Prompt, data
from agents.run.step import numbered
from agents.summary.session import SummarySession, longest, paper_item, papers_part
from agents.summary.writing.checking import CopiedWords, Place, SectionDraft, WrittenSentence
from connectors.paper import Paper, WorkId

_ABSTRACT = range(200, 1_001, 100)
"""Letters of an abstract in the prompt: as many of these as there is room for; 1,000 have nearly all its numbers."""
_MOST = 12
"""Maximum number of sentences to repair. If more fail and none passes, the model does not follow the instructions, and
nothing is repaired."""
_WITH_CHECK = 1.7
"""Tokens of a request and of the check of its sentences, which quotes less, as a multiple of the request's."""


class Repaired(BaseModel):
    """A sentence as it is to stand; one without a text is given up."""

    id: str
    text: str = ""
    citations: list[CopiedWords] = []


class Repairs(BaseModel):
    """What the model is asked for."""

    sentences: list[Repaired]


_SYSTEM = """\
Sentences of a literature review failed a check of their citations. For each you get its text and citations, what is \
wrong, and which of the papers it may cite. Write it again so that it says only what these papers \
say: shorten or split off what nothing supports. Every paper it rests on is cited with at most 25 words copied exactly \
from its title or abstract, which speak of what the sentence speaks of; numbers stand in those words; it is \
understood alone (no "this", "such", "it" for something said before), copies no eight words in a row of a paper \
outside of quotation marks, and holds no ids, links or references. A sentence that rests on one paper alone becomes \
one on several: where they agree, where a later one extends or corrects an earlier one, or where they contradict each \
other; leave its text empty if its papers do not speak of the same. Give an empty text for one that cannot be saved. \
Answer with one JSON object whose "sentences" hold for every sentence its id, text and citations, in the language of \
the sentence."""


async def repair(session: SummarySession, drafts: Mapping[str, SectionDraft], tokens: float = inf) -> list[Place]:
    """Repair faulty sentences of `drafts` in one request to the model, removed ones first, as many as can be written
    and checked again with so many `tokens`; return the replaced ones."""
    places = [(draft, index) for draft in drafts.values() for index in draft.faulty]
    places.sort(key=lambda place: place[1] in place[0].standing)
    all_fail = len(places) > _MOST and not any(draft.standing for draft in drafts.values())
    places_by_id = numbered(places[:_MOST], "t", session.secret)
    while places_by_id and _prompt(session, places_by_id, tokens / _WITH_CHECK).tokens > tokens / _WITH_CHECK:
        places_by_id.popitem()
    if not places_by_id or all_fail or session.control.stopping:
        return []
    replacements = []
    answer = await session.ask(_prompt(session, places_by_id, tokens / _WITH_CHECK), Repairs)
    for sentence in answer.sentences if answer else ():
        if sentence.id in places_by_id and sentence.text.strip():
            draft, index = places_by_id.pop(sentence.id)
            if draft.mend(index, WrittenSentence(text=sentence.text, citations=sentence.citations)):
                replacements.append((draft, index))
    return replacements


def _prompt(session: SummarySession, places_by_id: Mapping[str, Place], tokens: float) -> Prompt:
    papers: dict[str, tuple[WorkId, Paper]] = {}
    faults_of: dict[str, list[str]] = {}
    for draft, index in places_by_id.values():
        for paper_id in _citable(draft, index):
            papers[paper_id] = draft.shown[paper_id]
            faults_of.setdefault(paper_id, []).append(draft.section.sentences[index].text)
    items = [_sentence_item(name, draft, index) for name, (draft, index) in places_by_id.items()]
    passages = {name: session.passages(work, " ".join(faults_of[name])) for name, (work, _) in papers.items()}

    def prompt(letters: int) -> Prompt:
        context = [paper_item(name, paper, letters, passages[name]) for name, (_, paper) in papers.items()]
        user = f"Topic:\n{session.topic}\n\n{papers_part(context)}\n\nSentences:\n{data(items)}"
        return Prompt("repair", 5, _SYSTEM, user, 160 * len(items) + 200)

    return longest(_ABSTRACT, tokens, prompt)


def _citable(draft: SectionDraft, index: int) -> list[str]:
    """Return the papers that a sentence may cite: those that it cites or is to be related to, or all of its section if
    it cites none."""
    paper_ids = [
        citation.paper for citation in draft.section.sentences[index].citations if citation.paper in draft.shown
    ]
    return list(dict.fromkeys([*paper_ids, *filter(None, [draft.related.get(index)])]) or draft.shown)


def _sentence_item(name: str, draft: SectionDraft, index: int) -> dict[str, Any]:
    sentence = draft.section.sentences[index]
    return {
        "id": name,
        "text": sentence.text,
        "citations": [citation.model_dump() for citation in sentence.citations],
        "wrong": list(draft.checked[index].faults),
        "papers": _citable(draft, index),
    }
