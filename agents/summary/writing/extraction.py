"""Write a node without a model: sentences of abstracts and pages (of spar's notes for papers without an abstract), each
with its paper, and a note of what is missing."""

from collections.abc import Collection, Mapping, Sequence
from math import inf

from agents.builtin.question_parsing.phrases import topic_words
from agents.builtin.ranking.topic_coverage import ENOUGH, TopicTerms
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from agents.evidence.clusters import clusters
from agents.evidence.extracts import Extract, TextPart, extracts, shared_out
from agents.summary.events import ROOT, Citation, NodeWritten, Sentence
from agents.summary.relevance import covered
from agents.summary.session import SummarySession
from agents.summary.tree import parent
from agents.summary.writing.sections import LEAST_WORDS, PAPER_WORDS, most_sentences, sections, words_for, works_of
from connectors.paper import Paper, WorkId

_SPEAKING = 0.5
_FULLEST = 2.0
"""Maximum number of words of a section, relative to equal shares for all."""


def extracted(session: SummarySession, node: str, sibling_texts: Collection[NodeWritten] = ()) -> NodeWritten:
    """Return the text of a node by rule: sentences of its papers that neither its facets nor `sibling_texts` have.
    The topic's own text warns if no paper found is about it."""
    state = session.state
    used_sentences = {
        sentence.text for text in (*state.written.values(), *sibling_texts) for sentence in text.sentences
    }
    node_extracts = (
        _shared_out(session)[node]
        if session.resources.model is None
        else _section_extracts(session, node, used_sentences)
    )
    used_letters = set(map(letters_of, used_sentences))
    node_extracts = [extract for extract in node_extracts if letters_of(extract.text) not in used_letters]
    sentences = _together(session, node_extracts)
    gap = _gap(session, node) if not sentences else _gap_beside(session, node_extracts) if node == ROOT else ""
    return NodeWritten(node, tuple(sentences), gap)


def _together(session: SummarySession, node_extracts: Sequence[Extract]) -> list[Sentence]:
    """Return the sentences in order, but with papers whose sentences share a subject next to each other."""
    groups = clusters([(extract.work, extract.text) for extract in node_extracts], session.topic)
    first = {work: group[0] for group in groups for work in group}
    blocks: dict[WorkId, list[Extract]] = {}
    for extract in node_extracts:
        blocks.setdefault(first.get(extract.work, extract.work), []).append(extract)
    return [
        Sentence(extract.text, (_citation(session.paper(extract.work), extract),), alike=extract.work != work)
        for work, block in blocks.items()
        for extract in block
    ]


def _shared_out(session: SummarySession) -> Mapping[str, Sequence[Extract]]:
    """Choose the sentences of all sections together: no sentence is repeated, and sections with the most to say of the
    topic get the most words."""
    if session.extract is None:
        state = session.state
        parts = {node: _part(session, node) for node in sections(state)}
        words = state.started.words if state.started else inf
        session.extract = shared_out(session.topic, parts, words, LEAST_WORDS)
    return session.extract


def _part(session: SummarySession, node: str) -> TextPart:
    state, papers = session.state, _speaking(session, node)
    text = f"{session.topic} {state.query(node)}"
    passages = {work: session.passages(work, text) for work in papers}
    room = _FULLEST * words_for(state, node) if node != ROOT else inf
    return TextPart(papers, state.title(node) if node != ROOT else "", room, most_sentences(state, node), passages)


def _section_extracts(session: SummarySession, node: str, used_sentences: Collection[str]) -> list[Extract]:
    """Choose the sentences of one section by rule, without the `used_sentences`."""
    part, question = _part(session, node), f"{session.topic} {session.state.query(node)}"
    words = min(words_for(session.state, node), PAPER_WORDS * len(part.papers))
    return extracts(question, part.papers, words, sorted(used_sentences), part.most, passages=part.passages)


def _citation(paper: Paper, extract: Extract) -> Citation:
    """Return the citation of a sentence; words of spar's note are not a quote of the paper."""
    of_paper = bool(paper.abstract or extract.page)
    return (
        Citation(extract.work, extract.text, page=extract.page)
        if of_paper
        else Citation(extract.work, "", extract.text)
    )


def _speaking(session: SummarySession, node: str) -> dict[WorkId, Paper]:
    """Return the papers of a node that speak of its heading, then those of other nodes that do, so that a facet has all
    papers on it in the tree.

    A model's heading may use words that no paper has; then all papers of the node count.
    """
    state, topic = session.state, session.topic
    papers = {work: session.paper(work) for work in works_of(state, node, session.options.papers)}
    if node == ROOT:
        return papers
    title = state.title(node)
    speaking = {work: paper for work, paper in papers.items() if speaks_of(title, topic, paper)}
    headed = state.planned[parent(node)].by == "model"
    other_papers = {work: session.paper(work) for work in state.works_below(ROOT) if work not in papers}
    # If the heading adds nothing to the topic, papers of other nodes must have the heading's words.
    beyond = _beyond(title, topic) or title
    return (speaking or (papers if headed else {})) | {
        work: excerpt for work, excerpt in other_papers.items() if _says(beyond, excerpt)
    }


def speaks_of(heading: str, topic: str, paper: Paper) -> bool:
    """Whether a paper has at least half of the words that the heading adds to the topic, weighted by rarity: a paper
    with "prompt" alone is not about "superposition prompting"."""
    return _says(_beyond(heading, topic), paper)


def _beyond(heading: str, topic: str) -> str:
    """Return the words of a heading that are not in the topic."""
    topic_terms = set(terms(topic))
    return " ".join(word for word in heading.split() if not topic_terms.issuperset(terms(word)))


def _says(words: str, paper: Paper) -> bool:
    return TopicTerms(words).coverage(frozenset(terms(f"{paper.title} {paper.about}"))) >= _SPEAKING


def _gap(session: SummarySession, node: str) -> str:
    """Return a note for a node whose papers say nothing, "" if its facets or other sections cover them."""
    state = session.state
    works = works_of(state, node, session.options.papers)
    if any(state.written[below].sentences for below in state.below(node) if below in state.written):
        return ""
    if not state.works_below(ROOT):
        return f"No relevant paper was found on {state.topic}. Use other words, or more sources."
    if not works:
        return f"The literature found does not say anything about {state.title(node)}."
    if set(state.cited) & set(works):
        return ""  # other sections quote these papers
    if not any(session.paper(work).abstract or session.full_texts.pages(session.paper(work)) for work in works):
        return (
            f"The literature found does not say more about {state.title(node)} than its titles: no abstract is known."
        )
    return f"The literature found does not say anything about {state.title(node)} that could be quoted."


def _gap_beside(session: SummarySession, node_extracts: Sequence[Extract]) -> str:
    """Return a warning if no paper found is about the topic, by its record and the quotes from its pages; else ""."""
    on_pages: dict[WorkId, str] = {}
    for extract in node_extracts:
        if extract.page:
            on_pages[extract.work] = f"{on_pages.get(extract.work, '')} {extract.text}"
    if covered(session, on_pages) >= ENOUGH:
        return ""
    words = ", ".join(f"“{word}”" for word in topic_words(session.reading.topic).split())
    return f"No paper found covers enough of the question{words and f' ({words})'}, so this may be off topic."
