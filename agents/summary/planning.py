"""Planning (ConTReGen §2.1): the facets of a node, from its question and the papers it retrieved."""

from collections.abc import Sequence

from pydantic import BaseModel

from agents.builtin.question_parsing.phrases import Aspect, aspects, topic_words
from agents.builtin.question_parsing.question import asks_much
from agents.builtin.summarizing.facets import clusters
from agents.builtin.text.remarks import remark
from agents.builtin.text.terms import terms
from agents.llm.prompt import Prompt, data
from agents.run.retrieval.queries import LONGEST_QUERY
from agents.run.step import in_batches, reason, text_of
from agents.summary.events import ROOT, Facet, FacetsPlanned
from agents.summary.relevance import candidates, covered, floor, to_the_topic
from agents.summary.session import SummarySession
from agents.summary.tree import level
from agents.summary.writing.sections import words_for
from connectors.records.clean import clean_text

LONGEST_TITLE = 80
ENOUGH = 6
"""Minimum number of papers found for a node for which facets are planned."""
PLANNED_WORDS = 400
"""Minimum number of words of a text for which a model plans facets."""
_PROMISE = 0.5
"""Share of the relevance floor that a facet's best paper must reach: the facet's own query may find better ones."""
_BESIDE = 0.4
"""Least share of the topic that papers must cover before rules divide it; it is lower if no paper is on the topic."""
_ABSTRACT = range(100, 501, 50)
"""Letters of an abstract in the prompt: as many of these as there is room for."""
LONG_QUERY = 8
"""Maximum number of words of a query for one thing that a long request asks for."""


async def plan(session: SummarySession, nodes: Sequence[str]) -> None:
    """Post the facets of the nodes without a plan. A model plans nodes with enough words and papers; rules plan the
    others, whose facets only find more papers for the text above them."""
    waiting = [node for node in nodes if node not in session.state.planned]
    if waiting and not session.control.stopping:
        by_model = [node for node in waiting if _is_for_the_model(session, node)]
        session.post(*(FacetsPlanned(node, _by_rule(session, node)) for node in waiting if node not in by_model))
        await reason(
            session,
            in_batches(by_model, 1),
            lambda batch: _by_model(session, *batch),
            lambda node: FacetsPlanned(node, _by_rule(session, node)),
        )


def _is_for_the_model(session: SummarySession, node: str) -> bool:
    if session.resources.model is None:
        return True  # rules plan if the model fails
    enough = node == ROOT or len(candidates(session, node)) >= ENOUGH
    return enough and words_for(session.state, node) >= PLANNED_WORDS


def _not_deeper(session: SummarySession, node: str) -> list[str]:
    """Return the facets planned up to the level of `node`; deeper ones depend on which plan is ready first."""
    return [facet for facet in session.state.facets if level(facet) <= level(node)]


# By rule


def _by_rule(session: SummarySession, node: str) -> tuple[Facet, ...]:
    """Return facets from phrases that the node's papers share, without phrases of the topic and of other facets.

    A topic that the papers do not cover is not divided.
    """
    if node == ROOT and covered(session) < _BESIDE:
        return ()
    relevance = to_the_topic(session, level(node))
    work_ids = [work for work in candidates(session, node) if work in relevance]
    if len(work_ids) < ENOUGH:
        return ()
    above = session.topic if node == ROOT else f"{session.topic} {session.state.query(node)}"
    earlier_facets = session.state.facets if session.resources.model is None else _not_deeper(session, node)
    titles = [session.state.title(facet) for facet in earlier_facets]
    papers = [session.paper(work) for work in work_ids]
    weights = [relevance[work] for work in work_ids]
    asked_for = _asked_for(session) if node == ROOT else []
    room, titles = session.options.branch - len(asked_for), [*titles, *(facet.title for facet in asked_for)]
    gathered = clusters(above, papers, weights, room, titles, _PROMISE * floor(session, relevance))
    start = topic_words(session.reading.topic) or session.reading.topic[:LONGEST_QUERY]
    label = session.state.title(node).lower() if node != ROOT else ""
    return tuple(asked_for) + tuple(
        Facet(
            _title(cluster.label),
            f"{cluster.label} in {session.topic}",
            " ".join(dict.fromkeys(f"{start} {label} {cluster.label} {' '.join(cluster.words)}".split()))[
                :LONGEST_QUERY
            ],
        )
        for cluster in gathered
    )


def _asked_for(session: SummarySession) -> list[Facet]:
    """Return a facet for each thing that a long request asks for; its papers share no phrase that says it as well."""
    if not asks_much(session.topic):
        return []
    aspects_by_name: dict[str, Aspect] = {}
    for aspect in aspects(session.topic, session.options.branch, LONG_QUERY):
        stems = {stem for name in aspects_by_name for stem in terms(name)}
        if name := next((name for name in aspect.names if 2 * len(stems & set(terms(name))) < len(terms(name))), ""):
            aspects_by_name[name] = aspect
    return [Facet(_title(name), aspect.clause, aspect.query) for name, aspect in aspects_by_name.items()]


def _title(label: str) -> str:
    return label[:1].upper() + label[1:]


# By the model


class PlannedFacet(BaseModel):
    """One sub-question."""

    title: str
    question: str
    query: str = ""


class Plan(BaseModel):
    """What the model is asked for; no facets where none are needed."""

    facets: list[PlannedFacet]


_SYSTEM = """\
You plan the outline of a literature review. Given its topic, one question of it and papers retrieved for that \
question, decide into which sub-questions it is best divided: at most {most}, each on one distinct facet that the \
question needs to be understood and that papers can answer, together covering it broadly, none too vague to be \
searched for, beside the topic, or repeating another, the question itself or a facet that stands elsewhere in the \
outline. If the question is so specific that it needs no further division, give none. Answer with one JSON object \
whose "facets" hold for each a title (a heading of 1 to 6 words), the question \
(one sentence), both in the topic's language, and a query (3 to 10 English words, rich in the terms of the field, that \
find papers on it by themselves, without the outline)."""


async def _by_model(session: SummarySession, node: str) -> dict[str, FacetsPlanned] | None:
    answer = await session.ask(_prompt(session, node), Plan)
    if answer is None:
        return None
    facets = [facet for planned in answer.facets if (facet := _facet(planned))]
    if facets and not session.in_its_language(". ".join(f"{facet.title}. {facet.question}" for facet in facets)):
        session.warn("The model planned in another language than the topic's, so built-in rules made the plan.")
        return {}
    return {node: FacetsPlanned(node, tuple(facets[: session.options.branch]), "model")}


def _facet(planned: PlannedFacet) -> Facet | None:
    """Return a facet from the model's answer; None if it has no title or no query."""
    title, question = remark(planned.title, LONGEST_TITLE), remark(planned.question, 400)
    query = clean_text(planned.query or planned.question, LONGEST_QUERY)
    has_text = all(any(map(str.isalnum, text)) for text in (title, query))
    return Facet(title, question or title, query) if has_text else None


def _prompt(session: SummarySession, node: str) -> Prompt:
    other_titles = [session.state.title(facet) for facet in _not_deeper(session, node) if facet != node]
    node_papers = [session.paper(work) for work in session.state.works(node)]

    def prompt(letters: int) -> Prompt:
        papers = [{"title": paper.title[:400], "year": paper.year, **text_of(paper, letters)} for paper in node_papers]
        user = (
            f"Topic:\n{session.topic}\n\nQuestion:\n{session.state.question(node)}\n\n"
            f"Facets elsewhere:\n{data(other_titles)}\n\n"
            f"Papers:\n{data(papers)}"
        )
        return Prompt("plan", 3, _SYSTEM.format(most=session.options.branch), user, 120 * session.options.branch + 200)

    return session.fitted(_ABSTRACT, words_for(session.state, node) / session.options.words, prompt)
