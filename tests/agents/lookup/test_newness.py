"""A paper is new in a source by the day on which the source added it, else by its date."""

from dataclasses import replace
from datetime import UTC, datetime

from agents.lookup.newness import appeared
from connectors.paper import Indexed, Paper, Version
from tests.rows import each

SINCE = datetime(2026, 11, 20, 7, tzinfo=UTC)


@each(
    ("date", "new"),
    [
        ("2026-11-21", True),
        ("2026-10-25", True),  # sources list papers weeks after their date
        ("2026-09-01", False),
        ("2026-10", True),
        ("2026-09", False),
        ("2026", True),  # it can have appeared on any day of the year
        ("2025", False),
        (None, False),
    ],
)
def test_a_source_that_does_not_tell_when_it_added_a_record_is_believed_by_the_date(
    date: str | None, new: bool
) -> None:
    assert appeared(Paper("T", date=date), "openalex", SINCE) is new


@each(("added", "new"), [("2026-11-21", True), ("2026-11-15", True), ("2026-11-01", False)])
def test_the_day_on_which_a_source_added_a_record_decides_in_that_source(added: str, new: bool) -> None:
    for date in ("2016", "2026-11-21", None):
        assert appeared(Paper("T", date=date, indexed=(Indexed("pubmed", added),)), "pubmed", SINCE) is new


def test_a_paper_that_any_record_tells_to_be_old_is_not_new_in_other_sources() -> None:
    vague = Paper("T", date="2026")
    assert not appeared(replace(vague, indexed=(Indexed("pubmed", "2026-02-01"),)), "openalex", SINCE)
    assert not appeared(replace(vague, preprint=Version("arXiv", "2026-02-01")), "openalex", SINCE)


def test_of_a_person_the_source_of_the_id_is_asked() -> None:
    paper = Paper("T", date="2016", indexed=(Indexed("openalex", "2026-11-21"),))
    assert appeared(paper, "openalex:A5000000001", SINCE)
