"""Any file that a person names is read or refused with a sentence, whatever is in it."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.reading import files
from spar_tui.bibliography.reading.files import decoded, found_in, found_in_bytes, read_bytes
from spar_tui.errors import UsageError
from tests.rows import each

BIB = "@article{k, title={Über Güte}, author={Müller, Jürgen}, year=2000}\n"
RIS = "TY  - JOUR\nTI  - Über Güte\nAU  - Müller, Jürgen\nER  - \n"
JSON = '[{"id": "k", "title": "Über Güte", "author": [{"family": "Müller", "given": "Jürgen"}]}]'
PUBMED = "PMID- 1\nTI  - Über Güte\nFAU - Müller, Jürgen\n"


@each("text", [BIB, RIS, JSON, PUBMED])
@each("name", ["refs.bib", "refs.txt", "refs"])
@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@each("newline", ["\n", "\r\n", "\r"])
def test_a_file_is_known_by_what_is_in_it_in_any_encoding(
    text: str, name: str, encoding: str, newline: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(text.replace("\n", newline).encode(encoding))
    found = found_in_bytes(read_bytes(tmp_path / name), name)
    [entry] = found.entries
    assert (entry.paper.title, entry.paper.authors[0].name) == ("Über Güte", "Jürgen Müller")
    guessed = [problem.reason for problem in found.problems]
    assert guessed == (["not UTF-8; read as cp1252; --encoding NAME sets another"] if encoding == "latin-1" else [])


def test_an_encoding_that_the_file_declares_is_believed() -> None:
    raw = f"% Encoding: ISO-8859-2\n{BIB.replace('Müller', 'Miłosz')}".encode("iso-8859-2")
    found = found_in_bytes(raw, "x.bib")
    assert found.entries[0].paper.authors[0].family == "Miłosz"
    assert [(problem.line, problem.reason) for problem in found.problems] == [
        (1, "not UTF-8; read as ISO-8859-2 (as stated here); --encoding NAME sets another")
    ]
    assert decoded(b"% Encoding: nonsense\n\xfcber", "x.bib").text.endswith("über")


def test_an_abstract_that_quotes_another_format_changes_nothing() -> None:
    found = found_in("@article{k, title={T}, abstract={\nTY  - JOUR\nER  - \n}}", "x.bib")
    assert [entry.key for entry in found.entries] == ["k"]


def test_an_empty_file_with_a_known_name_holds_nothing_and_is_no_mistake() -> None:
    for name in ("x.bib", "x.ris", "x.nbib"):
        assert found_in("", name).entries == ()


def refused(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        found_in_bytes(read_bytes(path), path.name)
    return str(caught.value)


def test_what_is_no_bibliography_is_refused_with_a_sentence(tmp_path: Path) -> None:
    assert "is a folder" in refused(tmp_path)
    assert "cannot be read" in refused(tmp_path / "missing.bib")
    (tmp_path / "binary.bib").write_bytes(b"@article{\0\1\2")
    assert "not a text file" in refused(tmp_path / "binary.bib")
    (tmp_path / "paper.bib").write_bytes(b"%PDF-1.7\n@article{k,}")
    assert "spar mark" in refused(tmp_path / "paper.bib")
    (tmp_path / "nothing.txt").touch()
    assert "is empty" in refused(tmp_path / "nothing.txt")
    (tmp_path / "letter.txt").write_text("Dear Sir,")
    assert "not a bibliography" in refused(tmp_path / "letter.txt")
    (tmp_path / "broken.json").write_text('{"a":')
    assert "the file is cut off in line 1" in refused(tmp_path / "broken.json")
    (tmp_path / "settings.json").write_text('{"title": "Editor", "type": "object", "properties": {"author": "text"}}')
    assert "its JSON is not a bibliography" in refused(tmp_path / "settings.json")


@each("start", ["<!DOCTYPE html>\n", "<!doctype HTML>", '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', "\n",
                "\ufeff <!-- saved --> <!-- <x> -->\n"])  # fmt: skip
@each("body", [BIB, f"\n{RIS}", JSON, PUBMED, "", "10.5555/reed.1\n"])
@each("name", ["x.bib", "x.ris", "x.json", "x.xml", "x"])
def test_a_web_page_is_refused_by_its_kind_whatever_it_holds(start: str, body: str, name: str) -> None:
    with pytest.raises(UsageError, match="is a web page"):
        found_in(f"{start}<html lang='en'><body>{body}</body></html>", name)


def test_a_page_in_an_abstract_is_text() -> None:
    assert len(found_in(BIB.replace("year", "abstract={\n<!DOCTYPE html>\n<html>}, year"), "x.bib").entries) == 1


@given(st.permutations(["978-0-306-40615-7", "0-306-40615-2", "ISBN 0306406152", "9780306406157"]))
def test_an_isbn_in_a_list_counts_once_however_it_is_written(numbers: list[str]) -> None:
    [problem] = found_in("\n".join(["10.5555/reed.1", *numbers, "10.5555/reed.2"]), "x").problems
    assert (problem.line, problem.name) == (2, "ISBN 9780306406157")


def test_a_file_of_200_mb_is_refused_without_reading_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "huge.bib"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    assert "larger than 64 MB" in refused(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bib")
    assert "is not a file" in refused(tmp_path / "pipe.bib")


def test_the_limit_is_a_limit_of_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", len(BIB.encode()))
    (tmp_path / "x.bib").write_bytes(BIB.encode())
    assert read_bytes(tmp_path / "x.bib").decode() == BIB
    (tmp_path / "x.bib").write_bytes(BIB.encode() + b" ")
    with pytest.raises(UsageError, match="larger"):
        read_bytes(tmp_path / "x.bib")


@each("text", ["@a{b\n" * 100_001, "TY  - X\n" * 100_001, "[" + "0," * 100_001 + "0]"])
def test_more_entries_than_memory_should_be_spent_on_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="more than 100,000"):
        found_in(text, "x")


@given(st.binary(max_size=200), st.sampled_from("x x.bib x.ris x.json x.nbib x.xml x.yaml x.enw x.ciw".split()))
def test_any_bytes_are_read_or_refused(raw: bytes, name: str) -> None:
    with suppress(UsageError):
        found = found_in_bytes(raw, name)
        assert all(entry.paper.title for entry in found.entries)


@each(
    "text",
    [
        '[{"id": "1", "type": "book", "title": "A"}, {"id": 2, "type": "book", "title": "B"}]',
        "TY  - BOOK\nID  - 1\nTI  - A\nER  - \n\nTY  - BOOK\nID  - ref-2\nTI  - B\nER  - \n",
    ],
    ids=["CSL-JSON", "RIS"],
)
def test_keys_that_only_number_the_entries_of_a_file_are_replaced_and_it_is_said_once(text: str) -> None:
    contents = found_in(text, "x")
    assert [entry.key for entry in contents.entries] == ["", ""]
    reason = "its key is a program's number or address for the entry, so it gets another key (and 1 more)"
    assert [(problem.name, problem.reason) for problem in contents.problems] == [("1", reason)]
