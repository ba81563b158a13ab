"""Ask the model whether the quotes of a sentence support it. Rules only check that the quotes are in the papers and
have the sentence's numbers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel

from agents.evidence.choosing import evidence
from agents.evidence.quotes import surroundings
from agents.llm.prompt import Prompt, data
from agents.run.step import ask_about, in_batches, numbered, read_id
from agents.summary.events import Citation
from agents.summary.session import SummarySession
from agents.summary.writing.checking import NOT_SAID, Place, SectionDraft
from agents.summary.writing.sections import sections
from connectors.paper import Paper
from connectors.records.clean import clean_text

MOST_AT_ONCE = 50
"""Maximum number of sentences in one request: those of 1,000 words."""
_AROUND, _OWN = 250, range(0, 401, 50)
"""Maximum letters of a quote's context: with the sentences before and after, and with its own sentences only, as many
of these as there is room for."""
LONGEST_LACK = 120
"""Maximum number of letters of the model's note on what quotes lack."""
_FAULTS = {
    "not": "none of its quotes says this",
    "contradicts": "its quotes say the opposite",
    "partly": "its quotes say only a part of it",
}
_ANSWERS = frozenset(("whole", *_FAULTS))


class Support(BaseModel):
    """How far the quotes of a sentence support it, what they do not say, and the id of a sentence that finds the
    opposite."""

    id: str
    support: str
    lacking: str = ""
    opposes: str = ""


class Supports(BaseModel):
    """The model's answer: a judgement of each sentence."""

    sentences: list[Support]


class _JudgedSentence(NamedTuple):
    support: str
    lacking: str
    opposes: int | None


class Quoted(NamedTuple):
    """Words of a paper, or of spar's note on it, and the texts of the paper, one of which has them."""

    paper: Paper
    quote: str
    texts: Sequence[str]


Claim = tuple[str, Sequence[Quoted]]
"""A sentence, and what it quotes."""

_SYSTEM = """\
You check sentences of a literature review. Each comes with the words it quotes, and with what stands before and \
behind them in their paper, told where they are quoted first. Judge by these words alone, and not by what you know. \
"support" is "whole" if the quotes together say all that the sentence says, "partly" if they say a part of it, "not" \
if they speak of something else (other people, means, quantities, conditions) or claim less, "contradicts" if they \
say the opposite, as where a "not" or a direction is turned round. A sentence that compares papers needs the quotes \
of each. "lacking" is what the quotes do not say, in at most 12 words, empty for "whole". "opposes" is the id of \
another of these sentences whose finding on the very same question is the opposite, empty if there is none. Answer \
with one JSON object whose "sentences" hold for every sentence its id, support, lacking and opposes."""


async def check_support(session: SummarySession, places: Iterable[Place], claims: Sequence[Claim] = ()) -> list[str]:
    """Add a fault to each sentence that its quotes do not fully support; return the support of each of `claims`, which
    are judged with the first sentences, "" if it was not judged.

    A partly supported sentence stands unless it is repaired, or rules doubt it; others fall. A sentence without an
    answer stands, with a warning, unless rules doubt it. A draft does not miss what a sentence of its papers says.
    """
    unanswered, supports = 0, [""] * len(claims)
    for batch in in_batches([index for index in places if index[0].checked[index[1]].sentence], MOST_AT_ONCE):
        drafts = {id(draft): draft for draft, _ in batch}
        gaps = [(draft, nearest) for draft in drafts.values() if (nearest := _nearest(draft))]
        gap_claims = [(f"{NOT_SAID} {draft.section.missing}", [nearest]) for draft, nearest in gaps]
        rows = await _judged(session, batch, [*gap_claims, *claims])
        if claims:
            support_by_index = {number: row.support for number, row in rows.items()}
            supports = [support_by_index.get(number, "") for number in range(-len(claims), 0)]
        for number, (draft, _) in enumerate(gaps, start=-len(gaps) - len(claims)):
            draft.asked_of_gap = True
            support = rows[number].support if number in rows else ""
            unanswered += support not in _ANSWERS
            if support == "contradicts":
                draft.section.missing = ""
        for number, (draft, index) in enumerate(batch):
            row, doubt = rows.get(number, _JudgedSentence("", "", None)), draft.checked[index].doubt
            has_answer = row.support in _ANSWERS
            unanswered += not has_answer
            if has_answer:
                draft.unchecked.discard(index)
            else:
                draft.unchecked.add(index)
            if row.support == "partly":
                draft.partly.add(index)
            if doubt and not has_answer:
                draft.doubt(index, doubt, falls=True)
            if fault := _FAULTS.get(row.support):
                draft.doubt(
                    index,
                    f"{fault}: {row.lacking}" if row.lacking else fault,
                    falls=row.support != "partly" or bool(doubt),
                )
            if row.opposes is not None and row.opposes >= 0 and batch[row.opposes][0] is draft:
                draft.opposed.append((index, batch[row.opposes][1]))
        claims = ()
    if unanswered and not session.control.stopping:
        session.warn(f"The model did not check the quotes of {unanswered} of the sentences.")
    return supports


def _nearest(draft: SectionDraft) -> Quoted | None:
    """Return the sentence of a draft's papers that is nearest to what the draft misses, if any."""
    papers = {name: paper for name, (_, paper) in draft.shown.items()}
    asks = draft.section.missing and not draft.asked_of_gap
    pieces = evidence(draft.section.missing, papers, draft.pages, 1) if asks else ()
    return next((Quoted(papers[piece.paper], piece.text, ()) for piece in pieces), None)


async def _judged(
    session: SummarySession, batch: Sequence[Place], claims: Sequence[Claim]
) -> dict[int, _JudgedSentence]:
    """Return the model's judgement of each sentence of `batch`, by index, and of `claims`, from the last, -1."""
    names = numbered([*range(len(batch)), *range(-len(claims), 0)], "u", session.secret)
    rows = await ask_about(
        session,
        names,
        lambda claim_batch: _prompt(
            session,
            {name: batch[number] for name, number in claim_batch.items() if number >= 0},
            {name: claims[number] for name, number in claim_batch.items() if number < 0},
        ),
        Supports,
        lambda answer: answer.sentences,
    )
    return {
        number: _JudgedSentence(
            row.support.strip().lower(),
            clean_text(row.lacking, LONGEST_LACK),
            names.get(read_id(row.opposes, names.keys()) or ""),
        )
        for number, row in (rows or {}).items()
    }


def _prompt(session: SummarySession, places_by_id: Mapping[str, Place], claims_before: Mapping[str, Claim]) -> Prompt:
    checked = {name: draft.checked[index].sentence for name, (draft, index) in places_by_id.items()}
    claims = {name: (sentence.text, [quoted(session, citation) for citation in sentence.citations])
              for name, sentence in checked.items() if sentence} | dict(claims_before)  # fmt: skip
    part = sum(1 / len(draft.checked) for draft, _ in places_by_id.values()) / len(sections(session.state))
    return session.fitted(_OWN, part, lambda letters: support_prompt(session.topic, claims, session.secret, letters))


def quoted(session: SummarySession, citation: Citation) -> Quoted:
    """Return the words that a citation quotes, or spar's note on its paper, with the text where they stand."""
    paper = session.paper(citation.work)
    texts = [session.full_texts.pages(paper).get(citation.page, "")] if citation.page else [paper.about]
    return Quoted(paper, citation.quote or citation.described, texts)


def support_prompt(topic: str, claims: Mapping[str, Claim], secret: str, letters: int = _OWN[-1]) -> Prompt:
    """Return the prompt that asks whether quotes support sentences, given by id. A paper, and the context of a quote in
    at most `letters`, is given once."""
    papers = numbered(dict.fromkeys(quote.paper for _, quotes in claims.values() for quote in quotes), "p", secret)
    ids, shown_texts = {paper: name for name, paper in papers.items()}, set[tuple[Paper, str]]()

    def listed(quote: Quoted) -> dict[str, str]:
        around = (
            ""
            if quote[:2] in shown_texts
            else next((_around(quote.quote, text, letters) for text in quote.texts if quote.quote in text), "")
        )
        shown_texts.add(quote[:2])
        before, _, behind = around.partition(quote.quote)
        item = {"paper": ids[quote.paper], "before": before, "quote": quote.quote, "behind": behind}
        return {name: value for name, value in item.items() if any(map(str.isalnum, value))}

    items = [{"id": name, "text": text, "quotes": list(map(listed, quotes))} for name, (text, quotes) in claims.items()]
    titles = [{"id": name, "title": paper.title[:150], "year": paper.year} for name, paper in papers.items()]
    user = f"Topic:\n{topic}\n\nPapers:\n{data(titles)}\n\nSentences:\n{data(items)}"
    return Prompt("support", 3, _SYSTEM, user, 60 * len(items) + 200)


def _around(quote: str, text: str, letters: int) -> str:
    """Return the sentences of `text` that contain `quote`, with one before and one after if that is short enough; ""
    for a quote that is longer than its context may be."""
    stretch, quote_text = surroundings(quote, text), surroundings(quote, text, 0)[:letters]
    return (
        stretch
        if stretch != quote and len(stretch) <= min(_AROUND, letters)
        else quote_text
        if quote in quote_text
        else ""
    )
