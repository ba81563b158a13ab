"""Two-step verification (ConTReGen §2.1): does the topic need a facet, and are the facet's papers relevant to the
topic? And merge facets that are the same, across the branches of the tree: by their queries, then by their papers."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel

from agents.builtin.question_parsing.question import asks_much
from agents.builtin.text.loose_words import loose_words
from agents.builtin.text.remarks import remark
from agents.builtin.text.terms import terms
from agents.evidence.choosing import best_quote
from agents.llm.prompt import Prompt, data
from agents.run.step import Ids, ask_about, in_batches, known_ids, numbered, reason
from agents.summary.events import ROOT, Check, FacetDropped, FacetsMerged, FacetVerified
from agents.summary.relevance import floor, to_the_topic
from agents.summary.session import SummarySession
from agents.summary.tree import in_order, level, parent
from agents.summary.writing.sections import sections
from connectors.paper import WorkId
from connectors.query.terms import cut_at_word

LEAST_RELEVANT = 2
"""Minimum number of papers relevant to the topic that a facet needs."""
_RELEVANT_BATCH = 7
_TITLE = 300
_LEAST_EXCERPT, _MORE_LETTERS = 100, 50
"""Letters of the title and the excerpt of a paper in the prompt: at least so many, so that they tell what it is about;
if there is room for all candidates, by so many more up to twice the title's limit."""

SAME = 0.8
"""Share of common terms from which two facets ask the same question, and of common papers from which two have the same
answer."""
Same = Callable[[SummarySession, str, str], str]
"""Returns why the second facet repeats the first, "" if it does not."""
Checked = FacetVerified | FacetDropped


def verify_needed(session: SummarySession, nodes: Sequence[str]) -> None:
    """Step one, by rule (a model plans no unneeded facets): drop nodes that the topic does not need, and merge equal
    ones."""
    session.post(*(_needed(session, node) for node in _unchecked(session, nodes, "needed")))
    merge(session, nodes, same_words)


async def verify_relevant(session: SummarySession, nodes: Sequence[str]) -> None:
    """Step two: drop nodes without papers relevant to the topic; the others keep those papers. The model checks facets
    with a section of their own, and the topic's own papers, which rules have already chosen by relevance. Facets that
    the sources were not asked for in time are not checked."""
    asking = session.resources.model is not None
    unchecked = [node for node in _unchecked(session, nodes, "relevant") if node in session.state.retrieved]
    waiting = [node for node in unchecked if asking or node != ROOT]
    relevance = to_the_topic(session, level(waiting[0])) if waiting else {}
    section_nodes = set(sections(session.state)) if asking and not session.control.stopping else set[str]()
    session.post(*(_relevant(session, node, relevance) for node in waiting if node not in section_nodes))
    if section_nodes:
        await reason(
            session,
            in_batches([node for node in waiting if node in section_nodes], _RELEVANT_BATCH),
            lambda batch: _relevant_by_model(session, batch),
            lambda node: _relevant(session, node, relevance),
        )
    merge(session, nodes, same_papers)


def _unchecked(session: SummarySession, nodes: Sequence[str], check: Check) -> list[str]:
    state = session.state
    return [node for node in nodes if (node, check) not in state.verified and not state.gone(node)]


# By rule


def _needed(session: SummarySession, node: str) -> Checked:
    """Check by rule whether the topic needs a facet: if a model planned it, its title adds a term to the topic, or the
    topic is a long request. The query already stands alone."""
    state = session.state
    new = set(terms(state.title(node))) - set(terms(session.topic))
    by = state.planned[parent(node)].by
    if not new and by != "model" and not asks_much(session.topic):
        return FacetDropped(node, "needed", "it only repeats the topic")
    return FacetVerified(node, "needed", state.query(node), by=by)


def _relevant(session: SummarySession, node: str, relevance: Mapping[WorkId, float]) -> Checked:
    """Keep the papers whose relevance to the topic reaches the floor; drop a facet with too few."""
    state = session.state
    least = floor(session, relevance)
    work_ids = state.retrieved.get(node, ())
    works = tuple(work for work in map(session.findings.work, work_ids) if relevance.get(work, 0.0) >= least)
    if len(works) < LEAST_RELEVANT and node != ROOT:
        reason = (
            f"{len(works)} of the {len(work_ids)} papers found for it are on the topic"
            if work_ids
            else "no paper was found"
        )
        return FacetDropped(node, "relevant", reason)
    return FacetVerified(node, "relevant", works=works[: session.options.papers])


# Merging


def merge(session: SummarySession, nodes: Sequence[str], same: Same) -> None:
    """Merge each of `nodes` into a facet planned before it that is the same."""
    for node in nodes:
        for facet in _before(session, node):
            if reason := same(session, facet, node):
                session.post(FacetsMerged(facet, node, reason))
                break


def _before(session: SummarySession, node: str) -> list[str]:
    """Return the facets planned before `node` that still stand, by level, without its parent.

    Later plans cannot change this list, so a resumed summary merges the same facets.
    """
    facets = [facet for facet in session.state.nodes if facet not in (ROOT, parent(node))]
    earlier = [facet for facet in facets if (level(facet), in_order(facet)) < (level(node), in_order(node))]
    return sorted(earlier, key=lambda facet: (level(facet), in_order(facet)))


def same_words(session: SummarySession, first: str, second: str) -> str:
    """Compare two facets by their queries."""
    words, second_words = (frozenset(terms(session.state.query(node))) for node in (first, second))
    is_same = len(words & second_words) >= SAME * len(words | second_words)
    return f"it asks for the same as {_title_in_quotes(session, first)}" if is_same else ""


def same_papers(session: SummarySession, first: str, second: str) -> str:
    """Compare two facets by the papers that each retrieved itself."""
    works, second_works = (frozenset(session.state.own_works(node)) for node in (first, second))
    is_same = bool(works) and len(works & second_works) >= SAME * len(works | second_works)
    return f"it found the same papers as {_title_in_quotes(session, first)}" if is_same else ""


def _title_in_quotes(session: SummarySession, node: str) -> str:
    """Return the title of a facet with that of the facet above it, if any, because two may have the same title."""
    title, above = session.state.title(node), parent(node)
    return f"“{title}”" if above == ROOT else f"“{title}” of “{session.state.title(above)}”"


# By the model


class FacetPapers(BaseModel):
    """Which of the papers found for a facet help to answer its question."""

    id: str
    relevant: Ids
    reason: str = ""


class Relevance(BaseModel):
    """What the model says of a batch of facets."""

    facets: list[FacetPapers]


_RELEVANT = """\
You choose the papers of a literature review. Given its topic, its facets and the papers found for them, decide for \
every facet which of its candidates help to answer the facet's own question within the topic, judging by the words \
of its title and of an excerpt, which you get in no order; a paper that is on the topic but says nothing on the \
facet's question does not. Answer with one JSON object \
whose "facets" hold for every facet its id, the ids of the relevant papers, the most helpful first, at most {most} \
(none if none helps), and a reason of a few words in the topic's language."""


async def _relevant_by_model(session: SummarySession, nodes: Sequence[str]) -> dict[str, Checked] | None:
    works_by_node = {node: session.state.works(node) for node in nodes}
    papers = numbered(dict.fromkeys(work for works in works_by_node.values() for work in works), "p", session.secret)
    answers = await ask_about(
        session,
        numbered(nodes, "f", session.secret),
        lambda facets: _relevant_prompt(session, facets, works_by_node, papers),
        Relevance,
        lambda answer: answer.facets,
    )
    if answers is None:
        return None
    return {node: _verification(session, node, answer, works_by_node[node], papers) for node, answer in answers.items()}


def _relevant_prompt(
    session: SummarySession,
    facets: Mapping[str, str],
    works_by_node: Mapping[str, Sequence[WorkId]],
    papers: Mapping[str, WorkId],
) -> Prompt:
    ids = {work: name for name, work in papers.items()}
    questions = {
        work: f"{session.topic} {session.state.query(node)}" for node in facets.values() for work in works_by_node[node]
    }
    records = {name: (session.paper(work), questions[work]) for name, work in papers.items() if work in questions}
    words = {name: (paper.title[:_TITLE], best_quote(question, paper.title, paper.about))
             for name, (paper, question) in records.items()}  # fmt: skip
    limit, most = session.options.papers, max(map(len, works_by_node.values()))

    def prompt(room: int) -> Prompt:
        letters = _LEAST_EXCERPT + _MORE_LETTERS * max(0, room - most)
        shown_ids = {node: [ids[work] for work in works_by_node[node][:room]] for node in facets.values()}
        names = dict.fromkeys(name for node in facets.values() for name in shown_ids[node])
        items = [
            {"id": name, "question": session.state.question(node), "candidates": shown_ids[node]}
            for name, node in facets.items()
        ]
        candidates = [_excerpt(session, name, *words[name], letters) for name in names]
        user = f"Topic:\n{session.topic}\n\nPapers:\n{data(candidates)}\n\nFacets:\n{data(items)}"
        return Prompt("relevant", 4, _RELEVANT.format(most=limit), user, (80 + 8 * limit) * len(facets) + 200)

    rooms = range(min(limit, most), most + (2 * _TITLE - _LEAST_EXCERPT) // _MORE_LETTERS + 1)
    return session.fitted(rooms, len(facets) / len(sections(session.state)), prompt)


def _excerpt(session: SummarySession, name: str, title: str, quote: str, letters: int) -> dict[str, str]:
    """Return a paper as loose words, each once, so that its text cannot speak of the others."""
    title = loose_words(cut_at_word(title, letters), session.secret)
    excerpt = loose_words(cut_at_word(quote, max(0, letters - len(title))), session.secret, title.split())
    return {"id": name, "title": title} | ({"excerpt": excerpt} if excerpt else {})


def _verification(
    session: SummarySession, node: str, answer: FacetPapers, candidates: Sequence[WorkId], papers: Mapping[str, WorkId]
) -> Checked:
    """Return the facet with the papers that the model chose from those `candidates`, in its order."""
    relevant = [papers[name] for name in known_ids(answer.relevant, papers.keys())]
    works = [work for work in relevant if work in candidates]
    if not works and node != ROOT:
        why = remark(answer.reason, 200, papers.keys()) or "no paper found for it answers its question"
        return FacetDropped(node, "relevant", why, "model")
    return FacetVerified(node, "relevant", works=tuple(works[: session.options.papers]), by="model")
