"""PubMed: its replies become papers, ids or named failures, and its requests are what the service takes."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, unquote_plus, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.capability import OF_PAPERS
from connectors.errors import BadQuery, BadResponse, NotFound, RateLimited, SourceError, SourceUnavailable, Unauthorized
from connectors.http.paging import WIDENED
from connectors.http.secret import Secret
from connectors.identifiers import Identifier, arxiv, doi, pmcid, pmid
from connectors.paper import Imprint, Paper
from connectors.pubmed.records import DAMAGED, PubmedRecords, read_records
from connectors.pubmed.source import (
    SPARSE,
    PubMed,
    SearchIds,
    error_of,
    in_order,
    named,
    read_links,
    read_search,
    request_form,
    search_terms,
)
from connectors.records.build import KEYWORDS_CAP
from connectors.source import Answer, Query
from tests.connectors import recordings
from tests.connectors.http.wired import wired
from tests.connectors.xml_replies import brought_nothing_in, with_entities
from tests.connectors.xml_replies import xml_reply as reply
from tests.rows import each
from tests.services import Fault, Services, Terms, Work

Result = TypeVar("Result")
KEY = Secret("ncbi-good-key")
EMAIL = "someone@example.org"
XML = {"status": 200, "content_type": "text/xml; charset=UTF-8"}


def ask(
    services: Services,
    folder: Path,
    question: Callable[[PubMed], Awaitable[Result]],
    key: Secret | None = None,
    email: str | None = EMAIL,
) -> Result:
    async def run() -> Result:
        async with wired("pubmed", services.url("pubmed"), error_of, folder, [key] if key else []) as http:
            return await question(PubMed(http, key, email))

    return asyncio.run(run())


def read(row: recordings.Row, body: bytes) -> PubmedRecords | SearchIds | tuple[str, ...]:
    """What a recorded reply says to the utility that was asked; a reply without address to the one it is of."""
    answer = reply(body, row["status"], row["content_type"])
    if fault := error_of(answer):
        raise fault
    address = urlsplit(row.get("url") or "")
    if address.path.endswith("/elink.fcgi"):
        return read_links(answer, parse_qs(address.query).get("linkname", ["pubmed_pubmed"])[0])
    if address.path.endswith("/esearch.fcgi") or b"<eSearchResult" in body:
        return read_search(answer)
    return read_records(answer)


def outcome(row: recordings.Row, body: bytes) -> PubmedRecords | SearchIds | tuple[str, ...] | SourceError:
    try:
        return read(row, body)
    except SourceError as error:
        return error


def article(citation: str = "", data: str = "", inside: str = "<ArticleTitle>A title</ArticleTitle>") -> str:
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article>{inside}</Article>{citation}'
        f"</MedlineCitation><PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def records(*entries: str) -> PubmedRecords:
    return read_records(reply(f"<PubmedArticleSet>{''.join(entries)}</PubmedArticleSet>"))


def only(inside: str, citation: str = "", data: str = "") -> Paper:
    [paper] = records(article(citation, data, inside)).papers
    return paper


def text(element: ElementTree.Element | None) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def letters(value: str) -> list[str]:
    return re.findall("[A-Za-z0-9]+", value)


WHOLE = (
    "<PubmedArticleSet>"
    + article(
        "<MedlineJournalInfo><MedlineTA>J</MedlineTA></MedlineJournalInfo>",
        '<ArticleIdList><ArticleId IdType="doi">10.1000/x</ArticleId></ArticleIdList><ReferenceList><Reference>'
        '<ArticleIdList><ArticleId IdType="pubmed">9</ArticleId></ArticleIdList></Reference></ReferenceList>',
        "<Journal><JournalIssue><PubDate><Year>2001</Year><Month>Jun</Month></PubDate></JournalIssue></Journal>"
        '<ArticleTitle>A <i>T</i></ArticleTitle><Abstract><AbstractText Label="AIM">x</AbstractText></Abstract>'
        "<AuthorList><Author><LastName>A</LastName></Author></AuthorList><Language>eng</Language>",
    )
    + "</PubmedArticleSet>"
).encode()


# Recorded replies


@recordings.each("pubmed")
def test_every_recorded_reply_is_read_whole_or_refused_by_name(row: recordings.Row) -> None:
    """Searches, links and records are read to the last; any other utility's or database's reply is refused."""
    body = recordings.body(row)
    utility = urlsplit(row["url"] or "").path.rpartition("/")[2].removesuffix(".fcgi")
    found = outcome(row, body)
    if isinstance(found, SourceError):
        said_so = row["status"] >= 400 or b"<ERROR>" in body
        other = utility not in ("esearch", "efetch", "elink") or b"PubmedArticle" not in body
        assert said_so or (isinstance(found, BadResponse) and other)
        return
    if body.lstrip().startswith(b"{"):
        assert found[0] == ("19304878", "14630660")
        return
    root = ElementTree.fromstring(body)
    if isinstance(found, PubmedRecords):
        assert root.tag == "PubmedArticleSet"
        assert [paper.identifier("pmid") for paper in found.papers] == [
            entry.findtext("*/PMID") for entry in root if entry.tag != "DeleteCitation"
        ]
    elif isinstance(found, SearchIds):
        assert root.tag == "eSearchResult"
        assert found.pmids == tuple(name.text for name in root.findall("IdList/Id"))
        assert found.total == int(root.findtext("Count") or "")
    else:
        lists = [links for links in root.iter("LinkSetDb") if (links.findtext("LinkName") or "") in row["url"]]
        lists = lists or [links for links in root.iter("LinkSetDb") if links.findtext("LinkName") == "pubmed_pubmed"]
        assert found == tuple(name.text for links in lists for name in links.findall("Link/Id"))


@recordings.each("pubmed")
def test_facts_of_recorded_articles_survive(row: recordings.Row) -> None:
    """Title, abstract, authors, year, venue, identifiers and references are the record's own, markup and all."""
    body = recordings.body(row)
    if b"<PubmedArticle>" not in body:
        return
    found = read(row, body)
    assert isinstance(found, PubmedRecords)
    papers = {paper.identifier("pmid"): paper for paper in found.papers}
    for told in ElementTree.fromstring(body).findall("PubmedArticle"):
        paper = papers[told.findtext("MedlineCitation/PMID")]
        inner = told.find("MedlineCitation/Article")
        assert inner is not None
        assert paper.title in text(inner.find("ArticleTitle"))  # but for a full stop, and brackets round a translation
        assert len(text(inner.find("ArticleTitle"))) - len(paper.title) <= 3
        parts = inner.findall("Abstract/AbstractText")
        told_parts = " ".join(f"{part.get('Label', '')} {text(part)}" for part in parts)
        assert "".join(letters(paper.abstract)) == "".join(letters(told_parts.replace("UNLABELLED", "")))
        assert len(paper.authors) == len(inner.findall("AuthorList/Author"))
        assert [one.family for one in paper.authors] == [
            text(one.find("LastName")) or text(one.find("CollectiveName")) for one in inner.findall("AuthorList/Author")
        ]
        issue = text(inner.find("Journal/JournalIssue/PubDate"))
        assert str(paper.year) in issue
        assert paper.venue == text(inner.find("Journal/Title"))
        own = told.findall("PubmedData/ArticleIdList/ArticleId") + inner.findall("ELocationID")
        dois = {text(one).lower() for one in own if "doi" in (one.get("IdType"), one.get("EIdType"))}
        assert (paper.identifier("doi") in dois) if dois else paper.identifier("doi") is None
        assert {str(paper.identifier("pmcid"))} <= {text(one) for one in own if one.get("IdType") == "pmc"} | {"None"}
        cited = [
            one
            for one in told.iter("Reference")
            if any(item.get("IdType") == "pubmed" for item in one.iter("ArticleId"))
        ]
        assert len(paper.references) == len(cited)
        assert paper.language == "en"
        assert not paper.retracted
        listed = [*told.iter("Keyword"), *told.iter("DescriptorName")]
        assert {word.casefold() for word in paper.keywords} <= {text(one).casefold() for one in listed}
        assert len(paper.keywords) == min(KEYWORDS_CAP, len({text(one).casefold() for one in listed}))


def recorded(part: str) -> list[Paper]:
    rows = [row for row in recordings.rows("pubmed") if part in row["file"]]
    if not rows:
        pytest.skip("the recorded replies (../shared/fixtures) are not here")
    found = read(rows[0], recordings.body(rows[0]))
    assert isinstance(found, PubmedRecords)
    return list(found.papers)


def test_an_article_has_its_authors_keywords_and_then_its_subject_headings() -> None:
    [paper, _] = recorded("biopython__pubmed1")
    assert paper.keywords[:4] == (
        "Health Care and Public Health", "Legal Approach", "AIDS Serodiagnosis", "Acquired Immunodeficiency Syndrome",
    )  # fmt: skip
    assert "Social Control, Formal" in paper.keywords
    assert len(paper.keywords) == 2 + 19


def test_a_subject_heading_is_told_without_its_qualifiers_and_a_keyword_without_markup() -> None:
    heading = "<MeshHeading><DescriptorName>Iron</DescriptorName><QualifierName>analysis</QualifierName></MeshHeading>"
    told = f"<MeshHeadingList>{heading}</MeshHeadingList><KeywordList><Keyword>H<sub>2</sub>O</Keyword></KeywordList>"
    assert only("<ArticleTitle>A title</ArticleTitle>", told).keywords == ("H2O", "Iron")


def test_an_article_and_a_chapter_are_told_as_recorded() -> None:
    paper, chapter = recorded("efetch_article_and_book")
    assert paper.title == "Escherichia coli growth at low CO2: a made-up study"
    assert paper.abstract.startswith("BACKGROUND: Growth of E. coli at p < 0.05 was not measured. RESULTS: Nothing")
    assert (paper.date, paper.venue, paper.type) == ("2025-11", "Journal of Invented Results", "article")
    assert [author.name for author in paper.authors] == ["Ann B Nobody", "The Invented Trial Group"]
    assert (chapter.title, chapter.venue, chapter.type, chapter.date) == (
        "A chapter without an abstract",
        "Invented Reviews",
        "chapter",
        "2024",
    )
    assert chapter.identifier("pmid") == "90000002"


def test_the_day_on_which_pubmed_added_a_record_is_told_as_recorded() -> None:
    first, second = recorded("biopython__pubmed2")
    assert (first.indexed, second.indexed) == ((("pubmed", "2001-12-26"),), (("pubmed", "2001-11-09"),))


def test_days_of_entry_are_asked_for_as_pubmed_was_recorded_to_understand_them(
    services: Services, tmp_path: Path
) -> None:
    """`2019/01/05[EDAT] : 2019/04/05[EDAT]`."""
    days = r'"?\d{4}/\d\d/\d\d"?\[edat\] : "?\d{4}[/\d]*"?\[edat\]'
    bodies = [recordings.body(row).decode() for row in recordings.rows("pubmed") if "a_smaller_list" in row["file"]]
    understood = [body for body in bodies if "QueryTranslation" in body]
    if not understood:
        pytest.skip(recordings.ABSENT)
    assert all(re.search(days, body, re.IGNORECASE) for body in understood)
    answer = ask(services, tmp_path, lambda source: source.search(Query("vaccine", added=date(2019, 1, 5))))
    assert re.search(days, unquote_plus(answer.sent[0]))


def test_shortened_pages_are_told_in_full() -> None:
    """Two recorded articles whose last pages PubMed tells as `25` and `91`."""
    told = [(one.imprint.volume, one.imprint.number, one.imprint.pages) for one in recorded("biopython__pubmed1")]
    assert told == [("17", "1", "113-125"), ("446", "1", "179-191")]


def test_a_review_with_a_season_is_told_as_recorded() -> None:
    paper = recorded("biopython__pubmed1")[0]
    assert (paper.date, paper.type) == ("1990", "review")
    assert paper.url == "https://pubmed.ncbi.nlm.nih.gov/12091962/"


# Records


def test_a_name_in_the_references_is_not_the_articles_own() -> None:
    data = (
        '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/Other</ArticleId>'
        '<ArticleId IdType="pubmed">99</ArticleId></ArticleIdList></Reference><Reference><ArticleIdList>'
        '<ArticleId IdType="doi">10.1000/third</ArticleId></ArticleIdList></Reference>'
        "<Reference><Citation>No name at all</Citation></Reference></ReferenceList>"
    )
    paper = only("<ArticleTitle>A title</ArticleTitle>", data=data)
    assert [str(name) for name in paper.identifiers] == ["pmid:7"]
    assert [str(name) for name in paper.references] == ["pmid:99", "doi:10.1000/third"]


@each(
    ("issue", "online", "day"),
    [
        ("<Year>2001</Year><Month>Jun</Month><Day>5</Day>", "", "2001-06-05"),
        ("<Year>2001</Year><Month>06</Month>", "", "2001-06"),
        ("<Year>2001</Year><Season>Winter</Season>", "", "2001"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "", "1998-12"),
        ("<MedlineDate>2000 Spring-Summer</MedlineDate>", "", "2000"),
        ("<MedlineDate>1976-1977</MedlineDate>", "", "1976"),
        ("<MedlineDate>Winter 2019-2020</MedlineDate>", "", "2019"),
        ("<MedlineDate>no year</MedlineDate>", "", None),
        ("", "", None),
        ("<Year/>", "", None),
        ("<Year>20000</Year>", "", None),
        ("<Year>2018</Year><Month>Dec</Month>", "2018-5-14", "2018-05-14"),
        ("<Year>2018</Year><Month>Dec</Month><Day>3</Day>", "2018-5-14", "2018-12-03"),
        ("<Year>2019</Year>", "2018-5-14", "2019"),
        ("", "2018-5-14", "2018-05-14"),
        ("<Year>2018</Year><Month>Feb</Month><Day>31</Day>", "", "2018-02"),
    ],
)
def test_dates_are_as_precise_as_told(issue: str, online: str, day: str | None) -> None:
    year, month, number = online.split("-") if online else ("", "", "")
    there = f"<ArticleDate><Year>{year}</Year><Month>{month}</Month><Day>{number}</Day></ArticleDate>" if online else ""
    inside = f"<Journal><JournalIssue><PubDate>{issue}</PubDate></JournalIssue></Journal>{there}"
    assert only(inside).date == day


@each(
    ("orcid", "told"),
    [
        ("0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("000000021825009X", "0000-0002-1825-009X"),
        ("0000 0002 1825 0097", "0000-0002-1825-0097"),
        ("unknown", None),
        ("", None),
    ],
)
def test_orcids_are_read_in_all_their_spellings(orcid: str, told: str | None) -> None:
    people = f'<AuthorList><Author><LastName>A</LastName><Identifier Source="ORCID">{orcid}</Identifier></Author>'
    assert only(f"{people}</AuthorList>").authors[0].orcid == told


def test_authors_keep_their_suffix_and_withdrawn_spellings_go() -> None:
    people = (
        '<AuthorList><Author ValidYN="Y"><LastName>King</LastName><ForeName>Martin</ForeName><Suffix>Jr</Suffix>'
        '</Author><Author ValidYN="N"><LastName>Kong</LastName></Author><Author><LastName>Solo</LastName></Author>'
        "<Author><CollectiveName>A <i>group</i></CollectiveName></Author><Author/></AuthorList>"
    )
    assert [(author.given, author.family, author.suffix) for author in only(people).authors] == [
        ("Martin", "King", "Jr"),
        ("", "Solo", ""),
        ("", "A group", ""),
    ]


def kinds(*names: str) -> str:
    items = "".join(f"<PublicationType>{name}</PublicationType>" for name in names)
    return f"<ArticleTitle>T</ArticleTitle><PublicationTypeList>{items}</PublicationTypeList>"


def test_types_and_retractions_are_told() -> None:
    assert only(kinds("Journal Article", "Systematic Review")).type == "review"
    assert only(kinds("Preprint", "Journal Article")).type == "preprint"
    assert only(kinds("Letter")).type == "article"
    assert only(kinds("Journal Article", "Retracted Publication")).retracted
    assert not only(kinds("Retraction of Publication")).retracted
    notice = '<CommentsCorrectionsList><CommentsCorrections RefType="{}"/></CommentsCorrectionsList>'
    assert only(kinds("Journal Article"), citation=notice.format("RetractionIn")).retracted
    worried = only(kinds("Journal Article"), citation=notice.format("ExpressionOfConcernIn"))
    assert (worried.retracted, worried.concern) == (False, True)
    assert not only(kinds("Journal Article"), citation=notice.format("ExpressionOfConcernFor")).concern


def test_full_text_in_pubmed_central_is_linked() -> None:
    data = '<ArticleIdList><ArticleId IdType="pmc">PMC2682512</ArticleId></ArticleIdList>'
    paper = only("<ArticleTitle>T</ArticleTitle>", data=data)
    assert paper.identifier("pmcid") == "PMC2682512"
    assert paper.pdf == "https://pmc.ncbi.nlm.nih.gov/articles/PMC2682512/pdf/"
    assert only("<ArticleTitle>T</ArticleTitle>").pdf is None


def test_an_arxiv_preprint_is_known_by_its_arxiv_id() -> None:
    name = '<ELocationID EIdType="pii" ValidYN="Y">arXiv:2303.08774v2</ELocationID>'
    assert only(f"<ArticleTitle>T</ArticleTitle>{name}").identifier("arxiv") == "2303.08774"


def test_a_withdrawn_doi_is_no_name() -> None:
    name = '<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID>'
    assert only(f"<ArticleTitle>T</ArticleTitle>{name}").identifier("doi") is None


def test_languages_are_told_as_everywhere_else() -> None:
    told = [only(f"<Language>{name}</Language>").language for name in ("eng", "ger", "und", "epo")]
    assert told == ["en", "de", None, "epo"]


def test_a_record_that_lacks_everything_is_still_a_paper() -> None:
    [paper] = records(
        "<PubmedArticle><MedlineCitation><PMID>7</PMID><Article/></MedlineCitation></PubmedArticle>"
    ).papers
    assert (paper.title, paper.authors, paper.date) == ("(untitled)", (), None)
    [book] = records("<PubmedBookArticle><BookDocument><PMID>8</PMID></BookDocument></PubmedBookArticle>").papers
    assert (book.identifier("pmid"), book.type) == ("8", "book")


ADAM = '<AuthorList Type="editors"><Author><LastName>Adam</LastName><ForeName>Margaret</ForeName></Author></AuthorList>'
HACK = '<AuthorList Type="authors"><Author><LastName>Hack</LastName><ForeName>Remco</ForeName></Author></AuthorList>'


@each(
    ("inside", "after", "authors"),
    [
        (ADAM, HACK, ["Remco Hack"]),
        ("", ADAM + HACK, ["Remco Hack"]),
        (ADAM, "", []),
        (ADAM + HACK, "", ["Remco Hack"]),
    ],
    ids=["a chapter", "editors beside authors", "editors only", "authors of the book"],
)
def test_the_editors_of_a_book_are_not_its_authors(inside: str, after: str, authors: list[str]) -> None:
    book = f"<Book><BookTitle>GeneReviews</BookTitle>{inside}</Book><ArticleTitle>CADASIL</ArticleTitle>{after}"
    [chapter] = records(
        f"<PubmedBookArticle><BookDocument><PMID>8</PMID>{book}</BookDocument></PubmedBookArticle>"
    ).papers
    assert [person.name for person in chapter.authors] == authors
    assert [person.name for person in chapter.imprint.editors] == ["Margaret Adam"]


@each(
    "body",
    [
        "",
        "<eSearchResult/>",
        "<eSummaryResult><DocSum><Id>7</Id></DocSum></eSummaryResult>",
        "<PubmedArticleSet><GBSeq/></PubmedArticleSet>",
        "<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>",
        "<html><body>Sign in</body></html>",
        "{}",
        WHOLE.decode()[:-5],
    ],
)
def test_what_is_no_set_of_records_is_refused(body: str) -> None:
    """Nothing but an empty set of records means that none of the papers exists."""
    with pytest.raises(BadResponse):
        read_records(reply(body))
    assert records().papers == ()


def test_a_damaged_record_costs_only_itself() -> None:
    found = records("<PubmedArticle/>", article(), "<DeleteCitation/>")
    assert [paper.identifier("pmid") for paper in found.papers] == ["7"]
    assert found.counts[DAMAGED] == 1


def test_entities_bring_nothing_in() -> None:
    """Neither a file nor a flood comes in through a document type."""
    title = "<ArticleTitle>x &f; &l11; y</ArticleTitle>"
    body = with_entities(f"<PubmedArticleSet>{article(inside=title)}</PubmedArticleSet>", "PubmedArticleSet")
    assert brought_nothing_in(recordings.outcome(lambda row, raw: read_records(reply(raw)).papers, {}, body))


@given(data=st.data())
def test_any_damage_to_a_record_is_survived(data: st.DataObject) -> None:
    """Whatever bytes are lost or changed, there are sound papers or a failure told in a sentence."""
    body = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))

    def papers(row: recordings.Row, raw: bytes) -> tuple[Paper, ...]:
        found = read(row, raw)
        return found.papers if isinstance(found, PubmedRecords) else ()

    assert recordings.is_sound(recordings.outcome(papers, {**XML, "url": ""}, bytes(body)))


@given(data=st.data())
def test_a_record_may_lose_any_of_its_parts(data: st.DataObject) -> None:
    """A record is read whichever of its elements are missing, as long as it has its PubMed id."""
    root = ElementTree.fromstring(WHOLE)
    for _ in range(data.draw(st.integers(1, 6))):
        parents = [one for one in root.iter() if len(one) and one is not root]
        if parents:
            parent = data.draw(st.sampled_from(parents))
            parent.remove(data.draw(st.sampled_from(list(parent))))
    found = recordings.outcome(lambda row, raw: read_records(reply(raw)).papers, {}, ElementTree.tostring(root))
    assert recordings.is_sound(found)
    if root.find("PubmedArticle/MedlineCitation/PMID") is not None and root.find(".//Article") is not None:
        assert not isinstance(found, SourceError)


def test_papers_come_in_the_order_asked_for_and_only_those_asked_for() -> None:
    papers = [Paper(name, identifiers=(Identifier("pmid", name),)) for name in ("1", "2", "3")]
    assert [paper.title for paper in in_order(papers, ["3", "1"])] == ["3", "1", "2"]
    assert [paper.title for paper in named(papers, [Identifier("pmid", "2"), Identifier("doi", "10.1000/x")])] == ["2"]


# Searches and links


@each(
    "body",
    [
        "",
        "<eSearchResult/>",
        "<eSearchResult><Count>3</Count><IdList/></eSearchResult>",
        "<eSearchResult><Count>0</Count></eSearchResult>",
        "<eSearchResult><Count>x</Count><IdList/></eSearchResult>",
        "<eSearchResult><Count>1</Count><IdList><Id>abc</Id></IdList></eSearchResult>",
        "<eInfoResult><Count>0</Count><IdList/></eInfoResult>",
        "<html><body>Sign in</body></html>",
        "{}",
        "{",
    ],
)
def test_what_is_no_search_result_is_refused(body: str) -> None:
    """Nothing but a count of zero beside an empty list means that nothing was found."""
    with pytest.raises(BadResponse):
        read_search(reply(body))


def test_what_a_search_understood_is_noted() -> None:
    body = (
        "<eSearchResult><Count>0</Count><IdList/><QueryTranslation>x[All Fields]</QueryTranslation>"
        "<ErrorList><PhraseNotFound>foo</PhraseNotFound><PhraseNotFound>bar</PhraseNotFound></ErrorList><WarningList>"
        "<PhraseIgnored>the</PhraseIgnored><OutputMessage>No items found.</OutputMessage>"
        "<OutputMessage>Too long.</OutputMessage></WarningList></eSearchResult>"
    )
    notes = ("understood as x[All Fields]", "knows no such words: foo, bar", "Too long.")
    assert read_search(reply(body)) == SearchIds((), 0, notes)


@each(
    "body",
    [
        "<eLinkResult/>",
        "<eLinkResult><LinkSet><DbFrom>nuccore</DbFrom><IdList/></LinkSet></eLinkResult>",
        "<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdCheckList/></LinkSet></eLinkResult>",
        "<eSearchResult><Count>0</Count><IdList/></eSearchResult>",
        "{}",
    ],
)
def test_what_is_no_list_of_links_is_refused(body: str) -> None:
    with pytest.raises(BadResponse):
        read_links(reply(body), "pubmed_pubmed")


def test_a_paper_is_not_like_itself() -> None:
    links = "".join(f"<Link><Id>{name}</Id></Link>" for name in (7, 8, 9, 8))
    body = (
        "<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>7</Id></IdList><LinkSetDb><DbTo>pubmed</DbTo>"
        f"<LinkName>pubmed_pubmed</LinkName>{links}</LinkSetDb></LinkSet></eLinkResult>"
    )
    assert read_links(reply(body), "pubmed_pubmed", "7") == ("8", "9")
    assert read_links(reply(body), "pubmed_pubmed_refs", "7") == ()


LIMIT = '{"error":"API rate limit exceeded","api-key":"192.0.2.10","count":"4","limit":"3"}'


@each(
    ("status", "body", "kind"),
    [
        (429, LIMIT, RateLimited),
        (200, LIMIT, RateLimited),
        (429, "<html>", RateLimited),
        (400, '{"error":"API key invalid","api-key":"abc"}', Unauthorized),
        (200, "<eSearchResult><ERROR>Search Backend failed: oops</ERROR></eSearchResult>", SourceUnavailable),
        (200, "<eLinkResult><LinkSet><ERROR>timeout</ERROR></LinkSet></eLinkResult>", SourceUnavailable),
        (200, "<eFetchResult><ERROR>Empty id list - nothing todo</ERROR></eFetchResult>", BadQuery),
        (200, '{"esearchresult":{"ERROR":"Invalid db name specified: x"}}', BadQuery),
        (500, "<html>oops</html>", SourceUnavailable),
        (414, "", BadQuery),
    ],
)
def test_faults_are_named(status: int, body: str, kind: type[SourceError]) -> None:
    """Most come with HTTP 200. The person's address, which NCBI sends back, is in no sentence."""
    fault = error_of(reply(body, status))
    assert type(fault) is kind
    assert "192.0.2.10" not in fault.sentence
    assert "<" not in fault.sentence
    assert fault.sentence.endswith(".")


def test_an_empty_error_is_no_fault() -> None:
    assert error_of(reply("<eSpellResult><ERROR/></eSpellResult>")) is None
    assert error_of(reply(WHOLE)) is None


# Queries


@each(
    ("question", "narrow"),
    [
        ("malaria vaccine", "malaria vaccine"),
        (
            "Does exercise improve quality of life in cancer patients?",
            "exercise improve quality of life in cancer patients",
        ),
        ("What is the effect of aspirin on stroke", "effect of aspirin stroke"),
        ("of mice", "mice"),
        ("COVID-19 in children", "covid-19 in children"),
        ('"cystic fibrosis" AND registry NOT mice', "cystic fibrosis registry mice"),
        ("cancer[MeSH] OR tumo*r #1", "cancer mesh tumo 1"),
        ('"cats and dogs"', "cats dogs"),
        ("Crohn's disease", "crohn disease"),
        ("interleukin 1.5 mg/kg", "interleukin 1.5 mg kg"),
    ],
)
def test_questions_become_plain_words(question: str, narrow: str) -> None:
    assert search_terms(question)[0] == narrow


def test_the_wider_query_asks_for_any_word() -> None:
    assert search_terms('"cystic fibrosis" registry') == ("cystic fibrosis registry", "(cystic fibrosis) OR (registry)")
    assert search_terms("malaria") == ("malaria", "malaria")


def test_a_long_question_asks_for_its_most_telling_words() -> None:
    narrow, wide = search_terms(
        "Which randomised controlled trials have compared inhaled budesonide-formoterol with salbutamol for as-needed"
        " relief of symptoms in adults with mild persistent asthma in primary care?"
    )
    assert narrow == ("randomised controlled compared budesonide-formoterol salbutamol as-needed symptoms persistent")
    assert "(asthma)" in wide


@each(
    "question", ["", "  ", "?", "[]", '""', "#", "*", "and", "AND OR NOT", '"and"', "the of in", "to be or not to be"]
)
def test_a_question_without_words_of_a_subject_is_not_asked(question: str) -> None:
    with pytest.raises(BadQuery):
        search_terms(question)


@given(question=st.text(max_size=300) | st.text(" \"'()[]:-_.*?~#&|/ANDORTto12xé文", max_size=80))
def test_no_question_can_smuggle_syntax_in(question: str) -> None:
    """Whatever is typed, what is sent has no field tags, quotes, truncation, history or operators of the person's."""
    try:
        narrow, wide = search_terms(question)
    except BadQuery:
        return
    assert not set(narrow) & set('[]"*#:&|~/()')
    assert not {"and", "or", "not"} & set(narrow.lower().split())
    parts = wide.split(" OR ")
    assert not set(wide) & set('[]"*#:&|~/')
    assert all(part == narrow or re.fullmatch(r"\([^()]+\)", part) for part in parts)
    assert len(narrow) < 1_500


def test_a_key_stands_in_no_address() -> None:
    path, form = request_form("esearch", {"term": "x & y", "api_key": "secret", "email": "a@b.example"})
    assert path == "/entrez/eutils/esearch.fcgi"
    assert parse_qs(form.decode())["term"] == ["x & y"]
    assert b"api_key=secret" in form


def test_ids_are_repeated_so_that_lists_stay_apart() -> None:
    _, form = request_form("elink", {"id": ["1", "2"], "tool": "spar", "email": "a@b.example"})
    assert parse_qs(form.decode())["id"] == ["1", "2"]


# Against the stand-in


def works_of(services: Services, papers: tuple[Paper, ...]) -> list[Work]:
    found = [services.corpus.find("pmid", paper.identifier("pmid") or "") for paper in papers]
    return [work for work in found if work]


def paper_of(work: Work, *schemes: str) -> Paper:
    names = {"pmid": pmid(work.pmid), "doi": doi(work.doi), "pmcid": pmcid(work.pmcid), "arxiv": arxiv(work.arxiv)}
    return Paper(work.title, identifiers=tuple(name for scheme in schemes if (name := names[scheme])))


def well_linked(services: Services) -> Work:
    """A work whose references and citations PubMed knows."""
    return services.corpus.named("A survey of Pseudomonas aeruginosa infection in cystic fibrosis")


def test_a_search_finds_papers_of_the_dates_asked_for(services: Services, tmp_path: Path) -> None:
    query = Query("cystic fibrosis", date(2015, 1, 1), date(2024, 12, 31), 5)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    works = works_of(services, answer.papers)
    assert len(works) == len(answer.papers) == 5
    assert all("2015" <= str(work.year) <= "2024" for work in works)
    assert all(work.doi == paper.identifier("doi") for work, paper in zip(works, answer.papers, strict=True))
    assert answer.total is not None
    assert answer.total > 5
    assert [request.path.rpartition("/")[2] for request in services.log] == ["esearch.fcgi", "efetch.fcgi"]
    assert "mindate=2015/01/01&maxdate=2024/12/31" in answer.sent[0]
    assert any("fibrosis" in note for note in answer.notes)
    assert services.violations == []


def test_papers_come_in_the_order_of_relevance(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis registry", limit=10)))
    sent = parse_qs(services.log[1].body.decode())["id"][0].split(",")
    assert [paper.identifier("pmid") for paper in answer.papers] == sent


@pytest.mark.parametrize(("since", "until"), [(date(2020, 1, 1), None), (None, date(2020, 1, 1))])
def test_an_open_span_of_dates_has_both_bounds(
    services: Services, tmp_path: Path, since: date | None, until: date | None
) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis", since, until)))
    assert answer.papers
    assert services.violations == []


def test_a_question_whose_words_never_meet_is_asked_more_widely(services: Services, tmp_path: Path) -> None:
    query = Query("cystic fibrosis after heart transplantation of elderly neurons in vaccine registry", limit=3)
    answer = ask(services, tmp_path, lambda source: source.search(query))
    assert len(answer.papers) == 3
    assert answer.notes[0] == WIDENED


def test_nothing_found_is_nothing_found(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("zyxwv", limit=3)))
    assert (answer.papers, answer.total) == ((), 0)
    assert any("zyxwv" in note for note in answer.notes)


def test_key_and_mail_address_stand_in_the_body_alone(services: Services, tmp_path: Path) -> None:
    answer = ask(services, tmp_path, lambda source: source.search(Query("malaria")), KEY)
    for request in services.log:
        assert request.method == "POST"
        assert request.query == ""
        assert request.parameters["api_key"] == KEY.reveal()
        assert (request.parameters["tool"], request.parameters["email"]) == ("spar", EMAIL)
    assert not any(KEY.reveal() in sent or "example.org" in sent for sent in answer.sent)
    assert services.violations == []


def test_nobody_asks_pubmed_for_arxivs_dois(services: Services, tmp_path: Path) -> None:
    name = Identifier("doi", "10.48550/arxiv.1706.03762")
    assert ask(services, tmp_path, lambda source: source.lookup([name])).papers == ()
    assert services.log == []


def test_without_the_persons_address_none_is_given(services: Services, tmp_path: Path) -> None:
    ask(services, tmp_path, lambda source: source.search(Query("malaria")), email=None)
    assert {one.parameters["tool"] for one in services.log} == {"spar"}
    assert not any("email" in one.parameters or b"@" in one.body or b"%40" in one.body for one in services.log)
    assert services.violations == []


def test_a_wrong_key_is_refused_and_never_shown(tmp_path: Path) -> None:
    wrong = Secret("wrong-key-123")
    with Services(time_scale=0.01, terms=Terms()) as services, pytest.raises(Unauthorized) as caught:
        ask(services, tmp_path, lambda source: source.search(Query("malaria")), wrong)
    assert "NCBI_API_KEY" in caught.value.sentence
    assert "wrong-key" not in str(caught.value)


def test_papers_are_looked_up_by_pmid_and_doi_and_unknown_ones_left_out(services: Services, tmp_path: Path) -> None:
    first, second = [work for work in services.corpus.works if work.pmid and work.doi][:2]
    names = [
        name for name in (pmid(first.pmid), doi(second.doi), pmid("123"), doi("10.1000/nobody.knows(1)<2;3>")) if name
    ]
    assert len(names) == 4
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert {paper.identifier("pmid") for paper in answer.papers} == {first.pmid, second.pmid}
    assert services.violations == []


def test_names_that_pubmed_cannot_know_are_refused(services: Services, tmp_path: Path) -> None:
    with pytest.raises(BadQuery):
        ask(services, tmp_path, lambda source: source.lookup([Identifier("arxiv", "1706.03762")]))
    assert ask(services, tmp_path, lambda source: source.lookup([])).papers == ()
    assert services.log == []


def test_many_records_are_fetched_in_batches(services: Services, tmp_path: Path) -> None:
    works = [work for work in services.corpus.works if work.pmid]
    names = [Identifier("pmid", str(number)) for number in range(1, 201)]
    names += [name for work in works if (name := pmid(work.pmid))]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    assert len(answer.papers) == len(works)
    assert [len(parse_qs(request.body.decode())["id"][0].split(",")) for request in services.log] == [200, len(works)]


def test_references_are_those_of_the_links(services: Services, tmp_path: Path) -> None:
    work = well_linked(services)
    answer = ask(services, tmp_path, lambda source: source.references(paper_of(work, "pmid"), 50))
    expected = {reference.pmid for reference in services.corpus.references(work) if reference.pmid}
    assert expected
    assert {paper.identifier("pmid") for paper in answer.papers} == expected
    assert answer.total == len(expected)


def test_references_outside_pubmed_central_come_from_the_record(services: Services, tmp_path: Path) -> None:
    work = next(
        work
        for work in services.corpus.works
        if work.pmid
        and not work.pmcid
        and work.kind == "article"
        and not work.references_withheld
        and any(reference.pmid for reference in services.corpus.references(work))
    )
    answer = ask(services, tmp_path, lambda source: source.references(paper_of(work, "pmid"), 50))
    assert {paper.identifier("pmid") for paper in answer.papers} == {
        reference.pmid for reference in services.corpus.references(work) if reference.pmid
    }


def test_citations_are_fetched_up_to_the_limit_and_known_to_be_sparse(services: Services, tmp_path: Path) -> None:
    def citing(work: Work) -> list[str]:
        return [citation.pmid for citation in services.corpus.citations(work) if citation.pmcid and citation.pmid]

    work = max((work for work in services.corpus.works if work.pmid and work.doi), key=lambda work: len(citing(work)))
    answer = ask(services, tmp_path, lambda source: source.citations(paper_of(work, "doi"), 2))
    expected = citing(work)
    assert len(expected) > 2
    assert [paper.identifier("pmid") for paper in answer.papers] == expected[:2]
    assert (answer.total, answer.notes[0]) == (len(expected), SPARSE)
    assert services.violations == []


def test_similar_papers_do_not_include_the_paper(services: Services, tmp_path: Path) -> None:
    work = well_linked(services)
    answer = ask(services, tmp_path, lambda source: source.similar(paper_of(work, "pmid"), 5))
    assert len(answer.papers) == 5
    assert work.pmid not in {paper.identifier("pmid") for paper in answer.papers}


def linked(services: Services, folder: Path, question: str, paper: Paper) -> Answer:
    def asked(source: PubMed) -> Awaitable[Answer]:
        questions = {"references": source.references, "citations": source.citations, "similar": source.similar}
        return questions[question](paper, 5)

    return ask(services, folder, asked)


@pytest.mark.parametrize("question", ["references", "citations", "similar"])
def test_an_unknown_paper_is_not_a_paper_without_links(services: Services, tmp_path: Path, question: str) -> None:
    for names in ((Identifier("pmid", "123"),), (Identifier("doi", "10.1000/nobody"),), (Identifier("s2", "a" * 40),)):
        paper = Paper("Nobody knows this", identifiers=names)
        with pytest.raises(NotFound, match="Nobody knows this"):
            linked(services, tmp_path, question, paper)


def test_a_retraction_reaches_the_person(services: Services, tmp_path: Path) -> None:
    work = next(work for work in services.corpus.works if work.retracted and work.pmid)
    name = pmid(work.pmid)
    assert name is not None
    [paper] = ask(services, tmp_path, lambda source: source.lookup([name])).papers
    assert paper.retracted


def test_every_record_of_the_stand_in_is_read(services: Services, tmp_path: Path) -> None:
    """Retractions, collective authors, markup, odd dates, scripts of all kinds: all are papers."""
    works = {work.pmid: work for work in services.corpus.works if work.pmid}
    names = [name for value in works if (name := pmid(value))]
    answer = ask(services, tmp_path, lambda source: source.lookup(names))
    for paper in answer.papers:
        work = works[paper.identifier("pmid") or ""]
        assert "".join(letters(paper.title)) == "".join(letters(work.title))  # invisible characters are gone
        assert len(paper.authors) == len(work.authors)
        assert paper.year == work.year
        if work.kind != "book-chapter":  # their records hold no DOI
            assert paper.identifier("doi") == (work.doi.lower() if work.doi else None)
        assert paper.language == work.language
        press = work.publisher if work.kind == "book-chapter" else None
        volume, issue = (work.volume, work.issue) if not press else (None, None)
        assert paper.imprint == Imprint(volume or "", issue or "", work.pages or "", press or "")
        assert paper.keywords == ((work.topic, "Humans", work.field) if work.kind != "book-chapter" else ())


@pytest.mark.parametrize("utility", ["esearch", "efetch"])
@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("429", RateLimited),
        ("503", SourceUnavailable),
        ("error_in_200", SourceUnavailable),
        ("json_in_xml", RateLimited),
        ("truncated", BadResponse),
        ("login_as_xml", BadResponse),
        ("empty", BadResponse),
        ("bad_bytes", BadResponse),
    ],
)
def test_a_fault_of_the_service_is_named_never_an_empty_answer(
    services: Services, tmp_path: Path, fault: str, kind: type[SourceError], utility: str
) -> None:
    services.add_fault(Fault(fault, service="pubmed", path=utility))
    with pytest.raises(kind):
        ask(services, tmp_path, lambda source: source.search(Query("cystic fibrosis")))


def test_pubmed_can_do_everything() -> None:
    assert PubMed.capabilities >= OF_PAPERS
    assert PubMed.schemes == ("pmid", "doi", "pmcid")
