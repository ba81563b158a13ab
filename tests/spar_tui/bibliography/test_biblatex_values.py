"""What only biber understands of an imported entry is turned into what bibtex prints."""

import json
from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar

BIB = """
@article{xn, title={Names}, author={family=Gogh, given=Vera, prefix=van, useprefix=true and Roe, Anna}, date={2001}}
@thesis{ma, title={Reeds}, author={Roe, A}, institution={Marsh University}, type={mathesis}, date={1999}}
@thesis{ba, title={Ducks}, author={Roe, A}, institution={Marsh University}, type={bathesis}, date={1999}}
@thesis{ms, title={Geese}, author={Roe, A}, institution={Marsh University}, type={mastersthesis}, date={1999}}
@report{tr, title={Ponds}, author={Roe, A}, institution={Reed Office}, type={techreport}, number={TM-1}, date={1999}}
@article{mo, title={Months}, author={Roe, A}, journaltitle={N}, year=2001, month=jan # "~15"}
@book{bc, title={Scroll}, author={Roe, A}, publisher={P}, date={-0379}}
@article{mk, title={A \\mkbibemph{reed} and \\mkbibquote{fens}}, author={Roe, A}, date={2001},
  pages={3\\psq}, pubstate={inpress}}
@patent{pa, title={Valve}, author={Roe, A}, type={patentus}, number={1234567}, date={1999-05/1999-06},
  location={countryde and countryfr}}
@article{fe, title={Fens}, author={Roe, A}, journaltitle={N}, edition={11}, year=2001, month={5}}
@book{sp, title={Span}, author={Roe, A}, publisher={P}, series={S}, number={7}, date={1998/2001}}
@article{pm, title={Central}, author={Roe, A}, journaltitle={N}, number={4}, date={2001-21}, pmcid={PMC777}}
"""


WHERE_NUMBERS_STAND = {"tr": "number", "pa": "number", "sp": "collection-number", "pm": "issue"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / "in.bib").write_text(BIB)
    assert spar(home, "import", str(home / "in.bib")).returncode == 0
    return home


def exported(home: Path, form: str) -> str:
    return spar(home, "export", "--shelf", "--format", form).stdout


def test_bibtex_gets_names_types_and_dates_that_it_prints_rightly(home: Path) -> None:
    written = exported(home, "bibtex")
    assert "author = {van Gogh, Vera and Roe, Anna}" in written
    assert "@mastersthesis{ma" in written
    assert "type = {Bachelor's thesis}" in written
    assert "@techreport{tr" in written
    assert "mathesis}" not in written
    assert "@mastersthesis{ms" in written
    assert "type = {mastersthesis}" not in written
    assert "month = jan # {~15}" in written
    assert "year = {380 BC}" in written
    assert "year = {1999},\n  month = may # {--} # jun" in written
    assert "month = {spring}" in written
    assert "title = {A \\emph{reed} and ``fens''}" in written
    assert "pages = {3~sq.}" in written
    assert "address = {Germany and France}" in written
    assert "edition = {11th}" in written
    assert "year = {2001},\n  month = may," in written


def test_a_name_that_only_biber_reads_is_turned_also_beside_a_year(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("""
@article{names, title={Reeds}, author={given=Vera, prefix=van, family=Gogh and Roe, A = B},
  editor={id=p, family=Poe, given=Bo, given-i=B}, journal={N}, year=2001}""")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "bibtex")
    assert "author = {van Gogh, Vera and Roe, A = B}" in written
    assert "editor = {Poe, Bo}" in written


def test_bibtex_gets_the_titles_that_only_biblatex_inherits(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("""
@article{part, title={Reeds}, author={Roe, A}, crossref={whole}}
@inbook{chapter, title={Fens}, author={Roe, A}, crossref={work}}
@periodical{whole, title={Marsh Notes}, volume={3}, date={2001}}
@mvbook{work, title={All Fens}, author={Poe, B}, publisher={P}, date={1990/1999}}""")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "bibtex")
    assert "crossref = {whole},\n  journal = {Marsh Notes}" in written
    assert "crossref = {work},\n  booktitle = {All Fens}" in written


def test_an_identifier_that_no_format_has_a_field_for_is_an_address(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(
        "@misc{a, title={Reeds}, author={Roe, A}, year=2001, note={OpenReview: rJ4km2R5t8}}"
    )
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    assert '"URL": "https://openreview.net/forum?id=rJ4km2R5t8"' in exported(tmp_path, "csl-json")


def test_fields_that_no_standard_style_of_bibtex_prints_are_named_and_kept(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("""
@inproceedings{talk, title={Reeds}, author={Roe, A}, booktitle={Days}, eventtitle={Fens 7}, venue={Days}, date={2001}}
@patent{valve, title={Valve}, author={Roe, A}, number={EP 77}, holder={Mill, B}, date={1999-05-04}}
@book{old, title={Nests}, author={Roe, A}, publisher={P}, date={1998}, translator={Ode, C}, volumes={3}, doi={10.1/x}}
@book{plain, title={Ducks}, author={Roe, A}, publisher={P}, year=1998, holder={Mill, B}}""")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    done = spar(tmp_path, "export", "--shelf", "--format", "bibtex")
    [told] = [line for line in done.stderr.splitlines() if "do not print" in line]
    assert "eventtitle of 1 entry (talk)" in told
    assert "number, holder of 1 entry (valve)" in told
    assert "translator, volumes of 1 entry (old)" in told
    assert [word for word in ("venue", "plain", "doi", "day") if word in told] == []  # `Days` stands in the title
    assert all(text in done.stdout for text in ("{Fens 7}", "{EP 77}", "holder = {Mill, B}", "{Ode, C}"))
    assert "do not print" not in spar(tmp_path, "export", "--shelf", "--format", "biblatex").stderr


def test_biblatex_gets_what_was_imported_and_other_formats_get_words(home: Path) -> None:
    written = exported(home, "biblatex")
    assert "author = {family=Gogh, given=Vera, prefix=van, useprefix=true and Roe, Anna}" in written
    assert "type = {mathesis}" in written
    item = exported(home, "csl-json")
    assert '"genre": "Master\'s thesis"' in item
    assert "-380" in item
    assert '"genre": "U.S. patent"' in item
    assert ('"page": "3 sq."' in item, '"status": "in press"' in item) == (True, True)


def test_a_number_stands_where_csl_has_it_for_the_kind_of_work(home: Path) -> None:
    items = {item["id"]: item for item in json.loads(exported(home, "csl-json"))}
    members = {key: item[name] for key, name in WHERE_NUMBERS_STAND.items() if (item := items[key])}
    assert members == {"tr": "TM-1", "pa": "1234567", "sp": "7", "pm": "4"}
    assert items["pm"]["PMCID"] == "PMC777"


def test_what_csl_tells_of_a_report_comes_into_bibtex_once(tmp_path: Path) -> None:
    item = {"id": "r", "type": "report", "title": "Weirs", "author": [{"family": "Roe"}], "publisher": "Reed Office",
            "number": "TR-9", "issued": {"date-parts": [[-380]]}}  # fmt: skip
    (tmp_path / "in.json").write_text(json.dumps([item]))
    assert spar(tmp_path, "import", str(tmp_path / "in.json")).returncode == 0
    written = exported(tmp_path, "bibtex")
    assert "number = {TR-9}" in written
    assert "year = {380 BC}" in written
    assert written.count("Reed Office") == 1


def test_a_list_of_references_shows_ranges_seasons_and_years_before_christ(home: Path) -> None:
    written = exported(home, "text")
    assert "1998–2001" in written
    assert "380 B" in written
    assert "1999" in written


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("in.ris", "TY  - RPRT\nAU  - Ek, Siv\nTI  - Weirs\nSN  - TR-9\nPY  - 2001\nER  - \n"),
        ("in.enw", "%0 Report\n%A Ek, Siv\n%T Weirs\n%N TR-9\n%D 2001\n"),
    ],
)
def test_the_number_of_a_report_is_found_where_each_format_has_it(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert spar(tmp_path, "import", str(tmp_path / name)).returncode == 0
    [item] = json.loads(exported(tmp_path, "csl-json"))
    assert item["number"] == "TR-9"
    assert "number = {TR-9}" in exported(tmp_path, "bibtex")


def test_bibtex_gets_years_in_words_and_the_title_of_a_parent_where_its_styles_look(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("""
@incollection{child, title={Reed beds}, author={Roe, A}, pages={1--9}, crossref={parent}}
@collection{parent, title={Wetlands}, subtitle={Essays}, editor={Roe, B}, publisher={P}, date={1998/2001}}
@article{spring, title={Nests}, author={Roe, A}, journaltitle={N}, date={2004-21}}""")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "bibtex")
    assert "booktitle = {Wetlands: Essays}" in written.partition("@incollection{child,")[2].partition("\n}")[0]
    assert "crossref = {parent}" in written
    assert "year = {1998--2001}" in written
    assert "month = {spring}" in written
    assert "date = " not in written


@pytest.mark.parametrize(("date", "year"), [("1744%", "c. 1744?"), ("1744-06-11%", "c. 1744?"), ("17XX", "17XX")])
def test_a_doubtful_date_has_a_year_and_no_percent_sign_in_bibtex(date: str, year: str, tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(
        f"@book{{k, title={{Beds}}, author={{Roe, A}}, date={{{date}}}, origdate={{1650%}}}}"
    )
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "bibtex")
    assert "origdate = {1650~}" in written
    assert f"year = {{{year}}}" in written
    assert "%" not in written


def test_a_parent_is_named_by_its_key_letter_by_letter(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("""
@collection{Parent01, title={Wetlands}, editor={Roe, B}, date={1998}}
@incollection{child, title={Reed beds}, author={Roe, A}, crossref={parent01}}
@incollection{other, title={Nests}, author={Roe, A}, booktitle={B}, date={1999}, xref={PARENT01}}""")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "biblatex")
    assert "crossref = {Parent01}" in written
    assert "xref = {Parent01}" in written


@pytest.mark.parametrize("address", ["ftp://fen.example/a.txt", "urn:nbn:de:101:1-2014"])
def test_an_address_of_another_scheme_comes_along(address: str, tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(f"@misc{{k, title={{Beds}}, author={{Roe, A}}, year=2001, url={{{address}}}}}")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    assert json.loads(exported(tmp_path, "csl-json"))[0]["URL"] == address
    assert f"UR  - {address}" in exported(tmp_path, "ris")


def test_an_identifier_in_the_field_of_the_address_is_one(tmp_path: Path) -> None:
    text = "@article{k, title={Beds}, author={Roe, A}, journal={J}, year=2001, url={info:doi/10.5555/info.4}}"
    (tmp_path / "in.bib").write_text(text)
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    [item] = json.loads(exported(tmp_path, "csl-json"))
    assert item["DOI"] == "10.5555/info.4"
    assert "URL" not in item


@pytest.mark.parametrize(
    ("edition", "biblatex", "bibtex"),
    [("4", "4", "4th"), ("12th ed.", "12", "12th"), ("1. Aufl., Nachdr.", "1. Aufl., Nachdr.", "1. Aufl., Nachdr.")],
)
def test_a_numbered_edition_is_what_the_styles_of_the_dialect_expect(
    edition: str, biblatex: str, bibtex: str, tmp_path: Path
) -> None:
    (tmp_path / "in.ris").write_text(f"TY  - BOOK\nAU  - Roe, A\nTI  - Reeds\nPY  - 1999\nET  - {edition}\nER  - \n")
    spar(tmp_path, "import", str(tmp_path / "in.ris"))
    assert f"edition = {{{biblatex}}}" in exported(tmp_path, "biblatex")
    assert f"edition = {{{bibtex}}}" in exported(tmp_path, "bibtex")
    assert json.loads(exported(tmp_path, "csl-json"))[0]["edition"] == biblatex


def test_an_edition_or_a_school_that_styles_of_bibtex_misprint_is_named_and_kept(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(
        "@book{a, author={Roe, A}, title={Reeds}, publisher={Fen}, edition={2}, year=2001}\n"
        "@book{b, author={Roe, A}, title={Ducks}, publisher={Fen}, edition={2nd}, year=2001}\n"
        "@phdthesis{c, author={Roe, A}, title={Fens}, institution={Fen University}, year=2001}\n"
        "@phdthesis{d, author={Roe, A}, title={Bogs}, school={Fen University}, year=2001}\n"
    )
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    done = spar(tmp_path, "export", "--shelf", "--format", "bibtex")
    assert "edition = {2}" in done.stdout
    assert "institution = {Fen University}" in done.stdout
    assert "print the edition of 1 entry (a) as a bare number" in done.stderr
    assert "do not print institution of 1 entry (c);" in done.stderr


def test_an_abbreviation_of_a_style_stays_one_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text(
        "@phdthesis{b, author={Roe, A}, title={Fens}, institution=fenu, date={2001}}\n"
        "@article{c, author={Roe, A}, title={Reeds}, journaltitle=jfen, date={2001}}\n"
    )
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    written = exported(tmp_path, "bibtex")
    assert "school = fenu," in written
    assert "journal = jfen," in written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (r"doi = {10.5555/Fen{\_}7}", "doi = {10.5555/Fen_7}"),
        (r"doi = {10.5555/fen\_(7)}", "doi = {10.5555/fen_(7)}"),
        ("doi = {doi: 10.5555/fen.8}", "doi = {10.5555/fen.8}"),
        ("doi = {https://doi-org.proxy.fen.example/10.5555/fen.9}", "doi = {10.5555/fen.9}"),
        ("doi = {https://doi.org/10.5555/Fen.10}", "doi = {https://doi.org/10.5555/Fen.10}"),
        ("doi = {10.5555/Fen.11}", "doi = {10.5555/Fen.11}"),
        ("doi = {none}", "doi = {none}"),
        ("doi = {10.5555/fen.12, 10.5555/fen.13}", "doi = {10.5555/fen.12, 10.5555/fen.13}"),
        (r"doi = {10.5555/fen\_14; 10.5555/fen.15}", r"doi = {10.5555/fen\_14; 10.5555/fen.15}"),
        ("doi = {10.5555/fen.16 (erratum)}", "doi = {10.5555/fen.16 (erratum)}"),
        (r"url = {https://fen.example/a\_b?c=1{\&}d=50\%25}", "url = {https://fen.example/a_b?c=1&d=50%25}"),
        (r"url = {https://fen.example/a_b%20c}", "url = {https://fen.example/a_b%20c}"),
    ],
)
def test_biblatex_gets_identifiers_and_addresses_that_it_prints_as_written(
    given: str, written: str, tmp_path: Path
) -> None:
    (tmp_path / "in.bib").write_text(f"@book{{a, author={{Roe, A}}, title={{Reeds}}, {given}, year=2001}}\n")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    assert f"  {written},\n" in exported(tmp_path, "biblatex")
    assert f"  {given},\n" in exported(tmp_path, "bibtex")
