"""RIS, CSL-JSON, Markdown and CSV, and what hostile titles can do in them: nothing."""

import csv
import io
import json
import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.entry import Entry, entry_of
from spar_tui.bibliography.formats import Writing, format_of_file, keeps_all_lines, remarks, written
from spar_tui.bibliography.markdown import escaped
from spar_tui.bibliography.spreadsheet import safe_cell, without_guard
from tests.rows import each
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, edge_entries


def text_of(format: str, *entries: Entry) -> str:
    return written(entries, Writing(format)).text  # type: ignore[arg-type]  # one of the formats


def test_a_ris_record() -> None:
    entry = entry_of(EDGE_PAPERS["groups"], "cdc2020")
    assert text_of("ris", entry) == (
        "TY  - RPRT\n"
        "ID  - cdc2020\n"
        "AU  - Centers for Disease Control and Prevention,\n"
        "AU  - OpenAI\n"
        "TI  - 100% of C# & F_1 scores\n"
        "PB  - CDC and NIH\n"
        "PY  - 2020\n"
        "ER  - \n"
    )


def test_no_line_of_a_record_can_end_it_or_begin_another() -> None:
    entry = entry_of(EDGE_PAPERS["hostile"], "k", extras=("abstract",))
    lines = text_of("ris", entry).splitlines()
    assert [line for line in lines if line.startswith(("TY", "ER"))] == [lines[0], lines[-1]]
    assert "AB  - Line TY - JOUR end" in [re.sub(r" +", " ", line.replace("AB  ", "AB@")).replace("AB@", "AB  ")
                                          for line in lines]  # fmt: skip
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines)


def test_a_csl_item() -> None:
    [item] = json.loads(text_of("csl-json", entry_of(PUBLISHED, "k")))
    assert item == {
        "id": "k",
        "type": "paper-conference",
        "author": [{"family": "Vaswani", "given": "Ashish"}, {"family": "Shazeer", "given": "Noam"}],
        "title": "Attention Is All You Need",
        "container-title": "Advances in Neural Information Processing Systems",
        "issued": {"date-parts": [[2017]]},
        "DOI": "10.5555/3295222",
        "PMID": "7",
        "URL": "https://dl.acm.org/doi/10.5555/3295222",
        "note": "arXiv:1706.03762",
    }


def test_csl_names_have_their_parts() -> None:
    [item] = json.loads(text_of("csl-json", entry_of(EDGE_PAPERS["particles"], "k")))
    assert item["author"] == [
        {"family": "Waals", "given": "Johannes Diderik", "non-dropping-particle": "van der"},
        {"family": "Vallée Poussin", "given": "Charles-Jean", "non-dropping-particle": "de la"},
        {"family": "King", "given": "Martin Luther", "suffix": "Jr."},
    ]


def test_a_markdown_item() -> None:
    assert text_of("markdown", entry_of(EDGE_PAPERS["retracted"], "fake2020")) == (
        "- **fake2020** **Retracted.** Max Fake (2020). [A fraud](https://doi.org/10.1000/fraud). *The Lancet*.\n"
    )


@given(st.text(max_size=60))
def test_markdown_sees_no_mark_link_or_tag_in_a_title(text: str) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]*_<>|`$]|://|www\.", escaped(text))


def test_markdown_cites_and_mails_nobody_and_leaves_measures_as_they_are() -> None:
    assert escaped("pass@1, nDCG@10") == "pass@1, nDCG@10"
    for text in ("@key", "(@key)", "-@key", "_@key", "me@x.org"):
        assert "@" not in escaped(text)


def test_a_link_that_would_break_out_of_its_brackets_is_encoded() -> None:
    entry = Entry("k", "other", "T", url="https://x.org/a)[b](javascript:alert(1))")
    assert "(https://x.org/a%29%5Bb%5D%28javascript:alert%281%29%29)" in text_of("markdown", entry)
    assert "](" not in text_of("markdown", Entry("k", "other", "T", url="javascript:alert(1)"))


@each(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(1)", "＝1", "＋1", "－1", "＠SUM(A1)", "﹦1", "\u200b=1", '"=1"',
     "A;=1", "A, B; ＝1", "A|\u200b@x", 'A; "-1"', ";;+1"],
)  # fmt: skip
@each("sign", [",", ";", "|", "\t"])
def test_a_spreadsheet_runs_no_part_of_a_cell_whatever_it_splits_at(text: str, sign: str) -> None:
    file = text_of("csv", Entry("k", "other", text))
    for quoted in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        for row in csv.reader(io.StringIO(file), delimiter=sign, quoting=quoted):
            for cell in row if sign != "," or quoted == csv.QUOTE_MINIMAL else ():
                shown = "".join(filter(str.isprintable, unicodedata.normalize("NFKC", cell))).strip(' "')
                assert not shown.startswith(("=", "+", "-", "@"))
    assert without_guard(safe_cell(text)) == text


def test_csv_is_read_back_by_any_reader() -> None:
    entries = edge_entries()
    text = text_of("csv", *entries)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert text.endswith("\r\n")
    assert [row["key"] for row in rows] == sorted((entry.key for entry in entries), key=str.casefold)
    by_key = {row["key"]: row for row in rows}
    assert by_key["particles"]["authors"] == (
        "van der Waals, Johannes Diderik; de la Vallée Poussin, Charles-Jean; King, Martin Luther, Jr."
    )
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t"))]


def test_what_is_missing_or_retracted_is_remarked() -> None:
    entries = edge_entries()
    told = " ".join(remarks(entries, {"a": frozenset("ặ"), "b": frozenset("ặж")}, {}))
    assert "1 entry (untitled) has no title." in told
    assert "1 entry (no-year) has no year." in told
    assert "1 entry (retracted) is RETRACTED." in told
    assert "2 entries (a, b) have letters that LaTeX has no common macro for; they stay in UTF-8: ж ặ" in told


def test_the_ending_of_a_file_tells_its_format() -> None:
    assert [format_of_file(f"refs{end}") for end in (".bib", ".RIS", ".json", ".md", ".csv", ".txt", ".tex")] == [
        "biblatex", "ris", "csl-json", "markdown", "csv", "text", None,
    ]  # fmt: skip


@each("format", ["bibtex", "ris", "csl-json", "markdown", "csv"])
def test_a_file_with_more_papers_keeps_every_line_of_the_one_with_fewer(format: str) -> None:
    entries = edge_entries()
    fewer, more = text_of(format, *entries[:5]), text_of(format, *entries)
    assert keeps_all_lines(fewer, more)
    assert not keeps_all_lines(more, fewer)
