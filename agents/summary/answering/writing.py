"""Write the answer with the model: a verdict, and sentences that pass the checks of a summary."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import get_args

from pydantic import BaseModel

from agents.evidence.stances import apart, stances
from agents.llm.prompt import AssessedItems, Prompt
from agents.run.step import Ids, known_ids, numbered
from agents.summary.events import ROOT, Citation, NodeWritten, QuestionAnswered, Sentence, Side, Verdict
from agents.summary.session import SummarySession, paper_item, papers_part
from agents.summary.writing.checking import Section, SectionDraft, Shown, WrittenSentence, text_of_draft
from agents.summary.writing.repair import repair
from agents.summary.writing.support import Quoted, check_support, quoted
from cache.passages import Passage
from connectors.paper import WorkId

PAPERS = 12
"""Number of papers from which the answer is written, those with evidence first."""
_LETTERS = 2_000
"""Maximum number of letters of an abstract, and of the passages of a paper, in the prompt."""
_SPEAKS_FOR = "What this paper found speaks for the answer “{}” to the question: {}"


class WrittenAnswer(BaseModel):
    """What the model is asked for; `missing` is what the papers do not say, `yes` and `no` are papers that speak for
    that answer."""

    verdict: str
    sentences: list[WrittenSentence]
    missing: str = ""
    yes: Ids = []
    no: Ids = []


_SYSTEM = """\
You answer a question from the papers listed and from nothing else. "verdict" is "yes" or "no" where the question can \
be answered so and the papers settle it, "mixed" where papers find opposite things, "unsettled" where they speak of it \
but do not settle it, "silent" where none speaks of it, "other" where it asks for something else than yes or no and \
they answer it. The first sentence is the answer itself, with how sure the papers make it and for whom or what it \
holds; it does not begin with the verdict. The others say what it rests on: what was found, by which kind of study, \
with its numbers, and what speaks against it. All together have at most {words} words. Every sentence is understood \
alone: it begins with no "this", "such" or "it" that points to another one. Every sentence must be supported by the \
papers it cites; for each of them name its id and copy at most 25 words exactly from its title, abstract or passages \
that say what the sentence says of it: a sentence falls with any paper whose words do not stand there. A number must \
stand, with its unit, in the words copied for its sentence. Eight words in a row as a paper has them stand in \
quotation marks. Where papers disagree, say so in one sentence that cites both sides. Name no paper, author, year or \
link that the papers do not give; put no references, ids or links into the text itself. For "silent" write no \
sentences. What the question asks and the papers do not say goes into "missing", as the \
words behind “The literature found does not say:”. "yes" and "no" are the \
ids of the papers whose own findings speak for that answer, each in one of them or in none. Answer with one JSON \
object that has verdict, sentences with their citations, missing, yes and no, in the question's language."""


async def write_answer(session: SummarySession) -> None:
    """Post the answer and its verdict; without an answer of the model, the papers for yes and for no by their words.

    The first sentence states the verdict, which falls with it. If the quotes say only a part of that sentence, the
    question is unsettled; if findings are opposite, the verdict is mixed.
    """
    citable = _citable(session)
    about: AssessedItems[WrittenAnswer] = AssessedItems(
        (), lambda written_answer: bool(written_answer.sentences) or _read(written_answer.verdict) == "silent"
    )
    reply = await session.ask(_prompt(session, citable), WrittenAnswer, about=about) if citable else None
    if reply is None:
        chosen = session.state.evidence
        bearing = chosen.quotes if chosen and not chosen.far else ()
        by_words = stances(session.meaning or session.topic, [(quote.work, quote.quote) for quote in bearing])
        session.post(QuestionAnswered(None if bearing else "silent", "built-in", *by_words))
        return
    verdict = _read(reply.verdict)
    sentences = reply.sentences if verdict != "silent" else []
    draft = SectionDraft(
        Section(id="a1", sentences=sentences, missing=reply.missing), citable, session.full_texts.pages
    )
    sides = _sides(session, reply, draft)
    claims = [(_SPEAKS_FOR.format(side, session.topic), quotes) for _, side, quotes in sides]
    supports = await check_support(session, [(draft, index) for index in draft.standing], claims)
    await check_support(session, await repair(session, {ROOT: draft}))
    answer_text = text_of_draft(session, ROOT, draft)
    if verdict == "silent":
        session.post(QuestionAnswered("silent", "model"))
    elif answer_text is None:
        session.post(NodeWritten(ROOT, (), cut=len(sentences)), QuestionAnswered(None, "model"))
    else:
        kept = _within(answer_text.sentences, session.options.words)
        removed = len(answer_text.sentences) - len(kept)
        shortened = replace(answer_text, sentences=kept, omitted=answer_text.omitted + removed)
        held = [(work, side) for (work, side, _), support in zip(sides, supports, strict=True) if support == "whole"]
        yes, no = ([work for work, held_side in held if held_side == side] for side in get_args(Side))
        session.post(shortened, QuestionAnswered(_holding(verdict, draft), "model", *apart(yes, no)))


def _sides(
    session: SummarySession, reply: WrittenAnswer, draft: SectionDraft
) -> list[tuple[WorkId, Side, Sequence[Quoted]]]:
    """Return the papers that speak for yes or no according to the model, with the quotes that are to show it; a paper
    without a quote speaks for neither."""
    sentences = (draft.checked[index].sentence for index in draft.standing)
    citations = [citation for sentence in sentences if sentence for citation in sentence.citations if citation.quote]
    by_work: dict[WorkId, list[Quoted]] = {}
    for citation in dict.fromkeys((*citations, *_evidence(session))):
        by_work.setdefault(session.state.findings.work(citation.work), []).append(quoted(session, citation))
    named = [(draft.shown[name][0], side) for side in get_args(Side)
             for name in known_ids(getattr(reply, side), draft.shown.keys())]  # fmt: skip
    return [(work, side, by_work[work]) for work, side in named if work in by_work]


def _read(answer: str) -> Verdict:
    """Return the verdict that a model wrote, "other" if it wrote none of the verdicts."""
    return next((option for option in get_args(Verdict) if option == answer.strip().lower()), "other")


def _holding(verdict: Verdict, draft: SectionDraft) -> Verdict | None:
    """Return the verdict as far as the first sentence supports it."""
    first = draft.checked[0]
    if first.sentence is None:
        return None
    if verdict in ("yes", "no") and draft.opposed:
        return "mixed"
    return "unsettled" if 0 in draft.partly and verdict in ("yes", "no", "mixed") else verdict


def _within(sentences: Sequence[Sentence], words: int) -> tuple[Sentence, ...]:
    """Return as many sentences as fit in `words`, at least the first."""
    lengths = accumulate(len(sentence.text.split()) for sentence in sentences)
    return tuple(sentence for index, (sentence, length) in enumerate(zip(sentences, lengths, strict=True))
                 if not index or length <= words)  # fmt: skip


def _evidence(session: SummarySession) -> Sequence[Citation]:
    return session.state.evidence.quotes if session.state.evidence else ()


def _citable(session: SummarySession) -> Shown:
    """Return the papers that the answer may cite by their ids in the prompt, those with evidence first."""
    state = session.state
    works_quoted = [state.findings.work(quote.work) for quote in _evidence(session)]
    works = list(dict.fromkeys((*works_quoted, *state.works(ROOT))))[:PAPERS]
    return numbered(((work, session.paper(work)) for work in works), "p", session.secret)


def _prompt(session: SummarySession, citable: Shown) -> Prompt:
    means = f"It means:\n{session.meaning}\n\n" if session.meaning else ""
    items = [paper_item(name, paper, _LETTERS, _passages(session, work)) for name, (work, paper) in citable.items()]
    user = f"Question:\n{session.topic}\n\n{means}{papers_part(items)}"
    return Prompt("answer", 3, _SYSTEM.format(words=session.options.words), user, 1_600)


def _passages(session: SummarySession, work: WorkId) -> Sequence[Passage]:
    """Return the evidence on the pages of a paper, else the passages nearest to the question."""
    quotes = [quote for quote in _evidence(session) if session.state.findings.work(quote.work) == work]
    pages = [Passage(quote.page, quote.quote) for quote in quotes if quote.page]
    return pages or session.passages(work, session.topic)
