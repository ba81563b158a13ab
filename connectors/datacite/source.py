"""DataCite: contents of repositories, looked up by DOI."""

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from urllib.parse import quote

from connectors.errors import BadResponse, SourceError, UnusableResponse
from connectors.http.json_values import listing, mapping
from connectors.http.paging import HttpSource, ResultPage, gathered
from connectors.http.responses import HttpReply, fault_of_status, in_json
from connectors.identifiers import Identifier, doi, is_preprint_doi
from connectors.paper import Author, Imprint, Paper, PaperType
from connectors.records.build import author, author_from_name, build_paper, iso_date, partial_date
from connectors.records.clean import clean_text
from connectors.records.publication import first_to_last, publication_of
from connectors.registry import DATACITE
from connectors.source import Answer
from connectors.spec import Connection

_GENERAL: dict[str, PaperType] = {
    "dataset": "dataset",
    "software": "software",
    "computationalnotebook": "software",
    "journalarticle": "article",
    "datapaper": "article",
    "conferencepaper": "conference-paper",
    "conferenceproceeding": "book",
    "book": "book",
    "bookchapter": "chapter",
    "dissertation": "thesis",
    "report": "report",
    "preprint": "preprint",
}
"""The type of a record by its general type, which has fixed values."""
_TEXTS: dict[str, PaperType] = {
    **_GENERAL,
    "article": "article",
    "thesis": "thesis",
    "doctoralthesis": "thesis",
    "phdthesis": "thesis",
    "masterthesis": "thesis",
    "technicalreport": "report",
}
"""The type of a text by the depositor's own word, because older records have only the general type `Text`."""
_HOSTED: frozenset[PaperType] = frozenset({"dataset", "software", "preprint"})
"""Types that are cited with their repository."""
_IN_PARTS: frozenset[PaperType] = frozenset({"article", "conference-paper", "chapter", "book"})
"""Types that may have a volume and pages; for others, the same fields have numbers of the repository."""
_UNKNOWN = re.compile(r"\(?:(?:unac|unal|unap|unas|unav|unkn|none|null|tba|etal|at)\)?", re.IGNORECASE)
"""DataCite's codes for unknown values."""


def read_single(body: object) -> Paper:
    """Parse a single record. Raises `BadResponse` for anything else."""
    data = mapping(mapping(body).get("data"))
    if data.get("type") == "dois" and (paper := read_record(data.get("attributes"))):
        return paper
    raise BadResponse(DATACITE.name, "did not send the record of a DOI; try again later.")


def read_record(attributes: object) -> Paper | None:
    """Return the work of a record's attributes; None if it has no DOI."""
    fields = mapping(attributes)
    name = doi(fields.get("doi"))
    if name is None:
        return None
    kind, container = _kind(mapping(fields.get("types"))), mapping(fields.get("container"))
    posted = kind == "preprint" or is_preprint_doi(name.value)
    publisher = _publisher(fields.get("publisher"))
    return build_paper(
        DATACITE.name,
        title=_title(fields.get("titles")),
        abstract=_abstract(fields.get("descriptions")),
        authors=_people(fields.get("creators")),
        et_al=any(_is_code(mapping(creator).get("name"), "etal") for creator in listing(fields.get("creators"))),
        date=_date(fields),
        venue=publisher if posted or kind in _HOSTED else _known_text(container.get("title")),
        type=kind,
        preprint=posted,
        identifiers=[name],
        url=f"https://doi.org/{name.value}",
        language=fields.get("language"),
        imprint=_imprint(container if kind in _IN_PARTS else {}, publisher, fields),
        keywords=[mapping(subject).get("subject") for subject in listing(fields.get("subjects"))],
    )


def _kind(types: dict[str, object]) -> PaperType:
    general, own = _folded(types.get("resourceTypeGeneral")), _folded(types.get("resourceType"))
    return _TEXTS.get(own, "other") if general == "text" else _GENERAL.get(general, "other")


def _folded(value: object) -> str:
    return re.sub(r"[\W_]+", "", value).lower() if isinstance(value, str) else ""


def _known_text(value: object) -> str:
    """Return a text; "" for a code that means "unknown"."""
    return value if isinstance(value, str) and not _UNKNOWN.fullmatch(value.strip()) else ""


def _is_code(value: object, code: str) -> bool:
    return isinstance(value, str) and value.strip().strip("():").lower() == code and ":" in value


def _publisher(value: object) -> str:
    """Return the publisher, given as a name or as an object with a name."""
    return _known_text(mapping(value).get("name") if isinstance(value, dict) else value)


def _title(value: object) -> str:
    """Return the title with its subtitle, without translations and other titles."""
    titles = [entry for entry in map(mapping, listing(value)) if _known_text(entry.get("title"))]
    own = next((entry for entry in titles if not entry.get("titleType")), titles[0] if titles else {})
    title = str(own.get("title") or "")
    subtitle = next(
        (str(entry["title"]) for entry in titles if entry.get("titleType") == "Subtitle" and entry is not own), ""
    )
    if not subtitle or clean_text(subtitle).lower() in clean_text(title).lower():
        return title
    return f"{title.rstrip().rstrip(':')}: {subtitle}"


def _abstract(value: object) -> str:
    """Return the first abstract; notes on methods, series or versions do not count."""
    abstracts = (entry for entry in map(mapping, listing(value)) if entry.get("descriptionType") == "Abstract")
    return next(filter(None, (_known_text(abstract.get("description")) for abstract in abstracts)), "")


def _people(value: object) -> list[Author]:
    return [person for creator in map(mapping, listing(value)) if (person := _person(creator))]


def _person(entry: dict[str, object]) -> Author | None:
    """Return a person by the parts of the name or by `Family, Given`; a group, or a name without these, by its whole
    name."""
    name, family = _known_text(entry.get("name")), _known_text(entry.get("familyName"))
    if family:
        return author(family, _known_text(entry.get("givenName")), _orcid(entry))
    if entry.get("nameType") != "Organizational" and "," in name:
        return author_from_name(name, _orcid(entry))
    return author(name)


def _orcid(entry: dict[str, object]) -> object:
    names = map(mapping, listing(entry.get("nameIdentifiers")))
    return next((name.get("nameIdentifier") for name in names if name.get("nameIdentifierScheme") == "ORCID"), None)


def _date(fields: dict[str, object]) -> str | None:
    """Return the date of issue, else the year of publication; dates of creation, submission and change do not count."""
    issued = (
        entry.get("date") for entry in map(mapping, listing(fields.get("dates"))) if entry.get("dateType") == "Issued"
    )
    return next(filter(None, map(iso_date, issued)), None) or partial_date(fields.get("publicationYear"))


def _imprint(container: dict[str, object], publisher: str, fields: dict[str, object]) -> Imprint:
    return publication_of(
        volume=container.get("volume"),
        number=container.get("issue"),
        pages=first_to_last(container.get("firstPage"), container.get("lastPage")),
        publisher=publisher,
        editors=_editors(fields.get("contributors")),
    )


def _editors(value: object) -> Iterator[Author]:
    for contributor in map(mapping, listing(value)):
        if contributor.get("contributorType") == "Editor" and (person := _person(contributor)):
            yield person


class DataCite(HttpSource, spec=DATACITE):
    """DataCite as a source, with one DOI per request and without the person's mail address."""

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self.known_names(names)
        return await gathered(self._each(usable), len(usable))

    async def _each(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        for name in names:
            target = single_target(name)
            yield await self._single(target, self._http.get(target, in_json(self.name, read_single)))


def open_source(connection: Connection) -> DataCite:
    return DataCite(connection.http(error_of))


def single_target(name: Identifier) -> str:
    """Return the path of a look-up."""
    return f"/dois/{quote(name.value, safe='')}"


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. A 404 means that the DOI is unknown only in DataCite's own
    format, because any proxy can send a bare 404. There are no keys that could be wrong."""
    if reply.status == 404 and b'"errors"' not in reply.body:
        return UnusableResponse(
            DATACITE.name, "answered with a 404 that is not its own; is its address in the settings right?"
        )
    return fault_of_status(DATACITE.name, reply, keyless=True)
