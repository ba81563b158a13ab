"""The probability that a reference is wrong: what it rests on, and how the rest of the document counts."""

from dataclasses import replace
from itertools import pairwise

from agents.lookup.records import RecordLookup
from connectors.paper import Author, Imprint
from spar_tui.bibliography.checking import EntryFinding, findings
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.wrong_probability import wrong_probabilities
from tests.spar_tui.bibliography.test_checking import PAPER, entry, known

NOWHERE = RecordLookup(unknown={"openalex", "semanticscholar"})
BY_BOTH = RecordLookup(by_name={"openalex": PAPER, "semanticscholar": PAPER})
BY_ONE = RecordLookup(by_name={"openalex": PAPER}, unknown={"semanticscholar"})


def checked(*lookups: RecordLookup) -> list[EntryFinding]:
    """The findings on entries of `PAPER`, whose title and DOI tell them apart."""
    papers = [replace(PAPER, title=f"{PAPER.title} {number}", identifiers=()) for number in range(len(lookups))]
    held = [
        replace(lookup, by_name={name: replace(record, title=paper.title) for name, record in lookup.by_name.items()})
        for lookup, paper in zip(lookups, papers, strict=True)
    ]
    entries = tuple(entry(paper, line, str(line)) for line, paper in enumerate(papers, start=1))
    return findings(FileEntries(entries), held)


def probability_of(finding: EntryFinding) -> float:
    assert finding.probability is not None
    return finding.probability


def test_more_telling_evidence_never_makes_a_reference_more_likely_to_be_right() -> None:
    told = wrong_probabilities([0.01, 1.0, 6.0, 40.0, 140.0])
    assert all(0 < less < more < 1 for less, more in pairwise(told))


def test_that_nobody_knows_a_reference_says_the_more_the_less_the_sources_miss() -> None:
    complete, patchy = (checked(*[held] * 20, NOWHERE)[-1] for held in (BY_BOTH, BY_ONE))
    assert probability_of(patchy) < probability_of(complete)


def test_that_a_corpus_alone_does_not_know_a_reference_says_nothing() -> None:
    nowhere = checked(RecordLookup(unknown={"corpus"}))[0]
    assert (nowhere.evidence, nowhere.odds_factor) == ("no record", 1.0)


def test_a_reference_that_is_known_nowhere_is_surely_wrong_only_in_a_document_with_more_of_them() -> None:
    alone = checked(*[BY_BOTH] * 30, NOWHERE)[-1]
    among_others = checked(*[BY_BOTH] * 30, *[NOWHERE] * 30)[-1]
    assert probability_of(alone) < probability_of(among_others)
    assert probability_of(among_others) > 0.98


def test_findings_of_more_proof_are_more_probable() -> None:
    renamed = replace(PAPER, title="Notes on the Difference Engine")
    later = replace(PAPER, date="1850", imprint=Imprint())
    by_title = RecordLookup(by_title={"openalex": renamed})
    strangers = replace(PAPER, authors=(Author("Babbage", "Charles"), Author("Roe", "Ada")), date="1850")
    lookups = [BY_BOTH, by_title, known(later), known(strangers)]
    papers = [replace(PAPER, identifiers=()), replace(PAPER, identifiers=()), PAPER, PAPER]
    entries = tuple(entry(paper, line, str(line)) for line, paper in enumerate(papers, start=1))
    told = findings(FileEntries(entries), lookups)
    assert [one.evidence for one in told] == ["as described", "similar title", "number", "several fields"]
    assert all(probability_of(less) < probability_of(more) for less, more in pairwise(told))


def test_what_is_found_as_described_is_hardly_wrong_and_what_contradicts_its_record_probably_is() -> None:
    stranger = known(replace(PAPER, authors=(Author("Babbage", "Charles"),)))
    *right, wrong = checked(*[known()] * 20, stranger)
    assert {one.evidence for one in right} == {"as described"}
    assert all(one.probability is not None and one.probability < 0.01 for one in right)
    assert wrong.evidence == "author"
    assert wrong.probability is not None
    assert wrong.probability > 0.7


def test_without_an_answer_there_is_no_probability() -> None:
    silent, nowhere = checked(RecordLookup(silent={"openalex": "timed out"}), NOWHERE)
    assert (silent.verdict, silent.evidence, silent.probability) == ("could not check", None, None)
    assert nowhere.evidence == "no record"
    assert nowhere.probability is not None
