"""The probability that a reference is wrong: what it rests on, and how the rest of the document counts."""

from dataclasses import replace
from itertools import pairwise

from agents.lookup.records import RecordLookup
from connectors.paper import Author
from spar_tui.bibliography.checking import ODDS, Evidence, Finding, findings, wrong_probabilities
from spar_tui.bibliography.reading.entries_read import Found
from tests.spar_tui.bibliography.test_checking import PAPER, entry, known

NOWHERE = RecordLookup(unknown={"openalex", "semantic_scholar"})


def checked(*lookups: RecordLookup) -> list[Finding]:
    """The findings on entries of `PAPER`, whose title and DOI tell them apart."""
    papers = [replace(PAPER, title=f"{PAPER.title} {number}", identifiers=()) for number in range(len(lookups))]
    held = [
        replace(lookup, by_name={name: replace(record, title=paper.title) for name, record in lookup.by_name.items()})
        for lookup, paper in zip(lookups, papers, strict=True)
    ]
    entries = tuple(entry(paper, line, str(line)) for line, paper in enumerate(papers, start=1))
    return findings(Found(entries), held)


def test_more_telling_evidence_never_makes_a_reference_more_likely_to_be_right() -> None:
    document: list[Evidence] = ["as described", "no record", "known nowhere"]
    told = [wrong_probabilities(document)[evidence] for evidence in ODDS]
    assert all(0 < less <= more < 1 for less, more in pairwise(told))


def test_a_reference_that_is_known_nowhere_is_surely_wrong_only_in_a_document_with_more_of_them() -> None:
    right: list[Evidence] = ["as described"] * 50
    nowhere: list[Evidence] = ["known nowhere"] * 50
    alone, among_others = wrong_probabilities([*right, *right, *nowhere[:1]]), wrong_probabilities([*right, *nowhere])
    assert alone["known nowhere"] < among_others["known nowhere"]
    assert alone["no record"] < 0.2 < 0.8 < among_others["no record"]


def test_what_is_found_as_described_is_hardly_wrong_and_what_contradicts_its_record_hardly_right() -> None:
    stranger = known(replace(PAPER, authors=(Author("Babbage", "Charles"),)))
    *right, wrong = checked(*[known()] * 20, stranger)
    assert {one.evidence for one in right} == {"as described"}
    assert all(one.probability is not None and one.probability < 0.01 for one in right)
    assert wrong.evidence == "other fields"
    assert wrong.probability is not None
    assert wrong.probability > 0.8


def test_without_an_answer_there_is_no_probability() -> None:
    silent, nowhere = checked(RecordLookup(silent={"openalex": "timed out"}), NOWHERE)
    assert (silent.verdict, silent.evidence, silent.probability) == ("could not check", None, None)
    assert nowhere.evidence in ("no record", "known nowhere")
    assert nowhere.probability is not None
