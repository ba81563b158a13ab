"""Writing from the leaves up (ConTReGen §2.2): a leaf from its papers, a node above from its own and what its facets
say, the root at last."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from agents.llm.prompt import Prompt, data
from agents.run.retrieval.full_texts import QUOTABLE, listed
from agents.run.step import ask_about, in_batches, numbered, reason, text_of
from agents.summary.events import NodeWritten, Sentence
from agents.summary.session import SummarySession
from agents.summary.tree import level, parent
from agents.summary.writing.checking import Draft, Section, Shown, text_of_draft
from agents.summary.writing.extraction import extracted
from agents.summary.writing.repair import repair
from agents.summary.writing.sections import TLDR, belonging, most_sentences, sections, words_for, works_of
from agents.summary.writing.support import check_support
from connectors.paper import WorkId

_LEAVES = 3
"""Leaves of one node that are written in one question to the model: each may be written from 16 papers."""
_INNER = 3
_ABSTRACT = 2_000
_CHILD_QUOTES = 12


async def write(session: SummarySession) -> None:
    """Post the text of every section that has none yet, level by level from below.

    Without a model the topic chooses its sentences before all others: an extract brings nothing together from below.
    """
    deepest = max(map(level, sections(session.state)))
    for depth in (*([] if session.resources.model else [0]), *range(deepest, -1, -1)):
        waiting = [node for node in sections(session.state) if node not in session.state.written]
        nodes = [node for node in waiting if level(node) == depth]
        if session.resources.model is not None:
            batches = _batches(session, nodes)
            await reason(
                session, batches, lambda batch: _by_model(session, batch), lambda node: extracted(session, node)
            )
        for node in nodes:
            if node not in session.state.written:  # there is no model, or the time was up
                session.post(extracted(session, node))


class Sections(BaseModel):
    """What the model is asked for."""

    sections: list[Section]


_SYSTEM = """\
You write sections of a literature review, each from the papers listed for it and nothing else. A section answers its \
question for the review's topic in about {words} words of plain prose, and speaks to each of its aspects as far as its \
papers do. A section that has parts relates them to each other: what they share, where they differ, what follows; it \
repeats no sentence of theirs. The section that is a summary tells a reader in a hurry what was found: at most {tldr} \
sentences, each of at most 35 words. Every sentence is understood alone: it begins with no "this", "such" or "it" that \
points to another one. Every sentence must be supported by at least one paper listed for that section; for each paper \
that it rests on name its id and copy at most 25 words exactly from its title, abstract or quotes that say what the \
sentence says of it: a sentence falls with any paper whose words do not stand there. A number must stand, with its \
unit, in the words copied for its sentence. Where papers disagree, say so in one sentence that cites both sides and \
set its "contested" to true. Name no paper, author, year or link that the papers do not give; put no references, ids \
or links into the text itself. If the papers do not answer something the question asks, say what in "missing", one \
sentence, instead of filling it. Answer with one JSON object whose "sections" hold for every section its id, its \
sentences with their citations, and missing, all in the topic's language."""


def _batches(session: SummarySession, nodes: Sequence[str]) -> list[Sequence[str]]:
    """Leaves of one parent together, and some of the nodes that have facets."""
    children = {node: session.state.children(node) for node in nodes}
    inner = [node for node in nodes if children[node]]
    leaves: dict[str, list[str]] = {}
    for node in nodes:
        if not children[node]:
            leaves.setdefault(parent(node), []).append(node)
    batches = in_batches(inner, _INNER)
    for group in leaves.values():
        batches += in_batches(group, _LEAVES)
    return batches


async def _by_model(session: SummarySession, nodes: Sequence[str]) -> dict[str, NodeWritten] | None:
    shown = {node: _shown(session, node) for node in nodes}
    if not any(shown.values()):
        return {}
    answers = await ask_about(
        session,
        numbered(nodes, "s"),
        lambda asked: _prompt(session, asked, shown),
        Sections,
        lambda answer: answer.sections,
    )
    if answers is None:
        return None
    drafts = {node: Draft(section, shown[node], session.full_texts.pages) for node, section in answers.items()}
    await check_support(session, [(draft, place) for draft in drafts.values() for place in draft.standing])
    await check_support(session, await repair(session, drafts))
    written = {node: text_of_draft(session, node, draft) for node, draft in drafts.items()}
    return {node: text for node, text in written.items() if text}


def _shown(session: SummarySession, node: str) -> Shown:
    """The papers a section may cite, by their ids in the prompt: its own, then those that its parts cite."""
    state = session.state
    below = [cited.work for child in state.children(node) if child in state.written
             for sentence in state.written[child].sentences for cited in sentence.citations]  # fmt: skip
    own = works_of(state, node, session.options.papers)
    works = dict.fromkeys((*own, *map(state.findings.work, below)))
    return numbered(((work, session.paper(work)) for work in works), "p")


def _prompt(session: SummarySession, asked: Mapping[str, str], shown: Mapping[str, Shown]) -> Prompt:
    words = max(words_for(session.state, node) for node in asked.values())
    told = [_listed(session, name, node, shown[node]) for name, node in asked.items()]
    quotable = QUOTABLE if any("passages" in paper for section in told for paper in section["papers"]) else ""
    user = f"Topic:\n{session.topic}\n\n{quotable}Sections:\n{data(told)}"
    room = (words * 6 + 200) * len(asked)
    return Prompt("write", 4, _SYSTEM.format(words=words, tldr=TLDR), user, min(room, 8_000))


def _listed(session: SummarySession, name: str, node: str, shown: Shown) -> dict[str, Any]:
    state = session.state
    own = set(works_of(state, node, session.options.papers))
    ids = {work: paper_id for paper_id, (work, _) in shown.items()}
    written = [state.written[child] for child in state.children(node) if child in state.written]
    quotes: dict[int, list[str]] = {}
    for sentence in (sentence for child in written for sentence in child.sentences):
        for citation in sentence.citations:
            if citation.quote:
                quotes.setdefault(state.findings.work(citation.work), []).append(citation.quote)
    return {
        "id": name,
        "question": state.question(node),
        "aspects": [state.question(facet) for facet in belonging(state, node)],
        "summary": most_sentences(session.state, node) == TLDR,
        "papers": [
            {"id": paper_id, "title": paper.title[:300], "year": paper.year}
            | (text_of(paper, _ABSTRACT) if work in own or paper.about != paper.abstract else {})
            | (listed(session.passages(work, state.question(node))) if work in own else {})
            | ({"quotes": quotes[work][:_CHILD_QUOTES]} if work in quotes else {})
            for paper_id, (work, paper) in shown.items()
        ],
        "parts": [
            {
                "title": state.title(child.node),
                "text": " ".join(_with_ids(sentence, ids) for sentence in child.sentences),
            }
            for child in written
        ],
    }


def _with_ids(sentence: Sentence, ids: Mapping[WorkId, str]) -> str:
    cited = ", ".join(ids[citation.work] for citation in sentence.citations if citation.work in ids)
    return f"{sentence.text} ({cited})"
