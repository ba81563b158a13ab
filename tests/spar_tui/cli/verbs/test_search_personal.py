"""`spar search --personal`: what taste moved is said in the list, in JSON and in the log; if it is off, nothing is."""

import json
import re
from pathlib import Path

from tests.spar_tui.in_process import answer, spar

ASK = ("search", "generative models of images", "--offline")
ATTENTION = "arxiv:1706.03762"


def test_each_paper_that_was_moved_says_how_far_and_why_and_one_line_says_how_many(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    ran = spar(tmp_path, *ASK, "--personal", "--plain")
    told = " ".join(ran.stdout.split())
    log = json.loads(spar(tmp_path, "log", "--json").stdout)["personal"]
    assert log["moved"]
    assert told.count("by your taste: ") == len(log["moved"])
    assert re.search("(cites|is cited by) “Attention Is All You Need”, which you saved", told)
    assert f"it moved {len(log['moved'])} of " in ran.stderr
    assert log["sentence"] in spar(tmp_path, "log").stdout
    again = answer(tmp_path, "search", "--resume", "last")["papers"]
    by_id = {paper["id"]: paper for paper in again}
    for move in log["moved"]:
        assert by_id[move["id"]]["rank"] == move["to"]
        assert by_id[move["id"]]["personal"] == {"score": move["taste"], "moved": move["from"] - move["to"]}


def test_a_search_is_not_personal_unless_that_is_asked_for(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    ran = spar(tmp_path, *ASK, "--json")
    assert {paper["personal"] for paper in json.loads(ran.stdout)["papers"]} == {None}
    assert "your taste" not in ran.stderr
    assert json.loads(spar(tmp_path, "log", "--json").stdout)["personal"] is None
    assert "Order by taste" not in spar(tmp_path, "log").stdout


def test_with_nothing_known_of_the_person_that_is_said_and_no_paper_has_a_taste(tmp_path: Path) -> None:
    ran = spar(tmp_path, *ASK, "--personal", "--json")
    assert "Nothing that counts says what you like, so the order is that of relevance alone" in ran.stderr
    assert {paper["personal"] for paper in json.loads(ran.stdout)["papers"]} == {None}


def test_a_search_that_goes_on_cannot_become_personal(tmp_path: Path) -> None:
    spar(tmp_path, *ASK)
    ran = spar(tmp_path, "search", "--resume", "last", "--personal")
    assert ran.returncode == 2
    assert "--personal cannot change a search that goes on" in ran.stderr
