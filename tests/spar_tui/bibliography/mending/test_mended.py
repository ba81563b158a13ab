"""A .bib file is mended where the sources leave no doubt, and stays byte for byte where they do."""

from dataclasses import replace
from typing import Any

from agents.lookup.records import RecordLookup
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import Author, Imprint, Paper, Version
from spar_tui.bibliography.mending.mended import Mended, mended
from spar_tui.bibliography.mending.mends import mends_of
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.files import found_in_bytes
from tests.rows import each

TITLE = "Notes on the Analytical Engine by Menabrea"


def name(text: str) -> Identifier:
    found = parse_identifier(text)
    assert found
    return found


RECORD = Paper(
    TITLE, authors=(Author("Lovelace", "Ada"),), date="1843-09-01", venue="Scientific Memoirs", type="article",
    identifiers=(name("10.1000/engines"),), imprint=Imprint(volume="3", pages="666-731"),
)  # fmt: skip
RETRACTED = replace(RECORD, retracted=True)
APPEARED = replace(
    RECORD,
    identifiers=(name("10.1000/engines"), name("arxiv:2001.00001")),
    preprint=Version("arXiv", "1842-06"),
    published=Version("Scientific Memoirs", "1843-09-01", "10.1000/engines"),
)


def by_name(**records: Paper) -> RecordLookup:
    return RecordLookup(by_name=records)


def by_title(**records: Paper) -> RecordLookup:
    return RecordLookup(by_title=records)


def mend(raw: bytes | str, *lookups: RecordLookup) -> Mended:
    raw = raw.encode() if isinstance(raw, str) else raw
    found = read(raw)
    return mended(raw, mends_of(found, [*lookups, *[RecordLookup()] * (len(found.entries) - len(lookups))]))


def read(raw: bytes) -> FileEntries:
    return found_in_bytes(raw, "refs.bib")


def bib(*fields: str, kind: str = "article", key: str = "ada") -> str:
    return f"@{kind}{{{key},\n" + "".join(f"  {field},\n" for field in fields) + "}\n"


WHO = ("author = {Lovelace, Ada}", f"title = {{{TITLE}}}")
JOURNAL = "journal = {Scientific Memoirs}"
DOI = "doi = {10.1000/engines}"
ARXIV = ("eprint = {2001.00001}", "archiveprefix = {arXiv}")


def test_a_wrong_year_becomes_the_one_that_the_source_of_its_doi_has_and_the_proof_is_told() -> None:
    done = mend(bib(*WHO, JOURNAL, "year = 1901", DOI), by_name(openalex=RECORD))
    assert done.data.decode() == bib(*WHO, JOURNAL, "year = 1843", DOI)
    [change] = done.changes
    assert change.sentence == "year becomes 1843; the year is 1843, not 1901: OpenAlex of doi:10.1000/engines"
    assert not done.doubts


@each(("was", "becomes"), [("{1901}", "{1843}"), ('"1901"', '"1843"'), ("1901", "1843")])
def test_a_value_keeps_its_delimiters(was: str, becomes: str) -> None:
    done = mend(bib(*WHO, JOURNAL, f"year = {was}", DOI), by_name(openalex=RECORD))
    assert done.data.decode() == bib(*WHO, JOURNAL, f"year = {becomes}", DOI)


@each(
    ("year", "records"),
    [
        ("1844", {"openalex": RECORD}),  # print and early view
        ("1901", {"openalex": RECORD, "semanticscholar": replace(RECORD, date="1850")}),
        ("{1901/1902}", {"openalex": RECORD}),
    ],
)
def test_a_year_that_sources_leave_open_is_named_and_not_changed(year: str, records: dict[str, Paper]) -> None:
    text = bib(*WHO, JOURNAL, f"year = {year}", DOI)
    done = mend(text, by_name(**records))
    assert done.data.decode() == text
    assert not done.changes
    assert len(done.doubts) == 1


@each(
    "other",
    [replace(RECORD, title="Something else that was never written by her"),
     replace(RECORD, authors=(Author("Babbage", "Charles"),))],
)  # fmt: skip
def test_a_record_of_another_paper_under_its_identifier_changes_nothing(other: Paper) -> None:
    text = bib(*WHO, JOURNAL, "year = 1901", DOI)
    assert mend(text, by_name(openalex=replace(other, retracted=True))).data.decode() == text


def test_a_missing_doi_is_added_behind_the_last_field_if_title_author_year_and_venue_are_the_same() -> None:
    text = bib(*WHO, JOURNAL, "year = {1843}")
    done = mend(text, by_title(openalex=RECORD, semanticscholar=RECORD))
    assert done.data.decode() == bib(*WHO, JOURNAL, "year = {1843}", DOI)
    assert "OpenAlex and Semantic Scholar of doi:10.1000/engines" in done.changes[0].sentence


@each(
    "differing",
    [
        {"venue": "Proceedings of Something"}, {"date": "1844"}, {"authors": (Author("Byron", "Ada"),)},
        {"title": "Notes on the Analytical Engine by Menabrea and more"},
        {"identifiers": (name("10.48550/arxiv.2001.00001"),)},
    ],
)  # fmt: skip
def test_no_doi_is_taken_from_a_record_that_was_found_by_title_and_differs_in_anything(
    differing: dict[str, Any],
) -> None:
    text = bib(*WHO, JOURNAL, "year = {1843}")
    assert mend(text, by_title(openalex=replace(RECORD, **differing))).data.decode() == text


def test_a_doi_that_another_entry_has_is_given_to_no_second_one() -> None:
    text = bib(*WHO, JOURNAL, "year = {1843}", "pages = {1}") + bib(
        "author = {B, C}", "title = {Another work altogether}", "year = 1900", DOI, key="b"
    )
    done = mend(text, by_title(openalex=RECORD))
    assert done.data.decode() == text
    assert "another entry has it" in done.doubts[0].sentence


def test_a_retraction_is_noted_behind_a_note_that_is_there() -> None:
    right = (*WHO, JOURNAL, "year = 1843", DOI)
    assert mend(bib(*right), by_name(openalex=RETRACTED)).data.decode() == bib(*right, "note = {Retracted}")
    for note, becomes in (
        ("{Mine}", "{Mine. Retracted}"),
        ('"Mine"', '"Mine. Retracted"'),
        ("mine # mine", "mine # mine # {. Retracted}"),
    ):
        text = '@string{mine = "Mine"}\n' + bib(f"note = {note}", *right)
        done = mend(text, by_name(openalex=RETRACTED)).data.decode()
        assert done == text.replace(f"note = {note}", f"note = {becomes}")
    noted = bib("note = {RETRACTED in 1850}", *right)
    assert mend(noted, by_name(openalex=RETRACTED)).data.decode() == noted


def test_a_preprint_becomes_its_published_version_and_keeps_its_arxiv_id() -> None:
    text = bib(*WHO, "year = 1842", "month = jun", *ARXIV, kind="misc")
    done = mend(text, by_name(semanticscholar=APPEARED))
    assert done.data.decode() == bib(*WHO, "year = 1843", *ARXIV, JOURNAL, "volume = {3}", "pages = {666--731}", DOI)
    assert all("Semantic Scholar of doi:10.1000/engines" in change.sentence for change in done.changes)


def test_a_journal_called_arxiv_makes_place_for_the_real_one() -> None:
    text = bib(*WHO, "journal = {arXiv preprint arXiv:2001.00001}", "volume = {abs/2001.00001}", "year = {1842}")
    done = mend(text, by_name(openalex=replace(APPEARED, type="conference-paper", imprint=Imprint())))
    assert done.data.decode() == bib(
        *WHO, "year = {1843}", "booktitle = {Scientific Memoirs}", DOI, *ARXIV, kind="inproceedings"
    )


def test_biblatex_keeps_its_own_names_of_fields() -> None:
    text = bib(*WHO, "date = {1842-06}", "eprint = {2001.00001}", "eprinttype = {arxiv}", kind="online")
    done = mend(text, by_name(openalex=replace(APPEARED, imprint=Imprint()))).data.decode()
    assert done == bib(
        *WHO,
        "date = {1843}",
        "eprint = {2001.00001}",
        "eprinttype = {arxiv}",
        "journaltitle = {Scientific Memoirs}",
        DOI,
    )


def test_a_published_paper_of_the_same_title_alone_is_only_named() -> None:
    text = bib(*WHO, "year = 1842", *ARXIV, kind="misc")
    done = mend(text, RecordLookup(published=APPEARED))
    assert done.data.decode() == text
    assert "check that it is the same" in done.doubts[0].sentence


def test_two_entries_of_one_work_become_one_with_the_fields_and_the_key_of_both() -> None:
    first, second = (*WHO, JOURNAL, DOI), (*WHO, JOURNAL, "year = 1843", "keywords = acm", DOI)
    text = '@string{acm = "computing"}\n% mine\n' + bib(*first) + "\n" + bib(*second, key="again") + "\n% end\n"
    done = mend(text)
    assert done.data.decode() == (
        '@string{acm = "computing"}\n% mine\n'
        + bib(*first, "year = 1843", "keywords = acm", "ids = {again}")
        + "\n% end\n"
    )
    assert "cite ada instead of again" in done.changes[0].sentence


def test_what_the_entry_that_goes_says_otherwise_is_named() -> None:
    right = (*WHO, JOURNAL, "year = 1843", DOI)
    done = mend(bib(*right, "note = {one}") + bib(*right, "note = {two}", key="again"))
    assert "not copied, because ada has its own: note" in done.changes[0].sentence


def test_three_entries_of_one_work_become_one() -> None:
    right = (*WHO, JOURNAL, "year = 1843", DOI)
    done = mend("".join(bib(*right, key=key) for key in ("ada", "b", "c")))
    assert done.data.decode() == bib(*right, "ids = {b,c}")


def test_entries_that_contradict_each_other_or_have_children_are_not_joined() -> None:
    right = (*WHO, JOURNAL, "year = 1843", DOI)
    volumes = bib(*right, "volume = 1") + bib(*right, "volume = 2", key="again")
    assert mend(volumes).data.decode() == volumes
    parent = bib(*right) + bib(*right, key="again") + "@article{child, title={Other}, crossref={again}}\n"
    done = mend(parent)
    assert done.data.decode() == parent
    assert "other entries inherit from it" in done.doubts[0].sentence


LINE = "@article{ada, author={Lovelace, Ada}, title={%s}, journal={Scientific Memoirs}, year=1843"
ALIGNED = (
    "@article(ada,\r\n\tauthor  = {Lovelace, Ada},\r\n\ttitle   = {%s},\r\n\tjournal = {Scientific Memoirs},\r\n"
    "\tyear    = {1843}"
)
COMMA_FIRST = (
    "@article{ada\n, author = {Lovelace, Ada}\n, title = {%s}\n, journal = {Scientific Memoirs}\n, year = 1843"
)


@each(
    ("text", "added", "end"),
    [
        (LINE, ", doi={10.1000/engines}", "}"),
        (ALIGNED, ",\r\n\tdoi     = {10.1000/engines}", "\r\n)\r\n"),
        (COMMA_FIRST, ", doi = {10.1000/engines}", "\n}\n"),
    ],
)
def test_a_new_field_is_written_in_the_layout_of_its_entry(text: str, added: str, end: str) -> None:
    entry = text.replace("%s", TITLE)
    assert mend(entry + end, by_title(openalex=RECORD)).data.decode() == entry + added + end


def test_all_else_stays_byte_for_byte_whatever_the_encoding() -> None:
    before = "% Encoding: windows-1252\r\n@comment{jabref: größe}\r\n@string{x = {Käse}}\r\n".encode("cp1252")
    odd = "@book{müll, title = {Ein Buch über Käse # und {Brot}}, year = 1999}\r\ntext @ between\r\n".encode("cp1252")
    wrong = bib(*WHO, JOURNAL, "year = 1901", DOI).replace("\n", "\r\n").encode()
    raw = before + wrong + odd
    order = [entry.key for entry in read(raw).entries]
    done = mend(raw, *[by_name(openalex=RECORD) if key == "ada" else RecordLookup() for key in order])
    assert done.data == before + wrong.replace(b"1901", b"1843") + odd


def test_an_entry_that_is_written_unusually_is_named_and_left() -> None:
    text = bib(*WHO, JOURNAL, "year = 1901", "year = 1902", DOI)
    done = mend(text, by_name(openalex=RECORD))
    assert done.data.decode() == text
    assert "the form of this entry is unusual" in done.doubts[0].sentence


def test_nothing_of_a_change_is_made_if_the_file_cannot_hold_its_letters() -> None:
    text = bib(*WHO, "year = 1842", "note = {Gr\xf6\xdfe}", *ARXIV, kind="misc").encode("cp1252")
    record = replace(APPEARED, published=Version("計算機学会誌", "1843"), imprint=Imprint())
    done = mend(text, by_name(openalex=record))
    assert done.data == text
    assert "the encoding of this file cannot store it" in done.doubts[0].sentence
    venue = mend(text.decode("cp1252"), by_name(openalex=record)).data.decode()
    assert "journal = {計算機学会誌}" in venue


def test_the_note_of_a_retraction_is_proven_by_its_notice() -> None:
    noticed = replace(RETRACTED, retraction_notice="10.1000/notice")
    done = mend(bib(*WHO, JOURNAL, "year = 1843", DOI), by_name(crossref=noticed))
    assert any("(notice: doi:10.1000/notice): Crossref of" in change.sentence for change in done.changes)
