"""`spar import --from-zotero` and `spar export --to-zotero` with a Zotero that keeps Zotero's rules."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cache import shelf
from cache.shelf import Shelved
from cache.store import Store
from tests.services.zotero import RunningZotero
from tests.spar_tui.bibliography.edge_records import EDGE_PAPERS, PUBLISHED
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
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "Zotero: 2 papers\n", "")
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
    assert take_in(tmp_path, old).stdout == "Zotero: 2 papers, 2 of them on the shelf before\n"
    assert spar(tmp_path, "export", "--shelf", "--format", "csl-json", "--offline").stdout == before


def test_before_version_10_papers_go_where_the_window_stands_and_that_is_said(
    tmp_path: Path, old: RunningZotero
) -> None:
    put(tmp_path, PUBLISHED, EDGE_PAPERS["accents"], tags=("mine",))
    ran = send(tmp_path, old)
    assert ran.returncode == 0, ran.stderr
    assert len(old.zotero.tops()) == 2
    assert "2 papers added to Zotero, 0 there already" in ran.stderr
    assert "where Zotero's window stood" in ran.stderr
    assert {tag["tag"] for item in old.zotero.tops() for tag in item["tags"]} == {"mine"}
    again = send(tmp_path, old)
    assert (again.returncode, len(old.zotero.tops())) == (0, 2)
    assert "0 papers added to Zotero, 2 there already" in again.stderr
