"""PubMed records of the made-up works, as efetch XML and as esummary entries."""

from __future__ import annotations

from typing import Any

from tests.services.corpus.works import Author, Corpus, Work
from tests.services.http.message import xml_text as text

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
SET_HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2027//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_270101.dtd">\n<PubmedArticleSet>'
)


def record(work: Work, corpus: Corpus) -> str:
    """A PubmedArticle, or a PubmedBookArticle for a chapter."""
    return _chapter(work) if work.kind == "book-chapter" else _article(work, corpus)


def _article(work: Work, corpus: Corpus) -> str:
    title = work.marked_title or text(work.title)
    if work.language != "en":
        title = f"[{title}]."
    kind = '<PublicationType UI="D016428">Journal Article</PublicationType>'
    retracted = '<PublicationType UI="D016441">Retracted Publication</PublicationType>' if work.retracted else ""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM" IndexingMethod="Automated">'
        f'<PMID Version="1">{work.pmid}</PMID>'
        "<DateRevised><Year>2026</Year><Month>02</Month><Day>03</Day></DateRevised>"
        f'<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">0000-0001</ISSN>'
        f'<JournalIssue CitedMedium="Internet">{_issue(work)}<PubDate>{_date(work)}</PubDate>'
        f"</JournalIssue><Title>{text(work.venue)}</Title><ISOAbbreviation>{text(_short(work.venue))}</ISOAbbreviation>"
        f"</Journal><ArticleTitle>{title}</ArticleTitle>"
        f"{_pages(work)}{_electronic(work)}{_abstract(work)}{_authors(work)}<Language>{_language(work)}</Language>"
        f"<PublicationTypeList>{kind}{retracted}</PublicationTypeList></Article>"
        f"<MedlineJournalInfo><Country>Switzerland</Country><MedlineTA>{text(_short(work.venue))}</MedlineTA>"
        "<NlmUniqueID>0000001</NlmUniqueID><ISSNLinking>0000-0001</ISSNLinking></MedlineJournalInfo>"
        f"{_subjects(work)}</MedlineCitation>"
        f"<PubmedData>{_history(work)}<PublicationStatus>ppublish</PublicationStatus>{_ids(work)}"
        f"{_references(work, corpus)}</PubmedData></PubmedArticle>"
    )


def _chapter(work: Work) -> str:
    return (
        f'<PubmedBookArticle><BookDocument><PMID Version="1">{work.pmid}</PMID><ArticleIdList>'
        f'<ArticleId IdType="bookaccession">NBK9{work.number:05}</ArticleId></ArticleIdList><Book><Publisher>'
        f"<PublisherName>{text(work.publisher or '')}</PublisherName><PublisherLocation>Nowhere</PublisherLocation>"
        "</Publisher>"
        f'<BookTitle book="inv">{text(work.venue)}</BookTitle><PubDate>{_date(work)}</PubDate></Book>'
        f'<ArticleTitle book="inv" part="ch{work.number}">{text(work.title)}</ArticleTitle>{_pages(work)}'
        f"<Language>eng</Language>{_authors(work)}{_abstract(work)}</BookDocument><PubmedBookData><PublicationStatus>ppublish</PublicationStatus>"
        f'<ArticleIdList><ArticleId IdType="pubmed">{work.pmid}</ArticleId></ArticleIdList></PubmedBookData>'
        "</PubmedBookArticle>"
    )


def _subjects(work: Work) -> str:
    return (
        '<MeshHeadingList><MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName>'
        '</MeshHeading><MeshHeading><DescriptorName UI="D000001" MajorTopicYN="N">'
        f'{text(work.field)}</DescriptorName><QualifierName UI="Q000379" MajorTopicYN="Y">methods</QualifierName>'
        '</MeshHeading></MeshHeadingList><KeywordList Owner="NOTNLM">'
        f'<Keyword MajorTopicYN="N">{text(work.topic)}</Keyword></KeywordList>'
    )


def _date(work: Work) -> str:
    if work.medline_date:
        return f"<MedlineDate>{work.medline_date}</MedlineDate>"
    if not work.date:
        return f"<Year>{work.year}</Year>" if work.year else ""
    year, month, day = work.date.split("-")
    if work.number % 13 == 0:
        return f"<Year>{year}</Year><Season>Spring</Season>"
    whole = f"<Year>{year}</Year><Month>{_MONTHS[int(month) - 1]}</Month>"
    return f"{whole}<Day>{day}</Day>" if work.number % 3 else whole


def _issue(work: Work) -> str:
    told = (("Volume", work.volume), ("Issue", work.issue))
    return "".join(f"<{name}>{text(value)}</{name}>" for name, value in told if value)


def _pages(work: Work) -> str:
    """In MEDLINE's spelling, as first and last page, or both ways."""
    if not work.pages:
        return ""
    first, last = map(str, work.first_and_last_page)
    ends = f"<StartPage>{first}</StartPage>" + (f"<EndPage>{last}</EndPage>" if last != first else "")
    short = f"<MedlinePgn>{text(work.short_pages)}</MedlinePgn>"
    return f"<Pagination>{(ends, short, ends + short)[work.number % 3]}</Pagination>"


def _short(venue: str) -> str:
    return " ".join(word[:5] for word in venue.split())


def _language(work: Work) -> str:
    return {"ru": "rus", "ar": "ara", "zh": "chi"}.get(work.language, "eng")


def _electronic(work: Work) -> str:
    if not work.doi or work.number % 7 == 0:
        return ""
    return f'<ELocationID EIdType="doi" ValidYN="Y">{text(work.doi)}</ELocationID>'


def _abstract(work: Work) -> str:
    if not work.abstract:
        return ""
    if not work.sections:
        return f"<Abstract><AbstractText>{text(work.abstract)}</AbstractText></Abstract>"
    parts = "".join(
        f'<AbstractText Label="{label}" NlmCategory="{label}">{_marked(part, work)}</AbstractText>'
        for label, part in work.sections
    )
    return f"<Abstract>{parts}<CopyrightInformation>Copyright 2026 Nobody.</CopyrightInformation></Abstract>"


def _marked(part: str, work: Work) -> str:
    """Sections of works with a marked title are written with markup already."""
    return part if work.marked_title else text(part)


def _authors(work: Work) -> str:
    if not work.authors:
        return ""
    return f'<AuthorList CompleteYN="Y">{"".join(map(_author, work.authors))}</AuthorList>'


def _author(author: Author) -> str:
    if author.collective:
        return f'<Author ValidYN="Y"><CollectiveName>{text(author.family)}</CollectiveName></Author>'
    return (
        f'<Author ValidYN="Y"><LastName>{text(author.family)}</LastName><ForeName>{text(author.given)}</ForeName>'
        f"<Initials>{text(author.initials)}</Initials></Author>"
    )


def _history(work: Work) -> str:
    day = work.indexed or work.date
    if not day:
        return ""
    year, month, day = day.split("-")
    added = f"<Year>{year}</Year><Month>{int(month)}</Month><Day>{int(day)}</Day><Hour>6</Hour><Minute>0</Minute>"
    return f'<History><PubMedPubDate PubStatus="entrez">{added}</PubMedPubDate></History>'


def _ids(work: Work) -> str:
    pairs = (("pubmed", work.pmid), ("doi", work.doi), ("pmc", work.pmcid))
    items = "".join(f'<ArticleId IdType="{kind}">{text(value)}</ArticleId>' for kind, value in pairs if value)
    return f"<ArticleIdList>{items}</ArticleIdList>"


def _references(work: Work, corpus: Corpus) -> str:
    """The reference list carries article ids of its own: a careless reader takes them for the article's."""
    known = [] if work.references_withheld else [one for one in corpus.references(work) if one.pmid]
    items = "".join(
        f"<Reference><Citation>{text(_short(one.venue))}. {one.year};7(1):1-9</Citation><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{one.pmid}</ArticleId>'
        + (f'<ArticleId IdType="doi">{text(one.doi)}</ArticleId>' if one.doi else "")
        + "</ArticleIdList></Reference>"
        for one in known
    )
    return f"<ReferenceList>{items}</ReferenceList>" if items else ""


def summary(work: Work, corpus: Corpus) -> dict[str, Any]:
    """The fields of an esummary entry, by their JSON names."""
    return {
        "uid": work.pmid,
        "pubdate": work.medline_date or (work.date or str(work.year or "")).replace("-", " "),
        "source": _short(work.venue),
        "authors": [
            {"name": f"{author.family} {author.initials}".strip(), "authtype": "Author"} for author in work.authors
        ],
        "title": work.marked_title or text(work.title),
        "volume": work.volume or "",
        "issue": work.issue or "",
        "pages": work.short_pages,
        "lang": [_language(work)],
        "pubtype": ["Journal Article"],
        "articleids": [
            {"idtype": kind, "idtypen": 1, "value": value}
            for kind, value in (("pubmed", work.pmid), ("doi", work.doi), ("pmc", work.pmcid))
            if value
        ],
        "fulljournalname": work.venue,
        "elocationid": f"doi: {work.doi}" if work.doi else "",
        "pmcrefcount": len(corpus.citations(work)) if work.pmcid else "",
    }
