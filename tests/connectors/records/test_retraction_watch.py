"""Retraction Watch's rows."""

from connectors.records.retraction_watch import read_row
from tests.rows import each

ROW: dict[str, object] = {
    "Record ID": "1", "Title": "Effects of things on others", "Journal": "Journal of Things",
    "Author": "Jane Q Doe;Bo Roe", "RetractionDOI": "10.1000/notice", "OriginalPaperDate": "8/16/2013 0:00",
    "OriginalPaperDOI": "10.1000/Paper", "OriginalPaperPubMedID": "0", "RetractionNature": "Retraction",
}  # fmt: skip


def test_a_retracted_paper_has_its_notice() -> None:
    paper = read_row(ROW)
    assert paper
    assert (paper.title, paper.venue, paper.date) == ("Effects of things on others", "Journal of Things", "2013-08-16")
    assert [one.name for one in paper.authors] == ["Jane Q Doe", "Bo Roe"]
    assert [str(name) for name in paper.identifiers] == ["doi:10.1000/paper"]
    assert (paper.retracted, paper.retraction_notice, paper.concern) == (True, "10.1000/notice", False)


def test_an_expression_of_concern_is_no_retraction() -> None:
    paper = read_row(ROW | {"RetractionNature": "Expression of concern", "OriginalPaperDate": "?"})
    assert paper
    assert (paper.retracted, paper.retraction_notice, paper.concern, paper.date) == (False, None, True, None)


@each("nature", ["Correction", "Reinstatement", "", None])
def test_what_was_corrected_or_reinstated_is_left_out(nature: str | None) -> None:
    assert read_row(ROW | {"RetractionNature": nature}) is None
