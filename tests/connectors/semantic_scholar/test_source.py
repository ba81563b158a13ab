"""Semantic Scholar: its replies become papers or named failures, and its requests are what the service takes."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import (
    BadQuery,
    BadResponse,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
    Unsupported,
)
from connectors.http.responses import HttpReply
from connectors.http.secret import Secret
from connectors.identifiers import Identifier, arxiv, doi
from connectors.paper import Imprint, Paper
from connectors.person import PersonId
from connectors.semantic_scholar import source as source_module
from connectors.semantic_scholar.paper import (
    FIELDS,
    UNNAMED,
    WITHHELD,
    read_batch,
    read_links,
    read_paper,
    read_papers,
    read_people,
    read_person,
    read_search,
)
from connectors.semantic_scholar.source import SemanticScholar, drafted, error_of, search_draft, spelled
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.http.wired import wired
from tests.connectors.semantic_scholar.fixtures import read
from tests.rows import each
from tests.services import Fault, Services, Terms, Work

Result = TypeVar("Result")
KEY = Secret("s2-good-key")


def ask(
    services: Services, folder: Path, question: Callable[[SemanticScholar], Awaitable[Result]], key: Secret | None = KEY
) -> Result:
    async def run() -> Result:
        url = services.url("semantic_scholar")
        async with wired("semanticscholar", url, error_of, folder, [key] if key else []) as http:
            return await question(SemanticScholar(http, key))

    return asyncio.run(run())


def papers_in(parsed: Any) -> list[dict[str, Any]]:
    """The paper objects of a raw reply, found by their shape alone."""
    if isinstance(parsed, dict) and "papers" in parsed:  # an author's record
        return []
    rows = parsed if isinstance(parsed, list) else parsed.get("data") or parsed.get("recommendedPapers") or [parsed]
    found = [row.get("citedPaper") or row.get("citingPaper") or row for row in rows if isinstance(row, dict)]
    return [row for row in found if "paperId" in row and (row["paperId"] or row.get("title"))]


# Recorded replies


@recordings.each("semanticscholar")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Papers are as many as there are; errors, authors and data sets are refused, never shown as none."""
    body = recordings.body(row)
    found, parsed = recordings.outcome(read, row, body), json.loads(body)
    if isinstance(found, Unsupported):
        assert parsed["data"] is None
    elif isinstance(found, SourceError):
        assert row["status"] >= 400 or (isinstance(found, BadResponse) and not papers_in(parsed))
    else:
        assert len(found) == len(papers_in(parsed))
        assert found or parsed["total"] == 0


@recordings.each("semanticscholar")
def test_facts_of_recorded_papers_survive(row: recordings.Row) -> None:
    """Identifiers, authors, year, count, PDF and abstract are the record's own, also where most of them are null."""
    if row["status"] != 200 or isinstance(recordings.outcome(read, row, recordings.body(row)), SourceError):
        return
    for raw in papers_in(json.loads(recordings.body(row))):
        paper, ids = read_paper(raw), raw.get("externalIds") or {}
        assert paper is not None
        assert ("s2", raw["paperId"]) in paper.identifiers or raw["paperId"] is None
        assert not ids.get("CorpusId") or ("s2", f"CorpusId:{ids['CorpusId']}") in paper.identifiers
        assert not ids.get("ArXiv") or paper.identifier("arxiv") == ids["ArXiv"]
        assert not ids.get("PubMed") or paper.identifier("pmid") == ids["PubMed"]
        assert not ids.get("PubMedCentral") or paper.identifier("pmcid") == f"PMC{ids['PubMedCentral']}"
        assert len(paper.authors) == len([one for one in raw.get("authors") or [] if one["name"]])
        assert paper.citation_count == raw.get("citationCount")
        assert paper.date == (raw.get("publicationDate") or (str(raw["year"]) if raw.get("year") else None))
        assert (paper.pdf or "") == (raw.get("openAccessPdf") or {}).get("url", "").replace(" ", "%20")
        assert bool(paper.abstract) is bool(raw.get("abstract"))


def test_a_famous_paper_is_told_as_recorded() -> None:
    row, _ = recordings.recording("semanticscholar", "csed__s2_paper_detail")
    [paper] = read(row, recordings.body(row))
    assert paper.title == "Attention is All you Need"
    assert paper.authors[0].family == "Vaswani"
    assert paper.date == "2017-06-12"
    assert paper.identifier("arxiv") == "1706.03762"
    assert paper.pdf is None


def test_a_paper_has_the_fields_of_study_that_anyone_told_each_once() -> None:
    row, parsed = recordings.recording("semanticscholar", "search_paper_fields_of_study")
    found = read(row, recordings.body(row))
    assert found[0].keywords == ("Mathematics", "Physics", "Computer Science")
    for paper, raw in zip(found, parsed["data"], strict=True):
        assert set(paper.keywords) == {one["category"] for one in raw["s2FieldsOfStudy"]}


def test_fields_of_study_come_with_every_request(services: Services, tmp_path: Path) -> None:
    work = next(one for one in services.corpus.works if one.s2 and services.corpus.references(one))
    [found] = ask(services, tmp_path, lambda source: source.lookup([Identifier("s2", work.s2 or "")])).papers
    linked = ask(services, tmp_path, lambda source: source.references(found, 5)).papers
    similar = ask(services, tmp_path, lambda source: source.similar(found, 5)).papers
    assert linked
    assert similar
    assert all(len(paper.keywords) == 1 for paper in (found, *linked, *similar) if paper.identifiers)
    assert found.keywords == (work.field,)


def test_a_paper_in_print_does_not_keep_its_preprints_volume() -> None:
    """`abs/1706.03762` is no volume, and the journal goes before the server that the venue still names."""
    row = {"paperId": "a" * 40, "title": "T", "externalIds": {"DOI": "10.1000/x", "ArXiv": "1706.03762"}}
    for name in ("ArXiv", "CoRR"):
        stale = read_paper({**row, "venue": "NeurIPS", "journal": {"name": name, "volume": "abs/1706.03762"}})
        assert stale is not None
        assert (stale.venue, stale.imprint) == ("NeurIPS", Imprint())
    journal = {"name": "Cell Genomics", "volume": "5 2", "pages": "\n  100-10\n "}
    printed = read_paper({**row, "venue": "bioRxiv", "journal": journal})
    assert printed is not None
    assert (printed.venue, printed.imprint) == ("Cell Genomics", Imprint("5", "2", "100-110"))


def test_a_preprint_without_a_venue_is_on_the_server_that_its_journal_names() -> None:
    row = {"paperId": "a" * 40, "title": "T", "externalIds": {"ArXiv": "1706.03762"}, "journal": {"name": "ArXiv"}}
    paper = read_paper({**row, "venue": ""})
    assert paper is not None
    assert (paper.venue, paper.type) == ("arXiv", "preprint")


def test_every_published_work_of_the_stand_in_has_its_imprint(services: Services, tmp_path: Path) -> None:
    """Volume and pages are asked for and read, between whatever blanks they stand; a preprint has none."""
    works = {work.s2: work for work in services.corpus.works if not services.corpus.journal_version(work)}
    names = [Identifier("s2", value) for value in works if value]
    papers = ask(services, tmp_path, lambda source: source.lookup(names)).papers
    found = [(paper, next(works[name.value] for name in paper.identifiers if name.value in works)) for paper in papers]
    assert len(found) == len(works)
    for paper, work in found:
        issue = work.issue if work.pmid else None
        printed = Imprint(work.volume or "", issue or "", work.pages or "")
        assert paper.imprint == (Imprint() if work.arxiv else printed)


def test_withheld_abstracts_are_counted() -> None:
    """Of the thousand recorded rows those whose publisher took the abstract away are counted, not passed over."""
    _, parsed = recordings.recording("semanticscholar", "csed__s2_bulk_search")
    elided = [row for row in parsed["data"] if "elided" in str((row["openAccessPdf"] or {}).get("disclaimer"))]
    assert read_search(parsed).counts[WITHHELD] == len([row for row in elided if row["abstract"] is None]) > 600


def test_references_without_an_identifier_are_kept_by_their_title() -> None:
    row, parsed = recordings.recording("semanticscholar", "get_paper_references__1")
    nameless = [entry["citedPaper"]["title"] for entry in parsed["data"] if entry["citedPaper"]["paperId"] is None]
    kept = [paper for paper in read(row, recordings.body(row)) if not paper.identifiers]
    assert len(kept) == len(nameless) == 13


def test_a_withdrawn_list_is_not_an_empty_list() -> None:
    with pytest.raises(Unsupported, match="withdrawn by the publisher"):
        read_links({"offset": 0, "data": None}, "citedPaper")
    assert read_links({"offset": 0, "data": []}, "citedPaper").papers == ()


def test_a_link_to_nothing_is_counted_and_the_others_are_kept() -> None:
    rows = [{"citedPaper": None}, {}, {"citedPaper": {"paperId": None, "title": None}}]
    found = read_links({"offset": 0, "data": [*rows, {"citedPaper": {"paperId": None, "title": "Kept"}}]}, "citedPaper")
    assert [paper.title for paper in found.papers] == ["Kept"]
    assert found.counts[UNNAMED] == 3


def test_nothing_found_needs_a_zero() -> None:
    assert read_search({"total": 0, "offset": 0}).papers == ()
    bodies: list[Any] = [
        {"total": 3, "offset": 0},
        {"offset": 0},
        {"total": 3, "data": []},
        {"error": "x"},
        {},
        [],
        None,
    ]
    for body in bodies:
        with pytest.raises(BadResponse):
            read_search(body)


def test_a_batch_with_rows_missing_is_garbled() -> None:
    """The rows answer the names by their place: with one missing, the reply was cut."""
    assert read_batch([None, None], 2).papers == ()
    with pytest.raises(BadResponse):
        read_batch([None], 2)


def test_the_most_telling_type_is_taken() -> None:
    kinds = [["JournalArticle", "Review"], ["JournalArticle", "Conference"], ["Book"], ["Dataset"], None, ["News"]]
    told = [read_paper({"paperId": None, "title": "T", "publicationTypes": kind}) for kind in kinds]
    assert [paper.type for paper in told if paper] == [
        "review",
        "conference-paper",
        "book",
        "dataset",
        "other",
        "other",
    ]


# Hostile replies


@given(data=st.data())
def test_no_damage_to_a_reply_crashes_the_reader(data: st.DataObject) -> None:
    """Whatever is null, missing or of the wrong type, the outcome is papers or a named failure."""
    parts = ["paper_detail", "s2_recommendations", "get_paper_references__1", "get_papers_not_found", "obj_Citation"]
    row, parsed = recordings.recording("semanticscholar", data.draw(st.sampled_from([*parts, "search_paper__0"])))
    for _ in range(data.draw(st.integers(1, 4))):
        parsed = recordings.damaged(data.draw, parsed)
    assert recordings.is_sound(recordings.outcome(read, row, json.dumps(parsed).encode()))


# Requests


@given(text=st.text(max_size=200) | st.text('ab -‐"+|*()~ANDOR', max_size=500))
def test_a_query_is_plain_words(text: str) -> None:
    """No hyphenated word, quote or operator reaches a search that knows no syntax."""
    try:
        draft = asyncio.run(search_draft(Query(text)))
    except BadQuery:
        return
    [sent] = parse_qs(urlsplit(draft.target).query)["query"]
    assert not re.search(r"\w[-‐‑–—]\w", sent)
    assert not set(sent) & set('"+|*~()[]^')
    assert draft.target.isascii()
    assert len(sent) <= 300


def test_a_search_is_built_as_the_service_documents_it() -> None:
    query = Query("AT&T's state-of-the-art R&D", date(2020, 1, 1), None, limit=7)
    parts = urlsplit(asyncio.run(search_draft(query)).target)
    asked = parse_qs(parts.query)
    assert parts.path == "/graph/v1/paper/search"
    assert asked["query"] == ["AT&T's state of the art R&D"]
    assert asked["publicationDateOrYear"] == ["2020-01-01:"]
    assert asked["limit"] == ["7"]
    assert asked["fields"] == [",".join(FIELDS)]


def test_every_kind_of_name_is_spelled_as_the_service_does() -> None:
    names = [
        Identifier("s2", "a" * 40),
        Identifier("doi", "10.1/x"),
        Identifier("arxiv", "hep-th/9901001"),
        Identifier("pmid", "12"),
        Identifier("pmcid", "PMC34"),
    ]
    assert [spelled(name) for name in names] == ["a" * 40, "DOI:10.1/x", "ARXIV:hep-th/9901001", "PMID:12", "PMCID:34"]


def test_building_a_request_leaves_logging_alone() -> None:
    """The library's constructor would write to standard error from then on, through the middle of a screen."""
    before = list(logging.getLogger().handlers)
    asyncio.run(drafted(lambda library: library.get_papers(["DOI:10.1/x"], fields=FIELDS)))
    assert logging.getLogger().handlers == before


# Faults


@each(
    ("status", "body", "kind"),
    [
        (400, {"error": "Unrecognized or unsupported fields: [x]"}, BadQuery),
        (400, {"error": "No valid paper ids given"}, NotFound),
        (401, {"message": "Unauthorized"}, Unauthorized),
        (403, {"message": "Forbidden"}, Unauthorized),
        (404, {"error": "Paper with id X not found"}, NotFound),
        (429, {"message": "Too Many Requests.", "code": "429"}, RateLimited),
        (500, {"message": "Internal Server Error"}, SourceUnavailable),
        (504, "<html>gateway</html>", SourceUnavailable),
    ],
)
def test_each_refusal_has_its_own_meaning(status: int, body: object, kind: type[SourceError]) -> None:
    fault = error_of(HttpReply(status, httpx.Headers(), json.dumps(body).encode()))
    assert type(fault) is kind
    assert "<" not in str(fault)


# Against the stand-in, over HTTP


Question = Callable[[SemanticScholar], Awaitable[Any]]


def about(paper: Paper) -> list[Question]:
    """The three questions that follow from a paper."""
    return [
        lambda source: source.references(paper, 5),
        lambda source: source.citations(paper, 5),
        lambda source: source.similar(paper, 5),
    ]


def known_work(services: Services, *, arxiv_id: bool = False) -> tuple[Work, Paper]:
    """A work that others cite and that cites others, and a paper that knows one name of it."""
    works = [work for work in services.corpus.works if work.s2 and work.doi and not work.preprint and work.references]
    fitting = [work for work in works if bool(work.arxiv) is arxiv_id and not services.corpus.journal_version(work)]
    work = max(fitting, key=lambda one: len(services.corpus.citations(one)))
    name = arxiv(work.arxiv) if arxiv_id else doi(work.doi)
    assert name is not None
    return work, Paper(work.title, identifiers=(name,))


def test_search_finds_papers_within_the_dates(services: Services, tmp_path: Path) -> None:
    query = Query("dense-retrieval", date(2019, 1, 1), date(2022, 12, 31), limit=10)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert answer.papers
    assert all("2019" <= (paper.date or "") < "2023" for paper in answer.papers)
    assert answer.total is not None
    assert answer.total >= len(answer.papers)
    assert services.violations == []
    assert [request.target for request in services.log] == list(answer.sent)


def test_nothing_found_is_an_empty_answer(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("zzqx wwvu")))
    assert (answer.papers, answer.total, answer.partial) == ((), 0, False)


def test_more_than_a_page_is_walked_by_offset(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("changes", limit=105)))
    assert len(answer.papers) == min(105, answer.total or 0) > 100
    assert "&offset=100&" in services.log[1].target
    assert services.violations == []


def test_lookup_takes_names_of_every_scheme_and_leaves_out_the_unknown(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.s2 and not work.preprint]
    works = [work for work in works if not services.corpus.journal_version(work)]
    first = next(work for work in works if work.pmcid)
    second = next(work for work in works if work.arxiv)
    third = next(work for work in works if work.doi and "SICI" in work.doi)
    names = [
        Identifier("pmcid", first.pmcid or ""),
        Identifier("arxiv", second.arxiv or ""),
        Identifier("doi", (third.doi or "").lower()),
        Identifier("doi", "10.5555/unheard-of"),
    ]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    found = {name.value for paper in answer.papers for name in paper.identifiers if name.scheme == "s2"}
    assert {first.s2, second.s2, third.s2} <= found
    assert len(answer.papers) == 3
    assert services.violations == []


def test_references_are_those_of_the_graph(services: Services, tmp_path: Path) -> None:
    work, paper = known_work(services)
    answer = ask(services, tmp_path, lambda source: source.references(paper, 100))
    assert len(answer.papers) == len(services.corpus.references(work)) + len(work.unresolved)
    assert set(work.unresolved) <= {found.title for found in answer.papers}
    assert services.violations == []


def test_citations_are_those_of_the_graph(services: Services, tmp_path: Path) -> None:
    work, paper = known_work(services)
    answer = ask(services, tmp_path, lambda source: source.citations(paper, 5))
    assert len(answer.papers) == min(5, len(services.corpus.citations(work)))
    titles = {" ".join(citation.title.split()) for citation in services.corpus.citations(work)}
    assert {found.title for found in answer.papers} <= titles


def test_a_list_that_the_publisher_withdrew_is_named(services: Services, tmp_path: Path) -> None:
    work = services.corpus.named("Cystic fibrosis in a closed list")
    paper = Paper(work.title, identifiers=(Identifier("doi", work.doi or ""),))
    with pytest.raises(Unsupported, match="withdrawn by the publisher"):
        ask(services, tmp_path, lambda source: source.references(paper, 5))


def test_similar_papers_come_from_the_pool_that_fits(services: Services, tmp_path: Path) -> None:
    _, paper = known_work(services, arxiv_id=True)
    answer = ask(services, tmp_path, lambda source: source.similar(paper, 5))
    assert 0 < len(answer.papers) <= 5
    assert answer.notes[0] == "recommended from computer science of all years"
    assert services.log[0].target.endswith("&limit=5&from=all-cs")


def test_a_paper_unknown_by_one_name_is_asked_for_by_the_next(services: Services, tmp_path: Path) -> None:
    _, paper = known_work(services)
    names = (Identifier("s2", "0" * 40), *paper.identifiers)
    answer = ask(services, tmp_path, lambda source: source.references(Paper("x", identifiers=names), 3))
    assert answer.papers
    assert len(services.log) == 2


def test_an_unknown_paper_is_not_found(services: Services, tmp_path: Path) -> None:
    paper = Paper("Unheard of", identifiers=(Identifier("doi", "10.5555/unheard-of"),))
    for question in about(paper):
        with pytest.raises(NotFound, match="Unheard of"):
            ask(services, tmp_path, question)


def test_a_sici_name_arrives_whole(services: Services, tmp_path: Path) -> None:
    """A DOI that holds `<`, `;` and `#` reaches the service as it is."""
    work = next(work for work in services.corpus.works if work.doi and "SICI" in work.doi)
    name = doi(work.doi)
    assert name is not None
    ask(services, tmp_path, lambda source: source.citations(Paper("x", identifiers=(name,)), 5))
    assert unquote(services.log[0].path) == f"/graph/v1/paper/DOI:{name.value}/citations"


def test_the_key_goes_along_on_every_call(services: Services, tmp_path: Path) -> None:
    """Search, lookup, references, citations and recommendations all carry it, in the header and nowhere else."""
    _, paper = known_work(services)
    questions: list[Question] = [
        lambda source: source.search(Query("dense retrieval")),
        lambda source: source.lookup(paper.identifiers),
        *about(paper),
    ]

    async def all_of_them(source: SemanticScholar) -> list[Any]:
        return [await question(source) for question in questions]

    answers = ask(services, tmp_path, all_of_them)
    assert [request.headers.get("x-api-key") for request in services.log] == [KEY.reveal()] * 5
    assert KEY.reveal() not in repr(answers) + "".join(request.target for request in services.log)


def test_no_key_sends_no_header(services: Services, tmp_path: Path) -> None:
    ask(services, tmp_path, lambda source: source.search(Query("dense")), None)
    assert "x-api-key" not in services.log[0].headers


def test_a_wrong_key_names_its_setting_and_not_itself(services: Services, tmp_path: Path) -> None:
    with pytest.raises(Unauthorized, match="S2_API_KEY") as raised:
        ask(services, tmp_path, lambda source: source.search(Query("x")), Secret("s2-wrong-key"))
    assert "s2-wrong-key" not in str(raised.value)


def test_a_full_pool_asks_for_patience_or_a_key(tmp_path: Path) -> None:
    with (
        Services(time_scale=0.01, terms=Terms(keyless_refusals=1.0)) as services,
        pytest.raises(RateLimited, match="S2_API_KEY"),
    ):
        ask(services, tmp_path, lambda source: source.search(Query("dense")), None)


@pytest.mark.parametrize("kind", ["error_in_200", "login_page", "login_as_json", "truncated", "empty", "502"])
def test_a_broken_reply_is_never_an_empty_answer(kind: str, services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault(kind, service="semantic_scholar"))
    _, paper = known_work(services)
    for question in [
        *about(paper),
        lambda source: source.search(Query("dense")),
        lambda source: source.lookup(paper.identifiers),
    ]:
        with pytest.raises((BadResponse, SourceUnavailable)):
            ask(services, tmp_path, question)


# People, and what is newest


def test_a_recorded_author_is_told_with_name_and_id() -> None:
    row, _ = recordings.recording("semanticscholar", "danielnsilva__obj_Author")
    person = read_person(json.loads(recordings.body(row)))
    assert (str(person.id), person.name, person.works, person.affiliation) == ("s2:2262347", "A. Turing", 60, "")


@each("body", [{}, {"data": []}, {"total": 2, "data": [{"paperId": "x"}]}])
def test_what_is_no_list_of_authors_is_no_empty_one(body: Any) -> None:
    with pytest.raises(BadResponse):
        read_people(body)
    with pytest.raises(BadResponse):
        read_papers(body)


def test_people_of_one_name_are_told_apart_and_each_has_their_own_works(services: Services, tmp_path: Path) -> None:
    found = ask(services, tmp_path, lambda source: source.people("Zoë Zhang", 10))
    assert len({person.id for person in found}) == len(found) > 1
    lists = [ask(services, tmp_path, lambda source, id=person.id: source.works_of(id, 50)) for person in found]  # type: ignore[misc]
    titles = [{paper.title for paper in each.papers} for each in lists]
    assert all(titles)
    assert not set.intersection(*titles)


def test_what_cites_a_paper_is_all_told_whatever_the_limit(services: Services, tmp_path: Path) -> None:
    work = max((one for one in services.corpus.works if one.s2), key=lambda one: len(services.corpus.citations(one)))
    paper = Paper("x", identifiers=(Identifier("s2", work.s2 or ""),))
    few = ask(services, tmp_path, lambda source: source.newest_citations(paper, 2))
    all_of_them = ask(services, tmp_path, lambda source: source.citations(paper, 500))
    assert set(few.papers) == set(all_of_them.papers)
    assert len(few.papers) > 20


def test_of_a_list_too_long_to_be_read_whole_nothing_is_told(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in no order of time: what is new in a part of it cannot be known."""
    monkeypatch.setattr(source_module, "LINKS_PAGE", 1)
    busy = max(services.corpus.profiles.values(), key=lambda one: len(one.works))
    with pytest.raises(Unsupported, match="without an order by date"):
        ask(services, tmp_path, lambda source: source.works_of(PersonId("semanticscholar", str(busy.number)), 5))
    work = max((one for one in services.corpus.works if one.s2), key=lambda one: len(services.corpus.citations(one)))
    cited = Paper("x", identifiers=(Identifier("s2", work.s2 or ""),))
    with pytest.raises(Unsupported, match="without an order by date"):
        ask(services, tmp_path, lambda source: source.newest_citations(cited, 5))
