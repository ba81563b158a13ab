"""Ask the chosen sources (SPAR §3.2): all queries of a round at once, each with its own deadline; results are merged as
they arrive."""

from collections.abc import Mapping

from agents.run.events import QueryPlanned, ReadQuery
from agents.run.retrieval.fetching import (
    IN_TURN,
    AbstractRefill,
    QueryBounds,
    ask,
    filling_abstracts,
    found_by_any,
    gap_of,
    left_out,
    why_fallback,
)
from agents.search.filters import preferred
from agents.search.pool import assessing_meanwhile
from agents.search.session import Session
from agents.search.state import SearchState
from cache.conditions.wording import listed
from connectors.identifiers import sole_identifier
from connectors.opening import ClosedSource
from connectors.query.dialects import translated
from connectors.query.expression import expression_of, has_operators
from connectors.source import Form, Source


async def retrieve(session: Session, round: int) -> None:
    """Ask the sources the queries of `round`; ask the fallback too if no live source has found a paper."""
    if not session.enter("retrieving", round):
        return
    if round == 1:
        names = {*session.understood.sources, *dict(session.options.own_queries)}
        session.post(*left_out(session, session.question, names, session.understood.by == "built-in"))
        _tell_what_is_not_taken(session)
    async with filling_abstracts(session, _asked_sources(session)) as refill, assessing_meanwhile(session):
        await _ask_all(session, round, _asked_sources(session), refill)
        if sole_identifier(session.question) and not session.state.found:
            await _ask_all(session, round, session.resources.registries, refill)
        unfound = not session.control.stopping and not found_by_any(session.state, session.resources.live)
        if session.resources.fallback and unfound and not has_operators(session.question):
            if round == 1:
                session.warn(why_fallback(session.resources, session.state))
            await _ask_all(session, round, session.resources.fallback, refill)


def queries_of(state: SearchState, round: int) -> tuple[ReadQuery, ...]:
    """Return the queries of `round`: those of the interpreted question, or those evolved after the round before."""
    if round == 1:
        interpretation = state.understood
        assert interpretation is not None
        return interpretation.read_queries or tuple(map(ReadQuery, interpretation.queries))
    evolved = next((event.queries for event in state.evolved if event.round == round - 1), ())
    return tuple(ReadQuery(query.query, query.keywords) for query in evolved if query.chosen)


def _tell_what_is_not_taken(session: Session) -> None:
    """Warn which sources cannot take the whole expression."""
    if expression_of(session.question) is None:
        return
    translations = {
        name: translated(name, session.question)
        for name, source in _asked_sources(session).items()
        if not isinstance(source, ClosedSource) and name not in dict(session.options.own_queries)
    }
    partly = [name for name, translation in translations.items() if translation.left and translation.text]
    if partly:
        session.warn(
            f"{listed(partly)} cannot search for the whole query, so spar removes their papers that certainly do not "
            "match. Papers without an abstract stay."
        )


def _asked_sources(session: Session) -> dict[str, Source]:
    """Return this machine's sources and the chosen live ones, without those that have failed all along."""
    answering = session.answering
    own = dict(session.options.own_queries)
    names = (*session.resources.local, *session.understood.sources, *own)
    sources = {name: answering[name] for name in names if name in answering}
    name = sole_identifier(session.question)
    return {source: sources[source] for source in sources if name is None or sources[source].looks_up(name)}


async def _ask_all(session: Session, round: int, sources: Mapping[str, Source], refill: AbstractRefill) -> None:
    already = {(plan.source, plan.query) for plan in session.state.planned}
    session.post(*(plan for plan in _plan(session, round, sources) if (plan.source, plan.query) not in already))
    planned = [plan for plan in session.state.planned if plan.source in sources and plan.round == round]
    interpretation = session.understood
    records = max(session.limits.records, session.options.limit)
    seconds = session.options.source_seconds
    bounds = QueryBounds(interpretation.since, interpretation.until, records, seconds, preferred(interpretation))
    await ask(session, planned, sources, bounds, refill)


def _plan(session: Session, round: int, sources: Mapping[str, Source]) -> list[QueryPlanned]:
    """Plan the queries of each source in order, without repeating any words sent to it before.

    A slow source gets as many as its rate limit allows in half its time, and a single one in each later round. If
    queries ask for needs, those that it missed in earlier rounds come first, again as many. For a watch, the first
    round also asks for recent papers.
    """
    queries = queries_of(session.state, round)
    earlier = range(1, round) if session.understood.needs else ()
    earlier_queries = [query for number in earlier for query in queries_of(session.state, number)]
    before = {(plan.source, plan.words.lower()) for plan in session.state.planned if plan.round < round}
    form: Form = "words" if expression_of(session.question) is None else "expression"
    form = "name" if sole_identifier(session.question) else form
    own, appeared = dict(session.options.own_queries), dict(session.options.appeared)
    plan: list[QueryPlanned] = []
    for name in sources:
        if name in own:
            plan += [QueryPlanned(name, session.question, round, own[name], "verbatim")] if round == 1 else []
            continue
        since = appeared.get(name) if round == 1 else None
        gap = gap_of(name) * (2 if since else 1)
        by_words: dict[str, ReadQuery] = {}
        for query in (*earlier_queries, *queries):
            by_words.setdefault(query.text_for(name).lower(), query)
        fresh = [query for words, query in by_words.items() if (name, words) not in before]
        behind = round == 1 or any(query in earlier_queries for query in fresh)
        most = len(fresh) if gap < IN_TURN else 1 + behind * int(session.options.source_seconds / 2 / gap)
        for query in fresh[:most]:
            text = query.text_for(name)
            plan.append(QueryPlanned(name, query.text, round, text if text != query.text else None, form))
            if since:
                plan.append(QueryPlanned(name, f"{query.text} (since {since})", round, text, form, since))
    return plan
