"""What only biber understands of an imported entry is turned into what bibtex prints."""

from pathlib import Path

import pytest

from tests.spar_tui.running import spar

BIB = """
@article{xn, title={Names}, author={family=Gogh, given=Vera, prefix=van, useprefix=true and Roe, Anna}, date={2001}}
@thesis{ma, title={Reeds}, author={Roe, A}, institution={Marsh University}, type={mathesis}, date={1999}}
@thesis{ba, title={Ducks}, author={Roe, A}, institution={Marsh University}, type={bathesis}, date={1999}}
@report{tr, title={Ponds}, author={Roe, A}, institution={Reed Office}, type={techreport}, date={1999}}
@article{mo, title={Months}, author={Roe, A}, journaltitle={N}, year=2001, month=jan # "~15"}
@book{bc, title={Scroll}, author={Roe, A}, publisher={P}, date={-0379}}
"""


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
    assert "month = jan # {~15}" in written
    assert "year = {380 BC}" in written


def test_biblatex_gets_what_was_imported_and_other_formats_get_words(home: Path) -> None:
    written = exported(home, "biblatex")
    assert "author = {family=Gogh, given=Vera, prefix=van, useprefix=true and Roe, Anna}" in written
    assert "type = {mathesis}" in written
    item = exported(home, "csl-json")
    assert '"genre": "Master\'s thesis"' in item
    assert "-380" in item
