"""Reader of Retraction Watch's CSV: retractions and expressions of concern."""

from datetime import datetime

from connectors.identifiers import doi, pmid
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper, iso_date

SOURCE = "retraction_watch"
NATURE = "RetractionNature"
"""Column that identifies the table."""
FIELDS = ("Record ID", "Title", "Author", "Journal", "OriginalPaperDate", "OriginalPaperDOI", "OriginalPaperPubMedID",
          "RetractionDOI", NATURE)  # fmt: skip
"""Columns that the reader uses."""


def read_row(row: dict[str, object]) -> Paper | None:
    """Return the paper of a row, None for corrections and reinstatements."""
    nature = str(row.get(NATURE)).strip().lower()
    if nature not in ("retraction", "expression of concern"):
        return None
    people = (author_from_name(name.strip()) for name in str(row.get("Author") or "").split(";") if name.strip())
    return build_paper(
        SOURCE,
        title=row.get("Title"),
        authors=[person for person in people if person],
        date=_date(row.get("OriginalPaperDate")),
        venue=row.get("Journal"),
        identifiers=[doi(row.get("OriginalPaperDOI")), pmid(row.get("OriginalPaperPubMedID"))],
        retracted=nature == "retraction",
        retraction_notice=doi(row.get("RetractionDOI")),
        concern=nature == "expression of concern",
    )


def _date(value: object) -> str | None:
    """Parse a date such as `8/16/2023 0:00`."""
    try:
        return iso_date(datetime.strptime(str(value).split()[0], "%m/%d/%Y").date().isoformat())
    except (ValueError, IndexError):
        return None
