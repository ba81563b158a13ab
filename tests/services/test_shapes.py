"""The stand-ins' replies have the shape of recorded ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from tests.services import Services, Terms


def load(folder: Path, pattern: str) -> Any:
    (path,) = folder.glob(pattern)
    return json.loads(path.read_text(encoding="utf-8"))


def tree(folder: Path, pattern: str) -> ElementTree.Element:
    (path,) = folder.glob(pattern)
    return ElementTree.fromstring(path.read_bytes())


def get(services: Services, client: httpx.Client, service: str, path: str) -> httpx.Response:
    return client.get(services.url(service) + path)


def children(elements: Iterable[ElementTree.Element]) -> set[str]:
    return {child.tag for element in elements for child in element}


def paths(element: ElementTree.Element, above: str = "") -> set[str]:
    """All paths of tags below an element."""
    found = set()
    for child in element:
        here = f"{above}/{child.tag}"
        found |= {here} | paths(child, here)
    return found


def test_an_arxiv_feed_holds_the_same_elements(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = tree(recorded, "arxiv/*q_testing_s5_m15*.xml")
    mine = ElementTree.fromstring(
        get(calm, client, "arxiv", "/api/query?search_query=cat:cs.IR&max_results=50").content
    )
    atom = "{http://www.w3.org/2005/Atom}"
    assert children([mine]) == children([real])
    assert children(mine.iter(f"{atom}entry")) == children(real.iter(f"{atom}entry"))


def test_an_arxiv_error_holds_the_same_elements(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = tree(recorded, "arxiv/*id_abc_*.xml")
    mine = ElementTree.fromstring(get(calm, client, "arxiv", "/api/query?id_list=abc").content)
    assert paths(mine) == paths(real)
    assert mine.findtext("{*}entry/{*}summary") == real.findtext("{*}entry/{*}summary")


def test_an_openalex_work_has_the_same_fields(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = load(recorded, "openalex/*openalex_reader_test_journal_article__0__*.json")
    mine = get(calm, client, "openalex", "/works/W4300000008").json()
    assert set(mine) == set(real)
    for name in ("primary_location", "open_access", "biblio", "primary_topic", "ids", "best_oa_location"):
        assert set(mine[name]) <= set(real[name]) | {"pmcid"}, name
    assert set(mine["authorships"][0]) == set(real["authorships"][0])
    assert set(mine["authorships"][0]["author"]) == set(real["authorships"][0]["author"])
    assert set(mine["primary_location"]["source"]) == set(real["primary_location"]["source"])


def test_an_openalex_list_has_the_same_frame(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = load(recorded, "openalex/csed__openalex_search*.json")
    mine = get(calm, client, "openalex", "/works?search=retrieval&per-page=5").json()
    assert set(mine["meta"]) == set(real["meta"])
    assert set(mine) == {"meta", "results", "group_by"}


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*400_pagination*", "/works?page=101&per-page=100"),
        ("*400_pipe_in_search*", "/works?search=a|b"),
        ("*400_raw_comma*", "/works?filter=title.search:a,%20b"),
        ("*400_wildcard*", "/works?search=does+coffee+reduce+sleep?"),
    ],
)
def test_openalex_refuses_in_the_same_words(
    calm: Services, client: httpx.Client, recorded: Path, pattern: str, path: str
) -> None:
    assert get(calm, client, "openalex", path).json() == load(recorded, f"openalex/fromsource__{pattern}")


def test_openalex_says_not_found_with_the_same_page(calm: Services, client: httpx.Client, recorded: Path) -> None:
    (real,) = recorded.glob("openalex/*not-in-openalex*.html")
    assert get(calm, client, "openalex", "/works/W1").text == real.read_text()


def test_a_spent_openalex_budget_has_the_same_fields(client: httpx.Client, recorded: Path) -> None:
    with Services(terms=Terms(openalex_keyless_credits=0)) as services:
        mine = get(services, client, "openalex", "/works?search=graph").json()
    assert mine.keys() == load(recorded, "openalex/*429_budget*").keys()


def test_a_semantic_scholar_paper_has_the_same_fields(calm: Services, client: httpx.Client, recorded: Path) -> None:
    rows = load(recorded, "semanticscholar/*get_papers_not_found_warning*")
    real = next(row for row in rows if row)
    fields = ",".join(name for name in real if name != "paperId")
    mine = get(calm, client, "semantic_scholar", f"/graph/v1/paper/CorpusId:200000005?fields={fields}").json()
    assert set(mine) == set(real)
    assert {type(value) for value in mine["authors"]} == {dict}
    assert set(mine["authors"][0]) == set(real["authors"][0])
    assert set(mine["openAccessPdf"]) >= set(real["openAccessPdf"])


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*__test_search_paper__0__*", "search?query=retrieval&limit=5"),
        ("*__test_search_paper_match_title__0__*", "search/match?query=cystic+fibrosis+by+a+group"),
        ("*__test_search_paper_bulk_retrieval__0__*", "search/bulk?query=retrieval"),
        ("*__test_get_paper_references__1__*", "CorpusId:200000020/references?fields=title"),
        ("*__test_empty_paginated_results__0__*", "search?query=qqzzxx"),
    ],
)
def test_semantic_scholar_lists_have_the_same_frame(
    calm: Services, client: httpx.Client, recorded: Path, pattern: str, path: str
) -> None:
    real = load(recorded, f"semanticscholar/{pattern}")
    mine = get(calm, client, "semantic_scholar", f"/graph/v1/paper/{path}").json()
    assert set(mine) == set(real)
    if "data" in real:
        assert set(mine["data"][0]) == set(real["data"][0])


def test_semantic_scholar_refuses_in_the_same_words(calm: Services, client: httpx.Client, recorded: Path) -> None:
    unknown = get(calm, client, "semantic_scholar", "/graph/v1/paper/0?fields=title")
    assert unknown.json() == load(recorded, "semanticscholar/*test_not_found__0__*")
    fields = get(calm, client, "semantic_scholar", "/graph/v1/paper/CorpusId:200000001?fields=unknown")
    assert fields.json() == load(recorded, "semanticscholar/*test_bad_query_parameters__0__*")
    match = get(calm, client, "semantic_scholar", "/graph/v1/paper/search/match?query=qqzzxx")
    assert match.json() == load(recorded, "semanticscholar/*test_bad_dois__0__*")


def test_pubmed_records_use_only_elements_that_pubmed_uses(
    calm: Services, client: httpx.Client, recorded: Path
) -> None:
    real: set[str] = set()
    for path in recorded.glob("pubmed/*.xml"):
        if b"<PubmedArticleSet>" in path.read_bytes():
            real |= paths(ElementTree.fromstring(path.read_bytes()))
    every = ",".join(work.pmid for work in calm.corpus.works if work.pmid)
    mine = paths(ElementTree.fromstring(get(calm, client, "pubmed", f"/entrez/eutils/efetch.fcgi?id={every}").content))
    assert {path for path in mine - real if path.startswith("/PubmedArticle/")} == set()
    assert any(path.endswith("/ReferenceList/Reference/ArticleIdList/ArticleId") for path in mine)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*biopython__esearch8__*", "esearch.fcgi?db=pubmed&term=abcXYZ"),
        ("*biopython__esummary8__*", "esummary.fcgi?db=pubmed"),
        ("*constructed__elink_no_links__*", "elink.fcgi?dbfrom=pubmed&db=pubmed&id=1"),
        ("*biopython__elink4__*", "elink.fcgi?dbfrom=pubmed&db=pubmed&id=91000005&linkname=pubmed_pubmed"),
        ("*biopython__esearch1__*", "esearch.fcgi?db=pubmed&term=vaccine"),
    ],
)
def test_pubmed_tools_answer_with_the_same_elements(
    calm: Services, client: httpx.Client, recorded: Path, pattern: str, path: str
) -> None:
    mine = ElementTree.fromstring(get(calm, client, "pubmed", f"/entrez/eutils/{path}").content)
    real = tree(recorded, f"pubmed/{pattern}")
    assert mine.tag == real.tag
    assert paths(mine) == paths(real)


def test_esearch_in_json_has_the_same_fields(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = load(recorded, "pubmed/constructed__esearch_json__*")
    mine = get(calm, client, "pubmed", "/entrez/eutils/esearch.fcgi?db=pubmed&term=vaccine&retmode=json").json()
    assert mine.keys() == real.keys()
    assert mine["esearchresult"].keys() == real["esearchresult"].keys()


def test_scholar_items_have_the_same_fields(calm: Services, client: httpx.Client, recorded: Path) -> None:
    real = load(recorded, "google/*serpapi_scholar_page*")
    mine = get(calm, client, "google", "/search.json?engine=google_scholar&q=cystic+fibrosis&num=20").json()
    assert set(mine) == set(real)
    known = {name for item in real["organic_results"] for name in item}
    assert {name for item in mine["organic_results"] for name in item} == known
    page = load(recorded, "google/*serper_scholar_page*")
    reply = client.post(f"{calm.url('google')}/scholar", json={"q": "cystic fibrosis", "num": 20}).json()
    assert set(reply) == set(page)
    assert {name for item in reply["organic"] for name in item} == {name for item in page["organic"] for name in item}
