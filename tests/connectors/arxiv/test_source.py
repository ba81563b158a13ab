"""arXiv: its feeds become papers or named failures, and its requests are what the service takes."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.arxiv.feed import DAMAGED, read_feed, read_metadata
from connectors.arxiv.source import Arxiv, error_of, request_target, search_expressions
from connectors.capability import Capability
from connectors.errors import (
    BadQuery,
    BadResponse,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
    Unsupported,
)
from connectors.http.paging import WIDENED, ResultPage
from connectors.http.responses import HttpReply
from connectors.identifiers import Identifier, arxiv, doi, pmid
from connectors.paper import Imprint, Paper, Version
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.http.wired import wired
from tests.connectors.xml_replies import brought_nothing_in, with_entities, xml_reply
from tests.rows import each
from tests.services import Fault, Services

Result = TypeVar("Result")
ATOM = "{http://www.w3.org/2005/Atom}"
EXTRA = "{http://arxiv.org/schemas/atom}"
TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
TERM = r'all:(?:[^\s:()"\[\]]+|"[^:()"\[\]]+")'
EXPRESSION = re.compile(rf"{TERM}(?: AND {TERM})*|{TERM}(?: OR {TERM})*")


def ask(services: Services, folder: Path, question: Callable[[Arxiv], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with wired("arxiv", services.url("arxiv"), error_of, folder) as http:
            return await question(Arxiv(http))

    return asyncio.run(run())


def reply(body: bytes | str, status: int = 200, content_type: str = "application/atom+xml") -> HttpReply:
    return xml_reply(body, status, content_type)


def entry(extra: str = "", name: str = "2101.00001v2", title: str = "A title", day: str = "2021-01-02") -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/{name}</id><title>{title}</title><updated>{day}T00:00:00Z</updated>"
        f"<published>{day}T00:00:00Z</published>{extra}</entry>"
    )


def feed(*entries: str, total: object = None) -> str:
    count = len(entries) if total is None else total
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"'
        ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
        f"<opensearch:totalResults>{count}</opensearch:totalResults>{''.join(entries)}</feed>"
    )


def read(row: recordings.Row, body: bytes) -> ResultPage:
    answer = reply(body, row["status"], row["content_type"])
    if fault := error_of(answer):
        raise fault
    return read_feed(answer)


def only(*entries: str) -> Paper:
    [paper] = read_feed(reply(feed(*entries))).papers
    return paper


def plain(text: str) -> list[str]:
    return re.findall("[A-Za-z0-9]+", text)


def expressions(text: str, since: date | None = None, until: date | None = None) -> tuple[str, str]:
    return search_expressions(Query(text, since, until))


# Recorded replies


@recordings.each("arxiv")
def test_every_recorded_feed_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """There are as many papers as entries, and what each entry tells is in its paper."""
    body = recordings.body(row)
    if row["status"] != 200:
        with pytest.raises(RateLimited if row["status"] == 429 else BadQuery):
            read(row, body)
        return
    found, root = read(row, body), ElementTree.fromstring(body)
    entries = root.findall(ATOM + "entry")
    assert found.total == int(root.findtext(TOTAL) or "")
    assert len(found.papers) == len(entries)
    for paper, told in zip(found.papers, entries, strict=True):
        address = told.findtext(ATOM + "id") or ""
        assert paper.identifier("arxiv") == re.sub(r"v\d+$", "", address.rpartition("/abs/")[2])
        assert paper.title == " ".join((told.findtext(ATOM + "title") or "").split())
        # One recording holds control characters, which the cleaning takes away.
        assert plain(paper.abstract) == plain(told.findtext(ATOM + "summary") or "")
        assert paper.date == (told.findtext(ATOM + "published") or "")[:10]
        assert len(paper.authors) == len(told.findall(ATOM + "author"))
        assert paper.identifier("doi") == ((told.findtext(EXTRA + "doi") or "").lower() or None)
        assert paper.venue == (told.findtext(EXTRA + "journal_ref") or "arXiv")
        assert paper.pdf == next(one.get("href") for one in told.findall(ATOM + "link") if one.get("title") == "pdf")
        assert paper.type == "preprint"
        assert list(paper.keywords) == [one.get("term") for one in told.findall(ATOM + "category")]


@recordings.each("arxiv")
@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_a_cut_feed_is_refused(row: recordings.Row, share: float) -> None:
    """The library takes a cut feed for a whole one; the source does not."""
    if row["status"] == 200:
        body = recordings.body(row)
        with pytest.raises(BadResponse):
            read(row, body[: int(len(body) * share)])


def test_the_reason_of_a_refusal_is_told() -> None:
    rows = [row for row in recordings.rows("arxiv") if "id_abc" in row["file"]]
    if not rows:
        pytest.skip("the recorded replies (../shared/fixtures) are not here")
    for status in (400, 200):  # errors came with 200 once
        with pytest.raises(BadQuery, match="incorrect id format for abc"):
            read({**rows[0], "status": status}, recordings.body(rows[0]))


# Replies


def test_a_preprint_keeps_its_own_date_and_the_journal_that_printed_it() -> None:
    extra = "<arxiv:journal_ref>Phys. Rev. D 76 (2007)</arxiv:journal_ref><arxiv:doi>10.1000/a 10.1000/B</arxiv:doi>"
    paper = only(entry(extra))
    assert [str(name) for name in paper.identifiers] == ["doi:10.1000/a", "doi:10.1000/b", "arxiv:2101.00001"]
    assert paper.preprint is not None
    assert (paper.preprint.venue, paper.preprint.date, paper.preprint.doi) == (
        "arXiv",
        "2021-01-02",
        "10.48550/arxiv.2101.00001",
    )
    assert paper.published is not None
    assert (paper.published.venue, paper.published.date, paper.published.doi) == (
        "Phys. Rev. D 76 (2007)",
        None,
        "10.1000/a",
    )
    assert all(told.preprint for told in paper.provenance)


def test_a_preprint_has_its_primary_category_and_no_volume() -> None:
    extra = (
        '<category term="cs.IR" scheme="http://arxiv.org/schemas/atom"/><arxiv:primary_category term="cs.CL"/>'
        "<arxiv:journal_ref>Phys. Rev. D 76 (2007) 3-9</arxiv:journal_ref>"
    )
    assert only(entry(extra)).imprint == Imprint(arxiv_class="cs.CL")
    assert only(entry()).imprint == Imprint()


def test_every_category_of_a_preprint_is_a_keyword() -> None:
    """Also those beside the primary one, and the classes of other schemes that stand among them."""
    terms = ("cs.CL", "cs.IR", "68T50; 68P20", "cs.CL")
    extra = "".join(f'<category term="{term}" scheme="http://arxiv.org/schemas/atom"/>' for term in terms)
    assert only(entry(extra + '<arxiv:primary_category term="cs.CL"/>')).keywords == ("cs.CL", "cs.IR", "68T50; 68P20")
    assert only(entry()).keywords == ()


def test_a_paper_that_nobody_printed_has_one_version() -> None:
    assert only(entry()).published is None
    assert only(entry("<arxiv:doi>10.48550/arXiv.2101.00001</arxiv:doi>")).published is None


def test_names_before_2007_and_versions_are_understood() -> None:
    assert only(entry(name="hep-th/9901001v3")).identifier("arxiv") == "hep-th/9901001"
    assert only(entry(name="math.AG/0309136v1")).url == "https://arxiv.org/abs/math/0309136"


def test_a_collaboration_signs_with_its_whole_name() -> None:
    names = ("ATLAS Collaboration", ":", "Georges Aad", "Ludwig van Beethoven", "")
    people = only(entry("".join(f"<author><name>{name}</name></author>" for name in names))).authors
    assert [(one.given, one.family) for one in people] == [
        ("", "ATLAS Collaboration"),
        ("Georges", "Aad"),
        ("Ludwig", "van Beethoven"),
    ]


def test_a_paper_may_be_titled_error() -> None:
    assert only(entry(title="Error")).title == "Error"


@each("day", ["0001-01-01T00:00:00+23:59", "yesterday", ""])
def test_an_entry_with_an_odd_date_costs_only_itself(day: str) -> None:
    odd = f"<entry><id>http://arxiv.org/abs/2101.00002</id><title>T</title><updated>{day}</updated></entry>"
    found = read_feed(reply(feed(odd, entry())))
    assert [paper.identifier("arxiv") for paper in found.papers] == ["2101.00001"]
    assert (len(found.papers), found.counts[DAMAGED]) == (1, 1)


@each(
    "body",
    [
        "",
        " ",
        "<html><body>Sign in</body></html>",
        "<!doctype html><p>Sign in",
        '{"error": "x"}',
        "<feed/>",
        '<feed xmlns="http://www.w3.org/2005/Atom"/>',
        feed(total=""),
        feed(total="many"),
        feed(total="-1"),
        feed(total="²"),
        feed("<entry/>"),
        feed(entry(name="not an id")),
        "<rss><channel/></rss>",
        feed()[:-7],
        "<PubmedArticleSet></PubmedArticleSet>",
    ],
)
def test_what_is_no_feed_is_refused(body: str) -> None:
    """Nothing but a feed that counts zero means that nothing was found."""
    with pytest.raises(BadResponse):
        read_feed(reply(body))


def test_zero_is_zero() -> None:
    assert read_feed(reply(feed(total=0))) == ResultPage(total=0, counts={DAMAGED: 0})


def test_entities_bring_nothing_in() -> None:
    """Neither a file nor a flood comes in through a document type."""
    body = with_entities(feed(entry(title="x &f; &l11; y")), "feed")
    assert brought_nothing_in(recordings.outcome(lambda row, body: read_feed(reply(body)).papers, {}, body))


@given(data=st.data())
def test_any_damage_to_a_feed_is_survived(data: st.DataObject) -> None:
    """Whatever bytes are lost or changed, there are sound papers or a failure told in a sentence."""
    body = bytearray(feed(entry("<arxiv:doi>10.1000/x</arxiv:doi><author><name>A B</name></author>")).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
    assert recordings.is_sound(recordings.outcome(lambda row, raw: read({**row}, raw).papers, ROW, bytes(body)))


ROW = {"status": 200, "content_type": "application/atom+xml"}


@each(
    ("status", "body", "kind"),
    [
        (429, "Rate exceeded.", RateLimited),
        (200, "Rate exceeded.", RateLimited),
        (500, "<html>oops</html>", SourceUnavailable),
        (503, "", SourceUnavailable),
        (403, "<html>blocked</html>", Unauthorized),
        (400, "", BadQuery),
        (400, "<entry><title>Error</title>", BadQuery),
        (200, "<entry><title>Error</title>", BadResponse),
    ],
)
def test_faults_are_named(status: int, body: str, kind: type[SourceError]) -> None:
    fault = error_of(reply(body, status))
    assert type(fault) is kind
    assert "<" not in fault.sentence
    assert fault.sentence.endswith(".")


# Queries


@each(
    ("text", "narrow"),
    [
        ("quantum computing", "all:quantum AND all:computing"),
        ('"attention is all you need"', 'all:"attention is all you need"'),
        ("retrieval-augmented generation", 'all:"retrieval augmented" AND all:generation'),
        ("Navier–Stokes", 'all:"navier stokes"'),
        ("How does dropout prevent overfitting?", "all:dropout AND all:prevent AND all:overfitting"),
        ("cats AND dogs OR (birds ANDNOT fish)", "all:cats AND all:dogs AND all:birds AND all:andnot AND all:fish"),
        ("ti:secret au:[x TO y]", "all:ti AND all:secret AND all:au"),
        ("GPT-3.5 versus C++", 'all:"gpt 3.5" AND all:versus'),
        ("Alzheimer's disease", "all:alzheimer AND all:disease"),
        ("to be or not to be", "all:to AND all:be AND all:or AND all:not"),
        ('a lone " quote', "all:lone AND all:quote"),
        ("scikit_learn", "all:scikit AND all:learn"),
        ("हिन्दी भाषा", "all:हिन्दी AND all:भाषा"),
    ],
)
def test_questions_become_expressions(text: str, narrow: str) -> None:
    assert expressions(text)[0] == narrow


def test_a_long_question_asks_for_its_most_telling_words() -> None:
    """Papers that hold every word of a sentence do not exist, so at most six words must be there."""
    question = (
        "What are the most effective approaches for detecting hallucinations in retrieval-augmented large language"
        " models when they are used for summarising biomedical literature in low-resource languages?"
    )
    narrow, wide = expressions(question)
    assert narrow.split(" AND ") == [
        "all:effective",
        "all:hallucinations",
        'all:"retrieval augmented"',
        "all:summarising",
        "all:biomedical",
        'all:"low resource"',
    ]
    assert set(narrow.split(" AND ")) < set(wide.split(" OR "))
    assert "all:languages" in wide.split(" OR ")


def test_a_phrase_that_is_nowhere_is_asked_for_word_by_word() -> None:
    assert expressions('"deep graph library"') == ('all:"deep graph library"', "all:deep AND all:graph AND all:library")


def test_dates_bound_the_day_of_the_first_version() -> None:
    since, until = date(2020, 1, 1), date(2024, 12, 31)
    assert expressions("deep learning", since, until) == (
        "all:deep AND all:learning AND submittedDate:[202001010000 TO 202412312359]",
        "(all:deep OR all:learning) AND submittedDate:[202001010000 TO 202412312359]",
    )
    assert "[202001010000 TO 299912312359]" in expressions("deep", since)[0]
    assert "[190001010000 TO 202412312359]" in expressions("deep", None, until)[0]


@each("text", ["", "   ", "?!", '""', "()[]:", "-", "\x00\x1b[31m", "…"])
def test_a_question_without_words_is_not_asked(text: str) -> None:
    with pytest.raises(BadQuery):
        expressions(text)


@given(text=st.text(max_size=300) | st.text(" \"'()[]:-_.*?~^\\/ANDORTto12xé文", max_size=80))
def test_no_question_can_smuggle_syntax_in(text: str) -> None:
    """Whatever is typed, what is sent is a plain list of terms."""
    try:
        narrow, wide = expressions(text)
    except BadQuery:
        return
    assert EXPRESSION.fullmatch(narrow)
    assert EXPRESSION.fullmatch(wide)
    assert narrow.count("all:") <= 6
    assert len(narrow) < 2_500


def test_a_request_asks_for_no_more_than_is_wanted() -> None:
    target = urlsplit(request_target('all:x AND all:"y z"', [], 5, 7))
    asked = parse_qs(target.query)
    assert target.path == "/api/query"
    assert asked["search_query"] == ['all:x AND all:"y z"']
    assert (asked["start"], asked["max_results"], asked["sortBy"]) == (["5"], ["7"], ["relevance"])


# Against the stand-in


def test_a_search_finds_papers_of_the_dates_asked_for(services: Services, tmp_path: Path) -> None:
    query = Query("passage retrieval", date(2019, 1, 1), date(2026, 12, 31), 5)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert 0 < len(answer.papers) <= 5
    assert all("2019" <= (paper.date or "") <= "2026-12-31" for paper in answer.papers)
    works = [services.corpus.find("arxiv", paper.identifier("arxiv") or "") for paper in answer.papers]
    assert all(work and work.title == paper.title for work, paper in zip(works, answer.papers, strict=True))
    assert answer.total is not None
    assert answer.total >= len(answer.papers)
    [request] = services.log
    assert answer.sent == (request.target,)
    assert services.violations == []


def test_a_question_whose_words_never_meet_is_asked_more_widely(services: Services, tmp_path: Path) -> None:
    answer = ask(
        services, tmp_path, lambda source: source.search(Query("passage retrieval of zebras in Zanzibar", limit=3))
    )
    assert len(answer.papers) == 3
    assert answer.notes[0] == WIDENED
    assert [" OR " in parse_qs(one)["/api/query?search_query"][0] for one in answer.sent] == [False, True]
    assert services.violations == []


def test_nothing_is_found_only_after_asking_for_any_of_the_words(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("zebras Zanzibar")))
    assert (answer.papers, answer.total, len(answer.sent)) == ((), 0, 2)


def test_a_page_that_comes_back_empty_once_is_asked_for_again(services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault("nothing", service="arxiv", nth=1))
    answer = ask(services, tmp_path, lambda source: source.search(Query("passage retrieval", limit=4)))
    assert len(answer.papers) == 4
    assert len(services.log) == 2
    assert services.violations == []


def test_a_page_that_stays_empty_is_a_failure_not_an_empty_answer(services: Services, tmp_path: Path) -> None:
    services.add_fault(Fault("nothing", service="arxiv"))
    with pytest.raises(BadResponse, match="empty page"):
        ask(services, tmp_path, lambda source: source.search(Query("passage retrieval")))
    assert len(services.log) == 2


def test_known_ids_are_looked_up_and_unknown_ones_left_out(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.arxiv][:3]
    names = [name for work in works if (name := arxiv(work.arxiv))]
    names.append(Identifier("arxiv", "0901.99999"))
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert {paper.identifier("arxiv") for paper in answer.papers} == {work.arxiv for work in works}
    assert len(services.log) == 1
    assert services.violations == []


def test_an_arxiv_doi_names_an_arxiv_paper(services: Services, tmp_path: Path) -> None:
    work = next(work for work in services.corpus.works if work.arxiv)
    name = doi(f"10.48550/arXiv.{work.arxiv}")
    assert name is not None
    answer = ask(services, tmp_path, lambda source: source.lookup([name]))
    assert [paper.title for paper in answer.papers] == [work.title]


def test_more_ids_than_fit_an_address_are_looked_up_in_turns(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.arxiv]
    names = [name for work in works if (name := arxiv(work.arxiv))]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert len(names) > 100
    assert len(answer.papers) == len(names)
    category = {work.arxiv: work.category for work in works}
    assert all(paper.imprint.arxiv_class == category[paper.identifier("arxiv")] for paper in answer.papers)
    assert len(services.log) == 2


def test_foreign_names_are_refused_before_anything_is_sent(services: Services, tmp_path: Path) -> None:
    name = pmid("31452104")
    assert name is not None
    with pytest.raises(BadQuery):
        ask(services, tmp_path, lambda source: source.lookup([name]))
    assert ask(services, tmp_path, lambda source: source.lookup([])).papers == ()
    assert services.log == []


def test_what_arxiv_lacks_is_said(services: Services, tmp_path: Path) -> None:
    paper = only(entry())
    with pytest.raises(Unsupported, match="reference lists"):
        ask(services, tmp_path, lambda source: source.references(paper, 5))
    with pytest.raises(Unsupported, match="citing papers"):
        ask(services, tmp_path, lambda source: source.citations(paper, 5))
    with pytest.raises(Unsupported, match="similar papers"):
        ask(services, tmp_path, lambda source: source.similar(paper, 5))
    assert Arxiv.capabilities == {Capability.SEARCH, Capability.LOOKUP}
    assert services.log == []


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("429", RateLimited),
        ("503", SourceUnavailable),
        ("truncated", BadResponse),
        ("login_as_xml", BadResponse),
        ("login_page", BadResponse),
        ("empty", BadResponse),
        ("error_in_200", BadQuery),
        ("bad_bytes", BadResponse),
    ],
)
def test_a_fault_of_the_service_is_named_never_an_empty_answer(
    services: Services, tmp_path: Path, fault: str, kind: type[SourceError]
) -> None:
    services.add_fault(Fault(fault, service="arxiv"))
    with pytest.raises(kind):
        ask(services, tmp_path, lambda source: source.search(Query("passage retrieval")))


@pytest.mark.parametrize("limit", [1, 0, -5, 40])
def test_never_more_papers_than_asked_for(services: Services, tmp_path: Path, limit: int) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("retrieval", limit=limit)))
    assert len(answer.papers) <= max(1, limit)
    assert parse_qs(services.log[0].query)["max_results"] == [str(max(1, limit))]


RECORD = json.loads(
    r"""{"id":"0704.0001","submitter":"Pavel Nadolsky","authors":"C. Bal\\'azs, E. L. Berger Jr.",
    "title":"Calculation of prompt diphoton production cross sections\n  at Tevatron","comments":"37 pages",
    "journal-ref":"Phys.Rev.D76:013009,2007","doi":"10.1103/PhysRevD.76.013009","report-no":null,
    "categories":"hep-ph cs.AI","license":null,"abstract":"  A fully differential calculation in\nQCD is presented.\n",
    "versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"},
                {"version":"v2","created":"Tue, 24 Jul 2007 20:10:27 GMT"}],
    "update_date":"2008-11-26","authors_parsed":[["Bal\u00e1zs","C.",""],["Berger","E. L.","Jr."]]}""",
    strict=False,
)


def test_a_record_is_the_paper_that_the_feed_would_tell_of() -> None:
    paper = read_metadata(RECORD)
    assert paper
    assert paper.title == "Calculation of prompt diphoton production cross sections at Tevatron"
    assert [one.name for one in paper.authors] == ["C. Balázs", "E. L. Berger Jr."]
    assert (paper.identifier("arxiv"), paper.identifier("doi")) == ("0704.0001", "10.1103/physrevd.76.013009")
    assert (paper.date, paper.type, paper.imprint.arxiv_class) == ("2007-04-02", "preprint", "hep-ph")
    assert paper.published == Version("Phys.Rev.D76:013009,2007", None, "10.1103/physrevd.76.013009")
    assert paper.abstract == "A fully differential calculation in QCD is presented."


def test_what_is_damaged_is_left_out() -> None:
    assert read_metadata(RECORD | {"id": "none"}) is None
    paper = read_metadata({"id": "0704.0001", "versions": [{"created": "someday"}], "authors_parsed": [[], [1], "x"]})
    assert paper
    assert (paper.date, len(paper.authors)) == (None, 0)
