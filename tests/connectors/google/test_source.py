"""Google Scholar through its providers: free text becomes what is certain of a paper, and the key stays hidden."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import date
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
    QuotaExhausted,
    SourceError,
    SourceUnavailable,
    Unauthorized,
    Unsupported,
)
from connectors.google.source import (
    NOTHING,
    GoogleScholar,
    Provider,
    error_of,
    link_identifiers,
    read_publication,
    read_result,
    read_serpapi,
    read_serper,
    search_words,
    unmarked,
)
from connectors.http.responses import HttpReply
from connectors.http.secret import Secret
from connectors.paper import Paper
from connectors.source import Query
from tests.connectors import recordings
from tests.connectors.google.fixtures import read
from tests.connectors.http.wired import wired
from tests.rows import each
from tests.services import Fault, Services, Terms

Result = TypeVar("Result")
KEYS: dict[Provider, Secret] = {"serper": Secret("serper-good-key"), "serpapi": Secret("serpapi-good-key")}
BOTH = pytest.mark.parametrize("provider", ["serper", "serpapi"])


def ask(
    services: Services,
    folder: Path,
    provider: Provider,
    question: Callable[[GoogleScholar], Awaitable[Result]],
    key: Secret | None = None,
) -> Result:
    secret = key or KEYS[provider]

    async def run() -> Result:
        async with wired("google", services.url("google"), error_of, folder, [secret]) as http:
            return await question(GoogleScholar(http, secret, provider))

    return asyncio.run(run())


# Recorded replies


@recordings.each("google")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    body = recordings.body(row)
    found, parsed = recordings.outcome(read, row, body), json.loads(body)
    items = parsed.get("organic") or parsed.get("organic_results")
    if isinstance(found, SourceError):
        assert row["status"] >= 400 or (isinstance(found, BadResponse) and items is None)
    else:
        assert [paper.title for paper in found] == [item["title"].removeprefix("[CITATION] ") for item in items]


@each(
    ("part", "kind"),
    [
        ("serpapi_401", Unauthorized),
        ("serpapi_429", QuotaExhausted),
        ("serper_400_credits", QuotaExhausted),
        ("serper_403", Unauthorized),
    ],
)
def test_wrong_keys_and_spent_accounts_are_told_apart(part: str, kind: type[SourceError]) -> None:
    row, _ = recordings.recording("google", part)
    assert type(recordings.outcome(read, row, recordings.body(row))) is kind


def test_a_page_of_serpapi_is_told_as_written() -> None:
    row, _ = recordings.recording("google", "serpapi_scholar_page")
    first, second = read(row, recordings.body(row))
    assert [author.name for author in first.authors] == ["AB Nobody", "C Noone"]
    assert (first.date, first.citation_count) == ("2025", 12)
    assert first.pdf == "https://journal.example/articles/1.pdf"
    assert first.abstract == ""
    assert (second.title, second.date, second.url) == ("Notes on nothing", "2011", None)
    assert second.authors[0].family == "Nemo"


# Free text


@each(
    ("line", "authors", "venue", "year"),
    [
        (
            "A Vaswani, N Shazeer… - Advances in neural information…, 2017 - proceedings.neurips.cc",
            ["A Vaswani", "N Shazeer"],
            "Advances in neural information…",
            "2017",
        ),
        ("D Nemo - 2011", ["D Nemo"], "", "2011"),
        ("D Nemo - 2011 - press.example", ["D Nemo"], "", "2011"),
        ("J de Boer, K Ito\xa0- Nature, 1999\xa0- Nature Publishing Group", ["J de Boer", "K Ito"], "Nature", "1999"),
        ("A One - Proc. of X - Part B, 2003 - site.org", ["A One"], "Proc. of X - Part B", "2003"),
        (
            "A One - arXiv preprint arXiv:1706.03762, 2017 - arxiv.org",
            ["A One"],
            "arXiv preprint arXiv:1706.03762",
            "2017",
        ),
        ("Nature, 2001 - nature.com", [], "Nature", "2001"),
        ("A One, B Two - journal.invalid", ["A One", "B Two"], "", None),
        ("", [], "", None),
    ],
)
def test_the_line_under_a_title_is_taken_apart(line: str, authors: list[str], venue: str, year: str | None) -> None:
    told = read_publication(line)
    assert [author.name for author in told.authors] == authors
    assert (told.venue, told.year) == (venue, year)


@given(line=st.text() | st.text("A B,-–… 2017.com", max_size=80))
def test_any_line_is_survived(line: str) -> None:
    told = read_publication(line)
    assert all(author.family for author in told.authors)


def test_marks_are_no_part_of_a_title() -> None:
    assert unmarked("[PDF][HTML] On [square] brackets") == ("On [square] brackets", {"PDF", "HTML"})
    book = read_result({"title": "[BOOK] Deep learning"}, publication="I Goodfellow - 2016", citations=None, pdf=None)
    assert book is not None
    assert (book.title, book.type) == ("Deep learning", "book")


@each(
    ("link", "names"),
    [
        ("https://arxiv.org/abs/1706.03762", ["arxiv:1706.03762"]),
        ("https://arxiv.org/pdf/1706.03762v7.pdf", ["arxiv:1706.03762"]),
        ("https://doi.org/10.1000/XYZ?utm=1", ["doi:10.1000/xyz"]),
        ("https://pubmed.ncbi.nlm.nih.gov/31452104/", ["pmid:31452104"]),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/", ["pmcid:PMC123"]),
        ("https://journal.example/doi/10.1000/xyz/full", []),
        ("https://evil.example/https://doi.org/10.1000/x", []),
        ("https://journal.example/12345", []),
        ("31452104", []),
        (None, []),
    ],
)
def test_only_certain_links_name_an_identifier(link: object, names: list[str]) -> None:
    assert [str(name) for name in link_identifiers(link)] == names


# Hostile replies


@given(data=st.data())
def test_no_damage_to_a_reply_crashes_the_reader(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(["serpapi_scholar_page", "serper_scholar_page"]))
    row, parsed = recordings.recording("google", part)
    for _ in range(data.draw(st.integers(1, 4))):
        parsed = recordings.damaged(data.draw, parsed)
    assert recordings.is_sound(recordings.outcome(read, row, json.dumps(parsed).encode()))


def test_an_error_in_a_good_status_is_no_empty_answer() -> None:
    failed = [{"error": "Internal error"}, {"search_metadata": {"status": "Error"}, "error": "We failed."}]
    for body in failed:
        assert isinstance(error_of(HttpReply(200, httpx.Headers(), json.dumps(body).encode())), SourceUnavailable)
    bodies: list[Any] = [{}, {"organic": []}, {"organic_results": []}, {"search_metadata": {}}, [], None]
    for other in bodies:
        with pytest.raises(BadResponse):
            read_serpapi(other)
    with pytest.raises(BadResponse):
        read_serper({"organic": []})


# Against the stand-in, over HTTP


@BOTH
def test_search_finds_papers_of_the_years(provider: Provider, services: Services, tmp_path: Path) -> None:
    query = Query("dense retrieval", date(2019, 1, 1), date(2022, 12, 31), limit=10)
    answer = ask(services, tmp_path, provider, lambda source: source.search(query))
    assert answer.papers
    assert all(paper.year is not None and 2019 <= paper.year <= 2022 for paper in answer.papers)
    assert all(paper.abstract == "" for paper in answer.papers)
    assert services.violations == []


def test_serper_says_how_many_it_left_out_by_year(services: Services, tmp_path: Path) -> None:
    query = Query("dense retrieval", since=date(2022, 1, 1), limit=10)
    answer = ask(services, tmp_path, "serper", lambda source: source.search(query))
    assert any("outside the years" in note for note in answer.notes)


def test_serpapi_gets_the_years_in_its_own_words(services: Services, tmp_path: Path) -> None:
    query = Query("dense retrieval", since=date(2019, 5, 1), until=date(2021, 12, 31))
    answer = ask(services, tmp_path, "serpapi", lambda source: source.search(query))
    asked = parse_qs(services.log[0].query)
    assert (asked["as_ylo"], asked["as_yhi"]) == (["2019"], ["2021"])
    assert any("whole years" in note for note in answer.notes)


@BOTH
def test_no_more_pages_are_paid_for_than_needed(provider: Provider, services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, provider, lambda source: source.search(Query("cystic fibrosis", limit=25)))
    assert len(answer.papers) == 25
    assert len(services.log) == (3 if provider == "serper" else 2)
    assert len({paper.title for paper in answer.papers}) > 20


@BOTH
def test_nothing_found_is_said_to_be_the_providers_word(provider: Provider, services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, provider, lambda source: source.search(Query("zzqx wwvu")))
    assert answer.papers == ()
    assert NOTHING in answer.notes


@BOTH
def test_the_key_reaches_the_service_and_nothing_that_is_kept(
    provider: Provider, services: Services, tmp_path: Path
) -> None:
    """SerpApi takes its key in the address alone: what the search log keeps is the address without it."""
    answer = ask(services, tmp_path, provider, lambda source: source.search(Query("dense retrieval")))
    key = KEYS[provider].reveal()
    sent = services.log[0]
    assert key in (sent.headers["x-api-key"] if provider == "serper" else sent.parameters["api_key"])
    assert key not in repr(answer)
    assert "api_key" not in repr(answer)
    assert answer.sent


@BOTH
def test_a_wrong_key_names_its_setting_and_not_itself(provider: Provider, services: Services, tmp_path: Path) -> None:
    wrong = Secret("a-wrong-key-of-mine")
    with pytest.raises(Unauthorized, match=f"{provider.upper()}_API_KEY") as raised:
        ask(services, tmp_path, provider, lambda source: source.search(Query("x")), wrong)
    assert wrong.reveal() not in str(raised.value)


@BOTH
def test_a_spent_account_is_named(provider: Provider, tmp_path: Path) -> None:
    with (
        Services(time_scale=0.01, terms=Terms(serper_credits=0, serpapi_searches=0)) as services,
        pytest.raises(QuotaExhausted, match="no paid searches left"),
    ):
        ask(services, tmp_path, provider, lambda source: source.search(Query("dense")))


@BOTH
@pytest.mark.parametrize("kind", ["error_in_200", "login_page", "login_as_json", "truncated", "empty", "502"])
def test_a_broken_reply_is_never_an_empty_answer(
    kind: str, provider: Provider, services: Services, tmp_path: Path
) -> None:
    services.add_fault(Fault(kind, service="google"))
    with pytest.raises((BadResponse, SourceUnavailable)) as raised:
        ask(services, tmp_path, provider, lambda source: source.search(Query("dense")))
    assert KEYS[provider].reveal() not in str(raised.value)


@given(text=st.text(max_size=300))
def test_a_question_is_sent_as_plain_words(text: str) -> None:
    """Operators that a question holds by chance (`site:`, a leading minus, a lone quote) are not sent as such."""
    try:
        words = search_words(Query(text))
    except BadQuery:
        return
    assert ":" not in words
    assert words.count('"') % 2 == 0
    assert not any(word.startswith("-") for word in words.split())
    assert len(words) <= 256


def test_what_google_lacks_is_said(services: Services, tmp_path: Path) -> None:
    paper = Paper("x")
    questions: list[Callable[[GoogleScholar], Awaitable[Any]]] = [
        lambda source: source.references(paper, 5),
        lambda source: source.citations(paper, 5),
        lambda source: source.similar(paper, 5),
        lambda source: source.lookup([]),
    ]
    for question in questions:
        with pytest.raises(Unsupported):
            ask(services, tmp_path, "serper", question)
    assert services.log == []


def test_sent_requests_can_be_repeated_by_a_reader(services: Services, tmp_path: Path) -> None:
    """The search log shows query and page as they went out."""
    answer = ask(services, tmp_path, "serper", lambda source: source.search(Query("dense retrieval", limit=5)))
    method, path, body = answer.sent[0].split(" ", 2)
    assert (method, path) == ("POST", "/scholar")
    assert json.loads(body) == json.loads(services.log[0].body)
    answer = ask(services, tmp_path, "serpapi", lambda source: source.search(Query("dense retrieval", limit=5)))
    assert parse_qs(urlsplit(answer.sent[0]).query)["q"] == ["dense retrieval"]
