"""The facts on the starter shelf: whole, well formed and consistent with each other."""

import copy
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tests.rows import each

SCRIPT = Path(__file__).parents[3] / "tools" / "check_starter.py"
if not SCRIPT.is_file():
    pytest.skip("tools/check_starter.py is not part of this copy", allow_module_level=True)

_spec = importlib.util.spec_from_file_location("check_starter", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
check_starter = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_starter)

SOUND: list[dict[str, Any]] = [
    {
        "id": "abel2001finding",
        "title": "On Finding Papers",
        "authors": ["Äbel, Zoë", "van der Berg, Jan"],
        "year": 2001,
        "venue": "Journal of Papers",
        "type": "article",
        "doi": "10.1000/papers.1",
        "does": "Finds papers.",
        "references": [],
    },
    {
        "id": "baker2003how2find",
        "title": "How2Find-Again: Finding Papers Twice",
        "authors": ["Baker, Ann"],
        "year": 2003,
        "venue": "arXiv",
        "type": "preprint",
        "arxiv": "2301.00001",
        "does": "Finds them again.",
        "references": ["abel2001finding"],
    },
]


def test_every_line_of_the_shelf_is_a_record() -> None:
    _, faults = check_starter.read_shelf()
    assert faults == []


def test_no_record_on_the_shelf_breaks_a_rule() -> None:
    entries, _ = check_starter.read_shelf()
    assert check_starter.shelf_faults(entries) == []


def test_the_shelf_is_large_and_linked_enough_to_follow_references_without_a_network() -> None:
    entries, _ = check_starter.read_shelf()
    assert len(entries) >= 250
    assert sum(len(entry["references"]) for entry in entries) >= 700


def test_sound_records_have_no_fault() -> None:
    assert check_starter.shelf_faults(SOUND) == []


@each(
    ("changes", "fault"),
    [
        ({"venue": ""}, "venue missing"),
        ({"references": None}, "references missing"),
        ({"year": "2003"}, "year missing"),
        ({"type": "novel"}, "type 'novel'"),
        ({"note": "spare"}, "unknown fields"),
        ({"doi": "doi:10.1000/x"}, "malformed doi"),
        ({"doi": "10.1000/PAPERS.1"}, "the same doi"),
        ({"arxiv": "2301.00001v2"}, "malformed arxiv"),
        ({"title": "On finding papers."}, "the same title"),
        ({"id": "abel2001finding"}, "the same id"),
        ({"id": "baker2003twice"}, "does not follow"),
        ({"does": "Finds\u200b them."}, "control character"),
        ({"does": "Summarises them."}, "'Summarises' is British"),
        ({"does": "Studies the modelling of behaviour."}, "'modelling' is British"),
        ({"authors": ["Baker et al."]}, "not a name"),
        ({"references": ["nobody1999nothing"]}, "unknown reference"),
        ({"references": ["baker2003how2find"]}, "refers to itself"),
        ({"references": ["abel2001finding", "abel2001finding"]}, "listed 2 times"),
        ({"year": 1999, "id": "baker1999how2find"}, "is newer"),
    ],
)
def test_a_broken_record_is_named_with_its_fault(changes: dict[str, Any], fault: str) -> None:
    broken = copy.deepcopy(SOUND)
    broken[1].update(changes)
    assert any(fault in said and broken[1]["id"] in said for said in check_starter.shelf_faults(broken))


def test_a_line_that_is_not_json_is_named_with_its_file_and_number(tmp_path: Path) -> None:
    (tmp_path / "some.jsonl").write_text(json.dumps(SOUND[0]) + "\n{broken\n[]\n", "utf-8")
    entries, faults = check_starter.read_shelf(tmp_path)
    assert entries == [SOUND[0]]
    assert [fault.split(": ")[0] for fault in faults] == ["some.jsonl:2", "some.jsonl:3"]


def test_a_second_paper_that_would_have_the_same_id_takes_a_letter_more() -> None:
    assert check_starter.follows_the_rule("abel2001findingb", SOUND[0])
    assert not check_starter.follows_the_rule("abel2001finding2", SOUND[0])
