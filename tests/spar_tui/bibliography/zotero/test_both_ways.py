"""`spar import --from-zotero` and `spar export --to-zotero` with a Zotero that keeps Zotero's rules."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cache import shelf
from cache.shelf import Shelved
from cache.store import Store
from tests.services.zotero import RunningZotero
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED, paper
from tests.spar_tui.in_process import spar

ARTICLE: dict[str, Any] = {
    "itemType": "journalArticle", "title": "A Treatise on Sparse Retrieval", "publicationTitle": "Journal of Search",
    "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Byron"}], "date": "2021-03-04",
    "volume": "12", "issue": "3", "pages": "101-120", "DOI": "10.1000/sparse", "abstractNote": "We retrieve.",
    "extra": "Citation Key: byronTreatise2021\nPMID: 12345678\nread twice",
    "tags": [{"tag": "retrieval"}, {"tag": "to read", "type": 1}],
}  # fmt: skip
BOOK: dict[str, Any] = {
    "itemType": "book", "title": "Foundations of Ranking and Other Orders", "publisher": "Lovelace Press",
    "creators": [{"creatorType": "editor", "firstName": "Bea", "lastName": "Noether"}], "date": "June 2015",
    "ISBN": "9780306406157", "place": "Turin",
}  # fmt: skip


@pytest.fixture
def old() -> Iterator[RunningZotero]:
    with RunningZotero(version=9) as running:
        yield running


@pytest.fixture
def new() -> Iterator[RunningZotero]:
    with RunningZotero(version=10) as running:
        yield running


def store_of(home: Path) -> Store:
    return Store.open(home / "spar" / "spar.db")


def on_shelf(home: Path) -> dict[str, Shelved]:
    with store_of(home) as store:
        return {one.paper.title: one for one in shelf.shelf(store)}


def take_in(home: Path, zotero: RunningZotero, *more: str) -> subprocess.CompletedProcess[str]:
    return spar(home, "import", "--from-zotero", *more, more=zotero.environment)


def send(home: Path, zotero: RunningZotero, *more: str) -> subprocess.CompletedProcess[str]:
    return spar(home, "export", "--shelf", "--to-zotero", "--offline", *more, more=zotero.environment)


def put(home: Path, *found: Any, tags: tuple[str, ...] = ()) -> None:
    with store_of(home) as store:
        shelf.save(store, found, tags)


def test_an_import_takes_works_with_their_keys_tags_notes_and_files(tmp_path: Path, old: RunningZotero) -> None:
    pdf = tmp_path / "a file.pdf"
    pdf.write_bytes(b"%PDF-1.5")
    key = old.zotero.add(ARTICLE)
    old.zotero.add({"itemType": "note", "parentItem": key, "note": "<p>Compare &amp; contrast.</p><p>Again.</p>"})
    old.zotero.attach(key, str(pdf))
    old.zotero.attach(key, str(tmp_path / "gone.pdf"))
    old.zotero.add(BOOK)
    ran = take_in(tmp_path, old)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "Zotero: 2 new papers\n", "")
    article = on_shelf(tmp_path)["A Treatise on Sparse Retrieval"]
    assert set(article.tags) == {"retrieval", "to read"}
    assert article.note == "read twice\n\nCompare & contrast.\n\nAgain."
    assert article.files == (str(pdf),)
    assert article.details["pages"] == "101-120"
    assert {str(name) for name in article.paper.identifiers} >= {"doi:10.1000/sparse", "pmid:12345678"}
    assert "@article{byronTreatise2021," in spar(tmp_path, "export", "byronTreatise2021", "--offline").stdout


def test_importing_again_adds_nothing(tmp_path: Path, old: RunningZotero) -> None:
    old.zotero.add(ARTICLE)
    old.zotero.add(BOOK)
    take_in(tmp_path, old)
    before = spar(tmp_path, "export", "--shelf", "--format", "csl-json", "--offline").stdout
    assert take_in(tmp_path, old).stdout == "Zotero: 2 saved before\n"
    assert spar(tmp_path, "export", "--shelf", "--format", "csl-json", "--offline").stdout == before


def test_before_version_10_papers_go_where_the_window_stands_and_that_is_said(
    tmp_path: Path, old: RunningZotero
) -> None:
    put(tmp_path, PUBLISHED, EDGE_PAPERS["accents"], tags=("mine",))
    ran = send(tmp_path, old)
    assert ran.returncode == 0, ran.stderr
    assert len(old.zotero.tops()) == 2
    assert "2 papers added to Zotero, 0 there already" in ran.stderr
    assert "selected in Zotero's window" in ran.stderr
    assert {tag["tag"] for item in old.zotero.tops() for tag in item["tags"]} == {"mine"}
    again = send(tmp_path, old)
    assert (again.returncode, len(old.zotero.tops())) == (0, 2)
    assert "0 papers added to Zotero, 2 there already" in again.stderr


def test_a_file_that_only_a_bibliography_names_is_not_linked(tmp_path: Path, new: RunningZotero) -> None:
    secret, folder = tmp_path / "secret.pdf", tmp_path / "theirs"
    secret.write_bytes(b"%PDF-1.5")
    folder.mkdir()
    (folder / "refs.bib").write_text(f"@article{{a, title={{Sent by somebody}}, year=2020, file={{{secret}}}}}")
    assert spar(tmp_path, "import", str(folder / "refs.bib")).returncode == 0
    ran = send(tmp_path, new)
    assert "1 paper added to Zotero" in ran.stderr
    assert "1 file was not linked: only an imported bibliography names it." in ran.stderr
    assert [child["itemType"] for child in new.zotero.children(new.zotero.tops()[0]["key"])] == []


def test_from_version_10_papers_go_into_a_collection_with_their_notes_and_files(
    tmp_path: Path, new: RunningZotero
) -> None:
    pdf = tmp_path / "attention.pdf"
    pdf.write_bytes(b"%PDF-1.5")
    put(tmp_path, PUBLISHED, tags=("mine",))
    key = "vaswaniAttentionAllYou2017"
    spar(tmp_path, "export", "--shelf", "--offline")
    spar(tmp_path, "mark", key, "--pdf", str(pdf))
    spar(tmp_path, "note", key, "a < b\n\nand more")
    ran = send(tmp_path, new, "--collection", "Thesis")
    assert ran.returncode == 0, ran.stderr
    assert "waiting for you to allow it in Zotero's window" in ran.stderr
    assert "created the collection Thesis in Zotero." in ran.stderr
    assert "1 paper added to Zotero, 0 there already" in ran.stderr
    (item,), (collection,) = new.zotero.tops(), new.zotero.collections.values()
    assert (collection["name"], item["collections"]) == ("Thesis", [collection["key"]])
    assert f"Citation Key: {key}" in item["extra"]
    below = {child["itemType"]: child for child in new.zotero.children(item["key"])}
    assert below["note"]["note"] == "<p>a &lt; b</p><p>and more</p>"
    assert (below["attachment"]["linkMode"], below["attachment"]["path"]) == ("linked_file", str(pdf))
    assert new.zotero.dialogs == 1
    again = send(tmp_path, new, "--collection", "Thesis")
    assert "0 papers added to Zotero, 1 there already" in again.stderr
    assert "not added to the collection" in again.stderr
    assert (len(new.zotero.items), len(new.zotero.collections), new.zotero.dialogs) == (3, 1, 1)


def test_a_yes_for_one_request_is_asked_for_again_and_pauses_are_kept(tmp_path: Path, new: RunningZotero) -> None:
    new.zotero.answer_of_dialog, new.zotero.window = "once", 3.0
    put(tmp_path, *(paper(f"The number {at}", "Nora Noether", of_doi=f"10.1000/n{at}") for at in range(300)))
    ran = send(tmp_path, new)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("let Zotero remember it, or it asks again for every 50") == 1
    assert re.search("Zotero asks for a pause of [123] s before it asks you again", ran.stderr)
    assert len(new.zotero.tops()) == 300
    assert new.zotero.dialogs == 6


def test_what_the_person_has_in_zotero_already_is_not_sent(tmp_path: Path, new: RunningZotero) -> None:
    new.zotero.add(ARTICLE | {"extra": "", "title": "Sparse retrieval: a treatise"})
    new.zotero.add(BOOK | {"ISBN": "", "creators": [{"creatorType": "author", "name": "Emmy Noether"}]})
    new.zotero.add({"itemType": "preprint", "title": "Attention", "archiveID": "arXiv:2401.00001"})
    book = {"itemType": "book", "title": "Deep Orders: A Second Look", "ISBN": "978-0-306-40615-7"}
    new.zotero.add(book)
    refs = tmp_path / "refs.bib"
    refs.write_text("@book{orders, title={Deep Orders}, author={Lamarr, H.}, year=2001, isbn={9780306406157}}")
    spar(tmp_path, "import", str(refs))
    new.zotero.add({"itemType": "report", "title": "On the keys of things", "extra": "Citation Key: zedKeysThings2020"})
    put(
        tmp_path,
        paper("A Treatise on Sparse Retrieval", "Ada Byron", of_doi="10.1000/SPARSE"),
        paper("Foundations of Ranking and Other Orders", "Emmy Noether", date="2015"),
        paper("Attention", "Xi Ng", of_arxiv="2401.00001"),
        paper("On the Keys of Things", "Zoe Zed", date="2020"),
        paper("Something else", "Ada Byron", date="2021"),
    )
    spar(tmp_path, "export", "--shelf", "--offline")  # from now on they have keys
    assert "1 paper added to Zotero, 5 there already" in send(tmp_path, new).stderr
    assert len(new.zotero.tops()) == 6


def test_what_came_from_zotero_is_not_sent_back(tmp_path: Path, new: RunningZotero) -> None:
    new.zotero.add(ARTICLE)
    new.zotero.add(BOOK)
    new.zotero.add({"itemType": "webpage", "title": "Home", "url": "https://example.org/"})
    take_in(tmp_path, new)
    assert "0 papers added to Zotero, 3 there already" in send(tmp_path, new).stderr
    assert new.zotero.dialogs == 0


def test_only_the_collection_that_is_named_is_taken_in_page_by_page(tmp_path: Path, old: RunningZotero) -> None:
    thesis = old.zotero.add_collection("Thesis")
    chapter = old.zotero.add_collection("Chapter", thesis)
    for at in range(230):
        old.zotero.add(BOOK | {"title": f"Volume {at} of many books on order", "ISBN": ""}, collections=[thesis])
    key = old.zotero.add(ARTICLE, collections=[chapter])
    old.zotero.add({"itemType": "note", "parentItem": key, "note": "<p>one</p>"})
    assert take_in(tmp_path, old, "--collection", "thesis/chapter").stdout == "Zotero: 1 new paper\n"
    assert on_shelf(tmp_path)[ARTICLE["title"]].note == "read twice\n\none"
    assert take_in(tmp_path, old, "--collection", "Thesis").stdout == "Zotero: 230 new papers\n"
    assert old.zotero.largest_page == 100


def test_the_collections_of_a_paper_become_tags_with_their_levels(tmp_path: Path, old: RunningZotero) -> None:
    thesis = old.zotero.add_collection("Thesis")
    chapter = old.zotero.add_collection("Chapter", thesis)
    old.zotero.add(ARTICLE, collections=[chapter, old.zotero.add_collection("Later")])
    old.zotero.add(BOOK)
    take_in(tmp_path, old)
    assert set(on_shelf(tmp_path)[ARTICLE["title"]].tags) == {"retrieval", "to read", "Thesis/Chapter", "Later"}
    assert not on_shelf(tmp_path)[BOOK["title"]].tags


def test_an_item_without_a_key_that_was_changed_in_zotero_takes_the_place_of_what_it_was(
    tmp_path: Path, old: RunningZotero
) -> None:
    key = old.zotero.add(BOOK)
    take_in(tmp_path, old)
    old.zotero.items[key] |= {"edition": "2", "tags": [{"tag": "new"}]}
    assert take_in(tmp_path, old).stdout == "Zotero: 1 saved before (1 changed since)\n"
    told = spar(tmp_path, "export", "--shelf", "--offline").stdout
    assert told.count("@") == 1
    assert "edition = {2}" in told


def test_hostile_texts_neither_steer_the_terminal_nor_name_files_of_other_machines(
    tmp_path: Path, old: RunningZotero
) -> None:
    key = old.zotero.add(ARTICLE | {"title": "Red \x1b[31m\u202eretrieval", "extra": "Citation Key: a{b}\x1b]0;x\x07"})
    for place in ("file://server/share/x.pdf", "http://example.org/x.pdf", "file:////server/x.pdf", "file:///etc"):
        old.zotero.attach(key, place)
    ran = take_in(tmp_path, old)
    assert ran.returncode == 0
    assert "\x1b" not in ran.stdout + ran.stderr
    (one,) = on_shelf(tmp_path).values()
    assert (one.paper.title, one.files) == ("Red retrieval", ())


def test_a_paper_that_came_as_two_entries_is_sent_with_what_both_tell(tmp_path: Path, new: RunningZotero) -> None:
    told = "title={Orders of small reefs and bays}, author={Noether, Bea}, journal={Reefs}, year=2015"
    for name, more in (("one", "volume=3"), ("two", "doi={10.1000/reefs}")):
        (tmp_path / f"{name}.bib").write_text(f"@article{{{name}, {told}, {more}}}")
        assert spar(tmp_path, "import", str(tmp_path / f"{name}.bib")).returncode == 0
    send(tmp_path, new)
    [item] = new.zotero.tops()
    assert (item["volume"], item["DOI"]) == ("3", "10.1000/reefs")


def test_people_of_every_role_are_sent_as_what_they_are(tmp_path: Path, new: RunningZotero) -> None:
    (tmp_path / "film.bib").write_text(
        "@movie{film, title={Reeds of the north}, date={2001}, editor={Poe, Bo}, editortype={director},"
        " editora={{Fen and Sons}}, editoratype={producer}, translator={Roe, Ann and others}}"
    )
    assert spar(tmp_path, "import", str(tmp_path / "film.bib")).returncode == 0
    send(tmp_path, new)
    [item] = new.zotero.tops()
    assert item["creators"] == [{"creatorType": "director", "lastName": "Poe", "firstName": "Bo"}]
    lines = item["extra"].splitlines()
    assert {"producer: Fen and Sons", "translator: Roe || Ann", "translator: et al."} <= {*lines}


def test_what_is_sent_keeps_the_rules_of_zoteros_server(tmp_path: Path, new: RunningZotero) -> None:
    put(tmp_path, PUBLISHED)
    send(tmp_path, new)
    take_in(tmp_path, new)
    assert len(new.log) > 4
    for request in new.log:
        assert not request.headers["user-agent"].startswith("Mozilla/")
        assert "origin" not in request.headers
        assert request.headers["host"].startswith("localhost")


def test_the_options_of_files_are_refused_for_zotero(tmp_path: Path) -> None:
    put(tmp_path, PUBLISHED)
    for wrong in (["-o", "refs.bib"], ["--format", "ris"], ["--append"], ["--style", "apa"]):
        ran = spar(tmp_path, "export", "--shelf", "--to-zotero", *wrong)
        assert (ran.returncode, "--to-zotero writes no file" in ran.stderr) == (2, True)
    assert spar(tmp_path, "export", "--shelf", "--collection", "x").returncode == 2
    assert spar(tmp_path, "import", "--collection", "x", "refs.bib").returncode == 2
    assert spar(tmp_path, "import").returncode == 2


def test_an_item_that_names_no_work_is_told_by_its_place_and_the_others_are_taken(
    tmp_path: Path, old: RunningZotero
) -> None:
    old.zotero.add({"itemType": "attachment", "linkMode": "imported_file", "title": "alone.pdf"})
    old.zotero.add({"itemType": "journalArticle", "title": ""})
    old.zotero.add(ARTICLE)
    ran = take_in(tmp_path, old)
    assert (ran.returncode, ran.stdout) == (0, "Zotero: 1 new paper, 1 skipped\n")
    assert ran.stderr.startswith("spar: Zotero, item 2: it has no title")


def test_an_empty_zotero_is_no_failure_and_no_library(tmp_path: Path, old: RunningZotero) -> None:
    ran = take_in(tmp_path, old)
    assert (ran.returncode, ran.stderr) == (3, "spar: Zotero has no works.\n")


def test_two_items_of_one_work_are_one_paper_and_each_is_told_by_its_number(tmp_path: Path, old: RunningZotero) -> None:
    old.zotero.add(BOOK)
    old.zotero.add(ARTICLE)
    old.zotero.add(ARTICLE)
    ran = take_in(tmp_path, old)
    assert ran.stdout == "Zotero: 2 new papers, 1 joined\n"
    assert "Zotero, item 3: byronTreatise2021 is taken as the same work as byronTreatise2021, item 2." in ran.stderr
    assert take_in(tmp_path, old).stdout == "Zotero: 2 saved before, 1 joined\n"
    assert spar(tmp_path, "export", "--shelf", "--offline").stdout.count("@") == 2
    assert spar(tmp_path, "export", "--shelf", "--offline", "--no-dedupe").stdout.count("@") == 3
    assert "0 papers added to Zotero, 2 there already" in send(tmp_path, old).stderr


def test_what_is_in_zoteros_trash_is_not_taken_in_and_not_taken_for_there(tmp_path: Path, new: RunningZotero) -> None:
    new.zotero.add(ARTICLE, deleted=1)
    assert take_in(tmp_path, new).returncode == 3
    put(tmp_path, paper(ARTICLE["title"], "Ada Byron", of_doi="10.1000/sparse"))
    assert "1 paper added to Zotero, 0 there already" in send(tmp_path, new).stderr


def test_a_path_of_no_collection_makes_none(tmp_path: Path, new: RunningZotero) -> None:
    put(tmp_path, PUBLISHED)
    ran = send(tmp_path, new, "--collection", "Thesis/Chapter")
    assert (ran.returncode, new.zotero.items, new.zotero.collections) == (2, {}, {})
    assert "Zotero has no collection Thesis/Chapter" in ran.stderr
