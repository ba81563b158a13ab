"""Findings that a person accepted: of what they are silent, and what is told again."""

from datetime import date
from pathlib import Path

import pytest

from agents.lookup.records import RecordLookup
from spar_tui.bibliography.accepted import Acceptance, accept, acceptance_file, read_accepted
from spar_tui.bibliography.checking import EntryFinding, findings
from spar_tui.bibliography.reading.files import found_in_bytes
from spar_tui.errors import Failure
from tests.rows import each

ENTRY = "@article{k, title={On the tides of the sea}, author={Roe, Ann}, year=2040, note={read}}\n"
"""Of the future, and without a journal."""
KEPT = Acceptance("k", "fields differ", ("year",), "a \"dated\" 'future' = ü 𝛼 \\", "0123456789abcdef")


def checked(text: str, accepted: list[Acceptance]) -> EntryFinding:
    found = found_in_bytes(text.encode(), "a.bib")
    [finding] = findings(found, [RecordLookup() for _ in found.entries], date(2026, 11, 27), accepted)
    return finding


def test_an_accepted_finding_gives_way_to_the_next_on_the_same_entry() -> None:
    year = checked(ENTRY, [])
    assert (year.verdict, year.faulty_fields) == ("fields differ", ("year",))
    gap = checked(ENTRY, [year.acceptance("in press")])
    assert gap.verdict == "incomplete"
    assert "Accepted as fields differ: in press." in gap.details
    both = checked(ENTRY, [year.acceptance("in press"), gap.acceptance("no journal")])
    assert both.verdict == "accepted"
    assert [one.reason for one in both.accepted] == ["in press", "no journal"]


@each(
    ("old", "new", "silent"),
    [
        ("note={read}", "note={read twice}, keywords={sea}", True), ("title=", "title  =\n", True),
        ("2040", "2041", False), ("Ann", "Anna", False), ("tides", "waves", False),
        ("note=", "doi={10.1000/1}, note=", False), ("note=", "journal={Sea}, note=", False), ("{k,", "{l,", False),
    ],
)  # fmt: skip
def test_it_is_told_again_once_a_compared_field_changes(old: str, new: str, silent: bool) -> None:
    accepted = [checked(ENTRY, []).acceptance("in press")]
    assert (checked(ENTRY.replace(old, new), accepted).verdict != "fields differ") is silent


def test_a_field_that_was_not_accepted_is_told() -> None:
    year = checked(ENTRY, [])
    other = Acceptance(year.key, year.verdict, ("title",), "x", year.digest)
    assert checked(ENTRY, [other]).verdict == "fields differ"
    assert checked(ENTRY, [other, year.acceptance("y")]).verdict == "incomplete"


def test_what_is_written_is_read_again_and_what_a_person_wrote_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    assert read_accepted(file) == []
    accept(file, [KEPT], tmp_path / "locks")
    kept = acceptance_file(file)
    kept.write_text("# ours\n" + kept.read_text().rstrip("\n"), "utf-8")
    before = kept.read_text("utf-8")
    accept(file, [KEPT], tmp_path / "locks")
    assert kept.read_text("utf-8").startswith(before + "\n")
    assert read_accepted(file) == [KEPT, KEPT]


@pytest.mark.parametrize(
    "raw",
    [
        b"[[accepted]\n", b"\xff\xfe", b"accepted = 3", b"accepted = 'k'", b"accepted = [1]",
        b"[[accepted]]\nkey = 'k'\nfinding = 'duplicate'\nentry = '1'\n",
        b"[[accepted]]\nkey = 'k'\nfinding = 'duplicate'\nentry = '1'\nreason = ' '\n",
        b"accepted = " + b"[" * 100_000, b"#" * 1_000_001, b"x = \"\"\"\n", b"x = '''\n",
    ],
)  # fmt: skip
def test_a_damaged_file_is_told_and_left_as_it_is(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    acceptance_file(file).write_bytes(raw)
    with pytest.raises(Failure, match="cannot be understood"):
        read_accepted(file)
    with pytest.raises(Failure, match="cannot be understood"):
        accept(file, [KEPT], tmp_path / "locks")
    assert acceptance_file(file).read_bytes() == raw


def test_what_is_no_ordinary_file_is_not_read(tmp_path: Path) -> None:
    acceptance_file(tmp_path / "a.bib").mkdir()
    with pytest.raises(Failure, match="not a regular file"):
        read_accepted(tmp_path / "a.bib")
