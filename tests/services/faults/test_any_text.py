"""Whatever text is asked, each stand-in answers as its service would: well formed, with a status it knows."""

from __future__ import annotations

import json
from urllib.parse import quote
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from tests.services.arxiv.service import ArXiv
from tests.services.corpus.making import make_corpus
from tests.services.google.service import Google
from tests.services.http.message import Reply, Request
from tests.services.openalex.service import OpenAlex
from tests.services.pubmed.service import PubMed
from tests.services.semantic_scholar.service import SemanticScholar
from tests.services.service import Service, Terms

CALM = Terms(enforced=False)
QUERIES = st.lists(
    st.one_of(
        st.sampled_from(
            ["AND", "OR", "NOT", "ANDNOT", "(", ")", '"', "ti:", "[ti]", ",", "|", "!", "graph", "[pdat]", ":"]
        ),
        st.text(max_size=8),
    ),
    max_size=8,
).map(" ".join)


def answer(service: type[Service], path: str, query: str) -> Reply:
    running = service(make_corpus(), CALM)
    return running.answer(Request(0.0, service.name, 1, "GET", path, query, {}))


def check_xml(reply: Reply) -> None:
    assert reply.status in {200, 400}
    ElementTree.fromstring(reply.body)


def check_json(reply: Reply) -> None:
    assert reply.status in {200, 400, 404, 429}
    assert isinstance(json.loads(reply.body), dict)


@given(QUERIES)
def test_arxiv_answers_any_query_with_a_feed(text: str) -> None:
    check_xml(answer(ArXiv, "/api/query", f"search_query={quote(text)}"))
    check_xml(answer(ArXiv, "/api/query", f"id_list={quote(text)}&start={quote(text)}"))


@given(QUERIES)
def test_openalex_answers_any_query_with_json(text: str) -> None:
    check_json(answer(OpenAlex, "/works", f"search={quote(text)}&select=id"))
    check_json(answer(OpenAlex, "/works", f"filter=title.search:{quote(text)}&select=id"))
    check_json(answer(OpenAlex, "/works", f"filter={quote(text)}&cursor={quote(text)}"))


@given(QUERIES)
def test_semantic_scholar_answers_any_query_with_json(text: str) -> None:
    for path in ("search", "search/bulk", "search/match"):
        check_json(answer(SemanticScholar, f"/graph/v1/paper/{path}", f"query={quote(text)}&year={quote(text)}"))
        check_json(answer(SemanticScholar, f"/graph/v1/paper/{path}", f"query={quote(text)}"))
    check_json(answer(SemanticScholar, f"/graph/v1/paper/{quote(text)}x", "fields=title"))


@given(QUERIES)
def test_pubmed_answers_any_query_with_xml_or_json(text: str) -> None:
    path = "/entrez/eutils/esearch.fcgi"
    check_xml(answer(PubMed, path, f"db=pubmed&term={quote(text)}"))
    check_json(answer(PubMed, path, f"db=pubmed&term={quote(text)}&retmode=json&mindate={quote(text)}&maxdate=2020"))
    check_xml(answer(PubMed, "/entrez/eutils/efetch.fcgi", f"db=pubmed&id={quote(text)}"))
    check_xml(answer(PubMed, "/entrez/eutils/elink.fcgi", f"dbfrom=pubmed&id={quote(text)}&linkname={quote(text)}"))


@given(QUERIES)
def test_scholar_answers_any_query_with_json(text: str) -> None:
    check_json(answer(Google, "/search.json", f"engine=google_scholar&q={quote(text)}&as_ylo={quote(text)}"))
