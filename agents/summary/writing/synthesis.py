"""Write from the leaves up (ConTReGen §2.2): a leaf from its papers, a node above from its own papers and the texts of
its facets, and the root last."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from agents.evidence.choosing import evidence
from agents.evidence.clusters import clusters
from agents.llm.prompt import Prompt, data
from agents.run.step import ask_about, in_batches, numbered, reason
from agents.summary.events import ROOT, NodeWritten, Sentence
from agents.summary.options import USUAL_COLUMNS
from agents.summary.session import SummarySession, paper_item, papers_part
from agents.summary.state import SummaryState
from agents.summary.tree import level
from agents.summary.writing.checking import CopiedWords, Section, SectionDraft, Shown, text_of_draft
from agents.summary.writing.comparison import checked_row, columns_of
from agents.summary.writing.extraction import extracted
from agents.summary.writing.repair import repair
from agents.summary.writing.sections import PAPER_WORDS, TLDR, belonging, most_sentences, sections, words_for, works_of
from agents.summary.writing.support import check_support
from cache.passages import Passage
from connectors.paper import Paper, WorkId

_LEAVES = 4
"""Maximum number of leaves in one request to the model; each has about 8 papers."""
_OWN_BESIDE_PARTS = 4
"""Papers of its own in the topic's short text, besides those of its parts."""
_INNER = 3
_ABSTRACT = range(200, 2_001, 50)
"""Letters of an abstract in the prompt, and of a paper's passages: as many of these as there is room for."""


async def write(session: SummarySession) -> None:
    """Post the text of every section that lacks one, the parts of a section before it.

    Without a model the topic chooses its sentences first, because an extract does not build on the texts below.
    """
    model = session.resources.model is not None
    if not model and ROOT not in session.state.written:
        session.post(extracted(session, ROOT))
    while nodes := _ready(session):
        if model:
            await reason(
                session,
                _batches(session, nodes),
                lambda batch: _by_model(session, batch),
                lambda node: extracted(session, node),
            )
        for node in nodes:
            if node not in session.state.written:  # there is no model, or the time was up
                session.post(extracted(session, node))


def _ready(session: SummarySession) -> list[str]:
    """Return the unwritten sections whose parts are all written, in reading order."""
    texts = session.state.written
    parts = {node: _sections_below(session, node) for node in sections(session.state) if node not in texts}
    return [node for node, below in parts.items() if all(part in texts for part in below)]


def _sections_below(session: SummarySession, node: str) -> list[str]:
    section_nodes = set(sections(session.state))
    return [child for child in session.state.children(node) if child in section_nodes]


class Sections(BaseModel):
    """What the model is asked for."""

    sections: list[Section]


_SYSTEM = """\
You write sections of a literature review, each from the papers listed for it and nothing else. A section answers \
its question for the review's topic in plain prose of about as many words as its "words" says, and speaks to each of \
its aspects as far as its papers do. It brings papers together: at least a third of its sentences rest on two or \
more papers and say how these relate: where they agree, where a later one extends or corrects an earlier one, where \
they contradict each other. "groups" speak of the same thing: bring each together, and say what is shared before what \
sets them apart. Every sentence is understood alone: it begins with no "this", "such" or "it" that points to another \
one. For each paper that a sentence rests on name its id and copy at most 25 words exactly from its title or abstract \
that say what the sentence says of it. A sentence falls with any paper whose words do not stand there, and where the \
words copied for it, taken together, do not say all that it says: the same "not", direction, strength and people. A \
number must stand, with its unit, in the words copied for its sentence. Say it in your own words: eight words in a row \
as a paper has them stand in quotation marks. Name no paper, author, year or link that the papers do not give; put no \
references, ids or links into the text itself. What the question asks and the papers do not answer goes into \
"missing", as the words behind “The literature found does not say:”. Answer with one JSON object whose "sections" \
hold for every section its id, its sentences with their citations, and missing, all in the topic's language."""
_PARTS = """
A section that has parts relates them to each other: what they share, where they differ, what follows; it repeats no \
sentence of theirs. Behind each sentence of a part stand the years of its papers, and its id: what rests on it cites \
this id like a paper's, with an empty quote."""
_SUMMARY = """
The section that is a summary tells a reader in a hurry what was found: at most {tldr} sentences, each of at most 35 \
words."""
_CHOSEN = """
"columns" are up to three names, of one to three words each, for what the papers of a section are best compared in, \
such as {columns}."""
_ROWS = """
"rows" too hold for every paper that a section cites its id and its cells, one for each of the columns {columns}: the \
column's name, and as quote at most 25 words copied exactly from the paper that say what belongs there, empty if it \
does not say it."""


def _batches(session: SummarySession, nodes: Sequence[str]) -> list[Sequence[str]]:
    """Return batches of nodes with facets, and larger batches of leaves."""
    inner = [node for node in nodes if _sections_below(session, node)]
    return in_batches(inner, _INNER) + in_batches([node for node in nodes if node not in inner], _LEAVES)


async def _by_model(session: SummarySession, nodes: Sequence[str]) -> dict[str, NodeWritten] | None:
    citable, parts = _citable(session, nodes), _parts_by_id(session, nodes)
    if not any(citable.values()):
        return {}
    answers = await ask_about(
        session,
        numbered(nodes, "s", session.secret),
        lambda nodes_shown: _prompt(session, nodes_shown, citable, parts),
        Sections,
        lambda answer: answer.sections,
    )
    if answers is None:
        return None
    pages = session.full_texts.pages
    drafts = {node: SectionDraft(section, citable[node], pages, _quotes(parts[node], citable[node]))
              for node, section in answers.items()}  # fmt: skip
    await check_support(session, [(draft, index) for draft in drafts.values() for index in draft.standing])
    for draft in drafts.values():
        draft.relate()
    to_come = {level(node) for node in sections(session.state) if node not in {*session.state.written, *drafts}}
    await check_support(session, await repair(session, drafts, session.tokens_to_mend(len(to_come))))
    texts: dict[str, NodeWritten] = {}
    for node in nodes:
        text = text_of_draft(session, node, drafts[node]) if node in drafts else None
        if text:
            texts[node] = _with_rows(session, text, drafts[node])
    for node in nodes:
        if node not in texts:
            texts[node] = _fallen(session, node, drafts.get(node), texts.values())
    return texts


def _with_rows(session: SummarySession, text: NodeWritten, draft: SectionDraft) -> NodeWritten:
    """Return the text with the table rows of the papers that it cites."""
    works = {citation.work for sentence in text.sentences for citation in sentence.citations}
    rows_by_id = {row.id: row for row in draft.section.rows if session.options.table}
    columns = columns_of(session, draft.section.columns)
    rows = [checked_row(session, work, rows_by_id[name], columns) for name, (work, _) in draft.shown.items()
            if name in rows_by_id and work in works]  # fmt: skip
    return replace(text, rows=tuple(rows))


def _fallen(
    session: SummarySession, node: str, draft: SectionDraft | None, sibling_texts: Collection[NodeWritten]
) -> NodeWritten:
    """Return the extract that replaces a draft without a passing sentence, with the counts of what was lost, without
    sentences of the `sibling_texts`."""
    checked = draft.checked if draft else []
    lost_citations = sum(grounded.lost for grounded in checked)
    return replace(extracted(session, node, sibling_texts), cut=len(checked), lost=lost_citations)


def _citable(session: SummarySession, nodes: Sequence[str]) -> dict[str, Shown]:
    """Return the papers that each section may cite by id in the prompt: its own, then those that its parts cite."""
    works = {node: dict.fromkeys((*_own_works(session, node), *_cited_works(session, node))) for node in nodes}
    ids_by_name = numbered(dict.fromkeys(work for group in works.values() for work in group), "p", session.secret)
    ids = {work: name for name, work in ids_by_name.items()}
    return {node: {ids[work]: (work, session.paper(work)) for work in group} for node, group in works.items()}


def _parts_by_id(session: SummarySession, nodes: Sequence[str]) -> dict[str, Mapping[str, Sentence]]:
    """Return the sentences in the parts of each section by id in the prompt."""
    sentences = [
        (node, sentence) for node in nodes for part in _parts(session.state, node) for sentence in part.sentences
    ]
    parts = numbered(sentences, "t", session.secret)
    return {node: {name: sentence for name, (above, sentence) in parts.items() if above == node} for node in nodes}


def _quotes(parts: Mapping[str, Sentence], citable: Shown) -> dict[str, list[CopiedWords]]:
    """Return the citations of some sentences by id in the prompt."""
    ids = {work: name for name, (work, _) in citable.items()}
    return {name: [CopiedWords(paper=ids[cite.work], quote=cite.quote or cite.described)
                   for cite in sentence.citations if cite.work in ids] for name, sentence in parts.items()}  # fmt: skip


def _cited_works(session: SummarySession, node: str) -> dict[WorkId, None]:
    """Return the papers that the parts of a section cite."""
    state = session.state
    return dict.fromkeys(work for part in state.children(node) for work in state.cited_in(part))


def _parts(state: SummaryState, node: str) -> list[NodeWritten]:
    return [state.written[child] for child in state.children(node) if child in state.written]


def _own_works(session: SummarySession, node: str) -> Sequence[WorkId]:
    """Return the works that a section is written from, apart from those that its parts cite; works with a text
    first."""
    papers, state, cited_works = session.options.papers, session.state, _cited_works(session, node)
    short = most_sentences(state, node) == TLDR
    limit = _OWN_BESIDE_PARTS if short else max(papers // 2, words_for(state, node) // PAPER_WORDS)
    works = sorted(works_of(state, node, papers), key=lambda work: not _has_text(session, work))
    return [work for work in works[:limit] if work not in cited_works]


def _has_text(session: SummarySession, work: WorkId) -> bool:
    paper = session.paper(work)
    return bool(paper.about or session.full_texts.pages(paper))


def _prompt(
    session: SummarySession,
    nodes: Mapping[str, str],
    citable: Mapping[str, Shown],
    parts: Mapping[str, Mapping[str, Sentence]],
) -> Prompt:
    papers = _papers(session, list(nodes.values()), citable)
    items = [_section_item(session, name, node, citable[node], parts[node]) for name, node in nodes.items()]
    room = sum(6 * section["words"] + 200 for section in items)
    system = _SYSTEM
    if any(section["parts"] for section in items):
        system += _PARTS
    if any(section["summary"] for section in items):
        system += _SUMMARY.format(tldr=TLDR)
    elif session.options.table:
        columns = json.dumps(session.options.table, ensure_ascii=False)
        has_usual_columns = session.options.table == USUAL_COLUMNS
        system += _CHOSEN.format(columns=columns) if has_usual_columns else ""
        system += _ROWS.format(columns="that it has" if has_usual_columns else columns)

    def prompt(letters: int) -> Prompt:
        texts = [paper_item(name, paper, letters, passages) for name, (paper, passages) in papers.items()]
        user = f"Topic:\n{session.topic}\n\n{papers_part(texts)}\n\nSections:\n{data(items)}"
        return Prompt("write", 9, system, user, min(room, 8_000))

    part = sum(words_for(session.state, node) for node in nodes.values()) / session.options.words
    is_last = any(section["summary"] for section in items)
    return session.fitted(_ABSTRACT, part, prompt, last=is_last)


def _papers(
    session: SummarySession, nodes: Sequence[str], citable: Mapping[str, Shown]
) -> dict[str, tuple[Paper, Sequence[Passage]]]:
    """Return the papers of some sections by id in the prompt, without those that only their parts cite, with the
    passages nearest to the questions of these sections."""
    works_by_node = {node: _own_works(session, node) for node in nodes}
    every = {name: pair for node in nodes for name, pair in citable[node].items()}
    return {
        name: (paper, session.passages(work, question))
        for name, (work, paper) in every.items()
        if (question := " ".join(session.state.question(node) for node in nodes if work in works_by_node[node]))
    }


def _section_item(
    session: SummarySession, name: str, node: str, citable: Shown, parts: Mapping[str, Sentence]
) -> dict[str, Any]:
    state = session.state
    ids, own_works = {sentence: part_id for part_id, sentence in parts.items()}, _own_works(session, node)
    return {
        "id": name,
        "question": state.question(node),
        "aspects": list(
            dict.fromkeys(
                question.removesuffix(f" in {session.topic}")
                for facet in (node, *belonging(state, node))
                for question in state.asked_of(facet)
                if question != state.question(node)
            )
        ),
        "summary": most_sentences(session.state, node) == TLDR,
        "words": min(
            words_for(state, node), PAPER_WORDS * max(1, sum(_has_text(session, work) for work, _ in citable.values()))
        ),
        "papers": [paper_id for paper_id, (work, _) in citable.items() if work in own_works],
        "groups": _groups(session, node, citable, parts),
        "parts": [
            {
                "title": state.title(part.node),
                "text": " ".join(_with_id(session, sentence, ids) for sentence in part.sentences),
            }
            for part in _parts(state, node)
        ],
    }


def _groups(session: SummarySession, node: str, citable: Shown, parts: Mapping[str, Sentence]) -> list[list[str]]:
    """Group the papers of a section and the sentences of its parts that say similar things about its question, by id in
    the prompt."""
    question, own_works = session.state.question(node), _own_works(session, node)
    papers = {name: paper for name, (work, paper) in citable.items() if work in own_works}
    pieces = [(piece.paper, piece.text) for piece in evidence(question, papers, session.full_texts.pages)]
    return clusters([*pieces, *((name, sentence.text) for name, sentence in parts.items())], question)


def _with_id(session: SummarySession, sentence: Sentence, ids: Mapping[Sentence, str]) -> str:
    years = sorted({year for citation in sentence.citations if (year := session.paper(citation.work).year)})
    years_text = f" ({', '.join(map(str, years))})" if years else ""
    return f"{sentence.text}{years_text} ({ids[sentence]})"
