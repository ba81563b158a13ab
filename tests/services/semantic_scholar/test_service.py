"""The stand-in of Semantic Scholar: one request a second, asked fields only, lists that may be withheld."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.services import Services, Terms, Work


def get(services: Services, client: httpx.Client, path: str, status: int = 200, **parameters: str | int) -> Any:
    reply = client.get(services.url("semantic_scholar") + path, params=parameters or None)
    assert reply.status_code == status, reply.text[:500]
    return reply.json()


def search(services: Services, client: httpx.Client, query: str, **parameters: str | int) -> Any:
    asked = {"query": query, **parameters}
    return client.get(f"{services.url('semantic_scholar')}/graph/v1/paper/search", params=asked).json()


def cited(services: Services) -> Work:
    """The most cited work that has one version only."""
    paired = {work.preprint for work in services.corpus.works}
    works = [work for work in services.corpus.works if work.number not in paired and not work.preprint]
    return max(works, key=lambda work: len(services.corpus.citations(work)))


def test_search_ranks_pages_and_stops(calm: Services, client: httpx.Client) -> None:
    first = search(calm, client, "literature search agents", limit=5)
    assert "literature search agents" in first["data"][0]["title"].lower()
    assert first["next"] == 5
    last = search(calm, client, "literature search agents", offset=first["total"] - 1, limit=5)
    assert len(last["data"]) == 1
    assert "next" not in last


def test_only_the_asked_fields_and_the_id_are_given(calm: Services, client: httpx.Client) -> None:
    (paper,) = search(calm, client, "graph", limit=1, fields="year,authors.name")["data"]
    assert set(paper) == {"paperId", "year", "authors"}
    (plain,) = search(calm, client, "graph", limit=1)["data"]
    assert set(plain) == {"paperId", "title"}


def test_nothing_found_has_no_data_at_all(calm: Services, client: httpx.Client) -> None:
    assert search(calm, client, "qqzz xxyy") == {"total": 0, "offset": 0}


def test_a_hyphenated_word_matches_nothing(calm: Services, client: httpx.Client) -> None:
    assert search(calm, client, "retrieval-augmented generation")["total"] == 0
    assert search(calm, client, "retrieval augmented generation")["total"] > 3


def test_dates_bound_a_search_and_a_bare_year_counts_as_january(calm: Services, client: httpx.Client) -> None:
    found = search(
        calm, client, "cystic fibrosis", publicationDateOrYear="2015-01-01:2015-12-31", fields="year", limit=100
    )
    assert {paper["year"] for paper in found["data"]} == {2015}
    work = calm.corpus.named("Cystic fibrosis care in a year without months")
    assert work.s2 in {paper["paperId"] for paper in found["data"]}
    later = search(calm, client, "cystic fibrosis", publicationDateOrYear="2015-02-01:", fields="year", limit=100)
    assert work.s2 not in {paper["paperId"] for paper in later["data"]}
    years = search(calm, client, "cystic fibrosis", year="2016-2020", fields="year", limit=100)
    assert {paper["year"] for paper in years["data"]} <= set(range(2016, 2021))


@pytest.mark.parametrize("prefix", ["", "DOI:", "ARXIV:", "PMID:", "PMCID:", "CorpusId:", "URL:https://arxiv.org/abs/"])
def test_a_paper_is_found_by_each_kind_of_identifier(calm: Services, client: httpx.Client, prefix: str) -> None:
    names = {"": "s2", "PMID:": "pmid", "PMCID:": "pmcid", "CorpusId:": "corpus_id", "DOI:": "doi"}
    name = names.get(prefix, "arxiv")
    paired = {work.preprint for work in calm.corpus.works}
    work = next(work for work in calm.corpus.works if getattr(work, name) and work.number not in paired)
    paper = get(calm, client, f"/graph/v1/paper/{prefix}{getattr(work, name)}", fields="title")
    assert paper == {"paperId": work.s2, "title": work.title}


def test_a_doi_of_the_old_kind_is_found_when_it_is_quoted(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("Cystic fibrosis under an old identifier")
    assert work.doi is not None
    path = quote(f"DOI:{work.doi}", safe=":/()")
    assert get(calm, client, f"/graph/v1/paper/{path}")["paperId"] == work.s2


def test_an_unknown_paper_is_named_in_the_404(calm: Services, client: httpx.Client) -> None:
    assert get(calm, client, "/graph/v1/paper/0", 404) == {"error": "Paper with id 0 not found"}


def test_preprint_and_journal_version_are_one_paper(calm: Services, client: httpx.Client) -> None:
    journal = next(work for work in calm.corpus.works if work.preprint)
    preprint = calm.corpus[journal.preprint or 0]
    paper = get(calm, client, f"/graph/v1/paper/ARXIV:{preprint.arxiv}", fields="externalIds")
    assert (paper["paperId"], paper["externalIds"]["ArXiv"]) == (journal.s2, preprint.arxiv)
    assert paper["externalIds"]["DOI"] == journal.doi


def test_references_and_citations_agree(calm: Services, client: httpx.Client) -> None:
    work = cited(calm)
    citing = get(calm, client, f"/graph/v1/paper/{work.s2}/citations", limit=100, fields="title,contexts,isInfluential")
    first = citing["data"][0]
    assert set(first) == {"contexts", "isInfluential", "citingPaper"}
    name = first["citingPaper"]["paperId"]
    references = get(calm, client, f"/graph/v1/paper/{name}/references", limit=100)["data"]
    assert work.s2 in {row["citedPaper"]["paperId"] for row in references}


def test_references_nobody_indexes_have_no_id(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if work.unresolved and not work.references_withheld and work.pmid)
    rows = get(calm, client, f"/graph/v1/paper/{work.s2}/references", fields="title,year")["data"]
    assert {"paperId": None, "title": work.unresolved[0], "year": None} in [row["citedPaper"] for row in rows]


def test_a_withheld_list_is_null_and_not_empty(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("Cystic fibrosis in a closed list")
    assert get(calm, client, f"/graph/v1/paper/{work.s2}/references")["data"] is None


def test_a_batch_keeps_the_order_and_has_null_for_the_unknown(calm: Services, client: httpx.Client) -> None:
    first, second = (work for work in calm.corpus.works[:6] if work.pmid)
    address = f"{calm.url('semantic_scholar')}/graph/v1/paper/batch?fields=title"
    rows = client.post(address, json={"ids": [f"PMID:{second.pmid}", "DOI:10.1/none", first.s2]}).json()
    assert [row and row["title"] for row in rows] == [second.title, None, first.title]
    assert client.post(address, json={"ids": ["x"] * 501}).status_code == 400


def test_match_finds_one_title_or_is_a_404(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("Cystic fibrosis by a group")
    path = "/graph/v1/paper/search/match"
    (paper,) = get(calm, client, path, query=work.title)["data"]
    assert (paper["paperId"], paper["matchScore"] > 0) == (work.s2, True)
    assert get(calm, client, path, 404, query="qqzz xxyy") == {"error": "Title match not found"}


def test_bulk_search_has_operators_and_a_null_token_at_the_end(calm: Services, client: httpx.Client) -> None:
    path = "/graph/v1/paper/search/bulk"
    whole = get(calm, client, path, query="vaccine")
    part = get(calm, client, path, query="vaccine -malaria", limit=2, sort="citationCount:desc", fields="citationCount")
    counts = [paper["citationCount"] for paper in part["data"]]
    assert 2 < part["total"] < whole["total"] == len(whole["data"])
    assert counts == sorted(counts, reverse=True)
    assert part["token"] is None


def test_recommendations_are_near_and_recent(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("Cystic fibrosis by a group")
    path = f"/recommendations/v1/papers/forpaper/{work.s2}"
    papers = get(calm, client, path, limit=3, fields="title,year")["recommendedPapers"]
    assert len(papers) == 3
    assert work.s2 not in {paper["paperId"] for paper in papers}
    assert all(paper["year"] >= 2018 for paper in papers)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/graph/v1/paper/search?query=x&fields=title,colour", "[colour]"),
        ("/graph/v1/paper/search?query=x&limit=101", "Limit"),
        ("/graph/v1/paper/search?query=x&limit=100&offset=950", "not available"),
        ("/graph/v1/paper/search", "query"),
        ("/graph/v1/paper/search?query=qqzz&publicationDateOrYear=soon", "publicationDateOrYear"),
        ("/graph/v1/paper/search?query=qqzz&year=20-21", "year"),
        ("/graph/v1/paper/CorpusId:200000001/citations?limit=1000&offset=9500", "not available"),
        ("/graph/v1/paper/CorpusId:200000001/citations?limit=1001", "Limit"),
        ("/graph/v1/paper/search/bulk?query=x&fields=references.title", "Nested"),
        ("/recommendations/v1/papers/forpaper/CorpusId:200000001?limit=501", "Limit"),
    ],
)
def test_bounds_and_unknown_fields_are_refused(services: Services, client: httpx.Client, path: str, text: str) -> None:
    assert text in get(services, client, path, 400)["error"]
    assert len(services.violations) == 1


def test_more_than_one_request_a_second_is_refused(services: Services, client: httpx.Client) -> None:
    address = f"{services.url('semantic_scholar')}/graph/v1/paper/search?query=graph"
    key = {"x-api-key": services.terms.s2_key}
    refused = [client.get(address, headers=key) for _ in range(2)][1]
    assert (refused.status_code, refused.json()["code"]) == (429, "429")
    assert len(services.violations) == 1


def test_a_wrong_key_is_forbidden(services: Services, client: httpx.Client) -> None:
    reply = client.get(f"{services.url('semantic_scholar')}/graph/v1/paper/0", headers={"x-api-key": "wrong"})
    assert (reply.status_code, reply.json()) == (403, {"message": "Forbidden"})


def test_the_shared_pool_turns_away_the_keyless_and_never_a_key(client: httpx.Client) -> None:
    with Services(time_scale=0, terms=Terms(keyless_refusals=1.0)) as services:
        address = f"{services.url('semantic_scholar')}/graph/v1/paper/search?query=graph"
        assert client.get(address).status_code == 429
        assert client.get(address, headers={"x-api-key": services.terms.s2_key}).status_code == 200
        assert services.violations == []
