"""dblp: its hits become papers, and a page in place of an answer is a failure and never no papers."""

import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.dblp.record import read_element, read_info, read_list
from connectors.dblp.source import OUTSIDE, WHOLE_YEARS, Dblp, error_of, search_queries
from connectors.errors import BadQuery, BadResponse, RateLimited, SourceError, SourceUnavailable, Unsupported
from connectors.http.paging import WIDENED
from connectors.http.responses import HttpReply
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.source import Answer, Query
from tests.connectors import recordings
from tests.connectors.dblp.fixtures import read
from tests.connectors.http.wired import QUICK, wired
from tests.rows import each
from tests.services import Fault, Services

SPACED = replace(QUICK, gap=0.055)
"""The rule for a stand-in whose seconds are hundredths."""


def ask(services: Services, folder: Path, query: Query) -> Answer:
    async def run() -> Answer:
        async with wired("dblp", services.url("dblp"), error_of, folder, rate_limit=SPACED) as http:
            return await Dblp(http).search(query)

    return asyncio.run(run())


def info(**more: Any) -> Paper:
    """What is read of a made-up hit."""
    paper = read_info({"title": "Of seals.", "key": "conf/seals/Ravn20", "year": "2020", "venue": "SEALS", **more})
    assert paper is not None
    return paper


# Recorded replies


@recordings.each("dblp")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Hits become as many papers; pages, BibTeX and authors are refused, and only a zero that is told is none."""
    body = recordings.body(row)
    found = recordings.outcome(read, row, body)
    reply = json.loads(body) if body.startswith(b"{") else {}
    if "/publ/" not in row["url"] or not reply or row["status"] >= 300:
        assert isinstance(found, SourceError)
        return
    hits = reply["result"]["hits"]
    assert not isinstance(found, SourceError)
    assert len(found) == len(hits.get("hit", []))
    assert found or hits["@total"] == "0"


def test_the_facts_of_a_recorded_hit_survive() -> None:
    row, _ = recordings.recording("dblp", "publ-search-one-author")
    [paper] = read(row, recordings.body(row))
    assert paper.title.endswith("for Full-Scan Test Architecture")
    assert [one.name for one in paper.authors] == ["Tsuyoshi Shinogi"]
    assert (paper.venue, paper.year, paper.type) == ("Asian Test Symposium", 2005, "conference-paper")
    assert (paper.imprint.pages, paper.url) == ("366-371", "https://dblp.org/rec/conf/ats/ShinogiYHTY05")
    assert paper.identifiers == (Identifier("doi", "10.1109/ats.2005.17"),)


# Made-up hits


def test_people_are_told_as_a_list_as_one_and_as_names_without_the_number_of_a_namesake() -> None:
    one, two = {"@pid": "1/1", "text": "Alexey Karpov 0001"}, {"@pid": "1/2", "text": "Astrid Ravn"}
    for told, names in (([one, two], ["Alexey Karpov", "Astrid Ravn"]), (one, ["Alexey Karpov"]),
                        (["Astrid Ravn"], ["Astrid Ravn"]), ("Astrid Ravn", ["Astrid Ravn"])):  # fmt: skip
        assert [person.name for person in info(authors={"author": told}).authors] == names
    assert info().authors == ()


def test_entities_and_the_full_stop_are_not_of_the_title() -> None:
    assert info(title="Ravn&apos;s &amp; other seals.").title == "Ravn's & other seals"


def test_what_is_of_corr_is_a_preprint_with_its_number_on_arxiv() -> None:
    paper = info(venue="CoRR", volume="abs/2004.04906", type="Informal and Other Publications")
    assert (paper.type, paper.venue, paper.id) == ("preprint", "arXiv", "arxiv:2004.04906")
    assert paper.published is None


def test_a_thesis_is_told_from_a_book_by_its_key_and_a_venue_may_be_several() -> None:
    told = [info(type="Books and Theses", key=key).type for key in ("phd/Ravn20", "books/sp/Ravn20")]
    assert told == ["thesis", "book"]
    assert (
        info(venue=["SEALS", "Workshops"], ee=["https://a.test/x", "https://doi.org/10.1000/X"]).id == "doi:10.1000/x"
    )


@given(st.data())
def test_a_damaged_reply_is_read_or_refused_by_name(data: st.DataObject) -> None:
    hit = {"info": {"title": "Of seals.", "key": "k", "venue": "V", "authors": {"author": [{"text": "A B"}]},
                    "year": "2020", "doi": "10.1000/x"}}  # fmt: skip
    whole = {"result": {"status": {"@code": "200"}, "hits": {"@total": "1", "@sent": "1", "hit": [hit]}}}
    try:
        found = read_list(recordings.damaged(data.draw, whole)).papers
    except BadResponse:
        return
    assert recordings.is_sound(found)


# Over the line


def test_all_of_the_telling_words_are_asked_for_and_then_any_of_them(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, Query("How does dense retrieval work?"))
    assert answer.papers
    assert answer.notes == ()
    wider = ask(services, tmp_path, Query("retrieval zebrafish"))
    assert wider.papers
    assert wider.notes[0] == WIDENED
    assert len(wider.sent) == 2
    assert services.violations == []


def test_no_papers_are_believed_only_where_it_says_so(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, Query("zebrafish otoliths"))
    assert (answer.papers, answer.total, len(services.log)) == ((), 0, 2)


def test_years_hold_and_what_lies_outside_is_counted(services: Services, tmp_path: Path) -> None:
    everything = ask(services, tmp_path, Query("retrieval", limit=200))
    bounded = ask(services, tmp_path, Query("retrieval", date(2019, 5, 1), date(2020, 12, 31), limit=200))
    assert {paper.year for paper in bounded.papers} == {2019, 2020}
    left_out = len(everything.papers) - len(bounded.papers)
    assert set(bounded.notes) == {WHOLE_YEARS, f"{left_out} {OUTSIDE}"}
    assert services.violations == []


@pytest.mark.parametrize("kind", ["login_page", "login_as_json", "truncated", "empty", "null_json", "list_json", "429"])
def test_a_page_or_a_cut_answer_is_a_failure_and_never_no_papers(kind: str, services: Services, tmp_path: Path) -> None:
    """Its page against robots is such a one: told as good, and holding no data."""
    services.add_fault(Fault(kind))
    with pytest.raises((BadResponse, RateLimited, SourceUnavailable)):
        ask(services, tmp_path, Query("zebrafish"))


@each(
    ("status", "body", "kind"),
    [
        (429, b"<html><title>429 Too Many Requests</title></html>", RateLimited),
        (403, b"<html>Making sure you're not a bot!</html>", RateLimited),
        (500, b"<html><h1>Internal Server Error</h1></html>", SourceUnavailable),
        (503, b"<html><h1>503 Service Unavailable</h1></html>", SourceUnavailable),
    ],
)
def test_each_refusal_has_its_own_meaning_and_shows_no_markup(
    status: int, body: bytes, kind: type[SourceError]
) -> None:
    fault = error_of(HttpReply(status, httpx.Headers({"content-type": "text/html"}), body))
    assert type(fault) is kind
    assert "<" not in str(fault)


def test_a_question_without_words_is_not_asked_and_names_are_not_looked_up(services: Services, tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="was not asked"):
        ask(services, tmp_path, Query("?!"))

    async def look_up() -> Answer:
        async with wired("dblp", services.url("dblp"), error_of, tmp_path) as http:
            return await Dblp(http).lookup([Identifier("doi", "10.1000/x")])

    with pytest.raises(Unsupported):
        asyncio.run(look_up())
    assert services.log == []


def test_no_word_of_a_question_is_read_as_syntax() -> None:
    """`author:`, `year:` and `|` are dblp's own; a word is ended, so that it is no beginning of others."""
    assert search_queries("author:Ravn: seals|walruses")[0] == "author$ ravn$ seals$ walruses$"


ARTICLE = b"""<article mdate="2017-05-28" key="journals/acta/Saxena96">
<author orcid="0000-0000">Sanjeev Saxena 0001</author><author>J&uuml;rgen M&ouml;ller</author>
<title>Parallel Integer Sorting and Simulation <i>Amongst</i> CRCW &amp; Other Models.</title>
<pages>607-619</pages><year>1996</year><volume>33</volume><journal>Acta Inf.</journal><number>7</number>
<ee>https://www.example.org/x</ee><ee type="oa">https://doi.org/10.1007/BF03036466</ee>
<url>db/journals/acta/acta33.html#Saxena96</url></article>"""


def test_an_element_is_the_paper_that_the_search_would_tell_of() -> None:
    paper = read_element(ARTICLE)
    assert paper
    assert paper.title == "Parallel Integer Sorting and Simulation Amongst CRCW & Other Models"
    assert [one.name for one in paper.authors] == ["Sanjeev Saxena", "Jürgen Möller"]
    assert (paper.venue, paper.year, paper.type) == ("Acta Inf.", 1996, "article")
    assert (paper.imprint.volume, paper.imprint.number, paper.imprint.pages) == ("33", "7", "607-619")
    assert paper.identifier("doi") == "10.1007/bf03036466"
    assert paper.url == "https://dblp.org/rec/journals/acta/Saxena96"


def test_a_preprint_has_its_number_on_arxiv() -> None:
    paper = read_element(
        b'<article key="journals/corr/abs-1810-04805" publtype="informal"><author>Jacob Devlin</author><title>BERT.'
        b"</title><volume>abs/1810.04805</volume><year>2018</year><journal>CoRR</journal></article>"
    )
    assert paper
    assert (paper.type, paper.identifier("arxiv"), paper.venue) == ("preprint", "1810.04805", "arXiv")


@each(
    "element",
    [
        b'<www key="homepages/s/SanjeevSaxena"><author>A</author><title>Home Page</title></www>', b"<article>", b"<",
        b'<article key="k"><title></title></article>', b'<article key="k"><title>&unknown;</title></article>',
    ],
)  # fmt: skip
def test_a_person_and_what_is_damaged_are_no_paper(element: bytes) -> None:
    assert read_element(element) is None
