"""Europe PMC: its replies become papers or named failures, and its requests are what the service takes."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import BadQuery, BadResponse, SourceError, SourceUnavailable
from connectors.europepmc.source import (
    NAMES,
    EuropePMC,
    batches,
    error_of,
    read_list,
    read_record,
    search_queries,
    target,
)
from connectors.http.paging import WIDENED
from connectors.http.responses import HttpReply
from connectors.identifiers import Identifier, doi, pmcid, pmid
from connectors.paper import Paper
from connectors.records.matching import same_work
from connectors.records.merging import merge
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.europepmc.fixtures import read
from tests.connectors.http.wired import wired
from tests.rows import each
from tests.services import Fault, Services

Result = TypeVar("Result")


def ask(services: Services, folder: Path, question: Callable[[EuropePMC], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with wired("europepmc", services.url("europepmc"), error_of, folder) as http:
            return await question(EuropePMC(http))

    return asyncio.run(run())


# Recorded replies


@recordings.each("europepmc")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Lists of records become as many papers; XML, bare ids and other lists are refused, never shown as none."""
    body = recordings.body(row)
    found = recordings.outcome(read, row, body)
    if isinstance(found, SourceError):
        assert isinstance(found, BadResponse)
        assert "core" not in row["file"]
    else:
        assert len(found) == len(json.loads(body)["resultList"]["result"]) > 0


@recordings.each("europepmc")
def test_facts_of_recorded_records_survive(row: recordings.Row) -> None:
    found = recordings.outcome(read, row, recordings.body(row))
    if isinstance(found, SourceError):
        return
    for record, paper in zip(json.loads(recordings.body(row))["resultList"]["result"], found, strict=True):
        assert paper.identifier("pmid") == record.get("pmid")
        assert paper.identifier("doi") == record.get("doi", "").lower() or not record.get("doi")
        assert paper.identifier("pmcid") == record.get("pmcid")
        assert str(paper.year) == record["pubYear"]
        assert paper.citation_count == record["citedByCount"]
        assert [day for _, day in paper.indexed] == [record["firstIndexDate"]] * ("firstIndexDate" in record)
        assert bool(paper.abstract) is bool(record.get("abstractText"))
        assert len(paper.authors) == (record.get("authorString") or "").count(",") + bool(record.get("authorString"))
        assert not paper.title.endswith(".")
        assert not re.search(r"</?(h4|i|b|sub|sup|p)\b", paper.title + paper.abstract)


def test_a_retracted_paper_is_told_as_recorded() -> None:
    """With its issue's month, and not with the first of it, which the record makes up."""
    row, _ = recordings.recording("europepmc", "retraction__europepmc")
    [paper] = read(row, recordings.body(row))
    assert paper.retracted
    assert (paper.date, paper.venue) == ("1998-02", "Lancet (London, England)")
    assert (paper.imprint.volume, paper.imprint.number, paper.imprint.pages) == ("351", "9103", "637-641")
    assert paper.abstract.startswith("Background: We investigated a consecutive series")
    assert paper.language == "en"
    assert paper.identifier("pmid") == "9500320"


def test_a_correction_and_its_notice_are_not_retracted() -> None:
    row, parsed = recordings.recording("europepmc", "cancer_core")
    kinds = [set(record["pubTypeList"]["pubType"]) for record in parsed["resultList"]["result"]]
    assert sum("Published Erratum" in kind for kind in kinds) == 2
    assert not any(paper.retracted for paper in read(row, recordings.body(row)))


def test_only_what_everyone_may_read_is_a_pdf() -> None:
    row, parsed = recordings.recording("europepmc", "cancer_core")
    for record, paper in zip(parsed["resultList"]["result"], read(row, recordings.body(row)), strict=True):
        entries = record.get("fullTextUrlList", {}).get("fullTextUrl", [])
        free = [one["url"] for one in entries if one["availabilityCode"] != "S" and one["documentStyle"] == "pdf"]
        assert paper.pdf == (free[0] if free else None)


# Records


def record(**fields: Any) -> Paper:
    paper = read_record({"id": "1", "source": "MED", "title": "T.", **fields})
    assert paper is not None
    return paper


def test_a_preprint_has_its_server_and_its_day() -> None:
    """Whatever its DOI begins with: servers change their prefixes."""
    posted = {"id": "PPR1", "source": "PPR", "doi": "10.99999/2026.09.10.750412", "firstPublicationDate": "2026-09-10"}
    paper = record(**posted, bookOrReportDetails={"publisher": "bioRxiv", "yearOfPublication": 2026}, pubYear="2026")
    assert (paper.type, paper.venue, paper.date) == ("preprint", "bioRxiv", "2026-09-10")
    assert paper.preprint is not None
    assert paper.preprint.doi == "10.99999/2026.09.10.750412"
    assert paper.published is None
    assert paper.identifier("pmid") is None


@each(
    ("issue", "online", "year", "told"),
    [
        ("2025 Dec", None, "2025", "2025-12"),
        ("2025 Jun", "2025-06-16", "2025", "2025-06-16"),
        ("2025 Jan", "2024-11-03", "2025", "2025-01"),
        ("2021 Nov-Dec", None, "2021", "2021-11"),
        (None, "2025-06-16", "2025", "2025-06-16"),
        (None, None, "2025", "2025"),
        (None, None, None, None),
    ],
)
def test_a_date_is_as_precise_as_the_issue_tells(
    issue: str | None, online: str | None, year: str | None, told: str | None
) -> None:
    fields = {"electronicPublicationDate": online, "pubYear": year, "firstPublicationDate": "2025-12-01"}
    assert record(journalInfo={"dateOfPublication": issue}, **fields).date == told


def test_a_record_without_title_or_place_is_none() -> None:
    for damaged in ({"title": ""}, {"title": None}, {"id": None}, {"source": 3}):
        assert read_record({"id": "1", "source": "MED", "title": "T", **damaged}) is None


def test_an_expression_of_concern_is_no_retraction() -> None:
    def noted(kind: str) -> Paper:
        return record(commentCorrectionList={"commentCorrection": [{"id": "2", "source": "MED", "type": kind}]})

    assert noted("Retraction in").retracted
    assert not any(noted(kind).retracted for kind in ("Expression of concern in", "Erratum in", "Retraction of"))
    assert noted("Expression of concern in").concern
    assert not any(noted(kind).concern for kind in ("Retraction in", "Erratum in", "Expression of concern for"))


def test_an_empty_list_is_believed_only_with_a_zero() -> None:
    assert read_list({"hitCount": 0, "resultList": {"result": []}}).papers == ()
    bodies: list[Any] = [
        {"hitCount": 3, "resultList": {"result": []}},
        {"resultList": {"result": []}},
        {"hitCount": 0},
        {"errCode": 400, "errMsg": "no"},
        [],
    ]
    for body in bodies:
        with pytest.raises(BadResponse):
            read_list(body)


@given(data=st.data())
def test_no_damage_to_a_reply_crashes_the_reader(data: st.DataObject) -> None:
    row, parsed = recordings.recording("europepmc", data.draw(st.sampled_from(["retraction__", "search_post"])))
    for _ in range(data.draw(st.integers(1, 4))):
        parsed = recordings.damaged(data.draw, parsed)
    assert recordings.is_sound(recordings.outcome(read, row, json.dumps(parsed).encode()))


# Requests


SYNTAX = re.compile(r"[?*~^{}\\/]")


@given(text=st.text(max_size=200) | st.text('ab ?*|!:"()[]{}~^\\/AND OR NOT', max_size=400))
def test_a_question_is_never_read_as_syntax(text: str) -> None:
    try:
        queries = search_queries(Query(text))
    except BadQuery:
        return
    for query in queries:
        assert not SYNTAX.search(query)
        assert query.count('"') % 2 == 0
        assert query.count("(") == query.count(")")
        assert len(target(query, 100, "*")) < 16_000


def test_a_question_is_asked_of_titles_abstracts_and_authors() -> None:
    narrow, wide = search_queries(Query("does sleep loss reduce recall?", date(2020, 1, 1)))
    assert narrow.startswith("(TITLE_ABS:sleep OR AUTH:sleep) AND (TITLE_ABS:loss OR AUTH:loss) AND ")
    assert wide.startswith("(TITLE_ABS:sleep OR TITLE_ABS:loss OR ")
    assert narrow.endswith("(SRC:MED OR SRC:PMC OR SRC:PPR) AND FIRST_PDATE:[2020-01-01 TO 2099-12-31]")


@each("text", ["", "???", "and or", '"'])
def test_a_question_without_words_is_refused_before_it_is_asked(text: str) -> None:
    with pytest.raises(BadQuery):
        search_queries(Query(text))


@given(numbers=st.lists(st.integers(1, 10**8), min_size=1, max_size=200, unique=True))
def test_batches_stay_within_what_one_request_may_hold(numbers: list[int]) -> None:
    names = [Identifier("doi", f"10.5555/{'ü(a);' * (number % 40)}{number}") for number in numbers]
    parts = list(batches(names))
    assert [name for part in parts for name in part] == names
    assert all(len(part) <= NAMES for part in parts)


def test_nobody_is_told_to_check_a_key_that_there_is_none_of() -> None:
    for status in (401, 403):
        fault = error_of(HttpReply(status, httpx.Headers(), b""))
        assert isinstance(fault, SourceUnavailable)
        assert "key" not in fault.sentence


# Against the stand-in, over HTTP


def test_search_finds_articles_and_preprints_within_the_dates(services: Services, tmp_path: Path) -> None:
    query = Query("cystic fibrosis?", date(2015, 1, 1), date(2024, 12, 31), limit=100)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert {"article", "preprint"} <= {paper.type for paper in answer.papers}
    assert all("2014" < (paper.date or "") < "2025" for paper in answer.papers)
    assert services.violations == []
    assert [request.target for request in services.log] == list(answer.sent)


def test_words_that_no_paper_holds_all_of_are_asked_for_one_by_one(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis zebras unicorns")))
    assert answer.papers
    assert WIDENED in answer.notes
    assert len(answer.sent) == len(services.log) == 2


def test_nothing_found_is_an_empty_answer(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("unheardof")))
    assert (answer.papers, answer.total) == ((), 0)


def test_more_than_a_page_is_walked_by_mark(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis vaccine zebra", limit=120)))
    assert answer.total is not None
    assert len(answer.papers) == min(120, answer.total)
    assert services.violations == []


def test_lookup_takes_names_of_every_scheme_and_leaves_out_the_unknown(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.pmid and work.doi]
    in_pmc = next(work for work in works if work.pmcid)
    sici = next(work for work in works if "SICI" in (work.doi or ""))
    names = [pmid(works[0].pmid), doi(works[1].doi), pmcid(in_pmc.pmcid), doi(sici.doi), doi("10.5555/unheard-of")]
    answer = ask(services, tmp_path, lambda source: source.lookup([name for name in names if name]))
    found = {paper.identifier("pmid") for paper in answer.papers}
    assert found == {work.pmid for work in (works[0], works[1], in_pmc, sici)}
    assert services.violations == []


def test_hundreds_of_names_are_looked_up_in_few_requests(services: Services, tmp_path: Path) -> None:
    names = [Identifier("pmid", work.pmid) for work in services.corpus.works if work.pmid]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert len(answer.papers) == len(names) > 50
    assert len(services.log) == -(-len(names) // NAMES)
    assert services.violations == []


def test_an_identifier_is_looked_up_and_not_searched_for(services: Services, tmp_path: Path) -> None:
    work = next(work for work in services.corpus.works if work.pmcid)
    [paper] = ask(services, tmp_path, lambda source: source.search(Query(f"{work.pmcid}"))).papers
    assert paper.identifier("pmid") == work.pmid


def test_a_preprint_and_the_article_of_its_title_become_one_work_that_keeps_both(
    services: Services, tmp_path: Path
) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis", limit=100)))
    posted = next(paper for paper in answer.papers if paper.type == "preprint")
    printed = next(paper for paper in answer.papers if paper.type != "preprint" and same_work(posted, paper))
    both = merge(posted, printed)
    assert both.id == printed.id
    assert both.preprint is not None
    assert (both.preprint.venue, both.preprint.doi) == (posted.venue, posted.identifier("doi"))


def test_every_article_of_the_stand_in_is_told_with_its_imprint_and_state(services: Services, tmp_path: Path) -> None:
    works = {work.pmid: work for work in services.corpus.works if work.pmid}
    names = [Identifier("pmid", value) for value in works if value]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    for paper in answer.papers:
        work = works[paper.identifier("pmid") or ""]
        assert (paper.imprint.volume, paper.imprint.number) == (work.volume or "", work.issue or "")
        assert paper.retracted is work.retracted
        assert len(paper.authors) == len(work.authors)
        assert paper.year == work.year
        assert paper.language == work.language


def test_a_failing_service_is_an_error_and_no_empty_answer(services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault("500", service="europepmc", nth=1))
    with pytest.raises(SourceUnavailable):
        ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis")))
