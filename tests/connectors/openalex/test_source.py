"""OpenAlex: its replies become papers or named failures, and its requests are what the service takes."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import (
    BadQuery,
    BadResponse,
    NotFound,
    QuotaExhausted,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.responses import HttpReply
from connectors.http.secret import Secret
from connectors.identifiers import Identifier, doi, openalex, pmid
from connectors.openalex.source import OpenAlex, batch_target, batches, error_of, search_target, single_target
from connectors.openalex.work import abstract_of, read_list, read_people, read_person, read_work
from connectors.paper import Imprint, Paper
from connectors.person import PersonId
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.http.wired import wired
from tests.connectors.openalex.fixtures import read
from tests.rows import each
from tests.services import Fault, Services, Terms

Result = TypeVar("Result")
KEY = Secret("oa-good-key")
GIVEN_WORK = re.compile(r"https://openalex\.org/W\d+")


def ask(
    services: Services, folder: Path, question: Callable[[OpenAlex], Awaitable[Result]], key: Secret | None = None
) -> Result:
    async def run() -> Result:
        async with wired("openalex", services.url("openalex"), error_of, folder, [key] if key else []) as http:
            return await question(OpenAlex(http, key))

    return asyncio.run(run())


def works_in(parsed: Any) -> list[dict[str, Any]]:
    found = parsed.get("results", [parsed]) if isinstance(parsed, dict) else []
    return [
        work for work in found if GIVEN_WORK.fullmatch(str(work.get("id"))) or (work.get("doi") and "id" not in work)
    ]


# Recorded replies


@recordings.each("openalex")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Works become as many papers as there are; errors and other kinds of records are refused, never shown as none."""
    body = recordings.body(row)
    found = recordings.outcome(read, row, body)
    parsed = json.loads(body) if body.startswith(b"{") else {}
    if isinstance(found, SourceError):
        assert row["status"] >= 400 or (isinstance(found, BadResponse) and not works_in(parsed))
    else:
        assert row["status"] == 200
        assert len(found) == len(works_in(parsed))
        assert found or parsed["meta"]["count"] == 0


@recordings.each("openalex")
def test_facts_of_recorded_works_survive(row: recordings.Row) -> None:
    """Identifier, authors, count, references, year, retraction and the length of the abstract are the record's own."""
    if row["status"] != 200:
        return
    for work in works_in(json.loads(recordings.body(row))):
        paper = read_work(work)
        assert paper is not None
        if "id" in work:
            assert paper.identifier("openalex") == work["id"].rsplit("/", 1)[1]
        if work.get("doi"):
            assert (paper.identifier("doi") or "") == work["doi"].removeprefix("https://doi.org/").lower()
        assert paper.citation_count == work.get("cited_by_count")
        assert len(paper.references) == len(work.get("referenced_works", []))
        assert len(paper.authors) == len(work.get("authorships", []))
        assert paper.year == work.get("publication_year")
        assert paper.retracted is bool(work.get("is_retracted"))
        assert bool(paper.abstract) is bool(work.get("abstract_inverted_index"))


@recordings.each("openalex")
def test_an_abstract_has_a_word_for_every_position(row: recordings.Row) -> None:
    """A word that occurs five times in an abstract occurs five times in what the person reads."""
    if row["status"] != 200:
        return
    for work in works_in(json.loads(recordings.body(row))):
        index = work.get("abstract_inverted_index") or {}
        positions = [(place, word) for word, places in index.items() for place in places]
        text = " ".join(word for _, word in sorted(positions))
        assert abstract_of(index) == text
        assert len([word for _, word in positions]) == sum(map(len, index.values()))
        assert len(abstract_of(index).split(" ")) == max(1, sum(len(word.split(" ")) for _, word in positions))


@each(
    ("index", "text"),
    [
        ({"b": [1], "a": [0, 2]}, "a b a"),
        ({"b": [4], "a": [0]}, "a b"),
        ({"a": [0], "b": [0]}, "a b"),
        ({"a": [0], "b": [1, "2"], "c": 3, "d": None, "e": "45", "f": [1.5], "g": [[6]], "h": {"7": 1}}, "a b"),
        ({}, ""),
        (["a"], ""),
    ],
)
def test_an_inverted_index_is_read_whatever_stands_in_it(index: object, text: str) -> None:
    assert abstract_of(index) == text


@given(st.dictionaries(st.text(min_size=1), st.lists(st.integers(0, 12), max_size=4), max_size=6))
def test_the_words_of_an_inverted_index_stand_in_the_order_of_their_places(index: dict[str, list[int]]) -> None:
    """Also where places are left out, or two words share one."""
    placed = sorted(((place, word) for word, places in index.items() for place in places), key=lambda pair: pair[0])
    assert abstract_of(index) == " ".join(word for _, word in placed)


def test_a_famous_work_is_told_as_recorded() -> None:
    """The paper on the state of open access: names, ORCID, venue, date, identifiers, language."""
    row, _ = recordings.recording("openalex", "papers__work")
    [paper] = read(row, recordings.body(row))
    assert paper.title.startswith("The state of OA: a large-scale analysis")
    assert (paper.authors[0].given, paper.authors[0].family) == ("Heather", "Piwowar")
    assert paper.authors[0].orcid == "0000-0003-1613-5981"
    assert (paper.venue, paper.date, paper.language) == ("PeerJ", "2018-02-13", "en")
    assert paper.identifier("doi") == "10.7717/peerj.4375"
    assert paper.identifier("pmid") == "29456894"
    assert paper.citation_count == 1149


def test_a_famous_work_has_its_volume_and_article_number() -> None:
    row, _ = recordings.recording("openalex", "papers__work")
    [paper] = read(row, recordings.body(row))
    assert paper.imprint == Imprint("6", "", "e4375", "PeerJ, Inc.")


def test_a_famous_work_has_its_keywords_and_its_primary_topic() -> None:
    row, recorded = recordings.recording("openalex", "papers__work")
    [paper] = read(row, recordings.body(row))
    assert paper.keywords[:3] == ("Citation", "License", "Scholarly communication")
    assert paper.keywords[-1] == "scientometrics and bibliometrics research"
    assert len(paper.keywords) == len(recorded["keywords"]) + 1


def test_a_repository_is_no_publisher() -> None:
    """The university that runs a repository did not publish what lies there."""
    source = {"display_name": "Place", "host_organization_name": "University", "type": "journal"}
    work = {"id": "https://openalex.org/W1", "title": "T", "doi": "10.1000/x", "type": "article"}
    told = [
        read_work({**work, "primary_location": {"source": {**source, "type": kind}}})
        for kind in ("journal", "repository")
    ]
    assert [one.imprint.publisher for one in told if one] == ["University", ""]


def test_types_are_told_in_the_words_of_bibliographies() -> None:
    """A dissertation is a thesis, a book chapter a chapter, and an article in proceedings a conference paper."""
    work = {"id": "https://openalex.org/W1", "title": "T"}
    told = {name: read_work({**work, "type": name}) for name in ("dissertation", "book-chapter", "review", "paratext")}
    assert [paper.type for paper in told.values() if paper] == ["thesis", "chapter", "review", "other"]
    proceedings = read_work({**work, "type": "article", "primary_location": {"raw_type": "proceedings-article"}})
    assert proceedings is not None
    assert proceedings.type == "conference-paper"


def test_an_arxiv_location_gives_the_arxiv_id() -> None:
    location = {"landing_page_url": "http://arxiv.org/abs/1706.03762v5", "pdf_url": "https://arxiv.org/pdf/1706.03762"}
    paper = read_work({"id": "https://openalex.org/W7", "title": "T", "best_oa_location": location})
    assert paper is not None
    assert paper.identifier("arxiv") == "1706.03762"
    assert paper.pdf == "https://arxiv.org/pdf/1706.03762"


def test_an_empty_list_is_believed_only_with_a_zero() -> None:
    """A list without results is "nothing found" when the service says zero, and a damaged reply otherwise."""
    assert read_list({"meta": {"count": 0}, "results": []}).papers == ()
    bodies: list[Any] = [
        {"meta": {"count": 3}, "results": []},
        {"meta": {}, "results": []},
        {"results": None},
        {},
        [],
        None,
    ]
    for body in bodies:
        with pytest.raises(BadResponse):
            read_list(body)


# Hostile replies


@given(data=st.data())
def test_no_damage_to_a_reply_crashes_the_reader(data: st.DataObject) -> None:
    """Whatever is null, missing or of the wrong type, the outcome is papers or a named failure."""
    part = data.draw(st.sampled_from(["papers__work", "title_search_paper_attributes2", "random_id_from_openalex__1"]))
    row, parsed = recordings.recording("openalex", part)
    for _ in range(data.draw(st.integers(1, 4))):
        parsed = recordings.damaged(data.draw, parsed)
    assert recordings.is_sound(recordings.outcome(read, row, json.dumps(parsed).encode()))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(work=st.dictionaries(st.sampled_from("doi title ids type authorships primary_location language".split()), JSON))
def test_any_json_in_any_field_is_survived(work: dict[str, Any]) -> None:
    paper = read_work({"id": "https://openalex.org/W1", **work})
    assert paper is not None
    assert paper.title


# Requests


def test_a_door_is_opened_without_its_client_library() -> None:
    """The libraries take a tenth of a second each to import, and are read when a request is built."""
    script = (
        "import sys, connectors.openalex.source, connectors.semantic_scholar.source, connectors.google.source\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"pyalex", "requests", "semanticscholar"} & set(run.stdout.split())


REFUSED = re.compile(r"[?*|]|(^|\s)!")


@given(text=st.text(max_size=300) | st.text('ab ?*|!"()AND OR NOT', max_size=2_000))
def test_a_query_never_holds_what_the_service_refuses(text: str) -> None:
    """No wildcard, pipe, leading `!`, lone quote, capital operator, nor more than 1500 characters is ever sent."""
    try:
        target = search_target(Query(text))
    except BadQuery:
        return
    [sent] = parse_qs(urlsplit(target).query)["search"]
    assert not REFUSED.search(sent)
    assert not re.search(r"\b(AND|OR|NOT)\b", sent)
    assert sent.count('"') % 2 == 0
    assert 0 < len(sent) <= 1500
    assert target.isascii()


def test_a_question_keeps_its_words_and_phrases() -> None:
    target = search_target(Query('does "sleep loss" AND coffee: reduce C++ recall?'))
    assert parse_qs(urlsplit(target).query)["search"] == ['does "sleep loss" and coffee: reduce C++ recall']


@each("text", ["", "  ", "???", '"', "!|*"])
def test_a_question_without_words_is_refused_before_it_is_paid_for(text: str) -> None:
    with pytest.raises(BadQuery):
        search_target(Query(text))


def test_dates_are_bounds_of_the_publication_date() -> None:
    target = search_target(Query("x", since=date(2020, 1, 1), until=date(2024, 12, 31)))
    assert "filter=from_publication_date:2020-01-01,to_publication_date:2024-12-31&" in f"{target}&"


def test_a_single_lookup_is_the_free_kind() -> None:
    """The colon after `doi` stays a colon: percent-encoded it would be billed."""
    name = doi("10.1002/(SICI)1099-0496(199901)27:1<1::AID-PPUL1>3.0.CO;2-#")
    assert name is not None
    path = single_target(name).split("?")[0]
    assert path == "/works/doi:10.1002/(sici)1099-0496(199901)27:1%3C1::aid-ppul1%3E3.0.co;2-%23"


@given(numbers=st.lists(st.integers(1, 10**12), min_size=1, max_size=350, unique=True), long=st.booleans())
def test_batches_stay_within_what_one_request_may_hold(numbers: list[int], long: bool) -> None:
    """No batch has over 100 names or makes a request line over 4 KB, and no name is lost."""
    names = [Identifier("doi", f"10.5555/{'ü(a),b;' * 20 * long}{number}") for number in numbers]
    parts = list(batches(names))
    assert [name for part in parts for name in part] == names
    for part in parts:
        assert len(part) <= 100
        assert len(batch_target(part)) < 4_000
        assert batch_target(part).count("|") == len(part) - 1


# Faults


def reply(status: int, body: object, **headers: str) -> HttpReply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpReply(status, httpx.Headers(named), json.dumps(body).encode())


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("429_budget", QuotaExhausted),
        ("429_per_second", RateLimited),
        ("429_premium_filter", BadQuery),
        ("504_query_timeout", BadQuery),
        ("400_wildcard", BadQuery),
        ("not-in-openalex", NotFound),
    ],
)
def test_each_recorded_refusal_has_its_own_meaning(part: str, kind: type[SourceError]) -> None:
    if not recordings.rows("openalex"):
        pytest.skip("the recorded replies (../shared/fixtures) are not here")
    [row] = [row for row in recordings.rows("openalex") if part in row["file"]]
    with pytest.raises(kind) as raised:
        read(row, recordings.body(row))
    assert "<" not in raised.value.sentence


def test_a_spent_budget_names_the_moment_it_comes_back() -> None:
    fault = error_of(
        reply(429, {"error": "Rate limit exceeded", "message": "Insufficient budget."}, retry_after="7200")
    )
    assert isinstance(fault, QuotaExhausted)
    assert fault.until is not None
    assert timedelta(hours=1.9) < fault.until - datetime.now(UTC) <= timedelta(hours=2)
    assert "OPENALEX_API_KEY" in fault.sentence


def test_a_broad_boolean_query_may_be_asked_again() -> None:
    fault = error_of(reply(429, {"error": "x", "message": "y", "reason": "broad_boolean_query"}, retry_after="1"))
    assert isinstance(fault, RateLimited)


def test_shed_searches_do_not_close_the_whole_service() -> None:
    """503 with a Retry-After may concern keyless searches only: identifiers can still be asked for."""
    fault = error_of(reply(503, {"error": "Service unavailable", "message": "paused"}, retry_after="300"))
    assert isinstance(fault, SourceUnavailable)
    assert fault.until is None


# Against the stand-in, over HTTP


def test_search_finds_papers_within_the_dates(services: Services, tmp_path: Path) -> None:
    query = Query("dense retrieval?", date(2019, 1, 1), date(2022, 12, 31), limit=10)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert answer.papers
    assert all("2019" <= (paper.date or "") < "2023" for paper in answer.papers)
    assert answer.total is not None
    assert answer.total >= len(answer.papers)
    assert services.violations == []
    assert [request.target for request in services.log] == list(answer.sent)


def test_more_than_a_page_is_walked_by_cursor(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("changes", limit=105)))
    assert len(answer.papers) == min(105, answer.total or 0) > 100
    assert len(services.log) == 2
    assert services.violations == []


def test_a_later_page_that_fails_makes_the_answer_partial(services: Services, tmp_path: Path) -> None:
    """What came before the failure is kept and the answer says that it is cut short."""
    services.add_fault(Fault("500", service="openalex", nth=2))
    answer = ask(services, tmp_path, lambda source: source.search(Query("changes", limit=150)))
    assert len(answer.papers) == 100
    assert answer.partial
    assert "cut short after 100 papers" in answer.notes[-1]


def test_every_published_work_of_the_stand_in_has_its_imprint(services: Services, tmp_path: Path) -> None:
    """Volume, issue, pages and publisher are asked for and read; a preprint has none of them."""
    works = {work.openalex: work for work in services.corpus.works if work.openalex}
    names = [Identifier("openalex", value) for value in works if value]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    found = {paper: works[paper.identifier("openalex") or ""] for paper in answer.papers}
    assert len(found) == len(works)
    for paper, work in found.items():
        printed = Imprint(work.volume or "", work.issue or "", work.pages or "", paper.imprint.publisher)
        assert paper.imprint == (Imprint() if work.arxiv else printed)
    publishers = {one.imprint.publisher for one, work in found.items() if not work.arxiv}
    assert publishers == {"Invented Press", "Made-up & Sons", ""}  # some works are told without their journal


def test_keywords_and_topic_come_with_the_same_request(services: Services, tmp_path: Path) -> None:
    works = {work.openalex: work for work in services.corpus.works if work.openalex}
    names = [Identifier("openalex", value) for value in works][:30]
    listed = ask(services, tmp_path, lambda source: source.lookup(names)).papers
    alone = ask(services, tmp_path, lambda source: source.lookup(names[:1])).papers
    assert (len(listed), len(alone), len(services.log)) == (30, 1, 2)
    for paper in (*listed, *alone):
        work = works[paper.identifier("openalex") or ""]
        assert paper.keywords == (work.topic, f"{work.topic.capitalize()} and {work.field}")
    assert services.violations == []


def test_lookup_takes_names_of_every_scheme_and_leaves_out_the_unknown(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.openalex and work.doi]
    preprint = next(work for work in works if work.arxiv)
    medical = next(work for work in works if work.pmid)
    sici = next(work for work in works if work.doi and "SICI" in work.doi)
    names = [openalex(works[0].openalex), doi(works[1].doi), doi(sici.doi), pmid(medical.pmid)]
    names += [Identifier("arxiv", preprint.arxiv or ""), doi("10.5555/unheard-of"), pmid("99999999")]
    answer = ask(services, tmp_path, lambda source: source.lookup([name for name in names if name]))
    found = {paper.identifier("openalex") for paper in answer.papers}
    assert found == {work.openalex for work in (works[0], works[1], sici, medical, preprint)}
    assert services.violations == []


def test_an_unknown_name_alone_is_an_empty_answer(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.lookup([Identifier("doi", "10.5555/unheard-of")]))
    assert answer.papers == ()


def test_hundreds_of_names_are_looked_up_in_few_requests(services: Services, tmp_path: Path) -> None:
    names = [Identifier("openalex", work.openalex) for work in services.corpus.works if work.openalex]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert len(answer.papers) == len(names) > 100
    assert len(services.log) == -(-len(names) // 100)
    assert services.violations == []


def cited_work(services: Services) -> tuple[Any, Paper]:
    work = max(
        (work for work in services.corpus.works if work.doi and work.openalex), key=lambda work: len(work.references)
    )
    name = doi(work.doi)
    assert name is not None
    return work, Paper(work.title, identifiers=(name,))


def test_references_are_those_of_the_graph(services: Services, tmp_path: Path) -> None:
    work, paper = cited_work(services)
    answer = ask(services, tmp_path, lambda source: source.references(paper, 100))
    assert {found.identifier("openalex") for found in answer.papers} == {
        reference.openalex for reference in services.corpus.references(work)
    }
    assert services.violations == []


def test_references_known_from_the_record_save_a_request(services: Services, tmp_path: Path) -> None:
    work, _ = cited_work(services)
    known = tuple(Identifier("openalex", reference.openalex or "") for reference in services.corpus.references(work))
    answer = ask(services, tmp_path, lambda source: source.references(Paper("x", references=known), 3))
    assert len(answer.papers) == 3
    assert answer.total == len(known)
    assert len(services.log) == 1


def test_citations_are_found_under_a_merged_id_too(services: Services, tmp_path: Path) -> None:
    """A paper remembered by an id that OpenAlex merged into another still has its citations."""
    old, new = next(iter(services.corpus.merged.items()))
    work = services.corpus.find("openalex", new)
    assert work is not None
    paper = Paper("x", identifiers=(Identifier("openalex", old),))
    answer = ask(services, tmp_path, lambda source: source.citations(paper, 100))
    assert {found.identifier("openalex") for found in answer.papers} == {
        citation.openalex for citation in services.corpus.citations(work) if citation.openalex
    }
    counts = [found.citation_count or 0 for found in answer.papers]
    assert counts == sorted(counts, reverse=True)


def test_what_cites_any_of_several_papers_comes_in_one_request_the_most_cited_first(
    services: Services, tmp_path: Path
) -> None:
    cited = sorted(
        (work for work in services.corpus.works if work.openalex),
        key=lambda work: -len(services.corpus.citations(work)),
    )[1:4]
    papers = [Paper("x", identifiers=(Identifier("openalex", work.openalex or ""),)) for work in cited]
    papers.append(Paper("by another name", identifiers=(Identifier("doi", "10.1000/unknown"),)))
    answer = ask(services, tmp_path, lambda source: source.citing_any(papers, 100))
    expected = {
        one.openalex
        for work in cited
        for one in services.corpus.citations(work)
        if one.openalex and not one.references_withheld
    }
    found = [paper.identifier("openalex") for paper in answer.papers]
    assert expected
    assert len(answer.sent) == 1
    assert len(found) == min(len(expected), 100)
    assert set(found) <= expected
    counts = [paper.citation_count or 0 for paper in answer.papers]
    assert counts == sorted(counts, reverse=True)


def test_what_cites_papers_of_other_sources_is_not_asked(services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        ask(
            services,
            tmp_path,
            lambda source: source.citing_any([Paper("x", identifiers=(Identifier("doi", "10.1000/x"),))], 5),
        )


def test_references_of_an_unknown_paper_are_not_found(services: Services, tmp_path: Path) -> None:
    paper = Paper("Unheard of", identifiers=(Identifier("doi", "10.5555/unheard-of"),))
    with pytest.raises(NotFound, match="Unheard of"):
        ask(services, tmp_path, lambda source: source.references(paper, 5))


def test_the_key_goes_into_the_header_and_nowhere_else(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("dense retrieval")), KEY)
    [request] = services.log
    assert request.headers["authorization"] == f"Bearer {KEY.reveal()}"
    assert KEY.reveal() not in request.target + repr(answer)


def test_a_wrong_key_names_its_setting_and_not_itself(services: Services, tmp_path: Path) -> None:
    with pytest.raises(Unauthorized, match="OPENALEX_API_KEY") as raised:
        ask(services, tmp_path, lambda source: source.search(Query("x")), Secret("oa-wrong-key"))
    assert "oa-wrong-key" not in str(raised.value)


def test_an_empty_key_is_not_sent(services: Services, tmp_path: Path) -> None:
    ask(services, tmp_path, lambda source: source.search(Query("dense")), Secret(""))
    assert "authorization" not in services.log[0].headers


def test_the_last_credits_are_announced_and_a_spent_budget_is_named(tmp_path: Path) -> None:
    with Services(time_scale=0.01, terms=Terms(openalex_keyless_credits=15)) as services:
        answer = ask(services, tmp_path, lambda source: source.search(Query("dense")))
        assert "5 credits are left for today" in answer.notes
        with pytest.raises(QuotaExhausted):
            ask(services, tmp_path, lambda source: source.search(Query("dense")))


# People, and what is newest


def test_a_recorded_author_is_told_with_name_id_and_place() -> None:
    row, _ = recordings.recording("openalex", "papers__author")
    person = read_person(json.loads(recordings.body(row)))
    assert (str(person.id), person.name, person.works) == ("openalex:A5023888391", "Jason Priem", 60)
    assert person.affiliation


def test_recorded_authors_are_all_told() -> None:
    row, _ = recordings.recording("openalex", "openalexR__entity_list_samples_authors")
    parsed = json.loads(recordings.body(row))
    assert [one.name for one in read_people(parsed)] == [one["display_name"] for one in parsed["results"]]


@each("body", [{}, {"results": []}, {"meta": {"count": 1}, "results": [{"id": "https://openalex.org/W1"}]}])
def test_what_is_no_list_of_authors_is_no_empty_one(body: Any) -> None:
    with pytest.raises(BadResponse):
        read_people(body)


def test_people_of_one_name_are_told_apart_and_each_has_their_own_works(services: Services, tmp_path: Path) -> None:
    found = ask(services, tmp_path, lambda source: source.people("Zoë Zhang", 10))
    assert len({person.id for person in found}) == len(found) > 1
    lists = [ask(services, tmp_path, lambda source, id=person.id: source.works_of(id, 50)) for person in found]  # type: ignore[misc]
    titles = [{paper.title for paper in each.papers} for each in lists]
    assert all(titles)
    assert not set.intersection(*titles)


def test_what_is_newest_comes_first_and_is_all_there_is(services: Services, tmp_path: Path) -> None:
    work = max(
        (one for one in services.corpus.works if one.openalex), key=lambda one: len(services.corpus.citations(one))
    )
    answer = ask(
        services,
        tmp_path,
        lambda source: source.newest_citations(
            Paper("x", identifiers=(Identifier("openalex", work.openalex or ""),)), 200
        ),
    )
    dates = [paper.date or "" for paper in answer.papers]
    assert dates == sorted(dates, reverse=True)
    assert (len(dates), len(dates) > 20) == (answer.total, True)


def test_an_author_who_is_not_known_is_no_author_without_works(services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        ask(services, tmp_path, lambda source: source.works_of(PersonId("openalex", "A999"), 5))
