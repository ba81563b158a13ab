"""`spar import` and `spar split`: what was taken for what is said, and can be parted."""

import json
from pathlib import Path

import pytest

from cache import shelf
from cache.store import Store
from tests.services import Services
from tests.spar_tui.in_process import spar

TWICE = """@article{bliss73, title={Lasting potentiation in the rabbit's brain}, author={Bliss, Tim and Lomo, Terje},
  journal={J. Physiol.}, volume=232, pages={331--356}, year=1973}
@article{bliss73b, title={Lasting potentiation in the rabbit's brain}, author={Bliss, T. and others}, year=1973,
  note={Mine.}, keywords={memory}, doi={10.1000/b}}
"""
APART = """@article{other73, title={Lasting potentiation in the rabbit's brain}, author={Bliss, Tim and Lomo, Terje},
  journal={J. Physiol.}, volume=233, pages={1--9}, year=1973}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text(TWICE)
    return tmp_path


def test_an_entry_that_is_taken_for_another_is_named_with_both_lines(home: Path) -> None:
    ran = spar(home, "import", str(home / "refs.bib"))
    assert ran.stdout.endswith("refs.bib: 1 new paper, 1 joined\n")
    assert "refs.bib:3: bliss73b is taken as the same work as bliss73, line 1." in ran.stderr
    assert "spar split KEY" in ran.stderr


def test_works_that_stay_apart_are_not_said_to_be_joined(home: Path) -> None:
    (home / "refs.bib").write_text(TWICE.partition("@article{bliss73b")[0] + APART)
    ran = spar(home, "import", str(home / "refs.bib"))
    assert ran.stdout.endswith("refs.bib: 2 new papers\n")
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("told", "differs"),
    [
        ("volume=233, year=1973", "volume"),
        ("volume=232, year=1974, pages={331--356}", "year"),
        ("volume=232, number=4, pages={9--14}, year=1973", "number and pages"),
    ],
)
def test_entries_of_one_doi_that_contradict_each_other_are_named_with_what_differs(
    told: str, differs: str, tmp_path: Path
) -> None:
    same = "title={Lasting potentiation}, author={Bliss, Tim}, journal={J. Physiol.}, doi={10.1000/b}"
    first = f"@article{{one, {same}, volume=232, number=2, pages={{331--356}}, year=1973}}"
    (tmp_path / "refs.bib").write_text(f"{first}\n@article{{two, {same}, {told}}}\n")
    ran = spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    assert ran.stdout.endswith("refs.bib: 2 new papers\n")
    reason = f"two: it shares doi:10.1000/b with one (line 1) but differs in {differs}, so both are kept."
    assert ran.stderr.endswith(f"refs.bib:2: {reason}\n")


def test_chapters_with_the_doi_of_their_book_are_imported_without_a_word(tmp_path: Path) -> None:
    chapter = "@incollection{%s, title={%s}, author={Bliss, Tim}, booktitle={Brains}, doi={10.1000/book}, pages=%s}\n"
    (tmp_path / "refs.bib").write_text(chapter % ("one", "Rabbits", 1) + chapter % ("two", "Memory and sleep", 20))
    assert spar(tmp_path, "import", str(tmp_path / "refs.bib")).stderr == ""


def test_a_join_and_a_change_are_members_of_the_json(home: Path) -> None:
    ran = spar(home, "import", str(home / "refs.bib"), "--json")
    [file] = json.loads(ran.stdout)["files"]
    assert file["joins"] == [{"line": 3, "name": "bliss73b", "other": "bliss73", "other_line": 1}]
    (home / "refs.bib").write_text(TWICE.replace("Mine.", "Ours."))
    [again] = json.loads(spar(home, "import", str(home / "refs.bib"), "--json").stdout)["files"]
    assert (again["joins"], again["updated"], again["new"]) == ([], ["bliss73b"], 0)


def test_a_joined_entry_becomes_a_paper_of_its_own_and_stays_one(home: Path) -> None:
    spar(home, "import", str(home / "refs.bib"))
    ran = spar(home, "split", "bliss73b")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("bliss73b  ")
    again = spar(home, "import", str(home / "refs.bib"))
    assert "2 saved before" in again.stdout
    assert again.stderr == ""
    told = spar(home, "export", "--shelf", "--format", "ris", "--fields", "note", "--offline").stdout
    first, second = told.split("ER  - ")[:2]
    assert ("bliss73\n" in first, "N1  - Mine." in first, "10.1000/b" in first) == (True, False, False)
    assert ("bliss73b\n" in second, "N1  - Mine." in second, "10.1000/b" in second) == (True, True, True)
    with Store.open(home / "spar" / "spar.db") as store:
        by_key = {one.key: one for one in shelf.shelf(store)}
    assert by_key["bliss73"].paper.identifiers == ()
    assert (by_key["bliss73"].note, by_key["bliss73b"].note) == ("", "Mine.")


def test_what_cannot_be_split_is_said_with_the_reason(home: Path) -> None:
    spar(home, "import", str(home / "refs.bib"))
    unknown = spar(home, "split", "nobody")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "no imported entry is called nobody" in unknown.stderr
    spar(home, "split", "bliss73b")
    alone = spar(home, "split", "bliss73b")
    assert (alone.returncode, alone.stdout) == (1, "")
    assert "the only imported entry of its paper" in alone.stderr


def test_a_page_is_promised_only_where_one_is_known(home: Path) -> None:
    (home / "refs.bib").write_text(APART + APART.replace("other73", "with_url").replace("233", "234, doi={10.1000/x}"))
    spar(home, "import", str(home / "refs.bib"))
    told = {key: spar(home, "open", key, "--pdf", "--offline").stderr for key in ("other73", "with_url")}
    assert told == {
        "other73": "spar: no PDF of other73 is here or open-access, and no known web page.\n",
        "with_url": "spar: no PDF of with_url is here or open-access; `spar open with_url` opens its page.\n",
    }


def test_a_list_of_identifiers_is_looked_up_and_what_nobody_knows_is_named(home: Path) -> None:
    with Services() as services:
        work = next(one for one in services.corpus.works if one.doi and one.openalex and not one.retracted)
        (home / "ids.txt").write_text(f"# to read\nhttps://doi.org/{work.doi}\nPMID: 999999999\n")
        ran = spar(home, "import", str(home / "ids.txt"), "--tag", "list", more=services.environment)
    assert ran.returncode == 0
    assert ran.stdout.endswith("ids.txt: 1 new paper, 1 skipped\n")
    assert "ids.txt:3: pmid:999999999: " in ran.stderr
    assert work.title in spar(home, "shelf", "--tag", "list").stdout.replace("\n", " ")


def test_of_a_folder_all_is_imported_that_can_be_and_the_rest_is_named(home: Path) -> None:
    (home / "refs" / "old").mkdir(parents=True)
    (home / "refs" / ".git").mkdir()
    for name, content in (("a.bib", TWICE), ("old/b.bib", APART), ("old/c.png", "\x89"), (".git/d.bib", TWICE)):
        (home / "refs" / name).write_text(content)
    ran = spar(home, "import", str(home / "refs"), "--dry-run")
    assert [Path(line.split(":")[0]).name for line in ran.stdout.splitlines() if "  new  " not in line] == [
        "a.bib",
        "b.bib",
    ]
    assert f"skipped {home / 'refs' / 'old' / 'c.png'}: found no references" in ran.stderr
    assert spar(home, "import", str(home / "nothing")).returncode == 2
    (home / "empty").mkdir()
    empty = spar(home, "import", str(home / "empty"))
    assert (empty.returncode, "has no file to import" in empty.stderr) == (2, True)


def test_without_a_network_only_remembered_papers_of_a_list_are_imported(home: Path) -> None:
    ran = spar(home, "import", "-", "--offline", stdin="10.5555/unheard.of\n")
    assert (ran.returncode, ran.stdout) == (1, "-: 1 skipped\n")


def test_what_a_database_exports_is_one_paper_however_often(home: Path) -> None:
    formats = Path(__file__).parents[2] / "bibliography" / "reading" / "formats"
    ran = spar(home, "import", *(str(path) for path in sorted(formats.iterdir())))
    assert ran.returncode == 0
    told = spar(home, "export", "--shelf", "--format", "bibtex", "--offline").stdout
    assert told.count("@article{") == told.count("doi = {10.5555/reed.12}") == 1
    each = spar(home, "export", "--shelf", "--format", "bibtex", "--offline", "--no-dedupe").stdout
    assert each.count("@article{") == each.count("doi = {10.5555/reed.12}") > 1
    assert spar(home, "shelf").stdout.count("Foraging of Capra hircus in reed") == 1


def test_a_book_is_named_by_its_isbn_in_either_form_and_is_one_book(home: Path) -> None:
    book = "@book{roe99, title={Reed and fen}, author={Roe, A.}, publisher={Fen}, year=1999, isbn={3-16-148410-X}}"
    chapter = "@inbook{poe99, title={On reed}, author={Poe, B.}, booktitle={Reed and fen}, isbn={3-16-148410-X}}"
    (home / "a.bib").write_text(f"{book}\n{chapter}")
    (home / "b.bib").write_text(book.replace("3-16-148410-X", "978-3-16-148410-0").replace("roe99", "reed"))
    ran = spar(home, "import", str(home / "a.bib"), str(home / "b.bib"))
    assert ran.stdout.endswith("b.bib: 1 saved before\n")
    assert "Reed and fen" in spar(home, "show", "ISBN 978-3-16-148410-0", "--offline").stdout
    unknown = spar(home, "show", "0-306-40615-2", "--offline")
    assert (unknown.returncode, "no source finds books by ISBN" in unknown.stderr) == (1, True)


def test_an_isbn_in_a_list_is_told(home: Path) -> None:
    ran = spar(home, "import", "-", "--offline", stdin="10.5555/unheard.of\n978-3-16-148410-0\n")
    assert "standard input" not in ran.stdout
    assert ":2: ISBN 9783161484100: no source finds books by ISBN; use the book's DOI; skipped." in ran.stderr


@pytest.mark.parametrize("mistyped", ["978-3-16-148410-1", "- ISBN 3-16-148410-1", "9783161484101,"])
def test_an_isbn_in_a_list_with_a_wrong_check_digit_is_called_that(home: Path, mistyped: str) -> None:
    ran = spar(home, "import", "-", "--offline", stdin=f"10.5555/unheard.of\n10.5555/unheard.too\n{mistyped}\n")
    assert ":3: this line: the check digit of this ISBN is wrong; skipped." in ran.stderr


def test_a_web_page_under_the_name_of_a_pdf_is_called_one(home: Path) -> None:
    (home / "paper.pdf").write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
    ran = spar(home, "import", str(home / "paper.pdf"))
    assert ran.returncode == 2
    assert "is a web page, not a PDF" in ran.stderr


def test_a_joined_work_has_one_key_and_what_both_records_tell_in_every_format(home: Path) -> None:
    (home / "refs.bib").write_text(TWICE.partition("@article{bliss73b")[0])
    (home / "refs.enw").write_text(
        "%0 Journal Article\n%T Lasting potentiation in the rabbit's brain\n%A Bliss, Tim\n%A Lomo, Terje\n"
        "%J J. Physiol.\n%V 232\n%P 331-356\n%@ 0022-3751\n%D 1973\n"
    )
    spar(home, "import", str(home / "refs.bib"), str(home / "refs.enw"))
    for name, key in (("o.bib", "@article{bliss73,"), ("o.json", '"id": "bliss73",'), ("o.ris", "ID  - bliss73\n")):
        spar(home, "export", "--shelf", "-o", str(home / name))
        text = (home / name).read_text()
        assert key in text
        assert "0022-3751" in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.nbib", "PMID- 99\nTI  - Sheep on slopes.\nPT  - Journal Article\nPT  - Retracted Publication\n"),
        ("a.ris", "TY  - JOUR\nTI  - RETRACTED ARTICLE: Sheep on slopes\nER  - \n"),
        ("a.bib", "@article{a, title={Sheep on slopes}, pubstate={retracted}}\n"),
    ],
)
def test_a_retraction_that_a_file_tells_is_told_by_import_and_by_check(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert "is RETRACTED." in spar(tmp_path, "import", str(tmp_path / name)).stderr
    assert "Retracted (1)" in spar(tmp_path, "check", "--offline", str(tmp_path / name)).stdout


def test_the_version_of_an_arxiv_id_goes_along_into_other_formats(home: Path) -> None:
    (home / "refs.bib").write_text(
        "@misc{a, title={Rivers}, eprint={1901.01234v2}, archiveprefix={arXiv}, year=2019}\n"
    )
    spar(home, "import", str(home / "refs.bib"))
    for name in ("o.json", "o.ris"):
        spar(home, "export", "--shelf", "-o", str(home / name))
        assert "arXiv:1901.01234v2" in (home / name).read_text()


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_empty_input_has_no_entries_from_a_file_or_standard_input(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.txt").write_text(text)
    for name in ("-", str(tmp_path / "mine.txt")):
        ran = spar(tmp_path / "home", "import", name, "--offline", stdin=text)
        assert (ran.returncode, ran.stderr) == (3, f"spar: {name} has no entries; is it the file that you meant?\n")


def test_a_repeated_key_is_named_once_with_the_new_key(home: Path) -> None:
    (home / "in.bib").write_text("@misc{roe, title={Reeds}, author={Roe, A}}\n@misc{roe, title={Fens}, year=2001}\n")
    ran = spar(home, "import", str(home / "in.bib"))
    assert ran.stderr.count("in.bib:2: ") == 1
    assert "another entry has this key, so “Fens” gets the key roea" in ran.stderr


def test_a_fault_is_named_with_the_title_of_its_own_entry_also_where_all_are_on_one_line(home: Path) -> None:
    (home / "in.json").write_text(
        '[{"id": "a b", "type": "book", "title": "Reeds"}, {"id": "c", "type": "book", "title": "Fens"}]'
    )
    assert "in.json:1: a b (“Reeds”): " in spar(home, "import", str(home / "in.json")).stderr


@pytest.mark.parametrize(("cut", "name"), [('{"id": "poe", "ti', "poe: "), ('{"ti', "")])
def test_of_a_line_with_several_items_the_one_that_is_cut_off_is_named(home: Path, cut: str, name: str) -> None:
    (home / "cut.json").write_text(f'[{{"id": "roe", "type": "book", "title": "Reeds"}}, {cut}')
    ran = spar(home, "import", str(home / "cut.json"))
    assert f"cut.json:1: {name}the file is cut off in line 1, before the item ends; skipped." in ran.stderr


def test_a_file_that_is_cut_off_is_imported_up_to_there_and_fails(home: Path) -> None:
    (home / "cut.json").write_text('[{"id": "roe", "type": "book", "title": "Reeds"},\n{"id": "poe", "type": "bo')
    ran = spar(home, "import", str(home / "cut.json"))
    assert (ran.returncode, ran.stdout) == (1, f"{home / 'cut.json'}: 1 new paper, 1 skipped\n")
    assert "cut.json:2: poe: the file is cut off in line 2" in ran.stderr
    assert "Reeds" in spar(home, "shelf").stdout
