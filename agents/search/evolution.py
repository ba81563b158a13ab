"""New queries (SPAR §3.2 and A.2).

A model gets what is wanted, the results of the queries so far, and the needs that lack papers, and writes the next
queries. Without a model, the relevant papers give queries on alternative methods, applications and limitations.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel

from agents.builtin.query_expansion import Vocabulary, evolved_queries
from agents.builtin.question_parsing.phrases import topic_words
from agents.builtin.summarizing.facets import clusters
from agents.llm.prompt import Prompt, data
from agents.run.events import JudgedBy, ReadQuery
from agents.run.retrieval.queries import LONGEST_QUERY, different
from agents.search.events import EvolvedQuery, QueriesEvolved
from agents.search.pool import follow_up_works, in_order, related_pool
from agents.search.session import Session
from agents.search.state import is_relevant
from connectors.registry import SOURCES
from connectors.spec import QueryStyle

WORDS_FOR_SOURCES = """\
In each query semantic_scholar holds 2 to 6 technical and method terms, openalex 2 to 5 broader terms, pubmed MeSH \
headings, drugs and processes (empty if the subject is not biomedical)."""
"""Part of a prompt that describes the keywords for sources."""


class Refined(BaseModel):
    """A refined query as a sentence, and as keywords for the sources that match words."""

    query: str
    semantic_scholar: str = ""
    openalex: str = ""
    pubmed: str = ""


def query_of(refined: Refined) -> ReadQuery:
    """Return the query as it is sent: in one line, cut to `LONGEST_QUERY`."""
    return ReadQuery(" ".join(refined.query.split())[:LONGEST_QUERY], keywords_of(refined))


def keywords_of(refined: Refined) -> tuple[tuple[str, str], ...]:
    """Return the keywords of each source that has any, by its query style."""
    by_style: dict[QueryStyle, str] = {
        "technical terms": refined.semantic_scholar,
        "broad terms": refined.openalex,
        "subject headings": refined.pubmed,
    }
    keywords = ((name, by_style.get(spec.query_style, "")[:LONGEST_QUERY]) for name, spec in SOURCES.items())
    return tuple((name, words) for name, words in keywords if any(map(str.isalnum, words)))


FACETS = 4
"""Number of facets for which a search with `SearchOptions.asks_facets` sends queries."""
FACET_PAPERS = 60
"""Number of relevant papers, best first, in which facets are looked for."""


async def evolve(session: Session, round: int) -> None:
    """Post the next queries: those of the repeated run, those of the model, or a random few drawn from the best
    papers."""
    if not session.enter("evolving", round) or any(after.round == round for after in session.state.evolved):
        return
    if (later := session.options.later_queries) is not None:
        most = session.limits.evolved + FACETS
        session.post(QueriesEvolved(round, later[round - 1][:most] if round <= len(later) else ()))
        return
    facets = _facets(session) if session.options.asks_facets and round == 1 else []
    from_model = await _by_model(session, facets) if session.resources.model else None
    by: JudgedBy = "built-in" if from_model is None else "model"
    queries = _chosen(session, round, _by_rule(session), facets) if from_model is None else from_model
    session.post(QueriesEvolved(round, (*facets, *queries), by))


def _facets(session: Session) -> list[EvolvedQuery]:
    """Return a query for each facet of the best papers so far: ConTReGen's plan (§2.1) by rule, for a wider search."""
    works = follow_up_works(session)[:FACET_PAPERS]
    papers = [session.papers[work] for work in works]
    weights = [session.state.relevance(work) for work in works]
    words = session.wanted.words
    start = topic_words(words).split()
    work_of_query = {
        " ".join(dict.fromkeys([*start, *facet.label.split(), *facet.words]))[:LONGEST_QUERY]: works[facet.papers[0]]
        for facet in clusters(words, papers, weights, FACETS)
    }
    fresh = different(map(ReadQuery, work_of_query), session.understood.queries, FACETS)
    return [EvolvedQuery(query.text, "facet", work_of_query[query.text], True) for query in fresh]


def _chosen(
    session: Session, round: int, candidates: Sequence[EvolvedQuery], going_on: Sequence[EvolvedQuery]
) -> tuple[EvolvedQuery, ...]:
    """Return `candidates` without near-duplicates of earlier queries; the seeded random generator marks those to
    send."""
    earlier = [query for after in session.state.evolved for query in after.queries]
    queries = [*session.understood.queries, *(query.query for query in (*earlier, *going_on))]
    by_text = {query.query: query for query in candidates}
    choices = [by_text[query.text] for query in different(map(ReadQuery, by_text), queries, len(by_text))]
    going = session.chance("evolve", round).sample(range(len(choices)), min(session.limits.evolved, len(choices)))
    return tuple(replace(query, chosen=number in going) for number, query in enumerate(choices))


def _by_rule(session: Session) -> list[EvolvedQuery]:
    words, state = session.wanted.words, session.state
    relevant = follow_up_works(session)
    works = [*relevant, *(work for work in in_order(state) if work not in set(relevant))]
    papers = [session.papers[work] for work in works]
    field = Vocabulary(
        words, papers, [state.relevance(work) for work in relevant] + [0.0] * (len(works) - len(relevant))
    )
    earlier = [query.query for after in state.evolved for query in after.queries]
    return [
        EvolvedQuery(query[:LONGEST_QUERY], direction)
        for direction, query in evolved_queries(words, field, papers[: len(relevant)], earlier).items()
    ]


# By the model


class Evolution(BaseModel):
    """The requested answer of the model: the queries to send next, best first."""

    queries: list[Refined]


_SYSTEM = """\
You go on with a literature search for a researcher's question. Meaning says in one sentence what the question asks \
for, needs are the things that papers can offer, the most central first. You are told how many relevant papers are \
there for each need, and what each query so far has found and how many of that were relevant. \
Write up to {most} new queries, best first: for needs with few papers, and for words that the field uses and that no \
query has had; in the manner of queries that brought relevant papers, and not of those that brought none. None of them \
repeats an earlier one, and dates and venues never stand in them. If nothing is missing, write none. {words} Queries \
are in English. Answer with one JSON object."""


async def _by_model(session: Session, facets: Sequence[EvolvedQuery]) -> list[EvolvedQuery] | None:
    """Return the queries that the model writes, possibly none; None if it did not answer.

    The model sees no paper, and at most the phrases of papers that name facets.
    """
    answer = await session.ask(_prompt(session), Evolution)
    if answer is None:
        return None
    queries = [query for refined in answer.queries if any(map(str.isalnum, (query := query_of(refined)).text))]
    fresh = different(queries, [*_sent_queries(session), *(facet.query for facet in facets)], session.limits.evolved)
    return [EvolvedQuery(query.text, "need", None, True, query.keywords) for query in fresh]


def _prompt(session: Session) -> Prompt:
    intent, state = session.wanted, session.state
    related = related_pool(state)
    offered = [judgement.needs if (judgement := state.judged.get(work)) else () for work in related]
    relevant = {name: sum(need in needs for needs in offered) for need, name in enumerate(intent.need_ids, start=1)}
    counts = {"in all": len(related), **relevant}
    user = f"{intent.intro()}Relevant papers:\n{json.dumps(counts)}\n\nSearched already:\n{data(_brought(session))}"
    system = _SYSTEM.format(most=session.limits.evolved, words=WORDS_FOR_SOURCES)
    return Prompt("evolve", 5, system, user, 200 * session.limits.evolved + 200)


def _brought(session: Session) -> list[dict[str, object]]:
    """Return each query sent so far, with the number of papers found by it and the number of relevant ones."""
    state = session.state
    results = {query: [0, 0] for query in _sent_queries(session)}
    for work, candidate in state.found.items():
        for query in {finding.query for finding in candidate.found_by if not finding.link} & results.keys():
            results[query][0] += 1
            results[query][1] += is_relevant(state.relevance(work))
    return [{"query": query, "found": count, "relevant": relevant} for query, (count, relevant) in results.items()]


def _sent_queries(session: Session) -> list[str]:
    queries = (query.query for after in session.state.evolved for query in after.queries if query.chosen)
    return [*session.understood.queries, *queries]
