"""Reader of arXiv's metadata dump: one JSON object per line."""

from email.utils import parsedate_to_datetime

from connectors.arxiv.feed import preprint_of
from connectors.http.json_values import listing, mapping
from connectors.identifiers import arxiv
from connectors.paper import Paper
from connectors.records.build import author, iso_date

FIELDS = ("id", "title", "abstract", "authors_parsed", "versions", "categories", "doi", "journal-ref")
"""Fields that the reader uses."""


def read_metadata(fields: dict[str, object]) -> Paper | None:
    """Return the paper of a record, None if it has no arXiv id."""
    name = arxiv(fields.get("id"))
    if name is None:
        return None
    parts = ([*listing(entry), "", "", ""] for entry in listing(fields.get("authors_parsed")))
    people = (author(family, given, suffix=suffix) for family, given, suffix, *_ in parts)
    categories = str(fields.get("categories") or "").split()
    return preprint_of(
        name, fields.get("title"), fields.get("abstract"), [person for person in people if person],
        _date(mapping(next(iter(listing(fields.get("versions"))), None)).get("created")),
        next(iter(categories), None), categories, fields.get("doi"), fields.get("journal-ref"),
        f"https://arxiv.org/pdf/{name.value}",
    )  # fmt: skip


def _date(created: object) -> str | None:
    """Parse a date such as `Mon, 2 Apr 2007 19:18:42 GMT`."""
    try:
        return iso_date(parsedate_to_datetime(str(created)).date().isoformat())
    except ValueError:
        return None
