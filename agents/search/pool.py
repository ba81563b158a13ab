"""Assess the papers found so far with the built-in judge: the order in which to judge them, and the answer without a
model."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from agents.builtin.query_expansion import vocabulary
from agents.builtin.ranking.features import features
from agents.builtin.ranking.reasons import MET
from agents.builtin.ranking.relevance import DOUBTED, ENOUGH, Assessment, assess, probability_of, to_compare, weights
from agents.builtin.ranking.topic_coverage import coverage
from agents.builtin.text.languages import is_english, telling_words
from agents.builtin.text.terms import terms
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
from agents.run.retrieval.meaning import meanings_of, pool_of, told_of
from agents.run.retrieval.queries import within
from agents.search.events import PapersAssessed, QuestionUnderstood
from agents.search.question.matching import is_no_match
from agents.search.question.wanted import reading
from agents.search.session import Session
from agents.search.state import THRESHOLD, SearchState, is_relevant
from cache.conditions.filters import Filter, FilterTerm, asked, chosen, subject_of
from cache.conditions.venue_names import keys_of
from cache.conditions.wording import listed
from connectors.identifiers import parse_identifier
from connectors.opening import ClosedSource
from connectors.paper import Paper, WorkId
from connectors.query.dialects import translated
from connectors.query.expression import expression_of, has_operators
from connectors.query.expression import subject_words as words_of_subject
from connectors.records.matching import title_key
from connectors.source import Form, Preferred, Source


def admitted(papers: Mapping[WorkId, Paper], understood: QuestionUnderstood) -> tuple[dict[WorkId, Paper], list[str]]:
    """The works that meet every condition of the question.

    Dates are always insisted on. A venue, a number of citations, open access or an author that none of the papers can
    show is dropped, with a sentence of which papers were asked for what: a question misread must not end in an empty
    list.
    """
    left = {work: paper for work, paper in papers.items() if within(paper, understood.since, understood.until)}
    compared = ["on the topic", *(["within the dates"] if understood.since or understood.until else [])]
    dropped = []
    for term in conditions_of(understood).terms:
        meeting = dict(chosen(list(left.items()), Filter((term,)), lambda one: subject_of(one[1])))
        if meeting or not left:
            left = meeting
            compared.append(_said(term))
        else:
            dropped.append(f"No paper {listed(compared)} is {_said(term)}; showing papers without this condition.")
    return left, dropped


def conditions_of(understood: QuestionUnderstood) -> Filter:
    """Return the question's conditions on papers, except subject and dates, as a filter."""
    return asked(
        any_authors=understood.authors,
        venues=understood.all_venues,
        min_citations=understood.min_citations or None,
        open_access=understood.open_access or None,
    )


def preferred(understood: QuestionUnderstood) -> Preferred:
    """The conditions that a source can keep: what does not meet them is asked for too, for they may be dropped."""
    venues = frozenset[str]().union(*map(keys_of, understood.all_venues))
    return Preferred(tuple(sorted(venues)), understood.open_access, understood.min_citations or 0)


def insisted_on(understood: QuestionUnderstood, admitted: Sequence[Paper]) -> tuple[FilterTerm, ...]:
    """The question's conditions, except dates, that all papers `admitted` meet: the others were not insisted on."""
    return tuple(term for term in conditions_of(understood).terms if admitted and _all_meet(admitted, term))


def conditions_unmet(paper: Paper, understood: QuestionUnderstood, insisted: Sequence[FilterTerm]) -> list[str]:
    """The dates and the conditions `insisted` on, in words, that `paper` does not meet."""
    unmet = []
    if not within(paper, understood.since, understood.until):
        bounds = " ".join(limit for limit in understood.limits if limit.startswith(("since ", "until ")))
        unmet = [f"it is not {bounds}" if paper.date else f"it has no date, so it is not known to be {bounds}"]
    return unmet + [
        f"it is {term.row.opposite or f'not {_said(term)}'}"
        for term in insisted
        if not chosen([paper], Filter((term,)), subject_of)
    ]


def _all_meet(papers: Sequence[Paper], term: FilterTerm) -> bool:
    return len(chosen(papers, Filter((term,)), subject_of)) == len(papers)


def _said(term: FilterTerm) -> str:
    return term.row.phrase(term.values, "or")


async def retrieve(session: Session, round: int) -> None:
    """Ask what is planned for `round`; the fallback too if no live source has given a paper."""
    if not session.enter("retrieving", round):
        return
    if round == 1:
        asked = {*session.understood.sources, *dict(session.options.own_queries)}
        session.post(*left_out(session, session.question, asked, session.understood.by == "built-in"))
        _tell_what_is_not_taken(session)
    async with filling_abstracts(session, _asked_sources(session)) as refill:
        await _ask_all(session, round, _asked_sources(session), refill)
        unfound = not found_by_any(session.state, session.resources.live)
        if session.resources.fallback and unfound and not has_operators(session.question):
            if round == 1:
                session.warn(why_fallback(session.resources, session.state))
            await _ask_all(session, round, session.resources.fallback, refill)


def queries_of(state: SearchState, round: int) -> tuple[ReadQuery, ...]:
    """The queries of `round`: those that the question was read into, or those that evolved after the round before."""
    if round == 1:
        understood = state.understood
        assert understood is not None
        return understood.read_queries or tuple(map(ReadQuery, understood.queries))
    evolved = next((event.queries for event in state.evolved if event.round == round - 1), ())
    return tuple(ReadQuery(query.query, query.keywords) for query in evolved if query.chosen)


def _tell_what_is_not_taken(session: Session) -> None:
    """Say which sources do not take the whole expression, and what is done about it."""
    if expression_of(session.question) is None:
        return
    taken = {
        name: translated(name, session.question)
        for name, source in _asked_sources(session).items()
        if not isinstance(source, ClosedSource) and name not in dict(session.options.own_queries)
    }
    partly = [name for name, translation in taken.items() if translation.left and translation.text]
    if partly:
        session.warn(
            f"{listed(partly)} cannot take the whole query: spar leaves out those of their papers that surely do not "
            "match it. A paper without an abstract stays in."
        )


def _asked_sources(session: Session) -> dict[str, Source]:
    """This machine's sources and the chosen live ones; who has failed all along is left alone."""
    answering = session.answering
    own = dict(session.options.own_queries)
    names = (*session.resources.local, *session.understood.sources, *own)
    return {name: answering[name] for name in names if name in answering}


async def _ask_all(session: Session, round: int, sources: Mapping[str, Source], refill: AbstractRefill) -> None:
    already = {(plan.source, plan.query) for plan in session.state.planned}
    session.post(*(plan for plan in _plan(session, round, sources) if (plan.source, plan.query) not in already))
    planned = [plan for plan in session.state.planned if plan.source in sources and plan.round == round]
    understood = session.understood
    records = max(session.limits.records, session.options.limit)
    seconds = session.options.source_seconds
    bounds = QueryBounds(understood.since, understood.until, records, seconds, preferred(understood))
    await ask(session, planned, sources, bounds, refill)


def _plan(session: Session, round: int, sources: Mapping[str, Source]) -> list[QueryPlanned]:
    """Which source is asked which queries, the first ones first, and none in words that it was asked in before.

    A slow source gets as many as its rate lets through in half its time, and later a single one in each round. Where
    queries ask for needs, it first gets those that it was not asked, as many as before. For a watch the first round
    asks once more for what has appeared lately.
    """
    queries = queries_of(session.state, round)
    earlier = range(1, round) if session.understood.needs else ()
    left = [query for number in earlier for query in queries_of(session.state, number)]
    before = {(plan.source, plan.words.lower()) for plan in session.state.planned if plan.round < round}
    form: Form = "words" if expression_of(session.question) is None else "expression"
    own, appeared = dict(session.options.own_queries), dict(session.options.appeared)
    plan: list[QueryPlanned] = []
    for name in sources:
        if name in own:
            plan += [QueryPlanned(name, session.question, round, own[name], "verbatim")] if round == 1 else []
            continue
        since = appeared.get(name) if round == 1 else None
        gap = gap_of(name) * (2 if since else 1)
        by_words: dict[str, ReadQuery] = {}
        for query in (*left, *queries):
            by_words.setdefault(query.text_for(name).lower(), query)
        fresh = [query for words, query in by_words.items() if (name, words) not in before]
        behind = round == 1 or any(query in left for query in fresh)
        most = len(fresh) if gap < IN_TURN else 1 + behind * int(session.options.source_seconds / 2 / gap)
        for query in fresh[:most]:
            sent = query.text_for(name)
            plan.append(QueryPlanned(name, query.text, round, sent if sent != query.text else None, form))
            if since:
                plan.append(QueryPlanned(name, f"{query.text} (since {since})", round, sent, form, since))
    return plan


NAMED = 1.0
"""Probability that a paper named by the person is relevant."""


async def assessed(session: Session, but: Collection[int] = (), *, at_last: bool = False) -> dict[WorkId, Assessment]:
    """Assess every work within the person's bounds, post the assessments, and return them, best first.

    The assessment learns from all judgements except those of the works `but`. Set `at_last` to report bounds that no
    work meets: earlier, matching works may still arrive.
    """
    works, dropped = admitted(_on_topic(session), session.understood)
    for sentence in dropped if at_last else ():
        session.warn(sentence)
    called = session.state.called_relevant
    # What the person wants stands in the answer, whatever the question's conditions.
    works |= {work: session.state.found[work].paper for work in called if called[work] and work in session.state.found}
    works = {work: works[work] for work in sorted(works, key=lambda work: works[work].id)}
    found_by = {work: session.state.found[work].found_by for work in works}
    wanted = session.wanted
    pool = pool_of(session.question, works, found_by, _judged(session.state, but), wanted.words)
    subject = wanted.meaning or subject_words(session.question, session.started.today)
    rows = features(pool)
    assessments = assess(pool, subject, rows, alone=_alone(session))
    before = session.state
    if cosines := await meanings_of(session, wanted.words, works, to_compare(assessments)):
        if session.state is not before:  # what came meanwhile is not assessed yet
            return await assessed(session, but, at_last=at_last)
        assessments = assess(replace(pool, cosines=cosines), subject, rows)
    found = dict(zip(works, assessments, strict=True))
    if not wanted.meaning and not is_english(session.question):
        found = {work: _read(session.question, works[work], assessment) for work, assessment in found.items()}
    if _only_limits(session):
        found = {work: _met(assessment) for work, assessment in found.items()}
    for work in _named(session, works):
        found[work] = Assessment(NAMED, ("named", *found[work].top_features))
    found = dict(sorted(found.items(), key=lambda entry: (-entry[1].probability, works[entry[0]].id)))
    scores = tuple((work, assessment.relevance) for work, assessment in found.items())
    session.post(PapersAssessed(scores, len(cosines), told_of(session) if cosines else ""))
    return found


def _alone(session: Session) -> bool:
    """Whether only built-in reasoning has contributed so far. A model that never answers must not change the answer."""
    if session.resources.judge is not None:
        return False
    spoken = session.understood.by == "model" or any(
        judgement.by == "model" for judgement in session.state.judged.values()
    )
    return session.resources.model is None or not spoken


def subject_words(question: str, today: date) -> str:
    """Return the topic of `question` without its conditions. For a question in another language return its words: an
    English paper that shares one of them by chance does not answer it."""
    if (tree := expression_of(question)) is not None:
        return " ".join(words_of_subject(tree))
    return reading(question, today).topic if is_english(question) else telling_words(question)


def _only_limits(session: Session) -> bool:
    """Whether the question only has conditions, such as authors or a venue: then every paper that meets them answers
    it."""
    if (tree := expression_of(session.question)) is not None:
        return not words_of_subject(tree)
    asked = reading(session.question, session.started.today)
    return not session.wanted.meaning and not asked.subject and not asked.papers


def _met(assessment: Assessment) -> Assessment:
    """Return the assessment of a paper that meets all conditions: relevant, with the order among such papers kept."""
    keep = weights().keep
    return Assessment(keep + (1 - keep) * assessment.probability, (MET,))


def _read(question: str, paper: Paper, assessment: Assessment) -> Assessment:
    """Return the assessment for a question that is not in English: only the question's own words can support a
    paper."""
    if set(terms(telling_words(question))) & vocabulary(paper):
        return assessment
    return Assessment(0.9 * assessment.probability * weights().keep, (DOUBTED,))


def related_pool(state: SearchState) -> list[WorkId]:
    """Return the works within bounds that count as relevant, best first: SPAR's Related Pool."""
    relevant = [work for work in state.assessed if work in state.found and is_relevant(state.relevance(work))]
    return in_order(state, relevant)


def follow_up_works(session: Session) -> list[WorkId]:
    """Return the relevant works that are followed up, best first; without one, nothing is."""
    return found_by_sources(session, related_pool(session.state))


def found_by_sources(session: Session, works: Iterable[WorkId]) -> list[WorkId]:
    """Return `works` without those that only the starter shelf has: it shows them for want of anything else."""
    fallback, found = session.resources.fallback.keys(), session.state.found
    return [work for work in works if any(way.link or way.source not in fallback for way in found[work].found_by)]


def surely_relevant(state: SearchState) -> list[WorkId]:
    """Return the works within bounds that a judge called relevant, or that built-in reasoning considers more likely
    relevant than not. Built-in reasoning keeps less likely ones too; those are no reason to stop searching."""
    return [work for work in related_pool(state) if not _by_rule(state, work) or _likely(state, work)]


def _by_rule(state: SearchState, work: WorkId) -> bool:
    judgement = state.judgement(work)
    return judgement is None or judgement.by == "built-in"


def _likely(state: SearchState, work: WorkId) -> bool:
    return probability_of(state.relevance(work)) >= 0.5


def in_order(state: SearchState, works: Iterable[WorkId]) -> list[WorkId]:
    """Sort `works` by relevance, then by the built-in assessment, then by name."""
    return sorted(
        works, key=lambda work: (-state.relevance(work), -state.assessed.get(work, 0.0), state.found[work].paper.id)
    )


def _on_topic(session: Session) -> Mapping[WorkId, Paper]:
    """Return the works found for the question itself or by a link, and those that share a term with the question; of
    a question with operators those that may match it.

    Rules may refine a question into words that it never meant; a model may have translated it.
    """
    found = session.state.found
    if has_operators(session.question):
        return {
            work: candidate.paper for work, candidate in found.items() if not is_no_match(session.question, candidate)
        }
    if session.understood.by == "model":
        return session.papers
    asked = set(terms(session.question))
    return {
        work: found[work].paper
        for work in session.state.works
        if any(record.link or record.query == session.question for record in found[work].found_by)
        or asked & vocabulary(found[work].paper)
    }


def _judged(state: SearchState, but: Collection[int]) -> dict[WorkId, float]:
    """Return the scores given by a person or a model, without the model's for the works `but`."""
    judgements = {work: state.judgement(work) for work in (*state.judged, *state.feedback)}
    return {
        work: judgement.score
        for work, judgement in judgements.items()
        if judgement and (judgement.by == "person" or (judgement.by != "built-in" and work not in but))
    }


def _named(session: Session, works: Mapping[WorkId, Paper]) -> list[WorkId]:
    titles = {title_key(name) for name in session.understood.papers}
    names = {identifier for name in session.understood.papers if (identifier := parse_identifier(name))}
    return [work for work, paper in works.items() if title_key(paper.title) in titles or names & set(paper.identifiers)]


def judged_alone(state: SearchState) -> SearchState:
    """Return a finished search with the works that meet every condition of its question, each judged by itself.

    A search compares papers with each other, so its verdict on one depends on which sources answered. Here the label of
    a model counts, which saw the paper alone, or else the share of the question's words that the paper has, weighted by
    their rarity in science; `ENOUGH` of them is the threshold.
    """
    assert state.started
    assert state.understood
    subject = subject_words(state.started.question, state.started.today)
    conditions = conditions_of(state.understood)
    papers = {entry.work: state.found[entry.work].paper for entry in state.ranking}
    meeting = chosen(list(papers), conditions, lambda work: subject_of(papers[work]))
    relevance = {work: _relevance(state, work, papers[work], subject) for work in meeting}
    ranking = [
        replace(entry, score=relevance[entry.work], relevance=relevance[entry.work], why="")
        for entry in state.ranking
        if entry.work in relevance
    ]
    assessed = state.assessed
    for work, value in relevance.items():
        assessed = assessed.insert(work, value)
    ranking.sort(key=lambda entry: -entry.relevance)
    return replace(state, ranking=tuple(ranking), assessed=assessed)


def _relevance(state: SearchState, work: WorkId, paper: Paper, subject: str) -> float:
    judgement = state.judgement(work)
    if judgement and judgement.by != "built-in":
        return judgement.score
    share = coverage(subject, [paper])
    if share < ENOUGH:
        return round(THRESHOLD * share / ENOUGH, 6)
    return round(THRESHOLD + (1 - THRESHOLD) * (share - ENOUGH) / (1 - ENOUGH), 6)
