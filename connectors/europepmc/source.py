"""Europe PMC: articles of medicine and the life sciences, and the preprints of bioRxiv, medRxiv and other servers."""

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from urllib.parse import quote, urlencode

from connectors.errors import NotAskable, SourceError
from connectors.http.json_values import listing, mapping
from connectors.http.paging import HttpSource, ResultPage, batched, gathered, read_rows, widened
from connectors.http.responses import HttpReply, fault_of_status, in_json
from connectors.identifiers import ARXIV_DOIS, Identifier, doi, parse_identifier, pmcid, pmid
from connectors.paper import Author, Paper
from connectors.query.dialects import sent_text
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.records.build import author, build_paper, count, iso_date, partial_date, told_date
from connectors.records.medline import language_of, retracted, type_of, without_stop
from connectors.records.publication import publication_of
from connectors.registry import EUROPE_PMC
from connectors.source import Answer, Query
from connectors.spec import Connection

_HEADING = re.compile(r"<h4>([^<]{1,100})</h4>", re.IGNORECASE)
_FREE = frozenset({"OA", "F"})
"""Codes of texts that are free to read: open access, and free of charge."""


def read_list(body: object, following: bool = False) -> ResultPage:
    """Parse a list of records, as `read_rows` does."""
    reply = mapping(body)
    results, total = mapping(reply.get("resultList")).get("result"), count(reply.get("hitCount"))
    return read_rows(EUROPE_PMC.name, results, total, read_record, following, reply.get("nextCursorMark"))


def read_record(record: object) -> Paper | None:
    """Return the paper of a record; None if it has no title or no Europe PMC id."""
    fields = mapping(record)
    title, record_id = fields.get("title"), (fields.get("source"), fields.get("id"))
    if not (isinstance(title, str) and title.strip() and all(isinstance(part, str) and part for part in record_id)):
        return None
    kinds = {kind.lower() for kind in _texts(fields.get("pubTypeList"), "pubType")}
    posted = record_id[0] == "PPR"
    issue = mapping(fields.get("journalInfo"))
    notices = {entry.get("type") for entry in _entries(fields.get("commentCorrectionList"), "commentCorrection")}
    return build_paper(
        EUROPE_PMC.name,
        title=without_stop(title.strip()),
        abstract=_abstract(fields.get("abstractText")),
        authors=_authors(fields),
        date=_date(fields, issue, posted),
        venue=_venue(fields, issue),
        type=type_of(kinds),
        preprint=posted or None,
        identifiers=_identifiers(fields, str(record_id[0]), str(record_id[1])),
        citation_count=fields.get("citedByCount"),
        pdf=_pdf(fields.get("fullTextUrlList")),
        url=f"https://europepmc.org/article/{record_id[0]}/{record_id[1]}",
        retracted=retracted(kinds) or "Retraction in" in notices,
        concern="Expression of concern in" in notices,
        language=language_of(str(fields.get("language") or "")),
        imprint=publication_of(
            volume=issue.get("volume") or fields.get("journalVolume"),
            number=issue.get("issue") or fields.get("issue"),
            pages=fields.get("pageInfo"),
        ),
        keywords=_keywords(fields),
        indexed=iso_date(fields.get("firstIndexDate")),
    )


def _texts(holder: object, name: str) -> list[str]:
    return [text for text in listing(mapping(holder).get(name)) if isinstance(text, str)]


def _entries(holder: object, name: str) -> list[dict[str, object]]:
    return [mapping(entry) for entry in listing(mapping(holder).get(name))]


def _abstract(raw: object) -> str:
    """Return the abstract with MEDLINE's label before each part."""
    return _HEADING.sub(_label, raw) if isinstance(raw, str) else ""


def _label(heading: re.Match[str]) -> str:
    label = heading[1].strip().removesuffix(":").strip()
    return f" {label}: " if label else " "


def _authors(fields: dict[str, object]) -> list[Author]:
    """Return the authors by the parts of their names, else from the string of family names and initials."""
    authors = [_author(entry) for entry in _entries(fields.get("authorList"), "author")]
    if not authors and isinstance(names := fields.get("authorString"), str):
        authors = [_from_initials(name) for name in names.rstrip(".").split(",")]
    return [person for person in authors if person]


def _author(entry: dict[str, object]) -> Author | None:
    name = mapping(entry.get("authorId"))
    orcid = name.get("value") if name.get("type") == "ORCID" else None
    family = entry.get("lastName") or entry.get("collectiveName") or entry.get("fullName")
    return author(family, entry.get("firstName") or entry.get("initials"), orcid)


def _from_initials(name: str) -> Author | None:
    family, _, initials = name.strip().rpartition(" ")
    return author(family, initials) if family and initials.isupper() else author(name)


def _date(fields: dict[str, object], issue: dict[str, object], posted: bool) -> str | None:
    """Return the date of the issue; if it is only a year or a month, the date of online publication in the same year.

    The date of first publication is derived from the month if nothing else is known, so it counts for preprints only.
    """
    if posted and (day := iso_date(fields.get("firstPublicationDate"))):
        return day
    printed, online = (
        told_date(str(issue.get("dateOfPublication") or "")),
        iso_date(fields.get("electronicPublicationDate")),
    )
    if printed and online and len(online) > len(printed) and printed[:4] == online[:4]:
        return online
    return printed or online or partial_date(fields.get("pubYear"))


def _venue(fields: dict[str, object], issue: dict[str, object]) -> object:
    journal, book = mapping(issue.get("journal")), mapping(fields.get("bookOrReportDetails"))
    return (
        journal.get("title")
        or journal.get("medlineAbbreviation")
        or fields.get("journalTitle")
        or book.get("comprisingTitle")
        or book.get("publisher")
    )


def _identifiers(fields: dict[str, object], source: str, number: str) -> list[Identifier | None]:
    return [
        pmid(fields.get("pmid")) or (pmid(number) if source == "MED" else None),
        pmcid(fields.get("pmcid")) or (pmcid(number) if source == "PMC" else None),
        doi(fields.get("doi")),
    ]


def _pdf(addresses: object) -> object:
    pdfs = (entry for entry in _entries(addresses, "fullTextUrl") if entry.get("documentStyle") == "pdf")
    return next((entry.get("url") for entry in pdfs if entry.get("availabilityCode") in _FREE), None)


def _keywords(fields: dict[str, object]) -> list[object]:
    """Return the authors' keywords, then the MeSH headings without their qualifiers."""
    headings = _entries(fields.get("meshHeadingList"), "meshHeading")
    return [*_texts(fields.get("keywordList"), "keyword"), *(entry.get("descriptorName") for entry in headings)]


REQUIRED_TERMS = 8
"""Maximum number of required words: hardly any paper has more of them together."""
ANY_TERMS = 15
LITERATURE = "(SRC:MED OR SRC:PMC OR SRC:PPR)"
"""Articles and preprints, without patents and guidelines."""
_OPERATORS = frozenset({"and", "or", "not"})
_FIRST_DAY, _LAST_DAY = date(1500, 1, 1), date(2099, 12, 31)


def search_queries(query: Query) -> tuple[str, str]:
    """Return two queries: for papers with all words in title, abstract or authors, and for papers with any word in
    title or abstract. An expression is used for both. Raises `NotAskable` if no word is left."""
    bounds = [LITERATURE, *_bounds(query)]
    if (expression := sent_text(EUROPE_PMC.name, query)) is not None:
        whole = " AND ".join([f"({expression})", *bounds])
        return whole, whole
    distinctive = [term for term in content(terms_of(EUROPE_PMC.name, query.text)) if not set(term.words) <= _OPERATORS]
    if not distinctive:
        raise NotAskable(EUROPE_PMC.name, "the query has no words to search for.")
    every = [
        f"(TITLE_ABS:{_spelled(term)} OR AUTH:{_spelled(term)})" for term in most_telling(distinctive, REQUIRED_TERMS)
    ]
    some = [f"TITLE_ABS:{_spelled(term)}" for term in most_telling(distinctive, ANY_TERMS)]
    narrow, wide = " AND ".join(every), f"({' OR '.join(some)})"
    return " AND ".join([narrow, *bounds]), " AND ".join([wide if len(distinctive) > 1 else narrow, *bounds])


def named(name: Identifier) -> str:
    """Return one identifier as a search term. DOIs contain brackets and colons, which are syntax outside quotes."""
    match name.scheme:
        case "pmid":
            return f"(EXT_ID:{name.value} AND SRC:MED)"
        case "pmcid":
            return f"PMCID:{name.value}"
    return f'DOI:"{name.value}"'


def _spelled(term: Term) -> str:
    return f'"{" ".join(term.words)}"' if term.joined else term.words[0]


def _bounds(query: Query) -> list[str]:
    additions = [f"FIRST_IDATE:[{query.added.isoformat()} TO {_LAST_DAY.isoformat()}]"] if query.added else []
    if not (query.since or query.until):
        return additions
    since, until = query.since or _FIRST_DAY, query.until or _LAST_DAY
    return [f"FIRST_PDATE:[{since.isoformat()} TO {until.isoformat()}]", *additions]


PAGE = 100
"""Maximum number of records per page; a thousand are allowed, each with its abstract and subject headings."""
NAMES = 50
"""Maximum number of identifiers per look-up."""
QUERY_LENGTH = 3_000
"""Maximum length of a look-up, so that the request line stays below 4 KB."""


class EuropePMC(HttpSource, spec=EUROPE_PMC):
    """Europe PMC as a source; it needs no key."""

    lacks = ARXIV_DOIS

    async def search(self, query: Query) -> Answer:
        """Return papers that match the expression, or all distinctive words of the query, or else any of its words."""
        name = parse_identifier(query.text) if query.form == "words" else None
        if name and name.scheme in self.schemes:
            return await self.lookup([name])
        narrow, wide = search_queries(query)
        return await widened(lambda words: self._list(words, query.limit), narrow, wide, query.limit)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self.known_names(names)
        answer = await gathered(self._batches(usable), 2 * len(usable))
        papers = (paper for paper in answer.papers if not set(paper.identifiers).isdisjoint(usable))
        return replace(answer, papers=tuple(papers), total=None)

    async def _batches(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        for batch in batches(names):
            async for page in self._list(
                " OR ".join(map(named, batch)), 2 * len(batch)
            ):  # an article may have two records
                yield page

    async def _list(self, query: str, limit: int) -> AsyncGenerator[ResultPage]:
        size, cursor = max(1, min(limit, PAGE)), "*"
        for number in range(limit // PAGE + 1):
            path = target(query, size, cursor)
            records = await self._http.get(path, in_json(self.name, partial(read_list, following=number > 0)))
            yield replace(records, sent=path)
            if records.cursor in (None, cursor) or len(records.papers) < size:
                return
            cursor = records.cursor or ""


def open_source(connection: Connection) -> EuropePMC:
    return EuropePMC(connection.http(error_of))


def target(query: str, size: int, cursor: str) -> str:
    """Return the path and query of a search; without a format the reply is XML."""
    parameters = {"query": query, "format": "json", "resultType": "core", "pageSize": str(size), "cursorMark": cursor}
    return f"/search?{urlencode(parameters, quote_via=quote, safe=':*()[]')}"


def batches(names: Sequence[Identifier]) -> Iterator[list[Identifier]]:
    """Split `names` into batches for one request each."""
    return batched(
        names, most=NAMES, capacity=QUERY_LENGTH, size=lambda name: len(quote(named(name))) + len(quote(" OR "))
    )


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one."""
    return fault_of_status(EUROPE_PMC.name, reply, keyless=True)
