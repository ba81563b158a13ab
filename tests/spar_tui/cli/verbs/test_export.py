"""`spar export` as a person uses it: the real program, with papers on its shelf."""

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from cache import citation_keys, papers, reading_history, shelf
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.formats import FORMATS
from spar_tui.bibliography.reading.files import found_in
from tests.spar_tui import running
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, paper
from tests.spar_tui.in_process import spar

ON_SHELF = [PUBLISHED, EDGE_PAPERS["accents"], EDGE_PAPERS["sici"]]
KEYS = ["authorSICIName2020", "godelUberFormalUnentscheidbare1931", "vaswaniAttentionAllYou2017"]


def store_of(home: Path) -> Store:
    return Store.open(home / "spar" / "spar.db")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    put(tmp_path, ON_SHELF, "rag")
    return tmp_path


def put(home: Path, found: list[Paper], *tags: str) -> list[int]:
    with store_of(home) as store:
        return [*shelf.save(store, found, tags)]


def export(
    home: Path, *arguments: str, stdin: str | None = None, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return spar(home, "export", *arguments, "--offline", stdin=stdin or "", more=more)


def keys_in(text: str) -> list[str]:
    return [entry.key for entry in found_in(text, "refs.bib").entries]


def test_the_shelf_is_written_to_standard_output_and_nothing_else_is(home: Path) -> None:
    ran = running.spar(home, "export", "--shelf", "--offline")
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert ran.stdout.startswith("@article{authorSICIName2020,\n")
    assert keys_in(ran.stdout) == KEYS


def test_a_file_whose_ending_is_of_no_format_is_refused_with_what_to_write(home: Path) -> None:
    ran = export(home, "--shelf", "-o", str(home / "refs.odt"))
    assert ran.returncode == 2
    assert "unknown ending .odt; name a file with .docx, .bib, .ris, .json" in ran.stderr
    assert "pandoc --citeproc --from=csljson" in ran.stderr
    assert not (home / "refs.odt").exists()
    for name in ("refs.enl", "refs.XML"):
        assert (
            "EndNote, Zotero and Mendeley import a .ris file." in export(home, "--shelf", "-o", str(home / name)).stderr
        )
    assert export(home, "--shelf", "-o", str(home / "refs.lst"), "--format", "text").returncode == 0


def test_what_is_counted_are_the_entries_that_were_written(home: Path) -> None:
    same = "title = {Reeds of the Marsh}, author = {Roe, Ann}, year = 2001"
    (home / "in.bib").write_text(f"@misc{{one, {same}}}\n@misc{{two, {same}}}\n")
    assert spar(home, "import", str(home / "in.bib"), "--tag", "mine").returncode == 0
    for name, flags, number in (("a.bib", (), "1 entry"), ("b.bib", ("--no-dedupe",), "2 entries")):
        ran = export(home, "--tag", "mine", "-o", str(home / name), *flags)
        assert f"{name}: {number} written." in ran.stderr
        assert len(keys_in((home / name).read_text())) == int(number[0])


def test_exporting_twice_gives_the_same_bytes_and_a_paper_more_adds_only_its_lines(home: Path) -> None:
    file = home / "refs.bib"
    assert export(home, "--tag", "rag", "-o", str(file)).returncode == 0
    first = file.read_bytes()
    again = export(home, "--shelf", "-o", str(file))
    assert (again.returncode, file.read_bytes()) == (0, first)
    put(home, [paper("Another one", "Zoe Zed", of_doi="10.1000/z")])
    assert export(home, "--shelf", "-o", str(file)).returncode == 0
    lines = iter(file.read_bytes().splitlines())
    assert all(line in lines for line in first.splitlines())
    assert keys_in(file.read_text()) == [*KEYS, "zedAnotherOne2020"]


def test_a_key_once_issued_stays_whatever_is_asked_for_later(home: Path) -> None:
    export(home, "--shelf")
    assert keys_in(export(home, "--shelf", "--keys", "jabref").stdout) == KEYS
    put(home, [paper("Attention everywhere", "Ashish Vaswani", date="2017", of_doi="10.1000/second")])
    later = keys_in(export(home, "--shelf", "--keys", "{author}AttentionAllYou{year}").stdout)
    assert sorted(later) == sorted([*KEYS, "vaswaniAttentionAllYou2017a"])


def test_papers_are_named_by_identifier_place_and_citation_key(home: Path) -> None:
    export(home, "--shelf")
    ran = export(home, "10.5555/3295222", "authorSICIName2020", "arXiv:1706.03762")
    assert keys_in(ran.stdout) == ["authorSICIName2020", "vaswaniAttentionAllYou2017"]


def test_a_name_that_nobody_knows_is_said_and_the_others_are_written(home: Path) -> None:
    ran = export(home, "10.5555/3295222", "no-such-key")
    assert keys_in(ran.stdout) == ["vaswaniAttentionAllYou2017"]
    assert "no-such-key" in ran.stderr
    assert ran.returncode == 2


def test_the_last_search_is_exported_by_its_name_and_through_a_pipe(tmp_path: Path) -> None:
    searched = spar(tmp_path, "search", "residual networks for images", "--offline", "--no-model", "--json")
    shown = json.loads(searched.stdout)["papers"]
    by_name = export(tmp_path, "--run", "last", "--format", "csl-json")
    piped = export(tmp_path, "-", "--format", "csl-json", stdin=searched.stdout)
    relevant = {one["title"] for one in shown if one["relevance"] >= 0.5}
    assert {item["title"] for item in json.loads(by_name.stdout)} == relevant
    assert sorted(item["title"] for item in json.loads(piped.stdout)) == sorted(one["title"] for one in shown)
    with store_of(tmp_path) as store:
        runs = {act.run for act in reading_history.interactions(store) if act.act == "exported"}
        assert json.loads(searched.stdout)["run"] in runs


def test_papers_that_this_machine_has_never_seen_are_taken_from_the_json(tmp_path: Path) -> None:
    told = {"paper": {"title": "Handed over", "authors": ["Jane van Doe"], "year": 2021, "id": "doi:10.1000/handed",
                      "identifiers": {"doi": "10.1000/handed", "arxiv": None}, "venue": "J. Hands",
                      "imprint": {"volume": "7", "pages": "1-9", "number": None, "editors": ["Ada Lovelace"]},
                      }}  # fmt: skip
    ran = export(tmp_path, "-", stdin=json.dumps(told))
    assert ran.stdout == (
        "@article{vandoeHanded2021,\n  author = {van Doe, Jane},\n  editor = {Lovelace, Ada},\n"
        "  title = {Handed over},\n  journaltitle = {J. Hands},\n  date = {2021},\n  volume = {7},\n"
        "  pages = {1--9},\n  doi = {10.1000/handed},\n}\n"
    )


def test_names_of_papers_are_read_from_standard_input_too(home: Path) -> None:
    ran = export(home, "-", stdin="10.5555/3295222\n\n")
    assert keys_in(ran.stdout) == ["vaswaniAttentionAllYou2017"]


@pytest.mark.parametrize("stdin", ["{", "[1]", '{"papers": [{"no": "title"}]}', '{"a": 1}'])
def test_standard_input_that_holds_no_papers_is_refused_in_a_sentence(tmp_path: Path, stdin: str) -> None:
    ran = export(tmp_path, "-", stdin=stdin)
    assert ran.returncode == 2
    assert ran.stderr.startswith("spar: standard input")


def test_append_keeps_what_is_there_and_adds_what_is_not(home: Path) -> None:
    file = home / "refs.bib"
    mine = "% mine\r\n@article{my:key,\r\n  doi = {10.5555/3295222},\r\n  journal = {X},\r\n}\r\n"
    file.write_bytes(mine.encode())
    ran = export(home, "--shelf", "-o", str(file), "--append")
    assert ran.returncode == 0
    text = file.read_bytes().decode()
    assert text.startswith(mine)
    assert "\n" not in text.replace("\r\n", "")
    assert "  journal = {JASIS},\r\n" in text  # the file's own dialect
    assert ran.stderr.splitlines()[-1] == f"spar: {file}: 2 entries added, 1 there already."
    before = file.read_bytes()
    assert export(home, "--shelf", "-o", str(file), "--append").returncode == 0
    assert file.read_bytes() == before
    with store_of(home) as store:  # and the paper has the person's own key from now on
        [number] = papers.remember(store, [PUBLISHED])
        assert citation_keys.keys_of(store, [number]) == {number: "my:key"}


def test_a_record_without_an_id_gives_its_paper_no_key(home: Path) -> None:
    file = home / "mine.ris"
    file.write_text("TY  - JOUR\nTI  - Attention Is All You Need\nDO  - 10.5555/3295222\nER  - \n")
    assert "1 there already" in export(home, "--shelf", "--append", "-o", str(file)).stderr
    assert keys_in(export(home, "--shelf").stdout) == KEYS


def test_append_makes_the_file_where_there_is_none(home: Path) -> None:
    file = home / "new.bib"
    assert export(home, "--shelf", "-o", str(file), "--append").returncode == 0
    assert keys_in(file.read_text()) == KEYS


def test_a_file_that_would_lose_something_is_only_written_when_told_to(home: Path) -> None:
    file = home / "refs.bib"
    file.write_text("@misc{mine, title = {My own}}\n")
    ran = export(home, "--shelf", "-o", str(file))
    assert ran.returncode == 2
    assert "--append" in ran.stderr
    assert file.read_text() == "@misc{mine, title = {My own}}\n"
    assert export(home, "--shelf", "-o", str(file), "--replace").returncode == 0
    assert keys_in(file.read_text()) == KEYS


def test_a_file_that_ends_inside_an_entry_is_left_as_it_is(home: Path) -> None:
    file = home / "refs.bib"
    file.write_text("@misc{open, title = {Op\n")
    ran = export(home, "--shelf", "-o", str(file), "--append")
    assert ran.returncode == 1
    assert "line 1" in ran.stderr
    assert file.read_text() == "@misc{open, title = {Op\n"


def test_the_shelfs_tags_and_notes_are_written_where_they_are_asked_for(home: Path) -> None:
    with store_of(home) as store:
        [number] = papers.remember(store, [PUBLISHED])
        shelf.set_note(store, number, "the 100% classic")
        shelf.set_files(store, number, ["/papers/a b.pdf", "/papers/c;d.pdf"])
    ran = export(home, "10.5555/3295222", "--fields", "keywords,file,note")
    assert "  keywords = {rag},\n" in ran.stdout
    assert r"  file = {/papers/a b.pdf;/papers/c\;d.pdf}," in ran.stdout
    ris = export(home, "10.5555/3295222", "--fields", "file", "--format", "ris").stdout
    assert "L1  - /papers/a b.pdf\nL1  - /papers/c;d.pdf\n" in ris
    assert r"  annotation = {the 100\% classic}," in ran.stdout


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "text"])
def test_what_sources_call_a_paper_is_never_written_as_the_persons_tag(tmp_path: Path, name: str) -> None:
    put(tmp_path, [replace(PUBLISHED, keywords=("Chromatium",))], "rag")
    written = export(tmp_path, "10.5555/3295222", "--fields", "keywords", "--format", name).stdout
    assert "rag" in written
    assert "Chromatium" not in written


def test_the_preprint_is_cited_where_it_is_asked_for(home: Path) -> None:
    assert "@inproceedings{" in export(home, "10.5555/3295222").stdout
    assert "@online{" in export(home, "10.5555/3295222", "--preprint").stdout


IEEE = (
    "[1] A. Vaswani and N. Shazeer, “Attention Is All You Need,” in Advances in Neural Information Processing "
    "Systems, 2017. doi: 10.5555/3295222.\n"
)


def test_references_say_whose_rules_made_them(home: Path) -> None:
    ran = export(home, "10.5555/3295222", "--style", "ieee", more={"PATH": str(home)})
    assert ran.stdout == IEEE
    assert "IEEE by spar's own rules" in ran.stderr


def test_references_say_that_citeproc_py_made_them(home: Path) -> None:
    ran = export(home, "10.5555/3295222", "--style", "nature", more={"PATH": str(home)})
    assert ran.stdout.startswith("1. Vaswani, A. & Shazeer, N. Attention Is All You Need. ")
    assert "spar: written by citeproc-py in the style of Nature.\n" in ran.stderr


@pytest.mark.skipif(shutil.which("pandoc") is None, reason="pandoc not installed")
def test_references_say_that_pandoc_made_them(home: Path) -> None:
    ran = export(home, "10.5555/3295222", "--style", "ieee")
    assert "Attention Is All You Need" in ran.stdout
    assert "doi: 10.5555/3295222" in ran.stdout
    assert re.search(r"spar: written by pandoc [0-9.]+ in the style of IEEE\.\n", ran.stderr)


CSL = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
  <info><title>Title only</title><id>title-only</id><updated>2020-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="title"/></layout></citation>
  <bibliography><layout suffix=" !"><text variable="title"/></layout></bibliography>
</style>
"""


@pytest.mark.skipif(shutil.which("pandoc") is None, reason="pandoc not installed")
def test_a_csl_file_of_ones_own_is_used_by_pandoc(home: Path) -> None:
    (home / "mine.csl").write_text(CSL)
    ran = export(home, "10.5555/3295222", "--style", str(home / "mine.csl"))
    assert ran.stdout.strip() == "Attention Is All You Need !"
    assert "by pandoc" in ran.stderr


def test_letters_that_stay_beyond_ascii_are_named(home: Path) -> None:
    ran = export(home, "--shelf", "--format", "bibtex")
    assert r"Erd{\H{o}}s" in ran.stdout
    assert "1 entry (godelUberFormalUnentscheidbare1931) has letters" in ran.stderr
    assert "Erdős" in export(home, "--shelf", "--format", "bibtex", "--unicode").stdout


def test_every_export_is_noted_in_the_reading_history(home: Path) -> None:
    export(home, "--shelf")
    with store_of(home) as store:
        assert [act.act for act in reading_history.interactions(store)].count("exported") == len(ON_SHELF)


def test_csv_can_begin_with_the_mark_that_excel_wants(home: Path) -> None:
    file = home / "refs.csv"
    assert export(home, "--shelf", "-o", str(file), "--bom").returncode == 0
    assert file.read_bytes().startswith(b"\xef\xbb\xbfkey,type,title,")


@pytest.mark.parametrize(
    "arguments", [[], ["--shelf", "--format", "docx"], ["--shelf", "-o", "."], ["--shelf", "--style", "nowhere.csl"]]
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(home: Path, arguments: list[str]) -> None:
    ran = export(home, *arguments)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("spar: ")


def test_where_nothing_is_found_the_reason_is_said_and_what_helps(tmp_path: Path) -> None:
    for arguments, hint in ((["--shelf"], "spar save"), (["--tag", "none"], "spar tag")):
        ran = export(tmp_path, *arguments)
        assert (ran.returncode, ran.stdout) == (3, "")
        assert hint in ran.stderr


def test_a_folder_that_is_not_there_is_named(home: Path) -> None:
    ran = export(home, "--shelf", "-o", str(home / "missing" / "refs.bib"))
    assert ran.returncode == 1
    assert f"there is no folder {home / 'missing'}" in ran.stderr


def document(home: Path, text: str) -> str:
    file = home / "paper.tex"
    file.write_text(text, "utf-8")
    return str(file)


def test_only_what_a_document_cites_is_written_under_the_keys_it_uses(home: Path) -> None:
    export(home, "--shelf")
    ran = export(home, "--cited-in", document(home, rf"\citep[p.~3]{{{KEYS[2]}}} \cite{{{KEYS[0].upper()}}}"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert sorted(keys_in(ran.stdout)) == sorted([KEYS[2], KEYS[0].upper()])


def test_an_earlier_key_that_a_document_uses_gets_the_papers_entry(home: Path) -> None:
    export(home, "--shelf")
    assert spar(home, "key", KEYS[2], "vaswani17").returncode == 0
    ran = export(home, "--cited-in", document(home, rf"\cite{{{KEYS[2]},vaswani17}}"))
    assert keys_in(ran.stdout) == ["vaswani17", KEYS[2]]


def test_a_key_that_names_nothing_is_told_with_the_nearest(home: Path) -> None:
    export(home, "--shelf")
    ran = export(home, "--cited-in", document(home, rf"\cite{{{KEYS[2][:-1]}8, nothingLikeIt}}\cite{{{KEYS[1]}}}"))
    assert ran.returncode == 0
    assert keys_in(ran.stdout) == [KEYS[1]]
    assert ran.stderr == (
        f"spar: no paper here has the key {KEYS[2][:-1]}8; the nearest is {KEYS[2]}.\n"
        "spar: no paper here has the key nothingLikeIt.\n"
    )


def test_a_document_that_cites_nothing_known_writes_nothing(home: Path) -> None:
    ran = export(home, "--cited-in", document(home, r"\cite{nothing}"), "-o", str(home / "refs.bib"))
    assert ran.returncode == 3
    assert "cites no paper that spar can find" in ran.stderr
    assert not (home / "refs.bib").exists()


def test_a_document_that_asks_for_everything_gets_the_shelf(home: Path) -> None:
    assert keys_in(export(home, "--cited-in", document(home, r"\nocite{*}")).stdout) == KEYS


def test_papers_beside_those_that_a_document_cites_are_counted(home: Path) -> None:
    export(home, "--shelf")
    ran = export(home, "--shelf", "--cited-in", document(home, rf"\cite{{{KEYS[2]}}}"))
    assert keys_in(ran.stdout) == KEYS
    assert f"spar: {len(KEYS) - 1} papers that no document cites are exported too, as you asked for more." in ran.stderr


def test_a_bibliography_grows_with_what_a_document_cites(home: Path) -> None:
    export(home, "--shelf")
    file = home / "refs.bib"
    export(home, "--cited-in", document(home, rf"\cite{{{KEYS[1]}}}"), "-o", str(file))
    ran = export(home, "--cited-in", document(home, rf"\cite{{{KEYS[1]},{KEYS[0]}}}"), "-o", str(file), "--append")
    assert ran.returncode == 0
    assert keys_in(file.read_text("utf-8")) == [KEYS[1], KEYS[0]]


def test_a_document_that_is_not_there_is_wrong_usage(home: Path) -> None:
    ran = export(home, "--cited-in", str(home / "gone.tex"))
    assert (ran.returncode, "no such file" in ran.stderr) == (2, True)


def test_entries_are_written_in_any_order_of_records(tmp_path: Path) -> None:
    spar(tmp_path, "save", "arxiv:1706.03762", "arxiv:1512.03385", "arxiv:1810.04805", "--offline")

    def written(*order: str) -> list[str]:
        ran = spar(tmp_path, "export", "--shelf", "--format", "csv", *order)
        assert ran.returncode == 0, ran.stderr
        return [row["title"] for row in csv.DictReader(ran.stdout.splitlines())]

    assert written("--sort", "title") == sorted(written(), key=str.casefold)
    assert written("--sort", "year", "--reverse") == written("--sort", "oldest")
    ran = spar(tmp_path, "export", "--shelf", "--reverse")
    assert (ran.returncode, "--reverse needs --sort" in ran.stderr) == (2, True)


def test_an_export_names_nothing_as_lost_that_stands_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@article{a, title={Fens}, author={Roe, A}, journal={CoRR}, volume={abs/2101.00001}, year=2021,"
        " mendeley-groups={Wet/Old}}\n"
        "@article{b, title={Bogs}, author={Roe, A}, journal={\\mnras}, year=2021, pmc={PMC123458}}\n"
        "@article{c, title={Moors}, author={Roe, A}, journal={Bog}, year=2021, file={:Papers/Roe{\\_}1.pdf:pdf}}\n"
    )
    home = tmp_path / "home"
    assert spar(home, "import", str(tmp_path / "a.bib")).returncode == 0
    for format, pmcid in (("csl-json", '"PMCID": "PMC123458"'), ("ris", "PMCID:PMC123458")):
        ran = spar(home, "export", "a", "b", "--format", format)
        assert ran.stderr == ""
        assert pmcid in ran.stdout
    assert "Papers/Roe_1.pdf" in spar(home, "export", "c", "--format", "ris").stdout


def test_the_country_of_a_patent_is_written_out_in_other_formats(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(
        "@patent{a, title={Reed cutter}, author={Roe, A}, number=7, location={countryde and countryfr}, date={1999}}\n"
    )
    home = tmp_path / "home"
    spar(home, "import", str(tmp_path / "a.bib"))
    ran = spar(home, "export", "a", "--format", "csl-json")
    assert '"publisher-place": "Germany and France"' in ran.stdout
    assert "location" not in ran.stderr
    assert "location = {countryde and countryfr}" in spar(home, "export", "a", "--format", "biblatex").stdout
