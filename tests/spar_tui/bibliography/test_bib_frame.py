"""What stands between the entries of a .bib file comes back with its entries."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cache import originals, shelf
from cache.store import Store
from spar_tui.bibliography.exporting import Exported, ExportedPaper, export_papers
from spar_tui.bibliography.options import export_options
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import put_on_shelf
from tests.library import copied
from tests.spar_tui.bibliography.validators import biber_complaints, bibtex_complaints, needed

ONE = "@article{one,\n  title = {One},\n  author = {Roe, A},\n  journaltitle = {J},\n  date = {2001},\n}\n"
TWO = "@article{two,\n  title = {Two},\n  author = {Roe, A},\n  journaltitle = {J},\n  date = {2002},\n}\n"
SET = "@set{both,\n  entryset = {one,two},\n}\n"
SHARED = "@xdata{press,\n  publisher = {Old Press},\n  location = {Bonn},\n}\n"
BOOK = "@book{three,\n  title = {Three},\n  author = {Roe, A},\n  date = {2003},\n  xdata = {press},\n}\n"
PREAMBLE = '@preamble{"\\providecommand{\\noopsort}[1]{}"}\n'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as opened:
        yield opened


def take_in(store: Store, text: str) -> None:
    put_on_shelf(store, found_in(text, "refs.bib").entries, Path("/refs"))


def exported(store: Store, form: str = "biblatex", *keys: str) -> Exported:
    options = export_options(format=form, style="", keys="better-bibtex", fields="", preprint=False, ascii_only=None,
                             bom=False, output="", append=False, replace=False)  # fmt: skip
    chosen = {
        one.number: ExportedPaper(one.paper, None, one) for one in shelf.shelf(store) if not keys or one.key in keys
    }
    return export_papers(store, chosen, options, Path("/nowhere"))


def text(store: Store, form: str = "biblatex", *keys: str) -> str:
    return exported(store, form, *keys).data.decode()


@pytest.mark.parametrize(
    "file",
    [
        f"{SET}\n{ONE}\n{TWO}",
        f"{SHARED}\n{BOOK}",
        f"{PREAMBLE}\n{ONE}",
        f"% A library.\n% Encoding: UTF-8\n\n{ONE}\n% Read this.\n\n{TWO}",
        f"{ONE}\n@comment{{jabref-meta: databaseType:biblatex;}}\n",
        f"@string{{later = {{A journal to come}}}}\n\n{ONE}",
        f"@IEEEtranBSTCTL{{ctl,\n  CTLuse_url = {{no}},\n}}\n\n{ONE}".replace("IEEEtranBSTCTL", "ieeetranbstctl"),
        ONE.replace("{J}", "jacm"),
    ],
    ids=["set", "xdata", "preamble", "text", "comment", "unused string", "control", "abbreviation of a style"],
)
def test_a_file_with_more_than_entries_comes_back_as_it_was(store: Store, file: str) -> None:
    take_in(store, file)
    assert text(store) == file


@needed("biber")
def test_biber_reads_what_comes_back(store: Store, tmp_path: Path) -> None:
    take_in(store, f"{PREAMBLE}\n{SHARED}\n{SET}\n% Read this: a@example.org\n{ONE}\n{TWO}\n{BOOK}\n@comment{{end}}")
    (tmp_path / "refs.bib").write_text(text(store))
    assert biber_complaints(tmp_path / "refs.bib") == []


@needed("bibtex")
def test_an_address_for_mail_above_the_entries_does_not_stop_bibtex(store: Store, tmp_path: Path) -> None:
    take_in(store, f"Kept by ann@fen.example, or @fen.\n\n{ONE}")
    done = exported(store, "bibtex")
    (tmp_path / "refs.bib").write_bytes(done.data)
    assert done.data.startswith(b"Kept by ann(at)fen.example, or (at)fen.\n\n@article{one,")
    assert bibtex_complaints(tmp_path / "refs.bib") == []


@needed("bibtex")
def test_bibtex_gets_no_set_and_no_shared_fields_which_it_does_not_know(store: Store, tmp_path: Path) -> None:
    take_in(store, f"{PREAMBLE}\n{SHARED}\n{SET}\n{ONE}\n{TWO}\n{BOOK}")
    done = exported(store, "bibtex")
    (tmp_path / "refs.bib").write_bytes(done.data)
    assert bibtex_complaints(tmp_path / "refs.bib") == []
    assert b"publisher = {Old Press}" in done.data
    assert b"xdata" not in done.data
    assert "the set both is left out: bibtex has no sets." in done.notes


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl-json", "markdown", "csv"])
def test_of_a_set_it_is_said_that_the_format_has_none(store: Store, form: str) -> None:
    take_in(store, f"{ONE}\n{TWO}\n{SET}")
    assert f"the set both is left out: {form} has no sets." in exported(store, form).notes


def test_only_what_belongs_to_the_entries_that_are_written_comes_back(store: Store) -> None:
    take_in(store, f"% First.\n{ONE}\n% Second.\n{TWO}\n{SET}\n{SHARED}\n{BOOK}")
    done = exported(store, "biblatex", "two")
    assert done.data.decode() == f"% Second.\n\n{TWO}"
    assert "the set both is left out: it also needs one." in done.notes


def test_a_preamble_comes_with_the_entries_that_use_its_commands(store: Store) -> None:
    take_in(store, f"{PREAMBLE}\n{ONE}\n{TWO}\n" + ONE.replace("one", "sorted").replace("{One}", r"{\noopsort{b}A}"))
    assert text(store, "biblatex", "sorted").startswith(PREAMBLE)
    assert "preamble" not in text(store, "biblatex", "two")


@pytest.mark.parametrize("string", ['@string{x = "\\input{y}"}', '@comment{@string{x = "\\input{y}"}}'])
def test_commands_that_act_are_text_in_what_stands_beside_entries_and_that_is_said(store: Store, string: str) -> None:
    take_in(store, f"{string}\n{ONE}")
    done = exported(store, "bibtex", "one")
    assert b"\\input" not in done.data
    assert any(note.startswith("text beside the entries") and r"\input" in note for note in done.notes)


def test_a_preamble_that_does_more_than_define_is_left_out_and_said(store: Store) -> None:
    take_in(store, f'@preamble{{"\\immediate\\write18{{rm x}}"}}\n{ONE}')
    done = exported(store)
    assert b"write18" not in done.data
    assert any(note.startswith("a preamble is left out") and r"\write" in note for note in done.notes)


def test_an_entry_hidden_in_a_comment_has_no_unsafe_command(store: Store) -> None:
    take_in(store, f"@comment{{@misc{{x, note = {{\\input{{/etc/passwd}}}}}}}}\n{ONE}")
    assert "\\input" not in text(store)


def test_a_comment_names_the_encoding_that_the_file_has_now(store: Store) -> None:
    take_in(store, f"% Encoding: Cp1252\n\n{ONE}")
    assert text(store).startswith("% Encoding: UTF-8\n")


def test_text_that_changed_is_kept_when_the_file_is_imported_again(store: Store) -> None:
    take_in(store, f"% Old.\n\n{ONE}")
    take_in(store, f"% New.\n\n{ONE}")
    assert text(store) == f"% New.\n\n{ONE}"
    assert len(originals.every(store)) == 1


def test_an_abbreviation_made_of_others_is_written_out(store: Store) -> None:
    take_in(store, f'@string{{a = "Annual"}}\n@string{{b = a # " Meeting"}}\n{ONE.replace("{J}", "a")}')
    assert text(store) == "@string{b = {Annual Meeting}}\n\n" + ONE.replace("{J}", "{Annual}")


@pytest.mark.parametrize(
    "broken",
    ["@article{bad, title={Bad}}, journal={J}, year=2007}", "@article{bad\n  title = {Bad},\n  year = {2007}\n}",
     "@article{bad, title={Bad}},\n  note={a {nested} one},\n}",
     "@article{b{a}d, title={Bad}, journal={J}, year=2007}"],
)  # fmt: skip
def test_the_rest_of_a_broken_entry_is_no_text_between_entries(broken: str, store: Store) -> None:
    take_in(store, f"{ONE}\n{broken}\nBehind it.\n\n{TWO}")
    whole = text(store, "biblatex")
    assert "Behind it." in whole
    assert [part for part in ("journal={", "2007", "nested") if part in whole] == []
