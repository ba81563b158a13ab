"""Crossref: its replies become papers or named failures, and its requests are what the service takes."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.crossref.source import NAMES, Crossref, batch_target, batches, error_of, search_target, single_target
from connectors.crossref.work import read_list, read_work
from connectors.errors import BadQuery, BadResponse, NotFound, RateLimited, SourceError, SourceUnavailable
from connectors.http.responses import HttpReply
from connectors.identifiers import Identifier, doi
from connectors.paper import Imprint, Paper, Version
from connectors.records.build import build_paper
from connectors.records.matching import same_work
from connectors.records.merging import merge
from connectors.registry import CROSSREF, LISTS, RECORDS
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.crossref.fixtures import read
from tests.connectors.http.wired import QUICK, wired
from tests.rows import each
from tests.services import Fault, Services

Result = TypeVar("Result")
EMAIL = "ann@uni.edu"
QUICK_BY_KIND = replace(QUICK, gap=0.011, gaps={LISTS: 0.011, RECORDS: 0.003})
"""The rule for those who say nothing of themselves, for a stand-in whose seconds are hundredths."""


def ask(
    services: Services, folder: Path, question: Callable[[Crossref], Awaitable[Result]], email: str | None = None
) -> Result:
    async def run() -> Result:
        url = services.url("crossref")
        async with wired("crossref", url, error_of, folder, rate_limit=QUICK_BY_KIND) as http:
            return await question(Crossref(http, email))

    return asyncio.run(run())


def works_in(parsed: Any) -> list[dict[str, Any]]:
    """The works of a reply in JSON that is one of works."""
    frame = parsed if isinstance(parsed, dict) else {}
    if frame.get("message-type") == "work-list":
        items: list[dict[str, Any]] = frame["message"]["items"]
        return items
    return [frame["message"]] if frame.get("message-type") == "work" else [frame] if "_id" in frame else []


# Recorded replies


@recordings.each("crossref")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Works become as many papers as there are; errors, BibTeX, journals and funders are refused, never shown as
    none."""
    body = recordings.body(row)
    found = recordings.outcome(read, row, body)
    works = works_in(json.loads(body)) if row["status"] == 200 and body.startswith(b"{") else []
    if isinstance(found, SourceError):
        assert row["status"] >= 300 or (isinstance(found, BadResponse) and not works) or row["kind"] == "object-example"
        assert "<" not in found.sentence
    else:
        assert row["status"] == 200
        assert len(found) == len(works) or row["kind"] == "object-example"


@recordings.each("crossref")
def test_facts_of_recorded_works_survive(row: recordings.Row) -> None:
    """DOI, authors, year, count and the words of the title are the record's own, and no markup is left in any text."""
    body = recordings.body(row)
    if row["status"] != 200 or not body.startswith(b"{"):
        return
    for work in works_in(json.loads(body)):
        paper = read_work(work)
        assert paper is not None
        assert Identifier("doi", work["DOI"].lower()) in paper.identifiers
        assert len(paper.authors) == len(
            [one for one in work.get("author") or [] if one.get("family") or one.get("name")]
        )
        assert paper.citation_count == work.get("is-referenced-by-count")
        parts = (work.get("issued") or work.get("published") or {}).get("date-parts") or [[]]
        assert paper.year == (parts[0][0] if parts[0] else None)
        assert not re.search(r"</?(jats:)?(p|i|b|sub|sup|title|sec)\b[^<]*>", paper.title + paper.abstract)


@pytest.mark.parametrize(
    ("part", "status", "kind", "said"),
    [
        ("cr_funders_fails_well", 404, NotFound, "Resource not found"),
        ("members_filter_handler", 400, BadQuery, "there is no such filter"),
        ("fails_cursor_value", 404, BadQuery, "Cursor specified but it is invalid"),
        ("cr_journals_faceting", 504, SourceUnavailable, "not working right now"),
    ],
)
def test_each_recorded_refusal_has_its_own_meaning(part: str, status: int, kind: type[SourceError], said: str) -> None:
    found = [row for row in recordings.rows("crossref") if part in row["file"] and row["status"] == status]
    if not found:
        pytest.skip(recordings.ABSENT)
    with pytest.raises(kind, match=said):
        read(found[0], recordings.body(found[0]))


def test_a_preprint_that_was_published_and_its_publication_are_one_work() -> None:
    """As recorded of a preprint on bioRxiv and of the journal's article, each of which may be asked for alone."""
    _, posted = recordings.recording("crossref", "test_bulk_doi_search__6__")
    _, printed = recordings.recording("crossref", "test_doi_search_paper_attributes0__3__")
    preprint, article = read_work(posted["message"]), read_work(printed["message"])
    assert preprint is not None
    assert article is not None
    assert (preprint.type, preprint.venue) == ("preprint", "bioRxiv")
    assert preprint.published is not None
    assert preprint.published.doi == "10.1016/j.xgen.2025.100814"
    assert preprint.id == article.id == "doi:10.1016/j.xgen.2025.100814"
    assert same_work(preprint, article)
    both = merge(preprint, article)
    assert both.type == "article"
    assert both.preprint is not None
    assert both.preprint.doi == "10.1101/2024.04.01.587366"


def test_a_group_an_orcid_and_an_article_number_are_told_as_recorded() -> None:
    _, parsed = recordings.recording("crossref", "colrev__10.2196_22081")
    paper = read_work(parsed["message"])
    assert paper is not None
    assert (paper.authors[0].name, paper.authors[0].orcid) == ("Antoine Grenier Ouimet", "0000-0002-2947-0386")
    assert paper.imprint == Imprint("22", "11", "e22081", "JMIR Publications Inc.")
    assert (paper.date, paper.language, paper.venue) == ("2020-11-26", "en", "Journal of Medical Internet Research")
    assert paper.preprint == Version(doi="10.2196/preprints.22081", url="https://doi.org/10.2196/preprints.22081")


# Records


def work(**fields: Any) -> Paper:
    paper = read_work({"DOI": "10.5555/x", "type": "journal-article", "title": ["T"], **fields})
    assert paper is not None
    return paper


def update(kind: str, name: str = "10.5555/notice") -> dict[str, str]:
    return {"DOI": name, "type": kind, "label": kind, "source": "publisher"}


def test_the_day_of_registration_is_no_date_of_the_paper_but_tells_since_when_crossref_has_it() -> None:
    found = work(created={"date-parts": [[2026, 10, 1]]}, issued={"date-parts": [[1999]]})
    assert (found.date, found.indexed) == ("1999", (("crossref", "2026-10-01"),))


@each("kind", ["retraction", "withdrawal", "removal", "Retraction"])
def test_a_paper_that_was_taken_back_is_retracted_whatever_else_happened_to_it(kind: str) -> None:
    for updates in ([update("correction"), update(kind)], [update(kind), update("new_version")]):
        assert work(**{"updated-by": updates}).retracted


@each("kind", ["retraction", "withdrawal", "removal"])
def test_a_retraction_is_told_with_its_notice(kind: str) -> None:
    assert (
        work(**{"updated-by": [update("correction", "10.5555/c"), update(kind)]}).retraction_notice == "10.5555/notice"
    )
    both = [update("removal", "10.5555/r"), update("retraction", "10.5555/n")]
    assert work(**{"updated-by": both}).retraction_notice == "10.5555/n"


@each("name", ["10.5555/x", "10.5555/X", "none", "", None])
def test_what_is_no_notice_of_its_own_is_not_told_as_one(name: Any) -> None:
    found = work(**{"updated-by": [update("retraction", name)]})
    assert (found.retracted, found.retraction_notice) == (True, None)


def test_what_corrects_a_paper_is_no_notice_of_a_retraction() -> None:
    assert work(**{"updated-by": [update("correction")]}).retraction_notice is None


@recordings.each("crossref")
def test_every_recorded_retraction_has_the_notice_that_its_record_names(row: recordings.Row) -> None:
    if row["status"] != 200:
        return
    try:
        papers = read(row, recordings.body(row))
    except SourceError:
        return
    whole = json.loads(recordings.body(row))
    told = whole.get("message", whole)
    for fields in told.get("items", [told]):
        names = [one["DOI"].lower() for one in fields.get("updated-by", ()) if one["type"] == "retraction"]
        for paper in papers:
            if names and paper.identifier("doi") == fields["DOI"].lower() and names != [fields["DOI"].lower()]:
                assert paper.retraction_notice in names


@each("kind", ["correction", "erratum", "new_version", "expression_of_concern", "addendum", None, 7])
def test_a_correction_is_no_retraction(kind: Any) -> None:
    noted = work(**{"updated-by": [update(kind)]})
    assert not noted.retracted
    assert noted.concern == (kind == "expression_of_concern")


def test_a_paper_that_its_own_record_withdraws_is_retracted() -> None:
    found = work(**{"update-to": [update("withdrawal", "10.5555/X")]})
    assert (found.retracted, found.retraction_notice) == (True, None)


def test_a_notice_of_a_retraction_is_not_itself_retracted() -> None:
    notice = work(**{"update-to": [update("retraction", "10.5555/y")], "title": ["RETRACTED: the work of another"]})
    assert not notice.retracted


def test_the_day_of_registration_is_no_date() -> None:
    created = {"created": {"date-parts": [[2026, 10, 1]]}, "deposited": {"date-parts": [[2026, 10, 1]]}}
    unknown: list[Any] = [{"date-parts": [[None]]}, {"date-parts": [[]]}, {"date-parts": []}, {}, None]
    for issued in unknown:
        assert work(issued=issued, **created).date is None
    assert work(issued={"date-parts": [[2020, 5]]}, **created).date == "2020-05"


@each(
    ("title", "subtitle", "told"),
    [
        (["CRISP"], ["Consensus Based Prediction"], "CRISP: Consensus Based Prediction"),
        (["CRISP:"], ["Consensus"], "CRISP: Consensus"),
        (["A study of it: a review"], ["A review"], "A study of it: a review"),
        (["Deutsch", "English"], [""], "Deutsch"),
        ("A text", [], "A text"),
        ([], ["alone"], "(untitled)"),
        (["<i>E.\n  coli</i> &amp; us"], None, "E. coli & us"),
    ],
)
def test_titles_are_read_with_their_subtitles(title: Any, subtitle: Any, told: str) -> None:
    assert work(title=title, subtitle=subtitle).title == told


@each(
    ("raw", "told"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>It works.</jats:p>", "It works."),
        ("<jats:sec><jats:title>Aims</jats:title><jats:p>Sleep.</jats:p></jats:sec>", "Aims Sleep."),
        ("<p>H<sub>2</sub>O</p>", "H2O"),
        *[(nothing, "") for nothing in ("-", "n/a", "Abstract", "<jats:p>Abstract</jats:p>", "No abstract available.")],
        (None, ""),
        (["a list"], ""),
    ],
)
def test_an_abstract_is_what_the_paper_says_and_nothing_in_want_of_it(raw: Any, told: str) -> None:
    assert work(abstract=raw).abstract == told


def test_what_was_posted_is_a_preprint_only_if_the_record_or_its_server_says_so() -> None:
    """Publishers post blogs under DOIs of no server's own, and preprints under DOIs that no list has."""
    posted = {"type": "posted-content", "institution": [{"name": "A server"}]}
    assert work(**posted, subtype="preprint").preprint == Version(
        "A server", None, "10.5555/x", "https://doi.org/10.5555/x"
    )
    assert work(**posted, subtype="blog").type == "other"
    assert work(**posted).type == "other"
    assert work(**posted, DOI="10.1101/2020.01.30.927871").type == "preprint"


def test_a_relation_to_itself_or_by_another_kind_of_name_is_none() -> None:
    for named in ({"id-type": "doi", "id": "10.5555/x"}, {"id-type": "uri", "id": "10.1101/123456"}, {"id": None}, "x"):
        assert work(relation={"has-preprint": [named]}).identifiers == (Identifier("doi", "10.5555/x"),)


def test_the_registrys_word_goes_before_those_who_copy_it_and_behind_those_who_read_the_paper() -> None:
    """And that it was taken back stays told, whoever does not know it."""
    ours = work(**{"container-title": ["Registered"], "updated-by": [update("retraction")]})
    names = [Identifier("doi", "10.5555/x")]
    for source, venue in (
        ("openalex", "Registered"),
        ("semanticscholar", "Registered"),
        ("europepmc", "Told"),
        ("pubmed", "Told"),
    ):
        theirs = build_paper(source, title="T", venue="Told", identifiers=names)
        assert same_work(ours, theirs)
        for both in (merge(ours, theirs), merge(theirs, ours)):
            assert (both.venue, both.retracted) == (venue, True)


def test_an_unknown_kind_of_record_is_kept() -> None:
    assert work(type="hologram").type == "other"
    assert work(type=None).type == "other"


def test_an_empty_list_is_believed_only_with_a_zero() -> None:
    def listed(**message: Any) -> dict[str, Any]:
        return {"status": "ok", "message-type": "work-list", "message": message}

    assert read_list(listed(**{"total-results": 0, "items": []})).papers == ()
    damaged: list[Any] = [listed(**{"total-results": 3, "items": []}), listed(items=[]), listed()]
    for body in (*damaged, {"message-type": "work"}, []):
        with pytest.raises(BadResponse):
            read_list(body)


@given(data=st.data())
def test_no_damage_to_a_reply_crashes_the_reader(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(["colrev__10.2196_22081", "test_article_with_pages", "cr_prefixes_metadata__0"]))
    row, parsed = recordings.recording("crossref", part)
    for _ in range(data.draw(st.integers(1, 4))):
        parsed = recordings.damaged(data.draw, parsed)
    assert recordings.is_sound(recordings.outcome(read, row, json.dumps(parsed).encode()))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELDS = "title subtitle type subtype author issued container-title updated-by relation abstract page institution"


@given(fields=st.dictionaries(st.sampled_from(FIELDS.split()), JSON))
def test_any_json_in_any_field_is_survived(fields: dict[str, Any]) -> None:
    assert work(**fields).title


# Requests


def test_a_search_asks_for_kinds_of_papers_within_the_dates() -> None:
    target = search_target(Query("sleep & memory", date(2020, 1, 1), date(2024, 12, 31)))
    sent = parse_qs(urlsplit(target).query)
    assert sent["query.bibliographic"] == ["sleep & memory"]
    assert "type:journal-article" in sent["filter"][0]
    assert "type:journal-issue" not in sent["filter"][0]
    assert sent["filter"][0].endswith("from-pub-date:2020-01-01,until-pub-date:2024-12-31")


def test_every_sign_of_a_doi_is_encoded() -> None:
    name = doi("10.1002/(SICI)1099-0496(199901)27:1<1::AID-PPUL1>3.0.CO;2-#")
    assert name is not None
    assert (
        single_target(name)
        == "/works/10.1002%2F%28sici%291099-0496%28199901%2927%3A1%3C1%3A%3Aaid-ppul1%3E3.0.co%3B2-%23"
    )


@given(numbers=st.lists(st.integers(1, 10**12), min_size=1, max_size=200, unique=True), comma=st.booleans())
def test_batches_stay_within_what_one_request_may_hold(numbers: list[int], comma: bool) -> None:
    names = [Identifier("doi", f"10.5555/{'ü(a);' * (number % 40)}{',' * comma}{number}") for number in numbers]
    parts = list(batches(names))
    assert sorted(name for part in parts for name in part) == sorted(names)
    for part in parts:
        assert len(part) <= NAMES
        assert len(batch_target(part)) < 4_000
        assert len(part) == 1 or not any("," in name.value for name in part)


def reply(status: int, body: bytes = b"", **headers: str) -> HttpReply:
    return HttpReply(status, httpx.Headers({name.replace("_", "-"): value for name, value in headers.items()}), body)


def test_whoever_is_shut_out_leaves_it_alone_for_an_hour() -> None:
    fault = error_of(reply(403, b"<html>Forbidden</html>"))
    assert isinstance(fault, RateLimited)
    assert fault.until is not None
    assert timedelta(minutes=59) < fault.until - datetime.now(UTC) <= timedelta(hours=1)


def test_a_page_that_says_too_many_is_a_refusal_for_haste() -> None:
    fault = error_of(reply(429, b"<html>You have sent too many requests in a given amount of time.</html>"))
    assert isinstance(fault, RateLimited)
    assert "<" not in fault.sentence


# Against the stand-in, over HTTP


def test_search_finds_papers_within_the_dates_and_no_journals(services: Services, tmp_path: Path) -> None:
    query = Query("Journal of Invented Results: cystic fibrosis", date(2019, 1, 1), date(2022, 12, 31), limit=10)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert answer.papers
    assert all("2019" <= (paper.date or "") < "2023" and paper.type != "other" for paper in answer.papers)
    assert services.violations == []
    assert [request.target for request in services.log] == list(answer.sent)


def test_a_doi_is_looked_up_and_not_searched_for(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("doi:10.5555/odd.year")))
    assert [paper.id for paper in answer.papers] == ["doi:10.5555/odd.year"]
    assert [request.path for request in services.log] == ["/works/10.5555%2Fodd.year"]


def test_more_than_a_page_is_walked_by_cursor(services: Services, tmp_path: Path) -> None:
    query = Query(
        "vaccine screening cystic fibrosis retrieval graph citation agents records baselines changes", limit=150
    )
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert answer.total is not None
    assert len(answer.papers) == min(150, answer.total)
    assert len(services.log) == (2 if answer.total >= 100 else 1)
    assert services.violations == []


def test_a_retraction_is_told_and_a_correction_is_none(services: Services, tmp_path: Path) -> None:
    held = [one for one in services.corpus.works if one.doi and not one.arxiv]
    names = [name for one in held if (name := doi(one.doi))]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert len(answer.papers) == len(held)
    retracted = {paper.identifier("doi") for paper in answer.papers if paper.retracted}
    assert retracted == {(one.doi or "").lower() for one in held if one.retracted}
    assert len(services.log) <= -(-len(names) // NAMES) + 2
    assert services.violations == []


def test_an_unknown_doi_is_left_out_and_arxivs_are_not_even_asked_for(services: Services, tmp_path: Path) -> None:
    names = [Identifier("doi", "10.5555/unheard-of"), Identifier("doi", "10.48550/arxiv.2103.90001")]
    assert ask(services, tmp_path, lambda source: source.lookup(names)).papers == ()
    assert [request.path for request in services.log] == ["/works/10.5555%2Funheard-of"]


def test_only_a_doi_can_be_looked_up(services: Services, tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="it knows doi"):
        ask(services, tmp_path, lambda source: source.lookup([Identifier("pmid", "123")]))


def test_the_journal_version_knows_its_preprint(services: Services, tmp_path: Path) -> None:
    journal = next(one for one in services.corpus.works if one.preprint and one.doi)
    preprint = services.corpus[journal.preprint or 0]
    [paper] = ask(services, tmp_path, lambda source: source.lookup([Identifier("doi", journal.doi or "")])).papers
    assert paper.identifier("arxiv") == preprint.arxiv
    assert paper.id == f"doi:{journal.doi}"


def test_an_address_is_sent_if_the_person_gave_one_and_stands_in_no_log(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis")), EMAIL)
    single = ask(services, tmp_path, lambda source: source.lookup([Identifier("doi", "10.5555/odd.year")]), EMAIL)
    assert [request.parameters["mailto"] for request in services.log] == [EMAIL, EMAIL]
    assert EMAIL not in repr((answer, single))
    services.reset()
    ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis")))
    assert "@" not in services.log[0].target + repr(services.log[0].headers)


def test_each_kind_of_request_keeps_its_own_limit(tmp_path: Path) -> None:
    """A second is a tenth here: one list in it, five records, whatever is asked for in turn."""
    with Services(time_scale=0.1) as services:

        async def both(source: Crossref) -> None:
            for number in range(4):
                await source.search(Query(f"cystic fibrosis {number}"))
                await source.lookup([Identifier("doi", "10.5555/odd.year")])

        async def run() -> None:
            limit = CROSSREF.limit(with_key=False)
            quick = replace(limit, gap=limit.gap / 10, gaps={part: gap / 10 for part, gap in limit.gaps.items()})
            url = services.url("crossref")
            async with wired("crossref", url, error_of, tmp_path, rate_limit=quick) as http:
                await both(Crossref(http, None))

        asyncio.run(run())
        assert len(services.log) == 8
        assert services.violations == []


def test_a_limit_that_the_service_lowered_is_kept_by_the_next_process(tmp_path: Path) -> None:
    """Who expects ten a second and is told five keeps to five, and so does whoever comes after."""
    hasty = replace(QUICK, gap=0.0, gaps={})
    with Services(time_scale=0.2) as services:

        async def run() -> None:
            url = services.url("crossref")
            for _ in range(6):  # each with a new limiter over the same notes, as another process would
                async with wired("crossref", url, error_of, tmp_path, rate_limit=hasty) as http:
                    await Crossref(http, None).search(Query("cystic fibrosis"))

        asyncio.run(run())
        starts = [request.time for request in services.log]
        assert all(later - earlier >= 0.2 for earlier, later in pairwise(starts[1:]))
        assert services.violations == []


def test_a_later_page_that_fails_makes_the_answer_partial(services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault("500", service="crossref", nth=2))
    query = Query(
        "vaccine screening cystic fibrosis retrieval graph citation agents records baselines changes", limit=150
    )
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert len(answer.papers) == 100
    assert answer.partial
