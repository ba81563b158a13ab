"""spar opens only PDFs, and asks first if only a bibliography named the file."""

import os
from pathlib import Path

import pytest

from spar_tui.openable_files import is_local_file, openable_file
from tests.spar_tui.in_process import spar

PDF = b"%PDF-1.7\n"


def refusals(*files: Path | str) -> tuple[str, ...]:
    opened = openable_file([str(file) for file in files], [])
    assert opened.path is None
    return opened.refused


@pytest.mark.parametrize(
    ("name", "data"),
    [("Paper.desktop", b"[Desktop Entry]\n#%PDF"), ("run.command", b"#!/bin/sh\n"), ("page.pdf", b"<html>"),
     ("late.pdf", b" " * 1024 + PDF), ("empty.pdf", b""), ("x.exe", b"MZ" + PDF),
     ("run.pdf", b"[Desktop Entry]\n#" + PDF), ("run.sh.pdf", b"#!/bin/sh\n# " + PDF)],
)  # fmt: skip
def test_what_is_not_a_pdf_by_its_name_and_its_bytes_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert refusals(tmp_path / name) == (f"{tmp_path / name} is not a PDF; spar opens only PDFs.",)


def test_a_link_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "run.desktop").write_bytes(b"#" + PDF)
    (tmp_path / "paper.pdf").symlink_to(tmp_path / "run.desktop")
    assert "is not a PDF" in refusals(tmp_path / "paper.pdf")[0]


def test_other_machines_devices_pipes_folders_and_parts_of_paths_are_not_looked_at(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    for path in (r"\\host\share\x.pdf", "//host/share/x.pdf", r"\\.\pipe\x.pdf"):
        assert refusals(path) == (f"{path} is on another machine or a device; spar opens only local files.",)
    for path in ("/dev/null", str(tmp_path), str(tmp_path / "pipe.pdf"), "x.pdf", "", "\0.pdf"):
        assert refusals(path) == (f"no such file: {path}.",)
        assert not is_local_file(path)


def test_a_file_that_the_person_chose_goes_before_one_that_a_bibliography_named(tmp_path: Path) -> None:
    named, own = tmp_path / "named.pdf", tmp_path / "own.PDF"
    for file in (named, own):
        file.write_bytes(b"\n" + PDF)
    opened = openable_file([str(named), str(own)], {str(own)})
    assert (opened.path, opened.chosen, opened.refused) == (str(own.resolve()), True, ())
    opened = openable_file([str(named)], {str(own)})
    assert (opened.path, opened.chosen) == (str(named.resolve()), False)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A folder with a bibliography that names a PDF in it, one elsewhere, and a program."""
    box = tmp_path / "box"
    (box / "pdfs").mkdir(parents=True)
    (box / "pdfs" / "near.pdf").write_bytes(PDF)
    (tmp_path / "far.pdf").write_bytes(PDF)
    (box / "Paper.desktop").write_text("[Desktop Entry]\n")
    (box / "refs.bib").write_text(
        "@misc{near, title={Near}, file={:pdfs/near.pdf:PDF}}\n"
        "@misc{far, title={Far}, file={:../far.pdf:PDF}}\n"
        "@misc{run, title={Run}, file={:Paper.desktop:PDF}}\n"
    )
    return box


def test_a_file_beside_the_bibliography_is_opened_and_another_only_on_the_persons_word(box: Path) -> None:
    home, opener = box.parent, {"BROWSER": "true"}
    spar(home, "import", str(box / "refs.bib"))
    near = spar(home, "open", "near", "--pdf", "--offline", more=opener)
    assert (near.returncode, near.stdout) == (0, f"{box / 'pdfs' / 'near.pdf'}\n")
    program = spar(home, "open", "run", "--pdf", "--offline", more=opener)
    assert (program.returncode, program.stdout) == (1, "")
    assert f"{box / 'Paper.desktop'} is not a PDF; spar opens only PDFs." in program.stderr
    refused = spar(home, "open", "far", "--pdf", "--offline", more=opener)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"spar: {home / 'far.pdf'} is outside the folder of the bibliography that named it; "
        "`spar open far --pdf --anyway` opens it anyway.\n"
    )
    assert spar(home, "open", "far", "--pdf", "--anyway", "--offline", more=opener).returncode == 0
    assert spar(home, "open", "far", "--pdf", "--offline", more=opener).returncode == 0


def test_importing_again_makes_no_file_the_persons_own_and_marking_it_does(box: Path) -> None:
    home, opener = box.parent, {"BROWSER": "true"}
    for title in ("Far", "Far away"):
        (box / "refs.bib").write_text(f"@misc{{far, title={{{title}}}, year=2000, file={{:{home}/far.pdf:PDF}}}}\n")
        spar(home, "import", str(box / "refs.bib"))
    assert spar(home, "open", "far", "--pdf", "--offline", more=opener).returncode == 1
    spar(home, "mark", "far", "--pdf", str(home / "far.pdf"))
    assert spar(home, "open", "far", "--pdf", "--offline", more=opener).returncode == 0


def test_a_bibliography_on_standard_input_lies_beside_nothing(box: Path) -> None:
    text = f"@misc{{far, title={{Far}}, file={{:{box.parent}/far.pdf:PDF}}}}\n"
    spar(box.parent, "import", "-", stdin=text)
    assert spar(box.parent, "open", "far", "--pdf", "--offline", more={"BROWSER": "true"}).returncode == 1
