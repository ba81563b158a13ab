"""The stand-in of PubMed: E-utilities with their rates, their courtesies, and errors inside HTTP 200."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from tests.services import Services

COURTESY = {"tool": "spar", "email": "someone@example.org"}


def ask(services: Services, client: httpx.Client, tool: str, **parameters: str | int | list[str]) -> httpx.Response:
    reply = client.get(
        f"{services.url('pubmed')}/entrez/eutils/{tool}.fcgi", params={"db": "pubmed", **COURTESY, **parameters}
    )
    assert reply.status_code == 200
    return reply


def esearch(services: Services, client: httpx.Client, term: str, **parameters: str | int) -> dict[str, Any]:
    body = ask(services, client, "esearch", term=term, retmode="json", **parameters).json()
    result: dict[str, Any] = body["esearchresult"]
    return result


def xml(reply: httpx.Response) -> ElementTree.Element:
    return ElementTree.fromstring(reply.content)


def fetched(services: Services, client: httpx.Client, title: str) -> ElementTree.Element:
    work = services.corpus.named(title)
    return xml(ask(services, client, "efetch", id=work.pmid or "", retmode="xml"))[0]


def text(element: ElementTree.Element | None) -> str:
    assert element is not None
    return "".join(element.itertext())


def test_search_counts_are_texts_and_the_translation_is_shown(calm: Services, client: httpx.Client) -> None:
    found = esearch(calm, client, "cystic fibrosis AND registry", retmax=3)
    assert int(found["count"]) > 3
    assert (found["retmax"], found["retstart"], len(found["idlist"])) == ("3", "0", 3)
    assert "registry[All Fields]" in found["querytranslation"]


def test_json_and_xml_tell_the_same(calm: Services, client: httpx.Client) -> None:
    found = esearch(calm, client, "malaria vaccine", sort="relevance")
    root = xml(ask(calm, client, "esearch", term="malaria vaccine", sort="relevance"))
    assert root.findtext("Count") == found["count"]
    assert [one.text for one in root.iter("Id")] == found["idlist"]


def test_pages_follow_each_other(calm: Services, client: httpx.Client) -> None:
    whole = esearch(calm, client, "vaccine", retmax=10)["idlist"]
    assert esearch(calm, client, "vaccine", retmax=4, retstart=4)["idlist"] == whole[4:8]


def test_tags_phrases_truncation_and_operators_are_understood(calm: Services, client: httpx.Client) -> None:
    def count(term: str) -> int:
        return int(esearch(calm, client, term)["count"])

    assert count('"cystic fibrosis"[ti]') <= count('"cystic fibrosis"')
    assert count("vaccin*[ti]") >= count("vaccine[ti]") > 0
    assert count("vaccine NOT malaria") + count("vaccine AND malaria") == count("vaccine")
    assert count("(malaria OR influenza) AND vaccine") > 0
    assert count("91000005[uid]") == 1


@pytest.mark.parametrize("way", ["parameters", "term"])
def test_dates_bound_a_search_either_way(calm: Services, client: httpx.Client, way: str) -> None:
    if way == "term":
        found = esearch(calm, client, 'vaccine AND ("2020/01/01"[pdat] : "2021/12/31"[pdat])', retmax=100)
    else:
        dates = {"datetype": "pdat", "mindate": "2020/01/01", "maxdate": "2021/12/31"}
        found = esearch(calm, client, "vaccine", retmax=100, **dates)
    works = [calm.corpus.find("pmid", one) for one in found["idlist"]]
    assert works
    assert all(work and "2020" <= (work.date or "") < "2022" for work in works)


def test_a_word_nobody_uses_is_dropped_and_reported(calm: Services, client: httpx.Client) -> None:
    plain = esearch(calm, client, "vaccine")
    broad = esearch(calm, client, "vaccine unicornwombat")
    assert broad["count"] == plain["count"]
    assert broad["errorlist"]["phrasesnotfound"] == ["unicornwombat"]
    phrase = esearch(calm, client, '"vaccine unicornwombat"')
    assert phrase["warninglist"]["quotedphrasesnotfound"] == ['"vaccine unicornwombat"']


def test_nothing_found_is_zero_with_a_message(calm: Services, client: httpx.Client) -> None:
    found = esearch(calm, client, "unicornwombat")
    assert (found["count"], found["idlist"]) == ("0", [])
    assert found["warninglist"]["outputmessages"] == ["No items found."]


def test_an_empty_query_is_an_error_inside_a_200(calm: Services, client: httpx.Client) -> None:
    assert "Empty term" in esearch(calm, client, " ")["ERROR"]
    assert "Empty id list" in (xml(ask(calm, client, "efetch", id="")).findtext("ERROR") or "")
    assert xml(ask(calm, client, "elink", dbfrom="pubmed")).find("ERROR") is not None
    assert xml(ask(calm, client, "esummary")).find("ERROR") is not None


def test_records_declare_next_years_dtd(calm: Services, client: httpx.Client) -> None:
    assert b"pubmed_270101.dtd" in ask(calm, client, "efetch", id="91000005").content


def test_markup_stands_inside_titles_and_abstracts(calm: Services, client: httpx.Client) -> None:
    title = "Escherichia coli growth at low CO2 in cystic fibrosis airways: p < 0.05 & beyond"
    article = fetched(calm, client, title)
    element = article.find(".//ArticleTitle")
    assert text(element) == f"{title}."
    assert element is not None
    assert [child.tag for child in element] == ["i", "sub", "i"]
    labels = [part.get("Label") for part in article.iter("AbstractText")]
    assert labels == ["BACKGROUND", "RESULTS"]


def test_dates_groups_and_books_come_in_their_own_elements(calm: Services, client: httpx.Client) -> None:
    turn = fetched(calm, client, "Cystic fibrosis care over the turn of the year")
    assert turn.findtext(".//JournalIssue/PubDate/MedlineDate") == "2021 Nov-Dec"
    group = fetched(calm, client, "Cystic fibrosis by a group")
    assert group.findtext(".//CollectiveName") == "The Invented Airway Trial Group"
    book = fetched(calm, client, "A chapter on cystic fibrosis for beginners")
    assert book.tag == "PubmedBookArticle"


def test_the_articles_doi_is_not_the_only_one_in_the_record(calm: Services, client: httpx.Client) -> None:
    work = calm.corpus.named("Cystic fibrosis by a group")
    article = fetched(calm, client, work.title)
    own = article.findall("./PubmedData/ArticleIdList/ArticleId[@IdType='doi']")
    assert [one.text for one in own] == [work.doi]
    assert len(article.findall(".//ArticleId[@IdType='doi']")) > 1


def test_unknown_ids_are_left_out(calm: Services, client: httpx.Client) -> None:
    root = xml(ask(calm, client, "efetch", id="1,91000005"))
    assert [one.text for one in root.findall("*/MedlineCitation/PMID")] == ["91000005"]
    assert len(xml(ask(calm, client, "efetch", id="1"))) == 0


def test_links_come_in_sets_per_repeated_id_and_pooled_for_a_list(calm: Services, client: httpx.Client) -> None:
    apart = xml(ask(calm, client, "elink", dbfrom="pubmed", cmd="neighbor", id=["91000005", "91000013"]))
    pooled = xml(ask(calm, client, "elink", dbfrom="pubmed", cmd="neighbor", id="91000005,91000013"))
    assert [len(one.findall("IdList/Id")) for one in apart.iter("LinkSet")] == [1, 1]
    assert [len(one.findall("IdList/Id")) for one in pooled.iter("LinkSet")] == [2]


def test_similar_articles_begin_with_the_article_and_references_agree(calm: Services, client: httpx.Client) -> None:
    work = next(work for work in calm.corpus.works if work.pmcid and work.references and not work.references_withheld)
    root = xml(ask(calm, client, "elink", dbfrom="pubmed", cmd="neighbor", id=work.pmid or ""))
    links = {one.findtext("LinkName"): [link.text for link in one.findall("Link/Id")] for one in root.iter("LinkSetDb")}
    assert links["pubmed_pubmed"][0] == work.pmid
    references = {one.pmid for one in calm.corpus.references(work) if one.pmid}
    assert set(links["pubmed_pubmed_refs"]) == references


def test_no_links_means_no_link_element(calm: Services, client: httpx.Client) -> None:
    root = xml(ask(calm, client, "elink", dbfrom="pubmed", linkname="pubmed_pubmed_refs", id="1"))
    assert root.find("LinkSet") is not None
    assert root.find(".//LinkSetDb") is None


def test_a_form_in_the_body_is_as_good_as_a_query(calm: Services, client: httpx.Client) -> None:
    address = f"{calm.url('pubmed')}/entrez/eutils/efetch.fcgi"
    reply = client.post(address, data={"db": "pubmed", "id": "91000005", **COURTESY})
    assert reply.content == ask(calm, client, "efetch", id="91000005").content


def test_more_than_three_requests_a_second_are_refused(services: Services, client: httpx.Client) -> None:
    address = f"{services.url('pubmed')}/entrez/eutils/esearch.fcgi"
    replies = [client.get(address, params={"db": "pubmed", "term": "x", **COURTESY}) for _ in range(4)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]
    assert replies[3].json()["error"] == "API rate limit exceeded"
    assert len(services.violations) == 1


def test_a_key_allows_ten_and_a_wrong_one_none(services: Services, client: httpx.Client) -> None:
    address = f"{services.url('pubmed')}/entrez/eutils/esearch.fcgi"
    asked = {"db": "pubmed", "term": "x", **COURTESY, "api_key": services.terms.ncbi_key}
    replies = [client.get(address, params=asked) for _ in range(6)]
    assert {reply.status_code for reply in replies} == {200}
    assert replies[0].headers["x-ratelimit-limit"] == "10"
    wrong = client.get(address, params={**asked, "api_key": "wrong"})
    assert (wrong.status_code, wrong.json()["error"]) == (400, "API key invalid")


def test_a_missing_name_of_the_tool_is_flagged_and_a_missing_mail_address_is_not(
    services: Services, client: httpx.Client
) -> None:
    client.get(f"{services.url('pubmed')}/entrez/eutils/esearch.fcgi?db=pubmed&term=x")
    assert ["tool" in sentence for sentence in services.violations] == [True]
