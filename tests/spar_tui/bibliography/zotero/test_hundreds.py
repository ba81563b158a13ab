"""Hundreds of papers to Zotero and back into another home: nothing is lost that its schema has, nothing comes twice."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from random import Random

from cache import shelf
from cache.shelf import ImportedData, Shelved
from cache.shelf_texts import DETAILS
from cache.store import Store
from cache.timestamps import utc_now
from connectors.paper import PAPER_TYPES, Paper
from spar_tui.bibliography.entry import kind_of
from spar_tui.bibliography.kinds import PUBLISHER_IS_VENUE
from spar_tui.bibliography.names import name_of
from tests.services.zotero import RunningZotero
from tests.spar_tui.bibliography.generated import generated
from tests.spar_tui.bibliography.zotero.test_both_ways import on_shelf, send, take_in

MANY = 300
PRINTED = {
    "volume": "12", "number": "3", "pages": "101-120", "publisher": "Lovelace & Sons", "address": "Turin",
    "series": "Notes on Orders", "edition": "2", "isbn": "9780306406157", "issn": "1234-5678",
}  # fmt: skip
_SAME_IN_ZOTERO = {"review": "article"}
"""Types that Zotero does not tell apart."""


def made_papers(folder: Path) -> list[tuple[Paper, ImportedData]]:
    dice = Random(16)
    made = []
    for number, paper in enumerate(generated(MANY)):
        told = {name: text for name, text in PRINTED.items() if dice.random() < 0.5}
        file = folder / f"{number}.pdf"
        if number % 10 == 0:
            file.write_bytes(b"%PDF-1.5")
        note = dice.choice(("", "one line", "a < b & c\n\nsecond part\nwith a break"))
        abstract = dice.choice(("", "We study what p < 0.05 means. It means little."))
        schemes = {"preprint": ("arxiv",), "article": ("doi", "arxiv")}.get(paper.type, ("doi",))
        paper = replace(paper, identifiers=tuple(name for name in paper.identifiers if name.scheme in schemes))
        whole = replace(paper, title=f"{paper.title} — study number {number}", styled_title="", abstract=abstract,
                        et_al=bool(paper.authors) and dice.random() < 0.2)  # fmt: skip
        files = [str(file)] if file.exists() else []
        made.append((whole, ImportedData(("to read", f"tag {number % 7}"), note, files, told, chosen=files)))
    return made


def _without(paper: Paper) -> Collection[str]:
    """What no bibliography has of such a work: a preprint is not printed, and a book's publisher is its venue."""
    kind = kind_of(paper)
    return DETAILS if kind == "preprint" else ("publisher",) if kind in PUBLISHER_IS_VENUE else ()


def lost(before: Shelved, after: Shelved | None) -> list[str]:
    """What of a paper is not what it was."""
    if after is None:
        return ["all of it"]
    one, other = before.paper, after.paper
    printed = {name: text for name, text in before.details.items() if name not in _without(one)}
    kept = {
        "title": one.title == other.title,
        "authors": [*map(name_of, one.authors)] == [*map(name_of, other.authors)],
        "et al.": one.et_al == other.et_al,
        "date": one.date == other.date,
        "venue": one.venue in (other.venue, "") or other.venue == before.details.get("publisher"),
        "identifiers": set(one.identifiers) <= set(other.identifiers),
        "url": one.url in (other.url, None),
        "abstract": one.abstract == other.abstract,
        "type": kind_of(one) == kind_of(other) or _SAME_IN_ZOTERO.get(one.type) == other.type,
        "tags": {*before.tags, "All"} == set(after.tags),  # its collection
        "note": before.note == after.note,
        "files": before.files == after.files,
        "details": printed.items() <= after.details.items(),
    }
    return [name for name, same in kept.items() if not same]


def test_hundreds_of_papers_go_out_and_come_back_whole_and_once(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Store.open(here / "spar" / "spar.db") as store:
        made = made_papers(tmp_path)
        numbers = shelf.save(store, [paper for paper, _ in made])
        shelf.put_imported(store, zip(numbers, (told for _, told in made), strict=True), utc_now())
    with RunningZotero(version=10) as zotero:
        sent = send(here, zotero, "--collection", "All")
        assert sent.returncode == 0, sent.stderr
        assert f"{MANY} papers added to Zotero, 0 there already" in sent.stderr
        assert len(zotero.zotero.tops()) == MANY
        assert {item["itemType"] for item in zotero.zotero.tops()} >= {"journalArticle", "conferencePaper", "book"}
        assert take_in(there, zotero).stdout == f"Zotero: {MANY} new papers\n"
        assert take_in(there, zotero).stdout == f"Zotero: {MANY} saved before\n"
        for home in (here, there):
            assert f"0 papers added to Zotero, {MANY} there already" in send(home, zotero).stderr
        assert len(zotero.zotero.tops()) == MANY
    before, after = on_shelf(here), on_shelf(there)
    wrong = {title: what for title, one in before.items() if (what := lost(one, after.get(title)))}
    assert wrong == {}
    assert len(after) == MANY
    assert {one.paper.type for one in before.values()} == set(PAPER_TYPES)
